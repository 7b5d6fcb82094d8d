"""The wheel, as uploaded and installed into an empty venv (conftest.py), does the main job in any folder."""

import json
import subprocess
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_wheel_holds_library_environment_data_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    folders = {name.split("/")[0] for name in names}
    assert {"scientific_math_critpt", "scientific_math_critpt_env"} < folders
    assert "tests" not in folders
    data = {Path(name).name for name in names if name.startswith("scientific_math_critpt_env/_data/")}
    assert {path.name for path in (ROOT / "data").glob("*.jsonl")} <= data
    assert not any("__pycache__" in name for name in names)


@pytest.mark.slow
@pytest.mark.timeout(900)  # the installation alone is minutes on a machine that does other things
def test_installed_it_evaluates_validates_and_replays(installed: Path, tmp_path: Path) -> None:
    def run(*line: str) -> str:
        done = subprocess.run(
            [str(installed / line[0]), *line[1:]], capture_output=True, text=True, cwd=tmp_path, timeout=280
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    place = run("python", "-c", "import scientific_math_critpt_env as e; print(e.__file__)")
    assert place.startswith(str(installed.parent))
    summary = json.loads(run("scientific-math", "evaluate", "-n", "3", "-r", "2", "--json"))
    assert summary["mean"] == pytest.approx(summary["expected_mean"])
    run("vf-validate", "scientific-math-critpt", "--runtime.type", "subprocess", "-n", "5", "--rich", "False")
    run("vf-replay", summary["run"], "--rich", "False", "-o", "rescored")
    (replayed,) = tmp_path.glob("rescored/**/traces.jsonl")
    assert rewards(replayed) == rewards(tmp_path / summary["run"] / "traces.jsonl")


def rewards(path: Path) -> list[tuple[str, float, str]]:
    episodes = [json.loads(line) for line in path.read_text().splitlines()]
    traces = [trace for episode in episodes for trace in episode["traces"]]
    return sorted(
        (t["task"]["data"]["name"], t["rewards"]["correct"]["score"], t["info"]["verdict"]["status"])
        for t in traces
    )
