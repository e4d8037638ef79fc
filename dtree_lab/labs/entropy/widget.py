"""The Jupyter side of the entropy lab."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from dtree_lab.grow.compare import Comparison
from dtree_lab.labs.entropy.model import SETTINGS, State, load, start, update
from dtree_lab.labs.entropy.view import view
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.table.table import Table

MODEL = Model(update=update, view=view, dump=SETTINGS.dump)


class EntropyLab(Lab[State], settings=SETTINGS):
    """Entropy as a curve, and what is left of it after asking an attribute.

    Drag a point along the entropy of two classes. Put attributes side by side: each shows its gain
    and H(Y|X), and opens into counts, fractions, logarithms and their weighted sum. Choose one to
    see its branches on the curve. Hide the gains to guess first.

    Parameters
    ----------
    table
        Rows with a discrete target; ``dt.datasets.tax_fraud()`` if left out. Rows with gaps in what
        can be chosen are left out, and the lab says which.
    attributes
        The names of up to 8 attributes to begin with; the table's first ones if left out. Of 24,
        these among them, others can be chosen.
    state
        A text from :attr:`state`, to go on where it was left. It brings its own `attributes`.

    Attributes
    ----------
    p
        The point on the curve; to set it is to drag it.

    Raises
    ------
    ValueError
        For a table that has no attribute or a continuous target, for a name that is no attribute,
        or for a state of another table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.EntropyLab(dt.datasets.tax_fraud(), ["Refund", "Marital Status"])
    >>> round(lab.comparison["Refund"].gain, 3)
    0.192
    """

    def __init__(
        self,
        table: Table | None = None,
        attributes: Sequence[str] | None = None,
        *,
        state: str | None = None,
    ) -> None:
        again = partial(load, table=table)
        super().__init__(MODEL, partial(start, table, attributes), again, state)

    @property
    def rows(self) -> Table:
        """The rows that are compared on, with the attributes that can be chosen."""
        return self._state.rows.part

    @property
    def comparison(self) -> Comparison:
        """What each attribute that can be chosen gains on these rows."""
        return self._state.rows.comparison
