"""Some rows of a table, and what can be practised there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from dtree_lab.draw.measure import shortened
from dtree_lab.shown import value
from dtree_lab.splits import Split, reason
from dtree_lab.table import Attribute

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Table

MOST_VALUES, MOST_ATTRIBUTES = 8, 20
# Beyond these the counts are given: nobody should count a hundred rows by hand.
MOST_ROWS, MOST_CLASSES = 30, 6
# How wide a name may be in a label, and the conditions of a node, in columns of text.
NAME, NODE, PART = 28, 56, 20

# One of the questions that lead to a node, and the branch that is taken there.
Condition: TypeAlias = tuple[Split, int]


@dataclass(frozen=True, eq=False)
class Node:
    """Some rows of a table: those for which all conditions hold."""

    table: Table
    conditions: tuple[Condition, ...] = ()

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """The rows, as positions in the table."""
        here = np.ones(self.table.n_rows, dtype=bool)
        for split, branch in self.conditions:
            here &= split.branch(self.table.columns[split.attribute]) == branch
        return np.flatnonzero(here)

    @cached_property
    def part(self) -> Table:
        """The rows as a table."""
        return self.table.take(self.rows)

    @cached_property
    def said(self) -> tuple[str, ...]:
        """The conditions in words."""
        return tuple(
            reason(split, self.table.attributes[split.attribute], branch)
            for split, branch in self.conditions
        )

    @cached_property
    def brief(self) -> str:
        """The conditions in words, short enough for a line; nothing at the root."""
        attributes = self.table.attributes
        each = (brief(split, attributes[split.attribute], b) for split, b in self.conditions)
        return shortened(" and ".join(each), NODE)

    @cached_property
    def refusals(self) -> dict[str, str | None]:
        """Of each attribute, why its gain is not asked for here; None where it is.

        Only as far as it takes to offer `MOST_ATTRIBUTES`.
        """
        found: dict[str, str | None] = {}
        for name in self.table.names:
            if list(found.values()).count(None) < MOST_ATTRIBUTES:
                found[name] = self.why_not(name)
        return found

    def why_not(self, name: str) -> str | None:
        """Why the gain of an attribute is not asked for here; None where it can be."""
        i = self.table.index(name)
        attribute = self.table.attributes[i]
        there = len(np.unique(self.part.columns[i]))
        if there == 1:
            return f"every row here has the same {attribute.name!r}"
        if attribute.values is not None and there > MOST_VALUES:
            return (
                f"{attribute.name!r} has {there} values here, and at most {MOST_VALUES} are worked"
                " out by hand"
            )
        return None

    @cached_property
    def refusal(self) -> str | None:
        """Why nothing can be practised here; None where something can."""
        if not len(self.rows):
            return "no row of the table fulfils these conditions"
        if len(np.unique(self.part.labels)) == 1:
            return "all rows here have one class, so no question could gain anything"
        if not self.offered:
            whys = [why for why in self.refusals.values() if why]
            return "; ".join(whys[:3]) or "the table has no attribute to ask, only its target"
        return None

    @property
    def offered(self) -> list[str]:
        """The attributes to choose from, whose gain can be worked out by hand here."""
        return [name for name, why in self.refusals.items() if why is None]


def brief(split: Split, attribute: Attribute, branch: int) -> str:
    """What leads into a branch, in words, with the names short enough for a label."""
    values = attribute.values and tuple(shortened(value(v), PART) for v in attribute.values)
    return reason(split, Attribute(shortened(value(attribute.name), PART), values), branch)
