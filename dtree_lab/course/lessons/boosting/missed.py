"""Stumps as learners search for them when something goes wrong on the way."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    # The rows' values, labels and weights; a stump as it is handed in: its cut, the label below
    # the cut, and its weighted error.
    Numbers: TypeAlias = Sequence[float]
    Stump: TypeAlias = tuple[float, int, float]


def offers(
    xs: Sequence[float], labels: Sequence[int], weights: Sequence[float]
) -> list[tuple[float, float, int]]:
    """Every stump: the weight of the rows that it gets wrong, the cut, and what it says below."""
    cuts = [(low + high) / 2 for low, high in pairwise(sorted(set(xs)))]
    return _weighed(cuts, xs, labels, weights)


def _weighed(cuts: Sequence[float], *rows: Sequence[Any]) -> list[tuple[float, float, int]]:
    found = []
    for cut in cuts:
        for below in (1, -1):
            said = [below if x < cut else -below for x in rows[0]]
            wrong = sum(w for s, y, w in zip(said, *rows[1:], strict=True) if s != y)
            found.append((wrong, cut, below))
    return found


def _as_asked(offer: tuple[float, float, int]) -> Stump:
    wrong, cut, below = offer
    return cut, below, wrong


def best(xs: Numbers, labels: Sequence[int], weights: Numbers) -> Stump:
    """The stump that is wanted."""
    return _as_asked(min(offers(xs, labels, weights)))


def counted(xs: Numbers, labels: Sequence[int], weights: Numbers) -> Stump:
    """The best, if all rows weighed the same."""
    return best(xs, labels, [1 / len(weights)] * len(weights))


def one_way(below: int, *rows: Sequence[Any]) -> Stump:
    """The best of those that say one thing below the cut."""
    return _as_asked(min(one for one in offers(*rows) if one[2] == below))


def as_given(xs: Numbers, labels: Sequence[int], weights: Numbers) -> Stump:
    """The best of those that cut between neighbours in the list."""
    cuts = [(low + high) / 2 for low, high in pairwise(xs)]
    return _as_asked(min(_weighed(cuts, xs, labels, weights)))


def right_weight(*rows: Sequence[Any]) -> Stump:
    """The best, with the weight of the rows that it gets right."""
    cut, below, wrong = best(*rows)
    return cut, below, sum(rows[2]) - wrong


def divided(*rows: Sequence[Any]) -> Stump:
    """The best, with its error divided by the number of rows."""
    cut, below, wrong = best(*rows)
    return cut, below, wrong / len(rows[0])


def worst(*rows: Sequence[Any]) -> Stump:
    """The one with the largest error."""
    return _as_asked(max(offers(*rows)))


def first(*rows: Sequence[Any]) -> Stump:
    """The first that is tried."""
    return _as_asked(offers(*rows)[0])


def at_the_last_cut(*rows: Sequence[Any]) -> Stump:
    """The better one of the two at the last cut."""
    return _as_asked(min(offers(*rows)[-2:]))


def without_the_last_cut(*rows: Sequence[Any]) -> Stump:
    """The best of those at all cuts but the last; of one cut it is that one."""
    return _as_asked(min(offers(*rows)[:-2] or offers(*rows)))


def label_above(*rows: Sequence[Any]) -> Stump:
    """The best, with what it says above the cut."""
    cut, below, wrong = best(*rows)
    return cut, -below, wrong
