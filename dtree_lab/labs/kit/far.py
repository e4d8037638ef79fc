"""The whole of a large tree, told in short: what is seen of it from far away.

Cards of thousands of nodes would fill no message. From afar a node is a mark: where it stands, how
many rows it has, which class most of them are of and how mixed they are, and what it asks, where
that has room. So each node takes some ten characters. The nodes stand as if each had a card of the
common width, so that they keep their places whichever of them are near.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any

import numpy as np

from dtree_lab.draw.card import LEAD, PAD, TIE, card_height, mix
from dtree_lab.draw.layout import GAPS, MARGIN, ROOM, centres
from dtree_lab.draw.measure import shortened, terminal_columns, width
from dtree_lab.draw.style import DETAIL, TITLE
from dtree_lab.draw.words import NodeText, class_name, isolated
from dtree_lab.table.table import Attribute
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.subtrees import summed_up
from dtree_lab.tree.tree import Branch, Node, Tree, flatten, majority, walk

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


class Same:
    """A thing that is equal to itself only, for a cache: to compare trees would take long."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.thing is other.thing

    def __hash__(self) -> int:
        return id(self.thing)


def far_tree(tree: Tree, root: Node) -> FarTree:
    """All nodes of a subtree and their places; those of the same one are worked out once."""
    return _far_tree(Same(tree), Same(root))


@lru_cache(maxsize=8)
def _far_tree(of: Same, top: Same) -> FarTree:
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
    return _for_browser(Same(tree), Same(whole), most)


@lru_cache(maxsize=8)
def _for_browser(of: Same, all_of_it: Same, most: int) -> dict[str, Any]:
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
