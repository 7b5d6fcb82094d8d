"""Property: what can be built from the public surface comes back equal, whatever its shape."""

from __future__ import annotations

from typing import Any

import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from scientific_math_critpt_env.sandbox.codec import decode, encode

_SYMBOLS = st.sampled_from(
    [
        sympy.Symbol("x"),
        sympy.Symbol("y", positive=True),
        sympy.Symbol("B", commutative=False),
        sympy.Symbol("θ_1"),
    ]
)
_NUMBERS = st.one_of(
    st.integers(-(10**30), 10**30).map(sympy.Integer),
    st.fractions(max_denominator=10**6).map(lambda value: sympy.Rational(value.numerator, value.denominator)),
    st.floats(allow_nan=False, allow_infinity=False).map(sympy.Float),
    st.sampled_from([sympy.pi, sympy.E, sympy.I, sympy.EulerGamma]),  # no infinities: SymPy raises at nan
)
_UNARY = st.sampled_from(
    [
        sympy.sin,
        sympy.exp,
        sympy.Abs,
        sympy.gamma,
        sympy.Function("f"),
        sympy.conjugate,
        sympy.sqrt,
        sympy.sinh,
    ]
)


def _grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=2, max_size=4)
    return st.one_of(
        some.map(lambda parts: sympy.Add(*parts)),
        some.map(lambda parts: sympy.Mul(*parts)),
        st.tuples(_UNARY, _SYMBOLS, inner).map(lambda t: t[0](t[1]) + t[2]),
        st.tuples(inner, st.integers(-3, 3)).map(lambda t: sympy.Pow(*t)),
        st.tuples(inner, _SYMBOLS).map(lambda t: sympy.Integral(t[0], t[1])),
        st.tuples(inner, _SYMBOLS).map(lambda t: sympy.Derivative(t[0], t[1], evaluate=False)),
    )


EXPRESSIONS = st.recursive(st.one_of(_SYMBOLS, _NUMBERS), _grow, max_leaves=12)
PLAIN = st.recursive(
    st.one_of(
        st.integers(),
        st.floats(allow_nan=False),
        st.booleans(),
        st.text(st.characters(codec="utf-8")),
        st.complex_numbers(allow_nan=False),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=3),
    ),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(value=EXPRESSIONS)
def test_expressions(value: Any):
    back = decode(encode(value))
    assert back == value
    assert sympy.srepr(back) == sympy.srepr(value)
    assert encode(back) == encode(value)


@settings(max_examples=200, deadline=None)
@given(value=PLAIN)
def test_plain_values(value: Any):
    back = decode(encode(value))
    assert repr(back) == repr(value)


@settings(max_examples=50, deadline=None)
@given(
    value=st.frozensets(st.one_of(st.integers(), st.text(st.characters(codec="utf-8")), _SYMBOLS), max_size=6)
)
def test_sets(value: frozenset[Any]):
    assert decode(encode(value)) == value
    assert decode(encode(set(value))) == set(value)
