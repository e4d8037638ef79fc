"""What the forest lab shows."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from dtree_lab.draw.chart import Axis, Line, Plot, Rule, figure
from dtree_lab.shown import bits, plural
from dtree_lab.widgets.forest.growth import errors, forest_of
from dtree_lab.widgets.forest.rows import row_parts
from dtree_lab.widgets.forest.state import MOST_NOISE, MOST_TREES, usual_m
from dtree_lab.widgets.forest.worth import importances, missing_values
from dtree_lab.widgets.kit.controls import Button, Slider
from dtree_lab.widgets.kit.leftout import notes
from dtree_lab.widgets.kit.parts import Controls, Picture, TreePicture, View, Words
from dtree_lab.widgets.kit.taking import row_number

if TYPE_CHECKING:
    from dtree_lab.draw.chart import Layer
    from dtree_lab.widgets.forest.growth import Floats
    from dtree_lab.widgets.forest.state import State
    from dtree_lab.widgets.kit.controls import Control

_LEGEND = 30
_TOLD = (1, 2, 5, 10, 20, 50, 100, 200)


def view(state: State) -> View:
    """Everything that is shown."""
    table = state.table
    by_impurity, by_permutation = importances(state)
    return View(
        "A random forest",
        [
            *notes(state.clean),
            _controls(state),
            _errors(state),
            Words(area="main", id="verdict", lines=_verdict(state)),
            *row_parts(state),
            by_impurity,
            by_permutation,
            *_tree(state),
            *missing_values(state),
            Words(area="below", id="about", lines=_about(state)),
        ],
        target=table.target if len(table.classes) <= _LEGEND else None,
        status=state.status or _status(state),
        progress=len(state.growth.members) / state.asked.trees if state.growing else None,
    )


def _controls(state: State) -> Controls:
    asked, most = state.asked, len(state.table.attributes)
    usual = usual_m(state.table)
    m_said = f"{asked.m} of {most}" + (" (usual)" if asked.m == usual else "")
    controls: list[Control] = [
        Slider("trees", "Trees", asked.trees, 1, MOST_TREES),
        Slider("m", "Attributes drawn at a node", asked.m, 1, most, said=m_said),
    ]
    if len(state.table.classes) > 1:
        n = len(state.table)
        said = f"{round(asked.noise * n):,} of {n:,} labels"
        step = max(1 / n, 0.01)  # a label at a time, where there are few
        controls.append(Slider("noise", "Noise", asked.noise, 0, MOST_NOISE, step, said))
    controls += [
        Button("next", "One more tree", enabled=asked.trees < MOST_TREES, main=True),
        Button("again", "Other chance"),
        Button("reset", "Start over"),
    ]
    return Controls(area="main", id="forest", label="The forest", controls=controls)


# -- the errors as trees are added -----------------------------------------------------------------


def _errors(state: State) -> Picture:
    growth, n = state.growth, state.n
    lines = {
        "out of bag": errors(growth.out_of_bag, n),
        "training rows": errors(growth.training, n),
    }
    layers: list[Layer] = [Rule(state.shown + 1, name=f"tree {state.shown + 1}", accent=True)]
    layers.append(_line("out of bag", lines["out of bag"]))
    layers.append(Line(_points(lines["training rows"]), "training rows", 0, "dots"))
    if state.asked.noise:
        lines["against true labels"] = errors(growth.against_clean, n)
        against = _points(lines["against true labels"])
        layers.append(Line(against, "out of bag, against the labels before noise", 4, "long"))
    if _real(lines["out of bag"]):
        layers.append(Rule(_real(lines["out of bag"])[-1][1], "y", dash="short"))
    high = max((y for one in lines.values() for _, y in _real(one)), default=0.0)
    plot = Plot(
        f"Error as trees are added, up to {n}: out of bag, each row judged by the trees that did"
        f" not see it, it is {_told(float(lines['out of bag'][-1]))}",
        Axis("trees", 0, max(state.asked.trees, 2) + 0.5),
        Axis("share of wrong predictions", 0, max(0.1, -(-high // 0.1) * 0.1) * 1.02),
        layers,
        height=330,
    )
    text = [
        f"{plural(t, 'tree')}: "
        + ", ".join(f"{name} {_told(float(one[t - 1]))}" for name, one in lines.items())
        for t in sorted({*_TOLD, n})
        if t <= n
    ]
    return Picture(area="main", id="errors", figure=figure(plot), click=True, text=text)


def _line(name: str, found: Floats) -> Line:
    return Line(_points(found), name)


def _real(found: Floats) -> list[tuple[float, float]]:
    """Where the error is known: at first no row may have been out of bag."""
    return [(float(t), y) for t, y in enumerate(found.tolist(), start=1) if not isnan(y)]


def _points(found: Floats) -> list[tuple[float, float] | None]:
    return [*_real(found)]


def _told(x: float) -> str:
    return "not known yet" if isnan(x) else bits(x)


def _verdict(state: State) -> list[str]:
    forest, n = forest_of(state.growth, state.n), state.n
    out = forest.oob_error
    training = float(errors(state.growth.training, n)[-1])
    lines = [
        (
            f"{plural(n, 'tree')}: out-of-bag error {_told(out)}, training error {bits(training)}."
            " The training error flatters: fully grown trees know their rows by heart."
        )
    ]
    if state.asked.noise:
        turned = int((state.table.labels != state.clean.labels).sum())
        clean = float(errors(state.growth.against_clean, n)[-1])
        lines.append(
            f"{plural(turned, 'label')} of {len(state.table):,} turned over by noise. Against the"
            f" labels before that the out-of-bag error is {_told(clean)}."
        )
    return lines


# -- one of the trees ------------------------------------------------------------------------------


def _tree(state: State) -> list[Controls | Words | TreePicture]:
    member, way = state.member, state.way
    times = int(forest_of(state.growth, state.n).rows_drawn(state.shown)[state.row])
    drawn = len(state.table) - len(member.said.rows)
    bag = {0: "is out of its bag", 1: "was drawn once"}.get(times, f"was drawn {times} times")
    line = (
        f"Grown on a bootstrap sample with {drawn:,} of the {plural(len(state.table), 'row')}; row"
        f" {row_number(state.clean, state.row)} {bag}. The lit path is the row's."
    )
    choose = Slider("tree", "Tree", state.shown + 1, 1, state.asked.trees)
    return [
        Controls(
            area="below",
            stage=3,
            id="tree-choice",
            label="The tree that is shown",
            controls=[choose],
            heading="One of the trees",
        ),
        Words(area="below", stage=3, id="bag", lines=[line]),
        TreePicture(
            area="below",
            stage=3,
            id="tree",
            tree=member.tree,
            selected=state.looked_at,
            lit=way,
            tags={way: f"row {row_number(state.clean, state.row)}"},
        ),
    ]


# -- the words -------------------------------------------------------------------------------------


def _status(state: State) -> str:
    asked = state.asked
    if state.growing:
        return f"{len(state.growth.members)} of {asked.trees} trees grown"
    if state.permuted is None:
        return f"{asked.trees} trees grown; the importances are being worked out"
    if state.filling is not None and not state.filling.done:
        return "The values taken away are being estimated"
    return (
        f"{plural(asked.trees, 'tree')} with {asked.m} of"
        f" {plural(len(state.table.attributes), 'attribute')} drawn at each node: out-of-bag error"
        f" {_told(state.forest.oob_error)}."
    )


def _about(state: State) -> list[str]:
    asked = state.asked
    lines = [
        (
            "Each tree is grown on a bootstrap sample, the best of the attributes drawn is asked at"
            " each node, and nothing is pruned; the class with most votes wins. The forest is"
            " lab.forest, its rows are lab.table: dt.random_forest(lab.table,"
            f" n_trees={asked.trees}, m={asked.m}, seed={asked.seed}) grows the same."
        )
    ]
    if state.own_rows > len(state.clean):
        used = len(state.clean)
        lines.append(
            f"Of the table's {plural(state.own_rows, 'row')} {used:,} were drawn at random; only"
            " these are used here."
        )
    return lines
