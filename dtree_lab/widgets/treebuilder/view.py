"""What the browser is told: the state as plain values, texts and coordinates included."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import entropy
from dtree_lab.shown import bits, plural, value
from dtree_lab.splits import question
from dtree_lab.widgets.kit.actions import node_id
from dtree_lab.widgets.kit.cards import drawn
from dtree_lab.widgets.kit.parts import classes
from dtree_lab.widgets.kit.taking import row_number
from dtree_lab.widgets.treebuilder.applying import RECIPES
from dtree_lab.widgets.treebuilder.bars import offered
from dtree_lab.widgets.treebuilder.beside import Seen, seen
from dtree_lab.widgets.treebuilder.room import fitted
from dtree_lab.widgets.treebuilder.state import ROOT, State, error_text, name_of

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.widgets.treebuilder.grown import Grown
    from dtree_lab.widgets.treebuilder.room import Room


def view(state: State) -> dict[str, Any]:
    """Everything that is shown, ready for JSON."""
    shown = seen(state)
    return fitted(lambda room: _told(state, room) | _trees(state, shown, room))


def _trees(state: State, shown: Seen, room: Room) -> dict[str, Any]:
    """The tree and the parts beside it."""
    lit, other, parts = shown.lit, shown.other, shown.parts
    most = room.cards
    if other is not None:
        most = room.cards * 2 // 3
        way = other.lit if room.ways else None
        picture = replace(other, most=room.cards // 2, lit=way)
        parts = [picture if part is other else part for part in parts]
    ways = (state.selected,) if lit is None else (state.selected, lit)
    return {
        "tree": drawn(state.root.tree, *ways, tags=shown.tags, most=most),
        "lit": None if lit is None else node_id(lit),
        "parts": [part.json() for part in parts],
    }


def _told(state: State, room: Room) -> dict[str, Any]:
    size = state.root.tree
    return {
        "title": "Grow a tree by hand",
        "classes": classes(state.table.target),
        "selected": node_id(state.selected),
        "node": _node(state, room),
        "errors": {"training": error_text(state.root), "validation": _validation(state)},
        "size": (f"{plural(size.n_nodes, 'node')}, {_leaves(size.n_leaves)}, depth {size.depth}"),
        "can": _can(state),
        "recipes": list(RECIPES),
        "verdict": state.verdict and {"good": state.verdict.good, "text": state.verdict.text},
        "status": state.status,
        "problem": state.problem,
    }


def _leaves(n: int) -> str:
    return "1 leaf" if n == 1 else f"{n:,} leaves"


def _validation(state: State) -> str | None:
    if state.validation is None:
        return None
    wrong = _wrong(state.root, state.validation)
    return f"{wrong:,} of {plural(len(state.validation), 'row')} wrong"


@lru_cache(maxsize=4)
def _wrong(root: Grown, rows: Table) -> int:
    """How many rows a tree gets wrong; to look at another node changes nothing in it."""
    return round(root.tree.error(rows) * len(rows))


def _can(state: State) -> dict[str, bool]:
    node, at = state.node, state.selected
    locked = state.lock_on(at) is not None
    free = not locked and state.lock_below(at) is None
    open_ = not node.pure and node.best is not None
    return {
        "undo": bool(state.past),
        "redo": bool(state.undone),
        "cut": free and node.split is not None,
        "lock": at in state.locked or not locked,
        "best": free and open_ and not state.hidden,
        "finish": state.root.growable(state.locked),
        "reset": bool(state.steps),
    }


# -- the selected node ---------------------------------------------------------------------------


def _node(state: State, room: Room) -> dict[str, Any]:
    node, at = state.node, state.selected
    bars, more = offered(state, room)
    attributes = state.table.attributes
    asks = question(node.split, attributes[node.split.attribute]) if node.split else None
    return {
        "id": node_id(at),
        "where": name_of(state, at) if at != ROOT else "All rows",
        "rows": len(node.rows),
        "entropy": bits(entropy(node.counts)),
        "counts": list(node.counts),
        "locked": state.lock_on(at) is not None,
        "isBranch": node.split is not None,
        "asks": asks,
        "note": _note(state),
        "hidden": state.hidden,
        "bars": bars,
        "more": more,
        "table": _rows(node, room),
    }


def _note(state: State) -> str | None:
    node, locked = state.node, state.lock_on(state.selected)
    if locked is not None:
        return (
            "This node is locked: unlock it to change it."
            if locked == state.selected
            else ("A node above is locked, so this one stays as it is.")
        )
    if state.lock_below(state.selected) is not None:
        return "A node below is locked: unlock it to change this one."
    if node.pure:
        return "All rows here have one class: nothing is left to ask."
    if node.best is None:
        return "These rows are alike in every attribute: no question parts them."
    return None


def _rows(node: Grown, room: Room) -> dict[str, Any]:
    part = node.part.take(np.arange(min(len(node.rows), room.rows)))
    names = [*part.names[: room.columns], part.target.name]
    columns = [[value(v) for v in part.column(name)] for name in names]
    numbers = [str(row_number(node.table, row)) for row in node.rows[: room.rows].tolist()]
    more = [
        plural(n, word)
        for n, word in (
            (len(node.rows) - len(part), "more row"),
            (len(part.names) - len(names) + 1, "more attribute"),
        )
        if n > 0
    ]
    return {
        "head": ["", *names],
        "rows": [list(row) for row in zip(numbers, *columns, strict=True)],
        "more": f"… {' and '.join(more)}" if more else None,
    }
