"""Scoring under verifiers up to 0.3: each rollout is graded once, then rewards and metrics read the verdict.

Those verifiers turn an exception inside a reward function into a reward of 0. So nothing that can fail stands
in one: grading comes before, and where it fails, the rollout itself has the error (`state["error"]`, which
`--max-retries` tries again and trainers drop), no metrics, and no part in its group's advantages.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import verifiers as vf

from scientific_math_critpt.answers import graded_answer, told_to_jury
from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.grading.verdict import Verdict
from scientific_math_critpt_env.problems.schema import Problem

if TYPE_CHECKING:
    from scientific_math_critpt.v0_extras import Extras


class CritptRubric(vf.Rubric):
    """The reward `correct` and the metrics of the v1 environment; the verdict stays in `info["verdict"]`."""

    def __init__(
        self, grader: Grader, *, two_turn: bool, correct_weight: float, extras: Extras | None = None
    ) -> None:
        super().__init__(funcs=[correct], weights=[correct_weight])
        for reward, weight in extras.rewards if extras else ():
            self.add_reward_func(reward, weight)
        for metric in (
            *(has_code, code_ran, partial_credit, undecided, truncated, answer_seconds),
            num_turns,
        ):
            self.add_metric(metric)
        self._grader = grader
        self._two_turn = two_turn
        self._extras = extras

    async def score_rollout(self, state: Any) -> None:
        """Reward and metrics of one rollout, or its error."""
        if await self._sound(state):
            await super().score_rollout(state)

    async def score_group(self, states: list[Any]) -> None:
        """The same for the rollouts of one problem; the advantages are those among the sound ones."""
        sound = await asyncio.gather(*(self._sound(state) for state in states))
        await super().score_group([state for state, good in zip(states, sound, strict=True) if good])

    @vf.teardown
    async def close_grader(self) -> None:
        self._grader.close()

    async def _sound(self, state: Any) -> bool:
        """Whether the rollout has a verdict; where not, it has its error, and the 0 that the format wants."""
        if state.get("error") is None:
            try:
                await self._record(state)
                return True
            except ProblemError as failure:
                _fail(state, vf.Error(str(failure)), failure)
            except Exception as failure:  # noqa: BLE001 - whatever it was, it says nothing about the answer
                _fail(state, vf.InfraError(f"{type(failure).__name__}: {failure}"), failure)
        await self.dummy_score_rollout(state)
        return False

    async def _record(self, state: Any) -> None:
        problem, info = problem_of(state), state["info"]
        said = [_text(m["content"]) for m in state["completion"] or [] if m["role"] == "assistant"]
        # The last reply is stripped as verifiers 0.4 strips it: reasons that name lines are the same.
        counted = said[1:2] if self._two_turn else [reply.strip() for reply in said[-1:]]
        reply = "".join(counted)
        verdict = await self._grader.agrade(
            problem=problem,
            completion=reply,
            block="first" if self._two_turn else "last",
            truncated=any(s["response"].message.finish_reason == "length" for s in state["trajectory"]),
        )
        info["verdict"] = asdict(verdict)
        if self._extras:
            answer = graded_answer(problem, reply, two_turn=self._two_turn)
            solution = told_to_jury(said)
            await self._extras.record(info, problem, solution, answer=answer, author=state["model"])


def problem_of(state: Any) -> Problem:
    """The row that the rollout is about, gold included."""
    return Problem.model_validate(state["info"]["problem"])


async def correct(info: dict[str, Any]) -> float:
    return _verdict(info).score


async def has_code(info: dict[str, Any]) -> float:
    return float(_verdict(info).status != "no_answer")


async def code_ran(info: dict[str, Any]) -> float:
    return float(_verdict(info).status in ("correct", "incorrect", "undecided", "invalid_answer"))


async def partial_credit(info: dict[str, Any]) -> float:
    return _verdict(info).partial


async def undecided(info: dict[str, Any]) -> float:
    return float(_verdict(info).status == "undecided")


async def truncated(info: dict[str, Any]) -> float:
    return float(_verdict(info).truncated)


async def answer_seconds(info: dict[str, Any]) -> float:
    return _verdict(info).costs.get("run", 0.0)


async def num_turns(state: Any) -> float:
    return float(len(state["trajectory"]))


def _verdict(info: dict[str, Any]) -> Verdict:
    return Verdict(**info["verdict"])


def _fail(state: Any, error: Exception, cause: BaseException) -> None:
    error.__cause__ = cause
    state["error"] = error
    state["stop_condition"] = "has_error"


def _text(content: Any) -> str:
    """The text of a message, also where it comes in parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content)
    return content or ""
