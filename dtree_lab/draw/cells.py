"""What a table and a comparison show, before it is text or HTML: cells, kinds, alignment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtree_lab.draw import words
from dtree_lab.shown import plural

if TYPE_CHECKING:
    from dtree_lab.table import Attribute, Table


@dataclass(frozen=True, slots=True)
class Grid:
    """A table's columns as they are shown; the last column is the target.

    Attributes
    ----------
    caption
        How large the table is, and which class or number is to be predicted.
    names, kinds
        Each column's, the target's kind being that it is the target.
    numeric
        Whether a column holds numbers, which are aligned to the right.
    rows
        The cells of the rows that are shown.
    codes
        The class of each of these rows; empty for a continuous target.
    hidden
        How many rows are not shown.
    """

    caption: str
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    codes: tuple[int, ...]
    hidden: int


def grid(table: Table, most: int | None) -> Grid:
    """The first `most` rows of a table, or all of them."""
    shown = table.n_rows if most is None else min(most, table.n_rows)
    part = table.take(range(shown))
    columns = (*table.attributes, table.target)
    cells = [[words.plain(v) for v in part.column(a.name)] for a in columns]
    codes = () if table.target.values is None else tuple(part.labels.tolist())
    what = "number" if table.target.values is None else "class"
    target = f"{what} to predict: {words.plain(table.target.name)}"
    n = len(table.attributes)
    return Grid(
        f"{plural(table.n_rows, 'row')}, {plural(n, 'attribute')}; {target}",
        tuple(words.plain(a.name) for a in columns),
        (*(a.kind for a in table.attributes), "target"),
        tuple(_numeric(a) for a in columns),
        tuple(zip(*cells, strict=True)),
        codes,
        table.n_rows - shown,
    )


def _numeric(attribute: Attribute) -> bool:
    values = attribute.values
    return values is None or not any(isinstance(v, str | bool) for v in values)


def more_rows(hidden: int) -> str:
    """What stands for the rows that are not shown, or nothing."""
    return f"… {plural(hidden, 'more row')}" if hidden else ""
