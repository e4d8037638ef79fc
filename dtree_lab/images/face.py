"""A drawn face: a light oval with two dark eyes, a nose, bright cheeks and a mouth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from dtree_lab.images.shapes import ellipse, paint

if TYPE_CHECKING:
    from numpy.random import Generator

    from dtree_lab.images.shapes import Floats

# Where a part's middle is, down and across from that of the face, and its radii, as shares of the
# face's side; and how much brighter than the skin it is, as a share of the contrast.
Part: TypeAlias = tuple[tuple[float, float], tuple[float, float], float]

HEAD: Part = ((0.0, 0.0), (0.47, 0.38), 0.0)
EYES: tuple[Part, ...] = (
    ((-0.12, -0.16), (0.065, 0.085), -1.0),
    ((-0.12, 0.16), (0.065, 0.085), -1.0),
)
MOUTH: tuple[Part, ...] = (((0.26, 0.0), (0.045, 0.15), -0.8),)
REST: tuple[Part, ...] = (
    ((0.04, 0.0), (0.10, 0.04), 0.25),  # the nose
    ((0.11, -0.2), (0.08, 0.09), 0.3),  # and the cheeks
    ((0.11, 0.2), (0.08, 0.09), 0.3),
)


@dataclass(frozen=True)
class Faces:
    """Where the faces of a stack are and how bright; one number for each image.

    Attributes
    ----------
    y, x
        The middle, in pixels.
    size
        The side of the square that a face fills, in pixels.
    skin
        Its brightness, 0 to 255.
    contrast
        How much darker its eyes are.
    """

    y: Floats
    x: Floats
    size: Floats
    skin: Floats
    contrast: Floats

    @classmethod
    def of(cls, rng: Generator, y: Floats, x: Floats, size: Floats) -> Faces:
        """Faces at some places, with brightness and contrast drawn by chance."""
        contrast = 50 + 80 * rng.random(len(y))
        darkest, brightest = contrast, 255 - 0.3 * contrast
        return cls(y, x, size, darkest + (brightest - darkest) * rng.random(len(y)), contrast)


def paint_faces(stack: Floats, faces: Faces, parts: tuple[Part, ...] = EYES + MOUTH + REST) -> None:
    """Paint a face on each image of a stack, in place."""
    for (down, across), (high, wide), brighter in (HEAD, *parts):
        centre = faces.y + down * faces.size, faces.x + across * faces.size
        mask = ellipse(stack, centre, (high * faces.size, wide * faces.size))
        paint(stack, mask, faces.skin + brighter * faces.contrast)
