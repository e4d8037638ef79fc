"""The Jupyter side of the forest lab."""

from __future__ import annotations

from functools import partial

from dtree_lab.datasets import tax_fraud
from dtree_lab.ensemble.forest import Forest
from dtree_lab.labs.forest import model
from dtree_lab.labs.forest.model import MISTAKEN, SETTINGS, State, ringed, start, update, work
from dtree_lab.labs.forest.view import view
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.labs.traits import Seen
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Tree

MODEL = Model(update=update, view=view, dump=SETTINGS.dump, work=work)


class ForestLab(Lab[State], settings=SETTINGS):
    """A random forest: a wall of small trees that vote.

    Choose a row, and see its way through each tree, who wins the vote, by which margin, and what
    the trees say that have not seen it; choose a tree, and see it large. Its out-of-bag error is
    drawn as trees are added. Importances stand on one scale, by impurity and by permutation. Turn
    some labels over, and see the forest overfit; take some values away, and see how near their
    estimates come.

    Parameters
    ----------
    table
        Rows with a discrete target; without one, 111 of the penguins, whose sex is to be told, each
        with a ring of a number drawn by lot. Rows with gaps are left out, and the lab says which.
    trees
        How many trees, from 1 to 200.
    m
        How many attributes a node draws; without one, the square root of their number.
    noise
        The share of labels, from 0 to 0.5, that are turned over before the forest is grown.
    seed
        The same seed grows the same forest.
    state
        A text from :attr:`state`, to go on where it was left.

    Attributes
    ----------
    trees, m, noise, gaps, row
        The settings, as the sliders have them; `beside`, what stands beside the wall.
    shown, tree
        The number of the tree that is shown, from 1; and the tree.

    Raises
    ------
    TypeError, ValueError
        For a table with a continuous target or no attribute, a number out of range, or a
        state of another table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.ForestLab(dt.datasets.tax_fraud(), trees=25)
    >>> lab.forest
    Forest(25 trees for 'Cheat', out-of-bag error 0.3)
    """

    def __init__(  # noqa: PLR0913 - a slider each
        self,
        table: Table | None = None,
        *,
        trees: int = 50,
        m: int | None = None,
        noise: float = 0.0,
        seed: int = 0,
        state: str | None = None,
    ) -> None:
        rows = ringed() if table is None else table
        row = MISTAKEN if table is None else 0
        asked = {"trees": trees, "m": m, "noise": noise, "seed": seed, "row": row}

        def load(text: str) -> State:
            once = table is None and model.is_of(text, tax_fraud())  # the lab's own table then
            return model.load(text, tax_fraud() if once else rows)

        super().__init__(MODEL, partial(start, rows, asked), load, state)

    tree: Seen[Tree] = Seen(lambda state: state.member.tree, "The tree that is shown.")

    @property
    def forest(self) -> Forest:
        """The trees so far, as :func:`dtree_lab.random_forest` gives them."""
        return self._state.forest

    @property
    def table(self) -> Table:
        """The rows that the forest is grown on, some labels turned over by noise."""
        return self._state.table
