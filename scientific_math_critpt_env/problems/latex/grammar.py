r"""Tokens to the source of one SymPy expression, with everything accounted for.

Where writers differ in what they mean, the gold is refused instead of guessed at: a product after a slash
(`1/2x`), a mixed number (`3\frac{1}{2}`), an argument without brackets that goes on (`\sin x y`,
`\ln x^2`), a number behind a symbol, a cross between symbols. Covered: arithmetic, powers, roots,
functions, absolute values, integrals with bounds, extrema, factorials, binomials. Not covered: the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scientific_math_critpt_env.problems.latex import names
from scientific_math_critpt_env.problems.latex.integrals import integral
from scientific_math_critpt_env.problems.latex.tokens import LatexError, Token

DEEPEST = 60
"""Levels of brackets; real golds have under 15."""

_CLOSERS = {"(": ")", "[": "]", "{": "}", "|": "|", "\\{": "\\}"}
_STARTS = frozenset({"(", "[", "{", "|", "\\frac", "\\sqrt", "\\int", "\\infty", "\\max", "\\min", "\\binom"})
_SUM, _PRODUCT, _ATOM = 0, 1, 3


@dataclass(frozen=True, slots=True)
class Rules:
    """What one gold's context decides."""

    decimal: Callable[[str], str]
    """Source for a number with a decimal point; raises LatexError where it cannot be taken as it stands."""
    natural_log: bool = True
    r"""Whether `\log` without a base is the natural one; else it is refused."""


@dataclass(frozen=True, slots=True)
class _Part:
    source: str
    level: int
    integral: bool = False

    def within(self, level: int) -> str:
        return self.source if self.level >= level else f"({self.source})"


def expression(tokens: Sequence[Token], rules: Rules) -> str:
    """Source of the expression all `tokens` make together. Raises LatexError where one is left over."""
    if not tokens:
        raise LatexError("empty")
    parser = _Parser(tokens, rules)
    part = parser.sum()
    if parser.now is not None:
        raise LatexError("left over", parser.now.text)
    return part.source


