"""The lab's figures, all over one x axis: rows, gains, bell curves, and who wins where."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import floor, isfinite, log10
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.draw.chart import Axis, Bar, Dots, Line, Plot, Rule, figure
from dtree_lab.draw.measure import fit, width
from dtree_lab.draw.style import DETAIL, LABEL, hue
from dtree_lab.shown import bits, number
from dtree_lab.widgets.threshold.words import marked, name_of, shown, target_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dtree_lab.draw.chart import Dash, Figure, Layer
    from dtree_lab.learn.continuous.bells import Bell, GaussianFit
    from dtree_lab.widgets.threshold.curve import Curve
    from dtree_lab.widgets.threshold.state import State

# Up to so many rows each has its mark; more are counted in bars.
MOST_MARKS = 200
WIDTH, _LANE, NAME = 640.0, 44.0, 110.0
# Below the lowest lane, for the thumb of the slider on the axis and the ring around it.
_AIR = 14.0
_BARS, STEPS = 160, 160
_DASHES: tuple[Dash, ...] = ("", "long", "short", "dots")


@lru_cache(maxsize=8)
def span(curve: Curve) -> Axis:
    """The x axis of all figures: the values with some air, its ends at multiples of a fine step."""
    label = fit(name_of(curve), 500, LABEL)
    axis = Axis.around(label, (float(curve.values[0]), float(curve.values[-1])))
    length = axis.high - axis.low
    step = 10.0 ** floor(log10(length / STEPS)) if length > 0 and isfinite(length) else 0.0
    if not step or max(abs(axis.low), abs(axis.high)) / step > 1e9:  # noqa: PLR2004 - no such ends
        return axis
    low, high = (float(f"{round(end / step) * step:.12g}") for end in (axis.low, axis.high))
    return Axis(label, low, high)


@lru_cache(maxsize=8)
def room(curve: Curve) -> float:
    """What the names of the classes take beside the lanes; the same beside every figure."""
    return max(width(name, DETAIL) for name in ("0.0000", *_lane_names(curve)))


def _lane_names(curve: Curve) -> list[str]:
    return [fit(marked(curve, k), NAME, DETAIL) for k in shown(curve)]


# -- the rows --------------------------------------------------------------------------------------


def points(state: State) -> Figure:
    """Each class's rows in a lane of its own, and the cut."""
    curve = state.curve
    classes = shown(curve)
    n = len(classes)
    ticks = tuple((n - i - 0.65, name) for i, name in enumerate(_lane_names(curve)))
    title = f"The rows of each class of {target_of(curve)} along {name_of(curve)}, cut at"
    return figure(
        Plot(
            f"{title} {number(state.cut)}.",
            span(curve),
            Axis("", -_AIR / _LANE, float(n), ticks),
            [*_lanes(curve), Rule(state.cut, name=number(state.cut), accent=True)],
            WIDTH,
            66.0 + _LANE * n + _AIR,
            room(curve),
        )
    )


@lru_cache(maxsize=8)
def _lanes(curve: Curve) -> tuple[Layer, ...]:
    """The marks of the rows, or bars that count them."""
    return (_marks if curve.table.n_rows <= MOST_MARKS else _bars)(curve)


def _marks(curve: Curve) -> tuple[Layer, ...]:
    """A mark for each row; rows with nearly the same value stand on each other."""
    places: list[tuple[float, float]] = []
    kinds: list[int] = []
    axis, n = span(curve), len(shown(curve))
    for lane, k in enumerate(shown(curve)):
        x = np.sort(curve.column[curve.table.labels == k])
        column = np.array([floor(axis.share(v) * 50) for v in x.tolist()])
        first = np.searchsorted(column, column)
        rank = np.arange(len(x)) - first
        most = int(rank.max()) + 1
        up = n - lane - 0.65 + rank * min(0.24, 0.5 / most)
        places += zip(x.tolist(), up.tolist(), strict=True)
        kinds += [k] * len(x)
    return (Dots(places, kinds, 4.5),)


