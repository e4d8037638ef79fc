"""Of a plane: where a grid is true along its lines, and grains that stand for its points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Floats


def stretches(true: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Where each line of a grid is true without a break: the line, from where, to where.

    Examples
    --------
    >>> stretches(np.array([[True, True, False], [False, True, True]]))
    [(0, 0, 2), (1, 1, 3)]
    """
    steps = np.diff(np.pad(true.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    begin, end = np.argwhere(steps == 1), np.argwhere(steps == -1)
    return [(int(i), int(a), int(b)) for (i, a), b in zip(begin, end[:, 1], strict=True)]


def grains(
    x: Floats, y: Floats, classes: NDArray[Any], most: int
) -> tuple[list[tuple[float, float]], list[int], int]:
    """At most about so many marks for points of a plane, and how many points each stands for.

    Points of a class that lie together share a mark, in their middle; none is left out.

    Parameters
    ----------
    x, y, classes
        One entry for each point.
    most
        So many marks, and one more for each class.

    Returns
    -------
    tuple
        Places, their classes, and the number: a class's last mark may stand for fewer.

    Examples
    --------
    >>> grains(np.array([1.0, 3.0, 8.0]), np.array([0.0, 2.0, 5.0]), np.array([0, 0, 1]), 2)
    ([(2.0, 1.0), (8.0, 5.0)], [0, 1], 2)
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
