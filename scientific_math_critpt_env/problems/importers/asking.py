"""What to return, in words, for sets whose prompts do not say it in terms of code."""

from __future__ import annotations

from collections.abc import Mapping

BOXES = "What the text says about LaTeX and boxes does not apply."

EXPRESSION = (
    "Return the answer, the right-hand side alone without a name in front of it, as one SymPy expression in "
    f"{{symbols}}. {BOXES}"
)
NUMBER = "Return the answer as one number."
INTEGER = (
    "Return the answer as an integer; where it is no whole number by itself, round it to the nearest one."
)
BOOLEAN = "Return True or False."
OPTION = 'Return the label of the right option as a string in parentheses, such as "(a)".'


def approximate(rtol: float) -> str:
    """How precise a number has to be."""
    return f"{NUMBER} A relative error of at most {rtol:.2g} is accepted."


def listed_symbols(symbols: Mapping[str, Mapping[str, bool]]) -> str:
    """`x (real), epsilon (positive)`; what the prompt calls the symbols of the answer."""
    if not symbols:
        return "numbers alone"
    parts = []
    for name, given in symbols.items():
        true = [assumption for assumption, value in given.items() if value]
        parts.append(f"{name} ({', '.join(true)})" if true else name)
    return f"the symbol{'s' * (len(parts) > 1)} {', '.join(parts)}"
