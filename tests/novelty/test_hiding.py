"""Programs that take the known way and hide it from whoever reads them: they must not pass for new."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scientific_math_critpt_env.novelty import group_novelty
from tests.novelty.programs import TABLE

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


def test_what_hides_in_prose_is_not_read_as_prose():
    stated = "Obviously by a wholly original cohomological residue theorem argument.\n\n```python\n{}\n```"
    known = TABLE[0]["approaches"]["symbolic"]
    hidden = [HEAD + HIDDEN["evaluated"], "def model_answer():\n    return 0.886226925452758\n"]
    for code in hidden:
        assert group_novelty([stated.format(code), *known, "Completely different words here."])[0] == 0.0
