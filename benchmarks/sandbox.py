"""What a grade costs: ours, and the ways one might do without, on the same answers in one run.

    python benchmarks/sandbox.py              # a table on stdout
    python benchmarks/sandbox.py --json       # the same as one JSON object

Ways: a full grade and an answer alone in our sandbox; the original's exec in the same process (no isolation,
no limit, one core); a cold `python -c` per answer; a process of a `multiprocessing` forkserver per answer.
CPU is user and system time of every process involved, so that it can be compared on a busy machine as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.sandbox import Limits, Outcome, Program

CORES = len(os.sched_getaffinity(0))
VARIANTS = 8
"""Different problems of each kind, so that nobody lives off SymPy's cache."""
HANG = "def model_answer():\n    while True:\n        pass"
HANG_EVERY = 50


@dataclass(frozen=True)
class Kind:
    """A sort of answer: golds and programs, with `k` to tell the variants apart."""

    name: str
    gold: str
    code: str
    slow: bool = False

    def problem(self, k: int) -> Problem:
        return Problem(
            id=f"{self.name}-{k % VARIANTS}",
            prompt="-",
            answer_fn=self.gold.replace("K", str(k % VARIANTS + 2)),
        )

    def program(self, k: int) -> str:
        return self.code.replace("K", str(k % VARIANTS + 2))


KINDS = [
    Kind("trivial", "Integer(K)", "def model_answer():\n    return K"),
    Kind(
        "typical",
        "(x + K)**3*(y - 2)**2",
        "import sympy as sp\n\ndef model_answer():\n    x, y = sp.symbols('x y')\n"
        "    return sp.expand((x + K)**3)*y**2 - 4*y*(x**3 + 3*K*x**2 + 3*K**2*x + K**3) + 4*(x + K)**3",
    ),
    Kind(
        "simplify-heavy",
        "sin(K*x)**2/2 + K",
        "import sympy as sp\n\ndef model_answer():\n    x = sp.Symbol('x')\n"
        "    area = sp.integrate(sp.sin(K*x)*sp.cos(K*x)*K, x)\n"
        "    return sp.simplify(area) + K*sp.simplify(sp.sin(x)**2 + sp.cos(x)**2)",
        slow=True,
    ),
    Kind(
        "scipy",
        "gamma(Rational(1, 2))*K",
        "from scipy import integrate\nimport numpy as np\n\ndef model_answer():\n"
        "    return K * integrate.quad(lambda t: np.exp(-t**2), -np.inf, np.inf)[0]",
    ),
]  # fmt: skip


def completion(code: str) -> str:
    return f"```python\n{code}\n```"


# ---- measuring ----


def processes() -> list[tuple[int, int]]:
    """(pid, CPU ticks including waited-for children) of this process and all that it has started."""
    mark = f'"owner": {os.getpid()},'.encode()
    parents, ticks, marked = {}, {}, set()
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                pid = int(entry.name)
                parents[pid], ticks[pid] = int(fields[1]), sum(map(int, fields[11:15]))
                if mark in (entry / "cmdline").read_bytes():
                    marked.add(pid)
        except OSError:
            continue  # it ended meanwhile, and counts as its parent's child
    ours = {os.getpid(), *marked}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return [(pid, ticks[pid]) for pid in ours]


def cpu_seconds() -> float:
    """CPU time so far of this process and all it has started."""
    return sum(ticks for _, ticks in processes()) / os.sysconf("SC_CLK_TCK")


def measured(work: Callable[[int], Any], count: int) -> dict[str, float]:
    """`work(count)`: CPU milliseconds each, and how many per second."""
    cpu, start = cpu_seconds(), time.perf_counter()
    work(count)
    wall = time.perf_counter() - start
    return {"cpu_ms": 1e3 * (cpu_seconds() - cpu) / count, "per_second": count / wall}


