"""The texts of the scripted replies. Every one says that it is scripted, and which one it is.

The tag carries the choice made in turn 1 of a two-turn conversation into turn 2, so that the server keeps no
conversations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from scientific_math_critpt_env.demo import rewriting
from scientific_math_critpt_env.demo.mixture import Kind
from scientific_math_critpt_env.demo.programs import completion, gold_program, program
from scientific_math_critpt_env.problems.schema import Problem

Stage = Literal["one_turn", "first_turn", "second_turn"]

_TAG = re.compile(r"\[scripted reply (\d+) to problem (.+?): no model ran\]")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that the client offered."""

    name: str
    arguments: str
    """JSON, or what a model might write in its place."""
    id: str = "call_scripted"


@dataclass(frozen=True, slots=True)
class Reply:
    """One choice of a chat completion."""

    content: str
    finish_reason: Literal["stop", "length", "tool_calls"] = "stop"
    reasoning: str = "Scripted: nothing was reasoned."
    """Sent as `reasoning_content`; graders must not look at it."""
    tool_calls: tuple[ToolCall, ...] = ()


def reply(problem: Problem, kind: Kind, variant: int, stage: Stage) -> Reply:
    """The scripted reply of this kind; `variant` picks one of its forms."""
    tag = f"[scripted reply {variant} to problem {problem.id}: no model ran]\n\n"
    if stage == "first_turn":
        stated = problem.final_answer if kind == "right" else "not known"
        return Reply(f"{tag}The script has no derivation to show.\n\nFinal Answer: {stated}\n")
    opening = "" if stage == "second_turn" else tag
    if kind == "no_code":
        # The block a careless grader would find is the right one.
        return Reply(
            f"{opening}I would rather not write code.\n", reasoning=completion(gold_program(problem))
        )
    block = completion(_code(problem, kind, variant))
    if kind == "truncated":
        # Cut before the function's body, so that what is left is no program.
        return Reply(opening + block[: block.index("import sympy")], finish_reason="length")
    return Reply(opening + block)


def tagged_variant(text: str, problem: Problem) -> int | None:
    """The variant that `reply` wrote into a turn-1 text for this problem; None where there is no such tag."""
    match = _TAG.search(text)
    return int(match[1]) if match and match[2] == problem.id else None


def _code(problem: Problem, kind: Kind, variant: int) -> str:
    match kind:
        case "right":
            return program(problem, rewriting.equivalent(problem, variant))
        case "wrong":
            return program(problem, rewriting.wrong(problem))
        case "wrong_type":
            return program(problem, rewriting.wrong_type(problem))
        case "raises":
            return program(problem, "1 / 0")
        case "endless_loop":
            return program(problem, "0").replace("return 0", "while 1:\n        pass")
    return gold_program(problem)
