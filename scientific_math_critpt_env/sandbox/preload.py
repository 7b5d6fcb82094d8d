"""What a zygote imports before it serves: everything a program may import, since opens are denied later."""

from __future__ import annotations

import importlib
import pkgutil
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.abc import MetaPathFinder
from types import ModuleType
from typing import Any, Literal

from scientific_math_critpt_env.sandbox.namespace import IMPORTABLE

Profile = Literal["light", "full", "symbolic"]

_SKIPPED = frozenset(
    (
        *("tests", "testing", "benchmarks", "conftest", "pytest", "randtest", "runtests", "tmpfiles", "this"),
        *("compatibility", "trace", "galgebra"),  # deprecated
        *("latex", "autolev", "sample_pymc"),  # need what is not installed, or files
        *("plotting", "pygletplot", "interactive"),  # talk to a screen
        *("meijerint_doc", "hyperexpand_doc"),  # derive the text of a manual, in half a second each
        "_compilation",  # starts compilers
    )
)
"""Parts of SymPy that no answer can use here, by the last component of their name."""

_SKIPPED_OF_SCIPY = frozenset(
    (
        *("tests", "conftest", "setup", "__main__", "_mptestutils"),
        *("_precompute", "_generate_pyx", "_add_newdocs"),  # how SciPy itself was made
        *("cupy", "torch", "dask", "jax", "_backends"),  # other array libraries
    )
)

_EXTERNAL_TO_SCIPY = ("scipy._external",)
"""A folder without `__init__.py`, from SciPy 1.18, which looking for packages does not find."""

_SYMBOLIC = frozenset({"sympy", "mpmath"})

_STANDARD = (
    # SciPy's loops over functions, also where one works alone; the rest says why there cannot be more.
    *(f"multiprocessing{part}" for part in ("", ".pool", ".queues", ".synchronize", ".popen_fork")),
    "xml.dom.minidom",  # SymPy's MathML
    *(
        "unicodedata",
        "locale",
        "tracemalloc",
        "difflib",
    ),  # names of characters, formats, warnings, suggestions
    *(
        f"encodings.{name}"
        for name in ("ascii", "latin_1", "cp1252", "utf_8_sig", "utf_7", "utf_16", "utf_32")
    ),
    *(f"encodings.{name}" for name in ("utf_16_le", "utf_16_be", "utf_32_le", "utf_32_be")),
    *(f"encodings.{name}" for name in ("unicode_escape", "raw_unicode_escape")),
    "_pylong",  # arithmetic with very long integers, from Python 3.12
)
"""What the packages above import when they first need it."""

_NUMPY = (
    *("linalg", "fft", "polynomial", "random", "ma", "ma.mrecords", "matlib", "lib.stride_tricks"),
    *("lib.scimath", "lib.recfunctions", "lib.mixins", "lib.format", "lib.array_utils", "lib.introspect"),
    *("rec", "char", "strings", "typing", "exceptions", "dtypes", "ctypeslib", "testing"),
)


def preload(profile: Profile) -> dict[str, Any]:
    """Import the modules of `profile`; returns the names in `sympy`, for trusted sources.

    The light profile has no SciPy and is smaller by half, and a fork costs in proportion. The symbolic one
    has SymPy's modules alone and exercises nothing, for checkers whose own module does: it starts in a
    third of the time.
    """
    packages = {"full": IMPORTABLE, "light": IMPORTABLE - {"scipy"}, "symbolic": _SYMBOLIC}[profile]
    with _nothing_but(packages), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _import(packages)
        sympy = importlib.import_module("sympy")
        _import(_submodules(sympy, _SKIPPED))
        if profile != "symbolic":
            _import_if_there(_STANDARD)
            _import_if_there(f"numpy.{part}" for part in _NUMPY)
            _exercise()
        if "scipy" in packages:
            _import_if_there(_EXTERNAL_TO_SCIPY)
            for part in ("scipy", *_EXTERNAL_TO_SCIPY):
                if part in sys.modules:
                    _import_if_there(_submodules(sys.modules[part], _SKIPPED_OF_SCIPY))
            _settle_scipy()
    return {"__builtins__": {}} | {name: getattr(sympy, name) for name in sympy.__all__}


