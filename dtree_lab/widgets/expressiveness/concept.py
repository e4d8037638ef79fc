"""A function as a table, its tree, and what an attribute derived from the others does to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.datasets import truth_table
from dtree_lab.learn.api import id3
from dtree_lab.shown import value
from dtree_lab.theory.consistent import count_consistent
from dtree_lab.theory.derive import derived

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.table import Table, Value
    from dtree_lab.tree import Tree

NONE, PARITY, SUM = "none", "parity", "sum"
_NAMES = {PARITY: "sum mod 2", SUM: "sum"}
# What stands for "true" among two values; otherwise the second one does.
_TRUE = ("t", "true", "yes", "y", "1", "on")
# A tree of more rows would take longer to grow than a person waits.
MOST_ROWS = 5_000


@dataclass(frozen=True)
class Grown:
    """A table and the tree that ID3 grows on it."""

    table: Table
    tree: Tree

    @property
    def internal(self) -> int:
        """How many internal nodes: questions."""
        return self.tree.n_nodes - self.tree.n_leaves


@dataclass(frozen=True, eq=False)
class Concept:
    """A function of some attributes, given by a table.

    Attributes
    ----------
    table
        The rows, at most 5,000 of them.
    left_out
        How many more rows there were.
    """

    table: Table
    left_out: int = 0

    @classmethod
    def of(cls, table: Table) -> Concept:
        """The function that a table shows."""
        rows = min(table.n_rows, MOST_ROWS)
        part = table if rows == table.n_rows else table.take(np.arange(rows))
        return cls(part, table.n_rows - rows)

    @cached_property
    def trues(self) -> dict[str, Value] | None:
        """Which value of each attribute counts as true; None when one has not two values."""
        found = {a.name: _true(self.table, i) for i, a in enumerate(self.table.attributes)}
        kept = {name: v for name, v in found.items() if v is not None}
        return kept if len(kept) == len(found) and kept else None

    @cached_property
    def plain(self) -> Grown:
        """Without a derived attribute."""
        return Grown(self.table, id3(self.table))

    @cached_property
    def parity(self) -> Grown:
        """With the sum mod 2."""
        return self._with(PARITY)

    @cached_property
    def sum(self) -> Grown:
        """With the sum."""
        return self._with(SUM)

    def grown(self, feature: str) -> Grown:
        """With a derived attribute, or without: ``"none"``, ``"parity"`` or ``"sum"``."""
        if feature == NONE:
            return self.plain
        return self.parity if feature == PARITY else self.sum

    def name_of(self, feature: str) -> str:
        """What a derived attribute is called: a name that no column has."""
        name = _NAMES[feature]
        while name in (*self.table.names, self.table.target.name):
            name += "*"
        return name

    def _with(self, feature: str) -> Grown:
        trues = self.trues or {}

        def found(row: Mapping[str, Any]) -> Any:
            n = sum(row[name] == true for name, true in trues.items())
            return float(n) if feature == SUM else str(n % 2)

        kind: Any = ("0", "1") if feature == PARITY else "continuous"
        richer = derived(self.table, self.name_of(feature), found, kind=kind)
        return Grown(richer, id3(richer))

    @cached_property
    def consistent(self) -> int:
        """How many trees say this function and stop as soon as the label is certain."""
        return count_consistent(self.table)

    @cached_property
    def longest(self) -> int:
        """The bytes of the longest name or value."""
        of = (*self.table.attributes, self.table.target)
        return max(len(value(text).encode()) for a in of for text in (a.name, *(a.values or ())))

    @cached_property
    def instances(self) -> int | None:
        """How many instances the attributes can describe; None where one has a free number."""
        total = 1
        for attribute, column in zip(self.table.attributes, self.table.columns, strict=True):
            values = attribute.n_values if attribute.values else len(np.unique(column))
            if attribute.values is None and values > 2:  # noqa: PLR2004 - not 0 and 1
                return None
            total *= values
        return total

    @cached_property
    def seen(self) -> tuple[int, int]:
        """How many different instances the rows show, and how many of these with two labels."""
        columns = [c.astype(np.float64) for c in self.table.columns]
        labels = self.table.labels.astype(np.float64)
        both = np.unique(np.stack([*columns, labels]), axis=1)
        if not columns:
            return 1, int(both.shape[1] > 1)
        _, labels_of_each = np.unique(both[:-1], axis=1, return_counts=True)
        return len(labels_of_each), int((labels_of_each > 1).sum())


def _true(table: Table, i: int) -> Value | None:
    """The value of a two-valued attribute that counts as true, or None."""
    attribute = table.attributes[i]
    values: tuple[Value, ...] = attribute.values or tuple(np.unique(table.columns[i]).tolist())
    if len(values) != 2:  # noqa: PLR2004 - not binary
        return None
    return values[0] if str(values[0]).lower() in _TRUE else values[1]


@lru_cache(maxsize=64)
def known(function: Any, n: int) -> Concept:
    """A function of n binary attributes, by its name."""
    return Concept(truth_table(function, n))
