"""Reads a jury from a YAML file.

    rule: majority            # unanimous, majority, at-least-K
    quorum: 2                 # votes that must count; left out: more than half of those asked
    ties: "NO"
    exclude_author: true
    cache: replies            # beside this file
    judges:
      - name: gpt-4o
        model: gpt-4o
        base_url: https://api.openai.com/v1
        key_variable: OPENAI_API_KEY
        sampling: {temperature: 0, max_tokens: 2048}
        prompt_price: 2.5     # per million tokens
        completion_price: 10
        requests_per_minute: 500

Keys of endpoints never stand in it, only the names of the variables that hold them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter, ValidationError

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.judging.errors import JudgingError
from scientific_math_critpt_env.judging.judge import Judge
from scientific_math_critpt_env.judging.jury import Jury
from scientific_math_critpt_env.judging.reading import READINGS
from scientific_math_critpt_env.runs.yaml_files import load_yaml

SETTINGS = ("rule", "quorum", "ties", "cache", "exclude_author", "budget", "max_calls", "reading")

_KINDS: dict[str, tuple[type, ...]] = {
    "rule": (str,),
    "quorum": (int,),
    "ties": (str, bool),
    "cache": (str,),
    "exclude_author": (bool,),
    "budget": (int, float),
    "max_calls": (int,),
    "reading": (str,),
}

_JUDGES: TypeAdapter[list[Judge]] = TypeAdapter(list[Judge], config=ConfigDict(extra="forbid"))


def load_jury(path: Path | str, **settings: Any) -> Jury:
    """The jury of a file; `settings` (of `Jury`) win over the file's where they are not None.

    Raises `JudgingError` with the file's name and the place of what is wrong.
    """
    path = Path(path)
    try:
        content = load_yaml(path)
    except RunError as error:
        raise JudgingError(str(error)) from error
    if not isinstance(content, dict):
        raise JudgingError(f"{path}: needs `judges:` with a list of judges")
    unknown = set(content) - {*SETTINGS, "judges"}
    if unknown:
        raise JudgingError(f"{path}: unknown settings: {', '.join(sorted(map(str, unknown)))}")
    given = _settings(path, content)
    given.update({name: value for name, value in settings.items() if value is not None})
    try:
        return Jury(_judges(content.get("judges")), **given)
    except JudgingError as error:
        raise JudgingError(f"{path}: {error}") from error


def _settings(path: Path, content: dict[str, Any]) -> dict[str, Any]:
    given = {name: content[name] for name in SETTINGS if content.get(name) is not None}
    for name, value in given.items():
        if type(value) not in _KINDS[name]:
            raise JudgingError(f"{path}: {name}: {value!r:.60} is not what belongs here")
    if "cache" in given:
        if not given["cache"].isprintable() or not given["cache"].strip():
            raise JudgingError(f"{path}: cache: {given['cache'][:60]!r} is no name of a folder")
        given["cache"] = path.parent / given["cache"]
    if "ties" in given:
        # YAML reads a bare `no` as false.
        given["ties"] = {False: "NO", True: "YES"}.get(given["ties"], str(given["ties"]).upper())
    if given.get("reading", READINGS[0]) not in READINGS:
        raise JudgingError(f"{path}: reading: there are {', '.join(READINGS)}")
    return given


def _judges(rows: Any) -> list[Judge]:
    if not isinstance(rows, list):
        raise JudgingError("needs `judges:` with a list of judges")
    for place, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise JudgingError(f"judge {place}: is not a mapping")
        if "api_key" in row or "key" in row:
            raise JudgingError(
                f"judge {place}: keys do not belong into files; name their variable in key_variable"
            )
        if row.get("model") is None:
            raise JudgingError(f"judge {place}: model is missing")
    try:
        return _JUDGES.validate_python([{"name": row["model"], **row} for row in rows])
    except ValidationError as error:
        first = error.errors()[0]
        number, *field = first["loc"]
        raise JudgingError(f"judge {int(number) + 1}: {'.'.join(map(str, field))}: {first['msg']}") from error
