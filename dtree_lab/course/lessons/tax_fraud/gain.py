"""Exercises on what a question leaves, and what it gains."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from dtree_lab.course.bits import NATS, entropy_of
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.tax_fraud.entropy import H_CHEAT
from dtree_lab.course.tasks import Number

_RETURNS = 20
_APART = 0.005  # five times what an answer may be off
_REFUND_NO = entropy_of((4, 3))
_AFTER_REFUND = 7 / 10 * _REFUND_NO
_AFTER_STATUS = 6 / 10
_GAIN_REFUND = H_CHEAT - _AFTER_REFUND
_GAIN_BEST = H_CHEAT - _AFTER_STATUS
_COST = _GAIN_BEST - _GAIN_REFUND


def _office(rng: np.random.Generator) -> Exercise:
    """Twenty returns in two heaps that are both mixed, and not alike in any way."""
    heaps = drawn_until("tax-fraud/after-refund", lambda: _drawn(rng), _apart)
    return _asked(heaps, *_numbers(*heaps.values()))


def _drawn(rng: np.random.Generator) -> dict[str, tuple[int, int]]:
    yes = int(rng.integers(5, 9))
    fraud, others = int(rng.integers(1, yes)), int(rng.integers(1, _RETURNS - yes))
    return {"Yes": (yes - fraud, fraud), "No": (_RETURNS - yes - others, others)}


def _apart(heaps: dict[str, tuple[int, int]]) -> bool:
    numbers = _numbers(*heaps.values())
    return min(abs(x - y) for x, y in combinations(numbers, 2)) > _APART


def _numbers(with_refund: tuple[int, int], without: tuple[int, int]) -> tuple[float, ...]:
    """What is left, and the numbers of the mistakes."""
    h_yes, h_no = entropy_of(with_refund), entropy_of(without)
    share = sum(with_refund) / _RETURNS
    before = entropy_of([sum(both) for both in zip(with_refund, without, strict=True)])
    left = share * h_yes + (1 - share) * h_no
    swapped = (1 - share) * h_yes + share * h_no
    total, nats = h_yes + h_no, left * math.log(2)
    sizes = entropy_of((sum(with_refund), sum(without)))
    turned = sizes - (before - left)  # what one of two tells of the other, the other tells of it
    usual = (left, total / 2, total, h_yes, h_no, swapped, before - left, nats, before)
    one, other = share * h_yes, (1 - share) * h_no
    return *usual, turned, sizes, sizes + left, 2 * left, _RETURNS * left, one, other, -left


_ONE_HEAP = (
    "That is the entropy of one heap alone. H(Y|X) is an average over all twenty rows, and some of"
    " them lie in the other heap."
)


_ONE_TERM = "That is what one heap adds to the average. What does the other one add?"


# In the order of the numbers.
_HINTS = (
    (
        "You averaged the two heaps as if they were equally large. How many of the twenty rows lie"
        " in each?"
    ),
    (
        "You added the entropies of the two heaps. An average counts each heap by its share of the"
        " rows."
    ),
    _ONE_HEAP,
    _ONE_HEAP,
    "The weights have changed places: which heap is the larger one?",
    "That is the gain: what the question takes away. Asked for is what it leaves.",
    NATS,
    "That is the entropy before the question was asked.",
    (
        "You sorted the returns by Cheat and counted the refunds in each heap. It is the other way"
        " round: the heaps are those of Refund, and what is counted in them are the labels."
    ),
    (
        "That is the entropy of the heaps' sizes. The sizes are only the weights: how uncertain is"
        " the label within each heap?"
    ),
    (
        "That is what Refund and Cheat leave open together. Asked for is what is open about Cheat"
        " once Refund is known."
    ),
    "You weighed the heaps with tenths, and this office has twenty returns.",
    (
        "You weighed each heap by its number of rows. The weight is a share: divide by the number"
        " of all rows."
    ),
    _ONE_TERM,
    _ONE_TERM,
    "Entropy is never below 0, and so is no average of entropies. Where does a minus sign come in?",
)


def _asked(heaps: dict[str, tuple[int, int]], left: float, *slips: float) -> Exercise:
    yes, no = heaps.values()
    return Exercise(
        id="tax-fraud/after-refund",
        title="What is left after asking Refund",
        points=2,
        heading="another office",
        text="""Another tax office has sorted twenty returns by Refund, too. These are its two
heaps, with numbers of your own:

```python
office = dt.course.data("tax-fraud/after-refund", me)
for answer, counts in office.items():
    print(f"Refund = {answer}: {counts[0]} No, {counts[1]} Yes")
```

What is H(Cheat | Refund) there? You may use your own `entropy`, or `dt.entropy`. (Within
0.001.)""",
        stub="h_after_refund = ...",
        answer="h_after_refund",
        data=heaps,
        task=Number(left),
        mistakes=tuple(map(Mistake, slips, _HINTS)),
        more="Take the entropy of each heap, times its share of the twenty rows, and add the two.",
        solution="""h_after_refund = 0
for counts in office.values():
    h_after_refund += sum(counts) / 20 * dt.entropy(counts)
""",
        why=f"{sum(yes)} of the twenty rows have a refund and leave {entropy_of(yes):.3f} bits"
        f" each, {sum(no)} have none and leave {entropy_of(no):.3f}; on average it is {left:.3f}.",
    )


AFTER_REFUND = personal(_office)

COST = Exercise(
    id="tax-fraud/cost",
    title="What Refund at the root cost",
    points=1,
    heading="what Refund cost",
    text="""The lecture's tree asks Refund first. How many bits less does that gain than the best
question? (Within 0.001.)""",
    stub="cost = ...",
    answer="cost",
    task=Number(_COST),
    mistakes=(
        Mistake(
            _GAIN_REFUND,
            "That is what Refund gains. The cost is how much less that is than what could be had.",
        ),
        Mistake(
            _GAIN_BEST,
            "That is what the best question gains. The lecture's question gained something, too.",
        ),
        Mistake(-_COST, "The right size with the wrong sign: which of the two gains is larger?"),
        Mistake(
            _COST * math.log(2),
            NATS,
        ),
        Mistake(
            _COST / _GAIN_BEST,
            "That is the share of the best gain that was given away. Asked for is the amount, in"
            " bits.",
        ),
        Mistake(
            _AFTER_STATUS,
            "That is what the best question leaves open. How much more is it for Refund?",
        ),
        *(
            Mistake(
                abs(ratio - _GAIN_REFUND / entropy_of((3, 7))),
                "That is a difference of gain ratios, which are for Lesson 2. Take the gains.",
            )
            for ratio in (_GAIN_BEST / entropy_of((4, 4, 2)), _GAIN_BEST / entropy_of((3, 7)))
        ),
        Mistake(
            _AFTER_REFUND,
            "That is what Refund leaves open. How much more is that than what the best question"
            " leaves?",
        ),
    ),
    more="Take two numbers from the comparison above: the gain of the best question, and the gain"
    " of Refund.",
    solution='cost = dt.information_gain(table, "Marital Status")'
    ' - dt.information_gain(table, "Refund")',
    why="0.281 bits could be had and 0.192 were taken. The same comes out of what is left, 0.690 -"
    " 0.600, because both start from the same H(Cheat).",
)
