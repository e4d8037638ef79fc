"""A tree whose continuous attributes are cut by Gaussian thresholds: the textbook grower again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dtree_lab.learn.candidates import best_split, weigh
from dtree_lab.learn.continuous.gaussian import Model, fit
from dtree_lab.learn.grow import Growth, finish, growth
from dtree_lab.learn.narrate import narrates
from dtree_lab.learn.ready import check_classes
from dtree_lab.learn.recipe import Candidate, Recipe, Stop, recipe
from dtree_lab.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.table import Table, Value


def gaussian_tree(  # noqa: PLR0913 - the growers' keywords, and those of the thresholds
    table: Table,
    *,
    criterion: str = "entropy",
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_rows: int = 2,
    min_leaf: int = 1,
    min_gain: float = 0.0,
    max_error: float | None = None,
    equal_variance: bool = False,
    tau: float = 1.0,
    priors: Mapping[Any, float] | None = None,
    positive: Value | None = None,
) -> Tree:
    """Grow as ID3 does, but cut continuous attributes where the classes' bell curves cross.

    At each node :func:`dtree_lab.gaussian_thresholds` is asked for each continuous attribute; its
    regions become the branches, two or more. Then the attribute that gains most is chosen, the
    first in a tie. Discrete attributes branch on every value.

    Parameters
    ----------
    table
        Rows with a discrete target.
    criterion, max_depth, max_leaves, min_rows, min_leaf, min_gain, max_error
        As for :func:`dtree_lab.id3`.
    equal_variance, tau, priors, positive
        As for :func:`dtree_lab.gaussian_thresholds`.

    Raises
    ------
    ValueError
        As both do.

    Notes
    -----
    Bell curves see less than all midpoints: a node whose curves do not cross between its rows
    stays a leaf, even though a threshold might part it. Trees are smaller, and training errors
    may remain.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> table = dt.Table.from_columns(
    ...     {"x": [-1, 1, 3, 5], "y": ["a", "a", "b", "b"]}, target="y"
    ... )
    >>> gaussian_tree(table).root.split.cuts
    (2.0,)
    """
    limits = {
        "max_depth": max_depth,
        "max_leaves": max_leaves,
        "min_rows": min_rows,
        "min_leaf": min_leaf,
        "min_gain": min_gain,
        "max_error": max_error,
    }
    grown = gaussian_growth(
        table,
        criterion=criterion,
        equal_variance=equal_variance,
        tau=tau,
        priors=priors,
        positive=positive,
        **limits,
    )
    return Tree.of(table, finish(grown), criterion)


@narrates(gaussian_tree)
def gaussian_growth(  # noqa: PLR0913 - those of gaussian_tree
    table: Table,
    *,
    criterion: str = "entropy",
    equal_variance: bool = False,
    tau: float = 1.0,
    priors: Mapping[Any, float] | None = None,
    positive: Value | None = None,
    **limits: Any,
) -> Growth:
    """The textbook's growth of :func:`gaussian_tree`."""
    check_classes(table)
    model = Model(equal_variance, tau, priors, positive)
    model.check(table)
    asked = recipe("id3", criterion, Stop(**limits))
    return growth(table, replace(asked, propose=partial(_proposals, model=model)))


def _proposals(table: Table, recipe: Recipe, model: Model) -> list[Candidate]:
    """Each attribute's split of these rows: Gaussian for a continuous one, else by value."""
    found: list[Candidate] = []
    for i, attribute in enumerate(table.attributes):
        if attribute.values is not None:
            candidate = best_split(table, i, recipe)
        else:
            split = fit(table, i, model).split
            candidate = None if split is None else weigh(table, split, recipe.criterion)
        if candidate is not None:
            found.append(candidate)
    return found
