r"""Final answers of free-form solutions, graded by our grader where the problem has a gold.

The answer is the code block that defines the entry point, or else the last `\boxed{}`, read as LaTeX in a
confined process. A right final answer is what is decided here, not the route to it; a response without a
readable answer, and one the grader cannot decide, is left to the jury.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal, Self

from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.problems.latex import LatexError, LatexReader
from scientific_math_critpt_env.problems.latex.reading import Reading, Shape
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.prompting.boxed import last_boxed
from scientific_math_critpt_env.prompting.extraction import extract
from scientific_math_critpt_env.prompting.reasoning import without_reasoning

SHAPES: dict[str, Shape] = {
    "symbolic": "expression",
    "numeric": "expression",
    "tuple": "tuple",
    "list": "list",
    "set": "set",
    "interval": "interval",
    "equation": "equation",
}
"""Answer types that can be read from a box; the others are graded from code only."""


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """What the grader says of the final answer."""

    decision: Literal["YES", "NO", "UNDECIDED"]
    status: str
    """The verdict's status; "no_answer" where none was found."""
    source: Literal["code", "box", ""]
    reason: str


class AnswerGrader:
    """Grades final answers; a context manager."""

    def __init__(self, *, workers: int | None = None) -> None:
        """`workers`: answers graded at a time, by default one per core. Nothing is started yet."""
        self._grader = Grader(workers=workers)
        self._reader = LatexReader(workers=workers)

    async def grade(self, problem: Problem, response: str) -> GradedAnswer:
        """Whether the final answer is right. Raises `ProblemError` for a bad gold, `InfrastructureError`."""
        completion, source = response, "code"
        if extract(response, problem.entry_point).code is None:
            box = last_boxed(without_reasoning(response)[0])
            if box is None or problem.answer_type not in SHAPES or problem.parameters:
                return GradedAnswer("UNDECIDED", "no_answer", "", "no answer that can be graded")
            try:
                completion, source = await asyncio.to_thread(self._program, problem, box), "box"
            except LatexError as error:
                return GradedAnswer("UNDECIDED", "no_answer", "box", f"the box cannot be read: {error}")
        verdict = await self._grader.agrade(problem=problem, completion=completion)
        found: Literal["YES", "NO", "UNDECIDED"] = "UNDECIDED"
        if verdict.status in ("correct", "incorrect"):
            found = "YES" if verdict.status == "correct" else "NO"
        return GradedAnswer(found, verdict.status, "code" if source == "code" else "box", verdict.reason)

    def close(self) -> None:
        """Stop every process."""
        self._grader.close()
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _program(self, problem: Problem, box: str) -> str:
        reading = Reading(
            symbols=problem.symbols, others={}, shape=SHAPES[problem.answer_type], decimals="float"
        )
        gold = self._reader.convert(box, reading)
        # `sympify` in the confined child, so that 1/3 is a third and every letter is a symbol.
        names = ", ".join(f"{name!r}: sympy.Symbol({name!r})" for name in gold.symbols)
        return (
            f"```python\nimport sympy\n\ndef {problem.entry_point}():\n"
            f"    return sympy.sympify({gold.source!r}, locals={{{names}}})\n```\n"
        )
