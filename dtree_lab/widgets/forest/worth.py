"""What the attributes are worth to the forest, and how well it estimates missing values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.shown import bits, number, plural
from dtree_lab.widgets.forest import filling as f
from dtree_lab.widgets.forest.growth import by_impurity, permuted_trees
from dtree_lab.widgets.forest.rows import cell, short
from dtree_lab.widgets.forest.state import MOST_GAPS
from dtree_lab.widgets.kit.controls import Slider
from dtree_lab.widgets.kit.parts import Bar, Bars, Controls, Grid, Words
from dtree_lab.widgets.kit.taking import row_number

if TYPE_CHECKING:
    from dtree_lab.learn.forest.fill import Fill
    from dtree_lab.learn.forest.importance import Importance
    from dtree_lab.widgets.forest.filling import Filling
    from dtree_lab.widgets.forest.state import State
    from dtree_lab.widgets.kit.parts import Part

MOST_BARS, MOST_GRID, MOST_EXAMPLES = 10, 10, 6


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
        area="main",
        stage=2,
        id="impurity",
        label="Importance by impurity",
        heading=f"Importance by impurity{more}",
        bars=_bars(state, impurity, some),
    )
    used = permuted_trees(state.growth, state.asked.trees)
    first_trees = "" if used == state.asked.trees else f", from the first {plural(used, 'tree')}"
    second = Bars(
        area="side",
        stage=2,
        id="permutation",
        label="Importance by permutation",
        heading=f"Importance by permutation: accuracy lost{first_trees} (± over trees, not tables)",
        bars=_bars(state, state.permuted, some),
    )
    return first, second


def _bars(state: State, found: Importance | None, some: list[int]) -> list[Bar]:
    names = [short(state.table.attributes[i].name) for i in some]
    if found is None:
        return [Bar(name, 0.0, "…") for name in names]
    if np.isnan(found.values).any():
        return [Bar(name, 0.0, "not known: no row is out of bag") for name in names]
    most = max(float(found.values.max()), 1e-12)
    bars = []
    for name, i in zip(names, some, strict=True):
        share, text = float(found.values[i]), bits(float(found.values[i]))
        if found.errors is not None and not np.isnan(found.errors[i]):
            text += f" ± {bits(float(found.errors[i]))}"
        bars.append(Bar(name, share / most, text))
    return bars


# -- missing values --------------------------------------------------------------------------------


def missing_values(state: State) -> list[Part]:
    """A slider that takes values away, and how near the estimates come."""
    gaps = state.asked.gaps
    slider = Slider("gaps", "Values taken away", gaps, 0, MOST_GAPS, 0.05, f"{100 * gaps:.3g} %")
    controls = Controls(
        area="below",
        stage=4,
        id="gaps",
        label="Missing values",
        controls=[slider],
        heading="Missing values, estimated by proximity",
    )
    filling = state.filling
    if filling is None:
        line = (
            "Take some values away. Each gap first gets its column's median or most frequent"
            " value; then forests say which rows are near, and their values are taken instead."
        )
        return [controls, Words(area="below", stage=4, id="filled", lines=[line])]
    words = Words(area="below", stage=4, id="filled", lines=_told(state, filling))
    if filling.last is None or not filling.last.fills:
        return [controls, words]
    return [controls, words, _by_attribute(filling), _examples(filling)]


def _told(state: State, filling: Filling) -> list[str]:
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
        area="below",
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
        area="below",
        stage=4,
        id="examples",
        label="Some values taken away, and their estimates",
        head=["row", "attribute", "truth", "at first", "by proximity"],
        rows=rows,
        more=f"{plural(left, 'other gap')} not shown." if left else "",
    )


def _rounded(x: float) -> str:
    return number(float(f"{x:.4g}"))
