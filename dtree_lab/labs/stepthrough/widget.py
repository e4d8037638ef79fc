"""The Jupyter side of stepping through an algorithm."""

from __future__ import annotations

from functools import partial
from typing import Any

from dtree_lab.datasets import tax_fraud
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.lab_widget import Lab
from dtree_lab.labs.stepthrough import model
from dtree_lab.labs.stepthrough.model import SETTINGS, State, WalkSettings, start, update, work
from dtree_lab.labs.stepthrough.view import view
from dtree_lab.labs.traits import Seen
from dtree_lab.table.table import Table
from dtree_lab.tree.questions import as_tree, questions_of
from dtree_lab.tree.tree import Tree

# The node that is looked at is no part of the text.
MODEL = Model(update=update, view=view, dump=SETTINGS.dump, work=work, tells_all=False)


class StepThrough(Lab[State], settings=SETTINGS):
    """Step through an algorithm, forward and back, by the very events that it emitted.

    Each step is told in words and shown: the tree so far and what was weighed at a node, the gain
    curve so far, the candidates of a round of pruning, or a tree's sample and the out-of-bag error.
    Go to any step, or let it play.

    Parameters
    ----------
    table
        Rows with a discrete target, for gradient boosting also with numbers;
        ``dt.datasets.tax_fraud()`` if None. Rows with gaps are left
        out, and the lab says which. Of a large table some rows
        are drawn at random, and the view says how many: 1000 of them, or as many as have 10,000
        values (a third of that for more than four classes); a tenth of it for a forest and for
        boosting, but at least 50.
    algorithm
        ``"id3"``, ``"c45"``, ``"cart"``, ``"threshold"`` (``dt.sorted_search``),
        ``"reduced_error"`` (pruning what ID3 has grown), ``"random_forest"``, ``"adaboost"``,
        ``"gradient_boosting"`` or ``"prediction"`` (rows on their way through a tree). If None it
        is ``"id3"``, or with a `tree` ``"prediction"``.
    attribute
        The continuous attribute whose threshold is searched for; each in turn if None.
    validation
        The rows to prune with, to predict, or by which gradient boosting stops. Without them a
        third of the table is withheld to prune with, or the table's own rows are predicted.
    tree
        A tree to predict with: a :class:`dtree_lab.Tree`, a fitted estimator of
        :mod:`dtree_lab.sklearn`, or a model that :meth:`dtree_lab.Tree.from_model` reads. It is
        filled with the rows of `table`. Without one, ID3 grows it.
    seed
        Where all chance comes from.
    level
        How fine a step is: ``"event"``, ``"node"`` or ``"round"`` (a round, a tree, an attribute).
        Where an algorithm has no such steps, each event is one.
    state
        A text from :attr:`state`, to go on where it was left. It brings its own settings.
    **keywords
        Those of the algorithm, such as ``max_depth``, ``criterion``, ``n_trees`` or ``m``. A forest
        has 5 trees, and at most 25; boosting 5 stumps or rounds, and at most 50.

    Attributes
    ----------
    cursor, step
        How many events have happened, and how many steps.
    algorithm, attribute, seed, keywords, level
        As they were given, or chosen since; `max_depth`, `n_trees` and `m` are of the keywords.
    speed, plane, pair
        How fast it plays, whether the plane is seen, and which two attributes it shows.
    validation_sum
        A check sum of the validation rows.
    tree
        The tree as it stands at this step, where there is one.

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For a table without classes, for what the algorithm does not take, or a state
        of another table.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> walk = dt.StepThrough(dt.datasets.two_attributes())
    >>> len(walk.events), walk.cursor
    (10, 0)
    """

    tree: Seen[Tree | None] = Seen(
        lambda state: state.story.tree(state.cursor),
        "The tree as it stands at this step, where there is one.",
    )
    cursor: int

    def __init__(  # noqa: PLR0913 - each is a keyword that a person may want
        self,
        table: Table | None = None,
        algorithm: str | None = None,
        *,
        attribute: str | None = None,
        validation: Table | None = None,
        tree: Any = None,
        seed: int = 0,
        level: str = "event",
        state: str | None = None,
        **keywords: Any,
    ) -> None:
        rows = tax_fraud() if table is None else table
        if tree is not None:
            opened = as_tree(tree, rows)
            keywords |= {"tree": questions_of(opened), "criterion": opened.criterion}
        algorithm = algorithm or ("id3" if tree is None else "prediction")
        asked = WalkSettings(rows, validation, seed, keywords, algorithm, attribute)
        load = partial(model.load, table=rows, validation=validation)
        super().__init__(MODEL, partial(start, asked, level), load, state)

    @property
    def events(self) -> list[Any]:
        """All events, as ``dt.steps`` gives them."""
        return list(self._state.story.events)

    @property
    def result(self) -> Any:
        """What the algorithm makes in the end: a tree, a search, a forest, or boosted trees."""
        return self._state.story.result
