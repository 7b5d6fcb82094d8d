"""A problem of our own, and completions for it whose verdicts are known."""

from __future__ import annotations

from scientific_math_critpt_env.problems.schema import Problem

PROBLEM = Problem(
    id="area",
    topic="geometry",
    prompt="What is the area of a circle of radius $r$?",
    answer_fn="pi*r**2",
    symbols={"r": {"positive": True}},
)

BROKEN = Problem(id="broken", prompt="Which matrix?", answer_fn="Matrix([[1, 2], [3]])")
"""Its gold does not evaluate."""


def block(expression: str) -> str:
    """A code block that answers `PROBLEM` with the expression."""
    return (
        "```python\nimport sympy as sp\n\nr = sp.Symbol('r', positive=True)\n\n\n"
        f"def model_answer():\n    return {expression}\n```"
    )


RIGHT, WRONG, NO_CODE = block("sp.pi*r*r"), block("2*sp.pi*r"), "It is pi r squared."
