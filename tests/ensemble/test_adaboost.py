"""AdaBoost: worked by hand, held to its laws, and compared with scikit-learn's."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import log

import numpy as np
import pytest
from cases import each
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier
from strategies import tables

import dtree_lab as dt
from dtree_lab.ensemble import adaboost as r
from dtree_lab.ensemble.adaboost import adaboost
from dtree_lab.grow.textbook import finish, grow_by_recipe
from dtree_lab.tree.tree import Leaf, flatten

# Ten points on a line, in four stretches, which no threshold parts.
LINE = dt.Table.from_columns(
    {"x": range(10), "y": list("+++---+++-")}, target="y", kinds={"y": ("-", "+")}
)


def told(event):
    return type(event).__name__


def rounds_of(table, **keywords):
    """The events of each round that was finished, and the last event."""
    *events, end = dt.steps(adaboost, table, **keywords)
    complete = [events[i : i + 3] for i in range(0, len(events) - len(events) % 3, 3)]
    return complete, end


def test_three_rounds_by_hand():
    """Round by round with fractions.

    1. All weigh 1/10. Below 2.5 is +, above is -: 6, 7, 8 are wrong, 3/10 (8.5 is as good; the
       lower cut wins). (1 - 3/10) / (3/10) = 7/3.
    2. The wrong rows now weigh 1/2 together, 1/6 each, the other seven 1/14 each. Below 8.5 is +:
       3, 4, 5 are wrong, 3/14. The odds are 11/3.
    3. Wrong: 1/6 each. The others share 1/2, times 14/22 what they had: 7/66 for 6, 7, 8 and 1/22
       for the rest. Below 5.5 is -: 0, 1, 2, 9 are wrong, 4/22 = 2/11; the odds are 9/2.

    The votes: 7/3 * 9/2 > 11/3, so 3, 4, 5 go to -, and no row is wrong.
    """
    weights = [
        [Fraction(1, 10)] * 10,
        [Fraction(1, 14)] * 6 + [Fraction(1, 6)] * 3 + [Fraction(1, 14)],
        [Fraction(1, 22)] * 3 + [Fraction(1, 6)] * 3 + [Fraction(7, 66)] * 3 + [Fraction(1, 22)],
    ]
    odds = [Fraction(7, 3), Fraction(11, 3), Fraction(9, 2)]
    complete, end = rounds_of(LINE, n_stumps=3, criterion="error")
    cuts = []
    for (weighed, chose, reweighted), expected, ratio in zip(complete, weights, odds, strict=True):
        assert weighed.weights.tolist() == pytest.approx([float(w) for w in expected], rel=1e-12)
        assert chose.error == pytest.approx(float(1 / (ratio + 1)), rel=1e-12)
        assert reweighted.alpha == pytest.approx(log(ratio), rel=1e-12)
        cuts.append(chose.tree.root.split.cuts[0])
    assert cuts == [2.5, 8.5, 5.5]
    assert end == r.BoostingFinished(3, r.ENOUGH)
    boosted = adaboost(LINE, n_stumps=3, criterion="error")
    assert boosted.staged_error(LINE).tolist() == [0.3, 0.3, 0.0]
    assert boosted.predict({"x": 4}) == "-"


def test_three_classes_by_hand():
    """K = 3: two of nine rows wrong has the odds 7/2, and log 2 is added."""
    table = dt.Table.from_columns({"x": [0, 0, 0, 1, 1, 1, 1, 1], "y": list("aaabbbcc")}, "y")
    (weighed, chose, reweighted), *_ = rounds_of(table, n_stumps=2)[0]
    assert weighed.weights.tolist() == [1 / 8] * 8
    assert chose.wrong.tolist() == [False] * 6 + [True] * 2
    assert reweighted.alpha == pytest.approx(log(3) + log(2))
    # c now has 2/3 of all weight, 1/3 a row; the six others 1/18 each.
    assert reweighted.weights.tolist() == pytest.approx([1 / 18] * 6 + [1 / 3] * 2)


@settings(max_examples=60, deadline=None)
@given(tables(), st.sampled_from(["gini", "entropy", "error"]), st.integers(1, 2))
def test_the_rows_that_were_wrong_get_their_share_of_the_weight(table, criterion, depth):
    """(K - 1)/K of it: one half with two classes. The weights remain a distribution."""
    k = len(set(table.labels.tolist()))
    complete, _ = rounds_of(table, n_stumps=8, criterion=criterion, max_depth=depth)
    for weighed, chose, reweighted in complete:
        assert weighed.weights.sum() == pytest.approx(1)
        assert chose.error == pytest.approx(weighed.weights[chose.wrong].sum())
        assert reweighted.weights.sum() == pytest.approx(1)
        assert reweighted.weights[chose.wrong].sum() == pytest.approx((k - 1) / k)
        # Within the wrong rows, and within the right ones, nothing changes.
        for some in (chose.wrong, ~chose.wrong):
            before, after = weighed.weights[some], reweighted.weights[some]
            assert after / after.sum() == pytest.approx(before / before.sum())


@settings(max_examples=60, deadline=None)
@given(tables(max_classes=2), st.sampled_from([0.5, 1.0, 1.7]), st.data())
def test_the_training_error_is_below_its_bound(table, rate, data):
    weights = data.draw(
        st.none() | st.lists(st.integers(1, 9), min_size=len(table), max_size=len(table))
    )
    boosted = adaboost(table, n_stumps=12, learning_rate=rate, weights=weights)
    each = np.ones(len(table)) if weights is None else np.array(weights, dtype=float)
    wrong = boosted.predict(table) != np.array(table.column("y"))
    assert each[wrong].sum() / each.sum() <= boosted.training_bound + 1e-9


def test_the_bound_of_two_classes_is_the_book_s():
    boosted = adaboost(LINE, n_stumps=3, criterion="error")
    product = np.prod([2 * np.sqrt(e * (1 - e)) for e in (3 / 10, 3 / 14, 2 / 11)])
    assert boosted.training_bound == pytest.approx(product)
    with pytest.raises(ValueError, match="two classes; these rows had 4"):
        _ = adaboost(dt.datasets.word_sense()).training_bound


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(1, 6), st.sampled_from([0.3, 1.0]))
def test_what_is_told_is_what_is_made(table, n_stumps, rate):
    complete, end = rounds_of(table, n_stumps=n_stumps, learning_rate=rate)
    boosted = adaboost(table, n_stumps=n_stumps, learning_rate=rate)
    assert boosted.n_stumps == end.n_stumps <= n_stumps
    if end.reason in (r.ENOUGH, r.CHANCE):
        assert [c.tree for _, c, _ in complete] == list(boosted.stumps)
        assert [c.error for _, c, _ in complete] == list(boosted.errors)
        assert [w.alpha for _, _, w in complete] == list(boosted.weights)
    for _, chose, _ in complete:  # the tree answers as the round says
        assert (chose.tree.predict(table) != np.array(table.column("y"))).tolist() == (
            chose.wrong.tolist()
        )


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_scikit_learn_boosts_the_same(load, rate):
    """The same alphas and the same answers, where no two splits are equally good.

    Both work out errors from float weights, so alphas differ by the rounding of sums of some
    hundred weights: some 1e-14, which rounds may add up. The rounding of weights to ticks only
    matters where two splits are within some 1e-8 of each other.
    """
    data = load()
    columns = {f"x{i}": column for i, column in enumerate(data.data.T)}
    table = dt.Table.from_columns(
        {**columns, "y": data.target}, target="y", kinds={"y": "discrete"}
    )
    ours = adaboost(table, n_stumps=20, learning_rate=rate)
    peer = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=1),
        n_estimators=20,
        learning_rate=rate,
        random_state=0,
    ).fit(data.data, data.target)
    assert ours.n_stumps == len(peer.estimators_)
    assert np.allclose(ours.weights, peer.estimator_weights_, rtol=1e-9)
    assert np.allclose(ours.errors, peer.estimator_errors_, rtol=1e-9)
    assert (ours.predict(table) == peer.predict(data.data)).all()
    staged = [1 - score for score in peer.staged_score(data.data, data.target)]
    assert np.allclose(ours.staged_error(table), staged)


# -- where it ends -------------------------------------------------------------------------------


def test_a_stump_without_mistakes_decides_alone():
    table = dt.Table.from_columns({"x": [1, 2, 3], "y": ["a", "a", "b"]}, target="y")
    *_, chose, end = dt.steps(adaboost, table)
    boosted = adaboost(table)
    assert (told(chose), end) == ("Chose", r.BoostingFinished(1, r.PERFECT))
    assert (boosted.weights, boosted.errors, boosted.training_bound) == ((1.0,), (0.0,), 0.0)
    assert boosted.error(table) == 0


def test_a_perfect_tree_after_others_decides_alone():
    """Depth 2 is grown greedily: heavier rows can lead to a tree that was not found at first."""
    for seed in range(200):
        x, z = np.random.default_rng(seed).integers(0, 4, (2, 12))
        y = np.where((x < 2) ^ (z < 2), "a", "b")
        table = dt.Table.from_columns({"x": x, "z": z, "y": y}, target="y")
        *events, end = dt.steps(adaboost, table, max_depth=2)
        if end.reason == r.PERFECT and len(events) > 2:
            break
    boosted = adaboost(table, max_depth=2)
    assert end == r.BoostingFinished(1, r.PERFECT)
    assert boosted.stumps == (events[-1].tree,)
    assert (boosted.weights, boosted.error(table)) == ((1.0,), 0)


def test_no_better_than_chance_at_first_is_kept_for_want_of_another():
    """Of XOR every single question leaves one half wrong."""
    table = dt.datasets.truth_table("xor", 2)
    *_, end = dt.steps(adaboost, table)
    boosted = adaboost(table)
    assert end == r.BoostingFinished(1, r.ONLY)
    assert (boosted.weights, boosted.errors, boosted.training_bound) == ((1.0,), (0.5,), 1.0)


def test_no_better_than_chance_later_is_left_out():
    """With nothing to ask, the majority is all there is; reweighted, it is worth nothing."""
    table = dt.Table.from_columns({"x": [1, 1, 1], "y": ["a", "a", "b"]}, target="y")
    *_, chose, end = dt.steps(adaboost, table)
    boosted = adaboost(table)
    assert chose.error == pytest.approx(1 / 2)
    assert end == r.BoostingFinished(1, r.CHANCE)
    assert boosted.weights == (pytest.approx(log(2)),)
    assert isinstance(boosted.stumps[0].root, Leaf)
    assert boosted.predict(table).tolist() == ["a"] * 3


def test_with_three_classes_one_half_wrong_is_better_than_chance():
    """The majority of 4, 3 and 3 rows is wrong about 6 of 10, where chance is wrong about 2/3."""
    table = dt.Table.from_columns({"y": list("aaaabbbccc")}, target="y")
    boosted = adaboost(table, n_stumps=1)
    assert boosted.errors == (pytest.approx(6 / 10),)
    assert boosted.weights == (pytest.approx(log(4 / 6) + log(2)),)


def test_one_class_and_no_attributes():
    one = dt.Table.from_columns({"x": [1, 2], "y": ["a", "a"]}, target="y")
    assert adaboost(one).predict({"x": 5}) == "a"
    assert adaboost(one).training_bound == 0
    bare = dt.Table.from_columns({"y": ["a", "b", "b"]}, target="y")
    assert adaboost(bare).predict(bare).tolist() == ["b"] * 3
    assert adaboost(bare).error(bare) == pytest.approx(1 / 3)


def test_a_class_without_rows_is_no_rival():
    """Chance is one half, and alpha has no log 2, although the target names a third class."""
    three = dt.Table.from_columns(
        {"x": range(10), "y": list("+++---+++-")}, target="y", kinds={"y": ("-", "+", "?")}
    )
    ours, two = adaboost(three, n_stumps=5), adaboost(LINE, n_stumps=5)
    assert ours.weights == two.weights
    assert ours.scores(three).shape == (10, 3)
    assert ours.training_bound == two.training_bound


@settings(max_examples=40, deadline=None)
@given(tables(max_rows=12), st.data())
def test_weights_at_the_beginning_are_rows_that_stand_there_more_often(table, data):
    """The first round, where no rounding has happened yet: weights of whole numbers."""
    weights = data.draw(st.lists(st.integers(0, 4), min_size=len(table), max_size=len(table)))
    assume(any(weights))
    repeated = table.take(np.repeat(np.arange(len(table)), weights))
    ours = adaboost(table, n_stumps=1, criterion="error", weights=weights)
    other = adaboost(repeated, n_stumps=1, criterion="error")
    assert ours.errors == pytest.approx(other.errors)
    assert ours.weights == pytest.approx(other.weights)


@pytest.mark.parametrize("rate", [1, 2])
def test_weights_next_to_nothing(rate):
    """The first stump is wrong about a row that weighs almost nothing; all stays finite."""
    table = dt.Table.from_columns({"x": [0, 1, 2], "y": list("aba")}, target="y")
    boosted = adaboost(table, n_stumps=4, weights=[1, 1, 1e-310], learning_rate=rate)
    assert np.isfinite([*boosted.weights, *boosted.errors]).all()
    assert boosted.stumps[0].root.split.cuts == (0.5,)
    assert boosted.errors[0] == pytest.approx(0, abs=1e-99)


def test_the_same_every_time():
    table = dt.datasets.tax_fraud()
    assert adaboost(table) == adaboost(table)
    first, *_ = dt.steps(adaboost, table)
    with pytest.raises(ValueError, match="read-only"):
        first.weights[0] = 1


# -- what is refused -----------------------------------------------------------------------------


@each(
    ("keywords", "match"),
    [
        ({"n_stumps": 0}, "n_stumps=0 must be a whole number, at least 1"),
        ({"n_stumps": 2.0}, "n_stumps=2.0 must be a whole number"),
        ({"max_depth": True}, "max_depth=True must be"),
        (
            {"criterion": "variance"},
            "criterion='variance' must be one of 'gini', 'entropy', 'error'",
        ),
        ({"learning_rate": 0}, "learning_rate=0 must be a number above 0"),
        ({"learning_rate": 2.1}, "learning_rate=2.1 must be a number above 0, up to 2"),
        ({"learning_rate": "1"}, "learning_rate='1' must be a number"),
        ({"learning_rate": float("nan")}, "learning_rate=nan must be"),
        ({"weights": [1] * 9}, r"weights have shape \(9,\); the table has 10 rows"),
        ({"weights": [1] * 9 + [-1]}, "the weight of row 10 is -1"),
        ({"weights": [1] * 9 + [np.inf]}, "the weight of row 10 is inf"),
        ({"weights": [0] * 10}, "all weights are 0"),
        ({"weights": "all"}, "weights must be numbers"),
    ],
)
def test_keywords_out_of_range(keywords, match):
    with pytest.raises(ValueError, match=match):
        adaboost(LINE, **keywords)
    with pytest.raises(ValueError, match=match):
        dt.steps(adaboost, LINE, **keywords)


def test_tables_that_cannot_be_boosted():
    with pytest.raises(TypeError, match="got a dict"):
        adaboost({"x": [1]})
    with pytest.raises(ValueError, match="'y' is continuous, so this is a regression table"):
        adaboost(dt.Table.from_columns({"x": [1, 2], "y": [1.5, 2.5]}, target="y"))


# -- gaps ----------------------------------------------------------------------------------------


def test_a_row_without_a_value_rests_at_the_root_by_hand():
    """Below 1.5 is a, above is b; of all five rows most are a, so the last one is wrong: 1/5."""
    columns = {"x": [1, 1, 2, None, None], "y": list("aabab")}
    table = dt.Table.from_columns(columns, target="y", missing="keep")
    boosted = adaboost(table, n_stumps=1)
    assert boosted.weights == (pytest.approx(log(4)),)
    assert boosted.stumps[0].root.counts == (600_000, 400_000)
    assert boosted.predict(table).tolist() == ["a", "a", "b", "a", "a"]
    assert boosted.predict({"x": None}) == "a"


@settings(max_examples=80, deadline=None)
@given(tables(gaps=True, max_rows=15).filter(lambda t: t.attributes), st.integers(1, 2))
def test_each_round_grows_the_textbook_s_tree_with_gaps(table, depth):
    """The lecture's algorithm on rows that weigh their ticks, asked again for every row."""
    by = r.measures()["entropy"]
    asked = r.WeakLearner.of(table, by, depth).recipe
    steps = list(dt.steps(adaboost, table, n_stumps=4, criterion="entropy", max_depth=depth))
    rounds = [(w, c) for w, c in pairwise(steps) if told(c) == "Chose"]
    assert rounds
    for weighed, chose in rounds:
        ticks = r.in_ticks(weighed.weights, by).astype(np.int64)
        root = finish(grow_by_recipe(replace(table, weights=ticks), asked))
        slow = flatten(root, table.attributes)
        stops = slow.apply(table.columns, table.attributes)
        assert (slow.majority[stops] != table.labels).tolist() == chose.wrong.tolist()
        fast = chose.tree.flat
        for name in ("attr", "first", "width", "cuts", "routes"):
            assert np.array_equal(getattr(fast, name), getattr(slow, name))
        assert (fast.majority[stops] == slow.majority[stops]).all()
