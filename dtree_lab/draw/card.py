"""A node and an edge as they are drawn: what is where in a card, along an edge and in the legend.

It is the same for SVG, matplotlib and the browser. A card has a strip: shares of classes, or an
axis with the answer and its spread on it. Of classes the legend says which colour and mark is
which; of a regression tree what the dot and the bar are, and from where to where every axis goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dtree_lab.base.text import amount
from dtree_lab.draw import words
from dtree_lab.draw.measure import fit, width
from dtree_lab.draw.style import DETAIL, LABEL, Point
from dtree_lab.draw.words import AnswerAxis, deviation
from dtree_lab.table.table import Attribute
from dtree_lab.tree.tree import Node, Path

CardKind: TypeAlias = Literal["ask", "answer", "folded"]
# What the rows of a node are: all of one class, of several that come out even, or neither.
Mix: TypeAlias = Literal["pure", "tie", "mixed"]


def mix(counts: Sequence[int]) -> Mix:
    """What the rows of a node are, given how many of them each class has.

    >>> mix((4, 0)), mix((2, 2)), mix((3, 1)), mix((0, 0))
    ('pure', 'tie', 'mixed', 'mixed')
    """
    most = max(counts, default=0)
    if most and most == sum(counts):
        return "pure"
    return "tie" if most and counts.count(most) > 1 else "mixed"


@dataclass(frozen=True, slots=True)
class NodeCard:
    """A node as it is drawn; `x`, `y` is the top left corner."""

    path: Path  # the branch taken at each node above
    x: float
    y: float
    w: float
    h: float
    kind: CardKind  # "folded" is a question whose subtree is not drawn, "answer" a leaf
    title: tuple[str, ...]  # one line or two, cut to fit
    full: str  # the same uncut
    detail: str  # at the bottom: rows and how mixed they are, or rows and what is folded
    counts: tuple[int, ...]  # rows of each class
    cls: int  # the majority class, whose mark stands before a leaf's title; -1 of numbers
    label: str  # the accessible name
    level: int  # as a screen reader counts: the root is on level 1, a first child at position 1
    position: int
    siblings: int
    shares: tuple[Share, ...]  # the strip of classes
    # Below it: the terms of a line, or how many rows stop at a question.
    notes: tuple[str, ...] = ()
    gauge: Gauge | None = None  # the strip of numbers

    @property
    def mix(self) -> Mix | None:
        """What its rows are; None where numbers are answered."""
        return mix(self.counts) if self.cls >= 0 else None


@dataclass(frozen=True, slots=True)
class Edge:
    """From under a card at `x1`, `y1` to above the value that leads to a child at `x2`, `y2`.

    The value is written with its middle at `lx` and its baseline at `ly`; `path` is the child's.
    `share` is how many of the tree's rows go this way, from 0 to 1; `condition` what holds for
    them: attribute, operator and value.
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
    share: float = 0.0
    condition: tuple[str, str, str] = ("", "", "")


# Pixels at scale 1: around what a card holds, its lines, and what lies between them.
PAD, LINE, STRIP, SMALL = 11.0, 18.0, 16.0, 15.0
ABOVE_STRIP, BELOW_STRIP = 7.0, 4.0
CORNER = 7.0
# What the mark before a leaf's title takes, half its size, and that of the marks in a strip.
LEAD, MARK_R, SMALL_R = 18.0, 4.6, 3.4
TIE = 25.0  # and what each further mark takes, with the sign between
_MOST_TIED = 3  # so many of them at the most
# The middle of the mark in a share, and where its number begins.
SHARE_MARK, SHARE_TEXT = 8.0, 15.0
# An edge's way down to its value, and the value; where its baseline is above the card.
BEND, VALUE, VALUE_BASE = 24.0, 21.0, 7.0
_TURN = 8.0
# From the strip to the lower edge: the small line hangs a little over.
UNDER = STRIP + BELOW_STRIP + SMALL + PAD - 4
# On the axis of a card: half its ends' height, half the bar's.
END, BAR = 5.0, 3.0


def card_height(lines: int, notes: int = 0) -> float:
    """The height of a card whose title has so many lines, with small ones below it."""
    return PAD + lines * LINE + notes * SMALL + ABOVE_STRIP + UNDER


def strip_top(card: NodeCard, s: float) -> float:
    """The upper edge of a card's strip."""
    return card.h - UNDER * s


def detail_base(card: NodeCard, s: float) -> float:
    """The baseline of a card's small line."""
    return card.h - (PAD - 0.5) * s


def title_bases(card: NodeCard, s: float) -> list[float]:
    """The baselines of a card's title."""
    return [(PAD + LINE * i + LINE - 4.5) * s for i in range(len(card.title))]


def note_bases(card: NodeCard, s: float) -> list[float]:
    """The baselines of the small lines below a card's title."""
    top = PAD + len(card.title) * LINE
    return [(top + SMALL * i + SMALL - 3) * s for i in range(len(card.notes))]


def lead_of(*, answers: bool, ties: int) -> float:
    """The room before a title's first letter, at scale 1, where a leaf has its mark or marks."""
    return (LEAD + ties * TIE) if answers else 0.0


def lead(card: NodeCard) -> float:
    """The room before a card's title."""
    return lead_of(answers=card.kind == "answer", ties=len(tied(card.counts, card.cls)))


