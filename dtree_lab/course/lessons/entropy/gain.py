"""From rows to the gain of an attribute."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops
from dtree_lab.criteria.classes import entropy
from dtree_lab.datasets import tax_fraud, truth_table, two_attributes, word_sense

Rows: TypeAlias = list[dict[str, Any]]

_PAGE = page(__file__, "gain")
_EIGHT, _TAX = list(two_attributes().rows()), list(tax_fraud().rows())
_SENSES, _XOR = list(word_sense().rows()), list(truth_table("xor", 2).rows())
_NEAR = 1e-3
_SAME = [{"X": "a", "Y": label} for label in ("T", "T", "F")]


def _case(rows: Rows, attribute: str, target: str, name: str) -> Case:
    says = f"{name}, {attribute!r}, {target!r}"
    want = _PAGE.right()(rows, attribute, target)
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


def _entropy_of(labels: list[Any]) -> float:
    return entropy(list(Counter(labels).values()))


def _one_heap(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where just one heap is taken off: which one, is a matter of the order of a set."""
    found, taken = [], 0
    for i, (rows, attribute, target) in enumerate(_ASKED):
        gave, right = outcomes[i], _PAGE.right()(rows, attribute, target)
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

GAIN = _PAGE.exercise(
    Code(
        "information_gain",
        tuple(_case(*asked, name) for asked, name in zip(_ASKED, _NAMES, strict=True)),
        tolerance=0.001,
        fresh=_fresh,
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
