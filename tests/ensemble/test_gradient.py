"""Gradient boosting: by hand in fractions, under the textbook's law, and beside scikit-learn."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import log

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from strategies import number_tables, tables, weights

import dtree_lab as dt
from dtree_lab.ensemble import gradient as g
from dtree_lab.ensemble.gradient import GradientBoosted
from dtree_lab.grow.textbook import finish, grow_by_recipe
from dtree_lab.tree.tree import flatten

FLATS = dt.Table.from_columns(
    {"m2": [30, 40, 50, 70, 100], "rent": [6, 8, 9, 13, 19]}, target="rent"
)
TAX = dt.datasets.tax_fraud()


def test_two_rounds_with_five_flats_by_hand():
    """The mean is 55/5 = 11; half of what a stump says is added.

    1. Left: -5, -3, -2, 2, 8. By the cut, the sum of squares that the means take away, S²/n on
       both sides: < 35 25 + 25/4, < 45 64/2 + 64/3, < 60 100/3 + 100/2 = 83 1/3, < 85 64/4 + 64.
       So m2 < 60: -10/3 below, 5 above. Now it says 28/3 three times, and 27/2 twice.
    2. Left: -10/3, -4/3, -1/3, -1/2, 11/2. The highest cut: -11/8 below, 11/2 above.
    """
    events = dt.steps(dt.gradient_boosting, FLATS, rounds=2, rate=0.5, max_depth=1)
    first, second = (
        [e for e in events if isinstance(e, kind)] for kind in (g.LeftOver, g.Corrected)
    )
    left = [[-5, -3, -2, 2, 8], [Fraction(n, 6) for n in (-20, -8, -2, -3, 33)]]
    for event, expected in zip(first, left, strict=True):
        assert event.residuals.tolist() == pytest.approx([float(x) for x in expected], rel=1e-14)
    assert [event.tree.root.split.cuts for event in second] == [(60.0,), (85.0,)]
    answers = [[Fraction(-10, 3), 5], [Fraction(-11, 8), Fraction(11, 2)]]
    for event, (below, above) in zip(second, answers, strict=True):
        assert event.tree.predict({"m2": 0}) == pytest.approx(float(below), rel=1e-14)
        assert event.tree.predict({"m2": 200}) == pytest.approx(float(above), rel=1e-14)
    # 28/3 - 11/16 = 415/48 three times, 27/2 - 11/16 = 205/16, 27/2 + 11/4 = 65/4.
    said = [Fraction(415, 48)] * 3 + [Fraction(205, 16), Fraction(65, 4)]
    assert second[-1].scores.tolist() == pytest.approx([float(x) for x in said], rel=1e-14)
    off = sum((x - y) ** 2 for x, y in zip(said, [6, 8, 9, 13, 19], strict=True)) / 5
    assert second[-1].loss == pytest.approx(float(off), rel=1e-14)
    assert events[-1] == g.GradientFinished(2, g.ENOUGH)


def test_one_round_with_two_classes_by_hand():
    """Three of ten returns are fraud, so the odds are 3/7; each is left 7/10, the others -3/10.

    Married: four, none a fraud; the sum of what is left is -12/10, that of p (1 - p) 4 · 21/100.
    So Newton's step is -10/7. Of the six others three are: 21/10 - 9/10 by 6 · 21/100 is 20/21.
    """
    boosted = dt.gradient_boosting(TAX, rounds=1, rate=1, max_depth=1)
    assert boosted.start == pytest.approx(log(3 / 7))
    expected = [
        log(3 / 7) + (-10 / 7 if row["Marital Status"] == "Married" else 20 / 21)
        for row in TAX.rows()
    ]
    assert boosted.scores(TAX).tolist() == pytest.approx(expected)
    odds = np.exp(expected)
    assert boosted.shares(TAX)[:, 1] == pytest.approx(odds / (1 + odds))
    # 3/7 · e^(20/21) is above 1, so all who are not married are said to cheat.
    assert boosted.predict(TAX).tolist() == ["Yes" if x > 0 else "No" for x in expected]
    assert boosted.staged_error(TAX).tolist() == [0.3]


@settings(max_examples=60, deadline=None)
@given(tables(max_classes=2, gaps=True).filter(lambda table: len(table.classes) == 2))
def test_each_node_answers_by_newton_where_rows_rest_too(table):
    scores = None
    for event in dt.steps(dt.gradient_boosting, table, rounds=4, rate=0.5, max_depth=2):
        if isinstance(event, g.LeftOver):
            left = event.residuals
        elif isinstance(event, g.Corrected):
            p = table.labels - left
            assert scores is None or p == pytest.approx(1 / (1 + np.exp(-scores)))
            waiting = [(event.tree.root, np.arange(len(table)))]
            for i, (node, rows) in enumerate(waiting):  # breadth first, as nodes are numbered
                newton = left[rows].sum() / (p[rows] * (1 - p[rows])).sum()
                assert event.tree.flat.values[i, 0] == pytest.approx(newton, abs=1e-9)
                if isinstance(node, dt.Branch):
                    side = node.split.branch(table.columns[node.split.attribute][rows])
                    waiting += [(c, rows[side == k]) for k, c in enumerate(node.children)]
            scores = event.scores


def cheapest_cuts(xs, left):
    """By each cut between neighbours, the sum of squares that is left; in fractions."""
    values = sorted(set(xs))
    found = {}
    for low, high in pairwise(values):
        cut = (low + high) / 2
        sides = [
            [r for x, r in zip(xs, left, strict=True) if (x < cut) == below]
            for below in (True, False)
        ]
        found[cut] = sum(sum(r * r for r in side) - sum(side) ** 2 / len(side) for side in sides)
    return found


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(-20, 20)), min_size=2, max_size=12),
    st.sampled_from([1, 2, 4]),
)
def test_stumps_are_those_of_fractions_where_no_two_come_near(rows, part):
    xs, y = zip(*rows, strict=True)
    assume(len(set(xs)) > 1 and len(set(y)) > 1)
    table = dt.Table.from_columns({"x": xs, "y": y}, "y", target_kind="continuous")
    boosted = dt.gradient_boosting(table, rounds=5, rate=1 / part, max_depth=1)
    said = [Fraction(sum(y), len(y))] * len(y)
    for tree in boosted.trees:
        left = [v - s for v, s in zip(y, said, strict=True)]
        costs = cheapest_cuts(xs, left)
        cut, least = tree.root.split.cuts[0], min(costs.values())
        # A residual is off by less than a millionth of their range, and so are the costs.
        assert costs[cut] - least <= Fraction(1, 10**5) * sum(r * r for r in left)
        for below in (True, False):
            side = [i for i, x in enumerate(xs) if (x < cut) == below]
            step = sum(left[i] for i in side) / len(side) / part
            for i in side:
                said[i] += step
    assert boosted.predict(table).tolist() == pytest.approx([float(s) for s in said], abs=1e-9)


def by_the_textbook(table, **keywords):
    """Boosting with the textbook's grower in the engine's place."""
    plan = g.GradientSettings(**keywords)
    return finish(
        g.boost(
            table,
            None,
            plan,
            lambda rows, asked: flatten(finish(grow_by_recipe(rows, asked)), rows.attributes),
        )
    )


BOOSTABLE = st.one_of(
    number_tables(),
    number_tables(gaps=True),
    tables(max_classes=2),
    tables(max_classes=2, gaps=True),
).filter(lambda table: table.target.values is None or len(table.target.values) == 2)
PLANS = st.fixed_dictionaries(
    {
        "rounds": st.integers(1, 6),
        "rate": st.sampled_from([1.0, 0.5, 0.1]),
        "max_depth": st.integers(1, 3),
        "min_leaf": st.integers(1, 3),
    }
)


@settings(max_examples=150, deadline=None)
@given(BOOSTABLE, PLANS)
def test_the_engine_boosts_what_the_textbook_does(table, keywords):
    assert dt.gradient_boosting(table, **keywords) == by_the_textbook(table, **keywords)


@settings(max_examples=100, deadline=None)
@given(BOOSTABLE, PLANS, st.data())
def test_a_row_that_weighs_n_is_n_rows(table, keywords, data):
    times = data.draw(weights(len(table)))
    kept = np.flatnonzero(times)
    long = table.take(np.repeat(np.arange(len(table)), times))
    assume(table.target.values is None or long.counts().all())
    light = replace(table.take(kept), weights=times[kept].astype(np.int64))
    one, other = (dt.gradient_boosting(rows, **keywords) for rows in (light, long))
    assert one.start == other.start
    assert one.trees == other.trees
    assert one.staged_loss(light).tolist() == other.staged_loss(long).tolist()


@settings(max_examples=100, deadline=None)
@given(number_tables(gaps=True), PLANS)
def test_each_round_adds_to_what_was_left_and_the_training_error_never_rises(table, keywords):
    events = dt.steps(dt.gradient_boosting, table, **keywords)
    boosted = dt.gradient_boosting(table, **keywords)
    left = [e.residuals for e in events if isinstance(e, g.LeftOver)]
    stages = boosted.staged(table.columns or [np.zeros(len(table))])
    for residuals, scores in zip(left, stages, strict=False):
        assert (residuals == table.labels - scores).all()
    errors = [float(np.mean(np.square(left[0]))), *boosted.staged_error(table).tolist()]
    assert all(after <= before * (1 + 1e-9) for before, after in pairwise(errors))
    assert boosted.error(table) == errors[-1]
    assert events[-1].n_trees == boosted.n_trees == sum(isinstance(e, g.Corrected) for e in events)


def bunch(load, name):
    rows, y = load(return_X_y=True)
    columns = {f"x{i}": rows[:, i] for i in range(rows.shape[1])}
    return rows, y, dt.Table.from_columns({**columns, "y": y.astype(name).tolist()}, target="y")


@pytest.mark.parametrize("depth", [1, 3])
def test_numbers_come_out_as_scikit_learn_s(depth):
    rows, y, table = bunch(load_diabetes, float)
    theirs = GradientBoostingRegressor(n_estimators=40, max_depth=depth, random_state=0).fit(
        rows, y
    )
    ours = dt.gradient_boosting(table, rounds=40, max_depth=depth)
    assert ours.predict(table) == pytest.approx(theirs.predict(rows), rel=1e-9)
    assert ours.staged_error(table) == pytest.approx(theirs.train_score_, rel=1e-9)


def test_classes_come_out_as_scikit_learn_s():
    """With stumps: among 190 rows two questions are a tie, for which they draw lots."""
    rows, y, table = bunch(load_breast_cancer, str)
    theirs = GradientBoostingClassifier(n_estimators=30, max_depth=1, random_state=0).fit(rows, y)
    ours = dt.gradient_boosting(table, rounds=30, max_depth=1)
    assert ours.shares(table) == pytest.approx(theirs.predict_proba(rows), rel=1e-7)
    assert ours.predict(table).tolist() == [str(v) for v in theirs.predict(rows)]
    # Theirs is twice ours.
    assert ours.staged_loss(table) == pytest.approx(theirs.train_score_ / 2, rel=1e-7)


def test_withheld_rows_choose_how_many_trees_are_kept():
    waves = dt.populations.sine(noise=0.5)
    table, withheld = waves.sample(60, seed=1), waves.sample(60, seed=2)
    keywords = {"rounds": 200, "rate": 0.3, "max_depth": 2}
    whole = dt.gradient_boosting(table, **keywords)
    losses = whole.staged_loss(withheld)
    best = int(losses.argmin()) + 1
    stopped = dt.gradient_boosting(table, withheld=withheld, patience=200, **keywords)
    assert stopped == whole.after(best)
    *_, last, end = dt.steps(dt.gradient_boosting, table, withheld=withheld, patience=5, **keywords)
    # It ends at the first round since which five have been no better.
    least = np.minimum.accumulate(losses)
    first = next(i for i in range(5, 200) if least[i] == least[i - 5]) + 1
    assert (last.round, last.withheld) == (first, losses[first - 1])
    assert end == g.GradientFinished(first - 5, g.WORSE)


def test_where_nothing_is_left_it_ends():
    boosted = dt.gradient_boosting(FLATS, rate=1.0)
    assert boosted.n_trees == 1
    assert boosted.predict(FLATS).tolist() == FLATS.column("rent")
    alike = dt.Table.from_columns({"x": [1, 2], "y": [3.5, 3.5]}, target="y")
    nothing = dt.gradient_boosting(alike)
    assert (nothing.n_trees, nothing.predict({"x": 9}), nothing.error(alike)) == (0, 3.5, 0.0)
    assert dt.steps(dt.gradient_boosting, alike)[-1] == g.GradientFinished(0, g.NOTHING_LEFT)
    assert GradientBoosted.from_json(nothing.to_json()) == nothing


def test_what_rounding_leaves_over_is_nothing():
    """A tree with a leaf for each row leaves nothing, but sums of floats leave their last bits."""
    for seed in range(40):
        rents = np.random.default_rng(seed).random(6) * 3
        table = dt.Table.from_columns({"x": range(6), "rent": rents}, target="rent")
        assert dt.gradient_boosting(table, rate=1.0, max_depth=5).n_trees == 1


def test_a_class_never_seen_is_always_wrong():
    boosted = dt.gradient_boosting(TAX, rounds=4)
    columns = {name: TAX.column(name) for name in TAX.names}
    strange = dt.Table.from_columns({**columns, "Cheat": ["Perhaps"] * 10}, target="Cheat")
    assert boosted.error(strange) == 1
    assert boosted.staged_loss(strange)[-1] > log(2)


def test_it_comes_back_from_json_whole():
    for table in (FLATS, TAX, replace(FLATS, weights=np.arange(1, 6))):
        boosted = dt.gradient_boosting(table, rounds=5)
        again = GradientBoosted.from_json(boosted.to_json())
        assert again == boosted
        assert again.scores(table).tolist() == boosted.scores(table).tolist()
        assert again.after(2).error(table) == boosted.staged_error(table)[1]


def test_what_it_cannot_be_is_told():
    text = dt.gradient_boosting(TAX, rounds=2).to_json()
    for key, value, words in (
        ("format", "dtree_lab.ensemble.boosted/1", "must hold 'format': 'dtree_lab.ensemble.grad"),
        ("rate", 2, "not a sum of boosted trees: rate must be a number above 0, up to 1"),
        ("start", None, "start must be a number"),
        ("target", {"name": "Cheat", "values": ["a", "b", "c"]}, "or have two classes"),
        ("trees", [{}], "a part is missing or of the wrong sort"),
    ):
        with pytest.raises(ValueError, match=words):
            GradientBoosted.from_json(json.dumps({**json.loads(text), key: value}))


def test_what_it_cannot_do_is_told():
    boost = dt.gradient_boosting
    for words, call in (
        (
            r"two classes apart; 'sense' has 4: .*dt.adaboost takes any number",
            lambda: boost(dt.datasets.word_sense()),
        ),
        ("no row is 'Yes'; both classes need rows", lambda: boost(TAX.take(TAX.labels == 0))),
        ("rounds=0 must be a whole number, at least 1", lambda: boost(TAX, rounds=0)),
        ("rate=0 must be a number above 0, up to 1", lambda: boost(TAX, rate=0)),
        ("rate=1.5 must be", lambda: boost(TAX, rate=1.5)),
        ("min_leaf=0 must be", lambda: boost(TAX, min_leaf=0)),
        ("the target of withheld is 'rent'", lambda: boost(TAX, withheld=FLATS)),
        ("'rent' is continuous: it has no classes", lambda: boost(FLATS, rounds=1).shares(FLATS)),
        ("n_trees=9 must be a whole number from 0 to 3", lambda: boost(TAX, rounds=3).after(9)),
    ):
        with pytest.raises(ValueError, match=words):
            call()
    with pytest.raises(TypeError, match=r"grown on a dt\.Table; got a str"):
        boost("flats")


def test_it_says_what_its_trees_ask():
    assert repr(dt.gradient_boosting(FLATS, rounds=2, rate=0.5, max_depth=1)) == (
        "2 trees for rent, 0.5 of what each says added to 11:\n       1  m2 < 60\n       2  m2 < 85"
    )
    assert repr(dt.gradient_boosting(TAX, rounds=12)).endswith("…  2 more")
