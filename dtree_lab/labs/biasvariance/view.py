"""What the bias-variance lab shows: error and its parts against depth, and the trees themselves.

The trees are laid over one another; where they cannot be drawn, the rows that they disagree on are
listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import bits, plural, value
from dtree_lab.draw.chart import Axis, Dash, Dots, Layer, Line, Plot, Point, Rule, figure
from dtree_lab.draw.chart.layers import lines_as_one
from dtree_lab.draw.measure import shortened
from dtree_lab.evaluate.decomposition import Decomposition, Method
from dtree_lab.labs.biasvariance import trial as sources
from dtree_lab.labs.biasvariance.model import SETTINGS, State
from dtree_lab.labs.biasvariance.trial import BAG, DEPTHS, Ends, run_line
from dtree_lab.labs.kit.controls import Button, Control, Thumbnails, near, pictured, unshown
from dtree_lab.labs.kit.parts import Controls, Grid, Part, Picture, View, Words, legend_target
from dtree_lab.labs.kit.taking import drawn_note, notes
from dtree_lab.populations import Curve, Population
from dtree_lab.populations.planes import InThePlane
from dtree_lab.table.table import Table


@dataclass(frozen=True)
class NamedTerm:
    """A line: what it is called, which term it shows, and how it is told from others."""

    name: str
    term: str
    hue: int | None
    dash: Dash


def lines_of(method: Method) -> tuple[NamedTerm, NamedTerm, NamedTerm, NamedTerm]:
    """Bias, variance and noise, which add up, and their sum."""
    net = "net " if method == "domingos" else ""
    return (
        NamedTerm("bias" if net else "bias²", "bias", 0, "long"),
        NamedTerm(f"{net}variance", "net_variance", 4, "short"),
        NamedTerm(f"{net}noise", "net_noise", 2, "dots"),
        NamedTerm("error", "loss", None, ""),
    )


def summed(method: Method, point: Decomposition) -> str:
    """``bias² 0.031 + variance 0.058 + noise 0.090 = error 0.179``, in the parts' own order."""
    *parts, total = (f"{one.name} {bits(getattr(point, one.term))}" for one in lines_of(method))
    return f"{' + '.join(parts)} = {total}"


def curves(state: State) -> Picture:
    """Error and its parts against depth; a click chooses the depth."""
    points, method = state.points(state.shown), state.method
    who = f"{BAG} bagged trees" if state.is_bagged else "single trees"
    named = lines_of(method)
    layers: list[Layer] = [
        Rule(state.settings.depth, name=f"depth {state.settings.depth}", accent=True)
    ]
    layers += [_line(one, points) for one in named]
    if state.is_bagged:
        alone = state.points(state.single)
        layers += [_line(one, alone, "one tree") for one in (named[1], named[3])]
    what = "mean squared error" if method == "squared" else "share of wrong predictions"
    plot = Plot(
        f"Error of {who} against their depth, with the parts that it is the sum of. At depth"
        f" {state.settings.depth}: {summed(method, state.at_depth(state.shown))}",
        Axis("depth of the trees", 0.6, 10.4, tuple((d, str(d)) for d in DEPTHS)),
        _axis(what, [p for layer in layers if isinstance(layer, Line) for p in layer.points]),
        layers,
        width=520,
        height=320,
        direct=True,
    )
    text = [f"depth {p.value}: {summed(method, p)}" for p in points]
    return Picture(area="hero", id="curves", figure=figure(plot), click=True, stage=1, text=text)


def _line(term: NamedTerm, points: Sequence[Decomposition], of: str = "") -> Line:
    places = [(float(p.value), float(getattr(p, term.term))) for p in points]
    name = f"{term.name}, {of}" if of else term.name
    return Line(places, name, term.hue, term.dash, dots=not of, faint=bool(of))


def _axis(label: str, points: Iterable[tuple[float, float] | None]) -> Axis:
    """From 0, or below, to a round number: it stays where it is while the curves settle."""
    values = [point[1] for point in points if point is not None]
    low, high = min(values), max(*values, 1e-12)
    step = 10.0 ** floor(log10(high)) / 2
    top = ceil(high / step - 1e-9) * step
    foot = floor(low / (top / 20)) * (top / 20) if low < 0 else 0.0
    return Axis(label, foot, top * 1.02)


