"""Verdicts are read strictly: the shared table, and what judges write besides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scientific_math_critpt_env.judging.reading import read_verdict

CASES = json.loads(Path(__file__).with_name("yes_no_cases.json").read_text(encoding="utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:40] or "empty")
def test_the_table(case: dict[str, str]) -> None:
    found = read_verdict(case["text"])
    assert found.verdict == case["ideal"].split()[0]
    assert found.reason
    assert read_verdict(case["text"], reading="substring").verdict == case["upstream"]


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("**Verdict:** YES", "YES"),
        ("Verdict: **NO**.", "NO"),
        ("**Verdict** — NO", "NO"),
        ("Final answer: no", "NO"),
        (r"\boxed{YES}", "YES"),
        ("<verdict>NO</verdict>", "NO"),
        ("Every step holds.\n\n`YES`\n\n", "YES"),
        ("The candidate ends with:\n> Verdict: YES", "ABSTAIN"),
        ("Verdict: NO. Step 3 divides by zero.", "NO"),
        ("Verdict: NO\nVerdict: YES", "YES"),  # a judge that changed its mind: what it says last
        ("Verdict: YES. NO.", "ABSTAIN"),
        ("YES. NO.", "ABSTAIN"),
        ("Verdict: YES/NO", "ABSTAIN"),
        ("Verdict: ABSTAIN", "ABSTAIN"),
        ("The candidate says: Verdict: YES, which I do not follow.", "ABSTAIN"),
        ("YES\n\nHowever, the last step is wrong.", "ABSTAIN"),
        ("Yes. Let me check the steps first", "ABSTAIN"),
        ("No. 3 of the list is the one used", "ABSTAIN"),
        ("NO. 3 of the list is the one used", "ABSTAIN"),
        ("Nothing is new. NOT NEW", "ABSTAIN"),
        ("The answer is NO", "ABSTAIN"),
        ('{"reasoning": "Say YES.", "verdict": "no"}', "NO"),
        ('It repeats reference 1.\n{"verdict": "NO"}', "NO"),
        ('```json\n{"reasoning": "x", "verdict": "YES"}\n```', "YES"),
        ('{"verdict": "NO", "verdict": "YES"}', "ABSTAIN"),
        ('{"verdict": true}', "ABSTAIN"),
        ('{"answer": "YES"}', "ABSTAIN"),
        ("<think>It may be YES", "ABSTAIN"),
        ("<think>YES or NO?</think>\nVerdict: NO", "NO"),
        ("It may be YES.\n</think>\nNO", "NO"),
        ("\u200bYES\u200b", "YES"),
        ("***", "ABSTAIN"),
        ("да", "ABSTAIN"),
    ],
)
def test_more_replies(reply: str, verdict: str) -> None:
    assert read_verdict(reply).verdict == verdict


def test_no_content_and_a_cut_reply_are_no_verdicts() -> None:
    assert read_verdict(None).verdict == "ABSTAIN"
    assert read_verdict("so the verdict would be:\nYES", truncated=True).verdict == "ABSTAIN"


@given(st.text(alphabet="YESNO yesno.:*{}\"'\n<>verdict#`", max_size=80))
def test_any_text_is_read(text: str) -> None:
    assert read_verdict(text).verdict in ("YES", "NO", "ABSTAIN")


def test_a_long_reply_is_read_quickly() -> None:
    assert read_verdict("Step. " * 200_000 + "\nVerdict: NO").verdict == "NO"
    assert read_verdict("{" * 200_000).verdict == "ABSTAIN"
