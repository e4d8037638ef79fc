"""The model of :class:`dtree_lab.Practice`: ``update(state, action)``. No Jupyter here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dtree_lab.widgets.kit.actions import Action, NotPossibleError, Press, Set, whole
from dtree_lab.widgets.practice.choosing import another
from dtree_lab.widgets.practice.exercise import Exercise

if TYPE_CHECKING:
    from dtree_lab.widgets.practice.node import Node
    from dtree_lab.widgets.practice.state import State

# Longer texts are no number; the state should stay short.
_LONGEST = 40
# What is typed to have a field shown.
ASK = "?"


def update(state: State, action: Action) -> State:
    """The state after an action; one that cannot be done raises a ValueError that says why."""
    match action:
        case Set("node", value):
            node = state.nodes[_chosen(value, len(state.nodes))]
            same = state.exercise.attribute in node.offered
            return _posed(state, node, state.exercise.attribute if same else node.offered[0])
        case Set("attribute", value):
            names = state.offered
            return _posed(state, state.exercise.node, names[_chosen(value, len(names))])
        case Set(key, str(text)) if key in state.exercise.fields:
            return _typed(state, key, text)
        case Press("show"):
            return _shown(state, state.current)
        case Press("next"):
            return _shown(state, state.current) if state.open else _new(state)
        case Press("new"):
            return _new(state)
        case Press("reset"):
            return _posed(state, state.exercise.node, state.exercise.attribute)
    msg = "Type into a field, choose rows and an attribute, or ask for a new exercise."
    raise NotPossibleError(msg)


def _chosen(value: object, of: int) -> int:
    """The place of an option; its key is its place as text."""
    place = int(value) if isinstance(value, str) and value.isdecimal() else value
    return whole(place, 0, of - 1, "The choice")


def _posed(state: State, node: Node, attribute: str) -> State:
    exercise = Exercise(node, attribute)
    return replace(
        state,
        exercise=exercise,
        typed={},
        shown=frozenset(),
        last=None,
        status=f"To work out: the gain of {exercise.label()}.",
    )


def _new(state: State) -> State:
    now = state.exercise.node, state.exercise.attribute
    node, attribute = another(state.nodes, state.seed, state.number, now)
    if (node, attribute) == now:
        msg = "There is no other exercise on this table."
        raise NotPossibleError(msg)
    return replace(_posed(state, node, attribute), number=state.number + 1)


def _typed(state: State, key: str, text: str) -> State:
    text, name = text.strip()[:_LONGEST], state.exercise.fields[key].name
    if key in state.shown:
        msg = f"The {name} has been shown already; start over to fill it in."
        raise NotPossibleError(msg)
    if text == ASK:
        return _shown(state, key)
    others = {k: v for k, v in state.typed.items() if k != key}
    if not text:
        return replace(state, typed=others, last=key, status=f"Emptied: {name}.")
    after = replace(state, typed={**others, key: text}, last=key)
    return replace(after, status=f"{name}: {'right' if after.verdicts[key].right else 'not yet'}.")


def _shown(state: State, key: str | None) -> State:
    if key is None:
        msg = "Every field is right; there is nothing left to show."
        raise NotPossibleError(msg)
    asked = state.exercise.fields[key]
    typed = {k: v for k, v in state.typed.items() if k != key}
    status = f"Shown: {asked.name} is {asked.shown}."
    return replace(state, typed=typed, shown=state.shown | {key}, last=key, status=status)
