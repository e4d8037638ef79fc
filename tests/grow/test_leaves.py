"""What nodes of a regression tree answer, against fractions, numpy and scikit-learn."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from cases import each
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from strategies import number_tables

import dtree_lab as dt
from dtree_lab.tree.splits import ByValue
from dtree_lab.tree.tree import Branch, walk

growers = st.sampled_from([dt.id3, dt.c45, dt.cart, dt.stump])


def reached(tree, table):
    """The rows at each node, breadth first: each row is walked down by itself."""
    rows = {path: [] for path, _ in walk(tree.root)}
    for i in range(table.n_rows):
        node, path = tree.root, ()
        rows[path].append(i)
        while isinstance(node, Branch):
            value = table.columns[node.split.attribute][i]
            if isinstance(node.split, ByValue):
                taken = [b for b, group in enumerate(node.split.groups) if value in group]
            else:
                taken = [] if np.isnan(value) else [int(value >= node.split.cuts[0])]
            if not taken:
                break
            node, path = node.children[taken[0]], (*path, taken[0])
            rows[path].append(i)
    return list(rows.values())


def exact_mean_and_variance(numbers):
    exact = [Fraction(x) for x in numbers]
    mean = sum(exact) / len(exact)
    return mean, sum((x - mean) ** 2 for x in exact) / len(exact)


# -- the mean ------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(number_tables(gaps=True), growers)
def test_every_node_has_the_mean_and_variance_of_its_rows(table, grower):
    """Also above the leaves, and of rows that rest there. What is kept is a float: a mean can be
    off by its last bit, and the variance by the square of that."""
    tree = grower(table)
    size = float(np.abs(table.labels).max())
    last = np.spacing(size)
    for rows, (_, node) in zip(reached(tree, table), walk(tree.root), strict=True):
        mean, variance = exact_mean_and_variance(table.labels[rows])
        assert node.counts == (len(rows),)
        assert abs(Fraction(node.values[0]) - mean) <= 4 * last
        assert node.values[1] == pytest.approx(float(variance), rel=1e-9, abs=(4 * last) ** 2)


@settings(max_examples=40)
@example(0.1, [*"uuuuuuv"])
@example(0.1, [*"uuuuuv", None])
@given(
    st.floats(-1e300, 1e300),
    st.lists(st.sampled_from(["u", "v", None]), min_size=1, max_size=12).filter(any),
)
def test_equal_numbers_give_exactly_that_number(y, column):
    """Grown by hand, for no grower parts equal numbers: three times 0.1 is not 0.3."""
    n = len(column)
    table = dt.Table.from_columns(
        {"x": column, "y": [y] * n},
        target="y",
        kinds={"x": ("u", "v")},
        missing="keep",
        target_kind="continuous",
    )
    trees = [dt.cart(table)]
    if {"u", "v"} <= set(column):
        trees.append(dt.by_hand(table, {(): "x"}))
    for tree in trees:
        assert all(node.values == (y, 0) for _, node in walk(tree.root))
        assert tree.error(table) == 0


@settings(max_examples=50)
@given(number_tables(gaps=True), growers)
def test_a_row_is_answered_by_the_node_where_it_stops(table, grower):
    tree = grower(table)
    stop = {}
    for rows, (_, node) in zip(reached(tree, table), walk(tree.root), strict=True):
        stop.update(dict.fromkeys(rows, node.values[0]))
    assert tree.predict(table).tolist() == [stop[i] for i in range(table.n_rows)]
    assert [tree.predict(row) for row in table.rows()] == tree.predict(table).tolist()


# -- a vote --------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(number_tables(gaps=True), growers)
def test_a_vote_is_the_most_frequent_number_the_lowest_in_a_tie(table, grower):
    tree = grower(table, leaf="vote")
    plain = grower(table)
    assert np.array_equal(tree.flat.attr, plain.flat.attr)
    for rows, (_, node) in zip(reached(tree, table), walk(tree.root), strict=True):
        times = Counter(table.labels[rows].tolist())
        most = max(times.values())
        assert node.values[0] == min(y for y, n in times.items() if n == most)
    assert np.array_equal(tree.flat.values[:, 1], plain.flat.values[:, 1])


def test_a_vote_by_hand():
    table = dt.Table.from_columns(
        {"x": [1, 1, 1, 1, 2, 2], "y": [7, 3, 3, 7, 9, 40]}, target="y", target_kind="continuous"
    )
    tree = dt.stump(table, leaf="vote")
    assert (tree.predict({"x": 1}), tree.predict({"x": 2})) == (3, 9)
    assert dt.stump(table).predict({"x": 1}) == 5
    assert tree.predict({"x": None}) == 3


# -- a line --------------------------------------------------------------------------------------


@st.composite
def numeric_tables(draw):
    """Up to three continuous attributes, some constant or twice the same, one discrete."""
    n, d = draw(st.integers(2, 40)), draw(st.integers(1, 3))
    few = st.integers(-5, 5).map(float)
    columns = [draw(st.lists(few, min_size=n, max_size=n)) for _ in range(d)]
    if draw(st.booleans()):
        columns[-1] = columns[0]
    names = [f"x{i}" for i in range(d)]
    made = dict(zip(names, columns, strict=True))
    made["w"] = draw(st.lists(st.sampled_from("uv"), min_size=n, max_size=n))
    made["y"] = draw(st.lists(st.integers(-20, 20).map(float), min_size=n, max_size=n))
    return dt.Table.from_columns(made, target="y", target_kind="continuous")


@settings(max_examples=50)
@given(numeric_tables(), st.integers(0, 3), st.sampled_from([dt.id3, dt.cart]))
def test_a_line_is_the_least_squares_fit_in_each_node(table, max_depth, grower):
    tree = grower(table, max_depth=max_depth, leaf="line")
    plain = grower(table, max_depth=max_depth)
    assert np.array_equal(tree.flat.attr, plain.flat.attr)
    x = np.stack([c for a, c in zip(table.attributes, table.columns, strict=True) if not a.values])
    x, d = x.T, len(x)
    held = reached(tree, table)
    for i, rows in enumerate(held):
        if tree.flat.attr[i] >= 0:
            continue
        said = tree.predict(table.take(rows))
        if len(rows) < 2 * (d + 1):
            assert said == pytest.approx([table.labels[rows].mean()] * len(rows))
            continue
        model = LinearRegression().fit(x[rows], table.labels[rows])
        assert said == pytest.approx(model.predict(x[rows]), abs=1e-8)
        off = said - table.labels[rows]
        # The normal equations: what is off is nothing on average, and has nothing to do with x.
        assert off.sum() == pytest.approx(0, abs=1e-8)
        assert off @ x[rows] == pytest.approx(0, abs=1e-7)
    assert tree.error(table) <= plain.error(table) + 1e-9


def test_a_line_beyond_its_rows_goes_on():
    table = dt.Table.from_columns({"x": range(8), "y": [3 * i + 1 for i in range(8)]}, target="y")
    tree = dt.cart(table, max_depth=0, leaf="line")
    assert tree.predict({"x": 100}) == pytest.approx(301)
    assert tree.error(table) == pytest.approx(0, abs=1e-20)
    slope, mean = tree.root.values[2:]
    assert (slope, mean) == (pytest.approx(3), 3.5)


@pytest.mark.parametrize("other", [3.0, 0.1])
def test_a_constant_attribute_has_no_slope(other):
    """Six times 0.1 has a rounded mean beside 0.1: a line through the difference would be steep."""
    y = [1.1, 2.3, 3.7, 4.9, 5.2, 6.1]
    table = dt.Table.from_columns({"x": [other] * 6, "y": y}, target="y")
    tree = dt.cart(table, leaf="line")
    assert tree.root.values[2:] == (0, other)
    assert tree.predict({"x": 1000}) == pytest.approx(sum(y) / 6)
    flat = dt.Table.from_columns({"x": range(6), "y": [0.1] * 6}, target="y")
    assert dt.cart(flat, leaf="line").predict({"x": 1000}) == 0.1


@pytest.mark.parametrize("size", [1.0, 1e6, 1e12])
def test_the_units_of_the_attributes_do_not_matter(size):
    a, b = np.random.default_rng(0).normal(size=(2, 30))
    table = dt.Table.from_columns({"a": a * size, "b": b / size, "y": 2 * a - 3 * b}, target="y")
    assert dt.cart(table, max_depth=0, leaf="line").error(table) == pytest.approx(0, abs=1e-20)


def test_two_lines_fit_what_takes_a_mean_many_leaves():
    """y is x below 0 and 100 - 2 x from there on: the step is the best cut, then both are lines."""
    x = np.arange(-12, 12) / 4
    y = np.where(x < 0, x, 100 - 2 * x)
    table = dt.Table.from_columns({"x": x, "y": y}, target="y")
    lines = dt.cart(table, max_leaves=2, leaf="line")
    assert lines.root.split.cuts == (-0.125,)
    assert lines.error(table) == pytest.approx(0, abs=1e-20)
    assert lines.predict({"x": 0.6}) == pytest.approx(98.8)
    assert lines.predict({"x": -2.1}) == pytest.approx(-2.1)
    for max_leaves in (2, 4, 12, 23):
        assert dt.cart(table, max_leaves=max_leaves).error(table) > 1e-4
    assert dt.cart(table).n_leaves == len(np.unique(y)) == 24


def test_a_line_through_rows_with_gaps():
    """Fitted to the rows that have every number; an attribute without a value adds nothing."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 30))
    y = 2 * a - 3 * b + 5
    gap_a, gap_b = np.arange(30) % 7 == 0, np.arange(30) % 5 == 1
    y[gap_a] += 50  # which those rows, left out of the fit, do not tell it
    columns = {"a": np.where(gap_a, np.nan, a), "b": np.where(gap_b, np.nan, b), "y": y}
    table = dt.Table.from_columns(columns, target="y", missing="keep")
    tree = dt.cart(table, max_depth=0, leaf="line")
    whole = ~(gap_a | gap_b)
    level, middle = y[whole].mean(), np.stack([a, b])[:, whole].mean(axis=1)
    said = {row: tree.predict(row_of) for row, row_of in enumerate(table.rows())}
    for row in range(30):
        expected = level
        expected += 0 if gap_a[row] else 2 * (a[row] - middle[0])
        expected -= 0 if gap_b[row] else 3 * (b[row] - middle[1])
        assert said[row] == pytest.approx(expected)
    assert tree.predict({"a": None, "b": None}) == pytest.approx(level)
    assert tree.predict(table).tolist() == pytest.approx(list(said.values()))


