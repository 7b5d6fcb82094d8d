"""What a run will be, before anything is asked: its data, prompt, hashes and tasks."""

from __future__ import annotations

import functools
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.backends.tasks import Reply, Task
from scientific_math_critpt_env.runs.backends.thinking import separated
from scientific_math_critpt_env.runs.config import RunConfig, load_config
from scientific_math_critpt_env.runs.config_values import NAME
from scientific_math_critpt_env.runs.datasets import Dataset, Record, load_dataset
from scientific_math_critpt_env.runs.folder import SNAPSHOTS, part_name
from scientific_math_critpt_env.runs.hashing import file_hash, stable_hash
from scientific_math_critpt_env.runs.prompts import Prompt, load_prompt
from scientific_math_critpt_env.runs.rows import line_of
from scientific_math_critpt_env.runs.samples import SCHEMA_VERSION, Key, Sample
from scientific_math_critpt_env.runs.weights import fingerprint

MAX_PARTS = 100_000
"""Parts are numbered with five digits."""

HOW_NOT_WHAT = (
    *("base_url", "api_key_variable", "concurrency", "timeout_seconds", "max_attempts", "batch_size"),
    *("prompt_price", "completion_price"),
)
"""Settings of a model that change how it is reached, not what it says: free to change on --resume."""


@dataclass(frozen=True, slots=True)
class Partition:
    """Part `index` of `count`: every count-th row of each data set, from the index on."""

    index: int
    count: int


@dataclass(frozen=True)
class Plan:
    """A run's configuration with everything it names, loaded."""

    run_id: str
    config: RunConfig
    config_text: bytes
    datasets: tuple[Dataset, ...]
    prompt: Prompt
    partition: Partition | None
    weights: dict[str, Any] | None
    folder: Path
    judges_text: bytes | None = None
    judges: dict[str, Any] | None = None

    def records(self) -> Iterator[tuple[Dataset, Record]]:
        """The problems of this part, data sets in order, rows in file order."""
        index, count = (self.partition.index, self.partition.count) if self.partition else (0, 1)
        for dataset in self.datasets:
            for record in dataset.records[index::count]:
                yield dataset, record

    def tasks(self, done: Container[Key] = ()) -> Iterator[Task]:
        """The samples that are not `done`, in bands: every problem's first, then every problem's second."""
        for sample_idx in range(self.config.decode.samples_per_problem):
            for dataset, record in self.records():
                if (dataset.name, record.id, sample_idx) not in done:
                    messages = tuple(self.prompt.messages(record))
                    seed = self.config.decode.seed + sample_idx
                    yield Task(dataset.name, record.id, sample_idx, messages, seed)

    @functools.cached_property
    def problems(self) -> dict[tuple[str, str], Record]:
        """This part's records by (data set, id)."""
        return {(dataset.name, record.id): record for dataset, record in self.records()}

    @property
    def expected(self) -> int:
        """Samples of the finished run."""
        return len(self.problems) * self.config.decode.samples_per_problem

    def sample(self, task: Task, reply: Reply) -> Sample:
        """The sample that a reply makes of a task."""
        record = self.problems[task.dataset, task.problem_id]
        reasoning, final, status = separated(reply.text, reply.reasoning)
        return Sample(
            run_id=self.run_id,
            model=self.config.model.name,
            backend=self.config.model.backend,
            dataset=task.dataset,
            problem_id=task.problem_id,
            problem=record.problem,
            gold_answer=record.answer,
            gold_hash=record.gold_hash,
            sample_idx=task.sample_idx,
            decode=self.config.decode.row(),
            raw_text=reply.text,
            reasoning_text=reasoning,
            final_text=final,
            thinking_status=status,
            finish_reason=reply.finish_reason,
            prompt_tokens=reply.prompt_tokens,
            output_tokens=reply.output_tokens,
            response_id=reply.response_id,
            resolved_request=reply.request,
            truncated=reply.finish_reason == "length",
            created_at=datetime.now(UTC).isoformat(),
            metadata=record.metadata,
        )

    def spec(self) -> dict[str, Any]:
        """What decides a sample; --resume and merge hold on to it. The number of samples is not in it."""
        model = self.config.model.model_dump(mode="json", exclude_none=True, exclude=set(HOW_NOT_WHAT))
        return {
            "schema_version": SCHEMA_VERSION,
            "model": model,
            "weights": self.weights,
            "prompt": self.prompt.hash(self.datasets),
            "decode": self.config.decode.row(),
            "datasets": {dataset.name: dataset.hash for dataset in self.datasets},
        }

    def hashes(self) -> dict[str, Any]:
        """The hashes of what goes in."""
        spec = self.spec()
        return {
            "config": stable_hash(self.config.resolved()),
            "prompt": spec["prompt"],
            "datasets": spec["datasets"],
            "generation_spec": stable_hash(spec),
        }

    def snapshots(self) -> dict[str, bytes]:
        """The files to keep with the run, by their path in its folder."""
        files = {f"{SNAPSHOTS}/config.yaml": self.config_text}
        for name, content in self.prompt.snapshot().items():
            files[f"{SNAPSHOTS}/prompt/{name}"] = content
        for dataset in self.datasets:
            files[snapshot_of(dataset.name)] = b"".join(line_of(record.row) for record in dataset.records)
        if self.judges_text is not None:
            files[f"{SNAPSHOTS}/judges.yaml"] = self.judges_text
        return files


