"""The Jupyter side of the pruning lab."""

from __future__ import annotations

from functools import partial
from typing import Any

from dtree_lab.labs.kit.measured import MeasuredLab
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.labs.pruning import model
from dtree_lab.labs.pruning.model import SETTINGS, update
from dtree_lab.labs.pruning.state import State, start
from dtree_lab.labs.pruning.view import view
from dtree_lab.labs.traits import Seen
from dtree_lab.prune.pruned import PrunedTree
from dtree_lab.table.table import Table

MODEL = Model(update=update, view=view, dump=SETTINGS.dump)


class PruningLab(Lab[State], MeasuredLab[State], settings=SETTINGS):
    """A tree to prune by a method or by hand, with the errors beside it, in a notebook.

    Beside the tree stand the training and validation error of all trees that the method passes,
    against their number of nodes; drag along the curve to see each. Select a node to prune it or
    grow it back, in any order. A table weighs each node's subtree against a leaf, as reduced-error
    pruning does, and another lists the validation rows whose prediction changes, by their numbers
    in the table that was given.

    Parameters
    ----------
    table
        The rows, with a discrete target; without one, 240 rows on either side of a
        diagonal, of which a tenth have a wrong label. Rows with gaps are left out, and the lab says
        which. ID3 grows the tree.
    validation
        Rows to measure and prune with. Without any, a third of `table` is withheld in random
        order (:func:`dtree_lab.evaluate.holdout`). Given ones with gaps stay: the node that asks
        what they lack answers.
    method
        ``"reduced_error"``, ``"cost_complexity"``, ``"pessimistic"``, or early stopping:
        ``"max_depth"``, ``"min_rows"``, ``"breadth_first"``.
    seed
        The same seed withholds the same rows.
    tree
        The tree to prune, in place of ID3's: a :class:`dtree_lab.Tree`, a fitted estimator of
        :mod:`dtree_lab.sklearn`, or a model that :meth:`dtree_lab.Tree.from_model` reads. It is
        filled with the training rows.
    state
        A text from :attr:`state`, to go on where it was left. It brings its own `method`, `seed`
        and tree.

    Attributes
    ----------
    method, cf, on, faded, seed
        The settings; `cf` is the confidence of pessimistic pruning.
    size
        How many nodes the tree has: to set it moves along the curve.
    cuts, at
        The nodes that are pruned, in that order, and the one that is looked at, by their numbers in
        the full tree, breadth first from 0.
    row
        The validation row whose way is shown, from 0, or None.
    validation_sum
        A check sum of the validation rows.
    tree
        The tree as it stands; its `cuts` are those that were made.

    Raises
    ------
    TypeError
        For what is no table, or a `tree` that is none.
    ValueError
        For a table that no classification tree can be grown on, validation rows that do not fit
        it, a `method` or `seed` that there is none of, or a state of other rows.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.PruningLab()
    >>> lab.act({"do": "all"})  # as the button does that prunes to the method's end
    >>> lab.tree == dt.prune.reduced_error(lab.full, lab.validation)
    True
    """

    tree: Seen[PrunedTree] = Seen(
        lambda state: state.tree, "The tree as it stands; its `cuts` are those that were made."
    )

    def __init__(  # noqa: PLR0913 - each is a thing that people say by its name
        self,
        table: Table | None = None,
        validation: Table | None = None,
        *,
        method: str = "reduced_error",
        seed: int = 0,
        tree: Any = None,
        state: str | None = None,
    ) -> None:
        load = partial(model.load, table=table, validation=validation)
        begin = partial(start, table, validation, method=method, seed=seed, tree=tree)
        super().__init__(MODEL, begin, load, state)
