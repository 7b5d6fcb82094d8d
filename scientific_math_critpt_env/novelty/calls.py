"""Calls and names by what they do: `np.arcsin`, `sp.asin` and `asin` are one, `.simplify()` is nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scientific_math_critpt_env.novelty.graph import Graph

COSMETIC = frozenset(
    (
        *(
            "simplify",
            "expand",
            "factor",
            "together",
            "cancel",
            "radsimp",
            "trigsimp",
            "powsimp",
            "powdenest",
        ),
        *("logcombine", "nsimplify", "ratsimp", "collect", "expand_func", "expand_log", "expand_trig"),
        *(
            "hyperexpand",
            "combsimp",
            "gammasimp",
            "simplify_logic",
            "doit",
            "evalf",
            "N",
            "n",
            "sympify",
            "S",
        ),
        *("float", "complex", "int", "round", "list", "tuple", "array", "asarray", "copy", "deepcopy"),
        *(
            "Integer",
            "Float",
            "mpf",
            "mpc",
            "mpmathify",
            "Tuple",
            "as_immutable",
            "as_mutable",
            "UnevaluatedExpr",
        ),
        *("chop", "nfloat", "real_if_close", "item", "tolist"),
    )
)
"""What changes the form of a value and not how it was come by: `f(x, ...)` and `x.f(...)` are x."""

SYMBOLS = frozenset(("Symbol", "symbols", "Dummy", "Wild", "var", "Indexed", "IndexedBase", "MatrixSymbol"))

RATIOS = frozenset(("Rational", "Fraction"))

CONSTANTS = frozenset(
    (
        *("pi", "E", "e", "I", "j", "oo", "inf", "zoo", "nan", "tau", "degree", "true", "false"),
        *("EulerGamma", "euler_gamma", "GoldenRatio", "Catalan", "TribonacciConstant"),
    )
)
"""Names in modules that are values, not functions or modules: what is called on them is a method."""

NUMBERS_OF_S = frozenset(("Zero", "One", "NegativeOne", "Half"))

MUTATING = frozenset(
    (
        *("append", "extend", "insert", "add", "update", "remove", "discard", "pop", "popleft", "popitem"),
        *("appendleft", "extendleft", "clear", "sort", "reverse", "setdefault", "fill", "row_op", "col_op"),
        *("row_swap", "col_swap", "row_del", "col_del", "subtract"),
    )
)
"""Methods that are called for what they do to their object."""

_ALIKE = {
    "integrate": "Integral line_integrate",
    "diff": "Derivative",
    "summation": "nsum Sum",
    "product": "nprod prod Product",
    "limit": "gruntz Limit",
    "log": "ln",
    "abs": "Abs absolute fabs",
    "sum": "fsum",
    "conjugate": "conj",
    "re": "real",
    "im": "imag",
    "pow": "float_power Pow power",
    "binomial": "comb",
    "determinant": "det Determinant",
    "eigenvals": "diagonalize eig eigenvects eigh eigs eigsh eigvals eigvalsh",
    "Matrix": "ImmutableMatrix SparseMatrix",
    "Eq": "Equality",
    "ceil": "ceiling",
    "min": "Min minimum",
    "max": "Max maximum",
    "function": "Lambda",
    "cumsum": "cumulative_sum",
    "inverse": "inv invert",
    "transpose": "T Transpose",
    "adjoint": "H",
    "solve": (
        "ground_roots linsolve nonlinsolve nroots polyroots real_roots reduce_inequalities roots "
        "solve_linear_system solve_poly_system solve_univariate_inequality solveset"
    ),
    "nsolve": "bisect brenth brentq findroot fixed_point fsolve newton ridder root_scalar toms748",
    "quad": (
        "cumulative_trapezoid dblquad fixed_quad nquad quad_vec quadgl quadrature quadts romberg "
        "simps simpson tplquad trapezoid trapz"
    ),
    "solve_ivp": "complex_ode ode odefun odeint RK45 solve_bvp",
    "series": "aseries fps lseries nseries taylor",
    "LUsolve": "cholesky_solve gauss_jordan_solve LDLsolve lstsq lu_factor lu_solve QRsolve rref",
    "minimize": (
        "basinhopping brute differential_evolution dual_annealing fmin fminbound minimize_scalar shgo"
    ),
    "fft": "dft ifft irfft rfft",
    "expm": "expm_multiply",
    "interpolate": "CubicSpline interp1d interpolating_poly lagrange polyfit polyinterpolate",
    "random": "choice integers normal rand randint randn sample standard_normal uniform",
    "dsolve": "classify_ode dsolve_system",
}
"""Names of several libraries for one thing, and functions that do the same work in another way."""

_OTHER_NAMES = {name: one for one, names in _ALIKE.items() for name in names.split()}


def canonical(name: str) -> str:
    """One name for what several libraries call differently."""
    name = re.sub(r"^arc(?=(sin|cos|tan)h?2?$)", "a", name)
    return _OTHER_NAMES.get(name, name)


def called(graph: Graph, name: str, arguments: Sequence[str], named: Sequence[tuple[str, str]]) -> str:
    """The node of a call of a library's function, or of a method with its object as first argument."""
    name = canonical(name)
    if name in SYMBOLS:
        return _symbols(graph, arguments)
    if arguments and (found := _arithmetic(graph, name, arguments)) is not None:
        return found
    if arguments and name in COSMETIC:
        return arguments[0]
    keywords = [graph.node(f"{key}=", value) for key, value in sorted(named)]
    return graph.node(f"{name}()", *arguments, *keywords)


def _arithmetic(graph: Graph, name: str, arguments: Sequence[str]) -> str | None:
    """Arithmetic that is written as a call; None for anything else."""
    first, count = arguments[0], len(arguments)
    if name == "Add":
        return graph.add(arguments)
    if name == "Mul":
        return graph.multiply(arguments)
    if name in ("sqrt", "cbrt") and count == 1:
        return graph.power(first, graph.number())
    if name == "pow" and count == 2:
        return graph.power(first, arguments[1])
    if name in RATIOS:
        divided = [graph.power(other, graph.constant(-1)) for other in arguments[1:2]]
        return graph.multiply([first, *divided])
    if name == "Eq" and count == 2:
        return graph.compare("==", first, arguments[1])
    return None


def _symbols(graph: Graph, arguments: Sequence[str]) -> str:
    """One symbol, or the tuple of as many as the text names; their names mean nothing."""
    text = graph.text(arguments[0]) if arguments else None
    names = [part for part in re.split(r"[,\s]+", text or "") if part] or ["?"]
    found = [graph.node("symbol", identity=name) for name in names]
    many = len(found) > 1 or (text is not None and "," in text)
    return graph.node("tuple", *found) if many else found[0]
