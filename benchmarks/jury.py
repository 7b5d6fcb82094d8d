"""How much faster a jury judges than one call after another, against an endpoint that takes 50 ms a reply.

    .venv/bin/python benchmarks/jury.py [--problems 400] [--serial-calls 100]

400 problems with 605 reference solutions in all, as CreativeMath has, made up here; 605 samples, three
judges, three stages, every verdict YES, so that only k = n skips a stage. The scripted endpoint is a process
of its own on the same machine. The time one call after another takes is measured on a subset (the same
requests over one kept connection, from this process) and multiplied by the number of calls. Exits with 1
below the bound.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from scientific_math_critpt_env.creative.dataset import load_dataset
from scientific_math_critpt_env.creative.evaluation import EvaluationRules, evaluate
from scientific_math_critpt_env.creative.samples import load_generation, places
from scientific_math_critpt_env.creative.stages import StageRules, question
from scientific_math_critpt_env.judging import Judge, Jury
from scientific_math_critpt_env.judging.requesting import request

BOUND = 20.0

LATENCY = 0.05

MODELS = ("first", "second", "third")

SOLUTIONS = (1,) * 250 + (2,) * 110 + (3,) * 25 + (4,) * 15
"""Reference solutions by problem: 400 problems, 605 solutions."""

WORDS = "We set the two sides equal and compare the coefficients of every power in turn. " * 12
"""About the length of a solution."""


def main() -> int:
    parser = argparse.ArgumentParser(description="a jury against one call after another")
    parser.add_argument("--problems", type=int, default=len(SOLUTIONS))
    parser.add_argument("--serial-calls", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, _endpoint(Path(folder)) as url:
        data, generation = _write(Path(folder), arguments.problems)
        dataset = load_dataset(data)
        samples = load_generation(generation, dataset)
        judges = [Judge(name=model, model=model, base_url=url) for model in MODELS]
        each = _serial_seconds(url, arguments.serial_calls, judges[0], folder)
        began, spent = time.monotonic(), time.process_time()

        async def judged() -> int:
            async with Jury(judges, cache=Path(folder) / "replies") as jury:
                records = await evaluate(dataset, samples, jury, EvaluationRules())
                assert all(record.stages["coarse_grained_novelty"].decision == "YES" for record in records)
                return jury.calls

        calls = asyncio.run(judged())
        lasted, spent = time.monotonic() - began, time.process_time() - spent
    serial = each * calls
    print(f"{len(samples.samples)} samples, {len(judges)} judges: {calls} calls in {lasted:.1f} s")
    print(
        f"  {calls / lasted:.0f} calls a second; this process used {1000 * spent / calls:.2f} ms CPU a call"
    )
    print(f"one call after another: {1000 * each:.1f} ms each (measured on {arguments.serial_calls} calls),")
    print(
        f"  so {serial:.0f} s for all of them (extrapolated); latency alone would be {LATENCY * calls:.0f} s"
    )
    by_latency = LATENCY * calls / lasted
    print(f"faster: {serial / lasted:.1f} times; by latency alone {by_latency:.1f} (bound {BOUND:.0f})")
    return 0 if by_latency >= BOUND else 1


def _serial_seconds(url: str, calls: int, judge: Judge, folder: str) -> float:
    """Seconds a call takes when each waits for the one before."""
    problem = load_dataset(Path(folder) / "data.json").problems[0]
    place = places([problem])[0]
    with httpx.Client() as client:
        bodies = [
            request(judge, question("correctness", problem, place, f"{number} {WORDS}", StageRules()))
            for number in range(calls)
        ]
        began = time.monotonic()
        for body in bodies:
            client.post(f"{url}/chat/completions", json=body).raise_for_status()
        return (time.monotonic() - began) / calls


def _write(folder: Path, problems: int) -> tuple[Path, Path]:
    data, generation = folder / "data.json", folder / "model.json"
    counts = SOLUTIONS[:: max(1, len(SOLUTIONS) // problems)][:problems]
    rows = [
        {
            "competition": "MADE_UP",
            "problem": f"Problem {index}. {WORDS[:300]}",
            "solutions": {str(number): f"Way {number} of {index}. {WORDS}" for number in range(1, count + 1)},
        }
        for index, count in enumerate(counts)
    ]
    data.write_text(json.dumps(rows))
    samples = [
        {"problem_id": place.problem_id, "k": place.k, "n": place.n, "response": f"{place} {WORDS}"}
        for place in places(load_dataset(data).problems)
    ]
    generation.write_text(json.dumps(samples))
    return data, generation


@contextmanager
def _endpoint(folder: Path) -> Iterator[str]:
    script = folder / "script.json"
    script.write_text(json.dumps({"rules": [{"reply": "Every step holds.\nVerdict: YES"}]}))
    command = [sys.executable, "-m", "scientific_math_critpt_env.cli", "serve-demo", "--port", "0"]
    command += ["--judges", str(script), "--latency", str(LATENCY)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found, "the demo endpoint did not start"
            yield found[0]
        finally:
            process.send_signal(signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main())
