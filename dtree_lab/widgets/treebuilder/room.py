"""How much of a state is shown, so that a message stays small whatever the table."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dtree_lab.draw.measure import columns, shortened
from dtree_lab.widgets.kit.cards import MOST_CARDS
from dtree_lab.widgets.kit.parts import View

if TYPE_CHECKING:
    from collections.abc import Callable

# In bytes, with some left for what the widget adds.
MOST_BYTES = 60_000
# Where texts stand that other people may have made long. Sentences may be so many times longer.
_NAMES = (
    "name",
    "plain",
    "full",
    "label",
    "title",
    "tag",
    "under",
    "head",
    "heading",
    "rows",
    "asks",
)
_SENTENCES = ("lines", "status", "problem", "where", "note", "more")
_TIMES, _END = 6, 4


@dataclass(frozen=True)
class Room:
    """At most so much of each.

    Attributes
    ----------
    cards
        Of the tree; another tree beside it has half as many.
    bars
        Attributes with a bar.
    branches, marks
        Branches that all bars open into, and marks on their axes, together.
    rows, columns
        Rows of the selected node, and attributes of theirs.
    text
        Columns of a name or value; None leaves all as they are.
    ways
        Whether a row's way is unfolded in another tree too.
    """

    cards: int = MOST_CARDS
    bars: int = 30
    branches: int = 200
    marks: int = 700
    rows: int = 24
    columns: int = 12
    text: int | None = None
    ways: bool = True


ROOMS = (
    Room(),
    Room(cards=32, rows=20),
    Room(30, 20, 120, 700, 20, 10, 120),
    Room(20, 12, 60, 400, 12, 8, 48),
    Room(12, 8, 24, 150, 8, 5, 20, ways=False),
    Room(8, 5, 12, 60, 4, 3, 12, ways=False),
)


@dataclass(frozen=True)
class FittedView(View):
    """A view whose names and values are cut in the browser to so many columns; by None, to none."""

    columns: int | None = None

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return self._fitted

    @cached_property
    def _fitted(self) -> dict[str, Any]:
        told = super().json()
        return told if self.columns is None else _cut(told, None, self.columns)


def fitted(make: Callable[[Room], FittedView]) -> FittedView:
    """What is made with the most room that a message has."""
    for room in ROOMS:
        view = make(room)
        if len(json.dumps(view.json(), ensure_ascii=False).encode()) <= MOST_BYTES:
            break
    return view


def _cut(told: Any, most: int | None, names: int) -> Any:
    """The same with long texts cut; what stands under no key of a text is left as it is."""
    match told:
        case {"kind": "toolbar" | "button"}:
            return told  # these are the lab's own words
        case str() if most is not None:
            # Long names often differ at their ends, so these stay.
            return told if columns(told) <= most else shortened(told, most - _END) + told[-_END:]
        case list():
            return [_cut(one, most, names) for one in told]
        case dict():
            return {key: _cut(one, _most(key, names), names) for key, one in told.items()}
    return told


def _most(key: str, names: int) -> int | None:
    if key in _SENTENCES:
        return names * _TIMES
    return names if key in _NAMES else None
