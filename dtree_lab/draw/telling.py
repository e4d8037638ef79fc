"""What is said of a tree's nodes: the question or the answer, their rows, how mixed these are.

The rows of classes have an entropy or, in a tree that was grown by it, a Gini impurity. A
regression tree answers numbers, told with the digits that tell its leaves apart, and the spread of
its rows is their standard deviation (SD).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from dtree_lab.draw import words
from dtree_lab.draw.axis import Axis
from dtree_lab.draw.figures import Figures, deviation
from dtree_lab.shown import bits, plural
from dtree_lab.terminal import Text
from dtree_lab.tree import Branch, slopes, term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.table import Attribute
    from dtree_lab.tree import Node, Tree


class Spread(NamedTuple):
    """How mixed a node's rows are, in short and as it is read out; nothing for equal numbers."""

    short: str
    spoken: str


class Term(NamedTuple):
    """What a line adds for an attribute, whose name is plain."""

    name: str
    slope: float
    mean: float


@dataclass(frozen=True, slots=True)
class Said:
    """What a card says.

    Attributes
    ----------
    name, condition
        The title's halves, without the terms of a line.
    terms
        Those of a leaf that answers a line.
    note
        How many rows stop at a question, or nothing.
    detail, label, full
        The small line at the bottom, the accessible name, and the whole title.
    cls
        The class that answers, -1 for a number.
    """

    name: str
    condition: str
    terms: tuple[Term, ...]
    note: str
    detail: str
    label: str
    full: str
    cls: int


@dataclass(frozen=True)
class Telling:
    """What the nodes of one tree say; `figures` are those of a regression tree."""

    attributes: tuple[Attribute, ...]
    target: Attribute
    figures: Figures | None = None
    criterion: str = "entropy"

    @classmethod
    def of(
        cls,
        root: Node,
        attributes: Sequence[Attribute],
        target: Attribute,
        criterion: str = "entropy",
    ) -> Telling:
        """What suits a tree of nodes."""
        figures = Figures.of(root) if target.values is None else None
        return cls(tuple(attributes), target, figures, criterion)

    @classmethod
    def of_tree(cls, tree: Tree) -> Telling:
        """What suits a tree."""
        return cls.of(tree.root, tree.attributes, tree.target, tree.criterion)

    def answer(self, node: Node, *, exact: bool = False) -> str:
        """The class or number that a node answers; the number of a line at its means."""
        if self.figures is None:
            return words.class_name(self.target, words.majority(node.counts))
        if not node.values:  # while a tree grows, it has no answers yet
            return "?"
        return (self.figures.exact if exact else self.figures.answer)(node.values[0])

    def headline(self, node: Node) -> tuple[str, str]:
        """A title in halves: ``("Income", "< 80?")``, ``("Refund?", "")``, ``("Cheat =", "No")``.

        Of a line only the first number.
        """
        if not isinstance(node, Branch):
            return f"{words.plain(self.target.name)} =", self.answer(node)
        name, condition = words.asked(node.split, self.attributes)
        return (name, f"{condition}?") if condition else (f"{name}?", "")

    def terms(self, node: Node) -> tuple[Term, ...]:
        """What the line that a node answers adds to its first number."""
        if self.figures is None:
            return ()
        found = slopes(node.values, self.attributes)
        return tuple(Term(words.plain(a.name), slope, mean) for a, slope, mean in found)

    def conclusion(self, node: Node) -> str:
        """All that a node answers, exactly: ``Cheat = No``, ``y = 3.1 + 0.52·(x + 2)``."""
        terms = (term(*one, exact=True) for one in self.terms(node))
        name = words.plain(self.target.name)
        return " ".join([f"{name} =", self.answer(node, exact=True), *terms])

    def spreads(self, nodes: Sequence[Node]) -> list[Spread]:
        """How mixed the rows of some nodes are."""
        counts = [node.counts for node in nodes]
        if self.figures is None and self.criterion == "gini":
            told = map(bits, words.ginis(counts))
            return [Spread(f"Gini {g}", f"Gini impurity {g}") for g in told]
        if self.figures is None:
            found = map(bits, words.entropies(counts))
            return [Spread(f"{h} bits", f"entropy {h} bits") for h in found]
        return [self._spread(node, self.figures) for node in nodes]

    def _spread(self, node: Node, figures: Figures) -> Spread:
        told = figures.deviation(deviation(node)) if node.values else ""
        return Spread(f"SD {told}", f"standard deviation {told}") if told else Spread("", "")

    def say(self, node: Node, spread: Spread, hidden: int = 0) -> Said:
        """What the card of a node says; `hidden` nodes are folded away below it."""
        name, condition = self.headline(node)
        terms = () if isinstance(node, Branch) else self.terms(node)
        full = " ".join([f"{name} {condition}".rstrip(), *(term(*one) for one in terms)])
        rows, stay = plural(sum(node.counts), "row"), words.resting(node)
        detail, spoken = joined(rows, spread.short), [rows, spread.spoken]
        if stay:
            spoken.append(stops(stay))
        if hidden:
            detail = f"{rows} · {plural(hidden, 'node')} below"
            spoken.append(f"{plural(hidden, 'node')} folded")
        called = full.removesuffix("?") if isinstance(node, Branch) else full
        label = ", ".join([called, *filter(None, spoken)])
        note = f"no value: {stay:,} stop{'s' * (stay == 1)} here" if stay else ""
        cls = words.majority(node.counts) if self.figures is None else -1
        return Said(name, condition, terms, note, detail, label, full, cls)


def joined(*parts: str) -> str:
    """Those parts of a line that say anything, with a dot between them."""
    return " · ".join(filter(None, parts))


def stops(rows: int, where: str = "here") -> str:
    """That some rows stop at a node because they have no value to answer its question with."""
    return f"{plural(rows, 'row')} without a value stop{'s' * (rows == 1)} {where}"


def heading(tree: Tree) -> str:
    """What a tree's picture is called."""
    kind = "Regression" if tree.target.values is None else "Decision"
    return (
        f"{kind} tree for {words.plain(tree.target.name)}: {plural(tree.n_nodes, 'node')},"
        f" {tree.n_leaves:,} of them leaves, depth {tree.depth}"
    )


def alt_text(tree: Tree) -> str:
    """What a tree's picture shows, in a few sentences, for those who do not see it.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> alt_text(dt.stump(dt.datasets.two_attributes()))
    'Decision tree for Y: 3 nodes, 2 of them leaves, depth 1. The root asks: X1?'
    """
    telling = Telling.of_tree(tree)
    said = " ".join(telling.headline(tree.root)).rstrip()
    sentences = [heading(tree), f"The root {'asks' if tree.depth else 'answers'}: {said}"]
    axis = telling.figures and Axis.of(tree.root, telling.figures)
    if axis and axis.low < axis.high:
        sentences.append(
            f"On each card an axis, from {axis.ends[0]} to {axis.ends[1]}, has a dot at the node's"
            " answer and a bar of one standard deviation to either side"
        )
    if stay := sum(map(words.resting, words.every(tree.root))):
        sentences.append(stops(stay, "above the leaves"))
    return Text(". ".join(sentences).replace("?. ", "? "))
