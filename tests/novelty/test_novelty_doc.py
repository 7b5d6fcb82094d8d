"""The program in docs/novelty.md runs and says what the page says; its counts are those of the tables."""

import json
import re
from pathlib import Path

from scientific_math_critpt_env.novelty import group_novelty
from tests.novelty.programs import TABLE

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "novelty.md").read_text(encoding="utf-8")


def test_the_example():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    setup, calls = code.split("\n\n")[1], code.split("\n\n")[2]
    names: dict = {"group_novelty": group_novelty}
    exec(compile(setup, "docs/novelty.md", "exec"), names)
    claims = [re.fullmatch(r"(group_novelty\(.*\))\s+# (.*)", line) for line in calls.strip().splitlines()]
    assert len(claims) == 3
    for claim in claims:
        assert claim is not None
        assert eval(claim[1], names) == json.loads(claim[2]), claim[0]


def test_the_counts():
    approaches = sum(len(row["approaches"]) for row in TABLE)
    assert f"programs, {len(TABLE)} problems, {approaches} approaches" in PAGE
    hidden = json.loads((Path(__file__).parent / "hidden.json").read_text(encoding="utf-8"))
    assert f"{len(hidden)} ways to hide a known call" in PAGE
