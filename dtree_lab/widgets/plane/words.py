"""How the lab tells of its points, its tree and its regions."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from dtree_lab import splits
from dtree_lab.draw.style import mark
from dtree_lab.shown import number, plural
from dtree_lab.tree import Branch
from dtree_lab.widgets.kit.cards import node_at
from dtree_lab.widgets.kit.names import short
from dtree_lab.widgets.plane.grown import NO_LIMIT, legend
from dtree_lab.widgets.plane.rows import PRESETS, derived_name

if TYPE_CHECKING:
    from dtree_lab.tree import Path, Tree
    from dtree_lab.widgets.plane.rows import Derived, Rows
    from dtree_lab.widgets.plane.state import State

# So many points are listed, the newest first.
MOST_LISTED = 24


def class_name(rows: Rows, k: int) -> str:
    """A class's name, shortened."""
    return str((legend(rows).values or ())[k])


def marked(rows: Rows, k: int) -> str:
    """A class's mark and name."""
    return f"{mark(k).char} {class_name(rows, k)}"


def near(x: float) -> str:
    """A coordinate with four digits."""
    return number(float(f"{x:.4g}"))


def feature(rows: Rows, derived: Derived) -> str:
    """The derived feature's name, shortened."""
    return short(derived_name(rows, derived))


def listed(state: State) -> list[int]:
    """The points that are listed, by their positions."""
    return list(range(len(state.rows) - 1, -1, -1))[:MOST_LISTED]


def size(tree: Tree) -> str:
    """``3 leaves, 2 questions deep``."""
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    return f"{leaves}, {plural(tree.depth, 'question')} deep"


def result(state: State) -> str:
    """The size of the tree, and how many points it gets wrong."""
    if state.grown is None:
        return "There are no points: place one."
    wrong, n = state.grown.wrong, len(state.rows)
    limit = "no limit" if state.recipe.depth == NO_LIMIT else f"limit {state.recipe.depth}"
    return (
        f"{state.recipe.method}, {limit}: {size(state.grown.tree)}; {wrong:,}/{n:,} points wrong."
    )


def costs(state: State) -> list[str]:
    """What the boundary costs: leaves and errors, with and without the derived feature."""
    made = state.grown
    if made is None:
        return ["A tree needs rows: place a point, or choose what to draw points from."]
    lines = []
    if made.unlike_truth is not None:
        form, _ = PRESETS[state.rows.preset]
        lines.append(
            f"The points come from {form}. On {100 * made.unlike_truth:.1f} % of the plane the tree"
            " answers unlike that boundary (measured at 2,500 places)."
        )
    elif state.rows.preset == "noise":
        lines.append(
            "The classes are tossed coins: whatever the tree finds is chance, and on new points it"
            " is wrong half the time."
        )
    if made.plain is not None:
        name = feature(state.rows, state.recipe.derived)
        lines.append(
            f"With {name} it takes {size(made.tree)}, {made.wrong:,} wrong; without it"
            f" {size(made.plain.tree)}, {made.plain.wrong:,} wrong."
        )
    elif state.recipe.derived == "none":
        lines.append(
            "Each question compares one axis with a number, so every region is a rectangle: a"
            " slanting boundary costs a staircase of leaves."
        )
    return lines


def where(state: State) -> str:
    """The selected node: its conditions, its rows and its answer."""
    made = state.grown
    if made is None:
        return ""
    node = node_at(made.tree.root, state.selected)
    if node is None:
        return ""
    rows = plural(sum(node.counts), "point")
    each = ", ".join(f"{n:,} {class_name(state.rows, k)}" for k, n in enumerate(node.counts) if n)
    if isinstance(node, Branch):
        what = f"It asks {_question(made.tree, node)}?"
    else:
        answer = max(range(len(node.counts)), key=lambda k: node.counts[k])
        what = f"It answers {class_name(state.rows, answer)}."
    place = " and ".join(conditions(made.tree, state.selected)) or "The whole plane"
    return f"{place}: {rows} ({each}). {what}"


def conditions(tree: Tree, path: Path) -> list[str]:
    """What holds in the region of a node: for each attribute asked, from where to where it goes."""
    ends: dict[int, tuple[float, float]] = {}
    node = tree.root
    for branch in path:
        assert isinstance(node, Branch)  # noqa: S101 - the path is one of the tree's
        low, high = ends.get(node.split.attribute, (-inf, inf))
        assert isinstance(node.split, splits.Intervals)  # noqa: S101 - of continuous attributes
        cuts = (-inf, *node.split.cuts, inf)
        ends[node.split.attribute] = max(low, cuts[branch]), min(high, cuts[branch + 1])
        node = node.children[branch]
    return [_between(tree.attributes[i].name, *ends[i]) for i in sorted(ends)]


def _between(attribute: str, low: float, high: float) -> str:
    name = short(attribute)
    if low == -inf:
        return f"{name} < {near(high)}"
    return f"{name} ≥ {near(low)}" if high == inf else f"{near(low)} ≤ {name} < {near(high)}"


def _question(tree: Tree, node: Branch) -> str:
    attribute = tree.attributes[node.split.attribute]
    return splits.question(node.split, replace(attribute, name=short(attribute.name)))
