"""What leaves answer, and what is lost by it: a mean, a vote, or a line through their rows.

Growing decides in exact ticks where to split; what is answered is worked out afterwards, from the
numbers as they came. Every node has an answer, not only the leaves: rows may stop above them, and a
node may become a leaf by pruning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.types import Floats, Ints
from dtree_lab.table.scan import Scan
from dtree_lab.table.table import Attribute, Table
from dtree_lab.table.ticks import weighted_sums
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.parts import in_fewest_ticks
from dtree_lab.tree.tree import Tree


def checked_predictions(predictor: Any, rows: Any, target: Attribute) -> NDArray[Any]:
    """The predictions for some rows: int32 codes of the target's classes, or floats.

    `predictor` is whatever has a ``predict`` that gives one answer a row, such as a tree; `rows` is
    what it takes, and has a length. Answers that are none of the classes, not finite, or not as
    many as the rows are refused.
    """
    if not callable(getattr(predictor, "predict", None)):
        raise TypeError(
            "grower must be a function of a table whose result has a predict(table), such as"
            f" dt.id3; it gave a {type(predictor).__name__}"
        )
    predictions = np.asarray(predictor.predict(rows))
    if predictions.shape != (len(rows),):
        raise ValueError(f"predict gave answers of shape {predictions.shape} for {len(rows)} rows")
    if target.values is None:
        return _numbers(predictions)
    listed = predictions.tolist()
    code = {v: target.code(v) for v in set(listed)}
    codes = np.array([code[v] for v in listed], dtype=np.int32)
    if (codes < 0).any():
        odd = listed[int((codes < 0).argmax())]
        raise ValueError(f"predict said {odd!r}, which is none of the classes of {target.name!r}")
    return codes


def loss(predictions: NDArray[Any], target: Attribute, labels: NDArray[Any]) -> float:
    """The share of wrong answers, or for numbers their mean squared error."""
    if target.values is None:
        return float(np.mean((predictions - labels) ** 2))
    return float(np.mean(predictions != labels))


def _numbers(predictions: NDArray[Any]) -> NDArray[np.float64]:
    numbers = predictions.astype(np.float64)
    if not np.isfinite(numbers).all():
        row = int((~np.isfinite(numbers)).argmax()) + 1
        msg = f"predict said {numbers[row - 1]} of row {row}; a prediction must be finite"
        raise ValueError(msg)
    return numbers


Answer: TypeAlias = Literal["mean", "vote", "line"]


def check_answer(leaf: Any, table: Table | Scan) -> None:
    """Raise a ValueError for a `leaf` that the table's target cannot have."""
    if leaf not in get_args(Answer):
        raise ValueError(f"leaf={leaf!r} must be one of {', '.join(map(repr, get_args(Answer)))}")
    if leaf != "mean" and table.target.values is not None:
        raise ValueError(
            f"leaf={leaf!r} is for a continuous target; {table.target.name!r} is discrete, so its"
            " leaves answer the majority class"
        )


def answered(
    table: Table | Scan,
    flat: Flat,
    leaf: Answer = "mean",
    criterion: str = "entropy",
    *,
    unit: int | None = None,
) -> Tree:
    """The tree of some arrays, its nodes' answers worked out from the table's numbers.

    A row of weight 1 counts `unit` ticks in it, which may be more than in the table.
    """
    check_answer(leaf, table)
    if isinstance(table, Table) and table.target.values is None:
        values = means(flat, _stops(table, flat), table.labels, table.weights)
        if leaf == "vote":
            for i, rows in _rows_of(table, flat):
                numbers, place = np.unique(table.labels[rows], return_inverse=True)
                ticks = None if table.weights is None else table.weights[rows]
                # The most frequent number, the lowest in a tie; a nought without a sign.
                values[i, 0] = numbers[np.bincount(place, ticks).argmax()] + 0.0
        elif leaf == "line":
            values = _lines(table, flat, values)
        flat = replace(flat, values=values)
    if unit is None or unit == table.weight_unit:
        unit = table.weight_unit
    else:
        flat, unit = in_fewest_ticks(flat, unit, table.weight_unit)
    return Tree(table.attributes, table.target, flat, criterion=criterion, weight_unit=unit)


