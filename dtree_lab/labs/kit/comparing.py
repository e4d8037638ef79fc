"""Compare two trees in a lab: words, tags for their pictures, and the rows answered differently."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from dtree_lab.base.text import plural, value
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Pick
from dtree_lab.labs.kit.parts import Grid, Part, TreeView, Words
from dtree_lab.labs.kit.taking import row_number
from dtree_lab.tree.differences import Changed, Differences
from dtree_lab.tree.tree import Path

# So many places, rows, and values of a row are told; and so many cards of each of two trees drawn.
MOST_PLACES, MOST_ROWS, MOST_VALUES, MOST_CARDS = 8, 20, 4, 30
DIFFERS, ONLY = "differs", "only here"


class TreeComparison(NamedTuple):
    """What a lab shows of two trees."""

    # What differs, and what the trees are called.
    differences: Differences
    names: tuple[str, str]
    # For a picture of each tree: what stands under its cards.
    tags: tuple[dict[Path, str], dict[Path, str]]
    parts: list[Part]  # what differs in words, and the rows that are answered differently


def parts(
    differences: Differences, names: tuple[str, str], *, second: bool = False
) -> TreeComparison:
    """What to show of the differences between two trees."""
    told: list[Part] = [Words("compare-places", _lines(differences, names))]
    if len(differences.rows):
        rows = _rows(differences, names)
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
        heading=capital(seen.names[which]),
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


def capital(text: str) -> str:
    """The text as a sentence begins."""
    return text[:1].upper() + text[1:]


def _tags(differences: Differences) -> tuple[dict[Path, str], dict[Path, str]]:
    places = differences.places
    one = {place.one: ONLY if place.kind == "one" else DIFFERS for place in places}
    other = {place.other: ONLY if place.kind == "other" else DIFFERS for place in places}
    return one, other


def _lines(differences: Differences, names: tuple[str, str]) -> list[str]:
    """The differences in words; where there are many, those that concern most rows."""
    places = differences.places
    order = sorted(range(len(places)), key=lambda i: -places[i].changed)[:MOST_PLACES]
    lines = [differences.told(names), *(places[i].told(names) for i in sorted(order))]
    hidden = len(places) - len(order)
    if hidden:
        lines.append(f"… {plural(hidden, 'more place')} that concern no more rows")
    return lines


def _rows(differences: Differences, names: tuple[str, str]) -> Grid:
    """The rows that are answered differently, with both answers; one can be chosen."""
    attributes = differences.table.attributes[:MOST_VALUES]
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
        ["row", *(a.name for a in attributes), *map(capital, names), target, ""],
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
