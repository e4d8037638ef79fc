"""The wall of a forest's trees that vote on a row, and what is told of that row."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dtree_lab.base.text import bits, plural
from dtree_lab.base.types import Ints
from dtree_lab.ensemble.forest import margins_of
from dtree_lab.labs.forest.growth import proximities, votes_for
from dtree_lab.labs.forest.model import State, cell, doubtful, nearest, short_class
from dtree_lab.labs.kit.parts import Grid, Part, Words
from dtree_lab.labs.kit.taking import row_number
from dtree_lab.labs.kit.wall import Tile, Wall, wall_words

# So many trees stand in the wall, and so many classes are counted.
MOST_TILES, MOST_CLASSES = 60, 8
# So many values of the row are told, and so many of those in a list.
_SHOWN, _COLUMNS = 4, 3


def row_name(state: State) -> str:
    """The row as it is numbered in the table that was given."""
    return f"row {row_number(state.clean, state.row)}"


def vote_result(state: State) -> str:
    """Who wins the vote, in a sentence."""
    every, _ = votes_for(state.growth, state.n, state.row)
    label = int(state.table.labels[state.row])
    won, n = int(every.argmax()), int(every.sum())
    trees = f"{every[won]:,} of {plural(n, 'tree')} say {_class(state, won)}"
    ties = ", first of a tie" if (every == every.max()).sum() > 1 else ""
    right = "rightly" if won == label else f"but it is {_class(state, label)}"
    return f"{row_name(state).capitalize()}: {trees}{ties}, {right}."


def wall(state: State) -> Wall:
    """The first trees, with the row's way through each, and the count of all votes."""
    row, members = state.row, state.growth.members[: min(state.n, MOST_TILES)]
    ways = [".".join(map(str, one.way(row))) for one in members]
    tiles = [
        Tile(one.shape, way, int(one.answers[row]), one.without(row))
        for one, way in zip(members, ways, strict=True)
    ]
    every, out = votes_for(state.growth, state.n, state.row)
    told = {int(k) for k in np.flatnonzero(every)} | {int(state.table.labels[state.row])}
    return Wall(
        "wall",
        f"Trees that vote on {row_name(state)}",
        {k: _class(state, k) for k in sorted(told)},
        tiles,
        state.shown,
        [
            _counted(state, f"All {plural(state.n, 'tree')}", every),
            _counted(state, f"{int(out.sum()):,} out of bag", out),
        ],
        wall_words(tiles, state.n),
        area="hero",
    )


def _counted(state: State, what: str, votes: Ints) -> tuple[str, dict[int, int], str]:
    """A line of the tally: the votes of the classes with most, and who wins by how much."""
    if not votes.sum():
        return what, {}, "every tree saw this row"
    some = np.argsort(-votes, kind="stable")[:MOST_CLASSES]
    counted = {int(k): int(votes[k]) for k in sorted(some.tolist()) if votes[k]}
    won, label = int(votes.argmax()), int(state.table.labels[state.row])
    right = "right" if won == label else "wrong"
    (margin,) = margins_of(votes[None], np.array([label])).tolist()
    told = f"{_class(state, won)}: {right}, margin {bits(margin)}"
    return what, counted, told


def voted_row(state: State) -> Words:
    """The row's values and its label."""
    row, table = state.table.row(state.row), state.table
    names = [attribute.name for attribute in table.attributes]
    said = ", ".join(f"{short_class(name)} = {cell(row[name])}" for name in names[:_SHOWN])
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
    return short_class(state.table.classes[k])


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
    margins = state.forest.margins()
    sizes = [bits(float(margins[i])) if np.isfinite(margins[i]) else "not known" for i in rows]
    left = len(table) - len(rows)
    return replace(
        _grid(state, rows, "margin", sizes),
        id="doubtful",
        label="The rows that the forest doubts most, by their margin out of bag; choose one",
        more=f"{plural(left, 'row')} with larger margins not listed." if left else "",
        drawer="The most doubtful rows",
    )


def _near(state: State) -> Grid:
    rows = nearest(state)
    proximity = proximities(state.growth, state.n, state.row)
    hidden = len(state.table.attributes) - _COLUMNS
    return replace(
        _grid(state, rows, "proximity", ["chosen", *(f"{proximity[i]:.2f}" for i in rows[1:])]),
        id="near",
        label="Rows near to the chosen one; choose one to look at it",
        more="Proximity: the share of the trees in which two rows stop in the same leaf."
        + (f" {plural(hidden, 'other attribute')} not shown." if hidden > 0 else ""),
        drawer="The nearest rows",
    )


def _grid(state: State, rows: list[int], measure: str, sizes: list[str]) -> Grid:
    """Some rows with a measure of each, their class and their first values."""
    table = state.table
    names = [a.name for a in (table.target, *table.attributes[:_COLUMNS])]
    each = [(row_number(state.clean, i), table.row(i)) for i in rows]
    return Grid(
        "",
        "",
        ["row", measure, *map(short_class, names)],
        [
            [str(n), size, short_class(row[names[0]]), *(cell(row[name]) for name in names[1:])]
            for (n, row), size in zip(each, sizes, strict=True)
        ],
        classes=2,
        pick=True,
        current=rows.index(state.row) if state.row in rows else None,
        keys=rows,
        stage=3,
    )
