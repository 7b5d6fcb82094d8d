"""The completions of one run, said again to another version of verifiers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.configs.cli.eval import EvalConfig
from verifiers.v1.trace import Trace

from scientific_math_critpt_env.demo.replies import Reply
from scientific_math_critpt_env.demo.server import running


class Recorded:
    """Knows the conversations of a run of verifiers 0.2 by heart; as `demo.script.Script`."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self._conversations: dict[str, list[list[Reply]]] = defaultdict(list)
        for row in rows:
            finish = "length" if row["is_truncated"] else "stop"
            said = [Reply(m["content"], finish) for m in row["completion"] if m["role"] == "assistant"]
            self._conversations[row["prompt"][-1]["content"]].append(said)
        self._under_way: dict[str, list[Reply]] = {}

    def replies(self, messages: Sequence[dict[str, Any]], *, n: int, seed: int | None) -> list[Reply]:
        said = [message["content"] for message in messages]
        turn = sum(message["role"] == "assistant" for message in messages)
        if turn == 0:
            chosen = self._conversations[said[-1]].pop()
            self._under_way[said[-1] + chosen[0].content] = chosen
        else:
            chosen = self._under_way[said[-3] + said[-2]]
        return [chosen[turn]]


async def evaluated(
    rows: Sequence[dict[str, Any]], taskset: dict[str, Any], *, problems: int, rollouts: int, folder: Path
) -> list[Trace]:
    """The traces of verifiers 0.4 over the same problems, where the model says what stands in `rows`."""
    with running([Recorded(rows)]) as url:
        config = {
            "env": {"taskset": {"id": "scientific-math-critpt", **taskset}},
            "model": "recorded",
            "client": {"base_url": url, "api_key_var": "NO_KEY"},
            "select": {"limit": problems},
            "num_rollouts": rollouts,
            "push": False,
            "rich": None,
            "output_dir": folder,
        }
        episodes = await run_eval(EvalConfig.model_validate(config))
    return [trace for episode in episodes for trace in episode.traces]
