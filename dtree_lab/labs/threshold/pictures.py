"""The lab's figures and their words, all over one x axis: rows, gains, bell curves, who wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from math import floor, inf

import numpy as np

from dtree_lab.base.text import bits, number, plural
from dtree_lab.continuous.gaussian import Bell, GaussianFit
from dtree_lab.criteria.classes import entropy
from dtree_lab.draw.chart import (
    Area,
    Axis,
    Bar,
    Dash,
    Dots,
    Figure,
    Layer,
    Line,
    Note,
    Plot,
    Rule,
    figure,
)
from dtree_lab.draw.measure import fit, width
from dtree_lab.draw.style import DETAIL, LABEL, hue, mark
from dtree_lab.grow.compare import Compared, Comparison, arithmetic_text
from dtree_lab.labs.kit.controls import near, short_text
from dtree_lab.labs.threshold.model import STEPS, CutSides, GainCurve, State, attribute_name, span

# So many classes are drawn and counted one by one: those with the most rows.
MOST_CLASSES = 8


@lru_cache(maxsize=8)
def target_of(curve: GainCurve) -> str:
    """The target's name, shortened."""
    return short_text(curve.table.target.name, 24)


@lru_cache(maxsize=256)
def class_of_curve(curve: GainCurve, k: int) -> str:
    """A class's name, shortened."""
    return short_text(curve.table.classes[k], 24)


def marked(curve: GainCurve, k: int) -> str:
    """A class's mark and name."""
    return f"{mark(k).char} {class_of_curve(curve, k)}"


@lru_cache(maxsize=8)
def shown(curve: GainCurve) -> tuple[int, ...]:
    """The classes that are drawn, in the order of the target."""
    counts = np.array(curve.counts)
    most = np.argsort(-counts, kind="stable")[:MOST_CLASSES]
    return tuple(sorted(k for k in most.tolist() if counts[k]))


def not_shown(curve: GainCurve) -> str:
    """What the pictures leave out, or nothing."""
    there = sum(1 for n in curve.counts if n)
    left = there - len(shown(curve))
    if not left:
        return ""
    rows = curve.table.n_rows - sum(curve.counts[k] for k in shown(curve))
    which = plural(left, "class", "classes")
    return (
        f"Drawn are the {MOST_CLASSES} classes with the most rows; {which} more, with"
        f" {plural(rows, 'row')}, count in every number."
    )


def rule(state: State) -> list[str]:
    """The question at the cut, what it gains, and how that compares with the best one."""
    curve, cut = state.curve, state.cut
    parted = curve.at(cut)
    lines = [f"{attribute_name(curve)} < {number(cut)}? It gains {bits(parted.gain)} bits."]
    if not sum(parted.below) or not sum(parted.above):
        lines.append("All rows lie on one side: the question tells nothing, as with θ = ±∞.")
    best = curve.best
    if best is None:
        lines.append(f"Every row has the same {attribute_name(curve)}: no cut can part them.")
    elif parted.gain >= curve.at(best).gain:
        lines.append("No other cut gains more.")
    else:
        cost = bits(curve.at(best).gain - parted.gain)
        lines.append(f"The best cut, {number(best)}, gains {cost} bits more.")
    return lines


def same_question(state: State) -> str:
    """Between which rows the cut lies: all cuts there ask the same."""
    low, high = state.curve.neighbours(state.cut)
    if low is None or high is None:
        return ""
    middle = number(low / 2 + high / 2)
    return (
        f"Every cut above {number(low)} and up to {number(high)} parts the rows alike; a tree takes"
        f" the midpoint, {middle}."
    )


def gain_worked(state: State) -> list[str]:
    """H(Y|X) as the weighted sum of the two sides, and the gain."""
    curve = state.curve
    parted = curve.at(state.cut)
    n, y = curve.table.n_rows, target_of(curve)
    sides = [side for side in (parted.below, parted.above) if sum(side)]
    terms = " + ".join(f"{sum(side)}/{n}·{bits(entropy(side))}" for side in sides)
    before, left, gain = bits(curve.entropy), bits(parted.remaining), bits(parted.gain)
    sign = "=" if bits(float(before) - float(left)) == gain else "≈"
    return [
        f"H({y} | X) = {terms} = {left} bits",
        f"gain = H({y}) - H({y} | X) = {before} - {left} {sign} {gain} bits",
    ]


