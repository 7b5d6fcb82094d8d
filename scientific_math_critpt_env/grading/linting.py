"""What may be wrong with a row although its gold evaluates: defects of the gold, and warnings.

Covered: golds that are no answers (nan, None, an equation that SymPy reduced to a truth value), names that
collide with SymPy's, a zero gold without absolute tolerance, unknown fields, symbols that the prompt does not
mention, an answer type that the gold does not have. Not covered: whether the gold is right.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from sympy import Expr, Float, Symbol, nan

from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.golds import collisions
from scientific_math_critpt_env.grading.names import canonical
from scientific_math_critpt_env.grading.structures.kinds import NAMES, Kind, kind_of
from scientific_math_critpt_env.grading.structures.symbols import symbols_of
from scientific_math_critpt_env.problems.schema import Problem

MAX_RTOL = 1.0
"""A relative tolerance of 1 accepts 0 for every number."""

_KINDS: dict[str, frozenset[Kind]] = {
    "numeric": frozenset({"scalar"}),
    "string": frozenset({"string"}),
    "tuple": frozenset({"sequence"}),
    "list": frozenset({"sequence", "array"}),
    "dict": frozenset({"dict"}),
    "set": frozenset({"set"}),
    "matrix": frozenset({"matrix", "array"}),
    "equation": frozenset({"relation"}),
    "interval": frozenset({"set"}),
    "boolean": frozenset({"truth", "boolean", "relation"}),
}
"""Kinds of gold that each answer type announces; symbolic and function golds may be anything."""

_CONSTANT_NAMES = frozenset({"E", "I"})
"""Written so often for e and i that only a prompt which uses the letter itself is worth a warning."""

_CONSTANTS = re.compile(r"[CcK]_?\d*")


def gold_defects(gold: object, problem: Problem) -> list[str]:
    """Why the gold cannot be answered at all."""
    kind = kind_of(gold)
    if kind in ("nothing", "other"):
        return [f"the gold is {NAMES[kind]}, a {type(gold).__name__}"]
    if any(part is nan for part in _scalars(gold)):
        return ["the gold is or contains nan, which no answer equals"]
    if problem.answer_type == "equation" and kind == "truth":
        return [f"the gold is an equation that SymPy reduces to {gold}; write it so that it stays one"]
    return []


def warnings_of(problem: Problem, *golds: object) -> list[str]:
    """What to look at; without a gold, what can be said of the row alone."""
    if not golds:
        return [*_of_row(problem)]
    return [line for gold in golds for line in _of_gold(gold, problem)]


def _of_row(problem: Problem) -> Iterator[str]:
    if problem.unknown:
        yield f"unknown fields: {', '.join(sorted(problem.unknown))}"
    for name in collisions(problem):
        if name in _CONSTANT_NAMES and not _is_letter_of(problem.prompt, name):
            continue
        yield f"{name!r} in answer_fn is SymPy's; declare it in `symbols` if it is meant as a symbol"
    if problem.rtol is not None and problem.rtol >= MAX_RTOL:
        yield f"rtol {problem.rtol} accepts nearly every number"
    seen: set[str] = set()
    for point in problem.test_points:
        text = str(sorted(point.items()))
        if text in seen:
            yield f"the test point {point} occurs twice"
        seen.add(text)


def _is_letter_of(prompt: str, letter: str) -> bool:
    """Whether the prompt uses the letter, other than in code, where `I` and `E` are SymPy's."""
    text = re.sub(r"`[^`]*`", " ", prompt)
    return re.search(rf"(?<![A-Za-z\\]){letter}(?![A-Za-z])", text) is not None


def _of_gold(gold: object, problem: Problem) -> Iterator[str]:
    kind = kind_of(gold)
    expected = _KINDS.get(problem.answer_type)
    if expected is not None and kind not in expected:
        yield f"answer_type is {problem.answer_type} and the gold is {NAMES[kind]}"
    scalar = as_scalar(gold)
    symbols = symbols_of(gold)
    if problem.answer_type == "numeric" and scalar is not None:
        if symbols and not problem.parameters:
            yield f"answer_type is numeric and the gold contains {', '.join(sorted(s.name for s in symbols))}"
        if scalar.is_zero and not problem.atol:
            yield "the gold is 0 and there is no atol: only an exact 0 matches"
    if problem.answer_type != "numeric" and _has_float_zero(gold) and not problem.atol:
        yield "the gold contains the float 0 and there is no atol: only a 0 matches"
    yield from _unmentioned(symbols, problem)
    yield from _unused(symbols, problem)


def _has_float_zero(gold: object) -> bool:
    return any(isinstance(part, Float) and part.is_zero for part in _scalars(gold))


def _unmentioned(symbols: set[Symbol], problem: Problem) -> Iterator[str]:
    mentioned = _words(problem.prompt) | _words(problem.template or "")
    for symbol in sorted(symbols, key=lambda s: s.name):
        name = canonical(symbol.name)
        if problem.up_to == "constant" and _CONSTANTS.fullmatch(name):
            continue
        if not {name, name.replace("_", "")} & mentioned and name not in problem.parameters:
            yield f"the symbol {symbol.name} of the gold is not mentioned in the prompt"


def _unused(symbols: set[Symbol], problem: Problem) -> Iterator[str]:
    used = {canonical(s.name) for s in symbols} | {canonical(name) for name in problem.parameters}
    written = _words(problem.answer_fn)
    for name in problem.symbols:
        if canonical(name) not in used | written and canonical(name) not in _words(problem.prompt):
            yield f"the declared symbol {name} occurs neither in the gold nor in the prompt"


def _words(text: str) -> set[str]:
    """Names in a text, LaTeX or code: words with their subscripts, and every letter of a product like mgh."""
    plain = "".join(_spelled(character) for character in text)
    plain = re.sub(r"\\(?:mathrm|text|mathbf|mathcal|operatorname|hat|bar|tilde|vec|boldsymbol)\b", "", plain)
    plain = plain.replace("\\", " ").replace("{", "").replace("}", "")
    plain = re.sub(r"\s*_\s*", "_", plain)
    words = set(re.findall(r"[^\W\d_][^\W_]*(?:_[^\W_]+)*", plain))
    found = {canonical(word) for word in words}
    found |= {re.sub(r"_.*", "", word) for word in found}
    # A letter before a subscript or digit (`x_1`, `2mR`) stands alone as well.
    for word in list(found):
        if len(word) <= 4:
            found |= set(word)
            found |= set(re.findall(r"[^\W\d_]_?\w*", word))
    return found | {word.replace("_", "") for word in found}


def _spelled(character: str) -> str:
    if character.isascii():
        return character
    name = unicodedata.name(character, "")
    if name.startswith("GREEK"):
        return f" {canonical(character)}"
    return unicodedata.normalize("NFKC", character)


def _scalars(value: object) -> Iterator[Expr]:
    scalar = as_scalar(value)
    if scalar is not None:
        yield scalar
    elif isinstance(value, dict):
        for item in value.values():
            yield from _scalars(item)
    elif isinstance(value, tuple | list | set | frozenset):
        for item in value:
            yield from _scalars(item)
