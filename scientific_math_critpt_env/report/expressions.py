"""Values as SymPy prints them, `x**2/sqrt(pi)`, turned into LaTeX by reading, never by evaluating.

The text comes from a model's value, so it is parsed to a syntax tree and written out again; no name in it is
looked up. Covered: what `sstr` prints of numbers, expressions, relations, containers, matrices, integrals,
sums, derivatives, limits, piecewise. Anything else gives None, and the text is shown as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from scientific_math_critpt_env.report.calls import (
    ATOM,
    CALLS,
    POWER,
    PRODUCT,
    SUM,
    UNARY,
    Piece,
    Unreadable,
)

MAX_EXPRESSION = 4_000
"""Characters; the grader prints at most 2,000."""

MAX_DEPTH = 60
"""Nested parts; deeper ones are no longer read by people."""

GREEK = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
    "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta",
    "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega", "hbar", "ell",
})  # fmt: skip
CONSTANTS = {
    "lamda": r"\lambda", "I": "i", "E": "e", "oo": r"\infty", "zoo": r"\tilde{\infty}", "nan":
    r"\text{undefined}", "True": r"\text{true}", "False": r"\text{false}", "None": r"\text{none}",
    "EulerGamma": r"\gamma", "GoldenRatio": r"\varphi", "Catalan": "G", "EmptySet": r"\emptyset", "Reals":
    r"\mathbb{R}", "Integers": r"\mathbb{Z}", "Naturals": r"\mathbb{N}", "Complexes": r"\mathbb{C}",
}  # fmt: skip
NAMED = frozenset({
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "log", "ln", "det", "gcd",
    "max", "min", "arg", "re", "im", "Max", "Min",
})  # fmt: skip
RENAMED = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "gamma": r"\Gamma", "zeta": r"\zeta", "beta":
    r"\mathrm{B}", "LambertW": "W", "DiracDelta": r"\delta", "Heaviside": r"\theta", "erf":
    r"\operatorname{erf}",
}  # fmt: skip
COMPARISONS = {
    ast.Eq: "=", ast.NotEq: r"\ne", ast.Lt: "<", ast.LtE: r"\le", ast.Gt: ">", ast.GtE: r"\ge", ast.In:
    r"\in",
}  # fmt: skip
RELATIONS = {"Eq": "=", "Ne": r"\ne", "Lt": "<", "Le": r"\le", "Gt": ">", "Ge": r"\ge"}


def latex_of(text: str) -> str | None:
    """The value's LaTeX, or None where the text is no printed value."""
    if len(text) > MAX_EXPRESSION:
        return None
    try:
        tree = ast.parse(text.strip(), mode="eval")
        return _piece(tree.body, 0)[0]
    except (SyntaxError, ValueError, Unreadable, RecursionError, MemoryError):
        return None


def _piece(node: ast.expr, depth: int) -> Piece:
    if depth > MAX_DEPTH:
        raise Unreadable
    for kind, write in _WRITERS.items():
        if isinstance(node, kind):
            return write(node, depth + 1)
    raise Unreadable


def _latex(node: ast.expr, depth: int, least: int = SUM) -> str:
    """The node's LaTeX, in parentheses where it holds together less tightly than `least`."""
    latex, tightness = _piece(node, depth)
    return latex if tightness >= least else rf"\left({latex}\right)"


def _constant(node: ast.Constant, depth: int) -> Piece:
    if isinstance(node.value, bool) or node.value is None:
        return CONSTANTS[str(node.value)], ATOM
    if isinstance(node.value, str):
        return _text(node.value), ATOM
    if isinstance(node.value, complex):
        return f"{node.value.imag:g}i", PRODUCT
    if not isinstance(node.value, int | float):
        raise Unreadable
    digits, _, exponent = repr(node.value).partition("e")
    return (rf"{digits} \cdot 10^{{{int(exponent)}}}", PRODUCT) if exponent else (digits, ATOM)


def _text(text: str) -> str:
    return r"\text{" + "".join(c for c in text if c.isprintable() and c not in "\\{}$#%&_^~") + "}"


def _name(node: ast.Name, depth: int) -> Piece:
    return CONSTANTS.get(node.id) or symbol(node.id), ATOM


def symbol(name: str) -> str:
    """A name as people write it: `omega_0` and `omega0` are omega with the index 0."""
    stem, _, index = name.partition("_")
    if not index:
        stem = name.rstrip("0123456789") or name
        index = name[len(stem) :]
    head = CONSTANTS.get(stem) if stem == "lamda" else rf"\{stem}" if stem in GREEK else None
    if head is None:
        head = stem if len(stem) == 1 else rf"\mathrm{{{_letters(stem)}}}"
    return rf"{head}_{{{symbol(index) if not index.isdigit() else index}}}" if index else head


