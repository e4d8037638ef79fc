"""The scene of a tree as SVG: one self-contained picture, and the fragments that it is made of.

:class:`Element` is a drawing as nested values, such as ``Element("path", {"d": "M0,0L9,9"})``: the
browser makes nodes of it, a static picture text. Names and values of tables enter it as plain text;
they are made harmless where they are written down.

Every class and variable begins with ``dtl`` and every rule with ``.dtl-svg``, so a picture that is
pasted into a page changes nothing there. Ids come from the content: two pictures on one page share
an id only when they are the same picture.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Any

from dtree_lab.base.text import html
from dtree_lab.draw import card as inside
from dtree_lab.draw import words
from dtree_lab.draw.as_text import tree_text
from dtree_lab.draw.card import BAR, CORNER, END, MARK_R, PAD, SMALL_R, STRIP, Edge, NodeCard
from dtree_lab.draw.layout import TreeScene, layout
from dtree_lab.draw.style import AXIS_RULES, RULES, THEMES, TITLE, Theme, css_variables, hue, mark
from dtree_lab.draw.words import heading
from dtree_lab.tree.tree import Path, Tree


@dataclass(frozen=True)
class Element:
    """An SVG element."""

    name: str
    attributes: Mapping[str, str | float] = field(default_factory=dict)  # numbers are coordinates
    children: tuple[Element | str, ...] = ()  # elements, and texts

    def json(self) -> list[Any]:
        """``[name, attributes, child, …]``, as the browser takes it."""
        given = {k: v if type(v) is str else _value(v) for k, v in self.attributes.items()}
        below = [child if isinstance(child, str) else child.json() for child in self.children]
        return [self.name, given, *below]

    def svg(self) -> str:
        """The element as text, its texts escaped."""
        given = "".join(f' {k}="{html(_value(v))}"' for k, v in self.attributes.items())
        below = "".join(
            html(child) if isinstance(child, str) else child.svg() for child in self.children
        )
        return f"<{self.name}{given}>{below}</{self.name}>"


@lru_cache(maxsize=8192)
def _value(v: str | float) -> str | float:
    """A coordinate to a tenth of a pixel: nobody sees more, and messages stay small."""
    if isinstance(v, str):
        return v
    near = round(v, 1)
    return int(near) if near == int(near) else near


def path(points: list[tuple[float, float]]) -> str:
    """Path data through points, to a tenth of a pixel."""
    return "M" + "L".join([f"{_value(x)},{_value(y)}" for x, y in points])


# The least width, at scale 1, in which a legend breaks its lines.
_NARROW = 300.0


def composed(
    tree: Tree, scale: float, folded: Collection[Path] = frozenset()
) -> tuple[TreeScene, inside.Legend, tuple[float, float]]:
    """A tree's scene, the legend that stands below it, and the width and height of both."""
    root, attributes, target = words.root_of(tree), tree.attributes, tree.target
    scene = layout(root, attributes, target, scale=scale, folded=folded, criterion=tree.criterion)
    key = inside.legend(target, max(scene.width / scale, _NARROW), scene.axis)
    return scene, key, (max(scene.width, key.width * scale), scene.height + key.height * scale)


def svg(
    tree: Tree,
    *,
    scale: float = 1.0,
    theme: Theme = "auto",
    folded: Collection[Path] = frozenset(),
    lit: Path = (),
) -> str:
    """A tree as a self-contained SVG picture, with a title and its text in it.

    Parameters
    ----------
    tree
        What to draw.
    scale
        By how much everything is larger than in a notebook.
    theme
        ``"auto"`` follows JupyterLab, or else the reader's preference; ``"light"``; ``"dark"``.
    folded
        Paths of branches that are drawn as one card each, without what is below them.
    lit
        A path whose edges are set off, such as the way of a row.

    Raises
    ------
    ValueError
        For a scale that is not positive, or another theme.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> svg(dt.id3(dt.datasets.tax_fraud()))[:39]
    '<svg xmlns="http://www.w3.org/2000/svg"'
    """
    words.need_tree(tree)
    if theme not in THEMES:
        raise ValueError(f"theme={theme!r} must be one of {', '.join(map(repr, THEMES))}")
    scene, key, (w, h) = composed(tree, scale, folded)
    drawn = (
        f'<g transform="translate({_n((w - scene.width) / 2)} 0)">{fragments(scene, lit)}</g>'
        f'<g transform="translate(0 {_n(scene.height)})">{_legend(key, scale)}</g>'
    )
    return _page(tree, drawn, (w, h, scale), theme)


