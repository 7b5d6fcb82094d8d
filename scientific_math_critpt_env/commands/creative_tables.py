"""What `creative evaluate` and `creative ratios` print of an evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scientific_math_critpt_env.creative.agreement import agreement, grader_agreement
from scientific_math_critpt_env.creative.dataset import Dataset
from scientific_math_critpt_env.creative.evaluations import load_evaluation
from scientific_math_critpt_env.creative.ratios import RATIOS, Rule, ratios

_SHORT = dict(zip(RATIOS, ("C", "N", "NU", "N/C", "NU/N"), strict=True))


def reports(
    evaluation: Path, dataset: Dataset, *, rule: Rule = "repository", seed: int = 0
) -> dict[str, Any]:
    """Ratios, agreement of judges, and of the grader with the jury where it was asked, as data."""
    samples = load_evaluation(evaluation, dataset)
    return {
        "rule": rule,
        **ratios(samples, rule, seed=seed),
        "agreement": agreement(samples, seed=seed),
        "grader": grader_agreement(samples, seed=seed),
    }


def ratio_lines(report: dict[str, Any]) -> list[str]:
    """The ratios in percent with two decimals, and the agreement."""
    counts = report["counts"]
    lines = [
        f"rule {report['rule']}: N {report['N']}, correct {counts['correct']}, coarse {counts['coarse']}, "
        f"fine {counts['fine']}"
    ]
    for name in RATIOS:
        interval = report["intervals"][name]
        spread = "" if interval is None else f"   [{interval['low']:.2%}, {interval['high']:.2%}]"
        lines.append(f"  {name:<26}{report['ratios'][name]:>8.2%}{spread}")
    undecided = sum(report["undecided"].values())
    if undecided:
        without = report["without_undecided"]
        told = ", ".join(f"{_SHORT[name]} {without['ratios'][name]:.2%}" for name in RATIOS)
        lines.append(f"undecided {report['undecided']}; without those samples (N {without['N']}): {told}")
    for stage, agreed in report["agreement"].items():
        if agreed["agreement"] is not None:
            kappa = "undefined" if agreed["fleiss"] is None else f"{agreed['fleiss']['point']:.3f}"
            lines.append(
                f"judges on {stage}: agreement {agreed['agreement']:.2%} over {agreed['items']} samples, "
                f"Fleiss' kappa {kappa}"
            )
    if report["grader"] is not None:
        lines.append(_grader_line(report["grader"]))
    return lines


def breakdown_lines(by: dict[str, Any]) -> list[str]:
    """One table a kind of sample."""
    lines = []
    for kind, groups in by.items():
        lines.append(f"by {kind.replace('_', ' ')}")
        for name, report in groups.items():
            cells = "  ".join(f"{_SHORT[ratio]} {report['ratios'][ratio]:>7.2%}" for ratio in RATIOS)
            lines.append(f"  {name:<16}N {report['N']:>4}  {cells}")
    return lines


def _grader_line(grader: dict[str, Any]) -> str:
    line = f"grader: decided {grader['decided']} of {grader['graded']} samples with a gold"
    if grader["agreement"] is None:
        return line
    kappa = "undefined" if grader["cohen"] is None else f"{grader['cohen']['point']:.3f}"
    return (
        f"{line}; agrees with the jury on {grader['agreement']:.2%} of {grader['decided_by_both']}, "
        f"Cohen's kappa {kappa}"
    )
