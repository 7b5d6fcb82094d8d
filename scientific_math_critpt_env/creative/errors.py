"""What this part raises."""

from __future__ import annotations

from scientific_math_critpt_env.errors import ScientificMathError


class CreativeError(ScientificMathError):
    """A data set, a generation file or an evaluation cannot be used; the message says where and why."""
