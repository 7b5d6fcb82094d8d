"""From drafts to problems: golds converted, values checked, prompts completed, duplicates found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from pydantic import ValidationError

from scientific_math_critpt_env.problems.defects import row_defects
from scientific_math_critpt_env.problems.importers.asking import listed_symbols
from scientific_math_critpt_env.problems.importers.draft import Check, Draft, Imported, LeftOut, left_out
from scientific_math_critpt_env.problems.latex import Gold, LatexError
from scientific_math_critpt_env.problems.latex.reader import LatexReader
from scientific_math_critpt_env.problems.schema import Problem


def problems(
    drafts: Iterable[Draft | LeftOut],
    reader: LatexReader,
    workers: int,
    done: Callable[[], object] = lambda: None,
) -> list[Imported | LeftOut]:
    """Every draft as a problem, or the reason why it is none, in order; `done` is called after each."""

    def finish(draft: Draft | LeftOut) -> Imported | LeftOut:
        finished = draft if isinstance(draft, LeftOut) else _finished(draft, reader)
        done()
        return finished

    with ThreadPoolExecutor(max_workers=workers) as pool:
        finished = list(pool.map(finish, list(drafts)))
    return list(_without_duplicates(finished))


def _finished(draft: Draft, reader: LatexReader) -> Imported | LeftOut:
    golds: list[Gold] = []
    try:
        for index, latex in enumerate(draft.golds):
            checks = [check for check in draft.checks if check.gold == index]
            golds.append(reader.convert(latex, draft.reading, [check.at for check in checks]))
            for check, values in zip(checks, golds[-1].values, strict=True):
                difference = _difference(check, values)
                if difference:
                    return left_out(draft, "not the value the set states", difference)
    except LatexError as error:
        return left_out(draft, error.kind, error.detail)
    fields: dict[str, Any] = dict(draft.fields)
    symbols = {name: dict(given) for name, given in draft.reading.symbols.items()} if golds else {}
    for gold in golds:
        for name in gold.symbols:
            if name not in symbols:
                if draft.reading.others is None:
                    return left_out(draft, "undeclared symbol", name)
                symbols[name] = dict(draft.reading.others)
    if golds:
        fields["answer_fn"] = draft.form.format(*(gold.source for gold in golds))
        fields["symbols"] = {**fields.get("symbols", {}), **symbols}
    if draft.ask:
        ask = draft.ask.format(symbols=listed_symbols(fields.get("symbols", {})))
        fields["prompt"] = f"{fields['prompt'].strip()}\n\n{ask}"
    try:
        problem = Problem.model_validate(fields).at(draft.where)
    except ValidationError as error:
        return left_out(draft, "no valid row", "; ".join(row_defects(draft.where, error)))
    return Imported(problem=problem, codes=draft.codes, sources=tuple(_read_also(draft, problem, reader)))


def _read_also(draft: Draft, problem: Problem, reader: LatexReader) -> Iterator[str]:
    """The set's other statements of the answer, those that can be read in the problem's own symbols."""
    for latex in draft.also:
        try:
            gold = reader.convert(latex, draft.reading)
        except LatexError:
            continue  # the gold does not rest on it
        if set(gold.symbols) <= {*problem.symbols, *problem.parameters}:
            yield gold.source


def _difference(check: Check, values: tuple[complex, ...]) -> str:
    """Where the gold does not have the stated values, in any order; "" where it has."""
    point = ", ".join(f"{name} = {value:g}" for name, value in check.at.items())
    if len(values) != len(check.values):
        return f"at {point}: {len(values)} values, {len(check.values)} are stated"
    rest = list(values)
    for stated in check.values:
        nearest = min(rest, key=lambda value: abs(value - stated))
        if abs(nearest - stated) > max(check.atol, check.rtol * abs(stated)):
            return f"at {point}: {nearest:.6g}, stated is {stated:.6g}"
        rest.remove(nearest)
    return ""


def _without_duplicates(found: list[Imported | LeftOut]) -> Iterator[Imported | LeftOut]:
    """Of rows with one prompt the first is kept; none where their golds differ."""
    golds: dict[str, set[str]] = {}
    ids: set[str] = set()
    for each in found:
        if isinstance(each, Imported):
            golds.setdefault(each.problem.prompt, set()).add(each.problem.answer_fn)
    seen: set[str] = set()
    for each in found:
        if isinstance(each, LeftOut):
            yield each
            continue
        problem = each.problem
        reason = ""
        if len(golds[problem.prompt]) > 1:
            reason = "one question, several golds"
        elif problem.prompt in seen:
            reason = "duplicate"
        elif problem.id in ids:
            reason = "id taken"
        if reason:
            yield LeftOut(where=problem.where, id=problem.id, reason=reason)
            continue
        seen.add(problem.prompt)
        ids.add(problem.id)
        yield each
