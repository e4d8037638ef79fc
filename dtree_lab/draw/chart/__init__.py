"""Curves, points and regions in a frame with two axes: what every lab's figure is made of.

A :class:`Plot` says what is to be seen in the units of the data. :func:`figure` lays it out once,
as an :class:`~dtree_lab.draw.as_svg.Element`; the browser and the static picture draw the same.

A line is told from another by its dashes and its name as well as by its colour; a class by its
mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dtree_lab.base.text import html
from dtree_lab.draw.as_svg import Element
from dtree_lab.draw.chart.direct import label_lines
from dtree_lab.draw.chart.drawing import (
    Frame,
    axes,
    back,
    framed,
    layer_drawn,
    line_legend,
    rule_names,
)
from dtree_lab.draw.chart.layers import (
    Area,
    Axis,
    Bar,
    Dash,
    Dots,
    Layer,
    Line,
    Note,
    Plot,
    Point,
    Rule,
    Shapes,
)
from dtree_lab.draw.style import FIGURE_RULES, css_variables

__all__ = [
    "Area",
    "Axis",
    "Bar",
    "Dash",
    "Dots",
    "Figure",
    "Frame",
    "Layer",
    "Line",
    "Note",
    "Plot",
    "Point",
    "Rule",
    "Shapes",
    "figure",
    "figure_svg",
]

Ends = Sequence[tuple[str, float, float]]


@dataclass(frozen=True)
class Figure:
    """A laid-out plot: an ``<svg>`` of so many pixels."""

    element: Element
    width: float
    height: float
    frame: Frame
    title: str
    words: tuple[str, ...]
    plot: Plot

    @property
    def ends(self) -> Ends:
        """What its axes measure, and from where to where."""
        return [(axis.label, axis.low, axis.high) for axis in (self.plot.x, self.plot.y)]

    def over(self, ends: Ends) -> Figure:
        """The same over axes that reach as far as others did; one of something else stays."""
        own = [self.plot.x, self.plot.y]
        axes = [
            replace(axis, low=min(low, axis.low), high=max(high, axis.high))
            if label == axis.label
            else axis
            for axis, (label, low, high) in zip(own, ends, strict=False)
        ]
        return self if axes in ([], own) else figure(replace(self.plot, x=axes[0], y=axes[1]))


def figure(plot: Plot) -> Figure:
    """Lay a plot out."""
    whole = plot
    plot, said, places = label_lines(whole) if whole.direct else (whole, [], [])
    frame = framed(plot)
    key = line_legend(plot, frame)
    drawn = [part for layer in plot.layers for part in layer_drawn(layer, frame)]
    drawn += said
    drawn += rule_names(replace(plot, layers=[*plot.layers, *places]), frame)
    inner = Element("g", {"class": "dtl-layers"}, tuple(drawn))
    page = (back(frame), *axes(plot, frame), inner, *key)
    box = {"class": "dtl-figure", "viewBox": f"0 0 {plot.width:g} {plot.height:g}"}
    drawing, words = Element("svg", box, page), tuple(whole.words())
    return Figure(drawing, plot.width, plot.height, frame, plot.title, words, whole)


def figure_svg(figure: Figure) -> str:
    """A figure as a self-contained SVG picture that follows the reader's theme."""
    rules = f"<style>{css_variables()}{FIGURE_RULES}</style>"
    ground = '<rect class="dtl-ground" width="100%" height="100%"/>'
    inner = "".join(
        child if isinstance(child, str) else child.svg() for child in figure.element.children
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dtl dtl-figure" role="img"'
        f' width="{figure.width:g}" height="{figure.height:g}"'
        f' viewBox="0 0 {figure.width:g} {figure.height:g}"><title>{html(figure.title)}</title>'
        f"{rules}{ground}{inner}</svg>"
    )
