"""What a report shows of a run: its facts, its figures, an index of its samples, and the samples in chunks.

The index is small and read at once; a chunk is read by the page when one of its samples is opened.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.report.details import Detail, problem_html, sample_html
from scientific_math_critpt_env.runs.folder import PARSED
from scientific_math_critpt_env.runs.reading import Run
from scientific_math_critpt_env.runs.samples import Sample
from scientific_math_critpt_env.statistics.summary import SUMMARY_VERSION, summarise

CHUNK_SAMPLES = 40
"""Samples unpacked together: about 100 kB, some milliseconds."""

SEARCHED_CHARACTERS = 600
"""Of a problem's text that the page's search looks at; of answers and reasons, `SHORT_CHARACTERS`."""

SHORT_CHARACTERS = 160

Row = Mapping[str, Any]


@dataclass
class Collected:
    """Everything the page is made of."""

    facts: list[tuple[str, str]]
    summary: dict[str, Any]
    problems: list[dict[str, Any]] = field(default_factory=list)
    """In the run's order: uid, dataset, topic, difficulty, text (shortened), correct and graded samples."""
    samples: list[list[Any]] = field(default_factory=list)
    """[problem, sample_idx, status, answer, reason, output tokens, truncated], in the run's order."""
    chunks: list[str] = field(default_factory=list)
    """base64 of gzip of JSON: {"problems": {index: html}, "samples": [html, ...]}."""


def collect(run: Run, contract: str) -> Collected:
    """Read the run. Raises RunError where samples and verdicts do not belong together."""
    rows = list(run.verdicts(contract))
    collected = Collected(_facts(run, contract), _summary(run, contract, rows))
    places: dict[str, int] = {}
    chunk: dict[str, Any] = {"problems": {}, "samples": []}
    for sample, row in tqdm(run.judged(contract), total=len(rows), unit="sample", disable=None):
        place = places.get(sample.problem_uid)
        if place is None:
            place = places[sample.problem_uid] = len(places)
            collected.problems.append(_problem(sample, row))
        _count(collected.problems[place], row)
        collected.samples.append(_indexed(place, row))
        detail = Detail(sample, row)
        chunk["problems"].setdefault(place, problem_html(detail))
        chunk["samples"].append(sample_html(detail))
        if len(chunk["samples"]) == CHUNK_SAMPLES:
            collected.chunks.append(_packed(chunk))
            chunk = {"problems": {}, "samples": []}
    if chunk["samples"]:
        collected.chunks.append(_packed(chunk))
    return collected


def _summary(run: Run, contract: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures that the replay wrote; made here where it wrote none, or an older version did."""
    path: Path = run.path / PARSED / contract / "metrics.json"
    if path.is_file():
        metrics = _object(path)
        if metrics.get("schema_version") == SUMMARY_VERSION and metrics.get("sample_count") == len(rows):
            return metrics
    settings = run.manifest.get("model_settings") or {}
    prices = {"prompt": settings.get("prompt_price"), "output": settings.get("completion_price")}
    known = {name: price for name, price in prices.items() if price is not None}
    return summarise(rows, prices=known or None)


def _object(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict):
        raise RunError(f"{path}: no JSON object; replay the run again")
    return content


def _problem(sample: Sample, row: Row) -> dict[str, Any]:
    return {
        "uid": sample.problem_uid,
        "dataset": sample.dataset,
        "topic": row.get("topic") or "",
        "difficulty": row.get("difficulty"),
        "text": " ".join(sample.problem.split())[:SEARCHED_CHARACTERS],
        "correct": 0,
        "graded": 0,
    }


def _count(problem: dict[str, Any], row: Row) -> None:
    if row["is_correct"] is not None:
        problem["graded"] += 1
        problem["correct"] += bool(row["is_correct"])


def _indexed(place: int, row: Row) -> list[Any]:
    answer = row.get("normalized_prediction") or ""
    return [
        place,
        row["sample_idx"],
        row["status"],
        answer[:SHORT_CHARACTERS],
        (row.get("reason") or row.get("error") or "")[:SHORT_CHARACTERS],
        row.get("output_tokens"),
        bool(row.get("truncated")),
    ]


def _packed(chunk: dict[str, Any]) -> str:
    return base64.b64encode(gzip.compress(json.dumps(chunk).encode(), 6, mtime=0)).decode()


_FACTS = {
    "run_id": "run",
    "model": "model",
    "backend": "backend",
    "status": "status",
    "created_at": "started",
    "completed_at": "completed",
    "prompt": "prompt",
    "samples_per_problem": "samples per problem",
}
"""Of the manifest, in this order, where there."""


def _facts(run: Run, contract: str) -> list[tuple[str, str]]:
    manifest = run.manifest
    facts = [(label, str(manifest[name])) for name, label in _FACTS.items() if manifest.get(name) is not None]
    datasets = [entry.get("name", "") for entry in manifest.get("datasets") or [] if isinstance(entry, dict)]
    if datasets:
        facts.append(("data sets", ", ".join(datasets)))
    if isinstance(manifest.get("decode"), dict):
        facts.append(("decode", ", ".join(f"{name} {value}" for name, value in manifest["decode"].items())))
    code = manifest.get("code")
    if isinstance(code, dict) and code.get("revision"):
        facts.append(("code", f"{code['revision']}{' with changes' if code.get('dirty') else ''}"))
    facts.append(("contract", contract))
    path = run.path / PARSED / contract / "contract.json"
    if path.is_file():
        facts.append(("contract hash", str(_object(path).get("hash", ""))))
    hashes = manifest.get("hashes")
    if isinstance(hashes, dict) and hashes.get("raw"):
        facts.append(("samples hash", str(hashes["raw"])))
    return facts
