"""The model of :class:`dtree_lab.TreeBuilder`: a state, actions, and ``update``.

No Jupyter here. A widget is ``update(state, action)`` for every action that comes up from the
browser and ``view(state)`` (in :mod:`.view`) going down. Undoing is a step back in a tuple.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, assert_never

from dtree_lab.learn.api import make_split
from dtree_lab.widgets.kit import actions as kit
from dtree_lab.widgets.kit.actions import NotPossibleError
from dtree_lab.widgets.treebuilder import inspecting
from dtree_lab.widgets.treebuilder.actions import Ask, Best, CutBack, Finish, Lock, Reset
from dtree_lab.widgets.treebuilder.applying import applied
from dtree_lab.widgets.treebuilder.grown import present

if TYPE_CHECKING:
    from dtree_lab.table import Value
    from dtree_lab.tree import Path
    from dtree_lab.widgets.treebuilder.actions import Step
    from dtree_lab.widgets.treebuilder.state import State


def update(state: State, action: kit.Action | Step) -> State:
    """The state after an action. One that cannot be done changes nothing but `problem`."""
    try:
        return done(state, action)
    except (NotPossibleError, ValueError) as error:
        return replace(state, problem=str(error), status="")


def done(state: State, action: kit.Action | Step) -> State:
    """As :func:`update`, but an action that cannot be done raises a ValueError."""
    match action:
        case Ask() | Best() | CutBack() | Lock() | Finish() | Reset():
            return replace(_stepped(state, action), undone=())
        case kit.Select(kit.TREE, at):
            return _selected(state, at)
        case kit.Draft():
            return _drafted(state, action)
        case kit.Split(_, attribute, cut, at):
            where, name = state.selected if at is None else at, _attribute(state, attribute)
            return done(state, Ask(where, name, _how(state, where, name, cut)))
        case kit.Press("undo") | kit.Use("undo"):
            return _undone(state)
        case kit.Press("redo") | kit.Use("redo"):
            return _redone(state)
        case kit.Press("next") | kit.Use("next"):
            return done(state, Best(_next_leaf(state)))
        case kit.Press("reset") | kit.Use("reset"):
            return done(state, Reset())
        case kit.Use("finish", _, str(name)):
            return done(state, Finish(name))
        case kit.Press(tool) if tool in _AT:
            return done(state, _AT[tool](state.selected))
        case kit.Use(tool, at) if tool in _AT:
            return done(state, _AT[tool](state.selected if at is None else at))
        case _:
            return inspecting.changed(state, action)


# Tools that act on the selected node, unless a message names another.
_AT: dict[str, type[Best | CutBack | Lock]] = {"best": Best, "cut": CutBack, "lock": Lock}


# -- questions as the browser sends them -----------------------------------------------------------


def _drafted(state: State, draft: kit.Draft) -> State:
    name = _attribute(state, draft.attribute)
    groups = isinstance(draft.branches, list)
    how = _groups(state, name, draft.branches) if groups else _number(name, draft.cut)
    return tried(state, name, how)


def tried(state: State, attribute: str, how: Any) -> State:
    """The state with a cut or groups of values being tried at the selected node."""
    make_split(state.node.part, (attribute, how))
    drafts = {**state.drafts, (state.selected, attribute): how}
    return replace(state, drafts=drafts, problem=None)


def _how(state: State, at: Path, attribute: str, cut: Any) -> Any:
    """The cut that a message has, or the groups of values that are being tried there."""
    if cut is not None:
        return _number(attribute, cut)
    draft = state.drafts.get((at, attribute))
    return draft if isinstance(draft, list) and any(len(group) > 1 for group in draft) else None


def _groups(state: State, attribute: str, branches: list[Any]) -> list[list[Value]]:
    """Groups of the values that rows here have, given the branch of each, in their order."""
    values = present(state.node, attribute)
    if len(branches) != len(values) or not all(type(branch) is int for branch in branches):
        msg = f"{attribute!r} has {len(values)} values here, each of which needs a branch."
        raise NotPossibleError(msg)
    groups: dict[int, list[Value]] = {}
    for v, branch in zip(values, branches, strict=True):
        groups.setdefault(branch, []).append(v)
    if len(groups) < 2:  # noqa: PLR2004 - one branch would be no question
        msg = f"All values of {attribute!r} in one branch would be no question."
        raise NotPossibleError(msg)
    return list(groups.values())


def _attribute(state: State, i: Any) -> str:
    """The name of an attribute, which the view knows by its position."""
    names = state.table.names
    if type(i) is not int or not 0 <= i < len(names):
        msg = f"There is no attribute {i!r}; there are {len(names)}, counted from 0."
        raise NotPossibleError(msg)
    return names[i]


def _number(attribute: str, cut: Any) -> float:
    try:
        return kit.finite(cut)
    except (NotPossibleError, TypeError):
        msg = f"The cut of {attribute!r} must be a number."
        raise NotPossibleError(msg) from None


# -- looking, undoing, redoing ---------------------------------------------------------------------


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
        inspection=state.inspection,
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
        case CutBack():
            return "cutting back to a leaf"
        case Lock(at):
            return "unlocking" if at in state.locked else "locking"
        case Finish(name):
            return f"finishing with {name}"
        case Reset():
            return "starting over"
        case _:
            assert_never(step)
