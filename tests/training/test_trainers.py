"""The trainers themselves load and call our rewards, in a venv of their own: `make integrations-train`.

Loaded for real: TRL's GRPOTrainer, which trains; verl's reward loader, reward manager and data set;
OpenRLHF's data set and single-turn executor, which loads a reward file or asks a reward server; skyrl-gym's
registry. Not run: the training loops of the last three, which need GPUs.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.prompting.texts import one_turn
from scientific_math_critpt_env.training import openrlhf as our_openrlhf
from scientific_math_critpt_env.training import trl_reward, trl_reward_async, trl_rows
from scientific_math_critpt_env.training.datasets import (
    conversation,
    openrlhf_rows,
    row_text,
    skyrl_rows,
    verl_rows,
)
from scientific_math_critpt_env.training.rows import problem_of
from tests.training.answers import BROKEN, NO_CODE, PROBLEM, RIGHT, WRONG

ELSEWHERE = "not installed here; `make integrations-train` runs this in a venv that has it"


@pytest.mark.slow
def test_grpo_trains_three_steps_on_the_cpu(tmp_path: Path) -> None:
    pytest.importorskip("trl", reason=f"TRL is {ELSEWHERE}")
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    from examples.tiny_model import tiny_model

    model, tokenizer = tiny_model([RIGHT, WRONG, NO_CODE])
    before = {name: value.clone() for name, value in model.state_dict().items()}
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=[trl_reward, trl_reward_async],
        train_dataset=Dataset.from_list(trl_rows([PROBLEM] * 3)),
        args=GRPOConfig(
            output_dir=str(tmp_path),
            use_cpu=True,
            max_steps=3,
            learning_rate=0.02,
            per_device_train_batch_size=8,
            num_generations=8,
            max_completion_length=1,
            logging_steps=1,
            save_strategy="no",
            report_to=[],
            seed=1,
        ),
    )
    trainer.train()
    assert trainer.state.global_step == 3
    steps = [entry for entry in trainer.state.log_history if "reward" in entry]
    assert len(steps) == 3
    for step in steps:
        assert step["rewards/trl_reward/mean"] == step["rewards/trl_reward_async/mean"] == step["reward"] / 2
        assert step["rewards/trl_reward/mean"] == pytest.approx(step.get("verdict/correct", 0.0))
    assert 0 < sum(step["rewards/trl_reward/mean"] for step in steps) < 3, "nothing to learn from"
    changed = [name for name, value in model.state_dict().items() if not torch.equal(before[name], value)]
    assert "lm_head.bias" in changed


@pytest.mark.slow
def test_grpo_leaves_out_what_could_not_be_graded(tmp_path: Path) -> None:
    pytest.importorskip("trl", reason=f"TRL is {ELSEWHERE}")
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    from examples.tiny_model import tiny_model

    model, tokenizer = tiny_model([RIGHT, WRONG, NO_CODE])
    seen: list[Any] = []

    class Watched(GRPOTrainer):
        def _generate_and_score_completions(self, inputs: Any) -> Any:
            batch = super()._generate_and_score_completions(inputs)
            seen.append(([row["problem_id"] for row in inputs], batch["advantages"].tolist()))
            return batch

    Watched(
        model=model,
        processing_class=tokenizer,
        reward_funcs=trl_reward,
        train_dataset=Dataset.from_list(trl_rows([PROBLEM, BROKEN])),
        args=GRPOConfig(
            output_dir=str(tmp_path),
            use_cpu=True,
            max_steps=1,
            per_device_train_batch_size=16,
            num_generations=8,
            max_completion_length=1,
            save_strategy="no",
            report_to=[],
            seed=1,
        ),
    ).train()
    ((names, advantages),) = seen
    of = {name: [a for n, a in zip(names, advantages, strict=True) if n == name] for name in set(names)}
    assert of["broken"] == [0.0] * 8
    assert min(of["area"]) < 0 < max(of["area"])
    assert torch.isfinite(torch.tensor(advantages)).all()


VERL_OVERRIDES = (
    "data.train_files=train.jsonl",
    "data.val_files=val.jsonl",
    "reward.custom_reward_function.path=pkg://scientific_math_critpt_env.training.verl",
    "+reward.custom_reward_function.reward_kwargs.workers=2",
)
"""As docs/integrations.md has them."""


@pytest.mark.parametrize("name", ["compute_score", "acompute_score"])
def test_verl_loads_and_calls_ours(name: str) -> None:
    pytest.importorskip("verl", reason=f"verl is {ELSEWHERE}")
    from hydra import compose, initialize_config_module
    from verl.experimental.reward_loop.reward_manager.naive import NaiveRewardManager
    from verl.trainer.ppo.reward import get_custom_reward_fn

    from examples.tiny_model import tiny_model

    (row,) = verl_rows([PROBLEM])
    _, tokenizer = tiny_model([RIGHT, WRONG])
    with initialize_config_module("verl.trainer.config", version_base=None):
        config = compose("ppo_trainer", [*VERL_OVERRIDES, f"reward.custom_reward_function.name={name}"])

    async def rewards() -> list[dict[str, Any]]:
        manager = NaiveRewardManager(config, tokenizer, get_custom_reward_fn(config))
        return [await manager.run_single(_verl_batch(tokenizer, row, text)) for text in (RIGHT, WRONG)]

    right, wrong = asyncio.run(rewards())
    assert (right["reward_score"], right["reward_extra_info"]["status"]) == (1.0, "correct")
    assert (wrong["reward_score"], wrong["reward_extra_info"]["status"]) == (0.0, "incorrect")
    assert right["reward_extra_info"].keys() == wrong["reward_extra_info"].keys()


def test_verl_reads_our_data_set(tmp_path: Path) -> None:
    pytest.importorskip("verl", reason=f"verl is {ELSEWHERE}")
    from omegaconf import OmegaConf
    from verl.utils.dataset.rl_dataset import RLHFDataset

    from examples.tiny_model import tiny_model

    problems = load_problems("builtin")[:20]
    path = _jsonl(tmp_path / "train.jsonl", verl_rows(problems))
    _, tokenizer = tiny_model([RIGHT])
    config = OmegaConf.create({"cache_dir": str(tmp_path), "max_prompt_length": 100_000})
    dataset = RLHFDataset(data_files=str(path), tokenizer=tokenizer, config=config)
    assert [problem_of(row["reward_model"]["ground_truth"]) for row in dataset] == problems
    assert [row["raw_prompt"] for row in dataset] == [conversation(problem) for problem in problems]


def _jsonl(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def _verl_batch(tokenizer: Any, row: dict[str, Any], text: str) -> Any:
    """One answered row, as verl's rollout hands it to a reward manager."""
    import numpy as np
    import torch
    from verl import DataProto

    response = torch.tensor([tokenizer(text)["input_ids"]])
    return DataProto.from_dict(
        tensors={
            "responses": response,
            "attention_mask": torch.ones(1, 4 + response.shape[-1], dtype=torch.long),
        },
        non_tensors={name: np.array([row[name]], dtype=object) for name in row if name != "prompt"},
    )


