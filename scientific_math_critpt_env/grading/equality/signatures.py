"""Equality as expressions in independent generators, tested in exact arithmetic modulo large primes.

Gonnet's idea: an expression is mapped by a ring homomorphism to a prime field, symbols and unknown functions
to random residues (one for each function and residue of its argument), exponentials to powers of an element
whose order is the next prime of a chain, so that exp(a + b) = exp(a)*exp(b) holds. Equal residues mean equal
expressions with an error below 1e-15 a trial, different ones mean nothing: `gamma` may have identities that
are not known here.

Covered: rational functions, exponentials, trigonometric and hyperbolic functions, general powers, roots,
logarithms of positive products, gamma and its relatives up to integer shifts. Everything else is a generator.
Not covered: branches. A root of a sum is a root with a random sign in each trial.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import sympy
from sympy import Add, Basic, Expr

from scientific_math_critpt_env.grading.equality.residues import Field, NoRoot, Rule, Unknown

TRIALS = 2
"""Independent assignments of residues; one fails with a probability of degree/2**61."""

ROOT_TRIALS = 40
"""The same where a root of a sum had to be chosen: each sign is random, and 2**-40 is small enough."""

MISSES_LIMIT = 160
"""Assignments given up because a sum had no square root (every second has none); then it is a symbol."""

NODES_LIMIT = 4000
"""Larger expressions go to the probes."""


def same_signature(left: Expr, right: Expr, seed: int) -> bool:
    """Whether both sides are equal in independent generators; False says nothing."""
    if _too_large(left) or _too_large(right):
        return False
    source = random.Random(seed)
    trials, done, misses = TRIALS, 0, 0
    while done < trials:
        field = Field(source, _RULES, insists=misses < MISSES_LIMIT)
        try:
            if field.residue(left) != field.residue(right):
                return False
        except NoRoot:
            misses += 1
            continue
        except (Unknown, RecursionError):
            return False
        if field.roots_chosen:
            trials = ROOT_TRIALS
        done += 1
    return True


def _too_large(expression: Expr) -> bool:
    return any(count > NODES_LIMIT for count, _ in enumerate(sympy.preorder_traversal(expression)))


def _circular(combine: Callable[[int, int, int, int], int], *, turned: bool, inverted: bool = False) -> Rule:
    def rule(field: Field, node: Expr, level: int) -> int:
        forth, back, p = field.circle(node, level, turned=turned)
        value = combine(forth, back, field.imaginary[level] if turned else 1, p) % p
        return field.inverse(value, p) if inverted else value

    return rule


def _cosine(forth: int, back: int, unit: int, p: int) -> int:
    return (forth + back) * ((p + 1) // 2)


def _sine(forth: int, back: int, unit: int, p: int) -> int:
    return (forth - back) * pow(2 * unit, -1, p)


def _tangent(forth: int, back: int, unit: int, p: int) -> int:
    if (forth + back) % p == 0:
        raise Unknown
    return (forth - back) * pow(unit * (forth + back), -1, p)


def _binomial(field: Field, node: Expr, level: int) -> int:
    n, k = node.args
    if n.is_integer and n.is_negative:
        return field.opaque(node, level)  # gamma does not settle SymPy's values there
    return field.quotient([n + 1], [k + 1, n - k + 1], level)


def _linear(field: Field, node: Expr, level: int) -> int:
    """An integral or a sum, term by term, with constant factors outside and its variables renamed."""
    variables = [limit[0] for limit in node.limits]
    total = 0
    for term in Add.make_args(sympy.expand(node.function)):
        factor, rest = term.as_independent(*variables, as_Add=False)
        kept = node.func(rest, *node.limits).as_dummy()
        total += field.residue(factor, level) * field.generator(kept, level)
    return total


_RULES: dict[type[Basic], Rule] = {
    sympy.exp: lambda field, node, level: field.exponential(node.args[0], level),
    sympy.log: lambda field, node, level: field.logarithm(node.args[0], level),
    sympy.sin: _circular(_sine, turned=True),
    sympy.cos: _circular(_cosine, turned=True),
    sympy.tan: _circular(_tangent, turned=True),
    sympy.cot: _circular(_tangent, turned=True, inverted=True),
    sympy.sec: _circular(_cosine, turned=True, inverted=True),
    sympy.csc: _circular(_sine, turned=True, inverted=True),
    sympy.sinh: _circular(_sine, turned=False),
    sympy.cosh: _circular(_cosine, turned=False),
    sympy.tanh: _circular(_tangent, turned=False),
    sympy.coth: _circular(_tangent, turned=False, inverted=True),
    sympy.sech: _circular(_cosine, turned=False, inverted=True),
    sympy.csch: _circular(_sine, turned=False, inverted=True),
    sympy.gamma: lambda field, node, level: field.gamma(node.args[0], level),
    sympy.factorial: lambda field, node, level: field.gamma(node.args[0] + 1, level),
    sympy.binomial: _binomial,
    sympy.beta: lambda field, node, level: field.quotient(list(node.args), [Add(*node.args)], level),
    sympy.RisingFactorial: lambda f, node, level: f.quotient([Add(*node.args)], [node.args[0]], level),
    sympy.FallingFactorial: lambda f, node, level: f.quotient(
        [node.args[0] + 1], [node.args[0] - node.args[1] + 1], level
    ),
    sympy.Integral: _linear,
    sympy.Sum: _linear,
    sympy.UnevaluatedExpr: lambda field, node, level: field.residue(node.args[0], level),
}
