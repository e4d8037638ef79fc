"""Our trees as estimators of scikit-learn, and back: row for row what they said before."""

from __future__ import annotations

import copy

import matplotlib as mpl
import numpy as np
import pytest
from cases import each
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, export_graphviz, export_text, plot_tree

import dtree_lab as dt
from dtree_lab.sklearn import number_columns


def drawn(seed):
    """Rows with numbers, often equal, words, and truth values; with classes and with numbers."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(15, 150))
    columns = {
        "tenths": rng.integers(-9, 10, n) / 10,
        "near": 3 + rng.integers(0, 6, n) * 2.0**-22,  # floats of 32 bits beside each other
        "long": rng.normal(size=n),
        "colour": rng.choice(["red", "green", "blue"][: int(rng.integers(1, 4))], n).tolist(),
        "new": (rng.random(n) < 0.4).tolist(),
    }
    weights = {"w": rng.integers(1, 9, n) / 4} if seed % 3 == 0 else {}
    classes = {"y": rng.choice(["no", "yes", "a bit"], n).tolist()}
    numbers = {"y": rng.normal(size=n)}
    keep = {"target": "y", "weights": "w" if weights else None}
    return (
        dt.Table.from_columns({**columns, **weights, **classes}, **keep),
        dt.Table.from_columns({**columns, **weights, **numbers}, **keep),
    )


def matrix(tree, rows):
    return np.column_stack(list(number_columns(tree, rows).values()))


def at_cuts(tree, table):
    """The table's rows, with numbers at the cuts of the tree; of cuts in one float at the last."""
    rows = list(table.rows())
    cuts = list({np.float32(c): c for c in sorted(tree.flat.cuts.tolist()) if abs(c) < 1}.values())
    for i, row in enumerate(rows):
        if cuts:
            row["tenths"] = cuts[i % len(cuts)]
    return rows


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@each("seed", range(20))
def test_a_tree_and_its_estimator_answer_alike(seed):
    for table in drawn(seed):
        depth = int(np.random.default_rng(seed).integers(1, 9))
        criterion = "entropy" if seed % 2 and table.target.values else None
        tree = dt.cart(table, max_depth=depth, criterion=criterion)
        model = tree.to_sklearn()
        for rows in (table, at_cuts(tree, table)):
            # A word that a node does not know cannot rest in scikit-learn's tree.
            known = tree.flat.attr[tree.apply(rows)] < 0
            assert known.all() or rows is not table
            assert np.array_equal(
                model.predict(matrix(tree, rows))[known], tree.predict(rows)[known]
            )
        assert model.get_n_leaves() == tree.n_leaves
        assert model.get_depth() == tree.depth
        stops = model.apply(matrix(tree, table))
        assert len(set(zip(stops.tolist(), tree.apply(table).tolist(), strict=True))) == len(
            set(stops.tolist())
        )
        again = dt.Tree.from_model(model, table)
        assert again.predict(table).tolist() == tree.predict(table).tolist()
        assert again.n_nodes == tree.n_nodes
        copied = copy.deepcopy(model)  # as a pickle goes
        assert copied.apply(matrix(tree, table)).tolist() == stops.tolist()


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@each("seed", range(6))
def test_it_is_what_scikit_learn_would_have_fitted(seed):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 50, (60, 3)) * 1.0
    y = (x[:, 0] * 3 + x[:, 1] > 90).astype(int) + (x[:, 2] > 25)
    weights = rng.integers(1, 5, 60)
    columns = {f"x{i}": x[:, i] for i in range(3)} | {"y": y.tolist(), "w": weights}
    table = dt.Table.from_columns(columns, target="y", target_kind="discrete", weights="w")
    theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(x, y, sample_weight=weights)
    ours = dt.Tree.from_model(theirs, table).to_sklearn()
    assert clone(ours).get_params()["criterion"] == "gini"
    for name in ("feature", "children_left", "children_right", "weighted_n_node_samples"):
        mine, its = getattr(ours.tree_, name), getattr(theirs.tree_, name)
        assert mine.tolist() == its.tolist(), name
    assert np.allclose(ours.tree_.impurity, theirs.tree_.impurity, atol=1e-12)
    assert np.allclose(ours.predict_proba(x), theirs.predict_proba(x), atol=1e-12)
    assert np.allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


def test_it_is_drawn_and_told():
    mpl.use("agg")
    tree = dt.cart(dt.datasets.tax_fraud(), criterion="entropy")
    model = tree.to_sklearn()
    names = list(model.feature_names_in_)
    text = export_text(model, feature_names=names)
    assert text.splitlines()[0] == "|--- Marital Status_Married <= 0.50"
    assert text.count("class: ") == tree.n_leaves
    boxes = plot_tree(model, feature_names=names, class_names=["No", "Yes"])
    assert len([box for box in boxes if "samples = " in box.get_text()]) == tree.n_nodes
    assert "samples = 10\n" in boxes[0].get_text()
    assert "value = [7, 3]" in boxes[0].get_text()
    assert "Marital Status_Married" in export_graphviz(model, feature_names=names)


def test_what_scikit_learn_cannot_have_is_told():
    table = dt.datasets.tax_fraud()
    months = [*"abcdabcd"]
    several = dt.Table.from_columns({"m": months, "y": [*"nnyynnyy"]}, target="y")
    numbers = {"x": list(range(20)), "y": [2.0 * i if i < 10 else -1.0 * i for i in range(20)]}
    lines = dt.cart(dt.Table.from_columns(numbers, target="y"), leaf="line", max_depth=1)
    for tree, words in (
        (dt.id3(table, criterion="gini"), r"node at \(.*\), which asks 'Marital.*has 3 branches"),
        (dt.cart(several), r"node at \(\), which asks 'm', parts \['a', 'b'\] and \['c', 'd'\]"),
        (lines, "answer with lines"),
    ):
        with pytest.raises(ValueError, match=words):
            tree.to_sklearn()


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_a_row_without_a_number_goes_with_most():
    table = dt.Table.from_columns({"x": [1, 2, 3, 8], "y": [*"aaab"]}, target="y")
    model = dt.cart(table).to_sklearn()
    assert model.predict([[np.nan], [9.0]]).tolist() == ["a", "b"]
