r"""The last complete `\boxed{}`, and nothing that only looks like one."""

from __future__ import annotations

import time

import pytest

from scientific_math_critpt_env.prompting.boxed import last_boxed


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (r"\boxed{42}", "42"),
        (r"so \boxed{\frac{1}{2}}.", r"\frac{1}{2}"),
        (r"\boxed{1}\boxed{2}", "2"),
        (r"\boxed{1} \boxed{\frac{3}{", "1"),
        (r"\boxed {7}", "7"),
        ("\\boxed\n{7}", "7"),
        (r"\boxed{}", ""),
        (r"\boxed{\{1,2\}}", r"\{1,2\}"),
        (r"\boxed{a\\}", r"a\\"),
        (r"\boxed{\left\{ x \right.}", r"\left\{ x \right."),
        (r"\boxed{a\}", None),
        (r"\boxed{1 \boxed{2} 3}", "2"),
        (r"\boxed{1 \boxed{2} 3", "2"),
        (r"}}} \boxed{5} }", "5"),
        (r"{{{ \boxed{5}", "5"),
        (r"\\\boxed{5}", "5"),
        (r"\\boxed{5}", "5"),
        (r"\\\\\\\boxed{5}", "5"),
        ("\\boxed{a\nb}", "a\nb"),
        (r"\fbox{42}", None),
        (r"\boxed 7", None),
        (r"\boxed{\frac{1}{2}", None),
        (r"boxed{42}", None),
        (r"\boxedx{42}", None),
        ("", None),
        ("\\", None),
    ],
)
def test_which_box_counts(text: str, content: str | None) -> None:
    assert last_boxed(text) == content


@pytest.mark.parametrize("part", [r"\boxed{", "{", "}", "\\", r"\boxed", r"\boxed{1}", "\\boxed    "])
def test_the_time_is_linear(part: str) -> None:
    started = time.process_time()
    last_boxed(part * 100_000)
    assert time.process_time() - started < 5  # a second at most; quadratic would be an hour
