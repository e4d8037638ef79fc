"""What a question leaves, as a function of the heaps.

First what goes wrong on the way, as functions that go wrong so; then the exercise.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dtree_lab.course.bits import NATS, entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.entropy.numbers import (
    APART,
    NO_WEIGHTS,
    UNWEIGHTED,
    Heaps,
    drawn_heaps,
    gain_of,
    left_of,
    split_of,
    together,
)
from dtree_lab.course.tasks import Case, Code


def first_heap(heaps: Heaps) -> float:
    """Ends the loop in its first round."""
    return sum(heaps[0]) / sum(map(sum, heaps)) * entropy_of(heaps[0])


def last_heap(heaps: Heaps) -> float:
    """Replaces where it should add."""
    return sum(heaps[-1]) / sum(map(sum, heaps)) * entropy_of(heaps[-1])


def of_eight(heaps: Heaps) -> float:
    """Takes it that there are always eight rows."""
    return sum(sum(heap) / 8 * entropy_of(heap) for heap in heaps)


def by_first_label(heaps: Heaps) -> float:
    """Has weights that count the first label only."""
    whole = sum(heap[0] for heap in heaps)
    return sum(heap[0] / whole * entropy_of(heap) for heap in heaps)


def two_heaps(heaps: Heaps) -> float:
    """Looks at two heaps, however many there are."""
    rows = sum(map(sum, heaps))
    return sum(sum(heap) / rows * entropy_of(heap) for heap in heaps[:2])


def two_labels(heaps: Heaps) -> float:
    """Has one share where there may be more than two labels."""
    rows = sum(map(sum, heaps))
    each = [(sum(heap), heap[0] / sum(heap)) for heap in heaps]
    return sum(n / rows * entropy_of([p, 1 - p]) for n, p in each)


def trips(heaps: Heaps) -> float:
    """Does not skip a label that is missing."""
    rows, left = sum(map(sum, heaps)), 0.0
    for heap in heaps:
        n = sum(heap)
        left -= n / rows * sum(c / n * math.log2(c / n) for c in heap)
    return left


def without_those_that_lack_one(heaps: Heaps) -> float:
    """Skips the heap where it should skip the label; with two labels such heaps are pure."""
    rows = sum(map(sum, heaps))
    return sum(sum(heap) / rows * entropy_of(heap) for heap in heaps if 0 not in heap)


def in_the_whole(heaps: Heaps) -> float:
    """Each heap with shares of all rows where its own belong."""
    rows = sum(map(sum, heaps))
    return sum(sum(heap) * _term(n, rows) for heap in heaps for n in heap if n) / rows


def _term(n: int, rows: int) -> float:
    return n / rows * math.log2(rows / n)


def weighed_by_labels(heaps: Heaps) -> float:
    """Weighs by the number of labels."""
    rows = sum(map(sum, heaps))
    return sum(len(heap) / rows * entropy_of(heap) for heap in heaps)


def weighed_by_heaps(heaps: Heaps) -> float:
    """Divides by the number of heaps."""
    return sum(sum(heap) / len(heaps) * entropy_of(heap) for heap in heaps)


def turned(heaps: Heaps) -> float:
    """Takes the labels' columns for the heaps."""
    return left_of([column for column in zip(*heaps, strict=True) if sum(column)])


def first_two(heaps: Heaps) -> float:
    """Takes the first heap and the second for all there are."""
    return left_of([heaps[0], heaps[1]])


def for_two_labels(heaps: Heaps) -> float:
    """Unpacks two labels."""
    return left_of([(one, other) for one, other in heaps])


def for_two(heaps: Heaps) -> float:
    """Unpacks two heaps."""
    one, other = heaps
    return left_of([one, other])


_TWO_HEAPS = (
    "It looks at two heaps, the first and the second. An attribute may have any number of values:"
    " go through all the heaps."
)
_HEAPS: tuple[list[list[int]], ...] = (
    [[4, 0], [1, 3]],
    [[3, 1], [2, 2]],
    [[2, 2], [4, 0], [1, 1]],
    [[9, 1], [1, 1]],
    [[5, 3]],
    [[1, 1, 2], [0, 3, 0]],
    [[10, 0], [0, 2]],
    [[1, 2], [3, 1], [2, 5], [4, 2]],
    [[3, 1, 0], [2, 2, 2]],
)
# Those in which some label is missing from some heap.
_WITH_ZERO = tuple(i for i, heaps in enumerate(_HEAPS) if any(0 in heap for heap in heaps))
_WITHOUT = tuple(i for i in range(len(_HEAPS)) if i not in _WITH_ZERO)


