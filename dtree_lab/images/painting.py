"""Small grey images, painted: faces, what is nearly one, what is none, and scenes with faces.

A face is a light oval with two dark eyes, a nose, bright cheeks and a mouth. Shapes with soft edges
are painted over a whole stack of images at once, ``(n, height, width)``: where things are and how
bright they are is given for each image, shape ``(n,)``. Lengths are in pixels, from the top and
from the left; the middle of the first pixel is at 0.5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.text import did_you_mean, listing
from dtree_lab.base.types import Floats


def ellipse(
    stack: Floats, centre: tuple[ArrayLike, ArrayLike], radii: tuple[ArrayLike, ArrayLike]
) -> Floats:
    """How much of each pixel an upright ellipse covers, from 0 to 1, to about a pixel's edge."""
    y, x = _away(stack, centre)
    down, across = (np.maximum(_each(r), 0.5) for r in radii)
    distance = np.sqrt((y / down) ** 2 + (x / across) ** 2)
    return np.clip((1 - distance) * np.minimum(down, across) + 0.5, 0, 1)


def rectangle(
    stack: Floats, centre: tuple[ArrayLike, ArrayLike], radii: tuple[ArrayLike, ArrayLike]
) -> Floats:
    """How much of each pixel an upright rectangle covers; its radii are half of its sides."""
    y, x = _away(stack, centre)
    down, across = (_each(r) for r in radii)
    covered: Floats = np.clip(down - np.abs(y) + 0.5, 0, 1) * np.clip(
        across - np.abs(x) + 0.5, 0, 1
    )
    return covered


def paint(stack: Floats, mask: Floats, grey: ArrayLike) -> None:
    """Paint over a stack, in place, where a mask says, with a grey for each image."""
    stack += mask * (_each(grey) - stack)


def slope(stack: Floats, down: ArrayLike, across: ArrayLike) -> Floats:
    """What rises by so much from top to bottom and from left to right; 0 in the middle."""
    _, height, width = stack.shape
    y, x = _away(stack, (height / 2, width / 2))
    risen: Floats = y * _each(down) / height + x * _each(across) / width
    return risen


def _away(stack: Floats, centre: tuple[ArrayLike, ArrayLike]) -> tuple[Floats, Floats]:
    """How far each pixel's middle is below and to the right of a point."""
    _, height, width = stack.shape
    y, x = (_each(c) for c in centre)
    return np.arange(height)[:, None] + 0.5 - y, np.arange(width) + 0.5 - x


def _each(given: ArrayLike) -> Floats:
    """One number for each image, or for all, ready to be stretched over pixels."""
    return np.asarray(given, dtype=np.float64).reshape(-1, 1, 1)


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
    """Where the faces of a stack are and how bright; one number for each image."""

    y: Floats  # the middle, in pixels
    x: Floats
    size: Floats  # the side of the square that a face fills, in pixels
    skin: Floats  # brightness, 0 to 255
    contrast: Floats  # how much darker its eyes are

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


_LEAST_SIZE = 12  # pixels: below, the eyes run into one another


def draw(kind: str, n: int, *, size: int = 24, seed: int = 0) -> NDArray[np.uint8]:
    """Draw images of one kind; each is different.

    Brightness, contrast, place and noise are drawn by chance.

    Parameters
    ----------
    kind
        ``"face"``; ``"other"``, which is all the other kinds in turn; or one of these: what is
        nearly a face (``"upside down"``, ``"no eyes"``, ``"no mouth"``, ``"off centre"``,
        ``"too large"``, ``"too small"``) and what is nothing like one (``"slope"``, ``"noise"``,
        ``"discs"``, ``"boxes"``, ``"stripes"``).
    n
        How many.
    size
        The side of each, in pixels; at least 12.
    seed
        The same seed draws the same images.

    Returns
    -------
    numpy.ndarray
        Greys from 0, black, to 255, white; shape ``(n, size, size)``.

    Raises
    ------
    ValueError
        For a kind that there is none of, and numbers out of range.

    Examples
    --------
    >>> draw("face", 100).shape
    (100, 24, 24)
    """
    checked_whole("n", n, 0)
    checked_whole("size", size, _LEAST_SIZE)
    checked_whole("seed", seed, 0)
    if kind == OTHER:
        return _in_turn(n, size, seed)
    if kind not in _PAINTERS:
        known = (FACE, OTHER, *KINDS)
        msg = f"no kind {kind!r}; there are {listing(known, 20)}.{did_you_mean(kind, known)}"
        raise ValueError(msg)
    # Each kind has chances of its own, so that a face is no brother of the disc with its number.
    rng = np.random.default_rng([seed, list(_PAINTERS).index(kind)])
    stack = backdrop(rng, (n, size, size))
    _PAINTERS[kind](stack, rng)
    return greys(stack, rng)


