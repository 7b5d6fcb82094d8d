"""TheoremQA: university questions with short answers, one JSON list.

    {"Question": ..., "Answer": 1.42, "Answer_type": "float", "Picture": null, "id": "a/newton3.json", ...}

Types: integer, float, bool, option ("(a)"), list of integer, list of float. Left out: questions with a
picture, and lists whose order nobody says. Decimals are rounded, and by hand: their tolerance is one unit of
the last digit written, at least what different values of g, c or h make, and never more than the 4 % at which
the set's own comparison stops. Whole numbers are exact, as there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.importers import asking
from scientific_math_critpt_env.problems.importers.draft import Draft, LeftOut
from scientific_math_critpt_env.problems.importers.files import WrittenFloat, json_rows, text_field

HELP = "TheoremQA: theoremqa_test.json"
SOURCE = "TIGER-AI-Lab/TheoremQA"
LICENSE = "MIT"

MOST_RTOL = 0.04
"""The set's own comparison accepts this much."""

LEAST_RTOL = {"Math": 1e-3}
LEAST_RTOL_ELSEWHERE = 5e-3
"""Physics, finance and engineering: g = 9.8 or 9.81, h = 6.6 or 6.626 and rounded intermediate results."""

ZERO_ATOL = 1e-6
"""For a gold of 0.0: numerical methods return nearly zero."""

_KINDS = {
    "integer": int,
    "float": float,
    "bool": bool,
    "option": str,
    "list of integer": list,
    "list of float": list,
}

_ORDER_SAID = re.compile(
    r"\blist\b|\bin \[|\barray\b|\[[^\]]*,[^\]]*\]\s*(?:\.|\?|$)|\b[A-Za-z](?:, [A-Za-z])* and [A-Za-z]\b",
    re.I,
)
_SET_ASKED = re.compile(r"eigen ?values?|roots?\b|possible values|solutions? (?:of|to)|generators", re.I)

NOT_UNIQUE = {
    "graphtheory8-shortestpath": "two paths are shortest",
    "graphtheory9-shortestpath": "two paths are shortest",
    "uniquely_decodeable_code": "several codes are optimal",
}
"""Rows whose gold is one of several right answers, by the end of their id: found by enumeration."""


def read(path: Path) -> Iterator[Draft | LeftOut]:
    """The rows of the set's file. Raises ProblemError for what is no such file."""
    for where, row in json_rows(path):
        question, kind = text_field(row, "Question", where), text_field(row, "Answer_type", where)
        name = f"theoremqa.{text_field(row, 'id', where).removesuffix('.json')}"
        answer = row.get("Answer")
        if kind not in _KINDS or not isinstance(answer, _KINDS[kind]):
            raise ProblemError(f"{where}: `Answer` is {answer!r:.60}, not of `Answer_type` {kind!r}")
        if row.get("Picture"):
            yield LeftOut(where=where, id=name, reason="picture")
            continue
        others = [reason for ending, reason in NOT_UNIQUE.items() if name.endswith(ending)]
        if others:
            yield LeftOut(where=where, id=name, reason="several right answers", detail=others[0])
            continue
        gold = _gold(answer, str(row.get("field", "")), question)
        if isinstance(gold, str):
            yield LeftOut(where=where, id=name, reason=gold, detail=repr(answer))
            continue
        fields = {
            "id": name,
            "topic": str(row.get("subfield") or row.get("field") or ""),
            "prompt": question,
            "source": SOURCE,
            "license": LICENSE,
            **gold,
        }
        yield Draft(where=where, ask=str(fields.pop("ask")), fields=fields)


def _gold(answer: Any, subject: str, question: str) -> Mapping[str, Any] | str:
    """The fields that hold the gold, or the reason why there is none."""
    if isinstance(answer, bool):
        return _fields(str(answer), "boolean", asking.BOOLEAN)
    if isinstance(answer, int):
        return _fields(str(answer), "numeric", asking.INTEGER)
    if isinstance(answer, str):
        option = re.fullmatch(r"\(([a-z])\)", answer.strip())
        return _fields(repr(option[0]), "string", asking.OPTION) if option else "unknown option"
    if isinstance(answer, WrittenFloat):
        return _decimal(answer, subject)
    return _list(answer, subject, question)


def _fields(source: str, answer_type: str, ask: str, **more: Any) -> dict[str, Any]:
    return {
        "answer_fn": source,
        "answer_type": answer_type,
        "final_answer": source.strip("'"),
        "ask": ask,
        **more,
    }


def _decimal(answer: WrittenFloat, subject: str) -> Mapping[str, Any]:
    if answer == 0:
        return _fields("0", "numeric", f"{asking.NUMBER}", atol=ZERO_ATOL)
    rtol = tolerance(answer.text, subject)
    return _fields(answer.text, "numeric", asking.approximate(rtol), rtol=rtol)


def tolerance(written: str, subject: str) -> float:
    """Relative tolerance for a decimal as it is written: one unit of its last digit, within the bounds above.

    A whole number written as a decimal (4600.0) is exact in mathematics; elsewhere its zeros are no digits.
    """
    number = Decimal(written)
    least = LEAST_RTOL.get(subject, LEAST_RTOL_ELSEWHERE)
    if written.endswith(".0") and subject in LEAST_RTOL:
        return least
    digits = number.normalize() if written.endswith(".0") else number
    unit = Decimal((0, (1,), int(digits.as_tuple().exponent)))
    return float(f"{min(MOST_RTOL, max(least, float(unit / abs(number)))):.2g}")


def _list(answer: list[Any], subject: str, question: str) -> Mapping[str, Any] | str:
    if not answer or any(isinstance(part, bool) or not isinstance(part, int | float) for part in answer):
        return "unknown list"
    ascending = list(answer) == sorted(answer)
    if not ascending and (_SET_ASKED.search(question) or not _ORDER_SAID.search(question)):
        return "order not said"
    texts = [part.text if isinstance(part, WrittenFloat) else str(part) for part in answer]
    ask = f"Return a list of {len(texts)} numbers" if len(texts) > 1 else "Return a list of one number"
    if len(texts) > 1:
        ask += ", in the order in which the question names them; where it names none, in ascending order"
    decimals = [part.text for part in answer if isinstance(part, WrittenFloat) and part != 0]
    if not decimals:
        return _fields(f"[{', '.join(texts)}]", "list", f"{ask}.")
    rtol = max(tolerance(text, subject) for text in decimals)
    ask += f". A relative error of at most {rtol:.2g} is accepted in each."
    more: dict[str, Any] = {"rtol": rtol}
    if 0 in answer:
        more["atol"] = ZERO_ATOL
    return _fields(f"[{', '.join(texts)}]", "list", ask, **more)
