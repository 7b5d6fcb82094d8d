"""Juries read from YAML, and what is told where the file is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from scientific_math_critpt_env.judging import JudgingError, load_jury

WHOLE = """
rule: at-least-2
quorum: 2
ties: no
exclude_author: true
cache: replies
budget: 5
judges:
  - name: first
    model: lab/model
    base_url: https://host/v1
    key_variable: FIRST_KEY
    sampling: {temperature: 0, max_tokens: 2048}
    prompt_price: 2.5
    completion_price: 10
    requests_per_minute: 500
    structured: true
  - model: second
    base_url: http://localhost:8000/v1
    prompt_price: 1
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "judges.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_setting(tmp_path: Path) -> None:
    jury = load_jury(write(tmp_path, WHOLE))
    first, second = jury.judges
    assert (first.sampling, first.prompt_price, first.structured) == (
        {"temperature": 0, "max_tokens": 2048},
        2.5,
        True,
    )
    assert (second.name, second.key_variable, second.requests_per_minute) == ("second", "", None)
    assert (jury.rule, jury.quorum, jury.ties, jury.exclude_author) == ("at-least-2", 2, "NO", True)
    assert jury.cache == tmp_path / "replies"
    other = load_jury(tmp_path / "judges.yaml", quorum=1, cache=None, rule="majority")
    assert (other.rule, other.quorum, other.cache) == ("majority", 1, tmp_path / "replies")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("quorum: 2", "quorum: two", "quorum: 'two'"),
        ("quorum: 2", "quorum: true", "quorum: True"),
        ("ties: no", "ties: maybe", "ties"),
        ("budget: 5", "cash: 5", "unknown settings: cash"),
        ("rule: at-least-2", "rule: most", "unknown voting rule"),
        ("    structured: true", "    strict: true", "judge 1: .*strict"),
        ("    structured: true", "    timeout: soon", "judge 1: .*timeout"),
        ("    structured: true", "    api_key: sk-1", "judge 1: keys do not belong into files"),
        ("  - model: second\n", "  - name: x\n", "judge 2: .*model"),
        ("http://localhost:8000/v1", "localhost", "judge second: base_url 'localhost'"),
        ("judges:", "judges: [", "no YAML"),
    ],
)
def test_what_is_wrong_is_one_line_with_the_file(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in WHOLE
    with pytest.raises(JudgingError, match=told) as raised:
        load_jury(write(tmp_path, WHOLE.replace(old, new)))
    assert str(raised.value).startswith(str(tmp_path / "judges.yaml"))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["", "[]", "rule: majority", "judges: []", "judges: [1]"])
def test_a_file_without_judges(tmp_path: Path, text: str) -> None:
    with pytest.raises(JudgingError):
        load_jury(write(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(JudgingError, match="No such file"):
        load_jury(tmp_path / "none.yaml")
