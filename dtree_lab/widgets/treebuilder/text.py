"""A state as a short text that recreates it, for keeping and for handing in.

The text is JSON: the steps in order, each a list such as ``["ask", [0], "Taxable Income", 80]``,
the selected node, and a check sum of the table that they were made on. What stands beside the tree
is there if it was used: whom to follow, what to compare with, the steps of a tree that was kept.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, assert_never

from dtree_lab.widgets.kit import actions as kit
from dtree_lab.widgets.kit.keeping import kept, settings
from dtree_lab.widgets.kit.taking import row_number
from dtree_lab.widgets.treebuilder.actions import Ask, Best, CutBack, Finish, Lock, Reset, Step
from dtree_lab.widgets.treebuilder.inspecting import OtherTree, tables
from dtree_lab.widgets.treebuilder.model import done
from dtree_lab.widgets.treebuilder.state import Reveal, State, start

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.tree import Path

LAB = "TreeBuilder"
_KINDS = {"reveal": str, "steps": list, "selected": list}


def dump(state: State) -> str:
    """The state as text."""
    own = {
        "reveal": state.reveal,
        "steps": [_dump(step) for step in state.steps],
        "selected": list(state.selected),
    }
    beside = _dump_beside(state)
    return kept(LAB, state.table, {**own, "beside": beside} if beside else own)


def _dump_beside(state: State) -> dict[str, Any]:
    inspection = state.inspection
    used: dict[str, Any] = {}
    if inspection.follow.whom:
        row = row_number(tables(state)[inspection.follow.which], inspection.follow.row)
        used["follow"] = [inspection.follow.whom, row - 1]
    if inspection.kept is not None:
        used["kept"] = [_dump(step) for step in inspection.kept.steps]
    if inspection.against:
        used["compare"] = [inspection.against, inspection.rows]
    return used


def load(text: str, table: Table, *, validation: Table | None = None) -> State:
    """The state of a text, by making its steps again.

    Raises
    ------
    ValueError
        For a text that is no state, one made on another table, or a step that cannot be made,
        naming it.
    """
    data = settings(text, LAB, table, _KINDS)
    reveal: Reveal = data["reveal"]
    fresh = start(table, validation=validation, reveal=reveal)
    state = _made(fresh, data["steps"])
    state = done(state, kit.Select(kit.TREE, _path(data["selected"])))
    raw = json.loads(text).get("beside", {})
    return replace(_load_beside(state, fresh, raw), status="")


def _made(state: State, steps: list[Any]) -> State:
    """The state after some steps."""
    for number, raw in enumerate(steps, start=1):
        try:
            state = done(state, _load(raw))
        except ValueError as error:
            msg = f"step {number}, {raw!r}, cannot be made: {error}"
            raise ValueError(msg) from None
    return state


def _load_beside(state: State, fresh: State, raw: Any) -> State:
    """The state with what stood beside the tree."""
    match raw:
        case {"kept": list(steps)}:
            then = _made(fresh, steps)
            kept = OtherTree(then.root.tree, then.steps)
            state = replace(state, inspection=replace(state.inspection, kept=kept))
    try:
        for action in _actions(raw):
            state = done(state, action)
    except ValueError as error:
        msg = f"what stood beside the tree cannot be made again: {error}"
        raise ValueError(msg) from None
    return state


def _actions(raw: Any) -> list[kit.Set]:
    """What a person would do to have the same beside the tree."""
    actions: list[kit.Set] = []
    for key, one in raw.items() if isinstance(raw, dict) else [("", raw)]:
        match key, one:
            case "follow", [str(whom), int(row)]:
                actions += [kit.Set("follow", whom), kit.Set("follow-row", row + 1)]
            case "compare", [str(against), str(rows)]:
                actions += [kit.Set("compare-on", rows), kit.Set("compare", against)]
            case "kept", list():
                pass  # made before these
            case _:
                msg = f"it is of the wrong sort: {key} {one!r}"
                raise ValueError(msg)
    return actions


def steps_of(text: str) -> list[Step]:
    """The steps that a text holds, without making them; a ValueError for one that is no state."""
    return [_load(raw) for raw in settings(text, LAB, None, _KINDS)["steps"]]


def _dump(step: Step) -> list[Any]:
    match step:
        case Ask(at, attribute, how):
            return ["ask", list(at), attribute, *([] if how is None else [how])]
        case Best(at):
            return ["best", list(at)]
        case CutBack(at):
            return ["cut", list(at)]
        case Lock(at):
            return ["lock", list(at)]
        case Finish(recipe):
            return ["finish", recipe]
        case Reset():
            return ["reset"]
        case _:
            assert_never(step)


def _load(raw: Any) -> Step:
    match raw:
        case ["ask", list(at), str(attribute)]:
            return Ask(_path(at), attribute)
        case ["ask", list(at), str(attribute), how]:
            return Ask(_path(at), attribute, how)
        case ["best", list(at)]:
            return Best(_path(at))
        case ["cut", list(at)]:
            return CutBack(_path(at))
        case ["lock", list(at)]:
            return Lock(_path(at))
        case ["finish", str(recipe)]:
            return Finish(recipe)
        case ["reset"]:
            return Reset()
    msg = f"the state is damaged: {raw!r} is no step"
    raise ValueError(msg)


def _path(raw: Any) -> Path:
    if not all(type(branch) is int for branch in raw):
        msg = f"the state is damaged: {raw!r} is no path"
        raise ValueError(msg)
    return tuple(raw)
