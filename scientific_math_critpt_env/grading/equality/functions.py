"""Numerical values of SymPy's functions, by mpmath, with SymPy's conventions.

Each entry takes mpmath numbers and returns one, or raises (ValueError, ZeroDivisionError, NoValue ...) where
there is no value. Functions of integers that mpmath does not know are left to SymPy's own
evaluation (`compiling`). Not covered: Mathieu functions, distributions.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy
from mpmath import mp
from sympy import Basic, Integer

from scientific_math_critpt_env.grading.equality.frame import NoValue, Number, is_complex

Implementation = Callable[..., Number]

FINITE_GAMMA = 1000
"""Incomplete gamma functions of whole order up to this are finite sums."""


def as_integer(value: Number) -> int:
    """The value as an int; raises `NoValue` unless it is one exactly."""
    if is_complex(value) or not mp.isint(value):
        raise NoValue("not an integer")
    return int(value)


def _is_integer(*values: Number) -> bool:
    return all(not is_complex(value) and mp.isint(value) for value in values)


def _exactly(function: Callable[..., Basic], *values: Number) -> Number:
    """A SymPy function of integers, by its exact evaluation."""
    result = function(*[Integer(as_integer(value)) for value in values])
    if not result.is_Rational:
        raise NoValue("no value at these integers")
    return mp.mpf(result.p) / result.q


def _sinc(x: Number) -> Number:
    return mp.sin(x) / x if x else mp.one


def _acot(x: Number) -> Number:
    return mp.atan(1 / x) if x else mp.pi / 2


def _exp_polar(x: Number) -> Number:
    if not -mp.pi < mp.im(x) <= mp.pi:
        raise NoValue("another sheet")
    return mp.exp(x)


def _binomial(n: Number, k: Number) -> Number:
    if _is_integer(n, k):
        if k < 0:
            return mp.zero
        if abs(n) < 10**4:
            return _exactly(sympy.binomial, n, k)
    return mp.binomial(n, k)


def _factorial2(n: Number) -> Number:
    return _exactly(sympy.factorial2, n) if _is_integer(n) and n < 10**4 else mp.fac2(n)


def _subfactorial(n: Number) -> Number:
    if _is_integer(n) and 0 <= n < 10**4:
        return _exactly(sympy.subfactorial, n)
    return mp.gammainc(n + 1, -1) / mp.e


def _bernoulli(n: Number, x: Number | None = None) -> Number:
    if _is_integer(n) and n >= 0:
        return mp.bernpoly(int(n), mp.one if x is None else x)
    return -n * mp.zeta(1 - n, mp.one if x is None else x)


def _genocchi(n: Number, x: Number | None = None) -> Number:
    if x is None and _is_integer(n) and n >= 0:
        return _exactly(sympy.genocchi, n)
    if x is None:
        x = mp.one
    if _is_integer(n) and n >= 0:
        return 2 * (_bernoulli(n, x) - 2**n * _bernoulli(n, (x + 1) / 2))
    return -2 * n * _dirichlet_eta(1 - n, x)


def _euler(n: Number, x: Number | None = None) -> Number:
    return mp.eulernum(as_integer(n)) if x is None else mp.eulerpoly(as_integer(n), x)


def _catalan(n: Number) -> Number:
    return 4**n * mp.gammaprod([n + mp.mpf(1) / 2], [n + 2]) / mp.sqrt(mp.pi)


def _fibonacci(n: Number, x: Number | None = None) -> Number:
    index = as_integer(n)
    if x is None:
        return mp.mpf(int(sympy.fibonacci(index)))
    if index < 0 or index > 2000:
        raise NoValue("Fibonacci polynomial of that degree")
    before, now = mp.one, mp.zero
    for _ in range(index):
        before, now = now, x * now + before
    return now


def _polygamma(order: Number, z: Number) -> Number:
    n = as_integer(order)
    if n < 0:
        raise NoValue("polygamma of negative order")
    return mp.psi(n, z)


def _lowergamma(s: Number, x: Number) -> Number:
    """x**s/s * 1F1(s, s + 1, -x): mpmath's own incomplete gamma recurses for whole s and small x."""
    if _is_integer(s) and s <= 0:
        raise NoValue("a pole of the lower incomplete gamma function")
    return mp.power(x, s) / s * mp.hyp1f1(s, s + 1, -x)


def _uppergamma(s: Number, x: Number) -> Number:
    """For whole s > 0 the finite sum (s - 1)! * exp(-x) * (1 + x + ... + x**(s - 1)/(s - 1)!)."""
    if not (_is_integer(s) and 0 < s <= FINITE_GAMMA):
        return mp.gammainc(s, x)
    term = total = mp.one
    for j in range(1, int(s)):
        term = term * x / j
        total += term
    return mp.factorial(s - 1) * mp.exp(-x) * total