def test_too_few_whole_rows_keep_the_mean():
    table = dt.Table.from_columns(
        {"x": [1, 2, 3, None, None], "y": [2, 4, 6, 9, 9]},
        target="y",
        missing="keep",
        target_kind="continuous",
    )
    assert dt.cart(table, max_depth=0, leaf="line").predict({"x": 9}) == 6
    more = dt.Table.from_columns({"x": [1, 2, 3, 4], "y": [2, 4, 6, 8]}, target="y")
    assert dt.cart(more, max_depth=0, leaf="line").predict({"x": 9}) == pytest.approx(18)


def test_lines_need_a_continuous_attribute():
    table = dt.Table.from_columns({"x": list("uuvv"), "y": [1, 2, 5, 6]}, target="y")
    tree = dt.cart(table, leaf="line")
    assert tree == dt.cart(table)
    assert [tree.predict({"x": v}) for v in "uv"] == [1.5, 5.5]


# -- rows that no branch takes -------------------------------------------------------------------


@pytest.mark.parametrize("leaf", ["mean", "vote", "line"])
def test_values_without_a_branch_get_the_nodes_answer(leaf):
    """By colour at the root, by size below red: "blue" never occurs, "large" not among the red."""
    table = dt.Table.from_columns(
        {
            "colour": ["red", "red", "red", "green", "green"],
            "size": ["small", "small", "medium", "small", "large"],
            "y": [1, 1, 4, 20, 20],
        },
        target="y",
        target_kind="continuous",
    )
    tree = dt.id3(table, leaf=leaf)
    red = 1 if leaf == "vote" else 2
    everything = 1 if leaf == "vote" else 46 / 5
    assert tree.predict({"colour": "red", "size": "medium"}) == 4
    assert tree.predict({"colour": "red", "size": "large"}) == red
    assert tree.predict({"colour": "red", "size": "huge"}) == red
    assert tree.predict({"colour": "red", "size": None}) == red
    for colour in ("blue", None):
        assert tree.predict({"colour": colour, "size": "small"}) == pytest.approx(everything)
    said = tree.explain({"colour": "red", "size": "large"})
    assert "size is large, which no training row here had" in said.stopped
    assert (said.rows, said.prediction) == (3, red)


