"""The wall of trees that vote on a row, and what is told of that row."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dtree_lab.base.text import bits, plural
from dtree_lab.base.types import Ints
from dtree_lab.labs.forest.growth import ForestMember, forest_of, near, votes_for
from dtree_lab.labs.forest.state import State, cell, doubtful, margin, margins_of, nearest, short
from dtree_lab.labs.kit.parts import Grid, Part, Words
from dtree_lab.labs.kit.taking import row_number
from dtree_lab.labs.kit.wall import Tile, Wall, in_words, shape_of
from dtree_lab.tree.subtrees import path_of

MOST_TILES, MOST_CLASSES = 60, 8
_SHOWN, _COLUMNS = 4, 3


def row_name(state: State) -> str:
    """The row as it is numbered in the table that was given."""
    return f"row {row_number(state.clean, state.row)}"


def result(state: State) -> str:
    """Who wins the vote, in a sentence."""
    every, _ = votes_for(state.growth, state.n, state.row)
    label = int(state.table.labels[state.row])
    won, n = int(every.argmax()), int(every.sum())
    trees = f"{every[won]:,} of {plural(n, 'tree')} say {short(state.table.classes[won])}"
    ties = ", first of a tie" if (every == every.max()).sum() > 1 else ""
    right = "rightly" if won == label else f"but it is {short(state.table.classes[label])}"
    return f"{row_name(state).capitalize()}: {trees}{ties}, {right}."


# -- the wall --------------------------------------------------------------------------------------


def wall(state: State) -> Wall:
    """The first trees, with the row's way through each, and the count of all votes."""
    members = state.growth.members[: min(state.n, MOST_TILES)]
    tiles = [_tile(state, member) for member in members]
    every, out = votes_for(state.growth, state.n, state.row)
    told = {int(k) for k in np.flatnonzero(every)} | {int(state.table.labels[state.row])}
    return Wall(
        "wall",
        f"Trees that vote on {row_name(state)}",
        {k: short(state.table.classes[k]) for k in sorted(told)},
        tiles,
        state.shown,
        [
            _counted(state, f"All {plural(state.n, 'tree')}", every),
            _counted(state, f"{int(out.sum()):,} out of bag", out),
        ],
        in_words(tiles, state.n),
        area="hero",
    )


def _tile(state: State, member: ForestMember) -> Tile:
    node = int(member.nodes[state.row])
    way = ".".join(map(str, path_of(member.tree.flat, node)))
    says = int(member.tree.flat.majority[node])
    return Tile(_shape(member), way, says, member.without(state.row))


@lru_cache(maxsize=512)
def _shape(member: ForestMember) -> str:
    return shape_of(member.tree.flat)


def _counted(state: State, what: str, votes: Ints) -> tuple[str, dict[int, int], str]:
    """A line of the tally: the votes of the classes with most, and who wins by how much."""
    if not votes.sum():
        return what, {}, "every tree saw this row"
    some = np.argsort(-votes, kind="stable")[:MOST_CLASSES]
    counted = {int(k): int(votes[k]) for k in sorted(some.tolist()) if votes[k]}
    won, label = int(votes.argmax()), int(state.table.labels[state.row])
    right = "right" if won == label else "wrong"
    told = f"{short(state.table.classes[won])}: {right}, margin {bits(margin(votes, label))}"
    return what, counted, told


# -- the row ---------------------------------------------------------------------------------------


def row_words(state: State) -> Words:
    """The row's values and its label."""
    row, table = state.table.row(state.row), state.table
    names = [attribute.name for attribute in table.attributes]
    said = ", ".join(f"{short(name)} = {cell(row[name])}" for name in names[:_SHOWN])
    more = len(names) - _SHOWN
    if more > 0:
        said += f" and {plural(more, 'other attribute')}"
    label, came = table.labels[state.row], state.clean.labels[state.row]
    turned = "" if label == came else f", turned over by noise from {_class(state, int(came))}"
    line = (
        f"{row_name(state).capitalize()}: {said}. Its label: {_class(state, int(label))}{turned}."
    )
    return Words("row", [line], area="act")


def _class(state: State, k: int) -> str:
    return short(state.table.classes[k])


def row_parts(state: State) -> list[Part]:
    """What a margin is, the rows nearest to the row, and those that the forest doubts most."""
    lines = [
        (
            "The margin of a vote is the share of votes for the row's label less the largest share"
            " of another class: 1 if all vote for the label, below 0 if another class wins."
        ),
        (
            "A dashed frame: the row was out of the tree's bag. Only such trees have not seen its"
            " label; by their votes alone the out-of-bag error is counted."
        ),
    ]
    return [
        Words("margin", lines, drawer="How votes are counted", stage=1),
        _doubtful(state),
        _near(state),
    ]


def _doubtful(state: State) -> Grid:
    rows, table = doubtful(state), state.table
    votes = forest_of(state.growth, state.n).oob_votes
    margins = margins_of(votes, table.labels)
    names = [attribute.name for attribute in table.attributes[:_COLUMNS]]
    lines = []
    for i in rows:
        row = table.row(i)
        known = bits(float(margins[i])) if np.isfinite(margins[i]) else "not known"
        own = [known, _class(state, int(table.labels[i]))]
        lines.append([str(row_number(state.clean, i)), *own, *(cell(row[name]) for name in names)])
    left = len(table) - len(rows)
    return Grid(
        "doubtful",
        "The rows that the forest doubts most, by their margin out of bag; choose one",
        ["row", "margin", *map(short, (table.target.name, *names))],
        lines,
        classes=2,
        pick=True,
        current=rows.index(state.row) if state.row in rows else None,
        keys=rows,
        more=f"{plural(left, 'row')} with larger margins not listed." if left else "",
        drawer="The most doubtful rows",
        stage=3,
    )


def _near(state: State) -> Grid:
    rows, table = nearest(state), state.table
    proximity = near(state.growth, state.n, state.row)
    names = [attribute.name for attribute in table.attributes[:_COLUMNS]]
    lines = []
    for i in rows:
        row = table.row(i)
        own = "chosen" if i == state.row else f"{proximity[i]:.2f}"
        values = [cell(row[name]) for name in names]
        lines.append([str(row_number(state.clean, i)), own, short(row[table.target.name]), *values])
    hidden = len(table.attributes) - len(names)
    return Grid(
        drawer="The nearest rows",
        stage=3,
        id="near",
        label="Rows near to the chosen one; choose one to look at it",
        head=["row", "proximity", *map(short, (table.target.name, *names))],
        rows=lines,
        classes=2,
        pick=True,
        current=0,
        keys=rows,
        more="Proximity: the share of the trees in which two rows stop in the same leaf."
        + (f" {plural(hidden, 'other attribute')} not shown." if hidden else ""),
    )
