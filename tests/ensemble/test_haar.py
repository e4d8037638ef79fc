"""Rectangle features: sums of pixels, added up one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dtree_lab.images.haar import LAYOUTS, Feature, all_features, feature_map, features_of, integral

FEATURES = all_features(12, step=1)
greys = st.integers(0, 255)


def slowly(image, feature):
    """Every pixel, by the cell of the feature in which it lies."""
    total = 0
    for i, row in enumerate(LAYOUTS[feature.kind]):
        for j, weight in enumerate(row):
            for y in range(feature.height):
                for x in range(feature.width):
                    at = feature.top + i * feature.height + y, feature.left + j * feature.width + x
                    total += weight * int(image[at])
    return total


@settings(deadline=None)
@given(arrays(np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=greys))
def test_an_integral_image_holds_the_sums(image):
    sums = integral(image)
    assert sums.shape == (image.shape[0] + 1, image.shape[1] + 1)
    for (i, j), total in np.ndenumerate(sums):
        assert total == sum(int(v) for v in image[:i, :j].ravel())


@settings(max_examples=30, deadline=None)
@given(
    arrays(np.uint8, (2, 12, 12), elements=greys),
    st.lists(st.sampled_from(FEATURES), max_size=6),
)
def test_features_are_sums_of_pixels(images, chosen):
    values = features_of(images, chosen)
    assert values.dtype == np.int32
    assert values.tolist() == [[slowly(image, one) for one in chosen] for image in images]


@settings(max_examples=20, deadline=None)
@given(arrays(np.uint8, (15, 14), elements=greys), st.sampled_from(FEATURES))
def test_a_map_has_the_feature_of_each_window(image, feature):
    found = feature_map(integral(image), feature, 12)
    assert found.shape == (4, 3)
    for (top, left), value in np.ndenumerate(found):
        assert value == slowly(image[top : top + 12, left : left + 12], feature)


def test_the_brightest_images_fit():
    """The largest sums: one half white, the other black, in a window of 100 pixels."""
    image = np.zeros((1, 100, 100), dtype=np.uint8)
    image[:, :, :50] = 255
    assert features_of(image, [Feature("side by side", 0, 0, 100, 50)]).tolist() == [[255 * 5000]]


@pytest.mark.parametrize("feature", [next(f for f in FEATURES if f.kind == k) for k in LAYOUTS])
def test_an_even_surface_counts_nothing(feature):
    assert features_of(np.full((1, 12, 12), 200), [feature]).tolist() == [[0]]


def test_all_features_of_24_pixels_are_as_many_as_viola_and_jones_count():
    """Theirs is rounded, to 160,000 (2004, section 2); counted out, it is known to be this."""
    every = all_features(24)
    assert len(every) == len({one.name for one in every}) == 162_336


@pytest.mark.parametrize("step", [1, 2, 5])
def test_all_features_fit_and_lie_on_the_grid(step):
    for one in all_features(13, step):
        assert all(v % step == 0 for v in (one.top, one.left, one.height, one.width))
        assert all(
            r.top >= 0 and r.left >= 0 and r.top + r.height <= 13 and r.left + r.width <= 13
            for r in one.rectangles
        )


def test_a_step_out_of_range():
    for step in (0, 7, 1.5, True):
        with pytest.raises(ValueError, match="must be a whole number from 1 to 6, half of"):
            all_features(13, step)
