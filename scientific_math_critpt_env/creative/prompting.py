"""The prompt that asks for a new solution."""

from __future__ import annotations

from collections.abc import Sequence

from scientific_math_critpt_env.judging.criteria import stated

TASK = f"""\
Below are a mathematics problem and correct solutions of it. Solve the problem again, in a way that is new
beside every one of these solutions. A solution is new if at least one of these holds against each of them:
{stated()}
Other names for the variables, another order of the same steps or another wording are not new."""

ENDING = """\
Write one complete and rigorous solution that a reader can follow without the ones above. It must be correct:
a new route that does not arrive is worth nothing. Write only the solution, without comparing it with the
others or saying in what way it is new."""


def generation_messages(problem: str, references: Sequence[str]) -> tuple[dict[str, str], ...]:
    """The conversation for `problem`, showing `references` (the first k, in order)."""
    shown = "\n\n".join(f"Solution {place}:\n{text}" for place, text in enumerate(references, start=1))
    content = f"{TASK}\n\nProblem:\n{problem}\n\n{shown}\n\n{ENDING}"
    return ({"role": "user", "content": content},)
