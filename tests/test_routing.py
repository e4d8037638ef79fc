"""Rows through trees: against a tree of nodes walked by the splits' own branches."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.table.table import Attribute
from dtree_lab.tree import routing
from dtree_lab.tree.routing import Slots, where_rows_stop
from dtree_lab.tree.splits import ByValue, Intervals, threshold
from dtree_lab.tree.tree import Branch, Leaf, flatten, walk


def slow(root, columns):
    """The node of each row, numbered breadth first: parts of rows go where their split says."""
    number = {path: i for i, (path, _) in enumerate(walk(root))}
    stops = np.zeros(len(columns[0]), dtype=int)

    def send(node, path, here):
        stops[here] = number[path]
        if isinstance(node, Branch):
            branch = node.split.branch(columns[node.split.attribute][here])
            for i, child in enumerate(node.children):
                send(child, (*path, i), here[branch == i])

    send(root, (), np.arange(len(stops)))
    return stops


def stops(root, attributes, columns):
    n_values = [a.n_values for a in attributes]
    return where_rows_stop(flatten(root, attributes), n_values, columns)


# -- random trees --------------------------------------------------------------------------------

some_cuts = st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=4, unique=True).map(sorted)


@st.composite
def splits(draw, attributes):
    """A question: one cut or several, or groups of values, of which some are in none."""
    a = draw(st.integers(0, len(attributes) - 1))
    if attributes[a].values is None:
        return Intervals(a, tuple(draw(some_cuts)))
    n = draw(st.integers(2, 3))
    size = attributes[a].n_values
    groups = draw(st.lists(st.integers(-1, n - 1), min_size=size, max_size=size))
    return ByValue(a, tuple(tuple(c for c, g in enumerate(groups) if g == i) for i in range(n)))


@st.composite
def nodes(draw, attributes, depth):
    if not depth or draw(st.integers(0, 4)) == 0:
        return Leaf((1,))
    split = draw(splits(attributes))
    children = tuple(draw(nodes(attributes, depth - 1)) for _ in range(split.n_branches))
    return Branch((1,), split, children)


@st.composite
def columns_for(draw, attribute, n_rows):
    """Numbers on the cuts, next to them and missing; codes that are missing too."""
    if attribute.values is not None:
        codes = st.integers(-1, attribute.n_values - 1)
        return np.array(draw(st.lists(codes, min_size=n_rows, max_size=n_rows)), dtype=np.int32)
    number = st.integers(-3, 3).map(float)
    near = st.sampled_from([-np.inf, np.inf])
    values = number | st.builds(np.nextafter, number, near) | st.sampled_from([np.nan, -0.0])
    return np.array(draw(st.lists(values, min_size=n_rows, max_size=n_rows)), dtype=float)


@st.composite
def cases(draw, kinds=("continuous", "discrete"), max_rows=30):
    """Attributes, a tree over them and rows."""
    made = []
    for i in range(draw(st.integers(1, 4))):
        values = tuple(range(draw(st.integers(2, 5))))
        discrete = draw(st.sampled_from(kinds)) == "discrete"
        made.append(Attribute(f"a{i}", values if discrete else None))
    n_rows = draw(st.integers(0, max_rows))
    columns = [draw(columns_for(attribute, n_rows)) for attribute in made]
    return tuple(made), draw(nodes(made, draw(st.integers(0, 4)))), columns


@settings(max_examples=300)
@given(cases())
def test_rows_stop_where_the_splits_send_them(case):
    attributes, root, columns = case
    np.testing.assert_array_equal(stops(root, attributes, columns), slow(root, columns))


@settings(max_examples=300)
@given(cases(), st.integers(1, 40), st.integers(1, 60))
def test_part_by_part_it_is_the_same(case, most_rows, most_numbers):
    """What small tables are spared: values are loaded in parts, and rows at rest are taken out."""
    attributes, root, columns = case
    sizes = {"_FEW": 0, "_MOST_ROWS": most_rows, "_MOST_NUMBERS": most_numbers}
    with patch.multiple(routing, **sizes):
        np.testing.assert_array_equal(stops(root, attributes, columns), slow(root, columns))


@settings(max_examples=100)
@given(cases(kinds=["discrete"]))
def test_discrete_attributes_alone(case):
    attributes, root, columns = case
    with patch.object(routing, "_FEW", 0):
        np.testing.assert_array_equal(stops(root, attributes, columns), slow(root, columns))


def thresholds(rng, n_attributes, depth):
    """A tree of thresholds, bushy or thin, whose cuts are few so that rows meet them."""
    if not depth or rng.random() < 0.1:
        return Leaf((1,))
    split = threshold(int(rng.integers(n_attributes)), float(rng.integers(-3, 4)))
    children = (thresholds(rng, n_attributes, depth - 1) for _ in range(2))
    return Branch((1,), split, tuple(children))


@settings(max_examples=100)
@given(st.integers(0, 1 << 32), st.integers(1, 9), st.integers(1, 70))
def test_thresholds_alone(seed, depth, n_rows):
    """Numbers that are all there go the short way, and it leads to the same nodes."""
    rng = np.random.default_rng(seed)
    attributes = tuple(Attribute(f"x{i}") for i in range(3))
    root = thresholds(rng, 3, depth)
    columns = list(rng.integers(-4, 5, (3, n_rows)) + rng.choice([0.0, 0.5, 1e-15], (3, n_rows)))
    with patch.object(routing, "_FEW", 0), patch.object(Slots, "of", side_effect=AssertionError):
        np.testing.assert_array_equal(stops(root, attributes, columns), slow(root, columns))


@pytest.mark.parametrize("grower", [dt.id3, dt.cart])
def test_a_large_table(grower):
    """Several parts, of which the second lacks numbers; the tree is deep and grown on noise."""
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(3, 50_000)), rng.integers(0, 2, 50_000)
    x[:, 20_000:30_000:7] = np.nan
    names = dict(zip("abc", x, strict=True))
    table = dt.Table.from_columns({**names, "y": y}, "y", kinds={"y": "discrete"}, missing="keep")
    tree = grower(table.take(range(2_000)))
    assert tree.depth > 10
    np.testing.assert_array_equal(
        stops(tree.root, tree.attributes, table.columns), slow(tree.root, table.columns)
    )


# -- by hand -------------------------------------------------------------------------------------

ROOT = Branch(
    (6,),
    Intervals(0, (0.0, 5.0)),
    (
        Leaf((1,)),
        Branch((3,), ByValue(1, ((0, 2), (1,))), (Leaf((2,)), Leaf((1,)))),
        Branch((2,), threshold(0, 7.0), (Leaf((1,)), Leaf((1,)))),
    ),
)
# x, the code of a colour of which 3 is in no group, and the node, breadth first.
BY_HAND = [
    (-1.0, 0, 1),
    (-0.0, 0, 4),  # at a cut is above it, and minus nothing is nothing
    (4.9, 2, 4),
    (4.9, 1, 5),
    (4.9, 3, 2),  # no branch
    (4.9, -1, 2),  # not known
    (5.0, 0, 6),
    (np.nextafter(7.0, 0), -1, 6),  # not known, and not asked
    (7.0, 3, 7),
    (np.nan, 0, 0),
    (np.inf, 0, 7),
    (-np.inf, 0, 1),
]


@pytest.mark.parametrize("few", [0, 100])
def test_by_hand(few):
    attributes = (Attribute("x"), Attribute("colour", ("red", "green", "blue", "pink")))
    x, colour, expected = (np.array(column) for column in zip(*BY_HAND, strict=True))
    with patch.object(routing, "_FEW", few):
        found = stops(ROOT, attributes, [x, colour.astype(np.int32)])
    assert found.tolist() == expected.tolist()
    assert found.dtype == np.intp


@pytest.mark.parametrize("n_rows", [0, 1, 100])
def test_a_leaf_asks_nothing(n_rows):
    """Then a column only tells how many rows there are."""
    assert stops(Leaf((1,)), (), [np.full(n_rows, np.nan)]).tolist() == [0] * n_rows
    assert stops(Leaf((1,)), (), []).tolist() == []


@pytest.mark.parametrize("n_rows", [0, 3, 100])
def test_columns_are_left_as_they_are(n_rows):
    x, colour = np.linspace(-1, 9, n_rows), np.arange(n_rows, dtype=np.int32) % 4
    for column in (x, colour):
        column.flags.writeable = False
    attributes = (Attribute("x"), Attribute("colour", ("red", "green", "blue", "pink")))
    assert stops(ROOT, attributes, [x, colour]).shape == (n_rows,)


# -- numbers in one array ------------------------------------------------------------------------


@settings(max_examples=100)
@given(cases(kinds=["continuous"]), st.integers(1, 40), st.sampled_from("CF"))
def test_numbers_may_stand_in_one_array(case, most_rows, order):
    """Row by row or column by column, with gaps or without, several branches at a node or two."""
    attributes, root, columns = case
    x = np.array(columns).T.copy(order=order)
    with patch.multiple(routing, _FEW=0, _MOST_ROWS=most_rows):
        found = where_rows_stop(flatten(root, attributes), [0] * len(attributes), x.T)
    np.testing.assert_array_equal(found, slow(root, columns))


@settings(max_examples=100)
@given(st.integers(0, 1 << 32), st.integers(0, 9), st.integers(1, 70), st.integers(1, 30))
def test_thresholds_in_one_array(seed, depth, n_rows, most_rows):
    """Numbers that are all there are read where they stand."""
    rng = np.random.default_rng(seed)
    attributes = tuple(Attribute(f"x{i}") for i in range(3))
    root = thresholds(rng, 3, depth)
    x = rng.integers(-4, 5, (n_rows, 3)) + rng.choice([0.0, 0.5, 1e-15], (n_rows, 3))
    with patch.multiple(routing, _FEW=0, _MOST_ROWS=most_rows):
        found = where_rows_stop(flatten(root, attributes), [0] * 3, x.T)
    np.testing.assert_array_equal(found, slow(root, list(x.T)))
