"""A tree: a leaf, or a branch with a question and a tree for each answer."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base import peers
from dtree_lab.base.checks import is_real
from dtree_lab.base.text import Presentable
from dtree_lab.criteria.classes import CRITERIA, ENTROPY
from dtree_lab.table.encoding import encode, labels_for
from dtree_lab.table.scan import Scan
from dtree_lab.table.table import Attribute, Table, Value
from dtree_lab.table.ticks import averaged, cost_matrix, in_units
from dtree_lab.tree import splits as s
from dtree_lab.tree.arrays import Flat, from_splits
from dtree_lab.tree.counted import rows_stopped
from dtree_lab.tree.exchange import Exchange
from dtree_lab.tree.explanation import Explanation, Step, line_for, way_taken, why_stopped
from dtree_lab.tree.importance import Importance, impurity_shares
from dtree_lab.tree.parts import Stops
from dtree_lab.tree.splits import Split

if TYPE_CHECKING:
    from dtree_lab.tree.leaves import Leaves

# Votes of parts of rows that differ by less are equal.
_DECIMALS = 9
Path: TypeAlias = tuple[int, ...]
Counts: TypeAlias = tuple[int, ...]


def majority(counts: Sequence[int]) -> int:
    """The class that answers: the most frequent, the first of them in a tie."""
    return counts.index(max(counts)) if counts else 0


@dataclass(frozen=True, slots=True)
class Leaf:
    """A node that answers.

    `counts`: training rows of each class; of numbers, all rows. `values`: what
    :class:`~dtree_lab.tree.arrays.Flat` keeps of numbers.
    """

    counts: Counts
    values: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """A node that asks `split` and passes a row to one of `children`."""

    counts: Counts
    split: Split
    children: tuple[Node, ...]
    values: tuple[float, ...] = ()


Node: TypeAlias = Leaf | Branch


def walk(root: Node) -> Iterator[tuple[Path, Node]]:
    """Every node with its path, breadth first; a path is the branch taken at each node above."""
    waiting: deque[tuple[Path, Node]] = deque([((), root)])
    while waiting:
        path, node = waiting.popleft()
        yield path, node
        if isinstance(node, Branch):
            waiting.extend(((*path, i), child) for i, child in enumerate(node.children))


def flatten(root: Node, attributes: tuple[Attribute, ...]) -> Flat:
    """The array form of a tree of nodes."""
    nodes = [node for _, node in walk(root)]
    splits = [node.split if isinstance(node, Branch) else None for node in nodes]
    values = np.array([node.values for node in nodes])
    return from_splits(splits, np.array([node.counts for node in nodes]), attributes, values)


def unflatten(flat: Flat, attributes: tuple[Attribute, ...]) -> Node:
    """The tree of nodes of an array form. Children come later, so it is built from the back."""
    built: dict[int, Node] = {}
    for i in range(flat.n_nodes - 1, -1, -1):
        counts, values = tuple(flat.counts[i].tolist()), tuple(flat.values[i].tolist())
        split = flat.split(i, attributes)
        if split is None:
            built[i] = Leaf(counts, values)
        else:
            first = int(flat.first[i])
            children = tuple(built.pop(first + b) for b in range(split.n_branches))
            built[i] = Branch(counts, split, children, values)
    return built[0]


def own_columns(attributes: Sequence[Attribute], data: Any) -> list[NDArray[Any]]:
    """The data in the attributes' codes, or a stand-in as long where there are no attributes."""
    columns = encode(attributes, data)
    return columns or [np.zeros(1 if isinstance(data, Mapping) else len(data))]


