"""The edit distance score: its definition by hand, the distance against a plain recursion, its bounds."""

import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Eq, Function, I, Matrix, Rational, Symbol, cos, exp, sin, symbols

from scientific_math_critpt_env.grading.edit_distance import Tree, expression_edit_score, tree_edit_distance

g, m, r, v, x, y = symbols("g m r v x y")


def test_an_equal_tree_scores_one():
    assert expression_edit_score(2 * m * g, g * m * 2) == 1
    assert expression_edit_score(3, 3) == 1
    assert expression_edit_score(Symbol("lamda", positive=True), Symbol("lambda")) == 1


@pytest.mark.parametrize(
    ("gold", "answer", "nodes", "cost"),
    [
        (2 * m * g + 4 * m * v**2 / r, 2 * m * g + 2 * m * v**2 / r, 14, 1),  # another number
        (sin(x) + y, cos(x) + y, 4, 1),  # another function
        (x + y, x - y, 3, 2),  # a product and its -1 inserted
        (x * y + 1, x * y + 2, 5, 1),
        (x**2 + y, x**2, 5, 2),  # the sum and a term deleted
        (Function("f")(x) * y * 3, Function("h")(x) * y * 3, 5, 1),
        (Rational(1, 3) * x * y, Rational(1, 2) * x * y, 4, 1),
        (Eq(x, y + 1), Eq(x, y + 2), 5, 1),
        (Matrix([[x, y]]), Matrix([[x, y + 1]]), 6, 2),
    ],
)
def test_the_score_is_sixty_percent_less_the_relative_distance(gold, answer, nodes, cost):
    assert expression_edit_score(gold, answer) == pytest.approx(max(0, 0.6 - cost / nodes))


def test_a_large_subtree_is_cheaper_as_a_whole():
    gold = sin(x) + exp(y)
    further = cos(m) * cos(g) * cos(r) * cos(v)  # nine nodes
    assert expression_edit_score(gold, gold + further) == max(0, 0.6 - (5 + 0.6 * 4) / 5)
    large = sum(k * sin(k * x) for k in range(2, 9))
    size = 1 + 7 * 6
    assert expression_edit_score(large, large + further) == pytest.approx(0.6 - (5 + 0.6 * 4) / size)


def test_nothing_in_common_scores_nothing():
    assert expression_edit_score(x, sin(y) + exp(g) * m) == 0
    assert expression_edit_score(x + 1, I) == 0


@pytest.mark.parametrize("value", [[x], (x, y), {x: 1}, "x", None, True, {1}])
def test_what_is_no_expression_has_no_score(value):
    assert expression_edit_score(x, value) is None
    assert expression_edit_score(value, x) is None


def test_large_trees_have_no_score_and_cost_little():
    tower = x
    for _ in range(60):
        tower = tower * (tower + 1)  # 2**60 nodes, as a tree
    wide = sum(k * sin(k * x) ** k for k in range(2, 160))
    start = time.process_time()
    assert expression_edit_score(x, tower) is None
    assert expression_edit_score(wide, wide + 1) is None
    assert time.process_time() - start < 5


# ---- the distance ----


nested = st.recursive(
    st.sampled_from("abc").map(lambda label: (label, ())),
    lambda trees: st.tuples(st.sampled_from("abc"), st.lists(trees, min_size=1, max_size=3).map(tuple)),
    max_leaves=5,
)


def numbered(tree):
    labels, leftmost = [], []

    def visit(node):
        label, children = node
        starts = [visit(child) for child in children]
        leftmost.append(starts[0] if starts else len(labels))
        labels.append(label)
        return leftmost[-1]

    visit(tree)
    return Tree(labels, leftmost)


def count(tree):
    return 1 + sum(map(count, tree[1]))


@cache
def forest_distance(first, second):
    """By definition, from the right: delete, insert, match; a tree as a whole at a discount."""
    if not first and not second:
        return 0.0
    options = []
    if first:
        _label, children = first[-1]
        options.append(forest_distance(first[:-1] + children, second) + 1)
        size = count(first[-1])
        options.append(forest_distance(first[:-1], second) + min(size, 5 + 0.6 * (size - 5)))
    if second:
        _label, children = second[-1]
        options.append(forest_distance(first, second[:-1] + children) + 1)
        size = count(second[-1])
        options.append(forest_distance(first, second[:-1]) + min(size, 5 + 0.6 * (size - 5)))
    if first and second:
        (one, below), (other, beneath) = first[-1], second[-1]
        inside = forest_distance(below, beneath) + (one != other)
        options.append(forest_distance(first[:-1], second[:-1]) + inside)
    return min(options)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(nested, nested)
def test_the_distance_is_that_of_the_definition(first, second):
    distance = tree_edit_distance(numbered(first), numbered(second))
    assert distance == pytest.approx(forest_distance((first,), (second,)))
    assert distance == pytest.approx(tree_edit_distance(numbered(second), numbered(first)))
    assert (distance == 0) == (first == second)
