"""Entropies and gains as numbers, and a point on the curve.

What is right is written apart from the library's own, so that each checks the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np

from dtree_lab.course.bits import BASE_TEN, NATS, entropy_of, summed
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Do, Goal, Number, when
from dtree_lab.datasets import tax_fraud
from dtree_lab.labs.entropy.model import dump, load, update
from dtree_lab.labs.entropy.state import State, start
from dtree_lab.labs.kit.actions import Set

Heaps: TypeAlias = "Sequence[Sequence[int]]"

UNWEIGHTED = (
    "You averaged the heaps as if they were equally large. Each counts by its share of all rows."
)
NO_WEIGHTS = (
    "You added the heaps' entropies as they are. An average counts each heap by its share of all"
    " rows."
)
APART = (
    "You counted each label of each heap apart: that is what heap and label leave open *together*."
    " How uncertain is the label when the heap is known?"
)
# How far apart two wrong numbers must be, so that each gets its own hint.
_APART = 0.004


def together(heaps: Heaps) -> list[int]:
    """The counts of the labels in all heaps together."""
    return [sum(column) for column in zip(*heaps, strict=True)]


def left_of(heaps: Heaps) -> float:
    """H(Y|X) in bits."""
    rows = sum(map(sum, heaps))
    return math.fsum(sum(heap) / rows * entropy_of(heap) for heap in heaps)


def gain_of(heaps: Heaps) -> float:
    """I(Y, X) in bits."""
    return entropy_of(together(heaps)) - left_of(heaps)


def split_of(heaps: Heaps) -> float:
    """The entropy of the heaps' sizes, in bits."""
    return entropy_of([sum(heap) for heap in heaps])


def apart(numbers: Iterable[float]) -> bool:
    """Whether no two of some numbers could be taken for each other."""
    return all(abs(x - y) > _APART for x, y in combinations(numbers, 2))


def drawn_heaps(rng: np.random.Generator, n_heaps: int, n_labels: int) -> list[list[int]]:
    """Heaps by chance, none of them empty."""
    heaps = rng.integers(0, 9, (n_heaps, n_labels))
    heaps[:, 0] += heaps.sum(axis=1) == 0
    found: list[list[int]] = heaps.tolist()
    return found


_WITHIN = 0.01


def _height(state: State) -> float:
    return entropy_of([state.p, 1 - state.p])


def _placed(p: float) -> str:
    """The lab's state with the point somewhere."""
    return dump(update(start(tax_fraud()), Set("p", p)))


def _near(state: State, *places: float) -> bool:
    return any(abs(state.p - place) < 1e-3 for place in places)  # noqa: PLR2004


HALF_A_BIT = Exercise(
    id="entropy/half-a-bit",
    title="A point on the curve",
    points=2,
    heading="half a bit",
    text="""Put the point where the entropy is **half a bit** (to within 0.01 bits), and leave it
there. Then run the check.""",
    stub="""half = dt.EntropyLab()
half""",
    answer="half",
    task=Do(
        lambda text: load(text, tax_fraud()),
        (
            Goal(
                lambda state: abs(_height(state) - 1 / 2) <= _WITHIN,
                lambda state: f"at p = {state.p:.3g} the entropy is {_height(state):.3f} bits",
                f"half a bit, to within {_WITHIN}",
            ),
        ),
        blank=lambda state: state.p == start(tax_fraud()).p,
    ),
    mistakes=(
        Mistake(
            _placed(1 / 4),
            "That is half-way to the middle along the axis of p. What is to be half as large is the"
            " height of the curve.",
            when=when(lambda state: _near(state, 1 / 4, 3 / 4), 0),
        ),
        Mistake(
            _placed(1 / 2),
            "That is a share of one half, and the top of the curve. What is to be one half is the"
            " entropy.",
            when=when(lambda state: _near(state, 1 / 2), 0),
        ),
        Mistake(
            _placed(0),
            "At either end you are certain of the label: the entropy is 0.",
            when=when(lambda state: _near(state, 0, 1), 0),
        ),
        Mistake(
            _placed(0.2),
            "That is too uncertain. Move away from the middle, where the curve is steeper: a small"
            " step goes a long way there.",
            when=when(
                lambda state: _height(state) > 1 / 2 + _WITHIN and not _near(state, 1 / 4, 1 / 2),
                0,
            ),
        ),
        Mistake(
            _placed(0.05),
            "That is too certain. Move towards the middle, in small steps: the curve is steep"
            " here.",
            when=when(lambda state: _height(state) < 1 / 2 - _WITHIN and not _near(state, 0, 1), 0),
        ),
    ),
    more="Type numbers for p and watch the sum beneath: try a tenth, see on which side of half a"
    " bit you are, and go on from there in hundredths. There are two such places.",
    solution="half = dt.EntropyLab()\n"
    'half.act({"do": "set", "control": "typed", "value": "0.11"})  # as if typed into the field\n'
    "half",
    why="At p = 0.11 the entropy is 0.11 · 3.184 + 0.89 · 0.168 = 0.500 bits; 0.89 is just as good,"
    " for the names of the labels play no part. So one dissenting row in nine already takes half"
    " of what a coin toss takes.",
)


