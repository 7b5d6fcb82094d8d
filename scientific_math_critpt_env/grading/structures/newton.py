"""Newton's method for the constants of a family that passes through given points.

Complex, damped, with exact derivatives: SciPy has no 30 digits, and mpmath's secant stays on the real line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import mpmath
from sympy import Expr, Float, I, Symbol

from scientific_math_critpt_env.grading.structures.family import Family

DIGITS = 30

ITERATIONS = 40
"""From a start near enough a dozen are used; the damped ones in front of it take the rest."""

LONGEST_STEP = mpmath.mpf(2)
"""Of one iteration, relative to 1 + size of the constants: exponentials overflow after longer ones."""

HALVINGS = 4

CONVERGED = mpmath.mpf(10) ** -24


@dataclass(frozen=True, slots=True)
class System:
    """residual_i(constants) = 0, with the derivatives by each constant."""

    constants: tuple[Symbol, ...]
    residuals: tuple[Expr, ...]
    slopes: tuple[tuple[Expr, ...], ...]
    scale: mpmath.mpf

    @classmethod
    def at(cls, family: Family, rows: Sequence[tuple[Any, mpmath.mpc]]) -> Self:
        """Through the values in `rows`: (point, value) pairs, as many as there are constants."""
        expressions = [family.expression.xreplace(point) for point, _ in rows]
        residuals = tuple(e - _exact(value) for e, (_, value) in zip(expressions, rows, strict=True))
        slopes = tuple(tuple(e.diff(c) for c in family.constants) for e in expressions)
        return cls(family.constants, residuals, slopes, max(abs(value) for _, value in rows) + 1)

    def solve(self, start: int) -> list[mpmath.mpc] | None:
        """A root found from the `start`-th starting point, or None."""
        count = len(self.constants)
        current = [
            mpmath.mpc(0.7 + 0.4 * start * (-1) ** (start + i), 0.31 * ((start + i) % 3))
            for i in range(count)
        ]
        errors = self._errors(current)
        for _ in range(ITERATIONS):
            if errors is None:
                return None
            if max(map(abs, errors)) <= CONVERGED * self.scale:
                return current
            step = self._step(current, errors)
            if step is None:
                return None
            current, errors = self._damped(current, errors, step)
        return None

    def _errors(self, constants: list[mpmath.mpc]) -> list[mpmath.mpc] | None:
        values = [evaluate(residual, self.constants, constants) for residual in self.residuals]
        return None if None in values else [v for v in values if v is not None]

    def _step(self, constants: list[mpmath.mpc], errors: list[mpmath.mpc]) -> list[mpmath.mpc] | None:
        rows = [[evaluate(slope, self.constants, constants) for slope in row] for row in self.slopes]
        if any(None in row for row in rows):
            return None
        try:
            step = list(mpmath.lu_solve(mpmath.matrix(rows), -mpmath.matrix(errors)))
        except ZeroDivisionError:
            return None  # a singular matrix: another start is tried
        longest, allowed = max(map(abs, step)), LONGEST_STEP * (1 + max(map(abs, constants)))
        return [s * allowed / longest for s in step] if longest > allowed else step

    def _damped(
        self, current: list[mpmath.mpc], errors: list[mpmath.mpc], step: list[mpmath.mpc]
    ) -> tuple[list[mpmath.mpc], list[mpmath.mpc] | None]:
        moved, new_errors = current, None
        for halving in range(HALVINGS):
            moved = [c + s / 2**halving for c, s in zip(current, step, strict=True)]
            new_errors = self._errors(moved)
            if new_errors is not None and max(map(abs, new_errors)) < max(map(abs, errors)):
                break
        return moved, new_errors


def evaluate(
    expression: Expr, constants: Sequence[Symbol], values: Sequence[mpmath.mpc]
) -> mpmath.mpc | None:
    """The value with numbers for the constants; None where there is none."""
    numbers = {symbol: _exact(value) for symbol, value in zip(constants, values, strict=True)}
    try:
        real, imaginary = expression.xreplace(numbers).evalf(DIGITS).as_real_imag()
        value = mpmath.mpc(mpmath.mpmathify(real), mpmath.mpmathify(imaginary))
    except (TypeError, ValueError, AttributeError, OverflowError, NotImplementedError):
        return None  # SymPy finds no number here (a pole, an overflow)
    return value if mpmath.isfinite(value) else None


def _exact(value: mpmath.mpc) -> Expr:
    return Float(mpmath.re(value), DIGITS) + I * Float(mpmath.im(value), DIGITS)
