"""A figure drawn: its frame and axes, each kind of layer, the names of rules and the legend.

The name of a rule stays in the frame, lies on no other word, and no rule goes through it: where
there is no such place, the rule is interrupted behind it. What a person moves is named first, the
others give way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, assert_never

from dtree_lab.draw.as_svg import Element, path
from dtree_lab.draw.chart.layers import (
    Anchor,
    Area,
    Bar,
    Dots,
    Layer,
    Line,
    Note,
    Plot,
    Point,
    Rule,
    Shapes,
)
from dtree_lab.draw.measure import width as text_width
from dtree_lab.draw.style import DETAIL, LABEL, hue, mark

# Around a picture, a tick's length, a line of the legend, and the sample of a line in it.
AIR, TICK, KEY, SAMPLE = 8.0, 5.0, 24.0, 30.0


@dataclass(frozen=True)
class Frame:
    """Where the axes stand in the picture, so that a pointer's place can be told in their units."""

    left: float
    top: float
    right: float
    bottom: float
    x: tuple[float, float]
    y: tuple[float, float]

    def json(self) -> dict[str, float | list[float]]:
        """For the browser."""
        return {**vars(self), "x": list(self.x), "y": list(self.y)}

    def places(self, points: Sequence[Point]) -> list[Point]:
        """Where points of the plane lie, in pixels: all at once, since a key draws hundreds."""
        (left, right), (low, high) = self.x, self.y
        wide, tall = self.right - self.left, self.bottom - self.top
        return [
            (
                self.left + wide * (x - left) / (right - left or 1.0),
                self.bottom - tall * (y - low) / (high - low or 1.0),
            )
            for x, y in points
        ]

    def x_of(self, v: float) -> float:
        """Where a value of the x axis lies, in pixels."""
        low, high = self.x
        return self.left + (self.right - self.left) * (v - low) / (high - low or 1.0)

    def y_of(self, v: float) -> float:
        """Where a value of the y axis lies, in pixels."""
        low, high = self.y
        return self.bottom - (self.bottom - self.top) * (v - low) / (high - low or 1.0)

    def x_at(self, x: float) -> float:
        """The value of the x axis at a place in the picture."""
        low, high = self.x
        return low + (x - self.left) / (self.right - self.left) * (high - low)

    def y_at(self, y: float) -> float:
        """The value of the y axis at a place in the picture."""
        low, high = self.y
        return low + (self.bottom - y) / (self.bottom - self.top) * (high - low)


@dataclass(frozen=True)
class Marks(Element):
    """Marks at places: in the browser each a node that stays, in a picture a path a look."""

    # The CSS classes, the number of the mark, and half its size.
    looks: tuple[tuple[str, int, float], ...] = ()
    # Of each mark, where it is and the number of its look.
    places: tuple[tuple[float, float, int], ...] = ()
    # The row that each is the mark of, the same mark wherever the lab shows that row; empty for
    # marks that are no rows, each known by its place in the list.
    keys: tuple[int, ...] = ()
    whole: bool = False  # they only repeat the sign of an area: one node in the browser, too

    def json(self) -> list[Any]:
        """``["marks", {looks, at, …}]``: looks by CSS, outline, mark; marks by x, y, look, key."""
        looks = [[looks, _outline(cls, 0.0, 0.0, size), cls] for looks, cls, size in self.looks]
        keys = self.keys or range(len(self.places))
        at: list[float] = []
        for (x, y, look), key in zip(self.places, keys, strict=True):
            at += [round(x, 1), round(y, 1), look, key]
        told = {"looks": looks, "at": at, "whole": self.whole, "rows": bool(self.keys)}
        return ["marks", {**self.attributes, **told}]

    def svg(self) -> str:
        """One path for each look, for there may be hundreds of marks."""
        outlines: dict[int, list[str]] = {}
        for x, y, look in self.places:
            _, cls, size = self.looks[look]
            outlines.setdefault(look, []).append(_outline(cls, x, y, size))
        drawn = (
            Element("path", {"class": self.looks[look][0], "d": "".join(outline)}).svg()
            for look, outline in outlines.items()
        )
        return "".join(drawn)


