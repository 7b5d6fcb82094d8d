"""Whether two scalar expressions are the same function of their symbols.

Not covered: containers, relations, sets and matrices (`grading.structures`), and names (`grading.names`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sympy import Expr

from scientific_math_critpt_env.grading.equality import (
    binders,
    conditions,
    hypergeometric,
    quadrature,
    series,
)
from scientific_math_critpt_env.grading.equality.decision import cascade
from scientific_math_critpt_env.grading.finding import Finding

if TYPE_CHECKING:
    from scientific_math_critpt_env.grading.context import Context

__all__ = ["binders", "conditions", "decide", "hypergeometric", "quadrature", "series"]


def decide(left: Expr, right: Expr, context: Context) -> Finding:
    """Relation of two scalars (gold, answer) whose symbols are unified by name; the same in both orders."""
    return cascade(left, right, context)
