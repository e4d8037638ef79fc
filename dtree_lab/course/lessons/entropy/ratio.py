"""The exercise on the gain ratio."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dtree_lab.course.bits import entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.entropy.numbers import (
    UNWEIGHTED,
    Heaps,
    drawn_heaps,
    gain_of,
    left_of,
    split_of,
    together,
)
from dtree_lab.course.tasks import Case, Code

_ONE_HEAP, _NEAR = [[5, 3]], 1e-3
_HEAPS: tuple[list[list[int]], ...] = (
    [[4, 0], [1, 3]],
    [[3, 1], [2, 2]],
    [[1, 0]] * 5 + [[0, 1]] * 3,
    [[1, 0], [7, 8]],
    [[2, 2], [4, 0], [1, 1]],
    [[1, 1, 2], [0, 3, 0]],
    [[6, 2], [2, 6]],
    [[2, 1, 0], [0, 1, 3]],
    _ONE_HEAP,
)


def _ratio(heaps: Heaps) -> float:
    split = split_of(heaps)
    return gain_of(heaps) / split if split else 0.0


def _unguarded(heaps: Heaps) -> float:
    return gain_of(heaps) / split_of(heaps)


def _over(below: Callable[[Heaps], float]) -> Callable[[Heaps], float]:
    """The gain divided by something else, guarded."""
    return lambda heaps: gain_of(heaps) / below(heaps) if below(heaps) else 0.0


def _pieces(heaps: Heaps) -> float:
    """Takes each single count for a heap of its own."""
    return entropy_of([count for heap in heaps for count in heap])


def _nothing_to_divide_by(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Where there is one heap and it fails, or gives no number; not if the others fail too."""
    fails = [
        o.kind == "raised" or (o.kind == "number" and not math.isfinite(o.value)) for o in outcomes
    ]
    return (len(_HEAPS) - 1,) if fails[len(_HEAPS) - 1] and not any(fails[:2]) else ()


