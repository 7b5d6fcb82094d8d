"""Embeddings of prose, from whatever function the caller has; none is loaded by default.

An embedding can be moved by any text that is added, so the distance it gives is never used alone: the lesser
of it and the distance of words counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from importlib import import_module
from operator import mul
from typing import cast

from scientific_math_critpt_env.errors import ScientificMathError

Embedder = Callable[[Sequence[str]], Sequence[Sequence[float]]]
"""Texts in, one vector a text out, all of one length."""


def named_embedder(path: str) -> Embedder:
    """The function at `package.module:function`. Raises `ScientificMathError` where there is none."""
    module, _, name = path.partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ScientificMathError(f"embed: {path!r} is no package.module:function ({error})") from error
    return cast(Embedder, found)


def embedded(texts: Sequence[str], embed: Embedder) -> list[tuple[float, ...]]:
    """Vectors of length 1, () for a text without words. Raises `ScientificMathError` for a wrong embedder."""
    spoken = [text for text in texts if text]
    vectors = [tuple(float(part) for part in vector) for vector in embed(spoken)] if spoken else []
    if len(vectors) != len(spoken) or len({len(vector) for vector in vectors}) > 1:
        raise ScientificMathError("the embedder must return one vector a text, all of one length")
    unit = iter(vectors)
    return [_unit(next(unit)) if text else () for text in texts]


def cosine_distance(first: Sequence[float], second: Sequence[float]) -> float:
    """1 - cosine of unit vectors, within [0, 1]."""
    return min(1.0, max(0.0, 1.0 - sum(map(mul, first, second))))


def _unit(vector: tuple[float, ...]) -> tuple[float, ...]:
    length = math.hypot(*vector)
    if not math.isfinite(length):
        raise ScientificMathError("the embedder returned a vector that is not finite")
    return tuple(part / length for part in vector) if length else ()
