"""Where the rows of a node lie on the axis of its own cut: a small histogram for its card."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from dtree_lab.table.table import Table
from dtree_lab.tree.splits import Intervals
from dtree_lab.tree.tree import Branch, Node, Path

# Bins of an axis, and classes that can be told apart in so small a picture.
_BINS, _MOST_CLASSES = 16, 8
# The height of the highest bin, and how a height is written.
_FULL, _DIGITS = 35, "0123456789abcdefghijklmnopqrstuvwxyz"


class Histogram(TypedDict):
    """A node's rows along the axis of its cut, for the browser.

    `at` is where each cut lies, from 0 to 1; `bins` the height of each class in each bin, in turn,
    a digit of 36 for each. The highest bin is 35 high; what has a row is seen.
    """

    at: list[float]
    bins: str


def histograms(root: Node, table: Table, paths: Collection[Path]) -> Mapping[Path, Histogram]:
    """The histograms of those of some nodes that ask about a number, of the rows of `table`."""
    if not 0 < len(table.classes) <= _MOST_CLASSES:
        return {}
    wanted = {path[:n] for path in paths for n in range(len(path) + 1)}
    found: dict[Path, Histogram] = {}
    waiting: list[tuple[Path, Node, NDArray[np.intp]]] = [((), root, np.arange(table.n_rows))]
    while waiting:
        path, node, rows = waiting.pop()
        if not isinstance(node, Branch) or path not in wanted or not len(rows):
            continue
        column = table.columns[node.split.attribute][rows]
        if isinstance(node.split, Intervals) and path in paths:
            made = _histogram(column, table.labels[rows], node.split, len(table.classes))
            if made is not None:
                found[path] = made
        branch = node.split.branch(column)
        waiting += [((*path, b), child, rows[branch == b]) for b, child in enumerate(node.children)]
    return found


def _histogram(
    column: NDArray[np.float64], labels: NDArray[np.intp], split: Intervals, k: int
) -> Histogram | None:
    """One node's, on an axis that begins and ends with its rows; None if it has no length."""
    known = ~np.isnan(column)
    x, y = column[known], labels[known]
    if (
        not len(x)
        or not (length := float(x.max()) - (low := float(x.min()))) < np.inf
        or not length
    ):
        return None
    place = np.minimum(((x - low) / length * _BINS).astype(np.intp), _BINS - 1)
    counts = np.bincount(place * k + y, minlength=_BINS * k).reshape(_BINS, k)
    heights = np.ceil(counts * _FULL / counts.sum(axis=1).max()).astype(int)
    at = [round(min(max((cut - low) / length, 0.0), 1.0), 3) for cut in split.cuts]
    return {"at": at, "bins": "".join([_DIGITS[n] for n in heights.flat])}
