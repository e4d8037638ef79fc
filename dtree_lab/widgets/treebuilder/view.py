"""What the browser is told: the state as plain values, texts and coordinates included."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.criteria import entropy
from dtree_lab.draw import style
from dtree_lab.draw.scene import layout
from dtree_lab.learn.api import make_split
from dtree_lab.learn.candidates import Candidate, weigh
from dtree_lab.shown import bits, number, plural, value
from dtree_lab.splits import ByValue, answer, question, threshold
from dtree_lab.widgets.treebuilder.applying import RECIPES
from dtree_lab.widgets.treebuilder.grown import present
from dtree_lab.widgets.treebuilder.messages import node_id
from dtree_lab.widgets.treebuilder.state import ROOT, State, error_text, name_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Attribute
    from dtree_lab.tree import Path
    from dtree_lab.widgets.treebuilder.grown import Grown

MOST_CARDS, MOST_ROWS, MOST_POINTS, MOST_GROUPS, MOST_VALUES = 60, 50, 400, 40, 12


def view(state: State) -> dict[str, Any]:
    """Everything that is shown, ready for JSON."""
    size = state.root.tree
    return {
        "title": "Grow a tree by hand",
        "tree": _tree(state),
        "classes": _classes(state.table.target),
        "selected": node_id(state.selected),
        "node": _node(state),
        "errors": {"training": error_text(state.root), "validation": _validation(state)},
        "size": (f"{plural(size.n_nodes, 'node')}, {_leaves(size.n_leaves)}, depth {size.depth}"),
        "can": _can(state),
        "recipes": list(RECIPES),
        "verdict": state.verdict and {"good": state.verdict.good, "text": state.verdict.text},
        "status": state.status,
        "problem": state.problem,
    }


def _classes(target: Attribute) -> list[dict[str, str]]:
    """Each class's name, colour and mark; the mark as a character and as an outline of radius 1."""
    return [
        {
            "name": value(v),
            "colour": f"var(--dtl-class-{style.hue(k)})",
            "mark": style.mark(k).path(0, 0, 1),
            "char": style.mark(k).char,
        }
        for k, v in enumerate(target.values or ())
    ]


def _leaves(n: int) -> str:
    return "1 leaf" if n == 1 else f"{n:,} leaves"


def _validation(state: State) -> str | None:
    if state.validation is None:
        return None
    wrong = round(state.root.tree.error(state.validation) * len(state.validation))
    return f"{wrong:,} of {plural(len(state.validation), 'row')} wrong"


def _can(state: State) -> dict[str, bool]:
    node, at = state.node, state.selected
    locked = state.lock_on(at) is not None
    free = not locked and state.lock_below(at) is None
    open_ = not node.pure and node.best is not None
    growable = any(
        not leaf.pure and state.lock_on(path) is None for path, leaf in state.root.leaves()
    )
    return {
        "undo": bool(state.past),
        "redo": bool(state.undone),
        "cut": free and node.split is not None,
        "lock": at in state.locked or not locked,
        "best": free and open_ and not state.hidden,
        "finish": growable,
        "reset": bool(state.steps),
    }


# -- the tree ------------------------------------------------------------------------------------


def _tree(state: State) -> dict[str, Any]:
    table = state.table
    scene = layout(state.root.node, table.attributes, table.target, folded=_folded(state))
    children: dict[str, list[str]] = {}
    for card in scene.cards:
        if card.path:
            children.setdefault(node_id(card.path[:-1]), []).append(node_id(card.path))
    cards = [
        {
            "id": (id_ := node_id(card.path)),
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
            "level": card.level,
            "pos": card.position,
            "of": card.siblings,
            "children": children.get(id_, []),
            "locked": card.path in state.locked,
        }
        for card in scene.cards
    ]
    edges = [
        {
            "id": node_id(edge.path),
            **{key: round(getattr(edge, key), 1) for key in ("x1", "y1", "x2", "y2", "lx", "ly")},
            "label": edge.label,
            "full": edge.full,
        }
        for edge in scene.edges
    ]
    return {"width": scene.width, "height": scene.height, "cards": cards, "edges": edges}


