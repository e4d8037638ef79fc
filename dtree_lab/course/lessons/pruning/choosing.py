"""A small tree grown in a lab, and a large one pruned."""

from __future__ import annotations

from dtree_lab.course.exercise import Mistake
from dtree_lab.course.lessons.pruning.examples import ferry, noisy
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Do, Goal, Grow, Handed, when
from dtree_lab.grow.api import by_hand, id3, stump
from dtree_lab.labs.kit.actions import Action, Press, Select, Set
from dtree_lab.labs.pruning import model as text
from dtree_lab.labs.pruning.model import update
from dtree_lab.labs.pruning.state import State, start
from dtree_lab.labs.treebuilder.model import dump
from dtree_lab.labs.treebuilder.model import update as build
from dtree_lab.labs.treebuilder.state import Finish
from dtree_lab.labs.treebuilder.state import start as begun

MOST_LEAVES, MOST_WRONG = 4, 3
LEAST_ERRORS, MOST_NODES = 12, 17


# -- a small tree for the ferry -------------------------------------------------------------------


def _wrong(handed: Handed) -> int:
    table = ferry()
    return round(handed.tree.error(table) * table.n_rows)


def _finished() -> str:
    return dump(build(begun(ferry()), Finish("ID3")))


SMALL_TREE = page(__file__, "small-tree").exercise(
    Grow(
        ferry,
        (
            Goal(
                lambda handed: handed.tree.n_leaves <= MOST_LEAVES,
                lambda handed: f"leaves: {handed.tree.n_leaves}",
                f"at most {MOST_LEAVES}",
            ),
            Goal(
                lambda handed: _wrong(handed) <= MOST_WRONG,
                lambda handed: f"training rows wrong: {_wrong(handed)} of 20",
                f"at most {MOST_WRONG}",
            ),
        ),
    ),
    seen={
        "finished": Mistake(_finished(), when=when(lambda handed: bool(handed.finished), 0)),
        "too many leaves": Mistake(
            id3(ferry()), when=when(lambda handed: handed.tree.n_leaves > MOST_LEAVES, 0)
        ),
        "leaves to spend": Mistake(
            stump(ferry()), when=when(lambda handed: handed.tree.n_leaves < MOST_LEAVES, 1)
        ),
        "too many wrong": Mistake(
            by_hand(ferry(), {(): "Boat", (0,): "Day", (1,): "Fog"}),
            when=when(
                lambda handed: handed.tree.n_leaves == MOST_LEAVES and _wrong(handed) > MOST_WRONG,
                1,
            ),
        ),
    },
)


# -- the pruning lab ------------------------------------------------------------------------------


def _left(*actions: Action) -> str:
    state = start(noisy())
    for action in actions:
        state = update(state, action)
    return text.dump(state)


def _fits(state: State) -> bool:
    return state.wrong[1] <= LEAST_ERRORS


def _small(state: State) -> bool:
    return state.tree.n_nodes <= MOST_NODES


IN_THE_LAB = page(__file__, "in-the-lab").exercise(
    Do(
        lambda given: text.load(given, noisy()),
        (
            Goal(
                _fits,
                lambda state: f"validation rows wrong: {state.wrong[1]} of 80",
                f"at most {LEAST_ERRORS}",
            ),
            Goal(
                _small,
                lambda state: f"nodes, leaves included: {state.tree.n_nodes}",
                f"at most {MOST_NODES}",
            ),
        ),
        blank=lambda state: not state.cuts,
    ),
    seen={
        "off": Mistake(
            _left(Press("all"), Set("on", value=False)), when=when(lambda state: not state.on, 0, 1)
        ),
        "too large": Mistake(
            _left(Press("all")),
            when=when(lambda state: state.on and _fits(state) and not _small(state), 1),
        ),
        "still better": Mistake(
            _left(Press("next")),
            when=when(lambda state: state.on and not _fits(state) and not _small(state), 0),
        ),
        "cut too far": Mistake(
            _left(Select("tree", ()), Press("prune")),
            when=when(lambda state: state.on and not _fits(state) and _small(state), 0),
        ),
    },
)
