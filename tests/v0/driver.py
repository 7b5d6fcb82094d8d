"""Run by the Python of verifiers 0.2, not by pytest: steps with an environment; what came of them, as JSON.

driver.py '{"arguments": {...}, "model_url": "http://...", "steps": [{"rollouts": 2, "max_retries": 0}]}'
"""

from __future__ import annotations

import asyncio
import json
import sys
from time import perf_counter
from typing import Any

import verifiers as vf

NAME = "scientific-math-critpt"

TICK = 0.02
"""Seconds between two looks at the event loop."""


async def carried_out(
    arguments: dict[str, Any], model_url: str, steps: list[dict[str, Any]]
) -> dict[str, Any]:
    environment: Any = vf.load_environment(NAME, **arguments)
    client = vf.ClientConfig(api_base_url=model_url, api_key_var="NO_KEY", max_retries=0)
    outputs, lags = [], []
    for step in steps:
        if step.get("no_interpreter"):
            await environment.rubric.close_grader()  # its processes are gone, and no new ones can be started
            sys.executable = "/nowhere/python"
        if step.get("anew"):
            environment = vf.load_environment(NAME, **arguments)
        worst = [0.0]
        watching = asyncio.create_task(_watch(worst))
        done = await environment.evaluate(
            client,
            "solver",
            num_examples=1,
            rollouts_per_example=step["rollouts"],
            max_retries=step.get("max_retries", 0),
        )
        watching.cancel()
        outputs.append(done["outputs"])
        lags.append(worst[0])
    return {"outputs": outputs, "lags": lags}


async def _watch(worst: list[float]) -> None:
    """How late the loop came back, at worst."""
    while True:
        start = perf_counter()
        await asyncio.sleep(TICK)
        worst[0] = max(worst[0], perf_counter() - start - TICK)


if __name__ == "__main__":
    told = json.loads(sys.argv[1])
    found = asyncio.run(carried_out(told["arguments"], told["model_url"], told["steps"]))
    print(f"\n{json.dumps(found, default=str)}")
