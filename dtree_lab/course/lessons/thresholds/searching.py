"""The exercise on finding the best threshold after sorting once."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.thresholds import walking
from dtree_lab.course.lessons.thresholds.common import best_cuts
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from dtree_lab.course.calls import Outcome

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
            walking.unsorted,
            "It walks through the rows in the order in which they were given. What has to be done"
            " once, at the start?",
        ),
        Mistake(
            walking.torn_apart,
            "The values are sorted and the labels are not: each value has lost its own label."
            " Sort them together, as pairs.",
        ),
        Mistake(
            walking.lower,
            "It cuts at the last value below the cut. A midpoint lies between that and the next.",
        ),
        Mistake(
            walking.upper,
            "It cuts at the first value above the cut. A midpoint lies between that and the one"
            " before.",
        ),
        Mistake(
            walking.worst,
            "It finds the cut that leaves the *most* entropy. Which end of the list is wanted?",
        ),
        Mistake(
            walking.no_weights,
            "It adds the two entropies as if both sides were equally large. Weigh each by its share"
            " of the rows.",
        ),
        Mistake(
            walking.fewest_wrong,
            "It counts the rows that each side's majority gets wrong. That is a good number, but"
            " several cuts often have the same; asked for is the least entropy.",
        ),
        Mistake(
            walking.between_equals,
            "It also cuts between two rows with the same value, which no question about the value"
            " can do. Skip those places.",
        ),
        Mistake(
            walking.first_change,
            "It takes the first place where the label changes. There may be several: compare them.",
        ),
        Mistake(walking.with_its_cost, _BOTH),
        Mistake(walking.with_its_cost_after, _BOTH),
        Mistake(walking.with_its_gain_after, _BOTH),
        Mistake(
            walking.what_is_left,
            "It returns what the best cut leaves. Asked for is the place where it lies.",
        ),
        Mistake(
            walking.its_gain,
            "It returns what the best cut gains. Asked for is the place where it lies.",
        ),
        Mistake(
            walking.gini,
            "It weighs by Gini's index. That is another measure, and often has the same best cut,"
            " not always. Asked for is the least entropy.",
        ),
        Mistake(
            walking.only_changes,
            "It tries only places between two rows with different labels. Where one *value* has"
            " rows of several classes, the best cut may lie beside two rows of the same.",
        ),
        Mistake(
            walking.uncounted,
            "Where the next value is the same it skips too much: there is no cut, but the row has"
            " changed sides and must be counted.",
        ),
        Mistake(
            walking.too_late,
            "It weighs the two sides before the row has changed from one to the other.",
        ),
        Mistake(
            walking.never_leaves,
            "The rows that the cut has passed are counted below, and still above, too.",
        ),
        Mistake(
            walking.one_less,
            "The weights are off by one: after the first step, where i is 0, how many rows lie"
            " below the cut?",
        ),
        Mistake(
            walking.swapped_weights,
            "The weights have changed places: each side counts by the rows that it has itself.",
        ),
        Mistake(
            walking.widest_gap,
            "It cuts in the widest gap between two values. How far apart they lie plays no part;"
            " the labels on both sides do.",
            when=_widest,
        ),
        Mistake(
            walking.halves,
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
