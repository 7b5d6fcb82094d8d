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
        ("  - model: second\n", "  - name: x\n", "judge 2: model is missing"),
        ("  - model: second\n", "  - structured: true\n", "judge 2: model is missing"),
        ("http://localhost:8000/v1", "localhost", "judge second: base_url 'localhost'"),
        ("judges:", "judges: [", "no YAML"),
        ("judges:", f"judges: {'[' * 5000}", "no YAML"),
        ("ties: no", "ties: [a]", "ties"),
        ("ties: no", "ties: {a: 1}", "ties"),
        ("ties: no", "ties: 0", "ties"),
        ("quorum: 2", f"quorum: {'9' * 6000}", "no YAML"),
        ("quorum: 2", f"quorum: {'9' * 4000}", "quorum 9+ can never be met"),
        ("rule: at-least-2", f"rule: at-least-{'9' * 6000}", "unknown voting rule"),
        ("quorum: 2", "quorum: 2\nquorum: 2", "stands twice"),
        ("budget: 5", "budget: 2020-13-45", "no YAML"),
        ("budget: 5", "budget: .nan", "budget"),
        ("budget: 5", "budget: .inf", "budget"),
        ("budget: 5", "budget: -1", "budget"),
        ("budget: 5", "max_calls: 0", "max_calls"),
        ("cache: replies", 'cache: "a\\0b"', "cache: .* is no name of a folder"),
        ("cache: replies", "cache: [a]", "cache: .* is not what belongs here"),
        ("cache: replies", "cache: true", "cache: .* is not what belongs here"),
        ("prompt_price: 2.5", "prompt_price: .nan", "judge first: a price"),
        ("prompt_price: 2.5", "prompt_price: .inf", "judge first: a price"),
        ("prompt_price: 2.5", "timeout: .inf", "judge first: timeout"),
        ("prompt_price: 2.5", "timeout: .nan", "judge first: timeout"),
        ("requests_per_minute: 500", "requests_per_minute: .nan", "requests_per_minute"),
        ("requests_per_minute: 500", "requests_per_minute: 1e-300", "requests_per_minute"),
        ("http://localhost:8000/v1", '"http://[::1/v1"', "judge second: base_url .* is no http address"),
        ("http://localhost:8000/v1", "http://a..b/v1", "judge second: base_url .* is no http address"),
        ("http://localhost:8000/v1", f"http://{'a' * 64}.b/v1", "base_url .* is no http address"),
        ("http://localhost:8000/v1", "http://host:99999/v1", "base_url .* is no http address"),
        ("http://localhost:8000/v1", '"http://ho\\nst/v1"', "base_url .* is no http address"),
        ("http://localhost:8000/v1", "http:///v1", "base_url .* is no http address"),
    ],
    ids=lambda text: ascii(text[:30]),
)
def test_what_is_wrong_is_one_line_with_the_file(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in WHOLE
    with pytest.raises(JudgingError, match=told) as raised:
        load_jury(write(tmp_path, WHOLE.replace(old, new)))
    assert str(raised.value).startswith(str(tmp_path / "judges.yaml"))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("url", ["http://u:SECRETPW@host/v1", "u:SECRETPW@host", "http://SECRETPW@[::1"])
def test_a_password_in_an_address_is_refused_and_not_told(tmp_path: Path, url: str) -> None:
    with pytest.raises(JudgingError, match="key_variable") as raised:
        load_jury(write(tmp_path, WHOLE.replace("http://localhost:8000/v1", f'"{url}"')))
    assert "SECRETPW" not in str(raised.value)


@pytest.mark.parametrize(
    "url", ["http://[::1]:8000/v1", "http://127.0.0.1/v1/", "https://bücher.example/v1", "http://my_host/v1"]
)
def test_addresses_that_can_be_asked(tmp_path: Path, url: str) -> None:
    jury = load_jury(write(tmp_path, WHOLE.replace("http://localhost:8000/v1", f'"{url}"')))
    assert jury.judges[1].base_url == url


@pytest.mark.parametrize("text", ["", "[]", "rule: majority", "judges: []", "judges: [1]"])
def test_a_file_without_judges(tmp_path: Path, text: str) -> None:
    with pytest.raises(JudgingError):
        load_jury(write(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(JudgingError, match="No such file"):
        load_jury(tmp_path / "none.yaml")