class _Parser:
    def __init__(self, tokens: Sequence[Token], rules: Rules) -> None:
        self.tokens = tokens
        self.rules = rules
        self.at = 0
        self.depth = 0

    @property
    def now(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def sees(self, *texts: str) -> bool:
        now = self.now
        return now is not None and now.kind in ("sign", "command") and now.text in texts

    def take(self, text: str) -> None:
        if not self.sees(text):
            raise LatexError("unbalanced brackets", f"{text} expected")
        self.at += 1

    def sum(self) -> _Part:
        sign = ""
        if self.sees("+", "-"):
            sign = self._sign()
        first = self.product()
        source = f"-{first.within(_PRODUCT)}" if sign == "-" else first.source
        level = first.level if sign != "-" else _SUM
        while self.sees("+", "-"):
            sign = self._sign()
            source = f"{source} {sign} {self.product().within(_PRODUCT)}"
            level = _SUM
        return _Part(source, level)

    def _sign(self) -> str:
        assert self.now is not None
        self.at += 1
        return self.tokens[self.at - 1].text

    def product(self) -> _Part:
        left = self.factor()
        divided = False
        while True:
            if self.sees("*", "\\cdot", "\\times"):
                left = self._times(left)
            elif self.sees("/"):
                if divided:
                    raise LatexError("two slashes")
                self.at += 1
                divided = True
                right = self.factor()
                left = _Part(f"{left.within(_PRODUCT)}/{right.within(_ATOM)}", _PRODUCT)
                if self._starts_factor():
                    raise LatexError("product after a slash")
            elif self._starts_factor():
                self._refuse_juxtaposed(left)
                left = _Part(f"{left.within(_PRODUCT)}*{self.factor().within(_PRODUCT)}", _PRODUCT)
            else:
                return left

    def _times(self, left: _Part) -> _Part:
        cross = self.sees("\\times")
        self.at += 1
        now = self.now
        if cross and not (now is not None and now.kind == "number"):
            raise LatexError("cross or product", "\\times")
        return _Part(f"{left.within(_PRODUCT)}*{self.factor().within(_PRODUCT)}", _PRODUCT)

    def _starts_factor(self) -> bool:
        now = self.now
        if now is None:
            return False
        return now.kind in ("number", "symbol", "function", "constant") or (
            self.sees(*_STARTS) and not (now.text == "|" and self._closes_bar())
        )

    def _closes_bar(self) -> bool:
        return self._bars > 0

    _bars = 0

    def _refuse_juxtaposed(self, left: _Part) -> None:
        now = self.now
        assert now is not None
        if left.integral:
            raise LatexError("product after an integral")
        if now.kind == "number":
            raise LatexError("number after a factor", now.text)
        if now.text in ("(", "[") and self._looks_applied():
            raise LatexError("function or product", self.tokens[self.at - 1].text)
        if now.text == "\\frac" and self.tokens[self.at - 1].kind == "number" and self._numeric_fraction():
            raise LatexError("mixed number or product")

    def _looks_applied(self) -> bool:
        """`y(x)`, `f_s(...)`: a symbol before a bracket with one name in it, or named as functions are."""
        before = self.tokens[self.at - 1]
        if before.kind != "symbol":
            return False
        inside = self.tokens[self.at + 1 : self.at + 3]
        alone = (
            len(inside) == 2 and inside[0].kind in ("symbol", "number") and inside[1].text in (")", "]", ",")
        )
        return alone or before.text in names.APPLIED or before.text.startswith(names.APPLIED_WITH_INDEX)

    def _numeric_fraction(self) -> bool:
        inside = [t for t in self.tokens[self.at + 1 : self.at + 7] if t.text not in ("{", "}")]
        return all(token.kind == "number" for token in inside[:2])

    def factor(self) -> _Part:
        base, integral = self.primary()
        if self.sees("!"):
            self.at += 1
            base = _Part(f"factorial({base.source})", _ATOM)
        if self.sees("^"):
            base = _Part(f"{base.within(_ATOM)}**{self._exponent().within(_ATOM)}", _PRODUCT + 1)
            if self.sees("^", "!"):
                raise LatexError("power of a power")
        return _Part(base.source, base.level, integral)

    def _exponent(self) -> _Part:
        self.take("^")
        inside = [token.text for token in self.tokens[self.at + 1 : self.at + 4]]
        if inside[:1] == ["("] and inside[2:] == [")"]:
            raise LatexError("index or power")
        return self.group("{")

    def primary(self) -> tuple[_Part, bool]:
        now = self.now
        if now is None:
            raise LatexError("operand missing")
        if now.kind == "differential":
            raise LatexError("differential outside an integral")
        if now.text == "\\int":
            self.at, *parts = integral(self.tokens, self.at)
            inside, *ends = (expression(part, self.rules) for part in parts[:3])
            return _Part(f"Integral({inside}, ({parts[3][0].text}, {', '.join(ends)}))", _ATOM), True
        if now.kind in ("number", "symbol", "function", "constant"):
            self.at += 1
            return self._named(now), False
        if now.text in ("(", "[", "{", "|"):
            part = self.group(now.text)
            return (_Part(f"Abs({part.source})", _ATOM) if now.text == "|" else part), False
        makers = {
            "\\frac": self._fraction,
            "\\sqrt": self._root,
            "\\binom": self._binomial,
            "\\max": self._extremum,
            "\\min": self._extremum,
            "\\infty": self._infinity,
        }
        if now.text not in makers:
            raise LatexError("operand missing", f"at {now.text}")
        self.at += 1
        return makers[now.text](), False

    def _named(self, token: Token) -> _Part:
        if token.kind == "function":
            return self._function(token.text)
        if token.kind == "constant":
            if token.text != "e":
                return _Part("sqrt(-1)" if token.text == "i" else token.text, _ATOM)
            if self.sees("^"):
                source = f"exp({self._exponent().source})"
                if self.sees("^"):
                    raise LatexError("power of a power")
                return _Part(source, _ATOM)
            return _Part("exp(1)", _ATOM)
        if token.kind == "number" and "." in token.text:
            return _Part(self.rules.decimal(token.text), _ATOM)
        return _Part(token.text, _ATOM)

    def group(self, opener: str) -> _Part:
        """What stands between `opener` and its closer, as one part."""
        self.take(opener)
        self.depth += 1
        if self.depth > DEEPEST:
            raise LatexError("nested too deeply")
        bars, self._bars = self._bars, int(opener == "|")
        part = self.sum()
        self._bars = bars
        self.take(_CLOSERS[opener])
        self.depth -= 1
        return part

    def _fraction(self) -> _Part:
        numerator, denominator = self.group("{"), self.group("{")
        return _Part(f"{numerator.within(_PRODUCT)}/{denominator.within(_ATOM)}", _PRODUCT)

    def _root(self) -> _Part:
        if not self.sees("["):
            return _Part(f"sqrt({self.group('{').source})", _ATOM)
        degree = self.group("[")
        radicand = self.group("{")
        return _Part(f"root({radicand.source}, {degree.source})", _ATOM)

    def _binomial(self) -> _Part:
        top, bottom = self.group("{"), self.group("{")
        return _Part(f"binomial({top.source}, {bottom.source})", _ATOM)

    def _infinity(self) -> _Part:
        return _Part("oo", _ATOM)

    def _extremum(self) -> _Part:
        name = {"\\max": "Max", "\\min": "Min"}[self.tokens[self.at - 1].text]
        braces = [opener for opener in ("(", "\\{", "[") if self.sees(opener)]
        if not braces:
            raise LatexError("argument without brackets", name)
        self.take(braces[0])
        parts = [self.sum().source]
        while self.sees(","):
            self.at += 1
            parts.append(self.sum().source)
        self.take(_CLOSERS[braces[0]])
        return _Part(f"{name}({', '.join(parts)})", _ATOM)

    def _function(self, name: str) -> _Part:
        head, base = self._head(name)
        power = ""
        if self.sees("^"):
            power = self._exponent().within(_ATOM)
            if power == "(-1)" and head in names.INVERSES:
                head, power = names.INVERSES[head], ""
            elif power == "(-1)" or head not in names.POWERS_MEAN_VALUES:
                raise LatexError("power of a function", name)
        value = _Part(f"{head}({self._argument(name)}{base})", _ATOM)
        return _Part(f"{value.source}**{power}", _PRODUCT + 1) if power else value

    def _head(self, name: str) -> tuple[str, str]:
        if name == "log" and not self.rules.natural_log:
            raise LatexError("base of the logarithm")
        if name.startswith("log_") or name == "lg":
            return "log", f", {name.removeprefix('log_').replace('lg', '10')}"
        return names.SYMPY_FUNCTIONS[name], ""

    def _argument(self, name: str) -> str:
        for opener in ("(", "[", "{"):
            if self.sees(opener):
                source = self.group(opener).source
                if opener == "{" and self.sees("^"):
                    raise LatexError("power after an argument", name)
                return source
        if self.sees("|"):
            return f"Abs({self.group('|').source})"
        return self._bare_argument(name)

    def _bare_argument(self, name: str) -> str:
        r"""`\sin x`, `\cos 2x`, `\sin \pi x`, `\ln 2`, `\sin\frac{x}{2}`; nothing that could go on."""
        if self.sees("\\frac", "\\sqrt"):
            source = self.primary()[0].source
        else:
            parts = []
            for wanted in ("number", "constant", "symbol"):
                now = self.now
                if now is not None and now.kind == wanted and now.text not in ("e", "i"):
                    self.at += 1
                    parts.append(self._named(now).source)
            if not parts:
                raise LatexError("argument missing", name)
            source = "*".join(parts)
        now = self.now
        goes_on = self.sees("^", "/", "!") or self._starts_factor()
        if goes_on and not (now is not None and now.kind == "function"):
            raise LatexError("argument without brackets", name)
        return source
