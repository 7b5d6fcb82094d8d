"""Comparisons with the given solutions are taken out, and nothing else."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scientific_math_critpt_env.creative.transitions import Cleaned, without_transitions


@pytest.mark.parametrize(
    ("text", "left", "removed"),
    [
        ("Unlike the given solutions, we count by size.", "We count by size.", "Unlike the given solutions"),
        (
            "This approach is distinct from the provided solutions. Let $x = 1$.",
            "Let $x = 1$.",
            "This approach",
        ),
        (
            "Here is a novel solution that differs from the ones above:\n\nLet $x=1$.",
            "Let $x=1$.",
            "Here is a",
        ),
        (
            "We use symmetry, unlike the two given solutions.",
            "We use symmetry.",
            "unlike the two given solutions",
        ),
        (
            "Let $a=2$, in contrast to the reference solutions. So $b=4$.",
            "Let $a=2$. So $b=4$.",
            "in contrast",
        ),
        ("$$a=b$$ This solution differs from the previous ones.", "$$a=b$$", "This solution differs"),
        (
            "In contrast to the existing methods, no induction is needed.",
            "No induction is needed.",
            "In contrast",
        ),
        (
            f"Unlike the given solutions, we add {'one and ' * 600}stop.",
            f"We add {'one and ' * 600}stop.",
            "Unlike the given",
        ),
        (
            "Instead of the previous methods, consider the complement.",
            "Consider the complement.",
            "Instead of",
        ),
    ],
)
def test_comparisons_are_taken_out(text: str, left: str, removed: str) -> None:
    cleaned = without_transitions(text)
    assert cleaned.text == left
    assert cleaned.removed[0].startswith(removed)
    assert without_transitions(cleaned.text).removed == ()


@pytest.mark.parametrize(
    "text",
    [
        "The angle is different from the previous one. So $a=b$.",
        "Unlike the previous case, $n$ is odd.",
        "The other solution of the equation is x=2, which is different from the first solution x=1.",
        "$$\\text{unlike the given solutions, } a=b$$\n",
        "```python\n# unlike the given solutions, we count\nx = 1\n```",
        "  Count: 2, 3, 4.  \n",
        f"We add {'one and ' * 600}stop, unlike the given solutions.",
        "Let $f$ be as in the given solutions and different from the other solution $g=0$, so $f>0$.",
        "",
    ],
)
def test_mathematics_is_left_alone(text: str) -> None:
    assert without_transitions(text) == Cleaned(text, ())


@given(
    st.lists(
        st.sampled_from(["unlike ", "the given ", "solutions", ", ", ". ", "$$", "new ", "we ", "\n"]),
        max_size=40,
    )
)
def test_it_comes_to_an_end_and_only_takes_away(words: list[str]) -> None:
    text = "".join(words)
    assert len(without_transitions(text).text) <= len(text)


@pytest.mark.parametrize(
    "part",
    [
        *("\\begin{a}", "\\[", "$$ ", "```", "unlike the given ", "new solution ", ". ", "instead of "),
        "new " * 12 + "proof " * 8 + "the " * 25_000,
        "new " * 12 + "proof " * 8 + "the " * 2_500,
        "instead of " * 9_000 + "the " * 200,
    ],
    ids=lambda part: part[:12],
)
def test_a_long_text_is_no_burden(part: str) -> None:
    start = time.process_time()
    without_transitions(part * max(1, 100_000 // len(part)))
    assert time.process_time() - start < 5.0  # a tenth of a second here
