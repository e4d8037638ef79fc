"""Searching a larger image: made smaller step by step, so that one window sees any size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.boost.haar import integral

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from dtree_lab.images import Box

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

# Each scale is so many times the one before.
_NEXT_SCALE = 1.2


@dataclass(frozen=True)
class Found:
    """Where something was found, and how clearly: up to 1."""

    box: Box
    score: float


def all_scales(shape: tuple[int, ...], size: int) -> tuple[float, ...]:
    """By how much an image can be made smaller until a window of some size just fits."""
    scales, scale = [], 1.0
    while int(min(shape) / scale) >= size:
        scales.append(scale)
        scale *= _NEXT_SCALE
    return tuple(scales)


def shrunk(image: NDArray[Any], scale: float) -> Ints:
    """The image made smaller: each pixel is the mean of those that it covers.

    Parameters
    ----------
    image
        Greys, shape ``(height, width)``.
    scale
        How many old pixels a new one covers in each direction; at least 1.
    """
    if scale == 1:
        return image.astype(np.int64)
    height, width = (int(side / scale) for side in image.shape)
    # The integral image between its corners is a plane, as if a pixel were evenly grey.
    sums = _between(_between(integral(image).astype(np.float64), height, scale).T, width, scale).T
    means = np.diff(np.diff(sums, axis=0), axis=1) / scale**2
    return np.rint(means).astype(np.int64)


def _between(sums: Floats, n: int, scale: float) -> Floats:
    """The rows of a table of sums at every `scale`-th row, ``n + 1`` of them."""
    at = np.arange(n + 1) * scale
    low = np.minimum(at.astype(np.intp), len(sums) - 2)
    part = (at - low)[:, None]
    rows: Floats = sums[low] * (1 - part) + sums[low + 1] * part
    return rows


def strongest(found: Iterable[Found], overlap: float) -> tuple[Found, ...]:
    """The best of what overlaps, the strongest first; of equals the uppermost, then the leftmost.

    Parameters
    ----------
    found
        Windows that see something; around each face there are many.
    overlap
        The most that two may overlap and both be kept.
    """
    kept: list[Found] = []
    for one in sorted(found, key=lambda one: (-one.score, one.box)):
        if all(one.box.overlap(other.box) <= overlap for other in kept):
            kept.append(one)
    return tuple(kept)
