"""The growers that people call: a recipe, its keywords, and the tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.base.checks import is_whole
from dtree_lab.criteria.classes import Criterion
from dtree_lab.grow.engine.counted import grow_counted
from dtree_lab.grow.engine.grow import grow_tree
from dtree_lab.grow.leaf_values import Answer, answered, check_answer
from dtree_lab.grow.prepare import ready
from dtree_lab.grow.recipe import Kind, Stop
from dtree_lab.grow.steps import narrates
from dtree_lab.grow.textbook import Growth, counts_at, grow_by_recipe
from dtree_lab.table.scan import Scan
from dtree_lab.table.table import Table, missing_of
from dtree_lab.tree import splits as s
from dtree_lab.tree.parts import branch_tables, in_parts
from dtree_lab.tree.questions import by_path
from dtree_lab.tree.tree import Branch, Leaf, Node, Path, Tree, flatten

_PARTS = "parts"
Question: TypeAlias = "str | tuple[str, Any] | tuple[str, Any, int]"


def id3(  # noqa: PLR0913 - the growers' keywords are a contract
    table: Table | Scan,
    *,
    criterion: str | None = None,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_rows: int = 2,
    min_leaf: int = 1,
    min_gain: float = 0.0,
    max_error: float | None = None,
    leaf: Answer = "mean",
) -> Tree:
    """Grow a tree by ID3: ask what gains most, branch on every value, and start over in each.

    A continuous attribute is cut in two at the best midpoint between neighbouring values. The
    first attribute, then the lowest cut, wins a tie. A row without a value of the attribute that
    a node asks rests at that node; the gain of the question is that of the other rows, times their
    share (Quinlan 1993).

    A continuous target makes a regression tree.

    Parameters
    ----------
    table
        Rows with their labels, or a :class:`~dtree_lab.Scan` of them.
    criterion
        ``"entropy"`` or ``"gini"``; ``"variance"`` for a continuous target. Without one, entropy
        (CART: Gini), or variance. How to add one: ``docs/new-criterion.md``.
    max_depth
        The most questions on any path.
    max_leaves
        The most leaves; the split with the largest gain over its rows is made first.
    min_rows
        The fewest rows at which a node is still split.
    min_leaf
        The fewest rows in each branch of a split that is made; a row that is drawn or weighted
        several times counts as often. A question with a smaller branch is not asked, so ID3's
        question by every value may fall away where a cut is still made.
    min_gain
        The least gain, in bits (or Gini, or the variance's unit), of a split that is made. At the
        default, 0, a node that is not pure is split as long as any attribute tells its rows
        apart: XOR needs that.
    max_error
        The training error at which growing stops, best first: the share of rows that may stay
        wrong, or the mean squared error.
    leaf
        What a leaf answers to a continuous target: ``"mean"``; ``"vote"``, its most frequent
        number; or ``"line"``, a linear function of the continuous attributes (a model tree).

    Raises
    ------
    TypeError
        For what is no table.
    ValueError
        For a criterion that does not suit the target, or a keyword out of range.

    Notes
    -----
    Quinlan (1986), Induction of decision trees, Machine Learning 1, 81-106.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> tree = dt.id3(dt.datasets.tax_fraud())
    >>> tree.n_leaves, tree.depth, tree.error(dt.datasets.tax_fraud())
    (6, 3, 0.0)
    """
    stop = Stop(max_depth, max_leaves, min_rows, min_gain, max_error, min_leaf)
    return _grown("id3", table, criterion, stop, leaf)


def c45(  # noqa: PLR0913
    table: Table | Scan,
    *,
    criterion: str | None = None,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_rows: int = 2,
    min_leaf: int = 1,
    min_gain: float = 0.0,
    max_error: float | None = None,
    leaf: Answer = "mean",
    release: int | None = None,
) -> Tree:
    """Grow a tree with C4.5's choices: gain ratio instead of gain.

    Attributes compete by gain divided by the entropy of the branches' sizes, so that many small
    branches are no advantage; only those whose gain is at least the average of the useful ones
    take part. At least two branches must hold two rows. Its pruning is a step of its own,
    :func:`dtree_lab.prune.pessimistic`. Keywords and errors are those of :func:`id3`.

    With ``release=8`` it does all that the program's last release does, and Weka's J48 after it.
    The gain of a cut pays log2 of the cuts to choose from. A side of a cut holds a tenth of the
    mean rows of a class (2 at least, 25 at most). The threshold is a value of the data, which lies
    below. The average gain counts every attribute that can split, but for words with very many
    values (three for ten rows), and 0.001 bits less will do. A question that gains nothing is not
    asked; a subtree that gets no more rows right is a leaf. On a table with gaps a part of a row
    without a value goes down each branch, as large as that branch's share of the rows with one, in
    growing as in predicting. Parts are whole ticks, 16,380 of a row or, where all rows would have
    more than 2**23, fewer; so nothing is lost, and a row that weighs n is n rows.

    Notes
    -----
    Quinlan (1993), C4.5: Programs for Machine Learning, chapter 2; (1996), Improved use of
    continuous attributes in C4.5, Journal of Artificial Intelligence Research 4, 77-90.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> dt.c45(dt.datasets.tax_fraud()).root.split.cuts  # two branches rather than three
    (97.5,)
    >>> dt.c45(dt.datasets.tax_fraud(), release=8).root.split.groups  # corrected, the cut loses
    ((0,), (1,))
    """
    stop = Stop(max_depth, max_leaves, min_rows, min_gain, max_error, min_leaf)
    return _grown("c45", table, criterion, stop, leaf, release=release)


def cart(  # noqa: PLR0913
    table: Table | Scan,
    *,
    criterion: str | None = None,
    max_depth: int | None = None,
    max_leaves: int | None = None,
    min_rows: int = 2,
    min_leaf: int = 1,
    min_gain: float = 0.0,
    max_error: float | None = None,
    leaf: Answer = "mean",
) -> Tree:
    """Grow a tree with CART's choices: two branches everywhere, and the Gini impurity.

    A discrete attribute is split into two groups of values. With two classes the best two groups
    are found; with more, the best along one order for each class. Keywords and errors are those of
    :func:`id3`.

    Notes
    -----
    Breiman, Friedman, Olshen and Stone (1984), Classification and Regression Trees.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> tree = dt.cart(dt.datasets.tax_fraud())
    >>> all(len(node.children) == 2 for node in [tree.root])
    True
    """
    stop = Stop(max_depth, max_leaves, min_rows, min_gain, max_error, min_leaf)
    return _grown("cart", table, criterion, stop, leaf)


def stump(
    table: Table | Scan,
    *,
    criterion: str | None = None,
    min_leaf: int = 1,
    min_gain: float = 0.0,
    leaf: Answer = "mean",
) -> Tree:
    """Grow a stump: the best single question, with two answers.

    Parameters and errors are those of :func:`id3`.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> dt.stump(dt.datasets.tax_fraud()).n_nodes
    3
    """
    return _grown(
        "stump", table, criterion, Stop(max_depth=1, min_leaf=min_leaf, min_gain=min_gain), leaf
    )


def _grown(  # noqa: PLR0913 - what the growers are given
    kind: Kind,
    table: Table | Scan,
    criterion: str | None,
    stop: Stop,
    leaf: Answer,
    *,
    release: int | None = None,
) -> Tree:
    grown_on, asked = ready(kind, table, criterion, stop, release)
    flat = grow_counted(table, asked) if isinstance(table, Scan) else grow_tree(grown_on, asked)
    return answered(table, flat, leaf, asked.criterion.name, unit=grown_on.weight_unit)


def _events(
    kind: Kind,
    table: Table,
    *,
    criterion: str | None = None,
    leaf: Answer = "mean",
    release: int | None = None,
    **limits: Any,
) -> Growth:
    """The growth that a grower's keywords ask for, as the textbook tells it."""
    check_answer(leaf, table)
    if kind == "stump":
        limits["max_depth"] = 1
    return grow_by_recipe(*ready(kind, table, criterion, Stop(**limits), release))


narrates(id3)(partial(_events, "id3"))
narrates(c45)(partial(_events, "c45"))
narrates(cart)(partial(_events, "cart"))
narrates(stump)(partial(_events, "stump"))


def by_hand(table: Table, questions: Mapping[Path, Question]) -> Tree:
    """A tree with the questions that a person gives, filled with the table's rows.

    Parameters
    ----------
    table
        What to fill the tree with.
    questions
        From a path, the branch taken at each node above (``()`` is the root), to a question: an
        attribute's name; a name and a cut; or a name and groups of values. A third part is the
        branch that rows without a value take, or ``"parts"``, for a part of each in every branch;
        they rest at the node without one.

    Raises
    ------
    ValueError
        For a path that no question leads to, a branch that no row takes, and a
        question that its attribute cannot be asked.

    Examples
    --------
    The tree of the lecture:

    >>> import dtree_lab as dt
    >>> tree = dt.by_hand(
    ...     dt.datasets.tax_fraud(),
    ...     {
    ...         (): "Refund",
    ...         (1,): ("Marital Status", [["Married"], ["Single", "Divorced"]]),
    ...         (1, 1): ("Taxable Income", 80),
    ...     },
    ... )
    >>> tree.n_leaves
    4
    """
    counted, asked = ready("cart", table)
    if not isinstance(questions, Mapping):
        raise TypeError(
            "questions must map paths to questions, as in {(): 'Refund'}; got a"
            f" {type(questions).__name__}"
        )
    left = dict(questions)
    if table.has_missing and any(_parted(one)[2] == _PARTS for one in left.values()):
        counted = in_parts(counted)
    root = _by_hand(counted, asked.criterion, (), left)
    if left:
        raise ValueError(f"no question leads to the path {next(iter(left))!r}")
    return answered(table, flatten(root, table.attributes), unit=counted.weight_unit)


def refilled(questions: Sequence[Any], table: Table, criterion: str = "entropy") -> Tree:
    """The tree that asks a table's rows some questions; raises as :func:`by_hand` does."""
    return replace(by_hand(table, by_path(questions)), criterion=criterion)


def _by_hand(table: Table, criterion: Criterion, path: Path, left: dict[Path, Question]) -> Node:
    counts = counts_at(table, criterion)
    if path not in left:
        return Leaf(counts)
    try:
        split = make_split(table, left.pop(path))
    except ValueError as error:
        raise ValueError(f"the question at {path!r}: {error}") from None
    parts = enumerate(branch_tables(split, table))
    children = tuple(_by_hand(part, criterion, (*path, i), left) for i, part in parts)
    return Branch(counts, split, children)


def make_split(table: Table, question: Question) -> s.Split:
    """A person's question as a split that fills each of its branches with rows of the table."""
    name, how, gaps = _parted(question)
    attribute = table.attribute(name)
    split: s.Split
    if attribute.values is None:
        split = s.split_of(table, name, cuts=how)
    elif how is None:
        present = sorted(set(table.columns[table.index(name)].tolist()) - {-1})
        split = s.ByValue(table.index(name), tuple((code,) for code in present))
    else:
        split = s.split_of(table, name, groups=how)
    if gaps is not None:
        split = replace(split, gaps=_checked_gaps(gaps, split))
    _check_filled(table, split)
    return split


def _checked_gaps(gaps: Any, split: s.Split) -> int:
    """The branch of rows without a value."""
    if isinstance(gaps, str) and gaps == _PARTS:
        return s.IN_PARTS
    if not is_whole(gaps) or not 0 <= gaps < split.n_branches:
        msg = f"rows without a value go to a branch from 0 to {split.n_branches - 1}, not {gaps!r}"
        raise ValueError(msg)
    return int(gaps)


def _parted(question: Any) -> tuple[str, Any, Any]:
    match question:
        case str(name):
            return name, None, None
        case (str(name), how):
            return name, how, None
        case (str(name), how, gaps):
            return name, how, gaps
    raise ValueError(
        "a question is an attribute's name, or a name with a cut or groups of values, such as"
        f" ('Taxable Income', 80); got {question!r}"
    )


def _check_filled(table: Table, split: s.Split) -> None:
    attribute = table.attributes[split.attribute]
    rows = s.branch_rows(split, table)
    if len(rows) < 2:  # noqa: PLR2004 - one branch would be no question
        msg = f"all {table.n_rows} rows here have the same {attribute.name!r}, so it parts nothing"
        raise ValueError(msg)
    for branch, part in enumerate(rows):
        if not len(part):
            why = s.reason(split, attribute, branch)
            raise ValueError(f"no row here has {why}; each branch needs at least one row")
    known = split.gaps >= 0
    gaps = 0 if known else np.count_nonzero(missing_of(table.columns[split.attribute]))
    if sum(map(len, rows)) + gaps < table.n_rows:
        raise ValueError(f"the groups of {attribute.name!r} leave out values that rows here have")