@peers.knows(peers.TREE)
@dataclass(frozen=True, eq=False, repr=False)
class Tree(Exchange, Presentable):
    """A decision tree: predicts, explains itself, and is drawn where it is shown.

    Trees are equal when they ask the same questions of the same rows. Growers such as
    :func:`dtree_lab.id3` make them; nobody needs to call this constructor.

    Attributes
    ----------
    attributes, target
        Those of the table that it was grown on.
    flat
        The nodes as arrays.
    criterion
        What its questions were chosen by, and how mixed its nodes are told to be: ``"entropy"`` or
        ``"gini"``; ``"variance"`` of a regression tree. It says nothing of what the tree answers,
        so trees that differ only in it are equal.
    weight_unit
        How many ticks of the nodes' counts a row of weight 1 is; 1 unless rows weighed fractions.
    """

    attributes: tuple[Attribute, ...]
    target: Attribute
    flat: Flat
    criterion: str = field(default="entropy", kw_only=True)
    weight_unit: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        if self.target.values is None:
            object.__setattr__(self, "criterion", "variance")

    @classmethod
    def of(cls, table: Table, root: Node, criterion: str = "entropy") -> Tree:
        """The tree of some nodes, over a table's attributes.

        Parameters
        ----------
        table
            The attributes and the target are its.
        root
            The node at the top, with all below it.
        criterion
            What tells how mixed nodes are, where the tree is shown.
        """
        flat = flatten(root, table.attributes)
        unit = table.weight_unit
        return cls(table.attributes, table.target, flat, criterion=criterion, weight_unit=unit)

    def with_nodes(self, flat: Flat) -> Tree:
        """A tree of other nodes, and all else as it is here."""
        return Tree(
            self.attributes,
            self.target,
            flat,
            criterion=self.criterion,
            weight_unit=self.weight_unit,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        mine, theirs = ((one.attributes, one.target, one.weight_unit) for one in (self, other))
        return mine == theirs and self.flat == other.flat

    __hash__ = None  # type: ignore[assignment]

    # -- its size --------------------------------------------------------------------------------

    @cached_property
    def root(self) -> Node:
        """The tree as nested leaves and branches."""
        return unflatten(self.flat, self.attributes)

    @property
    def n_nodes(self) -> int:
        """How many nodes, leaves included."""
        return self.flat.n_nodes

    @property
    def n_leaves(self) -> int:
        """How many leaves."""
        return int((self.flat.attr < 0).sum())

    @property
    def depth(self) -> int:
        """The most questions that a row can meet; 0 for a tree that is one leaf."""
        return int(self.flat.depth.max())

    @property
    def classes(self) -> tuple[Value, ...]:
        """The target's classes, in order; none of a regression tree."""
        return self.target.values or ()

    # -- what it says ----------------------------------------------------------------------------

    def apply(self, data: Any) -> NDArray[Any]:
        """The number of the node where each row stops; `data` as in :meth:`predict`.

        Of a row that goes down every branch in parts, it is the question that parts it first.
        """
        return self.flat.apply(own_columns(self.attributes, data), self.attributes)

    def predict(self, data: Any, *, costs: Mapping[tuple[Any, Any], float] | None = None) -> Any:
        """The predicted class or number of a row, or of each row of a table.

        Parameters
        ----------
        data
            A row (a mapping of attribute to value), several rows, a :class:`Table` or a data
            frame. ``None`` is a missing value. A missing value, or one that no training row had
            at a node, stops the row there: it gets the answer of that node's rows, such as their
            majority class or mean. In a tree that ``c45(release=8)`` grew on rows with gaps, a part
            of a row without a value goes down every branch, and the parts vote by their size.
        costs
            What it costs to answer a true class with another, such as ``{("ill", "well"): 50}``;
            other mistakes cost 1. Then a node answers the class of the least expected cost, the
            first in a tie, and not that of most rows.

        Returns
        -------
        Value or numpy.ndarray
            One answer for a row, an array of shape ``(n_rows,)`` otherwise.

        Raises
        ------
        ValueError
            When a row or table lacks an attribute that the tree was grown on, and for costs of what
            is no class.
        TypeError
            When a value is of the wrong sort, such as text for a number.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> tree = dt.id3(dt.datasets.tax_fraud())
        >>> tree.predict({"Refund": "No", "Marital Status": "Single", "Taxable Income": 85})
        'Yes'
        """
        columns = own_columns(self.attributes, data)
        if costs is None and self.target.values is None:
            answers = self._answers(self.flat.apply(columns, self.attributes), columns)
        else:
            answers = self.target.array[self.codes_for(columns, costs)]
        return answers.tolist()[0] if isinstance(data, Mapping) else answers

    @cached_property
    def parts_rows(self) -> bool:
        """Whether a row without what a node asks goes down every branch, in parts."""
        return bool((self.flat.gaps == s.IN_PARTS).any())

    def codes_for(
        self, columns: Sequence[NDArray[Any]], costs: Mapping[tuple[Any, Any], float] | None = None
    ) -> NDArray[np.intp]:
        """The classes that rows are answered, as codes."""
        nodes = self.flat.apply(columns, self.attributes)
        codes: NDArray[np.intp] = self.flat.majority[nodes]
        if self.parts_rows or costs is not None:
            held: NDArray[Any] = self.flat.counts[nodes]
            if self.parts_rows:
                held = self._shares_of(columns).round(_DECIMALS)
            worth = held if costs is None else -(held @ cost_matrix(self.target, costs))
            codes = worth.argmax(axis=1)
        return codes

    def _shares_of(
        self, columns: Sequence[NDArray[Any]], laplace: float = 0
    ) -> NDArray[np.float64]:
        """The shares of the classes where rows stop, of parts by how large they are."""
        stops = Stops.of(self.flat, self.attributes, columns)
        each = self.shares_at(stops.node, laplace=laplace)
        if not self.parts_rows:
            return each
        found = np.zeros((len(columns[0]), each.shape[1]))
        np.add.at(found, stops.row, each * stops.share[:, None])
        return found

    def answers_at(self, nodes: NDArray[Any], data: Any) -> NDArray[Any]:
        """What rows would be answered at other nodes, by number, as :meth:`apply` gives them.

        `data` is as in :meth:`predict`.
        """
        return self._answers(nodes, own_columns(self.attributes, data))

    def _answers(self, node: NDArray[Any], columns: Sequence[NDArray[Any]]) -> NDArray[Any]:
        """What rows that stop at some nodes are answered."""
        if self.target.values is not None:
            classes: NDArray[Any] = self.target.array[self.flat.majority[node]]
            return classes
        answers: NDArray[np.float64] = self.flat.values[node, 0]
        slopes = self.flat.values.shape[1] > len(("answer", "variance"))
        if slopes:
            numbers = [c for a, c in zip(self.attributes, columns, strict=True) if a.values is None]
            for i, x in enumerate(numbers):
                slope, mean = self.flat.values[node, 2 + 2 * i], self.flat.values[node, 3 + 2 * i]
                answers = answers + slope * np.where(np.isnan(x), 0.0, x - mean)
        return answers

    def shares(self, data: Any, *, laplace: float = 0.0) -> NDArray[np.float64]:
        """The share of each class among the training rows where a row stops.

        Parameters
        ----------
        data
            As for :meth:`predict`.
        laplace
            So many rows of each class are added at every node, 1 being Laplace's rule of
            succession: a leaf of two rows is no longer certain.

        Returns
        -------
        numpy.ndarray
            Shape ``(n_rows, n_classes)``, the classes in the order of `classes`; a single row is
            one row.

        Raises
        ------
        ValueError
            For a tree that predicts numbers, a negative `laplace`, and as :meth:`predict` does.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> tree = dt.id3(dt.datasets.tax_fraud(), max_depth=1)
        >>> married = {"Refund": "No", "Marital Status": "Married", "Taxable Income": 90}
        >>> tree.classes, tree.shares(married).tolist()
        (('No', 'Yes'), [[1.0, 0.0]])
        >>> tree.shares(married, laplace=1).round(3).tolist()  # of 4 rows: 5/6 and 1/6
        [[0.833, 0.167]]
        """
        return self._shares_of(own_columns(self.attributes, data), laplace)

    def shares_at(self, nodes: NDArray[Any], *, laplace: float = 0.0) -> NDArray[np.float64]:
        """The shares of the classes at some nodes, by number; as :meth:`shares`."""
        if self.target.values is None:
            msg = f"{self.target.name!r} is continuous: a tree of numbers has no classes to share"
            raise ValueError(msg)
        if not is_real(laplace) or laplace < 0:
            msg = f"laplace={laplace!r} must be a number, at least 0: the rows added to each class"
            raise ValueError(msg)
        counts = self.flat.counts[nodes] + laplace * self.weight_unit
        found: NDArray[np.float64] = counts / counts.sum(axis=1, keepdims=True)
        return found

    def importance(self) -> Importance:
        """How much of the decrease in impurity is due to each attribute; it sums up to 1.

        The impurity is the one that the questions were chosen by. Rows that lack the value asked
        for rest and count for nothing there.

        Notes
        -----
        Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees, section
        5.3.4. It is of the training rows, and favours attributes with many values. A tree that
        answers numbers by vote, or by lines that rows with gaps have no part in, keeps no means:
        where rows rest, it takes the branches' answers for them.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> dt.id3(dt.datasets.word_sense()).importance()
        pos              0.443
        near(river)      0.356
        near(race)       0.202
        near(stockings)  0.000
        """
        criterion = CRITERIA.get(self.criterion, ENTROPY)  # a tree of numbers needs none
        shares = impurity_shares(self.flat, len(self.attributes), criterion)
        return Importance(tuple(attribute.name for attribute in self.attributes), shares)

    def leaves(self, table: Table | None = None) -> Leaves:
        """Where rows stop: what leads there, what is answered, how many rows, which share is wrong.

        Parameters
        ----------
        table
            Rows with labels; without them, the training rows.

        Returns
        -------
        Leaves
            One entry for each leaf, from left to right, and one for each question at which rows
            stop because they lack what it asks. It is a table where it is shown.

        Raises
        ------
        TypeError, ValueError
            For what is no table, or one that does not fit the tree.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> table = dt.datasets.tax_fraud()
        >>> dt.id3(table, max_depth=1).leaves(table)
        Where 10 rows stop
        Cheat  rows  share wrong  where
        No        4          0.5  Marital Status is Single
        No        4            0  Marital Status is Married
        No        2          0.5  Marital Status is Divorced
        """
        from dtree_lab.tree.leaves import leaves_of  # noqa: PLC0415 - it needs this module

        return leaves_of(self, table)

    def explain(self, row: Mapping[str, Any]) -> Explanation:
        """The row's path in words, question by question; raises as :meth:`predict` does.

        Examples
        --------
        >>> import dtree_lab as dt
        >>> tree = dt.id3(dt.datasets.tax_fraud())
        >>> print(tree.explain({"Refund": "No", "Marital Status": "Married", "Taxable Income": 90}))
        Marital Status is Married
        so Cheat = No (4 of 4 training rows here)
        """
        if not isinstance(row, Mapping):
            msg = f"explain takes one row, a mapping of names to values; got a {type(row).__name__}"
            raise TypeError(msg)
        columns = encode(self.attributes, row)
        node, steps, stopped, branch = 0, list[Step](), "", 0
        while (split := self.flat.split(node, self.attributes)) is not None:
            attribute = self.attributes[split.attribute]
            branch = int(split.branch(columns[split.attribute])[0])
            given = row[attribute.name]
            if branch < 0:
                stopped = why_stopped(attribute, given, self._told(node)[0], split.gaps)
                break
            why = way_taken(split, attribute, branch, given)
            steps.append(Step(s.question(split, attribute), given, why))
            node = int(self.flat.first[node]) + branch
        prediction = self.predict(row)
        said = Explanation(tuple(steps), self.target.name, prediction, {}, stopped)
        rows, counted = self._told(node)
        if branch == s.IN_PARTS:
            counted = [float(f"{rows * share:.6g}") for share in self.shares(row)[0].tolist()]
        if self.target.values is None:
            values = self.flat.values[node]
            line = line_for(values.tolist(), self.attributes, row)
            return replace(said, rows=rows, deviation=float(np.sqrt(values[1])), line=line)
        return replace(said, rows=rows, counts=dict(zip(self.classes, counted, strict=True)))

    def _told(self, node: int) -> tuple[float, list[float]]:
        """What the training rows at a node weigh, and those of each class."""
        counts = self.flat.counts[node].tolist()
        rows, *each = (in_units(n, self.weight_unit) for n in (sum(counts), *counts))
        return rows, each

    def error(self, table: Table | Scan) -> float:
        """The share of a table's rows that the tree gets wrong; of numbers, the mean squared error.

        Rows count by their weights; those of a :class:`~dtree_lab.Scan` are counted where they lie.

        Raises
        ------
        ValueError
            When the table lacks an attribute or has another target.
        TypeError
            For what is no table.
        """
        if isinstance(table, Scan):
            stopped = rows_stopped(self.flat, self.attributes, self.target, table, "the table")
            right = stopped[np.arange(self.n_nodes), self.flat.majority]
            return int(stopped.sum() - right.sum()) / int(stopped.sum())
        right = labels_for(self.target, table, "the tree")
        if self.target.values is None:
            return averaged(np.square(self.predict(table) - right), table.weights)
        return averaged(self.codes_for(own_columns(self.attributes, table)) != right, table.weights)
