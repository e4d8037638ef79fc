"""What each step does to the tree, and what is said about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, assert_never

from dtree_lab.learn.api import make_split
from dtree_lab.learn.candidates import weigh
from dtree_lab.learn.recipe import recipe
from dtree_lab.shown import bits, plural
from dtree_lab.splits import question
from dtree_lab.widgets.kit.actions import NotPossibleError
from dtree_lab.widgets.treebuilder.actions import Ask, Best, CutBack, Finish, Lock, Reset
from dtree_lab.widgets.treebuilder.grown import Grown, check_depth, planted
from dtree_lab.widgets.treebuilder.state import (
    ROOT,
    State,
    SplitVerdict,
    error_text,
    name_of,
)

if TYPE_CHECKING:
    from dtree_lab.splits import Split
    from dtree_lab.tree import Path
    from dtree_lab.widgets.treebuilder.actions import Step

RECIPES: dict[str, Literal["id3", "c45", "cart"]] = {"ID3": "id3", "C4.5": "c45", "CART": "cart"}


def applied(state: State, step: Step) -> State:
    """The state after a step; a ValueError says why one cannot be made."""
    match step:
        case Ask(at, attribute, how):
            return _asked(state, at, make_split(_open(state, at).part, (attribute, how)))
        case Best(at):
            return _best(state, at)
        case CutBack(at):
            return _cut(state, at)
        case Lock(at):
            return _lock(state, at)
        case Finish(name):
            return _finished(state, name)
        case Reset():
            return _reset(state)
        case _:
            assert_never(step)


def _node(state: State, at: Path) -> Grown:
    node = state.root.at(at)
    if node is None:
        msg = f"There is no node at {list(at)}."
        raise NotPossibleError(msg)
    return node


def _free(state: State, at: Path) -> Grown:
    """The node of a path, if nothing at, above or below it is locked."""
    node = _node(state, at)
    locked = state.lock_on(at)
    if locked is None:
        locked = state.lock_below(at)
    if locked is not None:
        what = "This node is" if locked == at else f"The node {name_of(state, locked)} is"
        msg = f"{what} locked; unlock it first."
        raise NotPossibleError(msg)
    return node


def _open(state: State, at: Path) -> Grown:
    """The node of a path, if it is free and has something to ask."""
    node = _free(state, at)
    if node.pure:
        msg = "All rows here have one class: there is nothing left to ask."
        raise NotPossibleError(msg)
    return node


def _best(state: State, at: Path) -> State:
    best = _open(state, at).best
    if best is None:
        msg = "These rows are alike in every attribute: no question parts them."
        raise NotPossibleError(msg)
    return _asked(state, at, best.split)


def _reset(state: State) -> State:
    return replace(
        state,
        root=planted(state.table),
        locked=frozenset(),
        selected=ROOT,
        verdict=None,
        status="Started over with one leaf.",
    )


def _asked(state: State, at: Path, split: Split) -> State:
    node = _node(state, at)
    asks = question(split, state.table.attributes[split.attribute])
    if node.split == split:  # asking again would only throw away what has grown below
        msg = f"This node asks {asks} already."
        raise NotPossibleError(msg)
    check_depth(len(at) + 1)
    root = state.root.edited(at, lambda old: old.asking(split)).told_by("entropy")
    branches = plural(split.n_branches, "branch").replace("branchs", "branches")
    after = replace(state, root=root, selected=at, revealed=state.revealed | {at})
    return replace(
        after,
        verdict=judged(node, split),
        status=f"Asked {asks}: {branches}. Training error: {error_text(root)}.",
    )


def _cut(state: State, at: Path) -> State:
    node = _free(state, at)
    if node.split is None:
        msg = "This node is a leaf already."
        raise NotPossibleError(msg)
    gone = node.tree.n_nodes - 1
    root = state.root.edited(at, Grown.leaf)
    status = f"Cut back to a leaf: {plural(gone, 'node')} gone. Training error: {error_text(root)}."
    return replace(state, root=root, selected=at, verdict=None, status=status)


def _lock(state: State, at: Path) -> State:
    _node(state, at)
    if at in state.locked:
        status = "Unlocked."
    elif state.lock_on(at) is not None:
        msg = "A node above this one is locked, which locks this one too."
        raise NotPossibleError(msg)
    else:
        status = "Locked: this node and all below it stay as they are."
    return replace(state, locked=state.locked ^ {at}, selected=at, verdict=None, status=status)


def _finished(state: State, name: str) -> State:
    if name not in RECIPES:
        msg = f"There is no recipe {name!r}; there are {', '.join(RECIPES)}."
        raise NotPossibleError(msg)
    how = recipe(RECIPES[name])
    root = state.root.finished(how, state.locked).told_by(how.criterion.name)
    more = root.tree.n_nodes - state.root.tree.n_nodes
    if not more:
        msg = "Nothing is left to grow: every leaf is pure, cannot be parted, or is locked."
        raise NotPossibleError(msg)
    status = (
        f"Finished with {name}: {plural(more, 'node')} more. Training error: {error_text(root)}."
    )
    return replace(state, root=root, verdict=None, status=status)


def judged(node: Grown, split: Split) -> SplitVerdict | None:
    """What a split was worth at a node, beside the best one there."""
    best = node.best
    if best is None:
        return None
    chosen, attributes = weigh(node.part, split), node.table.attributes
    mine = question(split, attributes[split.attribute])
    theirs = question(best.split, attributes[best.split.attribute])
    if chosen.settled <= best.settled:
        same = "" if mine == theirs else f" {theirs} would have gained as much."
        text = f"{mine} gains {bits(chosen.gain)} bits: no question gains more.{same}"
        return SplitVerdict(good=True, text=text)
    cost = bits(best.gain - chosen.gain)
    text = (
        f"{mine} gains {bits(chosen.gain)} bits. {theirs} would have gained {bits(best.gain)}:"
        f" your choice cost {cost} bits."
    )
    return SplitVerdict(good=False, text=text)
