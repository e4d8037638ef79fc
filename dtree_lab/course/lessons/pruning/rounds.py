"""Exercises on the rounds of reduced-error pruning, over trees that are dicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.pruning import slips
from dtree_lab.course.lessons.pruning.common import (
    FERRY_TREE,
    LATE,
    PUNCTUAL,
    Node,
    Row,
    cut,
    leaf,
    shape,
    shaped,
)
from dtree_lab.course.lessons.pruning.examples import (
    ABOVE,
    ABOVE_ROWS,
    CHILD,
    CHILD_ROWS,
    NOTHING,
    NOTHING_ROWS,
    THREE,
    THREE_ROWS,
    TIED,
    TIED_ROWS,
    WITHHELD,
    after_a_round,
    after_all,
    random_rows,
    random_tree,
)
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np


def _shapes(trees: Iterable[Node]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(shape, trees)))


def _once(tree: Node, rows: list[Row], says: str) -> Case:
    wants = _shapes(after_a_round(tree, rows))
    return Case((tree, rows), wants, says, wanted=_told(wants), via=shaped)


def _all(tree: Node, rows: list[Row], says: str) -> Case:
    wants = _shapes(after_all(tree, rows))
    return Case((tree, rows), wants, says, wanted=_told(wants), via=shaped)


def _told(wants: tuple[str, ...]) -> str:
    """How large the tree is that is wanted, without giving it away: each colon stands at a node."""
    sizes = sorted({1 + want.count(":") for want in wants})
    return f"a tree of {' or '.join(map(str, sizes))} node{'' if sizes == [1] else 's'}"


def _fresh_once(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [(random_tree(rng), random_rows(rng, 12)) for _ in range(4)]
    return tuple(_once(tree, rows, "a tree by chance, twelve rows") for tree, rows in drawn)


def _fresh_all(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [(random_tree(rng), random_rows(rng, 12)) for _ in range(4)]
    return tuple(_all(tree, rows, "a tree by chance, twelve rows") for tree, rows in drawn)


_CALM = cut(FERRY_TREE, ("calm",))
_BOTH = cut(_CALM, ("storm",))
_ALL_ROWS = (
    "It compares every node on all withheld rows. A node is only asked about the rows that come to"
    " it; the third thing that ``nodes`` gives is just these."
)
_AS_GOOD = (
    "It also cuts where the errors stay the same. The lecture stops when the error is no longer"
    " reduced. (To go on while nothing gets worse is a variant of its own.)"
)

PRUNE_ONCE = Exercise(
    id="pruning/prune-once",
    title="One round of reduced-error pruning",
    points=4,
    answer="prune_once",
    task=Code(
        "prune_once",
        (
            _once(FERRY_TREE, WITHHELD, "the ferry tree, its ten rows"),
            _once(_CALM, WITHHELD, "the same after the first cut"),
            _once(_BOTH, WITHHELD, "the same after the second cut"),
            _once(CHILD, CHILD_ROWS, "a tree whose best cut is at its lowest question"),
            _once(ABOVE, ABOVE_ROWS, "a tree whose best cut is at its root"),
            _once(NOTHING, NOTHING_ROWS, "a tree in which no cut brings anything"),
            _once(leaf(LATE), WITHHELD, "a tree that is a leaf"),
        ),
        fresh=_fresh_once,
    ),
    mistakes=(
        Mistake(
            slips.first_found,
            "It cuts the first node at which there is something to win. The round goes to the node"
            " with the highest reduction: look at all of them before you cut.",
        ),
        Mistake(
            slips.last_found,
            "It keeps the last node at which there is something to win, and forgets better ones"
            " that came before. What must be remembered beside the path?",
        ),
        Mistake(slips.as_good_once, _AS_GOOD),
        Mistake(
            slips.all_at_once,
            "It makes several cuts. A round makes one; after that the counts of the nodes above it"
            " are others.",
        ),
        Mistake(slips.on_all_rows, _ALL_ROWS),
        Mistake(
            slips.worst_first,
            "It cuts where there is least to win. Which of the two counts is subtracted from"
            " which, and do you look for the largest or for the smallest difference?",
        ),
    ),
    more="Keep two variables: the highest reduction so far, 0 at the start, and the path where it"
    " was found, ``None`` at the start. Go through ``nodes(tree, rows)``, and cut after the loop.",
    solution="""def prune_once(tree, rows):
    most, where = 0, None
    for path, node, here in nodes(tree, rows):
        reduction = errors(node, here) - errors_as_leaf(node, here)
        if reduction > most:
            most, where = reduction, path
    return tree if where is None else cut(tree, where)
""",
    why="``most`` starts at 0, so only a real reduction counts; and the cut waits until every node"
    " was looked at.",
)

PRUNE = Exercise(
    id="pruning/prune",
    title="Reduced-error pruning, to its end",
    points=3,
    answer="prune",
    task=Code(
        "prune",
        (
            _all(FERRY_TREE, WITHHELD, "the ferry tree, its ten rows"),
            _all(CHILD, CHILD_ROWS, "a tree whose best cut is at its lowest question"),
            _all(ABOVE, ABOVE_ROWS, "a tree whose best cut is at its root"),
            _all(TIED, TIED_ROWS, "a tree with two cuts that bring the same"),
            _all(THREE, THREE_ROWS, "a tree with three cuts to make"),
            _all(NOTHING, NOTHING_ROWS, "a tree in which no cut brings anything"),
            _all(FERRY_TREE, [], "the ferry tree, no rows"),
            _all(leaf(PUNCTUAL), WITHHELD, "a tree that is a leaf"),
        ),
        fresh=_fresh_all,
    ),
    mistakes=(
        Mistake(
            slips.one_round,
            "It stops after one round. A cut changes the counts of the nodes above it, and there"
            " may be more to win.",
        ),
        Mistake(
            slips.two_rounds,
            "It stops after two rounds. The ferry tree needs no more; other trees do. What tells"
            " you that the last round found nothing?",
        ),
        Mistake(slips.as_good, _AS_GOOD),
        Mistake(
            slips.not_anew,
            "It measures every node once, before the first cut, and then makes all cuts that looked"
            " good. After a cut, what stands above it has other counts: measure anew.",
        ),
        Mistake(
            slips.from_below,
            "It works from the leaves up. That is a pruning method, too, and another one: here the"
            " node with the highest reduction comes first, wherever it stands.",
        ),
        Mistake(
            slips.to_the_root,
            "It cuts until only a leaf is left. When does the error no longer fall?",
        ),
    ),
    more="Use your ``prune_once`` in a loop. How do you notice that it found nothing to cut? It"
    " gives back the tree that it got: ``smaller == tree``.",
    solution="""def prune(tree, rows):
    smaller = prune_once(tree, rows)
    while smaller != tree:
        tree, smaller = smaller, prune_once(smaller, rows)
    return tree
""",
    why="Each round removes at least one error, so there are at most as many rounds as there were"
    " errors: it always ends.",
)
