"""Closed form of a linear recurrence of order two or three with an inhomogeneous term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.exact import evaluated, from_roots
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    roots: tuple[int, ...]
    amplitudes: tuple[int, ...]
    forcing: tuple[int, int]
    """(A, r) of the particular solution A r^n; A = 0 for none."""


@register
class LinearRecurrence(Family[Parameters]):
    name = "linear_recurrence"
    topic = "combinatorics-number-theory"
    route = "iteration of the recurrence"

    def draw(self, draw: Draw, level: int) -> Parameters:
        count = 2 if level < 4 else 3
        roots = draw.distinct(-5, 5, count, zero=False)
        if level in (3, 5) and draw.integer(0, 1):
            roots[1] = roots[0]
        amplitudes = tuple(draw.nonzero(-6, 6) for _ in range(count))
        forcing = (draw.nonzero(-4, 4), draw.nonzero(-4, 4)) if level > 1 else (0, 1)
        if forcing[0] and forcing[1] in roots:
            raise Degenerate
        return Parameters(tuple(roots), amplitudes, forcing)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        polynomial = [int(c) for c in from_roots(p.roots)]
        order = len(p.roots)
        amplitude, base = p.forcing
        value = amplitude * int(evaluated(polynomial, base))
        names = ["a_n", "a_{n+1}", "a_{n+2}", "a_{n+3}"]
        terms = [(-polynomial[k], names[k]) for k in range(order - 1, -1, -1)]
        power = "" if base == 1 else rf"\cdot({base})^n" if base < 0 else rf"\cdot{base}^n"
        # a_(n+order) = ... + value base^n
        extra = sum_tex([(value, "")]) + power if value else ""
        right = sum_tex(terms) + (extra if extra.startswith("-") or not extra else f"+{extra}")
        start = ",\\quad ".join(f"a_{n}={_term(p, n)}" for n in range(order))
        prompt = wording.choice(
            [
                f"Let ${start}$ and $${names[order]}={right}\\qquad(n\\ge0).$$ Find $a_n$ in closed form.",
                f"Solve the recurrence $${names[order]}={right},\\qquad {start}.$$",
            ]
        )
        parts = []
        for k, (c, r) in enumerate(zip(p.amplitudes, p.roots, strict=True)):
            front = "n" if k == 1 and r == p.roots[0] else ""
            parts.append((c, "*".join(part for part in (front, _power(r)) if part)))
        parts.append((amplitude, _power(base)))
        return Posed(
            prompt=f"{prompt} Return $a_n$ for $n\\ge0$ as a SymPy expression in the integer `n`.",
            answer_fn=sum_source(parts),
            symbols={"n": {"integer": True, "nonnegative": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        polynomial = [int(c) for c in from_roots(p.roots)]
        order = len(p.roots)
        value = p.forcing[0] * int(evaluated(polynomial, p.forcing[1]))
        sequence = [_term(p, n) for n in range(order)]
        for n in range(12):
            following = -sum(polynomial[k] * sequence[n + k] for k in range(order))
            sequence.append(following + value * p.forcing[1] ** n)
        for n, term in enumerate(sequence):
            same(term, gold.at(n=n), digits=20)


def _term(p: Parameters, n: int) -> int:
    total = p.forcing[0] * p.forcing[1] ** n
    for k, (c, r) in enumerate(zip(p.amplitudes, p.roots, strict=True)):
        total += c * r**n * (n if k == 1 and r == p.roots[0] else 1)
    return total


def _power(base: int) -> str:
    return "" if base == 1 else f"({base})**n" if base < 0 else f"{base}**n"
