"""A tree as JSON: readable, complete, and checked when it is read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from sys import float_info
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import is_encodable, listing
from dtree_lab.criteria.classes import CRITERIA
from dtree_lab.table.table import Attribute, is_missing
from dtree_lab.tree import splits as s
from dtree_lab.tree.arrays import Flat, from_splits
from dtree_lab.tree.subtrees import resting
from dtree_lab.tree.tree import Tree

FORMAT = "dtree_lab.tree.tree/1"
# Where a node says to which branch rows without a value go, or by -2 that each gets a part: who
# reads only the first must not.
WITH_SIDES = "dtree_lab.tree.tree/2"
_MOST = 2**63 - 1
T = TypeVar("T")


def to_data(tree: Tree) -> dict[str, Any]:
    """The tree as plain lists and mappings; nodes are listed breadth first."""
    kind = WITH_SIDES if (tree.flat.gaps != s.RESTS).any() else FORMAT
    return {"format": kind, **columns_data(tree.attributes, tree.target), **tree_data(tree)}


def columns_data(attributes: Sequence[Attribute], target: Attribute) -> dict[str, Any]:
    """What a tree is about, which trees of a forest have in common."""
    return {
        "target": _dump_attribute(target),
        "attributes": [_dump_attribute(a) for a in attributes],
    }


def tree_data(tree: Tree) -> dict[str, Any]:
    """All else of a tree."""
    nodes = []
    for i in range(tree.n_nodes):
        node: dict[str, Any] = {"counts": tree.flat.counts[i].tolist()}
        if tree.flat.values.size:
            node["values"] = tree.flat.values[i].tolist()
        split = tree.flat.split(i, tree.attributes)
        if split is not None:
            node["ask"] = tree.attributes[split.attribute].name
            node.update(_dump_split(split, tree.attributes[split.attribute]))
            if split.gaps != s.RESTS:
                node["gaps"] = split.gaps
        nodes.append(node)
    unit = {"weight_unit": tree.weight_unit} if tree.weight_unit != 1 else {}
    return {"criterion": tree.criterion, **unit, "nodes": nodes}


def _dump_attribute(attribute: Attribute) -> dict[str, Any]:
    values = None if attribute.values is None else list(attribute.values)
    return {"name": attribute.name, "values": values}


def _dump_split(split: s.Split, attribute: Attribute) -> dict[str, Any]:
    if isinstance(split, s.Intervals):
        return {"cuts": list(split.cuts)}
    values = attribute.values or ()
    return {"groups": [[values[code] for code in group] for group in split.groups]}


def from_json(text: str) -> Tree:
    """The tree of a text; a ValueError says what is wrong with one that is none."""
    kinds = (FORMAT, WITH_SIDES)
    return read_saved(text, kinds, "tree", lambda data: tree_of_data(data, *columns_of_data(data)))


def read_saved(
    text: str, kinds: Sequence[str], what: str, load: Callable[[dict[str, Any]], T]
) -> T:
    """What a text of some format holds; a ValueError says why it is not `what`, such as a tree."""
    try:
        data = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"not a {what}: not JSON ({error})") from None
    if not isinstance(data, dict) or data.get("format") not in kinds:
        raise ValueError(f"not a {what}: the text must hold 'format': {kinds[0]!r}")
    try:
        return load(data)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        msg = f"not a {what}: a part is missing or of the wrong sort ({error!r})"
        raise ValueError(msg) from None


def need(holds: Any, what: str, name: str, must: str) -> None:
    """Raise a ValueError that says what a part of a text must be, if it is not."""
    if not holds:
        raise ValueError(f"not a {what}: {name} must be {must}")


def is_whole_within(n: Any, least: int, most: int) -> bool:
    """Whether it is a whole number within limits."""
    return type(n) is int and least <= n <= most


def is_finite(x: Any) -> bool:
    """Whether it is a number that a float can hold."""
    return type(x) in (int, float) and abs(x) <= float_info.max


def trees_of_data(
    data: dict[str, Any], what: str, attributes: tuple[Attribute, ...], target: Attribute
) -> tuple[Tree, ...]:
    """The trees of a text, one at least."""
    trees = []
    for i, one in enumerate(data["trees"]):
        try:
            trees.append(tree_of_data(one, attributes, target))
        except ValueError as error:
            raise ValueError(f"not a {what}: tree {i} is {error}") from None
    need(trees, what, "trees", "a list with at least one tree")
    return tuple(trees)


def columns_of_data(data: dict[str, Any]) -> tuple[tuple[Attribute, ...], Attribute]:
    """The attributes and the target that :func:`columns_data` gave."""
    target = _load_attribute(data["target"])
    return tuple(_load_attribute(a) for a in data["attributes"]), target


def tree_of_data(
    data: dict[str, Any], attributes: tuple[Attribute, ...], target: Attribute
) -> Tree:
    """The tree that :func:`tree_data` gave."""
    nodes = data["nodes"]
    splits = [_load_split(i, node, attributes) for i, node in enumerate(nodes)]
    counts = [node["counts"] for node in nodes]
    expected = 1 + sum(split.n_branches for split in splits if split)
    if len(nodes) != expected:
        raise ValueError(f"not a tree: {len(nodes)} nodes, but its questions lead to {expected}")
    n_counts = 1 if target.values is None else target.n_values
    for i, row in enumerate(counts):
        right = len(row) == n_counts and all(type(n) is int and n >= 0 for n in row)
        if not right:
            raise ValueError(f"not a tree: node {i} needs {n_counts} counts of rows, not {row!r}")
    if sum(map(sum, counts)) > _MOST:
        raise ValueError("not a tree: it counts more rows than 63 bits can hold")
    values = _load_values(nodes, attributes) if target.values is None else None
    flat = from_splits(splits, np.array(counts, dtype=np.int64), attributes, values)
    _check_order(flat.first, flat.attr)
    _check_sums(flat)
    criterion, unit = _load_criterion(data, target), data.get("weight_unit", 1)
    if type(unit) is not int or unit < 1:
        raise ValueError(f"not a tree: weight_unit={unit!r:.40} must be a whole number, at least 1")
    return Tree(attributes, target, flat, criterion=criterion, weight_unit=unit)


def _load_criterion(data: dict[str, Any], target: Attribute) -> str:
    """The criterion; entropy for a text from before trees knew theirs."""
    known = ("variance",) if target.values is None else tuple(CRITERIA)
    criterion: str = data.get("criterion", known[0])
    if criterion not in known:
        msg = f"not a tree: its criterion must be {' or '.join(map(repr, known))}"
        raise ValueError(f"{msg}, not {criterion!r:.40}")
    return criterion


def _load_values(nodes: list[Any], attributes: tuple[Attribute, ...]) -> NDArray[np.float64]:
    """An answer and a variance for each node, and for lines two numbers an attribute."""
    width = len(nodes[0]["values"])
    continuous = sum(a.values is None for a in attributes)
    for i, node in enumerate(nodes):
        row = node["values"]
        fits = width in (2, 2 + 2 * continuous) and len(row) == width and all(map(is_finite, row))
        if not fits or row[1] < 0:  # a variance
            msg = f"not a tree: node {i} needs an answer and a variance as values, not {row!r}"
            raise ValueError(msg)
    return np.array([node["values"] for node in nodes], dtype=np.float64)


def _check_order(first: Any, attr: Any) -> None:
    inner = np.flatnonzero(attr >= 0)
    wrong = inner[first[inner] <= inner]
    if wrong.size:
        raise ValueError(f"not a tree: node {int(wrong[0])} is its own descendant")


def _check_sums(flat: Flat) -> None:
    # Rows without a value of what is asked rest at the node, so there may be fewer below it.
    rest = resting(flat)
    wrong = np.flatnonzero((rest < 0).any(axis=1))
    if wrong.size:
        i = int(wrong[0])
        below = (flat.counts[i] - rest[i]).tolist()
        msg = f"not a tree: node {i} has the counts {flat.counts[i].tolist()}, its children"
        raise ValueError(f"{msg} together {below}, which is more")


def _load_attribute(data: dict[str, Any]) -> Attribute:
    name, values = data["name"], data["values"]
    good = values is None or (
        # A NaN equals nothing, itself included: no row could have it.
        isinstance(values, list)
        and all(isinstance(v, str | int | float) and not is_missing(v) for v in values)
    )
    if not isinstance(name, str) or not good:
        msg = f"not a tree: an attribute is a name and a list of values (or null), not {data!r}"
        raise ValueError(msg)
    if not is_encodable(data):
        raise ValueError(f"not a tree: half of a character cannot be written down, as in {data!r}")
    attribute = Attribute(name, None if values is None else tuple(values))
    if len(attribute.codes) != attribute.n_values:
        msg = f"not a tree: {name!r} has a value twice: {listing(attribute.values or ())}"
        raise ValueError(msg)
    return attribute


def _load_split(i: int, node: dict[str, Any], attributes: tuple[Attribute, ...]) -> s.Split | None:
    if "ask" not in node:
        return None
    for a in attributes:
        if a.name == node["ask"]:
            split = s.split_on(
                attributes.index(a), a, cuts=node.get("cuts"), groups=node.get("groups")
            )
            gaps = node.get("gaps", s.RESTS)
            if type(gaps) is not int or not s.IN_PARTS <= gaps < split.n_branches:
                msg = f"not a tree: node {i} has no branch {gaps!r:.40} for rows without a value"
                raise ValueError(msg)
            return replace(split, gaps=gaps)
    raise ValueError(f"not a tree: node {i} asks {node['ask']!r}, which is no attribute of it")
