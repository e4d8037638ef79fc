"""Trees of scikit-learn as ours: row for row what the model says, its cuts met exactly."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from cases import each
from effort import some
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
)
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    ExtraTreeRegressor,
)

import dtree_lab as dt
from dtree_lab.doors.modelnodes import above_in_floats


def drawn(seed):
    """Numbers of one of four sorts, and a table of them with classes and one with numbers."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 200)), int(rng.integers(1, 6))
    x = [
        rng.normal(size=(n, d)),
        rng.integers(0, 6, (n, d)) / 10,
        rng.integers(0, 4, (n, d)) * 1.0,
        1 + rng.integers(0, 9, (n, d)) * 3e-8,  # nearer to each other than floats are
    ][seed % 4]
    columns = {f"x{i}": x[:, i] for i in range(d)}
    classes = rng.choice(list("cab"), n).tolist()
    numbers = rng.normal(size=n)
    return (
        x,
        dt.Table.from_columns({**columns, "y": classes}, target="y"),
        dt.Table.from_columns({**columns, "y": numbers}, target="y"),
    )


def near_cuts(model, x, seed):
    """Rows with numbers at a model's cuts, and a little off them."""
    rng = np.random.default_rng(seed)
    cuts = model.tree_.threshold[model.tree_.feature >= 0]
    rows = np.repeat(x, 4, axis=0)
    if len(cuts):
        off = rng.integers(-2, 3, rows.shape) * rng.choice([2e-16, 1e-9, 3e-8, 6e-8], rows.shape)
        chosen = rng.random(rows.shape) < 0.5
        rows[chosen] = (rng.choice(cuts, rows.shape) * (1 + off))[chosen]
    return rows


def as_rows(x):
    return [{f"x{i}": v for i, v in enumerate(row)} for row in x.tolist()]


@pytest.mark.filterwarnings("error")
@each("seed", some(range(20), every=4))
def test_a_model_and_its_tree_answer_alike(seed):
    x, classes, numbers = drawn(seed)
    depth = int(np.random.default_rng(seed).integers(1, 8))
    for table, makes in (
        (classes, (DecisionTreeClassifier, ExtraTreeClassifier)),
        (numbers, (DecisionTreeRegressor, ExtraTreeRegressor)),
    ):
        for make in makes:
            model = make(max_depth=depth, random_state=seed).fit(x, table.column("y"))
            tree = dt.Tree.from_model(model, table)
            assert tree.n_leaves == model.get_n_leaves()
            assert tree.predict(table).tolist() == model.predict(x).tolist()
            probes = near_cuts(model, x, seed)
            assert tree.predict(as_rows(probes)).tolist() == model.predict(probes).tolist()
            plain = dt.Tree.from_model(model, table, cuts="middle")
            assert np.array_equal(plain.apply(table), tree.apply(table))


@pytest.mark.filterwarnings("error")
@each("seed", range(8))
def test_one_of_many_trees_answers_alike(seed):
    x, classes, numbers = drawn(seed)
    y = np.array(classes.column("y"))
    forest = RandomForestClassifier(3, random_state=seed).fit(x, y)
    for i, one in enumerate(forest.estimators_):
        tree = dt.Tree.from_model(forest, classes, member=i)
        said = forest.classes_[one.predict(x).astype(int)]
        assert tree.predict(classes).tolist() == said.tolist()
    bags = BaggingClassifier(n_estimators=2, max_samples=0.5, random_state=seed).fit(x, y)
    said = bags.classes_[bags.estimators_[1].predict(x).astype(int)]
    tree = dt.Tree.from_model(bags, classes, member=1)
    assert tree.predict(classes).tolist() == said.tolist()
    trees = ExtraTreesRegressor(2, random_state=seed).fit(x, numbers.labels)
    tree = dt.Tree.from_model(trees.estimators_[1], numbers)
    assert tree.predict(numbers).tolist() == trees.estimators_[1].predict(x).tolist()
    boosts = GradientBoostingRegressor(n_estimators=2, random_state=seed).fit(x, numbers.labels)
    tree = dt.Tree.from_model(boosts, numbers, member=1)
    assert tree.predict(numbers).tolist() == boosts.estimators_[1, 0].predict(x).tolist()


@pytest.mark.filterwarnings("error")
def test_a_tree_that_adds_to_a_score_answers_numbers_beside_classes():
    x, classes, _ = drawn(1)
    model = GradientBoostingClassifier(n_estimators=2, random_state=0).fit(x, classes.column("y"))
    one = model.estimators_[1, 2]
    tree = dt.Tree.from_model(one, classes)
    assert tree.target == dt.Attribute("y: score")
    said = one.predict(x)
    assert tree.predict(classes).tolist() == said.tolist()
    assert dt.Tree.from_model(model, classes, member=1 * 3 + 2) == tree
    assert tree.flat.values[0].tolist() == pytest.approx([said.mean(), said.var()])


