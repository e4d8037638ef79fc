"""What is said of a tree and its nodes: names, numbers, and the axis that answers are marked on.

Names and values are other people's data. Control characters are made visible, and text that runs
from right to left is kept from turning around what stands beside it. Of classes a node has an
impurity, by the criterion that the tree was grown by; of numbers the standard deviation (SD).

Of a regression tree's numbers four digits of the range of all answers are shown; two leaves that
would look the same get more. A number that is right with fewer digits has no zeros behind it: 275
is exact, 275.0 is rounded. One axis serves all of a tree's nodes: long enough for every answer with
its standard deviation to either side, and ending at round numbers, which the legend tells.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction
from functools import lru_cache
from math import floor, log10, sqrt
from sys import float_info
from typing import NamedTuple

import numpy as np

from dtree_lab.base.terminal import Text
from dtree_lab.base.text import amount, number, plural, printable, value
from dtree_lab.criteria.classes import CRITERIA, ENTROPY
from dtree_lab.table.table import Attribute
from dtree_lab.tree import splits as s
from dtree_lab.tree.explanation import slopes, term
from dtree_lab.tree.tree import Branch, Node, Tree, majority, unflatten

_STEERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
# Accents upon accents would reach into the line above.
_TOWER = re.compile("([\u0300-\u036f]{3})[\u0300-\u036f]+")
_ISOLATE, _POP = "\u2068", "\u2069"


@lru_cache(maxsize=4096, typed=True)
def plain(text: object) -> str:
    """A name or value as one line of text that cannot steer the text around it."""
    return _STEERING.sub("", printable(value(text)))


def isolated(text: str) -> str:
    """Text for a picture: what runs from right to left gets a frame, towers of accents are cut.

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


def question_parts(split: s.Split, attributes: Sequence[Attribute]) -> tuple[str, str]:
    """A question as a name and a condition: ``("Taxable Income", "< 80")``, ``("Refund", "")``."""
    name = plain(attributes[split.attribute].name)
    if isinstance(split, s.Intervals) and len(split.cuts) == 1:
        return name, plain(s.answer(split, attributes[split.attribute], 0))
    return name, ""


def branch_answer(split: s.Split, attributes: Sequence[Attribute], branch: int) -> str:
    """What leads into a branch: ``Single or Divorced``, ``< 80``."""
    return s.with_gaps(plain(s.answer(split, attributes[split.attribute], branch)), split, branch)


def branch_condition(
    split: s.Split, attributes: Sequence[Attribute], branch: int
) -> tuple[str, str, str]:
    """What must hold for a branch: attribute, ``<``, ``≥`` or ``=``, and of which value."""
    attribute = attributes[split.attribute]
    op, wanted = s.condition(split, attribute, branch)
    return plain(attribute.name), op, plain(wanted)


def class_name(target: Attribute, cls: int) -> str:
    """A class as text."""
    return plain(target.values[cls]) if target.values else ""


def every(root: Node) -> Iterator[Node]:
    """Every node of a subtree, however deep it is."""
    waiting = [root]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, Branch):
            waiting.extend(one.children)


def root_of(tree: Tree) -> Node:
    """A tree's nodes with the counts that are shown: what rows weigh, not in ticks."""
    if tree.weight_unit == 1:
        return tree.root
    ticks = tree.flat.counts
    rows = np.empty(ticks.shape, dtype=object)
    rows.ravel()[:] = [Fraction(n, tree.weight_unit) for n in ticks.ravel().tolist()]
    return unflatten(replace(tree.flat, counts=rows), tree.attributes)


def subtree_size(node: Node) -> int:
    """How many nodes a subtree has."""
    return sum(1 for _ in every(node))


def resting_rows(node: Node) -> int:
    """How many training rows stop at a question, because they have no value to answer it with."""
    if not isinstance(node, Branch):
        return 0
    return max(sum(node.counts) - sum(sum(child.counts) for child in node.children), 0)


