"""What users of pandas, of scikit-learn or of an older version type, and what it is called here.

>>> import dtree_lab as dt
>>> dt.id3(dt.datasets.tax_fraud()).predict_proba
Traceback (most recent call last):
    ...
AttributeError: 'Tree' object has no attribute 'predict_proba'; here it is tree.shares(rows)
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeVar

# Names of `dt` that go: where each still is, what to write instead, and the first version without
# it; then the name stands in MODULE (docs/policy.md).
RETIRING: dict[str, tuple[str, str, str]] = {}
MODULE = {
    "DecisionTreeClassifier": "dtree_lab.sklearn.TreeClassifier",
    "DecisionTreeRegressor": "dtree_lab.sklearn.TreeRegressor",
    "RandomForestClassifier": "dtree_lab.sklearn.ForestClassifier, or dt.random_forest(table)",
    "RandomForestRegressor": "dtree_lab.sklearn.ForestRegressor, or dt.random_forest(table)",
    "AdaBoostClassifier": "dt.adaboost(table)",
    "GradientBoostingClassifier": "dt.gradient_boosting(table)",
    "GradientBoostingRegressor": "dt.gradient_boosting(table)",
    "BaggingClassifier": "dt.bagged(dt.cart)(table)",
    "read_csv": 'dt.Table.read_csv(path, target="…")',
    "DataFrame": 'dt.Table.from_columns(columns, target="…")',
    "export_text": "dt.draw.text(tree)",
    "export_graphviz": "dt.draw.dot(tree)",
    "plot_tree": "dt.draw.plot(tree)",
    "train_test_split": "dt.evaluate.holdout(table)",
    "cross_val_score": "dt.evaluate.cross_validate(dt.cart, table)",
    "GridSearchCV": 'dt.evaluate.choose(dt.cart, table, "min_leaf", [1, 5])',
    "accuracy_score": "dt.evaluate.accuracy(tree, table)",
    "confusion_matrix": "dt.evaluate.confusion(tree, table)",
    "roc_curve": "dt.evaluate.roc(tree, table, positive)",
    "calibration_curve": "dt.evaluate.calibration(tree, table, positive)",
    "C45": "dt.c45(table)",
    "J48": "dt.c45(table, release=8), then dt.prune.pessimistic(tree, raising=True, table=table)",
    "ID3": "dt.id3(table)",
    "CART": "dt.cart(table)",
}
_MODEL = {"score": "1 - {}.error(table)", "classes_": "{}.classes"}
TREE = {key: ours.format("tree") for key, ours in _MODEL.items()} | {
    "fit": "dt.id3(table), dt.c45(table) or dt.cart(table)",
    "predict_proba": "tree.shares(rows)",
    "decision_path": "tree.explain(row)",
    "feature_importances_": "tree.importance()",
    "cost_complexity_pruning_path": "dt.prune.cost_complexity_path(tree)",
    "export_text": "dt.draw.text(tree)",
    "plot": "dt.draw.plot(tree)",
    "tree_": "tree.root",
    "get_depth": "tree.depth",
    "max_depth": "tree.depth",
    "get_n_leaves": "tree.n_leaves",
    "node_count": "tree.n_nodes",
}
FOREST = {key: ours.format("forest") for key, ours in _MODEL.items()} | {
    "fit": "dt.random_forest(table)",
    "predict_proba": "forest.shares(rows)",
    "feature_importances_": "forest.impurity_importance()",
    "oob_score_": "1 - forest.oob_error",
    "estimators_": "forest.trees",
}
TABLE = {
    "head": "table.take(range(5))",
    "shape": "table.n_rows and len(table.attributes)",
    "dtypes": "table.attributes",
    "iloc": "table.row(i)",
    "isna": "table.has_missing",
    "describe": "table.report()",
    "info": "table.report()",
}
C = TypeVar("C")


def no_attribute(owner: str, name: str, peers: Mapping[str, str], **where: Any) -> AttributeError:
    """The error of a name that there is not, with ours where a peer has it."""
    ours = f"; here it is {peers[name]}" if name in peers else ""
    return AttributeError(f"{owner} has no attribute {name!r}{ours}", name=name, **where)


def retiring(name: str) -> Any:
    """What a name that goes still stands for, with a warning that says what to write instead."""
    home, ours, version = RETIRING[name]
    text = f"dt.{name} goes with version {version}; write {ours}"
    warnings.warn(text, FutureWarning, stacklevel=3)
    return getattr(import_module(home), name)


def knows(peers: Mapping[str, str]) -> Callable[[type[C]], type[C]]:
    """A decorator from outside the class: what peers call it is told where it is asked for."""

    def absent(self: object, name: str) -> Any:
        raise no_attribute(f"{type(self).__name__!r} object", name, peers, obj=self)

    def wrapped(cls: type[C]) -> type[C]:
        setattr(cls, "__getattr__", absent)  # noqa: B010 - mypy would read it
        return cls

    return wrapped
