"""An expression with free constants, seen as the family of its members."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, S, Symbol


@dataclass(frozen=True, slots=True)
class Family:
    """An expression, its free constants, and the variables of its members."""

    expression: Expr
    constants: tuple[Symbol, ...]
    variables: tuple[Symbol, ...]

    def others(self) -> set[Symbol]:
        """The symbols that are neither constants nor variables."""
        return self.expression.free_symbols - {*self.constants, *self.variables}

    def is_additive(self) -> bool:
        """Whether the constants (if any) only add a constant."""
        return (
            not any(self.expression.diff(v).expand().has(*self.constants) for v in self.variables)
            or not self.constants
        )

    def without_constants(self) -> Expr:
        return self.expression.subs(dict.fromkeys(self.constants, S.One))


@dataclass(frozen=True, slots=True)
class Linear:
    """offset + sum of constant * part."""

    offset: Expr
    parts: tuple[Expr, ...]


def linear_parts(family: Family) -> Linear | None:
    """The family as a linear combination of its constants; None where it is not one."""
    parts = tuple(family.expression.diff(c) for c in family.constants)
    if any(part.has(c) and part.diff(c).expand() != 0 for part in parts for c in family.constants):
        return None
    zeros = dict.fromkeys(family.constants, S.Zero)
    return Linear(family.expression.subs(zeros), tuple(part.subs(zeros) for part in parts))
