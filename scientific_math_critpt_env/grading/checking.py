"""What the confined checker does: gold source and value tree in, finding out, all as bytes.

The checker is reused for many answers, so it keeps golds it has evaluated; it never runs model code and
decodes values as data only. Covered: evaluating golds, comparing, linting rows. Not covered: limits, which
the sandbox enforces from outside by killing this process.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from time import process_time
from traceback import extract_tb
from typing import Any

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.critpt_v1 import compare_critpt_v1
from scientific_math_critpt_env.grading.equality.budget import install_interrupt
from scientific_math_critpt_env.grading.finding import Finding, undecided
from scientific_math_critpt_env.grading.framing import unpack
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.grading.policy import Policy
from scientific_math_critpt_env.grading.printing import printed
from scientific_math_critpt_env.grading.validation import validate_problem
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.sandbox.codec import DecodeError, decode

GOLDS_KEPT = 2048
"""Evaluated golds a checker remembers: more than any public set has, a few kilobytes each."""

# Loading this module is preparing a checker, and once it is confined no handler can be installed.
install_interrupt()


def check(payload: bytes) -> bytes:
    """Answer one request with one JSON object; a defect of the problem comes back as `invalid_problem`."""
    request, value = unpack(payload)
    try:
        reply = _OPERATIONS[request["operation"]](request, value)
    except ProblemError as error:
        reply = {"invalid_problem": str(error)}
    return json.dumps(reply, separators=(",", ":")).encode()


def _grade(request: dict[str, Any], value: bytes) -> dict[str, Any]:
    problem, gold = _gold(request["problem"])
    try:
        values = decode(value)
    except DecodeError as error:
        return {"invalid_answer": str(error)}
    except MemoryError:
        raise  # a limit, which the sandbox names
    except Exception as error:  # noqa: BLE001 - SymPy raises anything when it builds what nobody would write
        return {"invalid_answer": f"building the value raised {type(error).__name__} at {_place(error)}"}
    if not isinstance(values, list) or len(values) != max(1, len(problem.test_points)):
        return {"invalid_answer": "the run returned a malformed list of values"}
    answer = values if problem.test_points else values[0]
    finding = _compared(request, problem, gold, answer)
    return _reply(finding) | {"answer": _shown(answer)}


def _shown(answer: object) -> str:
    try:
        return printed(answer)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the printed form is for people; no verdict may depend on it
        return f"({type(answer).__name__} that cannot be printed: {type(error).__name__})"


def _compared(request: dict[str, Any], problem: Problem, gold: object, answer: object) -> Finding:
    try:
        if request["grader"] == "critpt-v1":
            return compare_critpt_v1(gold=gold, answer=answer, problem=problem)
        return compare(gold=gold, answer=answer, problem=problem, policy=Policy(**request["policy"]))
    except MemoryError:
        raise  # a limit, which the sandbox names
    except Exception as error:  # noqa: BLE001 - SymPy raises anything; one odd answer must not end a batch
        return undecided(f"the comparison raised {type(error).__name__} at {_place(error)}", method="error")


def _place(error: Exception) -> str:
    """Where it was raised, for a bug report."""
    frame = extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno}"


def _evaluate(request: dict[str, Any], value: bytes) -> dict[str, Any]:
    start = process_time()
    _, gold = _gold(request["problem"])
    return {"gold": printed(gold), "cpu_seconds": process_time() - start}


def _validate(request: dict[str, Any], value: bytes) -> dict[str, Any]:
    problem = Problem.model_validate_json(request["problem"])
    return asdict(validate_problem(problem, policy=Policy(**request["policy"])))


_OPERATIONS: dict[str, Callable[[dict[str, Any], bytes], dict[str, Any]]] = {
    "grade": _grade,
    "evaluate": _evaluate,
    "validate": _validate,
}


@lru_cache(maxsize=GOLDS_KEPT)
def _gold(problem_json: str) -> tuple[Problem, object]:
    problem = Problem.model_validate_json(problem_json)
    return problem, evaluate_gold(problem)


def _reply(finding: Finding) -> dict[str, Any]:
    return {
        "relation": finding.relation,
        "method": finding.method,
        "reason": finding.reason,
        "partial": finding.partial,
        "costs": dict(finding.costs),
    }