_MEASURED, _PARTS = "What is measured", "What the parts of the error mean"
_MEANING = {
    "squared": (
        "bias²: how far the mean of all trees' predictions lies from the true curve, squared.",
        "variance: how the trees' predictions scatter around their mean.",
        "noise: what even the true curve gets wrong, the variance of the noise.",
        "error: the expected squared error, the sum of the three.",
    ),
    "kohavi-wolpert": (
        (
            "bias²: how far the share of trees that say a class lies from the class's probability,"
            " squared, summed over the classes and halved."
        ),
        "variance: ½(1 - Σq²), q being the shares of trees that say each class: 0 when all agree.",
        "noise: ½(1 - Σp²), p being the probabilities of the classes: what no tree can know.",
        "error: the share of wrong predictions, the sum of the three.",
    ),
    "domingos": (
        (
            "bias: the share of rows where the main prediction, that of most trees, is not the best"
            " answer."
        ),
        (
            "net variance: how often a tree differs from the main prediction; where that one is"
            " wrong, differing helps, and counts less than nothing."
        ),
        "net noise: what wrong labels add to the error, less where trees are wrong as well.",
        "error: the share of wrong predictions, the sum of the three.",
    ),
}


def view(state: State) -> View:
    """Everything that is shown."""
    table = state.single.truth.table
    parts = [
        *(notes(state.given) if isinstance(state.given, Table) else ()),
        curves(state),
        *overlay(state),
        _depth(state),
        Words(stage=1, id="sum", lines=_sum(state), strong=True),
        _source(state),
        _sizes(state),
        Words(drawer=_PARTS, stage=1, id="meaning", lines=_MEANING[state.method], items=True),
        Words(drawer="How it is measured", id="about", lines=_about(state)),
    ]
    return View(
        "Bias and variance",
        parts,
        target=legend_target(table.target),
        status=state.status or _status(state),
        progress=None if state.unfinished is None else _progress(state),
    )


def _source(state: State) -> Controls:
    source = SETTINGS.control(state, "source")
    controls: list[Control] = []
    if state.given is None:
        pictures = [pictured(shape()) for shape in sources.SHAPES.values()]
        named = "source", "Population", source.value, source.options
        controls.append(Thumbnails(*named, pictures=pictures))
    elif len(source.options) > 1:
        controls.append(source)
    if state.method != "squared":
        controls.append(SETTINGS.control(state, "method"))
    controls.append(Button("reset", "Start over"))
    return Controls(drawer=_MEASURED, id="source", label="What is measured", controls=controls)


def _depth(state: State) -> Controls:
    controls: list[Control] = [
        SETTINGS.control(state, "depth"),
        SETTINGS.control(state, "bagging"),
        Button("again", "Draw other rows"),
    ]
    return Controls(area="act", id="depth", label="The trees", controls=controls)


def _sizes(state: State) -> Controls:
    settings = state.settings
    controls: list[Control] = [SETTINGS.control(state, "n_rows")]
    if settings.noise is not None:
        high = sources.most_noise(state.given, settings.source)
        said = f"{100 * settings.noise:.3g} % of labels"
        if state.method == "squared":
            said = f"standard deviation {settings.noise:.3g}"
        controls.append(SETTINGS.control(state, "noise", step=high / 50, words=said))
    controls.append(SETTINGS.control(state, "resamples"))
    return Controls(drawer=_MEASURED, id="sizes", label="Sizes", controls=controls)


def _sum(state: State) -> list[str]:
    point = state.at_depth(state.shown)
    who = "bagged trees" if state.is_bagged else "single trees"
    lines = [f"Depth {state.settings.depth}, {who}: {summed(state.method, point)}"]
    if state.is_bagged:
        alone = state.at_depth(state.single)
        changed = (
            f"{one.name} from {bits(getattr(alone, one.term))} to {bits(getattr(point, one.term))}"
            for one in (lines_of(state.method)[i] for i in (1, 0))
        )
        lines.append(f"Bagging takes {' and '.join(changed)}.")
    return lines


def _status(state: State) -> str:
    settings, trial = state.settings, state.unfinished
    if trial is not None:
        what = "resamples bagged" if trial is state.bag else "resamples"
        return f"{len(trial.runs)} of {settings.resamples} {what}"
    losses = state.result.loss
    best = int(losses.argmin())
    who = f"{BAG} bagged trees" if state.is_bagged else "a tree"
    rows = plural(state.single.runs[0].training.n_rows, "row")
    return (
        f"{settings.resamples} training sets of {rows}, {who} on each: the error is least,"
        f" {bits(losses[best])}, at depth {DEPTHS[best]}."
    )


def _progress(state: State) -> float:
    trials = [state.single, state.bag] if state.settings.bagging else [state.single]
    done = sum(min(len(trial.runs), state.settings.resamples) for trial in trials)
    return done / (len(trials) * state.settings.resamples)


def _about(state: State) -> list[str]:
    truth = state.single.truth
    lines = [
        (
            "All trees are grown by ID3 and predict the same"
            f" {plural(truth.table.n_rows, 'test row')}. Cut off at a depth, a tree is the one that"
            " is grown to it."
        )
    ]
    if not truth.known:
        lines.append(
            "The truth about these rows is not known, only the label that each came with: noise is"
            " told as 0 and stands within the bias."
        )
    lines += drawn_note(state.own_rows, sources.MOST_TABLE_ROWS)
    return [*lines, f"The same numbers in Python: {state.code}"]


