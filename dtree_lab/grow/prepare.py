"""A table and what is asked for, made ready to grow: checked, and numbers measured in ticks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dtree_lab.criteria.classes import CRITERIA
from dtree_lab.criteria.variance import Scale, Variance
from dtree_lab.grow.recipe import Kind, Recipe, Stop, recipe
from dtree_lab.grow.release8 import Release8
from dtree_lab.table.reading import type_of
from dtree_lab.table.scan import ONLY_COUNTS, Scan
from dtree_lab.table.table import Table, missing_of
from dtree_lab.tree.parts import in_parts

# The squares of distances, for up to 10**8 rows, have to stay below 10**308.
_MOST_APART = 1e150


def ready(
    kind: Kind,
    table: Any,
    criterion: str | None = None,
    stop: Stop | None = None,
    release: int | None = None,
) -> tuple[Table, Recipe]:
    """What a grower needs: the table, its numbers in ticks, and the recipe."""
    if not isinstance(table, Scan):
        check_table(table)
    if release is not None:
        _check_release(release, table, criterion)
    if table.target.values is not None:
        _check_criterion(criterion, table, tuple(CRITERIA))
        asked = recipe(kind, criterion, stop)
        share = asked.stop.max_error
        if share is not None and share > 1:
            raise ValueError(f"max_error={share} must be a share of the rows, between 0 and 1")
        if release is not None and table.has_missing:
            table = in_parts(table)
        release8 = None if release is None else Release8.of(table)
        return table, replace(asked, unit=table.weight_unit, release8=release8)
    _check_criterion(criterion, table, ("variance",))
    return measured(table, recipe(kind, None, stop))


def measured(table: Table, plan: Recipe) -> tuple[Table, Recipe]:
    """A table of numbers with these in ticks, and the recipe with variance as its criterion."""
    check_spread(table)
    scale, ticks = Scale.of(table.labels, table.n_ticks)
    in_ticks = replace(table, labels=ticks)
    return in_ticks, replace(plan, criterion=Variance(scale), unit=table.weight_unit)


def check_spread(table: Table) -> None:
    """Raise a ValueError for numbers so far apart that no float holds the sum of their squares."""
    low, high = float(table.labels.min()), float(table.labels.max())
    if high / 2 - low / 2 > _MOST_APART / 2:
        raise ValueError(
            f"the numbers of {table.target.name!r}, from {low:g} to {high:g}, are too far apart for"
            f" their squares; divide them, so that they are at most {_MOST_APART:g} apart"
        )


def _check_criterion(criterion: str | None, table: Table, known: tuple[str, ...]) -> None:
    if criterion is None or criterion in known:
        return
    target, known_as = table.target, ", ".join(map(repr, known))
    msg = (
        f"criterion={criterion!r} must be one of {known_as}, because the target {target.name!r} is"
        f" {target.kind}"
    )
    if target.values is None and criterion in CRITERIA:
        msg += "; if it is a class, say target_kind='discrete' where the table is made"
    raise ValueError(msg)


def _check_release(release: Any, table: Table | Scan, criterion: str | None) -> None:
    if release != 8:  # noqa: PLR2004 - the only one that is told apart
        msg = f"release={release!r} must be 8, or be left out for C4.5 as the book has it"
        raise ValueError(msg)
    if isinstance(table, Scan):
        msg = "release=8 of C4.5 needs rows, and a scan counts them; leave release= out"
        raise ValueError(msg)  # noqa: TRY004 - it is release= that does not suit
    if table.target.values is None or criterion not in {None, "entropy"}:
        raise ValueError(
            "release=8 of C4.5 counts what it costs to name a cut in bits: its target is discrete"
            " and its criterion 'entropy'; leave release= out for any other"
        )


def check_table(table: Any) -> None:
    """Raise a TypeError for what is no table."""
    if isinstance(table, Scan):
        raise TypeError(f"this needs rows, and {ONLY_COUNTS}")
    if not isinstance(table, Table):
        raise TypeError(
            f"a tree is grown on a dt.Table; got {type_of(table)}. Make one with"
            " dt.Table.from_columns, from_rows, from_frame or read_csv"
        )


def check_classes(table: Any) -> None:
    """Raise for what is no table with a discrete target and every value, naming the first row."""
    check_table(table)
    _ = table.classes  # raises for a continuous target
    for attribute, column in zip(table.attributes, table.columns, strict=True):
        gaps = missing_of(column)
        if gaps.any():
            raise ValueError(
                f"row {int(gaps.argmax()) + 1}, column {attribute.name!r} has no value; this needs"
                " every value, so fill it in or make the table with missing='drop'"
            )
