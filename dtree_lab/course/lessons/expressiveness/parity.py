"""XOR as a function, what parity costs, and the vote of three."""

from __future__ import annotations

from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake, personal
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code, Do, Goal, when
from dtree_lab.course.tasks.code import gives, stops
from dtree_lab.labs.expressiveness.model import State, dump, load, start, update
from dtree_lab.labs.kit.actions import Set

_XOR = page(__file__, "xor")


def _case(values: str) -> Case:
    row = {f"a{i}": value for i, value in enumerate(values, start=1)}
    behaviour = "two values" if len(values) == 2 else "any other number of values"  # noqa: PLR2004
    return Case((row,), (_XOR.right()(row),), behaviour=behaviour)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = rng.integers(2, 9, size=6)
    return tuple(_case("".join(rng.choice(["F", "T"], size=n))) for n in sizes)


def _other_texts(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if o.kind == "text" and o.value not in ("T", "F")]


XOR = _XOR.exercise(
    Code(
        "xor",
        tuple(map(_case, ("T", "FF", "TF", "TT", "TFT", "TTT", "FTTFT", "FFTTTT"))),
        fresh=_fresh,
    ),
    seen={
        "by name": stops("KeyError"),
        "texts": stops("TypeError", "operand", "'str'", "string"),
        "cannot count": stops(("AttributeError", "TypeError"), "'dict_values'", "'dict'"),
        "other texts": _other_texts,
        "truth": gives("truth"),
        "number": gives("number"),
    },
)


_LEAST_N, _MOST_N = 7, 13
_VOTERS = 5


def _more(rng: np.random.Generator) -> Exercise:
    n = int(rng.integers(_LEAST_N, _MOST_N + 1))
    mine = {"n": n}
    return page(__file__, "more").exercise(shown=mine, words={"n": n, "full": 2**n - 1}, mine=mine)


MORE = personal(_more)


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


VOTE = page(__file__, "vote").exercise(
    Do(
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
    seen={
        "odd": Mistake(
            vote_of(5, "parity"), when=when(lambda s: _shown(s) and s.feature == "parity", 1)
        ),
        "votes alone": Mistake(
            vote_of(5), when=when(lambda s: _shown(s) and s.feature == "none" and not _one(s), 1)
        ),
        "another function": Mistake(
            vote_of(5, "parity", "xor"),
            when=when(lambda s: s.function != "majority" and _one(s), 0),
        ),
        "many questions": Mistake(
            vote_of(5, "none", "xor"),
            when=when(lambda s: s.function != "majority" and not _one(s), 0, 1),
        ),
        "too few": Mistake(
            vote_of(3, "sum"),
            when=when(lambda s: s.function == "majority" and s.n < _VOTERS and _one(s), 0),
        ),
    },
)
