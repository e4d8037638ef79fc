"""What the exercises take that is no text: a tree read and grown, labels counted, their entropy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Grow, Handed
from dtree_lab.course.tasks.code import fails_at, where
from dtree_lab.course.tasks.do import (
    GROWN_BY_HAND,
    asks_three_ways,
    grown_by,
    misses,
    n_wrong,
    nodes_at_most,
    wrong_at_most,
)
from dtree_lab.datasets import tax_fraud
from dtree_lab.grow.api import by_hand, id3, stump

_FOLLOW = page(__file__, "follow")
_REFUND, _MARRIED, _DIVORCED = "who has a refund", "who is married", "who is divorced"
_CUT = "the cut at 80"


def _person(behaviour: str, refund: str, status: str, income: float) -> Case:
    row = {"Refund": refund, "Marital Status": status, "Taxable Income": income}
    return _FOLLOW.case(behaviour, row)


def _fresh_people(rng: np.random.Generator) -> Iterator[Case]:
    for status, behaviour in (("Single", _CUT), ("Divorced", _DIVORCED), ("Married", _MARRIED)):
        for refund in ("Yes", "No"):
            shows = _REFUND if refund == "Yes" else behaviour
            yield _person(shows, refund, status, int(rng.integers(40, 240)))


def _in_other_letters(outcome: Outcome) -> bool:
    labels = ("Yes", "No")
    text = outcome.value if outcome.kind == "text" else ""
    return text not in labels and text.strip().capitalize() in labels


FOLLOW = _FOLLOW.function(
    _person,
    _fresh_people,
    {
        "other letters": where(_in_other_letters),
        "quotes": where(
            lambda o: o.value == "TypeError" and "not supported" in o.says and "'str'" in o.says
        ),
    },
)


def _types(outcome: Outcome) -> list[str]:
    """Of which types the members of a list or tuple are."""
    many = outcome.kind == "values" and isinstance(outcome.value, tuple)
    return sorted(type(one).__name__ for one in outcome.value) if many else []


def _labels(labels: list[str]) -> Case:
    counts = Counter(labels)
    most = tuple(label for label in counts if counts[label] == max(counts.values()))
    shows = "Yes and No" if set(labels) <= {"Yes", "No"} else "labels of any other name"
    return Case((labels,), most, behaviour=shows if len(most) == 1 else "a tie")


def _fresh_labels(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.choice(["Yes", "No", "run1", "run2"], size).tolist() for size in (4, 7, 12)]
    return tuple(map(_labels, drawn))


MAJORITY = page(__file__, "majority").function(
    _labels,
    _fresh_labels,
    {
        "pair": where(lambda outcome: _types(outcome) == ["int", "str"]),
        "list": where(lambda outcome: _types(outcome) not in ([], ["int", "str"])),
    },
)


_SIX_TO_FOUR, _ENTROPY = page(__file__, "six-to-four"), page(__file__, "entropy")


SIX_TO_FOUR = _SIX_TO_FOUR.exercise(
    seen={
        "per cent": where(  # rounded or not
            lambda o: o.kind == "number" and abs(o.value - 100 * _SIX_TO_FOUR.right()) < 1
        ),
    },
)


def _counts(counts: list[int]) -> Case:
    behaviour = "one label or two" if len(counts) < 3 else "more labels than two"  # noqa: PLR2004
    if 0 in counts:
        behaviour = "a label that never occurs"
    return _ENTROPY.case(behaviour, counts)


def _fresh_counts(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(0, 20, size).tolist() for size in (2, 3, 4, 5)]
    return tuple(_counts(counts) for counts in drawn if sum(counts))


_WITH_ZERO = [i for i, (counts,) in enumerate(_ENTROPY.cases) if 0 in counts]

ENTROPY = _ENTROPY.function(_counts, _fresh_counts, {"zero": fails_at(_WITH_ZERO, but_not=[0])})


MOST_NODES = 5


def _large(handed: Handed) -> bool:
    return handed.tree.n_nodes > MOST_NODES


SMALL_TREE = page(__file__, "small-tree").exercise(
    Grow(
        tax_fraud,
        (wrong_at_most(0, tax_fraud, "training rows"), nodes_at_most(MOST_NODES), GROWN_BY_HAND),
    ),
    seen={
        "finished": misses(grown_by("C4.5", tax_fraud()), lambda handed: bool(handed.finished), 2),
        "open leaves": misses(
            stump(tax_fraud()), lambda handed: n_wrong(handed.tree, tax_fraud()) > 0, 0
        ),
        "greedy": misses(id3(tax_fraud()), lambda handed: handed.tree == id3(tax_fraud()), 1),
        "three answers": misses(
            by_hand(
                tax_fraud(),
                {(): "Refund", (1,): "Marital Status", (1, 0): ("Taxable Income", 80)},
            ),
            lambda handed: _large(handed) and asks_three_ways(handed.tree),
            1,
        ),
        "slices": misses(
            by_hand(
                tax_fraud(),
                {(1,) * i: ("Taxable Income", cut) for i, cut in enumerate([65, 72.5, 80, 97.5])},
            ),
            lambda handed: _large(handed) and not asks_three_ways(handed.tree),
            1,
        ),
    },
)
