"""Of a plane: where a grid is true along its lines, and grains that stand for its points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Floats


def stretches(true: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Where each line of a grid is true without a break: the line, from where, to where."""
    steps = np.diff(np.pad(true.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    begin, end = np.argwhere(steps == 1), np.argwhere(steps == -1)
    return [(int(i), int(a), int(b)) for (i, a), b in zip(begin, end[:, 1], strict=True)]


def grains(
    x: Floats, y: Floats, classes: NDArray[Any], most: int
) -> tuple[list[tuple[float, float]], list[int], int]:
    """At most about `most` marks for points of a plane, and how many points each stands for.

    Points of a class that lie together share a mark, in their middle; none is left out. So there
    may be one mark more for each class, whose last may stand for fewer.
    """
    each = -(-len(x) // most)
    places: list[tuple[float, float]] = []
    found: list[int] = []
    for cls in np.unique(classes).tolist():
        own = np.flatnonzero(classes == cls)
        # Through upright strips, up and down by turns: neighbours on the way lie together.
        own = own[np.argsort(x[own], kind="stable")]
        strips = np.array_split(own, max(1, round(float(np.sqrt(len(own) / each)))))
        turns = (1, -1) * len(strips)
        way = np.concatenate(
            [
                strip[np.argsort(y[strip], kind="stable")][::turn]
                for strip, turn in zip(strips, turns, strict=False)
            ]
        )
        for begin in range(0, len(way), each):
            some = way[begin : begin + each]
            places.append((float(x[some].mean()), float(y[some].mean())))
            found.append(cls)
    return places, found, each
