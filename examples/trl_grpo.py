"""GRPO with TRL on problems of this package; without --model on a random model that is made on the spot.

    python examples/trl_grpo.py --steps 10                              # on the CPU; nothing is downloaded
    python examples/trl_grpo.py --model Qwen/Qwen3-0.6B --problems builtin --completion-tokens 4096

The random model knows three whole replies as single tokens: a right answer to one problem, a wrong one, and
prose. So the reward has something to teach, and the mean reward that is printed climbs from a third.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from typing import Any

from datasets import Dataset
from transformers import PrinterCallback, TrainerCallback
from trl import GRPOConfig, GRPOTrainer

from scientific_math_critpt_env import load_problems
from scientific_math_critpt_env.demo.programs import completion, gold_program, program
from scientific_math_critpt_env.training import trl_reward, trl_rows

TINY_PROBLEMS = 4


def main() -> None:
    parser = argparse.ArgumentParser(description="GRPO with TRL on problems of this package")
    parser.add_argument("--model", help="of the Hugging Face hub (default: a random one, made here)")
    parser.add_argument(
        "--problems", default="builtin", help="a JSONL file or folder, builtin, or hf:DATASET"
    )
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--completion-tokens", type=int, default=1)
    given = parser.parse_args()
    problems = load_problems(given.problems)
    model: Any = given.model
    tokenizer = None
    if model is None:
        # The first problem alone: an answer to it is wrong everywhere else.
        from tiny_model import tiny_model

        problems = problems[:1] * TINY_PROBLEMS
        answers = [gold_program(problems[0]), program(problems[0], "-12345")]
        model, tokenizer = tiny_model([*map(completion, answers), "I would rather not say."])
    with tempfile.TemporaryDirectory() as folder:
        trainer = GRPOTrainer(
            model=model,
            processing_class=tokenizer,
            reward_funcs=trl_reward,
            train_dataset=Dataset.from_list(trl_rows(problems)),
            args=GRPOConfig(
                output_dir=folder,
                use_cpu=given.model is None,
                max_steps=given.steps,
                learning_rate=1e-6 if given.model else 0.03,
                per_device_train_batch_size=8,
                num_generations=8,
                max_completion_length=given.completion_tokens,
                logging_steps=1,
                save_strategy="no",
                report_to=[],
                disable_tqdm=True,
                seed=5,
            ),
            callbacks=[_Printing()],
        )
        trainer.remove_callback(PrinterCallback)
        start = time.monotonic()
        trainer.train()
        print(f"{given.steps} steps in {time.monotonic() - start:.1f} s")


class _Printing(TrainerCallback):
    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **others: Any) -> None:
        if logs and "reward" in logs:
            verdicts = {name: value for name, value in logs.items() if name.startswith("verdict/")}
            told = ", ".join(f"{name.removeprefix('verdict/')} {value}" for name, value in verdicts.items())
            print(f"step {state.global_step}: mean reward {logs['reward']} ({told})", flush=True)


if __name__ == "__main__":
    main()
