"""What is done to the points: one more, one less, a preset, and back."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from math import floor, log10
from typing import TYPE_CHECKING

from dtree_lab.widgets.kit.actions import NotPossibleError
from dtree_lab.widgets.plane.regions import leaf_at
from dtree_lab.widgets.plane.rows import MOST_EDITS, Rows
from dtree_lab.widgets.plane.state import State
from dtree_lab.widgets.plane.words import result

if TYPE_CHECKING:
    from dtree_lab.draw.chart import Axis
    from dtree_lab.widgets.plane.rows import Edit


def edited(state: State, edit: Edit, status: str) -> State:
    """The state with an edit more; the tree is grown anew."""
    if len(state.edits) >= MOST_EDITS:
        msg = f"{MOST_EDITS} changes are the most that are kept: undo some, or start over."
        raise NotPossibleError(msg)
    rows = state.rows.edited(edit)
    edits = (*state.edits, edit)
    after = replace(state, rows=rows, edits=edits, selected=(), chosen=None)
    return replace(after, status=f"{status} {result(after)}")


def added(state: State, x: float, y: float) -> State:
    """One point more, of the class that a click adds; it is looked at."""
    at = _rounded(x, state.axes[0]), _rounded(y, state.axes[1])
    after = edited(state, ("add", *at, int(state.click)), "One point more.")
    assert after.grown is not None  # noqa: S101 - there is a point
    selected = leaf_at(after.grown.tree, at, after.recipe.derived)
    return replace(after, selected=selected, chosen=len(after.rows) - 1, at=at)


def _rounded(v: float, axis: Axis) -> float:
    """A coordinate to a thousandth of its axis: nobody points more finely."""
    length = axis.high - axis.low
    short = round(v, 3 - floor(log10(length)))
    return min(max(short, axis.low), axis.high)


def undone(state: State) -> State:
    """The state without its last edit."""
    if not state.edits:
        msg = "There is nothing to undo."
        raise NotPossibleError(msg)
    edits = state.edits[:-1]
    after = replace(state, rows=redone(state.first, edits), edits=edits, selected=(), chosen=None)
    return replace(after, status=f"Undone. {result(after)}")


def redone(first: Rows, edits: tuple[Edit, ...]) -> Rows:
    """Some points after some edits."""
    return reduce(Rows.edited, edits, first)


def started_over(state: State) -> State:
    """The state at the beginning, with the same table."""
    at = (state.first.middle(0), state.first.middle(1))
    fresh = State(state.source, state.first, state.first, at)
    return replace(fresh, status="Back at the beginning.")
