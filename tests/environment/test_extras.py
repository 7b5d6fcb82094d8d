"""Rewards beside correctness in `scientific-math-critpt`: a jury, and novelty; off, on, capped, failing."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from pydantic import ValidationError
from scientific_math_critpt.taskset import CritptTaskset, CritptTasksetConfig
from verifiers.v1.trace import Trace

from scientific_math_critpt_env.demo.judges import Rule
from tests.environment.episodes import NO, YES, jury_file, run_episodes, serving, solver
from tests.novelty.programs import TABLE

ID = "scientific-math-critpt"
BY_SUM, BY_FORMULA = TABLE[3]["approaches"]["inclusion"][0], TABLE[3]["approaches"]["library"][0]
ROW = {
    "id": "derangements",
    "topic": "counting",
    "prompt": "In how many orders can ten things stand so that none is in its own place?",
    "answer_fn": "1334961",
}


def _block(code: str) -> str:
    return f"By inclusion and exclusion.\n\n```python\n{code}```\n"


async def _rollout(
    url: str, folder: Path, extras: dict[str, Any], *, solutions: list[str] | None = None
) -> Trace:
    rows = folder / "problems.jsonl"
    rows.write_text(json.dumps(ROW | ({"solutions": solutions} if solutions else {})) + "\n")
    taskset = {"id": ID, "problems": str(rows), "task": {"extras": extras}}
    # A field the schema does not know is named in a warning.
    with pytest.warns(UserWarning, match="solutions") if solutions else nullcontext():
        ((trace,),) = [e.traces for e in await run_episodes(url, folder, {"taskset": taskset})]
    return trace


def test_off_nothing_is_imported() -> None:
    code = (
        "import sys, scientific_math_critpt.env\n"
        "from scientific_math_critpt.taskset import CritptTaskset, CritptTasksetConfig\n"
        f"task = next(iter(CritptTaskset(CritptTasksetConfig(id={ID!r}))))\n"
        "assert not task.config.extras.on and task.references == []\n"
        "parts = ('judging', 'novelty', 'creative')\n"
        "print([m for m in sys.modules for p in parts if m.startswith('scientific_math_critpt_env.' + p)])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_off_there_is_one_reward(tmp_path: Path) -> None:
    with serving(*solver(_block(BY_SUM))) as (url, _):
        trace = await _rollout(url, tmp_path, {})
    assert list(trace.rewards) == ["correct"]
    assert trace.reward == 1.0


async def test_a_right_answer_is_judged_and_measured(tmp_path: Path) -> None:
    rules = [*solver(_block(BY_SUM)), Rule(model="b", stage="novelty", reply=NO.reply), YES]
    with serving(*rules) as (url, script):
        extras = {
            "jury": str(jury_file(tmp_path, url, "a", "b", "c")),
            "judge_weight": 0.2,
            "judge_novelty_weight": 0.1,
            "novelty_weight": 0.1,
        }
        trace = await _rollout(url, tmp_path, extras, solutions=[BY_FORMULA])
    scores = {name: (reward.score, reward.weight) for name, reward in trace.rewards.items() if reward}
    assert scores["correct"] == (1.0, 1.0)
    assert scores["judge"] == (1.0, 0.2)
    assert scores["judge_novelty"] == (1.0, 0.1)
    assert 0.5 < scores["novelty"][0] <= 1.0
    assert trace.reward == pytest.approx(1.3 + 0.1 * scores["novelty"][0])
    assert [vote["verdict"] for vote in trace.info["judges"]["judge_novelty"]["votes"]] == [
        "YES",
        "NO",
        "YES",
    ]
    assert (trace.metrics["judge_cost"] or 0) > 0
    assert sum(call.model != "solver" for call in script.calls) == 6


async def test_a_derivation_that_is_not_sound_is_not_new(tmp_path: Path) -> None:
    rules = [*solver(_block(BY_SUM)), Rule(stage="correctness", reply="Step 2 fails.\nVerdict: NO"), YES]
    with serving(*rules) as (url, script):
        extras = {"jury": str(jury_file(tmp_path, url, "a")), "judge_novelty_weight": 0.5}
        trace = await _rollout(url, tmp_path, extras, solutions=[BY_FORMULA])
    assert trace.reward == 1.0
    assert [call.stage for call in script.calls if call.model != "solver"] == ["correctness"]


async def test_bonuses_are_capped_together(tmp_path: Path) -> None:
    with serving(*solver(_block(BY_SUM)), YES) as (url, _):
        extras = {"jury": str(jury_file(tmp_path, url, "a")), "judge_weight": 3.0, "novelty_weight": 5.0}
        trace = await _rollout(url, tmp_path, {**extras, "cap": 0.25}, solutions=[BY_FORMULA])
    assert trace.reward == pytest.approx(1.25)
    assert trace.rewards["judge"] is not None
    assert trace.rewards["judge"].score == 1.0


async def test_a_known_approach_is_not_novel(tmp_path: Path) -> None:
    with serving(*solver(_block(BY_SUM))) as (url, _):
        trace = await _rollout(url, tmp_path, {"novelty": True}, solutions=[BY_FORMULA, BY_SUM])
    assert trace.rewards["novelty"] is not None
    assert (trace.rewards["novelty"].score, trace.reward) == (0.0, 1.0)


async def test_a_wrong_answer_earns_nothing_and_no_judge_is_paid(tmp_path: Path) -> None:
    with serving(*solver(_block(BY_SUM.replace("10", "9"))), YES) as (url, script):
        extras = {"jury": str(jury_file(tmp_path, url, "a")), "judge_weight": 1.0, "novelty_weight": 1.0}
        trace = await _rollout(url, tmp_path, extras, solutions=[BY_FORMULA])
    assert trace.ok
    assert trace.reward == 0.0
    assert {name: reward.score for name, reward in trace.rewards.items() if reward} == dict.fromkeys(
        ("correct", "judge", "judge_novelty", "novelty"), 0.0
    )
    assert [call.model for call in script.calls] == ["solver"]


async def test_a_jury_that_cannot_be_had_is_an_error_and_no_zero(tmp_path: Path) -> None:
    with serving(*solver(_block(BY_SUM)), Rule(model="dead", status=500), YES) as (url, _):
        extras = {"jury": str(jury_file(tmp_path, url, "dead")), "judge_weight": 0.5}
        trace = await _rollout(url, tmp_path, extras)
    assert not trace.ok
    assert trace.last_error is not None
    assert "the jury could not decide on judge: dead:" in trace.last_error.message
    assert not trace.rewards


async def test_judges_without_a_verdict_do_not_say_yes(tmp_path: Path) -> None:
    with serving(*solver(_block(BY_SUM)), Rule(reply="Hard to say.")) as (url, _):
        extras = {"jury": str(jury_file(tmp_path, url, "a")), "judge_weight": 0.5}
        trace = await _rollout(url, tmp_path, extras)
    assert trace.ok
    assert trace.reward == 1.0
    assert trace.info["judges"]["judge"]["decision"] == "UNDECIDED"


def test_settings_that_mean_nothing_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValidationError, match="need a `jury`"):
        vf.resolve_env_config({"taskset": {"id": ID, "task": {"extras": {"judge_weight": 0.1}}}})
    for file, told in (
        (tmp_path / "none.yaml", "No such file"),
        (jury_file(tmp_path, "http://127.0.0.1:1/v1", "a", rule="loudest"), "unknown voting rule"),
        (_keyed(tmp_path), "set SOME_KEY, the keys of the judges"),
    ):
        config = CritptTasksetConfig.model_validate({"id": ID, "task": {"extras": {"jury": str(file)}}})
        with pytest.raises(SystemExit, match=told) as stopped:
            list(CritptTaskset(config))
        assert "\n" not in str(stopped.value)


def _keyed(folder: Path) -> Path:
    path = folder / "keyed.yaml"
    judge = {"model": "a", "base_url": "http://127.0.0.1:1/v1", "key_variable": "SOME_KEY"}
    path.write_text(json.dumps({"judges": [judge]}))
    return path
