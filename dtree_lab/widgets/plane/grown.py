"""The tree of some points, and the regions of its nodes: grown once, then looked up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from dtree_lab.draw.chart import Axis
from dtree_lab.learn.api import c45, cart, id3
from dtree_lab.table import Attribute
from dtree_lab.widgets.kit.names import short
from dtree_lab.widgets.plane.regions import areas, size
from dtree_lab.widgets.plane.rows import truth

if TYPE_CHECKING:
    from dtree_lab.tree import Path, Tree
    from dtree_lab.widgets.plane.regions import Area
    from dtree_lab.widgets.plane.rows import Derived, Rows

Method: TypeAlias = Literal["ID3", "CART", "C4.5"]
GROWERS = {"ID3": id3, "CART": cart, "C4.5": c45}
# The end of the slider for the depth stands for no limit.
NO_LIMIT, MOST_MIN_ROWS = 12, 40
# So many points have a second tree grown beside the first, for comparison.
_MOST_COMPARED = 5_000


@dataclass(frozen=True)
class Recipe:
    """How a tree is grown."""

    method: Method = "CART"
    depth: int = 1
    min_rows: int = 2
    derived: Derived = "none"


STUMP = Recipe()


@dataclass(frozen=True, eq=False)
class Grown:
    """A tree on some points."""

    rows: Rows
    recipe: Recipe
    tree: Tree

    @cached_property
    def areas(self) -> dict[Path, Area]:
        """The region of each node within the frame."""
        x, y = axes(self.rows)
        frame = ((x.low, y.low), (x.high, y.low), (x.high, y.high), (x.low, y.high))
        return areas(self.tree, frame, self.recipe.derived)

    @cached_property
    def leaves(self) -> tuple[tuple[Path, int], ...]:
        """The leaves that have a region, the largest first, each with the class it answers."""
        flat, areas = self.tree.flat, self.areas
        paths: list[Path] = [()]
        for node in range(1, flat.n_nodes):
            parent = int(flat.parent[node])
            paths.append((*paths[parent], node - int(flat.first[parent])))
        found = [(path, int(flat.majority[node])) for node, path in enumerate(paths)]
        leaves = [
            leaf
            for leaf, attr in zip(found, flat.attr.tolist(), strict=True)
            if attr < 0 and leaf[0] in areas
        ]
        return tuple(sorted(leaves, key=lambda leaf: -size(areas[leaf[0]])))

    @property
    def drawn(self) -> Tree:
        """The tree with its names shortened, for the picture."""
        attributes = tuple(Attribute(short(a.name), a.values) for a in self.tree.attributes)
        return replace(self.tree, attributes=attributes, target=legend(self.rows))

    @cached_property
    def wrong(self) -> int:
        """How many of the points the tree gets wrong."""
        table = self.rows.table(self.recipe.derived)
        return 0 if table is None else round(self.tree.error(table) * len(self.rows))

    @cached_property
    def unlike_truth(self) -> float | None:
        """The share of the plane where the tree answers unlike the boundary that was drawn from."""
        table = truth(self.rows, self.recipe.derived)
        return None if table is None else self.tree.error(table)

    @property
    def plain(self) -> Grown | None:
        """The tree without the derived feature; None where there is none, or too many points."""
        if self.recipe.derived == "none" or len(self.rows) > _MOST_COMPARED:
            return None
        recipe = self.recipe
        return grown(self.rows, replace(recipe, derived="none"))


@lru_cache(maxsize=32)
def grown(rows: Rows, recipe: Recipe) -> Grown | None:
    """The tree of some points; None where there are none."""
    table = rows.table(recipe.derived)
    if table is None:
        return None
    limit = None if recipe.depth == NO_LIMIT else recipe.depth
    tree = GROWERS[recipe.method](table, max_depth=limit, min_rows=recipe.min_rows)
    return Grown(rows, recipe, tree)


@lru_cache(maxsize=32)
def legend(rows: Rows) -> Attribute:
    """The target with the names of its classes shortened."""
    names = tuple(map(short, rows.target.values or ()))
    return Attribute(short(rows.target.name), names)


@lru_cache(maxsize=32)
def axes(rows: Rows) -> tuple[Axis, Axis]:
    """The unit square, or what holds a table's points with a little air."""
    names = [short(axis.name) for axis in rows.axes]
    if rows.frame is None:
        return Axis(names[0], 0.0, 1.0), Axis(names[1], 0.0, 1.0)
    (left, right), (low, high) = rows.frame
    return Axis(names[0], left, right), Axis(names[1], low, high)
