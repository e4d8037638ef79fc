"""A tree of ours as a fitted estimator of scikit-learn's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor  # type: ignore[import-untyped]
from sklearn.tree import _tree as built_in

from dtree_lab.criteria.classes import CRITERIA
from dtree_lab.table.encoding import encode
from dtree_lab.tree.splits import Intervals
from dtree_lab.tree.subtrees import check_tree, path_to
from dtree_lab.tree.tree import Tree


def number_columns(tree: Tree, data: Any) -> dict[str, NDArray[np.float64]]:
    """Rows as the columns of numbers that ``tree.to_sklearn()`` was fitted on.

    Numbers and truth values are as they are, NaN where they are missing. An attribute with words is
    a column of 0 and 1 for each of them, ``Refund_Yes``, as ``pandas.get_dummies`` has it.

    Parameters
    ----------
    tree
        The tree that was made an estimator.
    data
        Rows, as :meth:`dtree_lab.Tree.predict` takes them.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> tree = dt.stump(dt.datasets.word_sense())
    >>> list(number_columns(tree, dt.datasets.word_sense()))[:3]
    ['pos_noun', 'pos_verb', 'near(race)_no']
    >>> number_columns(tree, dt.datasets.word_sense())["pos_verb"]
    array([0., 1., 1., 0., 1., 1., 1.])
    """
    check_tree(tree)
    encoded, columns = encode(tree.attributes, data), {}
    for name, (i, code) in _places(tree).items():
        attribute, column = tree.attributes[i], encoded[i]
        if code is not None:
            columns[name] = (column == code).astype(np.float64)
        elif attribute.values is None:
            columns[name] = column
        else:
            columns[name] = np.array([*map(float, attribute.values), np.nan])[column]
    return columns


def _places(tree: Tree) -> dict[str, tuple[int, int | None]]:
    """Of each column the attribute, and the code of the word that it is 1 for."""
    places: dict[str, tuple[int, int | None]] = {}
    for i, attribute in enumerate(tree.attributes):
        if any(isinstance(v, str) for v in attribute.values or ()):
            for code, v in enumerate(attribute.values or ()):
                places[f"{attribute.name}_{v}"] = (i, code)
        else:
            places[attribute.name] = (i, None)
    return places


@dataclass(frozen=True)
class Half:
    """A question as scikit-learn has it: what is at most the threshold goes left."""

    column: int
    threshold: float
    left: int
    right: int


def estimator_of(tree: Tree) -> Any:
    """See :meth:`dtree_lab.Tree.to_sklearn`."""
    flat = tree.flat
    if flat.values.shape[1] > len(("answer", "variance")):
        raise ValueError("the leaves answer with lines, which scikit-learn's do not")
    places = _places(tree)
    columns = {place: i for i, place in enumerate(places.values())}
    halves = {i: _halved(tree, i, columns) for i in np.flatnonzero(flat.attr >= 0).tolist()}
    order = _depth_first(halves)
    place = np.empty(tree.n_nodes, dtype=np.intp)
    place[order] = np.arange(tree.n_nodes)
    rows = flat.counts.sum(axis=1) / tree.weight_unit
    nodes = np.zeros(tree.n_nodes, dtype=built_in.NODE_DTYPE)
    nodes["left_child"] = nodes["right_child"] = built_in.TREE_LEAF
    nodes["feature"] = nodes["threshold"] = built_in.TREE_UNDEFINED
    nodes["weighted_n_node_samples"] = rows[order]
    nodes["n_node_samples"] = np.rint(rows[order])
    nodes["impurity"] = _impurity(tree)[order]
    for i, half in halves.items():
        node = nodes[place[i]]
        node["left_child"], node["right_child"] = place[half.left], place[half.right]
        node["feature"], node["threshold"] = half.column, half.threshold
        side = flat.first[i] + flat.gaps[i] if flat.gaps[i] >= 0 else None
        larger = half.left if rows[half.left] > rows[half.right] else half.right
        node["missing_go_to_left"] = (larger if side is None else side) == half.left
    names = np.array(list(places), dtype=object)
    if tree.target.values is None:
        model, classes, values = DecisionTreeRegressor(), [1], flat.values[:, :1]
    else:
        model = DecisionTreeClassifier(criterion=_criterion(tree))
        # In the tree's order, not sorted: it decides who answers in a tie.
        model.classes_ = tree.target.array.copy()
        model.n_classes_ = np.intp(tree.target.n_values)
        classes, values = [tree.target.n_values], tree.shares_at(np.arange(tree.n_nodes))
    model.n_features_in_ = model.max_features_ = len(names)
    model.n_outputs_ = 1
    model.feature_names_in_ = names
    inner = built_in.Tree(len(names), np.array(classes, dtype=np.intp), 1)
    # Its way back from a pickle is the only door that it has.
    inner.__setstate__(
        {
            "max_depth": tree.depth,
            "node_count": tree.n_nodes,
            "nodes": nodes,
            "values": np.ascontiguousarray(values[order][:, None, :]),
        }
    )
    model.tree_ = inner
    return model


def _depth_first(halves: Mapping[int, Half]) -> list[int]:
    """The nodes in the order of scikit-learn's own trees: each before what is below it."""
    order, waiting = [], [0]
    while waiting:
        i = waiting.pop()
        order.append(i)
        if i in halves:
            waiting += [halves[i].right, halves[i].left]
    return order


