"""What a pruning lab shows: the errors as a curve, the tree, and tables."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from dtree_lab.base.text import number, plural, value
from dtree_lab.draw.chart import Axis, Layer, Line, Plot, Rule, figure
from dtree_lab.draw.measure import shortened
from dtree_lab.labs.kit.controls import Button, Control
from dtree_lab.labs.kit.marks import TreeRows
from dtree_lab.labs.kit.parts import Controls, Grid, Part, Picture, TreeView, View, Words
from dtree_lab.labs.kit.taking import notes, row_number, row_words
from dtree_lab.labs.pruning.model import SETTINGS
from dtree_lab.labs.pruning.state import (
    MOST_IN_LEGEND,
    MOST_NODES,
    MOST_ROWS,
    State,
    conditions_at,
    difference_from_full,
    most_nodes,
    question_of,
    ranked,
)
from dtree_lab.prune import METHODS
from dtree_lab.tree.tree import Path

_POINTS, _TOLD = 120, 12
_TRAINING, _VALIDATION = 4, None  # colours that few classes have


def _curve(state: State) -> Picture:
    """The errors of the method's trees, with a line at the tree as it stands, to be dragged."""
    found = state.sequence
    name, nodes = METHODS[state.method].title, state.tree.n_nodes
    shares = [wrong / rows for wrong, rows in zip(state.wrong, _rows(state), strict=True)]
    seen = _thinned(state, _POINTS)
    lines = [
        [(found.n_nodes[i], one[i] / rows) for i in seen]
        for one, rows in zip((found.training, found.validation), _rows(state), strict=True)
    ]
    highest = max(y for line in [*lines, [(0, y) for y in shares]] for _, y in line)
    layers: list[Layer] = [
        Line(lines[0], "training error", _TRAINING, "long"),
        Line(lines[1], "validation error", _VALIDATION),
        Rule(found.n_nodes[found.end], name="the method ends", dash="dots"),
        Rule(nodes, name=f"this tree: {nodes:,}", accent=True),
        *(
            Line([(nodes, y)], hue=hue, dots=True)
            for hue, y in zip((_TRAINING, _VALIDATION), shares, strict=True)
        ),
    ]
    x = Axis("number of nodes", 0, most_nodes(state))
    y = Axis("share of rows wrong", 0, highest * 1.12 or 1)
    title = f"Errors against the number of nodes: {name}. {_current(state)}"
    drag = SETTINGS.control(state, "size", words=_current(state))
    return Picture(
        "curve",
        figure(Plot(title, x, y, layers, 380, 290, direct=True)),
        slider=drag,
        text=list(_lines(state)),
        area="beside",
        stage=1,
    )


def _rows(state: State) -> tuple[int, int]:
    return len(state.data.training), len(state.data.validation)


def _current(state: State) -> str:
    training, validation = state.wrong
    of = _rows(state)
    said = (
        f"This tree: {plural(state.tree.n_nodes, 'node')}, {training:,} of"
        f" {plural(of[0], 'training row')} and {validation:,} of"
        f" {plural(of[1], 'validation row')} wrong"
    )
    return f"{said}{_price(state)}."


def _price(state: State) -> str:
    """For which prices of a leaf the tree is best, where that is what the method is about."""
    prices, stop = state.sequence.prices, state.stop
    if not prices or stop is None:
        return ""
    price = prices[stop]
    if price is None:
        return "; not even at alpha 0 is it the best, for some leaves spare no training row"
    after = next((p for p in prices[stop + 1 :] if p is not None), None)
    upto = " on" if after is None else f" up to {number(round(after, 6))}"
    return f"; the best for alpha from {number(round(price, 6))}{upto}"


def _thinned(state: State, most: int) -> list[int]:
    """The places of at most so many trees, evenly over the sequence, its ends and end included."""
    n = len(state.sequence.stops)
    some = {*np.linspace(0, n - 1, min(n, most)).round().astype(int).tolist(), state.sequence.end}
    return sorted(some)


def _lines(state: State) -> Iterable[str]:
    found, (training, validation) = state.sequence, _rows(state)
    for i in _thinned(state, _TOLD):
        end = " The method ends here." if i == found.end else ""
        yield (
            f"{plural(found.n_nodes[i], 'node')}: {found.training[i]:,} of {training:,} training"
            f" rows wrong, {found.validation[i]:,} of {validation:,} validation rows wrong.{end}"
        )


_NAME = 20


