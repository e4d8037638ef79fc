"""Charts for a page: curves, bars and points, each with its description and its numbers as text.

>>> from dtree_lab.draw import bars
>>> bars({"pos": 0.86, "near(race)": 0.52}, y="gain in bits", says="The gains of two attributes.")
The gains of two attributes.
pos: 0.86
near(race): 0.52
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import number, plural
from dtree_lab.draw.as_html import static_figure
from dtree_lab.draw.chart import (
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
    figure,
    figure_svg,
)
from dtree_lab.draw.chart.drawing import framed

_DASHES: tuple[Dash, ...] = ("", "long", "short", "dots")
_HUES = (0, 1, 2, 4)  # the fourth colour, yellow, would be too faint for a line
# How many points of a curve its text lists, evenly chosen.
_MOST_POINTS = 12
_MOST_DOTS = 8
_WIDTH = 640.0
_DIGITS = 12.0  # the height of a number, with a little air


@dataclass(frozen=True)
class Chart:
    """A plot that shows itself: as a picture in a notebook, and as its text in a terminal."""

    plot: Plot  # what is drawn; its title is the description
    lines: tuple[str, ...] = ()  # the numbers in it, as lines of text

    @terminal
    def __repr__(self) -> str:
        return "\n".join([self.plot.title, *self.lines])

    @property
    def html(self) -> str:
        """Its part of a page."""
        return static_figure(figure_svg(figure(self.plot)), self.plot.title, repr(self))

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self.html}


def layered(  # noqa: PLR0913 - a picture has many parts, all but three by name
    says: str,
    x: str,
    y: str,
    *layers: Layer,
    zero: bool = False,
    height: float = 300.0,
    lines: Sequence[str] = (),
) -> Chart:
    """Any layers in a frame that holds them all.

    Parameters
    ----------
    says
        What the chart shows, in sentences, with the numbers that matter.
    x, y
        What the axes measure, with units.
    *layers
        What is drawn, in the units of the data; see :mod:`dtree_lab.draw.chart`.
    zero
        Whether the y axis begins at 0.
    height
        In pixels.
    lines
        The numbers as text, for who cannot see the picture.
    """
    places = [place for layer in layers for place in _places(layer)]
    across = Axis.around(x, [a for a, _ in places if a is not None])
    up = Axis.around(y, [b for _, b in places if b is not None], air=0.08)
    if zero:
        up = Axis(y, 0.0, max(up.high, 1e-9))
    return Chart(Plot(says, across, up, layers, _WIDTH, height), tuple(lines))


def lines(  # noqa: PLR0913 - as above
    curves: Mapping[str, Sequence[Point]],
    *,
    x: str,
    y: str,
    says: str,
    rules: Mapping[str, float] | None = None,
    dots: bool = False,
    zero: bool = True,
) -> Chart:
    """Curves, told apart by dashes and names as well as by colour.

    Parameters
    ----------
    curves
        The points ``(x, y)`` of each, by name; at most four are told apart.
    x, y, says
        As for :func:`layered`.
    rules
        Upright lines at values of x, by name.
    dots
        Whether the points are marked.
    zero
        Whether the y axis begins at 0, as a measure of error or information should.

    Raises
    ------
    ValueError
        For more than four curves.
    """
    if len(curves) > len(_DASHES):
        raise ValueError(f"{len(curves)} curves cannot be told apart; draw at most {len(_DASHES)}")
    drawn = [
        Line(points, name, _HUES[i], _DASHES[i], dots=dots)
        for i, (name, points) in enumerate(curves.items())
    ]
    upright = [Rule(at, "x", name, dash="short") for name, at in (rules or {}).items()]
    told = [f"{name}: {_listed(points)}" for name, points in curves.items()]
    told += [f"{name}: {x} {number(at)}" for name, at in (rules or {}).items()]
    low = min((b for points in curves.values() for _, b in points), default=0.0)
    return layered(says, x, y, *upright, *drawn, zero=zero and low >= 0, lines=told)


def bars(values: Mapping[str, float], *, y: str, says: str) -> Chart:
    """A bar for each value, from 0.

    Parameters
    ----------
    values
        The height of each bar, by name.
    y, says
        As for :func:`layered`.
    """
    ticks = tuple((float(i), name) for i, name in enumerate(values))
    drawn = [Bar((i - 0.32, i + 0.32), v, hue=0) for i, v in enumerate(values.values())]
    high = max([0.0, *values.values()])
    low = min([0.0, *values.values()])
    room = (high - low) * 0.12 or 1.0
    across = Axis("", -0.6, len(values) - 0.4, ticks)
    plain = Plot(says, across, Axis(y, low, high + room), drawn, _WIDTH, 280.0)
    notes = [Note(i, _over(max(v, 0.0), plain), _short(v)) for i, v in enumerate(values.values())]
    plot = replace(plain, layers=(*drawn, *notes))
    return Chart(plot, tuple(f"{name}: {_short(v)}" for name, v in values.items()))


def _over(top: float, plot: Plot) -> float:
    """Where a number stands over a bar: with its foot on a line of the grid, or clear of all."""
    frame = framed(plot)
    foot = frame.y_of(top) - 6.0
    for at, _ in plot.y.marked(5):
        line = frame.y_of(at)
        if foot - _DIGITS < line < foot + 3.0:
            foot = line - 3.0
    return frame.y_at(foot)


def dots(  # noqa: PLR0913 - as above
    points: Sequence[Point],
    classes: Sequence[int],
    *,
    x: str,
    y: str,
    names: Sequence[str],
    says: str,
) -> Chart:
    """Points in the plane, each with the mark of its class.

    Parameters
    ----------
    points, classes
        Where they lie, and the number of each one's class.
    x, y, says
        As for :func:`layered`.
    names
        What the classes are called, in the order of their numbers.
    """
    found = [(i, [p for p, c in zip(points, classes, strict=True) if c == i]) for i in range(99)]
    kinds = [(i, own) for i, own in found[: len(names)] if own]
    drawn = [Dots(own, [i] * len(own), name=names[i]) for i, own in kinds]
    told = [f"{names[i]}: {plural(len(own), 'point')}, {_some(own)}" for i, own in kinds]
    return layered(says, x, y, *drawn, lines=told, height=340.0)


def _places(layer: Layer) -> Iterator[tuple[float | None, float | None]]:
    """The corners of what a layer takes up."""
    match layer:
        case Line() | Dots():
            yield from (point for point in layer.points if point is not None)
        case Area():
            yield from zip(layer.x, layer.y, strict=True)
        case Shapes():
            yield from (corner for area in layer.areas for corner in area)
        case Rule():
            yield (layer.at, None) if layer.axis == "x" else (None, layer.at)
        case Bar():
            yield from ((layer.x[0], layer.low), (layer.x[1], layer.high))
        case Note():
            yield layer.x, layer.y


def _listed(points: Sequence[Point]) -> str:
    """Some points of a curve, the first and the last among them."""
    step = max(1, -(-len(points) // _MOST_POINTS))
    shown = [*points[:-1:step], *points[-1:]]
    return ", ".join(f"{_short(a)} → {_short(b)}" for a, b in shown)


def _some(points: Sequence[Point]) -> str:
    more = " …" if len(points) > _MOST_DOTS else ""
    return " ".join(f"({_short(a)}, {_short(b)})" for a, b in points[:_MOST_DOTS]) + more


def _short(v: float) -> str:
    return number(round(v, 3)) if abs(v) >= 0.001 or v == 0 else f"{v:.1e}"  # noqa: PLR2004
