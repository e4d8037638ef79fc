"""The piece of a tree that is drawn: all of it, unless it is too deep or too wide for a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtree_lab.shown import plural
from dtree_lab.tree import Branch, Leaf, Tree, flatten
from dtree_lab.widgets.kit.cards import MOST_CARDS, node_at
from dtree_lab.widgets.kit.parts import TreePicture

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from dtree_lab.tree import Path

MOST_BRANCHES = 100


@dataclass(frozen=True)
class Scenery:
    """What is to be seen of a tree.

    Attributes
    ----------
    here, selected
        The node at work, and the one that is looked at.
    tags, faded
        As for :class:`~dtree_lab.widgets.kit.parts.TreePicture`.
    """

    heading: str
    here: Path = ()
    selected: Path = ()
    tags: Mapping[Path, str] | None = None
    faded: Collection[Path] = ()


def base(tree: Tree, here: Path) -> Path:
    """Where the drawn piece begins: the root, or as far above the node at work as there is room."""
    room = MOST_CARDS
    for n in range(len(here), -1, -1):
        node = node_at(tree.root, here[:n])
        room -= len(node.children) if isinstance(node, Branch) else 0
        if room < 0:
            return here[: min(n + 1, len(here))]
    return ()


def picture(tree: Tree, scenery: Scenery) -> TreePicture:
    """The picture of the piece around the node at work; it says what is left out."""
    top = base(tree, scenery.here)
    below = len(top)
    tags = {p[below:]: tag for p, tag in (scenery.tags or {}).items() if p[:below] == top}
    selected = scenery.selected if scenery.selected[:below] == top else scenery.here
    drawn, heading = tree, scenery.heading
    if top:
        heading += f", without {plural(below, 'question')} above"
    node = node_at(tree.root, top)
    wide = isinstance(node, Branch) and len(node.children) > MOST_BRANCHES
    if isinstance(node, Branch) and wide:
        tags = {(): f"its {len(node.children):,} branches are not drawn"}
        node, selected = Leaf(node.counts), top
    if node is not None and (top or wide):
        flat = flatten(node, tree.attributes)
        drawn = Tree(tree.attributes, tree.target, flat, criterion=tree.criterion)
    lit = scenery.here[below:] if not wide else ()
    return TreePicture(
        id="tree",
        heading=heading,
        tree=drawn,
        selected=selected[below:],
        tags=tags,
        faded=frozenset(p[below:] for p in scenery.faded if p[:below] == top),
        lit=lit,
    )