def test_openrlhf_loads_and_calls_ours() -> None:
    pytest.importorskip("openrlhf.utils.agent", reason=f"OpenRLHF is {ELSEWHERE}")
    responses = asyncio.run(_openrlhf_responses(our_openrlhf.__file__, [RIGHT, WRONG, NO_CODE]))
    assert [response["reward"].tolist() for response in responses] == [[1.0], [0.0], [0.0]]
    assert responses[2]["extra_logs"]["no_answer"].tolist() == [1.0]
    (failed,) = asyncio.run(_openrlhf_responses(our_openrlhf.__file__, [RIGHT], label=row_text(BROKEN)))
    assert failed["reward"] is None  # and not 0


def test_openrlhf_reads_our_data_set(tmp_path: Path) -> None:
    pytest.importorskip("openrlhf.datasets.prompts_dataset", reason=f"OpenRLHF is {ELSEWHERE}")
    import datasets
    from openrlhf.datasets.prompts_dataset import PromptDataset

    from examples.tiny_model import tiny_model

    problems = load_problems("builtin")[:20]
    path = _jsonl(tmp_path / "train.jsonl", openrlhf_rows(problems))
    _, tokenizer = tiny_model([RIGHT])
    options = SimpleNamespace(input_key="input", label_key="label", apply_chat_template=True)
    strategy = SimpleNamespace(args=SimpleNamespace(data=options), is_rank_0=lambda: False)
    rows = datasets.load_dataset("json", data_files=str(path))["train"]
    for problem, (_, prompt, label, _) in zip(
        problems, PromptDataset(rows, tokenizer, strategy), strict=True
    ):
        assert problem_of(label) == problem
        assert one_turn(problem) in prompt


