"""Votes are counted by name of the rule; what is missing is never a NO."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scientific_math_critpt_env.judging import Decision, JudgingError, Verdict, decide

CASES = json.loads(Path(__file__).with_name("vote_aggregation_cases.json").read_text(encoding="utf-8"))[
    "cases"
]
RULES = {"correctness": "unanimous", "novelty": "majority"}


@pytest.mark.parametrize("case", CASES)
def test_the_table(case: dict[str, str | list[Verdict]]) -> None:
    ideal = case.get("correct", case["upstream"])
    votes: list[Verdict] = case["votes"]  # type: ignore[assignment]
    # An earlier decision that is stored beside the votes is no vote; "ABSTAIN" is what files call undecided.
    decision = decide(votes, RULES[str(case["stage"])])
    assert {"UNDECIDED": "ABSTAIN"}.get(decision, decision) == ideal


@pytest.mark.parametrize(
    ("votes", "rule", "quorum", "decision"),
    [
        ("YY-", "unanimous", None, "YES"),
        ("YN-", "unanimous", None, "NO"),
        ("Y--", "unanimous", None, "UNDECIDED"),
        ("Y--", "unanimous", 1, "YES"),
        ("YYY", "unanimous", 3, "YES"),
        ("YY!", "unanimous", 3, "UNDECIDED"),
        ("---", "unanimous", 1, "UNDECIDED"),
        ("", "majority", None, "UNDECIDED"),
        ("YYN!", "majority", None, "YES"),
        ("YN!-", "majority", None, "UNDECIDED"),
        ("YN!-", "majority", 2, "NO"),
        ("NNY", "majority", None, "NO"),
        ("Y", "majority", None, "YES"),
        ("YYNN", "at-least-2", None, "YES"),
        ("YNN", "at-least-2", None, "NO"),
        ("YN-", "at-least-2", None, "UNDECIDED"),
        ("YN!", "at-least-2", 1, "UNDECIDED"),
        ("NN-", "at-least-2", None, "NO"),
        ("Y--", "at-least-1", 1, "YES"),
    ],
)
def test_counting(votes: str, rule: str, quorum: int | None, decision: Decision) -> None:
    words: dict[str, Verdict] = {"Y": "YES", "N": "NO", "-": "ABSTAIN", "!": "ERROR"}
    assert decide([words[vote] for vote in votes], rule, quorum=quorum) == decision


@pytest.mark.parametrize("ties", ["YES", "NO", "UNDECIDED"])
def test_ties_are_what_is_said(ties: Decision) -> None:
    assert decide(["YES", "NO"], "majority", ties=ties) == ties
    assert decide(["YES", "NO", "ABSTAIN"], "majority", ties=ties) == ties


@pytest.mark.parametrize("rule", ["", "Majority", "at-least-0", "at-least-", "at-least-2x"])
def test_an_unknown_rule_is_refused(rule: str) -> None:
    with pytest.raises(JudgingError, match="unknown voting rule"):
        decide(["YES"], rule)
