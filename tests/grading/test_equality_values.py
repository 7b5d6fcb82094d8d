"""Values of expressions: SymPy's conventions, noise taken for what it is, no value where there is none."""

import pytest
import sympy
from mpmath import mp
from sympy import (
    CRootOf,
    Derivative,
    Heaviside,
    I,
    Integral,
    Limit,
    Max,
    Mod,
    Ne,
    Piecewise,
    Product,
    Rational,
    RootSum,
    Subs,
    Sum,
    Symbol,
    acosh,
    besselj,
    cos,
    exp,
    factorial,
    floor,
    gamma,
    hyper,
    log,
    oo,
    pi,
    sign,
    sin,
    sqrt,
    symbols,
    zeta,
)

from scientific_math_critpt_env.grading.equality import decide
from scientific_math_critpt_env.grading.equality.compiling import compiled
from scientific_math_critpt_env.grading.equality.frame import Frame, NoValue, Trace, Undefined, simplest
from scientific_math_critpt_env.grading.equality.functions import FUNCTIONS

assert decide  # importing the package registers sums, integrals and conditions

x, k, t = symbols("x k t")
DIGITS = 30

REAL = (Rational(7, 10), Rational(13, 10), Rational(1, 3), Rational(11, 5))
NEGATIVE = tuple(-value for value in REAL)
COMPLEX = (Rational(7, 10) + I / 3, Rational(13, 10) - I / 2, Rational(1, 3) + I / 5, Rational(11, 5) + I)
INDEXED = (sympy.Integer(3), Rational(2, 5), Rational(1, 7), Rational(3, 5))
TWO_INDICES = (sympy.Integer(3), sympy.Integer(2), Rational(1, 7), Rational(3, 5))

DEGREES_ARE_WHOLE = (sympy.jacobi, sympy.gegenbauer, sympy.assoc_laguerre, sympy.laguerre, sympy.legendre)
"""SymPy's numbers for other degrees are those of the truncated polynomial."""

NOT_COMPARED = {
    "stieltjes",
    "erf2",
    "erfcinv",
    "appellf1",
    "marcumq",
    "betainc_regularized",
    "elliptic_pi",
    "riemann_xi",
}
"""SymPy has no number for these arguments, or needs minutes."""


def value(expression, digits=DIGITS, trace=None, **at):
    with mp.workdps(digits):
        values = {Symbol(name): mp.mpmathify(number) for name, number in at.items()}
        return +compiled(expression)(Frame(values, trace))


def close(found, expected):
    expected = sympy.N(expected, DIGITS)
    with mp.workdps(DIGITS):
        return abs(mp.mpc(found) - mp.mpmathify(expected)) <= 1e-15 * max(1, abs(mp.mpc(found)))


def cases(function):
    for base in (REAL, NEGATIVE, COMPLEX, INDEXED, TWO_INDICES):
        if function in DEGREES_ARE_WHOLE and not base[0].is_Integer:
            continue
        for count in range(1, 5):
            yield base[:count]


