"""Merges output folders of verifiers' `vf-eval` into one, or refuses and leaves nothing behind.

The parts may hold different problems, or further rollouts of the same ones; what decides a rollout - model,
sampling, task set, harness, version of verifiers - must be the same in all. The merged folder is one of
vf-eval again: `traces.jsonl`, its lines in the order of tasks and starts, and `configs/resolved/eval.json`.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from scientific_math_critpt_env.errors import RunError
from scientific_math_critpt_env.runs.folder import sync_folder, write_json
from scientific_math_critpt_env.runs.hashing import ContentHash, file_hash
from scientific_math_critpt_env.runs.reading import TRACES
from scientific_math_critpt_env.runs.rows import parsed_row
from scientific_math_critpt_env.runs.traces import CONFIG, DAMAGE, open_traces

MAY_DIFFER = (
    *("run", "output_dir", "select", "num_rollouts"),  # which rollouts a part made, and where it wrote them
    *("max_concurrent", "verbose", "rich", "push"),
)
"""Settings that decide nothing about a rollout."""

Order = tuple[int, str, float, str]
"""Task's place and key, start, id."""


def merge_traces(folders: Sequence[Path], output: Path) -> dict[str, Any]:
    """Merge the folders into the new folder `output`; its manifest, with the hash of the samples' content.

    Raises RunError with what is wrong; `output` is then not there.
    """
    if output.exists():
        raise RunError(f"{output}: exists; name a folder that does not")
    configs = [_config(folder) for folder in folders]
    for folder, config in zip(folders, configs, strict=True):
        _refuse_different(folders[0], configs[0], folder, config)
    hashes = {folder: file_hash(folder / TRACES) for folder in folders}
    lines = sorted(_lines(folders, configs), key=lambda entry: entry[0])
    unfinished = output.with_name(f"{output.name}.merging")
    if unfinished.exists():
        raise RunError(f"{unfinished}: is left from a merge that was killed, or one is under way; remove it")
    (unfinished / CONFIG).parent.mkdir(parents=True)
    try:
        with (unfinished / TRACES).open("wb") as merged:
            for _, folder, offset in lines:
                merged.write(_line_at(folder / TRACES, offset))
        if any(file_hash(folder / TRACES) != known for folder, known in hashes.items()):
            raise RunError("a part was changed during the merge; nothing was merged")
        rollouts = Counter(order[:2] for order, _, _ in lines)
        write_json(unfinished / CONFIG, _merged_config(configs, output, max(rollouts.values())))
        run = open_traces(unfinished)
        content = ContentHash(sample.row() for sample in run.samples())
        unfinished.rename(output)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    sync_folder(output.parent)
    return {**run.manifest, "hashes": {**run.manifest["hashes"], "content": content.content}}


def _config(folder: Path) -> dict[str, Any]:
    open_traces(folder)  # tells damage by its line
    path = folder / CONFIG
    if not path.is_file():
        raise RunError(f"{path}: is missing; without it nobody knows whether the parts belong together")
    config: dict[str, Any] = json.loads(path.read_bytes())
    return config


def _refuse_different(first: Path, known: dict[str, Any], folder: Path, config: dict[str, Any]) -> None:
    for name in sorted({*known, *config} - {*MAY_DIFFER}):
        one, other = _comparable(name, known.get(name)), _comparable(name, config.get(name))
        if one != other:
            raise RunError(f"{folder}: {name} differs from that of {first}; only parts of one kind merge")


def _comparable(name: str, value: Any) -> Any:
    """The setting without what says only where this machine found the model."""
    if name == "client" and isinstance(value, dict):
        return {key: setting for key, setting in value.items() if key not in ("base_url", "timeout")}
    return value


def _lines(folders: Sequence[Path], configs: Sequence[dict[str, Any]]) -> Iterator[tuple[Order, Path, int]]:
    """Each episode's place in the merged file, and where it stands now."""
    seen: dict[str, Path] = {}
    tasks: dict[str, tuple[str, Path]] = {}
    versions: dict[str, Path] = {}
    for folder, config in zip(folders, configs, strict=True):
        rollouts: Counter[str] = Counter()
        for where, offset, episode in _episodes(folder):
            try:
                (idx, key, start, id), task_hash, made_by = _told(episode)
            except DAMAGE as error:
                told = f"{type(error).__name__}: {error}"
                raise RunError(f"{where}: no episode of verifiers ({told})") from None
            if id in seen:
                raise RunError(f"{where}: the episode {id} is in {seen[id]} already")
            seen[id] = folder
            known, home = tasks.setdefault(key, (task_hash, folder))
            if known != task_hash:
                raise RunError(f"{where}: the task {key!r} is not the one in {home}; its content differs")
            rollouts[key] += 1
            for version in made_by:
                versions.setdefault(version, folder)
            yield (idx, key, start, id), folder, offset
        _refuse_unfinished(folder, config, rollouts)
    if len(versions) > 1:
        told = ", ".join(f"{version} in {folder}" for version, folder in versions.items())
        raise RunError(f"the parts were made by different versions of verifiers: {told}")


def _told(episode: dict[str, Any]) -> tuple[Order, str, list[str]]:
    """Its place, the hash of its task, and the versions of verifiers. Raises one of `DAMAGE`."""
    task, traces = episode["task"], episode["traces"]
    start = min((float(trace["timing"]["start"]) for trace in traces), default=0.0)
    order = (int(task["data"].get("idx") or 0), str(task["key"]), start, str(episode["id"]))
    return order, str(task["hash"]), [str(trace["verifiers"]["version"]) for trace in traces]


def _refuse_unfinished(folder: Path, config: dict[str, Any], rollouts: Counter[str]) -> None:
    wanted = config.get("num_rollouts")
    short = [key for key, count in rollouts.items() if isinstance(wanted, int) and count != wanted]
    if short:
        raise RunError(
            f"{folder}: {short[0]!r} has {rollouts[short[0]]} rollouts of {wanted}; go on with "
            f"vf-eval @ {folder / CONFIG} --resume"
        )


def _episodes(folder: Path) -> Iterator[tuple[str, int, dict[str, Any]]]:
    offset = 0
    with (folder / TRACES).open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            where = f"{folder / TRACES}:{number}"
            yield where, offset, parsed_row(line, where)
            offset += len(line)


def _line_at(path: Path, offset: int) -> bytes:
    with path.open("rb") as lines:
        lines.seek(offset)
        return lines.readline()


def _merged_config(configs: Sequence[dict[str, Any]], output: Path, rollouts: int) -> dict[str, Any]:
    """The first part's, as if one run had made all."""
    first = configs[0]
    whole = all(config.get("select") == first.get("select") for config in configs)
    select = first.get("select") if whole else {**(first.get("select") or {}), "skip": 0, "limit": None}
    return {
        **first,
        "run": {**(first.get("run") or {}), "name": output.name, "dir": output.name},
        "output_dir": str(output.parent),
        "select": select,
        "num_rollouts": rollouts,
    }
