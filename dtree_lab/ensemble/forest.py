"""A forest: trees that vote, what they say of rows that they were not grown on, and importances."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base import peers
from dtree_lab.base.checks import checked_whole
from dtree_lab.base.parallel import parallel_map
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural
from dtree_lab.base.types import Floats, Ints
from dtree_lab.ensemble.boosted import own_lead
from dtree_lab.ensemble.out_of_bag import OutOfBag, out_of_bag_of_data
from dtree_lab.ensemble.predict import VotingTrees, shared
from dtree_lab.ensemble.settings import ForestSettings, settings_of_data
from dtree_lab.grow.engine.sampling import shuffled
from dtree_lab.table.table import Table
from dtree_lab.tree.importance import Importance, impurity_shares
from dtree_lab.tree.saved import (
    columns_data,
    columns_of_data,
    read_saved,
    tree_data,
    trees_of_data,
)

FORMAT = "dtree_lab.ensemble.forest/1"


@dataclass(frozen=True, eq=False)
class Bags:
    """The rows that are out of each tree's bag, tree after tree; `tree` and `row` are pairs."""

    forest: Forest
    columns: tuple[NDArray[Any], ...]
    trees: Ints  # those that have rows out of bag
    sizes: Ints  # how many
    begins: Ints  # where the pairs of each begin
    tree: Ints
    row: Ints

    @classmethod
    def of(cls, forest: Forest, table: Table) -> Bags:
        """The bags of a forest; raises a ValueError if no row is out of any."""
        out = forest.plan.times(range(forest.n_trees), forest.n_rows) == 0
        if not out.any():
            raise ValueError(
                "no row is out of bag, so there is nothing to predict; grow the forest with"
                " bootstrap=True"
            )
        sizes, (tree, row) = out.sum(axis=1), np.nonzero(out)
        trees = np.flatnonzero(sizes)
        sizes = sizes[trees]
        return cls(forest, table.columns, trees, sizes, np.cumsum(sizes) - sizes, tree, row)

    def losses(self, attribute: int = -1, shuffled: Ints | None = None) -> Floats:
        """Each tree's error, with an `attribute` of other rows, `shuffled`; ``(n_trees,)``."""
        stops = self.forest.grove.stops(self.tree, self.row, self.columns, attribute, shuffled)
        said, right = self.forest.answers[stops], self.forest.out_of_bag.labels[self.row]
        numbers = self.forest.target.values is None
        wrong = np.square(said - right) if numbers else (said != right).astype(np.float64)
        return np.add.reduceat(wrong, self.begins) / self.sizes


def _shuffled_losses(bags: Bags, attribute: int, seed: int, repeats: int) -> Floats:
    """What the trees lose on average when an attribute is shuffled within each bag."""
    each = [part.tolist() for part in (bags.begins, bags.sizes, bags.trees)]
    total = np.zeros(len(bags.sizes))
    for repeat in range(repeats):
        order = [
            begin + shuffled(size, seed, tree, attribute, repeat)
            for begin, size, tree in zip(*each, strict=True)
        ]
        total += bags.losses(attribute, bags.row[np.concatenate(order)])
    return total / repeats


