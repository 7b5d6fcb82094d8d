"""What may be raised, as against what may be scored.

A failure of the *answer* is a `Verdict`. A failure of the *data* is a `ProblemError`. A failure of the
*machinery* is an `InfrastructureError`: callers drop or retry the rollout and never score it 0.
"""


class ScientificMathError(Exception):
    """Base of everything this package raises on purpose."""


class ProblemError(ScientificMathError):
    """A problem row is defective: it cannot be loaded, or its gold cannot be evaluated."""


class InfrastructureError(ScientificMathError):
    """The grader itself failed (a dead process, a refused fork): says nothing about the answer."""


class ConfinementError(InfrastructureError):
    """The sandbox cannot confine code on this machine, so it refuses to run any."""


class RunError(ScientificMathError):
    """A run, its configuration or a part of its folder is not what it has to be."""