def side_rows(state: State) -> tuple[list[str], list[list[str]]]:
    """A head, and rows: how many of each class, of all, their share and entropy, on each side."""
    curve = state.curve
    parted: CutSides = curve.at(state.cut)
    sides = (parted.below, parted.above, curve.counts)
    n = curve.table.n_rows
    rows = [[marked(curve, k), *(f"{side[k]:,}" for side in sides)] for k in shown(curve)]
    rows.append(["all classes", *(f"{sum(side):,}" for side in sides)])
    rows.append(["share", *(f"{sum(side)}/{n}" for side in sides)])
    rows.append(["entropy", *(bits(entropy(side)) if sum(side) else "none" for side in sides)])
    return ["rows", "below the cut", "at or above", "together"], rows


def arithmetic(state: State) -> list[str]:
    """The same to the last logarithm, as the library works it out."""
    curve = state.curve
    parted = curve.at(state.cut)
    if not sum(parted.below) or not sum(parted.above) or len(curve.counts) > MOST_CLASSES:
        return gain_worked(state)
    one = Compared(curve.attribute, curve.candidate(state.cut), curve.entropy)
    return arithmetic_text(Comparison(curve.table.target, curve.counts, (one,)), one).split("\n")


# Up to so many rows each has its mark; more are counted in bars.
MOST_MARKS = 200
WIDTH, _LANE, NAME = 640.0, 44.0, 110.0
# Below the lowest lane, for the thumb of the slider on the axis and the ring around it.
_AIR = 14.0
_BARS = 160
_DASHES: tuple[Dash, ...] = ("", "long", "short", "dots")


@lru_cache(maxsize=8)
def room(curve: GainCurve) -> float:
    """What the names of the classes take beside the lanes; the same beside every figure."""
    return max(width(name, DETAIL) for name in ("0.0000", *_lane_names(curve)))


def _lane_names(curve: GainCurve) -> list[str]:
    return [fit(marked(curve, k), NAME, DETAIL) for k in shown(curve)]


# -- the rows --------------------------------------------------------------------------------------


def points(state: State) -> Figure:
    """Each class's rows in a lane of its own, and the cut."""
    curve = state.curve
    classes = shown(curve)
    n = len(classes)
    ticks = tuple((n - i - 0.65, name) for i, name in enumerate(_lane_names(curve)))
    title = f"The rows of each class of {target_of(curve)} along {attribute_name(curve)}, cut at"
    y = Axis("", -_AIR / _LANE, float(n), ticks)
    rows = (_marks if curve.table.n_rows <= MOST_MARKS else _bars)(curve)
    layers = [*rows, Rule(state.cut, name=number(state.cut), accent=True)]
    return _figure(curve, f"{title} {number(state.cut)}", y, layers, 66.0 + _LANE * n + _AIR)


def _figure(curve: GainCurve, title: str, y: Axis, layers: Sequence[Layer], high: float) -> Figure:
    """A figure over the x axis that all have."""
    return figure(Plot(f"{title}.", span(curve), y, layers, WIDTH, high, room(curve)))


@lru_cache(maxsize=8)
def _marks(curve: GainCurve) -> tuple[Layer, ...]:
    """A mark for each row; rows with nearly the same value stand on each other."""
    places: list[tuple[float, float]] = []
    kinds: list[int] = []
    keys: list[int] = []
    axis, n = span(curve), len(shown(curve))
    for lane, k in enumerate(shown(curve)):
        rows = np.flatnonzero(curve.table.labels == k)
        rows = rows[np.argsort(curve.column[rows], kind="stable")]
        x = curve.column[rows]
        column = np.array([floor(axis.share(v) * 50) for v in x.tolist()])
        first = np.searchsorted(column, column)
        rank = np.arange(len(x)) - first
        most = int(rank.max()) + 1
        up = n - lane - 0.65 + rank * min(0.24, 0.5 / most)
        places += zip(x.tolist(), up.tolist(), strict=True)
        kinds += [k] * len(x)
        keys += rows.tolist()
    return (Dots(places, kinds, 4.5, keys=keys),)


@lru_cache(maxsize=8)
def _bars(curve: GainCurve) -> tuple[Layer, ...]:
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
    # Beyond the rows no cut gains anything.
    layers: list[Layer] = [Line([(axis.low, 0.0), *curve.steps, (axis.high, 0.0)], steps=True)]
    title = f"The gain of every cut of {attribute_name(curve)}, in bits"
    if curve.best is not None:
        apart = abs(axis.share(curve.best) - axis.share(cut)) * WIDTH
        name = f"best: {number(curve.best)}" if apart > 150 else ""  # noqa: PLR2004 - both names
        layers.append(Rule(curve.best, name=name, dash="short"))
        title += f": the best is {number(curve.best)} with {bits(top)}"
    layers.append(Rule(cut, name=f"{bits(gain)} bits", accent=True))
    layers.append(Dots([(cut, gain)], [0], 4.0))
    y = Axis("gain in bits", 0.0, 1.35 * top or 1.0)
    return _figure(curve, title, y, layers, 180.0)


