"""The text that R prints of a tree of rpart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from dtree_lab.doors.modelnodes import (
    ModelNode,
    ModelTree,
    attribute_ahead,
    no_such_value,
    number_written,
    value_written,
    values_by_text,
)
from dtree_lab.table.table import Attribute, Table, Value

_HEAD = re.compile(r"^node\), split, n, (loss|deviance), yval", re.MULTILINE)
_LINE = re.compile(r"^ *(\d+)\) (.*?) *$", re.MULTILINE)
_OF_CLASSES = re.compile(r"(\S+) +\S+ (.*?) \([^()]*\)(?: \*)?$")
_OF_NUMBERS = re.compile(r"(\S+) +\S+ +(\S+?)(?: +\*)?$")


@dataclass(frozen=True)
class RpartLine:
    """A node's line: what leads to it, and what it says."""

    attribute: Attribute | None  # None at the root
    mark: str
    value: Any  # a cut, or a list of values
    n_rows: float
    answer: Value


def tree_of_rpart(text: str, table: Table) -> ModelTree | None:
    """The tree that rpart has printed; None where a text is nothing of the kind."""
    head = _HEAD.search(text)
    if head is None:
        return None
    classes = head[1] == "loss"
    lines = {
        int(number): _line(line, table, classes=classes) for number, line in _LINE.findall(text)
    }
    if 1 not in lines:
        raise ValueError("the text of rpart has no root: it is cut off after its head")
    root = _node(lines, 1)
    if not classes:
        return ModelTree(root, "tree of rpart", own_answers=False)
    # R has the levels of a factor in the order of the alphabet unless it is told otherwise.
    order = tuple(sorted(table.classes, key=str))
    return ModelTree(root, "tree of rpart", "gini", order)


def _line(text: str, table: Table, *, classes: bool) -> RpartLine:
    attribute, mark, value = None, "", None
    if text.startswith("root "):
        rest = text.removeprefix("root ")
    else:
        attribute, mark, rest = attribute_ahead(table, text, (">=", "<", "="))
        value, rest = _value(attribute, mark, rest.lstrip(" "))
    match = (_OF_CLASSES if classes else _OF_NUMBERS).match(rest)
    if match is None:
        raise ValueError(f"the text has {text!r:.60} for a node, which is no line of rpart's")
    n = number_written(match[1], "the number of rows")
    answer = value_written(table.target, match[2]) if classes else 0
    return RpartLine(attribute, mark, value, n, answer)


def _value(attribute: Attribute, mark: str, rest: str) -> tuple[Any, str]:
    """The cut, or the values with commas between them, and what comes after it."""
    if mark != "=":
        cut, _, rest = rest.partition(" ")
        return number_written(cut, f"a cut of {attribute.name!r}"), rest.lstrip(" ")
    group: list[Value] = []
    values = values_by_text(attribute)
    while True:
        # Values may hold commas and blanks, so they are looked for, the longest first.
        for written, v in values.items():
            if rest.startswith((f"{written},", f"{written} ")):
                group.append(v)
                break
        else:
            raise no_such_value(attribute, rest)
        more, rest = rest[len(written)] == ",", rest[len(written) + 1 :].lstrip(" ")
        if not more:
            return group, rest


def _node(lines: dict[int, RpartLine], number: int) -> ModelNode:
    line = lines[number]
    pair = [lines.get(child) for child in (2 * number, 2 * number + 1)]
    left, right = pair
    if left is None and right is None:
        return ModelNode(line.answer, n_rows=line.n_rows)
    if left is None or right is None or left.attribute is None or left.attribute != right.attribute:
        msg = f"node {number} of the text needs two lines below it, {2 * number} and the next"
        raise ValueError(msg)
    children = (_node(lines, 2 * number), _node(lines, 2 * number + 1))
    name = left.attribute.name
    if left.mark == "=":
        question = (name, [left.value, right.value])
    else:
        question = (name, [left.value])
        if left.mark == ">=":
            children = children[::-1]
    return ModelNode(line.answer, question, children, n_rows=line.n_rows)
