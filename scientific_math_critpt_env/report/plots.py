"""Plots as SVG, drawn here and coloured by the page's style sheet; every mark has a title with its numbers.

Shares run from 0 to 1 upwards or to the right. Whiskers and bands are the summary's intervals.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

WIDE, NARROW = 1000, 490
"""User units, near the pixels that a plot of the whole or of half the page gets, so that texts look alike."""

SERIES = {
    "pass_at_k": "pass@k",
    "maj_at_k": "maj@k",
    "avg_at_k": "avg@k",
    "pass_hat_k": "pass^k",
}
"""What the depth plot shows, in drawing order; also the classes that the style sheet colours."""

MOST_ROWS = 40
"""Rows of a plot by topic; a run with more has them all in the table."""

MOST_LETTERS = 40
"""Of a row's name."""

TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def depth_plot(depths: Mapping[str, Mapping[str, Any]]) -> Markup:
    """The figures against k, with bands; empty where there are fewer than two depths. Wide."""
    ks = [k for k, figures in depths.items() if figures["problem_count"]]
    if len(ks) < 2:
        return Markup("")
    left, right, top, height = 52, 90, 12, 280
    step = (WIDE - left - right) / (len(ks) - 1)
    places = {k: left + step * index for index, k in enumerate(ks)}

    def y(value: float) -> float:
        return top + height * (1 - value)

    parts = [_line("grid", left, y(tick), WIDE - right, y(tick)) for tick in TICKS]
    parts += [_text("tick end", left - 8, y(tick) + 4, f"{tick:.0%}") for tick in TICKS]
    parts += [_text("tick middle", places[k], top + height + 22, f"k = {k}") for k in ks]
    ends = _spread([y(depths[ks[-1]][name]) for name in SERIES], 16)
    for place, (name, label) in enumerate(SERIES.items()):
        rows = [(places[k], depths[k][name], depths[k]["intervals"][name]) for k in ks]
        upper = [f"{x:.1f},{y(limits['high']):.1f}" for x, _, limits in rows]
        lower = [f"{x:.1f},{y(limits['low']):.1f}" for x, _, limits in reversed(rows)]
        line = " ".join(f"{x:.1f},{y(value):.1f}" for x, value, _ in rows)
        parts.append(_markup('<g class="series {}">', name))
        parts.append(_markup('<polygon class="band" points="{}"/>', " ".join(upper + lower)))
        parts.append(_markup('<polyline points="{}"/>', line))
        for k, (x, value, limits) in zip(ks, rows, strict=True):
            title = f"{label.replace('k', k)}: {_told(value, limits)}"
            parts.append(
                _markup(
                    '<circle cx="{:.1f}" cy="{:.1f}" r="4"><title>{}</title></circle>', x, y(value), title
                )
            )
        parts.append(_text("label", places[ks[-1]] + 12, ends[place] + 4, label))
        parts.append(Markup("</g>"))
    title = "pass@k, maj@k, avg@k and pass^k by number of samples"
    return _svg(WIDE, top + height + 32, title, parts)


def parts_plot(
    parts: Mapping[str, Mapping[str, Any]], title: str, *, width: int = WIDE, best_first: bool = False
) -> Markup:
    """Accuracy of each part with whiskers, in their order or best first; empty for fewer than two parts."""
    graded = {name: figures for name, figures in parts.items() if figures["accuracy"] is not None}
    if len(graded) < 2:
        return Markup("")
    rows = list(graded.items())
    if best_first:
        rows.sort(key=lambda row: -row[1]["accuracy"])
    rows = rows[:MOST_ROWS]
    longest = min(MOST_LETTERS, max(len(name) for name, _ in rows))
    left, right, line = 30 + 7 * longest, 56, 26
    height = line * len(rows)

    def x(value: float) -> float:
        return left + (width - left - right) * value

    drawn = [_line("grid", x(tick), 4, x(tick), height + 8) for tick in TICKS]
    drawn += [_text("tick middle", x(tick), height + 24, f"{tick:.0%}") for tick in TICKS]
    for index, (name, figures) in enumerate(rows):
        y = line * index + line / 2 + 6
        value, limits = figures["accuracy"], figures["intervals"]["accuracy"]
        told = f"{name}: {_told(value, limits)}, {figures['problem_count']} problems"
        drawn.append(_markup('<g class="part"><title>{}</title>', told))
        drawn.append(_text("row end", left - 12, y + 4, _cut(name)))
        drawn.append(_line("whisker", x(limits["low"]), y, x(limits["high"]), y))
        drawn.append(_markup('<circle cx="{:.1f}" cy="{:.1f}" r="5"/>', x(value), y))
        drawn.append(_text("value", width - right + 8, y + 4, f"{value:.0%}"))
        drawn.append(Markup("</g>"))
    return _svg(width, height + 34, title, drawn)


