"""Ticks of numbers and the cost of their spread, against fractions of whole numbers."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dtree_lab.criteria.variance import Scale, Variance, _fraction

whole = st.lists(st.integers(-1000, 1000), min_size=1, max_size=30)
finite = st.floats(-1e150, 1e150, allow_nan=False)
floats = st.one_of(
    st.lists(finite, min_size=1, max_size=30),
    st.lists(st.floats(-1, 1), min_size=1, max_size=30),
    st.lists(st.floats(0, 1e-3).map(lambda x: 1e12 + x), min_size=1, max_size=30),
)


def measured(numbers):
    scale, ticks = Scale.of(np.array(numbers, dtype=float))
    return Variance(scale), ticks


def stats_of(criterion, ticks):
    return criterion.tally(np.zeros(len(ticks), dtype=int), ticks, 1, 0)[0]


def spread(numbers):
    """The sum of squared distances from the mean, exactly; 0 of no numbers."""
    exact = [Fraction(x) for x in numbers]
    mean = sum(exact) / max(len(exact), 1)
    return sum(((x - mean) ** 2 for x in exact), Fraction(0))


def in_units(criterion, cost):
    """A cost as a fraction of squared ticks."""
    return Fraction(int(cost), 1 << criterion.scale.fraction)


# -- ticks ---------------------------------------------------------------------------------------


def written(x):
    """A float as it is written: 0.1 is one tenth."""
    return Fraction(repr(float(x)))


@settings(max_examples=100)
@given(
    st.lists(st.integers(-5000, 5000), min_size=1, max_size=30),
    st.sampled_from([1, 10, 100, 10**6]),
    st.sampled_from([0, 10**6, -(10**9)]),
    st.sampled_from([1, 3, 25]),
)
def test_whole_numbers_and_decimals_are_measured_exactly(some, parts, origin, step):
    numbers = [(origin * parts + step * i) / parts for i in some]
    scale, ticks = Scale.of(np.array(numbers))
    assert scale.exact
    for x, tick in zip(numbers, ticks.tolist(), strict=True):
        assert written(scale.origin) + written(scale.unit) * tick == written(x)


@settings(max_examples=100)
@given(floats)
def test_any_number_is_within_half_a_tick(numbers):
    scale, ticks = Scale.of(np.array(numbers))
    unit = written(scale.unit) if scale.exact else Fraction(scale.unit)
    origin = written(scale.origin) if scale.exact else Fraction(scale.origin)
    as_meant = written if scale.exact else Fraction
    for x, tick in zip(numbers, ticks.tolist(), strict=True):
        assert abs(origin + unit * tick - as_meant(x)) <= unit * Fraction(500_001, 10**6)


@given(floats)
def test_ticks_keep_the_order_and_equal_numbers_equal(numbers):
    _, ticks = Scale.of(np.array(numbers))
    for x, a in zip(numbers, ticks.tolist(), strict=True):
        for y, b in zip(numbers, ticks.tolist(), strict=True):
            assert a <= b or x > y


def test_what_cannot_be_exact_says_so():
    assert not Scale.of(np.array([0.0, 1 / 3]))[0].exact
    assert not Scale.of(np.array([0.0, 1.0, 1e9]))[0].exact  # spread too far for a tick of 1
    assert Scale.of(np.array([0.0, 1.0, 3e7]))[0].exact  # half of it on either side of the origin
    assert Scale.of(np.array([0.0, 1e9 + 0.5]))[0].exact  # two numbers are one tick apart
    assert Scale.of(np.array([1e12 + 0.001, 1e12 + 0.004]))[0].exact


@pytest.mark.parametrize("x", [0.0, -3.0, 0.1, 1 / 3, 1e300, -1e-300])
def test_one_number_is_no_spread(x):
    criterion, ticks = measured([x, x, x])
    assert criterion.cost(stats_of(criterion, ticks)) == 0
    assert criterion.scale.origin + criterion.scale.unit * ticks.tolist()[0] == x


def test_a_thousand_rows_are_measured_to_a_millionth_of_their_range():
    numbers = np.random.default_rng(0).normal(size=1000)
    scale, ticks = Scale.of(numbers)
    assert not scale.exact
    assert scale.unit <= np.ptp(numbers) * 1e-6
    assert np.abs(ticks).max() <= isqrt((1 << 50) // 1000)  # the origin lies in the middle
    assert np.abs(scale.origin + scale.unit * ticks - numbers).max() <= np.ptp(numbers) * 1e-6


# -- statistics ----------------------------------------------------------------------------------


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(-99, 99)), min_size=1, max_size=30))
def test_a_tally_is_three_sums_for_each_place(pairs):
    criterion, _ = measured([0.0])
    place, ticks = np.array(pairs).T
    parts = [[t for p, t in pairs if p == i] for i in range(5)]
    expected = [[len(part), sum(part), sum(t * t for t in part)] for part in parts]
    assert criterion.tally(place, ticks, 5, 0).tolist() == expected
    assert criterion.rows(np.array(expected)).tolist() == [len(part) for part in parts]
    assert criterion.counts(np.array(expected)).tolist() == [[len(part)] for part in parts]


@settings(max_examples=100)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(-99, 99)), min_size=1, max_size=30), st.data()
)
def test_tallies_add_up_and_weights_repeat_rows(pairs, data):
    criterion, _ = measured([0.0])
    place, ticks = np.array(pairs).T
    times = np.array(
        data.draw(st.lists(st.integers(0, 3), min_size=len(pairs), max_size=len(pairs)))
    )
    weighed = criterion.tally(place, ticks, 5, 0, times)
    again = criterion.tally(np.repeat(place, times), np.repeat(ticks, times), 5, 0)
    assert weighed.dtype == again.dtype == np.int64
    assert weighed.tolist() == again.tolist()
    once, more = criterion.tally(place, ticks, 5, 0), criterion.tally(place, ticks, 5, 0, times + 1)
    assert (once + weighed == more).all()


def test_labels_stretch_over_several_columns():
    criterion, _ = measured([0.0])
    place, ticks = np.array([[0, 1, 1], [3, 2, 2]]), np.array([5, -7, 2])
    found = criterion.tally(place, ticks, 4, 0, np.array([1, 2, 1]))
    assert found.tolist() == [[1, 5, 25], [3, -12, 102], [3, -12, 102], [1, 5, 25]]


# -- costs ---------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(st.one_of(whole, floats))
def test_a_cost_is_the_spread_of_the_ticks_rounded_up_to_a_fraction(numbers):
    criterion, ticks = measured(numbers)
    cost = in_units(criterion, criterion.cost(stats_of(criterion, ticks)))
    assert 0 <= cost - spread(ticks.tolist()) < Fraction(1, 1 << criterion.scale.fraction)


@settings(max_examples=100)
@given(st.one_of(whole, floats, st.lists(st.sampled_from([0.1, 0.3]), min_size=1, max_size=4)))
def test_only_equal_ticks_cost_nothing(numbers):
    criterion, ticks = measured(numbers)
    stats = stats_of(criterion, ticks)
    alike = len(set(ticks.tolist())) == 1
    assert (criterion.cost(stats) == 0) == alike
    assert bool(criterion.pure(stats)) == alike
    if criterion.scale.exact:
        assert alike == (len(set(numbers)) == 1)


@settings(max_examples=100)
@given(
    st.lists(st.integers(-5000, 5000), min_size=1, max_size=30),
    st.sampled_from([1, 10, 1000]),
    st.sampled_from([0, 10**6]),
)
def test_per_row_it_is_the_variance_in_the_targets_unit(some, parts, origin):
    numbers = [origin + i / parts for i in some]
    numbers = [float(f"{x:.3f}") for x in numbers]
    criterion, ticks = measured(numbers)
    assert criterion.scale.exact
    n = len(numbers)
    variance = spread([written(x) for x in numbers]) / n
    found = criterion.per_row(criterion.cost(stats_of(criterion, ticks)), n)
    off = criterion.scale.unit**2 / (1 << criterion.scale.fraction) / n
    assert found == pytest.approx(float(variance), rel=1e-12, abs=2 * off)
    assert criterion.error(int(criterion.cost(stats_of(criterion, ticks))), n) == found


@settings(max_examples=100)
@given(floats)
def test_of_any_numbers_the_variance_is_right_to_a_tick(numbers):
    """Moved by half a tick each at most, the root of the variance moves by no more than that."""
    assume(not 0 < max(numbers) - min(numbers) < 1e-140)  # no float holds the digits of its square
    criterion, ticks = measured(numbers)
    n, unit = len(numbers), criterion.scale.unit
    found = criterion.per_row(criterion.cost(stats_of(criterion, ticks)), n)
    exact = float(spread(numbers) / n) ** 0.5
    assert abs(found**0.5 - exact) <= unit * (1 + 1e-6) + exact * 1e-9


# -- ties ----------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(st.lists(st.integers(-3, 3), min_size=2, max_size=25), st.data())
def test_settled_costs_compare_as_fractions_do(ticks, data):
    """Two ways to part the same rows in two, by any subsets: equal, less or more, exactly so."""
    criterion, _ = measured([0.0, 1.0])
    assert criterion.scale.fraction == 36

    def parted():
        inside = data.draw(st.lists(st.booleans(), min_size=len(ticks), max_size=len(ticks)))
        return [[t for t, i in zip(ticks, inside, strict=True) if i is side] for side in (0, 1)]

    first, second = parted(), parted()
    a, b = (
        criterion.settle(sum(criterion.cost(stats_of(criterion, np.array(p, int))) for p in parts))
        for parts in (first, second)
    )
    x, y = (sum(map(spread, parts)) for parts in (first, second))
    assert (a < b, a == b) == (x < y, x == y)


def test_ties_of_different_fractions():
    """1/2 + 1/2 and 2/3 + 1/3; 4/3 + 2/3 and 2: each part is rounded up by itself."""
    criterion, _ = measured([0.0, 1.0])

    def cost_of(*parts):
        return criterion.settle(sum(criterion.cost(np.array(part)) for part in parts))

    half, two_thirds = (2, 1, 1), (3, 1, 1)
    assert cost_of(half, half) == cost_of((3, 3, 4), (1, 0, 0)) == 1 << 20
    assert cost_of(two_thirds, two_thirds, two_thirds) == cost_of((2, 2, 4))
    assert cost_of(two_thirds, two_thirds, two_thirds) == 2 << 20


@settings(max_examples=100)
@given(whole)
def test_no_more_than_a_tie_is_settled_away(numbers):
    """What `tie` promises: costs further apart are never equal, and never change sides."""
    criterion, ticks = measured(numbers)
    costs = [criterion.cost(stats_of(criterion, ticks[:i])) for i in range(1, len(ticks) + 1)]
    for a in costs:
        for b in costs:
            if in_units(criterion, b) - in_units(criterion, a) > criterion.tie:
                assert criterion.settle(a) < criterion.settle(b)


# -- the limits ----------------------------------------------------------------------------------

SIZES = [1, 2, 3, 1000, 10**5, 10**7, 80_000_000]


@st.composite
def largest_stats(draw):
    """Statistics that so many rows could have, with ticks as large as their scale allows."""
    n = draw(st.sampled_from(SIZES))
    most = isqrt((1 << 50) // n)
    total = draw(
        st.one_of(st.integers(-n * most, n * most), st.sampled_from([-n * most, n * most]))
    )
    least = -(-total * total // n)
    squares = draw(st.one_of(st.integers(least, n * most * most), st.just(n * most * most)))
    return n, most, total, squares


@settings(max_examples=150)
@given(largest_stats(), st.data())
def test_nothing_overflows_at_the_limits(stats, data):
    n, most, total, squares = stats
    scale = Scale(0.0, 1.0, _fraction(n, np.array([most, -most])), exact=False)
    assert scale.fraction >= 11
    criterion = Variance(scale)
    exact = squares - Fraction(total * total, n)
    cost = criterion.cost(np.array([n, total, squares]))
    last = Fraction(1, 1 << scale.fraction)
    assert 0 <= in_units(criterion, cost) - exact < last
    tie = Fraction(criterion.tie)
    assert abs(int(criterion.settle(cost)) * tie - exact) <= tie / 2 + last
    rows = data.draw(st.integers(0, n))
    below = data.draw(
        st.integers(
            max(-rows * most, total - (n - rows) * most),
            min(rows * most, total + (n - rows) * most),
        )
    )
    both = Fraction(below * below, max(rows, 1)) + Fraction((total - below) ** 2, max(n - rows, 1))
    parted = criterion.two_sides(np.array([n, total, squares]), np.array(rows), np.array(below))
    if both <= squares:  # other sums are not those of rows with such squares
        assert 0 <= in_units(criterion, parted) - (squares - both) < 2 * last


def test_many_rows_are_measured_and_parted():
    """Half of them at either end of the range: the variance is a quarter of its square."""
    half = 150_000
    numbers = np.repeat([-1.0, 1 / 3, 2.0], [half, 1, half])
    scale, ticks = Scale.of(numbers)
    criterion = Variance(scale)
    stats = stats_of(criterion, ticks)
    low, middle, high = (int(ticks[i]) for i in (0, half, -1))
    total, squares = half * (low + high) + middle, half * (low**2 + high**2) + middle**2
    assert stats.tolist() == [len(numbers), total, squares]
    exact = squares - Fraction(total**2, len(numbers))
    assert 0 <= in_units(criterion, criterion.cost(stats)) - exact < Fraction(1, 1 << 10)
    found = criterion.per_row(criterion.cost(stats), len(numbers))
    assert found == pytest.approx(np.var(numbers), rel=1e-4)


# -- many nodes at once --------------------------------------------------------------------------


@st.composite
def levels(draw):
    """Rows of up to three nodes, in two orders, node by node: what a criterion sees of a level."""
    sizes = draw(st.lists(st.integers(1, 9), min_size=1, max_size=3))
    some = st.lists(st.integers(-9, 9), min_size=sum(sizes), max_size=sum(sizes))
    criterion, ticks = measured(draw(some))
    parts = np.split(ticks, np.cumsum(sizes)[:-1])
    stats = np.stack([stats_of(criterion, part) for part in parts])
    at = np.repeat(np.arange(len(sizes)), sizes)
    orders = [
        np.concatenate([draw(st.permutations(part.tolist())) for part in parts]) for _ in "ab"
    ]
    level = SimpleNamespace(at=at, stats=stats)
    return criterion, np.stack(orders), level


@settings(max_examples=60)
@given(levels())
def test_parting_costs_what_both_sides_cost(made):
    criterion, orders, level = made
    for labels in orders:
        for at in range(len(labels)):
            node = np.flatnonzero(level.at == level.at[at])
            one, other = (
                stats_of(criterion, labels[rows]) for rows in (node[node <= at], node[node > at])
            )
            cost = criterion.two_sides(level.stats[level.at[at]], one[0], one[1])
            assert cost == criterion.cost(one) + criterion.cost(other)


# -- errors --------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(whole, st.data())
def test_wrong_counts_squared_distances_from_the_nodes_mean(numbers, data):
    criterion, ticks = measured(numbers)
    rests = np.array(data.draw(st.lists(st.booleans(), min_size=len(ticks), max_size=len(ticks))))
    node, resting = stats_of(criterion, ticks), stats_of(criterion, ticks[rests])
    mean = Fraction(int(ticks.sum()), len(ticks))
    exact = sum(((int(t) - mean) ** 2 for t in ticks[rests]), Fraction(0))
    off = in_units(criterion, criterion.wrong(node, resting)) - exact
    assert abs(off) < Fraction(1, 1 << criterion.scale.fraction)


def test_values_are_ordered_by_their_mean():
    criterion, _ = measured([0.0])
    (order,) = criterion.orders(np.array([[2, 6, 20], [1, -1, 1], [4, 2, 2]]))
    assert order.tolist() == [3, -1, 0.5]
