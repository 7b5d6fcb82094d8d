"""Equal answers by the grader's own equality, for maj@k: x*(x + 1) and x**2 + x vote together.

The values that samples returned, as they were printed, are compared with each other as answers are with a
gold: in the confined checker. Printed values hold names that a model chose, so only a plain expression is
taken: numbers, names, operators, containers, calls of SymPy's classes; no text but in containers, no
attributes, no keywords. Anything else, and all that the checker cannot decide, is told apart by its text.

    cluster = GradedEquality(grader, {problem uid: Problem, ...})
    summarise(rows, cluster=cluster)
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeGuard

import sympy
from sympy import Basic, MatrixBase

from scientific_math_critpt_env.grading.grader import Grader
from scientific_math_critpt_env.problems.schema import Problem
from scientific_math_critpt_env.statistics.clustering import CORRECT, Row, answer_text, by_text

COMPARED = 12
"""Distinct wrong answers of a problem that are compared, those with most votes: 66 comparisons at most, of
some hundredths of a second. An answer that few samples gave decides no vote."""

MAX_SOURCE = 4_000
"""Characters; the grader prints values with at most 2,000."""

PRINTED_FUNCTIONS = frozenset({"sqrt", "cbrt"})
"""Functions, not classes, that SymPy prints values with."""

INTERVALS = frozenset({"Interval.open", "Interval.Lopen", "Interval.Ropen"})
"""The only names with a dot that values print with."""

_NODES = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.UnaryOp, ast.USub, ast.UAdd, ast.Not, ast.Invert),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.BitAnd, ast.BitOr, ast.Call),
    *(
        ast.Tuple,
        ast.List,
        ast.Set,
        ast.Dict,
        ast.Compare,
        ast.Eq,
        ast.NotEq,
        ast.Lt,
        ast.LtE,
        ast.Gt,
        ast.GtE,
    ),
)


class GradedEquality:
    """A clustering (see `clustering.Clustering`) that asks a grader, which stays the caller's to close."""

    name = "the grader's equality"

    def __init__(self, grader: Grader, problems: Mapping[str, Problem]) -> None:
        """`problems` by "data set:problem id"; rows of others are told apart by text."""
        self._grader = grader
        self._problems = problems
        self._same: dict[str, dict[Hashable, Hashable]] = {}

    def prepare(self, groups: Iterable[Sequence[Row]]) -> None:
        """Compare the answers of many problems, whose rows come in groups, with all the grader's workers.

        Raises InfrastructureError where the grader fails.
        """
        asked = [
            _Asked(uid, self._problems[uid], rows) for rows in groups if (uid := _uid(rows)) in self._problems
        ]
        golds = [gold for one in asked for gold in one.golds.values()]
        unfit = {(bad.id, bad.answer_fn) for bad, _ in self._grader.check_golds(golds)}
        for one in asked:
            one.pending = [
                label for label, gold in one.golds.items() if (gold.id, gold.answer_fn) not in unfit
            ]
        while asked := [one for one in asked if len(one.pending) > 1]:
            pairs = [pair for one in asked for pair in one.pairs()]
            verdicts = iter(self._grader.grade_many(pairs, progress=sys.stderr.isatty()))
            for one in asked:
                one.settle([next(verdicts).status == "correct" for _ in one.pending[1:]])
                self._same.setdefault(one.uid, {}).update(one.same)

    def __call__(self, rows: Sequence[Row]) -> list[Hashable | None]:
        """The labels of one problem's rows. Raises InfrastructureError where the grader fails."""
        labels = by_text(rows)
        if not rows:
            return labels
        if _uid(rows) not in self._same:
            self.prepare([rows])
        same = self._same.setdefault(_uid(rows), {})
        return [same.get(label, label) for label in labels]


