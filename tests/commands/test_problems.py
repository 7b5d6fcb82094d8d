"""`scientific-math problems`: rows that load again as the problems they were."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.problems.generated import all_families, generated
from scientific_math_critpt_env.problems.loading import load_problems


def test_generated_rows_load_as_the_stream(tmp_path: Path) -> None:
    output = tmp_path / "p.jsonl"
    wanted = ["--families", "residue, laplace_transform", "--difficulty", "2:4"]
    command = ["problems", "--generated", "--seed", "8", "-n", "5", *wanted, "--output", str(output)]
    assert main(command) == 0
    stream = generated(8, families=["residue", "laplace_transform"], difficulty="2:4")
    assert load_problems(output) == list(islice(stream, 5))
    first = output.read_bytes()
    assert main([*command, "--overwrite"]) == 0
    assert output.read_bytes() == first


def test_chosen_rows_of_the_builtin_problems(tmp_path: Path) -> None:
    output = tmp_path / "p.jsonl"
    chosen = ["--topics", "fourier", "--answer-types", "symbolic", "-n", "3"]
    assert main(["problems", *chosen, "--output", str(output)]) == 0
    assert load_problems(output) == load_problems(topics="fourier", answer_types="symbolic")[:3]


def test_families_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "--list-families"]) == 0
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines()] == list(all_families())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--generated", "-n", "2"], "say with --output"),
        (["--generated", "--output", "{new}"], "say with -n how many"),
        (["--seed", "3", "--output", "{new}"], "belong to --generated"),
        (["--generated", "-n", "2", "--output", "{old}"], "add --overwrite"),
        (["--generated", "-n", "2", "--families", "residu", "--output", "{new}"], "no family is named"),
        (["--generated", "-n", "2", "--difficulty", "hard", "--output", "{new}"], "is no range"),
        (["--answer-types", "sets", "--output", "{new}"], "unknown answer type"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"old": tmp_path / "old.jsonl", "new": tmp_path / "new.jsonl"}
    places["old"].write_text("kept", encoding="utf-8")
    assert main(["problems", *(argument.format(**places) for argument in arguments)]) == 1
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert places["old"].read_text(encoding="utf-8") == "kept"
    assert not places["new"].exists()