def means(flat: Flat, stop: Ints, y: Floats, weights: Ints | None = None) -> Floats:
    """Mean and variance at each node, ``(n_nodes, 2)``, from where rows stop to the nodes above.

    Where `stop` has several lines of rows, the answer has a first axis for them.
    """
    lines = np.atleast_2d(stop)
    k, n = len(lines), len(lines) * flat.n_nodes
    own = flat.n_nodes * np.arange(k)[:, np.newaxis]  # each line has a copy of the tree
    at, y = (lines + own).ravel(), np.tile(y, k)
    weights = None if weights is None else np.tile(weights, k)
    depths, parent = np.tile(flat.depth, k), (flat.parent + own).ravel()
    # Counted from a number of their own, equal numbers have just that mean, unrounded.
    some = np.zeros(n)
    some[at[::-1]] = y[::-1]
    rows = np.bincount(at, weights, n).astype(np.float64)
    mean = some + weighted_sums(at, y - some[at], n, weights) / np.maximum(rows, 1)
    spread = weighted_sums(at, np.square(y - mean[at]), n, weights)
    for depth in range(int(depths.max()), 0, -1):
        # Several parts put together: Chan, Golub and LeVeque (1983), equation 1.4.
        below = np.flatnonzero(depths == depth)
        above = parent[below]
        begins = np.diff(above, prepend=-1) > 0  # breadth first: in their parents' order
        parents, first = above[begins], below[begins]
        # No row rests at most nodes; those begin with their first child's mean.
        empty = rows[parents] == 0
        mean[parents[empty]] = mean[first[empty]]
        together = rows + np.bincount(above, rows[below], n)
        shift = np.bincount(above, (mean[below] - mean[above]) * rows[below], n)
        moved = mean + shift / np.maximum(together, 1)
        np.add.at(spread, above, spread[below])
        np.add.at(spread, above, rows[below] * np.square(mean[below] - moved[above]))
        spread[parents] += rows[parents] * np.square(mean[parents] - moved[parents])
        rows, mean = together, moved
    both = np.stack([mean, spread / np.maximum(rows, 1)], axis=1)
    return both.reshape(*stop.shape[:-1], flat.n_nodes, 2)


def _stops(table: Table, flat: Flat) -> NDArray[Any]:
    """The node where each training row stops."""
    if not table.columns:
        return np.zeros(table.n_rows, dtype=np.intp)
    return flat.apply(table.columns, table.attributes)


def _rows_of(table: Table, flat: Flat) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Each node with its training rows."""
    held = {0: np.arange(table.n_rows)}
    for i in range(flat.n_nodes):
        rows = held.pop(i)
        yield i, rows
        split = flat.split(i, table.attributes)
        if split is not None:
            branch = split.branch(table.columns[split.attribute][rows])
            first = int(flat.first[i])
            held.update({first + b: rows[branch == b] for b in range(split.n_branches)})


def _lines(table: Table, flat: Flat, plain: NDArray[np.float64]) -> NDArray[np.float64]:
    """At each node the least-squares line over the continuous attributes; ``(n_nodes, 2 + 2 d)``.

    Lines go through the means, so an attribute that a row does not have just adds nothing. A node
    with fewer rows than twice the line's numbers keeps its mean: a line through so few rows
    follows their noise.
    """
    numbers = [
        column
        for attribute, column in zip(table.attributes, table.columns, strict=True)
        if attribute.values is None
    ]
    d = len(numbers)
    values = np.concatenate([plain, np.zeros((flat.n_nodes, 2 * d))], axis=1)
    if not d:
        return values
    x = np.stack(numbers, axis=1)
    for i, rows in _rows_of(table, flat):
        whole = rows[~np.isnan(x[rows]).any(axis=1)]
        if table.weights is not None:
            whole = np.repeat(whole, table.weights[whole])
        if len(whole) < 2 * (d + 1) * table.weight_unit:
            continue
        middle, level = _center(x[whole]), _center(table.labels[whole])
        apart = x[whole] - middle
        unit = np.abs(apart).max(axis=0)
        unit[unit == 0] = 1.0
        # In units of their own, columns weigh the same whatever they are measured in.
        slope = np.linalg.lstsq(apart / unit, table.labels[whole] - level, rcond=None)[0] / unit
        values[i, 0], values[i, 2::2], values[i, 3::2] = level, slope, middle
    return values


def _center(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean over rows, counted from the first: that of equal numbers is just that number."""
    center: NDArray[np.float64] = rows[0] + (rows - rows[0]).mean(axis=0)
    return center
