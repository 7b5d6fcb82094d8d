"""Plots: well-formed, with the numbers in their titles, empty where there is nothing to show."""

from xml.etree import ElementTree

import pytest

from scientific_math_critpt_env.report.plots import (
    depth_plot,
    histogram,
    parts_plot,
    status_bar,
    token_plot,
)
from scientific_math_critpt_env.statistics.summary import summarise
from tests.statistics.test_summary import case_rows, row

SUMMARY = summarise(
    [*case_rows(topic="series <b>"), row("E", 0, 1, topic="fourier")], ks=[1, 2, 8], resamples=50
)


def titles(plot):
    return [title.text for title in ElementTree.fromstring(plot).iter("title")]


def test_depths():
    found = titles(depth_plot(SUMMARY["k"]))
    assert len(found) == 4 * 2  # k = 8 has no problem
    assert any(title.startswith("pass@2: 58.3%") for title in found)
    assert depth_plot({"1": SUMMARY["k"]["1"]}) == ""


def test_parts():
    found = titles(parts_plot(SUMMARY["topics"], "by topic", best_first=True))
    assert found[0].startswith("fourier: 100.0%")
    assert found[1].startswith("series <b>: 35.7%")
    assert parts_plot({"one": SUMMARY}, "one") == ""


def test_statuses_fill_the_bar():
    plot = status_bar(SUMMARY["statuses"])
    widths = [float(rect.get("width")) for rect in ElementTree.fromstring(plot)]
    assert sum(widths) == pytest.approx(1000, abs=1)
    assert titles(plot)[0].startswith("correct: 6 ")


def test_histogram():
    assert titles(histogram([0, 0.05, 0.95, 1.0], "t"))[9] == "90% to 100%: 2 solved"
    assert histogram([], "t") == ""


@pytest.mark.parametrize("most", [1, 7, 99, 4096, 130_000])
def test_tokens(most):
    found = titles(token_plot([(0, True), (most, False), (most // 2, True)], "t"))
    assert 2 <= len(found) <= 26
    assert found[-1].endswith("0 correct, 1 other" if most > 1 else "1 other")
    assert token_plot([], "t") == token_plot([(0, True)], "t") == ""
