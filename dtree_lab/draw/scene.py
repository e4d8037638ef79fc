"""The picture of a tree before it is drawn: where everything stands and what it says.

The static picture, matplotlib and the browser all draw this scene, so they are one picture. A node
is a card; an edge ends above its child, at the value that leads there. Nothing here knows of SVG
or of Jupyter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from dtree_lab.draw.axis import Axis
from dtree_lab.draw.gather import fitted, gather
from dtree_lab.draw.inside import BEND, PAD, VALUE, VALUE_BASE, height
from dtree_lab.draw.measure import width
from dtree_lab.draw.nodes import Card, CardKind, Edge
from dtree_lab.draw.strip import gauge, scaled, shares
from dtree_lab.draw.style import LABEL
from dtree_lab.draw.telling import Telling
from dtree_lab.draw.tidy import centres
from dtree_lab.tree import Branch

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from dtree_lab.draw.gather import Drawn
    from dtree_lab.draw.telling import Said
    from dtree_lab.table import Attribute
    from dtree_lab.tree import Node, Path

# Pixels at scale 1: around everything.
MARGIN = 8.0
# The least space between siblings, and between other neighbours.
GAPS = (14.0, 24.0)


@dataclass(frozen=True, slots=True)
class Scene:
    """All cards and edges, breadth first, within `width` by `height`; all lengths times `scale`.

    `axis` is what the answers of a regression tree are marked on.
    """

    width: float
    height: float
    cards: tuple[Card, ...]
    edges: tuple[Edge, ...]
    scale: float = 1.0
    axis: Axis | None = None


def layout(  # noqa: PLR0913 - only the first three are ever given by position
    root: Node,
    attributes: Sequence[Attribute],
    target: Attribute,
    *,
    scale: float = 1.0,
    folded: Collection[Path] = frozenset(),
    criterion: str = "entropy",
) -> Scene:
    """The scene of a tree of nodes.

    Parameters
    ----------
    root
        The tree, such as ``tree.root``.
    attributes, target
        Those of the table it was grown on.
    scale
        By how much everything is larger than in a notebook; 1.4 is for the back row.
    folded
        Paths of branches that are drawn as one card each, without what is below them; of a mapping
        from paths to numbers of children, these children are drawn all the same.
    criterion
        What the nodes of classes are told by, such as ``tree.criterion``.

    Raises
    ------
    ValueError
        For a scale that is not positive.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> tree = dt.id3(dt.datasets.tax_fraud())
    >>> scene = layout(tree.root, tree.attributes, tree.target)
    >>> scene.cards[0].label
    'Marital Status, 10 rows, entropy 0.881 bits'
    """
    if not 0 < scale < float("inf"):
        msg = f"scale={scale!r} must be a positive number; 1 suits a notebook"
        raise ValueError(msg)
    some = folded if isinstance(folded, Mapping) else dict.fromkeys(folded, ())
    drawn = gather(root, attributes, some)
    telling = Telling.of(root, attributes, target, criterion)
    spreads = telling.spreads([one.node for one in drawn])
    said = [
        telling.say(one.node, spread, one.hidden)
        for one, spread in zip(drawn, spreads, strict=True)
    ]
    for one, says in zip(drawn, said, strict=True):
        fitted(one, says)
    below: list[list[int]] = [[] for _ in drawn]
    for i, one in enumerate(drawn[1:], start=1):
        below[one.above].append(i)
    halves = [max(one.w, width(one.value, LABEL)) / 2 for one in drawn]
    xs = [x + MARGIN for x in centres(below, halves, GAPS)]
    total = max(x + half for x, half in zip(xs, halves, strict=True)) + MARGIN
    axis = Axis.of(root, telling.figures) if telling.figures else None
    return _placed(drawn, said, xs, _Whole(total, scale, axis))


class _Whole(NamedTuple):
    """What holds for the whole picture: its width at scale 1, its scale, its axis."""

    width: float
    scale: float
    axis: Axis | None


def _placed(drawn: list[Drawn], said: list[Said], xs: list[float], whole: _Whole) -> Scene:
    s, tops = whole.scale, _tops(drawn)
    cards, edges, bottom = [], [], 0.0
    for one, says, x in zip(drawn, said, xs, strict=True):
        level, h = len(one.path), _height(one)
        top = tops[level]
        bottom = max(bottom, top + h)
        box = scaled(s, x - one.w / 2, top, one.w, h)
        cards.append(_card(one, says, (box[0], box[1], box[2], box[3]), whole))
        if one.above >= 0:
            start = tops[level - 1] + _height(drawn[one.above])
            x1, y1, x2, y2, ly = scaled(s, xs[one.above], start, x, top - VALUE, top - VALUE_BASE)
            edges.append(Edge(one.path, x1, y1, x2, y2, one.value, one.full, x2, ly))
    wide, high = scaled(s, whole.width, bottom + MARGIN)
    return Scene(wide, high, tuple(cards), tuple(edges), s, whole.axis)


def _tops(drawn: list[Drawn]) -> list[float]:
    """Where each level begins: all as far apart as titles need, some further for their notes."""
    tallest = [max(height(len(one.title)) for one in drawn)] * (len(drawn[-1].path) + 1)
    for one in drawn:
        tallest[len(one.path)] = max(tallest[len(one.path)], _height(one))
    return list(accumulate((h + BEND + VALUE for h in tallest[:-1]), initial=MARGIN))


def _height(one: Drawn) -> float:
    return height(len(one.title), len(one.notes))


def _card(one: Drawn, says: Said, box: tuple[float, float, float, float], whole: _Whole) -> Card:
    kind: CardKind = "answer" if not isinstance(one.node, Branch) else "ask"
    room, counts, s, axis = one.w - 2 * PAD, one.node.counts, whole.scale, whole.axis
    return Card(
        one.path,
        *box,
        "folded" if one.hidden else kind,
        one.title,
        says.full,
        says.detail,
        counts,
        says.cls,
        says.label,
        len(one.path) + 1,
        one.position,
        one.siblings,
        () if says.cls < 0 else shares(counts, room, s),
        one.notes,
        gauge(one.node, axis, room, s) if axis and one.node.values else None,
    )
