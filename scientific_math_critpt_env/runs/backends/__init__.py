"""Where samples come from: an OpenAI-compatible endpoint, or vLLM in this process.

A backend takes tasks and gives outcomes, in whatever order they are ready. It knows nothing of folders.
"""

from __future__ import annotations

from scientific_math_critpt_env.runs.backends.tasks import Backend, Failure, Outcome, Reply, Task
from scientific_math_critpt_env.runs.config import RunConfig

__all__ = ["Backend", "Failure", "Outcome", "Reply", "Task", "make_backend"]


def make_backend(config: RunConfig, *, base_url: str | None = None) -> Backend:
    """The backend the configuration names; `base_url` stands in for its own.

    Raises RunError where its key is not set or its package is not installed.
    """
    decode = config.decode.row()
    if config.model.backend == "openai":
        from scientific_math_critpt_env.runs.backends.openai_chat import OpenAIBackend

        return OpenAIBackend(config.model, decode, base_url=base_url)
    from scientific_math_critpt_env.runs.backends.vllm_local import VllmBackend

    return VllmBackend(config.model, decode)
