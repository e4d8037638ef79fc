"""The picture of a tree before it is drawn: where everything stands and what it says.

The static picture, matplotlib and the browser all draw this scene, so they are one picture. A node
is a card; an edge ends above its child, at the value that leads there. Nothing here knows of SVG
or of Jupyter.

The nodes stand as in Reingold and Tilford's tidy drawing: parents over the middle of their
children, the order kept, a subtree drawn the same wherever it is. Packing from the left and from
the right and taking the mean, which keeps every (linear) rule, makes the mirror image of a tree the
mirror image of its drawing. Contours are lists, the deepest level first, with a shift that is added
late, which makes the whole linear in the number of nodes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from dtree_lab.draw import words
from dtree_lab.draw.card import (
    BEND,
    LEAD,
    PAD,
    VALUE,
    VALUE_BASE,
    CardKind,
    Edge,
    NodeCard,
    card_height,
    gauge,
    lead_of,
    scaled,
    shares,
    tied,
)
from dtree_lab.draw.measure import fit, width, wrap
from dtree_lab.draw.style import DETAIL, LABEL, TITLE
from dtree_lab.draw.words import AnswerAxis, CardText, NodeText
from dtree_lab.table.table import Attribute
from dtree_lab.tree.explanation import term
from dtree_lab.tree.splits import OR_MISSING
from dtree_lab.tree.tree import Branch, Node, Path


@dataclass(slots=True)
class _Contour:
    """The left or right outline of a subtree: what is drawn at ``at[-1] + shift`` is its root."""

    at: list[float]
    shift: float = 0.0

    def overwrite(self, top: _Contour, moved: float, levels: int) -> None:
        """Take the upper levels from another outline that was moved."""
        change = top.shift + moved - self.shift
        for j in range(1, levels + 1):
            self.at[-j] = top.at[-j] + change

    def moved(self, by: float) -> _Contour:
        """The outline further to the right; the list is handed over."""
        return _Contour(self.at, self.shift + by)


_Sides = tuple[_Contour, _Contour]


def centres(
    children: Sequence[Sequence[int]], half: Sequence[float], gaps: tuple[float, float]
) -> list[float]:
    """The centre of each node, the leftmost edge being at 0.

    A child's number is above its parent's. `half` is half of each width; `gaps` are the least space
    between siblings, and between other neighbours.

    >>> centres([[1, 2], [], []], [5, 5, 5], (2, 2))
    [11.0, 5.0, 17.0]
    """
    to_right = _offsets(children, half, gaps, backwards=False)
    to_left = _offsets(children, half, gaps, backwards=True)
    x = [0.0] * len(children)
    for i, below in enumerate(children):
        for c in below:
            x[c] = x[i] + (to_right[c] + to_left[c]) / 2
    left = min(x[i] - half[i] for i in range(len(x)))
    return [v - left for v in x]


def _offsets(
    children: Sequence[Sequence[int]],
    half: Sequence[float],
    gaps: tuple[float, float],
    *,
    backwards: bool,
) -> list[float]:
    """Each node's distance from its parent, packed from the left, or backwards from the right."""
    sign = -1.0 if backwards else 1.0
    offset = [0.0] * len(children)
    sides: dict[int, _Sides] = {}
    for i in range(len(children) - 1, -1, -1):
        below = children[i][::-1] if backwards else children[i]
        if not below:
            sides[i] = (_Contour([-half[i]]), _Contour([half[i]]))
            continue
        place, joined = _pack([sides.pop(c) for c in below], gaps)
        middle = place[-1] / 2
        for c, at in zip(below, place, strict=True):
            offset[c] = sign * (at - middle)
        left, right = (side.moved(-middle) for side in joined)
        left.at.append(-half[i] - left.shift)
        right.at.append(half[i] - right.shift)
        sides[i] = (left, right)
    return offset


def _pack(subtrees: list[_Sides], gaps: tuple[float, float]) -> tuple[list[float], _Sides]:
    """Where each subtree goes, as near to those before it as may be, and the outline of all."""
    left, right = subtrees[0]
    place = [0.0]
    for next_left, next_right in subtrees[1:]:
        levels = min(len(right.at), len(next_left.at))
        apart = right.shift - next_left.shift
        a, b = right.at, next_left.at
        at = a[-1] - b[-1] + apart + gaps[0]
        for j in range(2, levels + 1):
            at = max(at, a[-j] - b[-j] + apart + gaps[1])
        place.append(at)
        if len(next_left.at) > len(left.at):
            next_left.overwrite(left, -at, levels)
            left, right = next_left.moved(at), next_right.moved(at)
        else:
            right.overwrite(next_right, at, levels)
    return place, (left, right)


