"""Larger images with faces at known places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dtree_lab.images.face import Faces, paint_faces
from dtree_lab.images.kinds import backdrop, greys, whole
from dtree_lab.images.shapes import box, ellipse, paint

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    from dtree_lab.images.shapes import Floats

_TRIES, _CLUTTER = 200, 8


class Box(NamedTuple):
    """A square in an image: its top left corner and its side, in pixels."""

    top: int
    left: int
    size: int

    def overlap(self, other: Box) -> float:
        """The share of the area of both together that both have: 1 for the same, 0 for none."""
        down = min(self.top + self.size, other.top + other.size) - max(self.top, other.top)
        across = min(self.left + self.size, other.left + other.size) - max(self.left, other.left)
        common = max(down, 0) * max(across, 0)
        return common / (self.size**2 + other.size**2 - common)


@dataclass(frozen=True, eq=False)
class Scene:
    """An image, and where its faces are.

    Attributes
    ----------
    image
        Greys from 0 to 255; shape ``(height, width)``.
    boxes
        The squares that the faces fill, from top to bottom.
    """

    image: NDArray[np.uint8] = field(repr=False)
    boxes: tuple[Box, ...]


def scene(
    n_faces: int = 3,
    *,
    shape: tuple[int, int] = (96, 144),
    sizes: tuple[int, int] = (24, 40),
    seed: int = 0,
) -> Scene:
    """Draw a scene: patches, discs and noise, and faces that do not overlap.

    Parameters
    ----------
    n_faces
        How many faces; 0 for a scene to find nothing in.
    shape
        Height and width, in pixels.
    sizes
        The smallest and the largest side of a face, in pixels.
    seed
        The same seed draws the same scene.

    Raises
    ------
    ValueError
        For numbers out of range, and more faces than there is room for.

    Examples
    --------
    >>> one = scene(2, seed=1)
    >>> one.image.shape, len(one.boxes)
    ((96, 144), 2)
    """
    whole("n_faces", n_faces, 0)
    whole("seed", seed, 0)
    smallest, largest = sizes
    whole("sizes[0]", smallest, 12)
    whole("sizes[1]", largest, smallest)
    for name, side in zip(("height", "width"), shape, strict=True):
        whole(name, side, largest)
    rng = np.random.default_rng([seed, 1 << 20])  # other chances than an image's of that seed
    stack = backdrop(rng, (1, *shape))
    _clutter(stack, rng, largest)
    boxes = sorted(_places(rng, n_faces, shape, sizes))
    for one in boxes:
        y, x = (np.array([edge + one.size / 2]) for edge in (one.top, one.left))
        paint_faces(stack, Faces.of(rng, y, x, np.array([float(one.size)])))
    return Scene(greys(stack, rng)[0], tuple(boxes))


def _clutter(stack: Floats, rng: Generator, largest: int) -> None:
    for mask in (ellipse, box) * _CLUTTER:
        y, x = (rng.random(1) * side for side in stack.shape[1:])
        down, across = (largest * (0.05 + 0.45 * rng.random(1)) for _ in range(2))
        paint(stack, mask(stack, (y, x), (down, across)), 255 * rng.random(1))


def _places(
    rng: Generator, n_faces: int, shape: tuple[int, int], sizes: tuple[int, int]
) -> list[Box]:
    """Squares that do not overlap, each tried anywhere until it fits."""
    boxes: list[Box] = []
    for _ in range(_TRIES * max(n_faces, 1)):
        if len(boxes) == n_faces:
            return boxes
        size = int(rng.integers(sizes[0], sizes[1] + 1))
        top, left = (int(rng.integers(0, side - size + 1)) for side in shape)
        if not any(Box(top, left, size).overlap(other) for other in boxes):
            boxes.append(Box(top, left, size))
    if len(boxes) == n_faces:
        return boxes
    msg = (
        f"no room for {n_faces} faces of up to {sizes[1]} pixels in {shape[0]} by {shape[1]};"
        " make the scene larger, or the faces fewer"
    )
    raise ValueError(msg)
