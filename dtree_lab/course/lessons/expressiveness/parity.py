"""Exercises on OR, XOR, the majority, and what one derived attribute does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from dtree_lab.course.exercise import Exercise, Mistake, personal
from dtree_lab.course.tasks import Case, Code, Do, Goal, Number, when
from dtree_lab.widgets.expressiveness.model import update
from dtree_lab.widgets.expressiveness.state import State, start
from dtree_lab.widgets.expressiveness.text import dump, load
from dtree_lab.widgets.kit.actions import Set

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from dtree_lab.course.calls import Outcome

    Row: TypeAlias = dict[str, str]
    Outcomes: TypeAlias = tuple[Outcome, ...]

_LEAST_N, _MOST_N = 7, 13
_VOTERS = 5


# -- XOR as a function -----------------------------------------------------------------------------


def _case(values: str) -> Case:
    row = {f"a{i}": value for i, value in enumerate(values, start=1)}
    return Case((row,), ("FT"[values.count("T") % 2],))


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = rng.integers(2, 9, size=6)
    return tuple(_case("".join(rng.choice(["F", "T"], size=n))) for n in sizes)


def _answer(*, true: bool) -> str:
    return "T" if true else "F"


def _odd(row: Row) -> bool:
    return list(row.values()).count("T") % 2 == 1


def _of_kind(*kinds: str) -> Callable[[Outcomes], list[int]]:
    return lambda outcomes: [i for i, o in enumerate(outcomes) if o.kind in kinds]


XOR = Exercise(
    id="expressiveness/xor",
    title="XOR as a function",
    points=2,
    answer="xor",
    task=Code(
        "xor",
        tuple(map(_case, ("T", "FF", "TF", "TT", "TFT", "TTT", "FTTFT", "FFTTTT"))),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda row: _answer(true="T" in row.values()),
            "It says T as soon as any value is T: that is OR. What if two of them are?",
        ),
        Mistake(
            lambda row: _answer(true=list(row.values()).count("T") == 1),
            "It says T if exactly one value is T. Other numbers are odd as well.",
        ),
        Mistake(
            lambda row: _answer(true=not _odd(row)),
            "It is the wrong way round: it says T where the number of T values is even.",
        ),
        Mistake(
            lambda row: _answer(true=row["a1"] != row["a2"]),
            "It compares a1 with a2 and looks no further. A row may have more attributes, or fewer:"
            " go through all that it has.",
        ),
        Mistake(
            lambda row: _answer(true=len(set(row.values())) > 1),
            "It says T where the values are not all alike. That is right for two attributes, and"
            " only for two.",
        ),
        Mistake(
            _odd,
            "It gives a truth value. Asked for is a text, as in the table: one of two letters.",
            when=_of_kind("truth"),
        ),
        Mistake(
            lambda row: int(_odd(row)),
            "It gives a number. The remainder is on the right way; the answer is a text, as in the"
            " table.",
            when=_of_kind("number"),
        ),
    ),
    more="``row.values()`` are the values, and ``list(row.values())`` is a list of them, which can"
    " count. ``k % 2`` is the remainder of k after division by 2. Or start with F and turn the"
    " answer over at each T.",
    solution="""def xor(row):
    trues = list(row.values()).count("T")
    return "T" if trues % 2 == 1 else "F"
""",
    why="Add in integers mod 2: the remainder is 1 exactly if the number of T values is odd. A"
    " program needs one line for it; a tree, which can only ask one value at a time, needs a"
    " question for every way that leads there.",
)


# -- what parity costs -----------------------------------------------------------------------------


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
            Mistake(
                full + 1 - n,
                "That is one off. Does the sum 1 + 2 + 4 + … reach the next power of 2, or stop"
                " just short of it? And does OR need its last question?",
            ),
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
                2 ** (n - 1) - 1 - n,
                "Your full tree is one level short: how many levels of questions has a tree that"
                " asks about all n attributes?",
            ),
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
            when=when(lambda s: s.function != "majority", 0),
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
