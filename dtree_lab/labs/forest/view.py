"""What the forest lab shows, down to what the attributes are worth and how gaps are filled."""

from __future__ import annotations

from math import isnan

import numpy as np

from dtree_lab.base.text import bits, number, plural
from dtree_lab.base.types import Floats
from dtree_lab.draw.chart import Axis, Layer, Line, Plot, Rule, figure
from dtree_lab.ensemble.forest import Importance
from dtree_lab.ensemble.imputation import Fill
from dtree_lab.labs.forest import growth as f
from dtree_lab.labs.forest.growth import (
    Filling,
    by_impurity,
    errors,
    forest_of,
    permuted_trees,
)
from dtree_lab.labs.forest.state import (
    MOST_GAPS,
    MOST_NOISE,
    MOST_TREES,
    State,
    cell,
    row_parts,
    short,
    usual_m,
)
from dtree_lab.labs.kit.controls import Button, Control, Slider
from dtree_lab.labs.kit.parts import (
    BarItem,
    Bars,
    Controls,
    Grid,
    Part,
    Picture,
    TreeView,
    View,
    Words,
)
from dtree_lab.labs.kit.taking import notes, row_number

MOST_BARS, MOST_GRID, MOST_EXAMPLES = 10, 10, 6
WORTH, ONE, GAPS = "What the attributes are worth", "One of the trees", "Missing values"


# -- importances -----------------------------------------------------------------------------------


def importances(state: State) -> tuple[Bars, Bars]:
    """By impurity and by permutation, the attributes in the same order."""
    impurity = None if state.growing else by_impurity(state.growth, state.n)
    names = [attribute.name for attribute in state.table.attributes]
    order = range(len(names))
    if impurity is not None:
        order = sorted(order, key=lambda i: -impurity.values[i])  # type: ignore[assignment]
    some = list(order)[:MOST_BARS]
    left = len(names) - len(some)
    more = f" ({plural(left, 'attribute')} that matter less not shown)" if left else ""
    first = Bars(
        drawer=WORTH,
        stage=2,
        id="impurity",
        label="Importance by impurity",
        heading=f"Importance by impurity{more}",
        bars=_bars(state, impurity, some),
    )
    used = permuted_trees(state.growth, state.asked.trees)
    first_trees = "" if used == state.asked.trees else f", from the first {plural(used, 'tree')}"
    second = Bars(
        drawer=WORTH,
        stage=2,
        id="permutation",
        label="Importance by permutation",
        heading=f"Importance by permutation: accuracy lost{first_trees} (± over trees, not tables)",
        bars=_bars(state, state.permuted, some),
    )
    return first, second


def _bars(state: State, found: Importance | None, some: list[int]) -> list[BarItem]:
    names = [short(state.table.attributes[i].name) for i in some]
    if found is None:
        return [BarItem(name, 0.0, "…") for name in names]
    if np.isnan(found.values).any():
        return [BarItem(name, 0.0, "not known: no row is out of bag") for name in names]
    most = max(float(found.values.max()), 1e-12)
    bars = []
    for name, i in zip(names, some, strict=True):
        share, text = float(found.values[i]), bits(float(found.values[i]))
        if found.errors is not None and not np.isnan(found.errors[i]):
            text += f" ± {bits(float(found.errors[i]))}"
        bars.append(BarItem(name, share / most, text))
    return bars


# -- missing values --------------------------------------------------------------------------------


def missing_values(state: State) -> list[Part]:
    """A slider that takes values away, and how near the estimates come."""
    gaps = state.asked.gaps
    slider = Slider("gaps", "Values taken away", gaps, 0, MOST_GAPS, 0.05, f"{100 * gaps:.3g} %")
    controls = Controls(
        drawer=GAPS,
        stage=4,
        id="gaps",
        label="Missing values",
        controls=[slider],
    )
    filling = state.filling
    if filling is None:
        line = (
            "Take some values away. Each gap first gets its column's median or most frequent"
            " value; then forests say which rows are near, and their values are taken instead."
        )
        return [controls, Words(drawer=GAPS, stage=4, id="filled", lines=[line])]
    words = Words(drawer=GAPS, stage=4, id="filled", lines=_filling_lines(state, filling))
    if filling.last is None or not filling.last.fills:
        return [controls, words]
    return [controls, words, _by_attribute(filling), _examples(filling)]


def _filling_lines(state: State, filling: Filling) -> list[str]:
    if filling.last is None:
        return ["The values are being estimated."]
    gaps = len(filling.last.fills)
    if not gaps:
        return ["So few values leave none to take away: each column keeps one at least."]
    rounds = plural(filling.last.round, "round")
    lines = [f"{plural(gaps, 'value')} taken away; {rounds} of proximity with {f.TREES} trees."]
    if state.table.n_rows > f.MOST_ROWS:
        lines.append(
            f"Only the first {f.MOST_ROWS} rows take part: each is compared with every other."
        )
    return lines


