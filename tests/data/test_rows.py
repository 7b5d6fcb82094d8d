"""The rows are what the data card says: complete, distinct, of all types, counted right."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
import sympy

from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import ANSWER_TYPES, Problem

from .loaded import DATA, problems

CARD = (DATA / "README.md").read_text(encoding="utf-8")

SHINGLE = 4
"""Words in a row that two prompts may share."""
NEAR_DUPLICATE = 0.25
"""Jaccard index of the shingles at which two prompts count as the same problem; the card states it."""


def test_the_card_describes_the_measure_of_duplicates() -> None:
    assert f"{SHINGLE} words" in CARD
    assert f"{NEAR_DUPLICATE}" in CARD


def test_no_two_prompts_are_near_duplicates() -> None:
    shingles = {problem.id: _shingles(problem.prompt) for problem in problems()}
    close = [
        (one, other, round(index, 2))
        for one, other in combinations(shingles, 2)
        if (index := _jaccard(shingles[one], shingles[other])) >= NEAR_DUPLICATE
    ]
    assert close == []


def test_changed_numbers_alone_are_a_near_duplicate() -> None:
    prompt = problems()[0].prompt
    assert _jaccard(_shingles(prompt), _shingles(re.sub(r"\d", "7", prompt))) == 1


def test_ids_are_unique_and_stable_in_form() -> None:
    names = [problem.id for problem in problems()]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z]+\.\d{3}(\.[a-z])?", name)] == []


@pytest.mark.parametrize("problem", problems(), ids=[problem.id for problem in problems()])
def test_a_row_is_complete(problem: Problem) -> None:
    assert problem.topic == _file_of(problem)
    assert problem.unknown == {}
    assert problem.difficulty is not None
    assert problem.final_answer
    assert (problem.source, problem.license) == ("scientific-math-critpt", "CC-BY-4.0")
    assert "eturn" in problem.prompt or problem.answer_type == "function"
    assert problem.prompt.count("$") % 2 == 0
    if problem.answer_type == "function":
        assert len(problem.test_points) >= 3
        assert all(f"`{name}`" in problem.prompt for name in problem.parameters)


@pytest.mark.parametrize("problem", problems(), ids=[problem.id for problem in problems()])
def test_a_gold_has_the_declared_type_and_only_symbols_that_the_prompt_names(problem: Problem) -> None:
    gold = evaluate_gold(problem)
    assert _has_type(gold, problem.answer_type), type(gold)
    assert _names(gold) <= set(problem.symbols)
    missing = [name for name in problem.symbols if f"`{name}`" not in problem.prompt]
    assert missing == []
    holds_float = isinstance(gold, sympy.Float | float)
    assert holds_float == (problem.rtol is not None)
    if not holds_float:
        assert not _atoms(gold, sympy.Float)


def test_all_answer_types_occur_at_least_twice() -> None:
    counts = Counter(problem.answer_type for problem in problems())
    assert [name for name in ANSWER_TYPES if counts[name] < 2] == []


def test_the_card_counts_what_is_there() -> None:
    everything = problems()
    assert f"{len(everything)} problems" in CARD
    assert _table("Topic") == Counter(problem.topic for problem in everything)
    assert _table("Answer type") == Counter(problem.answer_type for problem in everything)
    assert _table("Difficulty") == Counter(str(problem.difficulty) for problem in everything)
    assert _table("Split") == Counter(_split_of_card()(problem.id) for problem in everything)


def test_enough_problems_take_several_steps_and_enough_are_hard() -> None:
    levels = [problem.difficulty or 0 for problem in problems()]
    assert sum(level >= 3 for level in levels) >= len(levels) / 4
    assert sum(level >= 4 for level in levels) >= 10


def test_parts_of_one_set_fall_into_the_same_split() -> None:
    split = _split_of_card()
    assert split("mechem.001.a") == split("mechem.001.b")


def _shingles(text: str) -> set[tuple[str, ...]]:
    """Runs of words, LaTeX commands included, with all numbers made equal."""
    words = re.findall(r"\\?[a-z]+|#", re.sub(r"\d+", "#", text.lower()))
    return {tuple(words[k : k + SHINGLE]) for k in range(len(words) - SHINGLE + 1)}


def _jaccard(one: set[Any], other: set[Any]) -> float:
    return len(one & other) / max(len(one | other), 1)


def _file_of(problem: Problem) -> str:
    return problem.where.rpartition("/")[2].partition(".jsonl")[0]


def _table(head: str) -> dict[str, int]:
    """The two columns of the card's table under this head."""
    _, _, rest = CARD.partition(f"| {head} |")
    rows = rest.split("\n\n")[0].splitlines()[2:]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]
    return {cell[0]: int(cell[1]) for cell in cells}


def _split_of_card() -> Any:
    """The rule as the card prints it, run."""
    (source,) = re.findall(r"```python\n(.*?)```", CARD, re.DOTALL)
    names: dict[str, Any] = {}
    exec(source, names)
    return names["split"]


def _has_type(gold: Any, answer_type: str) -> bool:
    kinds: dict[str, Any] = {
        "symbolic": sympy.Expr,
        "function": sympy.Expr,
        "numeric": (sympy.Float, float, sympy.Number),
        "string": str,
        "tuple": (tuple, sympy.Tuple),
        "list": list,
        "dict": (dict, sympy.Dict),
        "set": (set, sympy.FiniteSet),
        "matrix": sympy.MatrixBase,
        "equation": sympy.Eq,
        "interval": sympy.Interval,
        "boolean": (bool, sympy.logic.boolalg.BooleanAtom),
    }
    return isinstance(gold, kinds[answer_type])


def _atoms(gold: Any, kind: Any) -> set[Any]:
    if isinstance(gold, dict):
        gold = [*gold, *gold.values()]
    if isinstance(gold, tuple | list | set):
        return set().union(*(_atoms(item, kind) for item in gold))
    return set(gold.atoms(kind)) if isinstance(gold, sympy.Basic | sympy.MatrixBase) else set()


def _names(gold: Any) -> set[str]:
    return {symbol.name for symbol in _atoms(gold, sympy.Symbol)}
