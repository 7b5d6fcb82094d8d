"""What a problem row must satisfy beyond its types. Every message says what is wrong and what to do."""

from __future__ import annotations

import ast
import difflib
import keyword
import math
from collections.abc import Iterator, Mapping, Sequence

# fmt: off
ASSUMPTIONS = frozenset((
    "algebraic", "antihermitian", "commutative", "complex", "composite", "even",
    "extended_negative", "extended_nonnegative", "extended_nonpositive", "extended_nonzero",
    "extended_positive", "extended_real", "finite", "hermitian", "imaginary", "infinite", "integer",
    "irrational", "negative", "noninteger", "nonnegative", "nonpositive", "nonzero", "odd", "polar",
    "positive", "prime", "rational", "real", "transcendental", "zero",
))
# fmt: on
"""The assumptions of SymPy 1.14, written out because importing SymPy costs half a second; a test compares."""


def not_blank(text: str) -> str:
    """`text`, or ValueError where it holds white space only or half of a surrogate pair."""
    if not text.strip():
        raise ValueError("is blank; write it or remove the row")
    if not _encodable(text):
        raise ValueError("holds half of a surrogate pair; write the character itself")
    return text


def clean_id(text: str) -> str:
    """`text`, or ValueError where it is empty, surrounded by white space or unprintable."""
    if not text:
        raise ValueError("is empty; give every problem an id of its own")
    if text != text.strip():
        raise ValueError(f"{text!r} has white space around it; remove it")
    if not text.isprintable():
        raise ValueError(f"{text!r} holds unprintable characters; remove them")
    return text


def identifier(text: str) -> str:
    """`text`, or ValueError where it cannot name a Python function or argument."""
    if not text.isidentifier() or keyword.iskeyword(text):
        raise ValueError(f"{text!r} is no Python identifier; rename it")
    return text


def finite(number: float) -> float:
    """`number`, or ValueError where it is infinite or nan."""
    if not math.isfinite(number):
        raise ValueError("is not finite; give a number such as 1e-6")
    return number


def number_as_source(value: object) -> object:
    """A JSON number written as SymPy source; anything else as it is."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return repr(value)
    return value


def symbols(declared: dict[str, dict[str, bool]]) -> dict[str, dict[str, bool]]:
    """`declared`, or ValueError naming every blank symbol and every assumption that SymPy does not have."""
    defects = [f"{name!r} is no name; name the symbol" for name in declared if not name.strip()]
    for name, assumptions in declared.items():
        defects += [
            f"{name!r} has the unknown assumption {assumption!r}; {_suggest(assumption)}"
            for assumption in assumptions
            if assumption not in ASSUMPTIONS
        ]
    if defects:
        raise ValueError("; ".join(defects))
    return declared


def points(parameters: Sequence[str], test_points: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """Defects of `parameters` and `test_points`: repeated names, points that miss or invent an argument."""
    repeated = sorted({name for name in parameters if parameters.count(name) > 1})
    if repeated:
        yield f"parameters: {', '.join(repeated)} appears twice; name every argument once"
        return
    if test_points and not parameters:
        yield "test_points are given without `parameters`; list the arguments, or remove the points"
        return
    for index, point in enumerate(test_points):
        missing = [name for name in parameters if name not in point]
        extra = [name for name in point if name not in parameters]
        if missing:
            yield f"test_points[{index}] has no value for {', '.join(missing)}; give every parameter one"
        if extra:
            yield f"test_points[{index}] gives {', '.join(extra)}, which is no parameter; remove it"


def template(source: str | None, entry_point: str, parameters: Sequence[str]) -> Iterator[str]:
    """Defects of a template: it must parse, define `entry_point` once and take just the `parameters`."""
    if source is None:
        return
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        yield f"template does not parse ({error}); write Python with `...` at the place to fill in"
        return
    functions = [node for node in body if isinstance(node, ast.FunctionDef) and node.name == entry_point]
    if len(functions) != 1:
        yield (
            f"template defines {entry_point!r} {len(functions)} times at its top level; define it once, "
            "or set `entry_point` to the function it defines"
        )
        return
    yield from _signature(functions[0], parameters)


def _signature(function: ast.FunctionDef, parameters: Sequence[str]) -> Iterator[str]:
    arguments = function.args
    if arguments.posonlyargs:
        yield "template has positional-only arguments; answers are called by keyword, remove the `/`"
    positional = [argument.arg for argument in arguments.args]
    keywords = [argument.arg for argument in arguments.kwonlyargs]
    defaulted = positional[len(positional) - len(arguments.defaults) :] if arguments.defaults else []
    defaulted += [
        name for name, value in zip(keywords, arguments.kw_defaults, strict=True) if value is not None
    ]
    taken = positional + keywords
    refused = [name for name in parameters if name not in taken]
    unset = [name for name in taken if name not in parameters and name not in defaulted]
    if refused and arguments.kwarg is None:
        yield f"template's {function.name} does not take the parameter {', '.join(refused)}; add it there"
    if unset:
        yield f"template's {function.name} takes {', '.join(unset)}; list it in `parameters`"


def _suggest(assumption: str) -> str:
    close = difflib.get_close_matches(assumption, ASSUMPTIONS, n=1)
    return f"did you mean {close[0]!r}?" if close else f"SymPy knows {', '.join(sorted(ASSUMPTIONS))}"


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
