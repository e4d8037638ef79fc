"""The Jupyter side of the plane lab."""

from __future__ import annotations

from functools import partial

from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.labs.plane import model
from dtree_lab.labs.plane.model import SETTINGS, State, start, update
from dtree_lab.labs.plane.view import view
from dtree_lab.labs.traits import Seen
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Tree

MODEL = Model(update=update, view=view, dump=SETTINGS.dump)


class PlaneLab(Lab[State], settings=SETTINGS):
    """Points to place in the plane, the tree that is grown on them, and its regions.

    Click to add a point of a class, or type its coordinates; draw points from a diagonal, XOR, a
    circle, a staircase or tossed coins; grow the tree one question deeper at a time, and see what
    each leaf's region is. A derived feature, x + y or x - y, can be added.

    Parameters
    ----------
    table
        Rows with a discrete target and two continuous attributes; points from a diagonal without
        one. The tree is grown on these two attributes alone. Rows that lack one of them are left
        out, and the lab says which.
    x, y
        The names of the two attributes; the first two continuous ones without them.
    state
        A text from :attr:`state`, to go on where it was left. It brings its own `x` and `y`.

    Attributes
    ----------
    method, depth, min_rows, derived, click
        The settings, as the controls have them.
    axes, edits
        The names of the table's two attributes; what was done to the points, in order.
    at, selected, chosen
        The place that is typed, the node and the point that are looked at; -1 for no point.
    tree
        The tree as it stands; None where there are no points. A trait, which fires.

    Raises
    ------
    ValueError
        For a table without classes or with more than 20, one without two continuous attributes or
        without a row that has both, names that are not two of these, or a state of another table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> lab = dt.PlaneLab()
    >>> lab.tree.n_leaves
    2
    >>> lab.act({"do": "deeper"})
    >>> lab.tree.n_leaves
    4
    """

    tree: Seen[Tree | None] = Seen(
        lambda state: state.grown and state.grown.tree,
        "The tree as it stands; None where there are no points.",
    )

    def __init__(
        self,
        table: Table | None = None,
        x: str | None = None,
        y: str | None = None,
        *,
        state: str | None = None,
    ) -> None:
        load = partial(model.load, table=table)
        super().__init__(MODEL, partial(start, table, x, y), load, state)

    @property
    def table(self) -> Table | None:
        """The points as they stand, with the derived feature if there is one; None without any."""
        return self._state.rows.table(self._state.recipe.derived)
