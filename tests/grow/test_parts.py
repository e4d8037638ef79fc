"""Rows without a value go down every branch in parts, as in the program of C4.5.

That trees and counts are those of J48 is held in ``tests/peers``, that textbook and engine agree,
and that weighing is repeating, in ``test_release8.py``. Here fractions are sent down by hand.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import tables, telling_tables

import dtree_lab as dt
from dtree_lab.tree.parts import in_parts, parts_of
from dtree_lab.tree.tree import Branch

GAPPY = st.one_of(telling_tables(), tables(gaps=True)).filter(lambda table: table.has_missing)


def golf():
    """Quinlan's fourteen days of golf; that it was overcast on the sixth is not known (1993)."""
    return dt.Table.from_columns(
        {
            "outlook": ["sunny"] * 5 + [None] + ["overcast"] * 3 + ["rain"] * 5,
            "temperature": [75, 80, 85, 72, 69, 72, 83, 64, 81, 71, 65, 75, 68, 70],
            "humidity": [70, 90, 85, 95, 70, 90, 78, 65, 75, 80, 70, 80, 80, 96],
            "windy": list("ttffftftfttfff"),
            "class": ["Play" if p == "p" else "Don't" for p in "pnnnpppppnnppp"],
        },
        target="class",
        missing="keep",
    )


def test_a_day_of_unknown_outlook_is_parted_as_in_quinlans_book():
    """Section 3.1: 5/13 of it are sunny, 3/13 overcast, 5/13 rain; 0.199 bits, a ratio of 0.110."""
    (outlook, *_) = dt.steps(dt.c45, golf(), release=8)[0].candidates
    assert (round(outlook.gain, 3), round(outlook.gain_ratio, 3)) == (0.199, 0.110)
    tree = dt.c45(golf(), release=8)
    told = {leaf.where: (leaf.answer, leaf.rows) for leaf in tree.leaves()}
    assert told == {
        ("outlook is overcast",): ("Play", pytest.approx(3 + 3 / 13, abs=1e-5)),
        ("outlook is rain", "windy is f"): ("Play", 3),
        ("outlook is rain", "windy is t"): ("Don't", pytest.approx(2 + 5 / 13, abs=1e-5)),
        ("outlook is sunny", "humidity ≤ 75"): ("Play", 2),
        ("outlook is sunny", "humidity > 75"): ("Don't", pytest.approx(3 + 5 / 13, abs=1e-5)),
    }
    assert tree.flat.counts[3].tolist() == [3 * 13, 2 * 13 + 5]  # sunny days, in thirteenths
    assert tree.weight_unit == 13


def test_a_sunny_day_of_unknown_humidity_is_answered_as_in_quinlans_book():
    """2.0 of 5.4 days go below the cut, where all play; 3.4 above it, where 0.4 do: 44 % play."""
    tree, row = dt.c45(golf(), release=8), golf().row(0) | {"humidity": None}
    play = Fraction(2 * 13, 70) + Fraction(44, 70) * Fraction(5, 44)
    shares = dict(zip(tree.classes, tree.shares(row)[0].tolist(), strict=True))
    assert shares == {"Play": pytest.approx(float(play)), "Don't": pytest.approx(float(1 - play))}
    assert tree.predict(row) == "Don't"
    assert tree.predict(row, costs={("Play", "Don't"): 2}) == "Play"
    assert "goes down every branch" in str(tree.explain(row))
    assert tree.explain(row).counts["Play"] == pytest.approx(float(play) * 70 / 13, abs=1e-4)


def way_of(tree, node, row):
    """The branch that a row takes; None where it lacks what is asked, -1 where it rests."""
    attribute = tree.attributes[node.split.attribute]
    given = row[attribute.name]
    if given is None:
        return None
    code = given if attribute.values is None else attribute.code(given)
    return int(node.split.branch(np.array([code]))[0])


def by_fractions(tree, row, node, share=Fraction(1)):
    """Where a row stops, part by part, by the tree's own counts: nodes and shares."""
    way = way_of(tree, node, row) if isinstance(node, Branch) else -1
    if way == -1:
        return [(node, share)]
    if way is not None:
        return by_fractions(tree, row, node.children[way], share)
    below = [sum(child.counts) for child in node.children]
    ways = zip(node.children, below, strict=True)
    parts = [(child, share * Fraction(n, sum(below))) for child, n in ways]
    return [stop for child, part in parts for stop in by_fractions(tree, row, child, part)]


def sent_down(tree, node, rows, depth=0):
    """Each node, how deep it is, and the rows that come to it, with what they weigh there."""
    yield node, depth, rows
    if not isinstance(node, Branch):
        return
    ways = [way_of(tree, node, row) for row, _ in rows]
    there = list(zip(rows, ways, strict=True))
    known = [sum(w for (_, w), way in there if way == b) for b in range(node.split.n_branches)]
    for b, child in enumerate(node.children):
        part = [
            (row, w if way == b else w * known[b] / sum(known))
            for (row, w), way in there
            if way in (b, None)
        ]
        yield from sent_down(tree, child, part, depth + 1)


