"""The names of rules, each where it can be read.

A name stays in the frame, lies on no other word, and no rule goes through it: where there is no
such place, the rule is interrupted behind it. What a person moves is named first, the others give
way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dtree_lab.draw.chart.frame import box, text
from dtree_lab.draw.chart.layers import Note, Rule
from dtree_lab.draw.measure import width as text_width
from dtree_lab.draw.style import LABEL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dtree_lab.draw.chart.frame import Frame
    from dtree_lab.draw.chart.layers import Plot
    from dtree_lab.draw.element import Element

# Beside a rule, a line of names, and how far letters reach above and below their baseline.
_BESIDE, _LINE, _UP, _DOWN = 6.0, 16.0, 11.0, 4.0
_LINES = 5


class _Place(NamedTuple):
    """A word: where it is anchored, and what it covers."""

    x: float
    y: float
    anchor: str
    left: float
    right: float

    @classmethod
    def of(cls, words: str, x: float, y: float, anchor: str) -> _Place:
        wide = text_width(words, LABEL)
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        return cls(x, y, anchor, left, left + wide)

    def touches(self, other: _Place) -> bool:
        """Whether the two lie on each other."""
        across = self.left < other.right and other.left < self.right
        return across and abs(self.y - other.y) < _UP + _DOWN


def names(plot: Plot, frame: Frame) -> list[Element]:
    """The names of a plot's rules."""
    rules = [layer for layer in plot.layers if isinstance(layer, Rule)]
    notes = [layer for layer in plot.layers if isinstance(layer, Note)]
    taken = [_Place.of(n.text, frame.x_of(n.x), frame.y_of(n.y), n.anchor) for n in notes]
    across = [_at(rule, frame) for rule in rules if rule.axis == "x"]
    down = [_at(rule, frame) for rule in rules if rule.axis == "y"]
    found = []
    for rule in sorted(rules, key=lambda one: not one.accent):
        if not rule.name:
            continue
        near = list(_near(rule, frame, across))
        alone = [one for one in near if _is_alone(one, frame, taken)]
        free = [one for one in alone if not _is_struck(one, across, down)]
        place = (free or alone or near)[0]
        taken.append(place)
        if not free:
            size = place.right - place.left + 4, _UP + _DOWN
            found.append(box("dtl-ground", place.left - 2, place.y - _UP, *size))
        found.append(text(rule.name, place.x, place.y, "dtl-key dtl-halo", place.anchor))
    return found


def _at(rule: Rule, frame: Frame) -> float:
    """Where a rule is drawn: one beyond an end of its axis lies at that end."""
    if rule.axis == "x":
        return min(max(frame.x_of(rule.at), frame.left), frame.right)
    return min(max(frame.y_of(rule.at), frame.top), frame.bottom)


def _near(rule: Rule, frame: Frame, across: list[float]) -> Iterator[_Place]:
    """The places for a name, the best first: none depends on what else is there."""
    at = _at(rule, frame)
    if rule.axis == "x":
        wide = text_width(rule.name, LABEL)
        sides = [(at + _BESIDE, "start"), (at - _BESIDE, "end")]
        if at + _BESIDE + wide > frame.right:
            sides.reverse()
        for line in range(_LINES):
            for x, anchor in sides:
                yield _Place.of(rule.name, x, frame.top + 14 + _LINE * line, anchor)
        return
    for y in [y for n in range(_LINES) for y in (at - 5 - _LINE * n, at + 14 + _LINE * n)]:
        yield _Place.of(rule.name, frame.right - 4, y, "end")
        for x in sorted(across, reverse=True):
            yield _Place.of(rule.name, x - _BESIDE, y, "end")
        yield _Place.of(rule.name, frame.left + 4, y, "start")


def _is_alone(one: _Place, frame: Frame, taken: list[_Place]) -> bool:
    """Whether it is in the frame and lies on no other word."""
    inside = frame.left <= one.left and one.right <= frame.right
    inside = inside and frame.top <= one.y - _UP and one.y + _DOWN <= frame.bottom
    return inside and not any(one.touches(other) for other in taken)


def _is_struck(one: _Place, across: list[float], down: list[float]) -> bool:
    """Whether a rule goes through it."""
    upright = any(one.left - 1 < x < one.right + 1 for x in across)
    return upright or any(one.y - _UP < y < one.y + _DOWN for y in down)