def _folded(state: State) -> set[Path]:
    """The branches that a large tree keeps folded, so that the rest can be read.

    Open are the way to the selected node, then, while there is room, what lies below it, then the
    tree from the root on. Selecting a folded branch unfolds it.
    """
    way = [state.selected[:n] for n in range(len(state.selected) + 1)]
    waiting, room = deque([*way, state.selected, ROOT]), MOST_CARDS
    opened: set[Path] = set()
    folded: set[Path] = set()
    while waiting:
        path = waiting.popleft()
        node = state.root.at(path)
        if node is None or node.split is None:
            continue
        if path not in opened and (room >= len(node.children) or path in way):
            opened.add(path)
            room -= len(node.children)
        if path in opened:
            folded.discard(path)
            below = [(*path, i) for i in range(len(node.children))]
            waiting.extend(child for child in below if child not in opened)
        else:
            folded.add(path)
    return folded


# -- the selected node ---------------------------------------------------------------------------


def _node(state: State) -> dict[str, Any]:
    node, at = state.node, state.selected
    attributes = state.table.attributes
    asks = question(node.split, attributes[node.split.attribute]) if node.split else None
    return {
        "id": node_id(at),
        "where": name_of(state, at) if at != ROOT else "All rows",
        "rows": len(node.rows),
        "entropy": bits(entropy(node.counts)),
        "counts": list(node.counts),
        "locked": state.lock_on(at) is not None,
        "isBranch": node.split is not None,
        "asks": asks,
        "note": _note(state),
        "hidden": state.hidden,
        "bars": _bars(state),
        "table": _rows(node),
    }


def _note(state: State) -> str | None:
    node, locked = state.node, state.lock_on(state.selected)
    if locked is not None:
        return (
            "This node is locked: unlock it to change it."
            if locked == state.selected
            else ("A node above is locked, so this one stays as it is.")
        )
    if state.lock_below(state.selected) is not None:
        return "A node below is locked: unlock it to change this one."
    if node.pure:
        return "All rows here have one class: nothing is left to ask."
    if node.best is None:
        return "These rows are alike in every attribute: no question parts them."
    return None


def _bars(state: State) -> list[dict[str, Any]]:
    node, hidden = state.node, state.hidden
    if node.pure:
        return []
    before = entropy(node.counts)
    best = node.best
    bars = []
    for attribute, offer in zip(state.table.attributes, node.offers, strict=True):
        if offer is None:
            why = "every row here has the same value"
            bars.append((0, _bar(state, attribute, None) | {"disabled": why}))
            continue
        shown = _drafted(state, attribute, offer)
        bar = _bar(state, attribute, shown)
        if not hidden:
            bar |= {
                "gain": bits(shown.gain),
                "left": bits(shown.remaining),
                "ratio": bits(shown.gain_ratio),
                "share": round(min(shown.gain / before, 1.0), 4) if before else 0.0,
                "best": best is not None and _gain(offer, shown) == best.settled_gain,
            }
        bars.append((-offer.settled_gain, bar))
    if not hidden:  # ranked by what each could gain, so that a bar stays put while its cut moves
        bars.sort(key=lambda pair: pair[0])
    return [bar for _, bar in bars]


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
    if state.hidden:  # the best cut would give the answer away
        return _middle_cut(state.node.part.columns[offer.split.attribute])
    return float(offer.split.cuts[0]) if hasattr(offer.split, "cuts") else 0.0


def _middle_cut(column: NDArray[np.float64]) -> float:
    values = np.unique(column)
    i = (len(values) - 1) // 2
    return float((values[i] + values[i + 1]) / 2)


