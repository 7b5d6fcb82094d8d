"""The stream, ids, and what is refused."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import islice

import pytest

from scientific_math_critpt_env.errors import ProblemError
from scientific_math_critpt_env.problems.generated import all_families, generate, generated, regenerate
from scientific_math_critpt_env.problems.generated.draws import Draw
from scientific_math_critpt_env.problems.generated.family import Family, Posed


def test_the_same_seed_gives_the_same_stream_and_another_another() -> None:
    first, again, other = (list(islice(generated(seed), 12)) for seed in (3, 3, 4))
    assert first == again
    assert not {problem.id for problem in first} & {problem.id for problem in other}
    assert len({problem.id for problem in first}) == 12


def test_each_block_holds_every_family_once() -> None:
    count = len(all_families())
    names = [problem.id.split(".")[1] for problem in islice(generated(1, difficulty=2), 2 * count)]
    assert Counter(names[:count]) == Counter(names[count:]) == Counter(list(all_families()))
    assert names[:count] != names[count:]


def test_an_id_gives_its_problem_back() -> None:
    for problem in islice(generated(9, difficulty="3:"), 8):
        assert regenerate(problem.id) == problem
        assert problem.difficulty is not None
        assert problem.difficulty >= 3


@pytest.mark.parametrize(
    "problem_id",
    ["series.004", "gen.residue.3", "gen.residue.6.1", "gen.residue.3.-1", "gen.residue.3.01", "gen.no.3.1"],
)
def test_an_id_that_is_none_is_refused(problem_id: str) -> None:
    with pytest.raises(ProblemError, match=problem_id if problem_id != "gen.no.3.1" else "no family"):
        regenerate(problem_id)


def test_families_topics_and_difficulties_narrow_the_stream() -> None:
    chosen = list(islice(generated(0, families=["residue", "hitting_time"], difficulty=(2, 3)), 6))
    assert {problem.id.split(".")[1] for problem in chosen} == {"residue", "hitting_time"}
    assert {problem.difficulty for problem in chosen} <= {2, 3}
    assert {problem.topic for problem in islice(generated(0, topics="Fourier"), 4)} == {"fourier"}
    sets = islice(generated(0, answer_types=["set", "boolean"]), 4)
    assert {problem.answer_type for problem in sets} == {"set", "boolean"}


def test_what_leaves_nothing_is_told_at_once() -> None:
    with pytest.raises(ProblemError, match="no family is named 'residu'; there are residue"):
        generated(families="residu")
    with pytest.raises(ProblemError, match=r"no family has the topic 'cooking'; there are .*series"):
        generated(topics="cooking")
    with pytest.raises(ProblemError, match="no family has the topic 'series'"):
        generated(families="residue", topics="series")
    with pytest.raises(ValueError, match="no range"):
        generated(difficulty="hard")
    with pytest.raises(ValueError, match="no level"):
        generated(difficulty="7:9")
    with pytest.raises(ValueError, match="empty choice"):
        generated(families=[])
    with pytest.raises(ValueError, match="difficulty 6"):
        generate("residue", seed=1, difficulty=6)
    with pytest.raises(ValueError, match="negative"):
        generate("residue", seed=-1, difficulty=1)


class _Wrong(Family[int]):
    """Its gold is one too large."""

    name, topic, route = "wrong", "series", "counting"

    def draw(self, draw: Draw, level: int) -> int:
        return draw.integer(1, 9)

    def pose(self, parameters: int, wording: Draw) -> Posed:
        return Posed(prompt=f"What is {parameters}?", answer_fn=str(parameters + 1))

    def check(self, parameters: int, gold: object) -> None:
        from scientific_math_critpt_env.problems.generated.reading import same

        same(gold.at(), parameters)  # type: ignore[attr-defined]


def test_a_gold_that_is_not_confirmed_is_an_error() -> None:
    with pytest.raises(ProblemError, match=r"gen\.wrong\.2\.1: counting does not confirm \d: \d\.0 is not"):
        generate(_Wrong(), seed=1, difficulty=2)


def test_draws_stay_as_they_are() -> None:
    draw = Draw("a key")
    assert [draw.integer(-5, 5) for _ in range(6)] == EXPECTED_INTEGERS
    assert draw.shuffled("abcdef") == EXPECTED_ORDER
    assert {draw.integer(0, 2) for _ in range(60)} == {0, 1, 2}


EXPECTED_INTEGERS = [0, -3, 3, 1, 0, -4]
EXPECTED_ORDER = ["e", "f", "d", "b", "c", "a"]


def test_importing_takes_no_sympy_and_no_families() -> None:
    program = (
        "import sys, scientific_math_critpt_env.problems.generated\n"
        "heavy = {'sympy', 'mpmath', 'numpy'} & set(sys.modules)\n"
        "print(sorted(heavy), any('generated.families.' in name for name in sys.modules))\n"
        "from scientific_math_critpt_env.problems.generated import generate, all_families\n"
        "[generate(name, 0, 3) for name in all_families()]\n"
        "print('sympy' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.split("\n")[:2] == ["[] False", "False"]
