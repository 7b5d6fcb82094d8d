"""Programs that take the known way and hide it from whoever reads them: they must not pass for new."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scientific_math_critpt_env.novelty import group_novelty
from tests.novelty.programs import PROGRAMS, TABLE, renamed, reordered, with_dead_code

KNOWN = """
import sympy as sp

def model_answer():
    x = sp.Symbol('x', positive=True)
    return sp.integrate(sp.exp(-x**2), (x, 0, sp.oo))
"""

HEAD = "import sympy as sp\nx = sp.Symbol('x', positive=True)\ne, r = sp.exp(-x**2), (x, 0, sp.oo)\n"
HIDDEN = json.loads((Path(__file__).parent / "hidden.json").read_text(encoding="utf-8"))
"""Each of these, after `HEAD`, returns the same value by the same call."""


@pytest.mark.parametrize("way", HIDDEN)
def test_the_known_way_in_hiding_is_not_new(way):
    assert group_novelty([HEAD + HIDDEN[way]], [KNOWN]) == [0.0], way


@pytest.mark.parametrize("way", HIDDEN)
def test_nor_among_others(way):
    known = KNOWN.replace("positive=True", "")
    found = group_novelty([HEAD + HIDDEN[way], KNOWN, known, known])
    assert found[0] == 0.0, way


AROUND = (
    "class Z:\n    def go(self):\n        return kept()\ndef model_answer():\n    return max([Z().go()])\n",
    "def model_answer():\n    v = []\n    w = v\n    w.append(kept())\n    return max(v)\n",
    "def model_answer():\n try:\n  return beta(no, 3)\n except NameError:\n  return kept()\n",
    "def g():\n    yield kept()\ndef model_answer():\n    return next(g())\n",
    "def model_answer():\n    return sorted(map(lambda f: f(), [kept]))[0]\n",
    "def model_answer():\n    d = dict(zip(range(1), [kept]))\n    return d.get(0)()\n",
    "from functools import reduce\ndef model_answer():\n    return reduce(lambda a, f: f(), [kept], 0)\n",
    "def model_answer():\n    return [f() for f in (kept,)][0]\n",
    "def model_answer():\n    k = kept\n    return (lambda *a, **b: b['q']())(q=k)\n",
    "def model_answer():\n i = iter([kept])\n while True:\n  for f in i:\n   return f()\n",
    "def model_answer():\n    match kept:\n        case f:\n            return f()\n",
)
"""Ways to return what `kept` returns without a plain call of it."""


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.sampled_from(PROGRAMS), st.sampled_from(AROUND), st.integers(0, 2**32))
def test_no_program_is_new_beside_itself_in_hiding(code, around, seed):
    draw = random.Random(seed)
    other = code
    for writing in draw.sample((renamed, reordered, with_dead_code), 2):
        other = writing(other, draw)
    hidden = other.replace("def model_answer", "def kept") + "\n" + around
    assert group_novelty([hidden], [code]) == [0.0], hidden


def test_what_hides_in_prose_is_not_read_as_prose():
    stated = "Obviously by a wholly original cohomological residue theorem argument.\n\n```python\n{}\n```"
    known = TABLE[0]["approaches"]["symbolic"]
    hidden = [HEAD + HIDDEN["evaluated"], "def model_answer():\n    return 0.886226925452758\n"]
    for code in hidden:
        assert group_novelty([stated.format(code), *known, "Completely different words here."])[0] == 0.0