_LEFT_OUT = (
    "Those are two of the three terms. Each label that occurs adds one: its share, times the"
    " logarithm of one over its share."
)
_TWO_ONLY = (
    "That is the entropy of two of the three labels, as if the third did not occur. Count all"
    " three."
)
_COUNTS = (
    "You put counts into the formula. In both places there is a *share*: a count, divided by the"
    " number of all rows."
)
_ROUNDING = 0.006  # what a number with two decimals may be off by, and a little more
_FEWEST, _MOST, _A_POWER = 12, 20, 16


def _rounded(want: float) -> Mistake:
    """What is too far off, and so near that something will have been rounded."""

    def near(outcomes: tuple[Outcome, ...]) -> list[int]:
        is_near = outcomes[0].kind == "number" and abs(outcomes[0].value - want) <= _ROUNDING
        return [0] if is_near else []

    return Mistake(
        want + 0.0051,
        "Very near. Was something rounded, on the way or at the end? Keep all decimals on the way,"
        " and at least three at the end.",
        when=near,
    )


def _term(count: int, rows: int) -> float:
    return count / rows * math.log2(rows / count)


def _labels_mistakes(counts: list[int]) -> tuple[Mistake, ...]:
    h, rows = entropy_of(counts), sum(counts)
    summed_up = sum(count * math.log2(count) for count in counts)
    without = [Mistake(h - _term(count, rows), _LEFT_OUT) for count in counts]
    return (
        Mistake(h * math.log(2), NATS),
        Mistake(
            h * math.log10(2),
            BASE_TEN,
        ),
        Mistake(
            -h,
            "Entropy is never below 0. The logarithm of a fraction is negative, and the minus sign"
            " before the sum makes it positive.",
        ),
        Mistake(
            summed(counts, lambda p: math.log2(1 / p)),
            "You added the surprises without weights. An average counts each label as often as it"
            " occurs.",
        ),
        Mistake(
            summed(counts, lambda p: math.log2(1 / p)) / 3,
            "You averaged the surprises as if all labels were equally frequent. Each counts as"
            " often as it occurs.",
        ),
        *without,
        *(Mistake(entropy_of(two), _TWO_ONLY) for two in combinations(counts, 2)),
        Mistake(-summed_up, _COUNTS),
        Mistake(summed_up, _COUNTS),
        Mistake(
            h / 3,
            "You divided by the number of labels. The shares are the weights of the average"
            " already.",
        ),
        Mistake(
            rows * h,
            "That is for all rows together. The number before each logarithm is a share, not a"
            " count.",
        ),
        Mistake(
            h / math.log2(3),
            "You divided by the logarithm of the number of labels. Bits are not scaled: three"
            " labels can take more than one bit.",
        ),
        Mistake(
            math.log2(3),
            "That is the most that three labels can take, when all are equally frequent. Are they?",
        ),
        Mistake(
            1 - sum((count / rows) ** 2 for count in counts),
            "That is the Gini impurity. Entropy has logarithms in it.",
        ),
        Mistake(
            1 - max(counts) / rows,
            "That is how often the majority label is wrong. Entropy averages surprises.",
        ),
        _rounded(h),
    )


def _fit(counts: list[int]) -> bool:
    """Three different counts, of so many rows that no share is a power of 1/2."""
    rows = sum(counts)
    if len(set(counts)) < len(counts) or not _FEWEST <= rows <= _MOST or rows == _A_POWER:
        return False
    return apart((entropy_of(counts), *(one.wrong for one in _labels_mistakes(counts))))


def _three_labels(rng: np.random.Generator) -> Exercise:
    counts = drawn_until("entropy/three-labels", lambda: rng.integers(1, 10, 3).tolist(), _fit)
    return Exercise(
        id="entropy/three-labels",
        title="The entropy of three labels",
        points=2,
        heading="three labels",
        text="""Here are the counts of three labels, yours alone:

```python
counts = dt.course.data("entropy/three-labels", me)
print(counts)
```

What is their entropy, in bits? Work it out from the fractions. (The answer may be off by
0.001.)""",
        stub="h_three = ...",
        answer="h_three",
        data=counts,
        task=Number(entropy_of(counts)),
        mistakes=_labels_mistakes(counts),
        more="Add up the three counts first: that is the number of rows. Then there are three"
        " terms, ``count / rows * math.log2(rows / count)`` for each label.",
        solution="rows = sum(counts)\n"
        "h_three = sum(count / rows * math.log2(rows / count) for count in counts)",
        why="Each label's surprise, counted as often as the label occurs. Three labels can take up"
        " to log2(3) = 1.585 bits; yours take less, because they are not equally frequent.",
    )


