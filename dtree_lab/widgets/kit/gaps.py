"""Where a table has no value: which rows, and in which columns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.shown import plural
from dtree_lab.table import missing_of
from dtree_lab.widgets.kit.names import label

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from dtree_lab.table import Table

# So many rows are listed, with so many of the columns that they have no value in.
MOST_LISTED, MOST_COLUMNS = 30, 8


@dataclass(frozen=True, eq=False)
class Gaps:
    """Where a table has no value.

    Attributes
    ----------
    columns
        The names of the columns that lack values, the target among them.
    mask
        Which row lacks which; shape ``(n_rows, n_columns)``.
    """

    columns: tuple[str, ...]
    mask: NDArray[np.bool_]

    @classmethod
    def of(cls, table: Table, looked: Collection[int]) -> Gaps:
        """The gaps in some attributes of a table, and in its labels."""
        pairs = [(table.names[i], missing_of(table.columns[i])) for i in looked]
        pairs.append((table.target.name, missing_of(table.labels)))
        lacking = [(name, mask) for name, mask in pairs if mask.any()]
        none = np.zeros((table.n_rows, 0), dtype=bool)
        masks = np.stack([mask for _, mask in lacking], axis=1) if lacking else none
        return cls(tuple(name for name, _ in lacking), masks)

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """The rows that lack anything, from 0."""
        return np.flatnonzero(self.mask.any(axis=1))

    def listed(self) -> tuple[list[list[str]], str]:
        """Each row's number and what it lacks, and how many rows are not listed."""
        lines = []
        for row in self.rows[:MOST_LISTED].tolist():
            lacks = [label(self.columns[j]) for j in np.flatnonzero(self.mask[row]).tolist()]
            more = len(lacks) - MOST_COLUMNS
            rest = [f"and {more} more"] if more > 0 else []
            lines.append([f"{row + 1:,}", ", ".join([*lacks[:MOST_COLUMNS], *rest])])
        hidden = len(self.rows) - MOST_LISTED
        return lines, f"… and {plural(hidden, 'more row')}." if hidden > 0 else ""
