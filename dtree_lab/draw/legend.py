"""What the marks mean: the line under a picture, before it is drawn.

Of classes it says which colour and mark is which; of a regression tree what the dot and the bar
are, and from where to where every axis goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from dtree_lab.draw import words
from dtree_lab.draw.measure import fit, width
from dtree_lab.draw.style import LABEL

if TYPE_CHECKING:
    from dtree_lab.draw.axis import Axis
    from dtree_lab.table import Attribute

Sign: TypeAlias = Literal["name", "class", "answer", "spread", "axis"]

ROW, PAD, TOP = 22.0, 8.0, 8.0
MARK = 17.0  # what an entry's mark takes before its name
BAR = 30.0  # and what a bar or an axis takes
_NAME, _GAP = 170.0, 18.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A class (``None`` for the target's name): left edge and middle of its line at scale 1.

    `sign` says what stands before the text.
    """

    cls: int | None
    text: str
    x: float
    y: float
    sign: Sign = "class"

    @property
    def bar(self) -> tuple[float, float]:
        """The ends of the bar or axis that stands before the text."""
        return self.x + 1, self.x + BAR - 6


@dataclass(frozen=True, slots=True)
class Legend:
    """All entries, within `width` by `height`."""

    entries: tuple[Entry, ...]
    width: float
    height: float


class _Line(NamedTuple):
    """What is still to be placed."""

    sign: Sign
    cls: int | None
    text: str


# What a sign takes before its text.
TAKEN: dict[Sign, float] = {"name": 0.0, "class": MARK, "answer": MARK, "spread": BAR, "axis": BAR}


def legend(target: Attribute, room: float, axis: Axis | None = None) -> Legend:
    """The legend of a target, in as many lines as `room` pixels make it.

    Examples
    --------
    >>> from dtree_lab.table import Attribute
    >>> [entry.text for entry in legend(Attribute("Cheat", ("No", "Yes")), 300).entries]
    ['Cheat:', 'No', 'Yes']
    """
    x, y, widest = PAD, TOP + ROW / 2, 0.0
    entries = []
    for sign, cls, text in _lines(target, axis):
        bold = sign == "name"
        shown = fit(text, _NAME, LABEL, bold=bold) if sign in ("name", "class") else text
        w = width(shown, LABEL, bold=bold) + TAKEN[sign]
        if x > PAD and x + w + PAD > room:
            x, y = PAD, y + ROW
        entries.append(Entry(cls, words.isolated(shown), x, y, sign))
        widest = max(widest, x + w + PAD)
        x += w + _GAP
    return Legend(tuple(entries), widest, y + ROW / 2 + PAD)


def _lines(target: Attribute, axis: Axis | None) -> list[_Line]:
    classes = [_Line("class", k, words.plain(v)) for k, v in enumerate(target.values or ())]
    named = _Line("name", None, f"{words.plain(target.name)}:")
    if axis is None:
        return [named, *classes]
    low, high = axis.ends
    return [
        named,
        _Line("answer", None, "answer"),
        _Line("spread", None, "± standard deviation (SD)"),
        _Line("axis", None, f"axis from {low} to {high}" if low != high else f"all are {low}"),
    ]
