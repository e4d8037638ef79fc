"""A continuous attribute as a few intervals: cut at once, or asked again and again on a path.

Cuts are of equal frequency, or the best by entropy. That search is exact, by dynamic programming;
it looks at boundary points only: Fayyad and Irani (1993), Multi-interval discretization of
continuous-valued attributes for classification learning, IJCAI, 1022-1027, prove that a cut
elsewhere is never better. :func:`repeated` finds attributes that a tree asks more than once on a
path, and says whether that was any use.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from dtree_lab.base.checks import is_whole
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import bits, plural
from dtree_lab.base.types import Floats, Ints
from dtree_lab.criteria.classes import ENTROPY
from dtree_lab.grow.prepare import check_classes
from dtree_lab.grow.recipe import Candidate
from dtree_lab.grow.textbook import branch_stats, weigh
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree import splits as s
from dtree_lab.tree.tree import Branch, Node, Path, Tree


def nonempty_cuts(cuts: Floats, column: Floats) -> tuple[float, ...]:
    """The cuts without those that bound an empty interval from below (from above for the first)."""
    kept: list[float] = []
    low = -np.inf
    for cut in np.unique(cuts).tolist():
        if ((column >= low) & (column < cut)).any():
            kept.append(cut)
            low = cut
        elif kept:  # nothing since the last cut: this one takes its place
            kept[-1] = low = cut
    if kept and not (column >= kept[-1]).any():
        kept.pop()
    return tuple(kept)


def by_frequency(values: Floats, rows: Ints, k: int) -> Floats:
    """Cuts next to the ranks n/k, 2n/k, …, or the nearest places where neighbours differ."""
    ends = np.rint(np.arange(1, k) * rows.sum() / k).astype(np.intp)
    near = np.abs(np.cumsum(rows)[:-1, None] - ends).argmin(axis=0)
    return s.midpoint(values[near], values[near + 1])


def least_entropy(counts: Ints, k: int) -> Ints:
    """After which values to cut for the least entropy; `counts`: rows by value and class."""
    last = boundaries(counts)
    if len(last) < k - 1:  # more cuts than boundaries: the rest can stand anywhere
        last = np.arange(len(counts) - 1)
    ends = np.concatenate([last + 1, [len(counts)]])
    below = np.concatenate(
        [np.zeros((1, counts.shape[1]), np.int64), counts.cumsum(axis=0)[ends - 1]]
    )
    m = len(ends)
    least = np.full((k + 1, m + 1), np.iinfo(np.int64).max // 2)
    origin = np.zeros((k + 1, m + 1), dtype=np.intp)
    least[0, 0] = 0
    for j in range(1, m + 1):
        one = ENTROPY.cost(below[j] - below[:j])  # blocks i+1 … j as one interval, for each i
        total = least[:k, :j] + one
        origin[1:, j] = total.argmin(axis=1)
        least[1:, j] = total.min(axis=1)
    at, cuts = m, list[int]()
    for t in range(k, 1, -1):
        at = int(origin[t, at])
        cuts.append(int(ends[at - 1]) - 1)
    return np.array(cuts[::-1])


def boundaries(counts: Ints) -> Ints:
    """The values after which a cut can be best: not both neighbours are pure and of one class."""
    pure = (counts > 0).sum(axis=1) == 1
    label = counts.argmax(axis=1)
    same = pure[:-1] & pure[1:] & (label[:-1] == label[1:])
    return np.flatnonzero(~same)


Method: TypeAlias = Literal["entropy", "width", "frequency"]


@dataclass(frozen=True, repr=False)
class IntervalSplit:
    """A continuous attribute cut into intervals, as one question."""

    attribute: Attribute
    candidate: Candidate  # the rows of each class in each interval, and what asking would bring
    split: s.Intervals  # the question, with a branch for each interval

    @property
    def cuts(self) -> tuple[float, ...]:
        """The cuts, increasing; the interval of x is how many of them are at or below it."""
        return self.split.cuts

    @property
    def conditional_entropy(self) -> float:
        """H(Y|X) in bits, X being the interval."""
        return self.candidate.remaining

    @property
    def gain(self) -> float:
        """I(Y, X) in bits."""
        return self.candidate.gain

    @property
    def gain_ratio(self) -> float:
        """The gain divided by the entropy of the intervals' sizes: more intervals cost more."""
        return self.candidate.gain_ratio

    @terminal
    def __repr__(self) -> str:
        each = [s.answer(self.split, self.attribute, b) for b in range(self.split.n_branches)]
        left = f"H(Y|X) = {bits(self.conditional_entropy)} bits"
        return f"{self.attribute.name} {', '.join(each)}: {left}, gain {bits(self.gain)} bits"


