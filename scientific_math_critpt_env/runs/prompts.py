"""The prompt of a run: a file, a folder of messages, or one of ours by its name.

A file is one user message. A folder holds `NN-role.txt` (`01-system.txt`, `02-user.txt`), taken in the order
of their numbers; the last is a user's. `{{problem}}` stands exactly once in all of it, and is replaced by the
problem's text as it is; a file's last line break, which editors add, is no part of it. `critpt-one-turn` is
the CritPt text with template and rules, for `Problem` rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.prompting.texts import one_turn, system_prompt
from scientific_math_critpt_env.runs.datasets import Dataset, Record
from scientific_math_critpt_env.runs.hashing import stable_hash

PLACE = "{{problem}}"
CRITPT = "critpt-one-turn"
_MESSAGE_FILE = re.compile(r"(\d\d)-(system|user|assistant)\.txt")

Message = dict[str, str]
"""`role` and `content`, as chat protocols take it."""


class Prompt(Protocol):
    """Makes the messages for a problem."""

    def messages(self, record: Record) -> list[Message]:
        """What is sent."""

    def hash(self, datasets: Sequence[Dataset]) -> str:
        """Changes when what is sent would."""

    def snapshot(self) -> dict[str, bytes]:
        """Files to keep with the run, by name."""


def load_prompt(source: str, folder: Path, datasets: Sequence[Dataset]) -> Prompt:
    """The prompt called `source`, or at that path from `folder`. Raises RunError where it does not do."""
    if source == CRITPT:
        other = [dataset.name for dataset in datasets if dataset.kind != "problems"]
        if other:
            raise RunError(
                f"prompt: {CRITPT} needs rows with answer_fn, which {', '.join(other)} has not; "
                f"name a file with {PLACE} instead"
            )
        return CritPtPrompt()
    path = folder / source
    if path.is_dir():
        return _from_folder(path)
    if not path.is_file():
        raise RunError(f"prompt: no file or folder {path}; or name {CRITPT}")
    return TextPrompt(((path.name, "user", _read(path)),), str(path))


class CritPtPrompt:
    """The system message and the one-turn text of this package."""

    def messages(self, record: Record) -> list[Message]:
        """System and user message."""
        assert record.scientific is not None, record.id
        return [
            {"role": "system", "content": system_prompt()},
            {"role": "user", "content": one_turn(record.scientific)},
        ]

    def hash(self, datasets: Sequence[Dataset]) -> str:
        """Over the texts of all problems, since the text is made by code."""
        return stable_hash([self.messages(record) for dataset in datasets for record in dataset.records])

    def snapshot(self) -> dict[str, bytes]:
        """The name: the texts are in every sample's request."""
        return {"name.txt": f"{CRITPT}\n".encode()}


@dataclass(frozen=True, slots=True)
class TextPrompt:
    """Messages from files: (file name, role, text) each."""

    parts: tuple[tuple[str, str, str], ...]
    where: str

    def __post_init__(self) -> None:
        found = sum(text.count(PLACE) for _, _, text in self.parts)
        if found != 1:
            raise RunError(f"prompt: {self.where}: {PLACE} stands there {found} times; write it exactly once")

    def messages(self, record: Record) -> list[Message]:
        """The messages, with the problem in its place; nothing in the problem is replaced in turn."""
        return [
            {"role": role, "content": record.problem.join(text.split(PLACE))} for _, role, text in self.parts
        ]

    def hash(self, datasets: Sequence[Dataset]) -> str:
        """Over roles and texts."""
        return stable_hash([[role, text] for _, role, text in self.parts])

    def snapshot(self) -> dict[str, bytes]:
        """The files."""
        return {name: text.encode() for name, _, text in self.parts}


def _from_folder(path: Path) -> TextPrompt:
    names = sorted(file.name for file in path.iterdir() if not file.name.startswith("."))
    parts: list[tuple[str, str, str]] = []
    numbers: set[str] = set()
    for name in names:
        match = _MESSAGE_FILE.fullmatch(name)
        if match is None:
            raise RunError(
                f"prompt: {path / name}: must be called NN-role.txt, with role system, user or assistant"
            )
        if match[1] in numbers:
            raise RunError(f"prompt: {path}: two messages have number {match[1]}; give each its own")
        numbers.add(match[1])
        parts.append((name, match[2], _read(path / name)))
    if not parts:
        raise RunError(f"prompt: {path}: holds no NN-role.txt")
    if parts[-1][1] != "user":
        raise RunError(f"prompt: {path}: the last message, {parts[-1][0]}, must be a user's")
    return TextPrompt(tuple(parts), str(path))


def _read(path: Path) -> str:
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise RunError(f"prompt: {path}: not UTF-8 at byte {error.start + 1}; save it as UTF-8") from None
    if not text.strip():
        raise RunError(f"prompt: {path}: is empty")
    return text.removesuffix("\n")
