"""Who made a run: the commit, the wheel's record, the weights."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
from importlib.metadata import PathDistribution
from pathlib import Path
from typing import Any

import pytest

from scientific_math_critpt_env.runs import revision, weights
from scientific_math_critpt_env.runs.revision import code_revision, defect_of
from scientific_math_critpt_env.runs.weights import fingerprint


def _git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "init.defaultBranch=main")
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_the_commit_and_whether_the_package_was_edited(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    package = tmp_path / "package"
    package.mkdir()
    (package / "errors.py").write_text("a = 1\n")
    assert code_revision(package)["kind"] == "unknown"
    assert defect_of(code_revision(package)) == "is unknown"
    _git(tmp_path, "init")
    assert code_revision(package)["kind"] == "unknown"
    _git(tmp_path, "add", "package")
    _git(tmp_path, "commit", "-m", "first")
    found = code_revision(package)
    assert (found["kind"], found["revision"]) == ("git", _git(tmp_path, "rev-parse", "HEAD"))
    assert defect_of(found) == ""
    (tmp_path / "outside.txt").write_text("no part of the package")
    assert code_revision(package)["dirty"] is False
    (package / "new.py").write_text("b = 2\n")
    assert code_revision(package)["dirty"] is True
    assert "has uncommitted or edited files" in defect_of(code_revision(package))


def test_the_record_of_an_installed_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, info = tmp_path / "package", tmp_path / "package-1.0.dist-info"
    for folder in (package, info):
        folder.mkdir()
    (package / "errors.py").write_bytes(b"a = 1\n")
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"a = 1\n").digest()).rstrip(b"=").decode()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: package\nVersion: 1.0\n")
    (info / "RECORD").write_text(f"package/errors.py,sha256={digest},6\npackage-1.0.dist-info/RECORD,,\n")
    monkeypatch.setattr(revision, "distribution", lambda name: PathDistribution(info))
    found = code_revision(package)
    assert (found["kind"], found["version"], defect_of(found)) == ("wheel", "1.0", "")
    (package / "errors.py").write_bytes(b"a = 2\n")
    edited = code_revision(package)
    assert edited["revision"] == found["revision"]
    assert "has uncommitted or edited files" in defect_of(edited)
    (info / "RECORD").write_text("package.pth,,\n")
    assert defect_of(code_revision(package)) == "is unknown"


@pytest.mark.parametrize(
    "value", [None, {}, {"revision": None}, {"revision": "x"}, {"revision": "x", "dirty": None}]
)
def test_what_is_not_known_to_be_clean_is_a_defect(value: Any) -> None:
    assert defect_of(value)


def test_the_fingerprint_sees_every_small_file_and_blocks_of_large_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights, "BLOCK", 16)
    monkeypatch.setattr(weights, "BLOCKS", 4)
    (tmp_path / "config.json").write_text("{}")
    model = tmp_path / "model.safetensors"
    content = bytes(range(256)) * 4
    model.write_bytes(content)
    first = fingerprint(str(tmp_path))
    assert first is not None
    assert (first["files"], first["bytes"]) == (2, 1026)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "x").write_text("not part of the model")
    assert fingerprint(str(tmp_path)) == first
    for place in (0, 1023, 336):
        model.write_bytes(content[:place] + b"\xaa" + content[place + 1 :])
        assert fingerprint(str(tmp_path)) != first
    model.write_bytes(content)
    assert fingerprint(str(tmp_path)) == first
    (tmp_path / "config.json").write_text("[]")
    assert fingerprint(str(tmp_path)) != first
    assert fingerprint("some/model-on-the-hub") is None
