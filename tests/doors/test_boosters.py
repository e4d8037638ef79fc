"""What LightGBM and XGBoost dumped of their trees, read as ours: row for row what they added."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from cases import each
from recordedtables import TABLES

import dtree_lab as dt

RECORDED = Path(__file__).parent / "recorded"


def recorded(library):
    """A model that dumps what the real one did, its table, and what each tree adds to each row."""
    found = json.loads((RECORDED / f"{library}.json").read_text(encoding="utf-8"))
    dump = found["dump"]
    if library == "lightgbm":
        model = SimpleNamespace(dump_model=lambda: dump)
    else:
        names = found["names"]
        model = SimpleNamespace(
            get_dump=lambda **_: dump, feature_names=names, num_features=lambda: len(names)
        )
    pairs = zip(found["answers"], found["which"], strict=True)
    return model, TABLES[found["table"]](), [np.array(a)[list(map(int, w))] for a, w in pairs]


@pytest.mark.filterwarnings("error")
@each("library", ["lightgbm", "xgboost"])
def test_a_tree_adds_what_its_library_said(library):
    model, table, answers = recorded(library)
    for i, added in enumerate(answers):
        tree = dt.Tree.from_model(model, table, member=i)
        assert tree.target == dt.Attribute(f"{table.target.name}: score")
        said = tree.predict(table)
        if library == "xgboost":
            said = said.astype(np.float32)  # as it adds them
        assert said.tolist() == added.tolist()
        assert tree.flat.values[0] == pytest.approx([added.mean(), added.var()])
    estimator = {"lightgbm": "booster_", "xgboost": "get_booster"}[library]
    held = model if library == "lightgbm" else lambda: model
    assert dt.Tree.from_model(SimpleNamespace(**{estimator: held}), table, member=0).n_leaves > 1


def stub(condition):
    leaves = [{"nodeid": 1, "leaf": -1}, {"nodeid": 2, "leaf": 1}]
    root = {"nodeid": 0, "split": "f0", "split_condition": condition, "yes": 1, "no": 2}
    dump = [json.dumps(root | {"children": leaves})]
    return SimpleNamespace(get_dump=lambda **_: dump, feature_names=None, num_features=lambda: 1)


def test_a_cut_of_xgboost_is_of_floats():
    # x < 0.7 of floats of 32 bits: 0.7 itself is not below, and what rounds to it neither.
    table = dt.Table.from_columns({"x": [0.5, 0.69999999, 0.7, 0.8], "y": [1.0, 2, 3, 4]}, "y")
    tree = dt.Tree.from_model(stub(0.699999988), table, member=0)
    floats = np.array(table.column("x"), dtype=np.float32)
    right = np.where(floats < np.float32(0.7), -1.0, 1.0)
    assert tree.predict(table).tolist() == right.tolist() == [-1, 1, 1, 1]


def test_what_is_not_said_is_told():
    model, table, _ = recorded("lightgbm")
    by_category = {
        "split_feature": 0,
        "decision_type": "==",
        "threshold": "1||2",
        "left_child": {"leaf_value": 1},
        "right_child": {"leaf_value": 2},
    }
    light, zero = (
        SimpleNamespace(
            dump_model=lambda root=root: {
                "feature_names": ["x"],
                "tree_info": [{"tree_structure": root}],
            }
        )
        for root in (
            by_category,
            by_category | {"decision_type": "<=", "missing_type": "Zero", "threshold": 1},
        )
    )
    gaps = dt.Table.from_columns({"x": [1, None, 2], "y": [1.0, 2, 3]}, "y", missing="keep")
    for given, rows, member, words in (
        (model, table, None, "the model has 6 trees: say which, as member=0"),
        (light, gaps, 0, r"node at \(\) of LightGBM asks 'x' for categories"),
        (stub([1, 2]), gaps, 0, r"node at \(\) of XGBoost asks 'f0' for categories"),
        (zero, gaps, 0, r"node at \(\) of LightGBM takes 0 for a missing value"),
    ):
        with pytest.raises(ValueError, match=words):
            dt.Tree.from_model(given, rows, member=member)