# -- the trees over one another --------------------------------------------------------------------

_TRUTH_SIDE, _TRUTH_STEPS = 128, 100


def kind_of(table: Table) -> str:
    """What can be drawn of trees on such rows: ``"plane"``, ``"curve"``, or nothing."""
    if any(attribute.values is not None for attribute in table.attributes):
        return ""
    if table.target.values is None:
        return "curve" if len(table.attributes) == 1 else ""
    return "plane" if len(table.attributes) == 2 else ""  # noqa: PLR2004 - two axes


def ends_of(population: Population, table: Table) -> Ends:
    """From where to where each axis goes."""
    if isinstance(population, Curve):
        return ((population.low, population.high),)
    if isinstance(population, InThePlane):
        low, high = (float(v) for v in population.grid(2).columns[0][[0, -1]])
        return ((1.5 * low - 0.5 * high, 1.5 * high - 0.5 * low),) * 2
    axes = (Axis.around("", column.tolist()) for column in table.columns)
    return tuple((axis.low, axis.high) for axis in axes)


@lru_cache(maxsize=32)
def truth_line(population: Population) -> list[Point | None]:
    """The true curve or boundary; nothing where nobody knows it."""
    if isinstance(population, Curve):
        grid = population.grid(_TRUTH_STEPS)
        return list(zip(grid.columns[0].tolist(), grid.labels.tolist(), strict=True))
    if not isinstance(population, InThePlane):
        return []
    grid = population.grid(_TRUTH_SIDE)
    x, y = (column.reshape(_TRUTH_SIDE, -1) for column in grid.columns)
    labels = grid.labels.reshape(_TRUTH_SIDE, -1)
    return lines_as_one(_between(x[0].tolist(), y[:, 0].tolist(), labels))


def _between(
    xs: Sequence[float], ys: Sequence[float], labels: NDArray[Any]
) -> Iterator[tuple[Point, Point]]:
    """Short lines through each square of neighbours that differ (marching squares)."""
    across, up = labels[:, 1:] != labels[:, :-1], labels[1:] != labels[:-1]
    for j, i in np.argwhere(across[:-1] | across[1:] | up[:, :-1] | up[:, 1:]).tolist():
        x, y = (xs[i] + xs[i + 1]) / 2, (ys[j] + ys[j + 1]) / 2
        sides = (
            (across[j, i], (x, ys[j])),
            (up[j, i], (xs[i], y)),
            (across[j + 1, i], (x, ys[j + 1])),
            (up[j, i + 1], (xs[i + 1], y)),
        )
        met = [place for differs, place in sides if differs]
        yield from zip(met[::2], met[1::2], strict=False)


# So many lines can be told apart, and so many of their points go into a message.
READING = "How to read the picture"
MOST_LINES, MOST_LINES_BAGGED, MOST_POINTS = 15, 6, 1500
_MARKS, _ROWS, _COLUMNS, _WIDE = 25, 10, 5, 24
_PLAIN_MARK = 7  # no class: a small grey mark


def overlay(state: State) -> list[Part]:
    """The picture and what it means; or, on other attributes, a table."""
    kind = kind_of(state.single.truth.table)
    if not kind:
        return [_disagreement(state), _why(state)]
    lines, ends = _lines(state), ends_of(state.population, state.single.truth.table)
    what = "Boundaries" if kind == "plane" else "Curves"
    truth = truth_line(state.population)
    n = len(lines)
    who = f"{n} committees of {BAG} bagged trees" if state.is_bagged else f"{n} trees"
    title = (
        f"{what} of {who} of depth {state.settings.depth}, each grown on a training set of its own"
    )
    layers: list[Layer] = [Line(points, steps=kind == "curve", faint=True) for points in lines]
    layers += _rows(state, kind)
    if truth:
        layers.append(Line(truth, "the truth", hue=4))
    if kind == "curve":
        layers.append(Line(_main(state), "mean of all trees", hue=0, dash="long"))
    plot = Plot(
        title, *_axes(state, ends, kind, layers), layers, width=440, height=400, direct=True
    )
    text = [f"{title}. {_said(state, kind)}"]
    picture = Picture(area="beside", id="overlay", figure=figure(plot), text=text)
    reading = _reading(state, kind, n, bool(truth))
    return [picture, Words(drawer=READING, id="reading", lines=reading)]


def _lines(state: State) -> list[list[Point | None]]:
    """Those of the first training sets, as many as can be told apart."""
    most = MOST_LINES_BAGGED if state.is_bagged else MOST_LINES
    ends = ends_of(state.population, state.single.truth.table)
    found: list[list[Point | None]] = []
    room = MOST_POINTS
    for run in state.shown.runs[: min(most, state.settings.resamples)]:
        line = run_line(run, state.settings.depth, ends)
        room -= len(line)
        if room < 0 and found:
            break
        found.append(line[:MOST_POINTS])
    return found


