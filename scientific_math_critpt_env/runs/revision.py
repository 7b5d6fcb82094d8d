"""Which code made a run: the commit of a checkout, or the record of an installed wheel.

{"kind": "git", "revision": "339ca49...", "dirty": false, "version": "0.1.0"}. Known and clean is what can be
fetched again: `git` with nothing changed under the package's folder, or `wheel` with every file as recorded.
"""

from __future__ import annotations

import base64
import hashlib
import subprocess
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

DISTRIBUTION = "scientific-math-critpt"
PACKAGE = Path(__file__).resolve().parent.parent

GIT_SECONDS = 20.0
"""A file system that takes longer to answer is broken; the revision is then unknown."""


def code_revision(package: Path = PACKAGE) -> dict[str, Any]:
    """`kind` ("git", "wheel" or "unknown"), `revision`, `dirty` (null where unknown) and `version`."""
    try:
        installed = distribution(DISTRIBUTION)
    except PackageNotFoundError:
        return {"version": None, **(_from_git(package) or _UNKNOWN)}
    found = _from_git(package) or _from_wheel(installed, package) or _UNKNOWN
    return {"version": installed.version, **found}


def defect_of(revision: Any) -> str:
    """Why the revision cannot be relied on; "" where it can."""
    if not isinstance(revision, dict) or not revision.get("revision"):
        return "is unknown"
    if revision.get("dirty") is not False:
        return f"{str(revision['revision'])[:40]} has uncommitted or edited files"
    return ""


_UNKNOWN: dict[str, Any] = {"kind": "unknown", "revision": None, "dirty": None}


def _from_git(package: Path) -> dict[str, Any] | None:
    # A wheel can lie inside somebody else's repository; ours is the one that tracks this very file.
    if _git(package, "ls-files", "--error-unmatch", "errors.py") is None:
        return None
    revision = _git(package, "rev-parse", "HEAD")
    status = _git(package, "status", "--porcelain", "--", ".")
    if not revision or status is None:
        return None
    return {"kind": "git", "revision": revision.strip(), "dirty": bool(status.strip())}


def _git(folder: Path, *arguments: str) -> str | None:
    """What git says, or None where it is not there or refuses."""
    command = ["git", "--no-optional-locks", *arguments]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=GIT_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def _from_wheel(installed: Distribution, package: Path) -> dict[str, Any] | None:
    """The hash of the wheel's record of this package; None for an editable installation, which has none."""
    recorded = [file for file in installed.files or [] if file.parts[0] == package.name and file.hash]
    if not recorded:
        return None
    digest = hashlib.sha256()
    dirty = False
    for file in sorted(recorded, key=str):
        assert file.hash is not None
        digest.update(f"{file}:{file.hash.mode}={file.hash.value}\n".encode())
        dirty |= not _as_recorded(Path(str(installed.locate_file(file))), file.hash.mode, file.hash.value)
    return {"kind": "wheel", "revision": f"record-sha256-{digest.hexdigest()}", "dirty": dirty}


def _as_recorded(path: Path, algorithm: str, value: str) -> bool:
    try:
        digest = hashlib.new(algorithm, path.read_bytes()).digest()
    except (OSError, ValueError):
        return False
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == value
