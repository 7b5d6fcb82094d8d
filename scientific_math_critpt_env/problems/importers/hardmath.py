r"""HARDMath: generated problems of approximation, one JSON object of numbered rows.

    {"0": {"question": ..., "solution": ..., "question_type": "polynomial_roots", "answer_type": "list",
           "answer_val": ..., "small_eval_point": 0.1, "small_analytical": "[(-10+0j), ...]", ...}}

Taken: nondimensionalization (symbolic; numeric with the exact value that the solution derives), roots of
polynomials (both regimes, from the boxes that close the solution), and Laplace integrals. The set states
values of most golds at a point: a gold that does not have them there is left out. Left out by kind:
ordinary differential equations, whose large-x answers rest on constants fitted to a numerical solution, and
integrals by regimes, whose prefactors rest on conventions that the question does not tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.problems.importers.asking import BOXES, EXPRESSION
from scientific_math_critpt_env.problems.importers.draft import Check, Draft, LeftOut
from scientific_math_critpt_env.problems.importers.files import files_of, json_rows, text_field
from scientific_math_critpt_env.problems.latex import LatexError, Reading
from scientific_math_critpt_env.problems.latex.boxes import all_boxes

HELP = "HARDMath: HARDMath.json, HARDMath_mini.json, or a folder of them"
SOURCE = "sarahmart/HARDMath"
LICENSE = "MIT"

ROOTS = (
    "Return a tuple of two Python sets of SymPy expressions in {symbols}: first the leading-order roots for "
    "small epsilon, then those for large epsilon; each with as many elements as the polynomial has roots. "
    f"{BOXES}"
)

LAPLACE_RTOL = 0.25
"""How far a leading-order term may be from the set's numerical integral; its own filter was 10 %, a misread
exponent is off by orders of magnitude."""

ROOTS_RTOL = 1e-9
"""The set evaluated the same expressions, of size one, in double precision."""

SMALLEST = 1e-290
"""Below this, doubles lose their digits, and what the set states is no value."""

_POSITIVE = {"epsilon": {"positive": True}}


def read(path: Path) -> Iterator[Draft | LeftOut]:
    """The rows of one file or of a folder of them. Raises ProblemError for what is no such file."""
    for file in files_of(path, ".json"):
        for index, (where, row) in enumerate(json_rows(file)):
            kind = text_field(row, "question_type", where)
            fields = {
                "id": f"hardmath.{file.stem}.{index}",
                "topic": kind.replace("_", " "),
                "prompt": text_field(row, "question", where).replace("\\\\epsilon", "\\epsilon"),
                "source": SOURCE,
                "license": LICENSE,
            }
            try:
                yield _KINDS.get(kind, _unknown)(row, where, fields)
            except LatexError as error:
                yield LeftOut(where=where, id=fields["id"], reason=error.kind, detail=error.detail)


def _symbolic(row: Mapping[str, Any], where: str, fields: dict[str, Any]) -> Draft | LeftOut:
    """Epsilon by the coefficients; the column `answer_val` of the full set is cut, the box is whole."""
    box = all_boxes(text_field(row, "solution", where))[-1]
    reading = Reading(symbols={f"a_{k}": {"positive": True} for k in (1, 2, 3)})
    fields |= {"final_answer": box, "answer_type": "symbolic"}
    return Draft(where=where, fields=fields, golds=(box,), reading=reading, ask=EXPRESSION)


def _numeric(row: Mapping[str, Any], where: str, fields: dict[str, Any]) -> Draft | LeftOut:
    """The exact value in front of `\\implies`, against the rounded one in `answer_val`."""
    match = re.search(r"\\epsilon\s*=(.+?)\\implies", text_field(row, "solution", where), re.DOTALL)
    if match is None:
        return LeftOut(where=where, id=fields["id"], reason="no exact value")
    rounded = text_field(row, "answer_val", where)
    try:
        value = float(rounded)
    except ValueError:
        return LeftOut(where=where, id=fields["id"], reason="no exact value", detail=rounded)
    decimals = len(rounded.partition(".")[2])
    rtol = 0.51 * 10**-decimals / abs(value) if value else 0.0
    fields |= {"final_answer": match[1].strip(), "answer_type": "numeric"}
    ask = (
        "Return the value of epsilon, exactly, as one number; a positive multiple of y is put in for x, and "
    )
    ask += "the polynomial is divided by a constant so that epsilon is positive."
    return Draft(
        where=where,
        fields=fields,
        golds=(match[1],),
        ask=ask,
        checks=(Check(at={}, values=[value], rtol=rtol),),
    )


def _roots(row: Mapping[str, Any], where: str, fields: dict[str, Any]) -> Draft | LeftOut:
    boxes = all_boxes(text_field(row, "solution", where))
    regimes = re.findall(r"for (large|small) positive", row["solution"].rpartition("So, the roots")[2])
    if len(boxes) < 2 or regimes != ["large", "small"]:
        return LeftOut(where=where, id=fields["id"], reason="regimes not found")
    checks = []
    for gold, regime in enumerate(("small", "large")):
        values, point = _complexes(row.get(f"{regime}_analytical")), row.get(f"{regime}_eval_point")
        if not values or not isinstance(point, int | float):
            return LeftOut(where=where, id=fields["id"], reason="no values to check against")
        checks.append(
            Check(at={"epsilon": float(point)}, values=values, rtol=ROOTS_RTOL, atol=ROOTS_RTOL, gold=gold)
        )
    fields |= {"final_answer": f"{boxes[-1].strip()}, {boxes[-2].strip()}", "answer_type": "tuple"}
    return Draft(
        where=where,
        fields=fields,
        golds=(boxes[-1], boxes[-2]),
        form="({0}, {1})",
        reading=Reading(symbols=_POSITIVE, shape="set"),
        ask=ROOTS,
        checks=tuple(checks),
    )


def _laplace(row: Mapping[str, Any], where: str, fields: dict[str, Any]) -> Draft | LeftOut:
    solution = text_field(row, "solution", where)
    if row.get("answer_type") != "math_expression":
        return LeftOut(where=where, id=fields["id"], reason="regimes by convention")
    if "annealing" in solution and re.search(r"t_0\s*=\s*\[?-?\d+\.\d{3,}", solution):
        return LeftOut(where=where, id=fields["id"], reason="rounded number", detail="its point of expansion")
    try:
        point, value = float(row["large_eval_point"]), complex(str(row["large_numerical"]).strip())
    except (KeyError, TypeError, ValueError):
        return LeftOut(where=where, id=fields["id"], reason="no values to check against")
    box = all_boxes(solution)[-1]
    fields |= {"final_answer": box.strip(), "answer_type": "symbolic"}
    ask = f"Return the leading-order term as one SymPy expression in {{symbols}}. {BOXES}"
    return Draft(
        where=where,
        fields=fields,
        golds=(box,),
        reading=Reading(symbols={"x": {"positive": True}}, decimals="float"),
        ask=ask,
        checks=(Check(at={"x": point}, values=[value], rtol=LAPLACE_RTOL),) if abs(value) > SMALLEST else (),
    )


def _fitted(row: Mapping[str, Any], where: str, fields: dict[str, Any]) -> LeftOut:
    return LeftOut(where=where, id=fields["id"], reason="constants fitted to numbers")


def _unknown(row: Mapping[str, Any], where: str, fields: dict[str, Any]) -> LeftOut:
    return LeftOut(where=where, id=fields["id"], reason="unknown kind", detail=str(row["question_type"]))


_KINDS: dict[str, Callable[[Mapping[str, Any], str, dict[str, Any]], Draft | LeftOut]] = {
    "nondimensionalization_symbolic": _symbolic,
    "nondimensionalization_numeric": _numeric,
    "polynomial_roots": _roots,
    "integral": _laplace,
    "laplace_integral": _laplace,
    "ODE": _fitted,
}


def _complexes(text: object) -> list[complex]:
    """`[(-10+0j), 1j, (1-2j)]` as numbers; empty where it is not such a list."""
    try:
        return [complex(part.strip().strip("()")) for part in str(text).strip().strip("[]").split(",")]
    except ValueError:
        return []
