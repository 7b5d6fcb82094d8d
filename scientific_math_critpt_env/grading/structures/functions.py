"""Answers that are functions: of test points, of named parameters, or `Lambda`s.

With `test_points` the answer is one value per call, each compared with the gold at that point. Without them,
functions are compared symbolically: `Lambda`s with their arguments renamed in order, and a `Lambda` with an
expression in the problem's parameters (or, where it names none, in the `Lambda`'s own argument names).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sympy import Basic, Dummy, Lambda, Symbol
from sympy.core.function import FunctionClass, UndefinedFunction

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, equal
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.grading.names import canonical
from scientific_math_critpt_env.grading.structures.composites import Compare, shape_mismatch, whole
from scientific_math_critpt_env.grading.structures.directions import compare_up_to_factor
from scientific_math_critpt_env.grading.structures.symbols import substituted, symbols_of
from scientific_math_critpt_env.problems.schema import Problem


def compare_calls(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """`answer` is the list of the values at the problem's test points, in their order."""
    problem = context.problem
    values: Sequence[object] = answer if isinstance(answer, list | tuple) else [answer]
    if len(values) != len(problem.test_points):
        return shape_mismatch(f"{len(values)} values for {len(problem.test_points)} test points")
    golds: Sequence[object] = gold_at_test_points(gold, problem)
    names = [", ".join(f"{k} = {v}" for k, v in point.items()) for point in problem.test_points]
    if problem.up_to in ("sign", "scale"):
        # One sign or factor for the whole function, not one for each call.
        return compare_up_to_factor(tuple(golds), tuple(values), compare, context)
    if problem.up_to == "constant":
        golds, values = _from_first(golds), _from_first(values)
    parts = [(f"at {name}", compare(g, a, context)) for name, g, a in zip(names, golds, values, strict=True)]
    return whole(parts, "values")


def _from_first(values: Sequence[object]) -> list[object]:
    """Differences to the first value, in which a constant of integration drops out."""
    scalars = [as_scalar(value) for value in values]
    first = scalars[0]
    if first is None:
        return list(values)
    return [
        value if number is None else number - first for value, number in zip(values, scalars, strict=True)
    ]


def gold_at_test_points(gold: object, problem: Problem) -> list[object]:
    """The gold's value at each test point; raises `ProblemError` where a point does not evaluate."""
    return [_gold_at(gold, point, problem) for point in problem.test_points]


def compare_functions(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    """Functions of the same number of arguments and the same body in common argument names."""
    left, right = _function(gold, context.problem), _function(answer, context.problem)
    if left is None or right is None:
        if gold == answer:
            return equal("structural")
        return shape_mismatch("an undefined function, which stands for nothing that could be compared")
    if isinstance(left, Lambda) and isinstance(right, Lambda):
        return _compare_lambdas(left, right, compare, context)
    return _compare_with_body(left, right, compare, context)


def _compare_lambdas(left: Lambda, right: Lambda, compare: Compare, context: Context) -> Finding:
    if not all(isinstance(v, Symbol) for side in (left, right) for v in side.signature):
        return _compare_signatures(left, right)
    if len(left.signature) != len(right.signature):
        return shape_mismatch(
            f"a function of {len(right.signature)} arguments where one of {len(left.signature)} is asked"
        )
    # The gold's assumptions about an argument hold for both sides.
    common = [Dummy(v.name, **v._assumptions_orig) for v in left.signature]
    return compare(_applied(left, common), _applied(right, common), context)


def _compare_signatures(left: Lambda, right: Lambda) -> Finding:
    """Functions of tuples: only identical ones are told to be equal."""
    return equal("structural") if left == right else shape_mismatch("functions of nested arguments")


def _compare_with_body(left: object, right: object, compare: Compare, context: Context) -> Finding:
    """One side is a `Lambda`, the other an expression (or composite) in the names of its arguments."""
    function, body = (left, right) if isinstance(left, Lambda) else (right, left)
    assert isinstance(function, Lambda)
    parameters = context.problem.parameters or [v.name for v in function.variables]
    if len(parameters) != len(function.signature):
        return shape_mismatch(
            f"a function of {len(function.signature)} arguments where {len(parameters)} are named"
        )
    applied = _applied(function, _symbols_named(parameters, body, function))
    return compare(applied, body, context) if function is left else compare(body, applied, context)


def _applied(function: Lambda, arguments: Sequence[Basic]) -> object:
    return substituted(function.expr, dict(zip(function.signature, arguments, strict=True)))


def _symbols_named(names: Sequence[str], body: object, function: Lambda) -> list[Basic]:
    by_name = {canonical(s.name): s for s in function.variables if isinstance(s, Symbol)}
    by_name.update({canonical(s.name): s for s in symbols_of(body)})
    return [by_name.get(canonical(name), Symbol(canonical(name))) for name in names]


def _function(value: object, problem: Problem) -> object | None:
    """A function class as a `Lambda` (`sin` as x -> sin(x)); an undefined one only by its parameters."""
    if isinstance(value, UndefinedFunction) and problem.parameters:
        return value(*(Symbol(canonical(name)) for name in problem.parameters))
    if isinstance(value, FunctionClass):
        if isinstance(value, UndefinedFunction) or not value.nargs or not value.nargs.is_finite_set:
            return None
        count = min(int(n) for n in value.nargs)
        arguments = [Dummy(f"x{i}") for i in range(count)]
        return Lambda(tuple(arguments), value(*arguments))
    return value


def _gold_at(gold: object, point: Mapping[str, str], problem: Problem) -> object:
    values = {canonical(name): _argument(name, text, problem) for name, text in point.items()}
    if isinstance(gold, Lambda):
        names = problem.parameters or [v.name for v in gold.variables]
        if len(names) != len(gold.signature) or not all(canonical(name) in values for name in names):
            raise ProblemError(f"problem {problem.id!r}: a test point does not give {', '.join(names)}")
        return _applied(gold, [values[canonical(name)] for name in names])
    replaced = {s: values[canonical(s.name)] for s in symbols_of(gold) if canonical(s.name) in values}
    return substituted(gold, replaced)


def _argument(name: str, text: str, problem: Problem) -> Basic:
    source = problem.model_copy(update={"answer_fn": text})
    try:
        return evaluate_gold(source)
    except ProblemError as error:
        raise ProblemError(f"problem {problem.id!r}: test point {name} = {text}: {error}") from error
