"""Run folders made by hand, as `generate` and `replay` leave them, for tests of what reads them."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.runs.hashing import ContentHash, stable_hash
from scientific_math_critpt_env.runs.samples import Sample

DECODE = {"temperature": 1.0, "top_p": 1.0, "seed": 0, "max_output_tokens": 64}


@dataclass
class Made:
    """One sample and its verdict."""

    dataset: str
    problem_id: str
    sample_idx: int
    correct: bool | None
    text: str = "The answer is \\boxed{1}."
    problem: str = "What is $1 + 1$?"
    gold: str = "2"
    status: str = ""
    topic: str = ""
    difficulty: int | None = None
    verdict: dict[str, Any] = field(default_factory=dict)
    decode: dict[str, Any] = field(default_factory=lambda: dict(DECODE))
    metadata: dict[str, Any] = field(default_factory=dict)
    reasoning: str = ""

    def sample(self, run_id: str) -> Sample:
        return Sample(
            run_id=run_id,
            model="test-model",
            backend="openai",
            dataset=self.dataset,
            problem_id=self.problem_id,
            problem=self.problem,
            gold_answer=self.gold,
            gold_hash=stable_hash(self.gold),
            sample_idx=self.sample_idx,
            decode=self.decode,
            raw_text=self.text,
            reasoning_text=self.reasoning,
            final_text=self.text,
            thinking_status="separate" if self.reasoning else "none",
            finish_reason="stop",
            prompt_tokens=20,
            output_tokens=100 + self.sample_idx,
            response_id=f"r-{self.problem_id}-{self.sample_idx}",
            resolved_request={"model": "test-model", "messages": [{"role": "user", "content": self.problem}]},
            truncated=False,
            created_at="2026-01-01T00:00:00+00:00",
            metadata=dict(self.metadata),
        )

    def row(self) -> dict[str, Any]:
        status = (
            self.status or {True: "correct", False: "incorrect", None: "infrastructure_error"}[self.correct]
        )
        return {
            "dataset": self.dataset,
            "problem_id": self.problem_id,
            "problem_uid": f"{self.dataset}:{self.problem_id}",
            "sample_idx": self.sample_idx,
            "status": status,
            "is_correct": self.correct,
            "score": None if self.correct is None else float(self.correct),
            "candidate_text": "1",
            "normalized_prediction": "1",
            "normalized_gold": self.gold,
            "extraction_rule": "last_code_block",
            "method": "exact",
            "reason": "",
            "error": "",
            "truncated": False,
            "finish_reason": "stop",
            "prompt_tokens": 20,
            "output_tokens": 100 + self.sample_idx,
            "topic": self.topic,
            "difficulty": self.difficulty,
            "soft": None,
            **self.verdict,
        }


def from_flags(flags: dict[str, list[int]], **fields: Any) -> list[Made]:
    """Samples of the data set "d" by problem id, from 0 and 1."""
    return [Made("d", name, i, bool(ok), **fields) for name, oks in flags.items() for i, ok in enumerate(oks)]


def write_run(folder: Path, made: list[Made], *, run_id: str = "", contract: str = "scientific-v1") -> Path:
    """A completed and replayed run at `folder`."""
    run_id = run_id or folder.name
    samples = [one.sample(run_id) for one in made]
    datasets = list(dict.fromkeys(sample.dataset for sample in samples))
    (folder / "raw").mkdir(parents=True)
    (folder / "snapshots").mkdir()
    for name in datasets:
        ids = dict.fromkeys(sample.problem_id for sample in samples if sample.dataset == name)
        _write(folder / f"snapshots/{name}.jsonl", [{"id": problem_id} for problem_id in ids])
    _write(folder / "raw/shard-00000.jsonl", [sample.row() for sample in samples])
    manifest = {
        "run_id": run_id,
        "status": "completed",
        "datasets": [{"name": name, "snapshot": f"snapshots/{name}.jsonl"} for name in datasets],
        "hashes": {"raw": ContentHash(sample.row() for sample in samples).raw},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    replay_as(folder, made, contract)
    return folder


def replay_as(folder: Path, made: list[Made], contract: str, contract_hash: str = "c0") -> None:
    """Write the verdicts, under this contract."""
    parsed = folder / "parsed" / contract
    parsed.mkdir(parents=True, exist_ok=True)
    _write(parsed / "rows.jsonl", [one.row() for one in made])
    (parsed / "contract.json").write_text(json.dumps({"id": contract, "hash": contract_hash}))


def _write(path: Path, rows: list[Any]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
