"""Laws of each kind of answer, for values drawn at random."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sympy import (
    Eq,
    FiniteSet,
    Gt,
    ImageSet,
    Integers,
    Interval,
    Lambda,
    Lt,
    Matrix,
    Or,
    Rational,
    Symbol,
    Tuple,
    Union,
    cos,
    exp,
    pi,
    sin,
    sqrt,
    symbols,
)

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

x, y, n, C1, C2 = symbols("x y n C1 C2")

TABLE = json.loads((Path(__file__).parent / "structure_cases.json").read_text(encoding="utf-8"))

laws = settings(
    max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)

numbers = st.builds(Rational, st.integers(-9, 9), st.integers(1, 6))
nonzero = numbers.filter(lambda q: q != 0)
terms = st.sampled_from([x, y, x**2, x * y, sin(x), exp(y), sqrt(2), sqrt(3), pi, cos(x) * y])
expressions = st.builds(lambda a, t, b: a * t + b, numbers, terms, numbers)
distinct = st.lists(expressions, min_size=2, max_size=6, unique=True)


def relation(gold, answer, **fields):
    return compare(
        gold=gold, answer=answer, problem=Problem(id="law", prompt="p", answer_fn="1", **fields)
    ).relation


@laws
@given(distinct, st.randoms(use_true_random=False))
def test_the_order_of_a_set_does_not_count_and_its_members_do(members, source):
    shuffled = list(members)
    source.shuffle(shuffled)
    assert relation(set(members), FiniteSet(*shuffled)) == "equal"
    assert relation(list(members), shuffled, unordered=True) == "equal"
    assert relation(set(members), set(shuffled[1:])) == "different"
    assert relation(set(members), {*shuffled[1:], shuffled[0] + 1, Symbol("z")}) == "different"


@laws
@given(distinct)
def test_the_order_of_a_tuple_counts(components):
    swapped = [components[1], components[0], *components[2:]]
    assert relation(tuple(components), Tuple(*components)) == "equal"
    assert relation(tuple(components), swapped) == "different"
    assert relation(tuple(components), set(components)) == "different"


@laws
@given(
    st.dictionaries(st.text("abc", min_size=1, max_size=3), expressions, min_size=1, max_size=5), st.data()
)
def test_a_dict_is_its_values_by_key(gold, data):
    keys = data.draw(st.permutations(list(gold)))
    assert relation(gold, {key: gold[key] for key in keys}) == "equal"
    changed = {**gold, keys[0]: gold[keys[0]] + 1}
    found = compare(gold=gold, answer=changed, problem=Problem(id="law", prompt="p", answer_fn="1"))
    assert found.relation == "different"
    assert found.partial == pytest.approx((len(gold) - 1) / len(gold))


@laws
@given(expressions, expressions, nonzero)
def test_an_equation_may_be_turned_and_scaled_and_not_shifted(left, right, factor):
    assume(left != right and (left - right).free_symbols)
    equation = Eq(left, right)
    assume(isinstance(equation, Eq))
    assert relation(equation, Eq(right, left)) == "equal"
    assert relation(equation, Eq(factor * left, factor * right)) == "equal"
    assert relation(equation, Eq((left - right) * exp(x), 0)) == "equal"
    assert relation(equation, Eq(left, right + factor)) == "different"
    assert relation(equation, Eq((left - right) * (x - factor), 0)) == "different"


@laws
@given(nonzero, numbers, nonzero)
def test_an_inequality_keeps_its_side_and_its_strictness(slope, offset, factor):
    real = Symbol("x", real=True)
    gold = Gt(slope * real, offset)
    positive = abs(factor)
    assert relation(gold, Lt(positive * offset, positive * slope * real)) == "equal"
    assert relation(gold, Lt(-positive * slope * real, -positive * offset)) == "equal"
    assert relation(gold, Lt(slope * real, offset)) == "different"
    assert relation(gold, slope * real >= offset) == "different"
    assert relation(gold, Gt(slope * real, offset + factor)) == "different"


@laws
@given(st.lists(expressions, min_size=4, max_size=4))
def test_the_entries_of_a_matrix_have_their_places(entries):
    a, b, c, d = entries
    assume((b - c).expand() != 0)
    gold = Matrix([[a, b], [c, d]])
    assert relation(gold, [[a, b], [c, d]]) == "equal"
    assert relation(gold, gold.T) == "different"
    assert relation(gold, Matrix([a, b, c, d])) == "different"
    assert relation(Matrix([a, b]), Matrix([[a, b]])) == "different"


@laws
@given(numbers, numbers, st.booleans(), st.booleans(), nonzero)
def test_the_ends_of_an_interval_count(start, end, left_open, right_open, step):
    assume(start < end)
    gold = Interval(start, end, left_open, right_open)
    middle = (start + end) / 2
    pieces = Union(Interval(start, middle, left_open, True), Interval(middle, end, False, right_open))
    assert relation(gold, pieces) == "equal"
    assert relation(gold, Interval(start, end, not left_open, right_open)) == "different"
    assert relation(gold, Interval(start, end, left_open, not right_open)) == "different"
    assert relation(gold, Interval(start, end + abs(step), left_open, right_open)) == "different"
    assert relation(gold, gold - FiniteSet(middle)) == "different"


@laws
@given(nonzero, numbers, st.integers(-5, 5), st.integers(2, 4))
def test_a_progression_is_shifted_by_its_period_only(period, offset, steps, parts):
    def progression(start, step):
        return ImageSet(Lambda(n, start + step * n), Integers)

    gold = progression(pi * offset, pi * period)
    assert relation(gold, progression(pi * (offset + steps * period), -pi * period)) == "equal"
    split = Union(*(progression(pi * (offset + k * period), parts * pi * period) for k in range(parts)))
    assert relation(gold, split) == "equal"
    assert relation(gold, progression(pi * (offset + period / parts), pi * period)) == "different"
    assert relation(gold, progression(pi * offset, parts * pi * period)) == "different"


@laws
@given(st.lists(st.integers(-4, 4), min_size=4, max_size=4))
def test_a_linear_family_is_its_span(mixture):
    a, b, c, d = mixture
    gold = C1 * exp(x) + C2 * sin(x)
    mixed = C1 * (a * exp(x) + b * sin(x)) + C2 * (c * exp(x) + d * sin(x))
    assume(mixed.has(C1) and mixed.has(C2))
    expected = "equal" if a * d - b * c else "different"
    assert relation(gold, mixed, up_to="constant") == expected
    assert relation(gold, mixed + cos(x), up_to="constant") == "different"


@laws
@given(st.lists(numbers, min_size=2, max_size=4), nonzero)
def test_a_vector_up_to_sign_and_scale(components, factor):
    assume(any(components))
    gold, scaled = Matrix(components), factor * Matrix(components)
    assert relation(gold, -gold, up_to="sign") == "equal"
    assert relation(gold, scaled, up_to="scale") == "equal"
    assert relation(gold, scaled, up_to="sign") == ("equal" if abs(factor) == 1 else "different")
    assert relation(gold, 0 * gold, up_to="scale") == "different"
    bent = Matrix([components[0] + 1, *components[1:]])
    collinear = all(bent[i] * gold[0] == bent[0] * gold[i] for i in range(len(components))) and any(bent)
    if not collinear:
        assert relation(gold, bent, up_to="scale") == "different"


@laws
@given(st.text("aB é1", min_size=1, max_size=8), st.text(" \t\n", max_size=3))
def test_a_string_is_folded_and_not_more(text, space):
    assume(text.strip())
    assert relation(text, space + text.upper() + space) == "equal"
    assert relation(text, text + "z") == "different"


@laws
@given(distinct, st.randoms(use_true_random=False))
def test_a_disjunction_has_no_order(values, source):
    gold = Or(*(Eq(y, value) for value in values if not value.has(y)))
    assume(isinstance(gold, Or))
    shuffled = list(gold.args)
    source.shuffle(shuffled)
    assert relation(gold, Or(*(Eq(2 * r.rhs, 2 * r.lhs) for r in shuffled))) == "equal"


def _values():
    for case in TABLE:
        fields = {k: v for k, v in case.items() if k in ("symbols", "parameters")}
        for side in ("gold", "answer"):
            yield Problem(id="value", prompt="p", answer_fn=case[side], **fields)


@settings(laws, max_examples=150)
@given(st.sampled_from(list(_values())), st.sampled_from(list(_values())))
def test_any_two_values_compare_without_an_exception_and_alike_in_both_orders(left, right):
    gold, answer = evaluate_gold(left), evaluate_gold(right)
    # Declared by the problem: undeclared, the gold's own assumptions win, and the gold changes sides.
    problem = Problem(id="law", prompt="p", answer_fn="1", symbols={**left.symbols, **right.symbols})
    forth = compare(gold=gold, answer=answer, problem=problem)
    back = compare(gold=answer, answer=gold, problem=problem)
    assert forth.relation == back.relation, (gold, answer, forth, back)
    assert "raised" not in forth.reason + back.reason
    again = [compare(gold=gold, answer=answer, problem=problem) for _ in range(3)]
    assert {(f.relation, f.method, f.reason) for f in again} == {(forth.relation, forth.method, forth.reason)}