def _bars(curve: Curve) -> tuple[Layer, ...]:
    """Bars whose heights tell how many rows of a class lie over a stretch of the axis."""
    classes = shown(curve)
    ends = np.linspace(curve.values[0], curve.values[-1], max(_BARS // len(classes), 20) + 1)
    heights = [np.histogram(curve.column[curve.table.labels == k], ends)[0] for k in classes]
    most = max(int(h.max()) for h in heights)
    found: list[Layer] = []
    for lane, (k, height) in enumerate(zip(classes, heights, strict=True)):
        foot = len(classes) - lane - 0.95
        for stretch, count in zip(pairwise(ends.tolist()), height.tolist(), strict=True):
            if count:
                high = foot + max(0.85 * count / most, 0.02)
                found.append(Bar(stretch, high, foot, hue(k)))
    return tuple(found)


# -- the gain --------------------------------------------------------------------------------------


def gains(state: State) -> Figure:
    """The gain of every cut, the best one, and the one at hand."""
    curve, cut = state.curve, state.cut
    gain, axis = curve.at(cut).gain, span(curve)
    top = float(curve.gains.max()) if len(curve.gains) else 0.0
    layers: list[Layer] = [Line(_steps(curve), steps=True)]
    title = f"The gain of every cut of {name_of(curve)}, in bits"
    if curve.best is not None:
        apart = abs(axis.share(curve.best) - axis.share(cut)) * WIDTH
        name = f"best: {number(curve.best)}" if apart > 150 else ""  # noqa: PLR2004 - both names
        layers.append(Rule(curve.best, name=name, dash="short"))
        title += f": the best is {number(curve.best)} with {bits(top)}"
    layers.append(Rule(cut, name=f"{bits(gain)} bits", accent=True))
    layers.append(Dots([(cut, gain)], [0], 4.0))
    y = Axis("gain in bits", 0.0, 1.35 * top or 1.0)
    return figure(Plot(f"{title}.", axis, y, layers, WIDTH, 180.0, room(curve)))


def _steps(curve: Curve) -> list[tuple[float, float] | None]:
    """The curve from one end of the axis to the other; beyond the rows no cut gains anything."""
    axis = span(curve)
    return [(axis.low, 0.0), *curve.steps, (axis.high, 0.0)]


# -- the bell curves -------------------------------------------------------------------------------


def bells(state: State) -> Figure:
    """Each class's bell curve times its prior."""
    curve, made = state.curve, state.fit
    drawn = [(k, bell) for k, bell in _drawn(curve, made) if bell.sd]
    lines = [
        Line(_bell(curve, bell), marked(curve, k), hue(k), _DASHES[i % len(_DASHES)])
        for i, (k, bell) in enumerate(drawn)
    ]
    top = max((float(bell.prior * bell.density(bell.mean)) for _, bell in drawn), default=1.0)
    title = f"A bell curve for each class of {target_of(curve)}: its density times its prior"
    y = Axis("P(x | class) · P(class)", 0.0, 1.12 * top)
    layers: list[Layer] = [*lines, Rule(state.cut, accent=True)]
    return figure(Plot(f"{title}.", span(curve), y, layers, WIDTH, 210.0, room(curve)))


def _drawn(curve: Curve, made: GaussianFit) -> list[tuple[int, Bell]]:
    found = [(curve.table.target.code(bell.value), bell) for bell in made.bells]
    return [(k, bell) for k, bell in found if k in shown(curve)]


def _bell(curve: Curve, bell: Bell) -> list[tuple[float, float] | None]:
    x = places(curve, [bell], 60)
    return list(zip(x.tolist(), (bell.prior * bell.density(x)).tolist(), strict=True))


def places(
    curve: Curve, made: Iterable[Bell], n: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Places along the axis, closer together where a curve is narrow."""
    axis = span(curve)
    close = [bell.mean + bell.sd * np.linspace(-4, 4, 25) for bell in made]
    x = np.unique(np.concatenate([np.linspace(axis.low, axis.high, n), *close]))
    return x[(x >= axis.low) & (x <= axis.high)]
