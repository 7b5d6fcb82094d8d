"""One problem: what is asked, the gold, and how answers compare."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

AnswerType = Literal[
    "symbolic",
    "numeric",
    "string",
    "tuple",
    "dict",
    "list",
    "set",
    "matrix",
    "equation",
    "interval",
    "boolean",
    "function",
]


class Problem(BaseModel):
    """A row of a problem file. Unknown fields are kept in `model_extra`."""

    model_config = ConfigDict(frozen=True, extra="allow")

    id: str = Field(min_length=1)
    topic: str = ""
    prompt: str = Field(min_length=1)
    final_answer: str = ""
    """The answer in LaTeX, for people; never graded."""
    answer_type: AnswerType = "symbolic"
    answer_fn: str = Field(min_length=1)
    """The gold, an expression in `from sympy import *` notation."""

    symbols: dict[str, dict[str, bool]] = Field(default_factory=dict)
    """Symbols by name with their SymPy assumptions."""
    parameters: list[str] = Field(default_factory=list)
    """Arguments of the answer function, for function-valued answers."""
    test_points: list[dict[str, str]] = Field(default_factory=list)
    """Values of the parameters at which a function-valued answer is compared."""
    rtol: float | None = None
    atol: float | None = None
    unordered: bool = False
    up_to: Literal["constant", "sign", "scale"] | None = None
    template: str | None = None
    """Code template to show instead of the default."""
    entry_point: str = "model_answer"
    difficulty: int | None = Field(default=None, ge=1, le=5)
    source: str = ""
    license: str = ""
    verified_by: str = ""
    pass_rate: float | None = Field(default=None, ge=0, le=1)

    @property
    def unknown(self) -> dict[str, Any]:
        """Fields of the row that the schema does not know."""
        return dict(self.model_extra or {})
