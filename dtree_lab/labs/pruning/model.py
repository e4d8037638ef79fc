"""What can be done to a tree that is pruned, what is said about it, and its state as a text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from dtree_lab.base.text import plural
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Pick, Press, Select, Set
from dtree_lab.labs.kit.measured import BEGUN, with_tree_loaded
from dtree_lab.labs.kit.settings import Settings
from dtree_lab.labs.kit.taking import row_number
from dtree_lab.labs.pruning.state import (
    KEY,
    LEAST_CF,
    MOST_CF,
    State,
    difference_from_full,
    prepared,
    question_of,
    ranked,
)
from dtree_lab.prune import METHODS
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Path

_PRESSES = 64


def update(state: State, action: Action) -> State:
    """The state after an action; raises a NotPossibleError for one that cannot be done."""
    match action:
        case Set():
            return SETTINGS.set(state, action)
        case Press(control) if control in PRESSES:
            return PRESSES[control](state)
        case Select("tree", at):
            return replace(state, at=_node(state, at), row=None, status="")
        case Pick("nodes", row):
            return replace(state, at=_picked(ranked(state).nodes, row), row=None, status="")
        case Pick("changed", row):
            return _followed(state, _picked(difference_from_full(state).rows, row))
    raise SETTINGS.refusal(action)


# -- nodes -----------------------------------------------------------------------------------------


def _node(state: State, at: Path) -> int:
    """The node at a path of the tree that is seen."""
    node, flat = 0, state.data.flat
    for branch in at:
        shut = not state.faded and node in state.cuts_made
        if shut or not 0 <= branch < int(flat.width[node]):
            raise NotPossibleError(f"There is no node at {list(at)}.")
        node = int(flat.first[node]) + branch
    return node


def _picked(listed: list[int], row: int) -> int:
    if not 0 <= row < len(listed):
        raise NotPossibleError(f"There is no row {row + 1} in this table.")
    return listed[row]


def _nearest(state: State) -> State:
    """With what is pruned hidden, the node that is looked at must be one that is seen."""
    return state if state.faded else replace(state, at=int(state.covered[state.at]))


def _followed(state: State, row: int) -> State:
    at = int(state.data.stops[row])
    node = at if state.faded else int(state.covered[at])
    told = row_number(state.data.validation, row)
    return replace(state, at=node, row=row, status=f"The way of validation row {told}.")


def _cuttable(state: State) -> int:
    node, data = state.at, state.data
    if not state.on:
        msg = "Pruning is off; switch it on to prune."
    elif data.flat.attr[node] < 0:
        msg = "This node is a leaf: only a node that asks can be pruned."
    elif node in state.cuts_made:
        msg = "This node is pruned already; grow it back if you want its question again."
    elif state.covered[node] != node:
        msg = f"{_above(state, node)} is pruned, and this node with it: grow that one back first."
    else:
        return node
    raise NotPossibleError(msg)


def _above(state: State, node: int) -> str:
    return f"The node “{question_of(state.data, int(state.covered[node]))}” above"


# -- single cuts -----------------------------------------------------------------------------------


def _prune(state: State) -> State:
    node = _cuttable(state)
    return _told(state, (*state.cuts, node), f"Pruned “{question_of(state.data, node)}”")


def _restore(state: State) -> State:
    node = state.at
    if not state.on:
        raise NotPossibleError("Pruning is off: everything is grown.")
    if node not in state.cuts:
        hidden = state.covered[node] != node
        raise NotPossibleError(
            f"{_above(state, node)} is what was pruned: grow that one back."
            if hidden
            else "Nothing was pruned at this node."
        )
    kept = tuple(cut for cut in state.cuts if cut != node)
    return _told(state, kept, f"Grew “{question_of(state.data, node)}” back")


def _next(state: State) -> State:
    nodes = state.upcoming
    if not state.on:
        raise NotPossibleError("Pruning is off; switch it on to prune.")
    if not nodes:
        method = METHODS[state.method]
        raise NotPossibleError(
            f"No cut lowers the validation error any more: {method.called} ends here."
            if method.anew
            else f"{method.title} ends here; drag in the figure to see beyond."
        )
    name = question_of(state.data, nodes[0])
    what = f"Pruned “{name}”" if len(nodes) == 1 else f"Pruned {plural(len(nodes), 'node')}"
    return _told(replace(state, at=nodes[0]), (*state.cuts, *nodes), what)


def _back(state: State) -> State:
    if not state.cuts:
        raise NotPossibleError("Nothing is pruned: there is no cut to take back.")
    *kept, last = state.cuts
    return _told(
        replace(state, at=last), tuple(kept), f"Grew “{question_of(state.data, last)}” back"
    )


def _told(state: State, cuts: tuple[int, ...], what: str) -> State:
    """The state with other cuts, saying what that did to the validation rows."""
    after = _nearest(replace(state, cuts=cuts, on=True, row=None))
    before, now, rows = state.wrong[1], after.wrong[1], len(state.data.validation)
    wrong = f"still {now:,}" if before == now else f"{before:,}, now {now:,}"
    change = f"{wrong} of {plural(rows, 'validation row')} wrong"
    return replace(after, status=f"{what}: {plural(after.tree.n_nodes, 'node')}; {change}.")


def _by_method(state: State, method: str) -> State:
    after = replace(state, method=method, row=None)
    ends = plural(after.sequence.n_nodes[after.sequence.end], "node")
    trees = plural(len(after.sequence.stops), "tree")
    return replace(
        after, status=f"{METHODS[method].title}: {trees} in its sequence; it ends at {ends}."
    )


def _by_confidence(state: State, cf: float) -> State:
    takes = [name for name, one in METHODS.items() if "cf" in one.needs]
    method = state.method if state.method in takes else takes[0]
    return _to_end(replace(state, method=method, cf=round(cf, 6)))


def _to_end(state: State) -> State:
    found = state.sequence
    return _told(state, found.cuts(found.end), f"{METHODS[state.method].title} to its end")


def _resized(state: State, wanted: float) -> State:
    """The method's tree whose size is nearest; after keys, so many trees further."""
    sizes = np.array(state.sequence.n_nodes)
    now = state.tree.n_nodes
    if wanted == now and state.on and state.stop is not None:
        return state
    near = round(wanted)
    presses = round((wanted - near) / KEY)
    if 0 < abs(presses) <= _PRESSES and (near == now or near in sizes):
        ahead = sizes[sizes < near] if presses < 0 else np.sort(sizes[sizes > near])
        if not ahead.size:
            end = "smallest" if presses < 0 else "largest"
            raise NotPossibleError(f"This is the {end} tree of this method.")
        wanted = ahead[min(abs(presses), len(ahead)) - 1]
    stop = int(np.abs(sizes - wanted).argmin())
    return _told(state, state.sequence.cuts(stop), "Moved along the curve")


