"""The regions of a tree in the plane: for each node a convex area, cut from that of its parent."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from dtree_lab.tree import Branch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.tree import Node, Path, Tree
    from dtree_lab.widgets.plane.rows import Derived

Point: TypeAlias = tuple[float, float]
Area: TypeAlias = tuple[Point, ...]
# What an attribute of the tree makes of a point: the sum of its coordinates times these.
Weights: TypeAlias = tuple[float, float]

_WEIGHTS: dict[Derived, Weights] = {
    "none": (0.0, 0.0),
    "sum": (1.0, 1.0),
    "difference": (1.0, -1.0),
}


def weights(derived: Derived) -> tuple[Weights, Weights, Weights]:
    """Of x, of y and of what is derived from them."""
    return (1.0, 0.0), (0.0, 1.0), _WEIGHTS[derived]


def areas(tree: Tree, corners: Area, derived: Derived) -> dict[Path, Area]:
    """The area of every node, breadth first; without those that have none within the frame.

    Parameters
    ----------
    tree
        Grown on x, y and what is derived from them, in this order.
    corners
        Those of the frame.
    derived
        What the third attribute is, if there is one.
    """
    found: dict[Path, Area] = {}
    waiting: deque[tuple[Path, Node, Area]] = deque([((), tree.root, corners)])
    of = weights(derived)
    while waiting:
        path, node, area = waiting.popleft()
        found[path] = area
        if not isinstance(node, Branch):
            continue
        along, ends = of[node.split.attribute], _ends(node)
        for i, child in enumerate(node.children):
            part = clipped(
                clipped(area, along, ends[i], above=True), along, ends[i + 1], above=False
            )
            if part:
                waiting.append(((*path, i), child, part))
    return found


def _ends(node: Branch) -> tuple[float, ...]:
    cuts = getattr(node.split, "cuts", ())
    return (-np.inf, *cuts, np.inf)


def clipped(area: Area, along: Weights, cut: float, *, above: bool) -> Area:
    """The part of a convex area on one side of a straight line; empty if nothing is left.

    The line is where ``along[0] * x + along[1] * y == cut``.
    """
    if np.isinf(cut):
        return area
    sign = 1.0 if above else -1.0
    sides = [sign * (along[0] * x + along[1] * y - cut) for x, y in area]
    if all(side >= 0 for side in sides):
        return area
    kept: list[Point] = []
    for i, (side, after) in enumerate(zip(sides, [*sides[1:], *sides[:1]], strict=True)):
        point, following = area[i], area[(i + 1) % len(area)]
        if side >= 0:
            kept.append(point)
        if side * after < 0:
            share = side / (side - after)
            x, y = _between(point, following, share)
            # On a line along an axis one coordinate is known without rounding.
            kept.append((x if along[1] else cut, y if along[0] else cut))
    return tuple(kept) if len(kept) > 2 and size(kept) > 0 else ()  # noqa: PLR2004 - a triangle


def _between(one: Point, other: Point, share: float) -> Point:
    return one[0] + share * (other[0] - one[0]), one[1] + share * (other[1] - one[1])


def size(area: Sequence[Point]) -> float:
    """How large an area is, in the units of the axes."""
    x0, y0 = area[0]
    moved = [(x - x0, y - y0) for x, y in area]
    pairs = zip(moved, [*moved[1:], *moved[:1]], strict=True)
    return abs(sum(x * v - u * y for (x, y), (u, v) in pairs)) / 2


def leaf_at(tree: Tree, point: Point, derived: Derived) -> Path:
    """The leaf in whose region a point lies."""
    of, node = weights(derived), tree.root
    path: Path = ()
    while isinstance(node, Branch):
        u, v = of[node.split.attribute]
        value = np.array([u * point[0] + v * point[1]])
        branch = int(node.split.branch(value)[0])
        path, node = (*path, branch), node.children[branch]
    return path
