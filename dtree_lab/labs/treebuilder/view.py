"""What a tree builder shows, with as much of the tree and its table as a message has room for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from dtree_lab.base.text import bits, plural, value
from dtree_lab.criteria.classes import entropy
from dtree_lab.draw.measure import shortened, terminal_columns
from dtree_lab.grow.api import make_split
from dtree_lab.grow.recipe import Candidate
from dtree_lab.grow.textbook import weigh
from dtree_lab.labs.kit import actions as kit
from dtree_lab.labs.kit.actions import node_id
from dtree_lab.labs.kit.cards import MOST_CARDS
from dtree_lab.labs.kit.controls import Button, Menu, Toggle, unshown
from dtree_lab.labs.kit.inspecting import Followed
from dtree_lab.labs.kit.marks import TreeRows
from dtree_lab.labs.kit.parts import (
    CutSlider,
    Folded,
    Foot,
    Grid,
    Part,
    QuestionBar,
    QuestionList,
    Toolbar,
    TreeView,
    View,
)
from dtree_lab.labs.kit.planes import SHOWN, PlaneSight, axis_menus, plane_parts
from dtree_lab.labs.kit.taking import row_number, row_words
from dtree_lab.labs.treebuilder.model import RECIPES
from dtree_lab.labs.treebuilder.nodes import BuiltNode, present
from dtree_lab.labs.treebuilder.state import (
    ROOT,
    State,
    error_text,
    inspected,
    name_of,
    pair_of,
)
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.splits import ByValue, answer, question, threshold

MOST_VALUES = 12


def _offered(state: State, room: Room) -> tuple[list[QuestionBar], str]:
    """A bar for each attribute, by what each could gain, and what is said of those without room."""
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
    node, attribute = state.node, state.table.attributes[i]
    offer, best = node.offers[i], node.best
    bar = QuestionBar(
        i,
        attribute.name,
        attribute.name,
        chosen=node.split is not None and node.split.attribute == i,
        continuous=attribute.values is None,
    )
    if offer is None:
        return replace(bar, disabled="every row here has the same value")
    shown = _drafted(state, attribute, offer)
    asks = node.split if bar.chosen and attribute.values is None else None
    bar = replace(
        bar,
        name=_question(shown, attribute),
        other="" if asks in (None, shown.split) else answer(asks, attribute, 0),
        values=_values(state, attribute, shown),
        groups=_groups(state, attribute, shown, left.branches),
        cut=_axis(state, shown, left),
    )
    if state.hidden:
        return bar
    before = entropy(node.counts)
    # For being best the best cut of a continuous attribute counts, whichever is shown.
    rated = shown if isinstance(offer.split, ByValue) else offer
    return replace(
        bar,
        gain=bits(shown.gain),
        left=bits(shown.remaining),
        ratio=bits(shown.gain_ratio),
        share=round(min(shown.gain / before, 1.0), 4) if before else 0.0,
        best=best is not None and rated.settled_gain == best.settled_gain,
    )


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
        more = f"… {plural(hidden, 'more branch', 'more branches')}"
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


# Where texts stand that other people may have made long. Sentences may be so many times longer.
_NAMES = (
    *("name", "plain", "full", "label", "title", "tag"),
    *("under", "head", "heading", "rows", "asks"),
)
_SENTENCES = ("lines", "status", "problem", "where", "note", "more")
_TIMES, _END = 6, 4


@dataclass(frozen=True)
class Room:
    """At most so much of each."""

    cards: int = MOST_CARDS  # of the tree; another tree beside it has half as many
    bars: int = 30  # attributes with a bar
    # Branches that all bars open into, and marks on their axes, together.
    branches: int = 200
    marks: int = 700
    # Rows of the selected node, and attributes of theirs.
    rows: int = 24
    columns: int = 12
    text: int | None = None  # columns of a name or value; None leaves all as they are
    ways: bool = True  # whether a row's way is unfolded in another tree too
    dots: int = 600  # rows in the plane


ROOMS = (
    Room(),
    Room(cards=32, rows=20, dots=300),
    Room(30, 20, 120, 700, 20, 10, 120, dots=300),
    Room(20, 12, 60, 400, 12, 8, 48, dots=150),
    Room(12, 8, 24, 150, 8, 5, 20, ways=False, dots=150),
    Room(8, 5, 12, 60, 4, 3, 12, ways=False, dots=60),
    Room(6, 4, 8, 30, 3, 3, 10, ways=False, dots=30),
)


@dataclass(frozen=True)
class FittedView(View):
    """A view whose names and values are cut in the browser to so many columns; by None, to none."""

    columns: int | None = None

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return self._fitted

    @cached_property
    def _fitted(self) -> dict[str, Any]:
        told, most = super().json(), self.columns
        if most is None:
            return told
        limits = {**dict.fromkeys(_NAMES, most), **dict.fromkeys(_SENTENCES, most * _TIMES)}
        fitted: dict[str, Any] = _cut(told, None, limits)
        return fitted


def fitted(make: Callable[[Room], FittedView]) -> FittedView:
    """What is made with the most room that a message has."""
    for room in ROOMS:
        view = make(room)
        if view.fits:
            break
    return view


def _cut(whole: Any, most: int | None, limits: Mapping[str, int]) -> Any:
    """The same with long texts cut; what stands under no key of a text is left as it is."""
    match whole:
        case {"kind": "toolbar" | "button"}:
            return whole  # these are the lab's own words
        case str() if most is not None and terminal_columns(whole) > most:
            # Long names often differ at their ends, so these stay.
            return shortened(whole, most - _END) + whole[-_END:]
        case list():
            return [_cut(one, most, limits) for one in whole]
        case dict():
            return {key: _cut(one, limits.get(key), limits) for key, one in whole.items()}
    return whole


FOLLOW, COMPARE = "Follow rows through the tree", "Compare with another tree"
HERE = "Rows at this node"
ASK = "Choose a node of the tree, then what to ask there."
HINT = "Arrow keys walk the tree, Enter leads to the questions of a node, Escape back to the tree."
KEYS = {"ctrl+z": "undo", "shift+ctrl+z": "redo", "ctrl+y": "redo", "delete": "cut"}


def view(state: State) -> FittedView:
    """What is shown, with as much of the tree and its table as a message has room for."""
    inspection = inspected(state)
    return fitted(lambda room: _view(state, inspection, room))


def _view(state: State, inspection: Followed, room: Room) -> FittedView:
    return FittedView(
        "Grow a tree by hand",
        [
            _tools(state),
            *_trees(state, inspection, room),
            _questions(state, room),
            _rows(state, room),
        ],
        target=state.table.target,
        verdict=state.verdict,
        status=state.status,
        result=ASK,
        asks=True,
        columns=room.text,
        rows=row_words(state.table) if room.ways else None,
    )


def _trees(state: State, inspection: Followed, room: Room) -> list[Part]:
    """The tree, what is said of it, and the parts that it is inspected by."""
    tree, parts = state.root.tree, inspection.parts
    compares = any(isinstance(part, TreeView) for part in parts)
    leaves = plural(tree.n_leaves, "leaf", "leaves")
    size = f"{plural(tree.n_nodes, 'node')}, {leaves}, depth {tree.depth}"
    return [
        TreeView(
            kit.TREE,
            tree,
            state.selected,
            tags=inspection.tags,
            lit=inspection.lit,
            most=room.cards * 2 // 3 if compares else room.cards,
            table=state.table,
            rows=TreeRows.of(tree, state.table, state.validation),
            label=f"Decision tree, {size}",
            main=True,
            area="hero",
        ),
        *_plane(state, room.dots, room.bars),
        Foot("foot", f"{_errors(state)} · {size}", HINT, area="act"),
        *(_put(_fitted(part, state, room)) for part in parts),
    ]


def _fitted(part: Part, state: State, room: Room) -> Part:
    """What the tree is inspected by; the tree that it is compared with has cards for half."""
    if not isinstance(part, TreeView):
        return part
    way, lying = part.lit, TreeRows.of(part.tree, state.table, state.validation)
    return replace(part, most=room.cards // 2, lit=way if room.ways else None, rows=lying)


@lru_cache(maxsize=2)
def _plane(state: State, most: int, offered: int) -> list[Part]:
    """The plane with so many rows, and menus of so many attributes, at most: a message holds it."""
    pair = pair_of(state)
    if pair is None or not state.inspection.plane:
        return []
    trying = [
        (state.table.index(name), float(how))
        for (at, name), how in state.drafts.items()
        if at == state.selected and state.node.split is None and isinstance(how, float)
    ]
    sight = PlaneSight(state.selected, trying, most)
    shown = plane_parts(state.root.tree, state.table, pair, sight, state.validation)
    return [*axis_menus(state.table, pair, offered), *shown]


def _put(part: Part) -> Part:
    """What the tree is inspected by lies in drawers; what was left out is said above it."""
    if isinstance(part, Folded):
        return part
    compares = part.id.startswith("compare")
    return replace(part, area="main", drawer=COMPARE if compares else FOLLOW)


def _errors(state: State) -> str:
    told = f"Training error: {error_text(state.root)}"
    if state.validation is None:
        return told
    wrong = _wrong(state.root, state.validation)
    return f"{told} · Validation error: {wrong:,} of {plural(len(state.validation), 'row')} wrong"


@lru_cache(maxsize=4)
def _wrong(root: BuiltNode, rows: Table) -> int:
    """How many rows a tree gets wrong; to look at another node changes nothing in it."""
    return round(root.tree.error(rows) * len(rows))


def _tools(state: State) -> Toolbar:
    node, at = state.node, state.selected
    locked = state.lock_on(at) is not None
    free = not locked and state.lock_below(at) is None
    open_ = not node.pure and node.best is not None
    lockable = at in state.locked or not locked
    growable = state.root.growable(state.locked)
    return Toolbar(
        "tools",
        "Tools",
        [
            Button("undo", "Undo", enabled=bool(state.past)),
            Button("redo", "Redo", enabled=bool(state.undone)),
            Button("best", "Best split here", enabled=free and open_ and not state.hidden),
            Button("cut", "Cut back to a leaf", enabled=free and node.split is not None),
            Button("lock", "Unlock" if locked else "Lock", enabled=lockable),
            Menu(
                "finish", "Finish with", list(RECIPES), "Algorithm to finish with", enabled=growable
            ),
            Button("reset", "Start over", enabled=bool(state.steps)),
            *([] if pair_of(state) is None else [Toggle(SHOWN, "Plane", state.inspection.plane)]),
        ],
        keys=KEYS,
    )


def _questions(state: State, room: Room) -> QuestionList:
    node, at, n = state.node, state.selected, len(state.node.rows)
    bars, more = _offered(state, room)
    where = name_of(state, at) if at != ROOT else "All rows"
    hidden = "Choose first: the gains are shown after your choice." if state.hidden else ""
    rows = "row" if n == 1 else "rows"
    return QuestionList(
        kit.QUESTIONS,
        "What to ask at this node",
        bars,
        about=node_id(at),
        where=f"{where}: {n} {rows}, H(Y) = {bits(entropy(node.counts))} bits",
        note=_note(state) or hidden,
        rows=n,
        hidden=state.hidden,
        locked=state.lock_on(at) is not None,
        more=more,
        area="side",
    )


def _note(state: State) -> str | None:
    node, locked = state.node, state.lock_on(state.selected)
    if locked == state.selected:
        return "This node is locked: unlock it to change it."
    if locked is not None:
        return "A node above is locked, so this one stays as it is."
    if state.lock_below(state.selected) is not None:
        return "A node below is locked: unlock it to change this one."
    if node.pure:
        return "All rows here have one class: nothing is left to ask."
    if node.best is None:
        return "These rows are alike in every attribute: no question parts them."
    return None


def _rows(state: State, room: Room) -> Grid:
    node = state.node
    part = node.part.take(np.arange(min(len(node.rows), room.rows)))
    names = [*part.names[: room.columns], part.target.name]
    columns = [[value(v) for v in part.column(name)] for name in names]
    numbers = [str(row_number(node.table, row)) for row in node.rows[: room.rows].tolist()]
    left = len(node.rows) - len(part), len(part.names) - len(names) + 1
    more = unshown(left, ("more row", "more attribute"))
    return Grid(
        "node-rows",
        "Rows at this node",
        ["", *names],
        [list(row) for row in zip(numbers, *columns, strict=True)],
        classes=len(names),
        more=f"… {' and '.join(more)}" if more else "",
        sticky=True,
        about=node_id(state.selected),
        keys=node.rows[: room.rows].tolist(),
        drawer=HERE,
    )