def tied(counts: Sequence[float], cls: int) -> list[int]:
    """The first few other classes that a leaf could answer as well."""
    if cls < 0 or not counts[cls]:
        return []
    return [k for k, n in enumerate(counts) if k != cls and n == counts[cls]][:_MOST_TIED]


def equals(s: float, k: int) -> list[tuple[Point, Point]]:
    """The two strokes before the mark of a tie that is `k` marks from the first."""
    (x, y), half = title_mark(s), 3.2 * s
    x += TIE * s * (k - 0.5)
    return [((x - half, y + side), (x + half, y + side)) for side in (-1.9 * s, 1.9 * s)]


# A branch is as wide as its rows: all of them, and the least.
_WIDEST, _THINNEST = 7.0, 1.25


def breadth(edge: Edge) -> float:
    """The width of a branch at scale 1."""
    return max(_THINNEST, _WIDEST * edge.share)


def title_mark(s: float) -> Point:
    """The middle of the mark before a leaf's title."""
    return ((PAD + MARK_R + 0.6) * s, (PAD + LINE / 2) * s)


def stack(card: NodeCard) -> tuple[float, ...]:
    """How far each outline of a card is moved, at scale 1: a folded one is a stack of three."""
    return (6.0, 3.0, 0.0) if card.kind == "folded" else (0.0,)


def gapped(card: NodeCard, s: float) -> list[tuple[float, float]]:
    """Each share's left edge and width, with a hair's breadth between neighbours."""
    last = len(card.shares) - 1
    widths = [max(share.w - s, 0.6 * share.w) for share in card.shares[:last]]
    widths += [share.w for share in card.shares[last:]]
    return [(share.x, w) for share, w in zip(card.shares, widths, strict=True)]


def route(edge: Edge, s: float) -> list[Point]:
    """An edge: its start, the end of a straight line, a bend and its end, twice, and the end."""
    across = edge.y2 - BEND * s / 2
    r = min(_TURN * s, abs(edge.x2 - edge.x1) / 2)
    dx = r if edge.x2 > edge.x1 else -r
    return [
        (edge.x1, edge.y1),
        (edge.x1, across - r),
        (edge.x1, across),
        (edge.x1 + dx, across),
        (edge.x2 - dx, across),
        (edge.x2, across),
        (edge.x2, across + r),
        (edge.x2, edge.y2),
    ]


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
        text = amount(count)
        fits = w >= MARKED + width(text, DETAIL) + _AIR
        left, wide = scaled(s, x, w)
        found.append(Share(cls, count, left, wide, w >= MARKED, text if fits else ""))
        x += w
    return tuple(found)


def gauge(node: Node, axis: AnswerAxis, room: float, s: float) -> Gauge:
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


Sign: TypeAlias = Literal["name", "class", "answer", "spread", "axis"]

ROW, LEGEND_PAD, TOP = 22.0, 8.0, 8.0
MARK = 17.0  # what an entry's mark takes before its name
LEGEND_BAR = 30.0  # and what a bar or an axis takes
_NAME, _GAP = 170.0, 18.0


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A class (``None`` for the target's name): left edge and middle of its line at scale 1."""

    cls: int | None
    text: str
    x: float
    y: float
    sign: Sign = "class"

    @property
    def bar(self) -> tuple[float, float]:
        """The ends of the bar or axis that stands before the text."""
        return self.x + 1, self.x + LEGEND_BAR - 6


@dataclass(frozen=True, slots=True)
class Legend:
    """All entries, within `width` by `height`."""

    entries: tuple[LegendEntry, ...]
    width: float
    height: float


# What a sign takes before its text.
TAKEN: dict[Sign, float] = {
    "name": 0.0,
    "class": MARK,
    "answer": MARK,
    "spread": LEGEND_BAR,
    "axis": LEGEND_BAR,
}


def legend(target: Attribute, room: float, axis: AnswerAxis | None = None) -> Legend:
    """The legend of a target, in as many lines as `room` pixels make it."""
    x, y, widest = LEGEND_PAD, TOP + ROW / 2, 0.0
    entries = []
    for sign, cls, text in _lines(target, axis):
        bold = sign == "name"
        shown = fit(text, _NAME, LABEL, bold=bold) if sign in ("name", "class") else text
        w = width(shown, LABEL, bold=bold) + TAKEN[sign]
        if x > LEGEND_PAD and x + w + LEGEND_PAD > room:
            x, y = LEGEND_PAD, y + ROW
        entries.append(LegendEntry(cls, words.isolated(shown), x, y, sign))
        widest = max(widest, x + w + LEGEND_PAD)
        x += w + _GAP
    return Legend(tuple(entries), widest, y + ROW / 2 + LEGEND_PAD)


def _lines(target: Attribute, axis: AnswerAxis | None) -> Iterator[tuple[Sign, int | None, str]]:
    """What is still to be placed."""
    yield "name", None, f"{words.plain(target.name)}:"
    if axis is None:
        yield from (("class", k, words.plain(v)) for k, v in enumerate(target.values or ()))
        return
    low, high = axis.ends
    yield "answer", None, "answer"
    yield "spread", None, "± standard deviation (SD)"
    yield "axis", None, f"axis from {low} to {high}" if low != high else f"all are {low}"
