"""Rectangle features: what a stump looks at in an image, and in windows of a larger one.

A feature is the sum of the greys in some rectangles less the sum in others. From an *integral
image*, which holds for each corner the sum of all pixels above it and to its left, the sum in any
rectangle follows from its four corners, however large it is. All of it is whole numbers.

A larger image is made smaller step by step, so that one window sees any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_whole
from dtree_lab.base.types import Floats, Ints
from dtree_lab.images import Box

Kind: TypeAlias = Literal[
    "side by side", "one above the other", "three across", "three down", "chequered"
]

# For each kind the weights of its cells, from top to bottom and left to right. They sum up to
# nothing: an even surface has the value 0, however bright.
LAYOUTS: dict[Kind, tuple[tuple[int, ...], ...]] = {
    "side by side": ((1, -1),),
    "one above the other": ((1,), (-1,)),
    "three across": ((1, -2, 1),),
    "three down": ((1,), (-2,), (1,)),
    "chequered": ((1, -1), (-1, 1)),
}


class Rectangle(NamedTuple):
    """A rectangle of pixels, and how often its greys count; negative ones are taken away."""

    top: int
    left: int
    height: int
    width: int
    weight: int


@dataclass(frozen=True)
class Feature:
    """Two, three or four rectangles of one size that lie next to one another."""

    kind: Kind  # how they lie
    top: int  # the corner of the first, in pixels
    left: int
    height: int  # of each
    width: int

    @property
    def name(self) -> str:
        """Such as ``three across, 6 by 3 at row 4, column 2``; no other feature has it."""
        size = f"{self.height} by {self.width}"
        return f"{self.kind}, {size} at row {self.top}, column {self.left}"

    @property
    def rectangles(self) -> tuple[Rectangle, ...]:
        """What is summed up, and taken away."""
        return tuple(
            Rectangle(
                self.top + i * self.height,
                self.left + j * self.width,
                self.height,
                self.width,
                weight,
            )
            for i, row in enumerate(LAYOUTS[self.kind])
            for j, weight in enumerate(row)
        )

    @cached_property
    def corners(self) -> dict[tuple[int, int], int]:
        """How often the integral image counts at each corner; shared corners are put together."""
        corners: dict[tuple[int, int], int] = {}
        for top, left, height, width, weight in self.rectangles:
            for i, j, sign in ((0, 0, 1), (0, 1, -1), (1, 0, -1), (1, 1, 1)):
                at = top + i * height, left + j * width
                corners[at] = corners.get(at, 0) + sign * weight
        return {at: times for at, times in corners.items() if times}


def all_features(size: int, step: int = 1) -> tuple[Feature, ...]:
    """Every feature that fits in a square window, kind by kind.

    Places and sides are multiples of `step` pixels, from 1 to half of the window. In a window of 24
    there are 2,056 features with a step of 3, and 162,336 with a step of 1.
    """
    if not is_whole(step) or not 1 <= step <= size // 2:
        msg = f"step={step!r} must be a whole number from 1 to {size // 2}, half of the window"
        raise ValueError(msg)
    return tuple(
        Feature(kind, top, left, height, width)
        for kind, layout in LAYOUTS.items()
        for height in range(step, size // len(layout) + 1, step)
        for width in range(step, size // len(layout[0]) + 1, step)
        for top in range(0, size - height * len(layout) + 1, step)
        for left in range(0, size - width * len(layout[0]) + 1, step)
    )


def integral(images: NDArray[Any]) -> NDArray[np.int64]:
    """For each corner the sum of the pixels above and to its left; 0 in the first row and column.

    Viola and Jones (2004), Robust real-time face detection, International Journal of Computer
    Vision 57, 137-154, section 2.1; the weights that make an even surface count nothing are those
    of Lienhart and Maydt (2002), An extended set of Haar-like features for rapid object detection.
    """
    *stack, height, width = images.shape
    sums = np.zeros((*stack, height + 1, width + 1), dtype=np.int64)
    np.cumsum(images, axis=-1, out=sums[..., 1:, 1:])
    np.cumsum(sums[..., 1:, 1:], axis=-2, out=sums[..., 1:, 1:])
    return sums


def features_of(images: NDArray[Any], chosen: Sequence[Feature]) -> NDArray[np.int32]:
    """Each feature's value in each image, a whole number; shape ``(n_images, n_features)``."""
    n, height, width = images.shape
    sums = integral(images).reshape(n, (height + 1) * (width + 1))
    most = max((len(one.corners) for one in chosen), default=0)
    place = np.zeros((most, len(chosen)), dtype=np.intp)
    times = np.zeros((most, len(chosen)), dtype=np.int64)
    for i, one in enumerate(chosen):
        for j, ((top, left), count) in enumerate(one.corners.items()):
            place[j, i], times[j, i] = top * (width + 1) + left, count
    values = np.zeros((n, len(chosen)), dtype=np.int64)
    for at, weight in zip(place, times, strict=True):
        values += sums[:, at] * weight
    return values.astype(np.int32)


def feature_map(sums: NDArray[np.int64], feature: Feature, size: int) -> NDArray[np.int64]:
    """A feature's value in every window, by its top left corner; `sums` is the integral image."""
    rows, columns = (side - size for side in sums.shape)
    values = np.zeros((rows, columns), dtype=np.int64)
    for (top, left), times in feature.corners.items():
        values += times * sums[top : top + rows, left : left + columns]
    return values


# Each scale is so many times the one before.
_NEXT_SCALE = 1.2


@dataclass(frozen=True)
class Detection:
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
    """The image made smaller: each pixel is the mean of those `scale` by `scale` that it covers."""
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


def strongest(detections: Iterable[Detection], overlap: float) -> tuple[Detection, ...]:
    """The best of what overlaps by more than `overlap`, the strongest first."""
    kept: list[Detection] = []
    for one in sorted(detections, key=lambda seen: (-seen.score, seen.box)):
        if all(one.box.overlap(other.box) <= overlap for other in kept):
            kept.append(one)
    return tuple(kept)
