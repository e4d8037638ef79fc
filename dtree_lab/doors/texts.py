"""The texts that others write of a tree: R's rpart, and Weka of J48, its C4.5."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dtree_lab.base.text import listing, value
from dtree_lab.doors.modelnodes import ModelNode, ModelTree, plain_name
from dtree_lab.table.table import Attribute, Table, Value
from dtree_lab.tree.splits import just_above


@dataclass(frozen=True)
class NodeLine:
    """A line of a text: what leads to a node, and what is said of it."""

    attribute: Attribute | None  # None where nothing leads there: at the root
    mark: str = ""
    value: Any = None  # a cut, a value, or a list of values
    node: ModelNode | None = None  # its answer and its rows; J48 tells them of leaves only


def _ahead(table: Table, text: str, marks: Sequence[str]) -> tuple[Attribute, str, str]:
    """The longest attribute that a condition begins with, the mark after it, and the rest."""
    for attribute in sorted(table.attributes, key=lambda a: -len(a.name)):
        size = len(attribute.name)
        if plain_name(text[:size]) == plain_name(attribute.name):
            for mark in marks:
                if text.startswith(mark, size):
                    return attribute, mark, text[size + len(mark) :]
    msg = f"the text asks {text!r:.60}, which begins with none of {listing(table.names)}"
    raise ValueError(msg)


def _values_by_text(attribute: Attribute) -> dict[str, Value]:
    """A discrete attribute's values by how others write them, the longest first."""
    values = attribute.values or ()
    written = {text: v for v in values for text in (str(v), value(v), str(v).upper())}
    written |= {str(v): v for v in values}  # "yes" beside "YES"
    return {text: written[text] for text in sorted(written, key=len, reverse=True)}


def _no_such_value(attribute: Attribute, text: str) -> ValueError:
    """The error of a text with a value that an attribute does not have."""
    there = f"has the values {listing(attribute.values)}" if attribute.values else "is continuous"
    return ValueError(f"the text has {text!r:.40} for {attribute.name!r}, which {there}")


def _value(attribute: Attribute, text: str) -> Value:
    """The value that a text writes so."""
    values = _values_by_text(attribute)
    if text not in values:
        raise _no_such_value(attribute, text)
    return values[text]


def _number(text: str, what: str) -> float:
    """The number that a text writes so."""
    try:
        x = float(text)
    except ValueError:
        x = math.nan
    if not math.isfinite(x):
        raise ValueError(f"the text has {text!r:.40} where {what} should be")
    return x


# -- rpart -----------------------------------------------------------------------------------------

_HEAD = re.compile(r"^node\), split, n, (loss|deviance), yval", re.MULTILINE)
_LINE = re.compile(r"^ *(\d+)\) (.*?) *$", re.MULTILINE)
_OF_CLASSES = re.compile(r"(\S+) +\S+ (.*?) \([^()]*\)(?: \*)?$")
_OF_NUMBERS = re.compile(r"(\S+) +\S+ +(\S+?)(?: +\*)?$")


def tree_of_rpart(text: str, table: Table) -> ModelTree | None:
    """The tree that rpart has printed; None where a text is nothing of the kind."""
    head = _HEAD.search(text)
    if head is None:
        return None
    classes = head[1] == "loss"
    lines = {
        int(number): _rpart_line(line, table, classes=classes)
        for number, line in _LINE.findall(text)
    }
    if 1 not in lines:
        raise ValueError("the text of rpart has no root: it is cut off after its head")
    root = _rpart_node(lines, 1)
    if not classes:
        return ModelTree(root, "tree of rpart", own_answers=False)
    # R has the levels of a factor in the order of the alphabet unless it is told otherwise.
    order = tuple(sorted(table.classes, key=str))
    return ModelTree(root, "tree of rpart", "gini", order)


def _rpart_line(text: str, table: Table, *, classes: bool) -> NodeLine:
    line, rest = NodeLine(None), text.removeprefix("root ")
    if rest == text:
        attribute, mark, rest = _ahead(table, text, (">=", "<", "="))
        asked, rest = _asked(attribute, mark, rest.lstrip(" "))
        line = NodeLine(attribute, mark, asked)
    match = (_OF_CLASSES if classes else _OF_NUMBERS).match(rest)
    if match is None:
        raise ValueError(f"the text has {text!r:.60} for a node, which is no line of rpart's")
    n = _number(match[1], "the number of rows")
    answer = _value(table.target, match[2]) if classes else 0
    return replace(line, node=ModelNode(answer, n_rows=n))


def _asked(attribute: Attribute, mark: str, rest: str) -> tuple[Any, str]:
    """The cut, or the values with commas between them, and what comes after it."""
    if mark != "=":
        cut, _, rest = rest.partition(" ")
        return _number(cut, f"a cut of {attribute.name!r}"), rest.lstrip(" ")
    group: list[Value] = []
    values = _values_by_text(attribute)
    while True:
        # Values may hold commas and blanks, so they are looked for, the longest first.
        for written, v in values.items():
            if rest.startswith((f"{written},", f"{written} ")):
                group.append(v)
                break
        else:
            raise _no_such_value(attribute, rest)
        more, rest = rest[len(written)] == ",", rest[len(written) + 1 :].lstrip(" ")
        if not more:
            return group, rest


