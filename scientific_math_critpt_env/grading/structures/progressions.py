"""Finite unions of arithmetic progressions {offset + period*n : n integer}, decided exactly.

These are the solutions of trigonometric equations: over a common period each side is a set of residues.
"""

from __future__ import annotations

from dataclasses import dataclass

import mpmath
from sympy import (
    Dummy,
    Expr,
    ImageSet,
    Integer,
    Integers,
    Pow,
    Rational,
    S,
    Set,
    Union,
    expand,
    igcd,
    ilcm,
    simplify,
)

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, different, equal
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import Compare, short, weakest_method
from scientific_math_critpt_env.grading.structures.sampling import value_at

MAX_RESIDUES = 120
"""Of one side over the common period; compared pairwise."""

INTEGER_WITHIN = mpmath.mpf(10) ** -6
"""A quotient this near to an integer is decided to be one or not; floats are no nearer."""


@dataclass(frozen=True, slots=True)
class Progression:
    """{offset + period*n : n integer}."""

    offset: Expr
    period: Expr


def compare_progressions(left: Set, right: Set, compare: Compare, context: Context) -> Finding | None:
    """Exact verdict; None where a side is something else or the periods have no common multiple."""
    golds, answers = _progressions(left, context), _progressions(right, context)
    if golds is None or answers is None:
        return None
    ratios = [_ratio(p.period, golds[0].period, context) for p in (*golds, *answers)]
    if any(ratio is None or ratio == 0 for ratio in ratios):
        return None
    common = _common_multiple([abs(r) for r in ratios if r is not None])
    period = golds[0].period * common
    residues = [_residues(side, period, context) for side in (golds, answers)]
    if residues[0] is None or residues[1] is None:
        return None
    findings: list[Finding] = []
    for mine, others, holder, other in (
        (residues[0], residues[1], "gold", "answer"),
        (residues[1], residues[0], "answer", "gold"),
    ):
        for residue in mine:
            found = _among(residue, others, period, compare, context)
            if found is None:
                return None
            if found.relation == "different":
                return different(found.method, f"{short(residue)} is in the {holder} and not in the {other}")
            if found.relation == "undecided":
                return found
            findings.append(found)
    return equal(weakest_method(findings), "the same residues over the common period")


def _progressions(value: Set, context: Context) -> list[Progression] | None:
    if value == Integers:
        return [Progression(S.Zero, S.One)]
    if isinstance(value, Union):
        parts = [_progressions(part, context) for part in value.args]
        return None if None in parts else [p for part in parts for p in part or ()]
    if isinstance(value, ImageSet) and value.base_set == Integers and len(value.lamda.variables) == 1:
        return attempt(lambda: _of_image(value), context)
    return None


def _of_image(value: ImageSet) -> list[Progression] | None:
    """One progression, or two for a body with (-1)**n, as in (-1)**n*pi/6 + n*pi."""
    (index,) = value.lamda.variables
    body = value.lamda.expr
    if not isinstance(body, Expr):
        return None
    integer = Dummy("n", integer=True)
    if any(power.base == -1 for power in body.atoms(Pow)):
        bodies = [body.subs(index, 2 * integer), body.subs(index, 2 * integer + 1)]
    else:
        bodies = [body.xreplace({index: integer})]
    found = [_linear(expand(part), integer) for part in bodies]
    return None if None in found else [p for p in found if p is not None]


def _linear(body: Expr, index: Dummy) -> Progression | None:
    period = simplify(body.diff(index))
    if period.has(index) or period == 0:
        return None
    return Progression(body.xreplace({index: S.Zero}), period)


def _ratio(period: Expr, unit: Expr, context: Context) -> Rational | None:
    ratio = attempt(lambda: simplify(period / unit), context)
    return ratio if isinstance(ratio, Rational) else None


def _common_multiple(ratios: list[Rational]) -> Rational:
    top, bottom = Integer(1), Integer(0)
    for ratio in ratios:
        top, bottom = Integer(ilcm(top, ratio.p)), Integer(igcd(bottom, ratio.q))
    return Rational(top, bottom)


def _residues(side: list[Progression], period: Expr, context: Context) -> list[Expr] | None:
    found: list[Expr] = []
    for progression in side:
        count = _ratio(period, progression.period, context)
        if not isinstance(count, Integer) or len(found) + abs(count) > MAX_RESIDUES:
            return None
        found += [progression.offset + k * progression.period for k in range(abs(int(count)))]
    return found


def _among(
    residue: Expr, others: list[Expr], period: Expr, compare: Compare, context: Context
) -> Finding | None:
    """Equal where some other differs from `residue` by a multiple of the period; None where that is open."""
    unsure: Finding | None = None
    for other in others:
        multiple = _nearest_multiple(residue - other, period, context)
        if multiple is None:
            return None
        if multiple is not False:
            found = compare(residue, other + multiple * period, context)
            if found.relation == "equal":
                return found
            unsure = found if found.relation == "undecided" else unsure
    return unsure or different("exact", "no such residue")


def _nearest_multiple(difference: Expr, period: Expr, context: Context) -> Integer | bool | None:
    """The integer that difference/period is or nearly is; False where it is none, None where not known."""
    quotient = attempt(lambda: simplify(difference / period), context)
    if quotient is None or quotient.free_symbols:
        return None if quotient is None or not quotient.is_constant() else False
    value = value_at(quotient, {}, context, 30)
    if value is None:
        return None
    nearest = mpmath.nint(value.real)
    return Integer(int(nearest)) if abs(value - nearest) < INTEGER_WITHIN else False
