"""Mathematics: LaTeX drawn and never more than drawn, printed values read and never evaluated."""

import re
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Function, Integer, Rational, cos, exp, log, pi, sin, sqrt, sstr, symbols

from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.report.expressions import MAX_DEPTH, latex_of, symbol
from scientific_math_critpt_env.report.mathematics import MAX_LATEX, is_drawn, mathml
from scientific_math_critpt_env.report.prose import coloured, prose, shortened

TAG = re.compile(r"</?([a-z0-9]+)[^>]*>")


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{1}{2}\sqrt{\pi}",
        r"\begin{pmatrix}1 & 2 \\ 3 & 4\end{pmatrix}",
        r"\begin{align} a &= b \\ c &= d \end{align}",
        r"\sum_{n=0}^{\infty} \frac{x^n}{n!}",
        r"\left.\frac{\partial u}{\partial x}\right|_{x=0}",
        r"\boxed{\text{if } x < 0}",
        r"\operatorname{erfc}(z)\,\mathrm{d}z",
    ],
)
def test_mathematics_is_drawn(latex):
    drawn = mathml(latex)
    assert drawn.startswith("<math alttext=")
    assert is_drawn(latex)


def test_formulas_are_not_numbered():
    assert "(1)" not in mathml(r"\begin{equation} x = 1 \end{equation}")


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        r"\text{<script>alert(1)</script>}",
        r"\href{javascript:alert(1)}{x}",
        r'\color{red" onclick="alert(1)}x',
        r'\class{x" onload="alert(1)}{y}',
        r'x" onmouseover="alert(1)',
        r"\includegraphics{http://example.org/x.png}",
        r"\def\a{\a\a}\a",
        r"\begin{array}{c}" * 50,
        "\ud800",
        "\x00\x01",
        "]]>",
    ],
)
def test_hostile_latex_is_text(hostile):
    drawn = str(mathml(hostile))
    tags = set(TAG.findall(drawn))
    assert tags <= {"code", "math", "mi", "mo", "mn", "mtext", "mrow", "mspace", "msub", "msup"}
    for found in re.finditer(r"<[^>]*>", drawn):
        assert not re.search(r"\s(on\w+|href|src)\s*=", re.sub(r'"[^"]*"', '""', found[0]))


@pytest.mark.parametrize("nested", ["x^{", r"\sqrt{", r"\frac{1}{", r"\left(", "{", "_{x"])
def test_deep_formulas_do_not_end_the_process(nested):
    close = r"\right)" if nested.startswith(r"\left") else "}"
    times = MAX_LATEX // (len(nested) + len(close)) - 1
    mathml(nested * times + "y" + close * times)
    assert not is_drawn("x" * (MAX_LATEX + 1))


@given(st.text(max_size=200))
@settings(max_examples=200)
def test_any_text_is_safe(text):
    for drawn in (mathml(text), prose(text), coloured(text)):
        allowed = {"code", "pre", "span", "strong", "h5"}
        tags = set(TAG.findall(str(drawn)))
        assert all(tag in allowed or tag.startswith("m") for tag in tags)
        assert "<script" not in drawn


def test_prose():
    text = "**Bold** $x^2$ costs $5 and $6, a \\$ sign.\n\\[ y \\]\n`a<b` <b>no</b>\n"
    text += "```python\nx = '<i>'\n```\nend"
    drawn = str(prose(text))
    assert drawn.count("<math") == 2
    assert "costs $5 and $6" in drawn
    assert "<strong>Bold</strong>" in drawn
    assert "<code>a&lt;b</code>" in drawn
    assert "&lt;b&gt;no&lt;/b&gt;" in drawn
    assert drawn.count("<pre") == 1
    assert "&lt;i&gt;" in drawn
    unended = str(prose("```\nx = 1"))
    assert "x" in unended
    assert unended.count("<pre") == 1