def _page(tree: Tree, drawn: str, size: tuple[float, float, float], theme: Theme) -> str:
    w, h, scale = size
    name, text = heading(tree), tree_text(tree)
    key = "dtl-" + sha256(f"{name}\n{text}\n{theme}\n{drawn}".encode()).hexdigest()[:10]
    lines = "\n".join(map(html, text.split("\n")))
    rules = RULES if tree.target.values else f"{RULES}{AXIS_RULES}"
    forced = "" if theme == "auto" else f" dtl-{theme}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dtl dtl-svg{forced}" role="img"'
        f' aria-labelledby="{key}-title {key}-desc" width="{_n(w)}" height="{_n(h)}"'
        f' viewBox="0 0 {_n(w)} {_n(h)}" style="font-size: {_n(TITLE * scale)}px">'
        f'<title id="{key}-title">{html(name)}</title><desc id="{key}-desc">{lines}</desc>'
        f"<style>{css_variables(theme)}{rules}</style>"
        f'<rect class="dtl-ground" width="100%" height="100%"/>{drawn}</svg>'
    )


# -- fragments, for an <svg class="dtl dtl-svg"> with RULES and a font size of TITLE * scale -------


def fragments(scene: TreeScene, lit: Path = ()) -> str:
    """The edges, those of a path set off, and the cards of a scene."""
    ways = {lit[:n] for n in range(1, len(lit) + 1)}
    edges = "".join(edge(one, scene.scale, lit=one.path in ways) for one in scene.edges)
    cards = "".join(card(one, scene.scale) for one in scene.cards)
    return f'<g class="dtl-edges">{edges}</g><g class="dtl-cards">{cards}</g>'


def _route(line: Edge, scale: float = 1.0) -> str:
    """The path data of an edge; always the same commands, so that one can glide into another."""
    a, b, c, d, e, f, g, h = (f"{_n(x)},{_n(y)}" for x, y in inside.route(line, scale))
    return f"M{a}L{b}Q{c} {d}L{e}Q{f} {g}L{h}"


def edge(line: Edge, scale: float = 1.0, *, lit: bool = False) -> str:
    """An edge and its value, set off or not."""
    tip, looks = _tip(line.full, line.label), " dtl-lit" if lit else ""
    return (
        f'<path class="dtl-edge{looks}" style="stroke-width: {_n(inside.breadth(line) * scale)}px"'
        f' d="{_route(line, scale)}"/>'
        f'<text class="dtl-value{looks}" x="{_n(line.lx)}" y="{_n(line.ly)}">'
        f"{tip}{html(line.label)}</text>"
    )


def card(node: NodeCard, scale: float = 1.0) -> str:
    """A card, as a group at its place."""
    s = scale
    left = _n((PAD + inside.lead(node)) * s)
    lines = "".join(
        f'<text class="dtl-title" x="{left}" y="{_n(y)}">{html(line)}</text>'
        for line, y in zip(node.title, inside.title_bases(node, s), strict=True)
    )
    notes = "".join(
        f'<text class="dtl-detail" x="{left}" y="{_n(y)}">{html(line)}</text>'
        for line, y in zip(node.notes, inside.note_bases(node, s), strict=True)
    )
    sign = _title_marks(node, s) if node.kind == "answer" else ""
    return (
        f'<g class="dtl-card dtl-{node.kind}" transform="translate({_n(node.x)} {_n(node.y)})">'
        f"{_tip(node.full, ' '.join(node.title))}{_box(node, s)}{sign}{lines}{notes}"
        f'{strip(node, s)}<text class="dtl-detail" x="{_n(PAD * s)}"'
        f' y="{_n(inside.detail_base(node, s))}">{html(node.detail)}</text></g>'
    )


def _tip(full: str, shown: str) -> str:
    """The uncut text, for a pointer that rests on what was cut."""
    return "" if words.unframed(shown) == full else f"<title>{html(full)}</title>"


def _box(node: NodeCard, s: float) -> str:
    """The card's outline: a folded one looks like a stack, that of a pure leaf has its colour."""
    size = f'width="{_n(node.w)}" height="{_n(node.h)}" rx="{_n(CORNER * s)}"'
    leaf = f" dtl-{node.mix}" if node.kind == "answer" and node.mix else ""
    boxes = "".join(
        f'<rect class="dtl-box{leaf}" x="{_n(d * s)}" y="{_n(d * s)}" {size}/>'
        for d in inside.stack(node)
    )
    if leaf == " dtl-pure":
        boxes += f'<rect class="dtl-tint dtl-c{hue(node.cls)}" {size}/>'
    return boxes


