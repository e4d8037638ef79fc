"""The legend: a sample of each line, and of each kind of point, that has a name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.draw.chart.drawing import marks, stroke
from dtree_lab.draw.chart.frame import AIR, KEY, SAMPLE, text
from dtree_lab.draw.chart.layers import Dots, Line
from dtree_lab.draw.measure import width as text_width
from dtree_lab.draw.style import LABEL, hue

if TYPE_CHECKING:
    from dtree_lab.draw.chart.frame import Frame
    from dtree_lab.draw.chart.layers import Plot
    from dtree_lab.draw.element import Element


def rows(plot: Plot, room: float) -> list[list[tuple[float, Line | Dots]]]:
    """The lines and points that have names, in rows that fit, each with its place."""
    rows: list[list[tuple[float, Line | Dots]]] = []
    x = room
    for line in plot.layers:
        if not isinstance(line, Line | Dots) or not line.name:
            continue
        wide = SAMPLE + 6 + text_width(line.name, LABEL) + 18
        if x + wide > room and (not rows or rows[-1]):
            rows.append([])
            x = 0.0
        rows[-1].append((x, line))
        x += wide
    return rows


def legend(plot: Plot, frame: Frame) -> list[Element]:
    """A sample and a name for each line that has one."""
    found = []
    for i, row in enumerate(rows(plot, frame.right - frame.left)):
        y = AIR + KEY * i + 10
        for x, line in row:
            left = frame.left + x
            if isinstance(line, Line):
                found.extend(stroke([[(left, y), (left + SAMPLE, y)]], line))
            found.extend(marks([(left + SAMPLE / 2, y)], _marked(line)))
            found.append(text(line.name, left + SAMPLE + 6, y + 4.5, "dtl-key", "start"))
    return found


def _marked(layer: Line | Dots) -> Line:
    if isinstance(layer, Line):
        return layer
    return Line((), hue=hue(layer.classes[0]) if len(layer.classes) else None, dots=True)
