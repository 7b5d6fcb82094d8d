"""What judging raises. A judge that fails is an ERROR vote, never an exception."""

from __future__ import annotations

from scientific_math_critpt_env.errors import InfrastructureError, ScientificMathError


class JudgingError(ScientificMathError):
    """A jury, a question or a file of judges is defective: nothing was asked."""


class BudgetError(InfrastructureError):
    """The next question would cost more than the budget has left. What was answered is kept: go on later."""
