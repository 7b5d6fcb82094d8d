"""Pairing the members of two collections whose order does not count.

Equality is (nearly) an equivalence, so that a greedy pairing is a best one: no search over permutations.
Identical members are paired first, then numbers with their nearest, so that the number of decisions is
about the number of members where the collections are equal, and capped where they are not.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from sympy import Expr

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import (
    Compare,
    Part,
    shape_mismatch,
    short,
    whole,
)
from scientific_math_critpt_env.grading.structures.kinds import kind_of

MAX_MEMBERS = 2_000
"""Of a collection: more than any answer that a person can check."""

MAX_DECISIONS = 400
"""Pairs of not identical members that are decided: at some milliseconds each the whole CPU budget."""

NEAR = 1e-3
"""Numbers farther apart than this (relatively) are not worth a decision: tolerances are far below."""


def match_collections(
    golds: Sequence[object], answers: Sequence[object], compare: Compare, context: Context
) -> Finding:
    """Equal where the members can be paired off one to one."""
    return _Matching(golds, answers, compare, context).one_to_one()


def match_sets(
    golds: Sequence[object], answers: Sequence[object], compare: Compare, context: Context
) -> Finding:
    """Equal where every member of each side equals some member of the other; repetitions collapse."""
    return _Matching(golds, answers, compare, context).both_ways()


class _Matching:
    def __init__(
        self, golds: Sequence[object], answers: Sequence[object], compare: Compare, context: Context
    ) -> None:
        self.golds, self.answers = list(golds), list(answers)
        self.compare, self.context = compare, context
        self.twins: dict[object, list[int]] = {}
        for j, member in enumerate(self.answers):
            self.twins.setdefault(_key(member), []).append(j)
        self.decisions = 0
        self.capped = False
        self.found: dict[tuple[int, int], Finding] = {}
        self.numbers: dict[tuple[int, int], complex | None] = {}
        self.near = _near(context)

    def one_to_one(self) -> Finding:
        if too_many := self._too_many():
            return too_many
        free = dict.fromkeys(range(len(self.answers)))
        pairs: dict[int, int] = {}
        for partner in (self._identical, self._equal_partner):
            for i in range(len(self.golds)):
                j = None if i in pairs else partner(i, free)
                if j is not None:
                    pairs[i] = j
                    del free[j]
        missing = [i for i in range(len(self.golds)) if i not in pairs]
        return self._finding(pairs, missing, list(free))

    def both_ways(self) -> Finding:
        if too_many := self._too_many():
            return too_many
        every = dict.fromkeys(range(len(self.answers)))
        pairs: dict[int, int] = {}
        for i in range(len(self.golds)):
            j = self._identical(i, every)
            if j is None:
                j = self._equal_partner(i, every)
            if j is not None:
                pairs[i] = j
        covered = set(pairs.values())
        # A member that repeats another (1/2 beside 0.5) is covered by the same partner.
        left = [
            j
            for j in every
            if j not in covered and not any(self._equal(i, j) for i in range(len(self.golds)))
        ]
        missing = [i for i in range(len(self.golds)) if i not in pairs]
        return self._finding(pairs, missing, left)

    def _identical(self, i: int, candidates: Container[int]) -> int | None:
        """An answer member that is the same object of mathematics, found by its hash."""
        for j in self.twins.get(_key(self.golds[i]), ()):
            if j not in candidates:
                continue
            # `repr` tells (1,) from (True,), which Python holds equal.
            if repr(_plain(self.golds[i])) != repr(_plain(self.answers[j])):
                continue
            self.found[i, j] = self.compare(self.golds[i], self.answers[j], self.context)
            if self.found[i, j].relation == "equal":
                return j
        return None

    def _equal_partner(self, i: int, candidates: Iterable[int]) -> int | None:
        nearest = sorted(candidates, key=lambda j: self._distance(i, j))
        return next((j for j in nearest if self._equal(i, j)), None)

    def _equal(self, i: int, j: int) -> bool:
        if self._distance(i, j) > self.near:
            return False
        return self._decide(i, j).relation == "equal"

    def _decide(self, i: int, j: int) -> Finding:
        if (i, j) not in self.found:
            if self.decisions >= MAX_DECISIONS:
                self.capped = True
                return undecided("too many members to compare")
            self.decisions += 1
            self.found[i, j] = self.compare(self.golds[i], self.answers[j], self.context)
        return self.found[i, j]

    def _distance(self, i: int, j: int) -> float:
        """Relative distance of two numbers; 0 where nothing is known of it."""
        left, right = self._number(self.golds, i), self._number(self.answers, j)
        if left is None or right is None:
            return 0.0
        return abs(left - right) / max(abs(left), abs(right))

    def _number(self, side: list[object], index: int) -> complex | None:
        key = (id(side), index)
        if key not in self.numbers:
            self.numbers[key] = _approximation(side[index], self.context)
        return self.numbers[key]

    def _too_many(self) -> Finding | None:
        count = max(len(self.golds), len(self.answers))
        return undecided(f"{count} members are too many to compare") if count > MAX_MEMBERS else None

    def _finding(self, pairs: dict[int, int], missing: list[int], left: list[int]) -> Finding:
        total = max(len(self.golds), len(self.answers), 1)
        if not missing and not left:
            parts: list[Part] = [(short(self.golds[i]), self._decide(i, j)) for i, j in pairs.items()]
            return whole(parts, "members")
        partial = min(len(pairs) / total, (total - 1) / total)
        unsure = [pair for pair, finding in self.found.items() if finding.relation == "undecided"]
        hopeless = [i for i in missing if i not in {i for i, _ in unsure}]
        foreign = [j for j in left if j not in {j for _, j in unsure}]
        if self.capped or not (hopeless or foreign):
            return Finding(
                relation="undecided", method="elementwise", reason=self._doubt(unsure), partial=partial
            )
        if hopeless:
            return shape_mismatch(f"the member {short(self.golds[hopeless[0]])} is missing", partial)
        return shape_mismatch(f"{short(self.answers[foreign[0]])} is not a member of the gold", partial)

    def _doubt(self, unsure: list[tuple[int, int]]) -> str:
        if self.capped or not unsure:
            return "too many members to compare"
        i, j = unsure[0]
        return f"{short(self.golds[i])} against {short(self.answers[j])}: {self.found[i, j].reason}"


def _key(member: object) -> object:
    """Equal for identical members; unhashable ones of a type share one."""
    plain = _plain(member)
    try:
        return type(plain), hash(plain)
    except TypeError:
        return type(plain), None


def _plain(member: object) -> object:
    """Python numbers as SymPy's, so that both are identical."""
    scalar = None if isinstance(member, Expr) else as_scalar(member)
    return member if scalar is None else scalar


def _near(context: Context) -> float:
    problem = context.problem
    if problem.atol:
        return float("inf")
    return max(NEAR, 2 * (problem.rtol or 0.0), 2 * context.policy.rtol, 2 * context.policy.float_rtol)


def _approximation(value: object, context: Context) -> complex | None:
    if kind_of(value) != "scalar":
        return None
    number = as_scalar(value)
    if number is None or number.free_symbols or not number.is_number:
        return None
    evaluated = attempt(lambda: complex(number.evalf(15)), context, seconds=0.05)
    # Cancellation could leave nothing of a tiny value; such a one is decided and not pre-sorted.
    if evaluated is None or not 1e-100 < abs(evaluated) < 1e100:
        return None
    return evaluated
