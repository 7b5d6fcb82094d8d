"""The configurations in examples/prime_rl, as far as verifiers reads them; prime-rl itself is on no index.

prime-rl's source is verifiers' own `env`, `serve` and `select` blocks and a few fields of its own: these are
named here, and what else a source holds would be a mistake.
"""

from __future__ import annotations

import itertools
import tomllib
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from pydantic import SerializeAsAny, model_validator
from pydantic_config import BaseConfig
from scientific_math_critpt.env import CritptEnvConfig
from scientific_math_critpt.serving import ServerConfig
from scientific_math_critpt.taskset import CritptData
from verifiers.v1.configs.serve import pool_serve_kwargs

from scientific_math_critpt_env.problems.loading import load_problems

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "prime_rl"


class Source(BaseConfig):
    env: SerializeAsAny[vf.EnvConfig] = vf.SingleAgentEnvConfig()
    serve: vf.ServeConfig = vf.ServeConfig()
    select: vf.SelectConfig = vf.SelectConfig()
    name: str | None = None
    group_size: int = 1
    interval: int = 100

    @model_validator(mode="before")
    @classmethod
    def _narrowed(cls, data: Any) -> Any:
        return vf.resolve_env_field(data, vf.narrowed_env_annotation(cls))


def _source(kind: str) -> Source:
    configuration = tomllib.loads((EXAMPLES / "rl.toml").read_text())
    (source,) = configuration["orchestrator"][kind]["source"]
    return Source.model_validate(source)


@pytest.mark.parametrize("kind", ["train", "eval"])
def test_sources_are_this_environment_and_their_tasks_survive_the_wire(kind: str) -> None:
    source = _source(kind)
    assert type(source.env) is CritptEnvConfig
    assert pool_serve_kwargs(source.serve.pool) == {
        "max_workers": 4 if kind == "train" else 1,
        "elastic": False,
    }
    taskset = vf.load_taskset(source.env.taskset).select(source.select)
    assert taskset.bounded == (kind == "eval")
    tasks = list(itertools.islice(taskset, 5))
    for task in tasks:
        assert CritptData.model_validate(task.data.model_dump(mode="json")) == task.data
    if kind == "eval":
        assert [task.key for task in tasks] == [problem.id for problem in load_problems("builtin")[:5]]


def test_the_batch_holds_whole_groups() -> None:
    configuration = tomllib.loads((EXAMPLES / "rl.toml").read_text())["orchestrator"]
    assert configuration["batch_size"] % configuration["train"]["group_size"] == 0


def test_the_server_takes_its_file() -> None:
    config = ServerConfig.model_validate(tomllib.loads((EXAMPLES / "env.toml").read_text()))
    assert type(config.env) is CritptEnvConfig
    assert (config.workers, config.serve.address) == (2, "tcp://127.0.0.1:5557")
    with pytest.raises(ValueError, match="answers_graded"):
        ServerConfig.model_validate(
            {"env": {"taskset": {"id": "scientific-math-critpt", "task": {"answers_graded": 1}}}}
        )
