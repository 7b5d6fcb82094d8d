"""Partial credit of one expression against another: the expression edit distance score of PHYBench.

The score (arXiv:2504.16074) is 1 for the same tree, else max(0, 0.6 - distance/size of the gold's tree),
where the distance is the tree edit distance of Zhang and Shasha, extended by inserting or deleting whole
subtrees at a discount. It measures closeness of form, not of meaning: a wrong sign in a long formula keeps
more than half, so it is a metric and never the reward by default.

Covered: any SymPy expression; types the paper does not name (integrals, Piecewise) count as operators. Not
covered: the paper's `simplify` before the trees are built, which may take minutes; trees are compared as
they are.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Add, Basic, Expr, Mul, Number, NumberSymbol, Pow, Symbol, preorder_traversal
from sympy.core.function import Function

ZERO_AT = 0.6
"""Relative distance from which on the score is 0, and the slope of the discount, as in the paper."""

DISCOUNT_FROM = 5
"""Subtrees of more nodes than this are inserted and deleted at 0.6 a node beyond it."""

LENGTH_RATIO = 3
"""An answer of more than three times the gold's size scores 0, as in the paper."""

NODES_LIMIT = 300
"""Nodes of either tree; beyond, the quadratic tables take seconds."""

CELLS_LIMIT = 600_000
"""Cells of the tables; a cell costs a microsecond."""


def edit_score(gold: Expr, answer: Expr) -> float | None:
    """Closeness of form, 0..1; None where the trees are too large to be compared (that is not a 0)."""
    left, right = _size(gold), _size(answer)
    if max(left, right) > NODES_LIMIT:
        return None
    if right > LENGTH_RATIO * left:
        return 0.0
    distance = tree_distance(answer, gold)
    if distance is None:
        return None
    return 1.0 if distance == 0 else max(0.0, ZERO_AT - distance / left)


def tree_distance(source: Expr, target: Expr) -> float | None:
    """Cost of turning the tree of `source` into that of `target`; None above `CELLS_LIMIT`."""
    a, b = _postorder(source), _postorder(target)
    roots_a, roots_b = _key_roots(a), _key_roots(b)
    cells = sum(i - a[i].leftmost + 1 for i in roots_a) * sum(j - b[j].leftmost + 1 for j in roots_b)
    if cells > CELLS_LIMIT:
        return None
    trees = [[0.0] * len(b) for _ in a]
    for i in roots_a:
        for j in roots_b:
            _fill(trees, a, b, i, j)
    return trees[-1][-1]


@dataclass(frozen=True, slots=True)
class _Node:
    """A node in postorder: its label, the postorder index of its leftmost leaf, the nodes of its subtree."""

    label: tuple[str, object]
    leftmost: int
    size: int

    @property
    def subtree_cost(self) -> float:
        """Cost of inserting or deleting the whole subtree at once."""
        return min(float(self.size), ZERO_AT * (self.size - DISCOUNT_FROM) + DISCOUNT_FROM)


def _size(expression: Basic) -> int:
    return sum(1 for _ in preorder_traversal(expression))


def _postorder(expression: Basic) -> list[_Node]:
    nodes: list[_Node] = []

    def visit(node: Basic) -> int:
        start = len(nodes)
        for child in node.args:
            visit(child)
        nodes.append(_Node(_label(node), start, len(nodes) - start + 1))
        return start

    visit(expression)
    return nodes


def _label(node: Basic) -> tuple[str, object]:
    if isinstance(node, Number | NumberSymbol):
        return "number", node
    if isinstance(node, Symbol):
        return "symbol", node.name
    if isinstance(node, Add | Mul | Pow):
        return "operator", type(node).__name__
    return ("function" if isinstance(node, Function) else "operator"), node.func if node.args else node


def _key_roots(nodes: list[_Node]) -> list[int]:
    """The last node of each leftmost leaf: every subtree distance that is not part of another."""
    return sorted({node.leftmost: index for index, node in enumerate(nodes)}.values())


def _fill(trees: list[list[float]], a: list[_Node], b: list[_Node], i: int, j: int) -> None:
    """Distances between all subtrees on the left spines of `a[i]` and `b[j]`, by forests."""
    first_a, first_b = a[i].leftmost, b[j].leftmost
    rows, columns = i - first_a + 2, j - first_b + 2
    forest = [[0.0] * columns for _ in range(rows)]
    for r in range(1, rows):
        node = a[first_a + r - 1]
        forest[r][0] = forest[node.leftmost - first_a][0] + node.subtree_cost
    for c in range(1, columns):
        node = b[first_b + c - 1]
        forest[0][c] = forest[0][node.leftmost - first_b] + node.subtree_cost
    for r in range(1, rows):
        left = a[first_a + r - 1]
        before_left = left.leftmost - first_a
        for c in range(1, columns):
            right = b[first_b + c - 1]
            before_right = right.leftmost - first_b
            cost = min(
                forest[r - 1][c] + 1,
                forest[r][c - 1] + 1,
                forest[before_left][c] + left.subtree_cost,
                forest[r][before_right] + right.subtree_cost,
            )
            if before_left == 0 and before_right == 0:
                cost = min(cost, forest[r - 1][c - 1] + (left.label != right.label))
                trees[first_a + r - 1][first_b + c - 1] = cost
            else:
                matched = trees[first_a + r - 1][first_b + c - 1]
                cost = min(cost, forest[before_left][before_right] + matched)
            forest[r][c] = cost
