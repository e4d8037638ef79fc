"""Groups of numbers against brute force, exact decimals, Lloyd's algorithm and a law of squares."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import floor, sqrt
from unittest.mock import patch

import numpy as np
import pytest
from cases import each
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import number_tables

import dtree_lab as dt
from dtree_lab.continuous.grouping import grouped, least_spread
from dtree_lab.continuous.reduction import round_width, rounding_bounds
from dtree_lab.criteria import variance
from dtree_lab.criteria.variance import Scale

few = st.lists(st.integers(0, 12), min_size=1, max_size=11)
hundredths = st.lists(st.integers(-400, 400), min_size=1, max_size=25)
decimals = hundredths.map(lambda some: [i / 100 for i in some])
any_numbers = st.lists(
    st.floats(-1e6, 1e6, allow_nan=False, allow_subnormal=False), min_size=2, max_size=12
)


def table_of(numbers):
    names = [f"row {i}" for i in range(len(numbers))]
    return dt.Table.from_columns({"x": names, "y": numbers}, target="y", target_kind="continuous")


def spread(numbers):
    """The sum of squared distances from the mean, exactly."""
    exact = [Fraction(x) for x in numbers]
    mean = sum(exact) / len(exact)
    return sum((x - mean) ** 2 for x in exact)


def stretches(numbers, after):
    """The rows of each group when the different numbers are cut behind some of them."""
    values = sorted(set(numbers))
    ends = [-1, *after, len(values) - 1]
    return [[x for x in numbers if values[a + 1] <= x <= values[b]] for a, b in pairwise(ends)]


def every_grouping(numbers, k):
    return combinations(range(len(set(numbers)) - 1), k - 1)


def cost_of(numbers, after):
    return sum(spread(part) for part in stretches(numbers, after))


# -- clusters ------------------------------------------------------------------------------------


@settings(max_examples=80)
@given(few, st.data())
def test_clusters_are_the_best_of_all_groupings(numbers, data):
    """Every way to part the sorted numbers, in fractions; of equals the lowest last cut, and so on.

    That other groups than stretches are never better is Fisher's theorem, tried below.
    """
    k = data.draw(st.integers(1, len(set(numbers))))
    best = min(every_grouping(numbers, k), key=lambda after: (cost_of(numbers, after), after[::-1]))
    assert least_spread(np.array(numbers, float), k)[1].tolist() == list(best)


def slow_least(numbers, k):
    """Textbook dynamic programming in fractions: all beginnings of the last group are tried."""
    values = sorted(set(numbers))
    m = len(values)
    below = [(0, Fraction(0), Fraction(0))]
    for v in values:
        times, (n, total, squares) = numbers.count(v), below[-1]
        below.append((n + times, total + times * v, squares + times * Fraction(v) ** 2))

    def group(i, j):
        n, total, squares = (b - a for a, b in zip(below[i], below[j], strict=True))
        return squares - total**2 / n

    least = [{0: (Fraction(0), ())}]
    for t in range(1, k + 1):
        least.append(
            {
                j: min(
                    (
                        (least[t - 1][i][0] + group(i, j), (*least[t - 1][i][1], i))
                        for i in least[t - 1]
                        if i < j
                    ),
                    key=lambda found: (found[0], found[1][::-1]),
                )
                for j in range(t, m + 1)
            }
        )
    return [i - 1 for i in least[k][m][1][1:]]


@settings(max_examples=60)
@given(
    st.one_of(
        st.lists(st.integers(0, 60), min_size=2, max_size=60),
        st.integers(2, 24).map(lambda n: list(range(n))),  # ties everywhere
        st.lists(st.integers(0, 5).map(lambda i: 2**i), min_size=2, max_size=40),
    ),
    st.integers(1, 9),
)
def test_the_fast_search_is_the_slow_one_ties_included(numbers, k):
    k = min(k, len(set(numbers)))
    assert least_spread(np.array(numbers, float), k)[1].tolist() == slow_least(numbers, k)


@settings(max_examples=60)
@given(any_numbers, st.integers(1, 5))
def test_of_any_numbers_clusters_are_as_good_as_ticks_can_tell(numbers, k):
    """Each number is at most half a tick off, so no grouping's root of its cost moves by more than
    half a tick times the root of n."""
    k = min(k, len(set(numbers)))
    tick = Scale.of(np.array(numbers))[0].unit
    found = cost_of(numbers, least_spread(np.array(numbers), k)[1].tolist())
    best = min(cost_of(numbers, after) for after in every_grouping(numbers, k))
    assert sqrt(found) <= sqrt(best) * (1 + 1e-12) + tick * sqrt(len(numbers))


@pytest.mark.parametrize("seed", range(4))
def test_fractions_decide_however_coarse_the_ticks(seed):
    """Without fractional bits, what ticks say of whole numbers close together is often wrong."""
    rng = np.random.default_rng(seed)
    for _ in range(60):
        numbers = rng.integers(0, rng.integers(7, 14), rng.integers(20, 31)).tolist()
        k = min(int(rng.integers(2, 9)), len(set(numbers)))
        with patch.object(variance, "_MOST_FRACTION", 0):
            found = least_spread(np.array(numbers, float), k)[1].tolist()
        assert found == slow_least(numbers, k)


def lloyd(numbers, means):
    """Everything to the nearest mean, and the means anew, until nothing moves."""
    while True:
        group = np.abs(numbers[:, None] - means).argmin(axis=1)
        parts = [numbers[group == g] for g in range(len(means))]
        new = np.array([p.mean() if len(p) else m for p, m in zip(parts, means, strict=True)])
        if np.array_equal(new, means):
            return sum(float(np.square(p - p.mean()).sum()) for p in parts if len(p))
        means = new


@pytest.mark.parametrize("seed", range(4))
def test_lloyd_never_beats_the_clusters(seed):
    rng = np.random.default_rng(seed)
    numbers = np.concatenate([rng.normal(m, 1, 40) for m in rng.uniform(0, 30, 5)])
    for k in (2, 3, 5, 8):
        found = grouped(table_of(numbers), "clusters", n_groups=k)
        tries = [lloyd(numbers, rng.choice(numbers, k, replace=False)) for _ in range(30)]
        ours = found.within * len(numbers)
        assert ours <= min(tries) * (1 + 1e-9)
        # Started from our means, it stays where it is.
        assert lloyd(numbers, np.array(found.means)) == pytest.approx(ours)


@settings(max_examples=60)
@given(few, st.integers(1, 4), st.data())
def test_no_other_assignment_is_better(numbers, k, data):
    """Stretches or not: any rows in any of k groups."""
    k = min(k, len(set(numbers)))
    groups = data.draw(
        st.lists(st.integers(0, k - 1), min_size=len(numbers), max_size=len(numbers))
    )
    parts = [[x for x, g in zip(numbers, groups, strict=True) if g == i] for i in range(k)]
    found = cost_of(numbers, least_spread(np.array(numbers, float), k)[1].tolist())
    assert found <= sum(spread(part) for part in parts if part)


@settings(max_examples=60)
@given(number_tables(), st.integers(1, 6))
def test_no_tree_with_as_many_leaves_has_less_error(table, k):
    """A tree with k leaves answers with k numbers, so clusters bound its training error."""
    k = min(k, len(np.unique(table.labels)))
    within = grouped(table, "clusters", n_groups=k).within
    tick = Scale.of(table.labels)[0].unit
    error = dt.cart(table, max_leaves=k).error(table)
    assert sqrt(within) <= sqrt(error) * (1 + 1e-9) + tick


def test_more_groups_leave_less_within():
    numbers = np.random.default_rng(1).normal(size=60)
    within = [
        grouped(table_of(numbers), "clusters", n_groups=k).within for k in (*range(1, 12), 60)
    ]
    assert all(more < less for less, more in pairwise(within))
    assert within[0] == pytest.approx(numbers.var())
    assert within[-1] == 0


def test_clusters_by_hand():
    """0, 1 and 2 in two groups: {0} and {1, 2}, or {0, 1} and {2}; the lower last group wins."""
    found = grouped(table_of([0, 1, 2]), "clusters", n_groups=2)
    assert found.table.column("y") == ["< 0.5", "≥ 0.5", "≥ 0.5"]
    found = grouped(table_of([10, 1, 12, 3, 2, 11, 50]), "clusters", n_groups=3)
    assert found.table.classes == ("< 6.5", "6.5 to 31", "≥ 31")
    assert found.means == (2, 11, 50)
    assert found.within == pytest.approx((2 + 2 + 0) / 7)


def test_a_far_origin_changes_nothing():
    numbers = np.array([0.0, 1, 2, 7, 8, 9.5, 30])
    near = least_spread(numbers, 3)[1].tolist()
    assert least_spread(numbers + 2.0**40, 3)[1].tolist() == near
    assert least_spread(numbers * 2.0**-30 - 5, 3)[1].tolist() == near
    found = grouped(table_of(numbers + 2.0**40), "clusters", n_groups=3)
    assert found.table.classes == (
        "< 1099511627780.5",
        "1099511627780.5 to 1099511627795.75",
        "≥ 1099511627795.75",
    )


# -- rounding ------------------------------------------------------------------------------------


def exact(x):
    """A float as it is written."""
    return Fraction(repr(x))


@settings(max_examples=80)
@given(
    hundredths,
    st.sampled_from([0, 10**9]),
    st.sampled_from([0.05, 0.1, 0.25, 0.07, 1.0, 3.0, 10.0]),
)
def test_rounding_is_exact_decimal_rounding(some, origin, width):
    numbers = [(100 * origin + i) / 100 for i in some]
    multiple = [floor(exact(x) / exact(width) + Fraction(1, 2)) for x in numbers]
    found = grouped(table_of(numbers), width=width)
    order = sorted(set(multiple))
    assert found.table.labels.tolist() == [order.index(k) for k in multiple]
    for x, k, label in zip(numbers, multiple, found.table.column("y"), strict=True):
        low, high = label.split(" to ")
        assert Fraction(low) <= exact(x) < Fraction(high)
        assert (Fraction(low) + Fraction(high)) / 2 == k * exact(width)


@given(any_numbers, st.floats(1e-6, 1e6))
def test_every_number_lies_in_the_range_it_rounds_to(numbers, width):
    edges = rounding_bounds(np.array(numbers), width)
    assert (edges[:, 0] < edges[:, 1]).all()
    assert (edges[:-1, 1] <= edges[1:, 0]).all()
    held = [[low <= x < high for low, high in edges.tolist()] for x in numbers]
    assert np.array(held).sum(axis=1).tolist() == [1] * len(numbers)
    assert np.array(held).any(axis=0).all()
    found = grouped(table_of(numbers), width=width)
    assert found.table.labels.tolist() == [row.index(True) for row in held]


@given(any_numbers, st.integers(1, 12))
def test_a_round_width_makes_few_enough_groups(numbers, most):
    width = round_width(np.array(numbers), most)
    assert width == float(f"{width:.0e}")
    assert f"{width:.0e}"[0] in "125"
    found = grouped(table_of(numbers), n_groups=most)
    assert len(found.means) <= most
    assert found.cuts == grouped(table_of(numbers), width=width).cuts


@pytest.mark.parametrize("number", [0.49999999999999994, 0.5, 1.4999999999999998, -0.5])
def test_a_number_beside_a_half_goes_to_its_own_side(number):
    """0.49999999999999994 + 0.5 is 1 in floats."""
    (edges,) = rounding_bounds(np.array([number]), 1.0).tolist()
    assert edges[0] == floor(Fraction(number) + Fraction(1, 2)) - 0.5


def test_halves_are_rounded_up():
    found = grouped(table_of([0.15, 0.25, 0.34, 0.35, -0.05]), width=0.1)
    assert found.table.column("y") == [
        "0.15 to 0.25",
        "0.25 to 0.35",
        "0.25 to 0.35",
        "0.35 to 0.45",
        "-0.05 to 0.05",
    ]


def test_one_number_is_one_group():
    for by, keywords in (("rounding", {"n_groups": 4}), ("clusters", {"n_groups": 1})):
        for x in (0.0, 0.1, -7.5, 1e15):
            found = grouped(table_of([x, x, x]), by, **keywords)
            assert (len(found.table.classes), found.means, found.total) == (1, (x,), 0)
            assert found.within == found.between == 0


# -- the way back, and what it costs -------------------------------------------------------------

ways = st.sampled_from(
    [("rounding", {"width": 1.0}), ("rounding", {"n_groups": 3}), ("clusters", {"n_groups": 2})]
)


@settings(max_examples=60)
@given(decimals, ways)
def test_the_variance_is_what_is_within_and_what_lies_between(numbers, way):
    by, keywords = way
    assume(len(set(numbers)) >= 2)
    found = grouped(table_of(numbers), by, **keywords)
    labels = found.table.column("y")
    n = len(numbers)
    parts = [
        [x for x, label in zip(numbers, labels, strict=True) if label == c]
        for c in found.table.classes
    ]
    assert all(parts)
    means = [sum(map(Fraction, part)) / len(part) for part in parts]
    mean = sum(map(Fraction, numbers)) / n
    within = sum(spread(part) for part in parts) / n
    between = sum(len(part) * (m - mean) ** 2 for part, m in zip(parts, means, strict=True)) / n
    assert within + between == spread(numbers) / n
    assert found.means == pytest.approx([float(m) for m in means], rel=1e-12, abs=1e-12)
    assert found.within == pytest.approx(float(within), rel=1e-9, abs=1e-12)
    assert found.between == pytest.approx(float(between), rel=1e-9, abs=1e-12)
    assert found.total == pytest.approx(found.within + found.between, rel=1e-9, abs=1e-12)
    assert [found.number_of(c) for c in found.table.classes] == list(found.means)
    assert found.number_of(labels).tolist() == [found.number_of(label) for label in labels]


@settings(max_examples=60)
@given(number_tables(), ways, st.sampled_from(["ranges", "means"]))
def test_a_classifiers_error_is_worked_out_from_group_means(table, way, labels):
    by, keywords = way
    assume(len(np.unique(table.labels)) >= 2)
    assume(np.ptp(table.labels) < 1e3)
    found = grouped(table, by, labels=labels, **keywords)
    assert found.table.columns is table.columns
    assert found.table.attributes == table.attributes
    tree = dt.id3(found.table)
    off = 0.0
    for row in table.rows():
        answer = tree.predict(row)
        rows = [
            x for x, c in zip(table.labels, found.table.column("y"), strict=True) if c == answer
        ]
        off += (row["y"] - sum(rows) / len(rows)) ** 2
        assert found.predict(tree, row) == pytest.approx(sum(rows) / len(rows))
    assert found.error(tree) == pytest.approx(off / len(table), rel=1e-6, abs=1e-12)
    assert found.error(tree, table) == found.error(tree)
    if tree.error(found.table) == 0:
        assert found.error(tree) == pytest.approx(found.within, rel=1e-9, abs=1e-12)


def test_classes_can_be_called_by_their_means():
    found = grouped(table_of([1, 2, 10, 11, 30]), "clusters", n_groups=3, labels="means")
    assert found.table.classes == (1.5, 10.5, 30.0)
    tree = dt.id3(found.table)
    assert tree.predict({"x": "row 1"}) == 1.5
    assert found.number_of(10.5) == 10.5


def test_a_rounded_number_can_be_nearer_to_the_next_mean():
    """To tens, 4 joins three -4: it is 6 from their mean, and 1 from that of the next group, 5."""
    numbers = [-4, -4, -4, 4, 5]
    found = grouped(table_of(numbers), width=10)
    assert found.means == (-2, 5)
    wrong = [
        float(np.square(np.subtract(numbers, said)).mean())
        for said in ([-2, -2, -2, -2, 5], [-2, -2, -2, 5, 5])
    ]
    assert wrong[0] == pytest.approx(found.within)
    assert wrong[1] < found.within


def test_other_rows_are_grouped_alike():
    found = grouped(table_of([101, 118, 122, 163]), width=10)
    assert found.table.classes == ("95 to 105", "115 to 125", "155 to 165")
    others = table_of([-5, 104, 109, 111, 125, 139.5, 141, 9e9])
    assert found.regrouped(others).column("y") == [
        "95 to 105",
        "95 to 105",
        "95 to 105",  # below the middle of the gap from 105 to 115
        "115 to 125",
        "115 to 125",
        "115 to 125",
        "155 to 165",
        "155 to 165",
    ]
    assert found.regrouped(table_of([101, 118, 122, 163])).column("y") == found.table.column("y")


def test_a_grouped_table_can_be_pruned_with_other_rows():
    rng = np.random.default_rng(2)
    x = rng.uniform(0, 10, 200)
    table = dt.Table.from_columns({"x": x, "y": x + rng.normal(0, 2, 200)}, target="y")
    training, validation = dt.evaluate.holdout(table)
    found = grouped(training, "clusters", n_groups=4)
    tree = dt.id3(found.table)
    smaller = dt.prune.reduced_error(tree, found.regrouped(validation))
    assert smaller.n_leaves < tree.n_leaves
    means = dict(zip(found.table.classes, found.means, strict=True))
    said = [means[label] for label in smaller.predict(validation)]
    assert found.error(smaller, validation) == pytest.approx(
        np.square(np.array(said) - validation.labels).mean()
    )


def test_gaps_stay_gaps():
    table = dt.Table.from_columns({"x": ["u", None], "y": [1, 9]}, target="y", missing="keep")
    assert grouped(table, width=5).table.column("x") == ["u", None]


def test_it_says_what_it_found():
    found = grouped(table_of([1, 2, 3, 10]), "clusters", n_groups=2)
    assert repr(found).splitlines() == [
        "< 6.5: 3 rows, mean 2",
        "≥ 6.5: 1 row, mean 10",
        "variance: 0.5 within the groups + 12 between them = 12.5",
    ]
    named = grouped(table_of([1, 2, 3, 10]), "clusters", n_groups=2, labels="means")
    assert repr(named).splitlines()[0] == "2: 3 rows, mean 2"


# -- what cannot be done -------------------------------------------------------------------------


@each(
    ("by", "keywords", "says"),
    [
        ("rounding", {}, r"a width or the most groups; say one of them, such as width=2"),
        ("rounding", {"width": 1, "n_groups": 2}, "say one of them"),
        ("rounding", {"width": 0}, "width=0 must be a number above 0"),
        ("rounding", {"width": -2.0}, "width=-2.0 must"),
        ("rounding", {"width": float("nan")}, "width=nan must"),
        ("rounding", {"width": float("inf")}, "width=inf must"),
        ("rounding", {"width": "10"}, "width='10' must"),
        ("rounding", {"width": True}, "width=True must"),
        ("rounding", {"width": 1e-17}, "width=1e-17 is too small for numbers as large as 9"),
        ("rounding", {"n_groups": 0}, "n_groups=0 must be a whole number at least 1"),
        ("clusters", {}, "clusters take a number of groups and no width"),
        ("clusters", {"width": 3, "n_groups": 2}, "clusters take a number of groups and no width"),
        ("clusters", {"n_groups": 0}, "n_groups=0 must be a whole number from 1 to 3"),
        ("clusters", {"n_groups": 4}, "from 1 to 3: there are 3 different numbers"),
        ("clusters", {"n_groups": 2.0}, "n_groups=2.0 must"),
        ("clusters", {"n_groups": True}, "n_groups=True must"),
        ("quantiles", {"n_groups": 2}, "by='quantiles' must be one of 'rounding', 'clusters'"),
        ("clusters", {"n_groups": 2, "labels": "numbers"}, "labels='numbers' must be one of"),
    ],
)
def test_what_cannot_be_grouped_says_why(by, keywords, says):
    with pytest.raises(ValueError, match=says):
        grouped(table_of([1, 2, 2, 9]), by, **keywords)


def test_groups_are_of_numbers():
    with pytest.raises(ValueError, match="target 'Cheat' is discrete already"):
        grouped(dt.datasets.tax_fraud(), width=1)
    with pytest.raises(TypeError, match=r"dt\.Table; got a list"):
        grouped([1, 2], width=1)
    found = grouped(table_of([1, 2, 9]), width=5)
    with pytest.raises(ValueError, match=r"'9' is no group of 'y'; the groups are '-2\.5 to 2\.5'"):
        found.number_of("9")
    with pytest.raises(ValueError, match="no group of 'y'"):
        found.number_of(["-2.5 to 2.5", "5"])
    with pytest.raises(ValueError, match=r"numbers 'y', but the table's target is 'Cheat' \(disc"):
        found.regrouped(dt.datasets.tax_fraud())
    with pytest.raises(ValueError, match=r"numbers 'y', but the table's target is 'y' \(discrete"):
        found.error(dt.id3(found.table), found.table)
    with pytest.raises(TypeError, match=r"dt\.Table; got a list"):
        found.regrouped([1])


def test_rows_with_weights_are_not_grouped_but_keep_them_in_groups():
    columns = {"x": [1, 2, 3], "y": [4.0, 6.0, 41.0], "w": [1, 2, 1]}
    weighted = dt.Table.from_columns(columns, "y", target_kind="continuous", weights="w")
    with pytest.raises(ValueError, match="these weigh 'w'; make the table without weights="):
        grouped(weighted, width=10)
    plain = {name: columns[name] for name in "xy"}
    found = grouped(dt.Table.from_columns(plain, "y", target_kind="continuous"), width=10)
    assert found.regrouped(weighted).counts().tolist() == [1, 2, 1]