def _expint(n: Number, x: Number) -> Number:
    if _is_integer(n) and n <= 0:
        return mp.power(x, n - 1) * _uppergamma(1 - n, x)
    return mp.expint(n, x)


def _dirichlet_eta(s: Number, a: Number | None = None) -> Number:
    if a is None:
        return mp.altzeta(s)
    if s == 1:
        return (mp.digamma((a + 1) / 2) - mp.digamma(a / 2)) / 2
    return mp.power(2, -s) * (mp.zeta(s, a / 2) - mp.zeta(s, (a + 1) / 2))


def _riemann_xi(s: Number) -> Number:
    return s * (s - 1) * mp.gamma(s / 2) * mp.zeta(s) / (2 * mp.power(mp.pi, s / 2))


def _multigamma(x: Number, p: Number) -> Number:
    k = as_integer(p)
    factors = [mp.gamma(x + mp.mpf(1 - j) / 2) for j in range(1, k + 1)]
    return mp.power(mp.pi, mp.mpf(k * (k - 1)) / 4) * mp.fprod(factors)


def _spherical(bessel: Implementation) -> Implementation:
    return lambda n, z: mp.sqrt(mp.pi / (2 * z)) * bessel(n + mp.mpf(1) / 2, z)


def _marcumq(m: Number, a: Number, b: Number) -> Number:
    """exp(-(a**2 + b**2)/2) times the sum of (a/b)**k * I_k(a*b) over k >= 1 - m."""
    if not a:
        return mp.gammainc(m, b * b / 2, regularized=True)
    total, k, quiet = mp.zero, 1 - as_integer(m), 0
    while quiet < 8:
        term = mp.power(a / b, k) * mp.besseli(k, a * b)
        total += term
        quiet = quiet + 1 if abs(term) < mp.eps * abs(total) else 0
        k += 1
    return total * mp.exp(-(a * a + b * b) / 2)


def _erfi(x: Number) -> Number:
    return mp.erfi(x)


def _elliptic_pi(*arguments: Number) -> Number:
    return mp.ellippi(*arguments)


def _hermite_prob(n: Number, x: Number) -> Number:
    return mp.power(2, -n / 2) * mp.hermite(n, x / mp.sqrt(2))


def _kronecker_delta(i: Number, j: Number, *limits: Number) -> Number:
    if limits:
        raise NoValue("KroneckerDelta with a range")
    return mp.one if i == j else mp.zero


def _assoc_legendre(n: Number, m: Number, x: Number) -> Number:
    return mp.legenp(n, m, x, type=2)


