"""What is wrong with a tree that a learner's ID3 has grown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

from dtree_lab.course.calls import NotPlainError, plain
from dtree_lab.course.lessons.word_senses.gains import (
    ALIKE,
    SENSE,
    Row,
    gain,
    highest,
    majority,
)

GIVES_UP = "a leaf, though its rows disagree and a question is left"
AS_ID3 = "a tree as ID3 grows it"
SPOILT = "; and names are gone from the list that it was given"


def read_tree(id3: Callable[..., Any], rows: list[Row], attributes: list[str]) -> Any:
    """What there is to say of the tree that a function grows: AS_ID3, or its first fault."""
    names = list(attributes)
    tree = id3(deepcopy(rows), names)
    if tree is None:
        return None
    try:
        fault = _fault(plain(tree), rows, tuple(attributes), "at the root")
        spoilt = SPOILT if len(names) < len(attributes) else ""
        return fault + spoilt if fault else AS_ID3
    except NotPlainError:
        return f"at the root: a {type(tree).__name__}, which is neither a label nor a dictionary"


def _fault(tree: Any, rows: Sequence[Row], left: tuple[str, ...], where: str) -> str:
    """The first fault of a tree, by rows that come to it and attributes that are left."""
    agree = len({row[SENSE] for row in rows}) == 1
    if not isinstance(tree, dict):
        return _leaf_fault(tree, rows, () if agree else left, where)
    if len(tree) != 1:
        return f"{where}: a dictionary with {len(tree)} names, where one attribute is asked"
    ((name, branches),) = tree.items()
    if name not in left:
        return f"{where}: asks {name!r}, which may not be asked there"
    if agree:
        return f"{where}: asks {name}, though all rows agree"
    if name not in highest(left, lambda one: gain(rows, one)):
        return f"{where}: asks {name}, and another gains more"
    if not isinstance(branches, dict):
        return f"{where}: below {name} stands no dictionary of its values"
    rest = tuple(one for one in left if one != name)
    return _branch_fault(branches, rows, rest, name)


def _leaf_fault(leaf: Any, rows: Sequence[Row], left: tuple[str, ...], where: str) -> str:
    """The fault of a leaf; a name may be left that all its rows have in one value."""
    telling = [name for name in left if len({row[name] for row in rows}) > 1]
    if not isinstance(leaf, str):
        kind = _kind(leaf)
        if isinstance(leaf, tuple) and telling:
            return f"{where}: {kind}, where a dictionary with a question is wanted"
        return f"{where}: {kind}, which is neither a label nor a dictionary"
    if any(gain(rows, name) > ALIKE for name in telling):
        return f"{where}: a leaf, where a question would still gain"
    if telling:
        return f"{where}: {GIVES_UP}"
    if leaf not in majority(rows):
        return f"{where}: a leaf that says {leaf!r}, which is not the majority there"
    return ""


def _kind(leaf: Any) -> str:
    """What stands for a label; a list and a set come here as tuples, and so all have one name."""
    if isinstance(leaf, tuple):
        return "several values"
    return "nothing" if leaf is None else f"a {type(leaf).__name__}"


def _branch_fault(
    branches: dict[Any, Any], rows: Sequence[Row], rest: tuple[str, ...], name: str
) -> str:
    """The first fault below a question; a branch that none of the rows takes is let be."""
    for value in dict.fromkeys(row[name] for row in rows):
        there = f"below {name} {value}"
        if value not in branches:
            others = " and others do have one" if len(branches) > 1 else ""
            return f"{there}: no branch, though rows go there{others}"
        part = [row for row in rows if row[name] == value]
        fault = _fault(branches[value], part, rest, there)
        if fault:
            return fault
    return ""