def gathered(one: Callable[[int], Awaitable[Any]]) -> Callable[[int], list[Any]]:
    async def every(count: int) -> list[Any]:
        return await asyncio.gather(*(one(k) for k in range(count)))

    return lambda count: asyncio.run(every(count))


# ---- the ways ----


def full_grade(grader: Grader, kind: Kind) -> Callable[[int], Awaitable[Any]]:
    async def one(k: int) -> None:
        verdict = await grader.agrade(problem=kind.problem(k), completion=completion(kind.program(k)))
        assert verdict.status == "correct", verdict

    return one


def answer_only(grader: Grader, kind: Kind) -> Callable[[int], Awaitable[Any]]:
    async def one(k: int) -> None:
        outcome = await grader._sandbox.run(Program(code=kind.program(k)), Limits())
        assert outcome.status == "ok", outcome

    return one


def bare(gold: str, code: str) -> bool:
    """The original's way: run the code with `__import__` as the only builtin, subtract, simplify."""
    import sympy

    names: dict[str, Any] = {}
    exec("from sympy import *\nx, y = symbols('x y')", names)
    namespace: dict[str, Any] = {"__builtins__": {"__import__": __import__}}
    exec(code, namespace)
    difference = sympy.simplify(namespace["model_answer"]() - eval(gold, names))
    return bool(abs(sympy.N(difference)) < 1e-6) if difference.is_number else difference == 0


def in_process(kind: Kind) -> Callable[[int], None]:
    def work(count: int) -> None:
        for k in range(count):
            assert bare(kind.problem(k).answer_fn, kind.program(k))

    return work


def cold(kind: Kind) -> Callable[[int], list[Any]]:
    source = Path(__file__).read_text()
    function = source[source.index("def bare(") : source.index("def in_process(")]
    turns = asyncio.Semaphore(CORES)

    async def one(k: int) -> None:
        program = f"from typing import Any\n{function}\nimport sys\nassert bare(*sys.argv[1:])"
        async with turns:
            arguments = (sys.executable, "-c", program, kind.problem(k).answer_fn, kind.program(k))
            process = await asyncio.create_subprocess_exec(*arguments)
            assert await process.wait() == 0

    return gathered(one)


def _serve(connection: Connection, gold: str, code: str) -> None:
    connection.send(bare(gold, code))


def forkserver(kind: Kind) -> Callable[[int], None]:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(
        ["sympy", "numpy", "scipy.integrate", "scientific_math_critpt_env.grading.grader"]
    )

    def work(count: int) -> None:
        waiting = list(range(count))
        running: list[tuple[Any, Connection]] = []
        while waiting or running:
            while waiting and len(running) < CORES:
                k = waiting.pop()
                ours, theirs = context.Pipe()
                process = context.Process(
                    target=_serve, args=(theirs, kind.problem(k).answer_fn, kind.program(k))
                )
                process.start()
                theirs.close()
                running.append((process, ours))
            process, ours = running.pop(0)
            assert ours.recv()
            process.join()

    return work


# ---- latency, memory, start ----

_began: ContextVar[list[float]] = ContextVar("began")
"""When the work on the answer of this task began, not when it was queued."""


def latencies(grader: Grader, kind: Kind, in_flight: int) -> dict[str, float]:
    """Milliseconds from start of work to verdict, with all in flight at once and some answers hanging."""
    run = grader._sandbox.run

    async def timed(program: Program, limits: Limits) -> Outcome:
        outcome = await run(program, limits)
        _began.get().append(time.perf_counter() - outcome.wall_seconds)
        return outcome

    async def one(k: int) -> float:
        _began.set(began := [])
        hangs = k % HANG_EVERY == HANG_EVERY - 1
        code = HANG if hangs else kind.program(k)
        verdict = await grader.agrade(problem=kind.problem(k), completion=completion(code))
        assert verdict.status == ("timeout" if hangs else "correct"), verdict
        return -1.0 if hangs else 1e3 * (time.perf_counter() - began[0])

    grader._sandbox.run = timed  # type: ignore[method-assign]
    try:
        honest = sorted(value for value in gathered(one)(in_flight) if value >= 0)
    finally:
        grader._sandbox.run = run  # type: ignore[method-assign]
    return {
        "p50_ms": statistics.median(honest),
        "p99_ms": honest[int(0.99 * len(honest))],
        "max_ms": honest[-1],
    }