def test_a_fitted_tree_of_iris_is_ours():
    x, y = load_iris(return_X_y=True, as_frame=True)
    table = dt.Table.from_columns(
        {**x, "kind": y.tolist()}, target="kind", kinds={"kind": "discrete"}
    )
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(x, y)
    tree = dt.Tree.from_model(model, table, cuts="middle")
    assert tree.flat.cuts.tolist() in ([2.45, 1.75], [0.8, 1.75], [2.45, 4.75], [0.8, 4.75])
    assert tree.criterion == "gini"
    # Columns are found by their names, in whatever order.
    turned = x[x.columns[::-1]]
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(turned, y)
    assert (dt.Tree.from_model(model, table).predict(table) == model.predict(turned)).all()


def test_the_least_double_that_is_above():
    for threshold in (2.5, 0.1, -0.3, 0.0, 1e-40, 16777217.0, float(np.float32(0.8)), 3.5e37):
        cut = above_in_floats(threshold)
        assert float(np.float32(cut)) > threshold
        assert float(np.float32(np.nextafter(cut, -np.inf))) <= threshold


def test_words_are_positions_or_columns_of_their_own():
    table = dt.datasets.tax_fraud()
    income = table.column("Taxable Income")
    status = table.column("Marital Status")
    codes = [["Single", "Married", "Divorced"].index(v) for v in status]
    refund = [float(v == "No") for v in table.column("Refund")]
    y = table.column("Cheat")
    x = np.column_stack([refund, codes, income])
    model = DecisionTreeClassifier(random_state=0).fit(x, y)
    assert dt.Tree.from_model(model, table).predict(table).tolist() == y
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"Refund": table.column("Refund"), "Marital Status": status})
    dummies = pd.get_dummies(frame)
    model = DecisionTreeClassifier(random_state=0).fit(dummies, y)
    tree = dt.Tree.from_model(model, table)
    assert tree.predict(table).tolist() == model.predict(dummies).tolist()
    assert "Marital Status" in {tree.attributes[a].name for a in tree.flat.attr if a >= 0}


def test_other_rows_are_told():
    columns = {"x": [1, 1, 1, 2], "y": ["a", "a", "b", "c"], "w": [1, 1, 9, 1]}
    x = np.array(columns["x"]).reshape(-1, 1)
    table = dt.Table.from_columns({"x": columns["x"], "y": columns["y"]}, target="y")
    weighed = dt.Table.from_columns(columns, target="y", weights="w")
    model = DecisionTreeClassifier().fit(x, columns["y"], sample_weight=columns["w"])
    with pytest.warns(dt.TableWarning, match="3 rows of 4 would be answered otherwise"):
        tree = dt.Tree.from_model(model, table)
    assert tree.predict(table).tolist() == [*"aaac"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tree = dt.Tree.from_model(model, weighed)
    assert tree.predict(weighed).tolist() == model.predict(x).tolist() == [*"bbbc"]


def test_one_tree_of_adaboost():
    x, table, _ = drawn(0)
    model = AdaBoostClassifier(n_estimators=2, random_state=0).fit(x, table.column("y"))
    assert dt.Tree.from_model(model, table, member=0).n_leaves == 2


def test_our_own_estimator_is_taken_too():
    from dtree_lab.sklearn import TreeClassifier

    x, table, _ = drawn(0)
    model = TreeClassifier(max_depth=3).fit(x, table.column("y"))
    tree = dt.Tree.from_model(model, table)
    assert tree.predict(table).tolist() == model.predict(x).tolist()
    assert dt.Tree.from_model(tree, table) == tree


def test_what_does_not_match_is_told():
    x, table, numbers = drawn(4)
    y = table.column("y")
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(x, y)
    wide = DecisionTreeClassifier(max_depth=2).fit(np.column_stack([x, x]), y)
    forest = RandomForestClassifier(3).fit(x, y)
    both = DecisionTreeRegressor(max_depth=1).fit(x, np.column_stack([numbers.labels] * 2))
    few = table.take([0, 1])
    other = DecisionTreeClassifier(max_depth=2).fit(x, [f"not {v}" for v in y])
    odd = DecisionTreeClassifier(max_depth=1).fit(x[:, :1], y)
    odd.feature_names_in_ = np.array(["X-0"], dtype=object)
    for given, rows, extra, words in (
        (wide, table, {}, f"{2 * x.shape[1]} columns and no names"),
        (forest, table, {}, "say which, as member=0 to member=2; got None"),
        (forest, table, {"member": 3}, "got 3"),
        (both, numbers, {}, "2 targets at once"),
        (model, few, {}, r"do not fill the DecisionTreeClassifier: the question at \("),
        (model, numbers, {}, "the target 'y' is continuous"),
        (other, table, {}, "answers 'not a', 'not b', 'not c', and 'y' is"),
        (odd, table, {}, "the model asks 'X-0', but the table has 'x0'"),
        (model, table, {"cuts": "plain"}, "cuts='plain' must be"),
    ):
        with pytest.raises(ValueError, match=words):
            dt.Tree.from_model(given, rows, **extra)
    for given, rows in ((3, table), (model, [1])):
        with pytest.raises(TypeError):
            dt.Tree.from_model(given, rows)
