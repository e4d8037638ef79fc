"""Tables with gaps: Quinlan's example, trees by hand, and oracles that walk row by row."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import log2, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import number_tables, tables

import dtree_lab as dt
from dtree_lab.criteria.variance import Scale
from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.grow.recipe import Stop, recipe
from dtree_lab.grow.textbook import best_split, finish, grow_by_recipe, look
from dtree_lab.tree.splits import ByValue
from dtree_lab.tree.tree import Branch, Leaf, flatten, walk

# -- the book's example --------------------------------------------------------------------------

WEATHER = """
    sunny 75 70 true Play, sunny 80 90 true Don't, sunny 85 85 false Don't, sunny 72 95 false Don't,
    sunny 69 70 false Play, ? 72 90 true Play, overcast 83 78 false Play, overcast 64 65 true Play,
    overcast 81 75 false Play, rain 71 80 true Don't, rain 65 70 true Don't, rain 75 80 false Play,
    rain 68 80 false Play, rain 70 96 false Play
"""


def weather():
    """C4.5's training set, with the sixth day's outlook unknown (Quinlan 1993, chapter 3)."""
    rows = [line.split() for line in WEATHER.split(",")]
    return dt.Table.from_rows(
        [
            (None if outlook == "?" else outlook, float(t), float(h), windy, play)
            for outlook, t, h, windy, play in rows
        ],
        target="play",
        names=["outlook", "temperature", "humidity", "windy", "play"],
        missing="keep",
    )


@pytest.mark.parametrize("seed", range(8))
def test_rows_without_a_value_are_a_branch_that_is_told_apart(seed):
    """C4.5 asks what the textbook asks, where columns differ in how many values they lack."""
    rng = np.random.default_rng(seed)
    columns = {
        f"x{i}": [None if gone else "uvw"[x] for gone, x in zip(*drawn, strict=True)]
        for i, lacking in enumerate((0.1, 0.3, 0.5, 0.7))
        if (drawn := (rng.random(40) < lacking, rng.integers(0, 3, 40)))
    }
    columns["y"] = list(np.where(rng.random(40) < 0.5, "yes", "no"))
    table = dt.Table.from_columns(columns, target="y", missing="keep")
    asked = recipe("c45", stop=Stop(max_depth=1))
    assert grow_tree(table, asked) == flatten(
        finish(grow_by_recipe(table, asked)), table.attributes
    )


def test_the_gain_of_the_books_example():
    """Of 13 known days 8 are to play: 0.961 bits. Outlook leaves 0.747 of them; 13/14 of the
    difference is 0.199. The sixth day is a fourth branch of the split: 1.809 bits to tell it."""
    found = best_split(weather(), 0, recipe("c45"))
    assert (found.known, found.unknown, found.rows) == (13, 1, 14)
    assert found.counts.tolist() == [[0, 3], [2, 3], [3, 2]]  # overcast, rain, sunny: Don't, Play
    known, remaining = dt.entropy([8, 5]), 10 / 13 * dt.entropy([2, 3])
    assert (round(known, 3), round(remaining, 3)) == (0.961, 0.747)
    assert found.remaining == pytest.approx(remaining)
    assert found.gain == pytest.approx(13 / 14 * (known - remaining))
    assert round(found.gain, 3) == 0.199
    split_info = -sum(n / 14 * log2(n / 14) for n in (5, 3, 5, 1))
    assert round(split_info, 3) == 1.809
    assert found.gain_ratio == pytest.approx(found.gain / split_info)
    assert round(found.gain_ratio, 3) == 0.110


# -- worked by hand ------------------------------------------------------------------------------


def loans():
    """Ten rows; "job" lacks two values, "age" one, "fax" all."""
    return dt.Table.from_columns(
        {
            "fax": [None] * 10,
            "job": ["a", "a", "a", "a", "b", "b", "b", "b", None, None],
            "age": [20, 30, 40, 50, 20, 30, None, 50, 60, 70],
            "y": ["n", "n", "p", "p", "n", "n", "n", "n", "p", "p"],
        },
        target="y",
        kinds={"fax": ("yes", "no")},
        missing="keep",
    )


def plain(node, table):
    match node:
        case Leaf(counts=counts):
            return counts
        case Branch(counts=counts, split=split, children=children):
            how = split.groups if isinstance(split, ByValue) else split.cuts[0]
            name = table.names[split.attribute]
            return counts, name, how, [plain(child, table) for child in children]


def test_id3_by_hand():
    """Job: 8 known, (6 n, 2 p) to (2, 2) and (4, 0): 8 H(1/4) - 4 = 2.490 bits over all rows.
    Age: 9 known, (5 n, 4 p); below 35 (4, 0), above (1, 4): 9 H(4/9) - 5 H(1/5) = 5.310 bits.
    So age. Above 35 are a: p, p; b: n; and two without a job: job parts the three known, gaining
    3 H(1/3) = 2.755 bits, age below 55 (1, 2) from (0, 2) only 5 H(1/5) - 3 H(1/3) = 0.855.
    The row without an age rests at the root, the two without a job below it."""
    table = loans()
    tree = dt.id3(table)
    assert plain(tree.root, table) == (
        *((6, 4), "age", 35),
        [(4, 0), ((1, 4), "job", ((0,), (1,)), [(0, 2), (1, 0)])],
    )
    assert plain(dt.cart(table).root, table) == plain(tree.root, table)


def test_c45_by_hand():
    """Both gains are divided by what tells the branches and the rest apart: 4, 4 and 2 of 10 take
    1.522 bits, 4, 5 and 1 take 1.361. Job's 0.249 is below the average of 0.390 anyway. Above 35
    only two rows have the job a and one the job b, too few; age needs two and two."""
    found = {c.split.attribute: c for c in look(loans(), recipe("c45"))}
    assert set(found) == {1, 2}
    gains = (8 * dt.entropy([2, 6]) - 4, 9 * dt.entropy([5, 4]) - 5 * dt.entropy([1, 4]))
    infos = (dt.entropy([4, 4, 2]), dt.entropy([4, 5, 1]))
    for i, gain, info in zip((1, 2), gains, infos, strict=True):
        assert found[i].gain == pytest.approx(gain / 10)
        assert found[i].gain_ratio == pytest.approx(gain / 10 / info)
    assert plain(dt.c45(loans()).root, loans()) == (
        *((6, 4), "age", 35),
        [(4, 0), ((1, 4), "age", 55, [(1, 2), (0, 2)])],
    )


def test_rows_rest_and_are_answered_where_they_stop():
    table = loans()
    tree = dt.id3(table)
    assert tree.predict(table).tolist() == ["n", "n", "p", "p", "n", "n", "n", "n", "p", "p"]
    assert tree.error(table) == 0
    row = {"fax": None, "job": None, "age": 45}
    assert str(tree.explain(row)).splitlines() == [
        "age is 45, ≥ 35",
        "job is missing, so the 5 training rows at this node decide",
        "so y = p (4 of 5 training rows here)",
    ]
    assert tree.predict({**row, "age": None}) == "n"
    # A value that no training row had stops a row too.
    assert tree.predict({**row, "job": "c"}) == "p"


def test_asking_by_hand():
    table = loans()
    tree = dt.by_hand(table, {(): "job", (0,): ("age", 35), (1,): ("age", 35)})
    assert plain(tree.root, table) == (
        *((6, 4), "job", ((0,), (1,))),
        [((2, 2), "age", 35, [(2, 0), (0, 2)]), ((4, 0), "age", 35, [(2, 0), (1, 0)])],
    )
    with pytest.raises(ValueError, match="all 10 rows here have the same 'fax'"):
        dt.by_hand(table, {(): "fax"})


@pytest.mark.parametrize("grower", [dt.id3, dt.c45, dt.cart, dt.stump])
def test_a_column_without_any_value_is_never_asked(grower):
    rng = np.random.default_rng(0)
    known = {"x": rng.integers(0, 3, 20).astype(float), "w": rng.choice(["u", "v"], 20)}
    y = rng.choice(["n", "p"], 20)
    gone = {"none": [None] * 20, "nan": np.full(20, np.nan)}
    kinds = {"none": ("a", "b")}
    full = dt.Table.from_columns({**gone, **known, "y": y}, "y", kinds=kinds, missing="keep")
    without = dt.Table.from_columns({**known, "y": y}, "y")
    tree, other = grower(full), grower(without)
    assert tree.predict(full).tolist() == other.predict(without).tolist()
    assert tree.n_nodes == other.n_nodes
    assert {full.names[a] for a in tree.flat.attr.tolist() if a >= 0} <= {"x", "w"}
    for event in dt.steps(grower, full):
        assert all(c.split.attribute > 1 for c in getattr(event, "candidates", ()))
    alone = dt.Table.from_columns({**gone, "y": y}, "y", kinds=kinds, missing="keep")
    assert grower(alone).n_nodes == 1


# -- oracles -------------------------------------------------------------------------------------


def costly(groups):
    """2 to the power of the sum of n H(Y), exactly."""
    return prod(
        (Fraction(len(g) ** len(g), prod(n**n for n in Counter(g).values())) for g in groups if g),
        start=Fraction(1),
    )


def unlike(groups):
    """The sum of n G(Y), exactly."""
    return sum(len(g) - Fraction(sum(n * n for n in Counter(g).values()), len(g)) for g in groups)


def spread(groups):
    """The sum of squared distances from the mean, exactly."""
    total = Fraction(0)
    for g in groups:
        exact = [Fraction(repr(y)) for y in g]
        total += sum(x * x for x in exact) - sum(exact) ** 2 / len(exact)
    return total


def questions(rows, name):
    values = sorted({row[name] for row in rows})
    if isinstance(values[0], str):
        if len(values) > 1:
            yield None, [[row for row in rows if row[name] == v] for v in values]
        return
    for low, high in pairwise(values):
        below = [row for row in rows if row[name] <= low]
        yield low / 2 + high / 2, [below, [row for row in rows if row[name] >= high]]


def oracle(rows, names, cost, gain):
    """ID3 in exact arithmetic: of each attribute the rows that have a value, the others rest."""
    best = None
    for name in names:
        known = [row for row in rows if row[name] is not None]
        if not known:
            continue
        before = cost([[row["y"] for row in known]])
        for cut, parts in questions(known, name):
            merit = gain(before, cost([[row["y"] for row in part] for part in parts]))
            if best is None or merit > best[0]:
                best = merit, name, cut, parts
    if best is None or len({row["y"] for row in rows}) == 1:
        return len(rows)
    _, name, cut, parts = best
    return len(rows), name, cut, [oracle(part, names, cost, gain) for part in parts]


def shape(node, table):
    match node:
        case Leaf(counts=counts):
            return sum(counts)
        case Branch(counts=counts, split=split, children=children):
            cut = None if isinstance(split, ByValue) else split.cuts[0]
            below = [shape(child, table) for child in children]
            return sum(counts), table.names[split.attribute], cut, below


@settings(max_examples=80)
@given(tables(max_rows=14, gaps=True))
def test_id3_is_the_exact_oracles_tree(table):
    expected = oracle(list(table.rows()), table.names, costly, lambda a, b: a / b)
    assert shape(dt.id3(table).root, table) == expected


@settings(max_examples=80)
@given(tables(max_rows=14, gaps=True))
def test_id3_with_gini_is_the_exact_oracles_tree(table):
    expected = oracle(list(table.rows()), table.names, unlike, lambda a, b: a - b)
    assert shape(dt.id3(table, criterion="gini").root, table) == expected


@st.composite
def exact_numbers(draw):
    """A table with gaps whose numbers are small and whole, so that ticks are exact."""
    table = draw(number_tables(max_rows=14, gaps=True))
    labels = draw(st.lists(st.integers(-4, 4), min_size=len(table), max_size=len(table)))
    return dt.Table(table.attributes, table.target, table.columns, np.array(labels, float))


@settings(max_examples=80)
@given(exact_numbers())
def test_a_regression_tree_is_the_exact_oracles_tree(table):
    expected = oracle(list(table.rows()), table.names, spread, lambda a, b: a - b)
    assert shape(dt.id3(table).root, table) == expected


def reached(tree, table):
    """The rows at each node, by its path: each row is walked down by itself."""
    rows = {path: [] for path, _ in walk(tree.root)}
    for i in range(table.n_rows):
        node, path = tree.root, ()
        rows[path].append(i)
        while isinstance(node, Branch):
            value = table.columns[node.split.attribute][i]
            known = value >= 0 if isinstance(node.split, ByValue) else value == value  # noqa: PLR0124
            if not known:
                break
            if isinstance(node.split, ByValue):
                (b,) = [b for b, group in enumerate(node.split.groups) if value in group]
            else:
                b = int(value >= node.split.cuts[0])
            node, path = node.children[b], (*path, b)
            rows[path].append(i)
    return rows


growers = st.sampled_from([dt.id3, dt.c45, dt.cart, dt.stump])


@settings(max_examples=50)
@given(tables(gaps=True), growers)
def test_counts_are_those_of_the_rows_that_get_there(table, grower):
    tree = grower(table)
    rows = reached(tree, table)
    stop = dict.fromkeys(range(table.n_rows), ())
    for path, node in walk(tree.root):
        counted = Counter(table.labels[rows[path]].tolist())
        assert node.counts == tuple(counted[c] for c in range(len(table.classes)))
        stop.update(dict.fromkeys(rows[path], path))
    answers = {
        path: table.classes[node.counts.index(max(node.counts))] for path, node in walk(tree.root)
    }
    said = [answers[stop[i]] for i in range(table.n_rows)]
    assert tree.predict(table).tolist() == said
    wrong = sum(a != b for a, b in zip(said, table.column("y"), strict=True))
    assert round(tree.error(table) * table.n_rows) == wrong


@settings(max_examples=50)
@given(number_tables(gaps=True), growers)
def test_numbers_are_those_of_the_rows_that_get_there(table, grower):
    tree = grower(table)
    rows = reached(tree, table)
    assert [node.counts for _, node in walk(tree.root)] == [
        (len(rows[path]),) for path, _ in walk(tree.root)
    ]


@settings(max_examples=50)
@given(
    tables(gaps=True),
    st.sampled_from([dt.id3, dt.c45, dt.cart]),
    st.sampled_from([0.0, 0.05, 0.2, 0.4]),
)
def test_max_error_counts_rows_that_rest(table, grower, max_error):
    """Best first: as good as was asked for, or grown to the end."""
    tree = grower(table, max_error=max_error)
    full = grower(table)
    assert tree.error(table) <= max_error or tree.n_nodes == full.n_nodes


def test_max_error_counts_rows_that_rest_by_hand():
    """Six of eleven are n. Of five u all are n, of four v three are p; two p without an x rest at
    the root, whose answer is n: after asking x 1 + 2 of 11 are wrong, after asking z below v 2."""
    table = dt.Table.from_columns(
        {
            "x": ["u"] * 5 + ["v"] * 4 + [None] * 2,
            "z": ["c"] * 8 + ["d"] + ["c"] * 2,
            "y": ["n"] * 5 + ["p"] * 3 + ["n"] + ["p"] * 2,
        },
        target="y",
        missing="keep",
    )
    one, two = dt.id3(table, max_error=3 / 11), dt.id3(table, max_error=0.2)
    assert (one.n_nodes, one.error(table)) == (3, 3 / 11)
    assert (two.n_nodes, two.error(table)) == (5, 2 / 11)


@settings(max_examples=40)
@given(number_tables(gaps=True), st.sampled_from([dt.id3, dt.cart]), st.floats(0.05, 0.9))
def test_max_error_of_numbers_counts_rows_that_rest(table, grower, share):
    max_error = float(np.var(table.labels)) * share
    tree = grower(table, max_error=max_error)
    tick = Scale.of(table.labels)[0].unit
    if tree.n_nodes < grower(table).n_nodes:
        assert tree.error(table) ** 0.5 <= max_error**0.5 * (1 + 1e-9) + tick


@settings(max_examples=40)
@given(tables(gaps=True), growers)
def test_a_row_with_every_value_missing_gets_the_roots_answer(table, grower):
    tree = grower(table)
    row = dict.fromkeys(table.names)
    majority = table.classes[int(table.counts().argmax())]
    assert tree.predict(row) == majority
    assert bool(tree.explain(row).stopped) == (tree.n_nodes > 1)


@settings(max_examples=40)
@given(tables(gaps=True), st.sampled_from(["id3", "c45", "cart"]))
def test_a_gain_is_the_known_share_of_the_known_rows_gain(table, kind):
    """Of the known rows alone the same question gains more: the share takes it back."""
    asked = recipe(kind)
    for i in range(len(table.attributes)):
        found = best_split(table, i, asked)
        column = table.column(table.names[i])
        known = [v is not None for v in column]
        if found is None:
            continue
        alone = best_split(table.take(np.array(known)), i, asked)
        share = sum(known) / len(known)
        assert found.split == alone.split
        assert found.gain == pytest.approx(alone.gain * share)
        sizes = [*found.counts.sum(axis=1).tolist(), len(known) - sum(known)]
        info = dt.entropy(sizes)
        assert found.gain_ratio == pytest.approx(found.gain / info)


@settings(max_examples=40)
@given(st.one_of(tables(gaps=True), number_tables(gaps=True)), growers)
def test_a_tree_grown_with_gaps_can_be_kept(table, grower):
    tree = grower(table)
    again = dt.Tree.from_json(tree.to_json())
    assert again == tree
    assert again.predict(table).tolist() == tree.predict(table).tolist()


def test_more_rows_below_than_above_are_refused():
    data = json.loads(dt.id3(loans()).to_json())
    data["nodes"][0]["counts"] = [5, 4]  # nine rows of which one rests: 4 + 5 are below
    assert dt.Tree.from_json(json.dumps(data)).n_nodes == 5
    data["nodes"][0]["counts"] = [4, 4]
    with pytest.raises(
        ValueError, match=r"node 0 has the counts \[4, 4\].*\[5, 4\], which is more"
    ):
        dt.Tree.from_json(json.dumps(data))


@settings(max_examples=40)
@given(st.one_of(tables(gaps=True), number_tables(gaps=True)), growers)
def test_by_hand_asks_what_a_grower_asked(table, grower):
    """The questions of a grown tree, asked by hand, give that tree again."""
    tree = grower(table)
    questions = {}
    for path, node in walk(tree.root):
        if isinstance(node, Branch):
            attribute = table.attributes[node.split.attribute]
            if isinstance(node.split, ByValue):
                how = [[attribute.values[c] for c in group] for group in node.split.groups]
            else:
                how = node.split.cuts
            questions[path] = attribute.name, how
    assert dt.by_hand(table, questions) == tree
