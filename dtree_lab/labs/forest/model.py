"""What an action does to the forest lab, the growing between actions, and its state as a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter

from dtree_lab.labs.forest.growth import by_permutation, permuted_trees
from dtree_lab.labs.forest.state import MOST_TREES, State, asking, doubtful, nearest, start, usable
from dtree_lab.labs.kit.actions import (
    Action,
    NotPossibleError,
    Pick,
    Point,
    Press,
    Select,
    Set,
    finite,
    node_id,
    path_of,
    whole_number,
)
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.keeping import settings_of
from dtree_lab.labs.kit.settings import Settings
from dtree_lab.labs.kit.taking import row_kept, row_number
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Path

# Seconds that a step of the work takes: trees are grown by more or fewer at a time.
_SHORT, _LONG = 0.015, 0.04


def update(state: State, action: Action) -> State:
    """The state after an action; a `NotPossibleError` says why it cannot be done."""
    state = replace(state, status="")
    match action:
        case Set():
            return SETTINGS.set(state, action)
        case Point("errors", x, _):
            tree = min(max(round(finite(x)), 1), state.asked.trees)
            return replace(state, tree=tree - 1, node=None)
        case Pick(part, place) if part in ("near", "doubtful", "wall"):
            return _picked(state, part, place)
        case Select("tree", at):
            return _selected(state, at)
        case Press("next"):
            return _one_more(state)
        case Press("again"):
            return asking(state, replace(state.asked, seed=(state.asked.seed + 1) % (1 << 32)))
        case Press("reset"):
            begun = asking(state, state.first)
            return replace(begun, row=state.home, tree=0, node=None, beside="errors")
    raise SETTINGS.refusal(action)


def _picked(state: State, part: str, place: int) -> State:
    """A tile of the wall, which then stands large beside it, or a row of a list."""
    if part == "wall":
        tree = whole_number(place + 1, 1, state.n, "The tree") - 1
        return replace(state, tree=tree, node=None, beside="tree")
    rows = nearest(state) if part == "near" else doubtful(state)
    if not 0 <= place < len(rows):
        raise NotPossibleError(f"There is no row at place {place + 1} of the list.")
    return replace(state, row=rows[place], node=None)


def _selected(state: State, at: Path) -> State:
    if node_at(state.member.tree.root, at) is None:
        raise NotPossibleError(f"Tree {state.shown + 1} has no such node.")
    return replace(state, node=at)


def _one_more(state: State) -> State:
    """Another tree, and it is the one that is looked at."""
    trees = state.asked.trees + 1
    if trees > MOST_TREES:
        msg = f"The forest has {MOST_TREES} trees, the most that can be grown here."
        raise NotPossibleError(msg)
    state = asking(state, replace(state.asked, trees=trees))
    return replace(state, tree=trees - 1, node=None)


# -- what remains to be done -----------------------------------------------------------------------


def work(state: State) -> Iterator[tuple[State, float]] | None:
    """Grow the trees that are still to be grown, then what comes after; None if all is done."""
    unfilled = state.filling is not None and not state.filling.done
    if state.growing or state.permuted is None or unfilled:
        return _work(state)
    return None


def _work(state: State) -> Iterator[tuple[State, float]]:
    some = 2
    while state.growing:
        begun = perf_counter()
        lacking = state.asked.trees - len(state.growth.members)
        state = replace(state, growth=state.growth.more(min(some, lacking)))
        took = perf_counter() - begun
        some = some * 2 if took < _SHORT else max(1, some // 2) if took > _LONG else some
        yield state, 0.0
    if state.permuted is None:
        n = permuted_trees(state.growth, state.asked.trees)
        state = replace(state, permuted=by_permutation(state.growth, n))
        yield state, 0.0
    if state.filling is not None and not state.filling.done:
        for filling in state.filling.rounds():
            state = replace(state, filling=filling)
            yield state, 0.0


SETTINGS = Settings(
    "ForestLab",
    State,
    sets={
        "asked": asking,
        "row": lambda state, row: replace(state, row=row, node=None),
        "tree": lambda state, tree: replace(state, tree=tree, node=None),
    },
    shows={
        "row": lambda state: row_number(state.clean, state.row),
        "tree": lambda state: state.shown + 1,
    },
    tells={
        "row": lambda state: row_kept(state.clean, state.row),
        "node": lambda state: None if state.node is None else node_id(state.node),
    },
    loads={
        "node": lambda state, id_: replace(state, node=None if id_ is None else path_of(id_)),
    },
    begun=["trees", "m", "noise", "gaps", "seed", "row", "tree", "beside"],
    table=lambda state: state.clean,
    unknown="There is nothing here that {action!r} could act on.",
    unset="{control!r} cannot be set to {value!r}.",
)
dump = SETTINGS.dump


def load(text: str, table: Table) -> State:
    """The state of a text; its forest grows again. A ValueError says why a text is none."""
    return SETTINGS.load(text, usable(table), lambda data: start(table, data))


def is_of(text: str, table: Table) -> bool:
    """Whether a text is that of a forest on a table."""
    try:
        settings_of(text, SETTINGS.lab, table, {})
    except ValueError:
        return False
    return True