def _in_turn(n: int, size: int, seed: int) -> NDArray[np.uint8]:
    images = np.empty((n, size, size), dtype=np.uint8)
    for i, kind in enumerate(KINDS):
        mine = images[i :: len(KINDS)]
        mine[:] = draw(kind, len(mine), size=size, seed=seed)
    return images


def backdrop(rng: Generator, shape: tuple[int, int, int]) -> Floats:
    """An even grey with a slope and a patch or two, for each image of a stack."""
    n = shape[0]
    stack = np.zeros(shape)
    stack += _between(rng, n, 10, 245)[:, None, None]
    for _ in range(2):
        patch = rectangle(stack, *_anywhere(rng, stack))
        paint(stack, patch, _between(rng, n, 10, 245))
    stack += slope(stack, _between(rng, n, -60, 60), _between(rng, n, -60, 60))
    return stack


def greys(stack: Floats, rng: Generator) -> NDArray[np.uint8]:
    """A painted stack as greys, with some noise: each image has its own strength of it."""
    strength = _between(rng, len(stack), 0, 16)[:, None, None]
    noise = rng.random(stack.shape) + rng.random(stack.shape) - 1
    return np.rint(np.clip(stack + strength * noise, 0, 255)).astype(np.uint8)


# -- nearly faces --------------------------------------------------------------------------------


def _face(stack: Floats, rng: Generator) -> None:
    paint_faces(stack, _central(stack, rng))


def _upside_down(stack: Floats, rng: Generator) -> None:
    paint_faces(stack[:, ::-1], _central(stack, rng))


def _without(part: tuple[Part, ...]) -> Callable[[Floats, Generator], None]:
    def painter(stack: Floats, rng: Generator) -> None:
        kept = tuple(one for one in (*EYES, *MOUTH, *REST) if one not in part)
        paint_faces(stack, _central(stack, rng), kept)

    return painter


def _off_centre(stack: Floats, rng: Generator) -> None:
    """A quarter of the side or more away, so that another window has it."""
    n, side = len(stack), stack.shape[1]
    far = _between(rng, n, 0.25, 0.6) * side * rng.choice([-1, 1], n)
    near = _between(rng, n, -0.6, 0.6) * side
    down = rng.integers(0, 2, n) == 1
    y, x = (side / 2 + np.where(which, far, near) for which in (down, ~down))
    paint_faces(stack, Faces.of(rng, y, x, np.full(n, float(side))))


def _sized(low: float, high: float) -> Callable[[Floats, Generator], None]:
    def painter(stack: Floats, rng: Generator) -> None:
        paint_faces(stack, _near_middle(stack, rng, 0.15, low, high))

    return painter


def _central(stack: Floats, rng: Generator) -> Faces:
    """Faces that fill their images, but for a pixel or so."""
    return _near_middle(stack, rng, 0.05, 0.92, 1.08)


def _near_middle(stack: Floats, rng: Generator, away: float, low: float, high: float) -> Faces:
    """Faces up to so far from the middle, and of such sizes, as shares of the images' side."""
    n, side = len(stack), stack.shape[1]
    y, x = (side / 2 + side * _between(rng, n, -away, away) for _ in range(2))
    return Faces.of(rng, y, x, side * _between(rng, n, low, high))


