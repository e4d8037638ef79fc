"""What takes a tree of ours through ``to_sklearn``: run by hand, with what of it is installed.

    python tools/peers/takers.py     shap, skl2onnx with onnxruntime, and treelite

Each is held to what our tree itself answers of the penguins' species and of their mass.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import dtree_lab as dt
from dtree_lab.sklearn import number_columns


def by_shap(model: Any, x: Any) -> Any:
    """What each column adds, summed up: what the estimator itself says."""
    explainer = import_module("shap").TreeExplainer(model)
    total = np.asarray(explainer.shap_values(x)).sum(axis=1) + explainer.expected_value
    return model.classes_[total.argmax(axis=1)] if hasattr(model, "classes_") else total


def by_onnx(model: Any, x: Any) -> Any:
    """The tree as an ONNX graph, run."""
    rows = x.astype(np.float32)
    graph = import_module("skl2onnx").to_onnx(model, rows[:1])
    runs = import_module("onnxruntime").InferenceSession(graph.SerializeToString())
    return np.ravel(runs.run(None, {runs.get_inputs()[0].name: rows})[0])


def by_treelite(model: Any, x: Any) -> Any:
    """It takes forests, so that the tree is one of one."""
    classes = getattr(model, "classes_", None)
    forest = (RandomForestRegressor if classes is None else RandomForestClassifier)(n_estimators=1)
    forest.estimators_, forest.n_outputs_ = [model], 1
    forest.n_features_in_ = model.n_features_in_
    if classes is not None:
        forest.classes_, forest.n_classes_ = classes, model.n_classes_
    treelite = import_module("treelite")
    taken = treelite.sklearn.import_model(forest)
    said = np.asarray(treelite.gtil.predict(taken, x.astype(np.float32))).reshape(len(x), -1)
    return said[:, 0] if classes is None else classes[said.argmax(axis=1)]


TAKERS: dict[str, Callable[[Any, Any], Any]] = {
    "shap": by_shap,
    "skl2onnx": by_onnx,
    "treelite": by_treelite,
}


def main() -> int:
    """Say of each what it answers as our trees do; 1 if something differs."""
    birds = dt.datasets.penguins(missing="drop")
    columns = {name: birds.column(name) for name in (*birds.names, birds.target.name)}
    heavy = dt.Table.from_columns(columns, target="body_mass_g")
    wrong = 0
    for table in (birds, heavy):
        tree = dt.cart(table, max_depth=6)
        model, answers = tree.to_sklearn(), tree.predict(table)
        # Without names, which an array does not have.
        del model.feature_names_in_
        x = np.column_stack(list(number_columns(tree, table).values()))
        for name, take in TAKERS.items():
            try:
                said = take(model, x)
            except ImportError as error:
                print(f"{name:9} {table.target.name}: not installed ({error.name})")
                continue
            if tree.classes:
                differ = int(np.count_nonzero(said != answers))
            else:  # they calculate with 32 bits
                differ = int(np.count_nonzero(~np.isclose(said, answers, rtol=1e-6)))
            wrong += differ
            print(f"{name:9} {table.target.name}: {differ} of {table.n_rows} rows differ")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
