"""The trees laid over one another; where they cannot be drawn, the rows they disagree on.

Boundaries and fitted curves are exact: a tree over one or two continuous attributes answers the
same all over a box. What several trees say together is found on the grid of all their cuts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import bits, value
from dtree_lab.base.types import Floats
from dtree_lab.draw.chart import Axis, Dots, Layer, Line, Plot, Point, figure
from dtree_lab.draw.chart.layers import lines_as_one, stretches
from dtree_lab.draw.measure import shortened
from dtree_lab.evaluate.decomposition import Decomposition
from dtree_lab.labs.biasvariance.model import State
from dtree_lab.labs.biasvariance.trial import BAG, DEPTHS, DepthReader, Run
from dtree_lab.labs.kit.controls import near, unshown
from dtree_lab.labs.kit.parts import Grid, Part, Picture, Words
from dtree_lab.populations import Curve, Population
from dtree_lab.populations.planes import InThePlane
from dtree_lab.table.table import Table
from dtree_lab.tree.arrays import Flat

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
    axes = (Axis.around("", column.tolist()) for column in table.columns)
    return tuple((axis.low, axis.high) for axis in axes)


# -- what was grown ----------------------------------------------------------------------------


@lru_cache(maxsize=256)
def run_line(run: Run, depth: int, ends: Ends) -> list[Point | None]:
    """What was grown on one training set, as a line in pieces."""
    edges = [_edges(run.readers, depth, axis, span) for axis, span in enumerate(ends)]
    target = run.training.target
    shape = tuple(len(one) - 1 for one in edges)
    heard = np.zeros((max(target.n_values, 1), *shape))
    for reader in run.readers:
        answers = reader.answers[DEPTHS.index(depth)]
        for node, box in _boxes(reader.tree.flat, depth, ends):
            spans = (np.searchsorted(*one).tolist() for one in zip(edges, box, strict=True))
            where: Any = tuple(slice(*span) for span in spans)
            if target.values is None:
                heard[(0, *where)] += answers[node]
            else:
                heard[(answers[node], *where)] += 1
    if target.values is None:
        values = (heard[0] / len(run.readers)).tolist()  # each holds up to the next edge
        return list(zip(edges[0].tolist(), [*values, values[-1]], strict=True))
    return _boundary(edges[0].tolist(), edges[1].tolist(), heard.argmax(axis=0))


def _edges(
    readers: Sequence[DepthReader], depth: int, axis: int, span: tuple[float, float]
) -> Floats:
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


def _boundary(
    xs: Sequence[float], ys: Sequence[float], answers: NDArray[Any]
) -> list[Point | None]:
    """The lines between cells with different answers, shape ``(n_x, n_y)``."""
    upright = [
        ((xs[i + 1], ys[j0]), (xs[i + 1], ys[j1]))
        for i, j0, j1 in stretches(answers[1:] != answers[:-1])
    ]
    level = [
        ((xs[i0], ys[j + 1]), (xs[i1], ys[j + 1]))
        for j, i0, i1 in stretches((answers[:, 1:] != answers[:, :-1]).T)
    ]
    return lines_as_one([*upright, *level])


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
    labels = grid.labels.reshape(_TRUTH_SIDE, -1)
    return lines_as_one(_between(x[0].tolist(), y[:, 0].tolist(), labels))


def _between(
    xs: Sequence[float], ys: Sequence[float], labels: NDArray[Any]
) -> Iterator[tuple[Point, Point]]:
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


# So many lines can be told apart, and so many of their points go into a message.
READING = "How to read the picture"
MOST_LINES, MOST_LINES_BAGGED, MOST_POINTS = 15, 6, 1500
_MARKS, _ROWS, _COLUMNS, _WIDE = 25, 10, 5, 24
_PLAIN_MARK = 7  # no class: a small grey mark


def overlay(state: State) -> list[Part]:
    """The picture and what it means; or, on other attributes, a table."""
    kind = kind_of(state.single.truth.table)
    if not kind:
        return [_disagreement(state), _why(state)]
    lines, ends = _lines(state), ends_of(state.population, state.single.truth.table)
    what = "Boundaries" if kind == "plane" else "Curves"
    truth = truth_line(state.population)
    n = len(lines)
    who = f"{n} committees of {BAG} bagged trees" if state.is_bagged else f"{n} trees"
    title = (
        f"{what} of {who} of depth {state.settings.depth}, each grown on a training set of its own"
    )
    layers: list[Layer] = [Line(points, steps=kind == "curve", faint=True) for points in lines]
    layers += _rows(state, kind)
    if truth:
        layers.append(Line(truth, "the truth", hue=4))
    if kind == "curve":
        layers.append(Line(_main(state), "mean of all trees", hue=0, dash="long"))
    plot = Plot(
        title, *_axes(state, ends, kind, layers), layers, width=440, height=400, direct=True
    )
    text = [f"{title}. {_said(state, kind)}"]
    picture = Picture(area="beside", id="overlay", figure=figure(plot), text=text)
    reading = _reading(state, kind, n, bool(truth))
    return [picture, Words(drawer=READING, id="reading", lines=reading)]


def _lines(state: State) -> list[list[Point | None]]:
    """Those of the first training sets, as many as can be told apart."""
    most = MOST_LINES_BAGGED if state.is_bagged else MOST_LINES
    ends = ends_of(state.population, state.single.truth.table)
    found: list[list[Point | None]] = []
    room = MOST_POINTS
    for run in state.shown.runs[: min(most, state.settings.resamples)]:
        line = run_line(run, state.settings.depth, ends)
        room -= len(line)
        if room < 0 and found:
            break
        found.append(line[:MOST_POINTS])
    return found


def _rows(state: State, kind: str) -> list[Layer]:
    """A few rows: where which class is right, or the first training set."""
    if kind == "plane":
        table = state.single.truth.table
        table = table.take(np.arange(min(_MARKS, table.n_rows)))
        places = list(zip(*(column.tolist() for column in table.columns), strict=True))
        return [Dots(places, table.labels.tolist(), size=4.5, keys=range(len(places)))]
    table = state.single.runs[0].training
    table = table.take(np.arange(min(2 * _MARKS, table.n_rows)))
    places = list(zip(table.columns[0].tolist(), table.labels.tolist(), strict=True))
    # Rows of the training set count down: those to measure with have the numbers from 0.
    keys = range(-1, -1 - len(places), -1)
    return [Dots(places, [_PLAIN_MARK] * len(places), size=2.5, keys=keys)]


def _main(state: State) -> list[Point | None]:
    """The main prediction over the test rows, in order."""
    point = state.at_depth(state.shown)
    x = point.truth.table.columns[0]
    _, first = np.unique(x, return_index=True)
    some = first[:: max(1, len(first) // 150)]
    return list(zip(x[some].tolist(), point.by_row.main[some].tolist(), strict=True))


def _axes(state: State, ends: Ends, kind: str, layers: list[Layer]) -> tuple[Axis, Axis]:
    table = state.single.truth.table
    names = [shortened(attribute.name, 40) for attribute in (*table.attributes, table.target)]
    x = Axis(names[0], *ends[0])
    if kind == "plane":
        return x, Axis(names[1], *ends[1])
    points = [p for one in layers if isinstance(one, Line | Dots) for p in one.points if p]
    return x, Axis.around(names[-1], [y for _, y in points])


def _reading(state: State, kind: str, n: int, known: bool) -> list[str]:  # noqa: FBT001
    what = "boundary" if kind == "plane" else "curve"
    total = min(len(state.shown.runs), state.settings.resamples)
    of = f"{n} of {total}" if n < total else f"all {total}"
    lines = [f"Thin lines: the {what} of {of} training sets' trees."]
    if known:
        lines.append(
            "Where they agree but lie beside the truth, that is bias; where they scatter, that is"
            " variance."
        )
    if kind == "plane":
        lines.append(f"Marks: the best answer at {_MARKS} of the test rows, where it is known.")
    else:
        lines.append("Small marks: rows of the first training set.")
    return lines


def _said(state: State, kind: str) -> str:
    point = state.at_depth(state.shown)
    if kind == "curve":
        return f"Around their mean they scatter with a variance of {bits(point.variance)}."
    apart = np.mean(point.predictions != point.by_row.main, axis=0)
    agreed = 1 - float(point.truth.weights @ apart)
    return f"On a test row, {100 * agreed:.0f} % of them agree with the most frequent answer."


def _disagreement(state: State) -> Grid:
    """The test rows on which the trees differ most."""
    point = state.at_depth(state.shown)
    table = point.truth.table
    order = np.argsort(-point.by_row.variance, kind="stable")[:_ROWS]
    names = [attribute.name for attribute in table.attributes[:_COLUMNS]]
    numbers = table.target.values is None
    last = ["mean of the trees", "scatter"] if numbers else ["most say", "of the trees"]
    head = ["test row", *names, f"true {table.target.name}", *last]
    rows = []
    for i in order.tolist():
        row = table.row(i)
        main = float(point.by_row.main[i])
        spread = bits(float(point.by_row.variance[i])) if numbers else _votes(point, i)
        says = near(main) if numbers else value(table.classes[int(main)])
        shown = [value(row[name]) for name in (*names, table.target.name)]
        rows.append([str(i + 1), *(shortened(text, _WIDE) for text in (*shown, says)), spread])
    left = table.n_rows - _ROWS, len(table.attributes) - _COLUMNS
    hidden = unshown(left, ("other test row", "other attribute"))
    return Grid(
        area="beside",
        id="rows",
        label="Test rows on which the trees differ most",
        heading=f"Where trees of depth {state.settings.depth} differ most",
        head=[shortened(text, _WIDE) for text in head],
        rows=rows,
        keys=order.tolist(),
        more=f"Not shown: {' and '.join(hidden)}." if hidden else "",
    )


def _votes(point: Decomposition, row: int) -> str:
    n = len(point.predictions)
    return f"{int((point.predictions[:, row] == point.by_row.main[row]).sum())} of {n}"


def _why(state: State) -> Words:
    numbers = state.single.truth.table.target.values is None
    needs = "exactly one attribute, a continuous one" if numbers else "two continuous attributes"
    line = (
        "The more the trees' answers to a row differ, the more it adds to the variance. (Trees are"
        f" laid over one another in a picture when there are {needs}.)"
    )
    return Words(drawer=READING, id="reading", lines=[line])
