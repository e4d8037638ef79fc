"""A population made from a table whose rows are all that was seen of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dtree_lab.encoding import recode
from dtree_lab.populations.base import Chances, Numbers, Population, Seed, Test, Truth, evenly
from dtree_lab.populations.checks import tabular, whole
from dtree_lab.table import Table


@dataclass(frozen=True, eq=False)
class Pool(Population):
    """Some rows that stand for the unknown population they came from; see :func:`resampled`."""

    table: Table
    replace: bool

    def sample(self, n_rows: int | None = None, *, seed: Seed = 0) -> Table:
        """Rows of the table, drawn at random.

        Parameters
        ----------
        n_rows
            How many. If it is not said: with replacement as many as the table has, a bootstrap
            sample; without it half of them.
        seed
            The same seed draws the same rows. A ``numpy.random.Generator`` will do too.

        Raises
        ------
        ValueError
            For more rows than the table has, without replacement.
        """
        have = self.table.n_rows
        usual = have if self.replace else (have + 1) // 2
        n = usual if n_rows is None else whole("n_rows", n_rows, 1)
        if n > have and not self.replace:
            msg = f"n_rows={n} is more than the {have} rows there are to draw from"
            raise ValueError(msg)
        rng = np.random.default_rng(seed)
        return self.table.take(np.sort(rng.choice(have, size=n, replace=self.replace)))

    def truth(self, table: Table) -> Truth:
        """The labels that the rows came with: all that is known.

        Raises
        ------
        ValueError
            For another target, or a label that this table does not have.
        """
        target = self.table.target
        if (table.target.name, table.target.kind) != (target.name, target.kind):
            msg = (
                f"the test rows' target is {table.target.name!r} ({table.target.kind}); it must be"
                f" {target.name!r} ({target.kind})"
            )
            raise ValueError(msg)
        weights = evenly(table.n_rows)
        if target.values is None:
            return Numbers(table, weights, table.labels, np.zeros(table.n_rows), known=False)
        labels = recode(target, table.target, table.labels)
        if (labels < 0).any():
            odd = table.column(target.name)[int((labels < 0).argmax())]
            msg = f"the test rows have the label {odd!r}, which the rows to draw from lack"
            raise ValueError(msg)
        own = Table(table.attributes, target, table.columns, labels)
        return Chances(own, weights, np.eye(len(target.values))[labels], known=False)

    def parted(self, test: Test = None, *, seed: Seed = 0) -> tuple[Population, Truth]:
        """The rows to draw from, and those held out to measure on.

        Parameters
        ----------
        test
            How many rows to hold out, a third if it is not said; or a table of other rows, and
            then nothing is held out.
        seed
            The same seed holds out the same rows.

        Raises
        ------
        ValueError
            For a number that leaves no row on one of the sides.
        """
        if isinstance(test, Table):
            return self, self.truth(test)
        have = self.table.n_rows
        held = max(round(have / 3), 1) if test is None else whole("test", test, 1)
        if held >= have:
            msg = f"test={held} leaves none of the {have} rows to draw training sets from"
            raise ValueError(msg)
        order = np.random.default_rng(seed).permutation(have)
        pool = Pool(self.table.take(np.sort(order[held:])), self.replace)
        return pool, pool.truth(self.table.take(np.sort(order[:held])))


def resampled(table: Table, *, replace: bool = True) -> Pool:
    """A table's rows as the stand-in for a population that is not known.

    Training sets are drawn from some of them, and the others are held out to measure on. Nobody
    knows the noise in them.

    Parameters
    ----------
    table
        The rows.
    replace
        Draw with replacement: bootstrap samples. Otherwise half of the rows at a time, as Kohavi
        and Wolpert (1996, Bias plus variance decomposition for zero-one loss functions, ICML) do:
        those hold no row twice, which a tree would take for more certain than it is.

    Raises
    ------
    TypeError
        For what is no table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> pool, held = resampled(dt.datasets.tax_fraud()).parted()
    >>> pool.sample().n_rows, held.table.n_rows
    (7, 3)
    """
    tabular(table)
    return Pool(table, bool(replace))
