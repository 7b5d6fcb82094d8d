"""What a gold's context says about its letters, logarithms and decimals; travels to the confined reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from scientific_math_critpt_env.problems.latex.grammar import Rules
from scientific_math_critpt_env.problems.latex.tokens import LatexError, Letters

Shape = Literal["expression", "tuple", "list", "set", "interval", "equation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How to read one gold. Symbols are named as in SymPy (`epsilon`, `x_0`)."""

    symbols: Mapping[str, Mapping[str, bool]] = field(default_factory=dict)
    """Symbols the set declares for this gold, with the assumptions that hold."""
    others: Mapping[str, bool] | None = None
    """Assumptions of symbols that are not declared; None refuses a gold that has one."""
    shape: Shape = "expression"
    euler: bool = True
    """Whether an undeclared e is Euler's number; else the gold is refused."""
    imaginary: bool = True
    """Whether an undeclared i is the imaginary unit; else the gold is refused."""
    gamma: bool = True
    r"""Whether `\Gamma` before a bracket is the function; else the gold is refused."""
    natural_log: bool = True
    r"""Whether `\\log` without a base is the natural logarithm; else the gold is refused."""
    alike: bool = False
    """Whether the parts of a set must hold the same symbols; where they do not, the set is a misprint."""
    exact: frozenset[str] = frozenset()
    """Decimals that are exact, as written: those the question itself gives."""
    decimals: Literal["exact", "float", "refuse"] = "refuse"
    """What becomes of other decimals: rounded values inside a formula are nobody's exact answer."""

    def letters(self) -> Letters:
        """The tokenizer's part."""
        return Letters(
            declared=frozenset(self.symbols), euler=self.euler, imaginary=self.imaginary, gamma=self.gamma
        )

    def rules(self) -> Rules:
        """The grammar's part."""
        return Rules(decimal=self.decimal, natural_log=self.natural_log)

    def decimal(self, text: str) -> str:
        """Source for a decimal number; raises LatexError where it is rounded for all one knows."""
        exact = text in self.exact or self.decimals == "exact" or _is_plain(text)
        if exact:
            value = Fraction(text)
            return f"Rational({value.numerator}, {value.denominator})"
        if self.decimals == "refuse":
            raise LatexError("rounded number", text)
        return text


def _is_plain(text: str) -> bool:
    """0.5, 2.5, 0.25: halves and quarters are written as decimals when they are exact."""
    return Fraction(text).denominator in (1, 2, 4) and len(text.strip("0").replace(".", "")) <= 2
