"""The Jupyter side of the tree builder."""

from __future__ import annotations

from functools import partial
from typing import Any

from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural
from dtree_lab.draw.as_text import tree_text
from dtree_lab.labs.kit.model import Model, kept_tree, still_html, still_text
from dtree_lab.labs.kit.parts import View
from dtree_lab.labs.kit.taking import notes
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.labs.traits import Seen
from dtree_lab.labs.treebuilder import model
from dtree_lab.labs.treebuilder.model import SETTINGS, update
from dtree_lab.labs.treebuilder.state import Reveal, State, inspected, start
from dtree_lab.labs.treebuilder.view import view
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Tree


def _still(state: State) -> tuple[str, str]:
    """The tree, its text, and what it is inspected by."""
    inspection, tree = inspected(state), state.root.tree
    told, page = tree_text(tree), kept_tree(tree, state.selected, inspection.lit or ())
    if state.inspection.used:
        more = View("Beside the tree", inspection.parts)
    elif left_out := notes(state.table, state.validation):
        more = View("The rows", left_out)
    else:
        return told, page
    return f"{told}\n\n{still_text(more)}", page + still_html(more, page)


MODEL = Model(
    update=update,
    view=view,
    dump=SETTINGS.dump,
    still=_still,
    remembers=False,
    tells_all=False,  # what could be done again, and a cut that is tried
    near={"best": 0.02, "undo": 0.15, "redo": 0.15, "select": 0.1},
)


class TreeBuilder(Lab[State], settings=SETTINGS):
    """A tree that a person grows by hand, in a notebook.

    Select a node, see what each attribute would gain there, and split by any of them: a continuous
    one at any cut. Undo and redo, cut a subtree back to a leaf, lock a node, take the best split,
    or let a recipe finish the rest. Follow one row or all of them through the tree, with reasons in
    words; compare it with what an algorithm grows, or with a tree kept earlier. By mouse or by
    keyboard.

    Parameters
    ----------
    table
        The rows to grow on, with a discrete target. Rows with gaps are left out, and the lab says
        which.
    validation
        Rows to measure the tree with as it grows, for instance from ``dt.evaluate.holdout``. Those
        with gaps stay: the node that asks what they lack answers.
    reveal
        ``"after"`` hides the gains at a node until the learner has chosen there, and then says
        what the choice cost in bits. ``"always"`` shows them.
    tree
        A tree to begin with: a :class:`dtree_lab.Tree`, a fitted estimator of
        :mod:`dtree_lab.sklearn`, or a model that :meth:`dtree_lab.Tree.from_model` reads. It is
        filled with the rows of `table`, and is one step: to undo it leaves a single leaf.
    state
        A text from :attr:`state`, to go on where it was left. It brings its own `reveal` and tree.

    Attributes
    ----------
    steps, selected
        What was done to the tree, in order, and the branches that lead to the node that is chosen.
    beside
        What stands beside the tree and is tried.
    reveals
        `reveal`, as it was given.
    tree
        The tree as it stands.

    Raises
    ------
    ValueError
        For a table that no classification tree can be grown on, a validation table that does not
        fit it, another `reveal`, a tree that the table does not fit, or a state of another table.
    TypeError
        For a `tree` that is none.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> builder = dt.TreeBuilder(dt.datasets.tax_fraud())
    >>> builder.tree.n_nodes
    1
    >>> dt.TreeBuilder(dt.datasets.tax_fraud(), tree=dt.id3(dt.datasets.tax_fraud())).tree.n_nodes
    10
    """

    tree: Seen[Tree] = Seen(
        lambda state: state.root.tree, "The tree as it stands: an ordinary `dtree_lab.Tree`."
    )

    def __init__(
        self,
        table: Table,
        *,
        validation: Table | None = None,
        reveal: Reveal = "always",
        tree: Any = None,
        state: str | None = None,
    ) -> None:
        load = partial(model.load, table=table, validation=validation)
        first = load(state) if state is not None else start(table, validation, reveal)
        if state is None and tree is not None:
            first = model.opened(first, tree)
        super().__init__(MODEL, first, load)

    @terminal
    def __repr__(self) -> str:
        size = f"{plural(self.tree.n_nodes, 'node')}, depth {self.tree.depth}"
        return f"A tree builder with a tree of {size}. It is shown in a notebook."
