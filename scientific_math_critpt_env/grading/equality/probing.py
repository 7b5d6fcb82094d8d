"""Refutation and agreement by values at stratified points.

Refutation is certain up to the digits of the witness. Agreement is evidence, not proof: it needs two dozen
points where every term of both sides is visible, in more than one stratum, and none that disagrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from sympy import Expr, Symbol

from scientific_math_critpt_env.grading.equality.breaks import break_points
from scientific_math_critpt_env.grading.equality.budget import Budget
from scientific_math_critpt_env.grading.equality.constants import probe_numbers
from scientific_math_critpt_env.grading.equality.domains import Domain, domains, narrowed
from scientific_math_critpt_env.grading.equality.frame import NoValue
from scientific_math_critpt_env.grading.equality.points import Point, neighbours, plan, scales_of, seed_of
from scientific_math_critpt_env.grading.equality.sampling import Pair
from scientific_math_critpt_env.grading.equality.tally import Tally, look_at
from scientific_math_critpt_env.grading.finding import Finding, undecided

BRIEF_POINTS = 2
"""Points that check a proof."""


def probe(
    left: Expr,
    right: Expr,
    budget: Budget,
    found: dict[Symbol, Domain] | None = None,
    *,
    brief: bool = False,
) -> Finding:
    """`different` with a witness, `equal` by numeric agreement, or `undecided`.

    `found` are the domains of the symbols where they are known from an earlier form of the expressions;
    `brief`: look at a few generic points only, as a check of a proof.
    """
    try:
        pair = Pair(left, right)
    except NoValue as error:
        return undecided(f"no numerical value: {error}")
    found = domains((left, right)) if found is None else found
    if not left.free_symbols and not right.free_symbols:
        return probe_numbers(pair, budget)
    seed, scales = seed_of(left, right), scales_of((left, right))
    if brief:
        pair.cuts_count = False
        return _visit(islice(plan(found, scales, seed), BRIEF_POINTS), pair, Tally(), budget) or undecided("")
    finding = undecided("no point where both sides have a value")
    for choice in [found, *narrowed(found)]:
        pair.cuts_count = not any(domain.kind in ("complex", "imaginary") for domain in choice.values())
        tally = Tally()
        refuted = _visit(_ordered((left, right), choice, scales, seed), pair, tally, budget)
        if refuted is None and tally.agreeing and not tally.complete:
            refuted = _visit(neighbours(tuple(tally.agreeing), choice, seed), pair, tally, budget)
        if refuted is not None:
            return refuted
        finding = tally.finding(pair, budget)
        if finding.relation != "undecided":
            break
    return finding


def _visit(points: Iterable[Point], pair: Pair, tally: Tally, budget: Budget) -> Finding | None:
    """Look at the points until enough agree; the refutation, if there is one."""
    for point in points:
        if budget.left <= 0:
            return None
        if tally.too_slow(point) or tally.hopeless(point):
            continue
        refuted = tally.add(point, look_at(pair, point, budget))
        if refuted is not None or tally.complete:
            return refuted
    return None


def _ordered(
    sides: tuple[Expr, Expr], found: dict[Symbol, Domain], scales: list, seed: int
) -> Iterator[Point]:
    """A few generic points first (they refute most of what is wrong), then the breaks, then the rest."""
    generic = plan(found, scales, seed)
    first = [next(generic) for _ in range(3)]
    return chain(first, break_points(sides, found, seed), generic)
