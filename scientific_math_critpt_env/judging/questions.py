"""The questions juries are asked: is a solution correct, and is it new beside given ones.

Every text that comes from outside is fenced. The references have no order to a judge, so they are shuffled by
the seed: a judge that favours what stands first does so at random.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from scientific_math_critpt_env.judging.criteria import stated
from scientific_math_critpt_env.judging.fencing import Fence
from scientific_math_critpt_env.judging.votes import Question

_ENDING = """\
Reason first: write down what you checked and what you found. Then end your reply with one line that holds
nothing but the verdict, in this form:
Verdict: YES
or
Verdict: NO
If you cannot tell, write Verdict: ABSTAIN instead; a guess does more harm than that."""

CORRECTNESS_TASK = """\
You are a careful referee of mathematics. Decide whether a candidate solution solves the problem correctly.

The candidate is correct if its result is right and every step that the result rests on is valid and
justified at the level of the reference solutions. The references are correct; the candidate need not resemble
them, and a route of its own is no fault. A wrong result, a gap that a reader could not fill, or a result that
is asserted and not derived makes the candidate incorrect."""

NOVELTY_TASK = f"""\
You are a careful referee of mathematics. Decide whether a candidate solution is new beside each of the
reference solutions. Its correctness is not asked for.

It is new if, against every single reference, at least one of these holds:
{stated()}
Other names for the variables, another order of the same steps, another wording or more detail are not new."""


def correctness_question(
    problem: str,
    references: Sequence[str],
    solution: str,
    *,
    seed: int = 0,
    shuffle: bool = True,
    name: str = "correctness",
) -> Question:
    """Does `solution` solve `problem`? The references are correct solutions; there may be none."""
    return _question(name, CORRECTNESS_TASK, problem, references, solution, seed, shuffle)


def novelty_question(
    problem: str,
    references: Sequence[str],
    solution: str,
    *,
    seed: int = 0,
    shuffle: bool = True,
    name: str = "novelty",
) -> Question:
    """Does `solution` differ in substance from each of the references?"""
    return _question(name, NOVELTY_TASK, problem, references, solution, seed, shuffle)


def _question(
    name: str, task: str, problem: str, references: Sequence[str], solution: str, seed: int, shuffle: bool
) -> Question:
    shown = list(references)
    fence = Fence([problem, *sorted(shown), solution], seed=seed)
    if shuffle:
        Random(f"{seed} {fence.token}").shuffle(shown)
    parts = [fence.around("PROBLEM", problem)]
    parts += [fence.around(f"REFERENCE SOLUTION {place}", text) for place, text in enumerate(shown, start=1)]
    parts.append(fence.around("CANDIDATE SOLUTION", solution))
    system = {"role": "system", "content": f"{task}\n\n{fence.stated()}\n\n{_ENDING}"}
    # The task again after the material: what is read last weighs most, and that must not be the candidate.
    user = {"role": "user", "content": "\n\n".join([*parts, f"Now judge the candidate solution.\n{_ENDING}"])}
    return Question(name=name, messages=(system, user), seed=seed)
