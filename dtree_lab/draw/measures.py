"""Pictures of how good a model is: measures with their intervals, ROC and calibration."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any

from dtree_lab.draw import words
from dtree_lab.draw.as_text import MOST, shown_text
from dtree_lab.draw.chart import Axis, Layer, Line, Note, Plot, Rule
from dtree_lab.draw.charts import Chart
from dtree_lab.evaluate.ranking import Calibration, Roc
from dtree_lab.evaluate.shares import Estimate, Estimates, Paired
from dtree_lab.prune.weakest_link import PathChoice

_SIDE = 380.0
_ENDS = -0.02, 1.02
_SHARES = Axis("share of the rows", *_ENDS)


def chart_of(measured: Any) -> Chart | None:
    """The chart of a measure, or None for what is told by its table alone."""
    match measured:
        case Estimate():
            return _intervals(measured, [measured], _SHARES)
        case Estimates():
            return _intervals(measured, measured.each, _SHARES)
        case Paired(difference=one):
            x = Axis.around("error of the first minus that of the second", (one.low, one.high, 0.0))
            return _intervals(measured, [one], x, Rule(0.0, name="equally good", dash="short"))
        case Roc():
            return _roc(measured)
        case Calibration():
            return _calibration(measured)
        case PathChoice():
            return _path(measured)
    return None


def _intervals(shown: Any, each: Sequence[Estimate], x: Axis, *rules: Rule) -> Chart:
    """A dot for each measure, with its interval from left to right."""
    ticks = tuple((-float(i), words.plain(one.name)) for i, one in enumerate(each))
    y = Axis("", 0.6 - len(each), 0.6, ticks)
    layers: list[Layer] = [*rules]
    for i, one in enumerate(each):
        layers.append(Line([(one.low, -i), (one.high, -i)]))
        if not isnan(one.value):
            layers.append(Line([(one.value, -i)], dots=True, hue=0))
            at = min(one.value, x.low + 0.8 * (x.high - x.low))
            layers.append(Note(at, 0.2 - i, _short(one)))
    title = ". ".join(f"{words.plain(one.name)}: {one.wording}" for one in each)
    height = 90.0 + 40.0 * len(each)
    return _told(shown, Plot(title, x, y, layers, height=height))


def _short(estimate: Estimate) -> str:
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _roc(measured: Roc) -> Chart:
    curve = zip(measured.false_positives.tolist(), measured.true_positives.tolist(), strict=True)
    by_chance = Line([(0.0, 0.0), (1.0, 1.0)], "by chance", dash="short", faint=True)
    title = f"ROC, looking for {words.plain(measured.positive)}: area {measured.area.wording}."
    area = Note(1.0, 0.04, f"area {_short(measured.area)}", "end")
    layers: list[Layer] = [by_chance, Line(list(curve), "the model", 0, dots=True), area]
    return _square(measured, title, "false positives", "true positives", layers)


def _calibration(measured: Calibration) -> Chart:
    layers: list[Layer] = [Line([(0.0, 0.0), (1.0, 1.0)], "as said", dash="short", faint=True)]
    for group in measured.groups:
        one = group.happened
        layers.append(Line([(group.predicted, one.low), (group.predicted, one.high)]))
    points = [(group.predicted, group.happened.value) for group in measured.groups]
    layers.append(Line(points, "the model", 0, dots=True))
    name = words.plain(measured.positive)
    title = f"Calibration for {name}: Brier score {measured.brier:.3f}."
    x = f"share said to be {name} (Brier score {measured.brier:.3f})"
    y = f"share that is {name}"
    return _square(measured, title, x, y, layers)


def _path(choice: PathChoice) -> Chart:
    """The errors of the trees on the path by their leaves."""
    leaves = [float(n) for n in choice.path.n_leaves]
    given = list(zip(leaves, choice.path.costs.tolist(), strict=True))
    by_folds = list(zip(leaves, choice.errors, strict=True))
    bars = [
        Line([(n, e - s), (n, e + s)], faint=True)
        for (n, e), s in zip(by_folds, choice.standard_errors, strict=True)
    ]
    lines = [Line(by_folds, "by cross-validation", 0, dots=True)]
    if choice.path.measure == "error":  # else it is measured in another unit
        lines.insert(0, Line(given, "on the training rows", 2, "short", dots=True))
    k = choice.lowest
    limit = choice.errors[k] + choice.standard_errors[k]
    rule = Rule(limit, "y", "lowest + one standard error", dash="dots")
    x, y = Axis.around("leaves", leaves), "error per row"
    heights = [h for line in (*bars, *lines) for point in line.points if point for h in point[1:]]
    title = f"The error of pruned trees by their leaves. {choice.sentence}"
    plot = Plot(title, x, Axis.around(y, [0.0, *heights]), [rule, *bars, *lines])
    return _told(choice, plot)


def _square(shown: Any, title: str, x: str, y: str, layers: Sequence[Layer]) -> Chart:
    plot = Plot(title, Axis(x, *_ENDS), Axis(y, *_ENDS), layers, _SIDE, _SIDE)
    return _told(shown, plot)


def _told(shown: Any, plot: Plot) -> Chart:
    return Chart(plot, tuple(shown_text(shown.shown_table(), MOST).split("\n")))