@settings(max_examples=150)
@given(GAPPY, st.randoms(use_true_random=False))
def test_parts_vote_by_their_size(table, chance):
    tree = dt.c45(table, release=8)
    rows = [
        {a.name: chance.choice([None, *table.column(a.name)]) for a in table.attributes}
        for _ in range(6)
    ]
    for row, answer, told in zip(rows, tree.predict(rows), tree.shares(rows), strict=True):
        votes = [Fraction(0)] * len(tree.classes)
        for node, share in by_fractions(tree, row, tree.root):
            for c, n in enumerate(node.counts):
                votes[c] += share * Fraction(n, sum(node.counts))
        assert told.tolist() == pytest.approx([float(v) for v in votes])
        assert max(votes) - votes[tree.classes.index(answer)] < 1e-8
    stops = tree.leaves(replace(table.take([0] * 6), columns=encoded(table, rows)))
    assert sum(leaf.rows for leaf in stops) == pytest.approx(6, rel=5e-6)  # each in six digits


def encoded(table, rows):
    """The columns of some rows."""
    made = {a.name: [row[a.name] for row in rows] for a in table.attributes}
    kinds = {a.name: a.values or "continuous" for a in table.attributes}
    read = dt.Table.from_columns({**made, "y": ["1"] * len(rows)}, "y", kinds=kinds, missing="keep")
    return read.columns


@settings(max_examples=150)
@given(GAPPY)
def test_nodes_hold_what_fractions_of_rows_come_to_them(table):
    """But for the ticks to which each division rounds."""
    tree = dt.c45(table, release=8)
    rows = [(row, Fraction(1)) for row in table.rows()]
    for node, depth, here in sent_down(tree, tree.root, rows):
        for c, counted in zip(tree.classes, node.counts, strict=True):
            exact = sum(w for row, w in here if row[table.target.name] == c)
            assert abs(exact - Fraction(counted, tree.weight_unit)) <= depth * len(table) / 2000


def test_a_part_is_as_large_as_the_branchs_share_and_none_is_lost():
    ticks = np.array([10, 7, 0])
    assert parts_of(ticks, np.array([1, 3])).tolist() == [[3, 2, 0], [7, 5, 0]]
    assert parts_of(ticks, np.array([0, 0])).tolist() == [[5, 4, 0], [5, 3, 0]]


@settings(max_examples=100)
@given(
    st.lists(st.integers(0, 2**23), min_size=1, max_size=9),
    st.lists(st.integers(0, 2**23), min_size=1, max_size=9),
)
def test_parts_add_up_and_are_off_by_less_than_a_tick(ticks, known):
    assume(sum(known))
    parts = parts_of(np.array(ticks), np.array(known)).tolist()
    for i, whole in enumerate(ticks):
        assert sum(part[i] for part in parts) == whole
        for part, n in zip(parts, known, strict=True):
            assert abs(part[i] - Fraction(whole * n, sum(known))) <= 1


def test_rows_that_are_alike_are_one_that_weighs_as_much():
    table = golf()
    twice = in_parts(table.take([*range(14), 5]))
    assert (twice.n_rows, twice.n_ticks) == (14, 15 * twice.weight_unit)
    assert max(twice.weights) == 2 * twice.weight_unit


@settings(max_examples=60)
@given(GAPPY, st.sampled_from([None, True, False]))
def test_questions_with_parts_are_refilled_with_the_same_counts(table, raising):
    """Raising sends rows down anew, `from_model` as a person's questions do: both by the rule."""
    tree = dt.c45(table, release=8)
    if raising is not None:
        keywords = {"table": table} if raising else {}
        tree = dt.prune.pessimistic(tree, raising=raising, **keywords)
    again = dt.Tree.from_model(dt.Tree(tree.attributes, tree.target, tree.flat), table)
    if tree.n_nodes > 1:  # in larger ticks, where all counts have a divisor in common
        times, rest = divmod(tree.weight_unit, again.weight_unit)
        assert (rest, replace(again.flat, counts=again.flat.counts * times)) == (0, tree.flat)
    assert dt.Tree.from_json(tree.to_json()).flat == tree.flat


def test_by_hand_a_part_goes_down_every_branch_where_that_is_asked_for():
    tree = dt.by_hand(golf(), {(): ("outlook", None, "parts")})
    assert [sum(c.counts) for c in tree.root.children] == [3 * 13 + 3, 5 * 13 + 5, 5 * 13 + 5]
    assert dt.by_hand(golf(), {(): "outlook"}).weight_unit == 1


@pytest.mark.parametrize("write", [dt.draw.python, lambda tree: dt.draw.sql(tree, "days")])
def test_what_cannot_part_rows_says_so(write):
    with pytest.raises(ValueError, match="'outlook' goes down every branch in parts"):
        write(dt.c45(golf(), release=8))
    write(dt.c45(golf()))


def test_the_exact_limit_of_pruning_counts_whole_rows():
    tree = dt.c45(golf(), release=8)
    with pytest.raises(ValueError, match="raising=True or False"):
        dt.prune.pessimistic(tree)
    assert dt.prune.pessimistic(tree, raising=False) == tree


def test_held_out_rows_are_counted_where_their_parts_stop():
    """A sunny day of unknown humidity on which one plays: 44/70 of it comes to a leaf of Don't."""
    tree = dt.c45(golf(), release=8)
    day = golf().take([0])
    humidity = day.index("humidity")
    columns = [np.array([np.nan]) if i == humidity else c for i, c in enumerate(day.columns)]
    table = replace(day, columns=tuple(columns))
    below, above = (leaf for leaf in tree.leaves(table) if leaf.rows)
    assert (below.rows, below.error) == (pytest.approx(26 / 70, abs=1e-5), 0)
    assert (above.rows, above.error) == (pytest.approx(44 / 70, abs=1e-5), 1)
