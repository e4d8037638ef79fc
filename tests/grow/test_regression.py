"""Regression trees: by hand, against oracles in fractions, and beside scikit-learn."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from cases import each
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2
from sklearn.tree import DecisionTreeRegressor
from strategies import attributes, number_tables

import dtree_lab as dt
from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.grow.prepare import measured
from dtree_lab.grow.recipe import Stop, recipe
from dtree_lab.grow.textbook import finish, grow_by_recipe
from dtree_lab.tree.splits import ByValue
from dtree_lab.tree.tree import Branch, Leaf, flatten, walk

# -- worked by hand ------------------------------------------------------------------------------


def fruit(unit=1):
    """Six rows; the squared distances of all from their mean 7 add up to 130.

    Left over by colour: 2 + 2 + 2. By two groups of colours: red against the others 2 + 53, blue
    against the others 20 + 2. By size: below 1.5 8 + 74, 2.5 68.75 + 24.5, 3.5 71.2 + 0.
    """
    return dt.Table.from_columns(
        {
            "size": [1, 2, 1, 3, 2, 4],
            "colour": ["red", "red", "green", "green", "blue", "blue"],
            "y": [y * unit for y in (1, 3, 5, 7, 12, 14)],
        },
        target="y",
        kinds={"colour": ("red", "green", "blue")},
    )


def plain(node, table):
    """A tree as nested tuples: rows and mean; at a branch what is asked, its cut, its children."""
    said = (*node.counts, node.values[0])
    match node:
        case Leaf():
            return said
        case Branch(split=split, children=children):
            how = split.groups if isinstance(split, ByValue) else split.cuts[0]
            name = table.names[split.attribute]
            return *said, name, how, [plain(child, table) for child in children]


def test_id3_by_hand():
    """Colour leaves 6 of 130. Then size parts every pair: 1 and 2, 1 and 3, 2 and 4."""
    assert plain(dt.id3(fruit()).root, fruit()) == (
        *(6, 7, "colour", ((0,), (1,), (2,))),
        [
            (2, 2, "size", 1.5, [(1, 1), (1, 3)]),
            (2, 6, "size", 2, [(1, 5), (1, 7)]),
            (2, 13, "size", 3, [(1, 12), (1, 14)]),
        ],
    )


def test_cart_by_hand():
    """Blue against the others leaves 22 of 130; then red against green 4 of 20."""
    assert plain(dt.cart(fruit()).root, fruit()) == (
        *(6, 7, "colour", ((0, 1), (2,))),
        [
            (
                *(4, 4, "colour", ((0,), (1,))),
                [(2, 2, "size", 1.5, [(1, 1), (1, 3)]), (2, 6, "size", 2, [(1, 5), (1, 7)])],
            ),
            (2, 13, "size", 3, [(1, 12), (1, 14)]),
        ],
    )


def test_c45_by_hand():
    """Gains per row by colour 62/3, by size below 3.5 (the best that leaves two rows on each side
    is below 1.5) 8: only the first is at least the average. Pairs cannot be parted two and two."""
    assert plain(dt.c45(fruit()).root, fruit()) == (
        *(6, 7, "colour", ((0,), (1,), (2,))),
        [(2, 2), (2, 6), (2, 13)],
    )


def test_the_variance_at_each_node_by_hand():
    variances = [node.values[1] for _, node in walk(dt.cart(fruit(), max_depth=2).root)]
    assert variances == pytest.approx([130 / 6, 5, 1, 1, 1, 0, 0])


@each(("min_gain", "n_leaves"), [(18.01, 1), (18, 2), (4.01, 2), (4, 3), (1.01, 3), (1, 6), (0, 6)])
@each("unit", [1, 8])
def test_the_least_gain_is_in_the_targets_unit_squared(unit, min_gain, n_leaves):
    """Per row of the node: (130 - 22) / 6 = 18, (20 - 4) / 4 = 4, and 2 / 2 for each pair."""
    assert dt.cart(fruit(unit), min_gain=min_gain * unit**2).n_leaves == n_leaves


@pytest.mark.parametrize(
    ("max_error", "n_leaves", "left"),
    [(22, 1, 130), (21.6, 2, 22), (3.7, 2, 22), (3.6, 3, 6), (1, 3, 6), (0.9, 4, 4), (0, 6, 0)],
)
def test_growing_stops_at_a_mean_squared_error(max_error, n_leaves, left):
    """Best first: 130, 22, 6, 4, 2 and 0 are left over, of six rows."""
    tree = dt.cart(fruit(), max_error=max_error)
    assert tree.n_leaves == n_leaves
    assert tree.error(fruit()) == pytest.approx(left / 6, abs=1e-12)


@pytest.mark.parametrize(("max_leaves", "left"), list(enumerate([130, 22, 6, 4, 2, 0, 0], start=1)))
def test_the_best_leaves_are_grown_first(max_leaves, left):
    tree = dt.cart(fruit(), max_leaves=max_leaves)
    assert tree.n_leaves == min(max_leaves, 6)
    assert tree.error(fruit()) == pytest.approx(left / 6, abs=1e-12)


def test_of_pairs_that_gain_the_same_the_one_nearest_the_root_is_split():
    tree = dt.cart(fruit(), max_leaves=4)
    assert isinstance(tree.root.children[1], Branch)
    assert all(isinstance(child, Leaf) for child in tree.root.children[0].children)


# -- oracles in fractions ------------------------------------------------------------------------


@st.composite
def exact_tables(draw, max_rows=12, max_attributes=3):
    """A mixed table whose numbers are whole or of a decimal, so that ticks are exact."""
    n = draw(st.integers(1, max_rows))
    made = draw(attributes(n, max_attributes, gaps=False))
    parts, origin = draw(st.sampled_from([1, 10])), draw(st.sampled_from([0, 0, 10**6]))
    some = st.integers(-4, 4).map(lambda i: (origin * parts + i) / parts)
    made["y"] = draw(st.lists(some, min_size=n, max_size=n))
    return dt.Table.from_columns(made, target="y", target_kind="continuous")


def spread(rows):
    """The sum of squared distances from the mean, of numbers as they are written."""
    exact = [Fraction(repr(row["y"])) for row in rows]
    mean = sum(exact) / len(exact)
    return sum((x - mean) ** 2 for x in exact)


def questions(rows, name, *, two_groups):
    """Every split by an attribute with the rows of each branch, the lowest cut first."""
    values = sorted({row[name] for row in rows})
    if not isinstance(values[0], str):
        for low, high in pairwise(values):
            below = [row for row in rows if row[name] <= low]
            yield low / 2 + high / 2, [below, [row for row in rows if row[name] >= high]]
    elif not two_groups and len(values) > 1:
        yield None, [[row for row in rows if row[name] == v] for v in values]
    elif two_groups:
        for subset in range(1, 2 ** (len(values) - 1)):  # the last value is never in the subset
            group = {v for i, v in enumerate(values) if subset >> i & 1}
            parts = [
                [row for row in rows if (row[name] in group) is side] for side in (True, False)
            ]
            yield group, parts


def best_question(rows, names, *, two_groups):
    """What is left over, the attribute, the cut and the parts: the first of the best."""
    best = None
    for name in names:
        for cut, parts in questions(rows, name, two_groups=two_groups):
            left = sum(map(spread, parts))
            if best is None or left < best[0]:
                best = left, name, cut, parts
    return best


def oracle(rows, names):
    best = best_question(rows, names, two_groups=False)
    if best is None or not spread(rows):
        return len(rows)
    _, name, cut, parts = best
    return len(rows), name, cut, [oracle(part, names) for part in parts]


def shape(node, table):
    match node:
        case Leaf(counts=(n,)):
            return n
        case Branch(counts=(n,), split=split, children=children):
            cut = None if isinstance(split, ByValue) else split.cuts[0]
            return n, table.names[split.attribute], cut, [shape(child, table) for child in children]


@settings(max_examples=80)
@given(exact_tables())
def test_id3_is_the_exact_oracles_tree(table):
    assert shape(dt.id3(table).root, table) == oracle(list(table.rows()), table.names)


@settings(max_examples=60)
@given(exact_tables(max_rows=9))
def test_a_stump_is_the_best_of_all_questions(table):
    """Every cut and every two groups of values; that sorted means are enough is a theorem."""
    rows = list(table.rows())
    best = best_question(rows, table.names, two_groups=True)
    tree = dt.stump(table)
    if best is None or not spread(rows):
        assert tree.n_nodes == 1
        return
    left, name, cut, _ = best
    split = tree.root.split
    assert table.names[split.attribute] == name
    if not isinstance(split, ByValue):
        assert split.cuts == (cut,)
    nodes = tree.apply(table)
    parts = [[row for row, at in zip(rows, nodes, strict=True) if at == child] for child in (1, 2)]
    assert sum(map(spread, parts)) == left
    assert tree.error(table) == pytest.approx(float(left) / len(rows), rel=1e-9, abs=1e-9)


def hard_numbers(kind, n, rng):
    """Near ties, exact ties, far origins, few large numbers among small ones, mirrored halves."""
    match kind:
        case "few values":
            return rng.integers(0, 3, n).astype(float)
        case "far origin":
            return 1e12 + rng.random(n) * 1e-3
        case "far origin, whole":
            return 2.0**40 + rng.integers(0, 9, n)
        case "two giants":
            return np.where(np.arange(n) % (n // 2) == 7, 1e9, rng.random(n))
        case "walk":
            return np.cumsum(rng.choice([-1.0, 1.0], n))
        case "mirrored":
            half = rng.normal(size=n // 2)
            return np.concatenate([half, half[::-1]])
        case "all scales":
            return np.exp(20 * rng.normal(size=n))
    return np.where(np.arange(n) < n // 2, 1 / 3, 1 / 3 + 1e-12)


def left_over(ticks, column):
    """What each cut of a column leaves of the squared distances, exactly, from the lowest on."""
    order = np.argsort(column, kind="stable")
    ordered, below, n = column[order], 0, len(ticks)
    total, squares = sum(ticks), sum(t * t for t in ticks)
    for i, row in enumerate(order[:-1].tolist(), start=1):
        below += ticks[row]
        if ordered[i - 1] < ordered[i]:
            above = total - below
            yield squares - Fraction(below * below, i) - Fraction(above * above, n - i)


KINDS = [
    "few values",
    "far origin",
    "far origin, whole",
    "two giants",
    "walk",
    "mirrored",
    "all scales",
    "two steps",
]


@pytest.mark.parametrize("kind", KINDS)
def test_of_many_rows_the_cheapest_cut_is_found_however_hard_the_numbers(kind):
    """Enough rows to be sorted, not counted, where cuts are estimated in floats first."""
    rng = np.random.default_rng(KINDS.index(kind))
    n = 900
    y = hard_numbers(kind, n, rng)
    columns = {
        "any": rng.permutation(n) / 7,
        "ties": rng.integers(0, n // 3, n).astype(float),
        "order": np.arange(n, dtype=float),
        "back": -np.arange(n, dtype=float),
    }
    kinds = {"order": "continuous", "y": "continuous"}
    table = dt.Table.from_columns({**columns, "y": y}, target="y", kinds=kinds)
    in_ticks, asked = measured(table, recipe("cart", stop=Stop(max_depth=3)))
    fast = grow_tree(in_ticks, asked)
    assert fast == flatten(finish(grow_by_recipe(in_ticks, asked)), table.attributes)
    ticks = in_ticks.labels.tolist()
    least = min(min(left_over(ticks, column)) for column in table.columns)
    below = table.columns[fast.attr[0]] < fast.cuts[fast.start[0]]
    parts = [[t for t, b in zip(ticks, below, strict=True) if b == side] for side in (True, False)]
    left = sum(sum(t * t for t in part) - Fraction(sum(part) ** 2, len(part)) for part in parts)
    assert 0 <= left - least <= asked.criterion.tie


def test_the_best_cut_of_millions_of_rows():
    """Of twenty values the step stands behind the first; the cube of the rows passes 2**63."""
    n = 3_600_000
    x = np.repeat(np.arange(20.0), n // 20)
    y = (np.arange(n) % 3 == 0) + (x > 0)
    target = dt.Attribute("y")
    table = dt.Table((dt.Attribute("x"),), target, (x,), y.astype(float))
    assert dt.stump(table).root.split.cuts == (0.5,)


@settings(max_examples=50)
@given(st.integers(2, 7), st.data())
def test_two_groups_of_many_values_are_the_best_of_all(v, data):
    """All 2**v ways to part the values of one attribute."""
    ys = [data.draw(st.lists(st.integers(-9, 9), min_size=1, max_size=4)) for _ in range(v)]
    rows = [{"x": f"v{i}", "y": float(y)} for i, some in enumerate(ys) for y in some]
    assume(len({row["y"] for row in rows}) > 1)
    table = dt.Table.from_rows(rows, target="y", target_kind="continuous")
    left, *_ = best_question(rows, ["x"], two_groups=True)
    split = dt.cart(table, max_depth=1).root.split
    inside = [row for row in rows if int(row["x"][1:]) in split.groups[0]]
    outside = [row for row in rows if int(row["x"][1:]) in split.groups[1]]
    assert spread(inside) + spread(outside) == left


@settings(max_examples=50)
@given(number_tables())
def test_full_growth_errs_only_on_rows_that_no_attribute_parts(table):
    """The least training error of any tree: rows that are alike get their mean."""
    alike: dict[tuple, list] = {}
    for row in table.rows():
        alike.setdefault(tuple(v for name, v in row.items() if name != "y"), []).append(row["y"])
    least = sum(np.var(ys) * len(ys) for ys in alike.values()) / len(table)
    size = np.abs(table.labels).max()
    for grower in (dt.id3, dt.cart):
        tree = grower(table)
        assert tree.error(table) == pytest.approx(least, rel=1e-9, abs=(size * 1e-6) ** 2)


@settings(max_examples=50)
@given(number_tables(), st.sampled_from([dt.id3, dt.c45, dt.cart]))
def test_a_moved_or_stretched_target_grows_the_same_tree(table, grower):
    """By a power of two, so that the numbers stay what they were, exactly."""
    tree = grower(table)
    moved = dt.Table(table.attributes, table.target, table.columns, table.labels * 4.0)
    assert shape(grower(moved).root, table) == shape(tree.root, table)
    turned = dt.Table(table.attributes, table.target, table.columns, -table.labels)
    if grower is not dt.cart:  # in which order values stand decides ties between groups of them
        assert shape(grower(turned).root, table) == shape(tree.root, table)


@pytest.mark.parametrize("grower", [dt.id3, dt.c45, dt.cart, dt.stump])
def test_a_constant_target_is_one_leaf(grower):
    for y in (0.1, 1 / 3, -1e9, 1e300):
        tree = grower(
            dt.Table.from_columns(
                {"x": [1, 2, 3], "y": [y] * 3}, target="y", target_kind="continuous"
            )
        )
        assert plain(tree.root, tree) == (3, y)
        assert tree.explain({"x": 5}).deviation == 0


def test_numbers_too_far_apart_are_refused():
    table = dt.Table.from_columns({"x": [1, 2], "y": [-1e200, 3]}, target="y")
    with pytest.raises(ValueError, match=r"'y', from -1e\+200 to 3, are too far apart"):
        dt.cart(table)
    with pytest.raises(ValueError, match="too far apart"):
        dt.by_hand(table, {(): ("x", 1.5)})
    near = dt.Table.from_columns(
        {"x": [1, 2], "y": [1e200, 1e200]}, target="y", target_kind="continuous"
    )
    assert dt.cart(near).predict({"x": 1}) == 1e200


# -- beside scikit-learn -------------------------------------------------------------------------

PEERS = {
    "diabetes": lambda: load_diabetes(return_X_y=True),
    "friedman 1": lambda: make_friedman1(300, noise=1.0, random_state=0),
    "friedman 2": lambda: make_friedman2(300, noise=1.0, random_state=1),
}


@pytest.fixture(params=PEERS)
def peer(request):
    x, y = PEERS[request.param]()
    # It works with numbers of 32 bits: given those, both see the same.
    x = x.astype(np.float32).astype(float)
    columns = {f"x{i}": x[:, i] for i in range(x.shape[1])}
    return dt.Table.from_columns({**columns, "y": y}, target="y"), x, y


def test_full_growth_errs_as_little(peer):
    table, x, y = peer
    theirs = DecisionTreeRegressor(random_state=0).fit(x, y)
    error = np.square(theirs.predict(x) - y).mean()
    assert dt.cart(table).error(table) == pytest.approx(error, rel=1e-9, abs=1e-9)


def test_the_root_is_split_as_well(peer):
    table, x, y = peer
    theirs = DecisionTreeRegressor(max_depth=1, random_state=0).fit(x, y).tree_
    n = theirs.n_node_samples
    left = (n[1] * theirs.impurity[1] + n[2] * theirs.impurity[2]) / n[0]
    ours = dt.stump(table)
    assert ours.error(table) == pytest.approx(left, rel=1e-9)
    assert [node.values[1] for _, node in walk(ours.root)] == pytest.approx(
        theirs.impurity.tolist(), rel=1e-9
    )


@pytest.mark.parametrize("max_depth", [1, 2, 3])
def test_predictions_are_the_same_where_no_tie_is_met(peer, max_depth):
    table, x, y = peer
    events = dt.steps(dt.cart, table, max_depth=max_depth)
    for event in events:
        gains = sorted((c.settled_gain for c in getattr(event, "candidates", ())), reverse=True)
        assert len(gains) < 2 or gains[0] > gains[1], "a tie, which each may resolve its own way"
    ours = dt.cart(table, max_depth=max_depth)
    theirs = DecisionTreeRegressor(max_depth=max_depth, random_state=0).fit(x, y)
    assert ours.predict(table) == pytest.approx(theirs.predict(x), rel=1e-9)
    assert (ours.n_nodes, ours.depth) == (theirs.tree_.node_count, theirs.get_depth())
