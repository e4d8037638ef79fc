"""The Jupyter side of the decision lab."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from dtree_lab.labs.decisions import model
from dtree_lab.labs.decisions.model import SETTINGS, State, start, update
from dtree_lab.labs.decisions.view import view
from dtree_lab.labs.kit.measured import MeasuredLab
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.table.table import Table

MODEL = Model(update=update, view=view, dump=SETTINGS.dump)


class DecisionLab(Lab[State], MeasuredLab[State], settings=SETTINGS):
    """One tree at three thresholds: what it decides, what it gets wrong, and what that costs.

    A leaf's share of a class is no decision yet. It is taken for the class where the share is above
    a threshold, and each mistake has a price. Of up to three thresholds one is in hand: drag it,
    and see which leaves decide otherwise, what is missed, and the false alarms, on rows that were
    held back. Which threshold costs least is asked first; then come the cost of each, and the one
    that the prices set. In which group most false alarms are is asked and told likewise.

    Parameters
    ----------
    table
        The rows, with classes; without one, 3,000 tax returns to grow on and 3,000 others to
        measure with (:func:`dtree_lab.datasets.tax_returns`). Rows with gaps are left out, and the
        lab says which. CART grows a tree of at most 8 leaves.
    validation
        Rows to measure with. Without any, a third of `table` is withheld in random
        order (:func:`dtree_lab.evaluate.holdout`).
    tree
        The tree, in place of CART's: a :class:`dtree_lab.Tree`, a fitted estimator of
        :mod:`dtree_lab.sklearn`, or a model that :meth:`dtree_lab.Tree.from_model` reads. It is
        filled with the training rows.
    positive
        The class that is looked for; the rarest without it. All other classes are as one.
    alarm, miss
        What a false alarm costs, and what a row of the class that is missed: from 1 to 50.
    thresholds
        One to three shares from 0 to 1, in the order in which the lab goes through them.
    group
        The name of an attribute of at most 12 values, to tell false alarms by; or None.
    seed
        The same seed withholds the same rows.
    state
        A text from :attr:`state`, to go on where it was left. It brings all of the above but the
        rows.

    Attributes
    ----------
    alarm, miss, positive, group, thresholds, seed
        The settings. Another price, or another class, asks anew.
    threshold, at
        The threshold in hand, to be set as if it were dragged, and which it is, from 0.
    answer, hit
        The threshold and the group that were answered; None before.
    selected
        The node that is looked at, by the branches that lead there.
    validation_sum
        A check sum of the validation rows.

    Raises
    ------
    TypeError
        For what is no table, or a `tree` that is none.
    ValueError
        For a table without classes, validation rows that do not fit it, a setting that cannot be,
        or a state of other rows.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.DecisionLab(thresholds=[0.5, 0.25, 0.1])
    >>> lab.cost  # at the first of them
    3825
    >>> lab.threshold = 0.1
    >>> lab.cost
    2026
    """

    def __init__(  # noqa: PLR0913 - each is a thing that people say by its name
        self,
        table: Table | None = None,
        validation: Table | None = None,
        *,
        tree: Any = None,
        positive: Any = None,
        alarm: int | None = None,
        miss: int | None = None,
        thresholds: Sequence[float] | None = None,
        group: str | None = None,
        seed: int = 0,
        state: str | None = None,
    ) -> None:
        settings = {"alarm": alarm, "miss": miss, "thresholds": thresholds, "group": group}
        name = None if positive is None else str(positive)
        begin = partial(start, table, validation, seed, tree, positive=name, **settings)
        load = partial(model.load, table=table, validation=validation)
        super().__init__(MODEL, begin, load, state)

    @property
    def cost(self) -> int:
        """What the mistakes of the threshold in hand cost together, on the validation rows."""
        return self._state.cost(self._state.hand)
