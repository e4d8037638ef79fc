"""The questions a node can ask. "Goes left" is written here, once.

A split names an attribute and says for each row which branch it takes. :class:`ByValue` sorts the
values of a discrete attribute into groups: ID3 makes a group of each value, CART makes two.
:class:`Intervals` cuts a continuous attribute: branch 0 holds ``x < cuts[0]``, the last branch
``x >= cuts[-1]``. One cut is the familiar threshold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import listing, number, value
from dtree_lab.base.types import Ints
from dtree_lab.table.table import Attribute, Table, Value

# In place of a branch, for rows that lack what is asked: they rest at the node, or go down every
# branch, in parts.
RESTS, IN_PARTS = -1, -2


def interval_of(x: NDArray[np.float64], cuts: NDArray[np.float64]) -> NDArray[np.int32]:
    """The branch of each number: how many of the cuts are at or below it; -1 for NaN.

    `cuts` has shape ``(n_cuts,)``, or ``(n_cuts, len(x))`` where each row has cuts of its own.
    """
    branch = np.zeros(len(x), dtype=np.int32)
    for cut in cuts:
        branch += x >= cut
    branch[np.isnan(x)] = -1
    return branch


def group_of(codes: Ints, routes: Ints, start: Ints | int = 0) -> Ints:
    """The branch of each code, looked up in `routes` from `start`; -1 for a missing value."""
    branch: NDArray[np.int32] = routes[start + np.maximum(codes, 0)]
    branch[codes < 0] = -1
    return branch


@dataclass(frozen=True)
class ByValue:
    """Branches by the value of a discrete attribute.

    A value in no group has no branch: a row with it stops at this node and is answered by the
    node's majority.
    """

    attribute: int  # its position in the table
    groups: tuple[tuple[int, ...], ...]  # one tuple of value codes per branch
    # The branch of a row without a value, or with one that the attribute does not have.
    gaps: int = RESTS

    @property
    def n_branches(self) -> int:
        """How many branches."""
        return len(self.groups)

    def routes(self, n_values: int) -> NDArray[np.int32]:
        """The branch of each code, shape ``(n_values,)``, -1 for none."""
        routes = np.full(max(n_values, 1), -1, dtype=np.int32)
        for branch, group in enumerate(self.groups):
            routes[list(group)] = branch
        return routes

    def left_out(self, attribute: Attribute) -> list[Value]:
        """The values of the attribute that have no branch."""
        taken = {code for group in self.groups for code in group}
        return [v for code, v in enumerate(attribute.values or ()) if code not in taken]

    def branch(self, column: NDArray[Any]) -> NDArray[np.int32]:
        """The branch of each row, given the attribute's column of codes; -1 for none."""
        most = max((c for group in self.groups for c in group), default=0)
        branch = group_of(column, self.routes(max(most, int(column.max(initial=0))) + 1))
        branch[column < 0] = self.gaps
        return branch


@dataclass(frozen=True)
class Intervals:
    """Branches by where a continuous attribute lies between cuts."""

    attribute: int  # its position in the table
    cuts: tuple[float, ...]  # increasing; the branch of x is how many of them are at or below it
    gaps: int = RESTS  # as of :class:`ByValue`

    @property
    def n_branches(self) -> int:
        """How many branches."""
        return len(self.cuts) + 1

    def branch(self, column: NDArray[Any]) -> NDArray[np.int32]:
        """The branch of each row, given the attribute's column; -1 where it is missing."""
        branch = interval_of(column, np.array(self.cuts))
        branch[branch < 0] = self.gaps
        return branch


Split: TypeAlias = ByValue | Intervals


def threshold(attribute: int, cut: float) -> Intervals:
    """The split at one cut: below it, and at or above it."""
    return Intervals(attribute, (float(cut),))


def midpoint(low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.float64]:
    """The middle of two neighbours, with ``low < middle <= high`` whatever rounding does."""
    middle = low / 2 + high / 2
    return np.where((middle <= low) | (middle > high), high, middle)


# So many floats above a number: middles of decimals are rounded to one or two above another.
_APART = 5


def just_above(values: NDArray[np.float64], high: Any = math.inf) -> NDArray[np.float64]:
    """Cuts below which numbers up to some values lie, and not the next ones (`high`)."""
    cuts: NDArray[np.float64] = np.minimum(values + _APART * np.spacing(np.abs(values)), high)
    return cuts


def branch_rows(split: Split, table: Table) -> list[NDArray[np.intp]]:
    """The rows of each branch, as positions in the table."""
    branch = split.branch(table.columns[split.attribute])
    return [np.flatnonzero(branch == i) for i in range(split.n_branches)]


# -- a split as a person asks for it, and in words -----------------------------------------------


def split_of(
    table: Table,
    name: str,
    *,
    cuts: float | Sequence[float] | None = None,
    groups: Sequence[Sequence[Any]] | None = None,
) -> Split:
    """The split that a person names: an attribute, with one cut or more, or groups of values."""
    i = table.index(name)
    return split_on(i, table.attributes[i], cuts=cuts, groups=groups)


