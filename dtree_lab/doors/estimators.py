"""The trees of scikit-learn, read without it: what they are is told by their attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from dtree_lab.doors.modelnodes import (
    ModelNode,
    ModelTree,
    above_in_floats,
    attributes_in_order,
    gaps_branch,
    question_below,
)
from dtree_lab.table.reading import python_value
from dtree_lab.table.table import Table, Value


def is_estimator(model: Any) -> bool:
    """Whether this is a fitted tree of scikit-learn."""
    return hasattr(getattr(model, "tree_", None), "children_left")


def tree_of_estimator(
    model: Any, table: Table, names: Any = None, classes: Any = None
) -> ModelTree:
    """The tree of a fitted estimator; `names` and `classes` are what its forest knows of them."""
    inner, kind = model.tree_, type(model).__name__
    if inner.value.shape[1] != 1:
        msg = f"the {kind} answers {inner.value.shape[1]} targets at once; a tree here has one"
        raise ValueError(msg)
    classes = getattr(model, "classes_", None) if classes is None else classes
    known = None if classes is None else _classes(classes, table)
    names = getattr(model, "feature_names_in_", names)
    columns = attributes_in_order(
        table, None if names is None else list(names), model.n_features_in_
    )
    # Children may have lower numbers than their parents, as where the tree grew best first.
    built: dict[int, ModelNode] = {}
    waiting = [0]
    while waiting:
        i = waiting[-1]
        children = [int(inner.children_left[i]), int(inner.children_right[i])]
        leaf = children[0] < 0
        missing = [] if leaf else [child for child in children if child not in built]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        values, column = inner.value[i, 0], columns[max(inner.feature[i], 0)]
        built[i] = ModelNode(
            answer=float(values[0]) if known is None else known[int(values.argmax())],
            question=None
            if leaf
            else question_below(column, above_in_floats(float(inner.threshold[i]))),
            children=() if leaf else (built.pop(children[0]), built.pop(children[1])),
            gaps=-1 if leaf else gaps_branch(column, left=inner.missing_go_to_left[i]),
            n_rows=float(inner.n_node_samples[i]),
        )
    criterion = "gini" if model.criterion == "gini" else "entropy"
    return ModelTree(built[0], kind, criterion, known)


def _classes(given: Any, table: Table) -> tuple[Value, ...]:
    """A model's classes as the table has them; a forest's tree has only their numbers."""
    classes: list[Value] = [python_value(c) for c in given]
    there = table.target.values or ()
    numbered = np.asarray(given).dtype.kind == "f" and classes == list(range(len(classes)))
    if numbered and len(there) == len(classes) and set(there) != set(classes):
        return tuple(sorted(there))
    return tuple(classes)
