"""The tables of a pruning lab: the nodes that could be cut, and the rows that change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.draw.measure import shortened
from dtree_lab.shown import number, plural, value
from dtree_lab.widgets.kit.parts import Grid
from dtree_lab.widgets.kit.taking import row_number
from dtree_lab.widgets.pruning.reading import MOST_NODES, MOST_ROWS, asked, changed, ranked

if TYPE_CHECKING:
    from dtree_lab.widgets.pruning.state import State

_NAME = 20


def nodes(state: State) -> Grid:
    """Each node's subtree against a leaf, the method's favourite first."""
    found = ranked(state)
    each = zip(found.nodes, found.subtree, found.leaf, *found.extra.values(), strict=True)
    rows = [
        [
            f"{node + 1}: {asked(state.ground, node)}",
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
        area="side",
        stage=2,
    )


def _below(state: State, more: int) -> str:
    said = {
        "cost_complexity": "g: share of the training rows that each leaf more spares.",
        "pessimistic": f"Expected wrong training rows, at confidence {number(state.cf)}.",
    }.get(state.method, "")
    rest = f"… {plural(more, 'more node')} that would bring less." if more > 0 else ""
    return " ".join(filter(None, [said, rest]))


def _signed(n: int) -> str:
    return f"+{n:,}" if n > 0 else f"\N{MINUS SIGN}{-n:,}" if n < 0 else "0"


def rows(state: State) -> Grid:
    """The validation rows that the full tree answers otherwise."""
    found, ground = changed(state), state.ground
    names = [shortened(value(v), _NAME) for v in ground.full.classes]
    held = ground.validation
    listed = []
    each = zip(found.rows, found.before, found.after, strict=True)
    for row, before, after in list(each)[:MOST_ROWS]:
        actual = ground.labels[row]
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
        more=_unlisted(len(found.rows)),
        area="below",
        stage=3,
    )


def _sum(state: State) -> str:
    found = changed(state)
    if not found.rows:
        return "none"
    both = len(found.rows) - found.better - found.worse
    said = (
        f"{len(found.rows):,} of {len(state.ground.validation):,},"
        f" {found.better:,} for the better, {found.worse:,} for the worse"
    )
    return said + (f", {both:,} from one wrong class to another" if both else "")


def _unlisted(n: int) -> str:
    if not n:
        return "Every row is answered as by the full tree."
    return f"The first {MOST_ROWS} are listed." if n > MOST_ROWS else ""
