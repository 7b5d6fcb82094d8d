"""Scripted judges: rules from a file, served by the real command."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from scientific_math_critpt_env.demo.judges import JudgeScript, Rule, load_judges
from scientific_math_critpt_env.demo.wire import Asked
from scientific_math_critpt_env.errors import ScientificMathError
from scientific_math_critpt_env.judging import correctness_question, novelty_question

FORMS = Path(__file__).with_name("forms.jsonl")


def asked(text: str, model: str = "m") -> Asked:
    return Asked({"model": model, "messages": [{"role": "user", "content": text}]})


def played(script: JudgeScript, request: Asked) -> str | None:
    call = script.play(request)
    return None if call is None else call.rule.reply


def test_the_first_rule_that_fits_answers() -> None:
    script = JudgeScript(
        [
            Rule(model="a", contains=("x", "y"), reply="both"),
            Rule(model="a", lacks=("x",), reply="none"),
            Rule(model="b", times=2, reply="twice"),
            Rule(model="b", reply="then"),
        ]
    )
    assert played(script, asked("x y", "a")) == "both"
    assert played(script, asked("z", "a")) == "none"
    assert played(script, asked("x", "a")) is None
    assert [played(script, asked("1", "b")) for _ in range(3)] == ["twice", "twice", "then"]
    assert played(script, asked("2", "b")) == "twice"  # counted by conversation
    assert len(script.calls) == 6


def test_stages_are_known_by_their_prompts() -> None:
    script = JudgeScript(
        [Rule(stage=stage, reply=stage) for stage in ("correctness", "novelty", "generation")]
    )
    for question, stage in (
        (correctness_question("p", [], "s"), "correctness"),
        (novelty_question("p", ["r"], "s"), "novelty"),
    ):
        body = {"model": "m", "messages": [dict(message) for message in question.messages]}
        assert played(script, Asked(body)) == stage
    assert played(script, asked("anything else")) is None


def test_one_text_needs_no_list(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"rules": [{"contains": "2 + 2", "lacks": ["5"], "reply": "4"}]}))
    script = load_judges(path)
    assert [played(script, asked(text)) for text in ("2 + 2", "2 2", "2 + 25")] == ["4", None, None]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "no JSON"),
        ("[]", 'must be an object with "rules"'),
        ('{"rules": [{"modell": "x"}]}', "rules: 0.modell"),
        ('{"rules": [{"stage": "later"}]}', "rules: 0.stage"),
    ],
)
def test_a_script_that_is_wrong_is_told(tmp_path: Path, content: str, told: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(content)
    with pytest.raises(ScientificMathError, match=re.escape(told)) as raised:
        load_judges(path)
    assert str(path) in str(raised.value)


def test_serve_demo_serves_them(tmp_path: Path) -> None:
    rules: list[Any] = [
        {"model": "busy", "status": 429, "retry_after": 3, "reply": "later"},
        {"model": "mute", "reply": None, "usage": False},
        {"reply": "Scripted {digest}."},
    ]
    path = tmp_path / "script.json"
    path.write_text(json.dumps({"rules": rules}))
    command = [sys.executable, "-m", "scientific_math_critpt_env.cli", "serve-demo", "--port", "0"]
    command += ["--problems", str(FORMS), "--judges", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = re.search(r"http://\S+", process.stdout.readline())
            assert url is not None
            assert process.stdout.readline().startswith(f"3 rules of {path}")

            def post(model: str) -> httpx.Response:
                body = {"model": model, "messages": [{"role": "user", "content": "hello"}]}
                return httpx.post(f"{url[0]}/chat/completions", json=body)

            busy = post("busy")
            assert (busy.status_code, busy.headers["Retry-After"]) == (429, "3")
            mute = post("mute").json()
            assert (mute["choices"][0]["message"]["content"], "usage" in mute) == (None, False)
            said = post("other").json()["choices"][0]["message"]["content"]
            assert re.fullmatch(r"Scripted [0-9a-f]{8}\.", said)
        finally:
            process.send_signal(signal.SIGTERM)
