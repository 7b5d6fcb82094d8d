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
from scientific_math_critpt_env.grading.equality.budget import OutOfTime
from scientific_math_critpt_env.grading.equality.decision import cascade
from scientific_math_critpt_env.grading.finding import Finding, undecided

if TYPE_CHECKING:
    from scientific_math_critpt_env.grading.context import Context

__all__ = ["binders", "conditions", "decide", "hypergeometric", "jumps", "quadrature", "series"]


def decide(left: Expr, right: Expr, context: Context) -> Finding:
    """Relation of two scalars (gold, answer) whose symbols are unified by name; the same in both orders."""
    try:
        return cascade(left, right, context)
    except OutOfTime:
        return undecided("the comparison ran out of CPU time")
    except RecursionError:
        return undecided("an expression nested too deeply")
    except Exception as error:  # noqa: BLE001 - total by contract: SymPy may raise anything on rare input
        context.budget.count("errors")
        return undecided(f"comparing raised {type(error).__name__}", "error")
