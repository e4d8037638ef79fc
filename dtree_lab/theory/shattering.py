"""Shattering: sets of points that trees can label in every way, and the VC dimension.

A class of trees *shatters* a set of points when for each of the 2^n ways to label them one of its
trees makes no error. The VC dimension is the size of the largest set that is shattered.

Source: Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, chapters 6 and 18.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural
from dtree_lab.grow.api import id3
from dtree_lab.table.table import Attribute, Table
from dtree_lab.theory.consistent import smallest
from dtree_lab.tree.tree import Tree

Points: TypeAlias = Table | Sequence[Any]
Labelling: TypeAlias = tuple[str, ...]

_MOST_POINTS = 12
_TARGET = Attribute("label", ("-", "+"))


@dataclass(frozen=True, repr=False)
class Shattering:
    """Whether trees can label some points in every way."""

    points: int  # how many
    max_leaves: int | None  # the most that a tree may have; None for trees of any size
    # Without error for each labelling that was met, "-" or "+" for each point.
    trees: dict[Labelling, Tree]
    witness: Labelling | None  # the first labelling that no tree makes, or None

    @property
    def shattered(self) -> bool:
        """Whether there is a tree for every labelling."""
        return self.witness is None

    def __bool__(self) -> bool:
        return self.shattered

    @terminal
    def __repr__(self) -> str:
        k = self.max_leaves
        by = "trees" if k is None else f"trees of {k:,} {'leaf' if k == 1 else 'leaves'}"
        n = plural(self.points, "point")
        if self.witness is None:
            return f"{by} shatter {n}: one for each of {len(self.trees):,} labellings"
        return f"{by} do not shatter {n}: none says {' '.join(self.witness)}"


def shatters(points: Points, max_leaves: int | None = None) -> Shattering:
    """Try every labelling of some points and keep a tree for each.

    Any set of different points is shattered by trees of any size: go on asking until each point
    has a leaf of its own. That is done here with :func:`dtree_lab.id3`, and each tree is checked to
    make no error. With `max_leaves` a smallest tree is found for each labelling.

    Parameters
    ----------
    points
        Numbers; rows of numbers and text; or a table, whose labels are not looked at. At most 12.
    max_leaves
        The most leaves, at least 1.

    Returns
    -------
    Shattering
        True where a condition is wanted; otherwise its `witness` is a labelling that no tree makes
        (two equal points with different labels, for one).

    Raises
    ------
    ValueError
        For no points, more than 12, or a limit below 1.

    Examples
    --------
    >>> shatters([1, 2, 3])
    trees shatter 3 points: one for each of 8 labellings
    >>> shatters([1, 2, 3], max_leaves=2)
    trees of 2 leaves do not shatter 3 points: none says - + -
    """
    table = _table(points)
    limit = None if max_leaves is None else checked_whole("max_leaves", max_leaves, 1, 1_000)
    trees: dict[Labelling, Tree] = {}
    for codes in product((0, 1), repeat=table.n_rows):
        labels = np.array(codes, dtype=np.int32)
        labelled = Table(table.attributes, _TARGET, table.columns, labels)
        tree = id3(labelled) if limit is None else smallest(labelled, "leaves")
        said = tuple("-+"[code] for code in codes)
        if tree.error(labelled) > 0 or (limit is not None and tree.n_leaves > limit):
            return Shattering(table.n_rows, limit, trees, said)
        trees[said] = tree
    return Shattering(table.n_rows, limit, trees, None)


def _table(points: Points) -> Table:
    table = points if isinstance(points, Table) else _of_points(list(points))
    if table.n_rows > _MOST_POINTS:
        msg = f"{table.n_rows} points are too many to try; take at most {_MOST_POINTS}"
        raise ValueError(msg)
    return table


def _of_points(listed: list[Any]) -> Table:
    if not listed:
        raise ValueError("points is empty; give at least one")
    flat = isinstance(listed[0], str) or not isinstance(listed[0], Iterable)
    rows = [(p,) if flat else tuple(p) for p in listed]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("the points have different numbers of coordinates")
    names = [f"x{i}" for i in range(1, len(rows[0]) + 1)]
    labelled = [[*row, "-"] for row in rows]
    return Table.from_rows(labelled, target="label", names=[*names, "label"])


@dataclass(frozen=True, repr=False)
class VcDimension:
    """The VC dimension of small trees on a pool of points, by trying all."""

    max_leaves: int  # the most leaves of a tree
    dimension: int  # the size of the largest set that is shattered
    example: tuple[int, ...]  # such a set, as positions in the pool
    tried: int  # how many sets with one point more were tried, in vain; 0 when the pool has no more
    witnesses: dict[tuple[int, ...], Labelling]  # for each of them a labelling that no tree makes

    @terminal
    def __repr__(self) -> str:
        sets = plural(self.tried, "set")
        leaves = "1 leaf" if self.max_leaves == 1 else f"{self.max_leaves} leaves"
        return (
            f"trees of at most {leaves} shatter {plural(self.dimension, 'point')}"
            f" of these, and none of {sets} of {self.dimension + 1}"
        )


def vc_dimension(pool: Points, max_leaves: int) -> VcDimension:
    """The largest part of a pool of points that trees of a few leaves shatter, by trying all.

    Parameters
    ----------
    pool
        Points as in :func:`shatters`, at most 12: all instances over a few binary attributes, or,
        for one continuous attribute, any ``max_leaves + 1`` numbers (only their order matters).
    max_leaves
        The most leaves, at least 1.

    Raises
    ------
    ValueError
        As :func:`shatters` does.

    Notes
    -----
    For thresholds on *one* continuous attribute the VC dimension of trees with k leaves is k:
    k leaves are k intervals, enough to label k points in any way, while k + 1 points with labels
    that alternate need k + 1. The book's summary says k for all trees; with more attributes there
    are more questions to choose from, and k is only a lower bound. In the plane a stump already
    shatters three points, ``vc_dimension([(0, 1), (1, 2), (2, 0)], 2).dimension``.

    Examples
    --------
    >>> vc_dimension(range(4), 3)
    trees of at most 3 leaves shatter 3 points of these, and none of 1 set of 4
    >>> vc_dimension([(0, 1), (1, 2), (2, 0)], 2).dimension
    3
    """
    table = _table(pool)
    example: tuple[int, ...] = ()
    for n in range(1, table.n_rows + 1):
        witnesses: dict[tuple[int, ...], Labelling] = {}
        for chosen in combinations(range(table.n_rows), n):
            found = shatters(table.take(chosen), max_leaves)
            if found.witness is None:
                example = chosen
                break
            witnesses[chosen] = found.witness
        else:  # a larger set would contain one of these
            return VcDimension(max_leaves, n - 1, example, len(witnesses), witnesses)
    return VcDimension(max_leaves, table.n_rows, example, 0, {})
