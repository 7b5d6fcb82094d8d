"""Probability of a spin measurement after precession about a rational axis."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Degenerate, Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_source

Vector = tuple[int, int, int]

_DIRECTIONS: tuple[tuple[Vector, int], ...] = (
    ((1, 0, 0), 1), ((0, 1, 0), 1), ((0, 0, 1), 1), ((3, 0, 4), 5), ((4, 3, 0), 5), ((0, -3, 4), 5),
    ((1, 2, 2), 3), ((2, -1, 2), 3), ((-2, 2, 1), 3), ((2, 3, 6), 7), ((6, -2, 3), 7), ((3, 6, -2), 7),
    ((1, 4, 8), 9), ((4, -4, 7), 9), ((8, 1, -4), 9), ((5, 0, -12), 13), ((-12, 5, 0), 13),
    ((2, 10, 11), 15), ((6, 6, -7), 11), ((2, 6, 9), 11), ((-9, 2, 6), 11),
)  # fmt: skip
"""Vectors of integers with a whole length."""


@dataclass(frozen=True)
class Parameters:
    start: int
    axis: int
    measured: int
    frequency: int


@register
class SpinRotation(Family[Parameters]):
    name = "spin_rotation"
    topic = "quantum-mechanics"
    route = "two-component spinors"

    def draw(self, draw: Draw, level: int) -> Parameters:
        top = 5 if level == 1 else 11 if level == 2 else len(_DIRECTIONS) - 1
        start, axis, measured = (draw.integer(0, top) for _ in range(3))
        if start == axis or axis == measured:
            raise Degenerate
        return Parameters(start, axis, measured, draw.integer(1, 9))

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        start, axis, measured = (_unit(index) for index in (p.start, p.axis, p.measured))
        along = _dot(start, axis) * _dot(axis, measured)
        cross = _dot(measured, _cross(axis, start))
        # Rodrigues: the spin's direction turns about the axis; the probability is half of 1 plus a cosine.
        constant = (1 + along) / 2
        cosine, sine = (_dot(start, measured) - along) / 2, cross / 2
        if cosine == sine == 0:
            raise Degenerate
        angle = sum_source([(p.frequency, "t")])
        words = [_words(index) for index in (p.start, p.axis, p.measured)]
        field = rf"H=\frac{{{p.frequency}\hbar}}{{2}}\,\mathbf n\cdot\boldsymbol\sigma"
        if p.frequency == 1:
            field = r"H=\frac{\hbar}{2}\,\mathbf n\cdot\boldsymbol\sigma"
        prompt = wording.choice(
            [
                "A spin $\\tfrac12$ is prepared at time $0$ in the eigenstate of $\\mathbf "
                f"m\\cdot\\boldsymbol\\sigma$ with eigenvalue $+1$, $\\mathbf m={words[0]}$. Its "
                f"Hamiltonian is ${field}$ with $\\mathbf n={words[1]}$. With what probability does a "
                f"measurement of $\\mathbf k\\cdot\\boldsymbol\\sigma$, $\\mathbf k={words[2]}$, at time "
                "$t$ give $+1$?",
                f"At $t=0$ a spin-$\\tfrac12$ particle has spin up along $\\mathbf m={words[0]}$. It "
                f"evolves under ${field}$, $\\mathbf n={words[1]}$ ($\\boldsymbol\\sigma$: Pauli matrices). "
                f"Find the probability that it is found with spin up along $\\mathbf k={words[2]}$ at time "
                "$t$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return a SymPy expression in `t`.",
            answer_fn=sum_source([(constant, ""), (cosine, f"cos({angle})"), (sine, f"sin({angle})")]),
            symbols={"t": {"real": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        start, axis, measured = (
            [mp.mpf(c.numerator) / c.denominator for c in _unit(i)] for i in (p.start, p.axis, p.measured)
        )
        up, found = _spinor(start), _spinor(measured)
        n = [[axis[2], mp.mpc(axis[0], -axis[1])], [mp.mpc(axis[0], axis[1]), -axis[2]]]
        for t in (mp.mpf("0.31"), mp.mpf("1.7")):
            c, s = mp.cos(p.frequency * t / 2), mp.sin(p.frequency * t / 2)
            later = [c * up[i] - 1j * s * (n[i][0] * up[0] + n[i][1] * up[1]) for i in range(2)]
            amplitude = mp.conj(found[0]) * later[0] + mp.conj(found[1]) * later[1]
            same(abs(amplitude) ** 2, gold.at(t=t), digits=15, scale=1)


def _unit(index: int) -> tuple[Fraction, ...]:
    vector, length = _DIRECTIONS[index]
    return tuple(Fraction(c, length) for c in vector)


def _words(index: int) -> str:
    vector, length = _DIRECTIONS[index]
    written = f"({','.join(map(str, vector))})"
    return written if length == 1 else rf"\tfrac1{{{length}}}{written}"


def _dot(a: tuple[Fraction, ...], b: tuple[Fraction, ...]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))


def _cross(a: tuple[Fraction, ...], b: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _spinor(n: list[Any]) -> list[Any]:
    """Eigenvector of n.sigma with eigenvalue 1; directions opposite to z are not in the table."""
    size = mp.sqrt(2 * (1 + n[2]))
    return [(1 + n[2]) / size, mp.mpc(n[0], n[1]) / size]
