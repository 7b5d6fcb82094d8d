"""Laws of scalar equality, for expressions drawn at random.

The verdict does not depend on the order of the sides, on how an expression is written, on what was compared
before or on the process; what is changed in one place is not equal. That a change is one is established
without the grader: the two values at one point, to 50 digits.
"""

import json
import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sympy import (
    Integer,
    Rational,
    apart,
    binomial,
    cos,
    cosh,
    exp,
    expand,
    expand_func,
    expand_log,
    expand_power_exp,
    expand_trig,
    factor,
    factorial,
    gamma,
    log,
    pi,
    sin,
    sinh,
    sqrt,
    symbols,
    tan,
    together,
)
from sympy.core.cache import clear_cache

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.problems.schema import Problem

x, y = symbols("x y")
p, q = symbols("p q", positive=True)
n = symbols("n", integer=True, positive=True)
POINT = {x: Rational(17, 23), y: Rational(-31, 19), p: Rational(41, 29), q: Rational(13, 37), n: Integer(5)}
FAR_APART = Rational(1, 10**20)

laws = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def find(gold, answer):
    return compare(gold=gold, answer=answer, problem=Problem(id="law", prompt="p", answer_fn="1"))


def relation(gold, answer):
    return find(gold, answer).relation


def differ(one, other):
    """Whether two expressions have different values at `POINT`; False where that shows nothing."""
    gap = (one - other).subs(POINT).evalf(50)
    return bool(gap.is_comparable or gap.is_number) and gap.is_finite and abs(gap) > FAR_APART


def summed(draw, terms, least=1, most=3):
    """A random combination of random `terms`, a function of two small nonzero numbers each."""
    small = st.integers(-4, 4).filter(bool)
    rational = st.builds(Rational, small, st.integers(1, 5))
    total = Integer(0)
    for _ in range(draw(st.integers(least, most))):
        total += draw(rational) * draw(st.sampled_from(terms))(draw(st.integers(1, 4)), draw(small))
    return total


# ---- expressions and the identities that rewrite them ----


@st.composite
def rational_functions(draw):
    above = [lambda a, b: x**a * y, lambda a, b: (x + b) ** a, lambda a, b: x * y + b, lambda a, b: y - b * x]
    below = [lambda a, b: x + a * y, lambda a, b: x**2 + b * y, lambda a, b: y + b]
    return summed(draw, above) / summed(draw, below, most=1)


@st.composite
def waves(draw):
    terms = [
        lambda a, b: sin(a * x) * cos(b * y),
        lambda a, b: cos(a * x + b * y),
        lambda a, b: sin(x + b * pi / 3) ** a,
        lambda a, b: tan(x) * cos(x) ** a,
        lambda a, b: sinh(a * x) * cosh(y),
    ]
    return summed(draw, terms)


@st.composite
def growths(draw):
    terms = [
        lambda a, b: exp(a * p + b * q),
        lambda a, b: log(p**a * q**b),
        lambda a, b: p ** (q + b),
        lambda a, b: exp(b * log(p)) * log(a * q),
    ]
    return summed(draw, terms)


@st.composite
def factorials(draw):
    terms = [
        lambda a, b: gamma(p + a) * p,
        lambda a, b: gamma(p + a) / gamma(p + 1),
        lambda a, b: factorial(n + a),
        lambda a, b: binomial(n + a, 2) * b,
    ]
    return summed(draw, terms, most=2)


@st.composite
def radicals(draw):
    terms = [
        lambda a, b: sqrt(p * q) * sqrt(a),
        lambda a, b: 1 / (sqrt(p) + a * sqrt(q)),
        lambda a, b: sqrt(a + 2 * sqrt(a) * sqrt(p) + p),
        lambda a, b: sqrt(a * p**3 * q) * b,
    ]
    return summed(draw, terms)


def rationalised(expression):
    """Differences of squares instead of the nested and the lower roots."""
    for a in range(1, 5):
        expression = expression.subs(
            {
                1 / (sqrt(p) + a * sqrt(q)): (sqrt(p) - a * sqrt(q)) / (p - a**2 * q),
                sqrt(a + 2 * sqrt(a) * sqrt(p) + p): sqrt(a) + sqrt(p),
            }
        )
    return expression


KINDS = {
    "rational": (rational_functions(), [expand, factor, together, lambda e: apart(together(e), x)]),
    "trigonometric": (
        waves(),
        [
            expand_trig,
            lambda e: e.rewrite(exp),
            lambda e: e.rewrite(tan),
            lambda e: e.replace(
                lambda s: s.is_Pow and s.exp == 2 and s.base.func is sin,
                lambda s: 1 - cos(s.base.args[0]) ** 2,
            ),
        ],
    ),
    "exponential": (
        growths(),
        [
            expand_power_exp,
            lambda e: expand_log(e, force=True),
            lambda e: e.replace(lambda s: s.is_Pow and s.base == p, lambda s: exp(s.exp * log(p))),
        ],
    ),
    "factorial": (
        factorials(),
        [
            expand_func,
            lambda e: e.rewrite(gamma),
            lambda e: e.replace(gamma, lambda a: (a - 1) * gamma(a - 1)),
        ],
    ),
    "radical": (radicals(), [expand, together, rationalised]),
}  # fmt: skip

