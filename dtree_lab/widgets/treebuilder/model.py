"""The model of :class:`dtree_lab.TreeBuilder`: a state, actions, and ``update``.

No Jupyter here. A widget is ``update(state, action)`` for every action that comes up from the
browser and ``view(state)`` (in :mod:`.view`) going down. Undoing is a step back in a tuple.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from dtree_lab.learn.api import make_split
from dtree_lab.widgets.kit import actions as kit
from dtree_lab.widgets.kit.actions import NotPossibleError
from dtree_lab.widgets.treebuilder import beside
from dtree_lab.widgets.treebuilder.actions import (
    Ask,
    Best,
    Cut,
    Draft,
    Finish,
    Lock,
    Next,
    Redo,
    Reset,
    Select,
    Undo,
)
from dtree_lab.widgets.treebuilder.applying import applied

if TYPE_CHECKING:
    from dtree_lab.tree import Path
    from dtree_lab.widgets.treebuilder.actions import Action, Step
    from dtree_lab.widgets.treebuilder.state import State


def update(state: State, action: Action) -> State:
    """The state after an action. One that cannot be done changes nothing but `problem`."""
    try:
        return done(state, action)
    except (NotPossibleError, ValueError) as error:
        return replace(state, problem=str(error), status="")


def done(state: State, action: Action) -> State:
    """As :func:`update`, but an action that cannot be done raises a ValueError."""
    match action:
        case Select(at):
            return _selected(state, at)
        case Draft(attribute, how):
            make_split(state.node.part, (attribute, how))
            drafts = {**state.drafts, (state.selected, attribute): how}
            return replace(state, drafts=drafts, problem=None)
        case Undo():
            return _undone(state)
        case Redo():
            return _redone(state)
        case Next():
            return done(state, Best(_next_leaf(state)))
        case kit.Set() | kit.Press() | kit.Pick() | kit.Select():
            return beside.changed(state, action)
        case Ask() | Best() | Cut() | Lock() | Finish() | Reset():
            return replace(_stepped(state, action), undone=())
        case _:
            assert_never(action)


def _selected(state: State, at: Path) -> State:
    if state.root.at(at) is None:
        msg = f"There is no node at {list(at)}."
        raise NotPossibleError(msg)
    return replace(state, selected=at, problem=None, verdict=None, status="")


def _next_leaf(state: State) -> Path:
    """The selected node, or the first that can grow where this one cannot."""
    leaves = [(state.selected, state.node), *state.root.leaves()]
    for path, leaf in leaves:
        if leaf.split is None and not leaf.pure and leaf.best and state.lock_on(path) is None:
            return path
    msg = "The tree is grown: every leaf is pure, cannot be parted, or is locked."
    raise NotPossibleError(msg)


def _undone(state: State) -> State:
    if not state.past:
        msg = "There is nothing to undo."
        raise NotPossibleError(msg)
    before, last = state.past[-1], state.steps[-1]
    selected = before.root.nearest(state.selected)
    return replace(
        before,
        selected=selected,
        undone=(last, *state.undone),
        revealed=state.revealed,
        drafts=state.drafts,
        beside=state.beside,
        verdict=None,
        problem=None,
        status=f"Undone: {described(last, before)}.",
    )


def _redone(state: State) -> State:
    if not state.undone:
        msg = "There is nothing to redo."
        raise NotPossibleError(msg)
    first, *rest = state.undone
    return replace(_stepped(state, first), undone=tuple(rest))


def _stepped(state: State, step: Step) -> State:
    after = applied(state, step)
    return replace(after, steps=(*state.steps, step), past=(*state.past, state), problem=None)


def described(step: Step, state: State) -> str:
    """A step in a few words, given the state before it."""
    match step:
        case Ask(_, attribute, _):
            return f"asking {attribute}"
        case Best():
            return "the best split"
        case Cut():
            return "cutting back to a leaf"
        case Lock(at):
            return "unlocking" if at in state.locked else "locking"
        case Finish(name):
            return f"finishing with {name}"
        case Reset():
            return "starting over"
        case _:
            assert_never(step)
