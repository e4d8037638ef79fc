"""The tables that a lecture calls by name, and how one's own is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dtree_lab import datasets
from dtree_lab.table.csvfile import Dialect, names_of_csv
from dtree_lab.table.table import Table

_MADE = {
    "tax_fraud": datasets.tax_fraud,
    "word_sense": datasets.word_sense,
    "two_attributes": datasets.two_attributes,
    "penguins": datasets.penguins,
}
_FUNCTION = re.compile(r"(or|and|xor|majority) (\d{1,2})")
# The table that whoever gives the lecture brings along.
OWN = "own"
# What can be said; the last but one stands for all functions and any number of attributes.
TABLES = (*_MADE, "xor 3", OWN)


@dataclass(frozen=True)
class TableSource:
    """Where a lab's rows come from: a table of the library, or a CSV file and how it is written."""

    name: str
    how: Mapping[str, Any] = field(default_factory=dict)
    is_file: bool = False


def is_table(name: str) -> bool:
    """Whether a lecture can call a table by this name.

    >>> is_table("tax_fraud"), is_table("xor 3"), is_table("tax.csv")
    (True, True, False)
    """
    return name in _MADE or name == OWN or _FUNCTION.fullmatch(name) is not None


def table_named(name: str) -> Table:
    """The table of a name."""
    if name == OWN:
        msg = "this scene shows a table of your own: give --table FILE (and --target COLUMN)"
        raise ValueError(msg)
    if name in _MADE:
        return _MADE[name]()
    found = _FUNCTION.fullmatch(name)
    if found is None:
        raise ValueError(f"there is no table {name!r}; there are {', '.join(TABLES)}")
    return datasets.truth_table(found[1], int(found[2]))  # type: ignore[arg-type]


def read_table(path: str, how: dict[str, Any]) -> Table:
    """A table from a CSV file; `how` holds the words of :meth:`dtree_lab.Table.read_csv`.

    Without a target the last column is predicted. Rows with gaps are kept: a lab leaves them out,
    and says so.
    """
    told = {"missing": "keep", **how}
    target = told.pop("target", None)
    if target is None:
        dialect = {name: one for name, one in told.items() if name not in ("missing", "kinds")}
        target = names_of_csv(path, Dialect(**dialect).checked())[-1]
    return Table.read_csv(path, target, **told)
