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
    def ballots(self) -> list[Ballot]:
        """What judges said, of the verdict row and of the sample's metadata.

        There it is "votes" (a list), "ballot" (with "votes" and "decision"), or ballots by question in
        "judges" and "stages", as environments with judges keep them. Each vote is as `judging.Vote`.
        """
        found = []
        for holder in (self.row, self.sample.metadata):
            named = [("", {"votes": holder.get("votes")}), ("", holder.get("ballot"))]
            for questions in (holder.get("judges"), holder.get("stages")):
                if isinstance(questions, Mapping):
                    named += [(str(name), told) for name, told in questions.items()]
            found += [ballot for name, told in named if (ballot := _ballot(name, told)) is not None]
        return found


@dataclass(frozen=True)
class Ballot:
    """The votes on one question."""

    question: str
    decision: str
    votes: Sequence[Mapping[str, Any]]


def _ballot(question: str, told: object) -> Ballot | None:
    votes = told.get("votes") if isinstance(told, Mapping) else None
    if not isinstance(votes, Sequence) or isinstance(votes, str) or not isinstance(told, Mapping):
        return None
    kept = [vote for vote in votes if isinstance(vote, Mapping)]
    return Ballot(question, str(told.get("decision") or ""), kept) if kept else None


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
