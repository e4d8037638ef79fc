"""The bootstrap: a sample of a table's rows, drawn with replacement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.learn.forest.draws import rows_of
from dtree_lab.learn.ready import check_table
from dtree_lab.populations.checks import whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Table


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """A bootstrap sample of a table.

    Attributes
    ----------
    table
        The table.
    rows
        The rows drawn, by position, in increasing order; shape ``(n_rows,)``.
    """

    table: Table = field(repr=False)
    rows: NDArray[np.intp]

    @property
    def sample(self) -> Table:
        """The rows drawn, each as often as it was."""
        return self.table.take(self.rows)

    @property
    def times(self) -> NDArray[np.int64]:
        """How often each row was drawn, shape ``(n_rows,)``."""
        return np.bincount(self.rows, minlength=len(self.table))

    @property
    def out_of_bag(self) -> NDArray[np.intp]:
        """The rows that were not drawn, by position."""
        return np.flatnonzero(self.times == 0)

    @property
    def rest(self) -> Table:
        """The rows that were not drawn, to measure the error on.

        Raises
        ------
        ValueError
            When all were drawn.
        """
        return self.table.take(self.out_of_bag)

    @property
    def distinct_share(self) -> float:
        """The share of the table's rows that were drawn: about 1 - 1/e = 0.632."""
        return float(np.mean(self.times > 0))


def bootstrap(table: Table, *, seed: int = 0, tree: int = 0) -> Bootstrap:
    """Draw as many rows as the table has, with replacement.

    It is the sample on which tree number `tree` of ``dt.random_forest(table, seed=seed)`` is grown.

    Parameters
    ----------
    table
        The rows.
    seed
        The same seed draws the same rows.
    tree
        Each number has a sample of its own.

    Returns
    -------
    Bootstrap
        The sample, and which rows are out of the bag.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For a seed or a number of a tree that is no whole number, 0 or above.

    Notes
    -----
    Each row is left out with probability ``(1 - 1/n)**n``, about 1/e = 0.368 (Efron and Tibshirani
    1993, An introduction to the bootstrap, section 17.7).

    Examples
    --------
    >>> import dtree_lab as dt
    >>> drawn = bootstrap(dt.datasets.tax_fraud(), seed=1)
    >>> drawn.times, drawn.out_of_bag
    (array([0, 1, 0, 1, 1, 4, 1, 1, 1, 0]), array([0, 2, 9]))
    >>> len(drawn.sample), drawn.distinct_share
    (10, 0.7)
    """
    check_table(table)
    return Bootstrap(table, rows_of(seed, whole("tree", tree, 0), len(table)))
