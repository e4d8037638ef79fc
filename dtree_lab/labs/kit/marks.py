"""Marks in the picture of a tree: of a large tree each node, seen from far away; and rows.

Cards of thousands of nodes would fill no message. From afar a node is a mark: where it stands, how
many rows it has, which class most of them are of and how mixed they are, and what it asks, where
that has room. So each node takes some ten characters. The nodes stand as if each had a card of the
common width, so that they keep their places whichever of them are near.

Each row is one mark, at the node where it stops. Of many rows a mark is a grain that stands for
some of them. Grains are counted off along the leaves, class by class: each leaf has as many as its
rows are worth, and a question that is asked of a leaf only parts the grains that lay there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import ceil, sqrt
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from dtree_lab.draw.card import LEAD, PAD, STRIP, TIE, UNDER, NodeCard, card_height, mix
from dtree_lab.draw.layout import GAPS, MARGIN, ROOM, centres
from dtree_lab.draw.measure import shortened, terminal_columns, width
from dtree_lab.draw.style import DETAIL, TITLE
from dtree_lab.draw.words import NodeText, class_name, isolated
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.subtrees import path_to, summed_up
from dtree_lab.tree.tree import Branch, Node, Path, Tree, flatten, majority, walk

# -- nodes -----------------------------------------------------------------------------------------

# So many questions are told in words, each in at most so many columns.
MOST_ASKS, _COLUMNS = 240, 24
# How mixed a node is, as a digit: 0 for a tie, 9 for a pure one, else by the share of its class.
_PURE = 9
# Titles have at most two lines.
LEVEL = card_height(2)


@dataclass(frozen=True, eq=False)
class FarTree:
    """All nodes of a subtree, breadth first, and where they stand."""

    nodes: Sequence[Node]
    flat: Flat  # the same as arrays
    x: Sequence[float]  # the middle of each node
    # Of the whole, and the room for a question and for a leaf.
    width: float
    ask: float
    leaf: float

    @cached_property
    def below(self) -> list[int]:
        """How many nodes each subtree has beside its root."""
        return [n - 1 for n in summed_up(self.flat, np.ones(self.flat.n_nodes, int)).tolist()]

    @cached_property
    def rows(self) -> list[int]:
        """How many rows each node has."""
        return [sum(node.counts) for node in self.nodes]

    def children(self, i: int) -> range:
        """The numbers of a node's children."""
        first = int(self.flat.first[i])
        return range(first, first + int(self.flat.width[i]))

    def largest(self, most: int) -> list[int]:
        """About so many nodes, those with the most rows, each with its parent and siblings."""
        told, waiting = [0], [(-self.rows[0], 0)]
        while waiting:
            below = self.children(heappop(waiting)[1])
            if len(told) + len(below) > most:
                continue
            told.extend(below)
            for child in below:
                heappush(waiting, (-self.rows[child], child))
        return sorted(told)


