"""What kind of forest is asked for, checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_whole
from dtree_lab.base.random import checked_seed
from dtree_lab.base.types import Ints
from dtree_lab.criteria.variance import Scale, Variance
from dtree_lab.grow.engine.sampling import rows_of_tree, times_drawn
from dtree_lab.grow.prepare import check_table, ready
from dtree_lab.grow.recipe import Recipe, Stop, recipe
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.saved import is_whole_within, need

# So many copies rows with whole weights may stand for, for each to be out of bag by itself.
MOST_COPIES = 1 << 22
# Of what is read back: ticks, and rows of a sample.
_MOST, _MOST_DRAWS = 2**63 - 1, 10**7


@dataclass(frozen=True)
class ForestSettings:
    """What kind of forest is asked for: each node draws `m` attributes."""

    recipe: Recipe
    m: int
    bootstrap: bool
    seed: int
    # What each row weighs in ticks, and how many of them a weight of 1 is; None for rows alike.
    weights: tuple[int, ...] | None = None
    unit: int = 1
    draws: int | None = None  # how many rows a tree's sample has; None for the usual number

    def n_draws(self, n_rows: int) -> int:
        """How many rows a tree's sample has."""
        return self.draws or usual_draws(n_rows, self.weights, self.unit)

    def rows(self, tree: int, n_rows: int) -> NDArray[np.intp]:
        """The rows that a tree is grown on, in increasing order, as often as each was drawn."""
        if not self.bootstrap:
            return np.arange(n_rows)
        return rows_of_tree(self.seed, tree, n_rows, self.n_draws(n_rows), self.weights)

    def row_of(self, n_rows: int) -> Ints | None:
        """Of each copy that rows stand for by whole weights, its row; None where rows are drawn."""
        whole = self.weights is not None and self.unit == 1 and self.bootstrap
        if not whole or sum(self.weights or ()) > MOST_COPIES:
            return None
        return np.repeat(np.arange(n_rows), self.weights or ())

    def out(self, trees: Sequence[int], n_rows: int) -> NDArray[np.bool_]:
        """Which rows, or which of their copies, are out of the bag of each of some trees."""
        row_of = self.row_of(n_rows)
        times = (
            self.times(trees, n_rows)
            if row_of is None
            else times_drawn(self.seed, trees, len(row_of), self.draws)
        )
        out: NDArray[np.bool_] = times == 0
        return out

    def times(self, trees: Sequence[int], n_rows: int) -> NDArray[np.int64]:
        """How often each row counts in each of some trees, shape ``(n_trees, n_rows)``."""
        if not self.bootstrap:
            each = np.ones(n_rows) if self.weights is None else np.array(self.weights)
            return np.tile(each.astype(np.int64), (len(trees), 1))
        if self.weights is None:
            return times_drawn(self.seed, trees, n_rows, self.draws)
        samples = (np.bincount(self.rows(t, n_rows), minlength=n_rows) for t in trees)
        return np.array(list(samples), dtype=np.int64)

    def data(self) -> dict[str, Any]:
        """As plain lists and mappings, which :func:`settings_of_data` reads."""
        stop = asdict(self.recipe.stop)
        if isinstance(stop["min_leaf"], Fraction):
            stop["min_leaf"] = list(stop["min_leaf"].as_integer_ratio())
        return {
            "criterion": self.recipe.criterion.name,
            "stop": {key: limit for key, limit in stop.items() if limit is not None},
            "m": self.m,
            "bootstrap": self.bootstrap,
            "seed": self.seed,
            "weights": None if self.weights is None else list(self.weights),
            "unit": self.unit,
            "draws": self.draws,
        }


def settings_of_data(
    data: dict[str, Any], attributes: tuple[Attribute, ...], target: Attribute, labels: NDArray[Any]
) -> ForestSettings:
    """What was saved of a plan, read with doubt; the labels are those of the rows."""
    keys = ("m", "bootstrap", "weights", "unit", "draws")
    m, bootstrap, weights, unit, draws = (data[key] for key in keys)
    most, n_ticks = max(len(attributes), 1), len(labels)
    need(is_whole_within(m, 1, most), "forest", "m", f"a whole number from 1 to {most}")
    need(isinstance(bootstrap, bool), "forest", "bootstrap", "true or false")
    need(is_whole_within(unit, 1, _MOST), "forest", "unit", "a whole number, at least 1")
    good = draws is None or (bootstrap and is_whole_within(draws, 1, _MOST_DRAWS))
    need(good, "forest", "draws", "a number of rows in a sample, or null")
    if weights is not None:
        good = len(weights) == len(labels) and all(is_whole_within(n, 0, _MOST) for n in weights)
        n_ticks = sum(weights) if good else 0
        need(0 < n_ticks <= _MOST, "forest", "weights", "a number of ticks for each row, or null")
        weights = tuple(weights)
    asked = _recipe_of(data, target, labels, n_ticks, 1 if bootstrap else unit)
    seed = int(checked_seed(data["seed"]))
    return ForestSettings(asked, m, bootstrap, seed, weights, unit, draws)


