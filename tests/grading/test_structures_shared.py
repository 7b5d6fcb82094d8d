"""The shared pairs of every kind but plain scalars, in both orders; skipped where the folder is absent.

Rows with a policy of their own, on which ours differs, are listed with the reason.
"""

import json
from pathlib import Path

import pytest

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.grading.structures.kinds import kind_of
from scientific_math_critpt_env.problems.schema import Problem

CASES = Path(__file__).resolve().parents[2].parent / "shared" / "cases"

TYPES = ("set", "interval", "matrix", "tuple", "dict", "equation", "boolean", "string")

CATEGORIES = ("container", "set", "matrix", "relation", "distribution", "constant")

EQUATION_IS_ASKED = "the row asks for an equation, and a number is none"

OTHERWISE = {
    "math-verify-0079": EQUATION_IS_ASKED,
    "math-verify-0169": EQUATION_IS_ASKED,
    "math-verify-0201": EQUATION_IS_ASKED,
    "math-verify-0159": EQUATION_IS_ASKED,
    "math-verify-0163": "only an equation solved for a name stands for its value",
    "math-verify-0128": "an open interval is not the set of its ends",
    "matharena-0044": "strings are not parsed",
}


def rows():
    for name, kinds in (("equivalence", TYPES), ("hard_equivalence", CATEGORIES)):
        path = CASES / f"{name}.jsonl"
        if not path.exists():
            return
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row.get("answer_type", row.get("cat")) in kinds:
                yield row


ROWS = list(rows())


@pytest.mark.skipif(not ROWS, reason="no shared cases beside the checkout")
def test_the_shared_pairs_are_decided_as_labelled():
    wrong = []
    for row in ROWS:
        problem, gold, answer = loaded(row)
        if row["id"] in OTHERWISE:
            continue
        for left, right in ((gold, answer), (answer, gold)):
            finding = compare(gold=left, answer=right, problem=problem)
            if (finding.relation == "equal") is not row["expect"]:
                wrong.append((row["id"], row["gold"], row["pred"], row["expect"], finding))
    assert not wrong


@pytest.mark.skipif(not ROWS, reason="no shared cases beside the checkout")
def test_the_exceptions_are_rows_that_do_not_count_as_strict():
    by_id = {row["id"]: row for row in ROWS}
    for name in OTHERWISE:
        assert not by_id[name]["strict"]
        problem, gold, answer = loaded(by_id[name])
        finding = compare(gold=gold, answer=answer, problem=problem)
        assert (finding.relation == "equal") is not by_id[name]["expect"], "no exception any more"


@pytest.mark.skipif(not ROWS, reason="no shared cases beside the checkout")
def test_the_shared_pairs_cover_every_kind():
    kinds = {kind_of(loaded(row)[1]) for row in ROWS}
    assert kinds >= {"set", "matrix", "sequence", "dict", "relation", "truth", "string", "distribution"}


def loaded(row):
    answer_type = row.get("answer_type", "symbolic")
    # The hard file's families with constants are rows of problems that free them.
    up_to = "constant" if row.get("cat") == "constant" else None

    def problem(source):
        return Problem(id=row["id"], prompt="p", answer_fn=source, answer_type=answer_type, up_to=up_to)

    return problem(row["gold"]), evaluate_gold(problem(row["gold"])), evaluate_gold(problem(row["pred"]))
