"""The names of lines, written at the lines themselves: nobody has to look them up in a legend.

A name stands over or under its line, clear of all words and, where there is such a place, of all
lines, also when the frame is stretched. Where it would lie on a word, the legend has them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from dtree_lab.draw.as_svg import Element
from dtree_lab.draw.chart.drawing import (
    DOWN,
    MORE,
    UP,
    Frame,
    WordPlace,
    framed,
    height_at,
    line_runs,
    of_note,
    passes,
    words_at,
)
from dtree_lab.draw.chart.layers import Bar, Dots, Line, Note, Plot, Point
from dtree_lab.draw.measure import width as text_width
from dtree_lab.draw.style import LABEL

# The air between a name and a line or a mark, and beside a word.
_AIR, _BESIDE = 6.0, 4.0
# Where along the frame a name may end, the best first.
_ENDS = (0.995, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
# How much further from its line a name may stand than close by, whose colour it has.
_FURTHER = (0.0, 14.0, 28.0)


def label_lines(plot: Plot) -> tuple[Plot, list[Element], list[Note]]:
    """A plot without its legend, and the names of its lines; or as it was, without any."""
    lines = [layer for layer in plot.layers if isinstance(layer, Line) and layer.name]
    points = [layer for layer in plot.layers if isinstance(layer, Dots)]
    dotted: list[Dots | Line] = [*points, *(line for line in lines if line.dots)]
    barred = any(isinstance(layer, Bar) for layer in plot.layers)
    if not lines or barred or any(dots.name for dots in points):
        return plot, [], []
    nameless = [replace(one, name="") if isinstance(one, Line) else one for one in plot.layers]
    bare = replace(plot, layers=nameless)
    frame = framed(bare)
    drawn = [_rightwards(layer, frame) for layer in bare.layers if isinstance(layer, Line)]
    marks = [
        (frame.x_of(x), frame.y_of(y)) for layer in dotted for x, y in filter(None, layer.points)
    ]
    words = [of_note(layer, frame) for layer in plot.layers if isinstance(layer, Note)]
    taken = [one._replace(left=one.left - _BESIDE, right=one.right + _BESIDE) for one in words]
    found: list[Element] = []
    notes: list[Note] = []
    for line in lines:
        places = _places(line.name, _rightwards(line, frame), frame)
        alone = [one for one in places if not any(one.touches(other) for other in taken)]
        if not alone:
            return plot, [], []
        # A mark behind it would be hidden, a line that goes through it is interrupted.
        place = min(
            alone,
            key=lambda place: (
                sum(_holds(place, mark) for mark in marks),
                sum(passes(own, place) for own in drawn),
            ),
        )
        taken.append(_wider(place))
        found.append(place.ground("dtl-ground dtl-at-line"))
        looks = "dtl-key dtl-halo dtl-at-line" + ("" if line.hue is None else f" dtl-t{line.hue}")
        found.append(words_at(line.name, place.x, place.y, looks, place.anchor))
        notes.append(Note(frame.x_at(place.x), frame.y_at(place.y), line.name, place.anchor))
    return bare, found, notes


def _wider(place: WordPlace) -> WordPlace:
    """What a name covers in a frame that is pushed together."""
    wide = MORE * (place.right - place.left)
    if place.anchor == "start":
        return place._replace(right=place.left + wide)
    return place._replace(left=place.right - wide)


def _holds(place: WordPlace, point: Point) -> bool:
    """Whether a point lies in a place, or close by."""
    x, y = point
    wider = _wider(place)
    across = wider.left - _AIR < x < wider.right + _AIR
    return across and wider.top - _AIR < y < wider.bottom + _AIR


def _rightwards(line: Line, frame: Frame) -> list[list[Point]]:
    """The pieces of a line from left to right."""
    return [run if run[0][0] <= run[-1][0] else run[::-1] for run in line_runs(line, frame)]


def _places(name: str, own: Sequence[Sequence[Point]], frame: Frame) -> Iterator[WordPlace]:
    """The places for a name along its line, over it and under it; then behind its end."""
    wide = text_width(name, LABEL)
    for further, share in product(_FURTHER, _ENDS):
        end = frame.left + share * (frame.right - frame.left)
        reach = _reach(own, end - MORE * wide, end)
        if reach is None:
            continue
        top, bottom = reach
        for y in (top - _AIR - further - DOWN, bottom + _AIR + further + UP):
            place = WordPlace(end, y, "end", end - wide, end)
            if frame.top <= place.top - 2 and place.bottom + 2 <= frame.bottom:
                yield place
    last = max((run[-1] for run in own), default=(frame.right, 0.0))
    if (x := last[0] + _AIR) + MORE * wide <= frame.right:
        level = last[1] + (UP - DOWN) / 2
        y = min(max(level, frame.top + 2 + UP), frame.bottom - 2 - DOWN)
        yield WordPlace(x, y, "start", x, x + wide)


def _reach(own: Sequence[Sequence[Point]], left: float, right: float) -> tuple[float, float] | None:
    """How far up and down a line goes over a stretch; None where it is not there all along."""
    for run in own:
        if len(run) > 1 and run[0][0] <= left and right <= run[-1][0]:
            heights = [y for x, y in run if left <= x <= right]
            heights += [height_at(run, left), height_at(run, right)]
            return min(heights), max(heights)
    return None
