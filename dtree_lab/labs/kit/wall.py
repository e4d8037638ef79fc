"""A wall of small trees: each with its shape, a row's way through it, and what it says of the row.

The browser draws it by the same few numbers as the picture that stays without a kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

from dtree_lab.base.text import html, plural
from dtree_lab.draw import style
from dtree_lab.labs.kit.place import Placed, as_json
from dtree_lab.tree.arrays import Flat

# Of a larger tree the branches with fewest rows are drawn folded.
MOST_LEAVES = 24
# So many trees are drawn where no kernel runs, in a line of a page; all are told in words.
_STILL = 10
# Tiles of that picture have so many pixels.
_WIDE, _HIGH = 76.0, 62.0


def shape_of(flat: Flat, most: int = MOST_LEAVES) -> str:
    """A tree's shape as a word for each node, each before its children.

    Of a node that asks it is the number of its branches, ``"~2"``; of a leaf its rows and the
    position of its class, ``"5.0"``, with a sign where a whole branch is folded into it,
    ``"5.0+"``.

    >>> import dtree_lab as dt
    >>> tree = dt.id3(dt.datasets.tax_fraud(), max_depth=2)
    >>> shape_of(tree.flat), shape_of(tree.flat, 3)
    ('~3 ~2 1.0 3.1 4.0 ~2 1.0 1.1', '~3 4.0+ 4.0 2.0+')
    """
    rows = flat.counts.sum(axis=1)
    opened: set[int] = set()
    leaves, waiting = 1, [(0, 0)]
    while waiting:
        _, node = heappop(waiting)
        wide = int(flat.width[node])
        if not wide or leaves + wide - 1 > most:
            continue
        leaves += wide - 1
        opened.add(node)
        first = int(flat.first[node])
        for child in range(first, first + wide):
            heappush(waiting, (-int(rows[child]), child))

    def words_of(node: int) -> list[str]:
        wide, first = int(flat.width[node]), int(flat.first[node])
        if node in opened:
            below = [word for child in range(first, first + wide) for word in words_of(child)]
            return [f"~{wide}", *below]
        return [f"{rows[node]}.{flat.majority[node]}{'+' if wide else ''}"]

    return " ".join(words_of(0))


@dataclass(frozen=True)
class Tile:
    """A tree of a wall."""

    shape: str  # as `shape_of` writes it
    way: str  # the branches that the row takes, as ``"0.1"``
    says: int  # the position of the class that the tree says
    free: bool  # whether the row was out of the tree's bag


@dataclass(frozen=True)
class Wall(Placed):
    """Small trees that vote on a row; choosing one sends a ``Pick``."""

    id: str
    label: str  # what it is, to a screen reader
    names: Mapping[int, str]  # of each class that is said, by its position, its name
    tiles: Sequence[Tile]  # the trees that are drawn, the first ones
    current: int  # the position of the chosen tree
    # Lines of votes: what is counted, the votes of each class by its position, and what comes of
    # it. Trees that are not drawn are counted, too.
    tally: Sequence[tuple[str, Mapping[int, int], str]]
    more: str = ""  # where not all trees are drawn, how many are not
    heading: str = ""

    def json(self) -> dict[str, Any]:
        """For the browser."""
        return as_json(
            self,
            names={str(k): name for k, name in self.names.items()},
            tiles=[[one.shape, one.way, one.says, one.free] for one in self.tiles],
            tally=[[what, [*map(list, votes.items())], said] for what, votes, said in self.tally],
            pick=True,
        )

    def still(self) -> list[str]:
        """In words, line by line."""
        lines = []
        for what, votes, said in self.tally:
            counted = ", ".join(f"{n} say {self.names[k]}" for k, n in votes.items() if n)
            lines.append(f"{what}: {counted or 'none'}. {said}".rstrip())
        for free in (True, False):
            if some := [(i, one) for i, one in enumerate(self.tiles) if one.free == free]:
                says = ", ".join(f"{i + 1} {self.names[one.says]}" for i, one in some)
                lines.append(f"{'Out of' if free else 'In'} the bag of the trees: {says}.")
        return [*lines, *([self.more] if self.more else [])]

    def svg(self) -> str:
        """The first trees as a self-contained picture that follows the reader's theme."""
        tiles = self.tiles[:_STILL]
        rules, marks = _classes_svg(tiles)
        drawn = "".join(
            f'<g transform="translate({i * _WIDE:g} 0)">{_tile_svg(one)}</g>'
            for i, one in enumerate(tiles)
        )
        width, height = _WIDE * max(1, len(tiles)), _HIGH
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="dtl" role="img" width="{width:g}"'
            f' height="{height:g}" viewBox="0 0 {width:g} {height:g}">'
            f"<title>{html(self.label)}</title><style>{style.css_variables()}"
            "rect{stroke:var(--dtl-border);fill-opacity:.16}"
            ".free{stroke:var(--dtl-ink);stroke-dasharray:4 3}"
            "path{fill:none;stroke:var(--dtl-line)}"
            f"path.way{{stroke:var(--dtl-ink);stroke-width:1.6}}{rules}</style>{marks}"
            f'<rect style="fill:var(--dtl-ground);fill-opacity:1;stroke:none" width="{width:g}"'
            f' height="{height:g}"/>{drawn}</svg>'
        )


