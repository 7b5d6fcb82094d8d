"""Units: problems ask for numbers in a unit that the prompt names, so a quantity is no answer to a number.

Where the gold itself carries units, both sides are brought to SI base units, which then count as positive
names: 5 cm is not 5 inches, and 1 km is 1000 m.
"""

from __future__ import annotations

from sympy import Expr, Symbol
from sympy.physics.units import (
    Quantity,
    ampere,
    candela,
    convert_to,
    kelvin,
    kilogram,
    meter,
    mole,
    second,
)

from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, undecided
from scientific_math_critpt_env.grading.structures.attempts import attempt
from scientific_math_critpt_env.grading.structures.composites import Compare, shape_mismatch
from scientific_math_critpt_env.grading.structures.kinds import kind_of

BASE = (meter, kilogram, second, ampere, kelvin, mole, candela)


def compare_quantities(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Two expressions of which at least one contains units."""
    if kind_of(gold) != "quantity":
        return shape_mismatch("a number in the unit that the problem names is asked, not a quantity")
    if kind_of(answer) != "quantity":
        return shape_mismatch("the gold is a quantity with a unit and the answer a bare number")
    sides = attempt(lambda: (_in_base_units(gold), _in_base_units(answer)), context)
    if sides is None or None in sides:
        return undecided("the units cannot be brought to base units")
    return compare(*sides, context)


def _in_base_units(value: object) -> Expr | None:
    expression = as_scalar(value)
    if expression is None:
        return None
    converted = convert_to(expression, BASE)
    quantities = converted.atoms(Quantity)
    if not quantities <= set(BASE):
        return None
    return converted.xreplace({q: Symbol(f"unit {q.name}", positive=True) for q in quantities})
