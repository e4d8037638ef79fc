"""An exercise: the rows at a node, an attribute, the numbers to fill in; and where to practise."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import bits, listing, number, plural, value
from dtree_lab.criteria.classes import entropy
from dtree_lab.draw.measure import shortened
from dtree_lab.grow.api import id3
from dtree_lab.grow.compare import Compared, whole_question
from dtree_lab.grow.recipe import Candidate, recipe
from dtree_lab.grow.textbook import best_split, weigh
from dtree_lab.labs.kit.cards import asked_on
from dtree_lab.labs.practice import mistakes
from dtree_lab.labs.practice.mistakes import Branches, NumberMistake
from dtree_lab.table.table import Attribute, Table, Value
from dtree_lab.tree.splits import ByValue, Split, reason, threshold
from dtree_lab.tree.tree import Branch, walk

MOST_VALUES, MOST_ATTRIBUTES = 8, 20
# Beyond these the counts are given: nobody should count a hundred rows by hand.
MOST_ROWS, MOST_CLASSES = 30, 6
# How wide a name may be in a label, and the conditions of a node, in columns of text.
NAME, NODE, PART = 28, 56, 20

# One of the questions that lead to a node, and the branch that is taken there.
Condition: TypeAlias = tuple[Split, int]


@dataclass(frozen=True, eq=False)
class PracticeNode:
    """Some rows of a table: those for which all conditions hold."""

    table: Table
    conditions: tuple[Condition, ...] = ()

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """The rows, as positions in the table."""
        here = np.ones(self.table.n_rows, dtype=bool)
        for split, branch in self.conditions:
            here &= split.branch(self.table.columns[split.attribute]) == branch
        return np.flatnonzero(here)

    @cached_property
    def part(self) -> Table:
        """The rows as a table."""
        return self.table.take(self.rows)

    @cached_property
    def brief(self) -> str:
        """The conditions in words, short enough for a line; nothing at the root."""
        attributes = self.table.attributes
        each = (brief(split, attributes[split.attribute], b) for split, b in self.conditions)
        return shortened(" and ".join(each), NODE)

    @cached_property
    def refusals(self) -> dict[str, str | None]:
        """Why a gain is not asked for, None where it is, until `MOST_ATTRIBUTES` are offered."""
        found: dict[str, str | None] = {}
        for name in self.table.names:
            if list(found.values()).count(None) < MOST_ATTRIBUTES:
                found[name] = self.why_not(name)
        return found

    def why_not(self, name: str) -> str | None:
        """Why the gain of an attribute is not asked for here; None where it can be."""
        i = self.table.index(name)
        attribute = self.table.attributes[i]
        there = len(np.unique(self.part.columns[i]))
        if there == 1:
            return f"every row here has the same {attribute.name!r}"
        if attribute.values is not None and there > MOST_VALUES:
            return (
                f"{attribute.name!r} has {there} values here, and at most {MOST_VALUES} are worked"
                " out by hand"
            )
        return None

    @cached_property
    def refusal(self) -> str | None:
        """Why nothing can be practised here; None where something can."""
        if not len(self.rows):
            return "no row of the table fulfils these conditions"
        if len(np.unique(self.part.labels)) == 1:
            return "all rows here have one class, so no question could gain anything"
        if not self.offered:
            whys = [why for why in self.refusals.values() if why]
            return "; ".join(whys[:3]) or "the table has no attribute to ask, only its target"
        return None

    @property
    def offered(self) -> list[str]:
        """The attributes to choose from, whose gain can be worked out by hand here."""
        return [name for name, why in self.refusals.items() if why is None]


def brief(split: Split, attribute: Attribute, branch: int) -> str:
    """What leads into a branch, in words, with the names short enough for a label."""
    values = attribute.values and tuple(shortened(value(v), PART) for v in attribute.values)
    return reason(split, Attribute(shortened(value(attribute.name), PART), values), branch)


@dataclass(frozen=True)
class Blank:
    """One number to fill in."""

    # Which one: ``"n 0 1"`` (rows of branch 0 and class 1), ``"p 0"`` (the fraction of branch 0),
    # ``"h 0"`` (its entropy), ``"before"``, ``"left"`` or ``"gain"``.
    key: str
    name: str  # in words
    right: float  # the right number; fractions of the rows and bits otherwise
    shown: str  # the right number as text
    mistakes: tuple[NumberMistake, ...]  # those foreseen, the likeliest first

    @property
    def count(self) -> bool:
        """Whether it is a number of rows."""
        return self.key[0] == "n"


@dataclass(frozen=True, eq=False)
class GainExercise:
    """Working out the gain of an attribute at a node, a continuous one at its best threshold."""

    node: PracticeNode
    attribute: str

    @cached_property
    def candidate(self) -> Candidate:
        """The attribute's best split here."""
        part = self.node.part
        found = best_split(part, part.index(self.attribute), recipe("id3"))
        assert found is not None  # noqa: S101 - the node offers the attribute
        return found

    @cached_property
    def classes(self) -> list[int]:
        """The classes of the rows here, as codes."""
        return [int(code) for code in np.unique(self.node.part.labels)]

    @cached_property
    def branches(self) -> Branches:
        """Rows of each class that is here, in each branch."""
        return tuple(map(tuple, self.candidate.counts[:, self.classes].tolist()))

    @cached_property
    def whole(self) -> Branches | None:
        """The same of the whole table; classes and values that are not here follow. None at it."""
        table, split = self.node.table, self.candidate.split
        if len(self.node.rows) == table.n_rows:
            return None
        if isinstance(split, ByValue):
            there = np.unique(table.columns[split.attribute]).tolist()
            others = [(code,) for code in there if (code,) not in split.groups]
            split = ByValue(split.attribute, (*split.groups, *others))
        counts = weigh(table, split).counts
        absent = [k for k in range(counts.shape[1]) if k not in self.classes]
        return tuple(map(tuple, counts[:, self.classes + absent].tolist()))

    @property
    def counting(self) -> bool:
        """Whether the counts are asked for; else they are given."""
        return len(self.node.rows) <= MOST_ROWS and len(self.classes) <= MOST_CLASSES

    @property
    def target(self) -> str:
        """The target's name."""
        return shortened(value(self.node.table.target.name), PART)

    @cached_property
    def question(self) -> str:
        """What is asked, with the cut of a continuous attribute."""
        attribute = self.node.table.attributes[self.candidate.split.attribute]
        one = Compared(attribute, self.candidate, 0.0)
        return shortened(whole_question(one) or '""', NAME)

    @cached_property
    def answers(self) -> list[str]:
        """What leads into each branch: ``Refund is Yes``."""
        split = self.candidate.split
        attribute = self.node.table.attributes[split.attribute]
        return [brief(split, attribute, i) for i in range(split.n_branches)]

    def class_name(self, k: int) -> str:
        """A class by its code."""
        classes: tuple[Value, ...] = self.node.table.classes
        return shortened(value(classes[k]), PART)

    @cached_property
    def fields(self) -> dict[str, Blank]:
        """The numbers to fill in, by key, in the order of working them out."""
        found = []
        for i in range(len(self.branches)):
            found += self._of_branch(i)
        found += self._of_all()
        return {one.key: one for one in found}

    def _of_branch(self, i: int) -> list[Blank]:
        b, whole, said = self.branches, self.whole, self.answers[i]
        rows, n = sum(b[i]), sum(map(sum, b))
        found = []
        for j, k in enumerate(self.classes if self.counting else ()):
            name = f"rows where {said} and {self.target} is {self.class_name(k)}"
            foreseen = tuple(mistakes.of_count(b, i, j, whole))
            found.append(Blank(f"n {i} {j}", name, b[i][j], number(b[i][j]), foreseen))
        foreseen = tuple(mistakes.of_fraction(b, i, whole))
        share = Blank(f"p {i}", f"fraction where {said}", rows / n, f"{rows}/{n}", foreseen)
        h, foreseen = entropy(b[i]), tuple(mistakes.of_branch(b, i, whole))
        return [*found, share, Blank(f"h {i}", f"H({self.target} | {said})", h, bits(h), foreseen)]

    def _of_all(self) -> list[Blank]:
        b, whole, one = self.branches, self.whole, self.candidate
        before, left = f"H({self.target})", f"H({self.target} | {self.question})"
        h = entropy(mistakes.together(b))
        three = [
            ("before", before, h, mistakes.of_before(b, whole)),
            ("left", left, one.remaining, mistakes.of_left(b, whole)),
            ("gain", f"gain of {self.question}", one.gain, mistakes.of_gain(b, whole)),
        ]
        return [Blank(k, name, x, bits(x), tuple(foreseen)) for k, name, x, foreseen in three]

    def label(self) -> str:
        """The exercise in a few words."""
        rows = plural(len(self.node.rows), "row")
        return f"{self.question} for {self.node.brief or 'all rows'}, {rows}"