def _bar(state: State, attribute: Attribute, shown: Candidate | None) -> dict[str, Any]:
    node = state.node
    asked = node.split is not None and state.table.attributes[node.split.attribute] is attribute
    return {
        "attribute": state.table.attributes.index(attribute),
        "name": attribute.name if shown is None else _question(shown, attribute),
        "plain": attribute.name,
        "kind": attribute.kind,
        "gain": "",
        "left": "",
        "ratio": "",
        "share": 0.0,
        "best": False,
        "chosen": asked,
        "disabled": None,
        "values": None if shown is None else _values(state, attribute, shown),
        "groups": None if shown is None else _groups(state, attribute, shown),
        "axis": None if shown is None or attribute.values else _axis(state, shown),
    }


def _question(shown: Candidate, attribute: Attribute) -> str:
    """A question as it is asked; where values are taken together, with its branches."""
    said = question(shown.split, attribute)
    if isinstance(shown.split, ByValue) and any(len(group) > 1 for group in shown.split.groups):
        branches = (answer(shown.split, attribute, i) for i in range(shown.split.n_branches))
        return f"{said}: {' / '.join(branches)}"
    return said


def _values(state: State, attribute: Attribute, shown: Candidate) -> list[dict[str, Any]] | None:
    """Which branch each value takes, where there are values to take together."""
    if not isinstance(shown.split, ByValue):
        return None
    here = present(state.node, attribute.name)
    if not 2 < len(here) <= MOST_VALUES:  # noqa: PLR2004 - two values make two branches
        return None
    routes = shown.split.routes(attribute.n_values)
    return [{"label": value(v), "branch": int(routes[attribute.code(v)])} for v in here]


def _groups(state: State, attribute: Attribute, shown: Candidate) -> list[dict[str, Any]]:
    groups = []
    for branch, counts in enumerate(shown.counts.tolist()[:MOST_GROUPS]):
        left = "" if state.hidden or not sum(counts) else bits(entropy(counts))
        label = answer(shown.split, attribute, branch)
        groups.append({"label": label, "rows": sum(counts), "counts": counts, "entropy": left})
    return groups


def _axis(state: State, shown: Candidate) -> dict[str, Any]:
    i = shown.split.attribute
    column = state.node.part.columns[i]
    values = np.unique(column)
    cut = shown.split.cuts[0] if hasattr(shown.split, "cuts") else 0.0
    offer = state.node.offers[i]
    best = None if state.hidden or offer is None else offer.split.cuts[0]  # type: ignore[union-attr]
    return {
        "min": float(values[0]),
        "max": float(values[-1]),
        "step": "any",
        "cut": float(cut),
        "cutText": number(cut),
        "best": best,
        "points": _points(column, state.node.part.labels),
    }


def _points(column: NDArray[np.float64], labels: NDArray[Any]) -> list[list[float]]:
    """``[x, class, rows]``, in bins when there are too many to be drawn one by one."""
    place = column
    if len(np.unique(column)) > MOST_POINTS // 2:
        edges = np.linspace(column.min(), column.max(), MOST_POINTS // 4 + 1)
        middle = (edges[1:] + edges[:-1]) / 2
        place = middle[
            np.clip(np.searchsorted(edges, column, side="right") - 1, 0, len(middle) - 1)
        ]
    pairs, rows = np.unique(np.stack([place, labels]), axis=1, return_counts=True)
    points = zip(pairs[0].tolist(), pairs[1].tolist(), rows.tolist(), strict=True)
    return [[float(f"{x:.12g}"), int(label), n] for x, label, n in points][:MOST_POINTS]


def _rows(node: Grown) -> dict[str, Any]:
    part = node.part.take(np.arange(min(len(node.rows), MOST_ROWS)))
    names = [*part.names, part.target.name]
    columns = [[value(v) for v in part.column(name)] for name in names]
    numbers = [str(row + 1) for row in node.rows[:MOST_ROWS].tolist()]
    more = len(node.rows) - MOST_ROWS
    return {
        "head": ["", *names],
        "rows": [list(row) for row in zip(numbers, *columns, strict=True)],
        "more": f"… {plural(more, 'more row')}" if more > 0 else None,
    }
