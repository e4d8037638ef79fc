"""Shattering against classes of hypotheses that are listed by hand."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab import theory

coordinate = st.integers(-3, 3)
mixed = st.tuples(coordinate, st.sampled_from("uvw"), coordinate)


@settings(max_examples=20)
@given(st.lists(mixed, min_size=1, max_size=5, unique=True))
def test_any_different_points_are_shattered(points):
    found = theory.shatters(points)
    assert found
    assert set(found.trees) == set(product("-+", repeat=len(points)))
    for labelling, tree in found.trees.items():
        rows = [dict(zip(("x1", "x2", "x3"), point, strict=True)) for point in points]
        assert [tree.predict(row) for row in rows] == list(labelling)


def test_equal_points_are_not():
    found = theory.shatters([1, 2, 1])
    assert not found
    assert found.witness[0] != found.witness[2]


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_k_leaves_on_a_line_shatter_k_points_and_no_more(k):
    """k leaves are at most k intervals: a labelling that changes k times is out of reach."""
    assert theory.shatters(range(k), max_leaves=k)
    found = theory.shatters(range(k + 1), max_leaves=k)
    assert sum(a != b for a, b in pairwise(found.witness)) == k
    dimension = theory.vc_dimension(range(k + 1), k)
    assert (dimension.dimension, dimension.tried) == (k, 1)


def dimension_of(hypotheses, points):
    """By the definition: the largest subset on which all labellings occur."""
    said = {tuple(h(point) for point in points) for h in hypotheses}
    largest = 0
    for n in range(1, len(points) + 1):
        for chosen in combinations(range(len(points)), n):
            if len({tuple(row[i] for i in chosen) for row in said}) == 2**n:
                largest = n
    return largest


def test_stumps_over_three_binary_attributes():
    """Two leaves say: always, never, an attribute or its opposite. They shatter 3 points, not 2."""
    points = list(product("FT", repeat=3))
    hypotheses = [lambda _: True, lambda _: False]
    hypotheses += [lambda p, i=i, v=v: p[i] == v for i in range(3) for v in "FT"]
    found = theory.vc_dimension(points, 2)
    assert found.dimension == dimension_of(hypotheses, points) == 3
    assert theory.shatters([points[i] for i in found.example], max_leaves=2)


def test_stumps_in_the_plane_shatter_more_points_than_they_have_leaves():
    points = [(0, 1), (1, 2), (2, 0), (3, 3)]
    cuts = [-0.5, 0.5, 1.5, 2.5, 3.5]
    hypotheses = [
        lambda p, i=i, c=c, s=s: (p[i] < c) is s
        for i in range(2)
        for c in cuts
        for s in (True, False)
    ]
    assert theory.vc_dimension(points, 2).dimension == dimension_of(hypotheses, points) == 3


def test_every_set_that_was_tried_has_a_witness():
    pool = list(product("FT", repeat=2))
    found = theory.vc_dimension(pool, 3)
    assert found.dimension == 3  # three leaves cannot say XOR, the only obstacle among four points
    ((points, witness),) = found.witnesses.items()
    assert points == (0, 1, 2, 3)
    assert witness in (tuple("-++-"), tuple("+--+"))
    assert theory.vc_dimension(pool, 4).dimension == 4


def test_a_table_can_be_given():
    assert theory.shatters(dt.datasets.two_attributes().take([0, 1, 4, 5]))


def test_points_that_cannot_be_tried():
    with pytest.raises(ValueError, match="points is empty"):
        theory.shatters([])
    with pytest.raises(ValueError, match="13 points are too many"):
        theory.shatters(range(13))
    with pytest.raises(ValueError, match="different numbers of coordinates"):
        theory.shatters([(1, 2), (1,)])
    with pytest.raises(ValueError, match="max_leaves=0"):
        theory.shatters([1, 2], max_leaves=0)


def test_one_leaf_is_told_in_the_singular():
    assert repr(theory.vc_dimension([1, 2], 1)).startswith(
        "trees of at most 1 leaf shatter 1 point"
    )
