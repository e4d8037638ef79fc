"""Names, values and questions as they stand in a picture, and what is counted for it.

Names and values are other people's data. Control characters are made visible, and text that runs
from right to left is kept from turning around what stands beside it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab import splits as s
from dtree_lab.criteria import ENTROPY, MOST_ROWS, entropy, gini
from dtree_lab.escape import printable
from dtree_lab.shown import value
from dtree_lab.tree import Branch, Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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


def entropies(counts: Iterable[Sequence[int]]) -> list[float]:
    """The entropy of each node, in bits; 0 for a node without rows."""
    listed = np.array(list(counts), dtype=np.int64)
    rows = np.maximum(listed.sum(axis=1), 1)
    if rows.max(initial=0) > MOST_ROWS:  # which no table has, but a tree from elsewhere may
        return [entropy(one) if any(one) else 0.0 for one in listed]
    found: list[float] = ENTROPY.per_row(ENTROPY.cost(listed), rows).tolist()
    return found


def ginis(counts: Iterable[Sequence[int]]) -> list[float]:
    """The Gini impurity of each node; 0 for a node without rows."""
    return [gini(one) if any(one) else 0.0 for one in counts]


def every(root: Node) -> Iterator[Node]:
    """Every node of a subtree, however deep it is."""
    waiting = [root]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, Branch):
            waiting.extend(one.children)


def size(node: Node) -> int:
    """How many nodes a subtree has."""
    return sum(1 for _ in every(node))


def resting(node: Node) -> int:
    """How many training rows stop at a question, because they have no value to answer it with."""
    if not isinstance(node, Branch):
        return 0
    return max(sum(node.counts) - sum(sum(child.counts) for child in node.children), 0)


def need_tree(tree: object) -> None:
    """Raise a TypeError for what is no tree."""
    if not isinstance(tree, Tree):
        msg = f"tree must be a dt.Tree; got a {type(tree).__name__}"
        raise TypeError(msg)
