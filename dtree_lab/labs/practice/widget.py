"""The Jupyter side of the typed practice."""

from __future__ import annotations

from functools import partial

from dtree_lab.datasets import tax_fraud
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.labs.practice import model
from dtree_lab.labs.practice.exercise import At
from dtree_lab.labs.practice.model import SETTINGS, Score, State, start, update
from dtree_lab.labs.practice.view import view
from dtree_lab.table.table import Table

# The field that was filled in last is marked, which the text does not tell.
MODEL = Model(update=update, view=view, dump=SETTINGS.dump, tells_all=False)


class Practice(Lab[State], settings=SETTINGS):
    """Working out a gain by hand: every count, fraction and entropy is typed, and checked at once.

    A wrong number gets a hint that names the mistake: the natural logarithm, an unweighted mean,
    H(Y|X) given for the gain, a rounding slip and many more. Numbers are right within 0.002,
    counts have to be exact. A continuous attribute is asked at its best threshold.

    Parameters
    ----------
    table
        Rows with a discrete target; without one, the ten rows of the tax fraud example. Rows with
        gaps are left out, and the lab says which.
    attribute
        Whose gain is worked out; the first that can be, if none is given. One with more than 8
        values at the node cannot.
    at
        The node: conditions that its rows fulfil, such as ``{"Refund": "No"}``, or pairs of an
        attribute and a value; of a continuous attribute a text, ``"< 80"`` or ``">= 80"``.
        Nothing means the root. With more than 30 rows or 6 classes the counts are given.
    seed
        From which new exercises are drawn.
    state
        A text from :attr:`state`, to go on where it was left, with all that was typed. It brings
        its own attribute, node and seed.

    Attributes
    ----------
    at, attribute, seed
        As they were given, or chosen since; `number`, how many exercises were drawn.
    typed, shown
        What was typed, by the key of its field, and the fields that were shown instead.

    Raises
    ------
    ValueError
        For a table at which nothing can be practised, a node or attribute that cannot be, or a
        state of another table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.Practice(attribute="Marital Status", at={"Refund": "No"})
    >>> lab.act({"do": "set", "control": "before", "value": "0.985"})
    >>> lab.score
    Score(right=1, total=15, shown=0)
    """

    def __init__(
        self,
        table: Table | None = None,
        attribute: str | None = None,
        *,
        at: At = (),
        seed: int = 0,
        state: str | None = None,
    ) -> None:
        rows = tax_fraud() if table is None else table
        begin = partial(start, rows, attribute, at=at, seed=seed)
        super().__init__(MODEL, begin, partial(model.load, table=rows), state)

    @property
    def score(self) -> Score:
        """How many fields were filled in rightly, how many there are, and how many were shown."""
        return self._state.score
