"""Which class wins where along the attribute, as a figure and in words."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from dtree_lab.draw.chart import Area, Axis, Line, Note, Plot, Rule, figure
from dtree_lab.draw.measure import fit
from dtree_lab.draw.style import LABEL
from dtree_lab.shown import plural
from dtree_lab.widgets.threshold.pictures import NAME, STEPS, WIDTH, places, room, span
from dtree_lab.widgets.threshold.words import class_name, name_of, near

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.draw.chart import Figure, Layer
    from dtree_lab.learn.continuous.bells import GaussianFit
    from dtree_lab.widgets.threshold.curve import Curve
    from dtree_lab.widgets.threshold.state import State

MOST_REGIONS = 40


def winners(state: State) -> Figure:
    """The regions in which each class wins; for two classes, with the ratio that decides."""
    curve, made = state.curve, state.fit
    layers: list[Layer] = [*_regions(curve, made)]
    y, height = Axis("", 0.0, 1.0, ()), 126.0
    said = plural(len(made.crossings), "crossing")
    title = f"The class that wins along {name_of(curve)}: {said}"
    if state.binary and len(made.bells) == 2 and made.bells[0].sd:  # noqa: PLR2004
        high = max(4.4, abs(state.log_tau) + 2)
        y, height = Axis(_ratio_name(curve), -high, high), 200.0
        layers.append(Line(_ratio(curve, made, high)))
        layers.append(Rule(state.log_tau, "y", f"τ = {near(made.tau)}", dash="long"))
        title = f"The logarithm of the likelihood ratio along {name_of(curve)}: {said} of τ"
    else:
        layers += _names(curve, made)
    layers += _crossings(curve, made.crossings)
    layers.append(Rule(state.cut, accent=True))
    return figure(Plot(f"{title}.", span(curve), y, layers, WIDTH, height, room(curve)))


def _ratio_name(curve: Curve) -> str:
    other, positive = (fit(class_name(curve, k), 90, LABEL) for k in (0, 1))
    return f"log2 of P(x | {positive}) P({positive}) / P(x | {other}) P({other})"


def _ratio(curve: Curve, made: GaussianFit, high: float) -> list[tuple[float, float] | None]:
    x = places(curve, made.bells, STEPS)
    y = made.log_ratio(x)
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    return [(u, v) if abs(v) <= high else None for u, v in pairs]


def _ends(curve: Curve, made: GaussianFit) -> list[tuple[float, float, int]]:
    """The regions within the axis: from, to, and the class."""
    axis, code = span(curve), curve.table.target.code
    found = [
        (max(low, axis.low), min(high, axis.high), code(winner))
        for low, high, winner in made.regions
    ]
    return [region for region in found if region[0] < region[1]][:MOST_REGIONS]


def _regions(curve: Curve, made: GaussianFit) -> list[Area]:
    """The areas, from end to end whatever the y axis."""
    return [Area((low, high), (-99.0, 99.0), k) for low, high, k in _ends(curve, made)]


def _names(curve: Curve, made: GaussianFit) -> list[Note]:
    axis, found = span(curve), []
    for low, high, k in _ends(curve, made):
        free = (axis.share(high) - axis.share(low)) * (WIDTH - NAME) - 10
        text = fit(class_name(curve, k), max(free, 0), LABEL)
        if len(text) > 1:
            found.append(Note(low / 2 + high / 2, 0.12, text, strong=True))
    return found


def _crossings(curve: Curve, crossings: Sequence[float]) -> list[Rule]:
    """A rule for each crossing, named where there is room for the name."""
    axis, last, found = span(curve), -1.0, []
    for crossing in crossings[: 2 * MOST_REGIONS]:
        if not axis.low <= crossing <= axis.high:
            continue
        share = axis.share(crossing)
        free = share - last > 0.13  # noqa: PLR2004 - a name's width
        found.append(Rule(crossing, name=near(crossing) if free else "", dash="short"))
        last = share if free else last
    return found


# -- in words --------------------------------------------------------------------------------------


def told_winners(state: State) -> list[str]:
    """The regions in words, and what the crossings are."""
    fit, curve, axis = state.fit, state.curve, span(state.curve)
    name, code = name_of(curve), curve.table.target.code
    regions = fit.regions[: MOST_REGIONS // 4]
    lines = [_region(name, low, high, class_name(curve, code(w))) for low, high, w in regions]
    left = len(fit.regions) - len(regions)
    if left:
        lines.append(f"{plural(left, 'region')} more are not told.")
    if not fit.crossings:
        lines.append("The curves do not cross: the answer is the same everywhere.")
    elif not all(axis.low <= crossing <= axis.high for crossing in fit.crossings):
        lines.append("A crossing beyond the rows lies outside the picture.")
    if fit.crossings and state.binary and all(bell.sd for bell in fit.bells):
        lines.append(f"There the ratio of the curves is τ = {near(fit.tau)}.")
    return lines


def _region(name: str, low: float, high: float, winner: str) -> str:
    if low == -inf and high == inf:
        return f"{winner} wins everywhere."
    if low == -inf:
        return f"{winner} wins where {name} < {near(high)}."
    if high == inf:
        return f"{winner} wins where {name} ≥ {near(low)}."
    return f"{winner} wins from {near(low)} to {near(high)}."
