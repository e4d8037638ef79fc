"""The trees of scikit-learn, LightGBM and XGBoost, none of which is imported.

What a tree of scikit-learn is, its attributes tell; boosters dump theirs.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from dtree_lab.base.text import plural
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


def tree_of_booster(model: Any, table: Table, member: int | None) -> ModelTree | None:
    """One tree of a booster, or of an estimator's, which adds to a score; None of other models."""
    sklearns = hasattr(model, "get_booster")
    booster = model.get_booster() if sklearns else getattr(model, "booster_", model)
    if hasattr(booster, "get_dump"):  # XGBoost's dump_model writes a file
        texts = booster.get_dump(dump_format="json", with_stats=False)
        tree = json.loads(texts[checked_member(len(texts), member)])
        names = booster.feature_names
        reader = _XGBoost(table, names, int(booster.num_features()))
        return ModelTree(reader.node(tree, ()), "tree of XGBoost", adds=True)
    if not hasattr(booster, "dump_model"):
        return None
    dumped = booster.dump_model()
    trees, names = dumped["tree_info"], dumped["feature_names"]
    tree = trees[checked_member(len(trees), member)]["tree_structure"]
    unnamed = names == [f"Column_{i}" for i in range(len(names))]
    light = _LightGBM(table, None if unnamed else names, len(names))
    return ModelTree(light.node(tree, ()), "tree of LightGBM", adds=True)


def checked_member(n_trees: int, member: int | None) -> int:
    """Which of several trees is meant."""
    if isinstance(member, bool) or not isinstance(member, int) or not 0 <= member < n_trees:
        raise ValueError(
            f"the model has {plural(n_trees, 'tree')}: say which, as member=0 to"
            f" member={n_trees - 1}; got {member!r}"
        )
    return member


class _XGBoost:
    """Reads nodes that ask ``x < t`` of floats of 32 bits."""

    def __init__(self, table: Table, names: Any, width: int) -> None:
        self.columns = attributes_in_order(table, names, width)
        self.places = {name: i for i, name in enumerate(names or ())}

    def node(self, dumped: Any, path: tuple[int, ...]) -> ModelNode:
        if "leaf" in dumped:
            return ModelNode(float(np.float32(dumped["leaf"])))
        cut = dumped.get("split_condition")
        if type(cut) not in (int, float):  # a list of categories, or an indicator
            raise ValueError(_not_a_threshold(path, "XGBoost", dumped["split"]))
        name = dumped["split"]
        place = self.places[name] if name in self.places else int(name.removeprefix("f"))
        below = np.nextafter(np.float32(cut), np.float32(-np.inf))
        ways = {child["nodeid"]: child for child in dumped["children"]}
        children = tuple(
            self.node(ways[dumped[way]], (*path, branch))
            for branch, way in enumerate(("yes", "no"))
        )
        question = question_below(self.columns[place], above_in_floats(float(below)))
        gaps = gaps_branch(self.columns[place], left=dumped.get("missing") == dumped["yes"])
        return ModelNode(None, question, children, gaps)


class _LightGBM:
    """Reads nodes that ask ``x <= t`` of doubles."""

    def __init__(self, table: Table, names: Any, width: int) -> None:
        self.names = names
        self.columns = attributes_in_order(table, names, width)

    def node(self, dumped: Any, path: tuple[int, ...]) -> ModelNode:
        if "leaf_value" in dumped:
            return ModelNode(float(dumped["leaf_value"]), n_rows=dumped.get("leaf_count"))
        place = dumped["split_feature"]
        if dumped["decision_type"] != "<=":
            raise ValueError(_not_a_threshold(path, "LightGBM", self.columns[place][0].name))
        cut = math.nextafter(float(dumped["threshold"]), math.inf)
        if dumped["missing_type"] == "Zero":
            msg = f"the node at {path!r} of LightGBM takes 0 for a missing value; ours cannot"
            raise ValueError(msg)
        # Unless there were gaps when it was fitted, one counts as 0.
        left = dumped["default_left"] if dumped["missing_type"] == "NaN" else cut > 0
        children = (
            self.node(dumped["left_child"], (*path, 0)),
            self.node(dumped["right_child"], (*path, 1)),
        )
        return ModelNode(
            None,
            question_below(self.columns[place], cut),
            children,
            gaps_branch(self.columns[place], left=left),
            n_rows=dumped["internal_count"],
        )


def _not_a_threshold(path: tuple[int, ...], library: str, name: str) -> str:
    return (
        f"the node at {path!r} of {library} asks {name!r} for categories by their numbers, which"
        " are not said; give it columns of 0 and 1"
    )