MUTATIONS = {
    "sign": lambda e: -e,
    "factor": lambda e: 2 * e,
    "constant": lambda e: e + Rational(1, 7),
    "nearby": lambda e: e * (1 + Rational(1, 10**12)),
    "shift": lambda e: e.subs({x: x + 1, p: p + 1, n: n + 1}),
    "swap": lambda e: e.subs({x: y, y: x, p: q, q: p}, simultaneous=True),
    "function": lambda e: e.replace(cos, sin).replace(exp, cosh).replace(gamma, lambda a: gamma(a + 1)),
    "term": lambda e: e - e.args[-1] if e.is_Add else e * e,
    "power": lambda e: e.replace(
        lambda s: s.is_Pow and s.exp == 2, lambda s: s.base**3
    ).replace(lambda s: s.is_Pow and s.exp == Rational(1, 2), lambda s: s.base ** Rational(1, 3)),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_rewriting_by_an_identity_changes_nothing(kind):
    expressions, identities = KINDS[kind]

    @laws
    @given(expressions, st.sampled_from(identities))
    def law(expression, identity):
        rewritten = identity(expression)
        assert not differ(expression, rewritten), "the identity is none"
        assert relation(expression, rewritten) == "equal", (expression, rewritten)
        assert relation(rewritten, expression) == "equal", (rewritten, expression)

    law()


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_expression_is_rejected_however_it_is_written(kind):
    expressions, identities = KINDS[kind]

    @laws
    @given(expressions, st.sampled_from(sorted(MUTATIONS)), st.sampled_from(identities))
    def law(expression, mutation, identity):
        mutant = identity(MUTATIONS[mutation](expression))
        assume(differ(expression, mutant))
        finding = find(expression, mutant)
        assert finding.relation == "different", (expression, mutant, finding)
        assert finding.reason
        assert relation(mutant, expression) == "different", (mutant, expression)

    law()


@pytest.mark.parametrize("kind", KINDS)
def test_two_expressions_of_a_kind_have_one_verdict_in_both_orders(kind):
    expressions, _identities = KINDS[kind]

    @laws
    @given(expressions, expressions)
    def law(one, other):
        verdict = relation(one, other)
        assert relation(other, one) == verdict
        if differ(one, other):
            assert verdict == "different"

    law()


# ---- determinism ----

BATCH = [
    ("sin(x)**2", "1 - cos(x)**2"),
    ("sin(x)**2", "1 - cos(x)**3"),
    ("sqrt(x**2)", "x"),
    ("gamma(x + 1)", "x*gamma(x)"),
    ("log(x*y)", "log(x) + log(y)"),
    ("Integral(exp(-t**2), (t, 0, oo))", "sqrt(pi)/2"),
    ("Sum(1/k**2, (k, 1, oo))", "pi**2/6"),
    ("Piecewise((x, x > 0), (0, True))", "(x + Abs(x))/2"),
    ("exp(pi*sqrt(163))", "262537412640768744"),
    ("f(x) + f(y)", "f(x + y)"),
    ("x**2 + 1.5", "1.5 + x*x"),
    ("sqrt(5 + 2*sqrt(6))", "sqrt(2) + sqrt(3)"),
]

IN_A_PROCESS = """
import json, sys
from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

def found(gold, answer):
    problem = Problem(id="law", prompt="p", answer_fn=gold)
    other = Problem(id="law", prompt="p", answer_fn=answer)
    finding = compare(gold=evaluate_gold(problem), answer=evaluate_gold(other), problem=problem)
    return [finding.relation, finding.method, finding.reason]

print(json.dumps([found(*pair) for pair in json.load(sys.stdin)]))
"""


def findings(batch, hash_seed):
    """Of each pair, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", IN_A_PROCESS],
        input=json.dumps(batch),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": str(hash_seed)},
    )
    return json.loads(done.stdout)


def test_a_finding_depends_neither_on_the_process_nor_on_the_order_of_the_batch():
    first = findings(BATCH, 1)
    assert findings(BATCH[::-1], 2)[::-1] == first
    assert all(relation != "undecided" for relation, _method, _reason in first)


def test_the_same_finding_in_five_runs():
    pairs = [
        (sin(x) ** 2, 1 - cos(x) ** 2),
        (gamma(p + 1), p * gamma(p)),
        (sqrt(x**2), x),
        (exp(x) * 2, exp(x) * 3),
    ]
    runs = []
    for run in range(5):
        if run % 2:
            clear_cache()
        found = [find(*pair) for pair in (pairs if run % 2 else pairs[::-1])]
        runs.append([(f.relation, f.method, f.reason) for f in (found if run % 2 else found[::-1])])
    assert runs == [runs[0]] * 5
