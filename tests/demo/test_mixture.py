from __future__ import annotations

from collections import Counter

from scientific_math_critpt_env.demo.mixture import FAILURES, Mixture
from tests.demo.cases import PROBLEMS


def test_three_of_five_problems_are_solved() -> None:
    mixture = Mixture(PROBLEMS)
    assert mixture.expected_mean(problem.id for problem in PROBLEMS[:5]) == 0.6
    assert mixture.expected_mean(problem.id for problem in PROBLEMS[5:25]) == 0.6
    assert mixture.expected_mean([]) == 0.0


def test_five_problems_with_three_rollouts_show_every_failure_once() -> None:
    mixture = Mixture(PROBLEMS)
    kinds = Counter(
        mixture.kind(problem.id, mixture.next_variant(problem.id))
        for problem in PROBLEMS[:5]
        for _ in range(3)
    )
    assert kinds == Counter({"right": 9, **dict.fromkeys(FAILURES, 1)})


def test_the_score_of_a_problem_depends_on_no_call() -> None:
    mixture = Mixture(PROBLEMS)
    for problem in PROBLEMS:
        solved = {mixture.kind(problem.id, variant) == "right" for variant in range(20)}
        assert solved == {mixture.expected_score(problem.id) == 1.0}
