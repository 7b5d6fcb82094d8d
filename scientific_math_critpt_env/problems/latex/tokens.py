"""LaTeX as tokens: numbers, symbols with their subscripts, functions, commands and signs.

    e^{-x_{0}/\\varepsilon}  ->  ^ { - symbol:x_0 / symbol:epsilon }, after the constant e

Strict: what is not in `names` is refused with the place where it stands. Decided here, because it needs the
text: that letters side by side are a product, unless they are a function's name before a bracket (`erf(x)`).
Not decided here: what is multiplied by what.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from scientific_math_critpt_env.problems.latex import names

Kind = Literal["number", "symbol", "function", "constant", "differential", "command", "sign"]

MAX_CHARACTERS = 20_000
"""Of one gold; the longest in public sets have under 5,000."""

LONGEST_PRODUCT = 3
"""Letters side by side without a space that may be a product (`mgh`); longer ones are words."""


class LatexError(ValueError):
    """The LaTeX cannot be converted without a guess. `kind` is one of a few, for counting."""

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a gold: what sort it is, its text or name, and the place it was read at."""

    kind: Kind
    text: str
    at: int = 0


@dataclass(frozen=True, slots=True)
class Letters:
    """What single letters mean in one gold."""

    declared: frozenset[str] = frozenset()
    """Symbols the set declares for the row, by SymPy name; a declared e, i or d is that symbol."""
    euler: bool = True
    """Whether an undeclared e is Euler's number; else it is refused."""
    imaginary: bool = True
    """Whether an undeclared i is the imaginary unit; else it is refused."""
    gamma: bool = True
    r"""Whether `\Gamma` before a bracket is the function; else a symbol, which the grammar refuses there."""


_PIECE = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<command>\\(?:[A-Za-z]+|.))"
    r"|(?P<number>\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<word>[A-Za-z]+)"
    r"|(?P<sign>[-+*/^_(){}\[\]|=<>,;!~−–×·π∞])",
    re.DOTALL,
)
_OPENING = re.compile(r"(?:\s|\\left|\\[bB]igg?l?|\\,|\\!)*[({\[^]")


def tokenize(latex: str, letters: Letters = Letters()) -> list[Token]:
    """The tokens of `latex`. Raises LatexError where there is one that is not known."""
    if len(latex) > MAX_CHARACTERS:
        raise LatexError("too long", f"{len(latex)} characters")
    return _Tokenizer(latex, letters).tokens()


