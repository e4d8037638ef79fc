"""What the browser is told: the state as plain values, texts and coordinates included."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.criteria import entropy
from dtree_lab.shown import bits, plural, value
from dtree_lab.splits import question
from dtree_lab.widgets.kit import actions as kit
from dtree_lab.widgets.kit.actions import node_id
from dtree_lab.widgets.kit.controls import Button, Menu
from dtree_lab.widgets.kit.parts import Foot, Grid, Questions, Toolbar, TreePicture
from dtree_lab.widgets.kit.taking import row_number
from dtree_lab.widgets.treebuilder.applying import RECIPES
from dtree_lab.widgets.treebuilder.bars import offered
from dtree_lab.widgets.treebuilder.inspecting import InspectionView, inspected
from dtree_lab.widgets.treebuilder.room import FittedView, fitted
from dtree_lab.widgets.treebuilder.state import ROOT, State, error_text, name_of

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.widgets.kit.parts import Part
    from dtree_lab.widgets.treebuilder.grown import Grown
    from dtree_lab.widgets.treebuilder.room import Room

HINT = (
    "Arrow keys walk the tree, Enter leads to the questions of a node, Escape back to the tree."
)
KEYS = {"ctrl+z": "undo", "shift+ctrl+z": "redo", "ctrl+y": "redo", "delete": "cut"}


def view(state: State) -> FittedView:
    """What is shown, with as much of the tree and its table as a message has room for."""
    inspection = inspected(state)
    return fitted(lambda room: _view(state, inspection, room))


def _view(state: State, inspection: InspectionView, room: Room) -> FittedView:
    return FittedView(
        "Grow a tree by hand",
        [
            _tools(state),
            *_trees(state, inspection, room),
            _questions(state, room),
            _rows(state, room),
        ],
        target=state.table.target,
        verdict=state.verdict.text if state.verdict else "",
        status=state.status,
        problem=state.problem,
        columns=room.text,
    )


def _trees(state: State, inspection: InspectionView, room: Room) -> list[Part]:
    """The tree, what is said of it, and the parts that it is inspected by."""
    lit, other, parts = inspection.lit, inspection.other, inspection.parts
    most = room.cards
    if other is not None:
        most = room.cards * 2 // 3
        way = other.lit if room.ways else None
        picture = replace(other, most=room.cards // 2, lit=way)
        parts = [picture if part is other else part for part in parts]
    tree = state.root.tree
    size = f"{plural(tree.n_nodes, 'node')}, {_leaves(tree.n_leaves)}, depth {tree.depth}"
    return [
        TreePicture(
            kit.TREE,
            tree,
            state.selected,
            tags=inspection.tags,
            lit=lit,
            most=most,
            label=f"Decision tree, {size}",
            main=True,
        ),
        Foot("foot", f"{_errors(state)} · {size}", HINT),
        *(replace(part, area="flow") for part in parts),
    ]


def _leaves(n: int) -> str:
    return "1 leaf" if n == 1 else f"{n:,} leaves"


def _errors(state: State) -> str:
    told = f"Training error: {error_text(state.root)}"
    if state.validation is None:
        return told
    wrong = _wrong(state.root, state.validation)
    return f"{told} · Validation error: {wrong:,} of {plural(len(state.validation), 'row')} wrong"


@lru_cache(maxsize=4)
def _wrong(root: Grown, rows: Table) -> int:
    """How many rows a tree gets wrong; to look at another node changes nothing in it."""
    return round(root.tree.error(rows) * len(rows))


def _tools(state: State) -> Toolbar:
    node, at = state.node, state.selected
    locked = state.lock_on(at) is not None
    free = not locked and state.lock_below(at) is None
    open_ = not node.pure and node.best is not None
    lockable = at in state.locked or not locked
    growable = state.root.growable(state.locked)
    return Toolbar(
        "tools",
        "Tools",
        [
            Button("undo", "Undo", enabled=bool(state.past)),
            Button("redo", "Redo", enabled=bool(state.undone)),
            Button("best", "Best split here", enabled=free and open_ and not state.hidden),
            Button("cut", "Cut back to a leaf", enabled=free and node.split is not None),
            Button("lock", "Unlock" if locked else "Lock", enabled=lockable),
            Menu(
                "finish", "Finish with", list(RECIPES), "Algorithm to finish with", enabled=growable
            ),
            Button("reset", "Start over", enabled=bool(state.steps)),
        ],
        KEYS,
    )


# -- the selected node ---------------------------------------------------------------------------


def _questions(state: State, room: Room) -> Questions:
    node, at, n = state.node, state.selected, len(state.node.rows)
    bars, more = offered(state, room)
    where = name_of(state, at) if at != ROOT else "All rows"
    hidden = "Choose first: the gains are shown after your choice." if state.hidden else ""
    rows = "row" if n == 1 else "rows"
    return Questions(
        kit.QUESTIONS,
        "What to ask at this node",
        bars,
        about=node_id(at),
        where=f"{where}: {n} {rows}, H(Y) = {bits(entropy(node.counts))} bits",
        note=_note(state) or hidden,
        rows=n,
        asks=question(node.split, state.table.attributes[node.split.attribute])
        if node.split
        else None,
        hidden=state.hidden,
        locked=state.lock_on(at) is not None,
        more=more,
        area="side",
    )


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


def _rows(state: State, room: Room) -> Grid:
    node = state.node
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
    return Grid(
        "node-rows",
        "Rows at this node",
        ["", *names],
        [list(row) for row in zip(numbers, *columns, strict=True)],
        heading="Rows at this node",
        classes=len(names),
        more=f"… {' and '.join(more)}" if more else "",
        sticky=True,
        about=node_id(state.selected),
        area="under",
    )