def _not_two(of: Callable[[list[list[int]]], int]) -> tuple[int, ...]:
    return tuple(i for i, heaps in enumerate(_HEAPS) if of(heaps) != 2)  # noqa: PLR2004


def _unpacked(outcomes: tuple[Outcome, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    """The cases with something else than two, where all of these fail to be unpacked."""
    failing = tuple(i for i, o in enumerate(outcomes) if "unpack" in o.says)
    return others if set(others) <= set(failing) else ()


_NOT_TWO_HEAPS = _not_two(len)
_NOT_TWO_LABELS = _not_two(lambda heaps: len(heaps[0]))


def _lists_added(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    added = "'int' and 'list'"
    return tuple(i for i, o in enumerate(outcomes) if o.kind == "raised" and added in o.says)


def zero_trouble(
    outcomes: tuple[Outcome, ...], zero: tuple[int, ...], others: tuple[int, ...]
) -> tuple[int, ...]:
    """The cases with a label that does not occur, where these fail and the others do not."""
    fails = [o.kind == "raised" or (o.kind == "number" and math.isnan(o.value)) for o in outcomes]
    stumbles = all(fails[i] for i in zero) and not any(fails[i] for i in others)
    return zero if stumbles else ()


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    shapes = rng.integers((1, 2), (6, 5), (6, 2)).tolist()
    drawn = [drawn_heaps(rng, n, k) for n, k in shapes]
    return tuple(map(_case, drawn))


def _case(heaps: list[list[int]]) -> Case:
    behaviour = "two heaps" if len(heaps) == 2 else "any other number of heaps"  # noqa: PLR2004
    if any(0 in heap for heap in heaps):
        behaviour = "a label that is missing from a heap"
    return Case((heaps,), (left_of(heaps),), behaviour=behaviour)


CONDITIONAL = Exercise(
    id="entropy/conditional",
    title="What a question leaves, as a function",
    points=3,
    heading="what a question leaves",
    text="""Write `conditional_entropy(heaps)`. It gets the counts of the labels, heap by heap: for
X1 that is `[[4, 0], [1, 3]]`. It returns what is left, in bits. There may be any number of heaps,
of any size, with two labels or more. You may use `dt.entropy` for one heap. (0.001 either way will
do.)""",
    stub="""def conditional_entropy(heaps):
    # your lines, in place of the dots
    ...""",
    answer="conditional_entropy",
    task=Code(
        "conditional_entropy",
        tuple(map(_case, _HEAPS)),
        tolerance=0.001,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            trips,
            "A label that is missing from a heap makes it stumble: the logarithm of 0 does not"
            " exist. What should such a label add?",
            when=lambda outcomes: zero_trouble(outcomes, _WITH_ZERO, _WITHOUT),
        ),
        Mistake(
            without_those_that_lack_one,
            "It leaves out the whole heap where a label is missing. That label adds nothing; the"
            " others of its heap still do. (With two labels it makes no difference: such a heap is"
            " pure.)",
        ),
        Mistake(lambda heaps: sum(map(entropy_of, heaps)) / len(heaps), UNWEIGHTED),
        Mistake(lambda heaps: sum(map(entropy_of, heaps)), NO_WEIGHTS),
        Mistake(
            lambda heaps: sum(sum(heap) * entropy_of(heap) for heap in heaps),
            "It weighs each heap by its number of rows. For an average, divide by the number of all"
            " rows.",
        ),
        Mistake(
            gain_of,
            "It returns the gain: what the question takes away. Asked for is what it leaves.",
        ),
        Mistake(
            lambda heaps: entropy_of(together(heaps)),
            "It puts all heaps together and returns H(Y), as if the question had not been asked.",
        ),
        Mistake(
            split_of,
            "It returns the entropy of the heaps' sizes. What matters is the labels within each"
            " heap; the sizes are only the weights.",
        ),
        Mistake(
            first_heap,
            "Only the first heap counts. Where does ``return`` stand? Indented like the lines of"
            " the loop, it ends the loop in its first round.",
        ),
        Mistake(
            last_heap,
            "Only the last heap counts. Does each round of the loop *add* to the sum, or does it"
            " replace it?",
        ),
        Mistake(
            of_eight,
            "It divides by 8, as if there were always eight rows. How many rows do the heaps that"
            " it gets hold together?",
        ),
        Mistake(
            by_first_label,
            "Its weights count the first label only. The weight of a heap is its share of all"
            " rows, whatever their label.",
        ),
        Mistake(two_heaps, _TWO_HEAPS),
        Mistake(
            two_labels,
            "It is right for two labels. With three, the share of the others is not one label's.",
        ),
        Mistake(lambda heaps: math.log(2) * left_of(heaps), NATS),
        Mistake(lambda heaps: entropy_of([n for heap in heaps for n in heap]), APART),
        Mistake(
            in_the_whole,
            "Within a heap it takes shares of *all* rows. There, each label's share is that of the"
            " heap's own rows.",
        ),
        Mistake(
            weighed_by_labels,
            "``len(heap)`` is the number of labels. How many rows are in a heap?",
        ),
        Mistake(
            weighed_by_heaps,
            "It divides by the number of heaps. The weight of a heap is its share of all rows.",
        ),
        Mistake(
            lambda heaps: left_of(heaps) / len(heaps),
            "It divides once more than it should. The weights add up to 1, so that the sum is an"
            " average already.",
        ),
        Mistake(
            lambda heaps: sum(map(entropy_of, heaps)) / 2,
            "It gives each heap the weight one half. That is right for two heaps of one size.",
        ),
        Mistake(
            lambda heaps: max(map(entropy_of, heaps)),
            "It returns the largest of the entropies. Asked for is the average over all heaps.",
        ),
        Mistake(
            lambda heaps: [entropy_of(heap) for heap in heaps],
            "It returns the entropy of each heap. Asked for is one number: their average.",
        ),
        Mistake(
            lambda heaps: [sum(h) / sum(map(sum, heaps)) * entropy_of(h) for h in heaps],
            "It returns a list. Its numbers have still to be added up.",
        ),
        Mistake(
            lambda heaps: -left_of(heaps),
            "The sign is wrong: what is open is never less than nothing. ``dt.entropy`` has the"
            " minus of the formula in it already.",
        ),
        Mistake(
            turned,
            "It takes the columns for the heaps. Each of the inner lists is one heap, with the"
            " counts of its labels.",
        ),
        Mistake(
            lambda heaps: round(left_of(heaps), 2),
            "It rounds. Return the number as it is.",
        ),
        Mistake(
            for_two,
            "It unpacks just two heaps. An attribute may have any number of values: go through the"
            " heaps in a loop.",
            when=lambda outcomes: _unpacked(outcomes, _NOT_TWO_HEAPS),
        ),
        Mistake(
            for_two_labels,
            "It unpacks just two labels of each heap. There may be more: go through the counts in a"
            " loop, or hand the whole heap to ``dt.entropy``.",
            when=lambda outcomes: _unpacked(outcomes, _NOT_TWO_LABELS),
        ),
        Mistake(first_two, _TWO_HEAPS),
        Mistake(
            lambda heaps: sum(heaps) and left_of(heaps),
            "``sum(heaps)`` would add lists to a number. First add up each heap, then the sums.",
            when=_lists_added,
        ),
    ),
    more="First the number of all rows, ``sum(sum(heap) for heap in heaps)``. Then go through the"
    " heaps and add one product for each: its share of the rows, times its entropy.",
    solution="""def conditional_entropy(heaps):
    rows = sum(sum(heap) for heap in heaps)
    left = 0.0
    for heap in heaps:
        left += sum(heap) / rows * dt.entropy(heap)
    return left
""",
    why="Each heap's entropy, as often as its answer comes. ID3 computes nothing else: what is left"
    " decides, because H(Y) is the same for every attribute.",
)
