"""LaTeX as MathML Core, which browsers draw by themselves; what cannot be read stays LaTeX.

The converter's output is trusted only as far as `_TAGS` and `_ATTRIBUTES` go: mathematics, no links, no
handlers. Not covered: packages beyond amsmath and the like; links and pictures are no mathematics.
"""

from __future__ import annotations

import re
from functools import lru_cache

from markupsafe import Markup, escape
from math_core import LatexError, LatexToMathML

MAX_LATEX = 3_000
"""Characters of one formula. The converter is recursive: 1,000 nested scripts, the most that fit into 4,000
characters, are drawn; several thousand overflow its stack. The longest formula of our problems has 600."""

KEPT = 20_000
"""Formulas remembered: the samples of a problem repeat its own."""

_CONVERTER = LatexToMathML(fancy_error=False)

_NUMBERED = re.compile(r"\\(begin|end)\{(align|gather|equation|multline|eqnarray)\}")
"""Their numbers would all be (1), formula by formula."""

_TAG = re.compile(r"<(/?)([a-z]+)((?: [a-z]+=\"[^\"<>]*\")*)(/?)>")
_ATTRIBUTE = re.compile(r" ([a-z]+)=\"([^\"<>]*)\"")
_STYLE = re.compile(r"[a-z0-9 .:;%#-]*", re.IGNORECASE)

_TAGS = frozenset({
    "math", "maction", "menclose", "merror", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded",
    "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup",
    "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "none",
})  # fmt: skip
_ATTRIBUTES = frozenset({
    "accent", "accentunder", "class", "columnspan", "depth", "display", "displaystyle", "fence", "form",
    "height", "largeop", "linethickness", "lspace", "mathvariant", "maxsize", "minsize", "movablelimits",
    "notation", "rowspan", "rspace", "scriptlevel", "separator", "stretchy", "style", "symmetric",
    "voffset", "width",
})  # fmt: skip


def mathml(latex: str, *, display: bool = False) -> Markup:
    """The formula as MathML; as escaped LaTeX in `<code class="latex">` where it cannot be read."""
    drawn = _drawn(latex, display)
    if drawn is None:
        return Markup('<code class="latex">{}</code>').format(latex)
    return Markup(drawn)


def is_drawn(latex: str) -> bool:
    """Whether the formula can be read."""
    return _drawn(latex, False) is not None


@lru_cache(KEPT)
def _drawn(latex: str, display: bool) -> str | None:
    if not latex.strip() or len(latex) > MAX_LATEX:
        return None
    try:
        drawn: str = _CONVERTER.convert_with_local_state(
            _NUMBERED.sub(r"\\\1{\2*}", latex), displaystyle=display
        )
    except (LatexError, UnicodeEncodeError):  # not LaTeX; half a surrogate pair
        return None
    if not _is_harmless(drawn):
        return None
    return drawn.replace("<math", f'<math alttext="{escape(latex)}"', 1)


def _is_harmless(drawn: str) -> bool:
    """Whether nothing but allowed tags remains; text between them must be free of < and >."""
    for _, tag, attributes, _ in _TAG.findall(drawn):
        if tag not in _TAGS:
            return False
        for name, value in _ATTRIBUTE.findall(attributes):
            if name not in _ATTRIBUTES or (name == "style" and not _STYLE.fullmatch(value)):
                return False
    return not set("<>") & set(_TAG.sub("", drawn))