# Pixels at scale 1: a title has at most two lines of this length.
ROOM = 138.0
# A line that a leaf answers has so many terms on its card, each on a line of its own.
_TERMS = 3


@dataclass(slots=True)
class Drawn:
    """A node on its way into the picture. `above` is the number of its parent."""

    path: Path
    node: Node
    above: int = -1
    full: str = ""
    condition: tuple[str, str, str] = ("", "", "")
    position: int = 1
    siblings: int = 1
    hidden: int = 0
    title: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    value: str = ""
    w: float = 0.0


def gather(
    root: Node, attributes: Sequence[Attribute], folded: Mapping[Path, Collection[int]]
) -> list[Drawn]:
    """The nodes that are drawn, breadth first; of a folded one only some children, if any."""
    drawn: list[Drawn] = []
    waiting = deque([Drawn((), root)])
    while waiting:
        one = waiting.popleft()
        drawn.append(one)
        if not isinstance(one.node, Branch):
            continue
        n = len(one.node.children)
        shown = folded.get(one.path, range(n))
        one.hidden = sum(
            words.subtree_size(c) for b, c in enumerate(one.node.children) if b not in shown
        )
        for b, child in enumerate(one.node.children):
            if b not in shown:
                continue
            full = words.branch_answer(one.node.split, attributes, b)
            condition = words.branch_condition(one.node.split, attributes, b)
            waiting.append(Drawn((*one.path, b), child, len(drawn) - 1, full, condition, b + 1, n))
    return drawn


def _fitted(drawn: Drawn, says: CardText) -> None:
    """Cut what a node says to size, and make its card as wide as that needs."""
    ties = tied(drawn.node.counts, says.cls)
    lead = lead_of(answers=not isinstance(drawn.node, Branch), ties=len(ties))
    drawn.title = tuple(map(words.isolated, _title(says)))
    drawn.notes = tuple(map(words.isolated, _notes(says)))
    gaps = OR_MISSING if drawn.full.endswith(OR_MISSING) else ""
    room = ROOM + LEAD - width(gaps, LABEL)
    drawn.value = words.isolated(fit(drawn.full.removesuffix(gaps), room, LABEL) + gaps)
    above = [width(line, TITLE, bold=True) for line in drawn.title]
    above += [width(line, DETAIL) for line in drawn.notes]
    drawn.w = 2 * PAD + max(max(above) + lead, width(says.detail, DETAIL))


def _title(says: CardText) -> tuple[str, ...]:
    """One line if it fits; else the name above what is asked of it, which is never cut."""
    name, condition = says.name, says.condition
    if not condition:
        return wrap(name, ROOM, TITLE, bold=True)
    if width(f"{name} {condition}", TITLE, bold=True) <= ROOM:
        return (f"{name} {condition}",)
    if says.cls >= 0:
        return (fit(name, ROOM, TITLE, bold=True), fit(condition, ROOM, TITLE, bold=True))
    sign = " =" if name.endswith(" =") and width(name, TITLE, bold=True) > ROOM else ""
    room = ROOM - width(sign, TITLE, bold=True)
    return (fit(name.removesuffix(sign), room, TITLE, bold=True) + sign, condition)


def _notes(says: CardText) -> list[str]:
    """The small lines below a title; of a term the name is cut, never a number."""
    shown = says.terms if len(says.terms) <= _TERMS else says.terms[: _TERMS - 1]
    lines = []
    for name, slope, mean in shown:
        room = max(ROOM - width(term("", slope, mean), DETAIL), 3 * DETAIL)
        lines.append(term(fit(name, room, DETAIL), slope, mean))
    if len(shown) < len(says.terms):
        lines.append(f"+ {len(says.terms) - len(shown):,} more terms")
    return [*lines, says.note] if says.note else lines


# Pixels at scale 1: around everything.
MARGIN = 8.0
# The least space between siblings, and between other neighbours.
GAPS = (14.0, 24.0)


@dataclass(frozen=True, slots=True)
class TreeScene:
    """All cards and edges, breadth first, within `width` by `height`; all lengths times `scale`.

    `axis` is what the answers of a regression tree are marked on.
    """

    width: float
    height: float
    cards: tuple[NodeCard, ...]
    edges: tuple[Edge, ...]
    scale: float = 1.0
    axis: AnswerAxis | None = None


