"""What every stage of a comparison may look at: the problem, the policy, the CPU that is left."""

from __future__ import annotations

from dataclasses import dataclass, field

from scientific_math_critpt_env.grading.equality.budget import Budget
from scientific_math_critpt_env.grading.policy import Policy
from scientific_math_critpt_env.problems.schema import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Shared by all components of one comparison: a tuple of ten has one budget, not ten."""

    problem: Problem
    policy: Policy = field(default_factory=Policy)
    budget: Budget = field(default_factory=Budget)
