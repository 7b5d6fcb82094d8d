"""The conversion itself, run in a confined process: antlr and SymPy may hang, and golds are others' text.

request   {"latex": ..., "reading": {...}, "at": [{"epsilon": 0.1}]}
reply     {"source": ..., "symbols": [...], "values": [[re, im]]}  or  {"kind": ..., "detail": ...}
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sympy import Basic, Expr, Float, N, Symbol, latex, sympify

from scientific_math_critpt_env.problems.latex.agreement import assert_same
from scientific_math_critpt_env.problems.latex.bracing import braced
from scientific_math_critpt_env.problems.latex.grammar import expression
from scientific_math_critpt_env.problems.latex.reading import Reading
from scientific_math_critpt_env.problems.latex.second import second_reading
from scientific_math_critpt_env.problems.latex.shapes import shaped
from scientific_math_critpt_env.problems.latex.tokens import LatexError, Letters, Token, tokenize
from scientific_math_critpt_env.problems.latex.values import evaluated


def convert(payload: bytes) -> bytes:
    """Answer one request; what cannot be converted comes back with its kind, never as an exception."""
    request = json.loads(payload)
    fields = request["reading"]
    fields["exact"] = frozenset(fields["exact"])
    try:
        reply = _Conversion(Reading(**fields)).reply(request["latex"], request["at"])
    except LatexError as error:
        reply = {"kind": error.kind, "detail": error.detail}
    except (RecursionError, MemoryError):
        reply = {"kind": "too long", "detail": "nested too deeply"}
    return json.dumps(reply).encode()


def _warm_up() -> None:
    """Read a formula before the process is confined: antlr imports parts of itself at its first parse, and
    what it learns of the grammar serves every process that is forked from this one."""
    reading = Reading(others={}, shape="set")
    _Conversion(reading).reply(_EVERYTHING, [])


_EVERYTHING = (
    r"\frac{2 \sqrt{x}}{3 x^{2}} \left(1 - e^{-\frac{x}{y}}\right)^{-1/2} \sin\left(\frac{x}{2}\right)"
    r" + \ln(1+x) \cosh^2(x) - \operatorname{erf}(y/2), \sqrt[3]{x + \left|y\right|} \cdot \arctan x + n!,"
    r" \int_0^{x} e^{-t^2} (1+t) \, dt, \max\{x, 0\} - \Gamma(x)"
)


class _Conversion:
    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.symbols = {name: Symbol(name, **given) for name, given in reading.symbols.items()}

    def reply(self, text: str, points: Sequence[Mapping[str, float]]) -> dict[str, Any]:
        tokens = braced(tokenize(text, self.reading.letters()))
        self._declare_others(tokens)
        source = shaped(tokens, self.reading.shape, self._twice_read)
        value = evaluated(source, self.symbols)
        if (
            self.reading.alike
            and isinstance(value, set)
            and len({frozenset(_free(part)) for part in value}) > 1
        ):
            raise LatexError("parts of different kinds")
        return {
            "source": self._readable(source, value),
            "symbols": sorted(symbol.name for symbol in _free(value)),
            "values": [_at(value, point) for point in points],
        }

    def _declare_others(self, tokens: Sequence[Token]) -> None:
        bound = {t.text for d, t in pairwise(tokens) if d.kind == "differential"}
        for token in tokens:
            if token.kind != "symbol" or token.text in self.symbols:
                continue
            if token.text in bound:
                self.symbols[token.text] = Symbol(token.text, real=True)
            elif self.reading.others is not None:
                self.symbols[token.text] = Symbol(token.text, **self.reading.others)

    def _twice_read(self, tokens: Sequence[Token]) -> str:
        """Source of one expression on which two grammars agree, also after it was printed and read again."""
        source = expression(tokens, self.reading.rules())
        value = sympify(evaluated(source, self.symbols))
        if not isinstance(value, Expr):
            raise LatexError("no value", type(value).__name__)
        assert_same(value, second_reading(tokens, self.symbols), "two readers disagree")
        if not value.has(Float):
            self._round_trip(value)
        return source

    def _round_trip(self, value: Expr) -> None:
        plain = {
            symbol: Symbol(f"v_{{{k}}}") for k, symbol in enumerate(sorted(value.atoms(Symbol), key=str))
        }
        printed = latex(value.xreplace(plain), ln_notation=True, root_notation=True)
        tokens = braced(tokenize(printed, Letters()))
        back = second_reading(tokens, {f"v_{index}": symbol for index, symbol in enumerate(plain)})
        assert_same(value, back, "no round trip")

    def _readable(self, source: str, value: object) -> str:
        """SymPy's own print of the value where it means the same, else the source as it was written."""
        if not isinstance(value, Basic):
            return source
        printed = str(value)
        try:
            same = evaluated(printed, self.symbols, printed=True) == value
        except LatexError:
            same = False
        return printed if same else source


def _free(value: object) -> set[Symbol]:
    if isinstance(value, Basic):
        return set(value.free_symbols)
    parts = value if isinstance(value, tuple | list | set | frozenset) else ()
    return {symbol for part in parts for symbol in _free(part)}


def _at(value: object, point: Mapping[str, float]) -> list[list[float]]:
    """Values of the gold, or of its parts, as [real, imaginary]; empty where one has none."""
    parts = list(value) if isinstance(value, tuple | list | set | frozenset) else [value]
    found = []
    for part in map(sympify, parts):
        number = N(part.subs({s: point[s.name] for s in part.free_symbols if s.name in point}), 20)
        if not number.is_number:
            return []
        real, imaginary = complex(number).real, complex(number).imag
        found.append([real, imaginary])
    return found


_warm_up()
