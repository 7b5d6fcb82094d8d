r"""Canonical records as verifiers tasks, and the reward.

A record:  {"id": "circle-chord", "problem": "A chord of a circle ...", "answer": "24"}

The reward is the contract's strict verdict; the soft one (which reads the whole text where no box is
complete) is a metric and never earns anything. A rollout is judged once, in worker processes that the event
loop awaits; the verdict is kept in `trace.info["verdict"]`, and vf-replay makes it again from the trace.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from pydantic import Field, field_validator

from scientific_math_boxed.judging import BoxedTaskConfig, shared_contract
from scientific_math_critpt_env.errors import ProblemError, RunError
from scientific_math_critpt_env.runs.backends.thinking import separated
from scientific_math_critpt_env.runs.config import DatasetConfig
from scientific_math_critpt_env.runs.datasets import Record, load_dataset

logger = logging.getLogger(__name__)

DEFAULT = "default"
"""Names the records that come with the environment."""

_RECORDS = Path(__file__).with_name("problems.jsonl")

PLACE = "{{problem}}"

PROMPT = f"{PLACE}\n\nReason step by step, and put the final answer, and nothing else, within \\boxed{{}}."


class BoxedData(vf.TaskData):
    answer: str
    """The gold, in LaTeX."""
    problem: str
    """The question without the instructions around it."""
    metadata: dict[str, Any] = Field(default_factory=dict)


class BoxedTask(vf.Task[BoxedData, vf.State, BoxedTaskConfig]):
    @property
    def key(self) -> str:
        """The record's id."""
        return str(self.data.id)

    async def score(self, trace: vf.Trace, runtime: vf.Runtime | None = None) -> None:
        """Judge the trace, then let the reward and the metrics read the verdict.

        Raises `InfrastructureError` where judging failed: such a rollout is an error, never a 0.
        """
        if not self.scoring_deferred:
            said = trace.assistant_messages[-1:]
            reasoning = said[0].reasoning_content if said else None
            _, final, _ = separated(trace.last_reply, reasoning or "")
            trace.info["verdict"] = await self._judged(final)
        await super().score(trace, runtime)

    @vf.reward(weight=1.0)
    async def correct(self, trace: vf.Trace) -> float:
        """The strict verdict."""
        return _score(trace.info["verdict"])

    @vf.metric
    async def soft_correct(self, trace: vf.Trace) -> float:
        return _score(trace.info["verdict"]["soft"])

    @vf.metric
    async def boxed(self, trace: vf.Trace) -> float:
        return float(trace.info["verdict"]["status"] != "no_candidate")

    @vf.metric
    async def parse_error(self, trace: vf.Trace) -> float:
        return float(trace.info["verdict"]["status"] == "parse_error")

    @vf.metric
    async def verification_error(self, trace: vf.Trace) -> float:
        return float(trace.info["verdict"]["status"] == "verification_error")

    @vf.metric
    async def truncated(self, trace: vf.Trace) -> float:
        return float(any(call.finish_reason == "length" for call in trace.calls))

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the gold itself, in a box, is judged correct."""
        verdict = await self._judged(f"\\boxed{{{self.data.answer}}}")
        if not verdict["is_correct"]:
            logger.warning("%s: the gold is judged %s: %s", self.key, verdict["status"], verdict["reason"])
        return bool(verdict["is_correct"])

    async def _judged(self, text: str) -> dict[str, Any]:
        return await shared_contract(self.config).judge_text(text, self.data.answer)


class BoxedTasksetConfig(vf.TasksetConfig):
    task: BoxedTaskConfig = BoxedTaskConfig()
    problems: str = DEFAULT
    """The records: "default", a JSONL file, or a folder of them."""
    prompt: str = PROMPT
    """The user's message; holds `{{problem}}` once."""

    @field_validator("prompt")
    @classmethod
    def _one_place(cls, prompt: str) -> str:
        if prompt.count(PLACE) != 1:
            raise ValueError(f"it must hold {PLACE} exactly once, and holds it {prompt.count(PLACE)} times")
        return prompt


class BoxedTaskset(vf.Taskset[BoxedTask, BoxedTasksetConfig]):
    def load(self) -> Iterator[BoxedTask]:
        """The records in the order of their file. Exits with one line per defect of the data."""
        path = _RECORDS if self.config.problems == DEFAULT else Path(self.config.problems)
        try:
            config = DatasetConfig(name="problems", path=str(path.absolute()))
            records = load_dataset(config, Path("/")).records
            _refuse_problem_rows(path, records)
        except (ProblemError, RunError) as error:
            # For anything else the command lines of verifiers show a traceback, not the sentence.
            raise SystemExit(str(error)) from error
        for record in records:
            yield BoxedTask(self._data(record), self.config.task)

    def _data(self, record: Record) -> BoxedData:
        return BoxedData(
            id=record.id,
            name=record.id,
            prompt=self.config.prompt.replace(PLACE, record.problem),
            problem=record.problem,
            answer=record.answer,
            metadata=record.metadata,
        )


def _refuse_problem_rows(path: Path, records: tuple[Record, ...]) -> None:
    if any(record.scientific is not None for record in records):
        raise RunError(
            f"{path}: holds problem rows, whose golds are SymPy; use the environment scientific-math-critpt"
        )


def _score(verdict: dict[str, Any]) -> float:
    return float(verdict["score"])
