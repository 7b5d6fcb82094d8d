r"""The second reading of a gold: `latex2sympy2_extended`, an independent grammar.

It is given the same tokens, rewritten into its dialect: its letters are case-insensitive or constants (e, i,
d), its `\log` is decimal, square brackets are intervals, functions it does not know are products of letters.
So every symbol becomes a plain letter, unknown functions borrow the name of a known one that the gold does
not use, and both are put back afterwards. What is multiplied, divided and raised by what is its own finding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy
from antlr4 import Token as AntlrToken  # type: ignore[import-untyped]
from latex2sympy2_extended.latex2sympy2 import (  # type: ignore[import-untyped]
    ConversionConfig,
    _Latex2Sympy,
)
from sympy import Basic, Expr, Float, Rational, Symbol

from scientific_math_critpt_env.problems.latex import names
from scientific_math_critpt_env.problems.latex.tokens import LatexError, Token

_CONFIG = ConversionConfig(interpret_as_mixed_fractions=False, lowercase_symbols=False)

_LETTERS = "abcfghjklmnopqrstuvwxyzABCDFGHJKLMNPQRSTUVWXYZ"
"""Without e, i, d, E, I, O: constants, differentials, and what prints like a number."""

_KNOWN = {
    *("sin", "cos", "tan", "sec", "csc", "cot", "sinh", "cosh", "tanh", "exp"),
    *("arcsin", "arccos", "arctan"),
}
"""Functions both readings call by the same name."""

_BORROWED = ("arccot", "arcsec", "arccsc", "arsinh", "arcosh", "artanh")
"""Names it knows and golds hardly use, to stand for functions it does not know."""

_FUNCTION_OF = {"acot": "arccot", "asec": "arcsec", "acsc": "arccsc", "asinh": "arsinh", "acosh": "arcosh"}
_FUNCTION_OF |= {"atanh": "artanh"}


def second_reading(tokens: Sequence[Token], symbols: Mapping[str, Symbol]) -> Expr:
    """What `latex2sympy2_extended` makes of the tokens, in our symbols. Raises LatexError."""
    dialect = _Dialect(tokens)
    value = _read(dialect.text())
    if not isinstance(value, Expr):
        raise LatexError("second reader", f"reads {type(value).__name__}")
    return dialect.restored(value, symbols)


def _read(text: str) -> object:
    """Its parse of one expression, to the end of the text; its own entry takes sets, and leaves rests."""
    converter = _Latex2Sympy(config=_CONFIG)
    parser = converter.create_parser(text)
    try:
        tree = parser.expr()
        rest = parser.getCurrentToken()
        if rest.type != AntlrToken.EOF:
            raise LatexError("second reader", f"leaves {rest.text!r} over")
        return converter.convert_expr(tree)
    except LatexError:
        raise
    except Exception as error:  # it raises bare Exception for whatever it cannot read
        raise LatexError("second reader", f"cannot read {text[:80]!r}") from error


class _Dialect:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        used = list(dict.fromkeys(token.text for token in tokens if token.kind == "symbol"))
        plain = [name for name in used if len(name) == 1 and name in _LETTERS]
        spare = [letter for letter in _LETTERS if letter not in plain]
        if len(used) > len(plain) + len(spare):
            raise LatexError("second reader", "more symbols than letters")
        self.letters = {name: name if name in plain else spare.pop() for name in used}
        functions = list(dict.fromkeys(token.text for token in tokens if token.kind == "function"))
        mine = {f"a{name}": f"ar{name}" for name in ("sinh", "cosh", "tanh")}
        self.borrowed: dict[str, str] = {}
        free = [name for name in _BORROWED if name not in functions and mine.get(name) not in functions]
        for name in functions:
            if name not in _KNOWN and name not in ("ln", "log", "lg") and not name.startswith("log_"):
                if not free:
                    raise LatexError("second reader", "more functions than it knows")
                self.borrowed[name] = free.pop()

    def text(self) -> str:
        parts: list[str] = []
        closers: list[str] = []
        for index, token in enumerate(self.tokens):
            parts.append(self._spelled(index, token, closers))
        return "".join(parts)

    def _spelled(self, index: int, token: Token, closers: list[str]) -> str:
        previous = self.tokens[index - 1].text if index else ""
        if token.kind == "symbol":
            return f" {self.letters[token.text]}" if previous != "d" else self.letters[token.text]
        if token.kind == "function":
            return self._function(token.text)
        if token.kind == "constant":
            return {"e": " e", "i": " I", "pi": "\\pi "}[token.text]
        if token.text in ("[", "]", "\\{", "\\}"):
            if token.text in ("[", "\\{"):
                closers.append("]" if previous == "\\sqrt" else ")")
                return "[" if previous == "\\sqrt" else "("
            return closers.pop() if closers else ")"
        if token.kind in ("command", "differential"):
            before = " " if token.kind == "differential" else ""
            return f"{before}{token.text}{' ' if token.text.startswith(chr(92)) else ''}"
        return token.text

    def _function(self, name: str) -> str:
        if name.startswith("log_"):
            return f"\\log_{{{name.removeprefix('log_')}}}"
        fixed = {"ln": "\\ln ", "log": "\\ln ", "lg": "\\log_{10}"}
        return fixed.get(name) or f"\\{self.borrowed.get(name, name)} "

    def restored(self, value: Expr, symbols: Mapping[str, Symbol]) -> Expr:
        """The value with our symbols and functions, evaluated as SymPy does by itself."""
        ours = {letter: symbols.get(name, Symbol(name)) for name, letter in self.letters.items()}
        lent = {borrowed: names.SYMPY_FUNCTIONS[name] for name, borrowed in self.borrowed.items()}

        def put_back(node: Basic) -> Basic:
            if isinstance(node, Symbol):
                if node.name not in ours:
                    raise LatexError("second reader", f"reads a symbol {node.name}")
                return ours[node.name]
            if isinstance(node, Float):
                return Rational(str(node))
            if not node.args:
                return node
            arguments = [put_back(argument) for argument in node.args]
            name = _FUNCTION_OF.get(node.func.__name__, "")
            if name in lent:
                return getattr(sympy, lent[name])(*arguments)
            return node.func(*arguments)

        return put_back(value)
