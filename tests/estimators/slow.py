"""Trees walked question by question and rows counted one by one, to compare with."""

from __future__ import annotations

from itertools import chain

import numpy as np

from dtree_lab.tree.splits import Intervals
from dtree_lab.tree.tree import Branch, walk


def slow_path(tree, row):
    """The path to the node where a row stops, walked question by question."""
    path, node = (), tree.root
    while isinstance(node, Branch):
        attribute = tree.attributes[node.split.attribute]
        given = row[attribute.name]
        if given is None:
            return path
        if isinstance(node.split, Intervals):
            branch = sum(given >= cut for cut in node.split.cuts)
        else:
            code = attribute.values.index(given) if given in attribute.values else -1
            found = [i for i, group in enumerate(node.split.groups) if code in group]
            if not found:
                return path
            branch = found[0]
        path, node = (*path, branch), node.children[branch]
    return path


def labels_at(tree, table):
    """From each node's path to the labels of the training rows that come by."""
    came = {path: [] for path, _ in walk(tree.root)}
    for row in table.rows():
        path = slow_path(tree, row)
        for length in range(len(path) + 1):
            came[path[:length]].append(row[table.target.name])
    return came


def decreases(tree, table, impurity):
    """Rows that have a branch, times impurity, less the same of the branches; summed by column."""
    came = labels_at(tree, table)
    gained = dict.fromkeys(table.names, 0.0)
    for path, node in walk(tree.root):
        if isinstance(node, Branch):
            parts = [came[*path, i] for i in range(len(node.children))]
            known = list(chain(*parts))
            less = len(known) * impurity(known) - sum(len(p) * impurity(p) for p in parts)
            gained[table.names[node.split.attribute]] += less
    return np.array(list(gained.values())), sum(gained.values())
