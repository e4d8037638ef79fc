"""What rows weigh, in whole ticks: weights add up exactly, in any order, as rows do.

Whole numbers are ticks as they are. Fractions and decimals are brought to their common denominator,
exactly, while all rows together weigh at most ``2**24`` ticks so. Other numbers are rounded to a
grid on which all rows together weigh about ``2**22`` ticks, and each row at least one.

Rows are also weighted by their classes: by priors, or by what mistaking a class costs.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_real
from dtree_lab.base.text import listing
from dtree_lab.table.table import Attribute, Table

# All rows together in ticks: at most, for costs to be exact; at most for fractions as they are;
# and about so many where weights are rounded.
MOST_TICKS, _EXACT, _GRID = 80_000_000, 1 << 24, 1 << 22
_LEAST = 1e-30
# So many rows are repeated at a time.
_AT_A_TIME = 1 << 22


def ticks_from(
    given: Any, n_rows: int, source: str, times: Sequence[int] | None = None
) -> tuple[NDArray[np.int64], int]:
    """The weights of rows, which count `times`, in ticks, and the ticks of a weight of 1."""
    listed = _numbers(given, n_rows, source)
    total = math.fsum(listed if times is None else map(operator.mul, listed, times))
    if not total:
        msg = f"{source}: every weight is zero, so no row is left; at least one must be above 0"
        raise ValueError(msg)
    if total > MOST_TICKS:
        raise ValueError(
            f"{source}: the weights add up to {total:,.0f}, more than {MOST_TICKS:,}; divide them,"
            f" for instance by {10 ** math.ceil(math.log10(total / MOST_TICKS)):,}"
        )
    if total < _LEAST:
        msg = f"{source}: the weights add up to {total:g}; multiply them, so that they are larger"
        raise ValueError(msg)
    unit = _common(listed, Fraction(total))
    if unit:
        return np.array([int(_fraction(w) * unit) for w in listed], dtype=np.int64), unit
    unit = max(1, int(Fraction(_GRID) / Fraction(total)))
    weights = np.array(listed, dtype=np.float64)
    return np.where(weights > 0, np.maximum(np.rint(weights * unit), 1), 0).astype(np.int64), unit


def _numbers(given: Any, n_rows: int, source: str) -> list[Any]:
    """The weights as Python's numbers, each looked at."""
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        msg = f"{source} must be a column's name, or a number for each row; got {given!r:.60}"
        raise TypeError(msg)
    listed = given.tolist() if isinstance(given, np.ndarray) else list(given)
    if len(listed) != n_rows:
        msg = f"{source}: {len(listed):,} weights for {n_rows:,} rows; give one for each row"
        raise ValueError(msg)
    for row, w in enumerate(listed, start=1):
        if isinstance(w, np.generic):
            listed[row - 1] = w = w.item()  # noqa: PLW2901
        if isinstance(w, bool) or not isinstance(w, int | float | Fraction | Decimal):
            msg = f"row {row}: its weight in {source} is {w!r}; a weight is a number, at least 0"
            raise TypeError(msg)
        if not 0 <= w < math.inf:
            msg = f"row {row}: its weight in {source} is {w!r}; a weight is at least 0 and finite"
            raise ValueError(msg)
    return listed


def _fraction(w: float | Fraction | Decimal) -> Fraction:
    """A weight as it is written: 0.1 is a tenth."""
    return Fraction(str(w)) if isinstance(w, float) else Fraction(w)


def _common(listed: list[Any], total: Fraction) -> int:
    """The least common denominator; 0 where all rows would weigh too many ticks by it."""
    unit = 1
    for w in listed:
        if isinstance(w, int):
            continue
        unit = math.lcm(unit, _fraction(w).denominator)
        if unit > 1 and unit * total > _EXACT:
            return 0
    return unit


def weighted_sums(
    place: NDArray[Any], y: NDArray[Any], n: int, weights: NDArray[np.int64] | None
) -> NDArray[np.float64]:
    """Sums of numbers at each of `n` places, each number added as often as it weighs ticks.

    Sums of floats depend on their order: only what is added one by one is what repeated rows give.
    """
    if weights is None:
        plain: NDArray[Any] = np.bincount(place, y, n)
        return plain
    total: NDArray[np.float64] = np.zeros(n)
    part = (np.cumsum(weights) - 1) // _AT_A_TIME
    for begin, end in pairwise([*np.flatnonzero(np.diff(part, prepend=-1)).tolist(), len(y)]):
        times = weights[begin:end]
        np.add.at(total, np.repeat(place[begin:end], times), np.repeat(y[begin:end], times))
    return total


