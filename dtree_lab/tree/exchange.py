"""How a tree comes from elsewhere and goes there: the methods of one, and who does the work.

That is done in files which need the class, so that these are imported when they are called.
"""

from __future__ import annotations

import json
from typing import Any, Self, cast

from dtree_lab.table.table import Table


class Exchange:
    """The methods of a tree by which it is exchanged."""

    __slots__ = ()

    # -- trees of others -------------------------------------------------------------------------

    @classmethod
    def from_model(
        cls, model: Any, table: Table, *, member: int | None = None, cuts: str = "exact"
    ) -> Self:
        """The tree of somebody else's model, whose nodes a table's rows fill.

        The questions are the model's. The counts are the table's own: with the rows, and weights,
        that the model was fitted on, the tree answers every row as the model does, and a
        :class:`~dtree_lab.TableWarning` says where another table makes it answer otherwise. Numbers
        are answered as the model has them.

        Parameters
        ----------
        model
            A fitted tree of scikit-learn; or a forest, boosted trees, or what LightGBM or XGBoost
            have fitted, of which `member` is taken.
            Or a text: what R's ``print(fit)`` writes of rpart, where ``digits=15`` keeps cuts from
            being rounded, or what Weka writes of J48, whose cuts are values of rows, written with
            six decimals. Their counts stand in them, so that a cut rounded past a row is told.
        table
            The rows that it was fitted on. Where some lack a value, nodes that ask for it keep the
            branch to which the model sends such rows. Its attributes are the model's columns: by
            name, or by position where the model has no names. A discrete attribute is a column of
            numbers, of words by their position among the attribute's values, or columns of 0 and 1
            called ``Refund_Yes``.
        member
            Which tree of several, counted from 0. One of boosting adds to a score: where the target
            has classes, the tree answers that number.
        cuts
            ``"exact"``: the cut that sends all rows as the model does. scikit-learn asks ``x <= t``
            of numbers rounded to 32 bits, and a tree here ``x < cut``, so its cut is a little above
            `t`, the least at which both are the same. ``"middle"``: halfway between the values of
            the table that it parts, as our growers cut and as is easier to read; then other rows
            may go another way.

        Raises
        ------
        TypeError
            For what is no model that can be read.
        ValueError
            For columns or classes that the table does not have, and a node that no row reaches.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> model = DecisionTreeClassifier(max_depth=1).fit([[1], [2], [4]], ["a", "a", "b"])
        >>> table = dt.Table.from_columns({"x": [1, 2, 4], "y": ["a", "a", "b"]}, target="y")
        >>> dt.Tree.from_model(model, table, cuts="middle") == dt.cart(table)
        True
        """
        from dtree_lab.doors.opening import tree_from_model  # noqa: PLC0415

        return cast("Self", tree_from_model(model, table, member, cuts))

    def to_sklearn(self) -> Any:
        """The tree as a fitted ``DecisionTreeClassifier`` or ``DecisionTreeRegressor``.

        It was fitted, as it were, on columns of numbers: of an attribute with words there is one
        of 0 and 1 for each word, as :func:`dtree_lab.sklearn.number_columns` makes them, and so
        ``pandas.get_dummies(frame)[model.feature_names_in_]``. scikit-learn rounds numbers to 32
        bits: a number at a cut goes where it goes here, and one that rounds to the same float with
        it.
        A row without a number goes where the node sends it, else with the larger branch, and a
        word that a node does not know with those that are not asked for; they cannot rest there.
        Classes stand in the tree's order, which decides ties.

        Raises
        ------
        ValueError
            For a node that scikit-learn cannot have, saying which: one with more branches than
            two, or with several words in each of two groups; and where leaves answer with
            lines.
        ImportError
            When scikit-learn is not installed.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> model = dt.cart(dt.datasets.tax_fraud(), max_depth=1).to_sklearn()
        >>> [str(name) for name in model.feature_names_in_[model.tree_.feature[:1]]]
        ['Marital Status_Married']
        """
        from dtree_lab.sklearn.exporting import estimator_of  # noqa: PLC0415

        return estimator_of(cast("Any", self))

    # -- as text that can be kept ----------------------------------------------------------------

    def to_json(self) -> str:
        """The tree as JSON, which :meth:`from_json` reads back to an equal tree."""
        from dtree_lab.tree.saved import to_data  # noqa: PLC0415

        return json.dumps(to_data(cast("Any", self)), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The tree of a text from :meth:`to_json`.

        Raises
        ------
        ValueError
            For a text that is no such tree, saying what is wrong with it.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> tree = dt.id3(dt.datasets.word_sense())
        >>> dt.Tree.from_json(tree.to_json()) == tree
        True
        """
        from dtree_lab.tree.saved import from_json  # noqa: PLC0415

        return cast("Self", from_json(text))
