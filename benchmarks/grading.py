"""Who says what of the same pairs: ours, the original's rule, SymPy's `equals`, Math-Verify's `verify`.

Pairs are the strict and hard rows of tests/grading/equivalence.json, values built before the clock starts;
rows whose verdict is a matter of policy are left out. Each method runs in its own process, which the kernel
kills when a row takes more CPU time than it may; the next row gets a new one. A wrong accept is an unequal
pair that is accepted, a wrong reject an equal pair that is not, for whatever reason. Milliseconds are CPU
time of the comparison in a warm process, those of killed rows included as the limit.
Not covered: extraction and LaTeX. Math-Verify is given SymPy values (tuples and lists as `Tuple`), its
reader has no part in this.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import sympy

from scientific_math_critpt_env.grading.compare import compare
from scientific_math_critpt_env.grading.critpt_v1 import compare_critpt_v1
from scientific_math_critpt_env.grading.golds import evaluate_gold
from scientific_math_critpt_env.problems.schema import Problem

TABLE = Path(__file__).resolve().parents[1] / "tests" / "grading" / "equivalence.json"
CPU_SECONDS = 10.0
"""What the original gives `simplify`; ours stops itself after 2."""
WALL_SECONDS = 120.0
"""Backstop for a process that sleeps, and much longer than the CPU limit: the machine may be busy."""
PERCENTILE = 0.95

EXAMPLES = """examples:
  python benchmarks/grading.py                       # everything: half an hour on two cores
  python benchmarks/grading.py --limit 200           # every so many pairs, a few minutes
  python benchmarks/grading.py --strict-only --methods ours equals
  python benchmarks/grading.py --limit 200 --json > out.json    # with the pairs each method has wrong
"""


# ---- methods: True accepts, False rejects, None does not know ----


def ours(gold: Any, answer: Any, problem: Problem) -> bool | None:
    """`compare` of scientific-v1."""
    found = compare(gold=gold, answer=answer, problem=problem).relation
    return None if found == "undecided" else found == "equal"


def simplify(gold: Any, answer: Any, problem: Problem) -> bool | None:
    """The bare rule."""
    return bool(sympy.simplify(gold - answer) == 0)


def critpt_v1(gold: Any, answer: Any, problem: Problem) -> bool | None:
    """The original's rules for each type, as our `critpt-v1` has them."""
    found = compare_critpt_v1(gold=gold, answer=answer, problem=problem).relation
    return None if found == "undecided" else found == "equal"


def equals(gold: Any, answer: Any, problem: Problem) -> bool | None:
    """SymPy's own, which may answer that it does not know."""
    found = sympy.sympify(gold).equals(sympy.sympify(answer))
    return None if found is None else bool(found)


def math_verify(gold: Any, answer: Any, problem: Problem) -> bool | None:
    """Math-Verify's: errors are raised instead of rejected, the CPU limit replaces its timer of 5 s."""
    logging.getLogger("math_verify").setLevel(logging.ERROR)  # it warns that it has no timer
    from math_verify import verify  # type: ignore[import-untyped]

    return bool(verify(_as_read(gold), _as_read(answer), timeout_seconds=None, raise_on_error=True))


def _as_read(value: Any) -> Any:
    """The value as Math-Verify's reader would hand it over: a list there means alternatives."""
    if isinstance(value, str):
        return value
    return sympy.Tuple(*value) if isinstance(value, (tuple, list)) else sympy.sympify(value)


METHODS: dict[str, Callable[[Any, Any, Problem], bool | None]] = {
    "ours": ours,
    "simplify": simplify,
    "critpt-v1": critpt_v1,
    "equals": equals,
    "math-verify": math_verify,
}


# ---- the process of a method ----


def serve(method: str, cpu_seconds: float) -> None:
    """Say `ready`; answer each row on stdin by a line: [verdict or what was raised, CPU milliseconds]."""
    decide = METHODS[method]
    try:
        decide(sympy.Integer(2), sympy.Integer(2), Problem(id="warm", prompt="-", answer_fn="2"))
    except ImportError as error:
        sys.exit(str(error))
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(_answered(decide, json.loads(line), cpu_seconds)), flush=True)


def _answered(decide: Callable[..., bool | None], row: dict[str, Any], cpu_seconds: float) -> list[Any]:
    start = time.process_time()
    # Nobody handles SIGPROF, so that this timer ends the process, in whatever code it is.
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    try:
        problem = Problem(
            id=row["id"], prompt="-", answer_fn=row["gold"], answer_type=row["answer_type"] or "symbolic"
        )
        names = {name: getattr(sympy, name) for name in sympy.__all__}
        names |= {"sympy": sympy, "sp": sympy, "np": numpy, "numpy": numpy}
        gold, answer = evaluate_gold(problem), eval(row["answer"], names)
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
        start = time.process_time()
        verdict: Any = decide(gold, answer, problem)
    except Exception as error:  # noqa: BLE001 - errors of a method are what is counted here
        verdict = type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return [verdict, 1e3 * (time.process_time() - start)]


