"""Exercises on the vote, and on how near two rows are."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import multimode

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code

_SPECIES = ("Adelie", "Chinstrap", "Gentoo")


def _vote_case(votes: Sequence[str]) -> Case:
    most = tuple(multimode(votes))
    shows = "a winner with at most half"
    if len(most) > 1:
        shows = "a tie"
    elif votes.count(most[0]) > len(votes) / 2:
        shows = "a winner with more than half"
    return Case((list(votes),), most, behaviour=shows)


def _fresh_votes(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(_vote_case(rng.choice(_SPECIES, n).tolist()) for n in (5, 8, 9, 16))


_VOTES = (
    "Adelie Gentoo Gentoo",
    "Gentoo Adelie Chinstrap Adelie",
    "Chinstrap Adelie Chinstrap Adelie Chinstrap Gentoo",
    "Adelie",
    "No Yes",
    "Gentoo Adelie Chinstrap Adelie Gentoo Chinstrap Adelie",
    "Adelie Gentoo Adelie Gentoo Gentoo Adelie Adelie",
    "Chinstrap Gentoo Gentoo Chinstrap Adelie",
    "Gentoo Adelie Chinstrap Adelie Chinstrap",
    "Yes No No Yes No No Yes",
    "Gentoo Adelie Chinstrap Gentoo Adelie",
    "Adelie Gentoo Chinstrap Chinstrap Gentoo Adelie Chinstrap",
    "Yes No Adelie Gentoo Adelie Gentoo",
)

MAJORITY = page(__file__, "majority-vote").exercise(
    Code(
        "majority_vote",
        tuple(_vote_case(votes.split()) for votes in _VOTES),
        fresh=_fresh_votes,
    )
)


# -- proximity ------------------------------------------------------------------------------------

_PROXIMITY = page(__file__, "proximity")


def _near_case(one: list[int], other: list[int]) -> Case:
    share = _PROXIMITY.right()(one, other)
    shows = "rows that meet in some of the trees"
    if share in (0, 1):
        shows = "rows that always meet, and rows that never do"
    elif len(set(one) & set(other)) != sum(a == b for a, b in zip(one, other, strict=True)):
        shows = "equal numbers in different trees"
    return Case((one, other), (share,), behaviour=shows)


def _fresh_leaves(rng: np.random.Generator) -> tuple[Case, ...]:
    pairs = [rng.integers(1, 4, (2, n)).tolist() for n in (4, 9, 25)]
    apart = rng.permutation(9).tolist()
    some = [n if rng.random() < 0.5 else n + 10 for n in apart]  # noqa: PLR2004 - half of them
    return (
        *(_near_case(*pair) for pair in pairs),
        _near_case(apart, some),
        _near_case(apart, [*apart[1:], apart[0]]),
    )


def _of_a_truth(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where a single truth value is used as if it were an array, or a list."""
    used = all(o.kind == "raised" and "'bool' object" in o.says for o in outcomes)
    return list(range(len(outcomes))) if used else []


PROXIMITY = _PROXIMITY.exercise(
    Code(
        "proximity",
        (
            _near_case([3, 5, 2, 7], [3, 1, 2, 4]),
            _near_case([1, 1, 1, 1, 1], [1, 1, 1, 1, 1]),
            _near_case([2, 3, 4], [3, 4, 2]),
            _near_case([6, 2, 9, 4, 4, 1, 3, 3], [6, 8, 9, 4, 5, 2, 3, 3]),
            _near_case([5, 5, 2], [4, 5, 5]),
            _near_case([2, 2, 2, 8], [2, 2, 2, 1]),
            _near_case([2, 3, 4, 4], [3, 3, 2, 4]),
            _near_case([1, 6, 8], [4, 6, 9]),
        ),
        fresh=_fresh_leaves,
    ),
    seen={"a truth value": _of_a_truth},
)
