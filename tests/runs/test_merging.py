"""Merging: three parts give the run that was never split; each thing that can be wrong is refused by name."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs import manifest as manifests
from scientific_math_critpt_env.runs.merging import merge
from scientific_math_critpt_env.runs.reading import open_run
from scientific_math_critpt_env.runs.rows import line_of, read_lines
from tests.runs.endpoint import serving
from tests.runs.making import configuration, edit_manifest, made, manifest_of

CLEAN = {"version": "1", "kind": "git", "revision": "0123456789abcdef", "dirty": False}


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`whole`, and `parts/run.part-0000i-of-00003`, made by clean code."""
    folder = tmp_path_factory.mktemp("parts")
    with pytest.MonkeyPatch.context() as patched, serving() as endpoint:
        patched.setattr(manifests, "code_revision", lambda: dict(CLEAN))
        made(configuration(folder, endpoint.url, output__root="whole"))
        config = configuration(folder, endpoint.url, output__root="parts", output__compression="gzip")
        for index in range(3):
            made(config, partition=f"{index}/3")
    return folder


@pytest.fixture
def parts(made_once: Path, tmp_path: Path) -> list[Path]:
    """The three parts, to be spoilt."""
    shutil.copytree(made_once / "parts", tmp_path / "parts")
    return sorted((tmp_path / "parts").iterdir())


def _rows(folder: Path) -> list[dict[str, Any]]:
    rows = [sample.row() for sample in open_run(folder).samples()]
    return [{name: row[name] for name in row if name not in ("created_at", "response_id")} for row in rows]


def test_merged_is_as_if_it_was_never_split(made_once: Path, parts: list[Path], tmp_path: Path) -> None:
    merge(list(reversed(parts)), tmp_path / "merged")
    run, whole = open_run(tmp_path / "merged"), open_run(made_once / "whole" / "run")
    run.verify()
    assert _rows(run.path) == _rows(whole.path)
    assert run.manifest["hashes"]["content"] == whole.manifest["hashes"]["content"]
    assert run.manifest["hashes"]["generation_spec"] == whole.manifest["hashes"]["generation_spec"]
    assert run.manifest["counts"] == whole.manifest["counts"]
    assert run.manifest["partition"] is None
    assert [part["index"] for part in run.manifest["merged_from"]] == [0, 1, 2]
    assert len(run.manifest["sessions"]) == 3
    assert [path.name for path in (run.path / "raw").iterdir()] == ["shard-00000.jsonl.gz"]
    assert [part.name for part in parts] == [f"run.part-0000{index}-of-00003" for index in range(3)]


def _shard(folder: Path) -> Path:
    return min((folder / "raw").iterdir())


def _edit_rows(folder: Path, edit: Callable[[list[dict[str, Any]]], None]) -> None:
    shard = _shard(folder)
    rows = [row for _, row in read_lines(shard)]
    edit(rows)
    shard.write_bytes(gzip.compress(b"".join(line_of(row) for row in rows)))


