"""Reduced-error pruning: one round, and to its end."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.pruning import slips
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


NODE_GONE = (
    "It cuts while it is still looking. A node that stands inside one that was cut is gone, and"
    " its path leads nowhere. (Which line does the error come from?)"
)
THE_TEN = "It goes through the ten withheld crossings, whichever rows it is given."
_NO_TREE = (
    "It returns something else than a tree. Asked for is the tree after the cut: a dict, as"
    " ``cut`` makes it."
)
_ROOTLESS = (
    "It never cuts the root. The root's path is ``()``, and an empty tuple counts as false in an"
    " ``if``. How else can one tell that nothing was found?"
)
_CALM = cut(FERRY_TREE, ("calm",))
_BOTH = cut(_CALM, ("storm",))
_ALL_ROWS = (
    "It compares every node on all withheld rows. A node is only asked about the rows that come to"
    " it; the third thing that ``nodes`` gives is just these."
)
AS_GOOD = (
    "It also cuts where the errors stay the same. The lecture stops when the error is no longer"
    " reduced. (To go on while nothing gets worse is a variant of its own.)"
)

PRUNE_ONCE = Exercise(
    id="pruning/prune-once",
    title="One round of reduced-error pruning",
    points=4,
    heading="one round",
    text="""Write `prune_once(tree, rows)`: it returns the tree with the one cut that has the
highest reduction, or the tree as it is if no cut lowers the errors. Of equal cuts any will do. The
tree that is given stays as it was: `cut` makes a copy.""",
    stub="""def prune_once(tree, rows):
    # your lines, in place of the dots
    ...""",
    answer="prune_once",
    task=Code(
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
        Mistake(slips.as_good_once, AS_GOOD),
        Mistake(
            slips.all_at_once,
            "It makes several cuts. A round makes one; after that the counts of the nodes above it"
            " are others.",
        ),
        Mistake(slips.on_all_rows, _ALL_ROWS),
        Mistake(slips.on_all_rows_last, _ALL_ROWS),
        Mistake(slips.below_on_all_rows, _ALL_ROWS),
        Mistake(slips.leaf_on_all_rows, _ALL_ROWS),
        Mistake(
            slips.own_majority,
            "It lets the withheld rows choose what the new leaf says. They only measure; a leaf"
            " says what its node says.",
        ),
        Mistake(
            slips.deepest,
            "It cuts the deepest node at which there is something to win. The round goes to the"
            " node with the highest reduction, wherever it stands.",
        ),
        Mistake(slips.not_the_root, _ROOTLESS),
        Mistake(lambda tree, rows: len(rows), _NO_TREE, when=no_tree),  # noqa: ARG005
        Mistake(
            slips.no_nodes,
            "A tree that is a leaf has no node that asks, and ``max`` of nothing is an error. What"
            " comes back then?",
            when=stops("ValueError", "empty"),
        ),
        Mistake(
            slips.worst_first,
            "It cuts where there is least to win. Which of the two counts is subtracted from"
            " which, and do you look for the largest or for the smallest difference?",
        ),
        Mistake(
            slips.root_missed,
            _ROOTLESS,
        ),
        Mistake(
            slips.root_if_none,
            "Where no cut lowers the errors, it cuts the root. The path ``()`` is a place in the"
            " tree: it cannot stand for nothing found.",
        ),
        Mistake(
            slips.always,
            "It always cuts. Where the highest reduction is not above 0, the tree stays as it is.",
        ),
        Mistake(
            slips.to_the_end,
            "It goes on after the first cut. Asked for is a single round; the others follow in the"
            " next exercise.",
        ),
        Mistake(
            slips.the_node_alone,
            "It returns the node that was cut, without the tree around it. Which tree is cut, and"
            " at which path?",
        ),
        Mistake(
            slips.thrown_away,
            "The tree comes back as it was. ``cut`` does not change the tree that it gets: it"
            " returns a copy. What becomes of that?",
        ),
        Mistake(
            slips.the_path,
            "It returns the path of the node to cut. Asked for is the tree after the cut.",
            when=paths,
        ),
        Mistake(
            slips.most_wrong,
            "It cuts where most rows are wrong below. That node may be no better as a leaf: what is"
            " compared are two counts.",
        ),
        Mistake(
            slips.fewest_left,
            "It cuts where fewest rows would be wrong as a leaf. Perhaps as few were wrong before:"
            " what is compared are two counts.",
        ),
        Mistake(
            slips.per_row,
            "It takes the reduction as a share, of the rows or of the errors at the node. The"
            " tree's error falls by whole rows, however many others came to the node.",
        ),
        Mistake(
            slips.in_place,
            "The tree that it was given is another one afterwards. ``cut`` makes a copy; who takes"
            " entries out of a node, or sets them, changes the caller's tree. (And who compares the"
            " tree before with the tree after, as the next exercise does, finds them always"
            " equal.)",
            when=spoilt,
        ),
        Mistake(slips.on_the_ten, THE_TEN),
        Mistake(slips.while_looking, NODE_GONE, when=stops("KeyError", "then")),
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
        fresh=_fresh_to_the_end,
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