def status_bar(statuses: Mapping[str, Mapping[str, float]]) -> Markup:
    """One bar of all samples, by status; the correct ones first."""
    drawn, start = [], 0.0
    for status, found in by_weight(statuses):
        width = WIDE * found["rate"]
        told = f"{status}: {found['count']} ({found['rate']:.1%})"
        drawn.append(
            _markup(
                '<rect class="status s-{}" x="{:.2f}" y="0" width="{:.2f}" height="26">'
                "<title>{}</title></rect>",
                status,
                start,
                max(width, 0.5),
                told,
            )
        )
        start += width
    return _svg(WIDE, 26, "samples by status", drawn)


def by_weight(statuses: Mapping[str, Mapping[str, float]]) -> list[tuple[str, Mapping[str, float]]]:
    """Statuses as the bar shows them: "correct", then those with most samples."""
    return sorted(statuses.items(), key=lambda item: (item[0] != "correct", -item[1]["count"]))


def histogram(values: Sequence[float], title: str, *, width: int = NARROW, bins: int = 10) -> Markup:
    """How many problems have a share of correct samples in each tenth; 1 belongs to the last."""
    if not values:
        return Markup("")
    counts = [0] * bins
    for value in values:
        counts[min(int(value * bins), bins - 1)] += 1
    return _bars(
        [(f"{i / bins:.0%} to {(i + 1) / bins:.0%}", [("solved", count)]) for i, count in enumerate(counts)],
        [f"{i / bins:.0%}" if i % 2 == 0 else "" for i in range(bins)] + ["100%"],
        title,
        width,
    )


def token_plot(lengths: Sequence[tuple[int, bool]], title: str, *, width: int = NARROW) -> Markup:
    """Output tokens of samples, the correct ones below; lengths are pairs (tokens, is correct)."""
    most = max((tokens for tokens, _ in lengths), default=0)
    if not most:
        return Markup("")
    step = _round_step(most)
    counts = [[0, 0] for _ in range(most // step + 1)]
    for tokens, correct in lengths:
        counts[tokens // step][0 if correct else 1] += 1
    rows = [
        (f"{i * step:,} to {(i + 1) * step - 1:,} tokens", [("correct", yes), ("other", no)])
        for i, (yes, no) in enumerate(counts)
    ]
    every = max(1, len(counts) // 5)
    labels = [f"{i * step:,}" if i % every == 0 else "" for i in range(len(counts) + 1)]
    return _bars(rows, labels, title, width)


def _bars(
    rows: Sequence[tuple[str, list[tuple[str, int]]]], labels: Sequence[str], title: str, width: int
) -> Markup:
    left, top, height = 44, 14, 150
    step = (width - left - 20) / len(rows)
    most = max(sum(count for _, count in stack) for _, stack in rows) or 1
    drawn = [_line("grid", left, top + height, width - 20, top + height)]
    drawn += [
        _text("tick end", left - 8, top + 4, f"{most:,}"),
        _text("tick end", left - 8, top + height + 4, "0"),
    ]
    for index, (name, stack) in enumerate(rows):
        base = float(top + height)
        told = f"{name}: " + ", ".join(f"{count:,} {kind}" for kind, count in stack)
        drawn.append(_markup("<g><title>{}</title>", told))
        for kind, count in stack:
            tall = height * count / most
            base -= tall
            drawn.append(
                _markup(
                    '<rect class="bar b-{}" x="{:.1f}" y="{:.2f}" width="{:.1f}" height="{:.2f}"/>',
                    kind,
                    left + step * index + 1.5,
                    base,
                    step - 3,
                    tall,
                )
            )
        drawn.append(Markup("</g>"))
    drawn += [
        _text("tick middle", left + step * index, top + height + 20, label)
        for index, label in enumerate(labels)
        if label
    ]
    return _svg(width, top + height + 28, title, drawn)


def _cut(name: str) -> str:
    return name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


def _round_step(most: int) -> int:
    """A width of 1, 2 or 5 times a power of ten that cuts 0..most into 10 to 25 bars."""
    step = 1
    while most / step > 25:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return step


def _spread(places: Sequence[float], least: float) -> list[float]:
    """The places moved down so far that labels there do not cover each other."""
    found = list(places)
    before = float("-inf")
    for index in sorted(range(len(places)), key=lambda i: places[i]):
        found[index] = before = max(places[index], before + least)
    return found


def _told(value: float, limits: Mapping[str, Any]) -> str:
    return f"{value:.1%} ({limits['low']:.1%} to {limits['high']:.1%})"


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    return _markup('<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>', kind, x1, y1, x2, y2)


def _text(kind: str, x: float, y: float, text: str) -> Markup:
    return _markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>', kind, x, y, text)


def _markup(pattern: str, *values: object) -> Markup:
    return Markup(pattern).format(*values)


def _svg(width: int, height: float, title: str, parts: Sequence[Markup]) -> Markup:
    head = _markup('<svg viewBox="0 0 {} {:.0f}" role="img" aria-label="{}">', width, height, title)
    return Markup("").join([head, *parts, Markup("</svg>")])
