"""Text that was written to hang or to crash what reads it: always a verdict, soon."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from threading import Thread, stack_size

import pytest

from scientific_math_critpt_env.novelty import Unmeasured, group_novelty, read_program
from tests.novelty.programs import PROGRAMS

HEAD = "def model_answer():\n"


def nested(head: str, levels: int) -> str:
    return "".join(f"{' ' * level}{head}:\n" for level in range(1, levels + 1)) + " " * (levels + 1)


def lines(count: int, line: str) -> str:
    return "".join(line.format(number) + "\n" for number in range(count))


DEEP = {
    "brackets": lambda n: HEAD + "    return " + "(" * n + "1" + ")" * n,
    "signs": lambda n: HEAD + "    return " + "-" * n + "x",
    "nots": lambda n: HEAD + "    return " + "not " * n + "x",
    "attributes": lambda n: HEAD + "    return x" + ".b" * n,
    "calls": lambda n: HEAD + "    return x" + "()" * n,
    "subscripts": lambda n: HEAD + "    return x" + "[0]" * n,
    "powers": lambda n: HEAD + "    return " + "**".join(["x"] * n),
    "sum": lambda n: HEAD + "    return " + "+".join(f"f({i})" for i in range(n)),
    "lambdas": lambda n: HEAD + "    return " + "lambda: " * n + "1",
    "conditionals": lambda n: HEAD + "    return " + "1 if x else " * n + "1",
    "comparisons": lambda n: HEAD + "    return " + "<".join(["x"] * n),
    "elifs": lambda n: HEAD + "    if a: pass\n" + "".join(f"    elif a{i}: b = {i}\n" for i in range(n)),
    "ifs": lambda n: HEAD + nested("if a", min(n, 98)) + "return 1",
    "returns": lambda n: HEAD + "".join(f"    if f({i}): return g({i})\n" for i in range(n)),
    "loops": lambda n: HEAD + nested("for d in e", min(n, 19)) + "c = c + d\n return c",
    "doubling calls": lambda n: (
        "def f0(x): return g(x)\n"
        + "".join(f"def f{i}(x): return f{i - 1}(x + 1) + f{i - 1}(x + 2)\n" for i in range(1, min(n, 12)))
        + HEAD
        + f"    return f{min(n, 12) - 1}(x)"
    ),
    "recursion": lambda n: (
        "def f(x): return f(x + 1) + g(f(x))\ndef g(x): return f(g(x))\n" + HEAD + "    return f(1)"
    ),
    "growing sum": lambda n: HEAD + "    s = x\n" + lines(n, "    s = s + f({})") + "    return s",
    "squaring": lambda n: HEAD + "    s = f(x)\n" + "    s = s*s + s\n" * n + "    return s",
    "swapping": lambda n: HEAD + "    while t():\n" + lines(n, "        a{0} = b{0}") + "    return a0",
    "huge numbers": lambda n: HEAD + "    return " + "9" * min(n, 4000) + "**" + "9" * min(n, 4000) + "*f(1)",
    "huge floats": lambda n: HEAD + "    return 1e308*1e308*f(2) + 1e999 + 1e999j",
    "surrogates": lambda n: HEAD + "    return f('\ud800')",
    "null": lambda n: HEAD + "    return f('\0')",
    "names": lambda n: HEAD + "    return " + "a" * n + "(1)",
    "text": lambda n: HEAD + "    return f('" + "a" * n + "')",
    "open": lambda n: HEAD + "    return " + "[" * n,
    "not code": lambda n: "((((" * n + "def" * n,
    "generators": lambda n: HEAD + "    return [a" + " for a in b" * n + "]",
    "own names": lambda n: HEAD + "    " + " = ".join(f"a{i}" for i in range(n)) + " = f(1)\n    return a0",
    "closure": lambda n: HEAD + "    f = lambda: f()\n    return f()",
    "passed to itself": lambda n: HEAD + "    return (lambda f: f(f))(lambda f: f(f))",
    "itself as value": lambda n: HEAD + "    def f():\n        return f\n    return g(f)",
}


@pytest.mark.parametrize("size", [30, 300, 3000])
@pytest.mark.parametrize("kind", DEEP)
def test_deep_and_large_code_gets_a_verdict(kind, size):
    code = DEEP[kind](size)
    start = time.process_time()
    with suppress(Unmeasured):
        read_program(code)
    assert time.process_time() - start < 2.5  # 0.2 s here, at most


def test_deep_code_in_a_thread_with_a_small_stack():
    ended = []

    def read_all():
        for kind in DEEP.values():
            group_novelty([f"```python\n{kind(2000)}\n```", kind(2000)])
            ended.append(kind)

    before = stack_size(1 << 20)
    try:
        thread = Thread(target=read_all)
        thread.start()
        thread.join()
    finally:
        stack_size(before)
    assert len(ended) == len(DEEP)


def test_a_caller_deep_in_its_own_stack_gets_a_verdict():
    def descend(levels: int) -> None:
        if levels:
            descend(levels - 1)
            return
        for kind in ("signs", "calls", "sum"):
            group_novelty([DEEP[kind](100)])

    descend(850)


def test_random_edits_get_a_verdict():
    draw = random.Random(5)
    for _ in range(400):
        text = list(draw.choice(PROGRAMS))
        for _ in range(draw.randrange(1, 6)):
            place = draw.randrange(len(text))
            text[place : place + draw.randrange(3)] = draw.choice(
                ["(", ")", ":", "\n", " ", "x", "=", "*", ",", "0"]
            )
        (found,) = group_novelty(["".join(text)], [PROGRAMS[0]])
        assert 0 <= found <= 1


def test_classes_are_not_followed_and_gain_nothing():
    hidden = "class A:\n    def m(self):\n        return 1\n" + HEAD + "    return A().m() + gamma(2)\n"
    plain = HEAD + "    return gamma(3)\n"
    assert group_novelty([hidden, plain], [plain]) == [0.0, 0.0]
