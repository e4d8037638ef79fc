"""The strip of a card: shares of classes, or an axis with the answer and its spread on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtree_lab.draw.figures import deviation
from dtree_lab.draw.inside import MARK_R, PAD
from dtree_lab.draw.measure import width
from dtree_lab.draw.style import DETAIL

if TYPE_CHECKING:
    from dtree_lab.draw.axis import Axis
    from dtree_lab.tree import Node

# A share narrower than this shows no mark.
MARKED = 12.0
_AIR = 6.0  # beside its number


@dataclass(frozen=True, slots=True)
class Share:
    """One class's part of a card's strip; `x` is measured from the card's left edge.

    `marked` says whether the class's mark has room in it; `text` is the number of rows, or
    nothing where that has none.
    """

    cls: int
    count: int
    x: float
    w: float
    marked: bool
    text: str


@dataclass(frozen=True, slots=True)
class Gauge:
    """Where the answer of a regression tree's node lies on the axis of all answers.

    All are measured from the card's left edge: the axis's ends, the dot at the answer, and the
    ends of the bar of one standard deviation to either side of it.
    """

    left: float
    right: float
    at: float
    low: float
    high: float


def shares(counts: tuple[int, ...], room: float, s: float) -> tuple[Share, ...]:
    """Each class that occurs, as wide as its share, with as much as fits in it."""
    whole = sum(counts)
    found, x = [], PAD
    for cls, count in enumerate(counts):
        if not count:
            continue
        w = room * count / whole
        text = f"{count:,}"
        fits = w >= MARKED + width(text, DETAIL) + _AIR
        left, wide = scaled(s, x, w)
        found.append(Share(cls, count, left, wide, w >= MARKED, text if fits else ""))
        x += w
    return tuple(found)


def gauge(node: Node, axis: Axis, room: float, s: float) -> Gauge:
    """The axis with a node's answer on it; a dot at either end stays within the strip."""
    answer, spread = node.values[0], deviation(node)
    left, length = PAD + MARK_R, room - 2 * MARK_R
    at, low, high = (
        left + length * axis.share(x) for x in (answer, answer - spread, answer + spread)
    )
    return Gauge(*scaled(s, left, left + length, at, low, high))


def scaled(s: float, *lengths: float) -> list[float]:
    """Lengths in the picture's pixels, to a hundredth: nobody sees more, and files stay small."""
    return [round(v * s, 2) for v in lengths]