def need_tree(tree: object) -> None:
    """Raise a TypeError for what is no tree."""
    if not isinstance(tree, Tree):
        raise TypeError(f"tree must be a dt.Tree; got a {type(tree).__name__}")


# Decimals below the leading digit of the range, and how many more may be needed.
_DECIMALS, _MORE = 3, 7
# Answers that differ by less, as a share of the range or of the largest, differ by rounding.
_ALIKE, _ROUNDING = 1e-9, 1e-14
# From here on, and below the last, numbers are written with powers of ten.
_LONG, _HUGE, _TINY = 1e12, 1e15, 1e-6


@dataclass(frozen=True)
class Figures:
    """How the answers and deviations of one tree are written."""

    # How far apart the answers are, or how far they are spread at a node if that is more.
    range: float
    size: float  # the largest of them, by amount
    # Decimals of the answers that need more than the others.
    finer: dict[float, int] = field(default_factory=dict)

    @classmethod
    def of(cls, root: Node) -> Figures:
        """What suits the numbers of a tree of nodes."""
        told = [node for node in every(root) if node.values]
        answers = [node.values[0] for node in told]
        low, high = min(answers, default=0.0), max(answers, default=0.0)
        spread = max(map(deviation, told), default=0.0)
        apart = min(max(high - low, spread), float_info.max)
        plain = cls(apart, max(abs(low), abs(high), apart))
        leaves = [node.values[0] for node in told if not isinstance(node, Branch)]
        return cls(plain.range, plain.size, plain.telling_apart(leaves))

    @property
    def noise(self) -> float:
        """What is too small to be anything but rounding."""
        return self.size * _ROUNDING

    @property
    def decimals(self) -> int:
        """How many decimals an answer has; below 0, it is rounded to tens or more."""
        return _DECIMALS - floor(log10(self.range))

    def telling_apart(self, answers: Iterable[float]) -> dict[float, int]:
        """Decimals of those answers that need more in order to differ in what is written."""
        if self.range <= self.noise:
            return {}
        alike = max(_ALIKE * self.range, self.noise)
        same: dict[float, float] = {}
        last = None
        for x in sorted(set(answers)):
            if last is None or x - last > alike:
                last = x
            same[x] = last
        finer: dict[float, int] = {}
        unclear = list(dict.fromkeys(same.values()))
        for decimals in range(self.decimals, self.decimals + _MORE):
            written = [float(self._written(x, decimals)) for x in unclear]
            times = Counter(written)
            unclear = [x for x, seen in zip(unclear, written, strict=True) if times[seen] > 1]
            finer.update(dict.fromkeys(unclear, decimals + 1))
        return {x: finer[one] for x, one in same.items() if one in finer}

    def answer(self, x: float) -> str:
        """An answer as it is shown at a node."""
        if self.range <= self.noise:
            return number(x)
        return self._written(x, self.finer.get(x, self.decimals))

    def deviation(self, x: float) -> str:
        """A standard deviation, with at least two digits; nothing if it is 0."""
        if x <= self.noise:
            return ""
        return self._written(x, max(self.decimals, 1 - floor(log10(x))))

    def exact(self, x: float) -> str:
        """An answer that is right to a billionth, of itself and of the range."""
        text, digits = number(x), 10
        while abs(float(text) - x) > max(_ALIKE * self.range, self.noise):
            text, digits = f"{x:.{digits}g}", digits + 1
        return text

    def _written(self, x: float, decimals: int) -> str:
        if self.size >= _HUGE or self.size < _TINY or (self.size >= _LONG and decimals < 0):
            digits = max(floor(log10(abs(x))) + decimals, 0) if x else 0
            mantissa, e, power = f"{x:.{digits}e}".partition("e")
        else:
            mantissa, e, power = f"{x:.{max(decimals, 0)}f}", "", ""
        written = float(mantissa + e + power)
        if "." in mantissa and abs(written - x) <= max(self.noise, _ROUNDING * abs(x)):
            mantissa = mantissa.rstrip("0").rstrip(".")
        return (mantissa if written else mantissa.lstrip("-")) + e + power