def _rows(state: State, kind: str) -> list[Layer]:
    """A few rows: where which class is right, or the first training set."""
    table = state.single.truth.table if kind == "plane" else state.single.runs[0].training
    n = min(_MARKS if kind == "plane" else 2 * _MARKS, table.n_rows)
    x, y, *_ = (column[:n].tolist() for column in (*table.columns, table.labels))
    places = list(zip(x, y, strict=True))
    if kind == "plane":
        return [Dots(places, table.labels[:n].tolist(), size=4.5, keys=range(n))]
    # Rows of the training set count down: those to measure with have the numbers from 0.
    return [Dots(places, [_PLAIN_MARK] * n, size=2.5, keys=range(-1, -1 - n, -1))]


def _main(state: State) -> list[Point | None]:
    """The main prediction over the test rows, in order."""
    point = state.at_depth(state.shown)
    x = point.truth.table.columns[0]
    _, first = np.unique(x, return_index=True)
    some = first[:: max(1, len(first) // 150)]
    return list(zip(x[some].tolist(), point.by_row.main[some].tolist(), strict=True))


def _axes(state: State, ends: Ends, kind: str, layers: list[Layer]) -> tuple[Axis, Axis]:
    table = state.single.truth.table
    names = [shortened(attribute.name, 40) for attribute in (*table.attributes, table.target)]
    x = Axis(names[0], *ends[0])
    if kind == "plane":
        return x, Axis(names[1], *ends[1])
    points = [p for one in layers if isinstance(one, Line | Dots) for p in one.points if p]
    return x, Axis.around(names[-1], [y for _, y in points])


def _reading(state: State, kind: str, n: int, known: bool) -> list[str]:  # noqa: FBT001
    what = "boundary" if kind == "plane" else "curve"
    total = min(len(state.shown.runs), state.settings.resamples)
    of = f"{n} of {total}" if n < total else f"all {total}"
    lines = [f"Thin lines: the {what} of {of} training sets' trees."]
    if known:
        lines.append(
            "Where they agree but lie beside the truth, that is bias; where they scatter, that is"
            " variance."
        )
    if kind == "plane":
        lines.append(f"Marks: the best answer at {_MARKS} of the test rows, where it is known.")
    else:
        lines.append("Small marks: rows of the first training set.")
    return lines


def _said(state: State, kind: str) -> str:
    point = state.at_depth(state.shown)
    if kind == "curve":
        return f"Around their mean they scatter with a variance of {bits(point.variance)}."
    apart = np.mean(point.predictions != point.by_row.main, axis=0)
    agreed = 1 - float(point.truth.weights @ apart)
    return f"On a test row, {100 * agreed:.0f} % of them agree with the most frequent answer."


def _disagreement(state: State) -> Grid:
    """The test rows on which the trees differ most."""
    point = state.at_depth(state.shown)
    table = point.truth.table
    order = np.argsort(-point.by_row.variance, kind="stable")[:_ROWS]
    names = [attribute.name for attribute in table.attributes[:_COLUMNS]]
    numbers = table.target.values is None
    last = ["mean of the trees", "scatter"] if numbers else ["most say", "of the trees"]
    votes, n = (point.predictions == point.by_row.main).sum(axis=0), len(point.predictions)
    head = ["test row", *names, f"true {table.target.name}", *last]
    rows = []
    for i in order.tolist():
        row = table.row(i)
        main = float(point.by_row.main[i])
        spread = bits(float(point.by_row.variance[i])) if numbers else f"{votes[i]} of {n}"
        says = near(main) if numbers else value(table.classes[int(main)])
        shown = [value(row[name]) for name in (*names, table.target.name)]
        rows.append([str(i + 1), *(shortened(text, _WIDE) for text in (*shown, says)), spread])
    left = table.n_rows - _ROWS, len(table.attributes) - _COLUMNS
    hidden = unshown(left, ("other test row", "other attribute"))
    return Grid(
        area="beside",
        id="rows",
        label="Test rows on which the trees differ most",
        heading=f"Where trees of depth {state.settings.depth} differ most",
        head=[shortened(text, _WIDE) for text in head],
        rows=rows,
        keys=order.tolist(),
        more=f"Not shown: {' and '.join(hidden)}." if hidden else "",
    )


def _why(state: State) -> Words:
    numbers = state.single.truth.table.target.values is None
    needs = "exactly one attribute, a continuous one" if numbers else "two continuous attributes"
    line = (
        "The more the trees' answers to a row differ, the more it adds to the variance. (Trees are"
        f" laid over one another in a picture when there are {needs}.)"
    )
    return Words(drawer=READING, id="reading", lines=[line])
