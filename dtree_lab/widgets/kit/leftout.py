"""What a lab says of the rows that it leaves out: a sentence, which opens into a list of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.shown import plural
from dtree_lab.widgets.kit.gaps import Gaps
from dtree_lab.widgets.kit.names import label
from dtree_lab.widgets.kit.parts import Folded
from dtree_lab.widgets.kit.taking import empty, given, lacks

if TYPE_CHECKING:
    from collections.abc import Sequence, Sized

    from dtree_lab.table import Table
    from dtree_lab.widgets.kit.parts import Area
    from dtree_lab.widgets.kit.taking import Taken


def notes(table: Table, validation: Table | None = None, *, area: Area = "above") -> list[Folded]:
    """What was left out of a lab's table, and the gaps of the rows that it is measured with.

    Nothing where there is nothing to say.

    Parameters
    ----------
    table
        What :func:`taken` gave, or some of its rows.
    validation
        What :func:`measured_with` gave.
    area
        Where it stands.
    """
    found = [_told("left-out", _sentences(table), table.gaps, area)] if lacks(table) else []
    if validation is not None:
        found += _validation(table, validation, area)
    return found


def _told(id_: str, sentences: Sequence[str], gaps: Gaps, area: Area) -> Folded:
    rows, more = gaps.listed()
    return Folded(id_, " ".join(sentences), ["row", "has no value in"], rows, more, area=area)


def _sentences(table: Taken) -> list[str]:
    n, gaps = table.given.n_rows, len(table.gaps.rows)
    said = [_count(n, gaps, _where(table))] if gaps else []
    if table.without:
        names = ", ".join(label(name) for name in table.without)
        blank = set(table.without) <= {table.given.names[i] for i in empty(table.given)}
        why = _verb(table.without, "has", "have") + " no values"
        why = why if blank else "would leave no row without gaps"
        columns = plural(len(table.without), "column").partition(" ")[2]
        said.append(
            f"The {columns} {names} {why} and {_verb(table.without, 'is', 'are')} left out."
        )
    return said


def _verb(of: Sized, one: str, several: str) -> str:
    return one if len(of) == 1 else several


def _count(n: int, gaps: int, where: str) -> str:
    """How many rows there are, and how many are left out for gaps in some place."""
    have, are = ("has", "is") if gaps == 1 else ("have", "are")
    return f"{n - gaps:,} of {plural(n, 'row')}; {gaps:,} {have} gaps{where} and {are} left out."


def _where(table: Taken) -> str:
    """In which columns a lab has looked, where it has not looked at all."""
    if len(table.looked) == len(table.given.attributes):
        return ""
    names = [label(name) for name in table.gaps.columns]
    return f" in {' or '.join(names)}" if len(names) <= 2 else " in what is asked here"  # noqa: PLR2004


def _validation(table: Table, validation: Table, area: Area) -> list[Folded]:
    known = set(table.names)
    rows = given(validation)
    gaps = Gaps.of(rows, [i for i, name in enumerate(rows.names) if name in known])
    if not len(gaps.rows):
        return []
    unlabelled = rows.n_rows - validation.n_rows
    rest = len(gaps.rows) - unlabelled
    said = "Validation: "
    if unlabelled:
        said += _count(rows.n_rows, unlabelled, f" in {label(rows.target.name)}")
    if rest:
        said += " " if unlabelled else ""
        said += (
            f"{rest:,} of {plural(rows.n_rows, 'row')} {'has' if rest == 1 else 'have'} gaps;"
            " where such a row is asked what it lacks, that node answers."
        )
    return [_told("validation-gaps", [said], gaps, area)]
