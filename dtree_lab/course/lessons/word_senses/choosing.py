"""Ways to choose an attribute that are not by the gain: what the hints of an exercise are about."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dtree_lab.course.lessons.word_senses.common import (
    ALIKE,
    SENSE,
    Row,
    best_of,
    bits,
    gain,
    heaps,
)
from dtree_lab.criteria import entropy
from dtree_lab.datasets import word_sense
from dtree_lab.learn.compare import information_gain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FIRST = (
    "It takes the first attribute, or the first that gains anything. Compare all of them before you"
    " return one."
)
BY_LETTERS = (
    "It compares the names, letter by letter. ``max`` and ``min`` of a dictionary go by its keys:"
    " what is it that should be largest?"
)


RATIO = "It goes by the gain ratio, as C4.5 does. Leave out the division."


def by(
    score: Callable[[Sequence[Row], str], float], *, last: bool = False
) -> Callable[[Sequence[Row], Sequence[str]], str]:
    """Whoever chooses the attribute with the highest score; in a tie, the first, or the last."""
    way = -1 if last else 1
    return lambda rows, attributes: max(attributes[::way], key=lambda name: score(rows, name))


def unweighted(rows: Sequence[Row], name: str) -> float:
    """A mean over the heaps, large or small."""
    found = heaps(rows, name)
    return -sum(map(bits, found)) / len(found)


def fewest_wrong(rows: Sequence[Row], name: str) -> float:
    """How many rows are right when each heap's majority decides."""
    return sum(max(Counter(heap).values()) for heap in heaps(rows, name))


def impurity_left(rows: Sequence[Row], name: str) -> float:
    """Less the Gini impurity that is left."""
    squares = (sum(n * n for n in Counter(h).values()) / len(h) for h in heaps(rows, name))
    return sum(squares) / len(rows)


def ratio(rows: Sequence[Row], name: str) -> float:
    """C4.5's gain ratio."""
    sizes = bits(row[name] for row in rows)
    return round(gain(rows, name) / sizes, 9) if sizes else 0.0  # ties are ties


def yes_or_no(rows: Sequence[Row], name: str) -> float:
    """Less what is left where only the values yes and no are looked for."""
    asked = [row for row in rows if row[name] in ("yes", "no")]
    return -sum(len(heap) * bits(heap) for heap in heaps(asked, name))


def any_column(rows: Sequence[Row], attributes: Sequence[str]) -> str:  # noqa: ARG001
    """The best of all columns, asked already or not."""
    return best_of(rows, [name for name in rows[0] if name != SENSE])[0]


def first_that_gains(rows: Sequence[Row], attributes: Sequence[str]) -> str | None:
    """The first that gains anything, as with ``return`` inside the loop."""
    return next((name for name in attributes if gain(rows, name) > ALIKE), None)


def if_any_gains(rows: Sequence[Row], attributes: Sequence[str]) -> str | None:
    """Begins its search for the most with 0, and keeps what is more."""
    name = best_of(rows, attributes)[0]
    return name if gain(rows, name) > ALIKE else None


def in_empty_heaps(rows: Sequence[Row], attributes: Sequence[str]) -> str:
    """Looks for the values yes and no, and asks the library for the entropy of nothing."""
    labels = sorted({row[SENSE] for row in rows})

    def left(name: str) -> float:
        parts = [[row[SENSE] for row in rows if row[name] == value] for value in ("yes", "no")]
        return sum(len(p) * entropy([p.count(label) for label in labels]) for p in parts)

    return min(attributes, key=left)


def of_the_seven(rows: Sequence[Row], attributes: Sequence[str]) -> str:  # noqa: ARG001
    """Looks into the lesson's own table."""
    return max(attributes, key=lambda name: information_gain(word_sense(), name))


def of_labels(rows: Sequence[Row], attributes: Sequence[str]) -> str:
    """Hands labels to the library, where it wants counts."""
    return min(attributes, key=lambda name: sum(map(entropy, heaps(rows, name))))
