"""Gaussian thresholds against algebra done by hand and densities sampled along the line."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import log, sqrt
from statistics import NormalDist, fmean, pvariance

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from strategies import tables
from traces import replay, trace

import dtree_lab as dt
from dtree_lab.continuous.gaussian import LogDensity, gaussian_growth, regions
from dtree_lab.grow.textbook import Considered
from dtree_lab.tree.tree import Branch, Tree, walk


def table_of(**values):
    """A table of one column x from a list of values for each class."""
    x = [v for of_class in values.values() for v in of_class]
    y = [name for name, of_class in values.items() for _ in of_class]
    return dt.Table.from_columns({"x": x, "y": y}, target="y", kinds={"y": tuple(values)})


# a: mean 0, variance 1; b: mean 3, variance 4; c: mean 0, variance 4
A, B, C = [-1, 1], [1, 5], [-2, 2]


def test_two_crossings_by_hand():
    """-x²/2 = -ln 2 - (x - 3)²/8, so 3x² + 6x - 9 - 8 ln 2 = 0, so x = -1 ± √(4 + 8 ln 2 / 3)."""
    fit = dt.gaussian_thresholds(table_of(a=A, b=B), "x")
    root = sqrt(4 + 8 * log(2) / 3)
    assert fit.crossings == pytest.approx((-1 - root, -1 + root), rel=1e-14)
    assert fit.winners == ("b", "a", "b")
    assert fit.split.cuts == (fit.crossings[1],)  # no row lies below the other one


def test_equal_means_by_hand():
    """-x²/2 = -ln 2 - x²/8 at x² = 8 ln 2 / 3; with a prior of 0.7, b is above everywhere."""
    table = table_of(a=A, b=C)
    fit = dt.gaussian_thresholds(table, "x")
    assert fit.crossings == pytest.approx((-sqrt(8 * log(2) / 3), sqrt(8 * log(2) / 3)))
    assert fit.winners == ("b", "a", "b")
    assert fit.split.n_branches == 3
    none = dt.gaussian_thresholds(table, "x", priors={"a": 0.3, "b": 0.7})
    assert (none.crossings, none.winners, none.split) == ((), ("b",), None)
    # Just below two thirds they cross again: 1/3 · 1 against 2/3 · 1/2 at the mean.
    assert len(dt.gaussian_thresholds(table, "x", priors={"a": 0.34, "b": 0.66}).crossings) == 2


def test_equal_variance_by_hand():
    """θ = (μ₀ + μ₁)/2 + σ² ln(τ π₀/π₁)/(μ₁ - μ₀); pooled from 1 and 4, the variance is 2.5."""
    table = table_of(a=A, b=B)
    fit = dt.gaussian_thresholds(table, "x", equal_variance=True)
    assert fit.crossings == (1.5,)
    assert {bell.sd for bell in fit.bells} == {sqrt(2.5)}
    moved = dt.gaussian_thresholds(table, "x", equal_variance=True, tau=4, priors={"a": 3, "b": 1})
    assert moved.crossings == pytest.approx((1.5 + 2.5 * log(12) / 3,))
    assert moved.winners == ("a", "b")
    turned = dt.gaussian_thresholds(table, "x", equal_variance=True, tau=4, positive="a")
    assert turned.crossings == pytest.approx((1.5 - 2.5 * log(4) / 3,))


@settings(max_examples=60)
@given(
    st.lists(st.integers(-20, 20), min_size=2, max_size=6),
    st.integers(1, 50),
)
def test_a_mirrored_class_is_parted_from_its_image_in_the_middle(values, middle):
    """Same shape on both sides of the middle: the two curves cross there, and nowhere else."""
    assume(len(set(values)) > 1)
    assume(fmean(values) != middle)
    fit = dt.gaussian_thresholds(table_of(a=values, b=[2 * middle - v for v in values]), "x")
    assert fit.crossings == pytest.approx((middle,))


spread = st.lists(st.integers(-50, 50), min_size=2, max_size=8).filter(lambda v: len(set(v)) > 1)


@settings(max_examples=60)
@given(
    st.lists(spread, min_size=2, max_size=4),
    st.lists(st.floats(0.05, 5), min_size=4, max_size=4),
    st.booleans(),
    st.sampled_from([0.2, 1, 3]),
)
def test_sampling_the_densities_gives_the_same_regions(values, weights, equal_variance, tau):
    classes = "abcd"[: len(values)]
    if len(classes) > 2:
        tau = 1
    table = table_of(**dict(zip(classes, values, strict=True)))
    priors = dict(zip(classes, weights, strict=False))
    fit = dt.gaussian_thresholds(table, "x", equal_variance=equal_variance, tau=tau, priors=priors)
    variances = [pvariance(v) for v in values]
    if equal_variance:
        n = sum(map(len, values))
        variances = [sum(s * len(v) for s, v in zip(variances, values, strict=True)) / n] * 4

    def height(k, x):
        extra = log(tau) if k == len(classes) - 1 else 0
        var = variances[k]
        return log(weights[k]) - extra - log(var) / 2 - (x - fmean(values[k])) ** 2 / (2 * var)

    for x in np.linspace(-200, 200, 401):
        heights = sorted(((height(k, x), k) for k in range(len(classes))), reverse=True)
        if heights[0][0] - heights[1][0] < 1e-9:
            continue  # on a crossing, or the same curve twice
        (winner,) = [w for low, high, w in fit.regions if low <= x < high]
        assert winner == classes[heights[0][1]]
    if len(classes) == 2:
        assert len(fit.crossings) <= (1 if equal_variance else 2)
        assert fit.log_ratio(np.array(fit.crossings)) == pytest.approx(
            np.full(len(fit.crossings), np.log2(tau)), abs=1e-6
        )


def test_three_classes_in_a_row():
    fit = dt.gaussian_thresholds(table_of(a=[-1, 1], b=[3, 5], c=[7, 9]), "x")
    assert fit.crossings == pytest.approx((2, 6))
    assert fit.winners == ("a", "b", "c")
    assert fit.split.cuts == fit.crossings
    # Much wider, b is above at both ends and never in the middle.
    wide = dt.gaussian_thresholds(table_of(a=[-1, 1], b=[-90, 98], c=[7, 9]), "x")
    assert wide.winners == ("b", "a", "b", "c", "b")


def test_the_densities_are_normal():
    fit = dt.gaussian_thresholds(table_of(a=A, b=B), "x")
    x = np.linspace(-5, 8, 9)
    expected = [NormalDist(3, 2).pdf(v) for v in x]
    assert fit.bell("b").density(x) == pytest.approx(expected)
    assert [b.prior for b in fit.bells] == [0.5, 0.5]


@pytest.mark.parametrize("more", ["1e-6", "1e-8", "1e-10"])
@pytest.mark.parametrize("first", [0, 1])
def test_nearly_equal_spreads_lose_no_digits(more, first):
    """The textbook's root formula subtracts almost equal numbers; fifty decimals do not mind."""
    sd = [1.0, 1 + float(more)]
    scores = [LogDensity(0.0, sd[0], 0.0), LogDensity(3.0, sd[1], 0.0)]
    crossings, _ = regions(scores if first == 0 else scores[::-1])
    with localcontext() as context:
        context.prec = 50
        wide = Decimal(sd[1])
        p = 1 / wide**2
        a, b, c = (p - 1) / 2, -3 * p, 9 * p / 2 + wide.ln()
        near = (-b - (b * b - 4 * a * c).sqrt()) / (2 * a)
    assert len(crossings) == 2
    assert max(crossings) == pytest.approx(float(near), rel=1e-13)


