"""Exercises on what XOR costs, and on the majority in one question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake, personal
from dtree_lab.course.tasks import Do, Goal, Number, when
from dtree_lab.widgets.expressiveness.model import State, dump, load, start, update
from dtree_lab.widgets.kit.actions import Set

if TYPE_CHECKING:
    import numpy as np

_LEAST_N, _MOST_N = 7, 13
_VOTERS = 5


# -- what parity costs -----------------------------------------------------------------------------


_ONE_OFF = (
    "That is one off. Does the sum 1 + 2 + 4 + … reach the next power of 2, or stop just short of"
    " it? And does OR need its last question?"
)
_SHORT = (
    "Your full tree is one level short: how many levels of questions has a tree that asks about all"
    " n attributes? (Or is this n from before you put in your name? Then run that cell again.)"
)
_NO_POWER = (
    "In Python ``^`` is not a power: it is an XOR itself, of two whole numbers, bit by bit. A power"
    " is written with two stars."
)


def _more(rng: np.random.Generator) -> Exercise:
    n = int(rng.integers(_LEAST_N, _MOST_N + 1))
    full = 2**n - 1
    return Exercise(
        id="expressiveness/more",
        title="What parity costs",
        points=2,
        answer="more",
        data={"n": n},
        task=Number(full - n, tolerance=0.1),
        mistakes=(
            Mistake(full, "That is what XOR needs. OR needs some questions, too: take them off."),
            Mistake(full + 1 - n, _ONE_OFF),
            Mistake(full - 1 - n, _ONE_OFF),
            Mistake(
                full + 1,
                "That is the number of rows of the table, and of XOR's leaves. Count the questions,"
                " and take off those of OR.",
            ),
            Mistake(
                2 * (full - n),
                "You counted all nodes, leaves included. Asked for are internal nodes only.",
            ),
            Mistake(
                2 * full + 1 - n,
                "You took all of XOR's nodes, leaves included. Asked for are internal nodes only.",
            ),
            Mistake(2 ** (n - 1) - 1 - n, _SHORT),
            Mistake(2 ** (n - 1) - n, _SHORT),
            Mistake(
                full / n,
                "That is how many *times* as many XOR needs. Asked for is the difference.",
            ),
            Mistake(n - full, "The other way round: how many does XOR need more than OR?"),
            Mistake(-3, _NO_POWER),
            Mistake(1, _NO_POWER),
            Mistake(
                n,
                "That is OR's own number. How many internal nodes does XOR need?",
            ),
        ),
        more="How many internal nodes has a line of n questions? And a full tree with n levels of"
        " them? The second is the sum 1 + 2 + 4 + … with n terms.",
        solution='n = mine["n"]\nmore = (2**n - 1) - n',
        why=f"XOR over {n} attributes needs 2^{n} - 1 = {full} internal nodes and OR needs {n}."
        " Each further attribute costs OR one more question; for XOR it doubles the tree.",
    )


MORE = personal(_more)


# -- the vote --------------------------------------------------------------------------------------


def vote_of(n: int, feature: str = "none", function: str = "majority") -> str:
    """The lab's state when n, the function and the derived attribute have been set."""
    state = start(n=3, function="majority")
    for control, given in (("function", function), ("n", n), ("feature", feature)):
        state = update(state, Set(control, given))
    return dump(state)


def _shown(state: State) -> bool:
    return state.function == "majority" and state.n >= _VOTERS


def _one(state: State) -> bool:
    return state.grown.internal == 1


def _asks(state: State) -> str:
    n = state.grown.internal
    return f"internal nodes: {n}"


def _untouched(state: Any) -> bool:
    return (state.function, state.n, state.feature) == (*state.begun, "none")


VOTE = Exercise(
    id="expressiveness/vote",
    title="The majority in one question",
    points=2,
    answer="vote",
    task=Do(
        load,
        (
            Goal(
                _shown,
                lambda state: f"the function: {state.function} of {state.n}",
                f"majority of at least {_VOTERS}",
            ),
            Goal(_one, _asks, "1"),
        ),
        blank=_untouched,
    ),
    mistakes=(
        Mistake(
            vote_of(5, "parity"),
            "Odd or even says little about who has won the vote: both 1 of 5 and 5 of 5 are odd."
            " What would you want to be told about the votes?",
            when=when(lambda s: _shown(s) and s.feature == "parity", 1),
        ),
        Mistake(
            vote_of(5),
            "From single votes alone a majority needs a large tree. Give the tree an attribute"
            " that is derived from all of them.",
            when=when(lambda s: _shown(s) and s.feature == "none" and not _one(s), 1),
        ),
        Mistake(
            vote_of(5, "parity", "xor"),
            "One question it is, but of another function. Set Function to majority.",
            when=when(lambda s: s.function != "majority" and _one(s), 0),
        ),
        Mistake(
            vote_of(5, "none", "xor"),
            "That is another function. Set Function to majority, and then see how many questions"
            " its tree asks.",
            when=when(lambda s: s.function != "majority" and not _one(s), 0, 1),
        ),
        Mistake(
            vote_of(3, "sum"),
            "The attribute is the right one; there are too few voters. Raise n.",
            when=when(lambda s: s.function == "majority" and s.n < _VOTERS and _one(s), 0),
        ),
    ),
    more='Two things of the lab are to be set: n, and "Derived attribute". Think of how a returning'
    " officer finds out who has won.",
    solution='vote = dt.ExpressivenessLab(n=3, function="majority", state=\''
    + vote_of(5, "sum")
    + "')",
    why="The sum counts the votes, and one cut, at half of them, decides. Sum mod 2 is the right"
    " attribute for XOR and of no use here: which derived attribute helps depends on the concept.",
)