PRESSES: dict[str, Callable[[State], State]] = {
    "prune": _prune,
    "restore": _restore,
    "next": _next,
    "back": _back,
    "all": _to_end,
    "reset": lambda state: _told(replace(state, at=0), (), "Started over"),
}


def _switched(state: State, on: bool) -> State:  # noqa: FBT001 - as all settings
    status = "The cuts are made." if on else "The cuts are not made: the full tree."
    return replace(state, on=on, status=status)


def _load_cuts(state: State, given: list[Any]) -> State:
    """The cuts, each of which must be possible after those before it."""
    data, standing = state.data, state.data.standing("validation")
    for node in given:
        if not (type(node) is int and 0 <= node < data.flat.n_nodes and standing.asks[node]):
            raise SETTINGS.damage("cuts", node)
        standing.cut(node)
    return _nearest(replace(state, cuts=tuple(given)))


def _load_cf(state: State, cf: float) -> State:
    if not LEAST_CF <= cf <= MOST_CF:
        raise SETTINGS.damage("cf", cf)
    return replace(state, cf=cf)


SETTINGS = Settings(
    "PruningLab",
    State,
    sets={
        "method": _by_method,
        "cf": _by_confidence,
        "size": _resized,
        "on": _switched,
        "faded": lambda state, faded: _nearest(replace(state, faded=faded, status="")),
        "at": lambda state, at: _nearest(replace(state, at=at)),
    },
    shows={"size": lambda state: state.tree.n_nodes},
    tells={**BEGUN, "cuts": lambda state: list(state.cuts)},
    loads={"cf": _load_cf, "cuts": _load_cuts},
    by_hand=["at"],
    begun=BEGUN,
    table=lambda state: state.data.given,
    unknown="This lab has nothing to do for {action!r:.80}.",
    unset="There is no control {control!r} that takes {value!r:.40}.",
    damaged="cannot be {value!r:.40}",
)
dump = SETTINGS.dump


def load(text: str, table: Table | None = None, validation: Table | None = None) -> State:
    """The state of a text."""
    return with_tree_loaded(
        SETTINGS,
        text,
        lambda seed, questions: State(prepared(table, validation, seed, questions)),
    )