def _halved(tree: Tree, i: int, columns: Mapping[tuple[int, int | None], int]) -> Half:
    """A node's question as a threshold."""
    split, first = tree.flat.split(i, tree.attributes), int(tree.flat.first[i])
    a = int(tree.flat.attr[i])
    where = f"the node at {path_to(tree.flat, i)!r}, which asks {tree.attributes[a].name!r},"
    if split is None or split.n_branches != 2:  # noqa: PLR2004
        raise ValueError(
            f"{where} has {tree.flat.width[i]} branches; scikit-learn's trees have two everywhere,"
            " as dt.cart(table) grows them"
        )
    below = (first, first + 1)
    if isinstance(split, Intervals):
        return Half(columns[a, None], _threshold_below(split.cuts[0]), *below)
    values = tree.attributes[a].values or ()
    if (a, None) in columns:
        low, high = ([float(values[code]) for code in group] for group in split.groups)
        if max(low) < min(high):
            return Half(columns[a, None], (max(low) + min(high)) / 2, *below)
        if max(high) < min(low):
            return Half(columns[a, None], (max(high) + min(low)) / 2, *reversed(below))
    else:
        for group, ways in zip(reversed(split.groups), (below, below[::-1]), strict=True):
            if len(group) == 1:
                return Half(columns[a, group[0]], 0.5, *ways)
    groups = " and ".join(repr([values[code] for code in group]) for group in split.groups)
    raise ValueError(f"{where} parts {groups}, which no threshold of one column of numbers does")


def _threshold_below(cut: float) -> float:
    """The float of 32 bits that what lies below a cut is at most, once it is rounded to a float.

    A number at the cut is above it, as here. So is a number just below the cut that is rounded to
    the same float; only a cut in the middle of two floats parts these.
    """
    with np.errstate(over="ignore"):
        near = np.float32(cut)
        above = np.nextafter(near, np.float32(np.inf))
        if float(near) < cut == float(near) / 2 + float(above) / 2:
            return float(near)
        return float(np.nextafter(near, np.float32(-np.inf)))


def _criterion(tree: Tree) -> str:
    return "gini" if tree.criterion == "gini" else "entropy"


def _impurity(tree: Tree) -> NDArray[np.float64]:
    """How mixed each node is, by scikit-learn's measure of the same name."""
    if tree.target.values is None:
        return tree.flat.values[:, 1]
    return CRITERIA[_criterion(tree)].impurity(tree.shares_at(np.arange(tree.n_nodes)))
