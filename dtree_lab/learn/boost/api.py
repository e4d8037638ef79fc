"""AdaBoost as people call it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.learn.boost.rounds import Plan, Reweighted, rounds
from dtree_lab.learn.narrate import narrates
from dtree_lab.learn.ready import check_classes
from dtree_lab.learn.repeats import watched

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from dtree_lab.learn.boost.boosted import Boosted
    from dtree_lab.learn.boost.rounds import Event, Rounds
    from dtree_lab.table import Table


def adaboost(  # noqa: PLR0913 - keywords are a contract
    table: Table,
    *,
    n_stumps: int = 50,
    criterion: str = "gini",
    max_depth: int = 1,
    learning_rate: float = 1.0,
    weights: Sequence[float] | NDArray[Any] | None = None,
) -> Boosted:
    r"""Boost stumps: grow one, make the rows that it gets wrong heavier, grow the next.

    In each round a stump is grown on the weighted rows. With :math:`\varepsilon` the weight of the
    rows that it gets wrong, and K classes, its vote weighs

    .. math:: \alpha = \log \frac{1 - \varepsilon}{\varepsilon} + \log (K - 1)

    and the weights of the wrong rows are multiplied by :math:`e^\alpha`. Afterwards the rows that
    were wrong have (K - 1)/K of all weight, with two classes one half: the next stump cannot do
    well by asking the same again.

    Parameters
    ----------
    table
        Rows with a discrete target and without missing values.
    n_stumps
        The most rounds, at least 1.
    criterion
        What a stump is chosen by: ``"gini"``, ``"entropy"`` (the splits of ``dt.cart``, for
        weighted rows) or ``"error"``, the weight of the wrong rows itself, as in the textbooks.
    max_depth
        The most questions on any path; 1 is a stump.
    learning_rate
        What each alpha is multiplied by, above 0 and up to 2. Below 1 it takes more stumps, each
        trusted less; above 2 the bound on the training error would rise.
    weights
        What each row weighs at the beginning, shape ``(n_rows,)``; alike if not given. Rows of
        weight 0 are left out.

    Returns
    -------
    Boosted
        The stumps and the weights of their votes.

    Raises
    ------
    ValueError
        For a continuous target, a missing value, weights that are negative or do not fit, or a
        keyword out of range.
    TypeError
        For what is no table.

    Notes
    -----
    This is SAMME (Zhu, Zou, Rosset and Hastie 2009, Multi-class AdaBoost, Statistics and Its
    Interface 2, algorithm 2); with two classes it is AdaBoost.M1 (Freund and Schapire 1997, A
    decision-theoretic generalization of on-line learning and an application to boosting, Journal
    of Computer and System Sciences 55, 119-139). Some books write half of this alpha and lower the
    weights of the right rows as well: the votes and the weights come to the same.

    A stump that makes no mistake would get an infinite weight: it decides alone and boosting ends.
    Boosting also ends at a stump that is no better than chance (an error of 1 - 1/K or more). It is
    left out, unless it is the first one: then it is kept, with weight 1, for want of another.
    K counts the classes that training rows have.

    No chance enters. The first attribute, then the lowest cut, wins a tie; for this weights are
    rounded to whole numbers while a stump is looked for (to a hundred-millionth of all weight, by
    entropy to a millionth, each row counting for at least one).

    The rounds follow one another: they cannot be spread over cores.

    Examples
    --------
    Six points on a line, which no single threshold parts:

    >>> import dtree_lab as dt
    >>> table = dt.Table.from_columns({"x": range(6), "y": list("aabbaa")}, target="y")
    >>> boosted = adaboost(table, n_stumps=3)
    >>> boosted.staged_error(table).round(3).tolist()
    [0.333, 0.333, 0.0]
    >>> boosted.predict({"x": 2.2})
    'b'
    """
    return _run(
        adaboost_rounds(
            table,
            n_stumps=n_stumps,
            criterion=criterion,
            max_depth=max_depth,
            learning_rate=learning_rate,
            weights=weights,
        ),
        n_stumps,
    )


@narrates(adaboost)
def adaboost_rounds(
    table: Table, *, weights: Sequence[float] | NDArray[Any] | None = None, **keywords: Any
) -> Rounds:
    """The rounds of :func:`adaboost`, one after the other, as a generator of events."""
    plan = Plan(**keywords)
    check_classes(table)
    if weights is None:
        return rounds(table, np.ones(table.n_rows), plan)
    given = checked_weights(weights, table.n_rows)
    return rounds(table.take(given > 0), given[given > 0], plan)


def _run(events: Rounds, n_stumps: int) -> Boosted:
    """What the rounds make; a progress bar counts them."""
    made: list[Boosted] = []

    def told() -> Iterator[Event]:
        made.append((yield from events))

    ended = (event for event in told() if isinstance(event, Reweighted))
    for _ in watched(ended, what="boosting", total=n_stumps):
        pass
    return made[0]


def checked_weights(weights: Any, n_rows: int) -> NDArray[np.float64]:
    """Weights of rows as floats; raises a ValueError that says what is wrong with them."""
    try:
        given = np.array(weights, dtype=np.float64)
    except (TypeError, ValueError):
        msg = f"weights must be numbers, one for each row; got {weights!r}"
        raise ValueError(msg) from None
    if given.shape != (n_rows,):
        msg = f"weights have shape {given.shape}; the table has {n_rows} rows, so ({n_rows},)"
        raise ValueError(msg)
    bad = ~np.isfinite(given) | (given < 0)
    if bad.any():
        i = int(bad.argmax())
        msg = f"the weight of row {i + 1} is {given[i]:g}; a weight is finite and at least 0"
        raise ValueError(msg)
    if not given.any():
        msg = "all weights are 0; at least one row must have a weight above 0"
        raise ValueError(msg)
    return given
