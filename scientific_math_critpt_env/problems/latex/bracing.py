"""Braces around every argument that TeX takes without them, for both grammars."""

from __future__ import annotations

from typing import ClassVar

from scientific_math_critpt_env.problems.latex.tokens import LatexError, Token


def braced(tokens: list[Token]) -> list[Token]:
    """The same tokens with braces around every argument that TeX takes without them.

    `\\frac12` is `\\frac{1}{2}`, `x^10` is `x^{1}0`, `a^\\frac{1}{2}` is `a^{\\frac{1}{2}}`.
    Raises LatexError.
    """
    return _Bracing(list(tokens)).all()


class _Bracing:
    ARGUMENTS: ClassVar = {"\\frac": 2, "\\binom": 2, "\\sqrt": 1, "^": 1, "_": 1}

    def __init__(self, tokens: list[Token]) -> None:
        self.rest = tokens[::-1]

    def all(self) -> list[Token]:
        found: list[Token] = []
        while self.rest:
            found += self._construct()
        return found

    def _construct(self) -> list[Token]:
        """The next token with its arguments, if it takes any."""
        if not self.rest:
            raise LatexError("argument missing")
        token = self.rest.pop()
        found = [token]
        if token.kind not in ("command", "sign") or token.text not in self.ARGUMENTS:
            return found
        if token.text == "\\sqrt" and self.rest and self.rest[-1].text == "[":
            while found[-1].text != "]":
                found += self._construct()
        for _ in range(self.ARGUMENTS[token.text]):
            found += self._argument(token)
        return found

    def _argument(self, taker: Token) -> list[Token]:
        if not self.rest:
            raise LatexError("argument missing", f"after {taker.text}")
        first = self.rest[-1]
        if first.text == "{":
            return self._group()
        if first.kind == "number" and len(first.text) > 1:
            if "." in first.text:
                raise LatexError("argument without braces", first.text)
            self.rest[-1] = Token("number", first.text[1:], first.at + 1)
            content = [Token("number", first.text[0], first.at)]
        elif first.kind in ("number", "symbol", "constant") or first.text in ("\\frac", "\\sqrt", "\\infty"):
            content = self._construct()
        else:
            raise LatexError("argument without braces", first.text)
        return [Token("sign", "{", first.at), *content, Token("sign", "}", first.at)]

    def _group(self) -> list[Token]:
        found = [self.rest.pop()]
        while not self.rest or self.rest[-1].text != "}":
            if not self.rest:
                raise LatexError("unbalanced brackets")
            found += self._group() if self.rest[-1].text == "{" else self._construct()
        return [*found, self.rest.pop()]
