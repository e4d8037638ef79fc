"""What is seen of a pruning lab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.draw.measure import shortened
from dtree_lab.shown import number, plural
from dtree_lab.widgets.kit.controls import Button, Choice, Slider, Toggle
from dtree_lab.widgets.kit.leftout import notes
from dtree_lab.widgets.kit.parts import Controls, Part, TreePicture, View, Words
from dtree_lab.widgets.pruning.course import METHODS
from dtree_lab.widgets.pruning.curve import curve
from dtree_lab.widgets.pruning.ground import MOST_IN_LEGEND
from dtree_lab.widgets.pruning.model import LEAST_CF, MOST_CF
from dtree_lab.widgets.pruning.reading import asked, where
from dtree_lab.widgets.pruning.tables import nodes, rows

if TYPE_CHECKING:
    from dtree_lab.tree import Path
    from dtree_lab.widgets.kit.controls import Control
    from dtree_lab.widgets.pruning.state import State

# More cards than this beside each other cannot be read, and folding does not help.
_WIDEST = 80


def view(state: State) -> View:
    """Everything that is shown; a demo reveals the curve, then the nodes, then the rows."""
    parts: list[Part] = [
        *notes(state.ground.given, state.ground.measured),
        _by_method(state),
        _tree(state),
        Words("about", [METHODS[state.method].about], heading=METHODS[state.method].name),
        _now(state),
        _by_node(state),
        curve(state),
        _selected(state),
        nodes(state),
        rows(state),
    ]
    target = state.ground.full.target
    legend = target if target.n_values <= MOST_IN_LEGEND else None
    return View("Prune a tree", parts, legend, state.status)


# -- the tree and what is done to it ---------------------------------------------------------------


def _by_method(state: State) -> Controls:
    method = METHODS[state.method]
    options = [(key, one.name) for key, one in METHODS.items()]
    cf = Slider("cf", "Confidence", state.cf, LEAST_CF, MOST_CF, 0.01, number(state.cf))
    more = bool(state.upcoming) and state.on
    found = state.course
    controls: list[Control] = [
        Choice("method", "Method", state.method, options),
        *([cf] if state.method == "pessimistic" else []),
        Button("next", method.step, more, main=True),
        Button("all", "Run to its end", enabled=not (state.on and state.stop == found.end)),
        Button("back", "Take back the last cut", bool(state.cuts)),
        Button("reset", "Start over", bool(state.cuts)),
        Toggle("on", "Pruning on", state.on),
        Toggle("faded", "Show what is pruned", state.faded),
    ]
    return Controls("by-method", "Prune by a method", controls)


def _now(state: State) -> Words:
    ground, tree = state.ground, state.tree
    wrong = zip(
        ("Training", "Validation"),
        state.wrong,
        (state.course.training[0], state.course.validation[0]),
        (len(ground.training), len(ground.validation)),
        strict=True,
    )
    errors = (
        f"{name}: {now:,} of {plural(rows, 'row')} wrong; full tree: {full:,}."
        for name, now, full, rows in wrong
    )
    size = f"{tree.n_nodes:,} of {plural(ground.full.n_nodes, 'node')}"
    depth = f"depth {tree.depth} of {ground.full.depth}"
    lines = [f"This tree: {size}, {depth}.", *errors]
    classes = len(ground.full.classes)
    if classes > MOST_IN_LEGEND:
        lines.append(f"{classes} classes are too many to be told apart by colours.")
    return Words("now", lines, area="side")


def _tree(state: State) -> TreePicture | Words:
    ground, made = state.ground, state.made
    if _width(state) > _WIDEST:
        said = (
            "The way to the selected node has too many branches to be drawn. The tables tell of the"
            " nodes; choose one there."
        )
        return Words("wide", [said], heading="The tree")
    tags = {ground.paths[node]: "next" for node in state.upcoming if state.on}
    tags |= {ground.paths[node]: "pruned" for node in made}
    lit: Path | None = None
    if state.row is not None:
        stop = int(ground.stops[state.row])
        lit = ground.paths[stop if state.faded else int(state.covered[stop])]
    gone = (node for node, top in enumerate(state.covered.tolist()) if node != top)
    return TreePicture(
        "tree",
        ground.full if state.faded else state.tree,
        ground.paths[state.at],
        heading="The tree",
        tags=tags,
        lit=lit,
        faded=frozenset(ground.paths[node] for node in gone) if state.faded else frozenset(),
        kept=state.tree,
    )


def _width(state: State) -> int:
    """How many cards the ways to the nodes that are looked at unfold."""
    ground = state.ground
    ends = [state.at, *([] if state.row is None else [int(ground.stops[state.row])])]
    seen: set[int] = set()
    while ends:
        node = ends.pop()
        seen.add(node)
        if node:
            ends.append(ground.parent[node])
    return int(ground.flat.width[list(seen)].sum())


def _by_node(state: State) -> Controls:
    node = state.at
    standing = state.on and bool(state.standing.asks[node])
    return Controls(
        "by-node",
        "Prune by hand",
        [
            Button("prune", "Prune this node", standing),
            Button("restore", "Grow it back", state.on and node in state.made),
        ],
        heading=f"The selected node: {asked(state.ground, node)}",
        area="side",
    )


def _selected(state: State) -> Words:
    ground, node = state.ground, state.at
    asks = f"asks {asked(ground, node)}" if ground.flat.attr[node] >= 0 else "is a leaf."
    lines = [f"Node {node + 1} {asks}", shortened(f"Its rows: {where(ground, node)}.", 300)]
    return Words("selected", [*lines, _weighed(state)], area="side")


def _weighed(state: State) -> str:
    ground, node, standing = state.ground, state.at, state.standing
    leaf = f"{int(ground.wrong['validation'][0][node]):,}"
    rows = "wrong validation rows"
    if state.covered[node] != node:
        top = int(state.covered[node])
        return f"It is pruned away, with node {top + 1}, {asked(ground, top)}"
    if node in state.made:
        return f"It is pruned to a leaf, with {leaf} {rows}."
    if not standing.asks[node]:
        return f"It has {leaf} {rows}."
    saved = int(standing.below[node] - standing.as_leaf[node])
    verdict = (
        f"pruning it spares {saved:,}"
        if saved > 0
        else f"pruning it costs {-saved:,}"
        if saved < 0
        else "pruning it changes nothing"
    )
    return f"{int(standing.below[node]):,} {rows} below it, {leaf} as a leaf: {verdict}."
