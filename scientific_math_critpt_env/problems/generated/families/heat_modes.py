"""Heat equation on a rod whose initial temperature is a power or product of a few modes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same, zero
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import sum_source, sum_tex


@dataclass(frozen=True)
class Parameters:
    length: int
    """In units of pi."""
    diffusivity: int
    loss: int
    modes: tuple[tuple[int, int], ...]
    """(amplitude, mode number)."""
    cubes: tuple[tuple[int, int], ...]
    """(amplitude, m) for amplitude times the cube of mode m."""
    insulated: bool


@register
class HeatModes(Family[Parameters]):
    name = "heat_modes"
    topic = "partial-differential-equations"
    route = "residuals of the equation, of the ends and of the initial values"

    def draw(self, draw: Draw, level: int) -> Parameters:
        insulated = level > 2 and bool(draw.integer(0, 1))
        modes = tuple((draw.nonzero(-9, 9), m) for m in sorted(draw.distinct(1, 6, 2)))
        cubes = ((draw.nonzero(-5, 5) * 4, draw.integer(1, 3)),) if level > 1 else ()
        loss = draw.integer(1, 5) if level > 2 else 0
        return Parameters(draw.integer(1, 3), draw.integer(1, 3 + level), loss, modes, cubes, insulated)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        wave = "cos" if p.insulated else "sin"
        amplitudes: dict[int, Fraction] = {}
        for amplitude, m in p.modes:
            amplitudes[m] = amplitudes.get(m, Fraction(0)) + amplitude
        for amplitude, m in p.cubes:
            # sin^3 = (3 sin - sin 3)/4, cos^3 = (3 cos + cos 3)/4
            sign = 1 if p.insulated else -1
            amplitudes[m] = amplitudes.get(m, Fraction(0)) + Fraction(3 * amplitude, 4)
            amplitudes[3 * m] = amplitudes.get(3 * m, Fraction(0)) + Fraction(sign * amplitude, 4)
        terms = []
        for m in sorted(amplitudes):
            place = sum_source([(Fraction(m, p.length), "x")])
            decay = sum_source([(-p.diffusivity * Fraction(m, p.length) ** 2 - p.loss, "t")])
            terms.append((amplitudes[m], f"{wave}({place})*exp({decay})"))
        start = [(a, _wave_tex(wave, Fraction(m, p.length), 1)) for a, m in p.modes]
        start += [(a, _wave_tex(wave, Fraction(m, p.length), 3)) for a, m in p.cubes]
        equation = f"u_t={sum_tex([(p.diffusivity, 'u_{xx}'), (-p.loss, 'u')])}"
        end = sum_tex([(p.length, r"\pi")])
        ends = f"u_x(0,t)=u_x({end},t)=0" if p.insulated else f"u(0,t)=u({end},t)=0"
        conditions = f"{ends},\\qquad u(x,0)={sum_tex(start)}"
        prompt = wording.choice(
            [
                f"Solve ${equation}$ for $0<x<{end}$, $t>0$ with $${conditions}.$$",
                f"The temperature $u(x,t)$ of a rod, $0<x<{end}$, obeys ${equation}$ and $${conditions}.$$ "
                "Find $u$ for $t>0$.",
            ]
        )
        return Posed(
            prompt=f"{prompt} Return $u(x,t)$ as a SymPy expression in `x` and `t`.",
            answer_fn=sum_source(terms),
            symbols={"x": {"real": True}, "t": {"positive": True}},
        )

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        end = p.length * mp.pi
        for x, t in ((mp.mpf("0.37"), mp.mpf("0.05")), (mp.mpf("1.9"), mp.mpf("0.02"))):
            time = mp.diff(lambda t, x=x: gold.at(x=x, t=t), t)
            bend = mp.diff(lambda x, t=t: gold.at(x=x, t=t), x, 2)
            zero(time - p.diffusivity * bend + p.loss * gold.at(x=x, t=t), scale=abs(time) + 1, digits=7)
            for place in (mp.mpf(0), end):
                edge = gold.at(x=place, t=t)
                if p.insulated:
                    edge = mp.diff(lambda x, t=t: gold.at(x=x, t=t), place)
                zero(edge, scale=10, digits=8)
            wave = mp.cos if p.insulated else mp.sin
            start = mp.fsum(a * wave(m * x / p.length) for a, m in p.modes)
            start += mp.fsum(a * wave(m * x / p.length) ** 3 for a, m in p.cubes)
            same(gold.at(x=x, t=0), start, digits=20, scale=1)


def _wave_tex(wave: str, frequency: Fraction, power: int) -> str:
    raised = f"^{{{power}}}" if power > 1 else ""
    return rf"\{wave}{raised} {sum_tex([(frequency, 'x')])}"