class _Same:
    """A thing that is equal to itself only, for a cache: to compare trees would take long."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.thing is other.thing

    def __hash__(self) -> int:
        return id(self.thing)


def far_tree(tree: Tree, root: Node) -> FarTree:
    """All nodes of a subtree and their places; those of the same one are worked out once."""
    return _far_tree(_Same(tree), _Same(root))


@lru_cache(maxsize=8)
def _far_tree(of: _Same, top: _Same) -> FarTree:
    tree: Tree = of.thing
    flat = tree.flat if top.thing is tree.root else flatten(top.thing, tree.attributes)
    nodes = [node for _, node in walk(top.thing)]
    rows = sum(top.thing.counts)
    leaf = _leaf(tree.target, rows)
    # The widest card of a question.
    ask = 2 * PAD + max(ROOM, width(f"{rows:,} rows · {len(nodes):,} nodes below", DETAIL))
    wide = flat.width.tolist()
    children = [range(a, a + n) for a, n in zip(flat.first.tolist(), wide, strict=True)]
    halves = [(ask if n else leaf) / 2 for n in wide]
    xs = [x + MARGIN for x in centres(children, halves, GAPS)]
    end = max(x + half for x, half in zip(xs, halves, strict=True)) + MARGIN
    return FarTree(nodes, flat, xs, end, ask, leaf)


def _leaf(target: Attribute, rows: int) -> float:
    """The width of the widest card of a leaf."""
    names = [class_name(target, k) for k in range(min(len(target.values or ()), 40))]
    said = [width(f"{target.name} = {name}", TITLE, bold=True) for name in names]
    titles = min(max(said, default=0.0), ROOM) + LEAD + TIE
    return 2 * PAD + max(titles, width(f"{rows:,} rows · 0.000 bits", DETAIL))


def for_browser(tree: Tree, whole: FarTree, most: int) -> dict[str, Any]:
    """What the browser hears of a large tree, breadth first; it is the same wherever one looks.

    ``kids`` are the numbers of children that are told, below 0 how many nodes are not; ``x`` is how
    far each node stands from the one before; ``pure`` a digit for each; ``asks`` the place in
    ``words`` of what a node asks, in halves, -1 if it is not told; ``slots`` the room of a question
    and of a leaf; ``high`` how high a node is.
    """
    return _for_browser(_Same(tree), _Same(whole), most)


@lru_cache(maxsize=8)
def _for_browser(of: _Same, all_of_it: _Same, most: int) -> dict[str, Any]:
    tree: Tree = of.thing
    whole: FarTree = all_of_it.thing
    order = whole.largest(most)
    known = set(order)
    kids, asks = [], []
    telling = NodeText(tree.attributes, tree.target, None, tree.criterion)
    words: dict[tuple[str, ...], int] = {}
    for i in order:
        node, below = whole.nodes[i], whole.children(i)
        kids.append(len(below) if below and below[0] in known else -whole.below[i])
        ask = -1
        if isinstance(node, Branch) and len(words) < MOST_ASKS:
            ask = words.setdefault(_short(*telling.headline(node)), len(words))
        asks.append(ask)
    xs = [round(whole.x[i]) for i in order]
    nodes = [whole.nodes[i] for i in order]
    return {
        "kids": kids,
        "x": [xs[0], *(b - a for a, b in pairwise(xs))],
        "rows": [whole.rows[i] for i in order],
        "cls": [majority(node.counts) for node in nodes] if tree.target.values else [],
        "pure": "".join(str(_purity(node.counts)) for node in nodes),
        "asks": asks,
        "words": list(map(list, words)),
        "slots": [round(whole.ask, 1), round(whole.leaf, 1)],
        "high": card_height(1),
    }


def _short(name: str, condition: str) -> tuple[str, ...]:
    """The halves of a question, with the name cut to what the condition leaves of the columns."""
    if not condition:
        return (isolated(shortened(name, _COLUMNS)),)
    room = max(_COLUMNS - terminal_columns(condition) - 1, _COLUMNS // 3)
    return (isolated(shortened(name, room)), condition)


def _purity(counts: Sequence[int]) -> int:
    match mix(counts):
        case "pure":
            return _PURE
        case "tie":
            return 0
    share = max(counts, default=0) / max(sum(counts), 1)
    return min(max(round(share * _PURE), 1), _PURE - 1)


# -- rows ------------------------------------------------------------------------------------------

MOST_MARKS = 600


@dataclass(frozen=True, eq=False)
class TreeRows:
    """Which marks rest where."""

    places: Sequence[Path]  # the nodes where some rest
    # The place of each mark, by its position in `places`; -1 for one that is not in the picture.
    # Where each row has a mark these stand in the order of the rows: first those of the lab's
    # table, then those of a second one.
    at: NDArray[np.intp]
    classes: NDArray[np.intp]  # the class of each, -1 for one that the tree does not know
    second: int = 0  # how many of them, the last, are of the second table, such as test rows
    each: int = 1  # how many rows a mark stands for

    @classmethod
    def of(cls, tree: Tree, table: Table, second: Table | None = None) -> TreeRows:
        """The rows of a table in a tree, and those of a second one; kept, for trees are walked."""
        return _of(_Same(tree), _Same(table), _Same(second))

    def below(self, top: Path) -> TreeRows:
        """The marks in the piece of the tree that begins at a node."""
        n = len(top)
        if not n:
            return self
        inside = np.array([place[:n] == top for place in self.places], dtype=bool)
        at = np.where((self.at >= 0) & inside[self.at], self.at, -1)
        return replace(self, places=[place[n:] for place in self.places], at=at)

    def held(self) -> dict[Path, list[int]]:
        """How many marks of either table rest at each place."""
        numbers = {place: i for i, place in enumerate(self.places)}
        return {self.places[i]: held for i, held in self.counts(numbers)[1].items()}

    def counts(self, nodes: Mapping[Path, int]) -> tuple[NDArray[np.intp], dict[int, list[int]]]:
        """Each mark's node, or the nearest above with a number, -1 for none, and rows of each."""
        to = np.array([*(_nearest(place, nodes) for place in self.places), -1], dtype=np.intp)
        where = to[self.at]
        border = len(where) - self.second
        found: dict[int, list[int]] = {}
        for which, part in enumerate((where[:border], where[border:])):
            each = np.bincount(part[part >= 0], minlength=1)
            for node in np.flatnonzero(each).tolist():
                found.setdefault(node, [0, 0])[which] = int(each[node])
        return where, found


