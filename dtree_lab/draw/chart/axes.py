"""The frame that a plot needs, and its axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.draw.chart.frame import AIR, KEY, TICK, Frame, box, text
from dtree_lab.draw.chart.legend import rows
from dtree_lab.draw.element import Element
from dtree_lab.draw.measure import width as text_width
from dtree_lab.draw.style import DETAIL

if TYPE_CHECKING:
    from dtree_lab.draw.chart.layers import Plot


def framed(plot: Plot) -> Frame:
    """The frame that leaves room for what stands around it."""
    labels = [words for _, words in plot.y.marked(5)]
    left = AIR + max([plot.room, *(text_width(words, DETAIL) for words in labels)]) + TICK + 4
    last = plot.x.marked()[-1:]
    right = plot.width - AIR - (text_width(last[0][1], DETAIL) / 2 if last else 0.0)
    top = AIR + KEY * len(rows(plot, right - left)) + (20.0 if plot.y.label else 4.0)
    bottom = plot.height - (42.0 if plot.x.label else 24.0)
    return Frame(left, top, right, bottom, (plot.x.low, plot.x.high), (plot.y.low, plot.y.high))


def back(frame: Frame) -> Element:
    """The frame itself."""
    size = frame.right - frame.left, frame.bottom - frame.top
    return box("dtl-plane", frame.left, frame.top, *size)


def axes(plot: Plot, frame: Frame) -> list[Element]:
    """Ticks, what is written at them, and what is measured."""
    found = []
    for at, words in plot.x.marked():
        x = frame.x_of(at)
        line = f"M{x:.1f},{frame.bottom:.1f}v{TICK:g}"
        found.append(Element("path", {"class": "dtl-tick", "d": line}))
        found.append(text(words, x, frame.bottom + 18, "dtl-detail", "middle"))
    for at, words in plot.y.marked(5):
        y = frame.y_of(at)
        line = f"M{frame.left:.1f},{y:.1f}H{frame.right:.1f}"
        found.append(Element("path", {"class": "dtl-gridline", "d": line}))
        found.append(text(words, frame.left - TICK - 2, y + 4, "dtl-detail", "end"))
    if plot.x.label:
        found.append(text(plot.x.label, frame.right, plot.height - 6, "dtl-key", "end"))
    if plot.y.label:
        found.append(text(plot.y.label, AIR, frame.top - 9, "dtl-key", "start"))
    return found