def wall_words(tiles: Sequence[Tile], n: int) -> str:
    """What a wall of some of `n` trees leaves out."""
    left = n - len(tiles)
    return f"and {plural(left, 'more tree')}, counted below" if left > 0 else ""


@dataclass(frozen=True)
class Knot:
    """A node of a shape, laid out."""

    # From 0 to 1, leaves evenly across, and each depth at its height.
    x: float
    y: float
    rows: int  # how many training rows are there
    cls: int | None  # the class that a leaf says; None of a node that asks
    below: tuple[Knot, ...] = ()  # its children
    folded: bool = False  # whether a branch is folded into it


def laid_out(shape: str) -> Knot:
    """The nodes of a shape with their places."""
    words = shape.split(" ")
    leaves = sum(not word.startswith("~") for word in words)
    waiting = iter(words)
    seen = 0

    def knot(depth: int) -> tuple[Knot, int]:
        nonlocal seen
        word = next(waiting)
        if word.startswith("~"):
            below, deep = zip(*(knot(depth + 1) for _ in range(int(word[1:]))), strict=True)
            x = (below[0].x + below[-1].x) / 2
            return Knot(x, depth, sum(one.rows for one in below), None, below), max(deep)
        rows, cls = word.rstrip("+").split(".")
        seen += 1
        x = (seen - 0.5) / leaves
        return Knot(x, depth, int(rows), int(cls), folded=word.endswith("+")), depth

    root, deep = knot(0)
    return _scaled(root, max(1, deep))


def _scaled(knot: Knot, deep: int) -> Knot:
    below = tuple(_scaled(one, deep) for one in knot.below)
    return Knot(knot.x, knot.y / deep, knot.rows, knot.cls, below, knot.folded)


def _tile_svg(tile: Tile) -> str:
    """A tile: a path for all branches of a width, and for all leaves of a class; way and vote."""
    root = laid_out(tile.shape)
    edges: dict[int, str] = {}
    leaves: dict[int, str] = {}

    def draw(knot: Knot) -> None:
        for one in knot.below:
            wide = max(1, round(7 * one.rows / root.rows))
            edges[wide] = f"{edges.get(wide, '')}M{_at(knot)}L{_at(one)}"
            draw(one)
        if knot.cls is not None:
            leaves[knot.cls] = f"{leaves.get(knot.cls, '')}M{_at(knot)}h0"

    draw(root)
    way = [root]
    for branch in filter(None, tile.way.split(".")):
        if not way[-1].below:
            break
        way.append(way[-1].below[int(branch)])
    branches = "".join(f'<path d="{d}" stroke-width="{w}"/>' for w, d in edges.items())
    dots = "".join(f'<path class="k{k}" d="{d}"/>' for k, d in leaves.items())
    lit = f'<path class="way" d="M{"L".join(map(_at, way))}"/>'
    free = ' class="free"' if tile.free else ""
    frame = (
        f'<rect{free} width="{_WIDE - 4:g}" height="{_HIGH - 4:g}" fill="{_colour(tile.says)}"/>'
    )
    vote = f'<use href="#v{tile.says}" x="{_WIDE / 2 - 2:g}" y="{_HIGH - 11:g}"/>'
    return frame + branches + lit + dots + vote


def _colour(cls: int) -> str:
    return f"var(--dtl-class-{style.hue(cls)})"


def _at(knot: Knot) -> str:
    return f"{4 + (_WIDE - 12) * knot.x:.0f} {6 + (_HIGH - 26) * knot.y:.0f}"


def _classes_svg(tiles: Sequence[Tile]) -> tuple[str, str]:
    """The rules of leaves, round and square ones in turn, and the marks of votes."""
    words = {word for one in tiles for word in one.shape.split(" ") if "." in word}
    leaves = sorted({int(word.rstrip("+").split(".")[1]) for word in words})
    rules = "".join(
        f"path.k{k}{{stroke:{_colour(k)};stroke-width:4;"
        f"stroke-linecap:{'square' if k % 2 else 'round'}}}"
        for k in leaves
    )
    marks = "".join(
        f'<path id="v{k}" d="{style.mark(k).path(0, 0, 4.5)}"'
        f' style="fill:{_colour(k)};stroke:none"/>'
        for k in sorted({one.says for one in tiles})
    )
    return rules, f"<defs>{marks}</defs>"