At: TypeAlias = "Mapping[str, Value] | Sequence[tuple[str, Value]]"
MOST_NODES = 20
# Fewer rows than these are no exercise, unless somebody asks for them.
_FEWEST = 4
_DEEP = 3
_SIDE = re.compile(r"\s*(<|>=|≥)\s*(\S+)\s*")


def nodes_of(table: Table) -> tuple[PracticeNode, ...]:
    """Up to `MOST_NODES` to practise at: the root, those of one condition, deeper ones of ID3."""
    found = [PracticeNode(table), *_of_one_condition(table)]
    if len(found) < MOST_NODES:
        tree = id3(table, max_depth=_DEEP)
        found += [
            PracticeNode(table, tuple((n.split, b) for n, b in asked_on(tree.root, path)))
            for path, node in walk(tree.root)
            if len(path) > 1 and isinstance(node, Branch)
        ]
    fit = (n for n in found if not n.conditions or len(n.rows) >= _FEWEST)
    return tuple(node for node in fit if node.refusal is None)[:MOST_NODES]


def _of_one_condition(table: Table) -> list[PracticeNode]:
    found: list[PracticeNode] = []
    for i, attribute in enumerate(table.attributes):
        if attribute.n_values > MOST_VALUES or len(found) >= MOST_NODES:
            continue
        split = best_split(table, i, recipe("id3"))
        if split is None:
            continue
        found += [PracticeNode(table, ((split.split, b),)) for b in range(split.split.n_branches)]
    return found


