"""The plane beside the tree that a person grows: its two attributes, and what is done to it."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from dtree_lab.labs.kit.actions import NotPossibleError, Point, Set
from dtree_lab.labs.kit.boxes import asked_in, box_at, chosen_pair, sides, spanning
from dtree_lab.labs.kit.controls import Toggle
from dtree_lab.labs.kit.parts import Part
from dtree_lab.labs.kit.planes import ACROSS, SHOWN, UP, PlaneSight, axis_menus, plane, turned
from dtree_lab.labs.treebuilder.state import State
from dtree_lab.tree.tree import Path

CONTROLS = (SHOWN, ACROSS, UP)


def pair_of(state: State) -> tuple[int, int] | None:
    """The attributes of the plane; None for a table that has no two to show.

    Of those that nobody has chosen, one is what the root asks for, so that they seldom change as
    the tree grows; then come those that gain most. Where gains are told after a choice, nothing is
    ranked by them.
    """
    if state.inspection.pair is not None:
        return state.inspection.pair
    ranked = [*asked_in(state.root.tree)[:1]]
    if state.reveal == "always":
        offers = [offer for offer in state.root.offers if offer]
        ranked += [o.split.attribute for o in sorted(offers, key=lambda o: -o.gain_ticks)]
    return chosen_pair(state.table, ranked)


def set_plane(state: State, action: Set) -> State:
    """The state with another attribute in the plane, or with the plane seen or not."""
    inspection, pair = state.inspection, pair_of(state)
    said = replace(state, problem=None, verdict=None, status="")
    if action.control == SHOWN and isinstance(action.value, bool) and pair is not None:
        return replace(said, inspection=replace(inspection, plane=action.value))
    other = pair and turned(pair, action.control, action.value, spanning(state.table))
    if not other:
        raise NotPossibleError(f"There is no plane with {action.value!r}.")
    return replace(said, inspection=replace(inspection, pair=other))


def pointed_at(state: State, at: Point) -> Path:
    """The node whose box lies at a place of the plane."""
    pair = pair_of(state)
    two = pair and sides(state.table, pair, state.validation)
    box = two and box_at(state.root.tree, two, at.x, at.y)
    if not box:
        raise NotPossibleError("There is no box at this place.")
    return box.path


@lru_cache(maxsize=2)
def parts(state: State, most: int, offered: int) -> list[Part]:
    """The plane with so many rows at most, and menus for so many attributes.

    A view is made with less and less room until a message holds it; the plane is not made anew
    each time.
    """
    pair = pair_of(state)
    if pair is None or not state.inspection.plane:
        return []
    trying = [
        (state.table.index(name), float(how))
        for (at, name), how in state.drafts.items()
        if at == state.selected and state.node.split is None and isinstance(how, float)
    ]
    sight = PlaneSight(state.selected, trying, most)
    shown = plane(state.root.tree, state.table, pair, sight, state.validation)
    return [*axis_menus(state.table, pair, offered), *shown]


def shown_or_not(state: State) -> list[Toggle]:
    """What shows the plane or hides it, where there is one."""
    return [] if pair_of(state) is None else [Toggle(SHOWN, "Plane", state.inspection.plane)]
