"""From rows to the gain of an attribute.

First rows put on heaps, what that gains, and what mistakes make of it; then the exercise.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.bits import NATS, entropy_of
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.entropy.numbers import APART, UNWEIGHTED
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops
from dtree_lab.criteria.classes import entropy
from dtree_lab.datasets import tax_fraud, truth_table, two_attributes, word_sense
from dtree_lab.grow.compare import information_gain

Rows: TypeAlias = list[dict[str, Any]]


def entropy_in(labels: list[Any]) -> float:
    """The entropy of labels, in bits."""
    return entropy_of(list(Counter(labels).values()))


def heaps_of(rows: Rows, attribute: str, target: str) -> dict[Any, list[Any]]:
    """The labels, heap by heap."""
    heaps = defaultdict(list)
    for row in rows:
        heaps[row[attribute]].append(row[target])
    return heaps


def left_in(rows: Rows, attribute: str, target: str) -> float:
    """H(Y|X) in bits."""
    heaps = heaps_of(rows, attribute, target).values()
    return math.fsum(len(heap) / len(rows) * entropy_in(heap) for heap in heaps)


def before_in(rows: Rows, target: str) -> float:
    """H(Y) in bits."""
    return entropy_in([row[target] for row in rows])


def gain_in(rows: Rows, attribute: str, target: str) -> float:
    """What the attribute gains, in bits."""
    return before_in(rows, target) - left_in(rows, attribute, target)


def plain_mean(rows: Rows, attribute: str, target: str) -> float:
    """Averages the heaps without weights."""
    heaps = list(heaps_of(rows, attribute, target).values())
    return before_in(rows, target) - sum(map(entropy_in, heaps)) / len(heaps)


def t_and_f(rows: Rows, attribute: str, target: str) -> float:
    """Knows no values and labels but T and F."""

    def two(labels: list[Any]) -> float:
        counts = [labels.count("T"), labels.count("F")]
        return entropy_of(counts) if sum(counts) else 0.0

    heaps = [heaps_of(rows, attribute, target)[value] for value in ("T", "F")]
    before = two([row[target] for row in rows])
    return before - sum(len(heap) / len(rows) * two(heap) for heap in heaps if heap)


def t_and_f_counted(rows: Rows, attribute: str, target: str) -> float:
    """The same, with counts handed to the library: which takes no heap of nothing."""
    heaps = [heaps_of(rows, attribute, target)[value] for value in ("T", "F")]
    counts = [[heap.count(label) for label in ("T", "F")] for heap in heaps]
    before = entropy([sum(both) for both in zip(*counts, strict=True)])
    return before - sum(sum(c) / len(rows) * entropy(c) for c in counts)


def row_by_row(rows: Rows, attribute: str, target: str) -> float:
    """Goes through the rows where it should go through the values: each heap counts often."""
    heaps = heaps_of(rows, attribute, target).values()
    left = sum(len(heap) * len(heap) / len(rows) * entropy_in(heap) for heap in heaps)
    return before_in(rows, target) - left


def half_each(rows: Rows, attribute: str, target: str) -> float:
    """Weighs as if there were two heaps of one size."""
    heaps = heaps_of(rows, attribute, target).values()
    return before_in(rows, target) - sum(map(entropy_in, heaps)) / 2


def no_weights(rows: Rows, attribute: str, target: str) -> float:
    """Takes off the heaps' entropies as they are."""
    heaps = heaps_of(rows, attribute, target).values()
    return before_in(rows, target) - sum(map(entropy_in, heaps))


def gain_ratio(rows: Rows, attribute: str, target: str) -> float:
    """Divides by the split information."""
    split = entropy_in([row[attribute] for row in rows])
    return gain_in(rows, attribute, target) / split if split else 0.0


def together_in(rows: Rows, attribute: str, target: str) -> float:
    """H(X, Y) in bits."""
    return entropy_in([(row[attribute], row[target]) for row in rows])


def first_heap(rows: Rows, attribute: str, target: str) -> float:
    """Takes off one heap only."""
    heap = next(reversed(heaps_of(rows, attribute, target).values()))
    return before_in(rows, target) - len(heap) / len(rows) * entropy_in(heap)


