"""Any JSON Lines file, by a field map: our field = its field.

    --fields prompt=question,answer_fn=gold,id=uid
    --fields prompt=question,latex=answer,topic=subject

`answer_fn` is SymPy source (or a number), `latex` a gold in LaTeX to be converted; one of them is needed, and
`prompt`. An `id` that is not mapped is made from the file's name and the line. A map with a bare value after
`:=` gives every row that value: `license:=MIT`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.importers.draft import Draft, LeftOut
from scientific_math_critpt_env.problems.importers.files import lines
from scientific_math_critpt_env.problems.latex import Reading
from scientific_math_critpt_env.problems.latex.reading import Shape
from scientific_math_critpt_env.problems.schema import Problem

HELP = "any JSONL, by a field map: --fields prompt=question,answer_fn=gold"
SOURCE = ""
LICENSE = ""


_SHAPES: dict[str, Shape] = {
    "tuple": "tuple",
    "list": "list",
    "set": "set",
    "interval": "interval",
    "equation": "equation",
}
"""How a gold in LaTeX is read, by the answer type of its row."""


def read(path: Path, fields: str = "") -> Iterator[Draft | LeftOut]:
    """The rows of a file. Raises ProblemError for a bad map, or where the file is no JSON Lines."""
    mapping, constants = field_map(fields)
    for where, row in lines(path):
        values = {ours: row[theirs] for ours, theirs in mapping.items() if row.get(theirs) is not None}
        name = str(values.pop("id", f"{path.stem}.{where.rpartition(':')[2]}"))
        gold = values.pop("latex", None)
        missing = [ours for ours in ("prompt",) if ours not in values]
        if gold is None and "answer_fn" not in values:
            missing.append("latex" if "latex" in mapping else "answer_fn")
        if missing:
            yield LeftOut(
                where=where, id=name, reason="field missing", detail=mapping.get(missing[0], missing[0])
            )
            continue
        made: dict[str, Any] = {"id": name, **constants, **values}
        if isinstance(made.get("answer_fn"), int | float | bool):
            made["answer_fn"] = repr(made["answer_fn"])
        if gold is None:
            yield Draft(where=where, fields=made)
            continue
        symbols = made.get("symbols") or {}
        shape = _SHAPES.get(str(made.get("answer_type")), "expression")
        reading = Reading(symbols=symbols, others={}, shape=shape, natural_log=False, decimals="exact")
        made.setdefault("final_answer", str(gold))
        yield Draft(where=where, fields=made, golds=(str(gold).strip().strip("$"),), reading=reading)


def field_map(text: str) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """`ours=theirs` pairs, and `ours:=value` constants. Raises ProblemError, saying what is wrong."""
    mapping: dict[str, str] = {}
    constants: dict[str, str] = {}
    known = {*Problem.model_fields, "latex"}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        constant = ":=" in part
        ours, sign, theirs = part.partition(":=" if constant else "=")
        ours, theirs = ours.strip(), theirs.strip()
        if not sign or not theirs:
            raise ProblemError(f"--fields: {part!r} is no pair; write ours=theirs, such as prompt=question")
        if ours not in known:
            raise ProblemError(
                f"--fields: {ours!r} is no field of ours; there are {', '.join(sorted(known))}"
            )
        (constants if constant else mapping)[ours] = theirs
    if "prompt" not in mapping or not {"answer_fn", "latex"} & {*mapping, *constants}:
        raise ProblemError("--fields: map at least `prompt`, and `answer_fn` or `latex`")
    return mapping, constants
