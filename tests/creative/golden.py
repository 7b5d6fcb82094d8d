"""The small complete run of CreativeMath's own code, with its judges served over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.demo.judges import JudgeScript, Rule
from scientific_math_critpt_env.demo.server import running

FOLDER = Path(__file__).with_name("golden_run")
DATA = FOLDER / "dataset.json"
GENERATION = FOLDER / "generation_demo.json"
JUDGES = ("claude-3-opus", "gemini-1.5-pro", "gpt-4")

FIRST_SOLUTION = {"s3": "P2S1", "s4": "P2S1"}
"""What coarse-grained novelty shows of samples that come to fine-grained novelty, which does not show it."""


def read(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def golden_rules() -> list[Rule]:
    """The judge script as rules of the scripted endpoint."""
    rules = []
    for stage, samples in read("judge_script.json").items():
        for sample, replies in samples.items():
            for model, reply in replies.items():
                rules.append(
                    Rule(
                        model=model,
                        stage="correctness" if stage == "correctness" else "novelty",
                        contains=(f"{sample}|",),
                        lacks=(FIRST_SOLUTION[sample],) if stage == "fine" else (),
                        reply=reply,
                    )
                )
    # Rules of the fine stage first: those of the coarse stage would fit it as well.
    return sorted(rules, key=lambda rule: not rule.lacks)


@contextmanager
def serving(rules: list[Rule] | None = None, **options: Any) -> Iterator[tuple[str, JudgeScript]]:
    script = JudgeScript(golden_rules() if rules is None else rules)
    with running([], judges=script, **options) as url:
        yield url, script


def write_judges(
    path: Path, url: str, *, judges: Any = JUDGES, judge: dict[str, Any] | None = None, **settings: Any
) -> Path:
    """A jury's file; JSON is YAML."""
    rows = [{"name": name, "model": name, "base_url": url, **(judge or {})} for name in judges]
    path.write_text(json.dumps({"judges": rows, **settings}), encoding="utf-8")
    return path


def stage_of(messages: Any) -> str:
    """Stage by what is shown, as judge_calls.jsonl names it."""
    text = "\n".join(message["content"] for message in messages)
    if "solves the problem correctly" in text:
        return "correctness"
    sample = next(name for name in ("s0", "s1", "s2", "s3", "s4", "s5") if f"{name}|" in text)
    return "fine" if sample in FIRST_SOLUTION and FIRST_SOLUTION[sample] not in text else "coarse"