def intervals(table: Table, name: str, k: int, *, method: Method = "entropy") -> IntervalSplit:
    """Cut a continuous attribute into k intervals.

    Parameters
    ----------
    table
        Rows with a discrete target, which count as they weigh.
    name
        A continuous attribute.
    k
        How many intervals, at least 2 and at most as many as there are different values.
    method
        ``"entropy"``: the cuts that leave the least H(Y|X) of all, found exactly; of equals, the
        ones with the lowest last cut, then the lowest before it, and so on. ``"width"``: k equal
        stretches between the least and the greatest value. ``"frequency"``: as near to n / k rows
        in each as equal values allow. The last two do not look at the labels, and give fewer than
        k intervals when some would be empty.

    Returns
    -------
    Cut
        Its `cuts` can be asked by hand, ``dt.by_hand(table, {(): (name, cut.cuts)})``, or be given
        to :func:`discretised`.

    Raises
    ------
    ValueError
        For a discrete attribute, a `k` out of range, another method, or a table that no tree can
        be grown on.

    Notes
    -----
    The exact search is dynamic programming over the least cost of cutting the first j blocks of
    values into t intervals, O(k m²) for m blocks. A block ends at a *boundary point*, where not
    all rows of two neighbouring values are of one class: a cut elsewhere is never better.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> intervals(dt.datasets.tax_fraud(), "Taxable Income", 3)
    Taxable Income < 80, 80 to 97.5, ≥ 97.5: H(Y|X) = 0.000 bits, gain 0.881 bits
    >>> intervals(dt.datasets.tax_fraud(), "Taxable Income", 2, method="width").cuts
    (140.0,)
    """
    check_classes(table)
    i, column = _continuous(table, name)
    values, place = np.unique(column, return_inverse=True)
    if not is_whole(k) or not 2 <= k <= len(values):  # noqa: PLR2004
        raise ValueError(
            f"k={k!r} must be a whole number from 2 to {len(values)}: {name!r} has"
            f" {plural(len(values), 'different value')}"
        )
    counts = branch_stats(table, place, len(values), ENTROPY)
    match method:
        case "entropy":
            after = least_entropy(counts, int(k))
            cuts = s.midpoint(values[after], values[after + 1])
        case "width":
            cuts = values[0] + (values[-1] - values[0]) / k * np.arange(1, k)
        case "frequency":
            cuts = by_frequency(values, counts.sum(axis=1), int(k))
        case _:
            raise ValueError(f"method={method!r} must be 'entropy', 'width' or 'frequency'")
    split = s.Intervals(i, nonempty_cuts(cuts, column))
    return IntervalSplit(table.attributes[i], weigh(table, split), split)


def _continuous(table: Table, name: str) -> tuple[int, Floats]:
    i = table.index(name)
    if table.attributes[i].values is not None:
        msg = f"{name!r} is discrete, so it has no intervals; they are for continuous attributes"
        raise ValueError(msg)
    return i, table.columns[i]


def discretised(table: Table, cuts: Mapping[str, Sequence[float] | IntervalSplit]) -> Table:
    """The table with some continuous attributes as intervals: discrete, in increasing order.

    Parameters
    ----------
    table
        Any table; a missing value stays missing.
    cuts
        From an attribute's name to its cuts, increasing, or to what :func:`intervals` gave.

    Raises
    ------
    ValueError
        For a name that is no continuous attribute, or cuts that do not increase or are not
        finite.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> ages = dt.Table.from_columns({"Age": [5, 40, 90], "y": ["a", "b", "a"]}, target="y")
    >>> discretised(ages, {"Age": [40]}).column("Age")
    ['< 40', '≥ 40', '≥ 40']
    """
    attributes, columns = list(table.attributes), list(table.columns)
    for name, given in cuts.items():
        i, column = _continuous(table, name)
        asked = given.cuts if isinstance(given, IntervalSplit) else tuple(given)
        split = s.split_of(table, name, cuts=asked)
        attributes[i] = Attribute(name, _labels(split, attributes[i]))
        columns[i] = split.branch(column)
    return replace(table, attributes=tuple(attributes), columns=tuple(columns))


def _labels(split: s.Split, attribute: Attribute) -> tuple[str, ...]:
    said = tuple(s.answer(split, attribute, b) for b in range(split.n_branches))
    if len(set(said)) == len(said):
        return said
    return tuple(f"{text} ({b + 1})" for b, text in enumerate(said))  # six digits were too few


# What an attribute can still be on a path: a stretch of numbers (from, below), or some codes.
Left: TypeAlias = tuple[float, float] | frozenset[int]


@dataclass(frozen=True, repr=False)
class Repeat:
    """An attribute that a node asks although a node above has asked it."""

    path: Path  # of the node that asks again
    attribute: Attribute  # what it asks
    asked: tuple[str, ...]  # the answers of the nodes above that asked it, from the root down
    question: str  # what is asked now: the cuts, or the groups of values
    # Whether more than one answer is still possible. The same question a second time never is, nor
    # is a second question about an attribute that had a branch for each of its values.
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
    reasons: dict[int, tuple[str, ...]],
) -> Iterator[Repeat]:
    if not isinstance(node, Branch):
        return
    split, i = node.split, node.split.attribute
    parts = [_narrowed(left[i], split, branch) for branch in range(split.n_branches)]
    if i in reasons:
        useful = sum(map(_possible, parts)) > 1
        yield Repeat(path, attributes[i], reasons[i], _said(split, attributes[i]), useful)
    for branch, child in enumerate(node.children):
        own = (*reasons.get(i, ()), s.reason(split, attributes[i], branch))
        now, heard = {**left, i: parts[branch]}, {**reasons, i: own}
        yield from _below(child, attributes, (*path, branch), now, heard)


def _narrowed(left: Left, split: s.Split, branch: int) -> Left:
    if isinstance(split, s.Intervals) and isinstance(left, tuple):
        low = split.cuts[branch - 1] if branch else left[0]
        high = split.cuts[branch] if branch < len(split.cuts) else left[1]
        return max(low, left[0]), min(high, left[1])
    if isinstance(split, s.ByValue) and isinstance(left, frozenset):
        return left & frozenset(split.groups[branch])
    raise TypeError("a cut is for numbers, groups are for values")  # no checked tree has such


def _possible(left: Left) -> bool:
    return left[0] < left[1] if isinstance(left, tuple) else bool(left)


def _said(split: s.Split, attribute: Attribute) -> str:
    if isinstance(split, s.Intervals) and len(split.cuts) == 1:
        return s.question(split, attribute)
    answers = [s.answer(split, attribute, b) for b in range(split.n_branches)]
    return f"{attribute.name} ({', '.join(answers)})"
