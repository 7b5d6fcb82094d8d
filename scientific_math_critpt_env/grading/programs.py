"""How a problem's answer is run: the function to call, its arguments, its limits."""

from __future__ import annotations

from dataclasses import replace

from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.sandbox import Limits, Program


def program(problem: Problem, code: str, grader: str) -> Program:
    """`code` called once, or once at each test point, under the builtins that the contract `grader` gives."""
    if problem.test_points:
        calls = tuple(problem.test_points)
    else:
        calls = ({name: _symbol(problem, name) for name in problem.parameters},)
    return Program(
        code=code,
        entry_point=problem.entry_point,
        calls=calls,
        builtins="import-only" if grader == "critpt-v1" else "restricted",
    )


def run_limits(problem: Problem, limits: Limits) -> Limits:
    """`limits`, with the CPU time that the problem asks for."""
    if problem.cpu_seconds is None:
        return limits
    # The wall limit keeps its ratio: it is only the backstop of the CPU limit.
    ratio = max(1.0, problem.cpu_seconds / limits.cpu_seconds)
    return replace(limits, cpu_seconds=problem.cpu_seconds, wall_seconds=limits.wall_seconds * ratio)


def _symbol(problem: Problem, name: str) -> str:
    assumptions = "".join(f", {key}={value}" for key, value in problem.symbols.get(name, {}).items())
    return f"Symbol({name!r}{assumptions})"
