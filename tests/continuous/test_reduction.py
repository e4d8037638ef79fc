"""Growing with thresholds and on binary features: the same tree, whatever the table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris, load_wine
from strategies import tables

import dtree_lab as dt
from dtree_lab.continuous.reduction import binary_features, reduction


@st.composite
def limits(draw):
    some = {
        "criterion": draw(st.sampled_from(["entropy", "gini"])),
        "max_depth": draw(st.sampled_from([None, None, 1, 3])),
        "max_leaves": draw(st.sampled_from([None, None, 2, 5])),
        "min_rows": draw(st.sampled_from([2, 2, 4])),
        "min_gain": draw(st.sampled_from([0.0, 0.0, 0.1])),
        "max_error": draw(st.sampled_from([None, None, 0.2])),
    }
    return {name: limit for name, limit in some.items() if limit is not None}


@settings(max_examples=80)
@given(tables(), st.sampled_from([dt.id3, dt.cart]), limits(), st.booleans())
def test_nothing_is_lost(table, grower, limits, ends):
    found = reduction(table, grower, ends=ends, **limits)
    assert found.holds
    assert found.same_rows
    assert np.array_equal(found.original.flat.counts, found.constructed.flat.counts)


@pytest.mark.parametrize(
    ("load", "grower"),
    [(load_iris, dt.id3), (load_iris, dt.cart), (load_iris, dt.stump), (load_wine, dt.id3)],
)
def test_nothing_is_lost_on_real_tables(load, grower):
    frame = load(as_frame=True).frame
    table = dt.Table.from_frame(frame, target="target", kinds={"target": "discrete"})
    found = reduction(table, grower)
    assert found.holds
    assert found.same_rows
    assert "the same training error" in repr(found)


@settings(max_examples=100)
@given(tables(max_rows=12))
def test_a_feature_is_its_name_read_aloud(table):
    """Every feature 1[x < θ] is computed from its name alone, and the ends are there once."""
    features = binary_features(table)
    for attribute in table.attributes:
        own = [n for n in features.names if n.startswith(f"{attribute.name} < ")]
        if attribute.values is not None:
            assert own == []
            assert features.column(attribute.name) == table.column(attribute.name)
            continue
        values = sorted(set(table.column(attribute.name)))
        thetas = [float(name.split(" < ")[1]) for name in own]
        assert len(thetas) == len(values) + 1
        assert (thetas[0], thetas[-1]) == (-np.inf, np.inf)
        for theta, low, high in zip(thetas[1:-1], values[:-1], values[1:], strict=True):
            assert low < theta < high
        for name, theta in zip(own, thetas, strict=True):
            expected = ["yes" if x < theta else "no" for x in table.column(attribute.name)]
            assert features.column(name) == expected


def test_without_the_ends_no_feature_is_constant():
    features = binary_features(dt.datasets.tax_fraud(), ends=False)
    assert len(features.attributes) == 2 + 9  # ten incomes, all different
    assert all(len(set(features.column(name))) > 1 for name in features.names)


def test_names_keep_all_digits_where_six_are_too_few():
    table = dt.Table.from_columns(
        {"x": [1.00000001, 1.00000002, 1.00000003], "y": ["a", "b", "a"]}, target="y"
    )
    assert len(set(binary_features(table).names)) == 4


def test_tables_that_cannot_be_reduced():
    clash = dt.Table.from_columns({"x": [1, 3], "x < 2": ["u", "v"], "y": ["a", "b"]}, target="y")
    with pytest.raises(ValueError, match="two columns would be called 'x < 2'"):
        binary_features(clash)
    n = 10_000
    large = dt.Table.from_columns({"x": range(n), "y": ["a", "b"] * (n // 2)}, target="y")
    with pytest.raises(ValueError, match=r"10,001 features .* take fewer rows"):
        binary_features(large)
    regression = dt.Table.from_columns({"x": [1, 2], "y": [1.0, 2.0]}, target="y")
    with pytest.raises(ValueError, match="continuous"):
        reduction(regression)
