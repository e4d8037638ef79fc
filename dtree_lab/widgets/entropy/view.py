"""What an entropy lab shows."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING

from dtree_lab.shown import bits, plural
from dtree_lab.widgets.entropy.curve import meaning, picture, rounded, text, worked
from dtree_lab.widgets.entropy.model import WITH, key_of
from dtree_lab.widgets.entropy.state import MOST_SHOWN, State, condition, ticks
from dtree_lab.widgets.entropy.worked import counted, lines, worked_entropy
from dtree_lab.widgets.kit.controls import Button, Choice, Field, Toggle
from dtree_lab.widgets.kit.leftout import notes
from dtree_lab.widgets.kit.names import label
from dtree_lab.widgets.kit.parts import Bar, Bars, Controls, View, Words

if TYPE_CHECKING:
    from dtree_lab.widgets.kit.controls import Control
    from dtree_lab.widgets.kit.parts import Part

_LEGEND, _CLASSES = 30, 8


def view(state: State) -> View:
    """Everything that is shown."""
    table = state.rows.table
    return View(
        title="Entropy and conditional entropy",
        parts=[*notes(table), *_curve(state), *_comparison(state)],
        target=table.target if len(table.classes) <= _LEGEND else None,
        status=state.status,
    )


# -- the curve -------------------------------------------------------------------------------------


def _curve(state: State) -> list[Part]:
    shown = rounded(state.p) if state.typed is None else state.typed
    field = Field("typed", "Type p", shown, wrong=state.wrong)
    controls: list[Control] = [field]
    if state.rows.share is not None:
        controls.append(Button("share", "Set p to the share of the rows"))
    note = text(state)
    parts: list[Part] = [
        picture(state),
        Controls(id="point", label="The point on the curve", controls=controls),
        Words(id="worked", lines=[*worked(state.p), meaning(state.p)], stage=1),
    ]
    if state.rows.share is None:
        parts.append(Words(id="classes", lines=[_no_curve(state)], stage=1))
    elif note:
        parts.append(Words(id="branches", lines=note[-1:], stage=1))
    return parts


def _no_curve(state: State) -> str:
    k = len(state.rows.table.classes)
    target = label(state.rows.table.target.name)
    if k == 1:
        return f"{target} has one class only, so its entropy is 0 whatever is asked."
    return (
        f"{target} has {k} classes, the curve is for two: its entropy can reach"
        f" log2({k}) = {bits(log2(k))} bits, and no branches are drawn on the curve."
    )


# -- the attributes side by side -------------------------------------------------------------------


def _comparison(state: State) -> list[Part]:
    target = label(state.rows.table.target.name)
    order = [("gain", "gain, the largest first"), ("table", "the table's order")]
    heading = f"Which attribute leaves the least entropy of {target}?"
    ways: list[Control] = [
        Choice("rows", "Rows", key_of(state.rows.within), _conditions(state)),
        Choice("order", "Order", "gain" if state.by_gain else "table", order),
        Toggle("hidden", "Hide the gains", state.hidden),
    ]
    beside = _toggles(state)
    return [
        Controls("ways", "What is compared", ways, heading, area="side", stage=2),
        Controls("beside", "Attributes side by side", beside, area="side", stage=2),
        Words("before", _before(state), area="side", stage=2),
        _bars(state),
        Words("verdict", _verdict(state), area="side", stage=3),
    ]


def _conditions(state: State) -> list[tuple[str, str]]:
    attributes = state.rows.table.attributes
    said = [(w, condition(attributes[w[0]], w[1])) for w in state.rows.conditions]
    return [(key_of(None), "all"), *((key_of(within), words) for within, words in said)]


def _toggles(state: State) -> list[Toggle]:
    names = [(i, label(state.rows.table.attributes[i].name)) for i in sorted(state.rows.offered)]
    return [Toggle(f"{WITH}{i}", name, i in state.shown) for i, name in names]


def _before(state: State) -> list[str]:
    rows = state.rows
    counts, classes = rows.comparison.counts, rows.table.classes
    target = label(rows.table.target.name)
    found = list(zip(counts, classes, strict=True))
    each = ", ".join(f"{n:,} {label(c, 12)}" for n, c in found[:_CLASSES])
    rest = len(classes) - _CLASSES
    more = f" … ({rest} more)" if rest > 0 else ""
    told = [f"{plural(sum(counts), 'row')}: {each}{more}", worked_entropy(f"H({target})", counts)]
    everything = len(rows.table.attributes)
    if everything > len(rows.offered):
        told.append(
            f"{len(rows.offered)} of {everything} attributes can be chosen here;"
            " attributes=[…] names others, and dt.compare(table) ranks all."
        )
    elif everything > MOST_SHOWN:
        told.append(f"At most {MOST_SHOWN} of {everything} attributes stand side by side.")
    return told


def _bars(state: State) -> Bars:
    target = label(state.rows.table.target.name)
    current = state.order.index(state.picked) if state.picked in state.order else None
    what = "not shown yet" if state.hidden else "the dark part is the gain, all of it H"
    return Bars(
        id="bars",
        label=f"Attributes side by side, {what}({target})",
        bars=[_bar(state, i) for i in state.order],
        pick=True,
        current=current,
        area="side",
        stage=2,
    )


def _bar(state: State, i: int) -> Bar:
    one, comparison = state.rows.compared[i], state.rows.comparison
    table = counted(comparison, one, hidden=state.hidden)
    if state.hidden:
        return Bar(one.question, 0.0, table=table)
    most = max(ticks(state.rows.compared[j]) for j in state.order)
    left = f"H({label(comparison.target.name)} | {one.attribute.name})"
    return Bar(
        name=one.question,
        share=one.gain / one.entropy if one.entropy else 0.0,
        value=f"gain {bits(one.gain)}",
        rest=f"{left} = {bits(one.conditional_entropy)}",
        best=ticks(one) == most > 0,
        detail=lines(comparison, one),
        table=table,
    )


def _verdict(state: State) -> list[str]:
    """What ID3 asks of these rows, and whether a better attribute is out of sight."""
    if state.hidden:
        return ["Which would you ask? Choose one: then its gain is seen beside the others'."]
    compared = state.rows.compared
    best, seen = max(compared.values(), key=ticks), [compared[i] for i in state.order]
    target, asks = label(state.rows.table.target.name), best.question
    if not ticks(best):
        return [f"No attribute here tells anything about {target} by itself: all gains are 0."]
    told = f"ID3 asks {asks} here: the largest gain is the smallest H({target} | X)."
    if sum(ticks(one) == ticks(best) for one in state.rows.comparison.ranked) > 1:
        told += " In this tie the earlier column wins."
    if ticks(best) > max(ticks(one) for one in seen):
        told += f" It is not among those shown; it gains {bits(best.gain)} bits."
    return [told, "Choose an attribute to see its branches on the curve, open it for its sums."]
