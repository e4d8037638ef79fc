"""A row without what a node asks, in parts: each branch gets one, as C4.5 has it.

A branch gets the share that it has of the rows with a value. What a row weighs is parted into whole
ticks, none of which is lost: so parts add up exactly, in any order, as rows do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from dtree_lab.base.types import Floats, Ints
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.splits import IN_PARTS, RESTS, Split

# Ticks of a row at most: thirds, fifths, sevenths, ninths and thirteenths are whole. And of all
# rows together, for costs to be exact in 63 bits with room for many attributes.
_OF_ROW, _OF_ALL, _EVEN = 16380, 1 << 23, 60


def in_parts(table: Table) -> Table:
    """The table whose rows can be parted: in finer ticks, rows that are alike being one.

    Else ten rows, each parted and rounded, would not be what a row that weighs ten is.
    """
    ticks = min(_OF_ROW, _OF_ALL // table.n_ticks)
    finer = max(ticks - ticks % _EVEN, 1)
    codes = [np.unique(c, return_inverse=True)[1] for c in (*table.columns, table.labels)]
    _, first, place = np.unique(np.array(codes), axis=1, return_index=True, return_inverse=True)
    weights = np.bincount(place.ravel(), table.weights).astype(np.int64) * finer
    unit = table.weight_unit * finer
    return replace(table.take(first), weights=weights, weight_unit=unit)


def parts_of(ticks: Ints, known: Ints) -> Ints:
    """How many ticks of each row a branch gets, shape ``(n_branches, n_rows)``.

    `known` are the ticks of the rows that have a value, in each branch; if none has, all branches
    get as much.
    """
    ends = np.cumsum(known if known.any() else np.ones_like(known))[:, None]
    up_to = (2 * ticks * ends + ends[-1]) // (2 * ends[-1])
    return np.diff(up_to, axis=0, prepend=0)


def branch_tables(split: Split, table: Table) -> list[Table]:
    """The rows of each branch, parts of rows among them where the split sends such."""
    branch = split.branch(table.columns[split.attribute])
    here = [branch == b for b in range(split.n_branches)]
    lacking = branch == IN_PARTS
    if table.weights is None or not lacking.any():
        return [table.take(rows) for rows in here]
    known = np.array([table.weights[rows].sum() for rows in here])
    parts = parts_of(np.where(lacking, table.weights, 0), known)
    return [
        replace(table, weights=np.where(rows, table.weights, part)).take(rows | (part > 0))
        for rows, part in zip(here, parts, strict=True)
    ]


def in_fewest_ticks(flat: Flat, unit: int, least: int) -> tuple[Flat, int]:
    """A tree grown in ticks of which `unit` are a row, in as few as it takes, but `least`."""
    unused = int(np.gcd.reduce(flat.counts, axis=None, initial=unit // least))
    return replace(flat, counts=flat.counts // unused), unit // unused


class Stops(NamedTuple):
    """Where rows stop in a tree, part by part."""

    row: Ints  # a row with several parts comes several times
    node: Ints
    share: Floats  # of the row; those of a row sum up to 1

    @classmethod
    def of(cls, flat: Flat, attributes: Sequence[Attribute], columns: Sequence[Any]) -> Stops:
        """Of some rows, their columns encoded."""
        node = flat.apply(columns, attributes)
        if not (waits := flat.gaps.take(node) == IN_PARTS).any():
            return cls(np.arange(len(node)), node, np.ones(len(node)))
        rows = flat.counts.sum(axis=1)
        here: list[list[tuple[Ints, Floats]]] = [[] for _ in range(flat.n_nodes)]
        parts, whole = np.flatnonzero(waits), np.flatnonzero(~waits)
        here[0].append((parts, np.ones(len(parts))))
        found = [(whole, node[whole], np.ones(len(whole)))]
        for i in range(flat.n_nodes):  # children come later
            if not here[i]:
                continue
            row, share = map(np.concatenate, zip(*here[i], strict=True))
            split, first = flat.split(i, attributes), int(flat.first[i])
            branch = np.full(len(row), RESTS)
            if split is not None:
                branch = split.branch(columns[split.attribute][row])
                below = rows[first : first + split.n_branches]
                for b, gets in enumerate((below / max(below.sum(), 1)).tolist()):
                    goes = (branch == b) | (branch == IN_PARTS)
                    part = np.where(branch == b, share, share * gets)
                    here[first + b].append((row[goes], part[goes]))
            rests = branch == RESTS
            found.append((row[rests], np.full(int(rests.sum()), i), share[rests]))
        return cls(*map(np.concatenate, zip(*found, strict=True)))


def check_no_parts(flat: Flat, attributes: Sequence[Attribute], what: str) -> None:
    """Raise a ValueError where a tree parts rows, for a target that cannot say so."""
    asks = flat.attr[flat.gaps == IN_PARTS]
    if asks.size:
        raise ValueError(
            f"a row without {attributes[int(asks[0])].name!r} goes down every branch in parts, and"
            f" {what} cannot say that; such rows rest in a tree that is grown without release=8"
        )
