"""The configuration: every defect told by its field, and no secret shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.config import load_config
from tests.runs.making import configuration

DEFECTS = json.loads(Path(__file__).with_name("config_defects.json").read_text())


def _changed(path: Path, changes: dict[str, Any]) -> None:
    config = yaml.safe_load(path.read_text())
    for name, value in changes.items():
        *parents, last = name.split(".")
        place = config
        for parent in parents:
            place = place[parent]
        if value == "DELETE":
            del place[last]
        else:
            place[last] = value
    path.write_text(yaml.safe_dump(config))


@pytest.mark.parametrize("case", DEFECTS, ids=lambda case: ",".join(case["change"]))
def test_a_defect_is_told_by_its_field(case: dict[str, Any], tmp_path: Path) -> None:
    path = configuration(tmp_path, "http://h/v1")
    _changed(path, case["change"])
    with pytest.raises(RunError) as raised:
        load_config(path)
    told = str(raised.value)
    for part in case["says"]:
        assert part in told
    assert all(line.startswith(f"{path}: ") for line in told.splitlines())
    if "hides" in case and "is unknown" not in told:
        assert case["hides"] not in told


def test_a_key_in_an_unknown_field_is_not_shown(tmp_path: Path) -> None:
    path = configuration(tmp_path, "http://h/v1", model__api_key="sk-sesame-1")
    with pytest.raises(RunError) as raised:
        load_config(path)
    assert "sesame" not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "no YAML"),
        ("", "must hold fields"),
        ("- 1", "must hold fields"),
        ("prompt: a\nprompt: b\n", "run.yaml:2: no YAML (the key 'prompt' stands twice"),
        ("model: {name: a, name: b}", "stands twice"),
        ("1: a", "the key 1 is no text"),
        ("a: !!python/object:os.system x", "no YAML"),
        ("a: &b [1]\nc: *b\n", "run.yaml:2: no YAML (the alias *b; write out"),
        ("a: &a [x, x]\n" + "".join(f"{n}: &{n} [{'*a, ' * 10}]\n" for n in "bcdefghi"), "the alias *a"),
        ("a: &a [*a]", "the alias *a"),
        ("a: " + "[" * 5000, "no YAML"),
        ('a: !!int ""', "no YAML"),
        ("a: !!bool x", "no YAML"),
        ("a: !!timestamp x", "no YAML"),
        ("a: 2024-13-01", "no YAML"),
    ],
)
def test_what_is_no_configuration(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "run.yaml"
    path.write_text(text)
    with pytest.raises(RunError, match=r"run\.yaml") as raised:
        load_config(path)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("2024-01-02", "a is a date"),
        ("[0, {b: 2024-01-02 03:04:05}]", "a[1].b is a datetime"),
        ("!!binary aGk=", "a is a bytes"),
        ("!!set {x}", "a is a set"),
        (".nan", "a is nan"),
        ("-.inf", "a is -inf"),
        ("[" * 40 + "]" * 40, "nested deeper than 32"),
    ],
)
def test_what_json_cannot_say_is_not_handed_on(value: str, said: str, tmp_path: Path) -> None:
    path = configuration(tmp_path, "http://h/v1", model__extra_body="HERE")
    path.write_text(path.read_text().replace("HERE", f"{{a: {value}}}"))
    with pytest.raises(RunError) as raised:
        load_config(path)
    assert str(raised.value).startswith(f"{path}: model.extra_body: ")
    assert said in str(raised.value)


def test_a_missing_file_and_one_that_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="cannot be read"):
        load_config(tmp_path / "none.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"a: \xff")
    with pytest.raises(RunError, match="not UTF-8 at byte 4"):
        load_config(tmp_path / "bytes.yaml")


def test_defaults_are_resolved_and_two_data_sets_may_not_share_a_name(tmp_path: Path) -> None:
    config = load_config(configuration(tmp_path, "http://h/v1/"))
    resolved = config.resolved()
    assert resolved["model"]["max_attempts"] == 8
    assert "api_key_variable" not in resolved["model"]
    assert resolved["model"]["base_url"] == "http://h/v1"
    assert "samples_per_problem" not in config.decode.row()
    twice = [{"name": "a", "path": "x"}, {"name": "a", "path": "y"}]
    with pytest.raises(RunError, match="two data sets are called a"):
        load_config(configuration(tmp_path, "http://h/v1", dataset=..., datasets=twice))


def test_a_vllm_model_has_its_own_fields(tmp_path: Path) -> None:
    model = {"backend": "vllm", "name": "m", "path": "weights", "engine": {"dtype": "float32"}}
    config = load_config(configuration(tmp_path, "", model=model))
    assert config.model.backend == "vllm"
    assert config.model.engine == {"dtype": "float32"}
    with pytest.raises(RunError, match=r"model\.base_url: is unknown"):
        load_config(configuration(tmp_path, "", model={**model, "base_url": "http://h/v1"}))
