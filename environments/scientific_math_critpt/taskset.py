"""Problems as verifiers tasks, and the reward.

A rollout is graded once; the verdict is kept in `trace.info["verdict"]`, where traces.jsonl has it, and the
reward and the metrics read it there. Grading takes the trace alone, so vf-replay does the same again.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import asdict
from typing import Literal

import verifiers.v1 as vf
from pydantic import Field, field_validator, model_validator

from scientific_math_critpt.answers import graded_answer, told_to_jury
from scientific_math_critpt.extras import check_jury, record_extras, solutions_of
from scientific_math_critpt.grading import CritptTaskConfig, shared_grader
from scientific_math_critpt.tools import CritptState, PythonToolConfig, PythonToolset
from scientific_math_critpt_env.demo.programs import completion, gold_program
from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.grading.verdict import Verdict
from scientific_math_critpt_env.problems.generated import generated
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.schema import AnswerType, Problem
from scientific_math_critpt_env.prompting.texts import first_turn, one_turn, second_turn, system_prompt

logger = logging.getLogger(__name__)

Protocol = Literal["one_turn", "two_turn"]
Source = Literal["rows", "generated"]


class CritptData(vf.TaskData):
    problem: Problem
    """The row, gold included: what the trace needs to be graded again."""
    follow_up: str | None = None
    """The user's second message, which asks for the code; None where the first asks for everything."""


class CritptTask(vf.Task[CritptData, CritptState, CritptTaskConfig]):
    @property
    def key(self) -> str:
        """The problem's id."""
        return self.data.problem.id

    @property
    def references(self) -> list[str]:
        """Reference solutions that the row gives, for novelty."""
        return solutions_of(self.data.problem)

    @property
    def entry_point(self) -> str:
        """The function that answers call their own."""
        return self.data.problem.entry_point

    def answer(self, trace: vf.Trace) -> str:
        """A completion whose code is the code that is graded: what novelty is measured of."""
        two_turn = self.data.follow_up is not None
        reply = _second_reply(trace) if two_turn else trace.last_reply
        return graded_answer(self.data.problem, reply, two_turn=two_turn)

    def derivation(self, trace: vf.Trace) -> str:
        """All that the model said, reasoning apart: what a jury reads."""
        return told_to_jury([message.content or "" for message in trace.assistant_messages])

    async def score(self, trace: vf.Trace, runtime: vf.Runtime | None = None) -> None:
        """Grade the trace, then let the reward and the metrics read the verdict.

        Raises `InfrastructureError` where the grader failed, or a jury that was asked for, and `ProblemError`
        where the gold does: such a rollout is an error, never a 0.
        """
        if not self.scoring_deferred:
            trace.info["verdict"] = asdict(await self._graded(trace))
        if self.config.extras.on and not self.scoring_deferred:
            # First, since it may fail: an error has no rewards.
            await record_extras(
                trace,
                self.config.extras,
                self.data.problem,
                solution=self.derivation(trace),
                answer=self.answer(trace),
                correct=_verdict(trace).score,
            )
        await super().score(trace, runtime)

    @vf.reward(weight=1.0)
    async def correct(self, trace: vf.Trace) -> float:
        return _verdict(trace).score

    @vf.metric
    async def has_code(self, trace: vf.Trace) -> float:
        return float(_verdict(trace).status != "no_answer")

    @vf.metric
    async def code_ran(self, trace: vf.Trace) -> float:
        """Whether the code returned, whatever it returned."""
        return float(_verdict(trace).status in ("correct", "incorrect", "undecided", "invalid_answer"))

    @vf.metric
    async def partial_credit(self, trace: vf.Trace) -> float:
        return _verdict(trace).partial

    @vf.metric
    async def undecided(self, trace: vf.Trace) -> float:
        return float(_verdict(trace).status == "undecided")

    @vf.metric
    async def truncated(self, trace: vf.Trace) -> float:
        return float(_verdict(trace).truncated)

    @vf.metric
    async def answer_seconds(self, trace: vf.Trace) -> float:
        """CPU seconds the answer's code used."""
        return _verdict(trace).costs.get("run", 0.0)

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether an answer that returns the gold itself is graded as correct."""
        problem = self.data.problem
        answer = completion(gold_program(problem))
        verdict = await shared_grader(self.config).agrade(problem=problem, completion=answer)
        if verdict.status != "correct":
            logger.warning("%s: the gold is graded %s: %s", problem.id, verdict.status, verdict.reason)
        return verdict.status == "correct"

    async def _graded(self, trace: vf.Trace) -> Verdict:
        two_turn = self.data.follow_up is not None
        return await shared_grader(self.config).agrade(
            problem=self.data.problem,
            completion=_second_reply(trace) if two_turn else trace.last_reply,
            block="first" if two_turn else "last",
            truncated=any(call.finish_reason == "length" for call in trace.calls),
        )


class CritptTasksetConfig(vf.TasksetConfig):
    task: CritptTaskConfig = CritptTaskConfig()
    source: Source = "rows"
    """Where problems come from: "rows" that stand in files, or "generated", an endless stream (give -n)."""
    problems: str = "builtin"
    """The problems: "builtin", a JSONL file, or "hf:DATASET[:SPLIT]"."""
    topics: list[str] = Field(default_factory=list)
    """Only problems of these topics; empty is all."""
    answer_types: list[AnswerType] = Field(default_factory=list)
    """Only problems with these types of answer; empty is all."""
    difficulty: str | None = None
    """Only problems of this difficulty: a level from 1 to 5, or a range ("2:4", "3:", ":2")."""
    pass_rate: str | None = None
    """Only problems with a measured pass rate in this range ("0.1:0.9", "0.5:"); see `pass-rates`."""
    protocol: Protocol = "one_turn"
    """CritPt's steps in one completion, or in two turns of which the second alone is graded."""
    tools: Literal["python"] | None = None
    """A tool for the model, as in CritPt's code variant: "python" runs code in the sandbox."""
    tool: PythonToolConfig = PythonToolConfig()
    """Limits of the tool."""
    check_golds: bool = True
    """Evaluate every gold while loading, so that a defective one is told before a model is asked; about 30 ms
    each. The built-in problems are exempt: they are checked before they are released."""
    seed: int = Field(0, ge=0)
    """Of the generated stream: the same seed is the same problems on every machine."""
    families: list[str] = Field(default_factory=list)
    """Only generated problems of these families; empty is all."""

    @field_validator("topics", "answer_types", "families", mode="before")
    @classmethod
    def _listed(cls, given: object) -> object:
        """`["matrix"]` or `matrix,tuple`: the command lines of verifiers hand `answer_types` over as text."""
        if not isinstance(given, str):
            return given
        if given.lstrip().startswith("["):
            return json.loads(given)
        return [name.strip() for name in given.split(",") if name.strip()]

    @model_validator(mode="after")
    def _one_source(self) -> CritptTasksetConfig:
        if self.source == "generated" and self.problems != "builtin":
            raise ValueError("source generated reads no file; leave `problems` out, or use source rows")
        if self.source == "generated" and self.pass_rate is not None:
            raise ValueError("no generated problem has a measured pass rate; leave `pass_rate` out")
        if self.source == "rows" and (self.families or self.seed):
            raise ValueError("`families` and `seed` belong to source generated; set it, or leave them out")
        return self


