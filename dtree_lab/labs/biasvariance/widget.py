"""The Jupyter side of the bias-variance lab."""

from __future__ import annotations

from functools import partial

from dtree_lab.evaluate.decomposition import BiasVariance
from dtree_lab.labs.biasvariance import model
from dtree_lab.labs.biasvariance.model import State, start, update, work
from dtree_lab.labs.biasvariance.trial import SHAPES, Given, usable_rows
from dtree_lab.labs.biasvariance.view import view
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.kit.taking import taken
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.populations import Population
from dtree_lab.table.table import Table

MODEL = Model(update=update, view=view, dump=model.dump, work=work)


class BiasVarianceLab(Lab[State], settings=model.SETTINGS):
    """Bias, variance and noise against depth, measured over many training sets.

    Training sets are drawn from a population again and again, and trees are grown on each. Sliders
    set the depth, the size of a training set, the noise and the number of training sets; the
    picture grows while they are drawn. Beside it lie the trees' boundaries, or the curves that they
    fit, over one another. A switch bags each training set and lowers the variance.

    Parameters
    ----------
    table
        Rows that stand for the population; as in :func:`dtree_lab.evaluate.bias_variance` a third
        of them is held out to measure on. With a `noise` they are all there is, and this share of
        their labels is turned over. Rows with gaps are left
        out, and the lab says which. Without a table, the populations of the course.
    population
        Instead of a table: one from :mod:`dtree_lab.populations`, or the name of one, such as
        ``"wave"`` or ``"sine"``.
    depth
        The depth to look at, from 1 to 10.
    n
        Rows of a training set.
    noise
        The share of labels turned over; of numbers, the standard deviation of the noise.
    resamples
        How many training sets, from 2 to 100.
    seed
        The same seed draws the same rows.
    state
        A text from :attr:`state`, to go on where it was left.

    Raises
    ------
    TypeError, ValueError
        For a table of too few rows, both a table and a population, a number out of
        range, or a state of another table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.BiasVarianceLab(population="wave", resamples=20)
    >>> shallow, deep = lab.result.at(1), lab.result.at(8)
    >>> shallow.bias > deep.bias, shallow.variance < deep.variance
    (True, True)
    """

    def __init__(  # noqa: PLR0913 - a slider each
        self,
        table: Table | None = None,
        *,
        population: Population | str | None = None,
        depth: int = 3,
        n: int | None = None,
        noise: float | None = None,
        resamples: int = 50,
        seed: int = 0,
        state: str | None = None,
    ) -> None:
        given, source = _given(table, population)
        rows = 0 if table is None else taken(table).n_rows
        asked = {
            "source": source,
            "depth": depth,
            "n_rows": n,
            "noise": noise,
            "resamples": resamples,
            "seed": seed,
        }
        load = partial(model.load, given=given, own_rows=rows)
        super().__init__(MODEL, partial(start, given, asked, rows), load, state)

    @property
    def result(self) -> BiasVariance:
        """The terms for each depth, as :func:`dtree_lab.evaluate.bias_variance` gives them."""
        return self._state.result

    @property
    def population(self) -> Population:
        """Where the training sets come from."""
        return self._state.population


def _given(table: Table | None, population: Population | str | None) -> tuple[Given, str | None]:
    """What training sets are drawn from, and its name if it is one of the course's."""
    if table is not None and population is not None:
        msg = "give a table or a population, not both: both say where the rows come from"
        raise ValueError(msg)
    if table is not None:
        return usable_rows(table), None
    if population is None or isinstance(population, Population):
        return population, None
    if population not in SHAPES:
        msg = f"population={population!r} must be one of {', '.join(SHAPES)}, or a population"
        raise ValueError(msg)
    return None, population
