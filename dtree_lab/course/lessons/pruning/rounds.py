"""Reduced-error pruning: one round, and to its end."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.lessons.pruning.examples import (
    ABOVE,
    ABOVE_ROWS,
    CHILD,
    CHILD_ROWS,
    FERRY_TREE,
    FOUR,
    FOUR_ROWS,
    LARGE_ROWS,
    LATE,
    NOTHING,
    NOTHING_ROWS,
    PUNCTUAL,
    THREE,
    THREE_ROWS,
    TIED,
    TIED_ROWS,
    WITHHELD,
    Node,
    Row,
    after_a_round,
    after_all,
    cut,
    leaf,
    no_tree,
    paths,
    random_rows,
    random_tree,
    shape,
    shaped,
    spared,
    spoilt,
)
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops


def case_of(tree: Node, rows: list[Row], says: str, after: Iterable[Node], behaviour: str) -> Case:
    """A tree to prune, and all the trees that may come of it."""
    wants = tuple(dict.fromkeys(map(shape, after)))
    wanted, via = _told(wants), shaped
    if behaviour == GIVEN:
        wanted, via = f"{wanted}, and the given one as it was,", spared
        says += ", and then that tree itself"
    return Case((tree, rows), wants, says, wanted=wanted, via=via, behaviour=behaviour)


GIVEN = "the tree that was given"
_HIGHEST, _ROOT, _NOTHING = (
    "the highest of several reductions",
    "a cut at the root, and none there",
    "the last cut, and nothing left to cut",
)


def _once(tree: Node, rows: list[Row], says: str, behaviour: str = _HIGHEST) -> Case:
    return case_of(tree, rows, says, after_a_round(tree, rows), behaviour)


def _told(wants: tuple[str, ...]) -> str:
    """How large the tree is that is wanted, without giving it away: each colon stands at a node."""
    sizes = sorted({1 + want.count(":") for want in wants})
    return f"a tree of {' or '.join(map(str, sizes))} node{'' if sizes == [1] else 's'}"


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(
        _once(random_tree(rng), random_rows(rng, 12), "a tree by chance, twelve rows", behaviour)
        for behaviour in (_HIGHEST, _HIGHEST, _ROOT, _NOTHING, GIVEN)
    )


_CALM = cut(FERRY_TREE, ("calm",))
_BOTH = cut(_CALM, ("storm",))
PRUNE_ONCE = page(__file__, "prune-once").exercise(
    Code(
        "prune_once",
        (
            _once(FERRY_TREE, WITHHELD, "the ferry tree, its ten rows"),
            _once(_CALM, WITHHELD, "the same after the first cut", _NOTHING),
            _once(_BOTH, WITHHELD, "the same after the second cut", _NOTHING),
            _once(CHILD, CHILD_ROWS, "a tree whose best cut is at its lowest question"),
            _once(ABOVE, ABOVE_ROWS, "a tree whose best cut is at its root", _ROOT),
            _once(TIED, TIED_ROWS, "a tree with two cuts that bring the same", _ROOT),
            _once(ABOVE, ABOVE_ROWS[:3], "the same tree, three of the rows", _ROOT),
            _once(ABOVE, LARGE_ROWS, "a tree with a large cut, and a small one of few rows"),
            _once(NOTHING, NOTHING_ROWS, "a tree in which no cut brings anything", _NOTHING),
            _once(leaf(LATE), WITHHELD, "a tree that is a leaf", _NOTHING),
            _once(CHILD, CHILD_ROWS, "a tree whose best cut is at its lowest question", GIVEN),
        ),
        fresh=_fresh,
    ),
    seen={
        "no tree": no_tree,
        "no nodes": stops("ValueError", "empty"),
        "the path": paths,
        "in place": spoilt,
        "while looking": stops("KeyError", "then"),
    },
)


_ROUNDS, _ANEW, _END = "round after round", "counts that change with a cut", "where it ends"


def _all(tree: Node, rows: list[Row], says: str, behaviour: str = _ROUNDS) -> Case:
    return case_of(tree, rows, says, after_all(tree, rows), behaviour)


def _fresh_to_the_end(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(
        _all(random_tree(rng), random_rows(rng, 12), "a tree by chance, twelve rows", behaviour)
        for behaviour in (_ROUNDS, _ANEW, _END, GIVEN)
    )


def _spoilt(outcomes: tuple[Outcome, ...]) -> range:
    """All cases, where the tree that was given is another one in some: whatever else is wrong."""
    return range(len(outcomes) if spoilt(outcomes) else 0)


PRUNE = page(__file__, "prune").exercise(
    Code(
        "prune",
        (
            _all(FERRY_TREE, WITHHELD, "the ferry tree, its ten rows"),
            _all(CHILD, CHILD_ROWS, "a tree whose best cut is at its lowest question", _ANEW),
            _all(ABOVE, ABOVE_ROWS, "a tree whose best cut is at its root", _ANEW),
            _all(TIED, TIED_ROWS, "a tree with two cuts that bring the same"),
            _all(THREE, THREE_ROWS, "a tree with three cuts to make"),
            _all(FOUR, FOUR_ROWS, "a tree with four cuts to make"),
            _all(ABOVE, ABOVE_ROWS[:3], "the same tree, three of the rows", _END),
            _all(NOTHING, NOTHING_ROWS, "a tree in which no cut brings anything", _END),
            _all(FERRY_TREE, [], "the ferry tree, no rows", _END),
            _all(leaf(PUNCTUAL), WITHHELD, "a tree that is a leaf", _END),
            _all(THREE, THREE_ROWS, "a tree with three cuts to make", GIVEN),
            _all(ABOVE, ABOVE_ROWS, "a tree whose best cut is at its root", GIVEN),
        ),
        fresh=_fresh_to_the_end,
    ),
    seen={
        "in place": _spoilt,
        "no tree": no_tree,
        "while looking": stops("KeyError", "then"),
    },
)