def split_on(
    i: int,
    attribute: Attribute,
    *,
    cuts: float | Sequence[float] | None = None,
    groups: Sequence[Sequence[Any]] | None = None,
) -> Split:
    """The split on attribute `i`; raises as :func:`split_of` does."""
    if attribute.values is None:
        if groups is not None:
            msg = f"{attribute.name!r} is continuous; it is split by a cut, not by groups of values"
            raise ValueError(msg)
        return Intervals(i, _cuts(attribute.name, [cuts] if np.isscalar(cuts) else cuts))
    if cuts is not None:
        msg = f"{attribute.name!r} is discrete ({listing(attribute.values)}), so it has no cut"
        raise ValueError(msg)
    if groups is None:
        return ByValue(i, tuple((code,) for code in range(attribute.n_values)))
    return ByValue(i, _groups(attribute, groups))


def _cuts(name: str, cuts: Any) -> tuple[float, ...]:
    if not cuts:
        raise ValueError(f"{name!r} is continuous; say where to cut it, for instance at 80")
    cuts = [cuts] if isinstance(cuts, str) else list(cuts)
    if any(isinstance(c, bool) or not isinstance(c, Real) for c in cuts):
        raise ValueError(f"a cut of {name!r} must be a number; got {listing(cuts)}")
    try:
        given = tuple(float(c) for c in cuts)
    except OverflowError:  # a whole number beyond the largest float
        given = (math.inf,)
    if not np.isfinite(given).all():
        raise ValueError(f"a cut of {name!r} must be finite; got {listing(cuts)}")
    if any(a >= b for a, b in pairwise(given)):
        raise ValueError(f"the cuts of {name!r} must increase; got {listing(cuts)}")
    return given


def _groups(attribute: Attribute, groups: Sequence[Sequence[Any]]) -> tuple[tuple[int, ...], ...]:
    lists = isinstance(groups, list | tuple) and all(isinstance(g, list | tuple) for g in groups)
    if not lists:
        raise ValueError(
            f"{attribute.name!r} is discrete: it is split by a list of groups of values, such as"
            f" {[[v] for v in (attribute.values or ())[:2]]}; got {groups!r}"
        )
    seen: set[int] = set()
    coded: list[tuple[int, ...]] = []
    for group in groups:
        codes = tuple(sorted(attribute.named(v) for v in group))
        if not codes:
            msg = f"a group of {attribute.name!r} is empty; each needs at least one value"
            raise ValueError(msg)
        for v in group:
            code = attribute.named(v)
            if code < 0:
                there = listing(attribute.values or ())
                raise ValueError(f"{attribute.name!r} has no value {v!r}; it has {there}")
            if code in seen:
                raise ValueError(f"the value {v!r} of {attribute.name!r} is named twice")
            seen.add(code)
        coded.append(codes)
    if len(coded) < 2:  # noqa: PLR2004 - one branch would be no question
        raise ValueError(f"a split of {attribute.name!r} needs at least two groups of values")
    return tuple(coded)


def question(split: Split, attribute: Attribute) -> str:
    """What a node asks, without its mark: ``Marital Status``, ``Taxable Income < 80``."""
    if isinstance(split, ByValue) or len(split.cuts) > 1:
        return attribute.name
    below, _, told = _sides(split.cuts[0])
    return f"{attribute.name} {below} {told}"


def condition(split: Split, attribute: Attribute, branch: int) -> tuple[str, str]:
    """What must hold for a branch: ``("=", "Single or Divorced")``, ``("<", "80")``."""
    if isinstance(split, ByValue):
        values = attribute.values or ()
        return "=", " or ".join([value(values[code]) for code in split.groups[branch]])
    if not branch:
        below, _, high = _sides(split.cuts[0])
        return below, high
    _, above, low = _sides(split.cuts[branch - 1])
    if branch == len(split.cuts):
        return above, low
    return "=", f"{low} to {number(split.cuts[branch])}"


def _sides(cut: float) -> tuple[str, str, str]:
    """``<``, ``≥``, ``80``; of a cut of :func:`just_above` ``≤``, ``>`` and the number below it."""
    told, below = number(cut), cut - _APART * math.ulp(cut)
    if float(told) == cut and below:
        return "<", "≥", told
    meant = float(number(below)) == below and float(just_above(np.array(below))) == cut
    return ("≤", ">", number(below)) if meant else ("<", "≥", told)


def answer(split: Split, attribute: Attribute, branch: int) -> str:
    """What leads into a branch: ``Single or Divorced``, ``< 80``, ``40 to 90``."""
    op, wanted = condition(split, attribute, branch)
    return wanted if op == "=" else f"{op} {wanted}"


OR_MISSING, BESIDE_OTHERS = " or missing", " (or missing)"


def with_gaps(words: str, split: Split, branch: int, mark: str = OR_MISSING) -> str:
    """What is said of a branch, and that rows without a value take it, if they do."""
    return words + mark * (branch == split.gaps)


def unanswered(split: Split, attribute: Attribute) -> str:
    """What makes a row stop at a question: ``missing``, ``missing or another value``."""
    other = isinstance(split, ByValue) and (split.gaps < 0 or bool(split.left_out(attribute)))
    return " or ".join(["missing"] * (split.gaps == RESTS) + ["another value"] * other)


def reason(split: Split, attribute: Attribute, branch: int) -> str:
    """Why a row took a branch, in words: ``Taxable Income < 80``, ``Refund is No``."""
    op, wanted = condition(split, attribute, branch)
    return f"{attribute.name} {'is' if op == '=' else op} {wanted}"