@pytest.mark.parametrize(
    "opening", [r"\[", r"\(", "$", "$$", r"\begin{align}", "$a ", "**", "`", "```", "# ", "$\\$"]
)
def test_openings_without_end_take_no_time(opening):
    start = process_time()
    prose(opening * (30_000 // len(opening)))
    assert process_time() - start < 10


def test_long_texts_keep_their_ends():
    text = "a" * 50_000 + "the answer"
    assert len(shortened(text)) < 25_000
    assert shortened(text).endswith("the answer")
    assert "26,010 characters are not shown" in shortened(text)
    assert shortened("short") == "short"


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("-x/2", r"-\frac{x}{2}"),
        ("x**2/sqrt(pi)", r"\frac{{x}^{2}}{\sqrt{\pi}}"),
        ("a - (b - c)", r"a - \left(b - c\right)"),
        ("(x + 1)**-2", r"{\left(x + 1\right)}^{-2}"),
        ("2*3", r"2 \cdot 3"),
        ("omega_0*t", r"\omega_{0} \, t"),
        ("x**(1/3)", r"\sqrt[3]{x}"),
        ("exp(-t)", "e^{-t}"),
        ("(1, 2)", r"\left(1,\; 2\right)"),
        ("{1: x}", r"\left\{1 \mapsto x\right\}"),
        ("Interval.open(0, oo)", r"\left(0,\; \infty\right)"),
        ("Eq(x, y)", "x = y"),
        ("1.5e-07", r"1.5 \cdot 10^{-7}"),
        ("Matrix([[1, 2], [3, 4]])", r"\begin{pmatrix}1 & 2 \\ 3 & 4\end{pmatrix}"),
        ("Integral(exp(-x**2), (x, 0, oo))", r"\int_{0}^{\infty} e^{-{x}^{2}} \, \mathrm{d}x"),
        ("Sum(1/n**2, (n, 1, oo))", r"\sum_{n=1}^{\infty} \frac{1}{{n}^{2}}"),
        ("Piecewise((1, x > 0), (0, True))", r"\begin{cases}1 & x > 0 \\ 0 & \text{otherwise}\end{cases}"),
    ],
)
def test_values(text, latex):
    assert latex_of(text) == latex
    assert is_drawn(latex)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "(lambda: 1)()",
        "[x for x in y]",
        "x if y else z",
        "f'{x}'",
        "a.b.c",
        "f(x, evaluate=False)",
        "no value",
        "",
        "(" * 500,
        "9" * 5000,
        "-" * (MAX_DEPTH + 5) + "x",
        "x+" * 3000 + "x",
    ],
)
def test_what_is_no_printed_value(text):
    assert latex_of(text) is None


def test_a_name_is_never_a_command():
    assert symbol("input") == r"\mathrm{input}"
    assert latex_of("'\\\\input{x}'") == r"\text{inputx}"


x, y, n = symbols("x y n", positive=True)
leaves = st.sampled_from([x, y, n, pi, Integer(2), Rational(-1, 3), sqrt(2), Function("f")(x)])
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: p[0] + p[1]),
        st.tuples(inner, inner).map(lambda p: p[0] * p[1]),
        st.tuples(inner, st.sampled_from([2, -1, Rational(1, 2)])).map(lambda p: p[0] ** p[1]),
        inner.map(sin),
        inner.map(lambda value: exp(value) + log(x) + cos(y)),
    ),
    max_leaves=6,
)


@given(values)
@settings(max_examples=100, deadline=None)
def test_what_sympy_prints_is_read_and_drawn(value):
    latex = latex_of(sstr(value))
    assert latex is not None
    assert is_drawn(latex)


def test_golds_and_prompts_of_our_problems_are_drawn():
    problems = load_problems("builtin")
    unread = [problem.id for problem in problems if not is_drawn(latex_of(problem.answer_fn) or "")]
    assert len(unread) <= len(problems) // 50, unread
    undrawn = [problem.id for problem in problems if 'class="latex"' in prose(problem.prompt)]
    assert undrawn == []
