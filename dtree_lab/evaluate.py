"""Measuring a tree on rows that it was not grown on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from dtree_lab.table import Table


def holdout(table: Table, share: float = 1 / 3, *, seed: int = 0) -> tuple[Table, Table]:
    """Withhold some rows, in random order, to measure or prune with.

    Parameters
    ----------
    table
        At least two rows.
    share
        The share of rows to withhold, rounded to whole rows; at least one row is on each side.
    seed
        The same seed withholds the same rows.

    Returns
    -------
    tuple of Table
        The rows to grow on, and the withheld ones.

    Raises
    ------
    ValueError
        For a share that is not between 0 and 1, or a table with a single row.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> training, validation = dt.evaluate.holdout(dt.datasets.tax_fraud(), 0.3, seed=1)
    >>> len(training), len(validation)
    (7, 3)
    """
    if not 0 < share < 1:
        msg = f"share={share!r} must lie between 0 and 1, for instance 1/3"
        raise ValueError(msg)
    if len(table) < 2:  # noqa: PLR2004 - one row on each side
        msg = "a table with a single row cannot be parted; it needs at least two"
        raise ValueError(msg)
    order = np.random.default_rng(seed).permutation(len(table))
    withheld = min(max(round(share * len(table)), 1), len(table) - 1)
    return table.take(order[withheld:]), table.take(order[:withheld])
