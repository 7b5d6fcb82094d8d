"""`prime env push`: what goes to the hub, and that it is enough. The client is real, the hub is ours."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.packaging.conftest import TRASH, Pushed
from tests.packaging.hub import ENVIRONMENT_ID, OWNER

NAME = "scientific-math-critpt"
ARCHIVED = {"README.md", "pyproject.toml", "benchmarks", "data", "docs", "environments", "tests"}
KINDS = {
    *(".py", ".md", ".toml", ".json", ".jsonl", ".txt", ".yaml", ".yml", ".sh"),
    *(".html", ".css", ".js", ".j2", ".svg", ""),
}
LARGEST = 2 << 20
"""Bytes of one source file; anything larger is no source."""


def _archive(pushed: Pushed) -> tarfile.TarFile:
    return tarfile.open(fileobj=io.BytesIO(pushed.hub.uploads["versions"]))


@pytest.mark.slow
def test_wheel_and_sources_are_uploaded_and_finalized(pushed: Pushed) -> None:
    assert "Successfully pushed" in pushed.printed
    assert pushed.hub.resolved == {"name": NAME}
    hub = "/api/v1/environmentshub"
    wheel, archive = (pushed.hub.declared[kind]["filename"] for kind in ("wheels", "versions"))
    assert pushed.hub.calls[:7] == [
        ("POST", f"{hub}/resolve"),
        ("POST", f"{hub}/{ENVIRONMENT_ID}/wheels"),
        ("PUT", f"/store/wheels/{wheel}"),
        ("POST", f"{hub}/{ENVIRONMENT_ID}/wheels/wheel-1/finalize"),
        ("POST", f"{hub}/{ENVIRONMENT_ID}/versions"),
        ("PUT", f"/store/versions/{archive}"),
        ("POST", f"{hub}/{ENVIRONMENT_ID}/versions/version-1/finalize"),
    ]
    kept = json.loads((pushed.checkout / ".prime" / ".env-metadata.json").read_text())
    assert (kept["owner"], kept["name"], kept["environment_id"]) == (OWNER, NAME, ENVIRONMENT_ID)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["wheels", "versions"])
def test_the_hub_is_told_what_it_shows(pushed: Pushed, kind: str) -> None:
    told = pushed.hub.declared[kind]
    assert told["runtime_hint"] == "VERIFIERS_V1"
    assert told["metadata"]["license"] == "Apache-2.0"
    assert told["metadata"]["python_requires"] == ">=3.11,<3.14"
    assert {"math", "physics", "single-turn", "multi-turn"} <= set(told["metadata"]["tags"])
    assert len(told["metadata"]["description"]) > 40
    assert "verifiers<0.5,>=0.2.0" in told["metadata"]["requires_dist"]


@pytest.mark.slow
def test_the_source_archive_holds_the_sources_and_nothing_else(pushed: Pushed) -> None:
    members = _archive(pushed).getmembers()
    names = {member.name for member in members}
    assert {name.split("/")[0] for name in names} >= ARCHIVED
    assert not names & set(TRASH)
    assert not [name for name in names if any(part.startswith(".") for part in name.split("/"))]
    assert not [name for name in names if Path(name).suffix not in KINDS]
    assert not [member.name for member in members if member.size > LARGEST or not member.isreg()]


@pytest.mark.slow
def test_the_source_archive_builds_the_wheel(pushed: Pushed, wheel: Path, tmp_path: Path) -> None:
    """What the hub, and `prime env install` of a private environment, do with it."""
    _archive(pushed).extractall(tmp_path / "source", filter="data")
    line = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path / "dist")]
    subprocess.run([*line, str(tmp_path / "source")], check=True, capture_output=True, timeout=120)
    (built,) = (tmp_path / "dist").glob("*.whl")
    missing = set(zipfile.ZipFile(wheel).namelist()) - set(zipfile.ZipFile(built).namelist())
    # prime archives no file of the root but these two and *.py: the wheel is where the license text stands.
    assert {name.rsplit("/", 1)[-1] for name in missing} <= {"LICENSE"}


@pytest.mark.slow
def test_the_same_content_is_not_pushed_twice(pushed: Pushed) -> None:
    printed = pushed.prime("env", "push", "--path", ".", status=1)
    assert "content hash already exists" in printed


@pytest.mark.slow
def test_a_hosted_evaluation_asks_for_the_published_environment(pushed: Pushed) -> None:
    arguments = {"protocol": "two_turn", "topics": ["fourier"]}
    printed = pushed.prime(
        *("eval", "run", f"{OWNER}/{NAME}", "--hosted", "-m", "some-model", "-n", "5", "-r", "3"),
        *("-a", json.dumps(arguments), "--max-tokens", "8000", "--temperature", "0.6"),
    )
    assert "Hosted evaluation started" in printed
    (asked,) = pushed.hub.evaluations
    assert asked["environment_ids"] == [ENVIRONMENT_ID]
    assert asked["inference_model"] == "some-model"
    assert asked["eval_config"]["num_examples"] == 5
    assert asked["eval_config"]["rollouts_per_example"] == 3
    assert asked["eval_config"]["env_args"] == arguments
    assert asked["eval_config"]["sampling_args"] == {"max_tokens": 8000, "temperature": 0.6}


@pytest.mark.slow
def test_an_evaluation_that_is_not_hosted_is_refused(pushed: Pushed) -> None:
    printed = pushed.prime("eval", "run", NAME, "-m", "some-model", status=1)
    assert "--hosted" in printed
