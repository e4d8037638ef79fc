"""Simple shapes with soft edges, painted over stacks of grey images.

A stack has shape ``(n, height, width)``. Where things are and how bright they are is given for each
image, shape ``(n,)``, so that a whole stack is painted at once. Lengths are in pixels, from the top
and from the left; the middle of the first pixel is at 0.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats: TypeAlias = NDArray[np.float64]


def ellipse(
    stack: Floats, centre: tuple[ArrayLike, ArrayLike], radii: tuple[ArrayLike, ArrayLike]
) -> Floats:
    """How much of each pixel an upright ellipse covers, from 0 to 1, to about a pixel's edge."""
    y, x = _away(stack, centre)
    down, across = (np.maximum(_each(r), 0.5) for r in radii)
    distance = np.sqrt((y / down) ** 2 + (x / across) ** 2)
    return np.clip((1 - distance) * np.minimum(down, across) + 0.5, 0, 1)


def box(
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
