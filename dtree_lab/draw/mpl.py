"""The scene drawn by matplotlib, for slides, print and papers. The only module that imports it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from dtree_lab.base.installing import brought_by

with brought_by("plot", "dt.draw.plot needs"):
    from matplotlib import font_manager as fm
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.colors import to_rgba
    from matplotlib.patches import FancyBboxPatch, Patch, PathPatch, Polygon, Rectangle
    from matplotlib.path import Path as Outline

from dtree_lab.draw import card as inside
from dtree_lab.draw import words
from dtree_lab.draw.as_svg import composed
from dtree_lab.draw.card import BAR, CORNER, END, MARK_R, PAD, SMALL_R, STRIP, NodeCard
from dtree_lab.draw.layout import TreeScene
from dtree_lab.draw.style import COLOURS, DETAIL, INKS, LABEL, LIGHT, TITLE, hue, mark
from dtree_lab.tree.tree import Tree

_DPI = 100.0
_POINTS = 72.0
_LARGEST = 60_000.0  # pixels a side: matplotlib saves no image of 2**16
_REPLACEMENT = "\ufffd"
_BEND = (Outline.LINETO, Outline.CURVE3, Outline.CURVE3)
_ROUTE = [Outline.MOVETO, *_BEND, *_BEND, Outline.LINETO]


def plot(tree: Tree, ax: Axes | None = None, *, scale: float = 1.0) -> Axes:
    """Draw a tree with matplotlib.

    Parameters
    ----------
    tree
        What to draw.
    ax
        Where to; without it a figure is made that is as large as the picture. In axes of another
        size the picture is fitted in, its text too.
    scale
        By how much everything is larger than in a notebook.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn. Characters that its font lacks are shown as "?" or a replacement mark;
        name a font that has them in ``rcParams["font.family"]``.

    Raises
    ------
    ValueError
        For a scale that is not positive.
    """
    words.need_tree(tree)
    scene, key, (w, h) = composed(tree, scale)
    if ax is None:
        shrunk = min(1.0, _LARGEST / max(w, h))
        figure = plt.figure(figsize=(w * shrunk / _DPI, h * shrunk / _DPI), dpi=_DPI)
        ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=(0, w), ylim=(h, 0), aspect="equal")
    ax.set_axis_off()
    brush = _Brush(ax, scale)
    brush.origin = ((w - scene.width) / 2, 0.0)
    _draw(brush, scene)
    brush.origin = (0.0, scene.height)
    _draw_legend(brush, key)
    return ax


class _Brush:
    """Draws on axes in the scene's pixels, from an origin that can be moved."""

    def __init__(self, ax: Axes, scale: float) -> None:
        self.ax, self.scale, self.origin = ax, scale, (0.0, 0.0)
        box, (left, right), (low, high) = ax.get_window_extent(), ax.get_xlim(), ax.get_ylim()
        pixels = min(box.width / abs(right - left), box.height / abs(high - low))
        figure = ax.get_figure(root=True)
        self.points = pixels * scale * _POINTS / (figure.dpi if figure else _DPI)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point of the axes."""
        return x + self.origin[0], y + self.origin[1]

    def add(self, patch: Patch) -> None:
        """Put a shape on the axes, uncut by their frame."""
        patch.set_clip_on(False)
        self.ax.add_artist(patch)

    def text(self, x: float, y: float, text: str, size: float, **looks: Any) -> None:
        """Text from its baseline; a dollar sign is only a dollar sign."""
        shown = covered(words.unframed(text), bold=looks.get("weight") == "bold")
        looks = {"color": LIGHT["ink"], "parse_math": False, **looks}
        self.ax.text(*self.at(x, y), shown, fontsize=size * self.points, **looks)

    def mark(self, cls: int, x: float, y: float, r: float, **looks: Any) -> None:
        """A class's mark around a point; `r` is half its size at scale 1."""
        r *= self.scale
        outline = [self.at(x + r * u, y + r * v) for u, v in mark(cls).points]
        self.add(Polygon(outline, closed=True, **looks))


def _draw(brush: _Brush, scene: TreeScene) -> None:
    s = scene.scale
    for edge in scene.edges:
        points = [brush.at(x, y) for x, y in inside.route(edge, s)]
        line = PathPatch(Outline(points, _ROUTE), fill=False)
        line.set(edgecolor=LIGHT["line"], linewidth=0.86 * inside.breadth(edge) * brush.points)
        brush.add(line)
        brush.text(edge.lx, edge.ly, edge.label, LABEL, ha="center")
    left, top = brush.origin
    for card in scene.cards:
        brush.origin = (left + card.x, top + card.y)
        _draw_card(brush, card)
    brush.origin = (left, top)


def _draw_card(brush: _Brush, card: NodeCard) -> None:
    s = brush.scale
    for moved in inside.stack(card):
        style = f"round,pad=0,rounding_size={CORNER * s}"
        box = FancyBboxPatch(brush.at(moved * s, moved * s), card.w, card.h, style)
        box.set(**{"facecolor": LIGHT["card"], **_frame(card, brush.points)})
        brush.add(box)
    left = (PAD + inside.lead(card)) * s
    for line, y in zip(card.title, inside.title_bases(card, s), strict=True):
        brush.text(left, y, line, TITLE, weight="bold")
    if card.kind == "answer":
        _draw_title_marks(brush, card)
    for line, y in zip(card.notes, inside.note_bases(card, s), strict=True):
        brush.text(left, y, line, DETAIL, color=LIGHT["quiet"])
    (_draw_strip if card.cls >= 0 else _draw_gauge)(brush, card)
    base = inside.detail_base(card, s)
    brush.text(PAD * s, base, card.detail, DETAIL, color=LIGHT["quiet"])


