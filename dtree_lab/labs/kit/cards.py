"""A tree as the browser draws it: cards at their places, and of a large tree the rest in short.

The cards are what is walked to and read out. A large tree has them around the node that is looked
at; of all others it is told what can be seen from afar (``marks.py``).
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import plural
from dtree_lab.draw.card import BEND, VALUE, Edge, NodeCard, tied
from dtree_lab.draw.layout import GAPS, MARGIN, TreeScene, layout
from dtree_lab.draw.measure import shortened, width, wrap
from dtree_lab.draw.style import DETAIL
from dtree_lab.draw.words import NodeText, isolated
from dtree_lab.labs.kit.actions import node_id
from dtree_lab.labs.kit.marks import (
    LEVEL,
    FarTree,
    Pile,
    TreeMarks,
    TreeRows,
    far_tree,
    for_browser,
)
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.splits import Intervals, reason
from dtree_lab.tree.subtrees import node_number
from dtree_lab.tree.tree import Branch, Node, Path, Tree

MOST_CARDS = 63
# Of a larger tree so many, as a share of these; and for each so many nodes are told from afar.
_NEAR, _FAR_EACH = 0.6, 10
# So many branches of a node are always drawn together.
_WIDE = 12
# So many questions of a way are seen at a time; of a longer one the last half as many.
_DEEP = 30
# What stands under a card: the height of a line, what comes below it, how near two may come; and
# the height of a histogram in it.
UNDER, _BELOW, _APART, HISTOGRAM = 14.0, 4.0, 6.0, 30.0
# Where a tree's JSON is longer than this, its texts are cut to so many columns, in turn.
_ROOM, _COLUMNS = 32_000, (120, 48, 12)
_TEXTS = ("full", "label", "attribute", "value")
_NAME = 48  # columns of an attribute on a row's way


def drawn(  # noqa: PLR0913 - only the tree and the ways are ever given by position
    tree: Tree,
    *ways: Path,
    tags: Mapping[Path, str] | None = None,
    faded: Collection[Path] = (),
    most: int = MOST_CARDS,
    table: Table | None = None,
    rows: TreeRows | None = None,
) -> dict[str, Any]:
    """The cards and edges of a tree, and what is seen of the rest."""
    top = _top(ways)
    root = node_at(tree.root, top) or tree.root
    seen = [way[len(top) :][:_DEEP] for way in ways if way[: len(top)] == top]
    hidden = folded(root, *seen, most=most) if tree.n_nodes > most else {}
    if hidden:
        hidden = folded(root, *seen, most=int(_NEAR * most))
    whole = far_tree(tree, root) if hidden else None
    far = None if whole is None else for_browser(tree, whole, _FAR_EACH * most)
    marks = TreeMarks(rows and rows.below(top), far)
    scene = layout(
        root,
        tree.attributes,
        tree.target,
        folded=hidden,
        criterion=tree.criterion,
        least=marks.widths(),
    )
    tops = _tops(scene, whole)
    paths = [card.path for card in scene.cards]
    lying = marks.lying(scene.cards)
    bins = {} if table is None or top else histograms(root, table, paths)
    said = dict(tags or {})
    if top:
        above = f"{plural(len(top), 'question')} above"
        said[top] = f"{above} · {said[top]}" if top in said else above
    children: dict[str, list[str]] = {}
    for path in paths[1:]:
        children.setdefault(node_id(top + path[:-1]), []).append(node_id(top + path))
    telling = NodeText(tree.attributes, tree.target, None, tree.criterion)
    cards = []
    for card in scene.cards:
        placed = card if whole is None else _moved(card, whole, tops)
        one = _card(replace(placed, path=top + card.path), children, bins.get(card.path))
        one |= _with_pile(one, lying.get(card.path))
        one |= _in_halves(card, telling, node_at(root, card.path))
        if top + card.path in said:
            one["tag"] = said[top + card.path]
            one["under"] = _under(one["tag"], card.w)
        if top + card.path in faded:
            one["faded"] = True
        cards.append(one)
    edges = [_edge(replace(edge, path=top + edge.path)) for edge in scene.edges]
    lowered = _lowered(cards, tops)
    _fit([*cards, *edges])
    picture = {"width": _tenth(scene.width if whole is None else whole.width), "cards": cards}
    picture |= {"height": lowered.pop(), "edges": edges}
    picture |= marks.for_browser()
    if far is not None:
        picture["far"] = {**far, "top": node_id(top), "tops": lowered}
    return picture


def _tops(scene: TreeScene, whole: FarTree | None) -> list[float]:
    """Where each level begins, and where the last one ends."""
    if whole is None:
        by_level = {len(card.path): card.y for card in scene.cards}
        return [*(by_level[level] for level in sorted(by_level)), scene.height]
    levels = int(whole.flat.depth.max()) + 1
    return [MARGIN + level * (LEVEL + BEND + VALUE) for level in range(levels + 1)]


def _moved(card: NodeCard, whole: FarTree, tops: Sequence[float]) -> NodeCard:
    """A card at its place in the whole tree."""
    x = whole.x[node_number(whole.flat, card.path)] - card.w / 2
    return replace(card, x=x, y=tops[len(card.path)])


def _under(text: str, w: float) -> list[str]:
    """A tag in lines that fit under a card, and touch none of what stands under its neighbours."""
    room = w + GAPS[0] - _APART
    pieces = [text] if width(text, DETAIL, bold=True) <= room else text.split(" · ")
    return [line for one in pieces for line in wrap(one, room, DETAIL, bold=True)]


def _lowered(cards: list[dict[str, Any]], tops: Sequence[float]) -> list[float]:
    """Make room for what cards have in them and under them; where each level begins then."""
    first = min(card["level"] for card in cards)
    rooms = [0.0] * len(tops)
    for card in cards:
        at, lines = card["level"] - first, len(card.get("under", ()))
        # Under the lowest cards there is always room for a line.
        is_last = at == len(tops) - 2
        tag = UNDER * (lines - 1) if is_last else UNDER * lines + _BELOW
        inside = HISTOGRAM * ("hist" in card)
        inside += card["pile"]["adds"] if "pile" in card else 0.0
        rooms[at] = max(rooms[at], (tag if lines else 0.0) + inside)
    down = [0.0, *accumulate(rooms[:-1])]
    for card in cards:
        card["y"] = _tenth(card["y"] + down[card["level"] - first])
    return [_tenth(top + more) for top, more in zip(tops, down, strict=True)]


def _top(ways: Sequence[Path]) -> Path:
    """Where the picture begins: at the root, or some questions above a very deep node."""
    way = ways[0] if ways else ()
    return way[: len(way) - _DEEP // 2] if len(way) > _DEEP else ()


def _fit(texts: list[dict[str, Any]]) -> None:
    """Cut the texts of cards and edges until a message has room for them."""
    for columns in _COLUMNS:
        if len(json.dumps(texts)) <= _ROOM:
            return
        for one in texts:
            one |= {key: shortened(one[key], columns) for key in _TEXTS if key in one}


def _tenth(length: float) -> float:
    """A length to a tenth; a whole one without the decimals that JSON would write."""
    short = round(length, 1)
    return int(short) if short.is_integer() else short


def _card(
    card: NodeCard, children: Mapping[str, list[str]], bins: Histogram | None
) -> dict[str, Any]:
    id_ = node_id(card.path)
    is_empty = not any(card.counts)
    made = {
        "id": id_,
        "parent": node_id(card.path[:-1]) if card.path else None,
        "x": _tenth(card.x),
        "y": _tenth(card.y),
        "w": _tenth(card.w),
        "h": _tenth(card.h + (HISTOGRAM if bins else 0.0)),
        "kind": card.kind,
        "title": list(card.title),
        "full": card.full,
        "detail": card.detail,
        "counts": list(card.counts),
        "rows": sum(card.counts),
        "cls": -1 if is_empty else card.cls,
        "label": card.label,
        "level": len(card.path) + 1,
        "pos": card.position,
        "of": card.siblings,
        "children": children.get(id_, []),
    }
    if is_empty or card.mix != "mixed":  # which most cards are
        made["mix"] = "none" if is_empty or card.mix is None else card.mix
    if others := tied(card.counts, card.cls):
        made["tied"] = others
    return made if bins is None else {**made, "hist": bins}


def _with_pile(card: Mapping[str, Any], pile: Pile | None) -> dict[str, Any]:
    """What changes in a card for a pile of marks."""
    return {} if pile is None else {"pile": pile, "h": _tenth(card["h"] + pile["adds"])}


def _in_halves(card: NodeCard, telling: NodeText, node: Node | None) -> dict[str, Any]:
    """Of a question in one line the name, and what is asked of it: they may come to two."""
    if not isinstance(node, Branch) or len(card.title) > 1:
        return {}
    halves = telling.headline(node)
    return {"halves": [isolated(half) for half in halves]} if all(halves) else {}


def _edge(edge: Edge) -> dict[str, Any]:
    attribute, op, value = edge.condition
    return {
        "id": node_id(edge.path),
        "label": edge.label,
        "attribute": shortened(attribute, _NAME),
        "op": op,
        "value": value,
    }


def folded(root: Node, *selected: Path, most: int = MOST_CARDS) -> dict[Path, tuple[int, ...]]:
    """The branches of a large tree below which there are no cards, so that these stay few.

    Open are the ways to the selected nodes, then, while there is room, what lies below them, then
    the tree from the root on. Selecting a folded branch unfolds it. Of a node with very many
    branches the first are drawn, and those on the ways.
    """
    ways = [path[:n] for path in selected for n in range(len(path) + 1)]
    waiting, room = deque([*ways, *selected, ()]), most
    opened: set[Path] = set()
    hidden: dict[Path, tuple[int, ...]] = {}
    while waiting:
        path = waiting.popleft()
        node = node_at(root, path)
        if not isinstance(node, Branch):
            continue
        n = len(node.children)
        below = [(*path, i) for i in range(n)]
        if n > max(most, _WIDE):
            few = max(most // 2, _WIDE // 2)
            below = [child for child in below if child[-1] < few or child in ways]
        if path not in opened and (room >= len(below) or path in ways):
            opened.add(path)
            room -= len(below)
        if path in opened:
            waiting.extend(child for child in below if child not in opened)
        hidden[path] = tuple(child[-1] for child in below) if path in opened else ()
        if len(hidden[path]) == n:
            del hidden[path]
    return hidden


def asked_on(root: Node, path: Path) -> Iterator[tuple[Branch, int]]:
    """The nodes that ask on the way along a path, each with the branch that is taken there."""
    node = root
    for branch in path:
        if not isinstance(node, Branch):
            return
        yield node, branch
        node = node.children[branch]


def reasons(root: Node, attributes: Sequence[Attribute], path: Path) -> list[str]:
    """What holds for the rows at a path, question by question."""
    way = ((node.split, branch) for node, branch in asked_on(root, path))
    return [reason(split, attributes[split.attribute], branch) for split, branch in way]


def node_at(root: Node, path: Path) -> Node | None:
    """The node of a path, or None."""
    node = root
    for branch in path:
        if not isinstance(node, Branch) or not 0 <= branch < len(node.children):
            return None
        node = node.children[branch]
    return node


# -- where the rows of a node lie on the axis of its cut: a small histogram ------------------------

# Bins of an axis, and classes that can be told apart in so small a picture.
_BINS, _MOST_CLASSES = 16, 8
# The height of the highest bin, and how a height is written.
_FULL, _DIGITS = 35, "0123456789abcdefghijklmnopqrstuvwxyz"


class Histogram(TypedDict):
    """A node's rows along the axis of its cut, for the browser.

    `at` is where each cut lies, from 0 to 1; `bins` the height of each class in each bin, in turn,
    a digit of 36 for each. The highest bin is 35 high; what has a row is seen.
    """

    at: list[float]
    bins: str


def histograms(root: Node, table: Table, paths: Collection[Path]) -> Mapping[Path, Histogram]:
    """The histograms of those of some nodes that ask about a number, of the rows of `table`."""
    if not 0 < len(table.classes) <= _MOST_CLASSES:
        return {}
    wanted = {path[:n] for path in paths for n in range(len(path) + 1)}
    found: dict[Path, Histogram] = {}
    waiting: list[tuple[Path, Node, NDArray[np.intp]]] = [((), root, np.arange(table.n_rows))]
    while waiting:
        path, node, rows = waiting.pop()
        if not isinstance(node, Branch) or path not in wanted or not len(rows):
            continue
        column = table.columns[node.split.attribute][rows]
        if isinstance(node.split, Intervals) and path in paths:
            made = _histogram(column, table.labels[rows], node.split, len(table.classes))
            if made is not None:
                found[path] = made
        branch = node.split.branch(column)
        waiting += [((*path, b), child, rows[branch == b]) for b, child in enumerate(node.children)]
    return found


def _histogram(
    column: NDArray[np.float64], labels: NDArray[np.intp], split: Intervals, k: int
) -> Histogram | None:
    """One node's, on an axis that begins and ends with its rows; None if it has no length."""
    known = ~np.isnan(column)
    x, y = column[known], labels[known]
    low, high = (float(x.min()), float(x.max())) if len(x) else (0.0, 0.0)
    length = high - low
    if not 0 < length < np.inf:
        return None
    place = np.minimum(((x - low) / length * _BINS).astype(np.intp), _BINS - 1)
    counts = np.bincount(place * k + y, minlength=_BINS * k).reshape(_BINS, k)
    heights = np.ceil(counts * _FULL / counts.sum(axis=1).max()).astype(int)
    at = [round(min(max((cut - low) / length, 0.0), 1.0), 3) for cut in split.cuts]
    return {"at": at, "bins": "".join([_DIGITS[n] for n in heights.flat])}
