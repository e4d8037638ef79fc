"""Forests and boosted trees as JSON, checked when they are read back.

Attributes and the target, which the trees have in common, stand in a text once. What a forest knows
of its training rows (classes, votes out of bag) is kept, so that it answers all that it did.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from fractions import Fraction
from math import isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.random import checked_seed
from dtree_lab.criteria.variance import Scale, Variance
from dtree_lab.ensemble.boosted import Boosted
from dtree_lab.ensemble.forest import Forest
from dtree_lab.ensemble.out_of_bag import OutOfBag
from dtree_lab.ensemble.settings import ForestSettings
from dtree_lab.grow.recipe import Recipe, Stop, recipe
from dtree_lab.table.table import Attribute
from dtree_lab.tree.saved import columns_data, columns_of_data, read_saved, tree_data, tree_of_data
from dtree_lab.tree.tree import Tree

FOREST = "dtree_lab.ensemble.forest/1"
BOOSTED = "dtree_lab.ensemble.boosted/1"
_MOST = 2**63 - 1
_LARGEST = 1e149
_MOST_DRAWS = 10**7


def forest_data(forest: Forest) -> dict[str, Any]:
    """A forest as plain lists and mappings."""
    plan, bag = forest.plan, forest.out_of_bag
    stop = asdict(plan.recipe.stop)
    if isinstance(stop["min_leaf"], Fraction):
        stop["min_leaf"] = list(stop["min_leaf"].as_integer_ratio())
    return {
        "format": FOREST,
        **columns_data(forest.attributes, forest.target),
        "plan": {
            "criterion": plan.recipe.criterion.name,
            "stop": {key: limit for key, limit in stop.items() if limit is not None},
            "m": plan.m,
            "bootstrap": plan.bootstrap,
            "seed": plan.seed,
            "weights": None if plan.weights is None else list(plan.weights),
            "unit": plan.unit,
            "draws": plan.draws,
        },
        "out_of_bag": {
            "labels": bag.labels.tolist(),
            "votes": bag.votes.tolist(),
            "total": bag.total.tolist(),
            "errors": [None if np.isnan(error) else error for error in bag.errors.tolist()],
        },
        "trees": [tree_data(tree) for tree in forest.trees],
    }


def forest_of_json(text: str) -> Forest:
    """The forest of a text; a ValueError says what is wrong with one that is none."""
    return read_saved(text, (FOREST,), "forest", _load_forest)


def boosted_data(boosted: Boosted) -> dict[str, Any]:
    """Boosted trees as plain lists and mappings."""
    return {
        "format": BOOSTED,
        **columns_data(boosted.attributes, boosted.target),
        "n_classes": boosted.n_classes,
        "weights": list(boosted.weights),
        "errors": list(boosted.errors),
        "trees": [tree_data(tree) for tree in boosted.stumps],
    }


def boosted_of_json(text: str) -> Boosted:
    """The boosted trees of a text; a ValueError says what is wrong with one that holds none."""
    return read_saved(text, (BOOSTED,), "vote of boosted trees", _load_boosted)


# -- reading, with doubt ---------------------------------------------------------------------------


def need(holds: Any, what: str, name: str, must: str) -> None:
    """Raise a ValueError that says what a part of a text must be, if it is not."""
    if not holds:
        raise ValueError(f"not a {what}: {name} must be {must}")


def load_trees(
    data: dict[str, Any], what: str, attributes: tuple[Attribute, ...], target: Attribute
) -> tuple[Tree, ...]:
    """The trees of a text, one at least."""
    trees = []
    for i, one in enumerate(data["trees"]):
        try:
            trees.append(tree_of_data(one, attributes, target))
        except ValueError as error:
            raise ValueError(f"not a {what}: tree {i} is {error}") from None
    need(trees, what, "trees", "a list with at least one tree")
    return tuple(trees)


def _load_boosted(data: dict[str, Any]) -> Boosted:
    what = "vote of boosted trees"
    attributes, target = columns_of_data(data)
    trees = load_trees(data, what, attributes, target)
    n_classes, weights, errors = data["n_classes"], data["weights"], data["errors"]
    need(target.values is not None, what, "target", "discrete")
    most = f"a whole number from 1 to {target.n_values}"
    need(_whole(n_classes, 1, target.n_values), what, "n_classes", most)
    each = f"{len(trees)} numbers, one for each tree, none below 0"
    for name, numbers in (("weights", weights), ("errors", errors)):
        fits = isinstance(numbers, list) and len(numbers) == len(trees)
        need(fits and all(map(is_finite, numbers)) and min(numbers) >= 0, what, name, each)
    return Boosted(
        attributes, target, n_classes, trees, tuple(map(float, weights)), tuple(map(float, errors))
    )


def _load_forest(data: dict[str, Any]) -> Forest:
    attributes, target = columns_of_data(data)
    trees = load_trees(data, "forest", attributes, target)
    # The copies of a row that weighs more than one vote together.
    most = len(trees) * max(data["plan"]["weights"] or (1,))
    bag = _load_bag(data["out_of_bag"], target, len(trees), most)
    plan = _load_plan(data["plan"], attributes, target, bag.labels)
    return Forest(attributes, target, trees, plan, bag)


def _load_bag(data: dict[str, Any], target: Attribute, n_trees: int, most: int) -> OutOfBag:
    labels, votes, total, errors = (data[key] for key in ("labels", "votes", "total", "errors"))
    numbers = target.values is None
    right = _label if numbers else (lambda c: _whole(c, 0, target.n_values - 1))
    must = "numbers" if numbers else f"codes of classes, from 0 to {target.n_values - 1}"
    good = isinstance(labels, list) and labels and all(map(right, labels))
    need(good, "forest", "out_of_bag labels", must)
    width, n = (1 if numbers else target.n_values), len(labels)
    rows = len(votes) == n and all(len(row) == width for row in votes)
    good = rows and all(_whole(times, 0, most) for row in votes for times in row)
    need(good, "forest", "out_of_bag votes", f"{width} numbers of trees for each row")
    good = len(total) == (n if numbers else 0) and all(map(is_finite, total))
    need(good, "forest", "out_of_bag total", "a number for each row, or none for classes")
    known = [error for error in errors if error is not None]
    good = len(errors) == n_trees and all(map(is_finite, known)) and min(known, default=0) >= 0
    need(good, "forest", "out_of_bag errors", "a number or null after each tree")
    return OutOfBag(
        np.array(labels, dtype=np.float64 if numbers else np.int32),
        np.array(votes, dtype=np.int64),
        np.array(total, dtype=np.float64),
        np.array([nan if error is None else error for error in errors], dtype=np.float64),
    )


def _load_plan(
    data: dict[str, Any], attributes: tuple[Attribute, ...], target: Attribute, labels: NDArray[Any]
) -> ForestSettings:
    keys = ("m", "bootstrap", "weights", "unit", "draws")
    m, bootstrap, weights, unit, draws = (data[key] for key in keys)
    most, n_ticks = max(len(attributes), 1), len(labels)
    need(_whole(m, 1, most), "forest", "m", f"a whole number from 1 to {most}")
    need(isinstance(bootstrap, bool), "forest", "bootstrap", "true or false")
    need(_whole(unit, 1, _MOST), "forest", "unit", "a whole number, at least 1")
    good = draws is None or (bootstrap and _whole(draws, 1, _MOST_DRAWS))
    need(good, "forest", "draws", "a number of rows in a sample, or null")
    if weights is not None:
        good = len(weights) == len(labels) and all(_whole(n, 0, _MOST) for n in weights)
        n_ticks = sum(weights) if good else 0
        need(0 < n_ticks <= _MOST, "forest", "weights", "a number of ticks for each row, or null")
        weights = tuple(weights)
    asked = _load_recipe(data, target, labels, n_ticks, 1 if bootstrap else unit)
    seed = int(checked_seed(data["seed"]))
    return ForestSettings(asked, m, bootstrap, seed, weights, unit, draws)


def _load_recipe(
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


def _whole(n: Any, least: int, most: int) -> bool:
    return type(n) is int and least <= n <= most


def is_finite(x: Any) -> bool:
    """Whether it is a number that a float can hold."""
    try:
        return type(x) in (int, float) and isfinite(x)
    except OverflowError:
        return False


def _label(x: Any) -> bool:
    """Whether numbers like it can be squared and summed up."""
    return is_finite(x) and abs(x) <= _LARGEST
