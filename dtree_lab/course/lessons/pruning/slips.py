"""What goes wrong in the rounds of reduced-error pruning: functions with one mistake each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.lessons.pruning.common import (
    Node,
    Path,
    Row,
    askers,
    cut,
    leaf,
    wrong,
    wrong_as_leaf,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    Rows = list[Row]


def best(tree: Node, rows: Rows, least: int = 1) -> Node:
    """A round as it should be; cuts that bring at least so much."""
    found = [(brings, path) for path, brings in askers(tree, rows)]
    most = max((brings for brings, _ in found), default=least - 1)
    return cut(tree, next(p for b, p in found if b == most)) if most >= least else tree


def first_found(tree: Node, rows: Rows) -> Node:
    """Cuts the first node that brings something."""
    return cut_or_not(tree, [path for path, brings in askers(tree, rows) if brings > 0][:1])


def last_found(tree: Node, rows: Rows) -> Node:
    """Cuts the last node that brings something."""
    return cut_or_not(tree, [path for path, brings in askers(tree, rows) if brings > 0][-1:])


def as_good_once(tree: Node, rows: Rows) -> Node:
    """Cuts where nothing gets worse."""
    return best(tree, rows, least=0)


def all_at_once(tree: Node, rows: Rows) -> Node:
    """Makes all cuts that bring something, measured once."""
    return cut_or_not(tree, [path for path, brings in askers(tree, rows) if brings > 0])


def worst_first(tree: Node, rows: Rows) -> Node:
    """Cuts where least is to be had, or most is lost."""
    found = [(brings, path) for path, brings in askers(tree, rows)]
    return cut(tree, min(found)[1]) if found and min(found)[0] < 0 else tree


def on_all_rows(tree: Node, rows: Rows) -> Node:
    """Compares every node on all rows, whether they come to it or not."""
    brings = [(wrong(n, rows) - wrong_as_leaf(n, rows), path) for path, n in _inner(tree)]
    most = max((one for one, _ in brings), default=0)
    return cut_or_not(tree, [path for one, path in brings if one == most > 0][:1])


def _inner(node: Node, path: Path = ()) -> Iterator[tuple[Path, Node]]:
    if "asks" in node:
        yield path, node
        for value, child in node["then"].items():
            yield from _inner(child, (*path, value))


def cut_or_not(tree: Node, paths: list[Path]) -> Node:
    """The tree with some cuts, each as far as there still is something to cut."""
    for path in sorted(paths, key=len, reverse=True):
        tree = cut(tree, path)
    return tree


def one_round(tree: Node, rows: Rows) -> Node:
    """Stops after a round."""
    return best(tree, rows)


def two_rounds(tree: Node, rows: Rows) -> Node:
    """Stops after two rounds."""
    return best(best(tree, rows), rows)


def as_good(tree: Node, rows: Rows) -> Node:
    """Goes on while nothing gets worse."""
    while (smaller := best(tree, rows, least=0)) != tree:
        tree = smaller
    return tree


def not_anew(tree: Node, rows: Rows) -> Node:
    """Measures once and makes all cuts that looked good."""
    return all_at_once(tree, rows)


def from_below(tree: Node, rows: Rows) -> Node:
    """From the leaves up: a node becomes a leaf where that is better than what is left below."""
    if "asks" not in tree:
        return tree
    then = {
        value: from_below(child, [row for row in rows if row[tree["asks"]] == value])
        for value, child in tree["then"].items()
    }
    grown = {**tree, "then": then}
    return leaf(tree["says"]) if wrong_as_leaf(tree, rows) < wrong(grown, rows) else grown


def to_the_root(tree: Node, rows: Rows) -> Node:  # noqa: ARG001 - that is its mistake
    """Cuts everything."""
    return leaf(tree["says"])