def _signs(cls: int, places: Sequence[Point]) -> Marks:
    """The sign of a class, repeated in an area."""
    at = tuple((x, y, 0) for x, y in places)
    looks = "dtl-pattern"
    return Marks("marks", {"class": looks}, (), ((looks, cls, 4),), at, whole=True)


def words_at(words: str, x: float, y: float, looks: str, anchor: str) -> Element:
    """Words at a place."""
    return Element("text", {"class": looks, "x": x, "y": y, "text-anchor": anchor}, (words,))


def _box(looks: str, x: float, y: float, width: float, height: float) -> Element:
    """A rectangle."""
    return Element("rect", {"class": looks, "x": x, "y": y, "width": width, "height": height})


def layer_drawn(layer: Layer, frame: Frame) -> list[Element]:
    """The elements of a layer."""
    match layer:
        case Line():
            pieces = line_runs(layer, frame)
            points = [point for run in pieces for point in run]
            return [*stroke(pieces, layer), *marks(points, layer)]
        case Dots():
            return _dots(layer, frame)
        case Area():
            return _area(layer, frame)
        case Shapes():
            return _shapes(layer, frame)
        case Rule():
            return [_rule(layer, frame)]
        case Bar():
            return [_bar(layer, frame)]
        case Note():
            looks = "dtl-key dtl-name dtl-halo" if layer.strong else "dtl-key dtl-halo"
            at = frame.x_of(layer.x), frame.y_of(layer.y)
            return [words_at(layer.text, *at, looks, layer.anchor)]
        case _:
            assert_never(layer)


def line_runs(line: Line, frame: Frame) -> list[list[Point]]:
    """The pieces of a line in the picture."""
    found: list[list[Point]] = [[]]
    places = iter(frame.places([point for point in line.points if point is not None]))
    for point in line.points:
        if point is None:
            found.append([])
            continue
        x, y = next(places)
        if line.steps and found[-1]:
            found[-1].append((x, found[-1][-1][1]))
        found[-1].append((x, y))
    return [run for run in found if run]


def stroke(runs: list[list[Point]], line: Line) -> list[Element]:
    """The pieces of a line; as one path, for a boundary may have hundreds."""
    if not runs:
        return []
    looks = "dtl-line" if line.hue is None else f"dtl-line dtl-s{line.hue}"
    looks += f" dtl-{line.dash}" if line.dash else ""
    looks += " dtl-faint" if line.faint else ""
    looks += " dtl-accent" if line.accent else ""
    return [Element("path", {"class": looks, "d": "".join(map(path, runs))})]


def marks(points: list[Point], line: Line) -> list[Element]:
    """A mark at each point of a line that has them."""
    if not line.dots or not points:
        return []
    looks = "dtl-dot" if line.hue is None else f"dtl-mark dtl-c{line.hue}"
    at = tuple((x, y, 0) for x, y in points)
    return [Marks("marks", {"class": looks}, (), ((looks, line.hue or 0, 4),), at)]


def _dots(dots: Dots, frame: Frame) -> list[Element]:
    """The rings, then the points."""
    places = frame.places(dots.points)
    found: list[Element] = []
    for x, y in (places[i] for i in sorted(dots.ringed)):
        ring = {"cx": x, "cy": y, "r": 2 * dots.size}
        found.append(Element("circle", {"class": "dtl-ring", **ring}))
    kinds = list(dict.fromkeys(dots.classes))
    way = "o" if dots.open else "c"
    looks = tuple((f"dtl-mark dtl-{way}{hue(cls)}", cls, dots.size) for cls in kinds)
    marked = zip(places, dots.classes, strict=True)
    at = tuple((x, y, kinds.index(cls)) for (x, y), cls in marked)
    if at:
        found.append(Marks("marks", {"class": "dtl-rows"}, (), looks, at, tuple(dots.keys)))
    return found


