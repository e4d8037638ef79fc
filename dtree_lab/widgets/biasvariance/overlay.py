"""Where trees draw their boundaries, or what curve they fit, exactly: from their cuts.

A tree over one or two continuous attributes answers the same all over a box. What several trees
say together is found on the grid of all their cuts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.populations import Curve
from dtree_lab.populations.plane import InThePlane
from dtree_lab.widgets.biasvariance.trial import DEPTHS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from dtree_lab.draw.chart import Point
    from dtree_lab.flat import Flat
    from dtree_lab.populations import Population
    from dtree_lab.table import Table
    from dtree_lab.widgets.biasvariance.trial import Reader, Run

    Floats = NDArray[np.float64]
    Ends = tuple[tuple[float, float], ...]

_TRUTH_SIDE, _TRUTH_STEPS = 128, 100


def kind_of(table: Table) -> str:
    """What can be drawn of trees on such rows: ``"plane"``, ``"curve"``, or nothing."""
    if any(attribute.values is not None for attribute in table.attributes):
        return ""
    if table.target.values is None:
        return "curve" if len(table.attributes) == 1 else ""
    return "plane" if len(table.attributes) == 2 else ""  # noqa: PLR2004 - two axes


def ends_of(population: Population, table: Table) -> Ends:
    """From where to where each axis goes."""
    if isinstance(population, Curve):
        return ((population.low, population.high),)
    if isinstance(population, InThePlane):
        low, high = (float(v) for v in population.grid(2).columns[0][[0, -1]])
        return ((1.5 * low - 0.5 * high, 1.5 * high - 0.5 * low),) * 2
    return tuple(_aired(column) for column in table.columns)


def _aired(column: Floats) -> tuple[float, float]:
    low, high = float(column.min()), float(column.max())
    air = 0.04 * (high - low) or 0.04 * abs(high) or 1.0
    return low - air, high + air


# -- what was grown ----------------------------------------------------------------------------


@lru_cache(maxsize=256)
def drawn(run: Run, depth: int, ends: Ends) -> list[Point | None]:
    """What was grown on one training set, as a line in pieces."""
    edges = [_edges(run.readers, depth, axis, span) for axis, span in enumerate(ends)]
    target = run.training.target
    shape = tuple(len(one) - 1 for one in edges)
    heard = np.zeros((max(target.n_values, 1), *shape))
    for reader in run.readers:
        answers = reader.answers[DEPTHS.index(depth)]
        for node, box in _boxes(reader.tree.flat, depth, ends):
            where: Any = tuple(_slice(one, *span) for one, span in zip(edges, box, strict=True))
            if target.values is None:
                heard[(0, *where)] += answers[node]
            else:
                heard[(answers[node], *where)] += 1
    if target.values is None:
        return _fitted(edges[0], heard[0] / len(run.readers))
    return _boundary(edges[0], edges[1], heard.argmax(axis=0))


def _edges(readers: Sequence[Reader], depth: int, axis: int, span: tuple[float, float]) -> Floats:
    """All cuts of an attribute within the picture, and its ends."""
    low, high = span
    cuts = [np.array(span)]
    for reader in readers:
        flat = reader.tree.flat
        asks = np.flatnonzero((flat.attr == axis) & (flat.depth < depth))
        own = flat.cuts[flat.start[asks]]
        cuts.append(own[(own > low) & (own < high)])
    return np.unique(np.concatenate(cuts))


def _boxes(flat: Flat, depth: int, ends: Ends) -> Iterator[tuple[int, Ends]]:
    """The nodes where growing has stopped, and the part of the picture that each answers for."""
    waiting: list[tuple[int, Ends]] = [(0, ends)]
    while waiting:
        node, box = waiting.pop()
        axis = int(flat.attr[node])
        if axis < 0 or flat.depth[node] == depth:
            yield node, box
            continue
        low, high = box[axis]
        cut = float(flat.cuts[flat.start[node]])
        for child, span in enumerate(((low, min(cut, high)), (max(cut, low), high))):
            if span[0] < span[1]:
                part = (*box[:axis], span, *box[axis + 1 :])
                waiting.append((int(flat.first[node]) + child, part))


def _slice(edges: Floats, low: float, high: float) -> slice:
    first, last = np.searchsorted(edges, [low, high]).tolist()
    return slice(first, last)


def _fitted(edges: Floats, values: Floats) -> list[Point | None]:
    """A step function as points: each value holds up to the next edge."""
    steps = zip(edges.tolist(), [*values.tolist(), float(values[-1])], strict=True)
    return [*steps]


def _boundary(xs: Floats, ys: Floats, answers: NDArray[Any]) -> list[Point | None]:
    """The lines between cells with different answers, shape ``(n_x, n_y)``."""
    upright = [
        ((xs[i + 1], ys[j0]), (xs[i + 1], ys[j1]))
        for i, j0, j1 in _stretches(answers[1:] != answers[:-1])
    ]
    level = [
        ((xs[i0], ys[j + 1]), (xs[i1], ys[j + 1]))
        for j, i0, i1 in _stretches((answers[:, 1:] != answers[:, :-1]).T)
    ]
    return _pieces([*upright, *level])


def _stretches(differ: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Where each line of a grid is true without a break: the line, from where, to where."""
    steps = np.diff(np.pad(differ.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    begin, end = np.argwhere(steps == 1), np.argwhere(steps == -1)
    return [(int(i), int(a), int(b)) for (i, a), b in zip(begin, end[:, 1], strict=True)]


def _pieces(segments: Sequence[tuple[Any, Any]]) -> list[Point | None]:
    points: list[Point | None] = []
    for (x1, y1), (x2, y2) in segments:
        points += [(float(x1), float(y1)), (float(x2), float(y2)), None]
    return points


# -- the truth -----------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def truth_line(population: Population) -> list[Point | None]:
    """The true curve or boundary; nothing where nobody knows it."""
    if isinstance(population, Curve):
        grid = population.grid(_TRUTH_STEPS)
        return list(zip(grid.columns[0].tolist(), grid.labels.tolist(), strict=True))
    if not isinstance(population, InThePlane):
        return []
    grid = population.grid(_TRUTH_SIDE)
    x, y = (column.reshape(_TRUTH_SIDE, -1) for column in grid.columns)
    return _pieces(list(_between(x[0], y[:, 0], grid.labels.reshape(_TRUTH_SIDE, -1))))


def _between(xs: Floats, ys: Floats, labels: NDArray[Any]) -> Iterator[tuple[Point, Point]]:
    """Short lines through each square of neighbours that differ (marching squares)."""
    across, up = labels[:, 1:] != labels[:, :-1], labels[1:] != labels[:-1]
    for j, i in np.argwhere(across[:-1] | across[1:] | up[:, :-1] | up[:, 1:]).tolist():
        x, y = (xs[i] + xs[i + 1]) / 2, (ys[j] + ys[j + 1]) / 2
        sides = (
            (across[j, i], (x, ys[j])),
            (up[j, i], (xs[i], y)),
            (across[j + 1, i], (x, ys[j + 1])),
            (up[j, i + 1], (xs[i + 1], y)),
        )
        met = [place for differs, place in sides if differs]
        yield from zip(met[::2], met[1::2], strict=False)