def _nearest(place: Path, nodes: Mapping[Path, int]) -> int:
    for n in range(len(place), -1, -1):
        if place[:n] in nodes:
            return nodes[place[:n]]
    return -1


@lru_cache(maxsize=16)
def _of(tree: _Same, table: _Same, second: _Same) -> TreeRows:
    grown: Tree = tree.thing
    tables = [one for one in (table.thing, second.thing) if one is not None]
    each = worth(sum(one.n_rows for one in tables))
    stops = [grown.apply(one).astype(np.intp) for one in tables]
    labels = [labels_for(grown.target, one, "the tree").astype(np.intp) for one in tables]
    known = np.unique(np.concatenate(stops))
    paths = [path_to(grown.flat, node) for node in known.tolist()]
    order = sorted(range(len(paths)), key=paths.__getitem__)  # from left to right
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    at = [rank[np.searchsorted(known, one)] for one in stops]
    if each > 1:
        pairs = [_grains(a, b, each) for a, b in zip(at, labels, strict=True)]
        at, labels = [a for a, _ in pairs], [b for _, b in pairs]
    last = len(at[1]) if len(at) > 1 else 0
    places = [paths[i] for i in order]
    return TreeRows(places, np.concatenate(at), np.concatenate(labels), last, each)


def worth(rows: int) -> int:
    """How many rows a mark has to stand for.

    Where a mark is no row any more, half as many tell as much, and are drawn in half the time.

    >>> [worth(n) for n in (10, 600, 601, 3_000, 10_000)]
    [1, 1, 5, 10, 50]
    """
    if rows <= MOST_MARKS:
        return 1
    each = 1
    while rows > each * MOST_MARKS // 2:
        each = each * 5 // 2 if str(each)[0] == "2" else each * 2
    return each