def _change(name: str, value: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda rows: rows[0].update({name: value})


def _in_sessions(folder: Path, field: str, value: Any) -> None:
    edit_manifest(folder, **{f"sessions__0__{field}": value})


def _unseal(folder: Path) -> None:
    (folder / "raw" / "shard-00007.jsonl.inprogress").write_bytes(b"")


def _swap(parts: list[Path]) -> None:
    """A sample of part 1 instead of one of part 0."""
    (row, *_) = (row for _, row in read_lines(_shard(parts[1])))
    _edit_rows(parts[0], lambda rows: rows.__setitem__(0, row))


REJECTED: dict[str, tuple[Callable[[list[Path]], object], str]] = {
    "a part is missing": (lambda p: p.pop(), "part 2 of 3 is missing"),
    "no manifest": (lambda p: (p[1] / "manifest.json").unlink(), "holds no manifest.json"),
    "a manifest that is no JSON": (lambda p: (p[1] / "manifest.json").write_text("{"), "no JSON"),
    "a field is missing": (lambda p: edit_manifest(p[1], weights=...), "lacks weights"),
    "a whole run": (lambda p: edit_manifest(p[1], partition=None), "is a whole run, not a part"),
    "a bad index": (lambda p: edit_manifest(p[1], partition__index=3), "bad partition: index 3 of 3"),
    "an index that is no number": (lambda p: edit_manifest(p[1], partition__index="1"), "bad partition"),
    "a duplicate index": (lambda p: edit_manifest(p[1], partition__index=0), "both are part 0"),
    "the same part twice": (lambda p: p.append(p[0]), "both are part 0"),
    "counts disagree": (lambda p: edit_manifest(p[1], partition__count=4), "disagree on how many they are"),
    "not completed": (lambda p: edit_manifest(p[1], status="stopped"), "is 'stopped', not completed"),
    "still finalizing": (
        lambda p: edit_manifest(p[1], status="finalizing"),
        "is 'finalizing', not completed",
    ),
    "an unsealed shard": (lambda p: _unseal(p[1]), "a shard was not sealed"),
    "another run": (lambda p: edit_manifest(p[1], run_id="other"), "differ in run id"),
    "another schema": (lambda p: edit_manifest(p[1], schema_version=2), "differ in schema version"),
    "another config": (lambda p: edit_manifest(p[1], hashes__config="x"), "differ in configuration"),
    "another prompt": (lambda p: edit_manifest(p[1], hashes__prompt="x"), "differ in prompt"),
    "other data": (lambda p: edit_manifest(p[1], hashes__datasets={"sums": "x"}), "differ in data sets"),
    "another spec": (lambda p: edit_manifest(p[1], hashes__generation_spec="x"), "differ in generation spec"),
    "other weights": (lambda p: edit_manifest(p[1], weights={"sha256": "x"}), "differ in weights"),
    "another depth": (lambda p: edit_manifest(p[1], samples_per_problem=4), "differ in samples per problem"),
    "other judges": (lambda p: edit_manifest(p[1], judges={"hash": "x"}), "differ in judges"),
    "other snapshots": (lambda p: edit_manifest(p[1], snapshots={}), "differ in snapshots"),
    "another revision": (
        lambda p: _in_sessions(p[1], "code", {**CLEAN, "revision": "fedcba"}),
        "differ in code revision",
    ),
    "a dirty revision": (
        lambda p: [_in_sessions(part, "code", {**CLEAN, "dirty": True}) for part in p],
        "has uncommitted or edited files, so the run could not be made again; --allow-dirty",
    ),
    "an unknown revision": (
        lambda p: [_in_sessions(part, "code", {**CLEAN, "revision": None, "dirty": None}) for part in p],
        "the code revision is unknown",
    ),
    "another Python": (lambda p: _in_sessions(p[1], "environment__python", "3.99.0"), "differ in Python"),
    "other packages": (
        lambda p: _in_sessions(p[1], "environment__packages__aiohttp", "0.1"),
        "differ in packages",
    ),
    "other GPUs": (
        lambda p: _in_sessions(p[1], "hardware", {"gpus": [{"name": "A", "driver": "1"}]}),
        "differ in hardware",
    ),
    "no sessions": (lambda p: [edit_manifest(part, sessions=[]) for part in p], "tells of no session"),
    "no sessions in one part": (
        lambda p: edit_manifest(p[1], sessions=[]),
        "00001-of-00003: the manifest tells",
    ),
    "another code at the beginning": (lambda p: edit_manifest(p[1], code__revision="x"), "differ in code"),
    "another Python at the beginning": (
        lambda p: edit_manifest(p[1], environment__python="3.99.0"),
        "differ in environment",
    ),
    "another model": (lambda p: edit_manifest(p[1], model="x"), "differ in model"),
    "another decode": (lambda p: edit_manifest(p[1], decode__temperature=0.1), "differ in decode"),
    "another limit": (lambda p: edit_manifest(p[1], datasets__0__limit=3), "differ in datasets"),
    "specs not of their hash": (
        lambda p: [edit_manifest(part, spec={"model": "x"}) for part in p],
        "spec is not the one of its hash",
    ),
    "a snapshot without hash": (
        lambda p: [edit_manifest(part, datasets__0__snapshot="snapshots/x.jsonl") for part in p],
        "holds no hash of snapshots/x.jsonl",
    ),
    "a config snapshot edited": (
        lambda p: (p[1] / "snapshots" / "config.yaml").write_text("a: b"),
        "config.yaml: the snapshot was changed",
    ),
    "a prompt snapshot edited": (
        lambda p: (p[1] / "snapshots" / "prompt" / "prompt.txt").write_text("{{problem}}!"),
        "prompt.txt: the snapshot was changed",
    ),
    "a snapshot is missing": (
        lambda p: (p[1] / "snapshots" / "sums.jsonl").unlink(),
        "sums.jsonl: the snapshot is missing",
    ),
    "a row of another run": (
        lambda p: _edit_rows(p[1], _change("run_id", "other")),
        "a sample of run 'other'",
    ),
    "a row of another schema": (
        lambda p: _edit_rows(p[1], _change("schema_version", 2)),
        "schema_version 2; this version reads 1",
    ),
    "a row that lacks a field": (
        lambda p: _edit_rows(p[1], lambda rows: rows[0].pop("decode")),
        "lacks decode",
    ),
    "a row twice in a shard": (
        lambda p: _edit_rows(p[1], lambda rows: rows.append(rows[0])),
        "in the part twice",
    ),
    "a row twice across shards": (
        lambda p: (p[1] / "raw" / "shard-00009.jsonl.gz").write_bytes(_shard(p[1]).read_bytes()),
        "in the part twice",
    ),
    "a row of another part": (_swap, "does not belong to part 0"),
    "a row of no problem": (
        lambda p: _edit_rows(p[1], _change("problem_id", "p99")),
        "which is no problem of this run",
    ),
    "a row too deep": (lambda p: _edit_rows(p[1], _change("sample_idx", 3)), "does not belong to part 1"),
    "a row is missing": (lambda p: _edit_rows(p[1], lambda rows: rows.pop()), "1 of 6 samples are missing"),
    "the counts are off": (
        lambda p: edit_manifest(p[1], counts__samples=5),
        "the manifest counts 5 of 6 samples",
    ),
    "a text was edited": (lambda p: _edit_rows(p[1], _change("raw_text", "x")), "were edited after the part"),
    "a time was edited": (
        lambda p: _edit_rows(p[1], _change("created_at", "x")),
        "were edited after the part",
    ),
    "a content hash was edited": (
        lambda p: edit_manifest(p[1], hashes__content="x"),
        "were edited after the part",
    ),
    "a damaged shard": (
        lambda p: _shard(p[1]).write_bytes(_shard(p[1]).read_bytes()[:-20]),
        "cannot be unpacked",
    ),
}


@pytest.mark.parametrize("case", REJECTED)
def test_refused(case: str, parts: list[Path], tmp_path: Path) -> None:
    spoil, said = REJECTED[case]
    spoil(parts)
    with pytest.raises(RunError) as raised:
        merge(parts, tmp_path / "merged")
    assert said in str(raised.value)
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]


