"""What can be done in an expressiveness lab."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dtree_lab.shown import plural
from dtree_lab.tree import Branch
from dtree_lab.widgets.expressiveness.concept import NONE, PARITY, SUM
from dtree_lab.widgets.expressiveness.laws import FUNCTIONS, MOST_N
from dtree_lab.widgets.expressiveness.state import OWN, State
from dtree_lab.widgets.kit.actions import NotPossibleError, Pick, Press, Select, Set, whole
from dtree_lab.widgets.kit.cards import node_at
from dtree_lab.widgets.kit.taking import row_number

if TYPE_CHECKING:
    from dtree_lab.tree import Path
    from dtree_lab.widgets.kit.actions import Action

MOST_LISTED = 64


def update(state: State, action: Action) -> State:
    """The state after an action; a `NotPossibleError` says why it cannot be done."""
    match action:
        case Set(control, given):
            return _set(state, control, given)
        case Select("tree", at):
            return _selected(state, at)
        case Pick("rows", row):
            return _followed(state, row)
        case Press("next"):
            return _next(state)
        case Press("reset"):
            function, n = state.begun
            return replace(State(state.given, function, n, state.begun), status="Started over.")
    raise _unknown(action)


def _set(state: State, control: str, given: float | str | bool) -> State:  # noqa: FBT001 - a value
    match control, given:
        case "n", _:
            return _sized(state, whole(given, 1, MOST_N, "n"))
        case "function", str(name) if name in FUNCTIONS or (name == OWN and state.given):
            return _another(_anew(replace(state, function=name)))
        case "feature", str(name) if name in (NONE, PARITY, SUM):
            return _derived(state, name)
        case "scale", "log" | "plain":
            return replace(state, logarithmic=given == "log", status="")
    raise _unknown(Set(control, given))


def _unknown(action: Action) -> NotPossibleError:
    return NotPossibleError(f"Nothing here does this: {str(action)[:80]}")


def _anew(state: State) -> State:
    """Without what belongs to another table."""
    return replace(state, selected=(), row=None)


def _told(state: State) -> State:
    """With the size of the new tree as what changed."""
    grown = state.grown
    size = f"{plural(grown.internal, 'internal node')}, {plural(grown.tree.n_nodes, 'node')} in all"
    return replace(state, status=f"ID3's tree has {size}.")


def _sized(state: State, n: int) -> State:
    if state.function == OWN:
        msg = "The given table has the attributes that it has: choose a function to change n."
        raise NotPossibleError(msg)
    return _told(_anew(replace(state, n=n)))


def _another(state: State) -> State:
    """With another function, and the derived attribute that was chosen, where it can be had."""
    if state.feature == NONE or state.concept.trues is not None:
        return _compared(state)
    without = _told(replace(state, feature=NONE))
    missing = "No derived attribute here: a sum needs attributes of two values each."
    return replace(without, status=f"{without.status} {missing}")


def _derived(state: State, feature: str) -> State:
    if feature != NONE and state.concept.trues is None:
        msg = "A sum needs attributes of two values each; this table has others too."
        raise NotPossibleError(msg)
    return _compared(replace(state, feature=feature, selected=()))


def _compared(state: State) -> State:
    """With what the derived attribute does to the tree, if there is one, as what changed."""
    if state.feature == NONE:
        return _told(state)
    before, now = state.concept.plain.internal, state.grown.internal
    name = state.concept.name_of(state.feature)
    status = f"With {name}: {plural(now, 'internal node')} instead of {before}."
    if now == before:
        status = f"With {name}: {plural(now, 'internal node')}, as without it."
    return replace(state, status=status)


def _selected(state: State, at: Path) -> State:
    if node_at(state.grown.tree.root, at) is None:
        msg = f"There is no node at {list(at)[:20]}."
        raise NotPossibleError(msg)
    return replace(state, selected=at, status="")


def _followed(state: State, row: int) -> State:
    """A row's way through the tree; the same row once more: no way."""
    if not 0 <= row < min(state.concept.table.n_rows, MOST_LISTED):
        msg = f"There is no row {row + 1} in the list."
        raise NotPossibleError(msg)
    if row == state.row:
        return replace(state, row=None, status="")
    at = way(state, row)
    status = f"Row {row_number(state.concept.table, row)} meets {plural(len(at), 'question')}."
    return replace(state, row=row, selected=at, status=status)


def way(state: State, row: int) -> Path:
    """The path of a row's leaf."""
    grown, path = state.grown, []
    node = grown.tree.root
    while isinstance(node, Branch):
        column = grown.table.columns[node.split.attribute]
        path.append(int(node.split.branch(column[row : row + 1])[0]))
        node = node.children[path[-1]]
    return tuple(path)


def _next(state: State) -> State:
    """The derived attribute; then one attribute more, without it."""
    if state.feature == NONE and state.concept.trues is not None:
        return _derived(state, PARITY)
    if state.function == OWN:
        msg = "That is all there is to this table: choose a function, or start over."
        raise NotPossibleError(msg)
    if state.n == MOST_N:
        msg = f"n goes up to {MOST_N}. Choose another function, or start over."
        raise NotPossibleError(msg)
    return _told(_anew(replace(state, n=state.n + 1, feature=NONE)))