def _title_marks(node: NodeCard, s: float) -> str:
    """What stands before a leaf's title: the mark of its class, of several in a tie, or a dot."""
    x, y = inside.title_mark(s)
    if node.cls < 0:
        return _dot(x, y, s)
    found = [class_mark(node.cls, x, y, s)]
    for k, other in enumerate(inside.tied(node.counts, node.cls), 1):
        ends = inside.equals(s, k)
        strokes = "".join(f"M{_n(a)},{_n(b)}L{_n(c)},{_n(d)}" for (a, b), (c, d) in ends)
        found.append(f'<path class="dtl-equal" d="{strokes}"/>')
        found.append(class_mark(other, x + k * inside.TIE * s, y, s))
    return "".join(found)


def strip(node: NodeCard, scale: float = 1.0) -> str:
    """The strip of class shares, with marks and numbers where they have room; or the axis."""
    s, top = scale, inside.strip_top(node, scale)
    if node.gauge:
        g, y = node.gauge, top + STRIP * s / 2
        return f"{axis(g.left, g.right, y, s)}{spread(g.low, g.high, y, s)}{_dot(g.at, y, s)}"
    if node.cls < 0:
        return ""
    middle, parts = top + STRIP * s / 2, []
    for share, (x, w) in zip(node.shares, inside.gapped(node, s), strict=True):
        k = hue(share.cls)
        parts.append(f'<rect class="dtl-c{k}" {_area(x, top, w, STRIP * s)}/>')
        if share.marked:
            outline = mark(share.cls).path(x + inside.SHARE_MARK * s, middle, SMALL_R * s)
            parts.append(f'<path class="dtl-i{k}" d="{outline}"/>')
        if share.text:
            at = f'x="{_n(x + inside.SHARE_TEXT * s)}" y="{_n(middle + 4.2 * s)}"'
            parts.append(f'<text class="dtl-count dtl-i{k}" {at}>{share.text}</text>')
    whole = _area(PAD * s, top, node.w - 2 * PAD * s, STRIP * s)
    return f'{"".join(parts)}<rect class="dtl-strip" {whole}/>'


def axis(left: float, right: float, y: float, scale: float = 1.0) -> str:
    """An axis with its ends."""
    end = END * scale
    ends = "".join(f"M{_n(x)},{_n(y - end)}V{_n(y + end)}" for x in (left, right))
    return f'<path class="dtl-axis" d="M{_n(left)},{_n(y)}H{_n(right)}{ends}"/>'


def spread(low: float, high: float, y: float, scale: float = 1.0) -> str:
    """The bar of a standard deviation to either side."""
    return f'<rect class="dtl-spread" {_area(low, y - BAR * scale, high - low, 2 * BAR * scale)}/>'


def _dot(x: float, y: float, scale: float = 1.0) -> str:
    """The dot at an answer."""
    return f'<path class="dtl-dot" d="{mark(0).path(x, y, MARK_R * scale)}"/>'


def _area(x: float, y: float, w: float, h: float) -> str:
    return f'x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}"'


def class_mark(cls: int, x: float, y: float, scale: float = 1.0) -> str:
    """A class's mark in its colour, around a point."""
    outline = mark(cls).path(x, y, MARK_R * scale)
    return f'<path class="dtl-mark dtl-c{hue(cls)}" d="{outline}"/>'


def _legend(key: inside.Legend, scale: float = 1.0) -> str:
    """The legend, as a group at the origin."""
    s, parts = scale, []
    for one in key.entries:
        parts.append(_sign(one, s))
        looks = "dtl-key dtl-title" if one.sign == "name" else "dtl-key"
        x = one.x + inside.TAKEN[one.sign]
        at = f'x="{_n(x * s)}" y="{_n((one.y + 4.5) * s)}"'
        parts.append(f'<text class="{looks}" {at}>{html(one.text)}</text>')
    return f'<g class="dtl-legend">{"".join(parts)}</g>'


def _sign(entry: inside.LegendEntry, s: float) -> str:
    """What stands before an entry's text."""
    middle, (left, right) = (entry.x + MARK_R + 0.6) * s, (x * s for x in entry.bar)
    match entry.sign:
        case "class":
            return class_mark(entry.cls or 0, middle, entry.y * s, s)
        case "answer":
            return _dot(middle, entry.y * s, s)
        case "spread":
            return spread(left, right, entry.y * s, s)
        case "axis":
            return axis(left, right, entry.y * s, s)
        case "name":
            return ""


def _n(v: float) -> str:
    """A coordinate, to a hundredth of a pixel."""
    return f"{v:.2f}".rstrip("0").rstrip(".")