class _Tokenizer:
    def __init__(self, latex: str, letters: Letters) -> None:
        self.latex = latex
        self.letters = letters
        self.at = 0
        self.found: list[Token] = []
        self.variants: dict[str, str] = {}

    def tokens(self) -> list[Token]:
        while self.at < len(self.latex):
            match = _PIECE.match(self.latex, self.at)
            if match is None:
                raise LatexError("unknown character", repr(self.latex[self.at]))
            start, self.at = self.at, match.end()
            if match["command"]:
                self._command(match["command"], start)
            elif match["number"]:
                if re.match(r"[eE][-+]?\d", self.latex[self.at :]):
                    raise LatexError("scientific notation", self._near(start))
                self._add("number", match["number"], start)
            elif match["word"]:
                self._word(match["word"], start)
            elif match["sign"]:
                text = names.SAME.get(match["sign"], match["sign"])
                if text != "~":
                    self._sign(text, start)
        return self.found

    def _add(self, kind: Kind, text: str, at: int) -> None:
        self.found.append(Token(kind, text, at))

    def _sign(self, text: str, at: int) -> None:
        self._add("command" if text.startswith("\\") else "sign", text, at)

    def _command(self, command: str, at: int) -> None:
        command = names.SAME.get(command, command)
        bare = command.removeprefix("\\")
        if command in names.LAYOUT:
            if command in ("\\left", "\\right") and self.latex[self.at :].lstrip().startswith("."):
                raise LatexError("invisible bracket", self._near(at))
        elif command in names.WRAPPERS:
            self._wrapped(at)
        elif bare in names.FUNCTIONS:
            self._function(bare, at)
        elif bare in names.GREEK:
            self._greek(bare, at)
        elif command == "\\pi":
            self._add("constant", "pi", at)
        elif command in names.PLAIN or command in names.RELATIONS or not command.startswith("\\"):
            self._sign(command, at)
        else:
            raise LatexError("unknown command", command)

    def _function(self, name: str, at: int) -> None:
        """A function; `\\log_{2}` with its base."""
        base = re.compile(r"\s*_\s*(?:\{\s*(\d+|e)\s*\}|(\d|e))").match(self.latex, self.at)
        if name == "log" and base is not None:
            self.at = base.end()
            digits = base[1] or base[2]
            name = "ln" if digits == "e" else f"log_{digits}"
        self._add("function", name, at)

    def _wrapped(self, at: int) -> None:
        """`\\mathrm{erf}` is the function, `\\mathrm{d}` the differential, `\\mathrm{e}` the number."""
        match = re.compile(r"\s*\{\s*([A-Za-z]+)\s*\}").match(self.latex, self.at)
        if match is None or not (match[1] in names.FUNCTIONS or match[1] in ("d", "e", "i")):
            raise LatexError("text or unit", self._near(at))
        self.at = match.end()
        if match[1] in ("e", "i"):
            self._add("constant", match[1], at)
            return
        self._add("function" if match[1] in names.FUNCTIONS else "differential", match[1], at)

    def _greek(self, bare: str, at: int) -> None:
        name = names.GREEK[bare]
        if (
            bare == "Gamma"
            and self.letters.gamma
            and name not in self.letters.declared
            and _OPENING.match(self.latex, self.at)
        ):
            self._add("function", bare, at)
            return
        if self.variants.setdefault(name, bare) != bare:
            raise LatexError("two spellings of one letter", f"\\{bare} and \\{self.variants[name]}")
        self._symbol(name, at)

    def _word(self, word: str, at: int) -> None:
        declared = self.letters.declared
        if word in declared:
            self._symbol(word, at)
        elif word in names.FUNCTIONS and len(word) > 1 and _OPENING.match(self.latex, self.at):
            self._add("function", word, at)
        elif word == "pi" and not declared & {"p", "i"}:
            self._add("constant", "pi", at)
        elif len(word) > LONGEST_PRODUCT or any(function in word for function in names.FUNCTIONS):
            raise LatexError("word", word)
        else:
            for offset, letter in enumerate(word[:-1]):
                self._letter(letter, at + offset, word[offset + 1 :])
            self._letter(word[-1], at + len(word) - 1, "")

    def _letter(self, letter: str, at: int, following: str) -> None:
        if letter in self.letters.declared:
            # A subscript belongs to the last letter of a run alone.
            self._symbol(letter, at) if not following else self._add("symbol", letter, at)
        elif letter == "d" and (following or re.match(r"\s*(?:\\[a-z]+|[a-zA-Z])", self.latex[self.at :])):
            self._add("differential", "d", at)
        elif letter == "e":
            self._constant("e", at, self.letters.euler, following)
        elif letter == "i":
            self._constant("i", at, self.letters.imaginary, following)
        elif following:
            self._add("symbol", letter, at)
        else:
            self._symbol(letter, at)

    def _constant(self, letter: str, at: int, allowed: bool, following: str) -> None:
        if not following and self.latex[self.at :].lstrip().startswith("_"):
            self._symbol(letter, at)
        elif allowed:
            self._add("constant", letter, at)
        else:
            raise LatexError("constant or symbol", letter)

    def _symbol(self, name: str, at: int) -> None:
        """A symbol, with the subscript that follows it: `x_{0}` is x_0, `F_{\\max}` is F_max."""
        match = re.compile(r"\s*_\s*(?:\{([^{}]*(?:\{[^{}]*\})?[^{}]*)\}|(\\[A-Za-z]+)|([A-Za-z0-9]))").match(
            self.latex, self.at
        )
        if match is not None:
            subscript = match[1] if match[1] is not None else match[2] or match[3]
            self.at = match.end()
            name = f"{name}_{_subscript(subscript)}"
        elif re.match(r"\s*_", self.latex[self.at :]):
            raise LatexError("subscript", self._near(at))
        if re.match(r"\s*(?:'|\^\s*\{?\s*(?:\\prime|\*|\\dagger))", self.latex[self.at :]):
            raise LatexError("prime or star", self._near(at))
        self._add("symbol", name, at)

    def _near(self, at: int) -> str:
        return repr(self.latex[at : at + 20])


def _subscript(text: str) -> str:
    plain = re.sub(r"\\(?:text|mathrm|rm|operatorname)\b\s*", "", text)
    plain = re.sub(r"\\([A-Za-z]+)", lambda m: names.GREEK.get(m[1], m[1]), plain)
    plain = re.sub(r"[{}\s]", "", plain).replace(",", "_")
    if not re.fullmatch(r"\w+", plain, re.ASCII):
        raise LatexError("subscript", repr(text))
    return plain


def declared_names(latex: Collection[str]) -> list[str]:
    """SymPy names of symbols that a set lists in LaTeX (`\\epsilon`, `K_0`). Raises LatexError."""
    found = []
    for text in latex:
        bare = text.strip().strip("$").strip()
        tokens = tokenize(bare, Letters(declared=frozenset({bare} if re.fullmatch("[A-Za-z]", bare) else ())))
        if len(tokens) != 1 or tokens[0].kind != "symbol":
            raise LatexError("not a symbol", text)
        found.append(tokens[0].text)
    return found
