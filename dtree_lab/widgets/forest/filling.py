"""Values taken away, and how near the estimates by proximity come to them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.learn.chance import key_of, mix
from dtree_lab.learn.forest.fill import fill_events
from dtree_lab.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dtree_lab.learn.forest.fill import Fill, Filled
    from dtree_lab.table import Value

# The estimates compare every row with every other, in every round.
MOST_ROWS, TREES, ROUNDS = 200, 25, 5
_TAKEN = (1 << 41) + 3


@dataclass(frozen=True, eq=False)
class Filling:
    """Rounds of filling so far.

    Attributes
    ----------
    truth, table
        The rows with all their values, and with gaps.
    m, seed
        As the forest's.
    first, last
        The rough values, and those of the last round; None before that.
    done
        Whether nothing changes any more, or all rounds are over.
    """

    truth: Table
    table: Table
    m: int
    seed: int
    first: Filled | None = None
    last: Filled | None = None
    done: bool = False

    @classmethod
    def of(cls, table: Table, share: float, m: int, seed: int) -> Filling:
        """A share of the values is taken away."""
        truth = table.take(np.arange(min(table.n_rows, MOST_ROWS)))
        return cls(truth, without(truth, share, seed), m, seed)

    def rounds(self) -> Iterator[Filling]:
        """One round after the other, from the beginning."""
        given = {"rounds": ROUNDS, "n_trees": TREES, "m": self.m, "seed": self.seed}
        filling = self
        for told in fill_events(self.table, n_jobs=1, **given):
            first = told if told.round == 0 else filling.first
            filling = replace(filling, first=first, last=told)
            yield filling
        yield replace(filling, done=True)

    def true(self, fill: Fill) -> Value | None:
        """The value that was taken away."""
        return _column(self.truth, fill.name)[fill.row]

    def off(self, fill: Fill) -> float:
        """How far a value lies from the truth; of a discrete attribute 0 if it is right, else 1."""
        true = self.true(fill)
        if self.truth.attribute(fill.name).values is None:
            return abs(float(fill.value or 0.0) - float(true or 0.0))
        return float(fill.value != true)


@lru_cache(maxsize=64)
def _column(table: Table, name: str) -> list[Value | None]:
    return table.column(name)


def without(table: Table, share: float, seed: int) -> Table:
    """The table without a share of its values; each column keeps one at least.

    With a larger share the same values are taken away, and more.
    """
    n = table.n_rows
    keys = mix(key_of(seed, _TAKEN), np.arange(n * len(table.columns)))
    order = np.argsort(keys, kind="stable")
    taken = np.zeros(len(order), dtype=bool)
    taken[order[: round(share * len(order))]] = True
    columns = []
    for i, (attribute, column) in enumerate(zip(table.attributes, table.columns, strict=True)):
        gap = taken[i * n : (i + 1) * n].copy()
        gap[int(keys[i * n : (i + 1) * n].argmax())] = False
        columns.append(np.where(gap, np.nan if attribute.values is None else -1, column))
    kept = tuple(c.astype(old.dtype) for c, old in zip(columns, table.columns, strict=True))
    return Table(table.attributes, table.target, kept, table.labels)