_EIGHT, _TAX = list(two_attributes().rows()), list(tax_fraud().rows())
_SENSES, _XOR = list(word_sense().rows()), list(truth_table("xor", 2).rows())
_NEAR = 1e-3
_SAME = [{"X": "a", "Y": label} for label in ("T", "T", "F")]


def _case(rows: Rows, attribute: str, target: str, name: str) -> Case:
    says = f"{name}, {attribute!r}, {target!r}"
    want = gain_in(rows, attribute, target)
    return Case((rows, attribute, target), (want,), says, behaviour=_shown(rows, attribute, target))


def _shown(rows: Rows, attribute: str, target: str) -> str:
    values = {row[attribute] for row in rows}
    if values | {row[target] for row in rows} <= {"T", "F"}:
        return "values and labels T and F"
    two = len(values) == 2  # noqa: PLR2004
    return "other values and labels" if two else "one value, or more than two"


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    """Tables by chance, with other names and values than those of the lesson."""
    cases = []
    for n, n_values, n_labels in rng.integers((6, 1, 2), (30, 6, 5), (5, 3)).tolist():
        drawn = zip(rng.integers(0, n_values, n), rng.integers(0, n_labels, n), strict=True)
        rows = [{"shape": f"v{x}", "colour": f"c{y}"} for x, y in drawn]
        cases.append(_case(rows, "shape", "colour", f"{n} other rows"))
    return tuple(cases)


def _said(*words: str) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises a mistake by the error that it ends in."""
    return lambda outcomes: [
        i
        for i, o in enumerate(outcomes)
        if o.kind == "raised" and all(word in o.says for word in words)
    ]


def _one_heap(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where just one heap is taken off: which one, is a matter of the order of a set."""
    found = []
    for i, (rows, attribute, target) in enumerate(_ASKED):
        outcome, before = outcomes[i], before_in(rows, target)
        if (
            outcome.kind != "number"
            or abs(outcome.value - gain_in(rows, attribute, target)) < _NEAR
        ):
            continue
        heaps = heaps_of(rows, attribute, target).values()
        ways = [before - len(heap) / len(rows) * entropy_in(heap) for heap in heaps]
        if not any(abs(outcome.value - way) < _NEAR for way in ways):
            return []
        found.append(i)
    # One number may be so by chance: two heaps of two questions can be alike.
    taken = [i for i in found if abs(outcomes[i].value - _before_at(i)) > _NEAR]
    return found if len(taken) > 1 else []


def _before_at(i: int) -> float:
    rows, _, target = _ASKED[i]
    return before_in(rows, target)


_key_error = stops("KeyError")


def _fixed(attribute: str, target: str) -> Callable[[Rows, str, str], float]:
    return lambda rows, *_: gain_in(rows, attribute, target)


_ASKED: tuple[tuple[Rows, str, str], ...] = (
    (_EIGHT, "X1", "Y"),
    (_EIGHT, "X2", "Y"),
    (_TAX, "Refund", "Cheat"),
    (_TAX, "Marital Status", "Cheat"),
    (_SENSES, "pos", "sense"),
    (_XOR, "a1", "xor"),
    (_SAME, "X", "Y"),
)
_NAMES = (
    *("the eight rows",) * 2,
    *("the ten tax returns",) * 2,
    "seven rows with four labels",
    "the four rows of XOR",
    "three rows with one value",
)

