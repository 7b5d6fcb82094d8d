"""Source and LaTeX of numbers and sums, golds read as numbers, and the example of the documentation."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.generated import generate
from scientific_math_critpt_env.problems.generated import writing as w
from scientific_math_critpt_env.problems.generated.exact import (
    determinant,
    from_roots,
    shifted,
    solved,
    square_root,
)
from scientific_math_critpt_env.problems.generated.reading import Gold, same, zero

HALF = Fraction(1, 2)
DOCUMENTATION = Path(__file__).resolve().parents[2] / "docs" / "generating.md"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (w.source(-HALF), "-1/2"),
        (w.tex(-HALF), r"-\frac{1}{2}"),
        (w.sum_source([(2, "x"), (-HALF, "y"), (1, "")]), "2*x - y/2 + 1"),
        (w.sum_source([(-1, "x"), (0, "y"), (Fraction(-3, 4), "z")]), "-x - 3*z/4"),
        (w.sum_source([(0, "x")]), "0"),
        (w.sum_tex([(2, "x"), (-HALF, "y"), (-1, "z"), (1, "")]), r"2x-\frac{1}{2}y-z+1"),
        (w.sum_tex([(3, "2^n"), (-1, "")]), r"3\cdot 2^n-1"),
        (w.sum_tex([]), "0"),
        (w.polynomial_source([1, -1, 0, 3], "x"), "3*x**3 - x + 1"),
        (w.polynomial_tex([0, 1, -2], "t"), "-2t^{2}+t"),
        (w.monomial_tex([("x", 2), ("y", 0), ("z", 1)]), "x^{2}z"),
        (w.shifted_tex("z", -2), "z+2"),
        (w.gaussian_source(0, -1), "-I"),
        (w.gaussian_tex(2, -3), "2-3i"),
        (w.matrix_source([[1, "t"], [HALF, 0]]), "Matrix([[1, t], [1/2, 0]])"),
        (w.matrix_tex([[1, 2], [-HALF, 0]]), r"\begin{pmatrix}1&2\\-\frac{1}{2}&0\end{pmatrix}"),
        (w.listed(["a"]), "a"),
        (w.listed(["a", "b", "c"]), "a, b and c"),
    ],
)
def test_writing(written: str, expected: str) -> None:
    assert written == expected


def test_golds_are_read_to_the_working_precision() -> None:
    with mpmath.workdps(30):
        same(Gold("x/3 + pi*I").at(x=Fraction(1, 7)), mpmath.mpf(1) / 21 + mpmath.pi * 1j, digits=28)
        same(Gold("[1/3, sqrt(2)]").at(), [mpmath.mpf(1) / 3, mpmath.sqrt(2)], digits=28)
        assert Gold("{2: 1/2}").at() == {2: 0.5}
        assert Gold("Interval(0, 1, False, True)").at() == (0, 1, False, True)
        assert Gold('"saddle"').at() == "saddle"


def test_disagreement_is_told() -> None:
    with pytest.raises(ProblemError, match=r"1\.0 is not 1\.001"):
        same(1, 1.001)
    with pytest.raises(ProblemError, match="same parts"):
        same([1, 2], [1])
    with pytest.raises(ProblemError):
        same(mpmath.nan, 1)
    same(1, 1.001, digits=2)
    zero(1e-9, digits=8)


def test_exact_arithmetic() -> None:
    assert from_roots([1, -2]) == [-2, 1, 1]
    assert shifted([1, 2, 3], 2) == [17, 14, 3]
    assert solved([[2, 1], [1, 3]], [3, 5]) == [Fraction(4, 5), Fraction(7, 5)]
    assert solved([[1, 2], [2, 4]], [1, 1]) is None
    assert determinant([[2, 0, 1], [1, 3, 2], [1, 1, 4]]) == 18
    assert square_root(72) == (6, 2)


def test_the_documented_family_works() -> None:
    (code,) = re.findall(
        r"```python\n(\"\"\"Sum of.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.DOTALL
    )
    names: dict[str, object] = {"__name__": __name__}
    # Without the decorator: the example shall not stand among the families of the other tests.
    exec(compile(code.replace("@register\n", ""), "generating.md", "exec", dont_inherit=True), names)
    family = names["GeometricSum"]()  # type: ignore[operator]
    made = [generate(family, seed, level) for level in (1, 5) for seed in range(20)]
    assert len({problem.prompt for problem in made}) == 40
    assert made[0].id == "gen.geometric_sum.1.0"
