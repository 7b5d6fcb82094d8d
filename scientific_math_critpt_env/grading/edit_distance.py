"""The expression edit distance (EED) score of PHYBench: how near a wrong expression is to the gold.

A metric to report beside a verdict, never a reward: a wrong sign alone still scores about one half.
Definition (arXiv:2504.16074): both sides as trees of operators, functions, symbols and numbers; the least
cost of inserting, deleting and renaming nodes (1 each; a whole subtree of s > 5 nodes at once costs
5 + 0.6*(s - 5)), divided by the number of nodes of the gold's tree: r. The score is 100 for r = 0, else
60 - 100*r, not below 0; here divided by 100.
Differs from the original: neither side is simplified, because that has no bound on its time, so an equal
answer in another form scores below 1; compare first. Operands of sums and products are put in one order.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Add, Basic, MatrixBase, Mul, Symbol, default_sort_key
from sympy.core.function import AppliedUndef

from scientific_math_critpt_env.grading.equality.scalars import as_scalar
from scientific_math_critpt_env.grading.names import canonical

NEAR = 0.6
"""Where the score of unequal expressions begins; also the share that each node of a large subtree costs."""

WHOLE_PRICE_NODES = 5
"""Nodes of a subtree that cost 1 each when it is inserted or deleted as a whole."""

MOST_NODES = 1_000
"""Of one tree, shared parts counted as often as they occur; golds of public sets have under 300."""

MOST_STEPS = 400_000
"""Entries of all tables of distances, known beforehand: about half a second."""


def expression_edit_score(gold: object, answer: object) -> float | None:
    """The score, 0..1, of an answer; None for what is no expression and for trees above the limits.

    Both are SymPy objects or Python numbers, as `evaluate_gold` and decoded answers are. Not symmetric: the
    distance is relative to the gold's size.
    """
    trees = _tree(gold), _tree(answer)
    if trees[0] is None or trees[1] is None:
        return None
    distance = tree_edit_distance(trees[0], trees[1])
    if distance is None:
        return None
    return 1.0 if distance == 0 else max(0.0, NEAR - distance / len(trees[0].labels))


@dataclass(frozen=True, slots=True)
class Tree:
    """An ordered tree, its nodes numbered children first, from left to right."""

    labels: list[str]
    leftmost: list[int]
    """For each node the number of the leftmost leaf below it; its subtree is leftmost..node."""

    def size(self, node: int) -> int:
        """Nodes of the subtree of `node`."""
        return node - self.leftmost[node] + 1

    def keyroots(self) -> list[int]:
        """The last node for each leftmost leaf: the subtrees that need a table of their own."""
        return sorted({leaf: node for node, leaf in enumerate(self.leftmost)}.values())


def tree_edit_distance(first: Tree, second: Tree) -> float | None:
    """Least cost of turning `first` into `second` (Zhang and Shasha, whole subtrees at a discount).

    None where the tables would have more than `MOST_STEPS` entries.
    """
    rows, columns = first.keyroots(), second.keyroots()
    if sum(map(first.size, rows)) * sum(map(second.size, columns)) > MOST_STEPS:
        return None
    found = [[0.0] * len(second.labels) for _ in first.labels]
    for row in rows:
        for column in columns:
            _fill(first, second, row, column, found)
    return found[-1][-1]


def _fill(first: Tree, second: Tree, row: int, column: int, found: list[list[float]]) -> None:
    """Distances of all pairs of subtrees on the leftmost paths below (row, column), written to `found`."""
    top, left = first.leftmost[row], second.leftmost[column]
    forests = [[0.0] * (column - left + 2) for _ in range(row - top + 2)]
    # forests[i][j]: the first i nodes below `row` against the first j below `column`.
    for i in range(1, row - top + 2):
        node = top + i - 1
        start = first.leftmost[node] - top
        forests[i][0] = min(forests[i - 1][0] + 1, forests[start][0] + _whole(first.size(node)))
    for j in range(1, column - left + 2):
        node = left + j - 1
        start = second.leftmost[node] - left
        forests[0][j] = min(forests[0][j - 1] + 1, forests[0][start] + _whole(second.size(node)))
    for i in range(1, row - top + 2):
        above = top + i - 1
        up = first.leftmost[above] - top
        for j in range(1, column - left + 2):
            beside = left + j - 1
            back = second.leftmost[beside] - left
            least = min(
                forests[i - 1][j] + 1,
                forests[i][j - 1] + 1,
                forests[up][j] + _whole(first.size(above)),
                forests[i][back] + _whole(second.size(beside)),
            )
            if up == 0 and back == 0:
                renamed = first.labels[above] != second.labels[beside]
                least = min(least, forests[i - 1][j - 1] + renamed)
                found[above][beside] = least
            else:
                least = min(least, forests[up][back] + found[above][beside])
            forests[i][j] = least


def _whole(size: int) -> float:
    """Cost of inserting or deleting a whole subtree."""
    return min(size, WHOLE_PRICE_NODES + NEAR * (size - WHOLE_PRICE_NODES))


def _tree(value: object) -> Tree | None:
    """The tree of a value; None for what is no expression, and for more than `MOST_NODES` nodes."""
    root = value.as_immutable() if isinstance(value, MatrixBase) else value
    if not isinstance(root, Basic):
        root = as_scalar(root)
    if root is None:
        return None
    tree = Tree([], [])
    # Children first: a node is put back below its children, with the number its leftmost leaf will have.
    pending: list[tuple[Basic, int | None]] = [(root, None)]
    while pending:
        node, leaf = pending.pop()
        children = _operands(node) if leaf is None else ()
        if children:
            pending.append((node, len(tree.labels)))
            pending.extend((child, None) for child in reversed(children))
        else:
            tree.leftmost.append(len(tree.labels) if leaf is None else leaf)
            tree.labels.append(_label(node))
        if len(tree.labels) + len(pending) > MOST_NODES:
            return None
    return tree


def _operands(node: Basic) -> tuple[Basic, ...]:
    if isinstance(node, (Add, Mul)) and node.is_commutative:
        return tuple(sorted(node.args, key=default_sort_key))
    return node.args


def _label(node: Basic) -> str:
    """What must be the same for two nodes to be the same, their children apart."""
    if isinstance(node, Symbol):
        return f"symbol {canonical(node.name)}"
    if isinstance(node, AppliedUndef):
        return f"function {canonical(node.func.__name__)}"
    return type(node).__name__ if node.args else f"leaf {node}"