# -- in words, as text, and what is refused ------------------------------------------------------


def test_a_regression_tree_explains_itself():
    table = dt.Table.from_columns(
        {"job": ["a", "a", "b", "b"], "age": [20, 40, 30, 50], "pay": [1, 2, 10, 14]}, target="pay"
    )
    said = dt.id3(table, max_depth=1).explain({"job": "b", "age": 33})
    assert str(said).splitlines() == [
        "job is b",
        "so pay = 12 (2 training rows here, standard deviation 2)",
    ]
    assert (said.prediction, said.rows, said.deviation, said.counts) == (12, 2, 2, {})
    said = dt.id3(table).explain({"job": "b", "age": None})
    assert str(said).splitlines() == [
        "job is b",
        "age is missing, so the 2 training rows at this node decide",
        "so pay = 12 (2 training rows here, standard deviation 2)",
    ]


def test_an_answer_that_goes_on_for_ever_is_rounded_in_words():
    table = dt.Table.from_columns(
        {"x": [1, 2, 3], "y": [1, 2, 2]}, target="y", target_kind="continuous"
    )
    said = dt.cart(table, max_depth=0).explain({"x": 2})
    assert str(said).startswith("so y = 1.667 (")
    assert said.prediction == pytest.approx(5 / 3, rel=1e-12)


