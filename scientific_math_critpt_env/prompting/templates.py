"""The code template of a problem: what the model fills in, and what its answer is called by."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping

from scientific_math_critpt_env.problems.schema import AnswerType, Problem

RETURNS: Mapping[AnswerType, tuple[str, str]] = {
    "symbolic": ("sp.Expr", "the answer as one SymPy expression"),
    "numeric": (
        "sp.Expr | complex",
        "the answer as one number: exact (sp.Rational, sp.sqrt, sp.pi, ...) or a float",
    ),
    "string": ("str", "the answer as a string"),
    "tuple": ("tuple", "the components of the answer as a tuple, in the order the problem asks for them"),
    "dict": ("dict", "the answer as a dict, with the keys the problem names"),
    "list": ("list", "the components of the answer as a list, in the order the problem asks for them"),
    "set": ("set", "all elements of the answer as a set"),
    "matrix": ("sp.Matrix", "the answer as a SymPy matrix; vectors as columns"),
    "equation": ("sp.Eq", "the answer as an equation, sp.Eq(left, right)"),
    "interval": ("sp.Set", "the answer as an sp.Interval, or a union of intervals"),
    "boolean": ("bool", "the answer as True or False, or as a SymPy condition on the symbols"),
    "function": ("sp.Expr", "the value of the function, a SymPy expression in its arguments"),
}
"""For each answer type the annotation and the meaning of what the function returns."""

_ORDERED = ", in the order the problem asks for them"
_RESERVED = frozenset({"sp", "answer"})
"""Names the default template uses itself."""


def code_template(problem: Problem) -> str:
    """The problem's own template, else the default one for its answer type."""
    return problem.template if problem.template is not None else _default(problem)


def _default(problem: Problem) -> str:
    returns, meaning = RETURNS[problem.answer_type]
    if problem.unordered:
        meaning = meaning.replace(_ORDERED, ", in any order")
    names = _variables(problem)
    arguments = ", ".join(problem.parameters)
    lines = ["import sympy as sp", ""]
    lines += [_declaration(names[symbol], symbol, problem.symbols.get(symbol, {})) for symbol in names]
    if names:
        lines.append("")
    lines += [
        "",
        f"def {problem.entry_point}({arguments}) -> {returns}:",
        *_docstring(problem, returns, meaning),
    ]
    lines += ["    # Fill in your answer below.", "    answer = ...", "    return answer"]
    return "\n".join(lines)


def _docstring(problem: Problem, returns: str, meaning: str) -> list[str]:
    if not problem.parameters:
        return [f'    """Return {meaning}."""']
    inputs = [f"    {name}: {_input(problem.symbols.get(name, {}))}" for name in problem.parameters]
    return [f'    """Return {meaning}.', "", "    Inputs", "    ------", *inputs, '    """']


def _input(assumptions: Mapping[str, bool]) -> str:
    true = [name for name, value in assumptions.items() if value]
    return f"a SymPy symbol or number ({', '.join(true)})" if true else "a SymPy symbol or number"


def _variables(problem: Problem) -> dict[str, str]:
    """A Python name for every symbol of the template, arguments first; distinct, and free to be assigned."""
    taken = {*_RESERVED, problem.entry_point, *problem.parameters}
    names = {name: name for name in problem.parameters}
    for symbol in problem.symbols:
        if symbol in names:
            continue
        names[symbol] = _free(symbol, taken)
        taken.add(names[symbol])
    return names


def _free(symbol: str, taken: Iterable[str]) -> str:
    name = re.sub(r"\W+", "_", symbol).strip("_") or "symbol"
    if not name.isidentifier():
        name = f"symbol_{name}"
    while name in taken or keyword.iskeyword(name):
        name += "_"
    return name


def _declaration(variable: str, symbol: str, assumptions: Mapping[str, bool]) -> str:
    # `sp.symbols` gives a meaning to spaces, commas and colons; `sp.Symbol` takes a name as it is.
    maker = "sp.symbols" if re.fullmatch(r"\w+", symbol) else "sp.Symbol"
    given = "".join(f", {name}={value}" for name, value in assumptions.items())
    return f"{variable} = {maker}({symbol!r}{given})"
