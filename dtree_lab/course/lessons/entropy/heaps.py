"""What heaps of rows have of entropy, as numbers of one's own and as functions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import Recogniser, fails_at, stops
from dtree_lab.criteria.classes import entropy
from dtree_lab.datasets import tax_fraud, truth_table, two_attributes, word_sense

Heaps: TypeAlias = list[list[int]]
Rows: TypeAlias = list[dict[str, Any]]
_NEAR = 1e-3


def _drawn_heaps(rng: np.random.Generator, shapes: list[list[int]]) -> list[Heaps]:
    """Heaps by chance, none of them empty, so many each time and of so many labels."""
    drawn = []
    for n_heaps, n_labels in shapes:
        heaps = rng.integers(0, 9, (n_heaps, n_labels))
        heaps[:, 0] += heaps.sum(axis=1) == 0
        drawn.append(heaps.tolist())
    return drawn


# -- what a question leaves -----------------------------------------------------------------------

_LEFT = page(__file__, "conditional")
_HEAPS: tuple[Heaps, ...] = (
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
_WITH_ZERO = [i for i, heaps in enumerate(_HEAPS) if any(0 in heap for heap in heaps)]
_WITHOUT = [i for i in range(len(_HEAPS)) if i not in _WITH_ZERO]


def _unpacked(of: Callable[[Heaps], int]) -> Recogniser:
    """Recognises the cases with something else than two, where all of these fail to be unpacked."""
    others = [i for i, heaps in enumerate(_HEAPS) if of(heaps) != 2]  # noqa: PLR2004

    def recognise(outcomes: tuple[Outcome, ...]) -> list[int]:
        failing = {i for i, o in enumerate(outcomes) if "unpack" in o.says}
        return others if failing.issuperset(others) else []

    return recognise


def _left_case(heaps: Heaps) -> Case:
    behaviour = "two heaps" if len(heaps) == 2 else "any other number of heaps"  # noqa: PLR2004
    if any(0 in heap for heap in heaps):
        behaviour = "a label that is missing from a heap"
    return Case((heaps,), (_LEFT.right()(heaps),), behaviour=behaviour)


def _fresh_left(rng: np.random.Generator) -> tuple[Case, ...]:
    shapes = rng.integers((1, 2), (6, 5), (6, 2)).tolist()
    return tuple(map(_left_case, _drawn_heaps(rng, shapes)))


CONDITIONAL = _LEFT.exercise(
    Code("conditional_entropy", tuple(map(_left_case, _HEAPS)), tolerance=0.001, fresh=_fresh_left),
    seen={
        "a label that is missing": fails_at(_WITH_ZERO, but_not=_WITHOUT),
        "two heaps": _unpacked(len),
        "two labels": _unpacked(lambda heaps: len(heaps[0])),
        "lists added": stops((), "'int' and 'list'"),
    },
)

# -- the gain, from rows --------------------------------------------------------------------------

_GAIN = page(__file__, "gain")
_EIGHT, _TAX = list(two_attributes().rows()), list(tax_fraud().rows())
_SENSES, _XOR = list(word_sense().rows()), list(truth_table("xor", 2).rows())
_SAME = [{"X": "a", "Y": label} for label in ("T", "T", "F")]
_ASKED: tuple[tuple[Rows, str, str, str], ...] = (
    (_EIGHT, "X1", "Y", "the eight rows"),
    (_EIGHT, "X2", "Y", "the eight rows"),
    (_TAX, "Refund", "Cheat", "the ten tax returns"),
    (_TAX, "Marital Status", "Cheat", "the ten tax returns"),
    (_SENSES, "pos", "sense", "seven rows with four labels"),
    (_XOR, "a1", "xor", "the four rows of XOR"),
    (_SAME, "X", "Y", "three rows with one value"),
)


def _gain_case(rows: Rows, attribute: str, target: str, name: str) -> Case:
    values, labels = ({row[key] for row in rows} for key in (attribute, target))
    shows = "other values and labels"
    if values | labels <= {"T", "F"}:
        shows = "values and labels T and F"
    elif len(values) != 2:  # noqa: PLR2004
        shows = "one value, or more than two"
    want = _GAIN.right()(rows, attribute, target)
    says = f"{name}, {attribute!r}, {target!r}"
    return Case((rows, attribute, target), (want,), says, behaviour=shows)


def _fresh_gain(rng: np.random.Generator) -> tuple[Case, ...]:
    """Tables by chance, with other names and values than those of the lesson."""
    cases = []
    for n, n_values, n_labels in rng.integers((6, 1, 2), (30, 6, 5), (5, 3)).tolist():
        drawn = zip(rng.integers(0, n_values, n), rng.integers(0, n_labels, n), strict=True)
        rows = [{"shape": f"v{x}", "colour": f"c{y}"} for x, y in drawn]
        cases.append(_gain_case(rows, "shape", "colour", f"{n} other rows"))
    return tuple(cases)


def _entropy_of(labels: list[Any]) -> float:
    return entropy(list(Counter(labels).values()))


def _one_heap(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where just one heap is taken off: which one, is a matter of the order of a set."""
    found, taken = [], 0
    for i, (rows, attribute, target, _) in enumerate(_ASKED):
        gave, right = outcomes[i], _GAIN.right()(rows, attribute, target)
        if gave.kind != "number" or abs(gave.value - right) < _NEAR:
            continue
        before = _entropy_of([row[target] for row in rows])
        values = {row[attribute] for row in rows}
        heaps = [[row[target] for row in rows if row[attribute] == value] for value in values]
        ways = [before - len(heap) / len(rows) * _entropy_of(heap) for heap in heaps]
        if not any(abs(gave.value - way) < _NEAR for way in ways):
            return []
        found.append(i)
        taken += abs(gave.value - before) > _NEAR
    # One number may be so by chance: two heaps of two questions can be alike.
    return found if taken > 1 else []


