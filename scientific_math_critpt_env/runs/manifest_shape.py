"""The manifest of a run, read: each field has the type that its users rely on, or it is refused by name."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn

from scientific_math_critpt_env.errors import RunError

SHORT_CHARACTERS = 60
"""Of a wrong value that an error shows."""


def read_manifest(path: Path, *, whole: bool = False) -> dict[str, Any]:
    """The manifest in the file; with `whole` it must have all that a run can go on or be merged with.

    Raises RunError, naming the file and the field, for anything else.
    """
    try:
        manifest = json.loads(path.read_bytes(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path}: no JSON ({error}); restore the file") from None
    needed = tuple(_WHOLE) if whole else ("run_id", "status", "datasets", "hashes")
    missing = [name for name in needed if not isinstance(manifest, dict) or name not in manifest]
    if missing:
        raise RunError(f"{path}: lacks {', '.join(missing)}; it is no manifest of a run")
    shape = _WHOLE if whole else {**_WHOLE, "hashes": _HASHES}
    for name in shape:
        if name in manifest:
            for wrong in _defects(manifest[name], shape[name], name):
                raise RunError(f"{path}: {wrong}; restore the file")
    result: dict[str, Any] = manifest
    return result


@dataclass(frozen=True, slots=True)
class _Kind:
    words: str
    holds: Callable[[Any], bool]
    may_lack: bool = False
    """Whether the field may be left out."""


def _defects(value: Any, shape: Any, place: str) -> Iterator[str]:
    """What of the value is not of the shape: a kind, a list of one shape, or names with theirs ("*": all)."""
    if isinstance(shape, _Kind):
        if not shape.holds(value):
            yield _wrong(place, value, shape.words)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield _wrong(place, value, "a list")
            return
        for number, entry in enumerate(value):
            yield from _defects(entry, shape[0], f"{place}[{number}]")
    elif not isinstance(value, dict):
        yield _wrong(place, value, "an object")
    elif "*" in shape:
        for name, entry in value.items():
            yield from _defects(entry, shape["*"], f"{place}.{name}")
    else:
        for name, each in shape.items():
            if name in value:
                yield from _defects(value[name], each, f"{place}.{name}")
            elif not (isinstance(each, _Kind) and each.may_lack):
                yield f"{place} lacks {name}"


def _wrong(place: str, value: Any, words: str) -> str:
    shown = json.dumps(value)
    shown = shown if len(shown) <= SHORT_CHARACTERS else f"{shown[:SHORT_CHARACTERS]}..."
    return f"{place} is {shown}, not {words}"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def _is_inside(value: Any) -> bool:
    """Of a path: within the run's folder."""
    return isinstance(value, str) and not PurePosixPath(value).is_absolute() and ".." not in value.split("/")


def _is_key(value: Any) -> bool:
    return isinstance(value, list) and [type(part) for part in value] == [str, str, int]


_ANY = _Kind("anything", lambda value: True)
_TEXT = _Kind("a text", lambda value: isinstance(value, str))
_TEXT_OR_NULL = _Kind("a text or null", lambda value: value is None or isinstance(value, str))
_COUNT = _Kind("a whole number", lambda value: type(value) is int and value >= 0)
_PRICE = _Kind("a number or null", lambda value: value is None or _is_number(value), may_lack=True)
_OBJECT = _Kind("an object", lambda value: isinstance(value, dict))
_OBJECT_OR_NULL = _Kind("an object or null", lambda value: value is None or isinstance(value, dict))
_KEY = _Kind("[data set, problem, index]", _is_key)
_PATH = _Kind("a path within the run's folder", _is_inside)

_HASHES: Mapping[str, Any] = {"raw": _TEXT_OR_NULL}
_ENVIRONMENT = {"python": _TEXT, "packages": _OBJECT}
_WHOLE: Mapping[str, Any] = {
    "schema_version": _COUNT,
    "run_id": _TEXT,
    "status": _TEXT,
    "created_at": _TEXT,
    "partition": _OBJECT_OR_NULL,
    "model": _TEXT,
    "backend": _TEXT,
    "model_settings": {"prompt_price": _PRICE, "completion_price": _PRICE},
    "decode": _OBJECT,
    "samples_per_problem": _COUNT,
    "prompt": _TEXT,
    "datasets": [{"name": _TEXT, "snapshot": _PATH}],
    "weights": _ANY,
    "judges": _ANY,
    "hashes": {
        **_HASHES,
        "config": _TEXT,
        "prompt": _TEXT,
        "datasets": {"*": _TEXT},
        "generation_spec": _TEXT,
    },
    "spec": _OBJECT,
    "code": _OBJECT,
    "environment": _ENVIRONMENT,
    "sessions": [{"code": _OBJECT, "environment": _ENVIRONMENT, "hardware": _OBJECT}],
    "missing": [_KEY],
    "counts": {"problems": _COUNT, "expected": _COUNT, "samples": _COUNT},
    "snapshots": {"*": _TEXT},
}
"""Fields of a manifest."""