def test_snapshots_edited_together_with_their_hashes(parts: list[Path], tmp_path: Path) -> None:
    for part in parts:
        snapshot = part / "snapshots" / "sums.jsonl"
        snapshot.write_bytes(snapshot.read_bytes().replace(b"What is 3", b"What was 3"))
        edit_manifest(
            part, snapshots={**manifest_of(part)["snapshots"], "snapshots/sums.jsonl": _hash(snapshot)}
        )
    with pytest.raises(RunError, match=r"sums\.jsonl: is not the data set of the manifest"):
        merge(parts, tmp_path / "merged")


def _hash(path: Path) -> str:
    from scientific_math_critpt_env.runs.hashing import file_hash

    return file_hash(path)


DAMAGED: dict[str, tuple[dict[str, Any], str]] = {
    "partition": ({"partition": [1, 3]}, "partition is [1, 3], not an object or null"),
    "hashes": ({"hashes": None}, "hashes is null, not an object"),
    "sessions": ({"sessions": [{}]}, "sessions[0] lacks code"),
    "packages": ({"sessions__0__environment": {"python": "3"}}, "sessions[0].environment lacks packages"),
    "missing": ({"missing": [1]}, "missing[0] is 1, not [data set, problem, index]"),
    "data sets": ({"datasets": [{"name": "sums"}]}, "datasets[0] lacks snapshot"),
    "a path outside": (
        {"datasets__0__snapshot": "../x"},
        'datasets[0].snapshot is "../x", not a path within',
    ),
    "counts": ({"counts": None}, "counts is null, not an object"),
    "a count": ({"counts__problems": True}, "counts.problems is true, not a whole number"),
    "a price": ({"model_settings__prompt_price": "2"}, 'prompt_price is "2", not a number or null'),
    "infinity": ({"counts__cost": float("inf")}, "no JSON (Infinity is no number of JSON)"),
    "a list of hashes": ({"hashes": []}, "hashes is [], not an object"),
    "a hash is missing": ({"hashes__raw": ...}, "hashes lacks raw"),
    "snapshots": ({"snapshots": {"a": 1}}, "snapshots.a is 1, not a text"),
}


