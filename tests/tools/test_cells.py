"""Cells of one rollout: memory, limits, and what the model is told."""

from __future__ import annotations

import math

import pytest

from scientific_math_critpt_env.sandbox import Sandbox
from scientific_math_critpt_env.tools.cells import CellLimits, History, run_cell, shortened
from scientific_math_critpt_env.training.scoring import shared_grader


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    """The sandbox that the tests of training have started, or will use."""
    return shared_grader()._sandbox


async def _told(sandbox: Sandbox, *cells: str, limits: CellLimits | None = None) -> list[str]:
    texts, history = [], History()
    for cell in cells:
        text, history = await run_cell(sandbox, cell, history, limits)
        texts.append(text)
    return texts


async def test_a_notebook(sandbox: Sandbox) -> None:
    assert await _told(
        sandbox,
        "import sympy as sp\nx = sp.Symbol('x')\nprint('two', 'words', sep='-')\nsp.sin(x)**2",
        "y = x.diff(x)",
        "1/0",
        "z = 5\nraise ValueError('after z')",
        "(y, z)",
        "class Named:\n    def __repr__(self):\n        return 'mine'\nNamed()",
        "from dataclasses import dataclass\n@dataclass\nclass Pair:\n    a: int\nPair(1)",
        "def f(:",
        "import os",
        "open('/etc/passwd')",
        "raise SystemExit",
        "from scipy.integrate import quad\nround(quad(lambda t: t, 0, 1)[0], 6)",
    ) == [
        "two-words\nsin(x)**2",
        "(no output)",
        "Error: line 1: ZeroDivisionError: division by zero",
        "Error: line 2: ValueError: after z",
        "(1, 5)",
        "mine",
        "Pair(a=1)",
        "Error: line 1: SyntaxError: invalid syntax",
        "Error: line 1: ImportRefused: os may not be imported",
        "Error: line 1: NameError: name 'open' is not defined",
        "Error: line 1: SystemExit",
        "0.5",
    ]


async def test_chance_is_the_same_when_cells_run_again(sandbox: Sandbox) -> None:
    drawn = "import random, numpy as np\na, b = random.random(), float(np.random.rand())\n(a, b)"
    first, again, more = await _told(sandbox, drawn, "(a, b)", "random.random() != a")
    assert (first, more) == (again, "True")


async def test_a_cell_over_its_limit_leaves_no_trace(sandbox: Sandbox) -> None:
    limits = CellLimits(cpu_seconds=0.5)
    first, endless, greedy, after = await _told(
        sandbox, "n = 1", "n = 2\nwhile True:\n    pass", "n = 3\nn = [0] * 10**10", "n", limits=limits
    )
    assert first == "(no output)"
    assert endless == (
        "Error: the cell used more than 0.5 s of CPU time. The cell was stopped, and what it did is undone."
    )
    assert greedy == "Error: line 2: MemoryError"
    assert after == "3"


async def test_replaying_is_not_charged_to_a_cell(sandbox: Sandbox) -> None:
    slow = "t = sum(i * i for i in range(4_000_000))\nt % 10"
    first, second = await _told(sandbox, slow, slow, limits=CellLimits(cpu_seconds=1.5))
    assert first == second == "0"


async def test_calls_and_time_of_a_rollout_end(sandbox: Sandbox) -> None:
    texts = await _told(sandbox, "1", "2", "3", limits=CellLimits(calls=2))
    assert texts == ["1", "2", "All 2 calls of this tool are used up. Give your answer now."]
    loop = "while True:\n    pass"
    texts = await _told(sandbox, loop, loop, "1", limits=CellLimits(cpu_seconds=0.4, total_cpu_seconds=0.7))
    assert [text.startswith("Error: the cell used more than") for text in texts] == [True, True, False]
    assert texts[2] == "The CPU time for this tool is used up. Give your answer now."


async def test_results_are_text_of_bounded_length(sandbox: Sandbox) -> None:
    limits = CellLimits(characters=200)
    long, odd, hostile, big = await _told(
        sandbox,
        "print('a' * 10**6)",
        r"'\ud800' + chr(27)" + "\nprint(chr(27) + '[2J\\ud800')",
        "class Odd(Exception):\n    def __str__(self):\n        raise Odd\nraise Odd",
        "'b' * 10**6",
        limits=limits,
    )
    assert len(long) < 300
    assert "characters left out" in long
    assert odd == "\\x1b[2J\\ud800"
    assert hostile == "Error: line 4: Odd"
    assert len(big) < 300


@pytest.mark.parametrize(
    "cell",
    [
        "import sys\nsys.modules.clear()\n1",
        "import dataclasses\ndataclasses.sys.modules['answer'].CELLS = 7",
        "import collections\ncollections._sys.modules['os'].write(3, b'forged')\n1",
        "import collections\ncollections._sys.modules['os']._exit(0)",
    ],
)
async def test_cells_that_fight_the_driver_get_text_and_hurt_nobody(sandbox: Sandbox, cell: str) -> None:
    fought, after = await _told(sandbox, cell, "6 * 7")
    assert isinstance(fought, str)
    assert fought
    assert after == "42" or after.startswith("Error: ")
    assert await _told(sandbox, "6 * 7") == ["42"]


def test_shortened() -> None:
    assert shortened("abc", 3) == "abc"
    assert shortened("a" * 90 + "b" * 30, 100) == "a" * 75 + "\n[... 20 characters left out ...]\n" + "b" * 25
    assert math.isclose(len(shortened("c" * 10**5, 1000)), 1000, abs_tol=60)