class Worker:
    """A method in a process that is replaced when it was killed."""

    def __init__(self, method: str, cpu_seconds: float) -> None:
        self.command = [sys.executable, __file__, "--serve", method, "--cpu-seconds", str(cpu_seconds)]
        self.cpu_seconds = cpu_seconds
        self.process: subprocess.Popen[str] | None = None

    def ask(self, row: dict[str, Any]) -> list[Any]:
        """[verdict, milliseconds]; the verdict is "timeout" where the process had to be ended."""
        if self.process is None:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=_environment()
            )
            if self.process.stdout is None or not self.process.stdout.readline():
                raise SystemExit(f"{' '.join(self.command)} does not start")
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(row) + "\n")
        self.process.stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            line = self.process.stdout.readline() if selector.select(WALL_SECONDS) else ""
        if line:
            answer: list[Any] = json.loads(line)
            return answer
        ended_by = self.close()
        return [
            "timeout" if ended_by in (-signal.SIGPROF, -signal.SIGKILL) else "died",
            1e3 * self.cpu_seconds,
        ]

    def close(self) -> int:
        """End the process if it has not ended; its return code."""
        if self.process is None:
            return 0
        process, self.process = self.process, None
        if process.poll() is None and process.stdout is not None:
            try:
                process.wait(0.5)  # at the end of its output it is about to be gone
            except subprocess.TimeoutExpired:
                process.kill()
        return process.wait()


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONHASHSEED": "0"}


# ---- counting ----


@dataclass(frozen=True)
class Row:
    """A pair of the table."""

    id: str
    group: str
    equal: bool
    answer_type: str
    gold: str
    answer: str


def rows_of(table: dict[str, Any], *, strict_only: bool, limit: int | None) -> list[Row]:
    """Rows that count, thinned out evenly to at most `limit`."""
    every = [dict(zip(table["columns"], values, strict=True)) for values in table["rows"]]
    groups = ("strict",) if strict_only else ("strict", "hard")
    rows = [
        Row(**{name: row[name] for name in Row.__annotations__})
        for row in every
        if row["group"] in groups and not row["policy"]
    ]
    if limit is None or limit >= len(rows):
        return rows
    return [rows[k * len(rows) // limit] for k in range(limit)]


def judged(method: str, rows: list[Row], cpu_seconds: float) -> Iterator[tuple[Row, Any, float]]:
    worker = Worker(method, cpu_seconds)
    try:
        for row in rows:
            verdict, milliseconds = worker.ask(row.__dict__)
            yield row, verdict, milliseconds
    finally:
        worker.close()


def figures(results: list[tuple[Row, Any, float]]) -> dict[str, Any]:
    """What the table shows, and the ids of the pairs that came out wrong."""
    times = sorted(milliseconds for _row, _verdict, milliseconds in results)
    accepts = [row.id for row, verdict, _ in results if verdict is True and not row.equal]
    rejects = [row.id for row, verdict, _ in results if verdict is not True and row.equal]
    raised = [row.id for row, verdict, _ in results if isinstance(verdict, str) and verdict != "timeout"]
    return {
        "pairs": len(results),
        "wrong_accepts": len(accepts),
        "wrong_rejects": len(rejects),
        "unknown": sum(verdict is None for _row, verdict, _ in results),
        "errors": len(raised),
        "timeouts": sum(verdict == "timeout" for _row, verdict, _ in results),
        "median_ms": times[len(times) // 2],
        "p95_ms": times[min(len(times) - 1, int(PERCENTILE * len(times)))],
        "total_s": sum(times) / 1e3,
        "which": {"wrong_accepts": accepts, "wrong_rejects": rejects, "errors": raised},
    }


def table_of(found: dict[str, dict[str, dict[str, Any]]]) -> str:
    columns = (
        "pairs",
        "wrong_accepts",
        "wrong_rejects",
        "unknown",
        "errors",
        "timeouts",
        "median_ms",
        "p95_ms",
    )
    lines = ["| pairs | method | " + " | ".join(c.replace("_", " ") for c in columns[1:]) + " |"]
    lines.append("|---|---|" + "---:|" * (len(columns) - 1))
    for group, methods in found.items():
        for method, result in methods.items():
            cells = [f"{result[c]:.1f}" if c.endswith("_ms") else str(result[c]) for c in columns[1:]]
            lines.append(f"| {result['pairs']} {group} | {method} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=(__doc__ or "").splitlines()[0],
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--limit", type=int, metavar="N", help="at most N pairs, evenly spread (default: all)"
    )
    parser.add_argument("--strict-only", action="store_true", help="leave out the hard pairs")
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS), metavar="METHOD",
                        help=f"of {', '.join(METHODS)} (default: all)")  # fmt: skip
    parser.add_argument("--cpu-seconds", type=float, default=CPU_SECONDS, metavar="S",
                        help="CPU time of one pair (default: %(default)s)")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=2, metavar="N",
                        help="methods that run at the same time (default: %(default)s)")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument("--serve", choices=METHODS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.serve, arguments.cpu_seconds)
        return
    if arguments.limit is not None and arguments.limit < 1:
        parser.error("--limit must be at least 1")
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    rows = rows_of(table, strict_only=arguments.strict_only, limit=arguments.limit)

    def all_of(method: str) -> list[tuple[Row, Any, float]]:
        done = list(judged(method, rows, arguments.cpu_seconds))
        print(f"{method}: {len(done)} pairs", file=sys.stderr)
        return done

    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = dict(zip(arguments.methods, pool.map(all_of, arguments.methods), strict=True))
    found = {
        group: {
            method: figures([one for one in result if one[0].group == group])
            for method, result in results.items()
        }
        for group in dict.fromkeys(row.group for row in rows)
    }
    print(json.dumps(found, indent=1) if arguments.json else table_of(found))


if __name__ == "__main__":
    main()