def test_damaged_manifests_are_refused_by_the_field(made_once: Path, tmp_path: Path) -> None:
    (original,) = (made_once / "parts").glob("*00001-of-00003")
    for case, (changes, said) in DAMAGED.items():
        (tmp_path / case).mkdir()
        shutil.copy(original / "manifest.json", tmp_path / case)
        edit_manifest(tmp_path / case, **changes)
        with pytest.raises(RunError) as raised:
            merge([tmp_path / case], tmp_path / "merged")
        assert f"{tmp_path / case / 'manifest.json'}: " in str(raised.value)
        assert said in str(raised.value), case


@pytest.mark.parametrize("there", ["merged", "merged.merging"])
def test_nothing_is_written_over(there: str, parts: list[Path], tmp_path: Path) -> None:
    (tmp_path / there).mkdir()
    with pytest.raises(RunError, match=r"exists|is left from a merge"):
        merge(parts, tmp_path / "merged")
    assert (tmp_path / there).is_dir()


@pytest.mark.parametrize("changed", ["raw", "manifest", "new shard"])
def test_a_part_that_changes_during_the_copy(changed: str, parts: list[Path], tmp_path: Path) -> None:
    def meddle(rows: int) -> None:
        if rows == 10:
            if changed == "manifest":
                edit_manifest(parts[2], reason="x")
            elif changed == "raw":
                _edit_rows(parts[2], _change("created_at", "x"))
            else:
                (parts[2] / "raw" / "shard-00099.jsonl").write_bytes(b"")

    with pytest.raises(RunError, match="was changed during the merge; nothing was merged"):
        merge(parts, tmp_path / "merged", copied=meddle)
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]


def test_what_flags_allow(parts: list[Path], tmp_path: Path) -> None:
    for part in parts:
        _in_sessions(part, "code", {**CLEAN, "dirty": True})
    _in_sessions(parts[1], "hardware", {"gpus": [{"name": "A", "driver": "1"}]})
    merge(parts, tmp_path / "merged", allow_dirty=True, allow_mixed_hardware=True, compression="zstd")
    open_run(tmp_path / "merged").verify()
    assert [path.suffix for path in (tmp_path / "merged" / "raw").iterdir()] == [".zst"]


def test_the_command(parts: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["merge", "--output", str(tmp_path / "merged"), *map(str, parts)]
    assert main([*command, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["parts"], report["samples"], report["problems"]) == (3, 21, 7)
    assert main(command) == 1
    assert "exists; name a folder that does not" in capsys.readouterr().err
