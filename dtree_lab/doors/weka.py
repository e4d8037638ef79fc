"""The text that Weka writes of a tree of J48, its C4.5."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dtree_lab.doors.modelnodes import (
    ModelNode,
    ModelTree,
    attribute_ahead,
    number_written,
    value_written,
)
from dtree_lab.table.table import Attribute, Table, Value
from dtree_lab.tree.splits import just_above

_TREE = re.compile(r"^J48 \w+ tree\n-+\n\s*\n?((?:(?!Number of Leaves).*\S.*\n?)+)", re.MULTILINE)
_LEAF = re.compile(r"(.*?): (.*) \((\d+(?:\.\d+)?)(?:/\d+(?:\.\d+)?)?\)$")
_BAR = "|   "
# Cuts are values of rows, written with six decimals.
_ROUNDED = 5.1e-7


@dataclass(frozen=True)
class J48Line:
    """A line: how far it stands to the right, what it asks, and the leaf behind it, if any."""

    depth: int
    attribute: Attribute | None  # None in the only line of a tree that is a leaf
    mark: str
    value: Any
    leaf: ModelNode | None


def tree_of_j48(text: str, table: Table) -> ModelTree | None:
    """The first tree that J48 has written; None where there is none in a text."""
    match = _TREE.search(text.replace("\r", ""))
    if match is None:
        return None
    lines = [_line(line.rstrip(), table) for line in match[1].splitlines()]
    if lines[0].attribute is None and lines[0].leaf is not None:
        return ModelTree(lines[0].leaf, "tree of J48", "entropy", table.classes)
    root, rest = _node(lines, 0)
    if rest:
        raise ValueError(f"the text asks {rest[0].attribute!r:.60} where a node should have ended")
    return ModelTree(root, "tree of J48", "entropy", table.classes)


def _line(text: str, table: Table) -> J48Line:
    depth = 0
    while text.startswith(_BAR):
        depth, text = depth + 1, text.removeprefix(_BAR)
    leaf = None
    if match := _LEAF.match(text):
        text = match[1]
        n = number_written(match[3], "a number of rows")
        leaf = ModelNode(value_written(table.target, match[2]), n_rows=n)
        if not text:
            return J48Line(depth, None, "", None, leaf)
    attribute, mark, rest = attribute_ahead(table, text, (" <= ", " > ", " = ", " != "))
    if mark in (" = ", " != "):
        return J48Line(depth, attribute, mark, value_written(attribute, rest), leaf)
    cut = _above(number_written(rest, f"a cut of {attribute.name!r}"), attribute, table)
    return J48Line(depth, attribute, mark, cut, leaf)


def _above(number: float, attribute: Attribute, table: Table) -> float:
    """The cut just above a number, or above the row's value that is written so."""
    column = table.columns[table.index(attribute.name)]
    near = column[np.abs(column - number) <= _ROUNDED]
    value = float(near.max()) if near.size else number
    return float(just_above(np.array(value)))


def _node(lines: Sequence[J48Line], depth: int) -> tuple[ModelNode, Sequence[J48Line]]:
    """The node whose branches stand at a depth, and the lines that are left."""
    branches: list[tuple[J48Line, ModelNode]] = []
    while lines and lines[0].depth == depth:
        line, lines = lines[0], lines[1:]
        child = line.leaf
        if child is None:
            child, lines = _node(lines, depth + 1)
        branches.append((line, child))
    if len({line.attribute for line, _ in branches}) != 1 or len(branches) == 1:
        raise ValueError("the text of J48 is cut off: a node in it has no second branch")
    n = sum(child.n_rows or 0 for _, child in branches)
    first = branches[0][0]
    if first.attribute is None:
        raise ValueError("the text of J48 has a leaf where a node's question should be")
    name = first.attribute.name
    if first.mark == " <= ":
        question: Any = (name, [first.value])
    else:
        # A value that no row had is answered as the node is, which is what such a row gets here.
        branches = [(line, child) for line, child in branches if child.n_rows != 0]
        question = (name, [_group(line) for line, _ in branches])
    children = tuple(child for _, child in branches)
    return ModelNode(None, question, children, parts_gaps=True, n_rows=n), lines


def _group(line: J48Line) -> list[Value]:
    """The values that a branch takes."""
    if line.mark == " = " or line.attribute is None:
        return [line.value]
    return [v for v in line.attribute.values or () if v != line.value]
