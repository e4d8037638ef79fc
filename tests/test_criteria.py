"""Entropy and Gini against the formula, against laws, and against exact arithmetic."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import log2, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.criteria import classes
from dtree_lab.criteria.classes import ENTROPY, GINI, n_log_n, n_log_ns

counts = st.lists(st.integers(0, 60), min_size=1, max_size=6).filter(any)
same_size = st.integers(2, 25).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(1, n - 1), min_size=1, max_size=1)] * 2).map(
        lambda pair: (n, pair[0][0], pair[1][0])
    )
)


def test_entropy_by_hand():
    assert dt.entropy([1, 1]) == 1
    assert dt.entropy([1, 1, 1, 1]) == 2
    assert dt.entropy([5, 0]) == 0
    assert dt.entropy([1, 3]) == pytest.approx(1 / 4 * 2 + 3 / 4 * log2(4 / 3))
    assert dt.entropy({"Yes": 0.25, "No": 0.75}) == dt.entropy([1, 3])


def test_gini_by_hand():
    assert dt.gini([1, 1]) == 0.5
    assert dt.gini([3, 7]) == pytest.approx(1 - 0.09 - 0.49)
    assert dt.gini([0, 4]) == 0


@given(counts)
def test_entropy_lies_between_none_and_all_classes_alike(weights):
    assert -1e-12 <= dt.entropy(weights) <= log2(len(weights)) + 1e-12


@given(counts, st.integers(2, 9))
def test_only_shares_matter(weights, times):
    assert dt.entropy([times * w for w in weights]) == pytest.approx(dt.entropy(weights))
    assert dt.gini([times * w for w in weights]) == pytest.approx(dt.gini(weights))


@given(counts)
def test_ticks_are_the_formula(weights):
    """The engine's integers against the textbook's floats, to a millionth of a bit."""
    n = sum(weights)
    for criterion, formula in ((ENTROPY, dt.entropy), (GINI, dt.gini)):
        ticks = criterion.cost(np.array(weights))
        assert criterion.per_row(ticks, n) == pytest.approx(formula(weights), abs=1e-6)


def test_logarithms_are_additive():
    """log(ab) = log(a) + log(b), exactly, which makes ties equalities."""
    table = n_log_n(5000)
    n = np.arange(1, 5001)
    log = table[1:5001] // n
    assert (log * n == table[1:5001]).all()
    for a in range(1, 71):
        b = n[: 5000 // a]
        assert (log[a * b - 1] == log[a - 1] + log[b - 1]).all()
    assert np.abs(log / 2**32 - np.log2(n)).max() < 1e-8


def test_the_logarithm_of_a_prime_is_rounded_to_the_nearest_tick():
    """Cut off instead, sums of them would lean to one side."""
    table = n_log_n(5000)
    with localcontext(prec=40):
        bit = Decimal(2).ln() / 2**32
        for p in range(2, 5000):
            if all(p % i for i in range(2, int(p**0.5) + 1)):
                assert table[p] == p * round(Decimal(p).ln() / bit)


@given(
    st.lists(st.integers(0, 10**6), min_size=1, max_size=40),
    st.integers(1, 1000),
    st.integers(0, 40),
)
def test_what_is_worked_out_for_a_few_large_numbers_is_what_the_table_holds(numbers, long, few):
    n = np.array(numbers)
    table = n_log_n(10**6).take(n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(classes, "_tables", [np.zeros(1, dtype=np.int64)])
        patch.setattr(classes, "_LONG_TABLE", long)
        patch.setattr(classes, "_FEW", few)
        assert (n_log_ns(n) == table).all()
        assert len(classes._tables[0]) <= max(2 * long, 1024) or len(set(numbers)) * 64 > n.max()


def test_what_outgrows_exact_costs_is_refused_there_too():
    with pytest.raises(ValueError, match="too many"):
        n_log_ns(np.array([3, 10**9]))


def exact_entropy(groups):
    return prod(Fraction(prod(k**k for k in g if k), sum(g) ** sum(g)) for g in groups if sum(g))


def exact_gini(groups):
    return -sum(sum(g) - Fraction(sum(k * k for k in g), sum(g)) for g in groups if sum(g))


@given(same_size, st.data())
def test_ties_are_equalities_and_the_order_is_exact(sizes, data):
    """Two ways to part n rows of two classes: settled ticks compare as exact fractions do."""
    n, one, other = sizes
    yes = data.draw(st.integers(0, n))

    def part(size):
        inside = data.draw(st.integers(max(0, yes - (n - size)), min(size, yes)))
        return [[inside, size - inside], [yes - inside, n - size - (yes - inside)]]

    first, second = part(one), part(other)
    for criterion, exact in ((ENTROPY, exact_entropy), (GINI, exact_gini)):
        a, b = (criterion.settle(criterion.cost(np.array(g)).sum()) for g in (first, second))
        x, y = exact(first), exact(second)
        assert (a < b, a == b) == (x > y, x == y)


@given(st.lists(st.integers(0, 9), min_size=2, max_size=4).filter(any), st.integers(2, 7))
def test_equal_parts_cost_what_the_whole_does(part, times):
    """Each part's division is rounded, the whole's but once: their ticks often differ."""
    parts = times * GINI.cost(np.array(part))
    whole = GINI.cost(times * np.array(part))
    assert GINI.settle(parts) == GINI.settle(whole)


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([], "at least one number"),
        ([0, 0], "all weights are 0"),
        ([1, -2], "weight 2 is -2"),
        ([1, float("nan")], "weight 2 is nan"),
        ([float("inf"), 1], "weight 1 is inf"),
        (["a"], "must be numbers"),
        ([[1, 2]], "flat list"),
    ],
)
def test_bad_weights_are_named(weights, says):
    for formula in (dt.entropy, dt.gini):
        with pytest.raises(ValueError, match=says):
            formula(weights)


def test_too_many_rows_are_refused():
    with pytest.raises(ValueError, match="too many"):
        n_log_n(10**9)
