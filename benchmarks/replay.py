r"""How fast a run of boxed answers is replayed: on 1 and 2 workers, and against Math-Verify in a bare loop.

A run of made-up samples (numbers, fractions, expressions, sets, intervals, matrices; right in another form,
wrong, or unboxed; no two alike) is written, and replayed by the command in a process of its own: from an
interpreter that is not started yet to its end, hash check and start of the workers included; and once more
from the moment at which the workers are up. The bare loop is what one would write without this package: read
the rows, find the box, `parse` both sides, `verify`, count; timed as a whole process, and the loop alone.
Not covered: generation, and answers that hang, for which the bare loop has no remedy that stops C code.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# What is ours is imported where it is used: the process of the bare loop must not pay for it.

SAMPLES_PER_PROBLEM = 4
WORDS = "so we sum over all terms which is equal to this by the argument".split()  # noqa: SIM905 - a text

EXAMPLES = """examples:
  python benchmarks/replay.py                  # 2,000 samples, three times each: some minutes
  python benchmarks/replay.py --samples 400 --repeats 1 --json
"""


# ---- the run ----


def write_run(folder: Path, samples: int) -> Path:
    """A run of so many samples, the same for the same number."""
    from tests.runs.frozen import Said, freeze

    rng = random.Random(samples)
    said = []
    for number in range(samples // SAMPLES_PER_PROBLEM):
        kind = KINDS[number % len(KINDS)]
        gold, right, wrong = kind(rng)
        answers = [right, wrong, right + r"\,", rf"\left.{gold}\right."]
        replies = [f"{_talk(rng)} $\\boxed{{{answer}}}$." for answer in answers[:3]]
        unboxed = rng.random() < 0.2
        replies.append(f"{_talk(rng)} ${gold}$." if unboxed else f"{_talk(rng)} \\boxed{{ {gold} }}")
        said.append(Said(f"p{number:05d}", gold, replies))
    return freeze(folder, said)


def _talk(rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(40, 200)))


def integer(rng: random.Random) -> tuple[str, str, str]:
    n = rng.randrange(1000, 10**7)
    return f"{n}", f"{n:,}".replace(",", r"{,}") if n % 2 else f"{n}.0", f"{n + 1}"


def fraction(rng: random.Random) -> tuple[str, str, str]:
    a, b = rng.randrange(2, 900), rng.randrange(901, 3000)
    return rf"\frac{{{a}}}{{{b}}}", rf"{a}/{b}", rf"\frac{{{a}}}{{{b + 1}}}"


def radical(rng: random.Random) -> tuple[str, str, str]:
    a, b = rng.randrange(2, 60), rng.randrange(2, 999)
    return rf"{a}\sqrt{{{b}}}", rf"\sqrt{{{a * a * b}}}", rf"{a}\sqrt{{{b + 1}}}"


def polynomial(rng: random.Random) -> tuple[str, str, str]:
    a, b = rng.randrange(1, 99), rng.randrange(100, 199)
    return rf"(x+{a})(x-{b})", rf"x^2-{b - a}x-{a * b}", rf"x^2-{b - a}x+{a * b}"


def exponential(rng: random.Random) -> tuple[str, str, str]:
    a, b = rng.randrange(2, 99), rng.randrange(2, 99)
    return rf"{a}e^{{-{b}t}}\cos t", rf"\frac{{{a}\cos(t)}}{{e^{{{b}t}}}}", rf"{a}e^{{-{b}t}}\sin t"


def pair(rng: random.Random) -> tuple[str, str, str]:
    a, b = rng.randrange(2, 999), rng.randrange(2, 99)
    return rf"\left({a}, \frac{{\pi}}{{{b}}}\right)", rf"({a},\pi/{b})", rf"({a},\pi/{b + 1})"


def finite_set(rng: random.Random) -> tuple[str, str, str]:
    a, b, c = rng.sample(range(-500, 500), 3)
    return rf"\{{{a},{b},{c}\}}", rf"{c},{a},{b}", rf"{c},{a}"


def interval(rng: random.Random) -> tuple[str, str, str]:
    a, b = rng.randrange(-500, 0), rng.randrange(1, 500)
    return rf"[{a},{b})", rf"\left[{a},{b}\right)", rf"[{a},{b}]"


def matrix(rng: random.Random) -> tuple[str, str, str]:
    a, b, c, d = (rng.randrange(-99, 99) for _ in range(4))
    made = r"\begin{{pmatrix}}{} & {} \\ {} & {}\end{{pmatrix}}".format
    return made(a, b, c, d), made(a, b, c, f"{d}"), made(a, b, c, d + 1)


def decimal(rng: random.Random) -> tuple[str, str, str]:
    a = rng.randrange(10**6, 10**7)
    return f"{a / 1e5:.5f}", rf"\frac{{{a}}}{{100000}}", f"{(a + 30) / 1e5:.5f}"


KINDS: tuple[Callable[[random.Random], tuple[str, str, str]], ...] = (
    *(integer, fraction, radical, polynomial, exponential, pair, finite_set, interval, matrix, decimal),
    *(integer, integer, fraction, decimal),  # what most answers are
)


# ---- what is timed ----


def bare_loop(folder: Path) -> None:
    """Math-Verify without anything of ours, in this process; prints the loop's seconds and what it found."""
    import re

    from math_verify import ExprExtractionConfig, LatexExtractionConfig, parse, verify

    config = (LatexExtractionConfig(boxed_match_priority=0), ExprExtractionConfig())
    box = re.compile(r"\\boxed\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
    correct, started = 0, time.perf_counter()
    for shard in sorted((folder / "raw").iterdir()):
        for line in shard.open(encoding="utf-8"):
            row = json.loads(line)
            found = box.findall(row["final_text"])
            text = f"${found[-1]}$" if found else row["final_text"]
            correct += verify(parse(f"${row['gold_answer']}$", config), parse(text, config))
    print(json.dumps({"loop_seconds": time.perf_counter() - started, "softly_correct": correct}))


def replay_alone(folder: Path, workers: int) -> None:
    """Replay in this process; prints the seconds from its start, with the workers up, to its end."""
    from scientific_math_critpt_env.runs.contracts.math_v5_2_dual import MathV52Dual
    from scientific_math_critpt_env.runs.reading import open_run
    from scientific_math_critpt_env.runs.replay import replay

    contract = MathV52Dual(workers=workers)
    with closing(contract):
        asyncio.run(contract.self_test())
        started = time.perf_counter()
        replay(open_run(folder), contract)
        print(json.dumps({"seconds": time.perf_counter() - started}))


def timed(command: list[str]) -> dict[str, Any]:
    """Seconds that a command takes, and the JSON object that it printed."""
    started = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    return {"seconds": time.perf_counter() - started, "printed": json.loads(done.stdout)}


def measure(samples: int, repeats: int) -> dict[str, Any]:
    """The best of `repeats` of each, taken in turns."""
    with tempfile.TemporaryDirectory(prefix="replay-benchmark-") as scratch:
        folder = write_run(Path(scratch) / "made", samples)
        command = [sys.executable, "-m", "scientific_math_critpt_env.cli", "replay", str(folder), "--json"]
        command += ["--contract", "math-v5.2-dual", "--workers"]
        commands = {
            "bare": [sys.executable, __file__, "--bare", str(folder)],
            "one": [*command, "1"],
            "two": [*command, "2"],
            "one_up": [sys.executable, __file__, "--alone", "1", str(folder)],
            "two_up": [sys.executable, __file__, "--alone", "2", str(folder)],
        }
        runs: dict[str, list[dict[str, Any]]] = {name: [] for name in commands}
        for _ in range(repeats):
            for name, words in commands.items():
                shutil.rmtree(folder / "parsed", ignore_errors=True)
                runs[name].append(timed(words))
    best = {name: min(found, key=lambda run: run["seconds"]) for name, found in runs.items()}
    soft = best["two"]["printed"]["metrics"]["soft_accuracy"]
    loop = min(run["printed"]["loop_seconds"] for run in runs["bare"])
    up = {name: min(run["printed"]["seconds"] for run in runs[name]) for name in ("one_up", "two_up")}
    return {
        "samples": samples,
        "cores": len(os.sched_getaffinity(0)),
        **{f"{name}_seconds": best[name]["seconds"] for name in ("bare", "one", "two")},
        **{f"{name}_seconds": seconds for name, seconds in up.items()},
        "bare_loop_alone_seconds": loop,
        "two_workers_against_one": best["one"]["seconds"] / best["two"]["seconds"],
        "two_workers_up_against_one_up": up["one_up"] / up["two_up"],
        "two_workers_against_bare_process": best["bare"]["seconds"] / best["two"]["seconds"],
        "two_workers_against_bare_loop": loop / best["two"]["seconds"],
        "verdicts_agree": best["bare"]["printed"]["softly_correct"] == round(soft * samples),
    }


TITLES = {
    "bare_seconds": "Math-Verify in a bare loop, whole process",
    "bare_loop_alone_seconds": "of that, the loop alone",
    "one_seconds": "replay on 1 worker, whole process",
    "two_seconds": "replay on 2 workers, whole process",
    "one_up_seconds": "replay on 1 worker, which is up already",
    "two_up_seconds": "replay on 2 workers, which are up already",
    "two_workers_against_one": "2 workers against 1, whole processes, times as fast",
    "two_workers_up_against_one_up": "2 workers against 1, which are up already",
    "two_workers_against_bare_process": "2 workers against the bare loop's process",
    "two_workers_against_bare_loop": "2 workers, whole process, against the loop alone",
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--bare", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--alone", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bare:
        return bare_loop(arguments.bare)
    if arguments.alone:
        workers, folder = arguments.alone
        return replay_alone(Path(folder), int(workers))
    figures = measure(arguments.samples, arguments.repeats)
    if arguments.json:
        print(json.dumps(figures))
        return None
    print(f"{figures['samples']} samples, {figures['cores']} cores, best of {arguments.repeats}, seconds")
    for name, title in TITLES.items():
        print(f"  {title:<52}{figures[name]:>8.2f}")
    print(f"verdicts agree: {'yes' if figures['verdicts_agree'] else 'NO'}")
    return None


if __name__ == "__main__":
    main()
