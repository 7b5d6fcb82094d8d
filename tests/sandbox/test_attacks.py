"""The tables of attacks: each ends as it says, and honest programs beside them keep their values."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from scientific_math_critpt_env.grading.verdict import STATUSES
from scientific_math_critpt_env.sandbox import Sandbox
from tests.sandbox.attacking import HERE, attack_all, attacks, escapes, honest
from tests.sandbox.family import family

NOBODY = 65534
LEFT_BEHIND = "/tmp/escaped"


def test_tables_are_well_formed():
    for table in (attacks(), escapes()):
        names = [case["id"] for case in table]
        assert len(set(names)) == len(names)
        assert all(isinstance(case["code"], list) for case in table)
    rows = json.loads((HERE / "attacks.json").read_text())
    assert len(rows) == 50
    assert all(set(row["statuses"]) <= set(STATUSES) - {"correct"} and row["score"] == 0 for row in rows)
    assert all("code" in row or "completion" in row for row in rows)
    assert len(escapes()) >= 75  # fewer off x86-64: raw calls are by number


def test_every_attack_ends_as_it_must(sandbox: Sandbox):
    assert asyncio.run(attack_all(sandbox, [*escapes(), *attacks()])) == []
    assert not os.path.exists(LEFT_BEHIND)


async def test_nothing_survives_an_attack(sandbox: Sandbox):
    await asyncio.gather(*(honest(sandbox, k) for k in range(2)))  # starts both zygotes, and two checkers
    before = set(family(os.getpid()))
    cases = [case for case in escapes() if case["id"] in ("fork-raw", "fork-bomb", "processes", "exit-hooks")]
    assert await attack_all(sandbox, cases) == []
    # Spares come and go, at most two for each of the zygotes and twins; there is nobody else.
    assert len(set(family(os.getpid())) - before) <= 6


@pytest.mark.slow
async def test_attacks_again_and_again(sandbox: Sandbox):
    quick = [case for case in [*escapes(), *attacks()] if case["status"] != ["timeout"]]
    for _ in range(2):
        assert await attack_all(sandbox, quick) == []


@pytest.mark.slow
@pytest.mark.skipif(os.getuid() != 0, reason="needs root to become an ordinary user (is one already)")
def test_every_attack_as_an_ordinary_user(tmp_path: Path):
    command = [sys.executable, "-m", "tests.sandbox.attacking"]
    environment = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}
    if not _readable_by_others(Path(sys.base_prefix)):
        if not shutil.which("unshare"):
            pytest.skip(
                "the interpreter is in a private folder, and there is no unshare to show it elsewhere"
            )
        # In a mount namespace of its own, the interpreter's folder appears where everybody may read.
        shown = tmp_path / "python"
        shown.mkdir()
        binary = shown / Path(os.path.realpath(sys.executable)).relative_to(sys.base_prefix)
        environment |= {"PYTHONHOME": str(shown)}
        environment["PYTHONPATH"] = environment["PYTHONPATH"].replace(sys.base_prefix, str(shown))
        demote = f"import os; os.setgroups([]); os.setresgid(*[{NOBODY}] * 3); os.setresuid(*[{NOBODY}] * 3)"
        run = "from tests.sandbox.attacking import main; main()"
        script = f'mount --bind {sys.base_prefix} {shown} && exec {binary} -c "{demote}; {run}"'
        command = ["unshare", "--mount", "sh", "-c", script]
        temporary = Path(tempfile.gettempdir()).resolve()
        for folder in (tmp_path, *tmp_path.parents):
            if folder.is_relative_to(temporary) and folder != temporary:
                folder.chmod(0o755)
        result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=200)
        if "mount" in result.stderr and result.returncode:
            pytest.skip(f"cannot show the interpreter to an ordinary user: {result.stderr.strip()}")
    else:
        result = subprocess.run(
            command,
            env=environment,
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
            capture_output=True,
            text=True,
            timeout=200,
        )
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == []


def _readable_by_others(folder: Path) -> bool:
    return all(parent.stat().st_mode & 0o005 == 0o005 for parent in (folder, *folder.parents))
