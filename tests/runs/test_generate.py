"""Runs generated against a real endpoint: fresh, resumed, grown, failed and retried, watched for secrets."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from scientific_math_critpt_env.cli import main
from scientific_math_critpt_env.demo.script import ProblemScript
from scientific_math_critpt_env.demo.server import running
from scientific_math_critpt_env.errors import RunError, ScientificMathError
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.runs import session
from scientific_math_critpt_env.runs.folder import locked
from scientific_math_critpt_env.runs.hashing import file_hash
from scientific_math_critpt_env.runs.merging import merge
from scientific_math_critpt_env.runs.reading import open_run
from scientific_math_critpt_env.runs.rows import read_lines
from tests.runs.endpoint import reply_to, serving
from tests.runs.making import ROWS, configuration, edit_manifest, made, manifest_of, write_rows

KEY = "sk-Sesame/open+42=="


def test_a_run_holds_what_the_reference_asks_for(tmp_path: Path) -> None:
    with serving() as endpoint:
        config = configuration(tmp_path, endpoint.url, output__compression="gzip", model__prompt_price=2.0)
        plan, ending = made(config)
    assert (ending.status, ending.made, ending.totals.samples, ending.expected) == ("completed", 21, 21, 21)
    run = open_run(plan.folder)
    run.verify()
    samples = list(run.samples())
    assert [sample.key for sample in samples] == [
        ("sums", row["id"], index) for row in ROWS for index in range(3)
    ]
    sample = samples[7]
    assert sample.problem_uid == "sums:p2"
    assert (sample.sample_idx, sample.resolved_request["seed"]) == (1, 6)
    assert sample.final_text.startswith("It is \\boxed{")
    assert sample.thinking_status == "closed"
    assert sample.reasoning_text + sample.final_text == sample.raw_text
    assert sample.decode == {"temperature": 0.7, "top_p": 0.9, "seed": 5, "max_output_tokens": 64}
    assert len({row["gold_hash"] for row in (sample.row() for sample in samples)}) == 7
    manifest = run.manifest
    assert manifest["status"] == "completed"
    assert manifest["counts"] == {
        "problems": 7,
        "expected": 21,
        "samples": 21,
        "failed": 0,
        "truncated": 0,
        "prompt_tokens": 147,
        "output_tokens": 231,
        "cost": pytest.approx(147 * 2e-6),
    }
    assert set(manifest["hashes"]) == {"config", "prompt", "datasets", "generation_spec", "raw", "content"}
    assert set(manifest["snapshots"]) == {
        "snapshots/config.yaml",
        "snapshots/prompt/prompt.txt",
        "snapshots/sums.jsonl",
    }
    assert manifest["code"]["kind"] in ("git", "wheel", "unknown")
    assert manifest["environment"]["packages"]["aiohttp"]
    assert (manifest["partition"], manifest["weights"], manifest["judges"]) == (None, None, None)
    assert [path.suffix for path in sorted((plan.folder / "raw").iterdir())] == [".gz"] * 6


def test_several_data_sets_of_both_kinds_in_one_run(tmp_path: Path) -> None:
    problems = [{"id": "p0", "prompt": "What is x?", "answer_fn": "x", "topic": "algebra", "difficulty": 2}]
    write_rows(tmp_path / "ours.jsonl", problems)
    datasets = [{"name": "sums", "path": "rows.jsonl", "limit": 2}, {"name": "ours", "path": "ours.jsonl"}]
    with serving() as endpoint:
        plan, _ = made(configuration(tmp_path, endpoint.url, dataset=..., datasets=datasets))
    samples = list(open_run(plan.folder).samples())
    assert Counter(sample.dataset for sample in samples) == {"sums": 6, "ours": 3}
    assert samples[-1].metadata == {"topic": "algebra", "difficulty": 2, "problem_row": problems[0]}
    assert samples[-1].gold_answer == "x"


def test_samples_per_problem_may_grow_and_the_content_is_that_of_a_fresh_run(tmp_path: Path) -> None:
    with serving() as endpoint:
        made(configuration(tmp_path, endpoint.url, decode__samples_per_problem=1))
        plan, ending = made(configuration(tmp_path, endpoint.url, output__compression="zstd"), resume=True)
        assert (ending.status, ending.made) == ("completed", 14)
        assert len(endpoint.bodies) == 21
        fresh, _ = made(configuration(tmp_path, endpoint.url, model__concurrency=1), "fresh")
    grown = manifest_of(plan.folder)
    assert grown["hashes"]["content"] == manifest_of(fresh.folder)["hashes"]["content"]
    assert grown["hashes"]["raw"] != manifest_of(fresh.folder)["hashes"]["raw"]
    assert [entry["samples"] for entry in grown["sessions"]] == [7, 14]
    open_run(plan.folder).verify()


def test_a_complete_run_asks_nothing_more(tmp_path: Path) -> None:
    with serving() as endpoint:
        config = configuration(tmp_path, endpoint.url)
        plan, _ = made(config)
        before = manifest_of(plan.folder)["hashes"]
        _, ending = made(config, resume=True)
        assert (ending.status, ending.made, len(endpoint.bodies)) == ("completed", 0, 21)
    assert manifest_of(plan.folder)["hashes"] == before


def test_failed_samples_stand_apart_and_are_asked_for_again(tmp_path: Path) -> None:
    def trouble(body: dict[str, Any], times: int) -> web.StreamResponse | None:
        bad = "What is 4+" in body["messages"][0]["content"] and times == 1
        return web.json_response({"error": {"message": "too hard"}}, status=400) if bad else None

    with serving(trouble) as endpoint:
        config = configuration(tmp_path, endpoint.url)
        plan, ending = made(config)
        assert (ending.status, ending.totals.samples, ending.totals.failed) == ("failed", 18, 3)
        errors = [row for _, row in read_lines(plan.folder / "errors.jsonl")]
        assert {(row["problem_id"], row["kind"], row["status"]) for row in errors} == {("p4", "request", 400)}
        assert all("too hard" in row["message"] for row in errors)
        assert manifest_of(plan.folder)["status"] == "failed"
        with pytest.raises(RunError, match="not completed"):
            open_run(plan.folder).verify()
        _, again = made(config, resume=True)
        fresh, _ = made(config, "fresh")
    assert (again.status, again.made, again.totals.failed) == ("completed", 3, 0)
    assert manifest_of(plan.folder)["hashes"]["content"] == manifest_of(fresh.folder)["hashes"]["content"]


@pytest.mark.parametrize("status", [401, 400])
def test_where_nothing_can_come_the_run_gives_up(
    status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "GIVE_UP_AFTER", 5)
    refusal = {"error": {"message": "no such key"}}
    with serving(lambda body, times: web.json_response(refusal, status=status)) as endpoint:
        plan, ending = made(configuration(tmp_path, endpoint.url))
        assert len(endpoint.bodies) < 15
    assert ending.status == "failed"
    assert ending.reason.startswith("gave up after 5 failures in a row; the last: HTTP")
    assert "no such key" in manifest_of(plan.folder)["reason"]


def _echo(body: dict[str, Any], times: int) -> web.StreamResponse | None:
    """An endpoint that repeats the key wherever it can."""
    if times == 1 and "What is 1+" in body["messages"][0]["content"]:
        return web.json_response({"error": {"message": f"wrong key {KEY}"}}, status=400)
    if times == 1 and "What is 2+" in body["messages"][0]["content"]:
        escaped = [KEY.replace("/", "\\/"), "".join(f"\\u{ord(letter):04x}" for letter in KEY)]
        return web.Response(text=f'{{"error": {{"message": "{escaped[body["seed"] % 2]}"}}}}', status=400)
    reply = reply_to(body)
    reply["id"] = KEY
    reply["choices"][0]["message"]["content"] = f"key {KEY}"
    reply["choices"][0]["message"]["reasoning_content"] = "key " + KEY.replace("/", "\\/")
    text = json.dumps(reply)
    return web.Response(text=text if body["seed"] == 5 else text.replace("/", "\\/"))


def test_no_secret_is_in_any_artifact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MADE_UP_KEY", KEY)
    with serving(_echo) as endpoint:
        config = configuration(tmp_path, endpoint.url, model__api_key_variable="MADE_UP_KEY")
        assert main(["generate", "--config", str(config), "--run-id", "run"]) == 1
        assert main(["generate", "--config", str(config), "--run-id", "run", "--resume", "--json"]) == 0
        assert {headers["Authorization"] for headers in endpoint.headers} == {f"Bearer {KEY}"}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 8
    for path in files:
        content = path.read_bytes()
        assert KEY.encode() not in content, path
        assert KEY.replace("/", "\\/").encode() not in content, path
    out, err = capfd.readouterr()
    assert KEY not in out + err
    assert "MADE_UP_KEY" in (tmp_path / "run.yaml").read_text()
    (sample, *_) = open_run(tmp_path / "runs" / "run").samples()
    assert sample.raw_text == "key [key]"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"decode__temperature": 0.8}, "decode.temperature changed"),
        ({"decode__max_output_tokens": 65}, "decode.max_output_tokens changed"),
        ({"model__name": "other"}, "model.name changed"),
        ({"model__extra_body": {"a": 1}}, "model.extra_body changed"),
        ({"dataset__limit": 6}, "datasets.sums changed"),
        ({"prompt": "other.txt"}, "prompt changed"),
        ({"decode__samples_per_problem": 2}, "may grow from 3, not shrink to 2"),
    ],
)
def test_another_run_is_not_resumed(changes: dict[str, Any], said: str, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("Do it. {{problem}}")
    with serving() as endpoint:
        made(configuration(tmp_path, endpoint.url))
        with pytest.raises(RunError) as raised:
            made(configuration(tmp_path, endpoint.url, **changes), resume=True)
        assert said in str(raised.value)
        assert len(endpoint.bodies) == 21


def test_how_it_is_reached_may_change(tmp_path: Path) -> None:
    changes = {"model__max_attempts": 2, "model__timeout_seconds": 9.0, "output__shard_size": 50}
    with serving() as endpoint, serving() as moved:
        made(configuration(tmp_path, endpoint.url, decode__samples_per_problem=2))
        _, ending = made(configuration(tmp_path, moved.url, **changes), resume=True)
        assert (ending.status, len(moved.bodies)) == ("completed", 7)


def test_what_keeps_a_run_from_going_on(tmp_path: Path) -> None:
    with serving() as endpoint:
        config = configuration(tmp_path, endpoint.url)
        plan, _ = made(config)
        with pytest.raises(RunError, match="the run exists; add --resume"):
            made(config)
        with locked(plan.folder), pytest.raises(RunError, match="another process is writing this run"):
            made(config, resume=True)
        snapshot = plan.folder / "snapshots" / "sums.jsonl"
        content = snapshot.read_bytes()
        snapshot.write_bytes(content + b"\n")
        with pytest.raises(RunError, match="the snapshot was changed"):
            made(config, resume=True)
        snapshot.unlink()
        with pytest.raises(RunError, match="the snapshot is missing"):
            made(config, resume=True)
        snapshot.write_bytes(content)
        shard = plan.folder / "raw" / "shard-00000.jsonl"
        rows = shard.read_bytes()
        shard.write_bytes(rows.replace(b"It is", b"It be", 1))
        with pytest.raises(RunError, match="the samples were changed after the last session"):
            made(config, resume=True)
        with pytest.raises(RunError, match="are not those the run was completed with"):
            open_run(plan.folder).verify()
        shard.write_bytes(rows.replace(b'"run_id": "run"', b'"run_id": "ran"', 1))
        with pytest.raises(RunError, match="a sample of run 'ran', not of 'run'"):
            made(config, resume=True)
        shard.write_bytes(rows.replace(b'"output_tokens": 11', b'"output_tokens": 1' + b"0" * 4000, 1))
        with pytest.raises(RunError, match="output_tokens of the sample is not within"):
            made(config, resume=True)
        shard.write_bytes(rows + rows.splitlines(keepends=True)[0])
        with pytest.raises(RunError, match="is there twice"):
            made(config, resume=True)
        shard.write_bytes(rows)
        edit_manifest(plan.folder, run_id="other")
        with pytest.raises(RunError, match="holds the run 'other'"):
            made(config, resume=True)
        (plan.folder / "manifest.json").unlink()
        with pytest.raises(RunError, match=r"holds raw/ but no manifest\.json"):
            made(config, resume=True)


def test_the_command_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as endpoint:
        config = configuration(tmp_path, "http://127.0.0.1:9/v1")
        command = ["generate", "--config", str(config), "--run-id", "r", "--base-url", endpoint.url]
        assert main([*command, "--json"]) == 0
        report = json.loads(capsys.readouterr().out)
        assert report["samples"] == report["expected"] == report["made_now"] == 21
        assert report["status"] == "completed"
        assert main(command) == 1
        assert "the run exists" in capsys.readouterr().err
        assert main([*command, "--resume"]) == 0
        assert "21 of 21 samples, 0 of them now: completed" in capsys.readouterr().out
        for url in ("http://u:p@h/v1", "http://", "http://[", "http://h:99999/v1"):
            assert main([*command[:-1], url, "--resume"]) == 1
            assert "generate: --base-url: " in capsys.readouterr().err
        with pytest.raises(SystemExit, match="2"):
            main([*command, "--partition", "3/3"])
    assert "the parts of n are 0 to n-1" in capsys.readouterr().err


def test_the_example_runs_against_the_scripted_endpoint(tmp_path: Path) -> None:
    example = Path(__file__).resolve().parents[2] / "examples" / "run.yaml"
    config = tmp_path / "run.yaml"
    config.write_text(example.read_text().replace("../outputs", "outputs").replace("limit: 20", "limit: 3"))
    with running([ProblemScript(load_problems())]) as url:
        command = ["generate", "--config", str(config), "--run-id", "demo", "--base-url", url]
        assert main(command) == 0
    run = open_run(tmp_path / "outputs" / "demo")
    run.verify()
    assert len(list(run.samples())) == 12


def test_killed_while_a_changed_configuration_replaces_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(plan: object) -> None:
        raise KeyboardInterrupt

    with serving() as endpoint:
        made(configuration(tmp_path, endpoint.url, decode__samples_per_problem=1))
        grown = configuration(tmp_path, endpoint.url)
        with monkeypatch.context() as patched:
            patched.setattr(session, "write_snapshots", killed)
            with pytest.raises(KeyboardInterrupt):
                made(grown, resume=True)
        plan, ending = made(grown, resume=True)
    assert (ending.status, ending.made) == ("completed", 14)
    assert "snapshots_before" not in manifest_of(plan.folder)
    open_run(plan.folder).verify()


def test_the_judges_of_a_run_are_kept_with_it(tmp_path: Path) -> None:
    judges = tmp_path / "judges.yaml"
    judges.write_text("judges:\n  - {name: first, model: m1, base_url: 'http://h/v1', key_variable: A_KEY}\n")
    with serving() as endpoint:
        config = configuration(tmp_path, endpoint.url, judges="judges.yaml")
        plan, _ = made(config)
        judges.write_text("judges:\n  - {model: m1, base_url: 'http://h/v1', api_key: sk-sesame}\n")
        with pytest.raises(ScientificMathError, match=r"judges\.yaml"):
            made(config, "other")
    told = manifest_of(plan.folder)["judges"]
    assert told["judges"] == [{"name": "first", "model": "m1"}]
    assert file_hash(plan.folder / "snapshots" / "judges.yaml") == told["hash"]


def test_a_run_may_be_completed_without_what_cannot_be_had(tmp_path: Path) -> None:
    def trouble(body: dict[str, Any], times: int) -> web.StreamResponse | None:
        bad = "What is 4+" in body["messages"][0]["content"] and body["seed"] == 6
        return web.json_response({"error": {"message": "too long"}}, status=400) if bad and broken else None

    broken = True
    with serving(trouble) as endpoint:
        config = configuration(tmp_path, endpoint.url)
        plan, ending = made(config, accept_missing=True)
        assert (ending.status, ending.totals.samples, ending.expected) == ("completed", 20, 21)
        run = open_run(plan.folder)
        run.verify()
        assert run.manifest["missing"] == [["sums", "p4", 1]]
        assert run.manifest["counts"]["failed"] == 1
        parts = [made(config, partition=f"{index}/2", accept_missing=True)[0].folder for index in range(2)]
        merge(parts, tmp_path / "merged", allow_dirty=True)
        merged = open_run(tmp_path / "merged")
        merged.verify()
        assert merged.manifest["missing"] == [["sums", "p4", 1]]
        assert merged.manifest["counts"] == run.manifest["counts"]
        broken = False
        _, ending = made(config, resume=True)
    assert (ending.status, ending.made) == ("completed", 1)
    assert manifest_of(plan.folder)["missing"] == []