def _nodes(state: State) -> Grid:
    """Each node's subtree against a leaf, the method's favourite first."""
    found = ranked(state)
    each = zip(found.nodes, found.subtree, found.leaf, *found.extra.values(), strict=True)
    rows = [
        [
            f"{node + 1}: {question_of(state.data, node)}",
            f"{subtree:,}",
            f"{leaf:,}",
            _signed(subtree - leaf),
            *(f"{x:.3f}" for x in extra),
        ]
        for node, subtree, leaf, *extra in list(each)[:MOST_NODES]
    ]
    current = found.nodes.index(state.at) if state.at in found.nodes[:MOST_NODES] else None
    more = len(found.nodes) - MOST_NODES
    return Grid(
        "nodes",
        "Nodes that could be pruned",
        ["Node", "Subtree", "Leaf", "Spared", *found.extra],
        rows,
        heading="Wrong validation rows: subtree against leaf",
        pick=True,
        current=current,
        more=_below(state, more) if rows else "Only a leaf stands: nothing is left to prune.",
        drawer="Nodes that could be pruned",
        stage=2,
    )


def _below(state: State, more: int) -> str:
    method, said = METHODS[state.method], ""
    if len(method.columns) == 1:
        said = f"{method.columns[0]}: {method.unit} that each leaf more spares."
    elif method.columns:
        confidence = f", at confidence {number(state.cf)}" if "cf" in method.needs else ""
        said = f"{method.unit[:1].upper()}{method.unit[1:]}{confidence}."
    rest = f"… {plural(more, 'more node')} that would bring less." if more > 0 else ""
    return " ".join(filter(None, [said, rest]))


def _signed(n: int) -> str:
    return f"+{n:,}" if n > 0 else f"\N{MINUS SIGN}{-n:,}" if n < 0 else "0"


def rows(state: State) -> Grid:
    """The validation rows that the full tree answers otherwise."""
    found, data = difference_from_full(state), state.data
    names = [shortened(value(v), _NAME) for v in data.full.classes]
    held = data.validation
    listed = []
    each = zip(found.rows, found.before, found.after, strict=True)
    for row, before, after in list(each)[:MOST_ROWS]:
        actual = data.labels[row]
        verdict = "better" if after == actual else "worse" if before == actual else "wrong both"
        told = shortened(value((held.target.values or ())[held.labels[row]]), _NAME)
        listed.append([f"Row {row_number(held, row)}", names[before], names[after], told, verdict])
    seen = found.rows[:MOST_ROWS]
    return Grid(
        "changed",
        "Validation rows whose prediction changes",
        ["Row", "Full tree", "This tree", "True class", "The change"],
        listed,
        heading=f"Validation rows whose prediction changes: {_sum(state)}",
        classes=3,
        pick=True,
        current=seen.index(state.row) if state.row in seen else None,
        keys=[-1 - row for row in seen],
        more=_unlisted(len(found.rows)),
        drawer="Rows whose prediction changes",
        stage=3,
    )


def _sum(state: State) -> str:
    found = difference_from_full(state)
    if not found.rows:
        return "none"
    both = len(found.rows) - found.better - found.worse
    said = (
        f"{len(found.rows):,} of {len(state.data.validation):,},"
        f" {found.better:,} for the better, {found.worse:,} for the worse"
    )
    return said + (f", {both:,} from one wrong class to another" if both else "")


def _unlisted(n: int) -> str:
    if not n:
        return "Every row is answered as by the full tree."
    return f"The first {MOST_ROWS} are listed." if n > MOST_ROWS else ""


# More cards than this beside each other cannot be read, and folding does not help.
_WIDEST = 80
_METHOD = "The method, and this tree"


def view(state: State) -> View:
    """Everything that is shown; a demo reveals the curve, then the nodes, then the rows."""
    method = METHODS[state.method]
    parts: list[Part] = [
        *notes(state.data.given, state.data.measured),
        _tree(state),
        _curve(state),
        _by_method(state),
        _by_node(state),
        _selected(state),
        _nodes(state),
        rows(state),
        Words("about", [method.about], heading=method.title, drawer=_METHOD),
        _now(state),
    ]
    target = state.data.full.target
    return View(
        "Prune a tree",
        parts,
        target if target.n_values <= MOST_IN_LEGEND else None,
        state.status,
        result=_current(state),
        rows=row_words(state.data.training),
    )


