"""What the bias-variance lab shows: error and its parts against depth."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from dtree_lab.base.text import bits, plural
from dtree_lab.draw.chart import Axis, Dash, Layer, Line, Plot, Rule, figure
from dtree_lab.evaluate.decomposition import Decomposition, Method
from dtree_lab.labs.biasvariance import trial as sources
from dtree_lab.labs.biasvariance.model import SETTINGS, State
from dtree_lab.labs.biasvariance.pictures import overlay
from dtree_lab.labs.biasvariance.trial import BAG, DEPTHS
from dtree_lab.labs.kit.controls import Button, Control, Thumbnails, pictured
from dtree_lab.labs.kit.parts import Controls, Picture, View, Words, legend_target
from dtree_lab.labs.kit.taking import drawn_note, notes
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
