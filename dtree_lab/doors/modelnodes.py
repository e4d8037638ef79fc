"""What is read off somebody else's tree, before a table's rows fill it."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from sys import float_info
from typing import Any

import numpy as np

from dtree_lab.base.text import did_you_mean, listing, plural
from dtree_lab.table.table import Attribute, Table, Value


@dataclass(frozen=True)
class ModelNode:
    """A node of a model: what it asks as :func:`dtree_lab.by_hand` takes it, and what it says."""

    answer: Any = None  # the class, or the number
    question: Any = None  # None at a leaf
    children: tuple[ModelNode, ...] = ()
    gaps: int = -1  # the branch of rows without a value; -1 where they rest
    parts_gaps: bool = False  # whether such a row goes to all branches, a part of it to each
    n_rows: float | None = None  # how many training rows it had


@dataclass(frozen=True)
class ModelTree:
    """A model's tree."""

    root: ModelNode
    name: str  # what to call it in a message
    criterion: str = "variance"
    # Its classes in its own order, which decides ties; none of a tree that answers numbers.
    classes: tuple[Value, ...] | None = None
    # Whether the answers of a tree of numbers are its own; else they are the means of the rows.
    own_answers: bool = True
    adds: bool = False  # to a score, and answers nothing alone
    nodes: list[ModelNode] = field(init=False)  # breadth first

    def __post_init__(self) -> None:
        nodes, waiting = list[ModelNode](), deque([self.root])
        while waiting:
            nodes.append(waiting.popleft())
            waiting.extend(nodes[-1].children)
        object.__setattr__(self, "nodes", nodes)


def above_in_floats(threshold: float) -> float:
    """The least double that a float of 32 bits makes a number above the threshold.

    Of all doubles just those below it are at most the threshold once they are rounded to a float,
    as scikit-learn rounds them, so that no row goes another way. Between two floats it is the
    middle that decides, which itself is rounded to the even one.

    >>> f"{above_in_floats(2.5):.9f}"
    '2.500000119'
    """
    with np.errstate(over="ignore"):
        below = np.float32(threshold)
        if float(below) > threshold:
            below = np.nextafter(below, np.float32(-np.inf))
        above = np.nextafter(below, np.float32(np.inf))
        middle = float(below) / 2 + float(above) / 2
        cut = middle if float(np.float32(middle)) > threshold else math.nextafter(middle, math.inf)
    # An infinite threshold asks whether there is a number at all.
    return min(cut, float_info.max)


def plain_name(name: str) -> str:
    """A name without what R and LightGBM write otherwise: blanks, brackets and the like."""
    return "".join(c if c.isalnum() else "." for c in name)


def attribute_named(table: Table, name: str) -> tuple[Attribute, Any]:
    """The attribute that a model calls so, and None; of ``Refund_Yes`` the value that is 1."""
    for attribute in table.attributes:
        if attribute.name == name:
            return attribute, None
    similar = [a for a in table.attributes if plain_name(a.name) == plain_name(name)]
    if len(similar) == 1:
        return similar[0], None
    parts = [
        (attribute, v)
        for attribute in table.attributes
        for v in attribute.values or ()
        if name in (f"{attribute.name}_{v}", f"{attribute.name}={v}")
    ]
    if len(parts) == 1:
        return parts[0]
    hint = did_you_mean(name, table.names)
    raise ValueError(f"the model asks {name!r}, but the table has {listing(table.names)}.{hint}")


def attributes_in_order(
    table: Table, names: Sequence[str] | None, width: int
) -> list[tuple[Attribute, Any]]:
    """The attribute behind each of a model's columns, by name, or by position if it has none."""
    if names is not None:
        return [attribute_named(table, name) for name in names]
    numbers = [a for a in table.attributes if a.values is None]
    for attributes in (table.attributes, numbers):
        if len(attributes) == width:
            return [(attribute, None) for attribute in attributes]
    raise ValueError(
        f"the model has {width} columns and no names for them; the table has"
        f" {plural(len(table.attributes), 'attribute')}, {len(numbers)} of them continuous, so they"
        " cannot be matched by position"
    )


def question_below(where: tuple[Attribute, Any], cut: float) -> tuple[str, Any]:
    """The question whose first branch has what is below a cut."""
    attribute, value = where
    if attribute.values is None:
        return attribute.name, [cut]
    numbers = [float(v) for v in attribute.values if not isinstance(v, str)]
    if value is not None:
        numbers = [float(v == value) for v in attribute.values]
    elif len(numbers) < attribute.n_values:  # words stand in a column by their position
        numbers = [float(code) for code in range(attribute.n_values)]
    groups: list[list[Value]] = [[], []]
    for v, x in zip(attribute.values, numbers, strict=True):
        groups[x >= cut].append(v)
    return attribute.name, groups


def gaps_branch(where: tuple[Attribute, Any], *, left: bool) -> int:
    """The branch of rows without a value; where a column stands for a word, they have a 0."""
    return 0 if left or where[1] is not None else 1
