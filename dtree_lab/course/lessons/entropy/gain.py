"""The exercise that goes from rows to a gain."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, TypeAlias

from dtree_lab.course.bits import NATS, entropy_of
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.entropy.common import UNWEIGHTED
from dtree_lab.course.tasks import Case, Code
from dtree_lab.datasets import tax_fraud, truth_table, two_attributes, word_sense

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from dtree_lab.course.calls import Outcome

Rows: TypeAlias = list[dict[str, Any]]

_EIGHT, _TAX = list(two_attributes().rows()), list(tax_fraud().rows())
_SENSES, _XOR = list(word_sense().rows()), list(truth_table("xor", 2).rows())
_SAME = [{"X": "a", "Y": label} for label in ("T", "T", "F")]


def _entropy(labels: list[Any]) -> float:
    return entropy_of(list(Counter(labels).values()))


def _heaps(rows: Rows, attribute: str, target: str) -> dict[Any, list[Any]]:
    heaps = defaultdict(list)
    for row in rows:
        heaps[row[attribute]].append(row[target])
    return heaps


def _left(rows: Rows, attribute: str, target: str) -> float:
    heaps = _heaps(rows, attribute, target).values()
    return math.fsum(len(heap) / len(rows) * _entropy(heap) for heap in heaps)


def _before(rows: Rows, target: str) -> float:
    return _entropy([row[target] for row in rows])


def _gain(rows: Rows, attribute: str, target: str) -> float:
    return _before(rows, target) - _left(rows, attribute, target)


def _plain_mean(rows: Rows, attribute: str, target: str) -> float:
    heaps = list(_heaps(rows, attribute, target).values())
    return _before(rows, target) - sum(map(_entropy, heaps)) / len(heaps)


def _t_and_f(rows: Rows, attribute: str, target: str) -> float:
    def two(labels: list[Any]) -> float:
        counts = [labels.count("T"), labels.count("F")]
        return entropy_of(counts) if sum(counts) else 0.0

    heaps = [_heaps(rows, attribute, target)[value] for value in ("T", "F")]
    before = two([row[target] for row in rows])
    return before - sum(len(heap) / len(rows) * two(heap) for heap in heaps if heap)


def _row_by_row(rows: Rows, attribute: str, target: str) -> float:
    """Goes through the rows where it should go through the values: each heap counts often."""
    heaps = _heaps(rows, attribute, target).values()
    left = sum(len(heap) * len(heap) / len(rows) * _entropy(heap) for heap in heaps)
    return _before(rows, target) - left


def _no_weights(rows: Rows, attribute: str, target: str) -> float:
    heaps = _heaps(rows, attribute, target).values()
    return _before(rows, target) - sum(map(_entropy, heaps))


def _gain_ratio(rows: Rows, attribute: str, target: str) -> float:
    split = _entropy([row[attribute] for row in rows])
    return _gain(rows, attribute, target) / split if split else 0.0


def _case(rows: Rows, attribute: str, target: str, name: str) -> Case:
    says = f"{name}, {attribute!r}, {target!r}"
    return Case((rows, attribute, target), (_gain(rows, attribute, target),), says)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    """Tables by chance, with other names and values than those of the lesson."""
    cases = []
    for n, n_values, n_labels in rng.integers((6, 1, 2), (30, 6, 5), (5, 3)).tolist():
        drawn = zip(rng.integers(0, n_values, n), rng.integers(0, n_labels, n), strict=True)
        rows = [{"shape": f"v{x}", "colour": f"c{y}"} for x, y in drawn]
        cases.append(_case(rows, "shape", "colour", f"{n} other rows"))
    return tuple(cases)


def _key_error(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if (o.kind, o.value) == ("raised", "KeyError")]


def _fixed(attribute: str, target: str) -> Callable[[Rows, str, str], float]:
    return lambda rows, *_: _gain(rows, attribute, target)


GAIN = Exercise(
    id="entropy/gain",
    title="From rows to the gain",
    points=4,
    answer="information_gain",
    task=Code(
        "information_gain",
        (
            _case(_EIGHT, "X1", "Y", "the eight rows"),
            _case(_EIGHT, "X2", "Y", "the eight rows"),
            _case(_TAX, "Refund", "Cheat", "the ten tax returns"),
            _case(_TAX, "Marital Status", "Cheat", "the ten tax returns"),
            _case(_SENSES, "pos", "sense", "seven rows with four labels"),
            _case(_XOR, "a1", "xor", "the four rows of XOR"),
            _case(_SAME, "X", "Y", "three rows with one value"),
        ),
        tolerance=0.001,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            _fixed("X1", "Y"),
            "A KeyError means that a row has no entry of that name. The names come in as"
            " ``attribute`` and ``target``: look up ``row[attribute]``, without quotes.",
            when=_key_error,
        ),
        Mistake(_left, "It returns H(Y|X), what is left. The gain is what that takes off H(Y)."),
        Mistake(
            lambda rows, _, target: _before(rows, target),
            "It returns H(Y). What is left after the answer has still to be taken off.",
        ),
        Mistake(
            lambda *args: 1 - _left(*args),
            "It starts from one bit. That is H(Y) only where two labels are half and half: compute"
            " it from all the rows.",
        ),
        Mistake(
            lambda *args: _before(args[0], args[2]) - len(args[0]) / 8 * _left(*args),
            "It divides by 8, which is right for one table. How many rows have come in?",
        ),
        Mistake(_plain_mean, UNWEIGHTED),
        Mistake(
            _no_weights,
            "It takes off the heaps' entropies as they are. Each counts by its share of the rows.",
        ),
        Mistake(
            _row_by_row,
            "It takes off the same heap several times. Do you go through the rows where you should"
            " go through the *different* values? ``set(...)`` holds each value once.",
        ),
        Mistake(
            _t_and_f,
            "It knows only T and F. Other tables have other values and labels, and more than two.",
        ),
        Mistake(
            lambda rows, attribute, target: -_gain(rows, attribute, target),
            "The size is right, the sign is not. Which of H(Y) and H(Y|X) is taken off the other?",
        ),
        Mistake(
            lambda *args: _before(args[0], args[2]) + _left(*args),
            "It adds what is left to what there was. The question takes something away.",
        ),
        Mistake(
            lambda rows, attribute, _: _before(rows, attribute),
            "It returns the entropy of the attribute itself. Within each heap the labels count.",
        ),
        Mistake(
            _gain_ratio,
            "It divides by the entropy of the attribute. That ratio comes later; asked for is the"
            " gain itself.",
        ),
        Mistake(lambda *args: math.log(2) * _gain(*args), NATS),
    ),
    more="Collect the labels of all rows, and for each different value of the attribute the labels"
    " of its rows. From each of these lists make counts, such as"
    " ``[labels.count(one) for one in set(labels)]``. The rest you have already.",
    solution="""def information_gain(rows, attribute, target):
    def entropy_of(labels):
        return dt.entropy([labels.count(one) for one in set(labels)])

    gain = entropy_of([row[target] for row in rows])
    for value in set(row[attribute] for row in rows):
        heap = [row[target] for row in rows if row[attribute] == value]
        gain -= len(heap) / len(rows) * entropy_of(heap)
    return gain
""",
    why="H(Y), and for each value of the attribute one weighted entropy less. What the values and"
    " labels are called plays no part; only how they share the rows.",
)