def _by_method(state: State) -> Controls:
    method = METHODS[state.method]
    cf = SETTINGS.control(state, "cf", words=number(state.cf))
    more = bool(state.upcoming) and state.on
    found = state.sequence
    controls: list[Control] = [
        SETTINGS.control(state, "method"),
        *([cf] if "cf" in method.needs else []),
        Button("next", method.step, more, main=True),
        Button("all", "Run to its end", enabled=not (state.on and state.stop == found.end)),
        Button("back", "Take back the last cut", bool(state.cuts)),
        Button("reset", "Start over", bool(state.cuts)),
    ]
    return Controls("by-method", "Prune by a method", controls, area="act")


def _now(state: State) -> Words:
    data, tree = state.data, state.tree
    before = state.sequence.training[0], state.sequence.validation[0]
    wrong = zip(("Training", "Validation"), state.wrong, before, _rows(state), strict=True)
    errors = (
        f"{name}: {now:,} of {plural(rows, 'row')} wrong; full tree: {full:,}."
        for name, now, full, rows in wrong
    )
    size = f"{tree.n_nodes:,} of {plural(data.full.n_nodes, 'node')}"
    depth = f"depth {tree.depth} of {data.full.depth}"
    lines = [f"This tree: {size}, {depth}.", *errors]
    classes = len(data.full.classes)
    if classes > MOST_IN_LEGEND:
        lines.append(f"{classes} classes are too many to be told apart by colours.")
    return Words("now", lines, heading="This tree", drawer=_METHOD)


def _tree(state: State) -> TreeView | Words:
    data, made = state.data, state.cuts_made
    if _width(state) > _WIDEST:
        said = (
            "The way to the selected node has too many branches to be drawn. The tables tell of the"
            " nodes; choose one there."
        )
        return Words("wide", [said], heading="The tree", area="hero")
    tags = {data.paths[node]: "next" for node in state.upcoming if state.on}
    tags |= {data.paths[node]: "pruned" for node in made}
    lit: Path | None = None
    if state.row is not None:
        stop = int(data.stops[state.row])
        lit = data.paths[stop if state.faded else int(state.covered[stop])]
    gone = (node for node, top in enumerate(state.covered.tolist()) if node != top)
    return TreeView(
        "tree",
        data.full if state.faded else state.tree,
        data.paths[state.at],
        tags=tags,
        lit=lit,
        faded=frozenset(data.paths[node] for node in gone) if state.faded else frozenset(),
        kept=state.tree,
        table=data.training,
        rows=TreeRows.of(state.tree, data.training, data.validation),
        area="hero",
    )


def _width(state: State) -> int:
    """How many cards the ways to the nodes that are looked at unfold."""
    data = state.data
    ends = [state.at, *([] if state.row is None else [int(data.stops[state.row])])]
    seen: set[int] = set()
    while ends:
        node = ends.pop()
        seen.add(node)
        if node:
            ends.append(data.parent[node])
    return int(data.flat.width[list(seen)].sum())


def _by_node(state: State) -> Controls:
    node = state.at
    standing = state.on and bool(state.standing.asks[node])
    return Controls(
        "by-node",
        "Prune by hand",
        [
            Button("prune", "Prune this node", standing),
            Button("restore", "Grow it back", state.on and node in state.cuts_made),
            SETTINGS.control(state, "on"),
            SETTINGS.control(state, "faded"),
        ],
        area="act",
    )


def _selected(state: State) -> Words:
    data, node = state.data, state.at
    asks = f"asks {question_of(data, node)}" if data.flat.attr[node] >= 0 else "is a leaf."
    lines = [f"Node {node + 1} {asks}", shortened(f"Its rows: {conditions_at(data, node)}.", 300)]
    return Words("selected", [*lines, _weighed(state)], heading="The selected node")


def _weighed(state: State) -> str:
    data, node, standing = state.data, state.at, state.standing
    leaf = f"{int(data.wrong['validation'][0][node]):,}"
    rows = "wrong validation rows"
    if state.covered[node] != node:
        top = int(state.covered[node])
        return f"It is pruned away, with node {top + 1}, {question_of(data, top)}"
    if node in state.cuts_made:
        return f"It is pruned to a leaf, with {leaf} {rows}."
    if not standing.asks[node]:
        return f"It has {leaf} {rows}."
    saved = int(standing.below[node] - standing.as_leaf[node])
    change = f"spares {saved:,}" if saved > 0 else f"costs {-saved:,}"
    verdict = f"pruning it {change if saved else 'changes nothing'}"
    return f"{int(standing.below[node]):,} {rows} below it, {leaf} as a leaf: {verdict}."
