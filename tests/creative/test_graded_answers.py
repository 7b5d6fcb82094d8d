"""Final answers graded before the jury is asked, by the real grader; the jury over HTTP."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from scientific_math_critpt_env.commands.creative_tables import reports
from scientific_math_critpt_env.creative.dataset import load_dataset
from scientific_math_critpt_env.creative.errors import CreativeError
from scientific_math_critpt_env.creative.evaluation import EvaluationRules, GradeFirst, evaluate
from scientific_math_critpt_env.creative.export import exported
from scientific_math_critpt_env.creative.folders import RunFolder, write_whole
from scientific_math_critpt_env.creative.grading import AnswerGrader
from scientific_math_critpt_env.creative.records import SampleRecord
from scientific_math_critpt_env.creative.samples import load_generation
from scientific_math_critpt_env.demo.judges import Rule
from scientific_math_critpt_env.judging import Judge, Jury
from tests.creative.golden import serving

RESPONSES = (r"Count on: \boxed{4}.", r"Count on: \boxed{5}.", "So it is four.", r"\boxed{4} I was lucky.")

RULES = [
    Rule(stage="correctness", contains=("lucky",), reply="The answer has no derivation.\nVerdict: NO"),
    Rule(reply="It holds.\nVerdict: YES"),
]


def write(folder: Path, gold: str = "4") -> None:
    row = {"problem": "What is 2 + 2?", "solutions": {"1": "Count: 4."}, "answer_fn": gold}
    (folder / "data.json").write_text(json.dumps([row] * len(RESPONSES)))
    rows = [{"problem_id": i, "k": 1, "n": 1, "response": text} for i, text in enumerate(RESPONSES)]
    (folder / "m.json").write_text(json.dumps(rows))


@pytest.mark.slow
def test_the_grader_decides_and_the_jury_is_asked_for_the_rest_or_beside_it(tmp_path: Path) -> None:
    write(tmp_path)
    dataset = load_dataset(tmp_path / "data.json")
    generation = load_generation(tmp_path / "m.json", dataset)

    async def judged(url: str, grade: GradeFirst) -> list[SampleRecord]:
        async with Jury([Judge(name="a", model="a", base_url=url)]) as jury:
            return await evaluate(dataset, generation, jury, EvaluationRules(grade=grade), grader=grader)

    with AnswerGrader(workers=1) as grader, serving(RULES) as (url, script):
        first = asyncio.run(judged(url, "first"))
        asked = [call for call in script.calls if call.stage == "correctness"]
        both = asyncio.run(judged(url, "both"))
    assert [RESPONSES[2] in str(call.messages) for call in asked] == [True]
    for records in (first, both):
        assert [r.stages["correctness"].decision for r in records] == ["YES", "NO", "YES", "YES"]
        assert [r.answer and r.answer.source for r in records] == ["box", "box", "", "box"]
    assert [r.stages["correctness"].by for r in first] == ["grader", "grader", "jury", "grader"]
    folder = RunFolder(tmp_path / "eval", "m")
    folder.begin({}, overwrite=False)
    folder.write_record(record.row() for record in both)
    write_whole(folder.output, exported(both, ["a"]))
    report = reports(folder.output, dataset)["grader"]
    assert (report["graded"], report["decided"], report["decided_by_both"]) == (4, 3, 3)
    assert list(report["pairs"].values()) == [1, 1, 1, 0]
    assert report["agreement"] == pytest.approx(1 / 3)
    assert json.loads(folder.output.read_text())[3]["correctness"] == {"a": "NO", "final_decision": "YES"}


def test_a_bad_answer_field_is_told_with_its_place(tmp_path: Path) -> None:
    write(tmp_path, gold="")
    with pytest.raises(CreativeError, match=r"data\.json: problem 0: answer_fn"):
        load_dataset(tmp_path / "data.json")
