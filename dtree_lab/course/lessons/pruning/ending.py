"""The exercise on reduced-error pruning to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.pruning import slips
from dtree_lab.course.lessons.pruning.common import (
    FERRY_TREE,
    PUNCTUAL,
    Node,
    Row,
    leaf,
    no_tree,
    spoilt,
)
from dtree_lab.course.lessons.pruning.examples import (
    ABOVE,
    ABOVE_ROWS,
    CHILD,
    CHILD_ROWS,
    FOUR,
    FOUR_ROWS,
    NOTHING,
    NOTHING_ROWS,
    THREE,
    THREE_ROWS,
    TIED,
    TIED_ROWS,
    WITHHELD,
    after_all,
    random_rows,
    random_tree,
)
from dtree_lab.course.lessons.pruning.rounds import AS_GOOD, GIVEN, NODE_GONE, THE_TEN, case_of
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    import numpy as np

    from dtree_lab.course.calls import Outcome


_ROUNDS, _ANEW, _END = "round after round", "counts that change with a cut", "where it ends"


def _all(tree: Node, rows: list[Row], says: str, behaviour: str = _ROUNDS) -> Case:
    return case_of(tree, rows, says, after_all(tree, rows), behaviour)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(
        _all(random_tree(rng), random_rows(rng, 12), "a tree by chance, twelve rows", behaviour)
        for behaviour in (_ROUNDS, _ANEW, _END, GIVEN)
    )


def _spoilt(outcomes: tuple[Outcome, ...]) -> range:
    """All cases, where the tree that was given is another one in some: whatever else is wrong."""
    return range(len(outcomes) if spoilt(outcomes) else 0)


PRUNE = Exercise(
    id="pruning/prune",
    title="Reduced-error pruning, to its end",
    points=3,
    heading="to the end",
    text="""And `prune(tree, rows)`: round after round, until the error no longer falls. Here, too,
the tree that is given stays as it was.""",
    stub="""def prune(tree, rows):
    # your lines, in place of the dots
    ...""",
    answer="prune",
    task=Code(
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
        fresh=_fresh,
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
        Mistake(
            slips.three_rounds,
            "It stops after three rounds, however many there are to make.",
        ),
        Mistake(slips.as_good, AS_GOOD),
        Mistake(
            slips.not_anew,
            "It ends with every cut that looked good at the start, the upper ones before the lower"
            " ones. The highest reduction comes first, wherever it stands; and after it, what"
            " stands above has other counts: a cut that looked good there may be none any more.",
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
        Mistake(
            slips.never_the_root,
            "It never cuts the root. Does your ``prune_once``? The root's path is ``()``, and an"
            " empty tuple counts as false.",
        ),
        Mistake(
            slips.in_place_to_the_end,
            "The tree that it was given is another one afterwards. Does your ``prune_once`` change"
            " it? Then the tree before a round is the very tree after it, so that they are always"
            " equal, and a loop that compares them stops too early. Mend it there, with ``cut``,"
            " which makes a copy.",
            when=_spoilt,
        ),
        Mistake(
            lambda tree, rows: len(rows),  # noqa: ARG005 - that is its mistake
            "It returns something else than a tree. Asked for is the tree after the last cut.",
            when=no_tree,
        ),
        Mistake(slips.to_the_end_on_the_ten, THE_TEN),
        Mistake(slips.while_looking, NODE_GONE, when=stops("KeyError", "then")),
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
