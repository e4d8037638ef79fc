"""What heaps of rows have of entropy, as numbers of one's own and as functions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case
from dtree_lab.course.tasks.code import Recogniser, fails_at
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
# Those in which some label is missing from some heap.
_WITH_ZERO = [i for i, (heaps,) in enumerate(_LEFT.cases) if any(0 in heap for heap in heaps)]
_WITHOUT = [i for i in range(len(_LEFT.cases)) if i not in _WITH_ZERO]


def _unpacked(of: Callable[[Heaps], int]) -> Recogniser:
    """Recognises the cases with something else than two, where all of these fail to be unpacked."""
    others = [i for i, (heaps,) in enumerate(_LEFT.cases) if of(heaps) != 2]  # noqa: PLR2004

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


CONDITIONAL = _LEFT.function(
    _left_case,
    _fresh_left,
    {
        "a label that is missing": fails_at(_WITH_ZERO, but_not=_WITHOUT),
        "two heaps": _unpacked(len),
        "two labels": _unpacked(lambda heaps: len(heaps[0])),
    },
)

# -- the gain, from rows --------------------------------------------------------------------------

_GAIN = page(__file__, "gain")
_TABLES: dict[str, Rows] = {
    "the eight rows": list(two_attributes().rows()),
    "the ten tax returns": list(tax_fraud().rows()),
    "seven rows with four labels": list(word_sense().rows()),
    "the four rows of XOR": list(truth_table("xor", 2).rows()),
    "three rows with one value": [{"X": "a", "Y": label} for label in ("T", "T", "F")],
}


def _gain_case(name: str, attribute: str, target: str, own: Rows | None = None) -> Case:
    rows = own or _TABLES[name]
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
        cases.append(_gain_case(f"{n} other rows", "shape", "colour", rows))
    return tuple(cases)


def _entropy_of(labels: list[Any]) -> float:
    return entropy(list(Counter(labels).values()))


def _one_heap(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where just one heap is taken off: which one, is a matter of the order of a set."""
    found, taken = [], 0
    for i, (name, attribute, target) in enumerate(_GAIN.cases):
        rows = _TABLES[name]
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


GAIN = _GAIN.function(_gain_case, _fresh_gain, {"one heap": _one_heap})

# -- the gain ratio -------------------------------------------------------------------------------

_RATIO = page(__file__, "ratio")
_ONE_HEAP = len(_RATIO.cases) - 1


def _only_one_heap(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where a number comes back for one heap, and all is right but that."""
    *others, one = outcomes[: _ONE_HEAP + 1]
    right = all(
        o.kind == "number" and abs(o.value - _RATIO.right()(*heaps)) < _NEAR
        for o, heaps in zip(others, _RATIO.cases, strict=False)
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


RATIO = _RATIO.function(
    _ratio_case,
    _fresh_ratio,
    {
        "nothing to divide by": fails_at([_ONE_HEAP], but_not=[0, 1]),
        "only one heap": _only_one_heap,
    },
)