def layout(  # noqa: PLR0913 - only the first three are ever given by position
    root: Node,
    attributes: Sequence[Attribute],
    target: Attribute,
    *,
    scale: float = 1.0,
    folded: Collection[Path] = frozenset(),
    criterion: str = "entropy",
    least: Mapping[Path, float] | None = None,
) -> TreeScene:
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
    least
        How wide some cards are at least, for what is to stand in them.

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
        raise ValueError(f"scale={scale!r} must be a positive number; 1 suits a notebook")
    some = folded if isinstance(folded, Mapping) else dict.fromkeys(folded, ())
    drawn = gather(root, attributes, some)
    telling = NodeText.of(root, attributes, target, criterion)
    spreads = telling.spreads([one.node for one in drawn])
    said = [
        telling.say(one.node, spread, one.hidden)
        for one, spread in zip(drawn, spreads, strict=True)
    ]
    for one, says in zip(drawn, said, strict=True):
        _fitted(one, says)
        one.w = max(one.w, (least or {}).get(one.path, 0.0))
    below: list[list[int]] = [[] for _ in drawn]
    for i, one in enumerate(drawn[1:], start=1):
        below[one.above].append(i)
    halves = [max(one.w, width(one.value, LABEL)) / 2 for one in drawn]
    xs = [x + MARGIN for x in centres(below, halves, GAPS)]
    total = max(x + half for x, half in zip(xs, halves, strict=True)) + MARGIN
    axis = AnswerAxis.of(root, telling.figures) if telling.figures else None
    whole = _Whole(total, scale, axis, sum(root.counts) or 1)
    return _placed(drawn, said, xs, whole)


class _Whole(NamedTuple):
    """What holds for the whole picture: its width at scale 1, its scale, its axis, its rows."""

    width: float
    scale: float
    axis: AnswerAxis | None
    rows: int


def _placed(drawn: list[Drawn], texts: list[CardText], xs: list[float], whole: _Whole) -> TreeScene:
    s, tops = whole.scale, _tops(drawn)
    cards, edges, bottom = [], [], 0.0
    for one, says, x in zip(drawn, texts, xs, strict=True):
        level, h = len(one.path), _height(one)
        top = tops[level]
        bottom = max(bottom, top + h)
        box = scaled(s, x - one.w / 2, top, one.w, h)
        cards.append(_card(one, says, (box[0], box[1], box[2], box[3]), whole))
        if one.above >= 0:
            start = tops[level - 1] + _height(drawn[one.above])
            x1, y1, x2, y2, ly = scaled(s, xs[one.above], start, x, top - VALUE, top - VALUE_BASE)
            share = round(float(sum(one.node.counts) / whole.rows), 4)
            edges.append(
                Edge(one.path, x1, y1, x2, y2, one.value, one.full, x2, ly, share, one.condition)
            )
    wide, high = scaled(s, whole.width, bottom + MARGIN)
    return TreeScene(wide, high, tuple(cards), tuple(edges), s, whole.axis)


def _tops(drawn: list[Drawn]) -> list[float]:
    """Where each level begins: all as far apart as titles need, some further for their notes."""
    tallest = [max(card_height(len(one.title)) for one in drawn)] * (len(drawn[-1].path) + 1)
    for one in drawn:
        tallest[len(one.path)] = max(tallest[len(one.path)], _height(one))
    return list(accumulate((h + BEND + VALUE for h in tallest[:-1]), initial=MARGIN))


def _height(drawn: Drawn) -> float:
    return card_height(len(drawn.title), len(drawn.notes))


def _card(
    drawn: Drawn, says: CardText, box: tuple[float, float, float, float], whole: _Whole
) -> NodeCard:
    kind: CardKind = "answer" if not isinstance(drawn.node, Branch) else "ask"
    room, counts, s, axis = drawn.w - 2 * PAD, drawn.node.counts, whole.scale, whole.axis
    return NodeCard(
        drawn.path,
        *box,
        "folded" if drawn.hidden else kind,
        drawn.title,
        says.full,
        says.detail,
        counts,
        says.cls,
        says.label,
        len(drawn.path) + 1,
        drawn.position,
        drawn.siblings,
        () if says.cls < 0 else shares(counts, room, s),
        drawn.notes,
        gauge(drawn.node, axis, room, s) if axis and drawn.node.values else None,
    )
