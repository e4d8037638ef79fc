"""The figure of a pruning lab: training and validation error against the number of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.draw.chart import Axis, Line, Note, Plot, Rule, figure
from dtree_lab.shown import number, plural
from dtree_lab.widgets.kit.controls import Slider
from dtree_lab.widgets.kit.parts import Picture
from dtree_lab.widgets.pruning.course import METHODS
from dtree_lab.widgets.pruning.model import KEY

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dtree_lab.draw.chart import Layer
    from dtree_lab.widgets.pruning.state import State

_POINTS, _TOLD = 120, 12
_TRAINING, _VALIDATION = 4, None  # colours that few classes have


def curve(state: State) -> Picture:
    """The errors of the method's trees, with a line at the tree as it stands, to be dragged."""
    ground, found = state.ground, state.course
    name, nodes = METHODS[state.method].name, state.tree.n_nodes
    shares = [wrong / rows for wrong, rows in zip(state.wrong, _rows(state), strict=True)]
    seen = _thinned(state, _POINTS)
    lines = [
        [(found.n_nodes[i], one[i] / rows) for i in seen]
        for one, rows in zip((found.training, found.validation), _rows(state), strict=True)
    ]
    highest = max(y for line in [*lines, [(0, y) for y in shares]] for _, y in line)
    layers: list[Layer] = [
        Line(lines[0], "training error", _TRAINING, "long"),
        Line(lines[1], "validation error", _VALIDATION),
        Rule(found.n_nodes[found.end], dash="dots"),
        _end(state, highest),
        Rule(nodes, name=f"this tree: {nodes:,}", accent=True),
        *(
            Line([(nodes, y)], hue=hue, dots=True)
            for hue, y in zip((_TRAINING, _VALIDATION), shares, strict=True)
        ),
    ]
    x = Axis("number of nodes", 0, ground.full.n_nodes * 1.02 + 1)
    y = Axis("share of rows wrong", 0, highest * 1.12 or 1)
    title = f"Errors against the number of nodes: {name}. {_now(state)}"
    drag = Slider("size", "Nodes of the tree", nodes, x.low, x.high, KEY, _now(state))
    return Picture(
        "curve",
        figure(Plot(title, x, y, layers, 470, 300)),
        heading="Errors against the number of nodes",
        slider=drag,
        text=list(_lines(state)),
        area="side",
        stage=1,
    )


def _end(state: State, highest: float) -> Note:
    """A word beside the line where the method ends, on the side that has more room."""
    at, size = state.course.n_nodes[state.course.end], state.ground.full.n_nodes
    left = at > 0.6 * size
    x = at - 0.01 * size if left else at + 0.01 * size
    return Note(x, highest * 0.07, "the method ends", "end" if left else "start")


def _rows(state: State) -> tuple[int, int]:
    return len(state.ground.training), len(state.ground.validation)


def _now(state: State) -> str:
    training, validation = state.wrong
    of = _rows(state)
    said = (
        f"This tree: {plural(state.tree.n_nodes, 'node')}, {training:,} of"
        f" {plural(of[0], 'training row')} and {validation:,} of"
        f" {plural(of[1], 'validation row')} wrong"
    )
    return f"{said}{_price(state)}."


def _price(state: State) -> str:
    """For which prices of a leaf the tree is best, where that is what the method is about."""
    prices, stop = state.course.prices, state.stop
    if not prices or stop is None:
        return ""
    price = prices[stop]
    if price is None:
        return "; not even at alpha 0 is it the best, for some leaves spare no training row"
    after = next((p for p in prices[stop + 1 :] if p is not None), None)
    upto = " on" if after is None else f" up to {number(round(after, 6))}"
    return f"; the best for alpha from {number(round(price, 6))}{upto}"


def _thinned(state: State, most: int) -> list[int]:
    """The places of at most so many trees, evenly over the course, its ends and end included."""
    n = len(state.course.stops)
    some = {*np.linspace(0, n - 1, min(n, most)).round().astype(int).tolist(), state.course.end}
    return sorted(some)


def _lines(state: State) -> Iterable[str]:
    found, (training, validation) = state.course, _rows(state)
    for i in _thinned(state, _TOLD):
        end = " The method ends here." if i == found.end else ""
        yield (
            f"{plural(found.n_nodes[i], 'node')}: {found.training[i]:,} of {training:,} training"
            f" rows wrong, {found.validation[i]:,} of {validation:,} validation rows wrong.{end}"
        )
