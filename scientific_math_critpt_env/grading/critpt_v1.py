"""The rules of the original environment, kept to the letter so that its scores can be reproduced.

What is compared, by the row's `answer_type` (anything the original does not know counts as `symbolic`):

- `symbolic`: `simplify(answer - gold) == 0`;
- `numeric`: `abs(complex(answer - gold)) < 1e-6`, an absolute tolerance whatever the size of the gold;
- `string`: the same text after `str`, stripping and lower case;
- `tuple` (and `list`, `function` with test points): the same length, and every component by its own rule;
- `dict`: the same keys, and every value by its own rule.

A component is compared by the string rule where both sides are strings, as a tuple or dict where the gold's
component is one, and by the symbolic rule otherwise. Symbols are *not* unified by name: `Symbol('x')` minus
`Symbol('x', positive=True)` is not 0 here. An exception while comparing (a `TypeError` of tuple minus
number, a `ShapeError`) means incorrect, as the original caught it; so does a `simplify` that finds no zero.
Nothing is undecided: the relation is `equal` or `different`. `simplify` may take arbitrarily long; the limits
of the process that runs this are the only bound.

Not covered: what the original did before comparing (its extraction and its `exec`).
"""

from __future__ import annotations

from collections.abc import Iterable

from sympy import Tuple, simplify
from sympy.core.containers import Dict

from scientific_math_critpt_env.grading.finding import Finding, different, equal
from scientific_math_critpt_env.grading.structures.functions import gold_at_test_points
from scientific_math_critpt_env.problems.schema import Problem

ABSOLUTE_TOLERANCE = 1e-6
"""Of the original's numeric rule."""


def compare_critpt_v1(*, gold: object, answer: object, problem: Problem) -> Finding:
    """Whether `answer` passes the original's rule for this problem; with test points, at each of them."""
    if problem.test_points:
        golds: object = gold_at_test_points(gold, problem)
        return _elements(golds, answer, "test point")
    return _by_type(gold, answer, problem.answer_type)


def _by_type(gold: object, answer: object, answer_type: str) -> Finding:
    if answer_type == "numeric":
        return _verdict(_numeric(gold, answer), "numeric", "abs(complex(answer - gold)) < 1e-6")
    if answer_type == "string":
        return _verdict(_string(gold, answer), "string", "lower-case equality")
    if answer_type in ("tuple", "list"):
        return _elements(gold, answer, "component")
    if answer_type == "dict":
        return _values(gold, answer)
    return _component(gold, answer)


def _component(gold: object, answer: object) -> Finding:
    if isinstance(gold, str) and isinstance(answer, str):
        return _verdict(_string(gold, answer), "string", "lower-case equality")
    if isinstance(gold, tuple | list | Tuple):
        return _elements(gold, answer, "component")
    if isinstance(gold, dict | Dict):
        return _values(gold, answer)
    return _verdict(_symbolic(gold, answer), "symbolic:simplify", "simplify(answer - gold) == 0")


def _symbolic(gold: object, answer: object) -> bool:
    try:
        return bool(simplify(answer - gold) == 0)  # type: ignore[operator]
    except Exception:  # noqa: BLE001 - the contract: an exception in comparing means incorrect
        return False


def _numeric(gold: object, answer: object) -> bool:
    try:
        return abs(complex(answer - gold)) < ABSOLUTE_TOLERANCE  # type: ignore[operator]
    except Exception:  # noqa: BLE001 - the contract: an exception in comparing means incorrect
        return False


def _string(gold: object, answer: object) -> bool:
    try:
        return str(answer).strip().lower() == str(gold).strip().lower()
    except Exception:  # noqa: BLE001 - the contract: an exception in comparing means incorrect
        return False


def _elements(gold: object, answer: object, noun: str) -> Finding:
    if not isinstance(gold, tuple | list | Tuple) or not isinstance(answer, tuple | list | Tuple):
        return different("elementwise", "one side is not a tuple or list")
    if len(gold) != len(answer):
        return different("elementwise", f"{len(answer)} components where the gold has {len(gold)}")
    pairs = zip(gold, answer, strict=True)
    return _all((f"{noun} {i}", _component(g, a)) for i, (g, a) in enumerate(pairs, start=1))


def _values(gold: object, answer: object) -> Finding:
    if not isinstance(gold, dict | Dict) or not isinstance(answer, dict | Dict):
        return different("elementwise", "one side is not a dict")
    if len(gold) != len(answer) or any(key not in answer for key in gold):
        return different("elementwise", "the keys are not the gold's keys")
    return _all((f"key {key!r}", _component(gold[key], answer[key])) for key in gold)


def _all(parts: Iterable[tuple[str, Finding]]) -> Finding:
    findings = list(parts)
    right = sum(finding.relation == "equal" for _, finding in findings)
    wrong = next(((label, finding) for label, finding in findings if finding.relation != "equal"), None)
    if wrong is None:
        return equal("elementwise", f"all {len(findings)} components pass")
    return Finding(
        relation="different",
        method="elementwise",
        reason=f"{wrong[0]}: {wrong[1].reason}",
        partial=right / len(findings),
    )


def _verdict(passed: bool, method: str, rule: str) -> Finding:
    return equal(method, f"{rule} holds") if passed else different(method, f"{rule} does not hold")
