"""A tree as the browser draws it: cards and edges at their places, large trees partly folded."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dtree_lab.base.text import plural
from dtree_lab.draw.card import Edge, NodeCard
from dtree_lab.draw.layout import GAPS, layout
from dtree_lab.draw.measure import shortened, width, wrap
from dtree_lab.draw.style import DETAIL
from dtree_lab.labs.kit.actions import node_id
from dtree_lab.tree.tree import Branch, Node, Path, Tree

MOST_CARDS = 36
# So many branches of a node are always drawn together.
_WIDE = 12
# So many questions of a way are seen at a time; of a longer one the last half as many.
_DEEP = 30
# What stands under a card: the height of a line, what comes below it, how near two may come.
_UNDER, _BELOW, _APART = 14.0, 4.0, 6.0
# Where a tree's JSON is longer than this, its texts are cut to so many columns, in turn.
_ROOM, _COLUMNS = 40_000, (120, 48, 12)


def drawn(
    tree: Tree,
    *ways: Path,
    tags: Mapping[Path, str] | None = None,
    faded: Collection[Path] = (),
    most: int = MOST_CARDS,
) -> dict[str, Any]:
    """The cards and edges of a tree.

    Parameters
    ----------
    tree
        What to draw.
    *ways
        Nodes whose ways stay unfolded, first the one that is looked at. Where this is very deep,
        the picture begins some questions above it; of another long way the beginning is seen.
    tags
        A word or two to stand under some cards.
    faded
        Nodes that stand back.
    most
        About how many cards; the rest is folded.
    """
    top = _top(ways)
    root = node_at(tree.root, top) or tree.root
    seen = [way[len(top) :][:_DEEP] for way in ways if way[: len(top)] == top]
    scene = layout(
        root,
        tree.attributes,
        tree.target,
        folded=folded(root, *seen, most=most),
        criterion=tree.criterion,
    )
    placed = [replace(card, path=top + card.path) for card in scene.cards]
    children: dict[str, list[str]] = {}
    for card in placed:
        if card.path != top:
            children.setdefault(node_id(card.path[:-1]), []).append(node_id(card.path))
    said = dict(tags or {})
    if top:
        above = f"{plural(len(top), 'question')} above"
        said[top] = f"{above} · {said[top]}" if top in said else above
    cards = []
    for card in placed:
        told = _card(card, children)
        if card.path in said:
            told["tag"] = said[card.path]
            told["under"] = _under(said[card.path], card.w)
        if card.path in faded:
            told["faded"] = True
        cards.append(told)
    edges = [_edge(replace(edge, path=top + edge.path)) for edge in scene.edges]
    more = _moved_apart(cards, edges)
    _fit([*cards, *edges])
    return {"width": scene.width, "height": scene.height + more, "cards": cards, "edges": edges}


def _under(text: str, w: float) -> list[str]:
    """A tag in lines that fit under a card, and touch none of what stands under its neighbours."""
    room = w + GAPS[0] - _APART
    pieces = [text] if width(text, DETAIL, bold=True) <= room else text.split(" · ")
    return [line for one in pieces for line in wrap(one, room, DETAIL, bold=True)]


def _moved_apart(cards: list[dict[str, Any]], edges: list[dict[str, Any]]) -> float:
    """Make room for tags: branches begin below them. How much higher the picture becomes.

    An edge's ``y0`` is where its card ends; where that has a tag, the edge begins at ``y1``.
    """
    last = max(card["level"] for card in cards)
    rooms = dict.fromkeys(range(last + 2), 0.0)
    for card in cards:
        lines = len(card.get("under", ()))
        # Under the lowest cards there is always room for a line.
        needed = _UNDER * (lines - 1) if card["level"] == last else _UNDER * lines + _BELOW
        rooms[card["level"]] = max(rooms[card["level"]], needed if lines else 0.0)
    if not any(rooms.values()):
        return 0.0
    above = {level: sum(rooms[n] for n in range(level)) for level in rooms}
    by_id = {card["id"]: card for card in cards}
    for card in cards:
        card["y"] = round(card["y"] + above[card["level"]], 1)
    for edge in edges:
        child = by_id[edge["id"]]
        parent = by_id[child["parent"]]
        down = above[child["level"]]
        start = edge["y1"] + above[parent["level"]]
        edge |= {key: round(edge[key] + down, 1) for key in ("y1", "y2", "ly")}
        edge["y0"] = edge["y1"] if "under" in parent else round(start, 1)
    return sum(rooms.values())


def _top(ways: Sequence[Path]) -> Path:
    """Where the picture begins: at the root, or some questions above a very deep node."""
    way = ways[0] if ways else ()
    return way[: len(way) - _DEEP // 2] if len(way) > _DEEP else ()


def _fit(told: list[dict[str, Any]]) -> None:
    """Cut the texts of cards and edges until a message has room for them."""
    for columns in _COLUMNS:
        if len(json.dumps(told)) <= _ROOM:
            return
        for one in told:
            one |= {key: shortened(one[key], columns) for key in ("full", "label")}


def _card(card: NodeCard, children: Mapping[str, list[str]]) -> dict[str, Any]:
    id_ = node_id(card.path)
    return {
        "id": id_,
        "parent": node_id(card.path[:-1]) if card.path else None,
        "x": round(card.x, 1),
        "y": round(card.y, 1),
        "w": round(card.w, 1),
        "h": round(card.h, 1),
        "kind": card.kind,
        "title": list(card.title),
        "full": card.full,
        "detail": card.detail,
        "counts": list(card.counts),
        "label": card.label,
        "level": len(card.path) + 1,
        "pos": card.position,
        "of": card.siblings,
        "children": children.get(id_, []),
    }


def _edge(edge: Edge) -> dict[str, Any]:
    at = {key: round(getattr(edge, key), 1) for key in ("x1", "y1", "x2", "y2", "lx", "ly")}
    return {"id": node_id(edge.path), **at, "label": edge.label, "full": edge.full}


def folded(root: Node, *selected: Path, most: int = MOST_CARDS) -> dict[Path, tuple[int, ...]]:
    """The branches that a large tree keeps folded, so that the rest can be read.

    Open are the ways to the selected nodes, then, while there is room, what lies below them, then
    the tree from the root on. Selecting a folded branch unfolds it. Of a node with very many
    branches the first are drawn, and those on the ways.

    Returns
    -------
    dict
        From the path of each folded branch to the numbers of the children that are drawn.
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


def node_at(root: Node, path: Path) -> Node | None:
    """The node of a path, or None."""
    node = root
    for branch in path:
        if not isinstance(node, Branch) or not 0 <= branch < len(node.children):
            return None
        node = node.children[branch]
    return node
