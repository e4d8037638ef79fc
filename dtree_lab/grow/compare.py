"""All attributes of some rows compared: entropy and gain, with the arithmetic behind each number.

:func:`entropy_terms` has the arithmetic as a value, from counts to bits; it is written as text or
as LaTeX.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dtree_lab.base import text
from dtree_lab.base.terminal import Text
from dtree_lab.base.text import Presentable, bits, did_you_mean, listing, number, plural, value
from dtree_lab.criteria.classes import entropy
from dtree_lab.grow.api import make_split
from dtree_lab.grow.prepare import check_classes
from dtree_lab.grow.recipe import Candidate, recipe
from dtree_lab.grow.textbook import best_split, weigh
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.splits import Intervals, question, reason


@dataclass(frozen=True)
class Term:
    """One summand of an entropy: a class with `count` of `total` rows."""

    count: int
    total: int

    @property
    def log(self) -> float:
        """log2(1/p), the bits that this class costs."""
        return float(np.log2(self.total / self.count))


def entropy_terms(counts: Sequence[int]) -> list[Term]:
    """The summands of an entropy; classes without rows add nothing and are left out."""
    total = sum(counts)
    return [Term(count, total) for count in counts if count]


def arithmetic_text(comparison: Comparison, compared: Compared) -> str:
    """Lines of plain text."""
    target, x = value(comparison.target.name), compared.question
    lines = [_counted(target, comparison, comparison.counts)]
    lines.append(entropy_text(f"H({target})", comparison.counts))
    if compared.candidate is None:
        return "\n".join([*lines, f"every row has the same {x}, so asking it changes nothing"])
    split, total = compared.candidate.split, sum(comparison.counts)
    weights = []
    for branch, row in enumerate(compared.candidate.counts.tolist()):
        why = reason(split, compared.attribute, branch)
        lines.append(_counted(why, comparison, row))
        lines.append(entropy_text(f"H({target} | {why})", row))
        weights.append(f"{sum(row)}/{total}·{bits(entropy(row))}")
    left = f"H({target} | {whole_question(compared)})"
    lines.append(f"{left} = {' + '.join(weights)} = {bits(compared.conditional_entropy)} bits")
    difference = f"{bits(compared.entropy)} - {bits(compared.conditional_entropy)}"
    gain = f"{difference} {equal_sign(compared)} {bits(compared.gain)} bits"
    lines.append(f"gain = H({target}) - {left} = {gain}")
    return "\n".join(lines)


def whole_question(compared: Compared) -> str:
    """The question as a whole, told apart from its answer "below the cut"."""
    split = compared.candidate.split if compared.candidate else None
    if isinstance(split, Intervals):
        return f"{compared.attribute.name} cut at {', '.join(map(number, split.cuts))}"
    return compared.question


def equal_sign(compared: Compared) -> str:
    """Whether the rounded numbers on the line add up too, or only nearly."""
    rounded = float(bits(compared.entropy)) - float(bits(compared.conditional_entropy))
    return "=" if bits(rounded) == bits(compared.gain) else "≈"


def _counted(what: str, comparison: Comparison, counts: Sequence[int]) -> str:
    classes = comparison.target.values or ()
    each = ", ".join(f"{n} {value(c)}" for n, c in zip(counts, classes, strict=True))
    return f"{what}: {each} of {plural(sum(counts), 'row')}"


def entropy_text(name: str, counts: Sequence[int]) -> str:
    """An entropy worked out on one line, from its counts; `name` stands on its left."""
    logs = " + ".join(
        f"{t.count}/{t.total}·log2({t.total}/{t.count})" for t in entropy_terms(counts)
    )
    numbers = " + ".join(f"{t.count}/{t.total}·{bits(t.log)}" for t in entropy_terms(counts))
    return f"{name} = {logs} = {numbers} = {bits(entropy(counts))} bits"


def arithmetic_latex(comparison: Comparison, compared: Compared) -> str:
    """An ``aligned`` environment."""
    y = text.latex(value(comparison.target.name))
    lines = [_entropy_latex(f"H({y})", comparison.counts)]
    if compared.candidate is not None:
        split, total = compared.candidate.split, sum(comparison.counts)
        weights = []
        for branch, row in enumerate(compared.candidate.counts.tolist()):
            why = text.latex(reason(split, compared.attribute, branch))
            lines.append(_entropy_latex(rf"H({y} \mid {why})", row))
            weights.append(rf"\tfrac{{{sum(row)}}}{{{total}}} \cdot {bits(entropy(row))}")
        left = rf"H({y} \mid {text.latex(whole_question(compared))})"
        lines.append(f"{left} &= {' + '.join(weights)} = {bits(compared.conditional_entropy)}")
        difference = f"{bits(compared.entropy)} - {bits(compared.conditional_entropy)}"
        sign = "=" if equal_sign(compared) == "=" else r"\approx"
        lines.append(
            rf"\text{{gain}} &= H({y}) - {left} = {difference} {sign} {bits(compared.gain)}"
        )
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def _entropy_latex(name: str, counts: Sequence[int]) -> str:
    logs = " + ".join(
        rf"\tfrac{{{t.count}}}{{{t.total}}} \log_2 \tfrac{{{t.total}}}{{{t.count}}}"
        for t in entropy_terms(counts)
    )
    return f"{name} &= {logs} = {bits(entropy(counts))}"


def conditional_entropy(table: Table, attribute: str, how: Any = None) -> float:
    r"""The entropy that is left after asking an attribute, H(Y|X), in bits.

    .. math:: H(Y|X) = \sum_x P(X=x)\, H(Y|X=x)

    Parameters
    ----------
    table
        Rows with a discrete target Y.
    attribute
        The attribute X.
    how
        A cut, for a continuous attribute (without one, the best midpoint is taken), or groups of
        values for a discrete one (without them, each value is a branch).

    Raises
    ------
    ValueError
        For a name that is no attribute, or a cut that leaves a side empty.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.two_attributes()
    >>> round(conditional_entropy(table, "X1"), 3), round(conditional_entropy(table, "X2"), 3)
    (0.406, 0.906)
    """
    one = _one(table, attribute, how)
    return entropy(table.counts().tolist()) if one is None else one.remaining


def information_gain(table: Table, attribute: str, how: Any = None) -> float:
    """The information gain I(Y, X) = H(Y) - H(Y|X), in bits; as :func:`conditional_entropy`.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> round(information_gain(dt.datasets.two_attributes(), "X1"), 3)
    0.549
    """
    one = _one(table, attribute, how)
    return 0.0 if one is None else one.gain


def gain_ratio(table: Table, attribute: str, how: Any = None) -> float:
    """The gain divided by the entropy of the branches' sizes; as :func:`conditional_entropy`.

    It is 0 for an attribute that parts nothing.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> round(gain_ratio(dt.datasets.two_attributes(), "X1"), 3)
    0.549
    """
    one = _one(table, attribute, how)
    return 0.0 if one is None else one.gain_ratio


def _one(table: Table, attribute: str, how: Any) -> Candidate | None:
    check_classes(table)
    if how is not None:
        return weigh(table, make_split(table, (attribute, how)))
    return best_split(table, table.index(attribute), recipe("id3"))


@dataclass(frozen=True)
class Compared:
    """One attribute in a comparison."""

    attribute: Attribute
    candidate: Candidate | None  # the best split; None when all rows have the same value
    entropy: float  # H(Y) of the rows, in bits

    @property
    def question(self) -> str:
        """What would be asked: the name, with the cut of a continuous attribute."""
        if self.candidate is None:
            return self.attribute.name
        return question(self.candidate.split, self.attribute)

    @property
    def conditional_entropy(self) -> float:
        """H(Y|X) in bits."""
        return self.entropy if self.candidate is None else self.candidate.remaining

    @property
    def gain(self) -> float:
        """I(Y, X) in bits."""
        return 0.0 if self.candidate is None else self.candidate.gain

    @property
    def gain_ratio(self) -> float:
        """The gain divided by the entropy of the branches' sizes."""
        return 0.0 if self.candidate is None else self.candidate.gain_ratio


