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

from dtree_lab.draw.card import LEAD, PAD, TIE, card_height, mix
from dtree_lab.draw.layout import GAPS, MARGIN, ROOM, centres
from dtree_lab.draw.measure import shortened, terminal_columns, width
from dtree_lab.draw.style import DETAIL, TITLE
from dtree_lab.draw.words import NodeText, class_name, isolated
from dtree_lab.table.table import Attribute
from dtree_lab.tree.tree import Branch, Node, Path, Tree, majority

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
    # Of each node; the parent of the root is -1.
    parent: Sequence[int]
    branch: Sequence[int]
    level: Sequence[int]
    first: Sequence[int]  # the number of its first child; 0 at a leaf
    x: Sequence[float]  # the middle of each node
    # Of the whole, and the room for a question and for a leaf.
    width: float
    ask: float
    leaf: float

    def at(self, path: Path) -> int:
        """The number of a node."""
        i = 0
        for branch in path:
            i = self.first[i] + branch
        return i

    @cached_property
    def below(self) -> list[int]:
        """How many nodes each subtree has beside its root."""
        found = [0] * len(self.nodes)
        for i in range(len(self.nodes) - 1, 0, -1):
            found[self.parent[i]] += found[i] + 1
        return found

    @cached_property
    def rows(self) -> list[int]:
        """How many rows each node has."""
        return [sum(node.counts) for node in self.nodes]

    def largest(self, most: int) -> list[int]:
        """About so many nodes, those with the most rows, each with its parent and siblings."""
        told, waiting = [0], [(-self.rows[0], 0)]
        while waiting:
            _, i = heappop(waiting)
            node = self.nodes[i]
            n = len(node.children) if isinstance(node, Branch) else 0
            if not n or len(told) + n > most:
                continue
            below = range(self.first[i], self.first[i] + n)
            told.extend(below)
            for child in below:
                heappush(waiting, (-self.rows[child], child))
        return sorted(told)


class Same:
    """A thing that is equal to itself only, for a cache: to compare trees would take long."""

    def __init__(self, one: Any) -> None:
        self.one = one

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.one is other.one

    def __hash__(self) -> int:
        return id(self.one)


def far_tree(root: Node, target: Attribute) -> FarTree:
    """All nodes of a subtree and their places; those of the same one are worked out once."""
    return _far_tree(Same(root), Same(target))


@lru_cache(maxsize=8)
def _far_tree(of: Same, to: Same) -> FarTree:
    nodes, parent, branch, level, first = [of.one], [-1], [0], [0], [0]
    children: list[range] = []
    for i, node in enumerate(nodes):  # which grows meanwhile: breadth first
        below = node.children if isinstance(node, Branch) else ()
        children.append(range(len(nodes), len(nodes) + len(below)))
        first[i] = len(nodes) if below else 0
        nodes += below
        parent += [i] * len(below)
        branch += range(len(below))
        level += [level[i] + 1] * len(below)
        first += [0] * len(below)
    rows = sum(of.one.counts)
    leaf, ask = _leaf(to.one, rows) / 2, _ask(rows, len(nodes)) / 2
    halves = [ask if below else leaf for below in children]
    xs = [x + MARGIN for x in centres(children, halves, GAPS)]
    wide = max(x + half for x, half in zip(xs, halves, strict=True)) + MARGIN
    return FarTree(nodes, parent, branch, level, first, xs, wide, 2 * ask, 2 * leaf)


def _ask(rows: int, nodes: int) -> float:
    """The width of the widest card of a question."""
    return 2 * PAD + max(ROOM, width(f"{rows:,} rows · {nodes:,} nodes below", DETAIL))


def _leaf(target: Attribute, rows: int) -> float:
    """The width of the widest card of a leaf."""
    names = [class_name(target, k) for k in range(min(len(target.values or ()), 40))]
    said = [width(f"{target.name} = {name}", TITLE, bold=True) for name in names]
    titles = min(max(said, default=0.0), ROOM) + LEAD + TIE
    return 2 * PAD + max(titles, width(f"{rows:,} rows · 0.000 bits", DETAIL))


def told(tree: Tree, whole: FarTree, most: int) -> dict[str, Any]:
    """What the browser hears of a large tree, breadth first; it is the same wherever one looks.

    ``kids`` are the numbers of children that are told, below 0 how many nodes are not; ``x`` is how
    far each node stands from the one before; ``pure`` a digit for each; ``asks`` the place in
    ``words`` of what a node asks, in halves, -1 if it is not told; ``slots`` the room of a question
    and of a leaf; ``high`` how high a node is.
    """
    return _told(Same(tree), Same(whole), most)


@lru_cache(maxsize=8)
def _told(of: Same, all_of_it: Same, most: int) -> dict[str, Any]:
    tree: Tree = of.one
    whole: FarTree = all_of_it.one
    order = whole.largest(most)
    known = set(order)
    kids, asks = [], []
    telling = NodeText(tree.attributes, tree.target, None, tree.criterion)
    words: dict[tuple[str, ...], int] = {}
    for i in order:
        node = whole.nodes[i]
        n = len(node.children) if isinstance(node, Branch) else 0
        kids.append(n if n and whole.first[i] in known else -whole.below[i])
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