# -- the bell curves -------------------------------------------------------------------------------


def bells(state: State) -> Figure:
    """Each class's bell curve times its prior."""
    curve = state.curve
    drawn = [(k, bell) for k, bell in bells_shown(state) if bell.sd]
    layers: list[Layer] = []
    for i, (k, bell) in enumerate(drawn):
        x = _places(curve, [bell], 60)
        points = list(zip(x.tolist(), (bell.prior * bell.density(x)).tolist(), strict=True))
        layers.append(Line(points, marked(curve, k), hue(k), _DASHES[i % len(_DASHES)]))
    top = max((float(bell.prior * bell.density(bell.mean)) for _, bell in drawn), default=1.0)
    title = f"A bell curve for each class of {target_of(curve)}: its density times its prior"
    y = Axis("P(x | class) · P(class)", 0.0, 1.12 * top)
    return _figure(curve, title, y, [*layers, Rule(state.cut, accent=True)], 210.0)


def bells_shown(state: State) -> list[tuple[int, Bell]]:
    """The bell curves of the classes that are drawn, each with its class."""
    curve = state.curve
    each = [(curve.table.target.code(bell.value), bell) for bell in state.fit.bells]
    return [(k, bell) for k, bell in each if k in shown(curve)]


def _places(
    curve: GainCurve, bells: Iterable[Bell], n: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Places along the axis, closer together where a curve is narrow."""
    axis = span(curve)
    close = [bell.mean + bell.sd * np.linspace(-4, 4, 25) for bell in bells]
    x = np.unique(np.concatenate([np.linspace(axis.low, axis.high, n), *close]))
    return x[(x >= axis.low) & (x <= axis.high)]


MOST_REGIONS = 40


def winners(state: State) -> Figure:
    """The regions in which each class wins; for two classes, with the ratio that decides."""
    curve, made = state.curve, state.fit
    # The areas go from end to end whatever the y axis.
    layers: list[Layer] = [
        Area((low, high), (-99.0, 99.0), k) for low, high, k in _ends(curve, made)
    ]
    y, height = Axis("", 0.0, 1.0, ()), 126.0
    said = plural(len(made.crossings), "crossing")
    title = f"The class that wins along {attribute_name(curve)}: {said}"
    if state.binary and len(made.bells) == 2 and made.bells[0].sd:  # noqa: PLR2004
        high = max(4.4, abs(state.log_tau) + 2)
        other, positive = (fit(class_of_curve(curve, k), 90, LABEL) for k in (0, 1))
        name = f"log2 of P(x | {positive}) P({positive}) / P(x | {other}) P({other})"
        y, height = Axis(name, -high, high), 200.0
        layers.append(Line(_ratio(curve, made, high)))
        layers.append(Rule(state.log_tau, "y", f"τ = {near(made.tau)}", dash="long"))
        title = f"The logarithm of the likelihood ratio along {attribute_name(curve)}: {said} of τ"
    else:
        layers += _names(curve, made)
    layers += _crossings(curve, made.crossings)
    layers.append(Rule(state.cut, accent=True))
    return _figure(curve, title, y, layers, height)


def _ratio(curve: GainCurve, fit: GaussianFit, high: float) -> list[tuple[float, float] | None]:
    x = _places(curve, fit.bells, STEPS)
    y = fit.log_ratio(x)
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    return [(u, v) if abs(v) <= high else None for u, v in pairs]


def _ends(curve: GainCurve, fit: GaussianFit) -> list[tuple[float, float, int]]:
    """The regions within the axis: from, to, and the class."""
    axis, code = span(curve), curve.table.target.code
    found = [
        (max(low, axis.low), min(high, axis.high), code(winner))
        for low, high, winner in fit.regions
    ]
    return [region for region in found if region[0] < region[1]][:MOST_REGIONS]


def _names(curve: GainCurve, bells: GaussianFit) -> list[Note]:
    axis, found = span(curve), []
    for low, high, k in _ends(curve, bells):
        free = (axis.share(high) - axis.share(low)) * (WIDTH - NAME) - 10
        text = fit(class_of_curve(curve, k), max(free, 0), LABEL)
        if len(text) > 1:
            found.append(Note(low / 2 + high / 2, 0.12, text, strong=True))
    return found


def _crossings(curve: GainCurve, crossings: Sequence[float]) -> list[Rule]:
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
    name, code = attribute_name(curve), curve.table.target.code
    regions = fit.regions[: MOST_REGIONS // 4]
    lines = [_region(name, low, high, class_of_curve(curve, code(w))) for low, high, w in regions]
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
