"""The curves: error and its parts against depth."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from dtree_lab.draw.chart import Axis, Line, Plot, Rule, figure
from dtree_lab.shown import bits
from dtree_lab.widgets.biasvariance.trial import BAG, DEPTHS
from dtree_lab.widgets.kit.parts import Picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dtree_lab.draw.chart import Dash, Layer
    from dtree_lab.learn.decompose.result import Decomposition
    from dtree_lab.learn.decompose.terms import Method
    from dtree_lab.widgets.biasvariance.state import State


@dataclass(frozen=True)
class Named:
    """A line: what it is called, which term it shows, and how it is told from others."""

    name: str
    term: str
    hue: int | None
    dash: Dash


def lines_of(method: Method) -> tuple[Named, Named, Named, Named]:
    """Bias, variance and noise, which add up, and their sum."""
    net = "net " if method == "domingos" else ""
    return (
        Named("bias" if net else "bias²", "bias", 0, "long"),
        Named(f"{net}variance", "net_variance", 4, "short"),
        Named(f"{net}noise", "net_noise", 2, "dots"),
        Named("error", "loss", None, ""),
    )


def summed(method: Method, point: Decomposition) -> str:
    """``bias² 0.031 + variance 0.058 + noise 0.090 = error 0.179``, in the parts' own order."""
    *parts, total = (f"{one.name} {bits(getattr(point, one.term))}" for one in lines_of(method))
    return f"{' + '.join(parts)} = {total}"


def curves(state: State) -> Picture:
    """Error and its parts against depth; a click chooses the depth."""
    points, method = state.points(state.shown), state.method
    bagged = state.shown is state.bag
    who = f"{BAG} bagged trees" if bagged else "single trees"
    named = lines_of(method)
    layers: list[Layer] = [Rule(state.asked.depth, name=f"depth {state.asked.depth}", accent=True)]
    layers += [_line(one, points) for one in named]
    if bagged:
        alone = state.points(state.single)
        layers += [_line(one, alone, "single tree") for one in (named[1], named[3])]
    what = "mean squared error" if method == "squared" else "share of wrong predictions"
    plot = Plot(
        f"Error of {who} against their depth, with the parts that it is the sum of. At depth"
        f" {state.asked.depth}: {summed(method, points[DEPTHS.index(state.asked.depth)])}",
        Axis("depth of the trees", 0.6, 10.4, tuple((d, str(d)) for d in DEPTHS)),
        _axis(what, [p for layer in layers if isinstance(layer, Line) for p in layer.points]),
        layers,
        height=340,
    )
    text = [f"depth {p.value}: {summed(method, p)}" for p in points]
    return Picture(area="main", id="curves", figure=figure(plot), click=True, stage=1, text=text)


def _line(one: Named, points: Sequence[Decomposition], of: str = "") -> Line:
    places = [(float(p.value), float(getattr(p, one.term))) for p in points]
    name = f"{one.name}, {of}" if of else one.name
    return Line(places, name, one.hue, one.dash, dots=not of, faint=bool(of))


def _axis(label: str, points: Iterable[tuple[float, float] | None]) -> Axis:
    """From 0, or below, to a round number: it stays where it is while the curves settle."""
    values = [point[1] for point in points if point is not None]
    low, high = min(values), max(*values, 1e-12)
    step = 10.0 ** floor(log10(high)) / 2
    top = ceil(high / step - 1e-9) * step
    foot = floor(low / (top / 20)) * (top / 20) if low < 0 else 0.0
    return Axis(label, foot, top * 1.02)
