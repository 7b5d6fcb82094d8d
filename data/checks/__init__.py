"""Independent checks of the problems' golds: one function a problem, one module a topic.

A check computes what the *prompt* asks for by a route that does not use the answer's formula
(quadrature, residuals, root finding, enumeration, summation) and yields comparisons with the gold:

    @check("laplace.001", route="quadrature of the defining integral")
    def _(gold: Gold) -> Iterator[Comparison]:
        yield same(quad(lambda t: ...), gold.at(a=2))

The package is loaded by path or as part of the installed data folder, so everything in it imports
its neighbours relatively. Not covered: whether a prompt is unambiguous. That takes a reader.
"""

from .framework.comparing import Comparison, same
from .framework.gold import Gold
from .framework.registry import Check, check, registered
from .framework.running import CheckReport, run_checks

__all__ = ["Check", "CheckReport", "Comparison", "Gold", "check", "registered", "run_checks", "same"]