def test_a_line_explains_what_it_predicts():
    table = dt.Table.from_columns({"x": range(8), "y": [3 * i + 1 for i in range(8)]}, target="y")
    tree = dt.cart(table, max_depth=0, leaf="line")
    said = tree.explain({"x": 10})
    assert said.prediction == tree.predict({"x": 10}) == pytest.approx(31)


@settings(max_examples=40)
@given(number_tables(gaps=True), growers, st.sampled_from(["mean", "vote", "line"]))
def test_a_regression_tree_can_be_kept(table, grower, leaf):
    tree = grower(table, leaf=leaf)
    again = dt.Tree.from_json(tree.to_json())
    assert again == tree
    assert np.array_equal(again.flat.values, tree.flat.values)
    assert again.predict(table).tolist() == tree.predict(table).tolist()


def broken(leaf, change):
    table = dt.Table.from_columns(
        {"x": range(8), "y": [0, 1, 0, 1, 9, 8, 9, 8]}, target="y", target_kind="continuous"
    )
    data = json.loads(dt.stump(table, leaf=leaf).to_json())
    change(data)
    return json.dumps(data)


def at_node(i, values):
    return lambda data: data["nodes"][i].update(values=values)


@each("leaf", ["mean", "line"])
@each(
    "change",
    [
        at_node(1, []),
        at_node(1, [1.0]),
        at_node(2, [1.0, 2.0, 3.0]),
        at_node(1, [1.0, "2"]),
        at_node(1, [1.0, None]),
        at_node(1, [True, 0.0]),
        at_node(2, [float("nan"), 0.0]),
        at_node(2, [1.0, float("inf"), 0.0, 0.0]),
        at_node(0, [1.0, 2.0, 3.0]),
        at_node(0, "12"),
    ],
)
def test_broken_values_are_refused(leaf, change):
    with pytest.raises(ValueError, match=r"not a tree: node \d needs an answer and a variance"):
        dt.Tree.from_json(broken(leaf, change))


@pytest.mark.parametrize(
    "change",
    [
        at_node(1, None),
        at_node(0, 3.5),
        lambda data: [node.pop("values") for node in data["nodes"]],
        lambda data: data["nodes"][2].pop("values"),
        lambda data: data["nodes"][1].update(counts=[1, 2]),
        lambda data: data["nodes"][1].update(counts=[-1]),
        lambda data: data["nodes"][1].update(counts=[400]),
    ],
)
def test_a_text_that_is_no_regression_tree_is_refused(change):
    with pytest.raises(ValueError, match="not a tree"):
        dt.Tree.from_json(broken("mean", change))


@pytest.mark.parametrize("grower", [dt.id3, dt.c45, dt.cart, dt.stump])
def test_what_leaves_cannot_answer_is_refused(grower):
    with pytest.raises(ValueError, match=r"leaf='vote' is for a continuous.*'Cheat' is discrete"):
        grower(dt.datasets.tax_fraud(), leaf="vote")
    numbers = dt.Table.from_columns({"x": [1, 2], "y": [1, 2]}, target="y")
    for leaf in ("median", None, 1):
        with pytest.raises(ValueError, match=r"leaf=.* must be one of 'mean', 'vote', 'line'"):
            grower(numbers, leaf=leaf)
    with pytest.raises(ValueError, match="leaf='line' is for a continuous"):
        dt.steps(grower, dt.datasets.tax_fraud(), leaf="line")
