"""What goes wrong when a cut is walked: each slip as a function that makes it."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from dtree_lab.course.bits import entropy_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


@cache
def _times_its_log(n: int) -> float:
    return n * math.log2(n) if n else 0.0


def _bits(side: Sequence[int]) -> float:
    """The entropy times the number of rows; a quick way, for each slip walks 8,000 rows."""
    return _times_its_log(sum(side)) - sum(map(_times_its_log, side))


def weighted(below: Sequence[int], above: Sequence[int]) -> float:
    """H(Y|X), times the number of rows; so rounded that a tie is an equality."""
    return round(_bits(below) + _bits(above), 9)


def unweighted(below: Sequence[int], above: Sequence[int]) -> float:
    """Both sides as if they were equally large."""
    return round(_bits(below) / sum(below) + _bits(above) / sum(above), 9)


def wrong_rows(below: Sequence[int], above: Sequence[int]) -> float:
    """The rows that are not of their side's majority."""
    return sum(sum(side) - max(side) for side in (below, above))


def walk(
    pairs: Sequence[tuple[float, str]],
) -> Iterator[tuple[float, float, list[int], list[int]]]:
    """The two values next to each place between rows, and the counts on both sides."""
    left, right = Counter[str](), Counter(label for _, label in pairs)
    names = list(right)
    for (low, label), (high, _) in pairwise(pairs):
        left[label] += 1
        right[label] -= 1
        yield low, high, [left[n] for n in names], [right[n] for n in names]


def swept(
    pairs: Sequence[tuple[float, str]],
    cost: Callable[[Sequence[int], Sequence[int]], float] = weighted,
    place: Callable[[float, float], float] = lambda low, high: (low + high) / 2,
) -> float:
    """The place of the least cost among those between different values."""
    tried = [(cost(b, a), place(low, high)) for low, high, b, a in walk(pairs) if low != high]
    return min(tried)[1]


def in_order(values: Sequence[float], labels: Sequence[str]) -> list[tuple[float, str]]:
    """The rows in order."""
    return sorted(zip(values, labels, strict=True))


def lower(values: Sequence[float], labels: Sequence[str]) -> float:
    """The last value below the best cut."""
    return swept(in_order(values, labels), place=lambda low, _: low)


def upper(values: Sequence[float], labels: Sequence[str]) -> float:
    """The first value above the best cut."""
    return swept(in_order(values, labels), place=lambda _, high: high)


def worst(values: Sequence[float], labels: Sequence[str]) -> float:
    """The cut that leaves most."""
    return swept(in_order(values, labels), lambda below, above: -weighted(below, above))


def no_weights(values: Sequence[float], labels: Sequence[str]) -> float:
    """Adds the two entropies."""
    return swept(in_order(values, labels), unweighted)


def fewest_wrong(values: Sequence[float], labels: Sequence[str]) -> float:
    """Counts mistakes instead of bits."""
    return swept(in_order(values, labels), wrong_rows)


def unsorted(values: Sequence[float], labels: Sequence[str]) -> float:
    """Takes the rows as they come."""
    return swept(list(zip(values, labels, strict=True)))


def torn_apart(values: Sequence[float], labels: Sequence[str]) -> float:
    """Sorts the values and not the labels."""
    return swept(list(zip(sorted(values), labels, strict=True)))


def between_equals(values: Sequence[float], labels: Sequence[str]) -> float:
    """Also cuts between equal values."""
    rows = walk(in_order(values, labels))
    return min((weighted(b, a), (low + high) / 2) for low, high, b, a in rows)[1]


def first_change(values: Sequence[float], labels: Sequence[str]) -> float:
    """The first place where the label changes."""
    rows = pairwise(in_order(values, labels))
    return next((low + high) / 2 for (low, p), (high, q) in rows if p != q)


def with_its_cost(values: Sequence[float], labels: Sequence[str]) -> tuple[float, float]:
    """What is left, and the cut."""
    rows = in_order(values, labels)
    return min(
        (weighted(b, a) / len(rows), (low + high) / 2)
        for low, high, b, a in walk(rows)
        if low != high
    )


