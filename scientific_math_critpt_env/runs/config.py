"""The configuration of a run, `run.yaml`, checked strictly: what is unknown, null or mistyped is refused.

    dataset: {name: builtin, path: builtin, limit: 20}     # or `datasets:`, a list of such
    model: {backend: openai, name: my-model, base_url: "http://127.0.0.1:8000/v1", api_key_variable: MY_KEY}
    prompt: critpt-one-turn                                # or a file, or a folder of NN-role.txt
    decode: {temperature: 1.0, top_p: 1.0, seed: 0, max_output_tokens: 4096, samples_per_problem: 4}
    output: {root: runs, shard_size: 1000, compression: zstd, fsync_every: 20}

Paths are relative to the file. A key is never in it: only the name of the variable that holds it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.compression import Compression
from scientific_math_critpt_env.runs.config_values import (
    address,
    further,
    name,
    request_fields,
    text,
    variable,
)
from scientific_math_critpt_env.runs.yaml_files import load_yaml

Name = Annotated[str, AfterValidator(name)]
Text = Annotated[str, AfterValidator(text)]
Count = Annotated[int, Field(ge=1, le=10**9)]
"""More of anything is a slip of the hand."""
Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Penalty = Annotated[float, Field(allow_inf_nan=False)]
Further = Annotated[dict[str, Any], AfterValidator(further)]
"""Fields that are handed on as they are."""


class Strict(BaseModel):
    """Refuses unknown fields and converts nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class DatasetConfig(Strict):
    """Problems to ask."""

    name: Name
    path: Text
    """A JSONL file or a folder of them, "builtin", or "hf:DATASET[:SPLIT]"."""
    limit: Count | None = None
    """The first so many rows; left out: all."""


class OpenAIConfig(Strict):
    """An endpoint with OpenAI's chat protocol."""

    backend: Literal["openai"]
    name: Text
    base_url: Annotated[str, AfterValidator(address)]
    api_key_variable: Annotated[str, AfterValidator(variable)] | None = None
    concurrency: Annotated[int, Field(ge=1, le=4096)] = 16
    """Requests under way at a time."""
    timeout_seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1200.0
    """For one attempt, the whole reply."""
    max_attempts: Annotated[int, Field(ge=1, le=100)] = 8
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    extra_body: Annotated[Further, AfterValidator(request_fields)] = Field(default_factory=dict)
    """Further fields of the request's body, such as `reasoning_effort`; part of what the run is."""
    prompt_price: Price | None = None
    """Per million tokens, as the next: for the cost in the progress bar and the manifest."""
    completion_price: Price | None = None


class VllmConfig(Strict):
    """A model run by vLLM in this process."""

    backend: Literal["vllm"]
    name: Text
    """What the samples call it."""
    path: Text
    """A folder with weights, or the name of a model on the hub."""
    mode: Literal["chat", "completion"] = "chat"
    """Through the model's chat template, or the one message as the text to continue."""
    batch_size: Count = 256
    """Samples handed over at a time: what is lost when the process is killed."""
    engine: Further = Field(default_factory=dict)
    """Arguments of `vllm.LLM`, such as `dtype`, `max_model_len`, `tensor_parallel_size`."""
    chat_template_kwargs: Further = Field(default_factory=dict)


class DecodeConfig(Strict):
    """How to sample. The seed of a request is `seed` + the sample's index."""

    temperature: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    top_p: Annotated[float, Field(gt=0, le=1)]
    seed: Annotated[int, Field(ge=0, lt=2**62)]
    max_output_tokens: Count
    samples_per_problem: Count
    top_k: Count | None = None
    min_p: Annotated[float, Field(ge=0, le=1)] | None = None
    stop: Text | list[Text] | None = None
    presence_penalty: Penalty | None = None
    frequency_penalty: Penalty | None = None
    repetition_penalty: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None

    def row(self) -> dict[str, Any]:
        """What a sample records: all that was set, without the number of samples, which may grow."""
        return self.model_dump(exclude={"samples_per_problem"}, exclude_none=True)


class OutputConfig(Strict):
    """Where the run goes, and how safely."""

    root: Text
    shard_size: Count = 1000
    compression: Compression = "none"
    fsync_every: Count = 20
    """Samples after which what was written is made to last a power cut."""


class RunConfig(Strict):
    """All of `run.yaml`."""

    dataset: DatasetConfig | None = None
    datasets: Annotated[list[DatasetConfig], Field(min_length=1)] | None = None
    model: Annotated[OpenAIConfig | VllmConfig, Field(discriminator="backend")]
    prompt: Text
    decode: DecodeConfig
    output: OutputConfig
    judges: Text | None = None
    """A `judges.yaml` that belongs to the run: kept with it and named in its manifest."""

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> RunConfig:
        if (self.dataset is None) == (self.datasets is None):
            raise ValueError("give either `dataset`, or `datasets` with a list, and not both")
        names = [dataset.name for dataset in self.all_datasets]
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ValueError(f"two data sets are called {', '.join(repeated)}; give each its own name")
        return self

    @property
    def all_datasets(self) -> list[DatasetConfig]:
        """The data sets in order, however they were written."""
        return self.datasets if self.datasets is not None else [self.dataset] if self.dataset else []

    def resolved(self) -> dict[str, Any]:
        """The configuration with all defaults, as JSON; what was left out stays out."""
        return self.model_dump(mode="json", exclude_none=True)


def load_config(path: Path) -> RunConfig:
    """The configuration in the file. Raises RunError with a line for each field at fault."""
    content = load_yaml(path)
    if not isinstance(content, dict):
        raise RunError(f"{path}: must hold fields such as `dataset:` and `model:`")
    defects = [f"{field}: is null; give a value, or leave the field out" for field in _nulls(content, "")]
    if not defects:
        try:
            return RunConfig.model_validate(content)
        except ValidationError as error:
            defects = [_told(detail) for detail in error.errors(include_url=False)]
    raise RunError("\n".join(f"{path}: {defect}" for defect in defects))


def _nulls(value: object, path: str) -> list[str]:
    if value is None:
        return [path]
    if isinstance(value, dict):
        inside = [(f"{path}.{name}" if path else str(name), part) for name, part in value.items()]
    elif isinstance(value, list):
        inside = [(f"{path}[{index}]", part) for index, part in enumerate(value)]
    else:
        inside = []
    return [found for name, part in inside for found in _nulls(part, name)]


_TO_DO = {
    "missing": "is missing; add it",
    "extra_forbidden": "is unknown; remove it or correct its name",
    "union_tag_not_found": "needs `backend: openai` or `backend: vllm`",
    "union_tag_invalid": "backend must be openai or vllm",
}


def _told(detail: Any) -> str:
    # The tag of the chosen backend is no field of the file.
    location = [
        part for place, part in enumerate(detail["loc"]) if not (place == 1 and part in ("openai", "vllm"))
    ]
    field = ""
    for part in location:
        field += f"[{part}]" if isinstance(part, int) else f".{part}" if field else str(part)
    message = _TO_DO.get(detail["type"])
    if message is None:
        message = str(detail["msg"]).removeprefix("Value error, ")
        message = f"{message[:1].lower()}{message[1:]}"
        if detail["type"] not in ("value_error", "literal_error"):
            message += f"; it is {detail['input']!r:.60}"
    return f"{field}: {message}" if field else message
