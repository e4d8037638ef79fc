"""Rows as marks in a tree: where each comes to rest, and how large the piles are.

Each row is one mark, at the node where it stops. Of many rows a mark is a grain that stands for
some of them. Grains are counted off along the leaves, class by class: each leaf has as many as its
rows are worth, and a question that is asked of a leaf only parts the grains that lay there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, sqrt
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from dtree_lab.draw.card import PAD, STRIP, UNDER, NodeCard, mix
from dtree_lab.labs.kit.far import Same
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Table
from dtree_lab.tree.subtrees import path_to
from dtree_lab.tree.tree import Path, Tree

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
        return _of(Same(tree), Same(table), Same(second))

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
def _of(tree: Same, table: Same, second: Same) -> TreeRows:
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
