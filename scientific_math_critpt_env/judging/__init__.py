"""Juries of language models: questions, verdicts, votes, a cache of replies, and what it all costs."""

from __future__ import annotations

from scientific_math_critpt_env.judging.errors import BudgetError, JudgingError
from scientific_math_critpt_env.judging.judge import Judge
from scientific_math_critpt_env.judging.jury import Jury
from scientific_math_critpt_env.judging.loading import load_jury
from scientific_math_critpt_env.judging.questions import correctness_question, novelty_question
from scientific_math_critpt_env.judging.reading import read_verdict
from scientific_math_critpt_env.judging.rules import decide
from scientific_math_critpt_env.judging.votes import Ballot, Decision, Question, Verdict, Vote

__all__ = [
    "Ballot",
    "BudgetError",
    "Decision",
    "Judge",
    "JudgingError",
    "Jury",
    "Question",
    "Verdict",
    "Vote",
    "correctness_question",
    "decide",
    "load_jury",
    "novelty_question",
    "read_verdict",
]