def deviation(node: Node) -> float:
    """The standard deviation of the numbers of a node's rows."""
    return sqrt(max(node.values[1], 0.0))


# Up to so many steps of 1, 2 or 5 times a power of ten from end to end.
_STEPS = 20
_LARGEST = 1e300
_PLAIN = range(-6, 15)  # powers of ten of an end that is written out


@dataclass(frozen=True)
class AnswerAxis:
    """From one number to another, one where all are alike; `ends` is how these are written."""

    low: float
    high: float
    ends: tuple[str, str]

    @classmethod
    def of(cls, root: Node, figures: Figures) -> AnswerAxis | None:
        """The axis of a tree of nodes; None if they have no answers."""
        told = [(node.values[0], deviation(node)) for node in every(root) if node.values]
        if not told:
            return None
        low = max(min(x - sd for x, sd in told), -_LARGEST)
        high = min(max(x + sd for x, sd in told), _LARGEST)
        if high - low <= figures.noise:
            return cls(low, low, (number(low), number(low)))
        step = _step(high - low)
        hair = min(figures.noise, (high - low) / 1e9)  # 0.1 + 0.2 is not above 0.3
        ends = (
            (Decimal(low + hair) / step).to_integral_value(ROUND_FLOOR) * step,
            (Decimal(high - hair) / step).to_integral_value(ROUND_CEILING) * step,
        )
        return cls(float(ends[0]), float(ends[1]), (_text(ends[0]), _text(ends[1])))

    def share(self, x: float) -> float:
        """Where a number is: 0 at the lower end, 1 at the upper."""
        if self.low == self.high:
            return 0.5
        return min(max((x - self.low) / (self.high - self.low), 0.0), 1.0)


def _step(length: float) -> Decimal:
    exact = Decimal(length)
    power = exact.adjusted()
    steps = (Decimal(k).scaleb(power - 1) for k in (1, 2, 5, 10))
    return next(step for step in steps if exact / step <= _STEPS)


def _text(end: Decimal) -> str:
    if not end:
        return "0"
    return f"{end.normalize():f}" if end.adjusted() in _PLAIN else number(float(end))


class Spread(NamedTuple):
    """How mixed a node's rows are, in short and as it is read out; nothing for equal numbers."""

    short: str
    spoken: str


class CountText(NamedTuple):
    """What a line adds for an attribute, whose name is plain."""

    name: str
    slope: float
    mean: float


@dataclass(frozen=True, slots=True)
class CardText:
    """What a card says."""

    # The title's halves, without the terms of a line.
    name: str
    condition: str
    terms: tuple[CountText, ...]  # of a leaf that answers a line
    note: str  # how many rows stop at a question, or nothing
    detail: str  # the small line at the bottom
    label: str  # the accessible name
    full: str  # the whole title
    cls: int  # the class that answers, -1 for a number


