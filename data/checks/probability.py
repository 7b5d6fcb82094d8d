"""Checks of data/probability.jsonl."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import mpmath as mp
import sympy

from . import Comparison, Gold, check, same


@check("prob.001", route="exact iterated integration over the ordered cube")
def _(gold: Gold) -> Iterator[Comparison]:
    for n in (2, 3, 4, 5):
        x = sympy.symbols(f"x1:{n + 1}")

        def mean(power: int, n: int = n, x: Any = x) -> Any:
            """Mean of range**power: n! times the integral over 0 < x1 < ... < xn < 1."""
            density = sympy.Poly((x[-1] - x[0]) ** power, *x)
            for k in range(n):
                upper = x[k + 1] if k + 1 < n else 1
                density = sympy.Poly(density.integrate(x[k]).as_expr().subs(x[k], upper), *x)
            return sympy.factorial(n) * density.as_expr()

        yield same(mean(2) - mean(1) ** 2, gold.at(n=n))


@check("prob.002", route="linear equations of the Markov chain")
def _(gold: Gold) -> Iterator[Comparison]:
    for p in (0.5, 0.25, 0.8125):
        chain = _progress(["HTHT"])
        matrix, right = mp.eye(4), mp.ones(4, 1)
        for state in range(4):
            for letter, chance in (("H", p), ("T", 1 - p)):
                target = chain["HTHT"[:state], letter]
                if target != "HTHT":
                    matrix[state, len(target)] -= chance
        yield same(mp.lu_solve(matrix, right)[0], gold.at(p=p))


@check("prob.003", route="linear equations of the Markov chain for all fifteen words")
def _(gold: Gold) -> Iterator[Comparison]:
    words = ["".join(letters) for letters in product("HT", repeat=4)]
    chances = {word: _wins(word, "HTHH") for word in words if word != "HTHH"}
    best = max(chances, key=lambda word: chances[word])
    yield same(sum(abs(chance - chances[best]) < 1e-12 for chance in chances.values()), 1)
    yield same(best, gold.at())


def _wins(mine: str, theirs: str) -> Any:
    """Probability that `mine` appears before `theirs` in fair tosses."""
    chain = _progress([mine, theirs])
    states = sorted({state for state, _ in chain})
    matrix, right = mp.eye(len(states)), mp.zeros(len(states), 1)
    for row, state in enumerate(states):
        for letter in "HT":
            target = chain[state, letter]
            if target == mine:
                right[row] += 0.5
            elif target != theirs:
                matrix[row, states.index(target)] -= 0.5
    return mp.lu_solve(matrix, right)[states.index("")]


def _progress(words: list[str]) -> dict[tuple[str, str], str]:
    """From each proper prefix of a word and a toss to the longest prefix that the tosses end in."""
    prefixes = {word[:k] for word in words for k in range(len(word) + 1)}
    steps = {}
    for prefix in prefixes - set(words):
        for letter in "HT":
            text = prefix + letter
            steps[prefix, letter] = next(text[k:] for k in range(len(text) + 1) if text[k:] in prefixes)
    return steps


@check("prob.004", route="exact recursion over the counts of faces")
def _(gold: Gold) -> Iterator[Comparison]:
    @cache
    def rolls(unseen: int, once: int) -> Fraction:
        """Expected further rolls with so many faces never seen and seen once."""
        if unseen == once == 0:
            return Fraction(0)
        total = Fraction(6)
        if unseen:
            total += unseen * rolls(unseen - 1, once + 1)
        if once:
            total += once * rolls(unseen, once - 1)
        return total / (unseen + once)

    yield same(rolls(6, 0), gold.at(), rtol=1e-12)