@dataclass(frozen=True, repr=False)
class Comparison(Presentable):
    """Every attribute of some rows, the most useful first: text in a terminal, bars in a notebook.

    Attributes
    ----------
    target
        What is to be predicted.
    counts
        Rows of each class.
    ranked
        The attributes by falling gain; the earlier column first in a tie.
    """

    target: Attribute
    counts: tuple[int, ...]
    ranked: tuple[Compared, ...]

    @property
    def entropy(self) -> float:
        """H(Y) in bits."""
        return entropy(self.counts)

    @property
    def best(self) -> Compared:
        """The attribute that ID3 takes."""
        return self.ranked[0]

    def __getitem__(self, name: str) -> Compared:
        """The comparison of one attribute, by name; a ValueError says which there are."""
        for one in self.ranked:
            if one.attribute.name == name:
                return one
        names = [one.attribute.name for one in self.ranked]
        msg = f"no attribute {name!r}; there are {listing(names)}.{did_you_mean(name, names)}"
        raise ValueError(msg)

    def arithmetic(self, name: str) -> str:
        """How the numbers of one attribute come about, as text: counts, fractions, logarithms.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> print(dt.compare(dt.datasets.two_attributes()).arithmetic("X1"))
        Y: 5 T, 3 F of 8 rows
        H(Y) = 5/8·log2(8/5) + 3/8·log2(8/3) = 5/8·0.678 + 3/8·1.415 = 0.954 bits
        X1 is T: 4 T, 0 F of 4 rows
        H(Y | X1 is T) = 4/4·log2(4/4) = 4/4·0.000 = 0.000 bits
        X1 is F: 1 T, 3 F of 4 rows
        H(Y | X1 is F) = 1/4·log2(4/1) + 3/4·log2(4/3) = 1/4·2.000 + 3/4·0.415 = 0.811 bits
        H(Y | X1) = 4/8·0.000 + 4/8·0.811 = 0.406 bits
        gain = H(Y) - H(Y | X1) = 0.954 - 0.406 ≈ 0.549 bits
        """
        return Text(arithmetic_text(self, self[name]))

    def latex(self, name: str) -> str:
        r"""The same as a LaTeX formula of several aligned lines.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> dt.compare(dt.datasets.two_attributes()).latex("X1").splitlines()[0]
        '\\begin{aligned}'
        """
        return arithmetic_latex(self, self[name])


def compare(table: Table) -> Comparison:
    """Compare all attributes of some rows by H(Y|X) and gain.

    Parameters
    ----------
    table
        Rows with a discrete target and at least one attribute; for the rows at a node,
        ``table.take(...)``.

    Raises
    ------
    ValueError
        For a continuous target, a missing value or a table without attributes.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> comparison = dt.compare(dt.datasets.two_attributes())
    >>> comparison.best.question, round(comparison.best.gain, 3)
    ('X1', 0.549)
    """
    check_classes(table)
    if not table.attributes:
        raise ValueError("the table has no attribute to compare, only its target")
    counts = tuple(table.counts().tolist())
    before = entropy(counts)
    id3 = recipe("id3")
    found = [
        Compared(attribute, best_split(table, i, id3), before)
        for i, attribute in enumerate(table.attributes)
    ]
    # Sorting is stable, so equal gains keep the order of the columns; ticks make ties equalities.
    found.sort(key=lambda it: -it.candidate.gain_ticks if it.candidate else 0)
    return Comparison(table.target, counts, tuple(found))