def averaged(values: NDArray[Any], weights: NDArray[np.int64] | None) -> float:
    """The mean of some values, each as often as it weighs ticks."""
    if values.dtype == bool and weights is not None:
        return int(weights[values].sum()) / int(weights.sum())
    return float((values if weights is None else np.repeat(values, weights)).mean())


def in_units(ticks: float, unit: int) -> int | float:
    """What some rows weigh, as it is told: a whole number as one, others to six digits.

    >>> in_units(2000, 1), in_units(21, 7), in_units(10, 4)
    (2000, 3, 2.5)
    """
    whole, rest = divmod(ticks, unit)
    return float(f"{ticks / unit:.6g}") if rest else whole


# -- rows weighted by their classes, and what mistakes cost ----------------------------------------


def class_weighted(table: Table, each: Sequence[Fraction], source: str) -> Table:
    """The table whose rows weigh as they do times what their class does; 0 leaves rows out."""
    # Each class is brought to ticks by itself, so that a row that weighs n is n rows.
    ticks, unit = ticks_from(list(each), len(each), source, table.counts().tolist())
    weights = ticks[table.labels] * (1 if table.weights is None else table.weights)
    kept = np.flatnonzero(weights)
    unit *= table.weight_unit
    return replace(table.take(kept), weights=weights[kept], weight_unit=unit, weight_name=source)


def with_priors(table: Table, priors: Mapping[Any, float]) -> Table:
    """The table with rows weighted so that each class has a given share of all weight.

    For rows that were not drawn as they occur, such as half of them ill.

    Parameters
    ----------
    table
        Rows with a discrete target.
    priors
        The share of each class, above 0; together they are divided by their sum.

    Returns
    -------
    Table
        Its rows weigh together as much as before. What they weighed counts within their class.

    Raises
    ------
    ValueError
        For a continuous target, a class without a share, or one that is none of the target's.

    Notes
    -----
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, section 4.4;
    rpart calls it `prior`. Weights are exact where any are (small tables and plain
    shares), else on their grid, which may put a class off by a few millionths of the whole.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.datasets.tax_fraud()  # 7 say No, 3 Yes
    >>> even = dt.with_priors(table, {"No": 0.5, "Yes": 0.5})
    >>> dt.Tree.of(even, dt.Leaf(tuple(even.counts().tolist()))).shares(table)[0].tolist()
    [0.5, 0.5]
    """
    target = table.target
    if not isinstance(priors, Mapping):
        example = dict.fromkeys(table.target.values or (), 0.5)
        raise TypeError(f"priors maps each class to its share, as in {example}; got {priors!r:.60}")
    shares = {target.named(v): share for v, share in priors.items()}
    good = all(is_real(share) and 0 < share < np.inf for share in shares.values())
    if target.values is None or not good or sorted(shares) != list(range(target.n_values)):
        known = listing(target.values) if target.values else "no classes: it is continuous"
        msg = f"priors={dict(priors)!r} must give each class of {target.name!r} a share above 0; it"
        raise ValueError(f"{msg} has {known}")
    exact = [Fraction(str(shares[k])) for k in range(target.n_values)]
    counts = table.counts().tolist()
    each = [
        share / sum(exact) * Fraction(table.n_ticks, max(n, 1) * table.weight_unit)
        for share, n in zip(exact, counts, strict=True)
    ]
    return class_weighted(table, each, "priors")


def cost_matrix(target: Attribute, costs: Mapping[tuple[Any, Any], float]) -> NDArray[np.float64]:
    """What each answer costs: a line for each true class, a column for each answer.

    `costs` maps a true class and an answer to a cost; other wrong answers cost 1, right ones 0.
    """
    if target.values is None:
        raise ValueError(f"{target.name!r} is continuous: costs are of mistaken classes")
    values = target.values
    example = {tuple(values[:2]): 5}
    asked = f"costs maps a true class and an answer to a cost, as in {example}; got"
    if not isinstance(costs, Mapping):
        raise TypeError(f"{asked} {costs!r:.60}")
    found = 1.0 - np.eye(len(values))
    for pair, cost in costs.items():
        if not isinstance(pair, tuple) or len(pair) != 2:  # noqa: PLR2004
            raise ValueError(f"{asked} {pair!r}")
        for v in pair:
            if target.named(v) < 0:
                msg = f"costs: {target.name!r} has no class {v!r}; it has {listing(values)}"
                raise ValueError(msg)
        if not is_real(cost) or not 0 <= cost < np.inf:
            raise ValueError(f"costs: {pair!r} costs {cost!r}; a cost is a number, at least 0")
        found[target.named(pair[0]), target.named(pair[1])] = cost
    return found
