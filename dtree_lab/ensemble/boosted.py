"""What boosting makes: trees with weights, and what their votes come to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural
from dtree_lab.base.types import Floats, Ints
from dtree_lab.table.encoding import labels_for
from dtree_lab.table.table import Attribute, Table, Value
from dtree_lab.table.ticks import averaged
from dtree_lab.tree.arrays import Flat
from dtree_lab.tree.saved import (
    columns_data,
    columns_of_data,
    is_finite,
    is_whole_within,
    need,
    read_saved,
    tree_data,
    trees_of_data,
)
from dtree_lab.tree.splits import question
from dtree_lab.tree.tree import Tree, own_columns

FORMAT = "dtree_lab.ensemble.boosted/1"
_WHAT = "vote of boosted trees"
# Sums of votes that differ by less are a tie: what is equal on paper may differ by a rounding.
_TIE = 2.0**-30
_STUMP = 3  # nodes


def predicted_codes(
    flat: Flat, attributes: Sequence[Attribute], columns: Sequence[NDArray[Any]]
) -> NDArray[np.intp]:
    """A tree's answer to each row of some columns, as codes of classes; ``(n_rows,)``."""
    split = flat.split(0, attributes)
    if split is None or flat.n_nodes != _STUMP:
        node = flat.apply(columns, attributes)
    else:  # children are the nodes 1 and 2; a row without a branch, -1, stays at the root
        node = split.branch(columns[split.attribute]) + 1
    answers: NDArray[np.intp] = flat.majority[node]
    return answers


def highest_class(scores: NDArray[np.float64]) -> NDArray[np.intp]:
    """The class with the highest score, the first of them in a tie; shape ``(n_rows,)``."""
    best: NDArray[np.intp] = np.rint(scores / _TIE).argmax(axis=1)
    return best


def own_lead(shares: Floats | Ints, labels: Ints) -> Floats:
    """How far each row's own class is before the best of the others, by what each class has."""
    own = np.arange(shares.shape[1]) == labels[:, None]
    margins: Floats = np.where(own, shares, 0).sum(axis=1) - np.where(own, 0, shares).max(axis=1)
    return margins


# How many stumps are listed where the vote is shown as text.
_LISTED = 10


def first_questions(begun: str, trees: Sequence[Tree], before: Sequence[str]) -> str:
    """What the first few trees ask at their roots, as lines, each after what stands before it."""
    lines = [begun]
    for tree, place in zip(trees[:_LISTED], before, strict=False):
        split = tree.flat.split(0, tree.attributes)
        asks = question(split, tree.attributes[split.attribute]) if split else "no question"
        lines.append(f"{place}  {asks}")
    if len(trees) > _LISTED:
        lines.append(f"{'…':>8}  {len(trees) - _LISTED:,} more")
    return "\n".join(lines)


