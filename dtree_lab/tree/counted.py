"""Where the rows of a :class:`~dtree_lab.table.scan.Scan` stop in a tree: counted, not fetched."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dtree_lab.base.types import Ints
from dtree_lab.table.encoding import encode, labels_for
from dtree_lab.table.scan import Fork, Scan, Way
from dtree_lab.table.table import Attribute, Table, Value
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.splits import Intervals


def way_down(
    flat: Flat, attributes: Sequence[Attribute], scan: Scan, places: Ints, node: int = 0
) -> Way:
    """The way of a scan's rows from a node on; those that stop at a node get its place, or -1."""
    split, here = flat.split(node, attributes), int(places[node])
    if split is None:
        return here
    first, attribute = int(flat.first[node]), attributes[split.attribute]
    children = range(first, first + split.n_branches)
    ways = [way_down(flat, attributes, scan, places, child) for child in children]
    if here == -1 and all(way == -1 for way in ways):
        return -1
    values = _each_value(scan)
    (codes,) = encode([attribute], values)  # which knows what is wrong with other columns
    column = values.index(attribute.name)
    rest = ways[split.gaps] if split.gaps >= 0 else here
    if isinstance(split, Intervals):
        return Fork(column, tuple(zip((*split.cuts, None), ways, strict=True)), rest)
    there: list[list[Value]] = [[] for _ in (*ways, here)]
    routes = split.routes(attribute.n_values)
    for value, code in zip(scan.attributes[column].values or (), codes, strict=True):
        if code >= 0:  # the last ones are values without a branch
            there[routes[code]].append(value)
    answers = zip(there, (*ways, here), strict=True)
    return Fork(column, tuple((some, way) for some, way in answers if some), rest)


def _each_value(scan: Scan) -> Table:
    """Columns of different lengths that hold each value once, of numbers none."""
    codes = [np.arange(a.n_values, dtype=np.int32) for a in (*scan.attributes, scan.target)]
    return Table(scan.attributes, scan.target, tuple(codes[:-1]), codes[-1])


def rows_stopped(
    flat: Flat, attributes: Sequence[Attribute], target: Attribute, scan: Scan, name: str
) -> Ints:
    """How many rows of each class stop at each node; classes that a tree does not know come last.

    ``(n_nodes, n_classes + 1)``. `name` is what messages call the rows.
    """
    code = labels_for(target, _each_value(scan), "the tree", name)
    counted = scan.count(way_down(flat, attributes, scan, np.arange(flat.n_nodes)))
    label = np.where(code < 0, target.n_values, code).take(counted.labels)
    stopped = np.zeros((flat.n_nodes, target.n_values + 1), dtype=np.int64)
    np.add.at(stopped, (counted.place, label), counted.times)
    return stopped
