"""Images of many kinds: faces, what is nearly one, and what is nothing like one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.images.face import EYES, MOUTH, REST, Faces, paint_faces
from dtree_lab.images.shapes import box, ellipse, paint, slope
from dtree_lab.shown import did_you_mean, listing

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator
    from numpy.typing import NDArray

    from dtree_lab.images.face import Part
    from dtree_lab.images.shapes import Floats

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
    whole("n", n, 0)
    whole("size", size, _LEAST_SIZE)
    whole("seed", seed, 0)
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
        patch = box(stack, *_anywhere(rng, stack))
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
        n, side = len(stack), stack.shape[1]
        y, x = (side / 2 + side * _between(rng, n, -0.15, 0.15) for _ in range(2))
        paint_faces(stack, Faces.of(rng, y, x, side * _between(rng, n, low, high)))

    return painter


def _central(stack: Floats, rng: Generator) -> Faces:
    """Faces that fill their images, but for a pixel or so."""
    n, side = len(stack), stack.shape[1]
    y, x = (side / 2 + side * _between(rng, n, -0.05, 0.05) for _ in range(2))
    return Faces.of(rng, y, x, side * _between(rng, n, 0.92, 1.08))


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
    drawn: Floats = low + (high - low) * rng.random(n)
    return drawn


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
    "boxes": _shapes(box),
    "stripes": _stripes,
}
# All kinds but the face.
KINDS = tuple(kind for kind in _PAINTERS if kind != FACE)


def whole(name: str, given: Any, least: int) -> None:
    """Raise a ValueError for what is no whole number, or too small a one."""
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < least:
        msg = f"{name}={given!r} must be a whole number, at least {least}"
        raise ValueError(msg)