@peers.knows(peers.FOREST)
@dataclass(frozen=True, eq=False, repr=False)
class Forest(VotingTrees):
    """A random forest: the class with most votes is predicted, or the mean of the trees' numbers.

    Made by :func:`dtree_lab.random_forest`.

    Attributes
    ----------
    attributes, target
        Those of the table that it was grown on.
    trees
        Ordinary trees, each of which can be drawn, asked and explained.
    plan
        What was asked for: `plan.m`, `plan.seed`, `plan.bootstrap` and the trees' `plan.recipe`.
    out_of_bag
        What the trees said of the training rows that they were not grown on.
    """

    plan: ForestSettings
    out_of_bag: OutOfBag

    @terminal
    def __repr__(self) -> str:
        error = self.oob_error
        said = "" if np.isnan(error) else f", out-of-bag error {error:.3g}"
        return f"Forest({plural(self.n_trees, 'tree')} for {self.target.name!r}{said})"

    @property
    def n_rows(self) -> int:
        """How many rows it was grown on."""
        return len(self.out_of_bag.labels)

    def margins(self, data: Table | None = None) -> Floats:
        """How far each row is from being misclassified.

        Parameters
        ----------
        data
            Rows with labels; without any, the training rows, each judged by the trees that did not
            see it.

        Returns
        -------
        numpy.ndarray
            The share of votes for the true class less the largest share of another one, from -1 to
            1; shape ``(n_rows,)``. NaN for a row that was never out of bag.

        Raises
        ------
        ValueError
            When numbers are predicted, and as :meth:`error` does.

        Notes
        -----
        Breiman (2001), Random forests, Machine Learning 45, section 2.1.
        """
        self._check_votes()
        votes = self.oob_votes if data is None else self.votes(data)
        right = self.out_of_bag.labels if data is None else self._labels(data)
        return margins_of(votes, right)

    def rows_drawn(self, tree: int) -> NDArray[np.int64]:
        """How often each training row was drawn for a tree; 0 for a row that is out of its bag.

        Raises
        ------
        IndexError
            For a tree that the forest does not have.
        """
        if not -self.n_trees <= tree < self.n_trees:
            raise IndexError(f"no tree {tree}: the forest has {self.n_trees} trees, counted from 0")
        times: NDArray[np.int64] = self.plan.times([tree % self.n_trees], self.n_rows)[0]
        return times

    @property
    def oob_votes(self) -> NDArray[np.int64]:
        """How many trees that did not see a training row say each class; ``(n_rows, n_classes)``.

        The copies of a row that weighs more than one are counted together, see `oob_error`.

        Raises
        ------
        ValueError
            When numbers are predicted, which have no votes.
        """
        self._check_votes()
        return self.out_of_bag.votes

    @property
    def oob_predictions(self) -> NDArray[Any]:
        """What the trees that did not see a training row predict for it.

        Codes of classes, -1 for a row that every tree saw; or numbers, NaN for such a row.
        """
        votes = self.out_of_bag.votes
        times = votes.sum(axis=1)
        if self.target.values is None:
            return self.out_of_bag.total / np.where(times, times, np.nan)
        return np.where(times, votes.argmax(axis=1), -1)

    @property
    def oob_errors(self) -> Floats:
        """The out-of-bag error of the first tree, of the first two, and so on; ``(n_trees,)``.

        NaN while no row has been out of bag. Rows that have not been are left out.
        """
        return self.out_of_bag.errors

    @property
    def oob_error(self) -> float:
        """The out-of-bag error of all trees; NaN when no row has been out of bag.

        It estimates the error on new rows as long as the training rows are independent of each
        other (not where one row has a twin in another, as with repeated visits or days in a row),
        it has not itself been used to choose among forests, and no gaps were filled with the help
        of the labels.

        A row that weighs n is n rows, bit for bit, each out of bag by itself, while weights are
        whole numbers and add up to at most four million; else it is one row, out of bag where no
        part of it was drawn. Where a weight says how much a row matters, and not how many there
        were, its copies are twins: hold rows out instead (:func:`dtree_lab.evaluate.holdout`).
        """
        return float(self.oob_errors[-1])

    def to_json(self) -> str:
        """The forest as JSON, which :meth:`from_json` reads back."""
        # What it knows of its training rows is kept, so that it answers all that it did.
        data = {
            "format": FORMAT,
            **columns_data(self.attributes, self.target),
            "plan": self.plan.data(),
            "out_of_bag": self.out_of_bag.data(),
            "trees": [tree_data(tree) for tree in self.trees],
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Forest:
        """The forest of a text from :meth:`to_json`.

        Raises
        ------
        ValueError
            For a text that is no such forest, saying what is wrong with it.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> forest = dt.random_forest(dt.datasets.tax_fraud(), n_trees=3)
        >>> again = Forest.from_json(forest.to_json())
        >>> again.oob_error == forest.oob_error
        True
        """
        return read_saved(text, (FORMAT,), "forest", _load)

    def impurity_importance(self) -> Importance:
        """How much of the decrease in impurity is due to each attribute.

        Returns
        -------
        Importance
            Each attribute's share of the decrease in impurity, counted over rows, of all questions
            of a tree, averaged over the trees that ask anything. It sums up to 1. Rows that lack
            the value asked for rest and count for nothing there.

        Notes
        -----
        Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, section
        5.3.4. It favours attributes with many values, also useless ones: these have more cuts to
        choose from (Strobl et al. 2007, BMC Bioinformatics 8:25). The permutation importance does
        not.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> from dtree_lab.ensemble.random_forest import random_forest
        >>> random_forest(dt.datasets.tax_fraud(), n_trees=25).impurity_importance()
        Taxable Income  0.543
        Marital Status  0.267
        Refund          0.189
        """
        criterion, n = self.plan.recipe.criterion, len(self.attributes)
        each = [impurity_shares(tree.flat, n, criterion) for tree in self.trees]
        shares = [one for one in each if one.any()]
        values = np.mean(shares, axis=0) if shares else np.zeros(n)
        return Importance(tuple(a.name for a in self.attributes), values)

    def permutation_importance(
        self, table: Table, *, seed: int = 0, repeats: int = 1, n_jobs: int | None = None
    ) -> Importance:
        """How much worse the trees get when an attribute's values are shuffled.

        For each tree and attribute, the attribute's values are shuffled among the rows that are
        out of the tree's bag, and these rows are predicted again.

        Parameters
        ----------
        table
            The rows that the forest was grown on.
        seed
            The same seed shuffles in the same way.
        repeats
            How often each is shuffled; what is lost is averaged.
        n_jobs
            How many attributes at once; as in :func:`dtree_lab.random_forest`.

        Returns
        -------
        Importance
            The decrease of the share of correct predictions (of numbers, the increase of the mean
            squared error), its mean over the trees, and the standard error of that mean. The error
            is one over *trees*: it says how far as many other trees, grown on the same rows, may be
            off. It shrinks as trees are added, and knows nothing of other rows.

        Raises
        ------
        TypeError
            For what is no table.
        ValueError
            For another table than the training rows, and for a forest that was grown without
            bootstrap samples, where no row is out of bag.

        Notes
        -----
        Breiman (2001), Random forests, Machine Learning 45, section 10.

        A column that means nothing goes by chance with the labels of the rows at hand, and all
        trees see the same rows. So with many trees it can lie several standard errors above 0
        (Strobl and Zeileis 2008, Danger: high power!). What such columns get is found by drawing
        one by lot some thirty times, and growing a forest with each.

        Attributes that tell the same share what they are worth, so each can seem worth little; and
        a copy that adds nothing gets a share, too. Shuffling one of several related attributes also
        makes rows that cannot occur, of which the trees have learnt nothing.
        """
        bags = Bags.of(self, self.training_rows(table))
        repeats = checked_whole("repeats", repeats, 1)
        before = bags.losses()
        each = [(attribute, seed, repeats) for attribute in range(len(self.attributes))]
        done = parallel_map(_shuffled_losses, each, what="shuffling", n_jobs=n_jobs, common=(bags,))
        worse = np.array(done).reshape(len(each), len(before)) - before
        errors = np.full(len(each), np.nan)
        if len(before) > 1:
            errors = worse.std(axis=1, ddof=1) / np.sqrt(len(before))
        return Importance(tuple(a.name for a in self.attributes), worse.mean(axis=1), errors)

    def proximities(self, table: Table, *, oob: bool = False) -> Floats:
        """How often two rows end in the same leaf: the share of the trees.

        Parameters
        ----------
        table
            Any rows; with `oob`, those that the forest was grown on.
        oob
            Count only the trees that both rows are out of bag for; NaN for two rows without such a
            tree.

        Returns
        -------
        numpy.ndarray
            Shape ``(n_rows, n_rows)``; 1 on the diagonal, or NaN there for a row that has never
            been out of bag.

        Raises
        ------
        ValueError
            When the table lacks an attribute, or is not the training rows but `oob` asks for them.

        Notes
        -----
        Breiman and Cutler (2003), Manual: setting up, using and understanding random forests
        V4.0. Without `oob`, training rows of one class are near to each other also because the
        trees know their labels: fully grown trees part the classes of their own rows.
        """
        rows = self.training_rows(table) if oob else table
        stops = np.concatenate(list(self.stops(rows)), axis=1)
        if not oob:
            return shared(stops, stops) / self.n_trees
        out = self.plan.times(range(self.n_trees), self.n_rows) == 0
        both = out.T.astype(np.float64) @ out
        return shared(stops, stops, ~out) / np.where(both > 0, both, np.nan)

    def training_rows(self, table: Any) -> Table:
        """The table, if it can be the one that the forest was grown on.

        Raises
        ------
        TypeError
            For what is no table.
        ValueError
            For a table with other rows.
        """
        labels = self._labels(table)
        if len(labels) != self.n_rows or not np.array_equal(labels, self.out_of_bag.labels):
            raise ValueError(
                f"this needs the {self.n_rows} rows that the forest was grown on, in their order;"
                f" got {plural(len(labels), 'row')}"
                + (" with other labels" if len(labels) == self.n_rows else "")
            )
        rows: Table = table
        return rows


def _load(data: dict[str, Any]) -> Forest:
    attributes, target = columns_of_data(data)
    trees = trees_of_data(data, "forest", attributes, target)
    # The copies of a row that weighs more than one vote together.
    most = len(trees) * max(data["plan"]["weights"] or (1,))
    bag = out_of_bag_of_data(data["out_of_bag"], target, len(trees), most)
    plan = settings_of_data(data["plan"], attributes, target, bag.labels)
    return Forest(attributes, target, trees, plan, bag)


def margins_of(votes: NDArray[np.int64], labels: Ints) -> Floats:
    """Each row's margin, by its votes for each class; NaN for a row without any."""
    times = votes.sum(axis=1)
    return own_lead(votes, labels) / np.where(times, times, np.nan)
