"""Problems as the rows of each trainer's data set: plain dicts, for JSONL or Arrow.

The problem's row goes along as JSON text, in the place where the trainer keeps what the policy never sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.prompting.texts import one_turn, system_prompt

SOURCE = "scientific-math-critpt"

Row = dict[str, Any]


def trl_rows(problems: Iterable[Problem]) -> list[Row]:
    """`prompt` (a conversation), `problem`, `problem_id`."""
    return [
        {"prompt": conversation(problem), "problem": row_text(problem), "problem_id": problem.id}
        for problem in problems
    ]


def verl_rows(problems: Iterable[Problem]) -> list[Row]:
    """`data_source`, `prompt`, `ability`, `reward_model.ground_truth`, `extra_info`."""
    return [
        {
            "data_source": SOURCE,
            "prompt": conversation(problem),
            "ability": "math",
            "reward_model": {"style": "rule", "ground_truth": row_text(problem)},
            "extra_info": {"index": index, "id": problem.id, "topic": problem.topic},
        }
        for index, problem in enumerate(problems)
    ]


def openrlhf_rows(problems: Iterable[Problem]) -> list[Row]:
    """`input` (a conversation, for --data.apply_chat_template) and `label`."""
    return [{"input": conversation(problem), "label": row_text(problem)} for problem in problems]


def skyrl_rows(problems: Iterable[Problem]) -> list[Row]:
    """`data_source`, `prompt`, `env_class`, `reward_spec.ground_truth`, `extra_info`."""
    return [
        {
            "data_source": SOURCE,
            "prompt": conversation(problem),
            "env_class": SOURCE,
            "reward_spec": {"method": "rule", "ground_truth": row_text(problem)},
            "extra_info": {"id": problem.id, "topic": problem.topic, "protocol": "one_turn"},
        }
        for problem in problems
    ]


FORMATS: dict[str, Callable[[Iterable[Problem]], list[Row]]] = {
    "trl": trl_rows,
    "verl": verl_rows,
    "openrlhf": openrlhf_rows,
    "skyrl": skyrl_rows,
}


def conversation(problem: Problem) -> list[dict[str, str]]:
    """The one-turn conversation up to the model's reply."""
    return [
        {"role": "system", "content": system_prompt()},
        {"role": "user", "content": one_turn(problem)},
    ]


def row_text(problem: Problem) -> str:
    """The problem's row as JSON text, gold included."""
    return problem.model_dump_json(exclude_defaults=True)
