"""The Jupyter side of the expressiveness lab."""

from __future__ import annotations

from functools import partial

from dtree_lab.labs.expressiveness.model import SETTINGS, State, load, start, update
from dtree_lab.labs.expressiveness.view import view
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.labs.traits import Seen
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Tree

MODEL = Model(update=update, view=view, dump=SETTINGS.dump)


class ExpressivenessLab(Lab[State], settings=SETTINGS):
    """What trees can say, and at what size: OR, AND, XOR, majority, or a table of one's own.

    Choose a function and the number n of its attributes: OR needs a tree of n internal nodes, XOR
    one of 2^n - 1. Add an attribute that is derived from the others, the sum mod 2 or the sum, and
    see the tree collapse. Choose a row of the truth table to follow it through the tree.

    Parameters
    ----------
    table
        A function of one's own, as rows with a discrete target; of more than 5,000 rows the first
        are used. Rows with gaps are left out, and the lab says which. Where each attribute has two
        values, the sum and the sum mod 2 are offered.
    n
        How many attributes a named function has, 1 to 8.
    function
        ``"or"``, ``"and"``, ``"xor"`` (odd parity) or ``"majority"``.
    state
        A text from :attr:`state`, to go on where it was left. It brings its own n and function.

    Attributes
    ----------
    tree
        The tree that is shown: an ordinary :class:`dtree_lab.Tree`; a trait, which fires.

    Raises
    ------
    ValueError
        For a table without a discrete target, an n out of range, another function, or a state of
        another table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.ExpressivenessLab(n=4)
    >>> lab.tree.n_nodes - lab.tree.n_leaves
    15
    """

    def __init__(
        self,
        table: Table | None = None,
        *,
        n: int = 3,
        function: str = "xor",
        state: str | None = None,
    ) -> None:
        begin = partial(start, table, n=n, function=function)
        super().__init__(MODEL, begin, partial(load, table=table), state)

    tree: Seen[Tree] = Seen(lambda state: state.grown.tree, "The tree that is shown.")

    @property
    def table(self) -> Table:
        """The rows, with the derived attribute if there is one."""
        return self._state.grown.table
