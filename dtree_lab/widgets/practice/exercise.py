"""An exercise: the rows at a node, an attribute to ask there, and the numbers to fill in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.criteria import entropy
from dtree_lab.draw.measure import shortened
from dtree_lab.learn.arithmetic import asked
from dtree_lab.learn.candidates import best_split, weigh
from dtree_lab.learn.compare import Compared
from dtree_lab.learn.recipe import recipe
from dtree_lab.shown import bits, number, plural, value
from dtree_lab.splits import ByValue
from dtree_lab.widgets.practice import mistakes
from dtree_lab.widgets.practice.node import MOST_CLASSES, MOST_ROWS, NAME, PART, brief

if TYPE_CHECKING:
    from dtree_lab.learn.candidates import Candidate
    from dtree_lab.table import Value
    from dtree_lab.widgets.practice.kinds import Mistake
    from dtree_lab.widgets.practice.mistakes import Branches
    from dtree_lab.widgets.practice.node import Node


@dataclass(frozen=True)
class Asked:
    """One number to fill in.

    Attributes
    ----------
    key
        Which one: ``"n 0 1"`` (rows of branch 0 and class 1), ``"p 0"`` (the fraction of branch
        0), ``"h 0"`` (its entropy), ``"before"``, ``"left"`` or ``"gain"``.
    name
        In words.
    right
        The right number; fractions of the rows and bits otherwise.
    shown
        The right number as text.
    mistakes
        Those foreseen, the likeliest first.
    """

    key: str
    name: str
    right: float
    shown: str
    mistakes: tuple[Mistake, ...]

    @property
    def count(self) -> bool:
        """Whether it is a number of rows."""
        return self.key[0] == "n"


@dataclass(frozen=True, eq=False)
class Exercise:
    """Working out the gain of an attribute at a node, a continuous one at its best threshold."""

    node: Node
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

    # -- names -----------------------------------------------------------------------------------

    @property
    def target(self) -> str:
        """The target's name."""
        return shortened(value(self.node.table.target.name), PART)

    @cached_property
    def question(self) -> str:
        """What is asked, with the cut of a continuous attribute."""
        attribute = self.node.table.attributes[self.candidate.split.attribute]
        one = Compared(attribute, self.candidate, 0.0)
        return shortened(asked(one) or '""', NAME)

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

    # -- what is asked for -----------------------------------------------------------------------

    @cached_property
    def fields(self) -> dict[str, Asked]:
        """The numbers to fill in, by key, in the order of working them out."""
        found = []
        for i in range(len(self.branches)):
            found += self._of_branch(i)
        found += self._of_all()
        return {one.key: one for one in found}

    def _of_branch(self, i: int) -> list[Asked]:
        b, whole, said = self.branches, self.whole, self.answers[i]
        rows, n = sum(b[i]), sum(map(sum, b))
        found = []
        for j, k in enumerate(self.classes if self.counting else ()):
            name = f"rows where {said} and {self.target} is {self.class_name(k)}"
            foreseen = tuple(mistakes.of_count(b, i, j, whole))
            found.append(Asked(f"n {i} {j}", name, b[i][j], number(b[i][j]), foreseen))
        foreseen = tuple(mistakes.of_fraction(b, i, whole))
        share = Asked(f"p {i}", f"fraction where {said}", rows / n, f"{rows}/{n}", foreseen)
        h, foreseen = entropy(b[i]), tuple(mistakes.of_branch(b, i, whole))
        return [*found, share, Asked(f"h {i}", f"H({self.target} | {said})", h, bits(h), foreseen)]

    def _of_all(self) -> list[Asked]:
        b, whole, one = self.branches, self.whole, self.candidate
        before, left = f"H({self.target})", f"H({self.target} | {self.question})"
        h = entropy(mistakes.together(b))
        three = [
            ("before", before, h, mistakes.of_before(b, whole)),
            ("left", left, one.remaining, mistakes.of_left(b, whole)),
            ("gain", f"gain of {self.question}", one.gain, mistakes.of_gain(b, whole)),
        ]
        return [Asked(k, name, x, bits(x), tuple(foreseen)) for k, name, x, foreseen in three]

    def label(self) -> str:
        """The exercise in a few words."""
        rows = plural(len(self.node.rows), "row")
        return f"{self.question} for {self.node.brief or 'all rows'}, {rows}"
