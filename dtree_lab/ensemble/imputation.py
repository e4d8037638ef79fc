"""Gaps in a table filled with what near rows have, near in the eyes of a forest."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.types import Ints
from dtree_lab.ensemble.forest import Forest
from dtree_lab.ensemble.predict import shared
from dtree_lab.ensemble.random_forest import random_forest
from dtree_lab.grow.prepare import check_table
from dtree_lab.grow.steps import narrates
from dtree_lab.grow.textbook import finish
from dtree_lab.table.table import Table, Value, decode, missing_of


@dataclass(frozen=True)
class Fill:
    """A gap was given a value."""

    row: int  # counted from 0
    name: str  # of the attribute
    before: Value | None  # what stood there in the round before; None in the beginning
    value: Value | None  # what stands there now

    @property
    def changed(self) -> bool:
        """Whether it is another value than before."""
        return self.before != self.value


@dataclass(frozen=True)
class Filled:
    """All gaps were given values."""

    round: int  # 0 for the rough beginning, then counted from 1
    fills: tuple[Fill, ...]  # for each gap, attribute by attribute
    # What said how near rows are; None in the beginning.
    forest: Forest | None = field(default=None, compare=False)

    @property
    def n_changed(self) -> int:
        """How many gaps got another value than before."""
        return sum(fill.changed for fill in self.fills)


def fill_by_proximity(  # noqa: PLR0913 - the keywords of a forest
    table: Table,
    *,
    rounds: int = 5,
    n_trees: int = 100,
    m: int | None = None,
    seed: int = 0,
    n_jobs: int | None = None,
) -> Table:
    """Fill the gaps of a table with what near rows have.

    In the beginning every gap gets its column's median or most frequent value. Then a forest is
    grown, and each gap gets the mean of the known values of its column, each weighted by how near
    its row is (:meth:`Forest.proximities`), or the value with the largest sum of such weights. That
    is repeated, up to `rounds` times or until nothing changes. Known values stay as they are.

    Parameters
    ----------
    table
        Rows with labels, made with ``missing="keep"``. The labels take part, so fill a training
        table this way, never a table to test on.
    rounds
        The most rounds; 0 leaves it at medians and most frequent values.
    n_trees, m, seed, n_jobs
        As in :func:`dtree_lab.random_forest`. Every round has the same seed, so that what changes
        is due to the values and not to luck.

    Returns
    -------
    Table
        Without gaps. It has the same attributes, each with all its values.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For a column without a single value, and as :func:`dtree_lab.random_forest` does.

    Notes
    -----
    Breiman and Cutler (2003), Manual: setting up, using and understanding random forests V4.0,
    "missing values", who find that four to six rounds are enough. A row that is near to no row with
    a known value keeps what it has. The first of several values with equal weight is taken.

    A row that weighs n fills in as n rows do, numbers to their last bits.

    Near rows are mostly rows of one class, so what is filled in is much like the median of the
    row's own class, which costs no forest: compare the two where values are known. The out-of-bag
    error of a forest grown on a filled table is no estimate of its error on whole rows.

    Examples
    --------
    The third row is like the first two in `a`, the last like the two before it:

    >>> import dtree_lab as dt
    >>> table = dt.Table.from_columns(
    ...     {
    ...         "a": ["x", "x", "x", "z", "z", "z"],
    ...         "b": [1, 1, None, 9, 9, None],
    ...         "y": ["no", "no", "no", "yes", "yes", "yes"],
    ...     },
    ...     target="y",
    ...     missing="keep",
    ... )
    >>> [round(value) for value in fill_by_proximity(table, n_trees=50).column("b")]
    [1, 1, 1, 9, 9, 9]
    """
    return finish(fill_events(table, rounds=rounds, n_trees=n_trees, m=m, seed=seed, n_jobs=n_jobs))


@narrates(fill_by_proximity)
def fill_events(
    table: Table, *, rounds: int = 5, **keywords: Any
) -> Generator[Filled, None, Table]:
    """The rounds of :func:`fill_by_proximity`, one after the other."""
    check_table(table)
    rounds = checked_whole("rounds", rounds, 0)
    gaps = {i: gap for i, column in enumerate(table.columns) if (gap := missing_of(column)).any()}
    for i, gap in gaps.items():
        if gap.all():
            raise ValueError(
                f"column {table.attributes[i].name!r} has no value in any row, so nothing says what"
                " its gaps should hold; leave the column out"
            )
    filled = _put(table, {i: _rough(table, i, gap) for i, gap in gaps.items()}, gaps)
    yield Filled(0, _fills(table, filled, gaps))
    for i in range(1, rounds + 1 if gaps else 1):
        forest = random_forest(filled, **keywords)
        stops = np.concatenate(list(forest.stops(filled)), axis=1)
        better = {i: _weighed(filled, i, gap, stops) for i, gap in gaps.items()}
        before, filled = filled, _put(filled, better, gaps)
        said = Filled(i, _fills(before, filled, gaps), forest)
        yield said
        if not said.n_changed:
            break
    return filled


def _put(table: Table, values: dict[int, Any], gaps: dict[int, NDArray[np.bool_]]) -> Table:
    """The table with other values in some columns' gaps."""
    columns = list(table.columns)
    for i, gap in gaps.items():
        columns[i] = columns[i].copy()
        columns[i][gap] = values[i]
    return replace(table, columns=tuple(columns))


def _rough(table: Table, i: int, gap: NDArray[np.bool_]) -> float:
    """A column's median, or its most frequent value."""
    times = 1 if table.weights is None else table.weights[~gap]
    known = np.repeat(table.columns[i][~gap], times)
    if table.attributes[i].values is None:
        return float(np.median(known))
    return int(np.bincount(known).argmax())


def _weighed(table: Table, i: int, gap: NDArray[np.bool_], stops: Ints) -> NDArray[Any]:
    """What near rows have where a column has gaps, shape ``(n_gaps,)``."""
    column, attribute = table.columns[i], table.attributes[i]
    weight = shared(stops[:, gap], stops[:, ~gap])
    if table.weights is not None:
        weight = weight * table.weights[~gap]
    known, total = column[~gap], weight.sum(axis=1)
    if attribute.values is None:
        found = weight @ known / np.where(total > 0, total, 1)
    else:
        found = (weight @ np.eye(attribute.n_values)[known]).argmax(axis=1)
    return np.where(total > 0, found, column[gap])


def _fills(before: Table, after: Table, gaps: dict[int, NDArray[np.bool_]]) -> tuple[Fill, ...]:
    fills = []
    for i, gap in gaps.items():
        attribute = before.attributes[i]
        old, new = (decode(attribute, t.columns[i][gap]) for t in (before, after))
        rows = np.flatnonzero(gap).tolist()
        fills += [Fill(row, attribute.name, a, b) for row, a, b in zip(rows, old, new, strict=True)]
    return tuple(fills)
