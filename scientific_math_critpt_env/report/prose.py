"""Text of problems and models as HTML: mathematics drawn, code coloured, everything else escaped.

Covered: `$...$`, `$$...$$`, `\\(...\\)`, `\\[...\\]`, bare amsmath environments; fenced code; of Markdown the
headings, bold and inline code. Lines stay as they are. Not covered: other Markdown, and HTML, shown as text.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from scientific_math_critpt_env.report.mathematics import mathml

SHOWN_CHARACTERS = 24_000
"""Of a text; of a longer one the start and the end are shown, for that is where the answer is."""

COLOURED_CHARACTERS = 12_000
"""Of code; colouring takes about a millisecond for a thousand characters."""

_FENCE = re.compile(r"^```[ \t]*([\w+-]*)[^\n]*\n(.*?)(?:^```[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
# No formula is longer than `MAX_LATEX`: without a bound, twelve thousand openings and no end would be a
# hundred million steps.
_MATH = re.compile(
    r"\$\$(?P<display>[^$]+?)\$\$"
    r"|\\\[(?P<bracket>.{1,3000}?)\\\]"
    r"|(?P<environment>\\begin\{(?P<kind>align|equation|gather|multline|eqnarray)(?P<star>\*?)\}"
    r".{1,3000}?\\end\{(?P=kind)(?P=star)\})"
    r"|\\\((?P<paren>.{1,3000}?)\\\)"
    # As pandoc has it: no space inside the dollars, no digit behind, so that "$5 and $6" are prices.
    r"|(?<![\\$\w])\$(?P<inline>[^\s$](?:(?:[^$\\]|\\.)*?[^\s$\\])?)\$(?![\d$])",
    re.DOTALL,
)
_MARKS = re.compile(r"\*\*(?P<bold>[^*\n]+)\*\*|`(?P<code>[^`\n]+)`|^#{1,6} (?P<heading>.+)$", re.MULTILINE)

PYTHON = ("", "python", "py", "python3")
"""How fences name it, or leave it out."""

_LEXER = PythonLexer()
_FORMATTER = HtmlFormatter(nowrap=True)

CODE_STYLES = {"light": "default", "dark": "github-dark"}
"""Pygments' styles for the two colour schemes."""


def prose(text: str) -> Markup:
    """The text as HTML, for an element that keeps white space."""
    text = shortened(text)
    parts, end = [], 0
    for fence in _FENCE.finditer(text):
        parts.append(_with_mathematics(text[end : fence.start()]))
        parts.append(coloured(fence[2], fence[1]))
        end = fence.end()
    parts.append(_with_mathematics(text[end:]))
    return Markup("").join(parts)


def coloured(code: str, language: str = "python") -> Markup:
    """The code in a `<pre>`, coloured where it is Python, as every answer is."""
    if language.lower() not in PYTHON or len(code) > COLOURED_CHARACTERS:
        return Markup("<pre class=code><code>{}</code></pre>").format(code)
    # Pygments escapes what it wraps.
    return Markup(f"<pre class=code><code>{highlight(code, _LEXER, _FORMATTER)}</code></pre>")


def shortened(text: str, limit: int = SHOWN_CHARACTERS) -> str:
    """The text, or its start and end with a note of how much is between."""
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n\n[… {len(text) - 2 * half:,} characters are not shown …]\n\n{text[-half:]}"


def code_css(scheme: str, selector: str) -> str:
    """The rules for coloured code of one colour scheme, below the selector."""
    rules: str = HtmlFormatter(style=CODE_STYLES[scheme]).get_style_defs(selector)
    kept = [line for line in rules.splitlines() if line.startswith(f"{selector} .")]
    return "\n".join(re.sub(r" */\*.*?\*/", "", line) for line in kept)


def _with_mathematics(text: str) -> Markup:
    parts, end = [], 0
    for found in _MATH.finditer(text):
        groups = found.groupdict()
        display = groups["display"] or groups["bracket"] or groups["environment"]
        latex = display or groups["paren"] or groups["inline"]
        before = text[end : found.start()]
        # A displayed formula has lines of its own: the line ends around it would be drawn as well.
        parts.append(_marked(before.rstrip(" \n") if display else before))
        parts.append(mathml(latex.strip(), display=display is not None))
        end = found.end()
        if display:
            end += len(text[end:]) - len(text[end:].lstrip(" \n"))
    parts.append(_marked(text[end:]))
    return Markup("").join(parts)


def _marked(text: str) -> Markup:
    parts, end = [], 0
    for found in _MARKS.finditer(text):
        parts.append(escape(text[end : found.start()]))
        tag, inside = next((name, value) for name, value in found.groupdict().items() if value is not None)
        element = {"bold": "strong", "code": "code", "heading": "h5"}[tag]
        parts.append(Markup(f"<{element}>{{}}</{element}>").format(inside))
        end = found.end()
    parts.append(escape(text[end:]))
    return Markup("").join(parts)