@pytest.mark.parametrize("function", sorted(FUNCTIONS, key=lambda f: f.__name__), ids=lambda f: f.__name__)
def test_functions_have_sympys_values(function):
    if function.__name__ in NOT_COMPARED:
        pytest.skip("no number of SymPy to compare with")
    compared = 0
    for arguments in cases(function):
        try:
            expected = function(*arguments).evalf(20)
            expected = complex(expected)
        except (TypeError, ValueError, ArithmeticError, AttributeError, NotImplementedError):
            continue  # another number of arguments, or a pole
        if expected != expected or abs(expected) == float("inf"):
            continue
        names = symbols(f"a:{len(arguments)}")
        try:
            expression = function(*names, evaluate=False)
            found = value(
                expression, **{n.name: sympy.N(a, 40) for n, a in zip(names, arguments, strict=True)}
            )
        except NoValue:
            continue
        assert abs(complex(found) - expected) <= 1e-10 * max(1, abs(expected)), arguments
        compared += 1
    assert compared


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Sum(1 / k**3, (k, 1, oo)), zeta(3)),
        (Sum(I**k / factorial(k), (k, 0, oo)), exp(I)),
        (Sum(k, (k, 5, 2)), -7),
        (Sum((-1) ** k / (2 * k + 1), (k, 0, oo)), pi / 4),
        (Product(1 - 1 / k**2, (k, 2, oo)), Rational(1, 2)),
        (Integral(exp(-(t**2)), (t, -oo, oo)), sqrt(pi)),
        (Integral(log(t), (t, 0, 1)), -1),
        (Integral(sin(t), (t, -1, 1)), 0),
        (Integral(abs(t - 1), (t, 0, 3)), Rational(5, 2)),
        (Limit(sin(t) / t, t, 0), 1),
        (Limit((1 + 1 / t) ** t, t, oo), exp(1)),
        (Derivative(besselj(x, 2), x), Rational(-2518333896449711685335852, 10**25)),
        (Subs(Derivative(sin(t), t), t, x), cos(Rational(3, 2))),
        (CRootOf(t**5 - t - 1, 0), CRootOf(t**5 - t - 1, 0)),
        (
            CRootOf(t**3 - t - 1, 2),
            Rational(-1, 2) * CRootOf(t**3 - t - 1, 0) + 0.56227951206230124389918214490937 * I,
        ),
        (RootSum(t**3 - t - 1, sympy.Lambda(t, t**2)), 2),
        (hyper((1, 1), (2,), Rational(-1, 2)), 2 * log(Rational(3, 2))),
        (Piecewise((1, x > 2), (x, Ne(x, 7))), Rational(3, 2)),
        (Heaviside(x - 1) + Max(x, 1) + Mod(7, x) + floor(-x) + sign(-x), 1 + Rational(3, 2) + 1 - 2 - 1),
        (acosh(x - 2), acosh(Rational(-1, 2))),
    ],
)
def test_what_binds_a_variable_or_jumps(expression, expected):
    found = value(expression, x="1.5")
    assert close(found, expected)


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        (1 / (x - 1), NoValue),
        (gamma(x - 1), NoValue),
        (log(x - 1), NoValue),
        (Sum((-2) ** k, (k, 0, oo)), NoValue),
        (Sum((-1) ** k, (k, 0, oo)), NoValue),
        (Integral(1 / t, (t, 0, 1)), NoValue),
        (Piecewise((1, x > 2)), Undefined),
        (Piecewise((sympy.nan, x > 0), (1, True)), Undefined),
        (exp(exp(exp(100 * x))), NoValue),
        (sympy.DiracDelta(x - 1), NoValue),
        (I * x < 1, NoValue),
    ],
)
def test_no_value(expression, error):
    with pytest.raises((error, ZeroDivisionError)):
        simplest(value(expression, x=1))


def test_the_reciprocal_of_a_pole_is_zero():
    assert value(1 / gamma(x), x=-2) == 0


def test_what_cancels_is_zero_and_noted():
    trace = Trace()
    assert value(sin(x) ** 2 + cos(x) ** 2 - 1, trace=trace, x="0.3") == 0
    assert trace.noise > -4 * DIGITS


def test_a_hidden_term_is_noted():
    trace = Trace()
    value(1 + exp(-x), trace=trace, x=300)
    assert not trace.resolved
    assert trace.spread_bits > 400


@pytest.mark.parametrize("expression", [sympy.tanh(x), sympy.erf(x), sympy.coth(x), sympy.cosh(x)])
def test_a_saturated_function_is_noted(expression):
    trace = Trace()
    value(expression, trace=trace, x=300)
    assert not trace.resolved


def test_points_on_a_cut_are_noted():
    trace = Trace()
    value(log(x), trace=trace, x=-1)
    assert trace.on_cut
    trace = Trace()
    value(log(2 * x), trace=trace, x=mp.mpc(-1, 1e-25))
    assert trace.near_cut
