"""What makes a solution new: five criteria, one of which is enough."""

from __future__ import annotations

CRITERIA = (
    "Method: the main idea, technique or theorem that carries the solution is a different one.",
    "Steps: the method may be shared, but the intermediate results on its way are materially different.",
    "Assumptions: it starts from other assumptions, conditions or definitions, or needs fewer of them.",
    "Generality: it proves something more general, or treats a special case that carries the whole.",
    "Complexity: it is markedly simpler, shorter or more elementary, or markedly more involved.",
)


def stated() -> str:
    """The criteria as a numbered list."""
    return "\n".join(f"{number}. {text}" for number, text in enumerate(CRITERIA, start=1))
