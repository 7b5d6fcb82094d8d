"""A value in random matrices for an expression whose objects do not commute.

Covered: sums, products, integer powers, inverses, transposes, adjoints, traces, determinants, Kronecker and
Hadamard products, exponentials, sines and cosines, commutators, explicit and block matrices, symbolic
dimensions. Anything else raises NotImplementedError, and the comparison is undecided.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import mpmath
from sympy import (
    Add,
    Basic,
    Expr,
    I,
    Integer,
    MatrixBase,
    MatrixExpr,
    MatrixSymbol,
    Mul,
    Pow,
    Rational,
    Symbol,
    cos,
    exp,
    sin,
)
from sympy.matrices.expressions.matexpr import MatrixElement

from scientific_math_critpt_env.grading.structures.matrix_values import (
    exact,
    kronecker_product,
    nearest_integer,
    number_of,
    total,
)
from scientific_math_critpt_env.grading.structures.sampling import fits

Value = Any
"""An mpmath number or matrix."""

MAX_DIMENSION = 24
"""Of an explicit or symbolic matrix in a draw."""

SYMBOL_ATTEMPTS = 200
"""Values tried for a commuting symbol, complex ones first, until one has its assumptions."""


def represent(expression: Basic, size: int, assignment: dict[Any, Value], source: random.Random) -> Value:
    """A number or an mpmath matrix; objects met for the first time are drawn into `assignment`."""
    return _Representation(size, assignment, source).of(expression)


class _Representation:
    def __init__(self, size: int, assignment: dict[Any, Value], source: random.Random) -> None:
        self.size, self.assignment, self.source = size, assignment, source

    def of(self, node: Any) -> Value:
        if isinstance(node, Symbol):
            return self._drawn(node, lambda: self._symbol(node))
        if isinstance(node, MatrixSymbol):
            return self._drawn(node, lambda: self._matrix(*(self._dimension(n) for n in node.shape)))
        if isinstance(node, MatrixBase):
            return self._explicit(node)
        rule = _RULES.get(type(node).__name__)
        if rule is not None:
            return rule(self, node)
        if isinstance(node, MatrixExpr):
            return self._explicit(node.as_explicit())
        if isinstance(node, Expr) and not node.args:
            return number_of(node)
        return self._function(node)

    def _drawn(self, node: Basic, draw: Callable[[], Value]) -> Value:
        if node not in self.assignment:
            self.assignment[node] = draw()
        return self.assignment[node]

    def _symbol(self, node: Symbol) -> Value:
        if node.is_commutative is False:
            matrix = self._matrix(self.size, self.size)
            return (matrix + matrix.H) / 2 if node.is_hermitian else matrix
        for attempt in range(SYMBOL_ATTEMPTS):
            number = Rational(self.source.randint(-99, 99), self.source.choice((1, 1, 2, 3, 37)))
            if attempt < SYMBOL_ATTEMPTS // 2:
                number += I * Rational(self.source.randint(1, 99), 37)
            if fits(node, number):
                return number_of(number)
        raise NotImplementedError("no value fits the assumptions")

    def _dimension(self, dimension: Basic) -> int:
        if isinstance(dimension, Integer):
            number = int(dimension)
        else:
            for symbol in sorted(dimension.free_symbols, key=str):
                self.assignment.setdefault(("dimension", symbol), self.source.randint(2, 4))
            sizes = {s: Integer(self.assignment["dimension", s]) for s in dimension.free_symbols}
            number = int(dimension.xreplace(sizes))
        if not 0 < number <= MAX_DIMENSION:
            raise NotImplementedError("the dimension cannot be drawn")
        return number

    def _matrix(self, rows: int, columns: int) -> Value:
        entries = [[self._entry() for _ in range(columns)] for _ in range(rows)]
        return mpmath.matrix(entries)

    def _entry(self) -> Value:
        return mpmath.mpc(self.source.randint(-99, 99), self.source.randint(-99, 99)) / 37

    def _explicit(self, matrix: MatrixBase) -> Value:
        if max(matrix.shape) > MAX_DIMENSION:
            raise NotImplementedError("the matrix is too large")
        rows = [[self.of(matrix[i, j]) for j in range(matrix.cols)] for i in range(matrix.rows)]
        if any(isinstance(entry, mpmath.matrix) for row in rows for entry in row):
            raise NotImplementedError("a matrix of operators")
        return mpmath.matrix(rows)

    def _function(self, node: Any) -> Value:
        values = [self.of(argument) for argument in node.args]
        if any(isinstance(value, mpmath.matrix) for value in values):
            raise NotImplementedError(f"{type(node).__name__} of a matrix")
        numbers = {s: exact(self.of(s)) for s in node.free_symbols}
        return number_of(node.xreplace(numbers))

    def add(self, node: Add) -> Value:
        return total([self.of(term) for term in node.args])

    def mul(self, node: Mul) -> Value:
        product: Value = mpmath.mpf(1)
        for factor in node.args:
            product = product * self.of(factor)
        return product

    def power(self, node: Pow) -> Value:
        base, exponent = self.of(node.args[0]), node.args[1]
        if not isinstance(base, mpmath.matrix):
            if isinstance(self.of(exponent), mpmath.matrix):
                if base == mpmath.e:
                    return mpmath.expm(self.of(exponent))
                raise NotImplementedError("a matrix exponent")
            return number_of(exact(base) ** exact(self.of(exponent)))
        if not isinstance(exponent, Integer):
            exponent = nearest_integer(self.of(exponent))
        power = int(exponent)
        if abs(power) > 64:
            raise NotImplementedError("the power is too high")
        return base**power

    def inverse(self, node: Any) -> Value:
        return self.of(node.args[0]) ** -1

    def transpose(self, node: Any) -> Value:
        value = self.of(node.args[0])
        return value.T if isinstance(value, mpmath.matrix) else value

    def adjoint(self, node: Any) -> Value:
        value = self.of(node.args[0])
        return value.H if isinstance(value, mpmath.matrix) else mpmath.conj(value)

    def conjugate(self, node: Any) -> Value:
        value = self.of(node.args[0])
        return value.apply(mpmath.conj) if isinstance(value, mpmath.matrix) else mpmath.conj(value)

    def trace(self, node: Any) -> Value:
        value = self.of(node.args[0])
        return mpmath.fsum(value[i, i] for i in range(value.rows))

    def determinant(self, node: Any) -> Value:
        return mpmath.det(self.of(node.args[0]))

    def identity(self, node: Any) -> Value:
        return mpmath.eye(self._dimension(node.shape[0]))

    def zero(self, node: Any) -> Value:
        return mpmath.zeros(*(self._dimension(n) for n in node.shape))

    def ones(self, node: Any) -> Value:
        return mpmath.ones(*(self._dimension(n) for n in node.shape))

    def element(self, node: MatrixElement) -> Value:
        i, j = (nearest_integer(self.of(index)) for index in node.args[1:])
        return self.of(node.args[0])[int(i), int(j)]

    def hadamard(self, node: Any) -> Value:
        values = [self.of(argument) for argument in node.args]
        product = values[0].copy()
        for other in values[1:]:
            for i in range(product.rows):
                for j in range(product.cols):
                    product[i, j] *= other[i, j]
        return product

    def kronecker(self, node: Any) -> Value:
        product: Value = mpmath.matrix([[1]])
        for argument in node.args:
            product = kronecker_product(product, self.of(argument))
        return product

    def commutator(self, node: Any) -> Value:
        a, b = (self.of(argument) for argument in node.args)
        return a * b - b * a

    def anticommutator(self, node: Any) -> Value:
        a, b = (self.of(argument) for argument in node.args)
        return a * b + b * a

    def analytic(self, node: Any) -> Value:
        value = self.of(node.args[0])
        if not isinstance(value, mpmath.matrix):
            return number_of(node.func(exact(value)))
        return {exp: mpmath.expm, sin: mpmath.sinm, cos: mpmath.cosm}[node.func](value)


_RULES = {
    "Add": _Representation.add,
    "MatAdd": _Representation.add,
    "Mul": _Representation.mul,
    "MatMul": _Representation.mul,
    "Pow": _Representation.power,
    "MatPow": _Representation.power,
    "Inverse": _Representation.inverse,
    "Transpose": _Representation.transpose,
    "transpose": _Representation.transpose,
    "Adjoint": _Representation.adjoint,
    "adjoint": _Representation.adjoint,
    "Dagger": _Representation.adjoint,
    "conjugate": _Representation.conjugate,
    "Trace": _Representation.trace,
    "Determinant": _Representation.determinant,
    "Identity": _Representation.identity,
    "ZeroMatrix": _Representation.zero,
    "OneMatrix": _Representation.ones,
    "MatrixElement": _Representation.element,
    "HadamardProduct": _Representation.hadamard,
    "KroneckerProduct": _Representation.kronecker,
    "Commutator": _Representation.commutator,
    "AntiCommutator": _Representation.anticommutator,
    "exp": _Representation.analytic,
    "sin": _Representation.analytic,
    "cos": _Representation.analytic,
}
"""By class name: some have two homes (`adjoint`, `Adjoint`), and the quantum module need not be loaded."""
