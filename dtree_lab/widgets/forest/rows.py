"""One row before the forest: its votes, its margin, and the rows that are near to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.draw.measure import shortened
from dtree_lab.shown import bits, number, plural, value
from dtree_lab.widgets.forest.growth import near, votes_for
from dtree_lab.widgets.kit.controls import Slider
from dtree_lab.widgets.kit.parts import Bar, Bars, Controls, Grid, Words
from dtree_lab.widgets.kit.taking import ends, row_number

if TYPE_CHECKING:
    from dtree_lab.widgets.forest.state import State
    from dtree_lab.widgets.kit.parts import Part

MOST_NEAR, MOST_SHOWN, MOST_CLASSES, WIDE = 6, 4, 8, 40


def row_parts(state: State) -> list[Part]:
    """All that is shown of the chosen row."""
    slider = Slider("row", "Row", row_number(state.clean, state.row), *ends(state.clean))
    return [
        Controls(
            area="side",
            stage=1,
            id="row-choice",
            label="The row that votes are counted for",
            controls=[slider],
            heading="Votes for one row",
        ),
        Words(area="side", stage=1, id="row", lines=_about(state)),
        _votes(state),
        Words(area="side", stage=1, id="margin", lines=_margin(state)),
        _near(state),
    ]


def nearest(state: State) -> list[int]:
    """The chosen row, and those that share a leaf with it in most trees; the first win a tie."""
    proximity = near(state.growth, state.n, state.row).copy()
    proximity[state.row] = np.inf
    order: list[int] = np.argsort(-proximity, kind="stable")[: MOST_NEAR + 1].tolist()
    return order


def short(v: object) -> str:
    """A class or a name, cut where it is long."""
    return shortened(value(v), WIDE)


def cell(v: object) -> str:
    """A value of an attribute; a number with six digits."""
    return number(float(f"{v:.6g}")) if isinstance(v, float) else short(v)


def _about(state: State) -> list[str]:
    row, table = state.table.row(state.row), state.table
    names = [attribute.name for attribute in table.attributes]
    said = ", ".join(f"{short(name)} = {cell(row[name])}" for name in names[:MOST_SHOWN])
    more = len(names) - MOST_SHOWN
    if more > 0:
        said += f" and {plural(more, 'other attribute')}"
    label = short(row[table.target.name])
    came = short(state.clean.classes[state.clean.labels[state.row]])
    turned = (
        ""
        if state.clean.labels[state.row] == table.labels[state.row]
        else (f", turned over by noise from {came}")
    )
    return [f"{said}. Its label: {label}{turned}."]


def _votes(state: State) -> Bars:
    every, out = votes_for(state.growth, state.n, state.row)
    order = np.argsort(-every, kind="stable")[:MOST_CLASSES].tolist()
    n, free = int(every.sum()), int(out.sum())
    bars = [
        Bar(
            short(state.table.classes[k]),
            every[k] / n,
            f"{every[k]} of {plural(n, 'tree')}",
            f"out of bag {out[k]} of {free}",
        )
        for k in (sorted(order) if len(every) <= MOST_CLASSES else order)
    ]
    return Bars(area="side", stage=1, id="votes", label="Votes for each class", bars=bars)


def _margin(state: State) -> list[str]:
    every, out = votes_for(state.growth, state.n, state.row)
    label = int(state.table.labels[state.row])
    says = f"The forest says {_winner(state, every)}. Margin {bits(margin(every, label))}:"
    lines = [f"{says} the share of votes for its label less the largest share of another class."]
    if out.sum():
        lines.append(
            f"By the {plural(int(out.sum()), 'tree')} that did not see this row it is"
            f" {_winner(state, out)}: margin {bits(margin(out, label))}."
        )
    else:
        lines.append("Every tree saw this row, so none can judge it without prejudice.")
    if len(every) > MOST_CLASSES:
        rest = plural(len(every) - MOST_CLASSES, "class").replace("classs", "classes")
        lines.append(f"{rest} with fewer votes not shown.")
    return lines


def _winner(state: State, votes: np.ndarray[tuple[int], np.dtype[np.int64]]) -> str:
    """The class with most votes."""
    tied = ", the first class in a tie" if (votes == votes.max()).sum() > 1 else ""
    return short(state.table.classes[int(votes.argmax())]) + tied


def margin(votes: np.ndarray[tuple[int], np.dtype[np.int64]], label: int) -> float:
    """The share of votes for the label less the largest share of another class (Breiman 2001)."""
    others = np.delete(votes, label)
    return float((votes[label] - others.max(initial=0)) / votes.sum())


def _near(state: State) -> Grid:
    rows, table = nearest(state), state.table
    proximity = near(state.growth, state.n, state.row)
    names = [attribute.name for attribute in table.attributes[: MOST_SHOWN - 1]]
    lines = []
    for i in rows:
        row = table.row(i)
        own = "chosen" if i == state.row else f"{proximity[i]:.2f}"
        values = [cell(row[name]) for name in names]
        lines.append([str(row_number(state.clean, i)), own, short(row[table.target.name]), *values])
    hidden = len(table.attributes) - len(names)
    return Grid(
        area="side",
        stage=2,
        id="near",
        label="Rows near to the chosen one; choose one to look at it",
        heading="The nearest rows",
        head=["row", "proximity", *map(short, (table.target.name, *names))],
        rows=lines,
        classes=2,
        pick=True,
        current=0,
        more="Proximity: the share of the trees in which two rows stop in the same leaf."
        + (f" {plural(hidden, 'other attribute')} not shown." if hidden else ""),
    )
