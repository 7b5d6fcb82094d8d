"""Every family: golds evaluate and equal themselves, rows are the same everywhere, wrong golds are caught."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import mpmath
import pytest

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.grading.linting import gold_defects, warnings_of
from scientific_math_critpt_env.grading.structures.functions import gold_at_test_points
from scientific_math_critpt_env.problems.generated import all_families, generate
from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import LEVELS, PRECISION, drawn
from scientific_math_critpt_env.problems.generated.reading import Gold
from scientific_math_critpt_env.problems.schema import ANSWER_TYPES, Problem
from tests.generated.table import TABLE, row_hash

ROOT = Path(__file__).resolve().parents[2]
NAMES = list(all_families())
DISTINCT = 10_000


def assert_sound(problem: Problem) -> None:
    """The gold evaluates to its declared kind without a warning, and equals itself when graded."""
    gold = evaluate_gold(problem)
    assert gold_defects(gold, problem) == []
    assert warnings_of(problem, gold) == []
    again = evaluate_gold(problem)
    answer = gold_at_test_points(again, problem) if problem.test_points else again
    finding = compare(gold=gold, answer=answer, problem=problem)
    assert finding.relation == "equal", (problem.id, problem.answer_fn, finding.reason)


def test_enough_families_topics_and_types() -> None:
    assert len(NAMES) >= 24
    assert len({family.topic for family in all_families().values()}) >= 16
    assert {family.answer_type for family in all_families().values()} == set(ANSWER_TYPES)


@pytest.mark.parametrize("name", NAMES)
def test_problems_are_sound(name: str) -> None:
    for level in LEVELS:
        problem = generate(name, seed=77, difficulty=level)
        assert (problem.id, problem.difficulty) == (f"gen.{name}.{level}.77", level)
        assert problem.verified_by
        assert_sound(problem)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_forty_seeds_are_sound(name: str) -> None:
    for seed in range(1000, 1040):
        assert_sound(generate(name, seed=seed, difficulty=1 + seed % 5))


@pytest.mark.parametrize("name", NAMES)
def test_every_number_of_a_gold_is_checked(name: str) -> None:
    """A gold with any one literal changed does not pass the family's check."""
    family = all_families()[name]
    for level, seed in ((2, 1), (3, 2), (5, 3)):
        parameters, posed = drawn(family, seed, level)
        with mpmath.workdps(PRECISION):
            family.check(parameters, Gold(posed.answer_fn))
            for slip in slips(posed.answer_fn):
                with pytest.raises(ProblemError):
                    family.check(parameters, Gold(slip))


def slips(source: str) -> Iterator[str]:
    """The source with one literal after the other changed: the first eight."""
    literals = [node for node in ast.walk(ast.parse(source, mode="eval")) if isinstance(node, ast.Constant)]
    for place in range(min(len(literals), 8)):
        tree = ast.parse(source, mode="eval")
        literal = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)][place]
        match literal.value:
            case bool(truth):
                literal.value = not truth
            case int(number):
                literal.value = number + 1
            case float(number):
                literal.value = number * (1 + 1e-8)
            case _:
                literal.value = "stable node" if literal.value == "saddle" else "saddle"
        yield ast.unparse(tree)


@pytest.mark.parametrize("name", NAMES)
def test_ten_thousand_problems_and_more(name: str) -> None:
    """By collisions: n draws from N equally likely problems collide about n^2/(2N) times."""
    family, count = all_families()[name], 400
    prompts = Counter(
        family.pose(drawn(family, seed, 3)[0], Draw("one wording")).prompt for seed in range(count)
    )
    collisions = sum(times * (times - 1) // 2 for times in prompts.values())
    assert count**2 / 2 / max(collisions, 1) > DISTINCT


@pytest.mark.parametrize("name", NAMES)
def test_the_wording_alone_varies_with_the_wording(name: str) -> None:
    family = all_families()[name]
    parameters, _ = drawn(family, 5, 3)
    posed = [family.pose(parameters, Draw(f"wording {n}")) for n in range(12)]
    assert len({one.prompt for one in posed}) > 1
    assert len({one.answer_fn for one in posed}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_rows_are_those_of_the_golden_table(name: str) -> None:
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    assert sorted(table) == sorted(NAMES), "run `python -m tests.generated.table` after adding a family"
    for problem_id, expected in table[name].items():
        _, _, level, seed = problem_id.split(".")
        assert row_hash(generate(name, seed=int(seed), difficulty=int(level))) == expected, problem_id


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["1", "4242"])
def test_rows_do_not_depend_on_the_hash_seed(hash_seed: str) -> None:
    program = "import json; from tests.generated.table import hashes; print(json.dumps(hashes()))"
    told = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=240,
    )
    assert json.loads(told.stdout) == json.loads(TABLE.read_text(encoding="utf-8"))