@dataclass(frozen=True, repr=False)
class Boosted:
    """Stumps, or small trees, each with a weight; the class with the most weight is predicted.

    Made by :func:`dtree_lab.adaboost`. The first class wins a tie.

    Attributes
    ----------
    attributes, target
        Those of the table that it was boosted on.
    n_classes
        How many of the target's classes had training rows.
    stumps
        Ordinary trees, in the order of the rounds; each can be drawn, asked and explained. Their
        counts are not rows but the rows' weights when the stump was grown, in millionths of all
        weight: a leaf answers with the class that has most *weight* there, and rows would often
        say otherwise.
    weights
        The weight of each stump's vote: AdaBoost's alpha.
    errors
        The weight of the rows that each got wrong, when all rows together weighed 1.
    """

    attributes: tuple[Attribute, ...]
    target: Attribute
    n_classes: int
    stumps: tuple[Tree, ...]
    weights: tuple[float, ...]
    errors: tuple[float, ...]

    @terminal
    def __repr__(self) -> str:
        begun = f"{plural(self.n_stumps, 'stump')} for {self.target.name}, by weight of the vote:"
        return first_questions(begun, self.stumps, [f"{weight:8.3f}" for weight in self.weights])

    @property
    def n_stumps(self) -> int:
        """How many trees vote."""
        return len(self.stumps)

    @property
    def classes(self) -> tuple[Value, ...]:
        """The target's classes, in order."""
        return self.target.values or ()

    @property
    def training_bound(self) -> float:
        r"""What the training error cannot be above, for two classes.

        .. math:: \prod_t 2 \sqrt{\varepsilon_t (1 - \varepsilon_t)}

        falls at least as fast as :math:`\exp(-2 \sum_t (1/2 - \varepsilon_t)^2)`, so stumps that
        are each a little better than chance together make no mistake in the end. With a learning
        rate the factors are
        :math:`(1 - \varepsilon) e^{-\alpha/2} + \varepsilon e^{\alpha/2}`, which are these at 1.
        Rows that began with weights of their own count by those.

        Raises
        ------
        ValueError
            For more than two classes.

        Notes
        -----
        Freund and Schapire (1997), A decision-theoretic generalization of on-line learning and an
        application to boosting, Journal of Computer and System Sciences 55, theorem 6.
        """
        if self.n_classes > 2:  # noqa: PLR2004
            raise ValueError(f"the bound is one for two classes; these rows had {self.n_classes}")
        bound = 1.0
        for e, alpha in zip(self.errors, self.weights, strict=True):
            bound *= (1 - e) * exp(-alpha / 2) + e * exp(alpha / 2) if e else 0.0
        return min(bound, 1.0)

    def after(self, n_stumps: int) -> Boosted:
        """The vote of the first `n_stumps`, as it was after so many rounds.

        Raises
        ------
        ValueError
            For a number that is not from 1 to the number of stumps.
        """
        n = checked_whole("n_stumps", n_stumps, 1, self.n_stumps)
        stumps, weights, errors = self.stumps[:n], self.weights[:n], self.errors[:n]
        return replace(self, stumps=stumps, weights=weights, errors=errors)

    def to_json(self) -> str:
        """The boosted trees as JSON, which :meth:`from_json` reads back."""
        data = {
            "format": FORMAT,
            **columns_data(self.attributes, self.target),
            "n_classes": self.n_classes,
            "weights": list(self.weights),
            "errors": list(self.errors),
            "trees": [tree_data(tree) for tree in self.stumps],
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Boosted:
        """The boosted trees of a text from :meth:`to_json`.

        Raises
        ------
        ValueError
            For a text that is no such vote, saying what is wrong with it.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> boosted = dt.adaboost(dt.datasets.tax_fraud(), n_stumps=3)
        >>> again = Boosted.from_json(boosted.to_json())
        >>> again == boosted
        True
        """
        return read_saved(text, (FORMAT,), _WHAT, _load)

    def votes(self, columns: Sequence[NDArray[Any]]) -> NDArray[np.intp]:
        """Each stump's answer to each row, as codes of classes; shape ``(n_stumps, n_rows)``.

        `columns` are arrays of codes and floats, one for each attribute, as a table holds them.
        """
        each = [predicted_codes(tree.flat, tree.attributes, columns) for tree in self.stumps]
        return np.stack(each)

    def summed(self, columns: Sequence[NDArray[Any]]) -> Floats:
        """The weight of the votes for each class, ``(n_rows, n_classes)``; as :meth:`votes`."""
        *_, scores = self.staged(columns)
        return scores

    def staged(self, columns: Sequence[NDArray[Any]]) -> Iterator[Floats]:
        """What :meth:`summed` gives after one round, after two, and so on, in one array."""
        n_rows = len(columns[0])
        scores, rows = np.zeros((n_rows, len(self.classes))), np.arange(n_rows)
        for tree, weight in zip(self.stumps, self.weights, strict=True):
            scores[rows, predicted_codes(tree.flat, tree.attributes, columns)] += weight
            yield scores

    def scores(self, data: Any) -> Floats:
        """The weight of the votes for each class; shape ``(n_rows, n_classes)``.

        `data` and errors are those of :meth:`predict`.
        """
        return self.summed(own_columns(self.attributes, data))

    def predict(self, data: Any) -> Any:
        """The predicted class of a row, or of each row of a table.

        Takes, returns and raises what :meth:`dtree_lab.Tree.predict` does.
        """
        codes = highest_class(self.scores(data))
        if isinstance(data, Mapping):
            return self.classes[codes[0]]
        return self.target.array[codes]

    def error(self, table: Table) -> float:
        """The share of a table's rows that the vote gets wrong; raises as a tree's error does."""
        return float(self.staged_error(table)[-1])

    def staged_error(self, table: Table) -> Floats:
        """The error of the first stump, of the first two, and so on; shape ``(n_stumps,)``.

        Raises
        ------
        ValueError
            When the table lacks an attribute or has another target.
        TypeError
            For what is no table.
        """
        right = self._right(table)
        staged = self.staged(own_columns(self.attributes, table))
        return np.array([averaged(highest_class(s) != right, table.weights) for s in staged])

    def margins(self, table: Table) -> Floats:
        """How clearly each row is decided, shape ``(n_rows,)``: from -1, all wrong, to 1.

        The share of the votes' weight for the row's own class, less the largest share of another.
        A row with a positive margin is predicted rightly. Boosting goes on raising the smallest
        margins when no training row is wrong any more. Raises as :meth:`staged_error` does.

        Notes
        -----
        Schapire, Freund, Bartlett and Lee (1998), Boosting the margin: a new explanation for the
        effectiveness of voting methods, Annals of Statistics 26, 1651-1686.
        """
        right = self._right(table)
        return own_lead(self.scores(table) / sum(self.weights), right)

    def _right(self, table: Table) -> NDArray[Any]:
        """The class of each row; -1 for one that the target of the training table lacks."""
        return labels_for(self.target, table, "the committee of stumps")


def _load(data: dict[str, Any]) -> Boosted:
    attributes, target = columns_of_data(data)
    trees = trees_of_data(data, _WHAT, attributes, target)
    n_classes, weights, errors = data["n_classes"], data["weights"], data["errors"]
    need(target.values is not None, _WHAT, "target", "discrete")
    most = f"a whole number from 1 to {target.n_values}"
    need(is_whole_within(n_classes, 1, target.n_values), _WHAT, "n_classes", most)
    each = f"{len(trees)} numbers, one for each tree, none below 0"
    for name, numbers in (("weights", weights), ("errors", errors)):
        fits = isinstance(numbers, list) and len(numbers) == len(trees)
        need(fits and all(map(is_finite, numbers)) and min(numbers) >= 0, _WHAT, name, each)
    return Boosted(
        attributes, target, n_classes, trees, tuple(map(float, weights)), tuple(map(float, errors))
    )
