"""What the entropy lab shows: the curve, and attributes side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from typing import Literal, TypeAlias

import numpy as np

from dtree_lab.base.text import bits, number, plural
from dtree_lab.criteria.classes import entropy
from dtree_lab.draw.chart import Axis, Dots, Layer, Line, Note, Plot, Point, Rule, figure
from dtree_lab.grow.compare import (
    Compared,
    Comparison,
    entropy_terms,
    entropy_text,
    equal_sign,
    whole_question,
)
from dtree_lab.labs.entropy.model import MOST_SHOWN, SETTINGS, WITH, State, ticks
from dtree_lab.labs.kit.controls import Button, Control, Field, Toggle, label
from dtree_lab.labs.kit.parts import (
    BarItem,
    Bars,
    Controls,
    Part,
    Picture,
    View,
    Words,
    legend_target,
)
from dtree_lab.labs.kit.taking import notes
from dtree_lab.tree.splits import answer, reason

Anchor: TypeAlias = Literal["start", "middle", "end"]

_TICKS = tuple((i / 4, text) for i, text in enumerate(["0", "0.25", "0.5", "0.75", "1"]))
_CURVE = [(i / 100, entropy([i, 100 - i])) for i in range(101)]
# Points nearer than this share a name.
_NEAR = 0.03
# So near to the ends or the middle, a name stands elsewhere than on its side of the curve.
_EDGE = 0.12


def height(p: float) -> float:
    """H(p) in bits, of two classes with the probabilities p and 1 - p."""
    return entropy([p, 1 - p])


def rounded(p: float) -> str:
    """A probability with four decimals at most."""
    return number(round(p, 4))


def entropy_worked(p: float) -> list[str]:
    """H(p) worked out line by line."""
    a, b, h = rounded(p), rounded(1 - p), bits(height(p))
    first = f"H({a}) = -{a}·log2({a}) - {b}·log2({b})"
    if p in (0, 1):
        return [first, "0·log2(0) counts as 0, and log2(1) is 0", f"H({a}) = 0.000 bits"]
    costs = -log2(p), -log2(1 - p)
    parts = [bits(p * costs[0]), bits((1 - p) * costs[1])]
    sign = "=" if bits(sum(map(float, parts))) == h else "≈"
    return [
        first,
        f"= {a}·{bits(costs[0])} + {b}·{bits(costs[1])}",
        f"= {' + '.join(parts)} {sign} {h} bits",
    ]


def meaning(p: float) -> str:
    """What the number says."""
    likely = max(p, 1 - p)
    if likely == 1:
        return "The label is certain: nothing is left to ask."
    if likely == 0.5:  # noqa: PLR2004 - a fair coin
        return "One bit, the most that two classes can have: as uncertain as a fair coin."
    return f"Less than one bit: guessing the likelier class is right in {likely:.1%} of cases."


# -- the figure ------------------------------------------------------------------------------------


def _picture(state: State) -> Picture:
    """The curve with the point p, and the branches of the attribute that is picked."""
    p, h = state.p, height(state.p)
    one = branching(state)
    layers: list[Layer] = [Line(_CURVE), Rule(p, name=f"H({rounded(p)}) = {bits(h)}", accent=True)]
    if one is not None:
        layers += _layers(state, one)
    layers.append(Line([(p, h)], dots=True))
    title = f"The entropy of two classes against p: H({rounded(p)}) is {bits(h)} bits"
    y = Axis("H(p) in bits", 0, 1.25, _TICKS)
    plot = Plot(title, Axis(_meant(state), 0, 1, _TICKS), y, layers, 480, 320)
    said, told = f"p = {rounded(p)}, H(p) = {bits(h)} bits", _text(state)
    return Picture(
        id="curve",
        figure=figure(plot),
        area="hero",
        slider=SETTINGS.control(state, "p", words=said),
        text=[
            f"{title}.",
            "It is 0 at p = 0 and at p = 1, and 1 bit, the most, at p = 0.5.",
            *told,
        ],
    )


def _meant(state: State) -> str:
    """What p is: for a target of two classes, the share of the second."""
    target = state.rows.table.target
    if state.rows.share is None:
        return "p, the probability of one class"
    return f"p, the share of {label(target.name)} = {label((target.values or ())[1])}"


def branching(state: State) -> Compared | None:
    """The picked attribute, if it parts rows of two classes."""
    if state.picked is None or state.rows.share is None:
        return None
    one = state.rows.compared[state.picked]
    return one if one.candidate else None


@dataclass(frozen=True)
class _Branch:
    """A branch's answer and rows of each class, and its point: the second class's share, and H."""

    name: str
    counts: list[int]
    point: Point


def _drawn(compared: Compared) -> list[_Branch]:
    """The branches of an attribute, or the largest of them, in their order."""
    if compared.candidate is None:
        return []
    found = compared.candidate.counts
    largest = np.argsort(-found.sum(axis=1), kind="stable")[:MOST_BRANCHES]
    return [
        _Branch(
            answer(compared.candidate.split, compared.attribute, i),
            counts,
            (counts[1] / sum(counts), entropy(counts)),
        )
        for i, counts in ((int(i), found[i].tolist()) for i in np.sort(largest))
    ]


def _layers(state: State, compared: Compared) -> list[Layer]:
    """The branches on the curve; their weighted mean lies beneath it by the gain."""
    branches, share = _drawn(compared), state.rows.share or 0.0
    mean, top = (share, compared.conditional_entropy), (share, compared.entropy)
    points = [branch.point for branch in branches]
    marks = Dots(points, [int(b.counts[1] > b.counts[0]) for b in branches], size=6)
    # What two branches' weighted mean can be lies on the line between them.
    middle = (mean[1] + top[1]) / 2
    gain = Note(share + 0.02, middle - 0.02, f"gain {bits(compared.gain)}", "start", strong=True)
    return [
        Line(sorted(set(points)), dash="long"),
        Line([mean, top], hue=4),
        Line([mean], dots=True),
        marks,
        *_names(branches),
        gain,
    ]


def _names(branches: list[_Branch]) -> list[Note]:
    """The answers beside their points, those at one place together."""
    places: list[tuple[Point, list[str]]] = []
    for branch in branches:
        at, name = branch.point, branch.name
        near = next((names for p, names in places if abs(p[0] - at[0]) < _NEAR), None)
        if near is None:
            places.append((at, [name]))
        else:
            near.append(name)
    return [_name(at, names) for at, names in places]


def _name(at: Point, names: list[str]) -> Note:
    """Outside the curve, where the lines between the points are not."""
    more = f" and {len(names) - 2} more" if len(names) > 2 else ""  # noqa: PLR2004
    text = ", ".join(names[:2]) + more
    x, y = at
    if min(x, 1 - x) < _EDGE:  # no room outside
        inside: tuple[float, Anchor] = (x + 0.035, "start") if x < _EDGE else (x - 0.035, "end")
        return Note(inside[0], y + 0.03 if y < 2 * _EDGE else y - 0.1, text, inside[1])
    side: Anchor = "middle" if abs(x - 0.5) < _EDGE else "end" if x < 0.5 else "start"  # noqa: PLR2004
    return Note(x, y + 0.06, text, side)


def _text(state: State) -> list[str]:
    """The branches of the picked attribute as lines, and what they have to do with the gain."""
    one = branching(state)
    if one is None or one.candidate is None:
        return []
    told = []
    for branch in _drawn(one):
        rows, (share, h) = plural(sum(branch.counts), "row"), branch.point
        told.append(f"{branch.name}: {rows}, p = {rounded(share)}, H = {bits(h)} bits")
    all_ = one.candidate.split.n_branches
    which = "branches" if all_ <= MOST_BRANCHES else f"{MOST_BRANCHES} largest of {all_:,} branches"
    left, before = bits(one.conditional_entropy), bits(one.entropy)
    told.append(
        f"The {which} of {one.question} lie on the curve. The weighted mean of all,"
        f" {left} bits, lies beneath the rows' {before}; the gap, {bits(one.gain)}, is the gain."
    )
    return told


# -- the arithmetic --------------------------------------------------------------------------------

# Beyond these, branches and classes are taken together, and logarithms are not written out.
MOST_BRANCHES, MOST_CLASSES = 8, 6


def worked_entropy(name: str, counts: Sequence[int]) -> str:
    """An entropy on one line; with many classes, without each of its logarithms."""
    found = entropy_terms(counts)
    if len(found) <= MOST_CLASSES:
        return entropy_text(name, counts)
    n = sum(counts)
    return f"{name} = Σ n/{n}·log2({n}/n) over {len(found)} classes = {bits(entropy(counts))} bits"


def _counted(
    comparison: Comparison, compared: Compared, *, hidden: bool
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """A head and rows: how often each class comes in each branch, and the entropy there."""
    classes = comparison.target.values or ()
    shown = [label(c, 12) for c in classes[:MOST_CLASSES]]
    more = len(classes) > MOST_CLASSES
    shown += [f"{len(classes) - MOST_CLASSES} others"] if more else []
    head = ["", *shown, "rows", "H in bits"]
    every = [*_branches(compared), ("all", comparison.counts, bits(comparison.entropy))]
    rows = [
        [name, *_classes(counts, more=more), f"{sum(counts):,}", left]
        for name, counts, left in every
    ]
    return (head[:-1], [row[:-1] for row in rows]) if hidden else (head, rows)


def _branches(compared: Compared) -> list[tuple[str, Sequence[int], str]]:
    """Each branch's answer, rows of each class and entropy; beyond the most, all in one line."""
    if compared.candidate is None:
        return []
    found, split = compared.candidate.counts, compared.candidate.split
    told = [
        (answer(split, compared.attribute, i), counts, bits(entropy(counts)))
        for i, counts in enumerate(found[:MOST_BRANCHES].tolist())
    ]
    rest = found[MOST_BRANCHES:]
    if len(rest):
        told.append((plural(len(rest), "more value"), rest.sum(axis=0).tolist(), "…"))
    return told


