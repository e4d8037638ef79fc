"""What is where inside a card and along an edge, the same for SVG, matplotlib and the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dtree_lab.draw.nodes import Card, Edge
    from dtree_lab.draw.style import Point

# Pixels at scale 1: around what a card holds, its lines, and what lies between them.
PAD, LINE, STRIP, SMALL = 11.0, 18.0, 16.0, 15.0
ABOVE_STRIP, BELOW_STRIP = 7.0, 4.0
CORNER = 7.0
# What the mark before a leaf's title takes, half its size, and that of the marks in a strip.
LEAD, MARK_R, SMALL_R = 18.0, 4.6, 3.4
# The middle of the mark in a share, and where its number begins.
SHARE_MARK, SHARE_TEXT = 8.0, 15.0
# An edge's way down to its value, and the value; where its baseline is above the card.
BEND, VALUE, VALUE_BASE = 24.0, 21.0, 7.0
_TURN = 8.0
_UNDER = STRIP + BELOW_STRIP + SMALL + PAD - 4  # the small line hangs a little over
# On the axis of a card: half its ends' height, half the bar's.
END, BAR = 5.0, 3.0


def height(lines: int, notes: int = 0) -> float:
    """The height of a card whose title has so many lines, with small ones below it."""
    return PAD + lines * LINE + notes * SMALL + ABOVE_STRIP + _UNDER


def strip_top(card: Card, s: float) -> float:
    """The upper edge of a card's strip."""
    return card.h - _UNDER * s


def detail_base(card: Card, s: float) -> float:
    """The baseline of a card's small line."""
    return card.h - (PAD - 0.5) * s


def title_bases(card: Card, s: float) -> list[float]:
    """The baselines of a card's title."""
    return [(PAD + LINE * i + LINE - 4.5) * s for i in range(len(card.title))]


def note_bases(card: Card, s: float) -> list[float]:
    """The baselines of the small lines below a card's title."""
    top = PAD + len(card.title) * LINE
    return [(top + SMALL * i + SMALL - 3) * s for i in range(len(card.notes))]


def lead(card: Card) -> float:
    """The room before a title's first letter, at scale 1: a leaf has its mark there."""
    return LEAD if card.kind == "answer" else 0.0


def title_mark(s: float) -> Point:
    """The middle of the mark before a leaf's title."""
    return ((PAD + MARK_R + 0.6) * s, (PAD + LINE / 2) * s)


def stack(card: Card) -> tuple[float, ...]:
    """How far each outline of a card is moved, at scale 1: a folded one is a stack of three."""
    return (6.0, 3.0, 0.0) if card.kind == "folded" else (0.0,)


def gapped(card: Card, s: float) -> list[tuple[float, float]]:
    """Each share's left edge and width, with a hair's breadth between neighbours."""
    last = len(card.shares) - 1
    widths = [max(share.w - s, 0.6 * share.w) for share in card.shares[:last]]
    widths += [share.w for share in card.shares[last:]]
    return [(share.x, w) for share, w in zip(card.shares, widths, strict=True)]


def route(edge: Edge, s: float) -> list[Point]:
    """An edge: a start, a straight line's end, a round corner's bend and end, twice, and the end.

    Edges of one level turn at one height, between the cards, so none crosses a card or another.
    """
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
