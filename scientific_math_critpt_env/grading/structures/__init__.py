"""Everything that is not a plain scalar: containers, relations, sets, functions, series, free constants.

`compare_structures` dispatches on the values; each kind has a module of its own and comes back to scalars
through `grading.equality.decide`.
"""

from scientific_math_critpt_env.grading.structures.comparing import compare_structures

__all__ = ["compare_structures"]
