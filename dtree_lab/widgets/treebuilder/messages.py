"""The browser's messages as actions. A message is data from outside: it is read with care."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from dtree_lab.widgets.kit import actions as kit
from dtree_lab.widgets.kit.actions import NotPossibleError, path_of
from dtree_lab.widgets.treebuilder.actions import (
    Action,
    Aside,
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
from dtree_lab.widgets.treebuilder.grown import present

if TYPE_CHECKING:
    from dtree_lab.table import Value
    from dtree_lab.tree import Path
    from dtree_lab.widgets.treebuilder.state import State


def read(message: Any, state: State) -> Action:
    """The action that a message asks for, on the selected node unless it names one.

    Raises
    ------
    NotPossibleError
        For a message that is none of those that the view sends.
    """
    match message:
        case {"do": "set" | "pick" | "compare-keep" | "follow-wrong"} | {"do": "select", "part": _}:
            return _beside(message)
        case dict():
            return _own(message, state)
    raise _unreadable(message)


def _beside(message: dict[str, Any]) -> Aside:
    """An action on what stands beside the tree."""
    action = kit.read(message)
    if isinstance(action, kit.Point):
        raise _unreadable(message)
    return action


def _unreadable(message: Any) -> NotPossibleError:
    return NotPossibleError(f"The view sent something that cannot be read: {str(message)[:80]}")


def _own(message: dict[str, Any], state: State) -> Action:
    """An action on the tree."""
    at = path_of(message["at"]) if "at" in message else state.selected
    if "attribute" in message:
        message = {**message, "attribute": _attribute(state, message["attribute"])}
    match message:
        case {"do": "draft", "attribute": str(attribute)}:
            return Draft(attribute, _tried(state, attribute, message))
        case {"do": "split", "attribute": str(attribute)}:
            return Ask(at, attribute, _how(state, at, attribute, message))
        case {"do": "finish", "recipe": str(recipe)}:
            return Finish(recipe)
        case {"do": str(name)} if name in _PLAIN:
            return _PLAIN[name]()
        case {"do": str(name)} if name in _AT:
            return _AT[name](at)
    raise _unreadable(message)


_PLAIN: dict[str, type[Undo | Redo | Reset | Next]] = {
    "undo": Undo,
    "redo": Redo,
    "reset": Reset,
    "next": Next,
}
_AT: dict[str, type[Select | Best | Cut | Lock]] = {
    "select": Select,
    "best": Best,
    "cut": Cut,
    "lock": Lock,
}


def _how(state: State, at: Path, attribute: str, message: dict[str, Any]) -> Any:
    """The cut that the message has, or the groups of values that are being tried there."""
    if "cut" in message:
        return _number(attribute, message["cut"])
    draft = state.drafts.get((at, attribute))
    return draft if isinstance(draft, list) and any(len(group) > 1 for group in draft) else None


def _tried(state: State, attribute: str, message: dict[str, Any]) -> Any:
    """The cut or the groups of values that a draft tries."""
    branches = message.get("branches")
    if isinstance(branches, list):
        return _groups(state, attribute, branches)
    return _number(attribute, message.get("cut"))


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
    if isinstance(cut, bool) or not isinstance(cut, int | float) or not isfinite(cut):
        msg = f"The cut of {attribute!r} must be a number."
        raise NotPossibleError(msg)
    return float(cut)
