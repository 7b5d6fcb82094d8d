"""Proofs by SymPy's rewriting, for what values leave open or the policy wants proved.

Each step turns the difference of both sides into another form of itself; a form that is 0 is a proof. The
rewriting keeps to the declared assumptions (nothing is forced). Not covered: steps that do not end in time.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Expr

from scientific_math_critpt_env.grading.equality.budget import Budget, OutOfTime

STEP_SECONDS = 0.4
"""CPU for one step; together they are bounded by the budget of the comparison."""


def prove(left: Expr, right: Expr, budget: Budget) -> str | None:
    """The name of the step that shows `left` and `right` to be equal; None where none does."""
    difference = left - right
    for name, step in _STEPS:
        if budget.left <= 0:
            return None
        try:
            form = budget.limited(lambda: step(difference), STEP_SECONDS)  # noqa: B023 - called here
        except OutOfTime:
            continue
        except Exception:  # noqa: BLE001 - SymPy's rewriting raises all kinds of things on rare input
            budget.count("proof step failed")
            continue
        if form == 0:
            return name
    return None


def _rational(expression: Expr) -> Expr:
    return sympy.cancel(sympy.together(expression))


def _exponential(expression: Expr) -> Expr:
    return sympy.cancel(sympy.together(sympy.expand(expression.rewrite(sympy.exp)), deep=True))


def _powers(expression: Expr) -> Expr:
    return sympy.expand(sympy.powdenest(sympy.powsimp(sympy.expand_power_base(expression), deep=True)))


def _logarithms(expression: Expr) -> Expr:
    return sympy.expand(sympy.expand_log(expression))


def _radicals(expression: Expr) -> Expr:
    return sympy.expand(sympy.radsimp(sympy.sqrtdenest(expression)))


def _gammas(expression: Expr) -> Expr:
    return sympy.combsimp(sympy.gammasimp(expression))


def _special(expression: Expr) -> Expr:
    return sympy.simplify(sympy.hyperexpand(sympy.expand_func(expression)))


def _cases(expression: Expr) -> Expr:
    return sympy.piecewise_fold(expression.rewrite(sympy.Piecewise)).simplify()


_STEPS: tuple[tuple[str, Callable[[Expr], Expr]], ...] = (
    ("expand", sympy.expand),
    ("rational", _rational),
    ("trigonometric", sympy.trigsimp),
    ("exponential", _exponential),
    ("powers", _powers),
    ("logarithms", _logarithms),
    ("radicals", _radicals),
    ("gamma", _gammas),
    ("cases", _cases),
    ("special", _special),
    ("simplify", sympy.simplify),
)
