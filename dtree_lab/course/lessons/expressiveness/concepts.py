"""How many concepts there are, XOR as a function, what parity costs, and the vote of three."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Do, Goal, when
from dtree_lab.labs.expressiveness.model import State, dump, load, start, update
from dtree_lab.labs.kit.actions import Set

_COUNT = page(__file__, "count-concepts")
# The bits of numpy's whole numbers: of so many instances they cannot count the concepts.
_VERY_MANY = 64


def _count_case(values: list[int], labels: int) -> Case:
    concepts = _COUNT.right()(values, labels)
    return Case((values, labels), (concepts,), behaviour=_behaviour(values, labels))


def _behaviour(values: list[int], labels: int) -> str:
    if prod(values) >= _VERY_MANY:
        return "very many concepts"
    if labels > 2:  # noqa: PLR2004
        return "more labels than two"
    two = set(values) == {2}
    return "attributes with two values" if two else "attributes with more values"


def _fresh_counts(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(2, 5 if n < 3 else 4, size=n) for n in (1, 2, 3, 2)]  # noqa: PLR2004
    cases = [_count_case([int(v) for v in values], int(rng.integers(2, 4))) for values in drawn]
    return (*cases, _count_case([4, 4, int(rng.integers(4, 7))], 2))


COUNT_CONCEPTS = _COUNT.function(_count_case, _fresh_counts)


_XOR = page(__file__, "xor")


def _xor_case(values: str) -> Case:
    row = {f"a{i}": value for i, value in enumerate(values, start=1)}
    behaviour = "two values" if len(values) == 2 else "any other number of values"  # noqa: PLR2004
    return Case((row,), (_XOR.right()(row),), behaviour=behaviour)


def _fresh_xor(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = rng.integers(2, 9, size=6)
    return tuple(_xor_case("".join(rng.choice(["F", "T"], size=n))) for n in sizes)


XOR = _XOR.function(_xor_case, _fresh_xor)


_VOTERS = 5


def vote_of(n: int, feature: str = "none", function: str = "majority") -> str:
    """The lab's state when n, the function and the derived attribute have been set."""
    state = start(n=3, function="majority")
    for control, given in (("function", function), ("n", n), ("feature", feature)):
        state = update(state, Set(control, given))
    return dump(state)


def _votes(state: State) -> bool:
    return state.function == "majority" and state.n >= _VOTERS


def _one(state: State) -> bool:
    return state.grown.internal == 1


def _untouched(state: Any) -> bool:
    return (state.function, state.n, state.feature) == (*state.begun, "none")


VOTE = page(__file__, "vote").exercise(
    Do(
        load,
        (
            Goal(
                _votes,
                lambda state: f"the function: {state.function} of {state.n}",
                f"majority of at least {_VOTERS}",
            ),
            Goal(_one, lambda state: f"internal nodes: {state.grown.internal}", "1"),
        ),
        blank=_untouched,
    ),
    seen={
        "odd": Mistake(
            vote_of(5, "parity"), when=when(lambda s: _votes(s) and s.feature == "parity", 1)
        ),
        "votes alone": Mistake(
            vote_of(5), when=when(lambda s: _votes(s) and s.feature == "none" and not _one(s), 1)
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
