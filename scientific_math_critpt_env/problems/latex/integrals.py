r"""The parts of an integral: bounds, integrand up to the differential that belongs to it, variable.

\int_0^{x} e^{-t^2} \, dt        \int_1^{x} \frac{dt}{1 + t}        \int_0^{a} \int_0^{s} ... dt \, ds
"""

from __future__ import annotations

from collections.abc import Sequence

from scientific_math_critpt_env.problems.latex.tokens import LatexError, Token

_OPENERS, _CLOSERS = frozenset({"(", "[", "{", "\\{"}), frozenset({")", "]", "}", "\\}"})
_ONE = Token("number", "1")


def integral(
    tokens: Sequence[Token], start: int
) -> tuple[int, list[Token], list[Token], list[Token], list[Token]]:
    """The place behind the integral at `start`; the tokens of integrand, lower and upper bound, and variable.

    Raises LatexError where a bound or the differential is missing.
    """
    at = start + 1
    bounds: dict[str, list[Token]] = {}
    while at < len(tokens) and tokens[at].text in ("_", "^") and tokens[at].text not in bounds:
        end = _end_of_group(tokens, at + 1)
        bounds[tokens[at].text] = list(tokens[at + 2 : end - 1])
        at = end
    if len(bounds) != 2:
        raise LatexError("bounds of an integral")
    place = _differential(tokens, at)
    if place is not None:
        return place + 2, list(tokens[at:place]) or [_ONE], bounds["_"], bounds["^"], _variable(tokens, place)
    end, integrand, variable = _in_numerator(tokens, at)
    return end, integrand, bounds["_"], bounds["^"], variable


def _differential(tokens: Sequence[Token], start: int) -> int | None:
    """The place of the differential that closes the integral whose integrand starts at `start`."""
    depth = inner = 0
    for place in range(start, len(tokens)):
        token = tokens[place]
        depth += (token.text in _OPENERS) - (token.text in _CLOSERS)
        if depth < 0:
            break
        if depth == 0 and token.text == "\\int":
            inner += 1
        elif depth == 0 and token.kind == "differential":
            if inner == 0:
                return place
            inner -= 1
    return None


def _variable(tokens: Sequence[Token], differential: int) -> list[Token]:
    following = tokens[differential + 1 : differential + 2]
    if not following or following[0].kind != "symbol":
        raise LatexError("differential without a variable")
    return list(following)


def _in_numerator(tokens: Sequence[Token], start: int) -> tuple[int, list[Token], list[Token]]:
    r"""`\frac{dt}{1 + \sin t}` as the whole integrand: the place behind it, the fraction without dt, t."""
    if start >= len(tokens) or tokens[start].text != "\\frac":
        raise LatexError("integral without a differential")
    middle = _end_of_group(tokens, start + 1)
    places = [place for place in range(start, middle) if tokens[place].kind == "differential"]
    if len(places) != 1:
        raise LatexError("integral without a differential")
    end = _end_of_group(tokens, middle)
    numerator = [*tokens[start + 2 : places[0]], *tokens[places[0] + 2 : middle - 1]] or [_ONE]
    fraction = [*tokens[start : start + 2], *numerator, *tokens[middle - 1 : end]]
    return end, fraction, _variable(tokens, places[0])


def _end_of_group(tokens: Sequence[Token], start: int) -> int:
    """The place behind the braces that open at `start`."""
    depth = 0
    for end in range(start, len(tokens)):
        depth += (tokens[end].text == "{") - (tokens[end].text == "}")
        if depth == 0:
            return end + 1
    raise LatexError("unbalanced brackets")
