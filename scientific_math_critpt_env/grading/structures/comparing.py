"""Which rule compares two values: by what the values are, the gold's and the answer's, down to scalars.

`compare_structures` is total: whatever the two values are, it returns a finding (or None, which says that
both are plain scalars and `grading.equality` decides). A mismatch of kinds is `different` with the two kinds
in the reason; something that SymPy cannot compare is `undecided`, never an exception.
"""

from __future__ import annotations

from collections.abc import Callable

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.grading.context import Context
from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.equality.budget import OutOfTime
from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.finding import Finding, equal, undecided
from scientific_math_critpt_env.grading.structures.arrays import compare_grids
from scientific_math_critpt_env.grading.structures.attempts import LOST
from scientific_math_critpt_env.grading.structures.booleans import compare_booleans
from scientific_math_critpt_env.grading.structures.composites import Compare, shape_mismatch
from scientific_math_critpt_env.grading.structures.dictionaries import compare_dictionaries
from scientific_math_critpt_env.grading.structures.directions import compare_up_to_factor
from scientific_math_critpt_env.grading.structures.distributions import compare_distributions
from scientific_math_critpt_env.grading.structures.equations import compare_equations
from scientific_math_critpt_env.grading.structures.families import compare_up_to_constant
from scientific_math_critpt_env.grading.structures.functions import compare_calls, compare_functions
from scientific_math_critpt_env.grading.structures.kinds import EXPRESSIONS, NAMES, Kind, kind_of
from scientific_math_critpt_env.grading.structures.mixtures import compare_mixed
from scientific_math_critpt_env.grading.structures.operators import compare_operators, settled
from scientific_math_critpt_env.grading.structures.quantities import compare_quantities
from scientific_math_critpt_env.grading.structures.sequences import compare_sequences, compare_unordered
from scientific_math_critpt_env.grading.structures.series import compare_series
from scientific_math_critpt_env.grading.structures.sets import compare_sets
from scientific_math_critpt_env.grading.structures.strings import compare_strings


def compare_structures(gold: object, answer: object, context: Context) -> Finding | None:
    """What is known of `answer` against `gold`, names unified already; None where both are plain scalars."""
    problem = context.problem
    try:
        if not problem.up_to and not problem.test_points and kind_of(gold) == kind_of(answer) == "scalar":
            return None
        finding = _compare_whole(gold, answer, context)
        structural = finding.relation == "different" and finding.method == "structural"
        if structural and LOST in context.budget.costs:
            return undecided(f"{finding.reason}, or equal to one: a step ran out of CPU time")
        return finding
    except OutOfTime:
        return undecided("the comparison ran out of CPU time")
    except (MemoryError, ProblemError):
        raise
    except Exception as error:  # noqa: BLE001 - total by contract: what SymPy cannot compare is undecided
        return undecided(f"comparing raised {type(error).__name__}")


def compare_values(gold: object, answer: object, context: Context) -> Finding:
    """The recursion below the top: `up_to`, `unordered` and test points no longer apply."""
    if context.budget.left <= 0:
        return undecided("the comparison ran out of CPU time")
    gold, answer = settled(gold, context), settled(answer, context)
    left, right = kind_of(gold), kind_of(answer)
    if left == right and left in _SAME_KIND:
        return _SAME_KIND[left](gold, answer, compare_values, context)
    if left in EXPRESSIONS and right in EXPRESSIONS:
        return _compare_expressions(gold, answer, {left, right}, context)
    mixed = compare_mixed(gold, answer, compare_values, context)
    return mixed or shape_mismatch(mismatch_reason(left, right))


def mismatch_reason(gold: Kind, answer: Kind) -> str:
    """Why two kinds cannot match."""
    reason = f"{NAMES[answer]} where {NAMES[gold]} is asked"
    if answer == "set" and gold in EXPRESSIONS:
        return f"{reason}: candidates are not an answer"
    return reason


def _compare_whole(gold: object, answer: object, context: Context) -> Finding:
    problem = context.problem
    if problem.test_points:
        return compare_calls(gold, answer, compare_values, context)
    if problem.up_to == "constant":
        return compare_up_to_constant(gold, answer, compare_values, context)
    if problem.up_to:
        return compare_up_to_factor(gold, answer, compare_values, context)
    if problem.unordered:
        unordered = compare_unordered(gold, answer, compare_values, context)
        if unordered is not None:
            return unordered
    return compare_values(gold, answer, context)


def _compare_expressions(gold: object, answer: object, kinds: set[Kind], context: Context) -> Finding:
    for kind in ("quantity", "series", "operator", "distribution"):
        if kind in kinds:
            return _SAME_KIND[kind](gold, answer, compare_values, context)
    return _compare_scalars(gold, answer, compare_values, context)


def _compare_scalars(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    left, right = as_scalar(gold), as_scalar(answer)
    if left is None or right is None:
        return shape_mismatch(mismatch_reason(kind_of(gold), kind_of(answer)))
    return decide(left, right, context)


def _compare_nothing(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    return equal("structural")


def _compare_texts(gold: object, answer: object, compare: Compare, context: Context) -> Finding:
    return compare_strings(str(gold), str(answer))


_SAME_KIND: dict[Kind, Callable[..., Finding]] = {
    "nothing": _compare_nothing,
    "string": _compare_texts,
    "truth": compare_booleans,
    "relation": compare_equations,
    "boolean": compare_booleans,
    "sequence": compare_sequences,
    "dict": compare_dictionaries,
    "set": compare_sets,
    "matrix": compare_grids,
    "array": compare_grids,
    "function": compare_functions,
    "series": compare_series,
    "distribution": compare_distributions,
    "operator": compare_operators,
    "quantity": compare_quantities,
    "scalar": _compare_scalars,
}
"""Two values of one kind; each rule takes (gold, answer, compare, context)."""