def _by_attribute(filling: Filling) -> Grid:
    """How far rough values and estimates are off, attribute by attribute."""
    assert filling.first is not None  # noqa: S101 - the first round comes before the last
    assert filling.last is not None  # noqa: S101
    rows = []
    names = list(dict.fromkeys(fill.name for fill in filling.last.fills))
    for name in names[:MOST_GRID]:
        rough = [fill for fill in filling.first.fills if fill.name == name]
        late = [fill for fill in filling.last.fills if fill.name == name]
        off = [_off(filling, name, some) for some in (rough, late)]
        rows.append([short(name), str(len(late)), *off])
    left = len(names) - MOST_GRID
    return Grid(
        drawer=GAPS,
        stage=4,
        id="by-attribute",
        label="How near the estimates come to the values taken away",
        head=["attribute", "gaps", "median or most frequent", "by proximity"],
        rows=rows,
        more=f"{plural(left, 'other attribute')} with gaps not shown." if left > 0 else "",
    )


def _off(filling: Filling, name: str, fills: list[Fill]) -> str:
    off = [filling.off(fill) for fill in fills]
    if filling.truth.attribute(name).values is None:
        return f"off by {_rounded(sum(off) / len(off))} on average"
    return f"{off.count(0.0)} of {len(off)} right"


def _examples(filling: Filling) -> Grid:
    assert filling.first is not None  # noqa: S101 - as above
    assert filling.last is not None  # noqa: S101
    pairs = list(zip(filling.first.fills, filling.last.fills, strict=True))
    step = max(1, len(pairs) // MOST_EXAMPLES)
    rows = [
        [
            f"row {row_number(filling.truth, late.row)}",
            short(late.name),
            cell(filling.true(late)),
            cell(rough.value),
            cell(late.value),
        ]
        for rough, late in pairs[::step][:MOST_EXAMPLES]
    ]
    left = len(pairs) - len(rows)
    return Grid(
        drawer=GAPS,
        stage=4,
        id="examples",
        label="Some values taken away, and their estimates",
        head=["row", "attribute", "truth", "at first", "by proximity"],
        rows=rows,
        more=f"{plural(left, 'other gap')} not shown." if left else "",
    )


def _rounded(x: float) -> str:
    return number(float(f"{x:.4g}"))


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
            _errors(state),
            _controls(state),
            Words(id="verdict", lines=_verdict(state)),
            *row_parts(state),
            by_impurity,
            by_permutation,
            *_tree(state),
            *missing_values(state),
            Words(drawer="How it is grown", id="about", lines=_about(state)),
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
    return Controls(area="act", id="forest", label="The forest", controls=controls)


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
        f" not see it, it is {_error_told(float(lines['out of bag'][-1]))}",
        Axis("trees", 0, max(state.asked.trees, 2) + 0.5),
        Axis("share of wrong predictions", 0, max(0.1, -(-high // 0.1) * 0.1) * 1.02),
        layers,
        width=520,
        height=310,
        direct=True,
    )
    text = [
        f"{plural(t, 'tree')}: "
        + ", ".join(f"{name} {_error_told(float(one[t - 1]))}" for name, one in lines.items())
        for t in sorted({*_TOLD, n})
        if t <= n
    ]
    return Picture(area="hero", id="errors", figure=figure(plot), click=True, text=text)


def _line(name: str, found: Floats) -> Line:
    return Line(_points(found), name)


def _real(found: Floats) -> list[tuple[float, float]]:
    """Where the error is known: at first no row may have been out of bag."""
    return [(float(t), y) for t, y in enumerate(found.tolist(), start=1) if not isnan(y)]


def _points(found: Floats) -> list[tuple[float, float] | None]:
    return [*_real(found)]


def _error_told(x: float) -> str:
    return "not known yet" if isnan(x) else bits(x)


def _verdict(state: State) -> list[str]:
    forest, n = forest_of(state.growth, state.n), state.n
    out = forest.oob_error
    training = float(errors(state.growth.training, n)[-1])
    lines = [
        (
            f"{plural(n, 'tree')}: out-of-bag error {_error_told(out)}, training error"
            f" {bits(training)}. The training error flatters: fully grown trees know their rows by"
            " heart."
        )
    ]
    if state.asked.noise:
        turned = int((state.table.labels != state.clean.labels).sum())
        clean = float(errors(state.growth.against_clean, n)[-1])
        lines.append(
            f"{plural(turned, 'label')} of {len(state.table):,} turned over by noise. Against the"
            f" labels before that the out-of-bag error is {_error_told(clean)}."
        )
    return lines


# -- one of the trees ------------------------------------------------------------------------------


def _tree(state: State) -> list[Controls | Words | TreeView]:
    member, way = state.member, state.way
    times = int(forest_of(state.growth, state.n).rows_drawn(state.shown)[state.row])
    drawn = len(state.table) - len(member.out_of_bag.rows)
    bag = {0: "is out of its bag", 1: "was drawn once"}.get(times, f"was drawn {times} times")
    line = (
        f"Grown on a bootstrap sample with {drawn:,} of the {plural(len(state.table), 'row')}; row"
        f" {row_number(state.clean, state.row)} {bag}. The lit path is the row's."
    )
    choose = Slider("tree", "Tree", state.shown + 1, 1, state.asked.trees)
    return [
        Controls(
            drawer=ONE,
            stage=3,
            id="tree-choice",
            label="The tree that is shown",
            controls=[choose],
        ),
        Words(drawer=ONE, stage=3, id="bag", lines=[line]),
        TreeView(
            drawer=ONE,
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
        f" {_error_told(state.forest.oob_error)}."
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
