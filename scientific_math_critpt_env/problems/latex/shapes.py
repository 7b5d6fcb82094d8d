r"""What a gold is made of: one expression, or several in a tuple, list, set, interval or equation.

y(x) \approx e^{-x}         the expression behind the relation
(-\infty, 1] \cup [10, 12)  a union of two intervals
2, 3                        a set, where the caller says that several answers are asked
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from scientific_math_critpt_env.problems.latex import names
from scientific_math_critpt_env.problems.latex.reading import Shape
from scientific_math_critpt_env.problems.latex.tokens import LatexError, Token

Convert = Callable[[Sequence[Token]], str]
"""Source of one expression, read twice."""

_OPENERS, _CLOSERS = ("(", "[", "{", "\\{"), (")", "]", "}", "\\}")


def shaped(tokens: Sequence[Token], shape: Shape, convert: Convert) -> str:
    """Source of the whole gold. Raises LatexError where it is not of that shape."""
    if shape == "equation":
        return _equation(tokens, convert)
    right = _right_side(tokens)
    if shape == "expression":
        return convert(_unboxed(right))
    if shape == "interval":
        return _interval(right, convert)
    if shape == "set":
        return _braced(_parts(_without(_without(right, "\\{", "\\}"), "[", "]"), convert), "{", "}")
    opener, closer = ("(", ")") if shape == "tuple" else ("[", "]")
    sources = _parts(_without(_without(right, opener, closer), "(", ")"), convert)
    return _braced(sources, opener, closer)


def _right_side(tokens: Sequence[Token]) -> Sequence[Token]:
    """What stands behind `y(x) =`, or all of it where there is no relation."""
    places = list(_at_top(tokens, *names.RELATIONS))
    if not places:
        return tokens
    if len(places) > 1:
        raise LatexError("several relations")
    relation = tokens[places[0]].text
    if names.RELATIONS[relation] not in "=~":
        raise LatexError("inequality", relation)
    if not _is_a_name(tokens[: places[0]]):
        raise LatexError("equation", "its left side is no name")
    return tokens[places[0] + 1 :]


def _is_a_name(tokens: Sequence[Token]) -> bool:
    """`y`, `y(x)`, `u(x, t)`, `\\Delta y`; or an integral, which a question asks to be approximated."""
    if not tokens:
        return False
    if len(tokens) == 2 and tokens[0].text in ("Delta", "delta"):
        return tokens[1].kind == "symbol"
    if tokens[0].text == "\\int":
        return True
    if tokens[0].kind not in ("symbol", "function"):
        return False
    rest = tokens[1:]
    return not rest or (rest[0].text == "(" and rest[-1].text == ")" and len(list(_groups(rest))) == 1)


def _groups(tokens: Sequence[Token]) -> Iterator[int]:
    """The places at which a bracket of the outermost level closes."""
    depth = 0
    for place, token in enumerate(tokens):
        depth += (token.text in _OPENERS) - (token.text in _CLOSERS)
        if depth == 0:
            yield place


def _at_top(tokens: Sequence[Token], *texts: str) -> Iterator[int]:
    depth = 0
    for place, token in enumerate(tokens):
        if token.text in _OPENERS:
            depth += 1
        elif token.text in _CLOSERS:
            depth -= 1
        elif depth == 0 and token.kind in ("sign", "command") and token.text in texts:
            yield place
    if depth:
        raise LatexError("unbalanced brackets")


def _unboxed(tokens: Sequence[Token]) -> Sequence[Token]:
    if list(_at_top(tokens, ",", ";", "\\pm", "\\cup")):
        raise LatexError("several answers")
    return tokens


def _without(tokens: Sequence[Token], opener: str, closer: str) -> Sequence[Token]:
    """The inside of one pair of brackets around everything, or the tokens as they are."""
    ends = len(tokens) >= 2 and tokens[0].text == opener and tokens[-1].text == closer
    return tokens[1:-1] if ends and next(_groups(tokens)) == len(tokens) - 1 else tokens


def _parts(tokens: Sequence[Token], convert: Convert) -> list[str]:
    places = [-1, *_at_top(tokens, ",", ";"), len(tokens)]
    return [convert(tokens[a + 1 : b]) for a, b in pairwise(places)]


def _braced(sources: Sequence[str], opener: str, closer: str) -> str:
    trailing = "," if opener == "(" and len(sources) == 1 else ""
    return f"{opener}{', '.join(sources)}{trailing}{closer}"


def _equation(tokens: Sequence[Token], convert: Convert) -> str:
    places = list(_at_top(tokens, "="))
    if len(places) != 1 or len(list(_at_top(tokens, *names.RELATIONS))) != 1:
        raise LatexError("equation", "exactly one = is wanted")
    return f"Eq({convert(tokens[: places[0]])}, {convert(tokens[places[0] + 1 :])}, evaluate=False)"


def _interval(tokens: Sequence[Token], convert: Convert) -> str:
    pieces = list(_pieces(tokens))
    sources = [_one_interval(piece, convert) for piece in pieces]
    return sources[0] if len(sources) == 1 else f"Union({', '.join(sources)})"


def _pieces(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    start = 0
    for place, token in enumerate(tokens):
        if token.text == "\\cup":
            yield tokens[start:place]
            start = place + 1
    yield tokens[start:]


def _one_interval(tokens: Sequence[Token], convert: Convert) -> str:
    if len(tokens) < 5 or tokens[0].text not in ("(", "[") or tokens[-1].text not in (")", "]"):
        raise LatexError("interval", "its brackets are missing")
    inside = tokens[1:-1]
    commas = list(_at_top(inside, ","))
    if len(commas) != 1:
        raise LatexError("interval", "two ends are wanted")
    ends = [convert(inside[: commas[0]]), convert(inside[commas[0] + 1 :])]
    return f"Interval({ends[0]}, {ends[1]}, {tokens[0].text == '('}, {tokens[-1].text == ')'})"
