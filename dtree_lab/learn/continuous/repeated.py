"""Attributes that are asked more than once on a path, and whether that was any use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, assert_never

from dtree_lab import splits as s
from dtree_lab.terminal import terminal
from dtree_lab.tree import Branch, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dtree_lab.table import Attribute
    from dtree_lab.tree import Node, Path

# What an attribute can still be on a path: a stretch of numbers (from, below), or some codes.
Left: TypeAlias = tuple[float, float] | frozenset[int]


@dataclass(frozen=True, repr=False)
class Repeat:
    """An attribute that a node asks although a node above has asked it.

    Attributes
    ----------
    path
        The node that asks again.
    attribute
        What it asks.
    asked
        The answers that lead there from the nodes above that asked it, from the root down.
    question
        What is asked now: the cuts, or the groups of values.
    useful
        Whether more than one answer is still possible. The same question a second time never is,
        nor is a second question about an attribute that had a branch for each of its values.
    """

    path: Path
    attribute: Attribute
    asked: tuple[str, ...]
    question: str
    useful: bool

    @terminal
    def __repr__(self) -> str:
        verdict = "tells more" if self.useful else "tells nothing new"
        return f"after {' and '.join(self.asked)}: {self.question}, which {verdict}"


def repeated(tree: Tree) -> tuple[Repeat, ...]:
    """Every node that asks an attribute which was asked above it, in the order of the paths.

    Asking a continuous attribute again, with another cut, is useful; a discrete one with a branch
    for each value has nothing left to tell; and nothing is learned by the same question twice.
    (CART asks a discrete attribute in two groups of values, so it may have reason to come back.)

    Examples
    --------
    >>> import dtree_lab as dt
    >>> repeated(dt.id3(dt.datasets.tax_fraud()))
    ()
    >>> incomes = dt.datasets.tax_fraud()
    >>> tree = dt.by_hand(incomes, {(): ("Taxable Income", 80), (1,): ("Taxable Income", 97.5)})
    >>> repeated(tree)
    (after Taxable Income ≥ 80: Taxable Income < 97.5, which tells more,)
    """
    left: dict[int, Left] = {
        i: (float("-inf"), float("inf")) if a.values is None else frozenset(range(a.n_values))
        for i, a in enumerate(tree.attributes)
    }
    return tuple(_below(tree.root, tree.attributes, (), left, {}))


def _below(
    node: Node,
    attributes: tuple[Attribute, ...],
    path: Path,
    left: dict[int, Left],
    asked: dict[int, tuple[str, ...]],
) -> Iterator[Repeat]:
    if not isinstance(node, Branch):
        return
    split, i = node.split, node.split.attribute
    parts = [_narrowed(left[i], split, branch) for branch in range(split.n_branches)]
    if i in asked:
        useful = sum(map(_possible, parts)) > 1
        yield Repeat(path, attributes[i], asked[i], _said(split, attributes[i]), useful)
    for branch, child in enumerate(node.children):
        said = (*asked.get(i, ()), s.reason(split, attributes[i], branch))
        now, heard = {**left, i: parts[branch]}, {**asked, i: said}
        yield from _below(child, attributes, (*path, branch), now, heard)


def _narrowed(left: Left, split: s.Split, branch: int) -> Left:
    match split:
        case s.Intervals():
            assert isinstance(left, tuple)  # noqa: S101 - the attribute is continuous
            low = split.cuts[branch - 1] if branch else left[0]
            high = split.cuts[branch] if branch < len(split.cuts) else left[1]
            return max(low, left[0]), min(high, left[1])
        case s.ByValue():
            assert isinstance(left, frozenset)  # noqa: S101 - the attribute is discrete
            return left & frozenset(split.groups[branch])
        case _:
            assert_never(split)


def _possible(left: Left) -> bool:
    return left[0] < left[1] if isinstance(left, tuple) else bool(left)


def _said(split: s.Split, attribute: Attribute) -> str:
    if isinstance(split, s.Intervals) and len(split.cuts) == 1:
        return s.question(split, attribute)
    answers = [s.answer(split, attribute, b) for b in range(split.n_branches)]
    return f"{attribute.name} ({', '.join(answers)})"
