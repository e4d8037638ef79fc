"""What a picture says about a node: the question or the answer, its rows, its entropy, its name.

Names and values are other people's data. Control characters are made visible, and text that runs
from right to left is kept from turning around what stands beside it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab import splits as s
from dtree_lab.criteria import ENTROPY
from dtree_lab.escape import printable
from dtree_lab.shown import bits, plural, value
from dtree_lab.tree import Branch, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dtree_lab.splits import Split
    from dtree_lab.table import Attribute
    from dtree_lab.tree import Node

_STEERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Accents upon accents would reach into the line above.
_TOWER = re.compile("([\u0300-\u036f]{3})[\u0300-\u036f]+")
_ISOLATE, _POP = "\u2068", "\u2069"


def plain(text: object) -> str:
    """A name or value as one line of text that cannot steer the text around it."""
    return _STEERING.sub("", printable(value(text)))


def isolated(text: str) -> str:
    """Text for a picture: what runs from right to left gets a frame, towers of accents are cut.

    Examples
    --------
    >>> isolated("Refund"), len(isolated("שם"))
    ('Refund', 4)
    """
    if text.isascii():
        return text
    text = _TOWER.sub(r"\1", text)
    if not any(unicodedata.bidirectional(c) in {"R", "AL", "AN"} for c in text):
        return text
    return f"{_ISOLATE}{text}{_POP}"


def unframed(text: str) -> str:
    """The text without the frames of :func:`isolated`, for what cannot read them."""
    return text.replace(_ISOLATE, "").replace(_POP, "")


def asked(split: Split, attributes: Sequence[Attribute]) -> tuple[str, str]:
    """A question as a name and a condition: ``("Taxable Income", "< 80")``, ``("Refund", "")``."""
    name = plain(attributes[split.attribute].name)
    if isinstance(split, s.Intervals) and len(split.cuts) == 1:
        return name, plain(s.answer(split, attributes[split.attribute], 0))
    return name, ""


def answer(split: Split, attributes: Sequence[Attribute], branch: int) -> str:
    """What leads into a branch: ``Single or Divorced``, ``< 80``."""
    return plain(s.answer(split, attributes[split.attribute], branch))


def majority(counts: Sequence[int]) -> int:
    """The class that answers: the most frequent, the first of them in a tie."""
    return counts.index(max(counts)) if counts else 0


def class_name(target: Attribute, cls: int) -> str:
    """A class as text."""
    return plain(target.values[cls]) if target.values else ""


def headline(node: Node, attributes: Sequence[Attribute], target: Attribute) -> tuple[str, str]:
    """A title in halves: ``("Income", "< 80?")``, ``("Refund?", "")``, ``("Cheat =", "No")``."""
    if not isinstance(node, Branch):
        return f"{plain(target.name)} =", class_name(target, majority(node.counts))
    name, condition = asked(node.split, attributes)
    return (name, f"{condition}?") if condition else (f"{name}?", "")


def entropies(counts: Iterable[Sequence[int]]) -> list[float]:
    """The entropy of each node, in bits; 0 for a node without rows."""
    listed = np.array(list(counts), dtype=np.int64)
    rows = np.maximum(listed.sum(axis=1), 1)
    found: list[float] = ENTROPY.per_row(ENTROPY.cost(listed), rows).tolist()
    return found


@dataclass(frozen=True, slots=True)
class Said:
    """What a card says: its title's halves, the small line, and the accessible name."""

    name: str
    condition: str
    detail: str
    label: str


def say(
    node: Node, attributes: Sequence[Attribute], target: Attribute, entropy: float, hidden: int = 0
) -> Said:
    """What the card of a node says; `hidden` nodes are folded away below it."""
    name, condition = headline(node, attributes, target)
    rows = plural(sum(node.counts), "row")
    detail, label = f"{rows} · {bits(entropy)} bits", f"{rows}, entropy {bits(entropy)} bits"
    if hidden:
        detail = f"{rows} · {plural(hidden, 'node')} below"
        label += f", {plural(hidden, 'node')} folded"
    called = f"{name} {condition}".rstrip()
    if isinstance(node, Branch):
        called = called.removesuffix("?")
    return Said(name, condition, detail, f"{called}, {label}")


def heading(tree: Tree) -> str:
    """What a tree's picture is called."""
    return (
        f"Decision tree for {plain(tree.target.name)}: {plural(tree.n_nodes, 'node')},"
        f" {tree.n_leaves:,} of them leaves, depth {tree.depth}"
    )


def alt_text(tree: Tree) -> str:
    """What a tree's picture shows, in two sentences, for those who do not see it.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> alt_text(dt.stump(dt.datasets.two_attributes()))
    'Decision tree for Y: 3 nodes, 2 of them leaves, depth 1. The root asks: X1?'
    """
    said = " ".join(headline(tree.root, tree.attributes, tree.target)).rstrip()
    return f"{heading(tree)}. The root {'asks' if tree.depth else 'answers'}: {said}"


def size(node: Node) -> int:
    """How many nodes a subtree has."""
    waiting, n = [node], 0
    while waiting:
        one = waiting.pop()
        n += 1
        if isinstance(one, Branch):
            waiting.extend(one.children)
    return n


def need_tree(tree: object) -> None:
    """Raise a TypeError for what is no tree."""
    if not isinstance(tree, Tree):
        msg = f"tree must be a dt.Tree; got a {type(tree).__name__}"
        raise TypeError(msg)
