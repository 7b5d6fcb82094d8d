"""maj@k with the grader's equality: equal values vote together, and nothing a model prints is obeyed."""

import pytest

from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.statistics.clustering import CORRECT
from scientific_math_critpt_env.statistics.equivalence import GradedEquality, is_plain
from scientific_math_critpt_env.statistics.summary import summarise

PROBLEM = Problem(
    id="p",
    prompt="Expand.",
    answer_fn="gamma*x**2",
    symbols={"x": {"positive": True}, "gamma": {"real": True}},
)


def row(index, answer, *, correct=False, **fields):
    base = {
        "dataset": "d",
        "problem_id": "p",
        "sample_idx": index,
        "status": "correct" if correct else "incorrect",
        "is_correct": correct,
        "candidate_text": "def model_answer(): ...",
        "normalized_prediction": answer,
    }
    return base | fields


@pytest.fixture(scope="module")
def grader():
    with Grader(workers=2) as started:
        yield started


def test_equal_answers_vote_together(grader):
    answers = ["x*(x + 1)", "x**2 + x", "2*x", "0.5", "1/2", "gamma/2", "gamma*0.5", "Symbol('x')", ""]
    rows = [row(i, answer) for i, answer in enumerate(answers)]
    rows.append(row(99, "whatever", correct=True))
    rows.append(row(100, "", status="timeout"))
    cluster = GradedEquality(grader, {"d:p": PROBLEM})
    labels = cluster(rows)
    same = [
        [answers[i] for i in range(len(answers)) if labels[i] == label] for label in dict.fromkeys(labels)
    ]
    assert ["x*(x + 1)", "x**2 + x"] in same
    assert ["0.5", "1/2"] in same
    assert ["gamma/2", "gamma*0.5"] in same
    assert ["2*x"] in same
    assert labels[-2:] == [CORRECT, None]
    rows = rows[:4]
    summary = summarise(rows, ks=[4], cluster=cluster, resamples=20)
    assert summary["clustering"] == "the grader's equality"
    assert summary["k"]["4"]["maj_at_k"] == 0


def test_the_vote_changes(grader):
    """Two samples are right, three wrong ones are one answer: a majority only for those who can tell."""
    rows = [row(i, "gamma*x**2", correct=True) for i in range(2)]
    rows += [row(i + 2, answer) for i, answer in enumerate(("x**2 - 1", "(x - 1)*(x + 1)", "-(1 - x**2)"))]
    apart = summarise(rows, ks=[5], resamples=20)
    assert apart["k"]["5"]["maj_at_k"] == 1
    together = summarise(rows, ks=[5], resamples=20, cluster=GradedEquality(grader, {"d:p": PROBLEM}))
    assert together["k"]["5"]["maj_at_k"] == 0
    unknown = summarise(rows, ks=[5], resamples=20, cluster=GradedEquality(grader, {}))
    assert unknown["k"]["5"]["maj_at_k"] == 1


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "Symbol('x')",
        "sympify(x)",
        "lambdify(x, x)",
        "parse_expr(x)",
        "eval(x)",
        "open(x)",
        "exec(x)",
        "getattr(x, y)",
        "x.subs(y, 1)",
        "_x",
        "f(x, evaluate=False)",
        "(lambda: 1)()",
        "[y for y in x]",
        "print(1)",
        "x if y else 1",
        "x = 1",
        "1" * 5000,
        "plot(x)",
        "preview(x)",
        "S(x)",
        "Integral('x')",
        "f(['x'])",
        "'x' + y",
        "Interval.close(0, 1)",
        "x.open(0, 1)",
    ],
)
def test_what_is_not_given_to_the_checker(text):
    assert not is_plain(text)


@pytest.mark.parametrize(
    "text",
    ["x**2/3", "-oo", "sin(x)*exp(-y)", "Matrix([[1, 2], [3, x]])", "(1, {x: 2})",
     "{'a': x, 'b': [1, 'c']}", "Interval.open(0, pi)", "g(x) + 1.5e-3", "x < 3",
     "Integral(exp(-x**2), (x, 0, oo))", "Piecewise((1, x > 0), (0, True))", "sqrt(2)"],
)  # fmt: skip
def test_what_is(text):
    assert is_plain(text)
