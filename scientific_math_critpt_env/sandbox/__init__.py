"""Runs untrusted Python in confined processes; values come back as data."""

from scientific_math_critpt_env.sandbox.limits import Limits
from scientific_math_critpt_env.sandbox.outcome import Outcome, Program
from scientific_math_critpt_env.sandbox.sandbox import Sandbox

__all__ = ["Limits", "Outcome", "Program", "Sandbox"]