def _rpart_node(lines: dict[int, NodeLine], number: int) -> ModelNode:
    here = lines[number].node or ModelNode()
    left, right = (lines.get(child) for child in (2 * number, 2 * number + 1))
    if left is None and right is None:
        return here
    if left is None or right is None or left.attribute is None or left.attribute != right.attribute:
        msg = f"node {number} of the text needs two lines below it, {2 * number} and the next"
        raise ValueError(msg)
    children = (_rpart_node(lines, 2 * number), _rpart_node(lines, 2 * number + 1))
    asked = [left.value, right.value] if left.mark == "=" else [left.value]
    if left.mark == ">=":
        children = children[::-1]
    return replace(here, question=(left.attribute.name, asked), children=children)


# -- J48 -------------------------------------------------------------------------------------------

_TREE = re.compile(r"^J48 \w+ tree\n-+\n\s*\n?((?:(?!Number of Leaves).*\S.*\n?)+)", re.MULTILINE)
_LEAF = re.compile(r"(.*?): (.*) \((\d+(?:\.\d+)?)(?:/\d+(?:\.\d+)?)?\)$")
_BAR = "|   "
# Cuts are values of rows, written with six decimals.
_ROUNDED = 5.1e-7
# Lines, each with how far it stands to the right.
_Lines = Sequence[tuple[int, NodeLine]]


def tree_of_j48(text: str, table: Table) -> ModelTree | None:
    """The first tree that J48 has written; None where there is none in a text."""
    match = _TREE.search(text.replace("\r", ""))
    if match is None:
        return None
    lines = [_j48_line(line.rstrip(), table) for line in match[1].splitlines()]
    first = lines[0][1]
    alone = first.node if first.attribute is None else None
    root, rest = (alone, lines[:0]) if alone else _j48_node(lines, 0)
    if rest:
        asked = rest[0][1].attribute
        raise ValueError(f"the text asks {asked!r:.60} where a node should have ended")
    return ModelTree(root, "tree of J48", "entropy", table.classes)


def _j48_line(text: str, table: Table) -> tuple[int, NodeLine]:
    depth = 0
    while text.startswith(_BAR):
        depth, text = depth + 1, text.removeprefix(_BAR)
    leaf = None
    if match := _LEAF.match(text):
        text = match[1]
        n = _number(match[3], "a number of rows")
        leaf = ModelNode(_value(table.target, match[2]), n_rows=n)
        if not text:
            return depth, NodeLine(None, node=leaf)
    attribute, mark, rest = _ahead(table, text, (" <= ", " > ", " = ", " != "))
    if mark in (" = ", " != "):
        return depth, NodeLine(attribute, mark, _value(attribute, rest), leaf)
    cut = _above(_number(rest, f"a cut of {attribute.name!r}"), attribute, table)
    return depth, NodeLine(attribute, mark, cut, leaf)


def _above(number: float, attribute: Attribute, table: Table) -> float:
    """The cut just above a number, or above the row's value that is written so."""
    column = table.columns[table.index(attribute.name)]
    near = column[np.abs(column - number) <= _ROUNDED]
    value = float(near.max()) if near.size else number
    return float(just_above(np.array(value)))


def _j48_node(lines: _Lines, depth: int) -> tuple[ModelNode, _Lines]:
    """The node whose branches stand at a depth, and the lines that are left."""
    branches: list[tuple[NodeLine, ModelNode]] = []
    while lines and lines[0][0] == depth:
        (_, line), lines = lines[0], lines[1:]
        child = line.node
        if child is None:
            child, lines = _j48_node(lines, depth + 1)
        branches.append((line, child))
    if len({line.attribute for line, _ in branches}) != 1 or len(branches) == 1:
        raise ValueError("the text of J48 is cut off: a node in it has no second branch")
    n = sum(child.n_rows or 0 for _, child in branches)
    first = branches[0][0]
    if first.attribute is None:
        raise ValueError("the text of J48 has a leaf where a node's question should be")
    if first.mark == " <= ":
        asked: list[Any] = [first.value]
    else:
        # A value that no row had is answered as the node is, which is what such a row gets here.
        branches = [(line, child) for line, child in branches if child.n_rows != 0]
        asked = [_group(line) for line, _ in branches]
    children = tuple(child for _, child in branches)
    question = (first.attribute.name, asked)
    return ModelNode(None, question, children, parts_gaps=True, n_rows=n), lines


def _group(line: NodeLine) -> list[Value]:
    """The values that a branch takes."""
    if line.mark == " = " or line.attribute is None:
        return [line.value]
    return [v for v in line.attribute.values or () if v != line.value]
