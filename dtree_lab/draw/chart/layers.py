"""What a figure holds, in the units of the data: axes, and layers over one another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import number

Point: TypeAlias = tuple[float, float]
Dash: TypeAlias = Literal["", "long", "short", "dots"]
Anchor: TypeAlias = Literal["start", "middle", "end"]  # of a word: which of its places is given


@dataclass(frozen=True)
class Axis:
    """An axis.

    Attributes
    ----------
    label
        What is measured, with its unit.
    low, high
        Its ends.
    ticks
        Places and what is written there; found when left out.
    spoken
        How its numbers are written where a figure is told in words, such as ``".1%"``.
    """

    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] | None = None
    spoken: str = ".4g"

    @classmethod
    def around(cls, label: str, values: Iterable[float], air: float = 0.04) -> Axis:
        """An axis that holds some values, with a little air at either end.

        Parameters
        ----------
        label
            What stands beside it.
        values
            Those that are not finite count for nothing.
        air
            How much room is left at either end: a share of the values' range.
        """
        found = [v for v in values if isfinite(v)] or [0.0, 1.0]
        low, high = min(found), max(found)
        room = (high - low) * air or abs(low) * air or 1.0
        return cls(label, low - room, high + room)

    def share(self, v: float) -> float:
        """How far along the axis a value lies, from 0 to 1."""
        return (v - self.low) / (self.high - self.low)

    def marked(self, most: int = 6) -> tuple[tuple[float, str], ...]:
        """The ticks: those given, or at most so many at round numbers."""
        return _ticks(self.low, self.high, most) if self.ticks is None else self.ticks


@dataclass(frozen=True)
class Line:
    """A line through points; a None among them breaks it.

    Attributes
    ----------
    points
        ``(x, y)``.
    name
        What the legend calls it; nothing keeps it out of the legend.
    hue
        The number of a colour of ``dtree_lab.draw.style.COLOURS``; None is the ink.
    dash
        How it is told from others without colour.
    steps
        Whether it goes from point to point by a step at the next point.
    dots
        Whether its points are marked.
    faint
        Whether it stands back: one of many of a kind.
    accent
        Whether it is about what the person has chosen.
    """

    points: Sequence[Point | None]
    name: str = ""
    hue: int | None = None
    dash: Dash = ""
    steps: bool = False
    dots: bool = False
    faint: bool = False
    accent: bool = False


@dataclass(frozen=True)
class Dots:
    """Points, each with the mark and the colour of its class.

    Attributes
    ----------
    points, classes
        One class for each point.
    size
        Half the size of a mark, in pixels.
    open
        Whether they are outlines only, such as rows of another set.
    ringed
        Positions of points with a ring around them.
    name
        What the legend calls points that are all of one class; nothing keeps them out of it.
    keys
        The row that each point is: its number in the lab's table, from 0; rows of a second table,
        such as test rows, count down from -1. So it is known again in the next figure and in every
        other part. Empty for points that are no rows.
    """

    points: Sequence[Point]
    classes: Sequence[int]
    size: float = 5.0
    open: bool = False
    ringed: frozenset[int] = frozenset()
    name: str = ""
    keys: Sequence[int] = ()


@dataclass(frozen=True)
class Area:
    """A rectangle, tinted in the colour of a class, with its mark repeated in it."""

    x: tuple[float, float]
    y: tuple[float, float]
    cls: int


@dataclass(frozen=True)
class Shapes:
    """Convex areas, each by its corners, in the colour of a class.

    Attributes
    ----------
    areas
        The corners of each, in order.
    cls
        The class, by its position in the target's values.
    signed
        Whether the class's mark stands in the middle of each; else notes name the class.
    """

    areas: Sequence[Sequence[Point]]
    cls: int
    signed: bool = True


@dataclass(frozen=True)
class Rule:
    """A straight line across the frame, at a value of one axis.

    Attributes
    ----------
    at, axis
        Where.
    name
        What is written beside it.
    accent
        Whether it is what the person moves.
    dash
        How it is broken; not at all, unless it says how.
    """

    at: float
    axis: Literal["x", "y"] = "x"
    name: str = ""
    accent: bool = False
    dash: Dash = ""


@dataclass(frozen=True)
class Bar:
    """A bar from the foot of the frame, over a stretch of the x axis."""

    x: tuple[float, float]
    high: float
    low: float = 0.0
    hue: int | None = None


@dataclass(frozen=True)
class Note:
    """A word in the frame, centred over a point unless it is anchored at it."""

    x: float
    y: float
    text: str
    anchor: Anchor = "middle"
    strong: bool = False


def lines_as_one(lines: Iterable[Sequence[Point]]) -> list[Point | None]:
    """Several lines as one, with breaks."""
    return [point for line in lines for point in (*line, None)]


def stretches(true: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Where each line of a grid is true without a break: the line, from where, to where."""
    steps = np.diff(np.pad(true.astype(np.int8), ((0, 0), (1, 1))), axis=1)
    begin, end = np.argwhere(steps == 1), np.argwhere(steps == -1)
    return [(int(i), int(a), int(b)) for (i, a), b in zip(begin, end[:, 1], strict=True)]


Layer: TypeAlias = Line | Dots | Area | Shapes | Rule | Bar | Note


@dataclass(frozen=True)
class Plot:
    """What is to be seen; later layers lie over earlier ones.

    Attributes
    ----------
    title
        What the figure shows, in a sentence: its text for those who do not see it.
    x, y
        The axes.
    layers
        What is drawn.
    width, height
        In pixels at scale 1; texts keep their size.
    room
        The least room for what is written beside the y axis, in pixels: the same for figures that
        stand beneath each other lines them up.
    direct
        Whether lines are named where they are, if there is room for all names, and not in a legend.
    """

    title: str
    x: Axis
    y: Axis
    layers: Sequence[Layer]
    width: float = 640.0
    height: float = 320.0
    room: float = 0.0
    direct: bool = False

    def words(self) -> list[str]:
        """The lines and points that have a name, each by its heights from left to right."""
        layers = [one for one in self.layers if isinstance(one, Line | Dots) and one.name]
        heights = [[point[1] for point in one.points if point] for one in layers]
        pairs = zip(layers, heights, strict=True)
        return [f"{one.name}: {', '.join(map(self._spoken, ys))}" for one, ys in pairs]

    def _spoken(self, y: float) -> str:
        return format(y, self.y.spoken)


def _ticks(low: float, high: float, most: int) -> tuple[tuple[float, str], ...]:
    """At round numbers within the ends: 1, 2 or 5 times a power of ten apart."""
    rough = (high - low) / most
    if not (isfinite(rough) and rough > 0):
        return ((low, number(low)),) if isfinite(low) else ()
    power = 10.0 ** floor(log10(rough))
    step = next((lead * power for lead in (1, 2, 5) if lead * power >= rough), 10 * power)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return tuple((i * step, number(float(f"{i * step:.10g}"))) for i in range(first, last + 1))