def with_its_cost_after(values: Sequence[float], labels: Sequence[str]) -> tuple[float, float]:
    """The cut, and what is left."""
    left, cut = with_its_cost(values, labels)
    return cut, left


def with_its_gain_after(values: Sequence[float], labels: Sequence[str]) -> tuple[float, float]:
    """The cut, and what it gains."""
    return swept(in_order(values, labels)), its_gain(values, labels)


def what_is_left(values: Sequence[float], labels: Sequence[str]) -> float:
    """H(Y|X) of the best cut."""
    return with_its_cost(values, labels)[0]


def its_gain(values: Sequence[float], labels: Sequence[str]) -> float:
    """The gain of the best cut."""
    return entropy_of(list(Counter(labels).values())) - what_is_left(values, labels)


def gini(values: Sequence[float], labels: Sequence[str]) -> float:
    """Weighs by the Gini index."""

    def cost(below: Sequence[int], above: Sequence[int]) -> float:
        return sum(sum(s) - sum(n * n for n in s) / sum(s) for s in (below, above))

    return swept(in_order(values, labels), cost)


def swapped_weights(values: Sequence[float], labels: Sequence[str]) -> float:
    """Weighs each side by the rows of the other."""
    return swept(
        in_order(values, labels),
        lambda below, above: (
            sum(above) * _bits(below) / sum(below) + sum(below) * _bits(above) / sum(above)
        ),
    )


def one_less(values: Sequence[float], labels: Sequence[str]) -> float:
    """Weighs by i and n - i, where i + 1 rows lie below."""
    return swept(
        in_order(values, labels),
        lambda below, above: (
            (1 - 1 / sum(below)) * _bits(below) + (1 + 1 / sum(above)) * _bits(above)
        ),
    )


def never_leaves(values: Sequence[float], labels: Sequence[str]) -> float:
    """Rows come to the side below, and stay in the counts above as well."""

    def cost(below: Sequence[int], above: Sequence[int]) -> float:
        every = [b + a for b, a in zip(below, above, strict=True)]
        return _bits(below) + sum(above) / sum(every) * _bits(every)

    return swept(in_order(values, labels), cost)


def too_late(values: Sequence[float], labels: Sequence[str]) -> float:
    """Weighs the sides before the row has changed from one to the other."""
    rows = in_order(values, labels)
    left, right = Counter[str](), Counter(labels)
    tried = []
    for (low, label), (high, _) in pairwise(rows):
        cost = weighted(list(left.values()), list(right.values()))
        left[label] += 1
        right[label] -= 1
        if low != high:
            tried.append((cost, (low + high) / 2))
    return min(tried)[1]


def uncounted(values: Sequence[float], labels: Sequence[str]) -> float:
    """Skips equal neighbours before the row is counted."""
    rows = in_order(values, labels)
    left, right = Counter[str](), Counter(labels)
    tried = []
    for (low, label), (high, _) in pairwise(rows):
        if low != high:
            left[label] += 1
            right[label] -= 1
            tried.append((weighted(list(left.values()), list(right.values())), (low + high) / 2))
    return min(tried)[1]


def only_changes(values: Sequence[float], labels: Sequence[str]) -> float | None:
    """Looks only between two rows with different labels, and so past values with several."""
    rows = in_order(values, labels)
    places = [low != high and one != two for (low, one), (high, two) in pairwise(rows)]
    tried = [
        (weighted(below, above), (low + high) / 2)
        for place, (low, high, below, above) in zip(places, walk(rows), strict=True)
        if place
    ]
    return min(tried)[1] if tried else None


def widest_gap(values: Sequence[float], _: Sequence[str]) -> float:
    """The middle of the widest gap between two values; the lowest of several."""
    gaps = [(low - high, (low + high) / 2) for low, high in pairwise(sorted(values))]
    return min(gaps)[1]


def halves(values: Sequence[float], _: Sequence[str]) -> float:
    """The median."""
    return median(values)
