"""Small trees over binary attributes, worked out the slow and obvious way."""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Row: TypeAlias = dict[str, str]
    Rows: TypeAlias = list[Row]
    Names: TypeAlias = Sequence[str]
    Written: TypeAlias = "str | tuple[str, Written, Written]"


def says(tree: Written, row: Row) -> str:
    """What a written tree answers."""
    while not isinstance(tree, str):
        name, low, high = tree
        tree = high if row[name] == "T" else low
    return tree


def consistent(tree: Written, rows: Rows) -> bool:
    """Whether a written tree fits all rows."""
    return [says(tree, row) for row in rows] == [row["y"] for row in rows]


def _pure(rows: Rows) -> bool:
    return len({row["y"] for row in rows}) <= 1


def _parted(rows: Rows, name: str) -> tuple[Rows, Rows]:
    return [r for r in rows if r[name] == "F"], [r for r in rows if r[name] == "T"]


def _without(names: Names, name: str) -> list[str]:
    return [other for other in names if other != name]


def _searched(
    rows: Rows, names: Names, joined: Callable[[int, int], int], best: Callable[[list[int]], int]
) -> int:
    """Something found by trying every attribute that parts the rows."""
    if _pure(rows):
        return 0
    found = []
    for name in names:
        low, high = _parted(rows, name)
        if low and high:
            rest = _without(names, name)
            below = [_searched(part, rest, joined, best) for part in (low, high)]
            found.append(joined(*below))
    return best(found) if found else 0


def fewest_questions(rows: Rows, names: Names) -> int:
    """The internal nodes of a smallest tree that fits."""
    return _searched(rows, names, lambda low, high: 1 + low + high, min)


def most(rows: Rows, names: Names) -> int:
    """The internal nodes of a largest tree that fits and never asks in vain."""
    return _searched(rows, names, lambda low, high: 1 + low + high, max)


def most_in_vain(rows: Rows, names: Names) -> int:
    """The same where any question may be asked, also one that parts nothing."""
    if _pure(rows) or not names:
        return 0
    return max(
        1 + sum(most_in_vain(part, _without(names, name)) for part in _parted(rows, name))
        for name in names
    )


def shallowest(rows: Rows, names: Names) -> int:
    """The least depth of a tree that fits."""
    return _searched(rows, names, lambda low, high: 1 + max(low, high), min)


def in_order(rows: Rows, names: Names) -> int:
    """The internal nodes of the tree that asks the names in their order."""
    if _pure(rows) or not names:
        return 0
    low, high = _parted(rows, names[0])
    return 1 + in_order(low, names[1:]) + in_order(high, names[1:])


def never_stops(rows: Rows, names: Names) -> int:
    """The internal nodes of the tree that asks all names wherever there is a row."""
    if not rows or not names:
        return 0
    return 1 + sum(never_stops(part, names[1:]) for part in _parted(rows, names[0]))


def asks_again(rows: Rows, names: Names) -> int:
    """What comes of a search that leaves every name to be asked again: it calls itself on."""
    if len({row["y"] for row in rows}) <= 1:
        return 0
    return min(1 + sum(asks_again(part, names) for part in _parted(rows, name)) for name in names)


def forgets_empty_heaps(rows: Rows, names: Names) -> int:
    """What comes of a search that asks on where there is no row: an error at the latest leaf."""
    if len({row["y"] for row in rows}) == 1:
        return 0
    return min(
        1 + sum(forgets_empty_heaps(part, _without(names, name)) for part in _parted(rows, name))
        for name in names
    )


def runs_out_of_names(rows: Rows, names: Names) -> int:
    """What comes of a search that hands on only the names after the one that it tries."""
    if _pure(rows):
        return 0
    return min(
        1 + sum(runs_out_of_names(part, names[i + 1 :]) for part in _parted(rows, name))
        for i, name in enumerate(names)
    )


def one_list(rows: Rows, names: list[str]) -> int:
    """Takes each name out of the list while it loops through it, and puts it back at the end."""
    if _pure(rows):
        return 0
    best = 99
    for name in names:
        names.remove(name)
        best = min(best, 1 + sum(one_list(part, names) for part in _parted(rows, name)))
        names.append(name)
    return best


def until_single(rows: Rows, names: Names) -> int:
    """The internal nodes of a smallest tree that goes on until no two rows are together."""
    if len(rows) <= 1:
        return 0
    return min(
        1 + sum(until_single(part, _without(names, name)) for part in _parted(rows, name))
        for name in names
    )


def all_added(rows: Rows, names: Names) -> int:
    """What all the names would cost together, at each node."""
    if _pure(rows):
        return 0
    return sum(
        1 + sum(all_added(part, _without(names, name)) for part in _parted(rows, name))
        for name in names
    )


def greedy(rows: Rows, names: Names, luck: Callable[[list[int]], int] = min) -> int:
    """The internal nodes that ID3 ends with, when its ties are broken with the best luck."""
    if _pure(rows):
        return 0
    asked = [name for name in names if all(_parted(rows, name))]
    if not asked:
        return 0
    left = {name: _left(rows, name) for name in asked}
    least = min(left.values())
    found = []
    for name in asked:
        if left[name] <= least + 1e-9:  # a tie, but for rounding
            rest = _without(names, name)
            found.append(1 + sum(greedy(part, rest, luck) for part in _parted(rows, name)))
    return luck(found)


def _left(rows: Rows, name: str) -> float:
    """H(y | name), times the number of rows."""
    total = 0.0
    for part in _parted(rows, name):
        trues = sum(row["y"] == "T" for row in part)
        for count in (trues, len(part) - trues):
            total += count * log2(len(part) / count) if count else 0.0
    return total
