"""The best cut, found by walking a column once.

First what goes wrong on the way, as functions that go wrong so; then the exercise.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from statistics import median
from typing import Any

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.thresholds.candidates import best_cuts
from dtree_lab.course.tasks import Case, Code


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


_MANY, _FIRST_B = 8_000, 2_500


def _quadratic(values: Sequence[float], labels: Sequence[str]) -> float:
    return min(best_cuts(values, labels))


def _too_slow(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Only the large case hangs."""
    last = len(_CASES) - 1
    hung = [i for i, o in enumerate(outcomes) if o.kind == "hung"]
    return (last,) if hung == [last] else ()


def _widest(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The wrong cases, where every cut lies in a gap than which none is wider."""
    found = []
    for i, (case, outcome) in enumerate(zip(_CASES, outcomes, strict=False)):
        values = sorted(set(case.args[0]))
        gaps = {(low + high) / 2: high - low for low, high in pairwise(values)}
        if gaps.get(outcome.value) != max(gaps.values()):
            return []
        found += [i] if outcome.value not in case.wants else []
    return found


_USUAL, _SHARED, _SWIFT = (
    "the least entropy, weighed",
    "a value that several rows share",
    "many rows in little time",
)


def _case(values: list[float], labels: str, behaviour: str = _USUAL) -> Case:
    wants = tuple(best_cuts(values, list(labels)))
    return Case((values, list(labels)), wants, behaviour=behaviour)


def _large() -> Case:
    """Many rows out of order, with one best cut that can be told without counting."""
    values = [i * 3_001 % _MANY for i in range(_MANY)]
    labels = ["a" if value < _FIRST_B else "b" for value in values]
    return Case((values, labels), (_FIRST_B - 0.5,), says="8,000 rows", behaviour=_SWIFT)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn: list[Any] = []
    for n, k, behaviour in ((8, 2, _USUAL), (20, 2, _SWIFT), (40, 3, _USUAL)):
        values = [float(x) for x in rng.permutation(3 * n)[:n]]
        drawn.append(_case(values, "".join("abc"[c] for c in rng.integers(0, k, n)), behaviour))
    often = [float(x) for x in rng.integers(0, 6, 15)]
    drawn.append(_case(often, "".join("ab"[c] for c in rng.integers(0, 2, 15)), _SHARED))
    return tuple(drawn)


_CASES = (
    _case([60, 70, 75, 85, 90, 95, 100, 120, 125, 220], "nnnyyynnnn"),
    _case([5, 1, 4, 2, 8, 7], "baabbb"),
    _case([2, 5, 1, 2, 4, 3], "bbaabb", _SHARED),
    _case([2, 4, 6, 8, 10, 12, 14, 16], "abaaabbb"),
    _case([3, 9, 1, 7, 5, 11], "abcabc"),
    _case([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "aabbbaabaaa"),
    _case([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20], "abbabaaaaab"),
    _case([10, 20, 30, 40, 50, 60, 70, 80, 90], "aabbbbbba"),
    # Gini's index would cut elsewhere; and values with rows of both classes.
    _case([1, 2, 3, 4, 5, 6, 7, 8], "aabaabba"),
    _case([1, 1, 2, 2, 3, 4, 5, 5], "aaabbbab", _SHARED),
    _case([1, 1, 1, 2, 4, 4, 5, 6], "aabaabbb", _SHARED),
    # A few rows beside the many: one number is not enough for both.
    _case([1, 2, 3, 4, 5, 6, 7, 8], "bbabbaba", _SWIFT),
    _large(),
)

_BOTH = "It returns two things. Only the cut was asked for."

BEST_THRESHOLD = Exercise(
    id="thresholds/best-threshold",
    title="The best cut, by walking it",
    points=4,
    heading="walk the cut",
    text=r"""Write `best_threshold(values, labels)`: the midpoint with the least $H(Y \mid X)$,
which is the one with the highest gain. (In a tie, any of them.) You may use `dt.entropy([3, 5])`.
The last case has 8,000 rows, and the check waits two seconds: counting everything afresh at each
cut will not do.""",
    stub="""def best_threshold(values, labels):
    # your lines, in place of the dots
    ...""",
    answer="best_threshold",
    task=Code("best_threshold", _CASES, fresh=_fresh),
    mistakes=(
        Mistake(
            _quadratic,
            "8,000 rows take too long: for each cut it goes through all rows again. When the cut"
            " moves past one row, how many counts change?",
            when=_too_slow,
        ),
        Mistake(
            unsorted,
            "It walks through the rows in the order in which they were given. What has to be done"
            " once, at the start?",
        ),
        Mistake(
            torn_apart,
            "The values are sorted and the labels are not: each value has lost its own label."
            " Sort them together, as pairs.",
        ),
        Mistake(
            lower,
            "It cuts at the last value below the cut. A midpoint lies between that and the next.",
        ),
        Mistake(
            upper,
            "It cuts at the first value above the cut. A midpoint lies between that and the one"
            " before.",
        ),
        Mistake(
            worst,
            "It finds the cut that leaves the *most* entropy. Which end of the list is wanted?",
        ),
        Mistake(
            no_weights,
            "It adds the two entropies as if both sides were equally large. Weigh each by its share"
            " of the rows.",
        ),
        Mistake(
            fewest_wrong,
            "It counts the rows that each side's majority gets wrong. That is a good number, but"
            " several cuts often have the same; asked for is the least entropy.",
        ),
        Mistake(
            between_equals,
            "It also cuts between two rows with the same value, which no question about the value"
            " can do. Skip those places.",
        ),
        Mistake(
            first_change,
            "It takes the first place where the label changes. There may be several: compare them.",
        ),
        Mistake(with_its_cost, _BOTH),
        Mistake(with_its_cost_after, _BOTH),
        Mistake(with_its_gain_after, _BOTH),
        Mistake(
            what_is_left,
            "It returns what the best cut leaves. Asked for is the place where it lies.",
        ),
        Mistake(
            its_gain,
            "It returns what the best cut gains. Asked for is the place where it lies.",
        ),
        Mistake(
            gini,
            "It weighs by Gini's index. That is another measure, and often has the same best cut,"
            " not always. Asked for is the least entropy.",
        ),
        Mistake(
            only_changes,
            "It tries only places between two rows with different labels. Where one *value* has"
            " rows of several classes, the best cut may lie beside two rows of the same.",
        ),
        Mistake(
            uncounted,
            "Where the next value is the same it skips too much: there is no cut, but the row has"
            " changed sides and must be counted.",
        ),
        Mistake(
            too_late,
            "It weighs the two sides before the row has changed from one to the other.",
        ),
        Mistake(
            never_leaves,
            "The rows that the cut has passed are counted below, and still above, too.",
        ),
        Mistake(
            one_less,
            "The weights are off by one: after the first step, where i is 0, how many rows lie"
            " below the cut?",
        ),
        Mistake(
            swapped_weights,
            "The weights have changed places: each side counts by the rows that it has itself.",
        ),
        Mistake(
            widest_gap,
            "It cuts in the widest gap between two values. How far apart they lie plays no part;"
            " the labels on both sides do.",
            when=_widest,
        ),
        Mistake(
            halves,
            "It halves the rows, whatever their labels are. The labels decide.",
        ),
    ),
    more="Sort ``zip(values, labels)``. Keep two counts for each label, below and above; all rows"
    " begin above. Walk: the row that the cut passes changes sides, then weigh the two sides, if"
    " the next value is another one.",
    solution="""def best_threshold(values, labels):
    rows = sorted(zip(values, labels))
    names = sorted(set(labels))
    below = dict.fromkeys(names, 0)
    above = {name: labels.count(name) for name in names}
    least, best = math.inf, None
    for i in range(len(rows) - 1):
        value, label = rows[i]
        below[label] += 1
        above[label] -= 1
        following = rows[i + 1][0]
        if following == value:
            continue
        left = (i + 1) * dt.entropy(list(below.values()))
        left += (len(rows) - i - 1) * dt.entropy(list(above.values()))
        if left < least:
            least, best = left, (value + following) / 2
    return best
""",
    why="After sorting, each row crosses the cut once, and two counts change by one. There is no"
    " need to divide by the number of rows: it is the same for every cut.",
)
