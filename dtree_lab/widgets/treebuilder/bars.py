"""What each attribute would gain at the selected node: bars, with their branches and axes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dtree_lab.criteria import entropy
from dtree_lab.learn.api import make_split
from dtree_lab.learn.candidates import Candidate, weigh
from dtree_lab.shown import bits, plural, value
from dtree_lab.splits import ByValue, answer, question, threshold
from dtree_lab.widgets.kit.parts import CutSlider, QuestionBar
from dtree_lab.widgets.treebuilder.grown import present

if TYPE_CHECKING:
    from dtree_lab.table import Attribute
    from dtree_lab.widgets.treebuilder.room import Room
    from dtree_lab.widgets.treebuilder.state import State

MOST_VALUES = 12


def offered(state: State, room: Room) -> tuple[list[QuestionBar], str]:
    """A bar for each attribute, and what is said of those for which there is no room.

    They are ranked by what each could gain, so that a bar stays put while its cut moves; where
    gains are hidden, they stand as in the table.
    """
    node, names = state.node, state.table.names
    if node.pure:
        return [], ""
    order = list(range(len(names)))
    if not state.hidden:
        order.sort(key=lambda i: -offer.settled_gain if (offer := node.offers[i]) else 0)
    tried = {name for at, name in state.drafts if at == state.selected}
    asked = -1 if node.split is None else node.split.attribute
    listed = [i for n, i in enumerate(order) if n < room.bars or i == asked or names[i] in tried]
    left = _Left(room, sum(state.table.attributes[i].values is not None for i in listed))
    bars = [_offer(state, i, left) for i in listed]
    more = plural(len(order) - len(listed), "more attribute")
    told = "cannot be chosen here" if state.hidden else "gain no more than these"
    return bars, f"… {more} {told}" if len(order) > len(listed) else ""


class _Left:
    """What is left of the room for branches and marks."""

    def __init__(self, room: Room, discrete: int) -> None:
        self.branches = max(room.branches // max(discrete, 1), 4)
        self.marks = room.marks

    def take(self, marks: list[list[float]]) -> list[list[float]]:
        """The marks of an axis, if there is room for them."""
        taken = marks if len(marks) <= self.marks else []
        self.marks -= len(taken)
        return taken


def _offer(state: State, i: int, left: _Left) -> QuestionBar:
    """The bar of an attribute."""
    node, attribute = state.node, state.table.attributes[i]
    offer, best = node.offers[i], node.best
    if offer is None:
        why = "every row here has the same value"
        return replace(_bar(state, i, None, left), disabled=why)
    shown = _drafted(state, attribute, offer)
    bar = _bar(state, i, shown, left)
    if state.hidden:
        return bar
    before = entropy(node.counts)
    return replace(
        bar,
        gain=bits(shown.gain),
        left=bits(shown.remaining),
        ratio=bits(shown.gain_ratio),
        share=round(min(shown.gain / before, 1.0), 4) if before else 0.0,
        best=best is not None and _gain(offer, shown) == best.settled_gain,
    )


def _gain(offer: Candidate, shown: Candidate) -> int:
    """What counts for being best: of a continuous attribute its best cut, else what is shown."""
    return shown.settled_gain if isinstance(offer.split, ByValue) else offer.settled_gain


def _drafted(state: State, attribute: Attribute, offer: Candidate) -> Candidate:
    """The attribute's split with the cut or groups that are being tried, if there are any."""
    if attribute.values is not None:
        groups = state.drafts.get((state.selected, attribute.name))
        if groups is None:
            return offer
        return weigh(state.node.part, make_split(state.node.part, (attribute.name, groups)))
    cut = _current_cut(state, attribute, offer)
    return weigh(state.node.part, threshold(offer.split.attribute, cut))


def _current_cut(state: State, attribute: Attribute, offer: Candidate) -> float:
    draft = state.drafts.get((state.selected, attribute.name))
    if draft is not None:
        return float(draft)
    axis = state.node.axes[offer.split.attribute]
    if state.hidden and axis and axis.middle is not None:  # the best would give the answer away
        return axis.middle
    return float(offer.split.cuts[0]) if hasattr(offer.split, "cuts") else 0.0


def _bar(state: State, i: int, shown: Candidate | None, left: _Left) -> QuestionBar:
    node, attribute = state.node, state.table.attributes[i]
    bar = QuestionBar(
        i,
        attribute.name,
        attribute.name,
        chosen=node.split is not None and node.split.attribute == i,
        continuous=attribute.values is None,
    )
    if shown is None:
        return bar
    return replace(
        bar,
        name=_question(shown, attribute),
        values=_values(state, attribute, shown),
        groups=_groups(state, attribute, shown, left.branches),
        cut=_axis(state, shown, left),
    )


def _question(shown: Candidate, attribute: Attribute) -> str:
    """A question as it is asked; where values are taken together, with its branches."""
    asks = question(shown.split, attribute)
    if isinstance(shown.split, ByValue) and any(len(group) > 1 for group in shown.split.groups):
        branches = (answer(shown.split, attribute, i) for i in range(shown.split.n_branches))
        return f"{asks}: {' / '.join(branches)}"
    return asks


def _values(state: State, attribute: Attribute, shown: Candidate) -> list[dict[str, Any]] | None:
    """Which branch each value takes, where there are values to take together."""
    if not isinstance(shown.split, ByValue):
        return None
    here = present(state.node, attribute.name)
    if not 2 < len(here) <= MOST_VALUES:  # noqa: PLR2004 - two values make two branches
        return None
    routes = shown.split.routes(attribute.n_values)
    return [{"label": value(v), "branch": int(routes[attribute.code(v)])} for v in here]


def _groups(
    state: State, attribute: Attribute, shown: Candidate, most: int
) -> list[dict[str, Any]]:
    """The branches; where there are many, the last stands for those that are not told."""
    groups = []
    every = shown.counts.tolist()
    few = every if len(every) <= most else every[: most - 1]
    for branch, counts in enumerate(few):
        left = "" if state.hidden or not sum(counts) else bits(entropy(counts))
        label = answer(shown.split, attribute, branch)
        groups.append({"label": label, "rows": sum(counts), "counts": counts, "entropy": left})
    if hidden := len(every) - len(few):
        rest = shown.counts[len(few) :].sum(axis=0).tolist()
        more = f"… {plural(hidden, 'more branch').replace('branchs', 'branches')}"
        groups.append({"label": more, "rows": sum(rest), "counts": rest, "entropy": ""})
    return groups


def _axis(state: State, shown: Candidate, left: _Left) -> CutSlider | None:
    i = shown.split.attribute
    axis, offer = state.node.axes[i], state.node.offers[i]
    if axis is None:
        return None
    cut = shown.split.cuts[0] if hasattr(shown.split, "cuts") else 0.0
    best = None if state.hidden or offer is None else offer.split.cuts[0]  # type: ignore[union-attr]
    return CutSlider(axis.low, axis.high, float(cut), best, left.take(axis.points))
