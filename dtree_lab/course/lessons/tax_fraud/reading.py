"""A tree as a function, and what its leaves answer."""

from __future__ import annotations

from collections import Counter

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

_FOLLOW = page(__file__, "follow")
_REFUND, _MARRIED, _DIVORCED = "who has a refund", "who is married", "who is divorced"
_CUT = "the cut at 80"


def _case(behaviour: str, refund: str, status: str, income: float) -> Case:
    row = {"Refund": refund, "Marital Status": status, "Taxable Income": income}
    return Case((row,), (_FOLLOW.right()(row),), str(row), behaviour=behaviour)


def _text_of_digits(outcomes: tuple[Outcome, ...]) -> list[int]:
    errors = [(i, o.says) for i, o in enumerate(outcomes) if o.value == "TypeError"]
    return [i for i, says in errors if "not supported" in says and "'str'" in says]


def _other_letters(outcomes: tuple[Outcome, ...]) -> list[int]:
    labels = ("Yes", "No")
    texts = [(i, o.value) for i, o in enumerate(outcomes) if o.kind == "text"]
    return [i for i, t in texts if t not in labels and t.strip().capitalize() in labels]


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = []
    for status, behaviour in (("Single", _CUT), ("Divorced", _DIVORCED), ("Married", _MARRIED)):
        for refund in ("Yes", "No"):
            shows = _REFUND if refund == "Yes" else behaviour
            drawn.append(_case(shows, refund, status, int(rng.integers(40, 240))))
    return tuple(drawn)


FOLLOW = _FOLLOW.exercise(
    Code(
        "who_cheats",
        (
            _case(_REFUND, "No", "Single", 85),
            _case(_REFUND, "Yes", "Single", 85),
            _case(_MARRIED, "No", "Married", 85),
            _case(_MARRIED, "No", "Single", 120),
            _case(_DIVORCED, "No", "Divorced", 95),
            _case(_DIVORCED, "No", "Divorced", 60),
            _case(_CUT, "No", "Single", 80),
            _case(_CUT, "No", "Single", 79.5),
            _case(_REFUND, "Yes", "Divorced", 220),
            _case(_CUT, "No", "Single", 60),
        ),
        fresh=_fresh,
    ),
    seen={
        "no such name": stops("KeyError"),
        "a dot": stops("AttributeError"),
        "other letters": _other_letters,
        "quotes": _text_of_digits,
    },
)


def _kinds(outcome: Outcome) -> list[str]:
    """Of which types the members of a list or tuple are."""
    many = outcome.kind == "values" and isinstance(outcome.value, tuple)
    return [type(one).__name__ for one in outcome.value] if many else []


def _pairs(outcomes: tuple[Outcome, ...]) -> list[int]:
    return [i for i, o in enumerate(outcomes) if sorted(_kinds(o)) == ["int", "str"]]


def _lists(outcomes: tuple[Outcome, ...]) -> list[int]:
    pairs = _pairs(outcomes)
    return [i for i, o in enumerate(outcomes) if _kinds(o) and i not in pairs]


def _fresh_labels(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.choice(["Yes", "No", "run1", "run2"], size).tolist() for size in (4, 7, 12)]
    return tuple(map(_labels_case, drawn))


def _labels_case(labels: list[str]) -> Case:
    most = _most_frequent(labels)
    if len(most) > 1:
        return Case((labels,), most, behaviour="a tie")
    two = set(labels) <= {"Yes", "No"}
    return Case((labels,), most, behaviour="Yes and No" if two else "labels of any other name")


def _most_frequent(labels: list[str]) -> tuple[str, ...]:
    counts = Counter(labels)
    return tuple(label for label in counts if counts[label] == max(counts.values()))


MAJORITY = page(__file__, "majority").exercise(
    Code(
        "majority",
        (
            _labels_case(["Yes", "No", "No"]),
            _labels_case(["No", "Yes", "Yes", "No", "Yes", "No", "No"]),
            _labels_case(["Yes", "Yes", "No"]),
            _labels_case(["run2", "run1", "run3", "run1", "run4", "run2", "run1", "run3"]),
            _labels_case(["run1", "run3", "run3", "run1", "run3", "run2"]),
            _labels_case(["No"]),
            _labels_case(["Yes", "No"]),
            _labels_case(["run3", "run1", "run2", "run1", "run2"]),
            _labels_case(["run2", "run3", "run3", "run2", "run1"]),
            _labels_case(["run3", "run1", "run2", "run1", "run3"]),
        ),
        fresh=_fresh_labels,
    ),
    seen={"pair": _pairs, "list": _lists},
)
