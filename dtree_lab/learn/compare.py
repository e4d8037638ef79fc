"""Every attribute's entropy and gain at once, with the arithmetic behind each number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dtree_lab.criteria import entropy
from dtree_lab.learn.api import make_split
from dtree_lab.learn.candidates import best_split, weigh
from dtree_lab.learn.ready import check_classes
from dtree_lab.learn.recipe import Candidate, recipe
from dtree_lab.shown import Shown, did_you_mean, listing
from dtree_lab.splits import question
from dtree_lab.terminal import Text

if TYPE_CHECKING:
    from dtree_lab.table import Attribute, Table


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
    """One attribute in a comparison.

    Attributes
    ----------
    attribute
        Which one.
    candidate
        Its best split; None when all rows have the same value.
    entropy
        H(Y) of the rows, in bits.
    """

    attribute: Attribute
    candidate: Candidate | None
    entropy: float

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
class Comparison(Shown):
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
        from dtree_lab.learn.arithmetic import as_text  # noqa: PLC0415 - it needs this module

        return Text(as_text(self, self[name]))

    def latex(self, name: str) -> str:
        r"""The same as a LaTeX formula of several aligned lines.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> dt.compare(dt.datasets.two_attributes()).latex("X1").splitlines()[0]
        '\\begin{aligned}'
        """
        from dtree_lab.learn.arithmetic import as_latex  # noqa: PLC0415

        return as_latex(self, self[name])


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
        msg = "the table has no attribute to compare, only its target"
        raise ValueError(msg)
    counts = tuple(table.counts().tolist())
    before = entropy(counts)
    id3 = recipe("id3")
    found = [
        Compared(attribute, best_split(table, i, id3), before)
        for i, attribute in enumerate(table.attributes)
    ]
    # Sorting is stable, so equal gains keep the order of the columns; ticks make ties equalities.
    found.sort(key=lambda one: -one.candidate.gain_ticks if one.candidate else 0)
    return Comparison(table.target, counts, tuple(found))