def _frame(card: NodeCard, points: float) -> dict[str, Any]:
    """A card's outline: bold where all rows of a leaf are of one class, broken in a tie."""
    match card.mix if card.kind == "answer" else None:
        case "pure":
            ground = to_rgba(COLOURS[hue(card.cls)], 0.16)
            return {"edgecolor": LIGHT["ink"], "linewidth": 2.1 * points, "facecolor": ground}
        case "tie":
            return {
                "edgecolor": LIGHT["line"],
                "linewidth": 1.4 * points,
                "linestyle": (0, (3, 2.4)),
            }
    return {"edgecolor": LIGHT["border"], "linewidth": 1.1 * points}


def _draw_title_marks(brush: _Brush, card: NodeCard) -> None:
    """What stands before a leaf's title: the mark of its class, of several in a tie, or a dot."""
    s, (x, y) = brush.scale, inside.title_mark(brush.scale)
    if card.cls < 0:
        return _dot(brush, x, y)
    _class_mark(brush, x, y, card.cls)
    for k, other in enumerate(inside.tied(card.counts, card.cls), 1):
        for ends in inside.equals(s, k):
            stroke = Outline([brush.at(*point) for point in ends], [Outline.MOVETO, Outline.LINETO])
            brush.add(PathPatch(stroke, edgecolor=LIGHT["ink"], linewidth=1.3 * brush.points))
        _class_mark(brush, x + k * inside.TIE * s, y, other)
    return None


def _draw_strip(brush: _Brush, card: NodeCard) -> None:
    s, top = brush.scale, inside.strip_top(card, brush.scale)
    middle = top + STRIP * s / 2
    for share, (x, w) in zip(card.shares, inside.gapped(card, s), strict=True):
        colour, ink = COLOURS[hue(share.cls)], INKS[hue(share.cls)]
        brush.add(Rectangle(brush.at(x, top), w, STRIP * s, facecolor=colour, linewidth=0))
        if share.marked:
            brush.mark(share.cls, x + inside.SHARE_MARK * s, middle, SMALL_R, facecolor=ink)
        if share.text:
            at = x + inside.SHARE_TEXT * s
            brush.text(at, middle + 4.2 * s, share.text, DETAIL, color=ink)
    frame = Rectangle(brush.at(PAD * s, top), card.w - 2 * PAD * s, STRIP * s, fill=False)
    frame.set(edgecolor=LIGHT["line"], linewidth=0.7 * brush.points)
    brush.add(frame)


def _draw_gauge(brush: _Brush, card: NodeCard) -> None:
    if card.gauge is None:
        return
    g, y = card.gauge, inside.strip_top(card, brush.scale) + STRIP * brush.scale / 2
    _axis(brush, g.left, g.right, y)
    _bar(brush, g.low, g.high, y)
    _dot(brush, g.at, y)


def _axis(brush: _Brush, left: float, right: float, y: float) -> None:
    end = END * brush.scale
    lines = [(left, y), (right, y), *((x, y + side) for x in (left, right) for side in (-end, end))]
    outline = Outline([brush.at(*point) for point in lines], [Outline.MOVETO, Outline.LINETO] * 3)
    brush.add(PathPatch(outline, edgecolor=LIGHT["line"], linewidth=0.9 * brush.points))


def _bar(brush: _Brush, low: float, high: float, y: float) -> None:
    half = BAR * brush.scale
    at = brush.at(low, y - half)
    brush.add(Rectangle(at, high - low, 2 * half, facecolor=LIGHT["line"], linewidth=0))


def _dot(brush: _Brush, x: float, y: float) -> None:
    looks = {"facecolor": LIGHT["ink"], "edgecolor": LIGHT["card"]}
    brush.mark(0, x, y, MARK_R, linewidth=0.9 * brush.points, **looks)


def _class_mark(brush: _Brush, x: float, y: float, cls: int) -> None:
    looks = {"facecolor": COLOURS[hue(cls)], "edgecolor": LIGHT["ink"]}
    brush.mark(cls, x, y, MARK_R, linewidth=0.9 * brush.points, **looks)


def _draw_legend(brush: _Brush, key: inside.Legend) -> None:
    s = brush.scale
    for one in key.entries:
        middle, y, (left, right) = (one.x + MARK_R + 0.6) * s, one.y * s, (x * s for x in one.bar)
        match one.sign:
            case "class":
                _class_mark(brush, middle, y, one.cls or 0)
            case "answer":
                _dot(brush, middle, y)
            case "spread":
                _bar(brush, left, right, y)
            case "axis":
                _axis(brush, left, right, y)
        x, weight = one.x + inside.TAKEN[one.sign], "bold" if one.sign == "name" else "normal"
        brush.text(x * s, y + 4.5 * s, one.text, LABEL, weight=weight)


def covered(text: str, *, bold: bool = False) -> str:
    """A text in which what the font lacks is replaced, which matplotlib would only warn of."""
    family = tuple(fm.FontProperties().get_family())
    known = _characters(family, "bold" if bold else "normal")
    instead = _REPLACEMENT if ord(_REPLACEMENT) in known else "?"
    return "".join(c if ord(c) in known else instead for c in text)


@lru_cache(maxsize=16)
def _characters(family: tuple[str, ...], weight: str) -> frozenset[int]:
    """Which characters the fonts of a family have between them."""
    known: set[int] = set()
    for name in family:
        try:
            found = fm.findfont(
                fm.FontProperties(family=[name], weight=weight), fallback_to_default=False
            )
        except ValueError:  # a font that is not installed is passed over by matplotlib too
            continue
        known |= set(fm.get_font(found).get_charmap())
    return frozenset(known) or frozenset(range(0x20, 0x7F))
