"""The picture of a tree before it is drawn: where everything stands and what it says.

The static picture, matplotlib and the browser all draw this scene, so they are one picture. A node
is a card; an edge ends above its child, at the value that leads there. Nothing here knows of SVG
or of Jupyter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from dtree_lab.draw import words
from dtree_lab.draw.gather import fitted, gather
from dtree_lab.draw.inside import BEND, PAD, VALUE, VALUE_BASE, height
from dtree_lab.draw.measure import width
from dtree_lab.draw.style import DETAIL, LABEL
from dtree_lab.draw.tidy import centres
from dtree_lab.tree import Branch

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from dtree_lab.draw.gather import Drawn
    from dtree_lab.draw.words import Said
    from dtree_lab.table import Attribute
    from dtree_lab.tree import Node, Path

CardKind: TypeAlias = Literal["ask", "answer", "folded"]

# Pixels at scale 1: around everything.
MARGIN = 8.0
# The least space between siblings, and between other neighbours.
GAPS = (14.0, 24.0)
# A share narrower than this shows no mark.
MARKED = 12.0
_AIR = 6.0  # beside its number


@dataclass(frozen=True, slots=True)
class Share:
    """One class's part of a card's strip; `x` is measured from the card's left edge.

    `marked` says whether the class's mark has room in it; `text` is the number of rows, or
    nothing where that has none.
    """

    cls: int
    count: int
    x: float
    w: float
    marked: bool
    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """A node as it is drawn; `x`, `y` is the top left corner.

    Attributes
    ----------
    path
        The branch taken at each node above.
    kind
        ``"ask"`` for a question, ``"answer"`` for a leaf, ``"folded"`` for a question whose
        subtree is not drawn.
    title, full
        One line or two, cut to fit; and uncut.
    detail
        The small line: rows and entropy, or rows and what is folded.
    counts, cls
        Rows of each class, and the majority class, whose mark stands before a leaf's title.
    label
        The accessible name.
    level, position, siblings
        As a screen reader counts: the root is on level 1, a first child at position 1.
    shares
        The strip.
    """

    path: Path
    x: float
    y: float
    w: float
    h: float
    kind: CardKind
    title: tuple[str, ...]
    full: str
    detail: str
    counts: tuple[int, ...]
    cls: int
    label: str
    level: int
    position: int
    siblings: int
    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """From under a card at `x1`, `y1` to above the value that leads to a child at `x2`, `y2`.

    The value is written with its middle at `lx` and its baseline at `ly`; `path` is the child's.
    """

    path: Path
    x1: float
    y1: float
    x2: float
    y2: float
    label: str
    full: str
    lx: float
    ly: float


@dataclass(frozen=True, slots=True)
class Scene:
    """All cards and edges, breadth first, within `width` by `height`; all lengths times `scale`."""

    width: float
    height: float
    cards: tuple[Card, ...]
    edges: tuple[Edge, ...]
    scale: float = 1.0


def layout(
    root: Node,
    attributes: Sequence[Attribute],
    target: Attribute,
    *,
    scale: float = 1.0,
    folded: Collection[Path] = frozenset(),
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
        Paths of branches that are drawn as one card each, without what is below them.

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
    drawn = gather(root, attributes, frozenset(folded))
    entropies = words.entropies(one.node.counts for one in drawn)
    said = [
        words.say(one.node, attributes, target, h, one.hidden)
        for one, h in zip(drawn, entropies, strict=True)
    ]
    for one, says in zip(drawn, said, strict=True):
        fitted(one, says)
    below: list[list[int]] = [[] for _ in drawn]
    for i, one in enumerate(drawn[1:], start=1):
        below[one.above].append(i)
    halves = [max(one.w, width(one.value, LABEL)) / 2 for one in drawn]
    xs = [x + MARGIN for x in centres(below, halves, GAPS)]
    total = max(x + half for x, half in zip(xs, halves, strict=True)) + MARGIN
    return _placed(drawn, said, xs, (total, scale))


def _placed(
    drawn: list[Drawn], said: list[Said], xs: list[float], whole: tuple[float, float]
) -> Scene:
    total, s = whole
    pitch = max(height(len(one.title)) for one in drawn) + BEND + VALUE
    cards, edges, bottom = [], [], 0.0
    for one, says, x in zip(drawn, said, xs, strict=True):
        top, h = MARGIN + len(one.path) * pitch, height(len(one.title))
        bottom = max(bottom, top + h)
        box = _scaled(s, x - one.w / 2, top, one.w, h)
        cards.append(_card(one, says, (box[0], box[1], box[2], box[3]), s))
        if one.above >= 0:
            start = top - pitch + height(len(drawn[one.above].title))
            x1, y1, x2, y2, ly = _scaled(s, xs[one.above], start, x, top - VALUE, top - VALUE_BASE)
            edges.append(Edge(one.path, x1, y1, x2, y2, one.value, one.full, x2, ly))
    wide, high = _scaled(s, total, bottom + MARGIN)
    return Scene(wide, high, tuple(cards), tuple(edges), s)


def _scaled(s: float, *lengths: float) -> list[float]:
    """Lengths in the picture's pixels, to a hundredth: nobody sees more, and files stay small."""
    return [round(v * s, 2) for v in lengths]


def _card(one: Drawn, says: Said, box: tuple[float, float, float, float], s: float) -> Card:
    kind: CardKind = "answer" if not isinstance(one.node, Branch) else "ask"
    return Card(
        one.path,
        *box,
        "folded" if one.hidden else kind,
        one.title,
        f"{says.name} {says.condition}".rstrip(),
        says.detail,
        one.node.counts,
        words.majority(one.node.counts),
        says.label,
        len(one.path) + 1,
        one.position,
        one.siblings,
        _shares(one.node.counts, one.w - 2 * PAD, s),
    )


def _shares(counts: tuple[int, ...], room: float, s: float) -> tuple[Share, ...]:
    """The strip: each class that occurs, as wide as its share, with as much as fits in it."""
    whole = sum(counts)
    shares, x = [], PAD
    for cls, count in enumerate(counts):
        if not count:
            continue
        w = room * count / whole
        text = f"{count:,}"
        fits = w >= MARKED + width(text, DETAIL) + _AIR
        left, wide = _scaled(s, x, w)
        shares.append(Share(cls, count, left, wide, w >= MARKED, text if fits else ""))
        x += w
    return tuple(shares)