def practice_node(table: Table, at: At) -> PracticeNode:
    """The node that a person names."""
    pairs = list(at.items()) if isinstance(at, Mapping) else at
    if isinstance(pairs, str) or not isinstance(pairs, Sequence) or not all(map(_is_pair, pairs)):
        raise ValueError(f'at must be conditions such as {{"Refund": "No"}}; got {at!r}')
    node = PracticeNode(table, tuple(_condition(table, name, given) for name, given in pairs))
    if node.refusal is not None:
        raise ValueError(f"nothing can be practised at {at!r}: {node.refusal}")
    return node


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and isinstance(value[0], str)  # noqa: PLR2004


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
        raise ValueError(f"{name!r} has no value {given!r}; it has {listing(attribute.values)}")
    return ByValue(i, tuple((k,) for k in range(attribute.n_values))), code


def _finite(text: str) -> float | None:
    try:
        x = float(text)
    except ValueError:
        return None
    return x if math.isfinite(x) else None


def named(node: PracticeNode) -> list[list[Value]]:
    """The conditions of a node as :func:`practice_node` reads them, exactly, fit for JSON."""
    found: list[list[Value]] = []
    for split, branch in node.conditions:
        attribute = node.table.attributes[split.attribute]
        if isinstance(split, ByValue):
            found.append([attribute.name, (attribute.values or ())[split.groups[branch][0]]])
        else:
            found.append([attribute.name, f"{'>=' if branch else '<'} {split.cuts[0]!r}"])
    return found


def next_exercise(
    nodes: Sequence[PracticeNode], seed: int, number: int, now: tuple[PracticeNode, str]
) -> tuple[PracticeNode, str]:
    """Another node and attribute if there are any: each once, ordered by `seed`, then again."""
    order = np.random.default_rng([seed]).permutation(len(nodes))
    here = named(now[0])
    for step in range(len(nodes)):
        place = number + step
        node = nodes[order[place % len(nodes)]]
        names = [n for n in node.offered if n != now[1] or named(node) != here]
        if names:
            return node, names[int(np.random.default_rng([seed, place]).integers(len(names)))]
    return now