@contextmanager
def _nothing_but(packages: Collection[str]) -> Iterator[None]:
    """Hide what else is installed here: SymPy would load SciPy, pytest or Matplotlib where it finds them."""
    finder = _Hiding(packages)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _Hiding(MetaPathFinder):
    def __init__(self, packages: Collection[str]) -> None:
        self._visible = {*packages, *sys.stdlib_module_names, __name__.partition(".")[0]}

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        top = name.partition(".")[0]
        if top not in self._visible and not top.startswith("_sysconfigdata"):
            raise ModuleNotFoundError(f"{name} is hidden", name=name)


def _import(names: Iterable[str]) -> None:
    for name in names:
        importlib.import_module(name)


def _import_if_there(names: Iterable[str]) -> None:
    """What other versions of Python, NumPy and SciPy do not have, or have for libraries that are not here."""
    for name in names:
        with suppress(ImportError):
            importlib.import_module(name)


def _submodules(package: ModuleType, skipped: Collection[str]) -> Iterator[str]:
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        last = found.name.rpartition(".")[2]
        if last in skipped or last.startswith(("test_", "bench_")):
            continue
        yield found.name
        if found.ispkg and found.name in sys.modules:
            yield from _submodules(sys.modules[found.name], skipped)


def _settle_scipy() -> None:
    """Have SciPy do what it does late and cannot once confined.

    It reads the direction numbers of Sobol's sequences, and asks how many processors there are (from 1.18).
    """
    from scipy import fft
    from scipy.stats import qmc

    qmc.Sobol(1)
    fft.fft([1.0, 2.0])


def _exercise() -> None:
    """Do once what many answers do: what SymPy builds when it first needs it is then there to inherit."""
    import numpy as np
    import sympy as sp

    x, y, n = sp.symbols("x y n")
    t, f = sp.Symbol("t", positive=True), sp.Function("f")
    sp.simplify(sp.sin(x) ** 4 - sp.cos(x) ** 4 + sp.expand((x + 1) ** 3) / (x + 1))
    sp.simplify(sp.gamma(x + 1) / sp.gamma(x) + sp.exp(x) * sp.exp(-x))
    sp.solve(x**2 - 2, x)
    sp.solve([x + y - 1, x - y - 1], [x, y])
    sp.dsolve(f(x).diff(x, 2) + f(x), f(x))
    sp.integrate(sp.exp(-(x**2)), (x, -sp.oo, sp.oo))
    sp.integrate(x * sp.log(x) + sp.sin(x) * sp.cos(x) + 1 / (x**2 + 1) ** 2, x)
    sp.hyperexpand(sp.hyper([1, 1], [2], x))
    sp.series(sp.tan(x), x, 0, 4)
    sp.limit((1 + 1 / x) ** x, x, sp.oo)
    sp.residue(1 / (x**2 + 1), x, sp.I)
    sp.summation(1 / n**2, (n, 1, sp.oo))
    sp.laplace_transform(sp.exp(-t) * sp.sin(t), t, y)
    sp.radsimp(1 / (sp.sqrt(2) + sp.sqrt(3)))
    sp.apart(1 / ((x + 1) * (x + 2)), x)
    sp.lambdify(x, sp.sqrt(x) + sp.gamma(x), "numpy")
    sp.lambdify(x, sp.sqrt(x), "mpmath")(2.0)
    sp.nsolve(sp.cos(x) - x, x, 1)
    sp.N(sp.pi * sp.E, 30)
    matrix = sp.Matrix([[1, x], [x, 2]])
    str([matrix.det(), matrix.inv(), sp.Matrix([[2, 1], [1, 2]]).eigenvects()])
    np.linalg.eig(np.eye(2))
    np.random.seed(0)
