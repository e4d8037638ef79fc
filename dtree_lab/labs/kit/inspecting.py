"""Inspect a tree: follow one row, or all rows, through it, and compare it with another tree.

A lab keeps a :class:`Follow` in its state; its update asks :func:`next_follow` and :func:`picked`
about an action, its view takes what to show from :func:`follow_parts`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import plural, value
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Pick, Press, Set, whole_number
from dtree_lab.labs.kit.cards import reasons
from dtree_lab.labs.kit.controls import Button, Control, Dropdown, Slider
from dtree_lab.labs.kit.parts import Controls, Grid, Part, TreeView, Words
from dtree_lab.labs.kit.taking import ends, given, position, row_number
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Table
from dtree_lab.tree.differences import Changed, Differences, does
from dtree_lab.tree.subtrees import errors_on, node_number, path_to, summed_up
from dtree_lab.tree.tree import Path, Tree


@dataclass(frozen=True, eq=False)
class Passed:
    """Where rows go in a classification tree."""

    rows_wrong: NDArray[np.intp]  # the rows that come out wrong, as positions in the table
    # Of each node, how many rows come there, and how many of them come out wrong, there or below;
    # shape ``(n_nodes,)``.
    rows: NDArray[Any]
    wrong: NDArray[Any]
    as_leaf: NDArray[Any]  # how many would come out wrong, were the node a leaf

    @classmethod
    def of(cls, tree: Tree, table: Table) -> Passed:
        """Send the rows of a table through a tree."""
        labels = labels_for(tree.target, table, "the tree")
        stops = tree.apply(table)
        as_leaf, stopped_wrong = errors_on(tree, table, "the table")
        stopped = np.bincount(stops, minlength=tree.n_nodes)
        return cls(
            np.flatnonzero(tree.flat.majority[stops] != labels),
            summed_up(tree.flat, stopped),
            summed_up(tree.flat, stopped_wrong),
            as_leaf,
        )


def node_paths(tree: Tree) -> list[Path]:
    """The path of each node, in the order of their numbers."""
    found: list[Path] = [()]
    for node, width in enumerate(tree.flat.width.tolist()):  # children stand in parents' order
        found.extend((*found[node], branch) for branch in range(width))
    return found


def last_reason(tree: Tree, path: Path) -> str:
    """What led to a node last; the way above is to be seen in a picture."""
    if not path:
        return "the root"
    why = reasons(tree.root, tree.attributes, path)[-1]
    return f"… {why}" if len(path) > 1 else why


# So many nodes are listed, and so many values of a row.
MOST_NODES, MOST_VALUES = 25, 8
_LABEL = "Follow rows through the tree"


@dataclass(frozen=True)
class Follow:
    """Whom to follow."""

    # ``""`` for nobody, ``"one training"`` or ``"all training"``; instead of training any name of a
    # table.
    whom: str = ""
    # The one row, as a position in the table, from 0. People are told its `row_number`.
    row: int = 0

    @property
    def which(self) -> str:
        """The name of the table."""
        return self.whom.partition(" ")[2]

    @property
    def is_one(self) -> bool:
        """Whether it is one row."""
        return self.whom.startswith("one ")


class Followed(NamedTuple):
    """What is shown: tags and a lit path for a picture of the tree, controls, words or a grid."""

    tags: dict[Path, str]
    lit: Path | None
    parts: list[Part]


# -- what a person does ----------------------------------------------------------------------------


def next_follow(
    follow: Follow, action: Action, tables: Mapping[str, Table], tree: Tree
) -> Follow | None:
    """Whom to follow after an action; None for an action that is about something else."""
    match action:
        case Set("follow", str(whom)):
            known = _whoms(tables)
            if whom and whom not in known:
                msg = f"There is nobody {whom!r} to follow; there are {', '.join(known)}."
                raise NotPossibleError(msg)
            kept = follow.which == Follow(whom).which
            return Follow(whom, follow.row if kept else 0)
        case Set("follow-row", wanted):
            table = _table(follow, tables)
            at = whole_number(wanted, 1, given(table).n_rows, "The row")
            return replace(follow, row=position(table, at, follow.row))
        case Press("follow-wrong"):
            return replace(follow, row=_next_wrong(follow, tree, _table(follow, tables)))
    return None


def picked(follow: Follow, action: Action, tables: Mapping[str, Table], tree: Tree) -> Path | None:
    """The node that an action chooses in the grid of nodes; None for any other action."""
    if not isinstance(action, Pick) or action.part != "follow-nodes":
        return None
    order = _worst(Passed.of(tree, _table(follow, tables)))
    if follow.is_one or not 0 <= action.row < len(order):
        raise NotPossibleError(f"The list of nodes has no line {action.row + 1}.")
    return node_paths(tree)[order[action.row]]


def _whoms(tables: Mapping[str, Table]) -> dict[str, str]:
    """Whom one can follow, each with its words."""
    one = {f"one {name}": f"one {name} row" for name in tables}
    return one | {f"all {name}": f"all {name} rows" for name in tables}


def _table(follow: Follow, tables: Mapping[str, Table]) -> Table:
    if follow.which not in tables:
        raise NotPossibleError("First choose whom to follow.")
    return tables[follow.which]


def _next_wrong(follow: Follow, tree: Tree, table: Table) -> int:
    rows = Passed.of(tree, table).rows_wrong
    if not len(rows):
        raise NotPossibleError(f"The tree gets all of {plural(len(table), 'row')} right.")
    return int(rows[np.searchsorted(rows, follow.row, side="right") % len(rows)])


# -- what is shown ---------------------------------------------------------------------------------


def follow_parts(tree: Tree, tables: Mapping[str, Table], follow: Follow) -> Followed:
    """What to show of those who are followed."""
    options = [("", "nothing"), *_whoms(tables).items()]
    controls: list[Control] = [Dropdown("follow", "Follow", follow.whom, options)]
    if not follow.whom:
        return Followed({}, None, [Controls("follow", _LABEL, controls)])
    table = tables[follow.which]
    passed = Passed.of(tree, table)
    if not follow.is_one:
        tags, grid = _all(tree, passed, follow)
        return Followed(tags, None, [Controls("follow", _LABEL, controls), grid])
    controls += [
        Slider("follow-row", "Row", row_number(table, follow.row), *ends(table)),
        Button("follow-wrong", "Next wrong row", enabled=bool(len(passed.rows_wrong))),
    ]
    path = stopping_path(tree, table, follow.row)
    wrong = "wrong" if follow.row in passed.rows_wrong else "right"
    words = Words("follow-way", _way(tree, table, follow, path))
    tags = {path: f"row {row_number(table, follow.row):,}, {wrong}"}
    return Followed(tags, path, [Controls("follow", _LABEL, controls), words])


def stopping_path(tree: Tree, table: Table, row: int) -> Path:
    """The path of the node where a row of a table stops."""
    return path_to(tree.flat, int(tree.apply(table.row(row))[0]))


def _way(tree: Tree, table: Table, follow: Follow, path: Path) -> list[str]:
    """The way of one row in words, with the reason at each node."""
    row = table.row(follow.row)
    explained = tree.explain(row)
    *reasons, conclusion = str(explained).splitlines()
    truth = row[table.target.name]
    verdict = "right" if explained.prediction == truth else "wrong"
    place = row_number(table, follow.row)
    return [
        f"Row {place:,} of the {follow.which} rows: {_values(tree, row, path)}.",
        *(f"{i}. {why}" for i, why in enumerate(reasons, start=1)),
        f"{conclusion[:1].upper()}{conclusion[1:]}. The row says {value(truth)}: {verdict}.",
    ]


def _values(tree: Tree, row: Mapping[str, Any], path: Path) -> str:
    """The values of a row; where there are many, those that it was asked for come first."""
    way = (node_number(tree.flat, path[:n]) for n in range(len(path) + 1))
    asked = {int(tree.flat.attr[node]) for node in way}
    order = sorted(range(len(tree.attributes)), key=lambda i: i not in asked)[:MOST_VALUES]
    names = [tree.attributes[i].name for i in sorted(order)]
    more = len(tree.attributes) - len(names)
    rest = [f"and {plural(more, 'more value')}"] if more else []
    return ", ".join([*(f"{name} = {value(row[name])}" for name in names), *rest]) or "no values"


def _all(tree: Tree, passed: Passed, follow: Follow) -> tuple[dict[Path, str], Grid]:
    """How many rows come to each node, and how many of them come out wrong."""
    rows, wrong, where = passed.rows.tolist(), passed.wrong.tolist(), node_paths(tree)
    told = zip(where, rows, wrong, strict=True)
    tags = {path: f"{plural(n, 'row')}, {w:,} wrong" for path, n, w in told}
    lines = [
        (
            last_reason(tree, where[i]),
            does(tree, i),
            *(f"{counts[i]:,}" for counts in (rows, wrong, passed.as_leaf)),
        )
        for i in _worst(passed)
    ]
    hidden = tree.n_nodes - len(lines)
    count = f"{wrong[0]:,} of them come out wrong" if wrong[0] else "none comes out wrong"
    head = ("node", "what it does", "rows", "wrong", "wrong if it were a leaf")
    return tags, Grid(
        "follow-nodes",
        "What becomes of the rows at each node",
        head,
        lines,
        heading=f"{plural(rows[0], f'{follow.which} row')}, {count}",
        pick=True,
        more=f"… {plural(hidden, 'more node')} with fewer wrong rows" if hidden else "",
    )


def _worst(passed: Passed) -> list[int]:
    """The nodes that are listed: those with most wrong rows, in the order of the tree."""
    wrong, rows = passed.wrong.tolist(), passed.rows.tolist()
    order = sorted(range(len(rows)), key=lambda i: (-wrong[i], -rows[i]))
    return sorted(order[:MOST_NODES])


# -- another tree ----------------------------------------------------------------------------------

# So many places, rows, and values of a row are told; and so many cards of each of two trees drawn.
MOST_PLACES, MOST_ROWS, MOST_CELLS, MOST_CARDS = 8, 20, 4, 30
DIFFERS, ONLY = "differs", "only here"


class TreeComparison(NamedTuple):
    """What a lab shows of two trees."""

    # What differs, and what the trees are called.
    differences: Differences
    names: tuple[str, str]
    # For a picture of each tree: what stands under its cards.
    tags: tuple[dict[Path, str], dict[Path, str]]
    parts: list[Part]  # what differs in words, and the rows that are answered differently


def comparison_of(
    differences: Differences, names: tuple[str, str], *, second: bool = False
) -> TreeComparison:
    """What to show of the differences between two trees."""
    told: list[Part] = [Words("compare-places", _places_in_words(differences, names))]
    if len(differences.rows):
        rows = _changed_rows(differences, names)
        each = [one.row for one in differences.some(MOST_ROWS)]
        told.append(replace(rows, keys=[-1 - row for row in each] if second else each))
    return TreeComparison(differences, names, _tags(differences), told)


def compared_picture(
    seen: TreeComparison, which: int, selected: Path = (), lit: Path | None = None
) -> TreeView:
    """One of two trees with what differs; its ``Select`` names ``compare-one`` or ``-other``."""
    tree = (seen.differences.one, seen.differences.other)[which]
    return TreeView(
        f"compare-{('one', 'other')[which]}",
        tree,
        selected,
        heading=_capital(seen.names[which]),
        tags=seen.tags[which],
        lit=lit,
        most=MOST_CARDS,
    )


def row_picked(differences: Differences, action: Action) -> int | None:
    """The row of the table that an action chooses in the grid; None for any other action."""
    if not isinstance(action, Pick) or action.part != "compare-rows":
        return None
    if not 0 <= action.row < min(len(differences.rows), MOST_ROWS):
        raise NotPossibleError(f"The list of rows has no line {action.row + 1}.")
    return int(differences.rows[action.row])


def _capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def _tags(differences: Differences) -> tuple[dict[Path, str], dict[Path, str]]:
    places = differences.places
    one = {place.one: ONLY if place.kind == "one" else DIFFERS for place in places}
    other = {place.other: ONLY if place.kind == "other" else DIFFERS for place in places}
    return one, other


def _places_in_words(differences: Differences, names: tuple[str, str]) -> list[str]:
    """The differences in words; where there are many, those that concern most rows."""
    places = differences.places
    order = sorted(range(len(places)), key=lambda i: -places[i].changed)[:MOST_PLACES]
    lines = [differences.told(names), *(places[i].told(names) for i in sorted(order))]
    hidden = len(places) - len(order)
    if hidden:
        lines.append(f"… {plural(hidden, 'more place')} that concern no more rows")
    return lines


def _changed_rows(differences: Differences, names: tuple[str, str]) -> Grid:
    """The rows that are answered differently, with both answers; one can be chosen."""
    attributes = differences.table.attributes[:MOST_CELLS]
    target = differences.table.target.name
    hidden = len(differences.rows) - MOST_ROWS
    unseen = len(differences.table.attributes) - len(attributes)
    more = [
        *([f"… {plural(hidden, 'more row')}"] if hidden > 0 else []),
        *([f"{plural(unseen, 'more attribute')} not shown"] if unseen else []),
    ]
    rows = []
    for one in differences.some(MOST_ROWS):
        row = differences.table.row(one.row)
        cells = [value(row[a.name]) for a in attributes]
        answers = [value(v) for v in (one.one, one.other, one.truth)]
        rows.append([f"{row_number(differences.table, one.row):,}", *cells, *answers, _judged(one)])
    return Grid(
        "compare-rows",
        "Rows that the trees answer differently",
        ["row", *(a.name for a in attributes), *map(_capital, names), target, ""],
        rows,
        heading="Rows answered differently",
        classes=len(attributes) + 3,
        pick=True,
        more="; ".join(more),
    )


def _judged(row: Changed) -> str:
    """Who is right."""
    if row.other == row.truth:
        return "better"
    return "worse" if row.one == row.truth else "both wrong"