# -- classes without a spread --------------------------------------------------------------------


def test_one_row_borrows_the_pooled_spread():
    """a has variance 1 over two rows, b none over one: 2/3 pooled, so b's is 2/3."""
    fit = dt.gaussian_thresholds(table_of(a=[-1, 1], b=[6]), "x")
    one, other = fit.bells
    assert (one.sd, one.pooled) == (1, False)
    assert (other.sd, other.pooled) == (pytest.approx(sqrt(2 / 3)), True)
    assert fit.split is not None


def test_no_spread_at_all_is_the_nearest_mean():
    fit = dt.gaussian_thresholds(table_of(a=[1, 1, 1], b=[4], c=[0.1, 0.1, 0.1]), "x", tau=1)
    assert fit.crossings == (0.55, 2.5)
    assert fit.winners == ("c", "a", "b")
    assert fit.bell("a").density([1, 2]).tolist() == [np.inf, 0]
    with pytest.raises(ValueError, match="a ratio compares two classes"):
        fit.log_ratio(0)


def test_equal_values_have_no_spread_even_when_their_mean_is_rounded():
    """The mean of three 0.1 is not 0.1 in floats; their variance is 0 all the same."""
    fit = dt.gaussian_thresholds(table_of(a=[0.1] * 3, b=[0.3] * 3), "x")
    assert [b.sd for b in fit.bells] == [0, 0]
    assert fit.crossings == pytest.approx((0.2,))


def test_the_same_curve_twice_does_not_cross():
    fit = dt.gaussian_thresholds(table_of(a=[1, 2], b=[1, 2]), "x")
    assert (fit.crossings, fit.winners, fit.split) == ((), ("a",), None)
    points = dt.gaussian_thresholds(table_of(a=[1], b=[1, 1]), "x")
    assert (points.crossings, points.winners) == ((), ("b",))