@pytest.mark.slow
def test_openrlhf_asks_our_server() -> None:
    pytest.importorskip("openrlhf.utils.agent", reason=f"OpenRLHF is {ELSEWHERE}")
    command = [sys.executable, "-m", "scientific_math_critpt_env.training.openrlhf_server", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            responses = asyncio.run(_openrlhf_responses(url, [RIGHT, WRONG, NO_CODE]))
        finally:
            server.terminate()
    assert [response["reward"] for response in responses] == [[1.0], [0.0], [0.0]]


async def _openrlhf_responses(
    endpoint: str, replies: list[str], label: str | None = None
) -> list[dict[str, Any]]:
    """What OpenRLHF's own executor makes of replies that an engine of ours gives instead of vLLM."""
    from openrlhf.utils.agent import SingleTurnAgentExecutor

    from examples.tiny_model import tiny_model

    _, tokenizer = tiny_model([*replies])
    executor = SingleTurnAgentExecutor(endpoint)
    prompt = "user: What is the area?\nassistant: "

    def engine(reply: str) -> Any:
        async def generate(*_: object, **__: object) -> Any:
            tokens = [*tokenizer(reply)["input_ids"], tokenizer.eos_token_id]
            output = SimpleNamespace(token_ids=tokens, finish_reason="stop", logprobs=None)
            return SimpleNamespace(outputs=[output])

        return SimpleNamespace(generate=generate)

    sampling = SimpleNamespace(max_tokens=64, logprobs=None)
    row = label or row_text(PROBLEM)
    return [
        await executor.execute(prompt, row, sampling, 4096, tokenizer, engine(reply)) for reply in replies
    ]


def test_skyrl_gym_makes_ours() -> None:
    skyrl_gym = pytest.importorskip("skyrl_gym", reason=f"skyrl-gym is {ELSEWHERE}")
    from scientific_math_critpt_env.training.skyrl import register

    register()
    register()
    (row,) = skyrl_rows([PROBLEM])
    for reply, reward in ((RIGHT, 1.0), (WRONG, 0.0)):
        environment = skyrl_gym.make(row["env_class"], env_config={}, extras=row)
        prompt, _ = environment.init(row["prompt"])
        assert prompt == row["prompt"]
        step = environment.step(reply)
        assert (step["reward"], step["done"], step["observations"]) == (reward, True, [])
        assert environment.get_metrics()["correct"] == reward


def test_skyrl_in_two_turns() -> None:
    skyrl_gym = pytest.importorskip("skyrl_gym", reason=f"skyrl-gym is {ELSEWHERE}")
    from scientific_math_critpt_env.training.skyrl import register

    register()
    (row,) = skyrl_rows([PROBLEM])
    row["extra_info"]["protocol"] = "two_turn"
    environment = skyrl_gym.make(row["env_class"], env_config={}, extras=row)
    first = environment.step(f"Final Answer: pi r^2\n{WRONG}")
    assert (first["done"], first["reward"]) == (False, 0.0)
    assert "template" in first["observations"][0]["content"]
    assert environment.step(RIGHT + WRONG)["reward"] == 1.0  # the first block counts