GAIN = _GAIN.exercise(
    Code(
        "information_gain",
        tuple(_gain_case(*given) for given in _ASKED),
        tolerance=0.001,
        fresh=_fresh_gain,
    ),
    seen={
        "names of one table": stops("KeyError"),
        "labels for counts": stops((), "weights must be numbers"),
        "nothing counted": stops("ValueError", "all weights are 0", "at least one"),
        "the eight rows": stops("ValueError", "no attribute '"),
        "a table": stops((), "dt.Table"),
        "a dot": stops("AttributeError", "'dict' object"),
        "one heap": _one_heap,
    },
)

# -- the gain ratio -------------------------------------------------------------------------------

_RATIO = page(__file__, "ratio")
_DIVIDED: tuple[Heaps, ...] = (
    [[4, 0], [1, 3]],
    [[3, 1], [2, 2]],
    [[1, 0]] * 5 + [[0, 1]] * 3,
    [[1, 0], [7, 8]],
    [[2, 2], [4, 0], [1, 1]],
    [[1, 1, 2], [0, 3, 0]],
    [[6, 2], [2, 6]],
    [[2, 1, 0], [0, 1, 3]],
    [[5, 3]],
)
_ONE_HEAP = len(_DIVIDED) - 1


def _only_one_heap(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where a number comes back for one heap, and all is right but that."""
    *others, one = outcomes[: len(_DIVIDED)]
    right = all(
        o.kind == "number" and abs(o.value - _RATIO.right()(heaps)) < _NEAR
        for o, heaps in zip(others, _DIVIDED, strict=False)
    )
    wrong = one.kind == "number" and math.isfinite(one.value) and abs(one.value) > _NEAR
    return [_ONE_HEAP] if right and wrong else []


def _ratio_case(heaps: Heaps) -> Case:
    behaviour = "two heaps" if len(heaps) == 2 else "one heap, or more than two"  # noqa: PLR2004
    if len(heaps[0]) > 2:  # noqa: PLR2004
        behaviour = "three labels"
    return Case((heaps,), (_RATIO.right()(heaps),), behaviour=behaviour)


def _fresh_ratio(rng: np.random.Generator) -> tuple[Case, ...]:
    shapes = rng.integers((2, 2), (7, 4), (6, 2)).tolist()
    return tuple(map(_ratio_case, _drawn_heaps(rng, shapes)))


RATIO = _RATIO.exercise(
    Code("gain_ratio", tuple(map(_ratio_case, _DIVIDED)), tolerance=0.001, fresh=_fresh_ratio),
    seen={
        "nothing to divide by": fails_at([_ONE_HEAP], but_not=[0, 1]),
        "only one heap": _only_one_heap,
    },
)
