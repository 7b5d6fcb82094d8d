"""Shards: whatever moment the process dies in, every whole row is there, once."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.hashing import ContentHash, stable_hash
from scientific_math_critpt_env.runs.rows import line_of, read_lines
from scientific_math_critpt_env.runs.shards import all_shards, sealed_shards, sorted_rows
from scientific_math_critpt_env.runs.writing import ShardWriter, repair

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "math_eval"


def _row(number: int) -> dict[str, Any]:
    return {"dataset": "d", "problem_id": "p", "sample_idx": number, "text": f"é {number}\n\u2028"}


def _rows(raw: Path) -> list[dict[str, Any]]:
    return [row for shard in all_shards(raw) for _, row in read_lines(shard)]


@pytest.mark.parametrize(("compression", "suffix"), [("none", ""), ("gzip", ".gz"), ("zstd", ".zst")])
def test_rows_are_sealed_in_shards(compression: Any, suffix: str, tmp_path: Path) -> None:
    writer = ShardWriter(tmp_path, shard_size=3, compression=compression, fsync_every=2)
    for number in range(7):
        writer.write(_row(number))
    names = [path.name for path in all_shards(tmp_path)]
    assert names == [
        f"shard-00000.jsonl{suffix}",
        f"shard-00001.jsonl{suffix}",
        "shard-00002.jsonl.inprogress",
    ]
    writer.close()
    writer.close()
    assert [path.name for path in all_shards(tmp_path)][2] == f"shard-00002.jsonl{suffix}"
    assert len(list(tmp_path.iterdir())) == 3
    assert _rows(tmp_path) == [_row(number) for number in range(7)]
    packed = (tmp_path / f"shard-00000.jsonl{suffix}").read_bytes()
    plain = {
        "none": lambda data: data,
        "gzip": gzip.decompress,
        "zstd": zstandard.ZstdDecompressor().decompress,
    }[compression](packed)
    assert plain == b"".join(line_of(_row(number)) for number in range(3))


def test_packing_the_same_rows_gives_the_same_file(tmp_path: Path) -> None:
    for compression in ("gzip", "zstd"):
        contents = []
        for place in ("a", "b"):
            writer = ShardWriter(tmp_path / place / compression, shard_size=9, compression=compression)  # type: ignore[arg-type]
            writer.write(_row(1))
            writer.close()
            contents.append(sealed_shards(tmp_path / place / compression)[0].read_bytes())
        assert contents[0] == contents[1]


def test_a_line_torn_anywhere_is_cut_off_and_writing_goes_on(tmp_path: Path) -> None:
    whole, last = line_of(_row(0)), line_of(_row(1))
    for length in range(len(last)):
        raw = tmp_path / str(length)
        raw.mkdir()
        (raw / "shard-00000.jsonl.inprogress").write_bytes(whole + last[:length])
        writer = ShardWriter(raw, shard_size=3)
        writer.write(_row(1))
        writer.close()
        assert _rows(raw) == [_row(0), _row(1)]
        assert len(sealed_shards(raw)) == 1


def test_a_hole_of_zeros_at_the_end_is_torn_as_well(tmp_path: Path) -> None:
    path = tmp_path / "shard-00000.jsonl.inprogress"
    path.write_bytes(line_of(_row(0)) + b"\0" * 40 + b"\n")
    assert repair(path) == 1
    assert path.read_bytes() == line_of(_row(0))


def test_damage_elsewhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "shard-00000.jsonl.inprogress"
    path.write_bytes(line_of(_row(0)) + b'{"torn": \n' + line_of(_row(1)))
    with pytest.raises(RunError, match=r"inprogress:2: no JSON, and not the last line"):
        ShardWriter(tmp_path, shard_size=3)


def test_killed_while_sealing(tmp_path: Path) -> None:
    """Half packed; packed and named but the plain one still there; full but not packed."""
    rows = b"".join(line_of(_row(number)) for number in range(2))
    (tmp_path / "shard-00000.jsonl.gz").write_bytes(gzip.compress(rows))
    (tmp_path / "shard-00000.jsonl.inprogress").write_bytes(rows)
    (tmp_path / "shard-00001.jsonl.gz.packing").write_bytes(b"half")
    ShardWriter(tmp_path, shard_size=2, compression="gzip").close()
    assert [path.name for path in tmp_path.iterdir()] == ["shard-00000.jsonl.gz"]
    (tmp_path / "shard-00001.jsonl.inprogress").write_bytes(rows)
    ShardWriter(tmp_path, shard_size=2, compression="gzip")
    assert [path.name for path in all_shards(tmp_path)] == ["shard-00000.jsonl.gz", "shard-00001.jsonl.gz"]


def test_shards_that_cannot_be(tmp_path: Path) -> None:
    for name in ("shard-00000.jsonl", "shard-00000.jsonl.gz"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(RunError, match="one shard twice"):
        sealed_shards(tmp_path)
    other = tmp_path / "other"
    other.mkdir()
    for name in ("shard-00000.jsonl.inprogress", "shard-00001.jsonl.inprogress"):
        (other / name).write_bytes(line_of(_row(0)))
    with pytest.raises(RunError, match="two shards in progress"):
        ShardWriter(other, shard_size=3)


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_a_damaged_pack_is_told(suffix: str, tmp_path: Path) -> None:
    data = line_of(_row(0)) * 50
    packed = gzip.compress(data) if suffix == "gz" else zstandard.ZstdCompressor().compress(data)
    path = tmp_path / f"shard-00000.jsonl.{suffix}"
    for damaged in (packed[:-9], b"xx" + packed[2:]):
        path.write_bytes(damaged)
        with pytest.raises(RunError, match=r"cannot be unpacked|damaged"):
            list(read_lines(path))


def test_all_frames_are_read_and_nothing_else_may_follow(tmp_path: Path) -> None:
    path = tmp_path / "shard-00000.jsonl.zst"
    frames = [zstandard.ZstdCompressor().compress(line_of(_row(number))) for number in range(3)]
    path.write_bytes(b"".join(frames))
    assert _rows(tmp_path) == [_row(number) for number in range(3)]
    for rest in (b"junk", b"\0", frames[0][:-1], b'{"sample_idx": 3}\n'):
        path.write_bytes(frames[0] + rest)
        with pytest.raises(RunError, match=r"zst: cannot be unpacked"):
            _rows(tmp_path)


def test_half_a_surrogate_pair_is_kept(tmp_path: Path) -> None:
    writer = ShardWriter(tmp_path, shard_size=3)
    row = {**_row(0), "text": "\ud83d and é"}
    writer.write(row)
    writer.close()
    assert _rows(tmp_path) == [row]
    stable_hash(row)


def test_rows_are_sorted_whatever_shards_hold_them(tmp_path: Path) -> None:
    order = {("d", "b"): 0, ("d", "a"): 1}
    rows = [
        {"dataset": "d", "problem_id": name, "sample_idx": number} for number in (1, 0) for name in ("a", "b")
    ]
    writer = ShardWriter(tmp_path, shard_size=2, compression="zstd")
    for row in rows:
        writer.write(row)
    writer.close()
    keys = [(row["problem_id"], row["sample_idx"]) for _, row in sorted_rows(tmp_path, order)]
    assert keys == [("b", 0), ("b", 1), ("a", 0), ("a", 1)]
    with pytest.raises(RunError, match="which is no problem of this run"):
        list(sorted_rows(tmp_path, {("d", "a"): 0}))


def test_hashes_of_the_reference() -> None:
    path = SHARED / "matheval_parser_hashes.json"
    if not path.is_file():
        pytest.skip("the shared cases are not beside the checkout (shared/cases/math_eval)")
    case = json.loads(path.read_text())
    assert stable_hash(case["v52_payload"]) == case["hashes"]["math-v5.2-dual"]


def test_the_content_hash_ignores_order_and_what_differs_between_runs() -> None:
    base = {"run_id": "a", "response_id": "1", "created_at": "t"}
    rows = [{**_row(number), **base} for number in range(4)]
    other = [{**row, "run_id": "b", "response_id": "2", "created_at": "u"} for row in reversed(rows)]
    first, second = ContentHash(rows), ContentHash(other)
    assert first.content == second.content
    assert first.raw != second.raw == ContentHash(reversed(other)).raw
    assert ContentHash([*rows[:3], {**rows[3], "text": "x"}]).content != first.content
    assert not first.add(rows[0])
    with pytest.raises(ValueError):
        stable_hash(float("nan"))
