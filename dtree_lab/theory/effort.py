"""What growing and predicting cost, measured against what is said about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import log2
from time import perf_counter

import numpy as np

from dtree_lab.base.checks import checked_whole
from dtree_lab.continuous.thresholds import naive_search, sorted_search
from dtree_lab.grow.api import id3
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Tree


@dataclass(frozen=True)
class Effort:
    """What both threshold searches took on some rows: operations, and seconds on this machine."""

    rows: int
    naive_operations: int
    sorted_operations: int
    naive_seconds: float
    sorted_seconds: float


def search_effort(table: Table, sizes: Iterable[int], *, seed: int = 0) -> tuple[Effort, ...]:
    """Both threshold searches on samples of growing size, to plot how their cost grows.

    Parameters
    ----------
    table
        Where the rows come from.
    sizes
        How many rows to take, each time at random and without replacement.
    seed
        The same seed takes the same rows.

    Raises
    ------
    ValueError
        For a size below 2 or above the number of rows, and as
        :func:`dtree_lab.continuous.thresholds.naive_search` does.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> [effort.naive_operations for effort in search_effort(dt.datasets.tax_fraud(), [5, 10])]
    [20, 90]
    """
    order = np.random.default_rng(seed).permutation(table.n_rows)
    listed = [checked_whole("each of sizes", n, 2, table.n_rows) for n in sizes]
    return tuple(_effort(table.take(order[:n])) for n in listed)


def _effort(table: Table) -> Effort:
    start = perf_counter()
    naive = naive_search(table)
    between = perf_counter()
    by_sorting = sorted_search(table)
    end = perf_counter()
    took = between - start, end - between
    return Effort(table.n_rows, naive.operations, by_sorting.operations, *took)


@dataclass(frozen=True)
class Depth:
    """A tree grown on N rows, and how many tests it takes."""

    rows: int  # N
    # The tests that a tree with two branches at each node cannot do without, on average, to bring N
    # rows to a leaf each.
    log2_rows: float
    mean_tests: float  # questions asked of a training row, on average
    depth: int  # the most asked of any
    leaves: int
    seconds: float  # what growing took, on this machine


def noisy_diagonal(rows: int, *, noise: float = 0.1, seed: int = 0) -> Table:
    """Random points in the unit square, labelled by the side of the diagonal x1 + x2 = 1.

    Parameters
    ----------
    rows
        How many, at least 1.
    noise
        The share of rows, between 0 and 1, whose label is turned over at random.
    seed
        The same seed makes the same table.

    Raises
    ------
    ValueError
        For a number out of range.

    Examples
    --------
    >>> noisy_diagonal(100).classes
    ('above', 'below')
    """
    rows = checked_whole("rows", rows, 1, 10_000_000)
    if not 0 <= noise <= 1:
        msg = f"noise={noise!r} must be a share of the rows, between 0 and 1"
        raise ValueError(msg)
    rng = np.random.default_rng(seed)
    x = rng.random((rows, 2))
    above = (x.sum(axis=1) > 1) ^ (rng.random(rows) < noise)
    columns = {"x1": x[:, 0], "x2": x[:, 1], "side": np.where(above, "above", "below").tolist()}
    kinds = {"side": ("above", "below")}
    return Table.from_columns(columns, target="side", kinds=kinds)


def measured_depth(
    sizes: Iterable[int],
    make: Callable[[int], Table] = noisy_diagonal,
    grower: Callable[[Table], Tree] = id3,
) -> tuple[Depth, ...]:
    """Grow on tables of growing size and count the tests, beside log2 N.

    Parameters
    ----------
    sizes
        The numbers N of rows.
    make
        From N to a table of N rows.
    grower
        What grows a tree.

    Returns
    -------
    tuple of Depth
        One for each size. A balanced tree with a leaf for each row would ask log2 N questions;
        what is measured depends on how balanced it is and on how many leaves it needs.

    Raises
    ------
    ValueError
        For a size that is no whole number, at least 1; and as `make` and `grower` do.

    Examples
    --------
    >>> found = measured_depth([64, 256])
    >>> [one.log2_rows for one in found]
    [6.0, 8.0]
    """
    return tuple(
        _depth(make(checked_whole("each of sizes", n, 1, 10_000_000)), grower) for n in sizes
    )


def _depth(table: Table, grower: Callable[[Table], Tree]) -> Depth:
    start = perf_counter()
    tree = grower(table)
    seconds = perf_counter() - start
    asked = tree.flat.depth[tree.apply(table)]
    n = table.n_rows
    return Depth(n, log2(n), float(asked.mean()), tree.depth, tree.n_leaves, seconds)
