"""Which nodes there are to practise at, and how a node is named from outside."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dtree_lab.learn.api import id3
from dtree_lab.learn.candidates import best_split
from dtree_lab.learn.recipe import recipe
from dtree_lab.shown import listing
from dtree_lab.splits import ByValue, threshold
from dtree_lab.tree import Branch, walk
from dtree_lab.widgets.practice.node import MOST_VALUES, Node

if TYPE_CHECKING:
    from dtree_lab.table import Table, Value
    from dtree_lab.tree import Path, Tree
    from dtree_lab.widgets.practice.node import Condition

At: TypeAlias = "Mapping[str, Value] | Sequence[tuple[str, Value]]"
MOST_NODES = 20
# Fewer rows than these are no exercise, unless somebody asks for them.
_FEWEST = 4
_DEEP = 3
_SIDE = re.compile(r"\s*(<|>=|≥)\s*(\S+)\s*")


def nodes_of(table: Table) -> tuple[Node, ...]:
    """The nodes to choose from: the root, those of one condition, and the deeper ones of ID3.

    Only those where something can be practised, and not more than `MOST_NODES`.
    """
    found = [Node(table), *_of_one_condition(table)]
    if len(found) < MOST_NODES:
        tree = id3(table, max_depth=_DEEP)
        found += [
            Node(table, _conditions(tree, path))
            for path, node in walk(tree.root)
            if len(path) > 1 and isinstance(node, Branch)
        ]
    fit = (n for n in found if not n.conditions or len(n.rows) >= _FEWEST)
    return tuple(node for node in fit if node.refusal is None)[:MOST_NODES]


def _of_one_condition(table: Table) -> list[Node]:
    found: list[Node] = []
    for i, attribute in enumerate(table.attributes):
        if attribute.n_values > MOST_VALUES or len(found) >= MOST_NODES:
            continue
        split = best_split(table, i, recipe("id3"))
        if split is None:
            continue
        found += [Node(table, ((split.split, b),)) for b in range(split.split.n_branches)]
    return found


def _conditions(tree: Tree, path: Path) -> tuple[Condition, ...]:
    """The questions on the way to a node, each with the branch that is taken."""
    node, found = tree.root, []
    for branch in path:
        assert isinstance(node, Branch)  # noqa: S101 - paths of a tree lead through branches
        found.append((node.split, branch))
        node = node.children[branch]
    return tuple(found)


def node_at(table: Table, at: At) -> Node:
    """The node that a person names.

    Parameters
    ----------
    at
        Its conditions: ``{"Refund": "No"}``, or pairs of an attribute and a value; of a
        continuous attribute, a text such as ``"< 80"`` or ``">= 80"``.

    Raises
    ------
    ValueError
        For what is no condition, a name that is no attribute, a value that it does not have, or
        rows at which nothing can be practised.
    """
    pairs = list(at.items()) if isinstance(at, Mapping) else at
    if isinstance(pairs, str) or not isinstance(pairs, Sequence) or not all(map(_is_pair, pairs)):
        msg = f'at must be conditions such as {{"Refund": "No"}}; got {at!r}'
        raise ValueError(msg)
    node = Node(table, tuple(_condition(table, name, given) for name, given in pairs))
    if node.refusal is not None:
        msg = f"nothing can be practised at {at!r}: {node.refusal}"
        raise ValueError(msg)
    return node


def _is_pair(one: object) -> bool:
    return isinstance(one, tuple | list) and len(one) == 2 and isinstance(one[0], str)  # noqa: PLR2004


def _condition(table: Table, name: str, given: Any) -> Condition:
    i = table.index(name)
    attribute = table.attributes[i]
    if attribute.values is None:
        found = _SIDE.fullmatch(given) if isinstance(given, str) else None
        cut = _finite(found[2]) if found else None
        if found is None or cut is None:
            msg = f'{name!r} is continuous: say "< 80" or ">= 80", for instance; got {given!r}'
            raise ValueError(msg)
        return threshold(i, cut), 0 if found[1] == "<" else 1
    hashable = isinstance(given, str | int | float | bool)
    code = attribute.code(given) if hashable else -1
    if code < 0:
        msg = f"{name!r} has no value {given!r}; it has {listing(attribute.values)}"
        raise ValueError(msg)
    return ByValue(i, tuple((k,) for k in range(attribute.n_values))), code


def _finite(text: str) -> float | None:
    try:
        x = float(text)
    except ValueError:
        return None
    return x if math.isfinite(x) else None


def named(node: Node) -> list[list[Value]]:
    """The conditions of a node as :func:`node_at` reads them, exactly, fit for JSON."""
    found: list[list[Value]] = []
    for split, branch in node.conditions:
        attribute = node.table.attributes[split.attribute]
        if isinstance(split, ByValue):
            found.append([attribute.name, (attribute.values or ())[split.groups[branch][0]]])
        else:
            found.append([attribute.name, f"{'>=' if branch else '<'} {split.cuts[0]!r}"])
    return found


def another(
    nodes: Sequence[Node], seed: int, number: int, now: tuple[Node, str]
) -> tuple[Node, str]:
    """The next exercise: a node and an attribute other than those of now, where there are any.

    The nodes come in an order drawn from `seed`, each once before any comes again.
    """
    order = np.random.default_rng([seed]).permutation(len(nodes))
    here = named(now[0])
    for step in range(len(nodes)):
        place = number + step
        node = nodes[order[place % len(nodes)]]
        names = [n for n in node.offered if n != now[1] or named(node) != here]
        if names:
            return node, names[int(np.random.default_rng([seed, place]).integers(len(names)))]
    return now
