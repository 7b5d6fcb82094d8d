"""The page: one file that asks nothing of any network and runs no script but its own.

Its Content-Security-Policy allows nothing by default, one script by its SHA-256, and inline styles (MathML
and plots place things by them). Data is JSON in script elements of other types, with every `<` escaped.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from math import isclose
from typing import Any

from markupsafe import Markup

from scientific_math_critpt_env.report.collecting import CHUNK_SAMPLES, Collected
from scientific_math_critpt_env.report.details import environment
from scientific_math_critpt_env.report.plots import (
    NARROW,
    SERIES,
    WIDE,
    by_weight,
    depth_plot,
    histogram,
    parts_plot,
    status_bar,
    token_plot,
)
from scientific_math_critpt_env.report.prose import code_css

POLICY = (
    "default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'"
)

DEPTH_NAMES = {**SERIES, "best_of_k": "best of k", "worst_of_k": "worst of k"}

PARTS = {"topics": "topic", "difficulties": "difficulty", "datasets": "data set"}


def page(collected: Collected, *, title: str, subtitle: str) -> str:
    """The report as HTML."""
    js = _script()
    digest = base64.b64encode(hashlib.sha256(js.encode()).digest()).decode()
    summary = collected.summary
    return str(
        environment()
        .get_template("report.html")
        .render(
            title=title,
            subtitle=subtitle,
            facts=collected.facts,
            summary=summary,
            deepest=_deepest(summary),
            depth_names=_shown_depths(summary),
            statuses=status_bar(summary["statuses"]),
            legend=by_weight(summary["statuses"]),
            depths=depth_plot(summary["k"]),
            figures=_figures(collected),
            policy=Markup(POLICY.format(digest=digest)),
            css=Markup(_style()),
            js=Markup(js),
            index=_data({"problems": collected.problems, "samples": collected.samples}),
            chunks=[Markup(chunk) for chunk in collected.chunks],
            percent=percent,
            version=version("scientific-math-critpt"),
        )
    )


def percent(value: float) -> str:
    """A share as people read it, with one decimal; "0%" and "100%" are exact."""
    return f"{value:.0%}" if value in (0, 1) else f"{value:.1%}"


def _script() -> str:
    return _text("report.js").replace("JSON_CHUNK", str(CHUNK_SAMPLES))


def _style() -> str:
    dark = code_css("dark", ':root[data-theme="dark"] .code')
    return "\n".join([_text("report.css"), code_css("light", ".code"), dark])


def _text(name: str) -> str:
    return (files("scientific_math_critpt_env.report") / "templates" / name).read_text(encoding="utf-8")


def _data(value: Any) -> Markup:
    """JSON that cannot end the element it stands in."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("&", "\\u0026"))


def _deepest(summary: dict[str, Any]) -> dict[str, Any] | None:
    """The largest k above 1 that at least half of the problems have."""
    for k, figures in reversed(summary["k"].items()):
        if int(k) > 1 and figures["problem_count"] * 2 >= summary["problem_count"]:
            return {"k": k, "figures": figures}
    return None


def _shown_depths(summary: dict[str, Any]) -> dict[str, str]:
    """Best and worst of k are pass@k and pass^k where every score is 0 or 1; then they are not repeated."""
    graded = [figures for figures in summary["k"].values() if figures["problem_count"]]
    repeated = all(
        isclose(figures[one], figures[other], abs_tol=1e-9)
        for figures in graded
        for one, other in (("best_of_k", "pass_at_k"), ("worst_of_k", "pass_hat_k"))
    )
    return dict(SERIES) if repeated else DEPTH_NAMES


def _figures(collected: Collected) -> list[dict[str, Any]]:
    """Figures below the table of k: {"title", "plot", "wide", "name" and "rows" of its table or None}.

    Those of half the page's width come in pairs; the last of an odd number takes the whole.
    """
    summary = collected.summary
    solved = [entry["correct"] / entry["graded"] for entry in collected.problems if entry["graded"]]
    lengths = [(row[5], row[2] == "correct") for row in collected.samples if row[5] is not None]
    drawers = [
        *(_part(summary[part], name) for part, name in PARTS.items()),
        _Figure("Problems by share of correct samples", partial(histogram, solved)),
        _Figure("Samples by output tokens, correct ones green", partial(token_plot, lengths)),
    ]
    found: list[dict[str, Any]] = []
    narrow = [figure for figure in drawers if not figure.wide and figure.draw(figure.title)]
    for figure in drawers:
        wide = figure.wide or (len(narrow) % 2 == 1 and figure is narrow[-1])
        plot = figure.draw(figure.title, width=WIDE if wide else NARROW)
        if plot:
            table = {"name": figure.name, "rows": figure.rows}
            found.append({"title": figure.title, "plot": plot, "wide": wide, **table})
    return found


@dataclass(frozen=True)
class _Figure:
    title: str
    draw: Callable[..., Markup]
    wide: bool = False
    name: str = ""
    rows: Mapping[str, Any] | None = None


def _part(rows: Mapping[str, Any], name: str) -> _Figure:
    draw = partial(parts_plot, rows, best_first=name == "topic")
    return _Figure(f"Accuracy by {name}", draw, name == "topic", name, rows)
