"""What kind of forest is asked for, checked."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from dtree_lab.base.checks import is_whole
from dtree_lab.base.random import checked_seed
from dtree_lab.grow.prepare import check_table, ready
from dtree_lab.grow.recipe import Recipe, Stop
from dtree_lab.table.table import Table, missing_of


@dataclass(frozen=True)
class ForestSettings:
    """What kind of forest is asked for: each node draws `m` attributes."""

    recipe: Recipe
    m: int
    bootstrap: bool
    seed: int


def planned(  # noqa: PLR0913 - the keywords of a forest
    table: Table, *, m: int | None, criterion: str | None, bootstrap: bool, stop: Stop, seed: int
) -> tuple[Table, ForestSettings]:
    """The table with numbers to predict in ticks, and the plan; raises for what does not suit."""
    check_table(table)
    _check_no_gaps(table)
    if not isinstance(bootstrap, bool | np.bool_):
        msg = f"bootstrap={bootstrap!r} must be True or False"
        raise TypeError(msg)
    in_ticks, recipe = ready("cart", table, criterion, stop)
    return in_ticks, ForestSettings(
        recipe, _checked_m(m, table), bool(bootstrap), int(checked_seed(seed))
    )


def _check_no_gaps(table: Table) -> None:
    for attribute, column in zip(table.attributes, table.columns, strict=True):
        gaps = missing_of(column)
        if gaps.any():
            msg = (
                f"row {int(gaps.argmax()) + 1}, column {attribute.name!r} has no value; a forest"
                " needs every value: fill the gaps with dt.fill_by_proximity(table), or make the"
                " table with missing='drop'"
            )
            raise ValueError(msg)


def _checked_m(m: Any, table: Table) -> int:
    """How many attributes a node draws; Breiman's number if nobody says."""
    most = len(table.attributes)
    if m is None:
        usual = most // 3 if table.target.values is None else round(sqrt(most))
        return max(1, usual)
    whole = is_whole(m)
    if not whole or not 1 <= m <= most:
        msg = f"m={m!r} must be a whole number from 1 to {most}, the number of attributes"
        raise ValueError(msg)
    return int(m)
