"""Errors counted, cuts made in rounds, and trees cut by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.lessons.pruning import examples as given
from dtree_lab.course.lessons.pruning.examples import (
    FERRY_TREE,
    LABELS,
    LATE,
    PUNCTUAL,
    VALUES,
    WITHHELD,
    Node,
    Row,
    after_a_round,
    after_all,
    cut,
    ferry,
    leaf,
    no_tree,
    noisy,
    paths,
    random_rows,
    random_tree,
    shaped,
    spared,
    spoilt,
    tree_line,
)
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code, Do, Grow
from dtree_lab.course.tasks.do import at_most, grown_by, misses, n_wrong, wrong_at_most
from dtree_lab.grow.api import by_hand, id3, stump
from dtree_lab.labs.kit.actions import Action, Press, Select, Set
from dtree_lab.labs.pruning import model as text
from dtree_lab.labs.pruning.model import update
from dtree_lab.labs.pruning.state import State, start

_AS_LEAF = page(__file__, "errors-as-leaf")
_COUNTED, _SAYS, _FEW = (
    "which rows are counted",
    "the label that the node says",
    "a leaf, and no rows at all",
)


def _leaf_case(node: Node, rows: list[Row], says: str, behaviour: str) -> Case:
    return _AS_LEAF.case(behaviour, node, rows, says=says)


def _leaf_cases() -> tuple[Case, ...]:
    calm, storm = FERRY_TREE["then"].values()
    calm_rows, stormy = ([r for r in WITHHELD if r["Wind"] == wind] for wind in VALUES["Wind"])
    late = [row for row in WITHHELD if row["Ferry"] == LATE]
    return (
        _leaf_case(FERRY_TREE, WITHHELD, "the root, all ten rows", _COUNTED),
        _leaf_case(calm, calm_rows, "the node “calm”, its six rows", _COUNTED),
        _leaf_case(storm, stormy, "the node “storm”, its four rows", _COUNTED),
        _leaf_case(
            storm["then"]["work"],
            late,
            "a node that says punctual, four rows that were late",
            _SAYS,
        ),
        _leaf_case(FERRY_TREE, late, "a node that says late, four rows that were late", _SAYS),
        _leaf_case(leaf(PUNCTUAL), calm_rows[:1], "a leaf, one row", _FEW),
        _leaf_case(leaf(LATE), calm_rows[:1], "another leaf, the same row", _FEW),
        _leaf_case(calm, [], "the node “calm”, no row at all", _FEW),
    )


def _fresh_leaves(rng: np.random.Generator) -> Iterator[Case]:
    for label in LABELS:
        rows = [
            {name: str(rng.choice(v)) for name, v in VALUES.items()}
            | {"Ferry": str(rng.choice(LABELS))}
            for _ in range(9)
        ]
        says, node = f"a node that says {label}, nine rows", FERRY_TREE | {"says": label}
        yield _leaf_case(node, rows, says, _SAYS)
        yield _leaf_case(node, rows[:4], says, _COUNTED)
        yield _leaf_case(leaf(label), rows[:1], "a leaf, one row", _FEW)


LEAF_ERRORS = _AS_LEAF.exercise(
    Code("errors_as_leaf", _leaf_cases(), fresh=_fresh_leaves),
)


def case_of(tree: Node, rows: list[Row], says: str, after: Iterable[Node], behaviour: str) -> Case:
    """A tree to prune, and all the trees that may come of it."""
    wants = tuple(dict.fromkeys(map(tree_line, after)))
    wanted, via = _told(wants), shaped
    if behaviour == GIVEN:
        wanted, via = f"{wanted}, and the given one as it was,", spared
        says += ", and then that tree itself"
    return Case((tree, rows), wants, says, wanted=wanted, via=via, behaviour=behaviour)


GIVEN = "the tree that was given"
_HIGHEST, _AT_ROOT, _NOTHING = (
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


def _fresh_once(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(
        _once(random_tree(rng), random_rows(rng, 12), "a tree by chance, twelve rows", behaviour)
        for behaviour in (_HIGHEST, _HIGHEST, _AT_ROOT, _NOTHING, GIVEN)
    )


_CALM = cut(FERRY_TREE, ("calm",))
_BOTH = cut(_CALM, ("storm",))
PRUNE_ONCE = page(__file__, "prune-once").exercise(
    Code(
        "prune_once",
        (
            _once(*given.FERRY),
            _once(_CALM, WITHHELD, "the same after the first cut", _NOTHING),
            _once(_BOTH, WITHHELD, "the same after the second cut", _NOTHING),
            _once(*given.CHILD),
            _once(*given.ABOVE, _AT_ROOT),
            _once(*given.TIED, _AT_ROOT),
            _once(*given.ABOVE_OF_THREE, _AT_ROOT),
            _once(*given.LARGE),
            _once(*given.NOTHING, _NOTHING),
            _once(leaf(LATE), WITHHELD, "a tree that is a leaf", _NOTHING),
            _once(*given.CHILD, GIVEN),
        ),
        fresh=_fresh_once,
    ),
    seen={"no tree": no_tree, "the path": paths, "in place": spoilt},
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
            _all(*given.FERRY),
            _all(*given.CHILD, _ANEW),
            _all(*given.ABOVE, _ANEW),
            _all(*given.TIED),
            _all(*given.THREE),
            _all(*given.FOUR),
            _all(*given.ABOVE_OF_THREE, _END),
            _all(*given.NOTHING, _END),
            _all(FERRY_TREE, [], "the ferry tree, no rows", _END),
            _all(leaf(PUNCTUAL), WITHHELD, "a tree that is a leaf", _END),
            _all(*given.THREE, GIVEN),
            _all(*given.ABOVE, GIVEN),
        ),
        fresh=_fresh_to_the_end,
    ),
    seen={"in place": _spoilt, "no tree": no_tree},
)


MOST_LEAVES, MOST_WRONG = 4, 3
LEAST_ERRORS, MOST_NODES = 12, 17


SMALL_TREE = page(__file__, "small-tree").exercise(
    Grow(
        ferry,
        (
            at_most(MOST_LEAVES, lambda handed: handed.tree.n_leaves, "leaves: {}"),
            wrong_at_most(MOST_WRONG, ferry, "training rows"),
        ),
    ),
    seen={
        "finished": misses(grown_by("ID3", ferry()), lambda handed: bool(handed.finished), 0),
        "too many leaves": misses(
            id3(ferry()), lambda handed: handed.tree.n_leaves > MOST_LEAVES, 0
        ),
        "leaves to spend": misses(
            stump(ferry()), lambda handed: handed.tree.n_leaves < MOST_LEAVES, 1
        ),
        "too many wrong": misses(
            by_hand(ferry(), {(): "Boat", (0,): "Day", (1,): "Fog"}),
            lambda handed: (
                handed.tree.n_leaves == MOST_LEAVES and n_wrong(handed.tree, ferry()) > MOST_WRONG
            ),
            1,
        ),
    },
)


def _left(*actions: Action) -> str:
    state = start(noisy())
    for action in actions:
        state = update(state, action)
    return text.dump(state)


def _is_right(state: State) -> bool:
    return state.wrong[1] <= LEAST_ERRORS


def _is_small(state: State) -> bool:
    return state.tree.n_nodes <= MOST_NODES


IN_THE_LAB = page(__file__, "in-the-lab").exercise(
    Do(
        lambda given: text.load(given, noisy()),
        (
            at_most(LEAST_ERRORS, lambda s: s.wrong[1], "validation rows wrong: {} of 80"),
            at_most(MOST_NODES, lambda s: s.tree.n_nodes, "nodes, leaves included: {}"),
        ),
        blank=lambda state: not state.cuts,
    ),
    seen={
        "off": misses(
            _left(Press("all"), Set("on", value=False)), lambda state: not state.on, 0, 1
        ),
        "too large": misses(
            _left(Press("all")),
            lambda state: state.on and _is_right(state) and not _is_small(state),
            1,
        ),
        "still better": misses(
            _left(Press("next")),
            lambda state: state.on and not _is_right(state) and not _is_small(state),
            0,
        ),
        "cut too far": misses(
            _left(Select("tree", ()), Press("prune")),
            lambda state: state.on and not _is_right(state) and _is_small(state),
            0,
        ),
    },
)
