"""Golds of two public data sets, converted: each equals itself, and no mutant of it passes without a fact.

HARDMath2 (LaTeX, read by latex2sympy2_extended) and TheoremQA (numbers, truth values, lists, options) are
read where they lie beside the checkout, and the tests are skipped where they do not. LaTeX that cannot be
read is counted, not hidden.
"""

import json
import re
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from sympy import Integral, srepr

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.grading.mutants import mutants
from scientific_math_critpt_env.grading.validation import validate_problem
from scientific_math_critpt_env.problems.schema import Problem

pytestmark = pytest.mark.xdist_group("public golds")  # converted once

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"

THEOREMQA = DATA / "theoremqa" / "theoremqa_test.json"

TYPES = {
    "float": "numeric",
    "integer": "numeric",
    "bool": "boolean",
    "list of integer": "list",
    "list of float": "list",
    "option": "string",
}

UNREADABLE = 40
"""HARDMath2 solutions that the reader may refuse (28 when this was written): prose and cases."""


def outcomes_of(problems):
    counts = Counter()
    faults = []
    for problem in problems:
        report = validate_problem(problem)
        faults += [(problem.id, defect) for defect in report.defects]
        counts["golds"] += 1
        counts.update(mutant.outcome for mutant in report.mutants)
    return counts, faults


@pytest.mark.skipif(not THEOREMQA.exists(), reason="no TheoremQA beside the checkout")
def test_theoremqa_golds_equal_themselves_and_no_mutant_of_them():
    rows = json.loads(THEOREMQA.read_text(encoding="utf-8"))
    problems = [
        Problem(
            id=row["id"],
            prompt=row["Question"],
            answer_type=TYPES[row["Answer_type"]],
            answer_fn=repr(row["Answer"]),
        )
        for row in rows
    ]
    counts, faults = outcomes_of(problems)
    assert faults == []
    assert counts["golds"] == len(rows)
    assert counts["rejected"] > 5 * len(rows)
    assert counts["undecided"] == counts["accepted"] == 0


@pytest.fixture(scope="module")
def hardmath2():
    """(problem, whether its gold holds an unevaluated integral), and the number of unreadable ones."""
    yaml = pytest.importorskip("yaml")
    reader = pytest.importorskip("latex2sympy2_extended")
    files = sorted((DATA / "hardmath2").glob("*.yaml"))
    if not files:
        pytest.skip("no HARDMath2 beside the checkout")
    found, unreadable = [], 0
    for path in files:
        for index, row in enumerate(yaml.safe_load(path.read_text(encoding="utf-8"))["problems"]):
            try:
                value = reader.latex2sympy(boxed(str(row.get("solution") or "")))
            except Exception:  # noqa: BLE001 - the reader raises bare Exceptions on what it cannot read
                unreadable += 1
                continue
            problem = Problem(id=f"{path.stem}.{index}", prompt=row["prompt"], answer_fn=srepr(value))
            found.append((problem, value.has(Integral)))
    return found, unreadable


def boxed(solution):
    match = re.search(r"\\boxed\s*\{(.*)\}", solution, re.DOTALL)
    return match[1] if match else solution.strip("$ ")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_hardmath2_golds_equal_themselves_and_no_mutant_of_them(hardmath2):
    golds, unreadable = hardmath2
    assert unreadable <= UNREADABLE
    counts, faults = outcomes_of(problem for problem, integral in golds if not integral)
    assert faults == []
    assert counts["golds"] > 150
    assert counts["rejected"] > 8 * counts["golds"]
    assert counts["undecided"] == counts["accepted"] == 0


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_hardmath2_golds_with_integrals_equal_themselves_and_their_mutants_are_not_accepted(hardmath2):
    golds, _ = hardmath2
    for problem in (problem for problem, integral in golds if integral):
        gold = evaluate_gold(problem)
        assert compare(gold=gold, answer=evaluate_gold(problem), problem=problem).relation == "equal"
        for mutant in islice(mutants(gold, problem, 1e-6), 3):
            # Those that no quadrature settles in time are undecided, which earns nothing.
            finding = compare(gold=gold, answer=mutant.value, problem=problem)
            assert finding.relation != "equal", (problem.id, mutant, finding)