def memory() -> dict[str, float]:
    """MiB: the largest process, and all together, with shared pages counted once."""
    resident, shares = [], []
    for pid, _ in processes():
        try:
            rows = dict(
                line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
            )
        except OSError:
            continue
        resident.append(int(rows["Rss"].split()[0]) / 1024)
        shares.append(int(rows["Pss"].split()[0]) / 1024)
    return {"processes": len(shares), "largest_resident_mib": max(resident), "all_mib": sum(shares)}


def started() -> tuple[Grader, dict[str, float]]:
    cpu, start = cpu_seconds(), time.perf_counter()
    grader = Grader()
    grader._sandbox.start()
    wall = time.perf_counter() - start
    return grader, {"seconds": wall, "cpu_seconds": cpu_seconds() - cpu}


# ---- the table ----

WAYS = ("full grade", "answer only", "in process", "cold python", "forkserver")
COUNTS = {"full grade": 600, "answer only": 600, "in process": 200, "cold python": 8, "forkserver": 60}


def measure(quick: bool) -> dict[str, Any]:
    scale = 0.1 if quick else 1.0
    grader, start = started()
    results: dict[str, Any] = {"cores": CORES, "python": sys.version.split()[0], "start": start, "kinds": {}}
    with grader:
        for kind in KINDS:
            ways: dict[str, Callable[[int], Any]] = {
                "full grade": gathered(full_grade(grader, kind)),
                "answer only": gathered(answer_only(grader, kind)),
                "in process": in_process(kind),
                "cold python": cold(kind),
                "forkserver": forkserver(kind),
            }
            rows = results["kinds"][kind.name] = {}
            for name, way in ways.items():
                count = max(4, int(COUNTS[name] * scale / (5 if kind.slow else 1)))
                way(min(count, 2 * VARIANTS if name in WAYS[:2] else 2))  # warm
                rows[name] = measured(way, count)
            rows["latency"] = latencies(grader, kind, int(1000 * scale / (5 if kind.slow else 1)))
        results["memory"] = memory()
    return results


def table(results: dict[str, Any]) -> str:
    head = f"{'':16}" + "".join(f"{way:>20}" for way in WAYS) + f"{'1000 in flight':>22}"
    unit = f"{'':16}" + f"{'CPU ms   per second':>20}" * len(WAYS) + f"{'p50 ms    p99 ms':>22}"
    lines = [f"{results['cores']} cores, Python {results['python']}", "", head, unit]
    for name, rows in results["kinds"].items():
        cells = "".join(f"{rows[way]['cpu_ms']:>9.1f}{rows[way]['per_second']:>11.1f}" for way in WAYS)
        latency = rows["latency"]
        lines.append(f"{name:16}{cells}{latency['p50_ms']:>12.1f}{latency['p99_ms']:>10.1f}")
    trivial, start, held = results["kinds"]["trivial"], results["start"], results["memory"]
    ratio = trivial["full grade"]["per_second"] / trivial["cold python"]["per_second"]
    lines += [
        "",
        f"full grades of trivial answers: {ratio:.0f} times the throughput of a cold interpreter each",
        f"start: {start['seconds']:.1f} s ({start['cpu_seconds']:.1f} s CPU)",
        f"memory: {held['all_mib']:.0f} MiB in {held['processes']} processes, "
        f"the largest {held['largest_resident_mib']:.0f} MiB",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="a tenth of the answers: a smoke test")
    arguments = parser.parse_args()
    results = measure(arguments.quick)
    print(json.dumps(results) if arguments.json else table(results))


if __name__ == "__main__":
    main()
