"""The same environment under the API that verifiers had up to 0.3: `load_environment(**arguments)`.

For `prime eval run` of prime 0.7 (verifiers 0.2.0) and for trainers of that age. The problems, the texts and
the grader are those of the v1 environment, and so are the verdicts. Not covered: tools, and a stream without
end, which a data set cannot hold (`count` says how many generated problems).
"""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.grading.policy import Policy
from scientific_math_critpt_env.problems.generated import generated
from scientific_math_critpt_env.problems.loading import load_problems
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.prompting.texts import first_turn, one_turn, second_turn, system_prompt
from scientific_math_critpt_env.sandbox.limits import Limits

try:
    import verifiers as vf
    from datasets import Dataset
    from verifiers import MultiTurnEnv

    from scientific_math_critpt.v0_rubric import CritptRubric, problem_of
except ImportError as error:
    raise ImportError(
        "load_environment is the API of verifiers 0.2 and 0.3, and another version is installed; "
        "with 0.4 give the environment's id to vf-eval or prime-rl"
    ) from error

if TYPE_CHECKING:
    from scientific_math_critpt.v0_extras import Extras

Protocol = Literal["one_turn", "two_turn"]


def load_environment(
    *,
    source: Literal["rows", "generated"] = "rows",
    problems: str = "builtin",
    topics: list[str] | None = None,
    answer_types: list[str] | None = None,
    difficulty: str | int | None = None,
    pass_rate: str | None = None,
    seed: int = 0,
    families: list[str] | None = None,
    count: int = 1000,
    protocol: Protocol = "one_turn",
    system_prompt_file: str | None = None,
    check_golds: bool = True,
    grader: str = "scientific-v1",
    workers: int | None = None,
    cpu_seconds: float = Limits().cpu_seconds,
    wall_seconds: float = Limits().wall_seconds,
    memory_bytes: int = Limits().memory_bytes,
    undecided_score: float = Policy().undecided_score,
    correct_weight: float = 1.0,
    jury: str | None = None,
    judge_weight: float = 0.0,
    judge_novelty_weight: float = 0.0,
    novelty_weight: float = 0.0,
    bonus_cap: float = 0.5,
) -> CritptV0Env:
    """The environment over the chosen problems; `docs/publish.md` has a table of the arguments.

    Raises `ProblemError` for defective problems, `JudgingError` for a jury that cannot be read, and
    `ValueError` for settings that do not exist.
    """
    if protocol not in get_args(Protocol):
        raise ValueError(f"protocol {protocol!r}: choose one_turn or two_turn")
    limits = Limits(cpu_seconds=cpu_seconds, wall_seconds=wall_seconds, memory_bytes=memory_bytes)
    policy = Policy(undecided_score=undecided_score)
    filters: dict[str, Any] = {"topics": topics, "answer_types": answer_types, "difficulty": difficulty}
    if source == "generated":
        chosen = list(islice(generated(seed, families, **filters), count))
    elif source == "rows":
        chosen = _rows(problems, check_golds, grader=grader, workers=workers, pass_rate=pass_rate, **filters)
    else:
        raise ValueError(f"source {source!r}: choose rows or generated")
    system = Path(system_prompt_file).read_text(encoding="utf-8") if system_prompt_file else system_prompt()
    made = Grader(grader=grader, workers=workers, limits=limits, policy=policy)
    return CritptV0Env(
        protocol=protocol,
        grader=made,
        rubric=CritptRubric(
            made,
            two_turn=protocol == "two_turn",
            correct_weight=correct_weight,
            extras=_extras(
                jury=Path(jury) if jury else None,
                judge_weight=judge_weight,
                judge_novelty_weight=judge_novelty_weight,
                novelty_weight=novelty_weight,
                cap=bonus_cap,
            ),
        ),
        dataset=Dataset.from_list([_row(problem, protocol, system) for problem in chosen]),
    )


class CritptV0Env(MultiTurnEnv):
    """One or two turns with the model; what it says last is graded."""

    def __init__(self, *, protocol: Protocol, grader: Grader, rubric: CritptRubric, **settings: Any) -> None:
        super().__init__(max_turns=2 if protocol == "two_turn" else 1, rubric=rubric, **settings)
        # MultiTurnEnv has put its own rubric beside ours. A group of rubrics gives every rollout of a group
        # the metrics of all, errored ones zeros, and the last one's advantages: one rubric does neither.
        self.rubric = rubric
        self._grader = grader

    async def setup_state(self, state: Any) -> Any:
        """Test the grader before the first model call is paid for."""
        try:
            await self._grader.self_test()
        except Exception as error:  # whatever it was, no answer could be graded
            raise vf.InfraError(f"{type(error).__name__}: {error}") from error
        return state

    async def env_response(self, messages: Any, state: Any, **arguments: Any) -> list[dict[str, str]]:
        """The second message of the two-turn protocol: the template."""
        return [{"role": "user", "content": second_turn(problem_of(state))}]


def _rows(source: str, check: bool, *, grader: str, workers: int | None, **filters: Any) -> list[Problem]:
    if not check or source == "builtin":
        return load_problems(source, **filters)
    # A grader for the moment: the process that loads the environment is not always the one that grades.
    with Grader(grader=grader, workers=workers) as checking:
        return load_problems(source, check_golds=checking.check_golds, **filters)


def _extras(**given: Any) -> Extras | None:
    """None where all are off, and then nothing of juries and novelty is imported."""
    if given["jury"] is None and not any(value for name, value in given.items() if name != "cap"):
        return None
    from scientific_math_critpt.v0_extras import Extras

    return Extras(**given)


def _row(problem: Problem, protocol: Protocol, system: str) -> dict[str, Any]:
    question = first_turn(problem) if protocol == "two_turn" else one_turn(problem)
    return {
        "prompt": [{"role": "system", "content": system}, {"role": "user", "content": question}],
        "answer": problem.answer_fn,
        # As text: Arrow would give every problem the fields of all, with nulls.
        "info": json.dumps({"problem": problem.model_dump(mode="json", exclude_defaults=True)}),
    }