def _letters(name: str) -> str:
    if not name.isidentifier():
        raise Unreadable
    return name.replace("_", r"\_")


def _unary(node: ast.UnaryOp, depth: int) -> Piece:
    operand = _latex(node.operand, depth, PRODUCT)
    if isinstance(node.op, ast.USub):
        return f"-{operand}", SUM
    if isinstance(node.op, ast.Invert | ast.Not):
        return rf"\lnot {operand}", UNARY
    raise Unreadable


def _binary(node: ast.BinOp, depth: int) -> Piece:
    left, right, sign = node.left, node.right, node.op
    if isinstance(sign, ast.Add):
        return f"{_latex(left, depth)} + {_latex(right, depth)}", SUM
    if isinstance(sign, ast.Sub):
        return f"{_latex(left, depth)} - {_latex(right, depth, PRODUCT)}", SUM
    if isinstance(sign, ast.Mult):
        after = _latex(right, depth, UNARY)
        dot = r" \cdot " if after[0].isdigit() else r" \, "
        return _latex(left, depth, PRODUCT) + dot + after, PRODUCT
    if isinstance(sign, ast.Div):
        negative = isinstance(left, ast.UnaryOp) and isinstance(left.op, ast.USub)
        over = left.operand if isinstance(left, ast.UnaryOp) and negative else left
        fraction = rf"\frac{{{_latex(over, depth)}}}{{{_latex(right, depth)}}}"
        return (f"-{fraction}", SUM) if negative else (fraction, UNARY)
    if isinstance(sign, ast.Pow):
        return _power(left, right, depth)
    if isinstance(sign, ast.BitAnd | ast.BitOr):
        mark = r"\land" if isinstance(sign, ast.BitAnd) else r"\lor"
        return f"{_latex(left, depth, UNARY)} {mark} {_latex(right, depth, UNARY)}", SUM
    raise Unreadable


def _power(base: ast.expr, exponent: ast.expr, depth: int) -> Piece:
    if isinstance(exponent, ast.BinOp) and isinstance(exponent.op, ast.Div) and _is_one(exponent.left):
        root = exponent.right
        index = "" if isinstance(root, ast.Constant) and root.value == 2 else f"[{_latex(root, depth)}]"
        return rf"\sqrt{index}{{{_latex(base, depth)}}}", ATOM
    return f"{{{_latex(base, depth, ATOM)}}}^{{{_latex(exponent, depth)}}}", POWER


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1


def _compare(node: ast.Compare, depth: int) -> Piece:
    parts = [_latex(node.left, depth)]
    for sign, operand in zip(node.ops, node.comparators, strict=True):
        if type(sign) not in COMPARISONS:
            raise Unreadable
        parts += [COMPARISONS[type(sign)], _latex(operand, depth)]
    return " ".join(parts), SUM


def _sequence(opening: str, closing: str) -> Callable[[ast.Tuple | ast.List | ast.Set, int], Piece]:
    def write(node: ast.Tuple | ast.List | ast.Set, depth: int) -> Piece:
        return rf"\left{opening}{_listed(node.elts, depth)}\right{closing}", ATOM

    return write


def _listed(nodes: Sequence[ast.expr], depth: int) -> str:
    return r",\; ".join(_latex(node, depth) for node in nodes)


def _dictionary(node: ast.Dict, depth: int) -> Piece:
    pairs = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            raise Unreadable
        pairs.append(rf"{_latex(key, depth)} \mapsto {_latex(value, depth)}")
    return r"\left\{" + r",\; ".join(pairs) + r"\right\}", ATOM


def _call(node: ast.Call, depth: int) -> Piece:
    if node.keywords:
        raise Unreadable
    name, arguments = _callee(node.func), node.args
    if name in CALLS:
        return CALLS[name](arguments, lambda argument, least=SUM: _latex(argument, depth, least))
    if name in RELATIONS and len(arguments) == 2:
        left, right = (_latex(argument, depth) for argument in arguments)
        return f"{left} {RELATIONS[name]} {right}", SUM
    if name in NAMED or name in RENAMED:
        head = RENAMED.get(name, name)
        head = head if head.startswith("\\") or len(head) == 1 else rf"\operatorname{{{head}}}"
    else:
        head = symbol(name)
    return rf"{head}\left({_listed(arguments, depth)}\right)", ATOM


def _callee(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"  # Interval.open(0, 1)
    raise Unreadable


_WRITERS: dict[type[ast.expr], Callable[..., Piece]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.Compare: _compare,
    ast.Call: _call,
    ast.Tuple: _sequence("(", ")"),
    ast.List: _sequence("[", "]"),
    ast.Set: _sequence(r"\{", r"\}"),
    ast.Dict: _dictionary,
}