def _classes(counts: Sequence[int], *, more: bool) -> list[str]:
    named = [f"{n:,}" for n in counts[:MOST_CLASSES]]
    return [*named, *([f"{sum(counts[MOST_CLASSES:]):,}"] if more else [])]


def _lines(comparison: Comparison, compared: Compared) -> list[str]:
    """H(Y|X=x) of each branch, H(Y|X) as their weighted mean, and the gain."""
    target = label(comparison.target.name)
    if compared.candidate is None:
        return [f"Every row here has the same {compared.attribute.name}: asking changes nothing."]
    split, total = compared.candidate.split, sum(comparison.counts)
    found = compared.candidate.counts
    told, weights = [], []
    for branch, counts in enumerate(found[:MOST_BRANCHES].tolist()):
        why = reason(split, compared.attribute, branch)
        told.append(worked_entropy(f"H({target} | {why})", counts))
        weights.append(f"{sum(counts)}/{total}·{bits(entropy(counts))}")
    if len(found) > MOST_BRANCHES:
        rest = len(found) - MOST_BRANCHES
        told.append(f"… and so on for {plural(rest, 'more value')}")
        weights.append("…")
    left = f"H({target} | {whole_question(compared)})"
    told.append(f"{left} = {' + '.join(weights)} = {bits(compared.conditional_entropy)} bits")
    difference = f"{bits(compared.entropy)} - {bits(compared.conditional_entropy)}"
    gain = f"{difference} {equal_sign(compared)} {bits(compared.gain)} bits"
    return [*told, f"gain = H({target}) - {left} = {gain}"]


