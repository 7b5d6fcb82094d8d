"""What a program does to get its result, as a set of features of its live code.

    features(code)  ->  Program(features=frozenset({...}), functions=frozenset({"integrate", ...}))

A feature is what a value is made of: a function, a function and one of its operands' kinds, a function with
all its operands and theirs. Only what the returned value is made of counts, and each feature once, so that
comments, dead code, names, formatting, repetition and lines in another order change nothing.
Live code that does nothing is recognised only in plain cases (`+ 0*f(x)`, `x - x`, `if False`), and live code
can be written so that it is not seen to be live; `distances` says why neither gains anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from scientific_math_critpt_env.novelty.calls import CONSTANTS
from scientific_math_critpt_env.novelty.graph import NONE, NUMBER, TEXT, Graph, Unmeasured
from scientific_math_critpt_env.novelty.hiding import refuse_hiding
from scientific_math_critpt_env.novelty.statements import returned
from scientific_math_critpt_env.prompting.python_source import UnreadableCode, parse

MOST_CODE = 20_000
"""Characters: twice what real answers have, a third of what the grader runs."""

_ARITHMETIC = frozenset(
    (
        *(
            "+",
            "*",
            "neg",
            "**",
            "symbol",
            "parameter",
            "ran",
            "tuple",
            "list",
            "dict",
            "set",
            "pair",
            "item",
        ),
        *(NUMBER, TEXT, NONE, "unknown", "and", "or", "not", "==", "<", "<="),
    )
)
"""What every formula is made of; says nothing of an approach by itself."""


Features = frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Program:
    """What a program is made of."""

    features: Features
    """Of the live part. Empty where the program only states a value: a number or a formula without work."""
    functions: frozenset[str]
    """Library functions that the result passes through, by one name each (`integrate`, `dsolve`)."""
    mentioned: Features = field(compare=False)
    """Features of all its code, dead code included: what it may do in ways that are not followed. Used only
    to find a program *near* to another one, never far."""
    mentioned_functions: frozenset[str] = field(compare=False)


def read_program(code: str, entry_point: str = "model_answer") -> Program:
    """The live part of the program. Raises `Unmeasured`, and nothing else, for whatever cannot be read.

    Only parses: nothing of `code` is run. Takes at most about 0.1 s.
    """
    if len(code) > MOST_CODE:
        raise Unmeasured(f"it has more than {MOST_CODE} characters")
    try:
        module = parse(code)
        refuse_hiding(module)
        graph, result = returned(module, entry_point)
    except UnreadableCode as error:
        raise Unmeasured(str(error)) from None
    except RecursionError:
        # The limits on nesting are meant to come first; a caller deep in its own stack may have less left.
        raise Unmeasured("it is nested too deep") from None
    reached = _reached(graph, result)
    labels = {graph.labels[node] for node in reached}
    works = bool(labels - _ARITHMETIC - CONSTANTS)
    return Program(
        features=_all_features(graph, reached) if works else frozenset(),
        functions=_functions(labels),
        mentioned=_all_features(graph, graph.labels),
        mentioned_functions=_functions(graph.labels.values()),
    )


def _functions(labels: Iterable[str]) -> frozenset[str]:
    return frozenset(label[:-2] for label in labels if label.endswith("()"))


def _all_features(graph: Graph, nodes: Iterable[str]) -> Features:
    return frozenset(feature for node in nodes for feature in _features(graph, node))


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
