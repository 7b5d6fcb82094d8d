"""One problem: what is asked, the gold, and how answers compare.

A row, as it stands in a file:

    {"id": "fluids.7", "topic": "fluid mechanics", "prompt": "A film of thickness $h$ ...",
     "answer_type": "symbolic", "answer_fn": "rho*g*h**3/(3*mu)",
     "symbols": {"h": {"positive": true}}, "difficulty": 2}

Checked here: everything that can be seen without evaluating the gold. Not checked: that the gold evaluates
and is of its declared type; that needs SymPy and the sandbox (see `load_problems`, `check_golds`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    model_validator,
)

from scientific_math_critpt_env.problems import row_checks

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

ANSWER_TYPES: tuple[str, ...] = get_args(AnswerType)

MAX_CPU_SECONDS = 600.0
"""A row that asks for more holds a whole worker for ten minutes per wrong answer: a slip, not a wish."""

Text = Annotated[str, AfterValidator(row_checks.not_blank)]
Identifier = Annotated[str, AfterValidator(row_checks.identifier)]
Tolerance = Annotated[float, Field(ge=0), AfterValidator(row_checks.finite)]
Source = Annotated[str, BeforeValidator(row_checks.number_as_source), AfterValidator(row_checks.not_blank)]


class Problem(BaseModel):
    """A row of a problem file. A field given as null counts as left out; unknown fields stay in `unknown`."""

    model_config = ConfigDict(frozen=True, extra="allow")

    id: Annotated[str, AfterValidator(row_checks.clean_id)]
    topic: str = ""
    prompt: Text
    final_answer: str = ""
    """The answer in LaTeX, for people; never graded."""
    answer_type: AnswerType = "symbolic"
    answer_fn: Text
    """The gold, an expression in `from sympy import *` notation."""

    symbols: Annotated[dict[str, dict[str, bool]], AfterValidator(row_checks.symbols)] = Field(
        default_factory=dict
    )
    """Symbols by name with their SymPy assumptions."""
    parameters: list[Identifier] = Field(default_factory=list)
    """Arguments of the answer function, for function-valued answers."""
    test_points: list[dict[str, Source]] = Field(default_factory=list)
    """Values (SymPy source or numbers) of all parameters at which a function-valued answer is compared."""
    rtol: Tolerance | None = None
    atol: Tolerance | None = None
    unordered: bool = False
    up_to: Literal["constant", "sign", "scale"] | None = None
    float_answers: Literal["accept", "reject"] | None = None
    """Whether a float may answer an exact gold; None leaves it to the grader's policy."""
    cpu_seconds: Annotated[float, Field(gt=0, le=MAX_CPU_SECONDS)] | None = None
    """CPU limit of the answer's code; None leaves it to the caller's limits."""
    template: str | None = None
    """Code template to show instead of the default."""
    entry_point: Identifier = "model_answer"
    difficulty: int | None = Field(default=None, ge=1, le=5)
    source: str = ""
    license: str = ""
    verified_by: str = ""
    pass_rate: float | None = Field(default=None, ge=0, le=1)

    _where: str = PrivateAttr(default="")

    @property
    def unknown(self) -> dict[str, Any]:
        """Fields of the row that the schema does not know."""
        return dict(self.model_extra or {})

    @property
    def where(self) -> str:
        """Where the row was read, as `path:line`; "" for a problem made in code. No part of its value."""
        return self._where

    def at(self, where: str) -> Problem:
        """Note where the row was read, and return the same problem."""
        self._where = where
        return self

    @model_validator(mode="before")
    @classmethod
    def _null_is_absent(cls, row: Any) -> Any:
        if not isinstance(row, dict):
            return row
        return {
            name: value for name, value in row.items() if value is not None or name not in cls.model_fields
        }

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Problem:
        defects = [
            *row_checks.points(self.parameters, self.test_points),
            *row_checks.template(self.template, self.entry_point, self.parameters),
        ]
        if self.answer_type == "function" and not self.parameters:
            defects.append(
                "answer_type 'function' needs `parameters`; list the arguments of the function in order"
            )
        if defects:
            raise ValueError("; ".join(defects))
        return self

    def __eq__(self, other: object) -> bool:
        """Equal rows are equal problems, wherever they were read."""
        if not isinstance(other, Problem):
            return NotImplemented
        return self.__dict__ == other.__dict__ and self.unknown == other.unknown

    def __hash__(self) -> int:
        return hash((self.id, self.answer_fn))
