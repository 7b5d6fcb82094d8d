"""temporary"""

from __future__ import annotations

from scientific_math_critpt_env.grading.finding import undecided


def with_floats(left, right, context):

    return undecided("floats")
