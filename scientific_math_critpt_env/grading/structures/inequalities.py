"""A single inequality as `residual > 0` or `residual >= 0`.

Turning it around and multiplying by a positive factor change nothing; strictness does, except that for an
integer-valued residual `r > 0` is `r - 1 >= 0`.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Ge, Gt, Lt
from sympy.core.relational import Relational

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.finding import Finding, different, undecided
from scientific_math_critpt_env.grading.structures.residuals import proportion, residuals


@dataclass(frozen=True, slots=True)
class Sided:
    """`residual > 0` where strict, else `residual >= 0`."""

    residual: Expr
    strict: bool


def compare_inequalities(gold: Relational, answer: Relational, context: Context) -> tuple[Finding, bool]:
    """The finding, equal where the residuals differ by a positive factor only, and whether it is final.

    It is not final where a difference of the residuals does not show one of the inequalities: half spaces are
    the same only if their residuals are, but x**2 < 1 is also Abs(x) < 1.
    """
    pair = residuals(gold, answer, context)
    if pair is None:
        return undecided("an inequality between things that have no order"), False
    left, right = _sided(gold, pair[0]), _sided(answer, pair[1])
    finding = _compare_sided(left, right, context)
    half_spaces = _is_affine(left.residual) and _is_affine(right.residual)
    return finding, finding.relation == "equal" or (finding.relation == "different" and half_spaces)


def _compare_sided(left: Sided, right: Sided, context: Context) -> Finding:
    if left.strict != right.strict:
        strictness = "strict" if right.strict else "not strict"
        return different("structural", f"the answer is {strictness} and the gold is not so")
    found = proportion(left.residual, right.residual, context)
    if found.finding.relation != "equal" or found.sign == 1:
        return found.finding
    if found.sign == -1:
        return different(found.finding.method, "the inequality points the other way")
    return undecided("the sign of the factor between the sides is not known")


def _is_affine(residual: Expr) -> bool:
    symbols = residual.free_symbols
    # Over real symbols; an integer has more than one half line's worth of the same points.
    if not symbols or any(s.is_integer for s in symbols):
        return False
    return all(not residual.diff(s).free_symbols for s in symbols)


def _sided(relation: Relational, difference: Expr) -> Sided:
    residual = difference if isinstance(relation, Gt | Ge) else -difference
    strict = isinstance(relation, Gt | Lt)
    if strict and residual.is_integer:
        return Sided(residual - 1, False)
    return Sided(residual, strict)
