"""What a zygote imports before it serves: everything a program may import, since opens are denied later."""

from __future__ import annotations

import importlib
import pkgutil
import sys
import warnings
from collections.abc import Iterator
from typing import Any, Literal

from scientific_math_critpt_env.sandbox.namespace import IMPORTABLE

Profile = Literal["light", "full"]

_SKIPPED = frozenset(
    ["tests", "testing", "benchmarks", "conftest", "plotting", "pygletplot", "galgebra", "this", "compatibility", "trace", "pytest", "randtest", "runtests", "tmpfiles", "autolev", "latex", "_antlr", "sampling", "interactive", "tests_"]
)
"""Parts of SymPy that are tests, deprecated, need what is not installed, or talk to a screen."""

_SCIPY = ["scipy.constants", "scipy.fft", "scipy.integrate", "scipy.interpolate", "scipy.linalg", "scipy.optimize", "scipy.signal", "scipy.sparse", "scipy.sparse.linalg", "scipy.spatial", "scipy.special", "scipy.stats"]
_NUMPY = ["numpy.linalg", "numpy.fft", "numpy.polynomial", "numpy.random", "numpy.ma", "numpy.matlib"]
_LIGHT_LIBRARY = sorted(IMPORTABLE - {"scipy", "sympy"})


def preload(profile: Profile) -> dict[str, Any]:
    """Import the modules of `profile`; returns the names of `from sympy import *`.

    The light profile is smaller by half, and a fork costs in proportion. SciPy is hidden while it loads,
    because parts of SymPy and NumPy take it along where they find it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if profile == "light":
            sys.modules["scipy"] = None  # type: ignore[assignment]
        for name in [*_LIGHT_LIBRARY, *_NUMPY, *(_SCIPY if profile == "full" else ())]:
            importlib.import_module(name)
        sympy = importlib.import_module("sympy")
        for name in _submodules(sympy.__path__, "sympy."):
            importlib.import_module(name)
        if profile == "light":
            del sys.modules["scipy"]
        _exercise()
    return {name: getattr(sympy, name) for name in sympy.__all__}


def _submodules(path: Any, prefix: str) -> Iterator[str]:
    for found in pkgutil.iter_modules(path, prefix):
        last = found.name.rpartition(".")[2]
        if last in _SKIPPED or last.startswith(("test_", "bench_")):
            continue
        yield found.name
        if found.ispkg:
            yield from _submodules(importlib.import_module(found.name).__path__, found.name + ".")


def _exercise() -> None:
    """Do once what nearly every answer does, so that lazily built tables are built before the fork."""
    import numpy as np
    import sympy as sp

    x, n = sp.symbols("x n")
    sp.simplify(sp.sin(x) ** 2 + sp.cos(x) ** 2 + sp.expand((x + 1) ** 3) / (x + 1))
    sp.solve(x**2 - 2, x)
    sp.integrate(sp.exp(-(x**2)), (x, -sp.oo, sp.oo))
    sp.series(sp.cos(x), x, 0, 4)
    sp.summation(1 / n**2, (n, 1, sp.oo))
    sp.lambdify(x, sp.sqrt(x) + sp.gamma(x), "numpy")
    sp.lambdify(x, sp.sqrt(x), "mpmath")(2.0)
    sp.N(sp.pi * sp.E, 30)
    str(sp.Matrix([[1, x], [x, 2]]).det())
    np.linalg.eig(np.eye(2))
    np.random.seed(0)