GAIN = Exercise(
    id="entropy/gain",
    title="From rows to the gain",
    points=4,
    heading="from rows to gain",
    text="""Real tables come as rows, not as counts. Write `information_gain(rows, attribute,
target)`: `rows` is a list of dictionaries such as `{"X1": "T", "X2": "F", "Y": "T"}`, and the other
two are names. It returns the gain in bits. Try it with `information_gain(list(eight.rows()), "X1",
"Y")`.""",
    stub="""def information_gain(rows, attribute, target):
    # your lines, in place of the dots
    ...""",
    answer="information_gain",
    task=Code(
        "information_gain",
        tuple(_case(*asked, name) for asked, name in zip(_ASKED, _NAMES, strict=True)),
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
        Mistake(left_in, "It returns H(Y|X), what is left. The gain is what that takes off H(Y)."),
        Mistake(
            lambda rows, _, target: before_in(rows, target),
            "It returns H(Y). What is left after the answer has still to be taken off. If you do"
            " take something off: is it 0? The heaps are to hold labels.",
        ),
        Mistake(
            lambda *args: 1 - left_in(*args),
            "It starts from one bit. That is H(Y) only where two labels are half and half: compute"
            " it from all the rows.",
        ),
        Mistake(
            lambda *args: before_in(args[0], args[2]) - len(args[0]) / 8 * left_in(*args),
            "It divides by 8, which is right for one table. How many rows have come in?",
        ),
        Mistake(plain_mean, UNWEIGHTED),
        Mistake(
            no_weights,
            "It takes off the heaps' entropies as they are. Each counts by its share of the rows.",
        ),
        Mistake(
            row_by_row,
            "It takes off the same heap several times. Do you go through the rows where you should"
            " go through the *different* values? ``set(...)`` holds each value once.",
        ),
        Mistake(
            t_and_f,
            "It knows only T and F. Other tables have other values and labels, and more than two.",
        ),
        Mistake(
            lambda rows, attribute, target: -gain_in(rows, attribute, target),
            "The size is right, the sign is not. Which of H(Y) and H(Y|X) is taken off the other?",
        ),
        Mistake(
            lambda *args: before_in(args[0], args[2]) + left_in(*args),
            "It adds what is left to what there was. The question takes something away.",
        ),
        Mistake(
            lambda rows, attribute, _: before_in(rows, attribute),
            "It returns the entropy of the attribute itself. Within each heap the labels count.",
        ),
        Mistake(
            gain_ratio,
            "It divides by the entropy of the attribute. That ratio comes later; asked for is the"
            " gain itself.",
        ),
        Mistake(lambda *args: math.log(2) * gain_in(*args), NATS),
        Mistake(together_in, APART),
        Mistake(
            lambda *args: before_in(args[0], args[2]) - together_in(*args),
            "It takes off what attribute and label leave open *together*. Taken off is what the"
            " label leaves open within each heap, on average.",
        ),
        Mistake(
            lambda rows, attribute, target: (
                before_in(rows, target) - left_in(rows, target, attribute)
            ),
            "The rows are put on heaps by their label, and then the attribute's values are counted."
            " It is the other way round: heaps by the attribute, labels within.",
        ),
        Mistake(
            lambda rows, _, target: entropy([row[target] for row in rows]),
            "``dt.entropy`` takes counts, such as [5, 3], and gets the labels themselves. Count"
            " each of them first.",
            when=_said("weights must be numbers"),
        ),
        Mistake(
            t_and_f_counted,
            "A heap is empty, or nothing in it is counted. Are the values or the labels, T and F,"
            " written into the function? They differ from table to table: take them from the rows.",
            when=stops("ValueError", "all weights are 0", "at least one"),
        ),
        Mistake(
            lambda _, attribute, __: information_gain(two_attributes(), attribute),
            "It looks into the table of the eight rows, whatever it is given. Only ``rows`` is to"
            " be counted.",
            when=stops("ValueError", "no attribute '"),
        ),
        Mistake(
            half_each,
            "It gives each heap the weight one half. That is right for two heaps of one size: each"
            " counts by its share of the rows.",
        ),
        Mistake(
            lambda rows, attribute, _: information_gain(rows, attribute),
            "``dt.information_gain`` wants a ``dt.Table``, and here come rows. The exercise is to"
            " work it out yourself, from the rows.",
            when=_said("dt.Table"),
        ),
        Mistake(
            lambda rows, *_: [row.attribute for row in rows],
            "A row is a dictionary, and its entries are looked up in square brackets:"
            " ``row[attribute]``, not ``row.attribute``.",
            when=_said("AttributeError", "'dict' object"),
        ),
        Mistake(
            first_heap,
            "Only one heap is taken off. Is ``return`` inside the loop? Or does every round begin"
            " with H(Y) again?",
            when=_one_heap,
        ),
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
