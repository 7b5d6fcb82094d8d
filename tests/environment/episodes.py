"""Episodes through verifiers' own runner, in this process, against scripted solvers and judges over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.configs.cli.eval import EvalConfig
from verifiers.v1.episode import Episode

from scientific_math_critpt_env.demo.judges import JudgeScript, Rule
from scientific_math_critpt_env.demo.server import running

YES = Rule(reply="I checked every step.\nVerdict: YES")
NO = Rule(reply="It is the same route.\nVerdict: NO")


@contextmanager
def serving(*rules: Rule) -> Iterator[tuple[str, JudgeScript]]:
    """Serve the rules; the base URL, and the script with the calls it answered."""
    script = JudgeScript(rules)
    with running([], judges=script) as url:
        yield url, script


def solver(*replies: str, **conditions: Any) -> list[Rule]:
    """A model called "solver" that answers one conversation with these replies, one after another."""
    return [Rule(model="solver", times=1, reply=reply, **conditions) for reply in replies]


def jury_file(folder: Path, url: str, *models: str, **settings: Any) -> Path:
    """A jury of these models, which try again only once."""
    judges = [{"model": m, "base_url": url, "retries": 1, "completion_price": 1.0} for m in models]
    # A name for each server: a process reads the file of a jury once.
    path = folder / f"jury-{'-'.join(models)}-{url.rpartition(':')[2].partition('/')[0]}.yaml"
    path.write_text(json.dumps({"judges": judges, **settings}), encoding="utf-8")  # JSON is YAML
    return path


async def run_episodes(
    url: str, folder: Path, env: dict[str, Any], *, limit: int | None = None, **settings: Any
) -> Sequence[Episode]:
    """All episodes of a configuration."""
    config = EvalConfig.model_validate(
        {
            "env": env,
            "model": "solver",
            "client": {"base_url": url, "api_key_var": "NO_KEY"},
            "push": False,
            "rich": None,
            "output_dir": folder / "out",
            **({"select": {"limit": limit}} if limit else {}),
            **settings,
        }
    )
    return await run_eval(config)