def snapshot_of(dataset: str) -> str:
    """Where a data set's rows are kept, in the run's folder."""
    return f"{SNAPSHOTS}/{dataset}.jsonl"


def make_plan(config_path: Path, run_id: str, *, partition: Partition | None = None) -> Plan:
    """Load all that the configuration names. Raises RunError or ProblemError, a line per defect."""
    if not NAME.fullmatch(run_id):
        raise RunError(f"--run-id: {run_id!r} must be letters, digits, '.', '_' and '-', no '.' first")
    config = load_config(config_path)
    here = config_path.parent
    datasets = tuple(load_dataset(dataset, here) for dataset in config.all_datasets)
    prompt = load_prompt(config.prompt, here, datasets)
    name = part_name(run_id, partition.index, partition.count) if partition else run_id
    plan = Plan(
        run_id=run_id,
        config=config,
        config_text=config_path.read_bytes(),
        datasets=datasets,
        prompt=prompt,
        partition=partition,
        weights=fingerprint(config.model.path) if config.model.backend == "vllm" else None,
        folder=here / config.output.root / name,
        judges_text=(here / config.judges).read_bytes() if config.judges else None,
        judges=_judges(here / config.judges) if config.judges else None,
    )
    if not plan.problems:
        assert partition is not None
        fewest = max(len(dataset.records) for dataset in datasets)
        raise RunError(f"--partition: part {partition.index} of {partition.count} of {fewest} rows is empty")
    return plan


def parse_partition(text: str) -> Partition:
    """`i/n` with 0 <= i < n. Raises ValueError with a sentence."""
    match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if match is None:
        raise ValueError(f"{text!r} is not of the form i/n, such as 0/3")
    index, count = int(match[1]), int(match[2])
    if not 0 <= index < count <= MAX_PARTS:
        raise ValueError(f"{text!r}: the parts of n are 0 to n-1, and n is at most {MAX_PARTS}")
    return Partition(index, count)


def _judges(path: Path) -> dict[str, Any]:
    """Who judges; loaded, so that a wrong file is refused here."""
    from scientific_math_critpt_env.judging import load_jury

    jury = load_jury(path)
    return {
        "snapshot": f"{SNAPSHOTS}/judges.yaml",
        "hash": file_hash(path),
        "judges": [{"name": judge.name, "model": judge.model} for judge in jury.judges],
    }