def _outline(cls: int, x: float, y: float, r: float) -> str:
    """The mark of a class as path data; a circle as two arcs, a tenth of its corners' length."""
    if mark(cls) != mark(0):
        return mark(cls).path(x, y, r)
    r = round(r * 0.95, 1)
    half = f"a{r:g},{r:g} 0 1,0"
    return f"M{round(x - r, 1):g},{round(y, 1):g}{half} {2 * r:g},0{half} {-2 * r:g},0Z"


_SPACING = 56.0  # between the marks that are repeated in an area


def _area(area: Area, frame: Frame) -> list[Element]:
    left, right = sorted(frame.x_of(v) for v in area.x)
    top, bottom = sorted(frame.y_of(v) for v in area.y)
    left, right = max(left, frame.left), min(right, frame.right)
    top, bottom = max(top, frame.top), min(bottom, frame.bottom)
    w, h = right - left, bottom - top
    if w <= 0 or h <= 0:
        return []
    looks = f"dtl-area dtl-c{hue(area.cls)}"
    found: list[Element] = [_box(looks, left, top, w, h)]
    if min(w, h) < 16:  # noqa: PLR2004 - no mark has room
        return found
    across, down = max(1, int(w // _SPACING)), max(1, int(h // _SPACING))
    places = [
        (left + w * (i + 0.5) / across, top + h * (j + 0.5) / down)
        for i in range(across)
        for j in range(down)
    ]
    found.append(_signs(area.cls, places))
    return found


def _shapes(shapes: Shapes, frame: Frame) -> list[Element]:
    """One path for all areas and one for their marks, for there may be hundreds."""
    outlines, signs = [], []
    for area in shapes.areas:
        corners = frame.places(area)
        outlines.append(f"{path(corners)}Z")
        across, down = ([corner[i] for corner in corners] for i in (0, 1))
        if min(max(across) - min(across), max(down) - min(down)) >= 16:  # noqa: PLR2004 - room
            signs.append((sum(across) / len(corners), sum(down) / len(corners)))
    looks = f"dtl-area dtl-edged dtl-c{hue(shapes.cls)}"
    found = [Element("path", {"class": looks, "d": "".join(outlines)})]
    if signs and shapes.signed:
        found.append(_signs(shapes.cls, signs))
    return found


def _rule(rule: Rule, frame: Frame) -> Element:
    looks = "dtl-rule dtl-accent" if rule.accent else "dtl-rule"
    looks += f" dtl-{rule.dash}" if rule.dash else ""
    at = _at(rule, frame)
    ends = [(at, frame.top), (at, frame.bottom)]
    if rule.axis == "y":
        ends = [(frame.left, at), (frame.right, at)]
    return Element("path", {"class": looks, "d": path(ends)})


def _bar(bar: Bar, frame: Frame) -> Element:
    left, right = sorted(frame.x_of(v) for v in bar.x)
    top, bottom = sorted(frame.y_of(v) for v in (bar.low, bar.high))
    looks = "dtl-bar-fill" if bar.hue is None else f"dtl-c{bar.hue}"
    return _box(looks, left, top, right - left, bottom - top)


def _wide(line: Line | Dots) -> float:
    return SAMPLE + 6 + text_width(line.name, LABEL) + 18


def _rows(plot: Plot, room: float) -> list[list[tuple[float, Line | Dots]]]:
    """The lines and points that have names, in rows that fit, each with its place."""
    rows: list[list[tuple[float, Line | Dots]]] = []
    x = room
    for line in plot.layers:
        if not isinstance(line, Line | Dots) or not line.name:
            continue
        wide = _wide(line)
        if x + wide > room and (not rows or rows[-1]):
            rows.append([])
            x = 0.0
        rows[-1].append((x, line))
        x += wide
    return rows


def line_legend(plot: Plot, frame: Frame) -> list[Element]:
    """A sample and a name for each line that has one; its place, row and width to be broken by."""
    found = []
    for i, row in enumerate(_rows(plot, frame.right - frame.left)):
        y = AIR + KEY * i + 10
        for x, line in row:
            left = frame.left + x
            drawn = (
                stroke([[(left, y), (left + SAMPLE, y)]], line) if isinstance(line, Line) else []
            )
            drawn += marks([(left + SAMPLE / 2, y)], _marked(line))
            drawn.append(words_at(line.name, left + SAMPLE + 6, y + 4.5, "dtl-key", "start"))
            looks = {"class": "dtl-legend", "data-at": f"{x:g} {KEY * i:g} {_wide(line):g}"}
            found.append(Element("g", looks, tuple(drawn)))
    return found


def _marked(layer: Line | Dots) -> Line:
    if isinstance(layer, Line):
        return layer
    return Line((), hue=hue(layer.classes[0]) if len(layer.classes) else None, dots=True)


def framed(plot: Plot) -> Frame:
    """The frame that leaves room for what stands around it."""
    labels = [words for _, words in plot.y.marked(5)]
    left = AIR + max([plot.room, *(text_width(words, DETAIL) for words in labels)]) + TICK + 4
    last = plot.x.marked()[-1:]
    right = plot.width - AIR - (text_width(last[0][1], DETAIL) / 2 if last else 0.0)
    top = AIR + KEY * len(_rows(plot, right - left)) + (20.0 if plot.y.label else 4.0)
    bottom = plot.height - (42.0 if plot.x.label else 24.0)
    return Frame(left, top, right, bottom, (plot.x.low, plot.x.high), (plot.y.low, plot.y.high))


def back(frame: Frame) -> Element:
    """The frame itself."""
    size = frame.right - frame.left, frame.bottom - frame.top
    return _box("dtl-plane", frame.left, frame.top, *size)


def axes(plot: Plot, frame: Frame) -> list[Element]:
    """Ticks, what is written at them, and what is measured."""
    found = []
    for at, words in plot.x.marked():
        x = frame.x_of(at)
        line = f"M{x:.1f},{frame.bottom:.1f}v{TICK:g}"
        found.append(Element("path", {"class": "dtl-tick", "d": line}))
        found.append(words_at(words, x, frame.bottom + 18, "dtl-detail", "middle"))
    for at, words in plot.y.marked(5):
        y = frame.y_of(at)
        line = f"M{frame.left:.1f},{y:.1f}H{frame.right:.1f}"
        found.append(Element("path", {"class": "dtl-gridline", "d": line}))
        found.append(words_at(words, frame.left - TICK - 2, y + 4, "dtl-detail", "end"))
    if plot.x.label:
        found.append(words_at(plot.x.label, frame.right, plot.height - 6, "dtl-key", "end"))
    if plot.y.label:
        found.append(words_at(plot.y.label, AIR, frame.top - 9, "dtl-key", "start"))
    return found


# How far letters reach above and below their baseline.
UP, DOWN = 12.0, 4.0
# How much of a line, in widths of a word, must leave it room: a frame that is pushed together
# brings more of it under it.
MORE = 1.4
# Beside a rule, a line of names, and how many lines.
_BESIDE, _LINE, _LINES = 6.0, 16.0, 5


class WordPlace(NamedTuple):
    """A word: where it is anchored, and what it covers."""

    x: float
    y: float
    anchor: Anchor
    left: float
    right: float

    @classmethod
    def of(cls, words: str, x: float, y: float, anchor: Anchor) -> WordPlace:
        """The place of some words that are anchored somewhere."""
        wide = text_width(words, LABEL)
        left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        return cls(x, y, anchor, left, left + wide)

    @property
    def top(self) -> float:
        """How far up its letters reach."""
        return self.y - UP

    @property
    def bottom(self) -> float:
        """How far down its letters reach."""
        return self.y + DOWN

    def touches(self, other: WordPlace) -> bool:
        """Whether the two lie on each other."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def ground(self, looks: str) -> Element:
        """What interrupts the lines behind it."""
        return _box(looks, self.left - 2, self.top, self.right - self.left + 4, UP + DOWN)


def of_note(note: Note, frame: Frame) -> WordPlace:
    """What a note covers."""
    return WordPlace.of(note.text, frame.x_of(note.x), frame.y_of(note.y), note.anchor)


def rule_names(plot: Plot, frame: Frame) -> list[Element]:
    """The names of a plot's rules."""
    rules = [layer for layer in plot.layers if isinstance(layer, Rule)]
    notes = [layer for layer in plot.layers if isinstance(layer, Note)]
    taken = [of_note(note, frame) for note in notes]
    across = [_at(rule, frame) for rule in rules if rule.axis == "x"]
    down = [_at(rule, frame) for rule in rules if rule.axis == "y"]
    lines = [one for one in plot.layers if isinstance(one, Line) and not one.faint]
    drawn = [line_runs(line, frame) for line in lines]
    found = []
    for rule in sorted(rules, key=lambda rule: not rule.accent):
        if not rule.name:
            continue
        near = list(_near(rule, frame, across))
        alone = [one for one in near if _is_alone(one, frame, taken)]
        whole = [one for one in alone if not _is_struck(one, across, down)]
        free = [one for one in whole if not any(passes(own, one) for own in drawn)]
        place = (free or whole or alone or near)[0]
        # Nor do two names share a line: in a frame that is pushed together they would meet.
        taken.append(place._replace(left=frame.left, right=frame.right))
        if not free:
            found.append(place.ground("dtl-ground"))
        looks = "dtl-key dtl-halo" + (" dtl-chosen" if rule.accent else "")
        found.append(words_at(rule.name, place.x, place.y, looks, place.anchor))
    return found


def _at(rule: Rule, frame: Frame) -> float:
    """Where a rule is drawn: one beyond an end of its axis lies at that end."""
    if rule.axis == "x":
        return min(max(frame.x_of(rule.at), frame.left), frame.right)
    return min(max(frame.y_of(rule.at), frame.top), frame.bottom)


def _near(rule: Rule, frame: Frame, across: list[float]) -> Iterator[WordPlace]:
    """The places for a name, the best first: none depends on what else is there."""
    at = _at(rule, frame)
    if rule.axis == "x":
        wide = text_width(rule.name, LABEL)
        sides: list[tuple[float, Anchor]] = [(at + _BESIDE, "start"), (at - _BESIDE, "end")]
        if at + _BESIDE + MORE * wide > frame.right:
            sides.reverse()
        for line in range(_LINES):
            for x, anchor in sides:
                yield WordPlace.of(rule.name, x, frame.top + 14 + _LINE * line, anchor)
        return
    for y in [y for n in range(_LINES) for y in (at - 5 - _LINE * n, at + 14 + _LINE * n)]:
        yield WordPlace.of(rule.name, frame.right - 4, y, "end")
        for x in sorted(across, reverse=True):
            yield WordPlace.of(rule.name, x - _BESIDE, y, "end")
        yield WordPlace.of(rule.name, frame.left + 4, y, "start")


def _is_alone(place: WordPlace, frame: Frame, taken: list[WordPlace]) -> bool:
    """Whether it is in the frame and lies on no other word."""
    inside = frame.left <= place.left and place.right <= frame.right
    inside = inside and frame.top <= place.top and place.bottom <= frame.bottom
    return inside and not any(place.touches(other) for other in taken)


def _is_struck(place: WordPlace, across: list[float], down: list[float]) -> bool:
    """Whether a rule goes through it."""
    upright = any(place.left - 1 < x < place.right + 1 for x in across)
    return upright or any(place.top < y < place.bottom for y in down)


def height_at(run: Sequence[Point], at: float) -> float:
    """Where a line is over a place."""
    for (x, y), (u, v) in pairwise(run):
        if x <= at <= u:
            return y if u == x else y + (v - y) * (at - x) / (u - x)
    return run[-1][1]


def passes(own: Sequence[Sequence[Point]], place: WordPlace) -> bool:
    """Whether a line goes through a place, or would when the frame is pushed together."""
    left = place.right - MORE * (place.right - place.left)
    for run in own:
        start, end = max(left, run[0][0]), min(place.right, run[-1][0])
        if start > end:
            continue
        heights = [y for x, y in run if start <= x <= end]
        heights += [height_at(run, start), height_at(run, end)]
        if min(heights) < place.bottom + 2 and max(heights) > place.top - 2:
            return True
    return False
