"""What a table's columns were taken for, and what is suspicious about them."""

from __future__ import annotations

from dataclasses import dataclass

from dtree_lab.base.text import ShownTable, Tabled, number, plural, value
from dtree_lab.table.findings import Finding, ReadColumn, findings, seen_columns
from dtree_lab.table.reading import check_there
from dtree_lab.table.table import Table, Value

_SHOWN, _LONG = 4, 24  # values of a column that are shown, and letters of each


@dataclass(frozen=True, slots=True)
class ReportedColumn:
    """A column of a table, as it was read."""

    name: str
    taken_for: str  # "numbers", "words", "truth values", "names in numbers"; a target's "classes"
    different: int  # how many different values occur
    gaps: int  # how many rows have none
    values: str  # the least and the greatest number, or the first of the values
    findings: tuple[Finding, ...]  # what is suspicious, each with its cure


@dataclass(frozen=True, repr=False)
class TableReport(Tabled):
    """A table's columns and what is suspicious about them; a table where it is shown.

    Attributes
    ----------
    caption
        How large the table is, and what is to be predicted.
    columns
        One :class:`ReportedColumn` each, the target last; also got by a name, ``report["id"]``.
    """

    caption: str
    columns: tuple[ReportedColumn, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All that is suspicious, column by column."""
        return tuple(finding for column in self.columns for finding in column.findings)

    def __getitem__(self, name: str) -> ReportedColumn:
        names = [column.name for column in self.columns]
        check_there(name, "report", names)
        return self.columns[names.index(name)]

    def shown_table(self) -> ShownTable:
        """What is shown."""
        names = ("column", "taken for", "different", "gaps", "values")
        rows = tuple(
            (value(c.name), c.taken_for, f"{c.different:,}", f"{c.gaps:,}", c.values)
            for c in self.columns
        )
        notes = tuple((value(f.column), f"{f.text}.", f.cure) for f in self.findings)
        notes = notes or (("", "Nothing looks suspicious.", ""),)
        numeric = (False, False, True, True, False)
        return ShownTable(self.caption, names, rows, numeric, notes=notes)


def report_of(table: Table) -> TableReport:
    """See :meth:`dtree_lab.Table.report`."""
    what = "number" if table.target.values is None else "class"
    size = f"{plural(table.n_rows, 'row')}, {plural(len(table.attributes), 'attribute')}"
    caption = f"{size}; {what} to predict: {value(table.target.name)}"
    return TableReport(caption, tuple(map(_reported, seen_columns(table))))


def _reported(seen: ReadColumn) -> ReportedColumn:
    gaps, several = seen.n_rows - seen.known, len(seen.numbers) + len(seen.rows)
    first = next(iter(seen.rows), "")
    if seen.attribute.values is None:
        taken_for = "numbers"
        told = " to ".join(dict.fromkeys(map(number, (*seen.numbers[:1], *seen.numbers[-1:]))))
    else:
        taken_for = "words" if isinstance(first, str) else "names in numbers"
        if seen.is_target or isinstance(first, bool):
            taken_for = "classes" if seen.is_target else "truth values"
        told = ", ".join([*map(_short, list(seen.rows)[:_SHOWN]), *"…"[: several > _SHOWN]])
    return ReportedColumn(seen.attribute.name, taken_for, several, gaps, told, findings(seen))


def _short(v: Value) -> str:
    """A value, in quotes where blanks would not be seen."""
    text = value(v) if value(v) == value(v).strip() else repr(v)
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"