FUNCTIONS: dict[type[Basic], Implementation] = {
    sympy.exp: mp.exp, sympy.log: mp.log, sympy.exp_polar: _exp_polar, sympy.polar_lift: lambda x: x,
    sympy.LambertW: mp.lambertw,
    sympy.sin: mp.sin, sympy.cos: mp.cos, sympy.tan: mp.tan, sympy.cot: mp.cot, sympy.sec: mp.sec,
    sympy.csc: mp.csc, sympy.sinc: _sinc,
    sympy.asin: mp.asin, sympy.acos: mp.acos, sympy.atan: mp.atan, sympy.acot: _acot,
    sympy.asec: lambda x: mp.acos(1 / x), sympy.acsc: lambda x: mp.asin(1 / x),
    sympy.sinh: mp.sinh, sympy.cosh: mp.cosh, sympy.tanh: mp.tanh, sympy.coth: mp.coth,
    sympy.sech: mp.sech, sympy.csch: mp.csch,
    sympy.asinh: mp.asinh, sympy.acosh: mp.acosh, sympy.atanh: mp.atanh,
    sympy.acoth: lambda x: mp.atanh(1 / x), sympy.asech: lambda x: mp.acosh(1 / x),
    sympy.acsch: lambda x: mp.asinh(1 / x),
    sympy.conjugate: mp.conj, sympy.adjoint: mp.conj, sympy.transpose: lambda x: x,
    sympy.re: mp.re, sympy.im: mp.im, sympy.Abs: mp.fabs, sympy.arg: mp.arg,
    sympy.gamma: mp.gamma, sympy.loggamma: mp.loggamma, sympy.polygamma: _polygamma,
    sympy.digamma: lambda z: mp.psi(0, z), sympy.trigamma: lambda z: mp.psi(1, z),
    sympy.multigamma: _multigamma, sympy.lowergamma: _lowergamma,
    sympy.uppergamma: _uppergamma, sympy.beta: mp.beta, sympy.betainc: mp.betainc,
    sympy.betainc_regularized: lambda a, b, x, y: mp.betainc(a, b, x, y, regularized=True),
    sympy.factorial: lambda n: mp.gamma(n + 1), sympy.factorial2: _factorial2,
    sympy.subfactorial: _subfactorial, sympy.binomial: _binomial,
    sympy.RisingFactorial: mp.rf, sympy.FallingFactorial: mp.ff,
    sympy.harmonic: mp.harmonic, sympy.catalan: _catalan, sympy.fibonacci: _fibonacci,
    sympy.bernoulli: _bernoulli, sympy.euler: _euler, sympy.genocchi: _genocchi,
    sympy.erf: mp.erf, sympy.erfc: mp.erfc, sympy.erfi: _erfi, sympy.erf2: lambda a, b: mp.erf(b) - mp.erf(a),
    sympy.erfinv: mp.erfinv, sympy.erfcinv: lambda x: mp.erfinv(1 - x),
    sympy.Ei: mp.ei, sympy.expint: _expint, sympy.li: mp.li, sympy.Li: lambda x: mp.li(x) - mp.li(2),
    sympy.Si: mp.si, sympy.Ci: mp.ci, sympy.Shi: mp.shi, sympy.Chi: mp.chi,
    sympy.fresnels: mp.fresnels, sympy.fresnelc: mp.fresnelc,
    sympy.besselj: mp.besselj, sympy.bessely: mp.bessely, sympy.besseli: mp.besseli,
    sympy.besselk: mp.besselk, sympy.hankel1: mp.hankel1, sympy.hankel2: mp.hankel2,
    sympy.jn: _spherical(mp.besselj), sympy.yn: _spherical(mp.bessely),
    sympy.functions.special.bessel.hn1: _spherical(mp.hankel1),
    sympy.functions.special.bessel.hn2: _spherical(mp.hankel2),
    sympy.airyai: mp.airyai, sympy.airybi: mp.airybi,
    sympy.airyaiprime: lambda z: mp.airyai(z, derivative=1),
    sympy.airybiprime: lambda z: mp.airybi(z, derivative=1),
    sympy.functions.special.bessel.marcumq: _marcumq,
    sympy.zeta: mp.zeta, sympy.dirichlet_eta: _dirichlet_eta, sympy.polylog: mp.polylog,
    sympy.lerchphi: mp.lerchphi, sympy.functions.special.zeta_functions.riemann_xi: _riemann_xi,
    sympy.stieltjes: lambda n, a=1: mp.stieltjes(as_integer(n), a),
    sympy.elliptic_k: mp.ellipk, sympy.elliptic_f: mp.ellipf, sympy.elliptic_e: mp.ellipe,
    sympy.elliptic_pi: _elliptic_pi, sympy.appellf1: mp.appellf1,
    sympy.legendre: mp.legendre, sympy.assoc_legendre: _assoc_legendre,
    sympy.hermite: mp.hermite, sympy.hermite_prob: _hermite_prob,
    sympy.chebyshevt: mp.chebyt, sympy.chebyshevu: mp.chebyu, sympy.gegenbauer: mp.gegenbauer,
    sympy.jacobi: mp.jacobi, sympy.laguerre: lambda n, x: mp.laguerre(n, 0, x),
    sympy.assoc_laguerre: mp.laguerre,
    sympy.KroneckerDelta: _kronecker_delta,
}  # fmt: skip

ENTIRE = frozenset(
    {sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh, sympy.erf, sympy.erfc, sympy.erfi, sympy.sinc}
    | {sympy.re, sympy.im, sympy.conjugate, sympy.adjoint, sympy.transpose, sympy.Abs, sympy.Si, sympy.Shi}
    | {sympy.tan, sympy.cot, sympy.sec, sympy.csc, sympy.tanh, sympy.coth, sympy.sech, sympy.csch}
    | {sympy.airyai, sympy.airybi, sympy.airyaiprime, sympy.airybiprime, sympy.fresnels, sympy.fresnelc}
    | {sympy.gamma, sympy.factorial, sympy.zeta}
)
"""Functions without branch cuts: no point is next to a cut of theirs."""

CUT_ON_NEGATIVE = frozenset(
    {
        sympy.log,
        sympy.arg,
        sympy.loggamma,
        sympy.Ei,
        sympy.li,
        sympy.expint,
        sympy.Ci,
        sympy.Chi,
        sympy.LambertW,
    }
    | {sympy.besselj, sympy.bessely, sympy.besseli, sympy.besselk, sympy.hankel1, sympy.hankel2}
    | {sympy.uppergamma, sympy.lowergamma, sympy.jn, sympy.yn}
)
"""Functions whose cut is the negative real axis (in their last argument)."""
