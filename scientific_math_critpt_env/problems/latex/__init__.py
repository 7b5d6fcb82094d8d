"""Golds in LaTeX to SymPy source, only where two independent grammars agree on every token.

Exported on first use: the grammar is light, the confined reader needs the sandbox.
"""

from __future__ import annotations

from scientific_math_critpt_env.problems.latex.boxes import last_box
from scientific_math_critpt_env.problems.latex.reader import Gold, LatexReader
from scientific_math_critpt_env.problems.latex.reading import Reading
from scientific_math_critpt_env.problems.latex.tokens import LatexError, declared_names

__all__ = ["Gold", "LatexError", "LatexReader", "Reading", "declared_names", "last_box"]
