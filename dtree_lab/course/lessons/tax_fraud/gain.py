"""Exercises on what a question leaves, and what it gains."""

from __future__ import annotations

import math

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.tax_fraud.common import H_CHEAT, NATS, entropy_of
from dtree_lab.course.tasks import Number

_REFUND_NO = entropy_of((4, 3))
_AFTER_REFUND = 7 / 10 * _REFUND_NO
_AFTER_STATUS = 6 / 10
_GAIN_REFUND = H_CHEAT - _AFTER_REFUND
_GAIN_BEST = H_CHEAT - _AFTER_STATUS
_COST = _GAIN_BEST - _GAIN_REFUND


AFTER_REFUND = Exercise(
    id="tax-fraud/after-refund",
    title="What is left after asking Refund",
    points=2,
    answer="h_after_refund",
    task=Number(_AFTER_REFUND),
    mistakes=(
        Mistake(
            _REFUND_NO / 2,
            "You averaged the two branches as if they were equally large. How many of the ten rows"
            " go each way?",
        ),
        Mistake(
            _REFUND_NO,
            "That is the branch Refund = No alone, or the sum of both. H(Y|X) is an average over"
            " all ten rows, and some of them go the other way.",
        ),
        Mistake(
            3 / 10 * _REFUND_NO,
            "The weights have changed places: how many rows go into the branch that is mixed?",
        ),
        Mistake(
            _GAIN_REFUND,
            "That is the gain: what the question takes away. Asked for is what it leaves.",
        ),
        Mistake(_AFTER_REFUND * math.log(2), NATS),
        Mistake(H_CHEAT, "That is the entropy before the question was asked."),
    ),
    more="Sort the ten rows into two heaps by Refund and count the labels in each. Take the entropy"
    " of each heap, times its share of the ten rows, and add the two.",
    solution="h_after_refund = 3/10 * dt.entropy([3, 0]) + 7/10 * dt.entropy([4, 3])",
    why="The three rows with a refund are all honest and leave nothing to ask. The other seven are"
    " 4 to 3, nearly a coin toss: 0.985 bits each. Seven tenths of that is 0.690.",
)

COST = Exercise(
    id="tax-fraud/cost",
    title="What Refund at the root cost",
    points=1,
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