def _grains(
    at: NDArray[np.intp], labels: NDArray[np.intp], each: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places and classes of grains, counted off in each class from the left leaf on."""
    places, classes = [], []
    for cls in np.unique(labels).tolist():
        held = np.sort(at[labels == cls])
        taken = held[each // 2 :: each]
        places.append(taken if len(taken) else held[:1])
        classes.append(np.full(len(places[-1]), cls, dtype=np.intp))
    return np.concatenate(places), np.concatenate(classes)


# Half the size of a mark in units, for so many of them; how far apart they stand, for half their
# size.
_SIZES, _LEAST, APART = ((40, 5.0), (100, 4.0), (220, 3.2), (360, 2.7)), 2.3, 2.4
# A pile is about so many times as wide as high; no card is wider for its sake, or higher.
_WIDE, _WIDEST, _HIGHEST = 3.5, 240.0, 110.0
# So many marks are counted at a glance: of more, of several classes, the counts stay on a strip.
_GLANCE, _ABOVE_STRIP = 12, 5.0


def wide(held: Sequence[int], r: float) -> float:
    """How wide a card has to be for a pile of a good shape."""
    columns = ceil(sqrt(_WIDE * sum(held))) + (held[1] > 0)
    return min(columns * APART * r, _WIDEST) + 2 * PAD


class Pile(TypedDict):
    """Where the marks of a card lie, for the browser."""

    across: list[int]  # in so many columns, those of either table
    up: float  # their upper edge, from the lower one of the card
    adds: float  # how much higher the card is for them
    whole: bool  # whether they stand in the place of the strip, or else above it


def _shaped(held: Sequence[int], w: float, r: float, *, strip: bool) -> Pile | None:
    """The pile of a card so wide, which keeps its strip or not; None if there is no room."""
    pitch = APART * r
    across = columns(held, int((w - 2 * PAD + 0.01) / pitch))
    if across is None:
        return None
    lines = max(ceil(n / c) for n, c in zip(held, across, strict=True) if n)
    tall = round(lines * pitch, 1)
    adds = round(tall + _ABOVE_STRIP if strip else max(0.0, tall - STRIP), 1)
    if adds > _HIGHEST:
        return None
    # In as many lines they stand as close as may be; lower than the strip, in its middle.
    close = [ceil(n / lines) for n in held]
    sunk = 0.0 if strip else max(0.0, STRIP - tall) / 2
    return Pile(across=close, up=round(UNDER + adds - sunk, 2), adds=adds, whole=not strip)


def columns(held: Sequence[int], room: int) -> tuple[int, int] | None:
    """How many of so many columns either table's marks get; one stays free between the two."""
    first, second = held
    if not second or not first:
        return None if room < 1 else (room, 0) if first else (0, room)
    if room < 3:  # noqa: PLR2004 - one for each, and the one between
        return None
    # To the nearest, a half upwards: JavaScript's rule, as the browser works it out again.
    mine = (2 * (room - 1) * first + first + second) // (2 * (first + second))
    mine = min(max(mine, 1), room - 2)
    return mine, room - 1 - mine


class TreeMarks:
    """The marks in a picture of a tree, its nodes numbered: those told from afar, then cards."""

    def __init__(self, rows: TreeRows | None, far: Mapping[str, Any] | None) -> None:
        self.rows, self.is_far = rows, far is not None
        self.nodes: dict[Path, int] = {}
        if far is not None:
            paths: list[Path] = [()]
            for i, kids in enumerate(far["kids"]):
                paths += [(*paths[i], branch) for branch in range(kids)]
            self._number(paths)
        self.held = {} if rows is None else rows.held()
        marks = 0 if rows is None else len(rows.at)
        self.size = next((r for most, r in _SIZES if marks <= most), _LEAST)

    def _number(self, paths: Iterable[Path]) -> None:
        for path in paths:
            self.nodes.setdefault(path, len(self.nodes))

    def widths(self) -> dict[Path, float]:
        """How wide cards have to be for their piles; those of a large tree have their slots."""
        if self.is_far:
            return {}
        return {place: wide(held, self.size) for place, held in self.held.items()}

    def lying(self, cards: Sequence[NodeCard]) -> dict[Path, Pile]:
        """The pile of each card where rows rest, if it has room."""
        self._number(card.path for card in cards)
        shapes = {}
        for card in cards:
            held = self.held.get(card.path)
            if held is None or card.kind == "folded":
                continue
            # At a question there may be some that were cut off from its branches: its strip stays.
            many = sum(held) > _GLANCE and mix(card.counts) != "pure"
            shape = _shaped(held, card.w, self.size, strip=many or card.kind == "ask")
            if shape is not None:
                shapes[card.path] = shape
        return shapes

    def for_browser(self) -> dict[str, Any]:
        """What the browser hears: of each mark its class and the number of its node, in base 36."""
        rows = self.rows
        if rows is None:
            return {}
        where, _ = rows.counts(self.nodes)
        many = f"One mark = {rows.each:,} rows." if rows.each > 1 else ""
        hollow = "Hollow marks: validation rows." if rows.second else ""
        marks = {
            "each": rows.each,
            "n": [len(where) - rows.second, rows.second],
            "r": self.size,
            "cls": _coded(rows.classes, 1 if rows.classes.max(initial=0) < _DIGITS else 2),
            "at": _coded(where, 2),
            "said": " ".join(filter(None, [many, hollow])),
        }
        return {"marks": marks}


_DIGITS = 36


def _coded(numbers: NDArray[np.intp], digits: int) -> str:
    """Numbers in base 36, each in so many digits; "-" for -1."""
    said = {
        n: "-" * digits if n < 0 else np.base_repr(n, _DIGITS).lower().rjust(digits, "0")
        for n in np.unique(numbers).tolist()
    }
    return "".join([said[n] for n in numbers.tolist()])