THREE_LABELS = personal(_three_labels)


def _answers_mistakes(heaps: Heaps) -> tuple[Mistake, ...]:
    before, left, gain = entropy_of(together(heaps)), left_of(heaps), gain_of(heaps)
    each = [entropy_of(heap) for heap in heaps]
    return (
        Mistake(left, "That is H(Y|X), what the question leaves. Asked for is what it takes away."),
        Mistake(before, "That is H(Y), before anything is asked. What is left after the answer?"),
        Mistake(before - sum(each) / len(each), UNWEIGHTED),
        Mistake(sum(each) / len(each), UNWEIGHTED + " And then: what is left is not the gain."),
        Mistake(before - sum(each), NO_WEIGHTS),
        Mistake(
            before - sum(map(sum, heaps)) * left,
            "You weighed each heap by its number of rows. The weight is a share: divide by the"
            " number of all rows.",
        ),
        Mistake(
            entropy_of([n for heap in heaps for n in heap]),
            "That is what value and label leave open together. Asked for is the gain.",
        ),
        Mistake(gain * math.log(2), NATS),
        Mistake(
            -gain,
            "The size is right, the sign is not. Which of H(Y) and H(Y|X) is taken off the other?",
        ),
        Mistake(
            gain / before,
            "That is the share of H(Y) that the question takes away. Asked for is the amount, in"
            " bits.",
        ),
        Mistake(
            gain / split_of(heaps),
            "You divided by the entropy of the heaps' sizes. That ratio comes later; asked for is"
            " the gain itself.",
        ),
        Mistake(
            1 - left,
            "You started from one bit. Is the label half Yes and half No before the question is"
            " asked? Count it in all heaps together.",
        ),
        Mistake(
            split_of(heaps) - left,
            "You started from the entropy of the heaps' sizes. H(Y) counts labels: all Yes against"
            " all No.",
        ),
        Mistake(
            before + left,
            "You added what is left to what there was. The question takes something away.",
        ),
        _rounded(gain),
    )


def _fit_heaps(heaps: list[list[int]]) -> bool:
    """Heaps of different sizes, exactly one of them pure, and none half and half."""
    sizes = {sum(heap) for heap in heaps}
    pure = sum(min(heap) == 0 for heap in heaps)
    if len(sizes) < len(heaps) or min(sizes) < 2 or pure != 1:  # noqa: PLR2004
        return False
    if any(yes == no for yes, no in heaps) or len(set(together(heaps))) == 1:
        return False
    return apart((gain_of(heaps), *(one.wrong for one in _answers_mistakes(heaps))))


def _three_answers(rng: np.random.Generator) -> Exercise:
    heaps = drawn_until(
        "entropy/three-answers", lambda: rng.integers(0, 8, (3, 2)).tolist(), _fit_heaps
    )
    return Exercise(
        id="entropy/three-answers",
        title="The gain of an attribute with three values",
        points=3,
        heading="three answers",
        text="""An attribute with the values a, b and c sorts some rows into three heaps. These are
yours, with the counts of the labels Yes and No in each:

```python
heaps = dt.course.data("entropy/three-answers", me)
for value, (yes, no) in heaps.items():
    print(f"X = {value}: {yes} Yes, {no} No")
```

What does the attribute gain, in bits? (0.001 either way will do.)""",
        stub="gain = ...",
        answer="gain",
        data={value: tuple(heap) for value, heap in zip("abc", heaps, strict=True)},
        task=Number(gain_of(heaps)),
        mistakes=_answers_mistakes(heaps),
        more="In three steps: the entropy of all Yes against all No; the entropy of each heap,"
        " times its share of all rows, added up; the first less the second.",
        solution="rows = sum(sum(heap) for heap in heaps.values())\n"
        "before = dt.entropy([sum(heap[i] for heap in heaps.values()) for i in (0, 1)])\n"
        "left = sum(sum(heap) / rows * dt.entropy(heap) for heap in heaps.values())\n"
        "gain = before - left",
        why="H(Y) of all rows, less the weighted mean of what the heaps leave. The pure heap leaves"
        " nothing, and its weight still counts.",
    )


THREE_ANSWERS = personal(_three_answers)
