"""Golds in LaTeX: read right, or refused. A wrong conversion is the one thing that must not happen."""

import json
import random

import pytest
import sympy
from sympy import Symbol, sympify

from scientific_math_critpt_env.problems.latex import LatexError, LatexReader, Reading
from scientific_math_critpt_env.problems.latex.agreement import assert_same
from scientific_math_critpt_env.problems.latex.boxes import all_boxes
from scientific_math_critpt_env.problems.latex.tokens import declared_names
from scientific_math_critpt_env.sandbox import Limits
from tests.importers.golds import MEANINGS, REFUSALS

ANY = Reading(others={})


def convert(latex: str, reading: Reading = ANY) -> dict:
    """One conversion in this process; the reader runs the same function in a confined one."""
    from dataclasses import asdict

    from scientific_math_critpt_env.problems.latex import confined

    fields = asdict(reading) | {"exact": sorted(reading.exact)}
    payload = json.dumps({"latex": latex, "reading": fields, "at": []}).encode()
    return json.loads(confined.convert(payload))


def value(source: str, reply: dict) -> sympy.Expr:
    """The value of a source, with plain symbols for the names the reply says are free, and s and t."""
    return sympify(source, locals={name: Symbol(name) for name in [*reply["symbols"], "s", "t"]})


@pytest.mark.parametrize(("latex", "source"), MEANINGS)
def test_it_means(latex: str, source: str) -> None:
    reply = convert(latex)
    assert "source" in reply, reply
    assert_same(value(reply["source"], reply), value(source, reply), latex)


@pytest.mark.parametrize(("latex", "kind"), REFUSALS)
def test_it_is_not_guessed_at(latex: str, kind: str) -> None:
    assert convert(latex).get("kind") == kind, convert(latex)


def test_e_is_eulers_number_or_a_symbol_or_refused() -> None:
    charge = convert("N e^{3}", Reading(others={}, symbols={"e": {"positive": True}}))
    assert charge["symbols"] == ["N", "e"]
    assert convert("e^{3}", Reading(others={}, euler=False))["kind"] == "constant or symbol"
    assert convert("i x", Reading(others={}, imaginary=False))["kind"] == "constant or symbol"


def test_symbols_with_the_names_of_constants() -> None:
    assert convert("E^{-x}")["symbols"] == ["E", "x"]
    assert convert("E^{-x}", Reading(symbols={"x": {}}))["kind"] == "undeclared symbol"
    reply = convert("I \\omega + i S")
    assert reply["symbols"] == ["I", "S", "omega"]
    assert sympify(reply["source"], locals={n: Symbol(n) for n in reply["symbols"]}).has(sympy.I)


def test_symbols_are_declared_or_the_gold_is_refused() -> None:
    known = Reading(symbols={"x": {"positive": True}})
    assert convert(r"\sqrt{x^2}", known)["source"] == "x"
    assert convert("x + q", known)["kind"] == "undeclared symbol"


def test_logarithms_and_decimals_follow_the_context() -> None:
    assert convert(r"\log(x)", Reading(others={}, natural_log=False))["kind"] == "base of the logarithm"
    given = Reading(others={}, exact=frozenset({"0.1"}))
    assert convert("0.1 x + 2.5", given)["source"] == "x/10 + 5/2"
    assert convert("0.61", Reading(decimals="float"))["source"] == "0.61"


@pytest.mark.parametrize(
    ("latex", "shape", "source"),
    [
        (r"(-\infty, 1] \cup [10, +\infty)", "interval", "Union(Interval(-oo, 1), Interval(10, oo))"),
        ("[-2, \\frac12)", "interval", "Interval.Ropen(-2, 1/2)"),
        ("2, -3", "set", "{2, -3}"),
        (r"\{1, \sqrt 2\}", "set", "{1, sqrt(2)}"),
        ("(1, 2, 3)", "tuple", "(1, 2, 3)"),
        ("x^2 + y^2 = 1", "equation", "Eq(x**2 + y**2, 1)"),
    ],
)
def test_shapes(latex: str, shape: str, source: str) -> None:
    reply = convert(latex, Reading(others={}, shape=shape))  # type: ignore[arg-type]
    assert sympify(reply["source"]) == sympify(source)


def test_boxes_and_declared_names() -> None:
    assert all_boxes(r"so \boxed{x_{1}} and $\boxed{\frac{a}{b}}$") == ["x_{1}", r"\frac{a}{b}"]
    with pytest.raises(LatexError, match="unbalanced"):
        all_boxes(r"\boxed{x")
    assert declared_names([r"\epsilon", " K_0", "x"]) == ["epsilon", "K_0", "x"]
    with pytest.raises(LatexError):
        declared_names(["x + 1"])


def test_a_printed_expression_never_comes_back_as_another() -> None:
    """Random expressions through SymPy's printer and, rewritten as people write, through the converter."""
    random_ = random.Random(7)
    converted = 0
    for _ in range(40):
        made = _expression(random_, 3)
        text = _as_people_write(sympy.latex(made), random_)
        reply = convert(text)
        if "source" in reply:
            converted += 1
            assert_same(value(reply["source"], reply), made, text)
    assert converted > 25


def _expression(random_: random.Random, depth: int) -> sympy.Expr:
    x, y, t = sympy.symbols("x y t")
    if depth == 0:
        return random_.choice([x, y, t, sympy.Integer(random_.randint(2, 9)), sympy.Rational(1, 3), sympy.pi])
    left, right = _expression(random_, depth - 1), _expression(random_, random_.randint(0, depth - 1))
    makers = [
        lambda: left + right,
        lambda: left - 2 * right,
        lambda: left * right,
        lambda: left / (1 + right**2),
        lambda: sympy.sqrt(1 + left**2),
        lambda: sympy.exp(-left / 2),
        lambda: sympy.sin(left),
        lambda: sympy.cosh(left) ** 2,
        lambda: sympy.log(1 + left**2),
        lambda: sympy.erf(left / 2),
        lambda: (1 + left**2) ** sympy.Rational(-3, 2),
        lambda: sympy.atan(left) * right,
    ]
    return random_.choice(makers)()


def _as_people_write(text: str, random_: random.Random) -> str:
    for old, new in [("\\left", ""), ("\\right", ""), ("\\log", "\\ln"), ("\\operatorname{erf}", "erf")]:
        if random_.random() < 0.5:
            text = text.replace(old, new)
    return text.replace("{(", "(").replace(")}", ")") if random_.random() < 0.3 and "{(" in text else text


def test_the_reader_confines_and_kills() -> None:
    with LatexReader(workers=1, limits=Limits(cpu_seconds=2.0)) as reader:
        gold = reader.convert(r"\frac{x}{2}", Reading(symbols={"x": {"real": True}}), at=[{"x": 3.0}])
        assert (gold.source, gold.symbols, gold.values) == ("x/2", ("x",), ((1.5 + 0j,),))
        with pytest.raises(LatexError, match="two slashes"):
            reader.convert("1/2/x", ANY)
        with pytest.raises(LatexError, match="too long"):
            reader.convert("9^{9^{9^{9}}}", ANY)
        assert reader.convert("1 + 1", ANY).source == "2"