@dataclass(frozen=True)
class NodeText:
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
    ) -> NodeText:
        """What suits a tree of nodes."""
        figures = Figures.of(root) if target.values is None else None
        return cls(tuple(attributes), target, figures, criterion)

    @classmethod
    def of_tree(cls, tree: Tree) -> NodeText:
        """What suits a tree."""
        return cls.of(root_of(tree), tree.attributes, tree.target, tree.criterion)

    def answer(self, node: Node, *, exact: bool = False) -> str:
        """The class or number that a node answers; the number of a line at its means."""
        if self.figures is None:
            return class_name(self.target, majority(node.counts))
        if not node.values:  # while a tree grows, it has no answers yet
            return "?"
        return (self.figures.exact if exact else self.figures.answer)(node.values[0])

    def headline(self, node: Node) -> tuple[str, str]:
        """A title in halves: ``("Income", "< 80?")``, ``("Refund?", "")``; of a line the number."""
        if not isinstance(node, Branch):
            return f"{plain(self.target.name)} =", self.answer(node)
        name, condition = question_parts(node.split, self.attributes)
        return (name, f"{condition}?") if condition else (f"{name}?", "")

    def terms(self, node: Node) -> tuple[CountText, ...]:
        """What the line that a node answers adds to its first number."""
        if self.figures is None:
            return ()
        found = slopes(node.values, self.attributes)
        return tuple(CountText(plain(a.name), slope, mean) for a, slope, mean in found)

    def conclusion(self, node: Node) -> str:
        """All that a node answers, exactly: ``Cheat = No``, ``y = 3.1 + 0.52·(x + 2)``."""
        terms = (term(*one, exact=True) for one in self.terms(node))
        name = plain(self.target.name)
        return " ".join([f"{name} =", self.answer(node, exact=True), *terms])

    def spreads(self, nodes: Sequence[Node]) -> list[Spread]:
        """How mixed the rows of some nodes are."""
        if self.figures is None:
            criterion = CRITERIA.get(self.criterion, ENTROPY)
            return [Spread(*told) for told in criterion.spreads([node.counts for node in nodes])]
        return [self._spread(node, self.figures) for node in nodes]

    def _spread(self, node: Node, figures: Figures) -> Spread:
        told = figures.deviation(deviation(node)) if node.values else ""
        return Spread(f"SD {told}", f"standard deviation {told}") if told else Spread("", "")

    def say(self, node: Node, spread: Spread, hidden: int = 0) -> CardText:
        """What the card of a node says; `hidden` nodes are folded away below it."""
        name, condition = self.headline(node)
        terms = () if isinstance(node, Branch) else self.terms(node)
        full = " ".join([f"{name} {condition}".rstrip(), *(term(*one) for one in terms)])
        rows, stay = plural(sum(node.counts), "row"), resting_rows(node)
        detail, spoken = joined(rows, spread.short), [rows, spread.spoken]
        if stay:
            spoken.append(stopping_words(stay))
        if hidden:
            detail = f"{rows} · {plural(hidden, 'node')} below"
            spoken.append(f"{plural(hidden, 'node')} folded")
        called = full.removesuffix("?") if isinstance(node, Branch) else full
        label = ", ".join([called, *filter(None, spoken)])
        note = f"no value: {amount(stay)} stop{'s' * (stay == 1)} here" if stay else ""
        cls = majority(node.counts) if self.figures is None else -1
        return CardText(name, condition, terms, note, detail, label, full, cls)


def joined(*parts: str) -> str:
    """Those parts of a line that say anything, with a dot between them."""
    return " · ".join(filter(None, parts))


def stopping_words(rows: int, where: str = "here") -> str:
    """That some rows stop at a node because they have no value to answer its question with."""
    return f"{plural(rows, 'row')} without a value stop{'s' * (rows == 1)} {where}"


def heading(tree: Tree) -> str:
    """What a tree's picture is called."""
    kind = "Regression" if tree.target.values is None else "Decision"
    return (
        f"{kind} tree for {plain(tree.target.name)}: {plural(tree.n_nodes, 'node')},"
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
    telling = NodeText.of_tree(tree)
    said = " ".join(telling.headline(tree.root)).rstrip()
    sentences = [heading(tree), f"The root {'asks' if tree.depth else 'answers'}: {said}"]
    axis = telling.figures and AnswerAxis.of(tree.root, telling.figures)
    if axis and axis.low < axis.high:
        sentences.append(
            f"On each card an axis, from {axis.ends[0]} to {axis.ends[1]}, has a dot at the node's"
            " answer and a bar of one standard deviation to either side"
        )
    if stay := sum(map(resting_rows, every(root_of(tree)))):
        sentences.append(stopping_words(stay, "above the leaves"))
    return Text(". ".join(sentences).replace("?. ", "? "))
