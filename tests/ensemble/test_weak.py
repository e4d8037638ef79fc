"""The weighted tree: rows that weigh more are rows that stand there more often."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import log2, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.ensemble.adaboost import WHOLE, WeakLearner, in_millionths, in_ticks, measures
from dtree_lab.grow.engine import thresholds
from dtree_lab.tree.splits import ByValue, threshold
from dtree_lab.tree.tree import Leaf, walk


def weights_of(draw, table, most):
    numbers = st.lists(st.integers(1, most), min_size=len(table), max_size=len(table))
    return np.array(draw(numbers), dtype=float)


NEVER = 1 << 40
WAYS = {"all counted": (0, NEVER), "all sorted": (NEVER, NEVER), "column by column": (NEVER, 1)}


@pytest.fixture(params=WAYS.values(), ids=WAYS)
def _every_way(request, monkeypatch):
    """Columns with few values are counted, others sorted, a few of them at a time."""
    sparse, at_a_time = request.param
    monkeypatch.setattr(thresholds, "_SPARSE", sparse)
    monkeypatch.setattr(thresholds, "AT_A_TIME", at_a_time)


@pytest.mark.usefixtures("_every_way")
@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_weight_is_how_often_a_row_stands_there(data):
    table = data.draw(tables(max_rows=20))
    ticks = weights_of(data.draw, table, 9)
    criterion = data.draw(st.sampled_from(["gini", "entropy"]))
    depth = data.draw(st.integers(1, 3))
    repeated = table.take(np.repeat(np.arange(len(table)), ticks.astype(int)))
    cart = dt.cart(repeated, criterion=criterion, max_depth=depth)
    root, answers = WeakLearner.of(table, measures()[criterion], depth).grow(ticks)
    assert root == cart.root
    assert [table.classes[code] for code in answers] == cart.predict(table).tolist()
    if depth == 1:
        assert root == dt.stump(repeated, criterion=criterion).root


@pytest.mark.usefixtures("_every_way")
def test_a_question_without_gain_is_asked_of_the_values_that_are_there():
    """Below "r" there is no x of 0, and no cut gains anything: 1.5 is the only one."""
    table = dt.Table.from_columns(
        {"side": list("llrrrr"), "x": [0, 0, 1, 1, 2, 2], "y": list("aaabab")}, target="y"
    )
    root, _ = WeakLearner.of(table, measures()["gini"], 2).grow(np.ones(6))
    assert root == dt.cart(table, max_depth=2).root
    assert root.children[1].split.cuts == (1.5,)


def splits_of(table):
    """Every cut between neighbours, and every two groups of values, of every attribute."""
    for i, (attribute, column) in enumerate(zip(table.attributes, table.columns, strict=True)):
        present = sorted(set(column.tolist()))
        if attribute.values is None:
            for low, high in pairwise(present):
                yield threshold(i, (low + high) / 2)
        else:
            for sides in product((0, 1), repeat=len(present) - 1):
                if any(sides):
                    whole = list(zip(present, (0, *sides), strict=True))
                    yield ByValue(i, tuple(tuple(c for c, s in whole if s == b) for b in (0, 1)))


def impurity(counts, criterion):
    n = sum(counts)
    match criterion:
        case "error":
            return n - max(counts)
        case "gini":
            return n - sum(Fraction(c * c, n) for c in counts)
        case "entropy":
            return -sum(c * log2(c / n) for c in counts if c)


def cost(table, ticks, split, criterion):
    branch = split.branch(table.columns[split.attribute])
    total = 0
    for b in (0, 1):
        of_class = [ticks[(branch == b) & (table.labels == k)] for k in range(len(table.classes))]
        total += impurity([int(some.sum()) for some in of_class], criterion)
    return total


@pytest.mark.usefixtures("_every_way")
@settings(max_examples=35, deadline=None)
@given(st.data())
def test_a_stump_is_the_best_of_all(data):
    """With two classes, where two groups can be the best of all; with weights of any size."""
    table = data.draw(tables(max_rows=9, max_classes=2))
    ticks = weights_of(data.draw, table, data.draw(st.sampled_from([3, 10**5])))
    criterion = data.draw(st.sampled_from(list(measures())))
    root, answers = WeakLearner.of(table, measures()[criterion], 1).grow(ticks)
    costs = [(cost(table, ticks, split, criterion), split) for split in splits_of(table)]
    if not costs or len(set(table.labels.tolist())) == 1:
        assert isinstance(root, Leaf)
        return
    least = min(c for c, _ in costs)
    # Gini is compared to 2**-20 ticks, entropy to the rounding of logarithms.
    slack = {"error": 0, "gini": 2**-19, "entropy": ticks.sum() * 2**-26}[criterion]
    chosen = cost(table, ticks, root.split, criterion)
    assert chosen <= least + slack
    if criterion == "error":
        assert ticks[answers != table.labels].sum() == least


@pytest.mark.usefixtures("_every_way")
@settings(max_examples=35, deadline=None)
@given(st.data())
def test_the_first_attribute_then_the_lowest_cut_wins_a_tie(data):
    """By error, whose costs are whole numbers: ties are many, and nothing is rounded."""
    table = data.draw(tables(max_rows=12, max_classes=4))
    ticks = weights_of(data.draw, table, 3)
    root, _ = WeakLearner.of(table, measures()["error"], 1).grow(ticks)
    numbers = [i for i, a in enumerate(table.attributes) if a.values is None]
    costs = [(cost(table, ticks, s, "error"), s) for s in splits_of(table)]
    if isinstance(root, Leaf) or root.split.attribute not in numbers:
        return
    least = min(c for c, s in costs if s.attribute in numbers)
    first = next(s for c, s in costs if c == least and s.attribute in numbers)
    assert (root.split.attribute, root.split.cuts) == (
        first.attribute,
        pytest.approx(first.cuts, rel=1e-15),
    )


def alike_on_paper(one, other, criterion):
    """Whether two ways to part the same rows are equally good, in whole numbers.

    A sum of n log n is the logarithm of a product of n^n.
    """

    def worth(counts):
        if criterion == "gini":
            return sum(Fraction(sum(c * c for c in side), sum(side)) for side in counts)
        return Fraction(
            prod(c**c for side in counts for c in side), prod(sum(s) ** sum(s) for s in counts)
        )

    return worth(one) == worth(other)


@pytest.mark.usefixtures("_every_way")
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_what_is_equal_on_paper_is_a_tie(criterion):
    """In floats many of these differ by a rounding; the first attribute has to win all the same."""
    n_ties = 0
    for total in [(6, 6), (4, 8), (9, 3), (9, 6)]:
        below = [b for b in product(*(range(t + 1) for t in total)) if 0 < sum(b) < sum(total)]
        for one, other in combinations(below, 2):
            ways = [(b, (total[0] - b[0], total[1] - b[1])) for b in (one, other)]
            if sorted(ways[0]) == sorted(ways[1]) or not alike_on_paper(*ways, criterion):
                continue
            n_ties += 1
            for first, second in (ways, ways[::-1]):
                assert asked_first(first, second, criterion) == 0
    assert n_ties > 10


def asked_first(first, second, criterion):
    """Which of two attributes is asked; each is 0 or 1, and parts the classes in its way."""
    columns = [np.repeat([0, 1, 0, 1], np.array(way).T.ravel()) for way in (first, second)]
    labels = np.repeat(["a", "b"], np.array(first).sum(axis=0))
    table = dt.Table.from_columns({"1": columns[0], "2": columns[1], "y": labels}, target="y")
    root, _ = WeakLearner.of(table, measures()[criterion], 1).grow(np.ones(len(table)))
    return root.split.attribute


@settings(max_examples=50, deadline=None)
@given(tables(), st.data())
def test_told_in_millionths_a_tree_answers_the_same(table, data):
    ticks = weights_of(data.draw, table, data.draw(st.sampled_from([2, 10**7])))
    root, _ = WeakLearner.of(table, measures()["gini"], 2).grow(ticks)
    told = in_millionths(root, int(ticks.sum()))
    for (path, node), (same, as_told) in zip(walk(root), walk(told), strict=True):
        assert path == same
        share = np.array(node.counts) / ticks.sum()
        if isinstance(node, Leaf):
            assert np.argmax(node.counts) == np.argmax(as_told.counts)
        # Each leaf is rounded by half a millionth, and a tie may be decided by a whole one.
        assert np.abs(np.array(as_told.counts) / WHOLE - share).max() <= 4 * 1.5e-6


def test_a_near_tie_is_told_so_that_the_heavier_class_is_seen():
    table = dt.Table.from_columns({"x": [0, 0], "y": ["a", "b"]}, target="y")
    root, answers = WeakLearner.of(table, measures()["gini"], 1).grow(np.array([5e7, 5e7 + 1]))
    assert answers.tolist() == [1, 1]
    assert in_millionths(root, 10**8 + 1) == Leaf((500_000, 500_001))


@settings(deadline=None)
@given(
    st.lists(st.floats(1e-12, 1), min_size=1, max_size=50),
    st.sampled_from(list(measures().values())),
)
def test_weights_become_whole_numbers(numbers, criterion):
    weights = np.array([*numbers, *numbers])
    weights /= weights.sum()
    ticks, least = in_ticks(weights, criterion), criterion.weight_ticks[0]
    assert (ticks >= 1).all()
    assert (ticks == np.rint(ticks)).all()
    assert (ticks[: len(numbers)] == ticks[len(numbers) :]).all()
    assert np.abs(ticks / least - weights).max() <= 1 / least
    order = np.argsort(weights)
    assert (np.diff(ticks[order]) >= 0).all()
