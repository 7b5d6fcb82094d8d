"""Mean or variance of the k-th smallest of n variables with the distribution function (x/b)^a."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import mpmath as mp

from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Family, Posed
from scientific_math_critpt_env.problems.generated.reading import same
from scientific_math_critpt_env.problems.generated.registry import register
from scientific_math_critpt_env.problems.generated.writing import source


@dataclass(frozen=True)
class Parameters:
    count: int
    rank: int
    exponent: Fraction
    end: int
    power: int
    variance: bool


@register
class OrderStatistic(Family[Parameters]):
    name = "order_statistic"
    topic = "probability"
    route = "quadrature of the density"

    def draw(self, draw: Draw, level: int) -> Parameters:
        count = draw.integer(3, 7 + level)
        exponent = Fraction(draw.integer(1, 9), draw.integer(1, 5) if level > 2 else 1)
        power = draw.integer(1, 3) if level > 1 else 1
        return Parameters(count, draw.integer(1, count), exponent, draw.integer(1, 20), power, level > 3)

    def pose(self, parameters: Parameters, wording: Draw) -> Posed:
        p = parameters
        value = _mean(p, p.power)
        if p.variance:
            value = _mean(p, 2 * p.power) - value**2
        base = "x" if p.end == 1 else rf"\left(\frac{{x}}{{{p.end}}}\right)"
        distribution = base if p.exponent == 1 else f"{base}^{{{p.exponent}}}"
        distribution = r"\frac{x}{" + str(p.end) + "}" if p.exponent == 1 and p.end > 1 else distribution
        statistic = f"X_{{({p.rank})}}" + (f"^{{{p.power}}}" if p.power > 1 else "")
        wanted = (
            rf"\operatorname{{Var}}\left[{statistic}\right]"
            if p.variance
            else rf"\mathrm E\left[{statistic}\right]"
        )
        prompt = wording.choice(
            [
                f"$X_1,\\dots,X_{{{p.count}}}$ are independent with $P(X_i\\le x)={distribution}$ for "
                f"$0\\le x\\le{p.end}$; in increasing order they are $X_{{(1)}}\\le\\dots\\le "
                f"X_{{({p.count})}}$. Find ${wanted}$.",
                f"A sample of ${p.count}$ independent values from the distribution function "
                f"$F(x)={distribution}$ on $[0,{p.end}]$ is sorted, $X_{{(1)}}\\le\\dots\\le "
                f"X_{{({p.count})}}$. Compute ${wanted}$.",
            ]
        )
        return Posed(prompt=f"{prompt} Return an exact rational number.", answer_fn=source(value))

    def check(self, parameters: Parameters, gold: Any) -> None:
        p = parameters
        exponent = mp.mpf(p.exponent.numerator) / p.exponent.denominator
        front = p.rank * mp.binomial(p.count, p.rank)

        def mean(power: int) -> Any:
            # x = y^denominator makes the integrand smooth at 0.
            d = p.exponent.numerator

            def integrand(y: Any) -> Any:
                u = y**d
                return (
                    (p.end * u ** (1 / exponent)) ** power
                    * u ** (p.rank - 1)
                    * (1 - u) ** (p.count - p.rank)
                    * d
                    * y ** (d - 1)
                )

            return front * mp.quad(integrand, [0, 1], method="gauss-legendre")

        with mp.workdps(20):
            value = mean(2 * p.power) - mean(p.power) ** 2 if p.variance else mean(p.power)
            same(value, gold.at(), digits=9)


def _mean(p: Parameters, power: int) -> Fraction:
    """F(X_(k)) has a beta distribution: E F^s is the product of j/(j+s), j = k..n, and X = b F^(1/a)."""
    s = power / p.exponent
    value = Fraction(p.end) ** power
    for j in range(p.rank, p.count + 1):
        value *= j / (j + s)
    return value
