"""How the grader lasts: memory over many grades in one process, and grades while its processes are killed.

    python benchmarks/endurance.py                # 20,000 grades, then 2,000 with a kill every second
    python benchmarks/endurance.py --grades 2000 --grades-under-fire 300

Ends with 1 where a verdict is wrong or lost, or where resident memory of this process or of a zygote moved by
more than 5 % between the first tenth and the end.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from tqdm import tqdm

from scientific_math_critpt_env import Grader, Problem
from scientific_math_critpt_env.sandbox.sandbox import greet
from scientific_math_critpt_env.sandbox.waiting import drive

PROBLEM = Problem(id="endurance", prompt="-", answer_fn="x**2 + 2*x + 1")
COMPLETION = """```python
import sympy as sp

def model_answer():
    return (sp.Symbol("x") + {}) ** 2
```"""
TOLERANCE = 0.05
IN_FLIGHT = 200
KILL_SECONDS = 1.0


async def zygotes(grader: Grader) -> list[int]:
    """What starts the other processes. Asked for: a twin that took over is nobody's child here."""
    needed = grader._sandbox._processes.needed
    return [await drive(greet(launcher)) for launcher in needed]


def resident(pids: list[int]) -> dict[int, float]:
    """MiB by process."""
    page = os.sysconf("SC_PAGE_SIZE") / 2**20
    return {pid: int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * page for pid in pids}


async def graded(grader: Grader, count: int, label: str) -> int:
    """Grade right and wrong answers by turns; how many verdicts are not what they must be."""
    wrong = 0
    with tqdm(total=count, desc=label, unit="grade", disable=not sys.stderr.isatty()) as bar:
        for start in range(0, count, IN_FLIGHT):
            batch = range(start, min(start + IN_FLIGHT, count))
            verdicts = await asyncio.gather(
                *(grader.agrade(problem=PROBLEM, completion=COMPLETION.format(1 + k % 2)) for k in batch)
            )
            wanted = ("correct", "incorrect")
            wrong += sum(verdict.status != wanted[k % 2] for k, verdict in zip(batch, verdicts, strict=True))
            bar.update(len(batch))
    return wrong


async def memory_over(grader: Grader, count: int) -> dict[str, Any]:
    wrong = await graded(grader, count // 10, "first tenth")
    before = resident([os.getpid(), *await zygotes(grader)])
    start = time.perf_counter()
    wrong += await graded(grader, count - count // 10, "memory")
    after = resident(list(before))
    return {
        "grades": count,
        "wrong": wrong,
        "per_second": (count - count // 10) / (time.perf_counter() - start),
        "resident_mib": [[round(before[pid], 1), round(after[pid], 1)] for pid in before],
        "largest_change": max(abs(after[pid] / before[pid] - 1) for pid in before),
    }


async def under_fire(grader: Grader, count: int) -> dict[str, Any]:
    chance = random.Random(0)
    kills = 0

    async def killer() -> None:
        nonlocal kills
        while True:
            await asyncio.sleep(KILL_SECONDS)
            os.kill(chance.choice(await zygotes(grader)), signal.SIGKILL)
            kills += 1

    killing = asyncio.ensure_future(killer())
    start = time.perf_counter()
    try:
        wrong = await graded(grader, count, "under fire")
    finally:
        killing.cancel()
    return {"grades": count, "wrong": wrong, "kills": kills, "seconds": time.perf_counter() - start}


async def measure(grades: int, grades_under_fire: int) -> dict[str, Any]:
    with Grader() as grader:
        return {
            "memory": await memory_over(grader, grades),
            "fire": await under_fire(grader, grades_under_fire),
        }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--grades", type=int, default=20_000, help="for the memory (default: %(default)s)")
    parser.add_argument("--grades-under-fire", type=int, default=2_000, help="default: %(default)s")
    arguments = parser.parse_args()
    results = asyncio.run(measure(arguments.grades, arguments.grades_under_fire))
    print(json.dumps(results, indent=1))
    memory, fire = results["memory"], results["fire"]
    sys.exit(bool(memory["wrong"] or fire["wrong"] or memory["largest_change"] > TOLERANCE))


if __name__ == "__main__":
    main()