def _recipe_of(
    data: dict[str, Any], target: Attribute, labels: NDArray[Any], n_ticks: int, unit: int
) -> Recipe:
    limits, name = dict(data["stop"]), data["criterion"]
    numbers = target.values is None
    try:
        if isinstance(limits.get("min_leaf"), list):
            limits["min_leaf"] = Fraction(*limits["min_leaf"])
        asked = recipe("cart", None if numbers else name, Stop(**limits))
    except (ValueError, ZeroDivisionError) as error:
        raise ValueError(f"not a forest: {error}") from None
    if not numbers:
        return replace(asked, unit=unit)
    must = f"{Variance.name!r}, as numbers are predicted"
    need(name == Variance.name, "forest", "criterion", must)
    scale, _ = Scale.of(labels, n_ticks)
    return replace(asked, criterion=Variance(scale), unit=unit)


def usual_draws(n_rows: int, weights: Ints | Sequence[int] | None, unit: int) -> int:
    """How many rows are drawn: as many as whole weights add up to, else as there are rows."""
    return n_rows if weights is None or unit > 1 else int(np.sum(weights))


def unweighted(table: Table) -> Table:
    """The rows alike, as those of a sample are once they have been drawn by their weights."""
    return replace(table, weights=None, weight_unit=1)


def planned(  # noqa: PLR0913 - the keywords of a forest
    table: Table,
    *,
    m: int | None = None,
    criterion: str | None = None,
    bootstrap: bool = True,
    max_samples: float | None = None,
    seed: int = 0,
    **limits: Any,
) -> tuple[Table, ForestSettings]:
    """The table with numbers to predict in ticks, and the plan; raises for what does not suit."""
    check_table(table)
    if not isinstance(bootstrap, bool | np.bool_):
        raise TypeError(f"bootstrap={bootstrap!r} must be True or False")
    in_ticks, asked = ready("cart", table, criterion, Stop(**limits))
    weights = None if table.weights is None else tuple(table.weights.tolist())
    plan = ForestSettings(
        replace(asked, unit=1) if bootstrap else asked,
        _checked_m(m, table),
        bool(bootstrap),
        int(checked_seed(seed)),
        weights,
        table.weight_unit,
    )
    draws = _checked_draws(max_samples, plan, table.n_rows)
    return grown_rows(in_ticks, plan), replace(plan, draws=draws)


def grown_rows(table: Table, plan: ForestSettings) -> Table:
    """A table to take a tree's rows of: those of a sample have been drawn by their weights."""
    return unweighted(table) if plan.bootstrap else table


def _checked_draws(given: Any, plan: ForestSettings, n_rows: int) -> int | None:
    """How many rows each sample has: a number, or a share of the usual number, rounded down."""
    if given is None:
        return None
    if not plan.bootstrap:
        msg = f"max_samples={given!r} needs bootstrap=True: without samples a tree has all rows"
        raise ValueError(msg)
    usual = plan.n_draws(n_rows)
    if is_whole(given) and 1 <= given <= usual:
        return int(given)
    if isinstance(given, float | np.floating) and 0 < given <= 1:
        return max(1, int(float(given) * usual))
    raise ValueError(
        f"max_samples={given!r} must be None, a whole number of rows from 1 to {usual}, or a share"
        " of them, above 0.0 and up to 1.0"
    )


def _checked_m(m: Any, table: Table) -> int:
    """How many attributes a node draws; Breiman's number if nobody says."""
    most = len(table.attributes)
    if m is None:
        usual = most // 3 if table.target.values is None else round(sqrt(most))
        return max(1, usual)
    if not is_whole(m) or not 1 <= m <= most:
        msg = f"m={m!r} must be a whole number from 1 to {most}, the number of attributes"
        raise ValueError(msg)
    return int(m)
