"""Which colour and mark is which class: the line under a picture, before it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtree_lab.draw import words
from dtree_lab.draw.measure import fit, width
from dtree_lab.draw.style import LABEL

if TYPE_CHECKING:
    from dtree_lab.table import Attribute

ROW, PAD, TOP = 22.0, 8.0, 8.0
MARK = 17.0  # what an entry's mark takes before its name
_NAME, _GAP = 170.0, 18.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A class (``None`` for the target's name): left edge and middle of its line at scale 1."""

    cls: int | None
    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Legend:
    """All entries, within `width` by `height`."""

    entries: tuple[Entry, ...]
    width: float
    height: float


def legend(target: Attribute, room: float) -> Legend:
    """The legend of a target's classes, in as many lines as `room` pixels make it.

    Examples
    --------
    >>> from dtree_lab.table import Attribute
    >>> [entry.text for entry in legend(Attribute("Cheat", ("No", "Yes")), 300).entries]
    ['Cheat:', 'No', 'Yes']
    """
    x, y, widest = PAD, TOP + ROW / 2, 0.0
    texts = [f"{words.plain(target.name)}:", *(words.plain(v) for v in target.values or ())]
    entries = []
    for i, text in enumerate(texts):
        shown = fit(text, _NAME, LABEL, bold=not i)
        w = width(shown, LABEL, bold=not i) + (MARK if i else 0.0)
        if x > PAD and x + w + PAD > room:
            x, y = PAD, y + ROW
        entries.append(Entry(i - 1 if i else None, words.isolated(shown), x, y))
        widest = max(widest, x + w + PAD)
        x += w + _GAP
    return Legend(tuple(entries), widest, y + ROW / 2 + PAD)
