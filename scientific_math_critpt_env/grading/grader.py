"""From a completion to a `Verdict`: extract, run confined, compare confined.

One `Grader` owns one sandbox (a zygote and its checkers). It works from any thread and any event loop, and
in a forked copy of the process, which starts a sandbox of its own. Failures of the answer are verdicts;
`ProblemError` and `InfrastructureError` are raised.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Iterable
from dataclasses import asdict, replace
from hashlib import sha256
from time import monotonic
from typing import Any, Literal, Self, TypeVar

from tqdm import tqdm

from scientific_math_critpt_env.errors import InfrastructureError, ProblemError
from scientific_math_critpt_env.grading.driving import run_to_end
from scientific_math_critpt_env.grading.framing import pack
from scientific_math_critpt_env.grading.once import Once
from scientific_math_critpt_env.grading.policy import Policy
from scientific_math_critpt_env.grading.programs import program, run_limits
from scientific_math_critpt_env.grading.verdict import Status, Verdict, presentable
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.prompting.extraction import extract
from scientific_math_critpt_env.prompting.templates import code_template
from scientific_math_critpt_env.sandbox import Limits, Outcome, Sandbox

GRADERS = ("scientific-v1", "critpt-v1")
"""Contracts by id; a change of verdicts is a new id."""

CHECKER = "scientific_math_critpt_env.grading.checking:check"

GOLD_LIMITS = Limits(cpu_seconds=20.0, wall_seconds=120.0)
"""Golds are trusted and evaluated once; one that needs longer belongs in closed form."""

VALIDATE_LIMITS = Limits(cpu_seconds=90.0, wall_seconds=600.0)
"""A row and its dozen mutants, each a comparison of at most a few seconds."""

COMPARE_SECONDS = 6.0
"""CPU a comparison may use before its process is killed: `compare` itself stops at a third of this."""

Block = Literal["last", "first"]

T = TypeVar("T")


class Grader:
    """Grades completions under one contract; a context manager, reusable until `close`.

    Raises `ConfinementError` at the first use where code cannot be confined.
    """

    def __init__(
        self,
        *,
        grader: str = "scientific-v1",
        workers: int | None = None,
        limits: Limits | None = None,
        policy: Policy | None = None,
    ) -> None:
        """`workers`: runs and comparisons at a time, by default one per core; `limits`: of the code."""
        if grader not in GRADERS:
            raise ValueError(f"unknown grader {grader!r}; there are {', '.join(GRADERS)}")
        self.grader = grader
        self.limits = limits or Limits()
        self.policy = policy or Policy()
        self._sandbox = Sandbox(checker=CHECKER, workers=workers)
        self._policy_fields = asdict(self.policy)
        self._golds: Once[_Gold] = Once()
        self._tests: Once[bool] = Once()

    def grade(
        self, *, problem: Problem, completion: str, block: Block = "last", truncated: bool = False
    ) -> Verdict:
        """Grade one completion, blocking; works in any thread, also inside a running event loop."""
        return run_to_end(
            self.agrade(problem=problem, completion=completion, block=block, truncated=truncated)
        )

    async def agrade(
        self, *, problem: Problem, completion: str, block: Block = "last", truncated: bool = False
    ) -> Verdict:
        """Grade one completion.

        `block` picks the code block: "last" for the one-turn format, "first" for turn 2 of the faithful
        protocol. `truncated` says that the model was cut off, where the caller knows. Raises `ProblemError`
        where the gold does not evaluate, `InfrastructureError` where the machinery failed.
        """
        await self.self_test()
        return await self._grade(problem, completion, block, truncated)

    def grade_many(self, pairs: Iterable[tuple[Problem, str]], *, progress: bool = False) -> list[Verdict]:
        """Grade (problem, completion) pairs; verdicts in the order of the pairs."""
        work = [self.agrade(problem=problem, completion=completion) for problem, completion in pairs]
        return run_to_end(_gathered(work, unit="answer", progress=progress))

    def validate_many(self, problems: Iterable[Problem], *, progress: bool = False) -> list[dict[str, Any]]:
        """Lint rows and grade gold against gold and its mutants (`validation.ProblemReport` as dicts)."""

        async def validate(problem: Problem) -> dict[str, Any]:
            check = await self._sandbox.check(self._request("validate", problem), VALIDATE_LIMITS)
            if check.status != "ok":
                return {"problem_id": problem.id, "defects": [f"validating it: {check.reason}"]}
            return _reply(check)

        return run_to_end(_gathered([validate(p) for p in problems], unit="problem", progress=progress))

    async def self_test(self) -> None:
        """Grade a known right and a known wrong answer, once; every first grade does this of itself.

        A grader that would score everything 0, or everything 1, must not start: raises `InfrastructureError`.
        """
        await self._tests.get(self.grader, self._grade_known_answers)

    def check_golds(self, problems: Iterable[Problem]) -> list[tuple[Problem, str]]:
        """The problems whose golds do not evaluate, each with the reason."""

        async def gold(problem: Problem) -> tuple[Problem, str]:
            return problem, (await self._evaluated(problem)).defect

        found = run_to_end(_gathered([gold(problem) for problem in problems]))
        return [(problem, defect) for problem, defect in found if defect]

    def close(self) -> None:
        """Stop every process of this grader."""
        self._sandbox.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    async def _grade(self, problem: Problem, completion: str, block: Block, truncated: bool) -> Verdict:
        # Turn 2 of the faithful protocol forbids new imports: the template's own header is used.
        template = code_template(problem) if block == "first" else None
        extraction = extract(completion, problem.entry_point, which=block, template=template)
        base = Verdict(
            status="no_answer",
            score=0.0,
            method="",
            reason=extraction.reason,
            grader=self.grader,
            truncated=truncated or extraction.truncated,
        )
        if extraction.code is None:
            return base
        gold = await self._gold(problem)
        start = monotonic()
        run = await self._sandbox.run(
            program(problem, extraction.code, self.grader), run_limits(problem, self.limits)
        )
        base = replace(base, cpu_seconds=run.cpu_seconds, costs={"run": run.cpu_seconds})
        if run.status != "ok":
            return replace(
                base, status=run.status, reason=presentable(run.reason), wall_seconds=monotonic() - start
            )
        check = await self._sandbox.check(self._request("grade", problem, run.value), _check_limits(gold))
        base = replace(
            base,
            cpu_seconds=run.cpu_seconds + check.cpu_seconds,
            wall_seconds=run.wall_seconds + check.wall_seconds,
        )
        return self._judged(base, check)

    def _judged(self, base: Verdict, check: Outcome) -> Verdict:
        if check.status != "ok":
            # A value on which comparing crashes twice is nothing that the problem asks for.
            status: Status = "invalid_answer" if check.status == "code_error" else check.status
            return replace(base, status=status, reason=f"comparing the answer: {presentable(check.reason)}")
        reply = _reply(check)
        if "invalid_answer" in reply:
            return replace(base, status="invalid_answer", reason=presentable(reply["invalid_answer"]))
        status, score = self._earned(reply["relation"])
        return replace(
            base,
            status=status,
            score=score,
            method=reply["method"],
            reason=presentable(reply["reason"]),
            partial=reply["partial"],
            answer=presentable(reply["answer"]),
            costs={**base.costs, **reply["costs"]},
        )

    def _earned(self, relation: str) -> tuple[Status, float]:
        if relation == "equal":
            return "correct", 1.0
        if relation == "different":
            return "incorrect", 0.0
        return "undecided", self.policy.undecided_score

    async def _gold(self, problem: Problem) -> _Gold:
        gold = await self._evaluated(problem)
        if gold.defect:
            raise ProblemError(f"{problem.where or problem.id}: {gold.defect}")
        return gold

    async def _evaluated(self, problem: Problem) -> _Gold:
        async def evaluate() -> _Gold:
            check = await self._sandbox.check(self._request("evaluate", problem), GOLD_LIMITS)
            reply = _reply(check) if check.status == "ok" else {"invalid_problem": check.reason}
            return _Gold(reply)

        return await self._golds.get(_digest(problem), evaluate)

    def _request(self, operation: str, problem: Problem, value: bytes = b"") -> bytes:
        header = {
            "operation": operation,
            "problem": problem.model_dump_json(exclude_defaults=True),
            "grader": self.grader,
            "policy": self._policy_fields,
        }
        return pack(header, value)

    async def _grade_known_answers(self) -> bool:
        self._sandbox.begin()
        good = await self._grade(_KNOWN, _ANSWER.format("x + sp.Integer(1)"), "last", False)
        bad = await self._grade(_KNOWN, _ANSWER.format("x + sp.Integer(2)"), "last", False)
        if (good.status, bad.status) != ("correct", "incorrect"):
            raise InfrastructureError(
                f"self-test failed: a right answer graded {good.status} ({good.reason}), "
                f"a wrong one {bad.status} ({bad.reason}); refusing to grade"
            )
        return True


class _Gold:
    """What the checker said of a problem's gold."""

    def __init__(self, reply: dict[str, Any]) -> None:
        self.defect: str = reply.get("invalid_problem", "")
        self.cpu_seconds: float = reply.get("cpu_seconds", 0.0)


def _digest(problem: Problem) -> str:
    return sha256(problem.model_dump_json().encode()).hexdigest()


def _check_limits(gold: _Gold) -> Limits:
    # A checker that has not met this gold evaluates it first: its cost is the problem's, not the answer's.
    seconds = COMPARE_SECONDS + 2 * gold.cpu_seconds
    return Limits(cpu_seconds=seconds, wall_seconds=10 * seconds)


def _reply(check: Outcome) -> dict[str, Any]:
    reply: dict[str, Any] = json.loads(check.value)
    return reply


async def _gathered(
    work: list[Coroutine[Any, Any, T]], *, unit: str = "gold", progress: bool = False
) -> list[T]:
    """All results in order; the first failure cancels the rest and is raised."""
    tasks = [asyncio.ensure_future(part) for part in work]
    with tqdm(total=len(work), unit=unit, disable=not progress) as bar:
        for task in tasks:
            task.add_done_callback(lambda _: bar.update())
        try:
            return await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()


_KNOWN = Problem(id="self-test", prompt="Return x + 1.", answer_fn="x + 1")
_ANSWER = "```python\nimport sympy as sp\nx = sp.Symbol('x')\n\ndef model_answer():\n    return {}\n```"
