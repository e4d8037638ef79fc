"""A node and an edge as they are drawn: where they stand and what they say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from dtree_lab.draw.strip import Gauge, Share
    from dtree_lab.tree import Path

CardKind: TypeAlias = Literal["ask", "answer", "folded"]


@dataclass(frozen=True, slots=True)
class Card:
    """A node as it is drawn; `x`, `y` is the top left corner.

    Attributes
    ----------
    path
        The branch taken at each node above.
    kind
        ``"ask"`` for a question, ``"answer"`` for a leaf, ``"folded"`` for a question whose
        subtree is not drawn.
    title, full
        One line or two, cut to fit; and uncut.
    notes
        Small lines below it: the terms of a line, or how many rows stop at a question.
    detail
        The small line at the bottom: rows and their entropy or standard deviation, or rows and
        what is folded.
    counts, cls
        Rows of each class, and the majority class, whose mark stands before a leaf's title; -1
        where numbers are answered.
    label
        The accessible name.
    level, position, siblings
        As a screen reader counts: the root is on level 1, a first child at position 1.
    shares, gauge
        The strip: of classes their shares, of numbers the axis.
    """

    path: Path
    x: float
    y: float
    w: float
    h: float
    kind: CardKind
    title: tuple[str, ...]
    full: str
    detail: str
    counts: tuple[int, ...]
    cls: int
    label: str
    level: int
    position: int
    siblings: int
    shares: tuple[Share, ...]
    notes: tuple[str, ...] = ()
    gauge: Gauge | None = None


@dataclass(frozen=True, slots=True)
class Edge:
    """From under a card at `x1`, `y1` to above the value that leads to a child at `x2`, `y2`.

    The value is written with its middle at `lx` and its baseline at `ly`; `path` is the child's.
    """

    path: Path
    x1: float
    y1: float
    x2: float
    y2: float
    label: str
    full: str
    lx: float
    ly: float
