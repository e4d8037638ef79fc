"""One way to ask any algorithm for its steps: the events that it emits while it runs."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeAlias, TypeVar

Narrator: TypeAlias = "Callable[..., Generator[Any, None, Any]]"
N = TypeVar("N", bound="Narrator")

_NARRATORS: dict[Callable[..., Any], Narrator] = {}


def narrates(algorithm: Callable[..., Any]) -> Callable[[N], N]:
    """Mark a generator function as the one that tells an algorithm's steps, given its arguments."""

    def mark(narrator: N) -> N:
        _NARRATORS[algorithm] = narrator
        return narrator

    return mark


def steps(algorithm: Callable[..., Any], *arguments: Any, **keywords: Any) -> list[Any]:
    """The events of an algorithm, in the order in which they happen.

    Parameters
    ----------
    algorithm
        A grower (``dt.id3``, ``dt.c45``, ``dt.cart``, ``dt.stump``, ``dt.gaussian_tree``,
        ``dt.random_forest``, ``dt.adaboost``, ``dt.gradient_boosting``), ``dt.sorted_search``, a
        way to prune (``dt.prune.reduced_error``, ``.cost_complexity``, ``.pessimistic``,
        ``.grow_until``), ``dt.fill_by_proximity`` or ``dt.evaluate.bias_variance``.
    *arguments, **keywords
        Those of the algorithm.

    Returns
    -------
    list
        Growing: ``Considered`` (a node was looked at, with every attribute's best split),
        ``Opened`` (it was given a question) and ``Closed`` (it became a leaf, and why), each with
        the path; counts are ticks where rows weigh fractions or go down in parts. Pruning:
        ``Measured`` (a round begins: every node that could be cut, and the costs), ``Pruned`` (one
        was) and ``Finished``. Growing until held-out rows say stop: ``Grew``, ``LevelGrown`` and
        ``Stopped``. A forest: ``Sampled``, ``Drew``, ``InTree`` with what the tree's grower tells,
        and ``Added``. Searching a threshold: ``Ordered`` (an attribute's rows were sorted),
        ``Tried`` (a cut) and ``Found``. Boosting: ``Weighed``, ``Chose``, ``Reweighted`` and
        ``BoostingFinished``; by gradients: ``LeftOver``, ``Corrected`` and ``GradientFinished``.
        Bias and variance: ``Resampled``, then ``Decomposed``.

    Raises
    ------
    ValueError
        For an algorithm that is none of these, and as the algorithm does.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> [type(event).__name__ for event in dt.steps(dt.stump, dt.datasets.two_attributes())]
    ['Considered', 'Opened', 'Considered', 'Closed', 'Considered', 'Closed']
    >>> tree = dt.cart(dt.datasets.tax_fraud())
    >>> for event in dt.steps(dt.prune.cost_complexity, tree, alpha=0.1):
    ...     print(event)
    Measured(round=1, cost=0.0)
    Pruned(round=1, cut=Cut(path=(), subtree=0.0, leaf=0.3, n_leaves=4), before=0.0, after=0.3)
    Measured(round=2, cost=0.3)
    Finished(n_cuts=1, cost=0.3)
    """
    if not callable(algorithm) or algorithm not in _NARRATORS:
        got = getattr(algorithm, "__name__", f"a {type(algorithm).__name__}")
        names = ", ".join(sorted(known.__name__ for known in _NARRATORS))
        raise ValueError(f"the steps of {got} are not known; those of these are: {names}")
    return list(narrated(algorithm, *arguments, **keywords))


def narrated(algorithm: Any, *arguments: Any, **keywords: Any) -> Generator[Any, None, Any]:
    """The events of :func:`steps`, one at a time."""
    return _NARRATORS[algorithm](*arguments, **keywords)
