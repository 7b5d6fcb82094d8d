"""The HTML of one problem and of one sample, as the page shows it when it is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from scientific_math_critpt_env.report.expressions import latex_of
from scientific_math_critpt_env.report.mathematics import is_drawn, mathml
from scientific_math_critpt_env.report.prose import coloured, prose, shortened
from scientific_math_critpt_env.runs.samples import Sample

CODE_RULE = "last_code_block"
"""The extraction rule of contracts whose candidate is code, not an answer in LaTeX."""

SHOWN_VALUE = 2_000
"""Characters of a printed value."""


@dataclass(frozen=True)
class Detail:
    """A sample and its verdict row, with what the templates ask of them."""

    sample: Sample
    row: Mapping[str, Any]

    @property
    def is_code(self) -> bool:
        """Whether the candidate is a program."""
        return bool(self.row.get("extraction_rule") == CODE_RULE)

    @property
    def answer(self) -> Markup:
        """The answer drawn: the candidate's LaTeX, or the value that the code returned."""
        if not self.is_code and self.row.get("candidate_text"):
            return drawn_latex(self.row["candidate_text"])
        return drawn_value(self.row.get("normalized_prediction") or "")

    @property
    def gold(self) -> Markup:
        """The gold drawn: of a problem row its LaTeX where it has one, else its value."""
        problem = self.sample.metadata.get("problem_row")
        if not isinstance(problem, Mapping):
            return drawn_latex(self.sample.gold_answer)
        final = problem.get("final_answer")
        if isinstance(final, str) and is_drawn(final.strip().strip("$")):
            return drawn_latex(final)
        return drawn_value(self.sample.gold_answer)

    @property
    def votes(self) -> Sequence[Mapping[str, Any]]:
        """Votes of judges, of the verdict row or of the sample's metadata; each as `judging.Vote`."""
        for holder in (self.row, self.sample.metadata):
            votes = holder.get("votes")
            if votes is None and isinstance(holder.get("ballot"), Mapping):
                votes = holder["ballot"].get("votes")
            if isinstance(votes, Sequence) and not isinstance(votes, str):
                return [vote for vote in votes if isinstance(vote, Mapping)]
        return []


def problem_html(detail: Detail) -> str:
    """The problem's statement."""
    return _template("problem.html").render(detail=detail)


def sample_html(detail: Detail) -> str:
    """Answer, gold, verdict, votes, code and text of one sample."""
    return _template("sample.html").render(detail=detail, sample=detail.sample, row=detail.row)


@lru_cache(20_000)
def drawn_value(text: str) -> Markup:
    """A printed value as mathematics; as it is printed where it cannot be read."""
    latex = latex_of(text) if text else None
    if latex is None or not is_drawn(latex):
        return Markup("<code>{}</code>").format(shortened(text, SHOWN_VALUE)) if text else Markup("")
    return mathml(latex, display=True)


def drawn_latex(text: str) -> Markup:
    """An answer in LaTeX as mathematics."""
    return mathml(text.strip().strip("$").strip(), display=True)


@cache
def environment() -> Environment:
    """The templates; everything that is not Markup is escaped, and an unknown name is an error."""
    found = Environment(
        loader=PackageLoader("scientific_math_critpt_env.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"prose": prose, "coloured": coloured, "shortened": shortened, "value": drawn_value}
    return found


@cache
def _template(name: str) -> Any:
    return environment().get_template(name)
