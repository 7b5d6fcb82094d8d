"""A family of problems: parameters are drawn, a problem is posed, its gold is confirmed by another route.

A family is one class in one file of `families/`. It says how to draw parameters for a level, how to word the
problem and write its gold, and how to confirm the gold from the parameters without the gold's formula. Here
is the part that all have in common: seeds, redrawing, ids, precision.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.schema import AnswerType, Problem

LEVELS = (1, 2, 3, 4, 5)
"""Difficulties, as in the data's rubric; the families' authors' judgement, not measured."""

MAX_REDRAWS = 200
"""Draws in a row that may be degenerate; families refuse one in a few, so 200 is an error of the family."""

PRECISION = 30
"""Decimal digits in which golds are confirmed."""

P = TypeVar("P")


@dataclass(frozen=True, slots=True, kw_only=True)
class Posed:
    """A problem in the making; the fields are those of `Problem`."""

    prompt: str
    answer_fn: str
    symbols: dict[str, dict[str, bool]] = field(default_factory=dict)
    parameters: list[str] = field(default_factory=list)
    test_points: list[dict[str, str]] = field(default_factory=list)
    rtol: float | None = None


class Degenerate(Exception):
    """The parameters drawn make no problem of this family (a repeated pole, a zero answer): draw again."""


class Family(ABC, Generic[P]):
    """One kind of problem. `P` holds the parameters: anything whose `repr` tells them all."""

    name: ClassVar[str]
    """Lower case and underscores; part of the ids, so it stays as it is once published."""
    topic: ClassVar[str]
    """One of the topics of the built-in problems."""
    answer_type: ClassVar[AnswerType] = "symbolic"
    route: ClassVar[str]
    """How golds are confirmed: `verified_by` of the problems."""

    @abstractmethod
    def draw(self, draw: Draw, level: int) -> P:
        """Parameters of one problem; raises `Degenerate` for a draw that makes none."""

    @abstractmethod
    def pose(self, parameters: P, wording: Draw) -> Posed:
        """The problem and its gold. `wording` varies the sentences and nothing else."""

    @abstractmethod
    def check(self, parameters: P, gold: Any) -> None:
        """Confirm the gold by another route; raises `ProblemError` (see `same`) where it fails.

        `gold` is a `reading.Gold`. mpmath works with `PRECISION` digits here.
        """


def generate(family: str | Family[Any], seed: int, difficulty: int) -> Problem:
    """The problem of `family` that belongs to `seed` and `difficulty` (1 to 5), always the same.

    Raises ProblemError for an unknown family and where the gold is not confirmed, ValueError for a difficulty
    or a seed that is none.
    """
    # Imported on use: registry imports the families, which import this module; mpmath takes 0.1 s.
    import mpmath

    from scientific_math_critpt_env.problems.generated.reading import Gold
    from scientific_math_critpt_env.problems.generated.registry import family_named

    made = family_named(family) if isinstance(family, str) else family
    parameters, posed = drawn(made, seed, difficulty)
    problem_id = f"gen.{made.name}.{difficulty}.{seed}"
    with mpmath.workdps(PRECISION):
        try:
            made.check(parameters, Gold(posed.answer_fn))
        except ProblemError as error:
            raise ProblemError(
                f"{problem_id}: {made.route} does not confirm {posed.answer_fn}: {error}"
            ) from error
    return Problem(
        id=problem_id,
        topic=made.topic,
        difficulty=difficulty,
        answer_type=made.answer_type,
        verified_by=made.route,
        source="scientific-math-critpt generated",
        license="CC-BY-4.0",
        prompt=posed.prompt,
        answer_fn=posed.answer_fn,
        symbols=posed.symbols,
        parameters=posed.parameters,
        test_points=posed.test_points,
        rtol=posed.rtol,
    )


def drawn(family: Family[P], seed: int, difficulty: int) -> tuple[P, Posed]:
    """The parameters and the problem made of them, not confirmed yet. Raises as `generate`."""
    if difficulty not in LEVELS:
        raise ValueError(f"difficulty {difficulty!r} is none; use a whole number from 1 to 5")
    if seed < 0:
        raise ValueError(f"seed {seed} is negative; use a whole number from 0 on")
    key = f"{family.name}/{difficulty}/{seed}"
    for attempt in range(MAX_REDRAWS):
        try:
            parameters = family.draw(Draw(f"{key}/{attempt}"), difficulty)
            return parameters, family.pose(parameters, Draw(f"{key}/wording"))
        except Degenerate:
            continue
    raise ProblemError(f"family {family.name}, level {difficulty}, seed {seed}: no draw makes a problem")