def _only_one_heap(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    """Where a number comes back for one heap, and all is right but that."""
    *others, one = outcomes[: len(_HEAPS)]
    right = all(
        o.kind == "number" and abs(o.value - _ratio(heaps)) < _NEAR
        for o, heaps in zip(others, _HEAPS, strict=False)
    )
    wrong = one.kind == "number" and math.isfinite(one.value) and abs(one.value) > _NEAR
    return (len(_HEAPS) - 1,) if right and wrong else ()


def _from(before: Callable[[Heaps], float]) -> Callable[[Heaps], float]:
    """Takes what is left off something else than H(Y)."""
    return lambda heaps: (before(heaps) - left_of(heaps)) / split_of(heaps) if heaps[1:] else 0.0


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    shapes = rng.integers((2, 2), (7, 4), (6, 2)).tolist()
    drawn = [drawn_heaps(rng, n, k) for n, k in shapes]
    return tuple(map(_case, drawn))


def _case(heaps: list[list[int]]) -> Case:
    behaviour = "two heaps" if len(heaps) == 2 else "one heap, or more than two"  # noqa: PLR2004
    if len(heaps[0]) > 2:  # noqa: PLR2004
        behaviour = "three labels"
    return Case((heaps,), (_ratio(heaps),), behaviour=behaviour)


RATIO = Exercise(
    id="entropy/ratio",
    title="The gain ratio as a function",
    points=3,
    heading="the gain ratio",
    text="""Write `gain_ratio(heaps)`, with heaps as in Exercise 3. Where all rows are in one heap
there is nothing to divide by: return 0. (0.001 either way will do.)""",
    stub="""def gain_ratio(heaps):
    # your lines, in place of the dots
    ...""",
    answer="gain_ratio",
    task=Code(
        "gain_ratio",
        tuple(map(_case, _HEAPS)),
        tolerance=0.001,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            _unguarded,
            "With one heap there is nothing to say about which heap a row is in: the split"
            " information is 0, and you divide by it. Ask for that first.",
            when=_nothing_to_divide_by,
        ),
        Mistake(gain_of, "It returns the gain. What has it still to be divided by?"),
        Mistake(split_of, "It returns the split information. It belongs below the line."),
        Mistake(
            lambda heaps: gain_of(heaps) * split_of(heaps),
            "It multiplies by the split information. Many values should count *against* an"
            " attribute.",
        ),
        Mistake(
            lambda heaps: split_of(heaps) / gain_of(heaps) if gain_of(heaps) else 0.0,
            "It is upside down: the gain belongs above the line.",
        ),
        Mistake(
            lambda heaps: gain_of(heaps) / len(heaps),
            "It divides by the number of heaps. Split information is an entropy: that of the heaps'"
            " sizes.",
        ),
        Mistake(
            _over(lambda heaps: math.log2(len(heaps))),
            "It divides by the logarithm of the number of heaps, as if all were equally large. (If"
            " you have counted with ``len(heap)``: that is how many labels there are.)",
        ),
        Mistake(
            _over(lambda heaps: entropy_of(together(heaps))),
            "It divides by H(Y). That says which share of the uncertainty goes; split information"
            " is the entropy of the heaps' sizes, whatever the labels.",
        ),
        Mistake(
            _over(_pieces),
            "Its split information counts the labels apart. Which heap a row is in has nothing to"
            " do with its label: one number for each heap, its size.",
        ),
        Mistake(
            _over(lambda heaps: split_of(heaps) * math.log(2)),
            "The gain and the split information have different logarithms. Take base 2 for both.",
        ),
        Mistake(
            lambda heaps: left_of(heaps) / split_of(heaps) if split_of(heaps) else 0.0,
            "Above the line stands what is left. The gain belongs there: what is taken away.",
        ),
        Mistake(
            lambda heaps: _ratio(heaps) if heaps[1:] else 1.0,
            "All is right but one thing: where all rows are in one heap, 0 is asked for.",
            when=_only_one_heap,
        ),
        Mistake(
            _from(lambda _: 1.0),
            "The gain starts from one bit. That is H(Y) only where two labels are half and half.",
        ),
        Mistake(
            _from(lambda heaps: entropy_of([sum(h[0] for h in heaps), sum(h[1] for h in heaps)])),
            "H(Y) counts two labels only. There may be more.",
        ),
        Mistake(
            _from(lambda heaps: entropy_of(heaps[0])),
            "The gain starts from the entropy of the first heap. H(Y) is that of all heaps"
            " together.",
        ),
        Mistake(
            _from(split_of),
            "The gain starts from the entropy of the heaps' sizes. H(Y) counts labels: add up each"
            " label over all heaps.",
        ),
        Mistake(
            _from(_pieces),
            "The gain starts from what heap and label leave open together, and so the ratio is 1"
            " every time. For H(Y), add up each label over all heaps.",
        ),
        Mistake(
            lambda heaps: (
                (entropy_of(together(heaps)) - sum(map(entropy_of, heaps)) / len(heaps))
                / split_of(heaps)
                if heaps[1:]
                else 0.0
            ),
            UNWEIGHTED,
        ),
        Mistake(
            lambda heaps: gain_of(heaps) - split_of(heaps),
            "It takes the split information off. A ratio divides.",
        ),
    ),
    more="The split information is ``dt.entropy([sum(heap) for heap in heaps])``. The gain is the"
    " entropy of all labels together, less what your ``conditional_entropy`` says.",
    solution="""def gain_ratio(heaps):
    sizes = [sum(heap) for heap in heaps]
    split_information = dt.entropy(sizes)
    if split_information == 0:
        return 0.0
    labels = [sum(counts) for counts in zip(*heaps)]
    left = sum(size / sum(sizes) * dt.entropy(heap) for size, heap in zip(sizes, heaps))
    return (dt.entropy(labels) - left) / split_information
""",
    why="What the answer tells about the label, for each bit that the answer itself takes. Eight"
    " heaps of one row tell all there is to tell, and take three bits to name.",
)
