"""Rows weighted by their classes: priors, and what mistaking a class costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_real
from dtree_lab.base.text import listing
from dtree_lab.table.table import Attribute, Table
from dtree_lab.table.ticks import ticks_from


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