class _Asked:
    """The wrong answers of one problem: which are still to be compared, and which speak for which."""

    def __init__(self, uid: str, problem: Problem, rows: Sequence[Row]) -> None:
        labels = by_text(rows)
        texts = {label: answer_text(row) or "" for label, row in zip(labels, rows, strict=True)}
        votes = Counter(label for label in labels if label not in (None, CORRECT))
        most = [label for label, _ in votes.most_common(COMPARED)]
        self.uid = uid
        self.golds = {label: _as_gold(problem, uid, texts[label]) for label in most if is_plain(texts[label])}
        self.pending: list[Hashable] = []
        self.same: dict[Hashable, Hashable] = {}
        self._answers = {label: _as_completion(problem, texts[label]) for label in self.golds}

    def pairs(self) -> list[tuple[Problem, str]]:
        """The first answer, as a gold, with each of the others."""
        return [(self.golds[self.pending[0]], self._answers[label]) for label in self.pending[1:]]

    def settle(self, equal: Sequence[bool]) -> None:
        """Take in which of the others equal the first; go on with the rest."""
        first, others = self.pending[0], self.pending[1:]
        self.same |= {label: first for label, yes in zip(others, equal, strict=True) if yes}
        self.pending = [label for label, yes in zip(others, equal, strict=True) if not yes]


def _uid(rows: Sequence[Row]) -> str:
    return f"{rows[0]['dataset']}:{rows[0]['problem_id']}" if rows else ""


def is_plain(text: str) -> bool:
    """Whether the printed value is an expression that can be given to the checker as it stands."""
    if len(text) > MAX_SOURCE:
        return False
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return _is_plain(tree, False)


def _is_plain(node: ast.AST, in_call: bool) -> bool:
    if not isinstance(node, _NODES):
        return False
    if isinstance(node, ast.Constant):
        # SymPy's classes evaluate the texts they are given; in a list or as a key a text is only a text.
        return isinstance(node.value, bool | int | float) or (isinstance(node.value, str) and not in_call)
    if isinstance(node, ast.Name):
        return not node.id.startswith("_")
    if isinstance(node, ast.Call):
        known = ast.unparse(node.func) in INTERVALS or (_is_name(node.func) and _is_callable(node.func.id))
        return known and not node.keywords and all(_is_plain(argument, True) for argument in node.args)
    inside = in_call or isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare)
    return all(_is_plain(child, inside) for child in ast.iter_child_nodes(node))


def _is_callable(name: str) -> bool:
    """SymPy's classes of mathematics, its few functions that values print as, and names it does not know."""
    known = getattr(sympy, name, None)
    if known is None:
        return not hasattr(builtins, name)
    return name in PRINTED_FUNCTIONS or (isinstance(known, type) and issubclass(known, Basic | MatrixBase))


def _as_gold(problem: Problem, uid: str, text: str) -> Problem:
    """The value as the gold of a problem with the same symbols and tolerances."""
    return Problem(
        id=uid,
        prompt=problem.prompt,
        answer_fn=text,
        symbols=problem.symbols,
        rtol=problem.rtol,
        atol=problem.atol,
        unordered=problem.unordered,
        up_to=problem.up_to,
        float_answers="accept",
    )


def _as_completion(problem: Problem, text: str) -> str:
    """A completion whose code returns the value; whole numbers stay exact."""
    tree = ast.parse(text, mode="eval")
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_name(node.func)}
    names = sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)})
    lines = []
    for name in names:
        if name in problem.symbols:
            lines.append(f"{name} = Symbol({name!r}, **{dict(problem.symbols[name])!r})")
        elif name in called and not hasattr(sympy, name):
            lines.append(f"{name} = Function({name!r})")
        elif name not in called and not isinstance(getattr(sympy, name, None), Basic):
            lines.append(f"{name} = Symbol({name!r})")
    value = ast.unparse(ast.fix_missing_locations(_Exact().visit(tree)))
    code = "\n".join(["from sympy import *", *lines, "def model_answer():", f"    return {value}"])
    return f"```python\n{code}\n```"


def _is_name(node: ast.expr) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


class _Exact(ast.NodeTransformer):
    """Whole numbers as SymPy's, so that 1/3 is a third."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, int) and not isinstance(node.value, bool):
            return ast.Call(ast.Name("Integer", ast.Load()), [node], [])
        return node
