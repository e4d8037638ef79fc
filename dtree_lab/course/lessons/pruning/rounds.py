"""The exercise on one round of reduced-error pruning, over trees that are dicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.pruning import slips
from dtree_lab.course.lessons.pruning.common import (
    FERRY_TREE,
    LATE,
    Node,
    Row,
    cut,
    leaf,
    no_tree,
    paths,
    shape,
    shaped,
    spared,
    spoilt,
)
from dtree_lab.course.lessons.pruning.examples import (
    ABOVE,
    ABOVE_ROWS,
    CHILD,
    CHILD_ROWS,
    LARGE_ROWS,
    NOTHING,
    NOTHING_ROWS,
    TIED,
    TIED_ROWS,
    WITHHELD,
    after_a_round,
    random_rows,
    random_tree,
)
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np


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
