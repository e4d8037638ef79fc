"""Making images smaller, and keeping the best of what overlaps."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dtree_lab.images import Box
from dtree_lab.images.haar import Detection, all_scales, shrunk, strongest

boxes = st.builds(Box, st.integers(0, 20), st.integers(0, 20), st.integers(1, 15))


def mean_over(image, top, left, side):
    """The mean grey of a square that may cover pixels in part."""
    total = Fraction(0)
    for (y, x), grey in np.ndenumerate(image):
        down = min(top + side, y + 1) - max(top, y)
        across = min(left + side, x + 1) - max(left, x)
        total += max(down, 0) * max(across, 0) * int(grey)
    return total / side**2


@settings(max_examples=30, deadline=None)
@given(
    arrays(np.uint8, st.tuples(st.integers(3, 9), st.integers(3, 9)), elements=st.integers(0, 255)),
    st.sampled_from([Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5, 2)]),
)
def test_a_smaller_image_has_the_means_of_what_its_pixels_cover(image, scale):
    smaller = shrunk(image, float(scale))
    assert smaller.shape == tuple(int(side / scale) for side in image.shape)
    for (y, x), grey in np.ndenumerate(smaller):
        # To the next whole number; a half may go either way.
        assert abs(grey - mean_over(image, y * scale, x * scale, scale)) <= 0.5 + 1e-9


@settings(deadline=None)
@given(st.integers(12, 30), st.integers(1, 200), st.integers(1, 200))
def test_scales_go_on_as_long_as_a_window_fits(size, height, width):
    scales = all_scales((height, width), size)
    assert (scales == ()) == (min(height, width) < size)
    for i, scale in enumerate(scales):
        assert scale == pytest.approx(1.2**i)
        assert int(min(height, width) / scale) >= size
    assert int(min(height, width) / 1.2 ** len(scales)) < size


@settings(deadline=None)
@given(boxes, boxes)
def test_overlap_counts_pixels(one, other):
    def pixels(box):
        return {
            (y, x)
            for y in range(box.top, box.top + box.size)
            for x in range(box.left, box.left + box.size)
        }

    both, either = pixels(one) & pixels(other), pixels(one) | pixels(other)
    assert one.overlap(other) == pytest.approx(len(both) / len(either))


@settings(deadline=None)
@given(
    st.lists(st.builds(Detection, boxes, st.sampled_from([0.1, 0.2, 0.5])), max_size=12),
    st.sampled_from([0.0, 0.2, 0.5]),
)
def test_the_strongest_are_kept(found, overlap):
    kept = strongest(found, overlap)
    assert [one.score for one in kept] == sorted((one.score for one in kept), reverse=True)
    for i, one in enumerate(kept):
        assert all(one.box.overlap(other.box) <= overlap for other in kept[:i])
    for one in found:  # what is left out has a neighbour that is no weaker
        assert one in kept or any(
            one.box.overlap(other.box) > overlap and other.score >= one.score for other in kept
        )
