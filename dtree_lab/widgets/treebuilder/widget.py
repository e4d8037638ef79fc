"""The Jupyter side of the tree builder: one trait down, messages up, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import anywidget
import traitlets

from dtree_lab.draw.style import css_variables
from dtree_lab.shown import plural
from dtree_lab.widgets import assets
from dtree_lab.widgets.picture_widget import Picture
from dtree_lab.widgets.treebuilder import text
from dtree_lab.widgets.treebuilder.messages import read
from dtree_lab.widgets.treebuilder.model import update
from dtree_lab.widgets.treebuilder.state import NotPossibleError, State, start
from dtree_lab.widgets.treebuilder.view import view

if TYPE_CHECKING:
    from dtree_lab.table import Table
    from dtree_lab.tree import Tree
    from dtree_lab.widgets.treebuilder.state import Reveal


class TreeBuilder(anywidget.AnyWidget):
    """A tree that a person grows by hand, in a notebook.

    Select a node, see what each attribute would gain there, and split by any of them: a continuous
    one at any cut. Undo and redo, cut a subtree back to a leaf, lock a node, take the best split,
    or let a recipe finish the rest. By mouse or by keyboard.

    Parameters
    ----------
    table
        The rows to grow on, with a discrete target.
    validation
        Rows to measure the tree with as it grows, for instance from ``dt.evaluate.holdout``.
    reveal
        ``"after"`` hides the gains at a node until the learner has chosen there, and then says
        what the choice cost in bits. ``"always"`` shows them.
    state
        A text from :attr:`state`, to go on where it was left. It brings its own `reveal`.

    Raises
    ------
    ValueError
        For a table that no classification tree can be grown on, a validation table that does not
        fit it, another `reveal`, or a state of another table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> builder = dt.TreeBuilder(dt.datasets.tax_fraud())
    >>> builder.tree.n_nodes
    1
    """

    _esm = assets.module("treebuilder/view.mjs")
    _css = css_variables() + "\n" + assets.read("treebuilder/view.css")

    view = traitlets.Dict().tag(sync=True)
    token = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        table: Table,
        *,
        validation: Table | None = None,
        reveal: Reveal = "always",
        state: str | None = None,
    ) -> None:
        self._model: State = (
            start(table, validation=validation, reveal=reveal)
            if state is None
            else text.load(state, table, validation=validation)
        )
        token = uuid4().hex
        self._picture = Picture(token)
        super().__init__(view=view(self._model), token=token)
        self.on_msg(self._received)

    @property
    def tree(self) -> Tree:
        """The tree as it stands: an ordinary :class:`dtree_lab.Tree`."""
        return self._model.root.tree

    @property
    def state(self) -> str:
        """A short text with the steps so far, which ``dt.TreeBuilder(table, state=…)`` takes."""
        return text.dump(self._model)

    def __repr__(self) -> str:
        size = f"{plural(self.tree.n_nodes, 'node')}, depth {self.tree.depth}"
        return f"A tree builder with a tree of {size}. It is shown in a notebook."

    def act(self, message: dict[str, Any]) -> None:
        """Do what a message of the view asks for, such as ``{"do": "undo"}``."""
        try:
            action = read(message, self._model)
        except NotPossibleError as error:
            self.view = {**self.view, "problem": str(error)}
            return
        before, self._model = self._model, update(self._model, action)
        self.view = view(self._model)
        if before.root is not self._model.root:
            self._picture.redraw(self.tree)

    def _received(self, _: object, message: Any, __: object) -> None:
        if message != {"do": "live"}:
            self.act(message)

    def _ipython_display_(self) -> None:
        self._picture.show(self, self.tree)
