"""The mistakes that people make in working out a gain, each with the number that it leads to.

Every function gives the mistakes for one number that is asked for, the likeliest first. Nothing
here knows of a lab: whoever asks for such a number can use them.

Throughout, *branches* are the rows of each class in each branch of a split, one tuple of counts for
each branch, none of them empty; *whole* are those of the same question in the whole table, for a
node that has only some of its rows, and else None. It has the same branches and classes first, then
those that only rows elsewhere have.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from dtree_lab.criteria import entropy, gini
from dtree_lab.widgets.practice import kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.widgets.practice.kinds import Mistake

Counts: TypeAlias = tuple[int, ...]
Branches: TypeAlias = tuple[Counts, ...]
_T = TypeVar("_T")


# -- counts and fractions --------------------------------------------------------------------------


def of_count(
    branches: Branches, branch: int, k: int, whole: Branches | None = None
) -> list[Mistake]:
    """For the rows of class `k` in a branch."""
    here, right = branches[branch], branches[branch][k]
    found = [kinds.OTHER_CLASS(n) for n in _others(here, k)]
    found += [kinds.OTHER_VALUE(one[k]) for one in _others(branches, branch)]
    found.append(kinds.ALL_CLASSES(sum(here)))
    found.append(kinds.ALL_VALUES(together(branches)[k]))
    if whole:
        found.append(kinds.WHOLE_TABLE(whole[branch][k]))
    found += [kinds.A_FRACTION(right / n) for n in (sum(here), _rows(branches))]
    return [*found, kinds.ONE_OFF(right - 1), kinds.ONE_OFF(right + 1)]


def of_fraction(branches: Branches, branch: int, whole: Branches | None = None) -> list[Mistake]:
    """For the fraction of the rows that a branch has."""
    part, rows = sum(branches[branch]), _rows(branches)
    found = [
        kinds.A_COUNT(part),
        kinds.PER_CENT(100 * part / rows),
        kinds.UPSIDE_DOWN(rows / part),
    ]
    if part < rows:
        found.append(kinds.ODDS(part / (rows - part)))
    if whole:
        share = 1 / _rows(whole)
        found += [kinds.SHARE_OF_TABLE(n * share) for n in (part, sum(whole[branch]))]
    found += [kinds.OTHER_FRACTION(sum(one) / rows) for one in _others(branches, branch)]
    found += [kinds.CLASS_OF_ALL(n / rows) for n in branches[branch]]
    found += [kinds.CLASS_WITHIN(n / part) for n in branches[branch]]
    return [*found, kinds.THE_REST(1 - part / rows), kinds.EQUAL_PARTS(1 / len(branches))]


# -- entropies -------------------------------------------------------------------------------------


def of_bits(bits: float) -> list[Mistake]:
    """For any number of bits: another logarithm, another sign, another unit."""
    return [
        kinds.NATURAL(bits * math.log(2)),
        kinds.BASE_TEN(bits * math.log10(2)),
        kinds.SIGN(-bits),
        kinds.HUNDREDFOLD(100 * bits),
    ]


def of_entropy(counts: Counts) -> list[Mistake]:
    """For the entropy of some rows, given how many are of each class."""
    rows, right = sum(counts), entropy(counts)
    p = [n / rows for n in counts if n]
    if len(p) == 1:
        return [kinds.ONE_BIT(1.0)]
    found = of_bits(right)
    found += [kinds.ONE_TERM(sign * x * math.log2(x)) for x in p for sign in (-1, 1)]
    found += [
        kinds.SURPRISES(sum(math.log2(1 / x) for x in p)),
        kinds.PER_NODE(rows * right),
        kinds.GINI(gini(counts)),
        kinds.MAJORITY_ERROR(1 - max(p)),
        kinds.SCALED(right / math.log2(len(p))),
    ]
    return found


def of_branch(branches: Branches, branch: int, whole: Branches | None = None) -> list[Mistake]:
    """For H(Y|X=x), the entropy of a branch."""
    each = entropies(branches)
    found = of_entropy(branches[branch])
    found.append(kinds.WEIGHTED(shares(branches)[branch] * each[branch]))
    found += [kinds.OTHER_ENTROPY(h) for h in _others(each, branch)]
    found.append(kinds.BEFORE(entropy(together(branches))))
    if whole:
        found.append(kinds.WHOLE_TABLE(entropies(whole)[branch]))
    return found


def of_before(branches: Branches, whole: Branches | None = None) -> list[Mistake]:
    """For H(Y), the entropy before anything is asked."""
    right, left = entropy(together(branches)), conditional(branches)
    found = of_entropy(together(branches))
    if whole:
        found.append(kinds.WHOLE_TABLE(entropy(together(whole))))
    found += [kinds.LEFT(left), kinds.THE_GAIN(right - left)]
    return [*found, kinds.OF_BRANCHES(_spread(branches))]


def of_left(branches: Branches, whole: Branches | None = None) -> list[Mistake]:
    """For H(Y|X), what is left after asking."""
    right, each, weights = conditional(branches), entropies(branches), shares(branches)
    before = entropy(together(branches))
    found = [
        kinds.THE_GAIN(before - right),
        kinds.BEFORE(before),
        kinds.UNWEIGHTED(_unweighted(branches)),
        kinds.SUM(sum(each)),
        *of_bits(right),
        *(kinds.ONE_BRANCH(h) for h in each),
        *(kinds.ONE_BRANCH(w * h) for w, h in zip(weights, each, strict=True)),
        kinds.GINI(_average(weights, [gini(one) for one in branches])),
        kinds.BY_COUNTS(_rows(branches) * right),
    ]
    if len(branches) == 2:  # noqa: PLR2004 - of two, it is clear which took the other's place
        found.append(kinds.SWAPPED(_average(weights[::-1], each)))
    if whole:
        of_table = [sum(one) / _rows(whole) for one in branches]
        found += [
            kinds.SHARE_OF_TABLE(_average(of_table, each)),
            kinds.WHOLE_TABLE(conditional(whole)),
        ]
    return found


def of_gain(branches: Branches, whole: Branches | None = None) -> list[Mistake]:
    """For the information gain, H(Y) - H(Y|X)."""
    counts = together(branches)
    before, left, each = entropy(counts), conditional(branches), entropies(branches)
    right, spread = before - left, _spread(branches)
    after = _average(shares(branches), [gini(one) for one in branches])
    found = [
        kinds.LEFT(left),
        kinds.BEFORE(before),
        kinds.BACKWARDS(-right),
        kinds.UNWEIGHTED(before - _unweighted(branches)),
        kinds.SUM(before - sum(each)),
        *(one for one in of_bits(right) if one.name != kinds.SIGN.name),
        kinds.ADDED(before + left),
        kinds.GINI(gini(counts) - after),
    ]
    found += [kinds.RATIO(right / spread)] if spread else []
    found += [kinds.OF_BEFORE(right / before)] if before else []
    if whole:
        found.append(kinds.WHOLE_TABLE(entropy(together(whole)) - conditional(whole)))
    return found


# -- sums over branches ----------------------------------------------------------------------------


def together(branches: Branches) -> Counts:
    """Rows of each class in all branches."""
    return tuple(map(sum, zip(*branches, strict=True)))


def shares(branches: Branches) -> list[float]:
    """The fraction of the rows that each branch has."""
    return [sum(one) / _rows(branches) for one in branches]


def entropies(branches: Branches) -> list[float]:
    """H(Y|X=x) of each branch, in bits."""
    return [entropy(one) for one in branches]


def conditional(branches: Branches) -> float:
    """H(Y|X), in bits."""
    return _average(shares(branches), entropies(branches))


def _rows(branches: Branches) -> int:
    return sum(map(sum, branches))


def _average(weights: Sequence[float], of: Sequence[float]) -> float:
    return sum(w * x for w, x in zip(weights, of, strict=True))


def _unweighted(branches: Branches) -> float:
    return sum(entropies(branches)) / len(branches)


def _spread(branches: Branches) -> float:
    """The entropy of the attribute itself, in bits."""
    return entropy([sum(one) for one in branches])


def _others(of: Sequence[_T], i: int) -> list[_T]:
    return [one for j, one in enumerate(of) if j != i]