class CritptTaskset(vf.Taskset[CritptTask, CritptTasksetConfig]):
    def __init__(self, config: CritptTasksetConfig) -> None:
        try:
            super().__init__(config)
        except (OSError, UnicodeDecodeError) as error:
            # The base class reads the file, and the command lines of verifiers would show a traceback.
            reason = getattr(error, "strerror", None) or str(error)
            raise SystemExit(f"system_prompt: {config.system_prompt} cannot be read ({reason})") from error
        # verifiers asks the object, and refuses to run an infinite taskset without a limit.
        self.INFINITE = config.source == "generated"

    @classmethod
    def toolsets(cls, config: CritptTasksetConfig) -> list[vf.Toolset]:
        """The tool server that every rollout of an environment process shares, if the model has a tool."""
        return [PythonToolset(config.tool)] if config.tools == "python" else []

    def load(self) -> Iterator[CritptTask]:
        """The problems in the order of their file or stream. Exits with one line per defect of the data."""
        try:
            check_jury(self.config.task.extras.jury)
            problems = self._generated() if self.config.source == "generated" else self._rows()
        except (ScientificMathError, ValueError) as error:
            # For anything else the command lines of verifiers show a traceback, not the sentence.
            raise SystemExit(str(error)) from error
        for problem in problems:
            yield CritptTask(self._data(problem), self.config.task)

    def _rows(self) -> list[Problem]:
        return load_problems(
            self.config.problems,
            topics=self.config.topics or None,
            answer_types=self.config.answer_types or None,
            difficulty=self.config.difficulty,
            pass_rate=self.config.pass_rate,
            check_golds=shared_grader(self.config.task).check_golds if self._checks_golds() else None,
        )

    def _generated(self) -> Iterator[Problem]:
        return generated(
            self.config.seed,
            self.config.families or None,
            topics=self.config.topics or None,
            answer_types=self.config.answer_types or None,
            difficulty=self.config.difficulty,
        )

    def _checks_golds(self) -> bool:
        return self.config.check_golds and self.config.problems != "builtin"

    def _data(self, problem: Problem) -> CritptData:
        two_turn = self.config.protocol == "two_turn"
        return CritptData(
            id=problem.id,
            name=problem.id,
            description=problem.topic or None,
            prompt=first_turn(problem) if two_turn else one_turn(problem),
            system_prompt=system_prompt(),
            problem=problem,
            follow_up=second_turn(problem) if two_turn else None,
        )


def _second_reply(trace: vf.Trace) -> str:
    """What the model said last in turn 2, after any tool calls; "" where the rollout ended before it."""
    messages = trace.branches[-1].messages if trace.branches else []
    asked = [place for place, message in enumerate(messages) if message.role == "user"]
    said = [m for m in messages[asked[1] :] if m.role == "assistant"] if len(asked) > 1 else []
    return (said[-1].content or "") if said else ""


def _verdict(trace: vf.Trace) -> Verdict:
    return Verdict(**trace.info["verdict"])
