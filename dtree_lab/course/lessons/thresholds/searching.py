"""The exercise on finding the best threshold after sorting once."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.thresholds.common import best_cuts
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np

    from dtree_lab.course.calls import Outcome

_MANY, _FIRST_B = 8_000, 2_500


def _weighted(below: Sequence[int], above: Sequence[int]) -> float:
    return sum(below) * entropy_of(below) + sum(above) * entropy_of(above)


def _unweighted(below: Sequence[int], above: Sequence[int]) -> float:
    return entropy_of(below) + entropy_of(above)


def _wrong_rows(below: Sequence[int], above: Sequence[int]) -> float:
    return sum(sum(side) - max(side) for side in (below, above))


def _walk(
    pairs: Sequence[tuple[float, str]],
) -> Iterator[tuple[float, float, list[int], list[int]]]:
    """The two values next to each place between rows, and the counts on both sides."""
    left, right = Counter[str](), Counter(label for _, label in pairs)
    names = list(right)
    for (low, label), (high, _) in pairwise(pairs):
        left[label] += 1
        right[label] -= 1
        yield low, high, [left[n] for n in names], [right[n] for n in names]


def _swept(
    pairs: Sequence[tuple[float, str]],
    cost: Callable[[Sequence[int], Sequence[int]], float] = _weighted,
    place: Callable[[float, float], float] = lambda low, high: (low + high) / 2,
) -> float:
    tried = [(cost(b, a), place(low, high)) for low, high, b, a in _walk(pairs) if low != high]
    return min(tried)[1]


def _pairs(values: Sequence[float], labels: Sequence[str]) -> list[tuple[float, str]]:
    return sorted(zip(values, labels, strict=True))


def _lower(values: Sequence[float], labels: Sequence[str]) -> float:
    return _swept(_pairs(values, labels), place=lambda low, _: low)


def _upper(values: Sequence[float], labels: Sequence[str]) -> float:
    return _swept(_pairs(values, labels), place=lambda _, high: high)


def _worst(values: Sequence[float], labels: Sequence[str]) -> float:
    return _swept(_pairs(values, labels), lambda below, above: -_weighted(below, above))


def _no_weights(values: Sequence[float], labels: Sequence[str]) -> float:
    return _swept(_pairs(values, labels), _unweighted)


def _fewest_wrong(values: Sequence[float], labels: Sequence[str]) -> float:
    return _swept(_pairs(values, labels), _wrong_rows)


def _unsorted(values: Sequence[float], labels: Sequence[str]) -> float:
    return _swept(list(zip(values, labels, strict=True)))


def _torn_apart(values: Sequence[float], labels: Sequence[str]) -> float:
    return _swept(list(zip(sorted(values), labels, strict=True)))


def _between_equals(values: Sequence[float], labels: Sequence[str]) -> float:
    pairs = sorted(zip(values, labels, strict=True))
    return min((_weighted(b, a), (low + high) / 2) for low, high, b, a in _walk(pairs))[1]


def _first_change(values: Sequence[float], labels: Sequence[str]) -> float:
    pairs = pairwise(_pairs(values, labels))
    return next((low + high) / 2 for (low, p), (high, q) in pairs if p != q)


def _with_its_cost(values: Sequence[float], labels: Sequence[str]) -> tuple[float, float]:
    pairs = _pairs(values, labels)
    return min(
        (_weighted(b, a) / len(pairs), (low + high) / 2)
        for low, high, b, a in _walk(pairs)
        if low != high
    )


def _quadratic(values: Sequence[float], labels: Sequence[str]) -> float:
    return min(best_cuts(values, labels))


def _too_slow(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Only the large case hangs."""
    last = len(_CASES) - 1
    hung = [i for i, o in enumerate(outcomes) if o.kind == "hung"]
    return (last,) if hung == [last] else ()


def _case(values: list[float], labels: str) -> Case:
    return Case((values, list(labels)), tuple(best_cuts(values, list(labels))))


def _large() -> Case:
    """Many rows out of order, with one best cut that can be told without counting."""
    values = [i * 3_001 % _MANY for i in range(_MANY)]
    labels = ["a" if value < _FIRST_B else "b" for value in values]
    return Case((values, labels), (_FIRST_B - 0.5,), says="8,000 rows")


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn: list[Any] = []
    for n, k in ((8, 2), (20, 2), (40, 3)):
        values = [float(x) for x in rng.permutation(3 * n)[:n]]
        drawn.append(_case(values, "".join("abc"[c] for c in rng.integers(0, k, n))))
    return tuple(drawn)


_CASES = (
    _case([60, 70, 75, 85, 90, 95, 100, 120, 125, 220], "nnnyyynnnn"),
    _case([5, 1, 4, 2, 8, 7], "baabbb"),
    _case([1, 2, 2, 3, 4, 5], "aabbbb"),
    _case([2, 4, 6, 8, 10, 12, 14, 16], "abaaabbb"),
    _case([3, 9, 1, 7, 5, 11], "abcabc"),
    _case([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "aabbbaabaaa"),
    _case([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20], "abbabaaaaab"),
    _case([10, 20, 30, 40, 50, 60, 70, 80, 90], "aabbbbbba"),
    _large(),
)

BEST_THRESHOLD = Exercise(
    id="thresholds/best-threshold",
    title="The best cut, by walking it",
    points=4,
    answer="best_threshold",
    task=Code("best_threshold", _CASES, fresh=_fresh),
    mistakes=(
        Mistake(
            _quadratic,
            "The small cases are right, and 8,000 rows take too long: for each cut it goes through"
            " all rows again. When the cut moves past one row, how many counts change?",
            when=_too_slow,
        ),
        Mistake(
            _unsorted,
            "It walks through the rows in the order in which they were given. What has to be done"
            " once, at the start?",
        ),
        Mistake(
            _torn_apart,
            "The values are sorted and the labels are not: each value has lost its own label."
            " Sort them together, as pairs.",
        ),
        Mistake(
            _lower,
            "It cuts at the last value below the cut. A midpoint lies between that and the next.",
        ),
        Mistake(
            _upper,
            "It cuts at the first value above the cut. A midpoint lies between that and the one"
            " before.",
        ),
        Mistake(
            _worst,
            "It finds the cut that leaves the *most* entropy. Which end of the list is wanted?",
        ),
        Mistake(
            _no_weights,
            "It adds the two entropies as if both sides were equally large. Weigh each by its share"
            " of the rows.",
        ),
        Mistake(
            _fewest_wrong,
            "It counts the rows that each side's majority gets wrong. That is a good number, but"
            " several cuts often have the same; asked for is the least entropy.",
        ),
        Mistake(
            _between_equals,
            "It also cuts between two rows with the same value, which no question about the value"
            " can do. Skip those places.",
        ),
        Mistake(
            _first_change,
            "It takes the first place where the label changes. There may be several: compare them.",
        ),
        Mistake(
            _with_its_cost,
            "It returns two things, the cost and the cut. Only the cut was asked for.",
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