def test_a_class_without_rows_takes_no_part():
    table = table_of(a=[-1, 1], b=[3, 5], c=[9]).take([0, 1, 2, 3])
    fit = dt.gaussian_thresholds(table, "x")
    assert [bell.value for bell in fit.bells] == ["a", "b"]
    assert fit.crossings == pytest.approx((2,))


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"tau": 0}, "tau=0 must be a positive number"),
        ({"tau": True}, "tau=True must be a positive number"),
        ({"positive": "z"}, "positive='z' is no class"),
        ({"priors": {"a": 1}}, "priors must name each class"),
        ({"priors": {"a": 1, "b": 0}}, "the prior of 'b' must be a positive number"),
    ],
)
def test_parameters_out_of_range(keywords, said):
    with pytest.raises(ValueError, match=said):
        dt.gaussian_thresholds(table_of(a=A, b=B), "x", **keywords)
    with pytest.raises(ValueError, match=said):
        dt.gaussian_tree(table_of(a=A, b=B), **keywords)


def test_a_ratio_needs_two_classes_and_a_number():
    three = table_of(a=A, b=B, c=C)
    with pytest.raises(ValueError, match="are for two classes; 'y' has 3"):
        dt.gaussian_thresholds(three, "x", tau=2)
    with pytest.raises(ValueError, match="'Refund' is discrete"):
        dt.gaussian_thresholds(dt.datasets.tax_fraud(), "Refund")


# -- trees ---------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(tables(max_rows=25), st.booleans())
def test_each_node_asks_what_its_rows_say(table, equal_variance):
    """Each branch has rows; each split of numbers is the fit's; no other attribute gains more."""
    tree = dt.gaussian_tree(table, equal_variance=equal_variance)
    rows_at = {(): np.arange(table.n_rows)}
    for path, node in walk(tree.root):
        part = table.take(rows_at[path])
        assert node.counts == tuple(part.counts().tolist())
        fits = {
            name: dt.gaussian_thresholds(part, name, equal_variance=equal_variance).split
            for name in table.names
            if table.attribute(name).values is None
        }
        if not isinstance(node, Branch):
            pure = max(node.counts) == sum(node.counts)
            asked = [n for n in table.names if n not in fits and len(set(part.column(n))) > 1]
            assert pure or (not asked and not any(fits.values()))
            continue
        name = table.names[node.split.attribute]
        if name in fits:
            assert node.split == fits[name]
        gain = max(
            [
                dt.information_gain(part, n, list(split.cuts))
                for n, split in fits.items()
                if split is not None
            ]
            + [dt.information_gain(part, n) for n in table.names if n not in fits]
        )
        branch = node.split.branch(part.columns[node.split.attribute])
        for i in range(node.split.n_branches):
            rows_at[*path, i] = rows_at[path][branch == i]
            assert len(rows_at[*path, i])
        mine = (
            dt.information_gain(part, name, list(node.split.cuts))
            if name in fits
            else dt.information_gain(part, name)
        )
        assert mine == gain


def test_the_trace_builds_the_tree():
    table = dt.datasets.tax_fraud()
    events, root = trace(gaussian_growth(table))
    assert replay(events) == root
    assert Tree.of(table, root) == dt.gaussian_tree(table)
    assert isinstance(events[0], Considered)
    told = [(type(event), event.path, event.counts) for event in events]
    again = dt.steps(dt.gaussian_tree, table)
    assert [(type(event), event.path, event.counts) for event in again] == told


def test_limits_on_the_whole_tree():
    frame = load_iris(as_frame=True).frame
    table = dt.Table.from_frame(frame, target="target", kinds={"target": "discrete"})
    full = dt.gaussian_tree(table)
    for limit in range(1, full.n_leaves + 1):
        assert dt.gaussian_tree(table, max_leaves=limit).n_leaves <= limit
    assert dt.gaussian_tree(table, max_leaves=full.n_leaves) == full
    assert dt.gaussian_tree(table, max_error=1.0).n_nodes == 1


def test_limits_are_kept():
    frame = load_iris(as_frame=True).frame
    table = dt.Table.from_frame(frame, target="target", kinds={"target": "discrete"})
    assert dt.gaussian_tree(table, max_depth=1).depth == 1
    assert dt.gaussian_tree(table, min_gain=2).n_nodes == 1
    assert dt.gaussian_tree(table, min_rows=151).n_nodes == 1
    # One question with three regions: fewer errors than any single threshold can have.
    one = dt.gaussian_tree(table, max_depth=1)
    assert one.n_leaves == 3
    assert one.error(table) < dt.stump(table).error(table) == pytest.approx(1 / 3)
