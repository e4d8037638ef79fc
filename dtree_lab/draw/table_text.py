"""Tables, comparisons and differences as aligned text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.draw import words
from dtree_lab.draw.cells import grid, more_rows
from dtree_lab.draw.measure import columns, shortened
from dtree_lab.shown import bits, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.learn.compare import Comparison
    from dtree_lab.learn.differences import Differences
    from dtree_lab.table import Table

_WIDEST, _BAR = 32, 24
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def _cell(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - columns(text))
    return space + text if right else text + space


def _aligned(rows: Sequence[Sequence[str]], right: Sequence[bool]) -> list[str]:
    """Rows of cells as lines, each column as wide as its widest cell."""
    short = [[shortened(cell, _WIDEST) for cell in row] for row in rows]
    widths = [max(map(columns, column)) for column in zip(*short, strict=True)]
    return [
        "  ".join(_cell(c, w, right=r) for c, w, r in zip(row, widths, right, strict=True)).rstrip()
        for row in short
    ]


def table_text(table: Table, most: int | None = 10) -> str:
    """The first rows of a table, counted from 1, with the kinds of its columns.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> print(table_text(dt.datasets.truth_table("or", 2)))
    4 rows, 2 attributes; class to predict: or
       a1        a2        or
       discrete  discrete  target
    1  F         F         F
    2  F         T         T
    3  T         F         T
    4  T         T         T
    """
    shown = grid(table, most)
    numbered = [(f"{i:,}", *row) for i, row in enumerate(shown.rows, start=1)]
    head = [("", *shown.names), ("", *shown.kinds)]
    lines = _aligned([*head, *numbered], (True, *shown.numeric))
    end = [more_rows(shown.hidden)] if shown.hidden else []
    return "\n".join([shown.caption, *lines, *end])


def comparison_text(comparison: Comparison) -> str:
    """Every attribute with its gain as a bar, and H(Y|X) and the gain ratio as numbers.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> print(comparison_text(dt.compare(dt.datasets.two_attributes())))
    8 rows, H(Y) = 0.954 bits
    attribute   gain                            H(Y|X)  gain ratio
    X1         0.549  ████████████████████████   0.406       0.549
    X2         0.049  ██▏                        0.906       0.049
    """
    top = max((one.gain for one in comparison.ranked), default=0.0)
    rows = [
        (
            words.plain(one.question),
            bits(one.gain),
            _bar(one.gain / top if top else 0.0),
            bits(one.conditional_entropy),
            bits(one.gain_ratio),
        )
        for one in comparison.ranked
    ]
    head = ("attribute", "gain", "", "H(Y|X)", "gain ratio")
    lines = _aligned([head, *rows], (False, True, False, True, True))
    whole = f"{plural(sum(comparison.counts), 'row')}, H(Y) = {bits(comparison.entropy)} bits"
    return "\n".join([whole, *lines])


def _bar(share: float) -> str:
    """A bar of up to 24 columns, to an eighth of one."""
    full, rest = divmod(round(share * _BAR * 8), 8)
    return ("█" * full + _EIGHTHS[rest]).rstrip()


# So many rows that two trees answer differently are told.
DIFFERING = 20


def differing(found: Differences, most: int | None = DIFFERING) -> list[tuple[str, ...]]:
    """The rows that two trees answer differently, a line each, with a head."""
    target = words.plain(found.table.target.name)
    rows = [
        (f"{one.row + 1:,}", *(words.plain(v) for v in (one.one, one.other, one.truth)))
        for one in found.some(most)
    ]
    return [("row", "first", "second", target), *rows]


def differences_text(found: Differences, most: int | None = 60) -> str:
    """Where two trees part, place by place, and the rows that they answer differently.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.two_attributes()
    >>> print(differences_text(dt.differences(dt.stump(table), dt.id3(table, max_depth=0), table)))
    They part at the root. 4 of 8 rows answered differently: the second is better on 1, worse on 3.
    At the root: the first asks X1, the second answers T. 4 of 8 rows there answered differently.
    row  first  second  Y
      5  F      T       T
      6  F      T       F
      7  F      T       F
      8  F      T       F
    """
    shown = found.places[: most and most // 2]
    places = [words.plain(place.told()) for place in shown]
    if len(shown) < len(found.places):
        places.append(f"… {plural(len(found.places) - len(shown), 'more place')}")
    rows = differing(found, most and min(most, DIFFERING))
    lines = _aligned(rows, (True, False, False, False)) if len(found.rows) else []
    more = len(found.rows) - len(rows) + 1
    return "\n".join([found.told(), *places, *lines, *([more_rows(more)] if more > 0 else [])])
