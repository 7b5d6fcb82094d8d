"""Novelty without a judge: how solutions of one problem differ, and what that may earn.

Off wherever it is a reward, until it is given a weight: models learn to please whatever is measured.
"""

from __future__ import annotations

from scientific_math_critpt_env.novelty.clusters import THRESHOLD, clustered
from scientific_math_critpt_env.novelty.distances import Weights, distance
from scientific_math_critpt_env.novelty.embedding import Embedder, named_embedder
from scientific_math_critpt_env.novelty.graph import Unmeasured
from scientific_math_critpt_env.novelty.group import Novelty, group_novelty, measure_group
from scientific_math_critpt_env.novelty.profiles import Profile, Solution, profiled
from scientific_math_critpt_env.novelty.program import Program, read_program

__all__ = [
    "THRESHOLD",
    "Embedder",
    "Novelty",
    "Profile",
    "Program",
    "Solution",
    "Unmeasured",
    "Weights",
    "clustered",
    "distance",
    "group_novelty",
    "measure_group",
    "named_embedder",
    "profiled",
    "read_program",
]