_CLASSES = 8
_SUMS, _COMPARED = "The arithmetic", "What is compared"


def view(state: State) -> View:
    """Everything that is shown."""
    table = state.rows.table
    return View(
        title="Entropy and conditional entropy",
        parts=[*notes(table), *_curve(state), *_comparison(state)],
        target=legend_target(table.target),
        status=state.status,
        result=f"H({rounded(state.p)}) = {bits(height(state.p))} bits. {meaning(state.p)}",
    )


def _curve(state: State) -> list[Part]:
    shown = rounded(state.p) if state.typed is None else state.typed
    field = Field("typed", "Type p", shown, wrong=state.wrong)
    controls: list[Control] = [field]
    if state.rows.share is not None:
        controls.append(Button("share", "Set p to the share of the rows"))
    controls.append(SETTINGS.control(state, "hidden"))
    note = _text(state)
    parts: list[Part] = [
        _picture(state),
        Controls(id="point", label="The point on the curve", controls=controls, area="act"),
        Words(
            id="worked", lines=[*entropy_worked(state.p), meaning(state.p)], drawer=_SUMS, stage=1
        ),
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
    ways = [SETTINGS.control(state, name) for name in ("within", "by_gain")]
    names = [(i, label(state.rows.table.attributes[i].name)) for i in sorted(state.rows.offered)]
    beside = [Toggle(f"{WITH}{i}", name, i in state.shown) for i, name in names]
    return [
        _bars(state),
        Words("verdict", _verdict(state), area="side", stage=3, hint=_hint(state)),
        Controls("ways", "What is compared", ways, drawer=_COMPARED, stage=2),
        Controls("beside", "Attributes side by side", beside, drawer=_COMPARED, stage=2),
        Words("before", _before(state), drawer=_SUMS, stage=2),
    ]


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
        heading=f"Which attribute leaves the least entropy of {target}?",
        bars=[_bar(state, i) for i in state.order],
        pick=True,
        current=current,
        area="side",
        stage=2,
    )


def _bar(state: State, i: int) -> BarItem:
    one, comparison = state.rows.compared[i], state.rows.comparison
    table = _counted(comparison, one, hidden=state.hidden)
    if state.hidden:
        return BarItem(one.question, 0.0, table=table)
    most = max(ticks(state.rows.compared[j]) for j in state.order)
    left = f"H({label(comparison.target.name)} | {one.attribute.name})"
    return BarItem(
        name=one.question,
        share=one.gain / one.entropy if one.entropy else 0.0,
        value=f"gain {bits(one.gain)}",
        rest=f"{left} = {bits(one.conditional_entropy)}",
        best=ticks(one) == most > 0,
        detail=_lines(comparison, one),
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
    return [told]


def _hint(state: State) -> str:
    if state.hidden or not any(ticks(one) for one in state.rows.compared.values()):
        return ""
    return "Choose an attribute to see its branches on the curve, open it for its sums."
