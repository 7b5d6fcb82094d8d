"""The reduced form of a distribution in one real variable: a regular part and deltas at points."""

from __future__ import annotations

from dataclasses import dataclass, field

from sympy import (
    Abs,
    Add,
    DiracDelta,
    Expr,
    Heaviside,
    Integer,
    Mul,
    Poly,
    Pow,
    S,
    Symbol,
    binomial,
    diff,
    expand,
    roots,
    sign,
)

MAX_ORDER = 6
"""Of a derivative of a delta; each costs a derivative of its cofactor."""


@dataclass(slots=True)
class Reduced:
    """regular(x) + sum of deltas[place][order] * delta^(order)(x - place)."""

    regular: Expr
    deltas: dict[Expr, dict[int, Expr]] = field(default_factory=dict)

    def add(self, place: Expr, order: int, coefficient: Expr) -> None:
        orders = self.deltas.setdefault(place, {})
        orders[order] = orders.get(order, S.Zero) + coefficient


def reduce_deltas(expression: Expr, variable: Symbol) -> Reduced:
    """The reduced form; raises NotImplementedError where the expression is no such distribution."""
    reduced = Reduced(S.Zero)
    for term in Add.make_args(_expanded(expression)):
        deltas, cofactor = _split(term, variable)
        if not deltas:
            reduced.regular += cofactor
        elif len(deltas) > 1:
            raise NotImplementedError("a product of deltas of one variable")
        else:
            _add_delta(reduced, deltas[0], cofactor, variable)
    return reduced


def _expanded(expression: Expr) -> Expr:
    """Sums multiplied out where they contain deltas, and nothing else."""
    if not expression.has(DiracDelta):
        return expression
    if isinstance(expression, Add):
        return Add(*map(_expanded, expression.args))
    if isinstance(expression, Mul):
        with_deltas = Mul(*(_expanded(f) for f in expression.args if f.has(DiracDelta)))
        rest = Mul(*(f for f in expression.args if not f.has(DiracDelta)))
        product = expand(with_deltas, deep=False, mul=True)
        return Add(*(rest * term for term in Add.make_args(product)))
    if isinstance(expression, Pow) and isinstance(expression.exp, Integer) and 1 < expression.exp <= 4:
        return expand(expression)
    return expression


def _split(term: Expr, variable: Symbol) -> tuple[list[DiracDelta], Expr]:
    deltas, others = [], []
    for factor in Mul.make_args(term):
        if isinstance(factor, DiracDelta) and factor.args[0].has(variable):
            deltas.append(factor)
        elif factor.has(DiracDelta) and any(d.args[0].has(variable) for d in factor.atoms(DiracDelta)):
            raise NotImplementedError("a delta inside a function")
        else:
            others.append(factor)
    return deltas, Mul(*others)


def _add_delta(reduced: Reduced, delta: DiracDelta, cofactor: Expr, variable: Symbol) -> None:
    argument, order = delta.args[0], int(delta.args[1]) if len(delta.args) > 1 else 0
    if order > MAX_ORDER:
        raise NotImplementedError("a derivative of too high an order")
    places = _simple_roots(argument, variable)
    slope = diff(argument, variable)
    for place in places:
        # delta^(k)(f) = ((1/f') d/dx)^k applied to sum of delta(x - a)/|f'(a)|
        coefficients = {0: 1 / Abs(slope.subs(variable, place))}
        for _ in range(order):
            coefficients = _times({k + 1: c for k, c in coefficients.items()}, 1 / slope, place, variable)
        for k, coefficient in _times(coefficients, cofactor, place, variable).items():
            reduced.add(place, k, coefficient)


def _times(coefficients: dict[int, Expr], factor: Expr, place: Expr, variable: Symbol) -> dict[int, Expr]:
    """g(x) * delta^(k)(x-a) = sum over j of (-1)^(k-j) * C(k, j) * g^(k-j)(a) * delta^(j)(x-a)."""
    product: dict[int, Expr] = {}
    highest = max(coefficients)
    derivatives = [_smooth_value(diff(factor, variable, i), place, variable) for i in range(highest + 1)]
    for k, coefficient in coefficients.items():
        for j in range(k + 1):
            term = (-1) ** (k - j) * binomial(k, j) * derivatives[k - j] * coefficient
            product[j] = product.get(j, S.Zero) + term
    return product


def _smooth_value(function: Expr, place: Expr, variable: Symbol) -> Expr:
    for step in function.atoms(Heaviside, sign, Abs):
        if step.has(variable) and step.args[0].subs(variable, place).is_zero is not False:
            raise NotImplementedError("a delta at a jump or kink of its cofactor")
    value = function.subs(variable, place)
    if value.is_finite is False or value.has(S.NaN, S.ComplexInfinity):
        raise NotImplementedError("a delta at a pole of its cofactor")
    return value


def _simple_roots(argument: Expr, variable: Symbol) -> list[Expr]:
    if not argument.is_polynomial(variable):
        raise NotImplementedError("a delta of what is no polynomial")
    polynomial = Poly(argument, variable)
    found = roots(polynomial)
    if sum(found.values()) != polynomial.degree() or any(count > 1 for count in found.values()):
        raise NotImplementedError("roots that are not all known and simple")
    real = [root for root in found if root.is_real is not False]
    if polynomial.degree() > 1 and any(root.is_real is None for root in real):
        raise NotImplementedError("roots that may be complex")
    return real
