"""The Jupyter side of the threshold lab."""

from __future__ import annotations

from functools import partial

from dtree_lab.continuous.gaussian import GaussianFit
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.labs.threshold import model
from dtree_lab.labs.threshold.model import SETTINGS, State, start, update
from dtree_lab.labs.threshold.view import view
from dtree_lab.table.table import Table

MODEL = Model(update=update, view=view, dump=SETTINGS.dump)


class ThresholdLab(Lab[State], settings=SETTINGS):
    """A threshold to drag on one continuous attribute.

    Beneath the rows stands the gain of every cut; beneath that a bell curve for each class, and
    where their likelihood ratio crosses tau. The cut at hand, the best one and the crossings are
    compared. By mouse or by keyboard.

    Parameters
    ----------
    table
        Rows with a discrete target and a continuous attribute; the tax fraud table without one.
        Rows that lack the attribute are left out, and the lab says which.
    attribute
        The name of the continuous attribute; the first one that has values without it.
    state
        A text from :attr:`state`, to go on where it was left. It brings its own `attribute`.

    Attributes
    ----------
    attribute
        The name of the attribute that is cut.
    cut
        The threshold: branch 0 lies below it. To set it is to drag it.

    Raises
    ------
    ValueError
        For a table without classes or without a continuous attribute, an attribute that is
        discrete, without values or not there, or a state of another table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.ThresholdLab(dt.datasets.tax_fraud(), "Taxable Income")
    >>> lab.act({"do": "best"})
    >>> lab.cut, round(lab.gain, 3)
    (97.5, 0.281)
    """

    def __init__(
        self, table: Table | None = None, attribute: str | None = None, *, state: str | None = None
    ) -> None:
        load = partial(model.load, table=table)
        super().__init__(MODEL, partial(start, table, attribute), load, state)

    @property
    def table(self) -> Table:
        """The rows."""
        return self._state.curve.table

    @property
    def gain(self) -> float:
        """The information gain of the cut, in bits."""
        return self._state.curve.at(self._state.cut).gain

    @property
    def fit(self) -> GaussianFit:
        """The bell curves and their crossings, as from ``dt.gaussian_thresholds``."""
        return self._state.fit
