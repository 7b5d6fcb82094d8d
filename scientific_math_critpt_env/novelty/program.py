"""What a program does to get its result, as a set of features of its live code.

    features(code)  ->  Program(features=frozenset({...}), functions=frozenset({"integrate", ...}))

A feature is what a value is made of: a function, a function and one of its operands' kinds, a function with
all its operands and theirs. Only what the returned value is made of counts, and each feature once, so that
comments, dead code, names, formatting, repetition and lines in another order change nothing.
Not covered: code that is live and does nothing, beyond plain cases (`+ 0*f(x)`, `x - x`, `if False`); see
`distances` for why that gains nothing over the code it is added to.
"""

from __future__ import annotations

from dataclasses import dataclass

from scientific_math_critpt_env.novelty.calls import CONSTANTS
from scientific_math_critpt_env.novelty.graph import NONE, NUMBER, TEXT, Graph, Unmeasured
from scientific_math_critpt_env.novelty.statements import returned
from scientific_math_critpt_env.prompting.python_source import UnreadableCode, parse

MOST_CODE = 20_000
"""Characters: twice what real answers have, a third of what the grader runs."""

_ARITHMETIC = frozenset(
    (
        *("+", "*", "neg", "**", "symbol", "parameter", "tuple", "list", "dict", "set", "pair", "item"),
        *(NUMBER, TEXT, NONE, "unknown", "and", "or", "not", "==", "<", "<="),
    )
)
"""What every formula is made of; says nothing of an approach by itself."""


@dataclass(frozen=True, slots=True)
class Program:
    """The live part of a program."""

    features: frozenset[tuple[str, ...]]
    """Empty where the program only states a value: a number or a formula without a step of work."""
    functions: frozenset[str]
    """Library functions that the result passes through, by one name each (`integrate`, `dsolve`)."""


def read_program(code: str, entry_point: str = "model_answer") -> Program:
    """The live part of the program. Raises `Unmeasured`, and nothing else, for whatever cannot be read.

    Only parses: nothing of `code` is run. Takes at most about 0.1 s.
    """
    if len(code) > MOST_CODE:
        raise Unmeasured(f"it has more than {MOST_CODE} characters")
    try:
        module = parse(code)
        graph, result = returned(module, entry_point)
    except UnreadableCode as error:
        raise Unmeasured(str(error)) from None
    except RecursionError:
        # The limits on nesting are meant to come first; a caller deep in its own stack may have less left.
        raise Unmeasured("it is nested too deep") from None
    reached = _reached(graph, result)
    labels = {graph.labels[node] for node in reached}
    functions = frozenset(label[:-2] for label in labels if label.endswith("()"))
    if not labels - _ARITHMETIC - CONSTANTS:
        return Program(frozenset(), functions)
    return Program(frozenset(feature for node in reached for feature in _features(graph, node)), functions)


def _reached(graph: Graph, result: str) -> list[str]:
    seen, pending = {result}, [result]
    while pending:
        for operand in graph.operands[pending.pop()]:
            if operand not in seen:
                seen.add(operand)
                pending.append(operand)
    return sorted(seen)


def _features(graph: Graph, node: str) -> list[tuple[str, ...]]:
    label = graph.labels[node]
    below = [graph.labels[operand] for operand in graph.operands[node]]
    found: list[tuple[str, ...]] = [] if label in _ARITHMETIC else [(label,)]
    if label not in _ARITHMETIC or not set(below) <= _ARITHMETIC:
        found += [(label, kind) for kind in below]
        found.append((label, "of", *sorted(set(below))))
    return found