# -- nothing like a face -------------------------------------------------------------------------


def _slope(stack: Floats, rng: Generator) -> None:
    n = len(stack)
    stack[:] = _between(rng, n, 60, 200)[:, None, None]
    stack += slope(stack, _between(rng, n, -150, 150), _between(rng, n, -150, 150))


def _noise(stack: Floats, rng: Generator) -> None:
    """Blots of some pixels, each with its own grey."""
    n, side = len(stack), stack.shape[1]
    blot = rng.integers(2, 7, n)
    at = np.arange(side) // blot[:, None]
    greys_of = rng.random((n, side, side)) * _between(rng, n, 40, 250)[:, None, None]
    stack[:] = greys_of[np.arange(n)[:, None, None], at[:, :, None], at[:, None, :]]


def _shapes(mask: Callable[..., Floats]) -> Callable[[Floats, Generator], None]:
    def painter(stack: Floats, rng: Generator) -> None:
        for _ in range(6):
            paint(stack, mask(stack, *_anywhere(rng, stack)), _between(rng, len(stack), 0, 255))

    return painter


def _stripes(stack: Floats, rng: Generator) -> None:
    n, side = len(stack), stack.shape[1]
    period = _between(rng, n, 4, 14)[:, None, None]
    down, across = (_between(rng, n, -1, 1)[:, None, None] for _ in range(2))
    along = down * np.arange(side)[:, None] + across * np.arange(side)
    phase = (along + period * rng.random((n, 1, 1))) % period / period
    stack += _between(rng, n, 30, 160)[:, None, None] * (np.abs(2 * phase - 1) - 0.5)


def _anywhere(rng: Generator, stack: Floats) -> Any:
    """Where a shape is and how large: the middle and the radii, for each image."""
    n, *sides = stack.shape
    centre = tuple(rng.random(n) * side for side in sides)
    return centre, tuple(side * _between(rng, n, 0.05, 0.35) for side in sides)


def _between(rng: Generator, n: int, low: float, high: float) -> Floats:
    return low + (high - low) * rng.random(n)


FACE, OTHER = "face", "other"
_PAINTERS: dict[str, Callable[[Floats, Generator], None]] = {
    FACE: _face,
    "upside down": _upside_down,
    "no eyes": _without(EYES),
    "no mouth": _without(MOUTH),
    "off centre": _off_centre,
    "too large": _sized(1.5, 2.5),
    "too small": _sized(0.35, 0.7),
    "slope": _slope,
    "noise": _noise,
    "discs": _shapes(ellipse),
    "boxes": _shapes(rectangle),
    "stripes": _stripes,
}
# All kinds but the face.
KINDS = tuple(kind for kind in _PAINTERS if kind != FACE)


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
    checked_whole("n_faces", n_faces, 0)
    checked_whole("seed", seed, 0)
    smallest, largest = sizes
    checked_whole("sizes[0]", smallest, 12)
    checked_whole("sizes[1]", largest, smallest)
    for name, side in zip(("height", "width"), shape, strict=True):
        checked_whole(name, side, largest)
    rng = np.random.default_rng([seed, 1 << 20])  # other chances than an image's of that seed
    stack = backdrop(rng, (1, *shape))
    _clutter(stack, rng, largest)
    boxes = sorted(_places(rng, n_faces, shape, sizes))
    for one in boxes:
        y, x = (np.array([edge + one.size / 2]) for edge in (one.top, one.left))
        paint_faces(stack, Faces.of(rng, y, x, np.array([float(one.size)])))
    return Scene(greys(stack, rng)[0], tuple(boxes))


def _clutter(stack: Floats, rng: Generator, largest: int) -> None:
    for mask in (ellipse, rectangle) * _CLUTTER:
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
    raise ValueError(
        f"no room for {n_faces} faces of up to {sizes[1]} pixels in {shape[0]} by {shape[1]};"
        " make the scene larger, or the faces fewer"
    )
