"""Data frames of mixed columns, as they are."""

# ruff: noqa: N806 - scikit-learn calls the rows X

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import KFold, cross_val_score
from sklearn.pipeline import make_pipeline

import dtree_lab as dt
from dtree_lab.sklearn import (
    AdaBoostStumpClassifier,
    ForestClassifier,
    ForestRegressor,
    GradientBoostedClassifier,
    GradientBoostedRegressor,
    TreeClassifier,
    TreeRegressor,
    frames,
)
from dtree_lab.table.table import Attribute

TAX = dt.datasets.tax_fraud()
COLUMNS = {name: TAX.column(name) for name in TAX.names}
CHEAT = np.array(TAX.column("Cheat"))
OWN = dt.id3(dt.Table.from_columns({**COLUMNS, "Cheat": CHEAT}, target="Cheat"))
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_the_lectures_table_is_learned_as_it_is(make):
    frame = make(COLUMNS)
    model = TreeClassifier(algorithm="id3").fit(frame, CHEAT)
    assert model.feature_names_in_.tolist() == list(TAX.names)
    assert model.n_features_in_ == 3
    assert model.tree_.flat == OWN.flat
    assert model.tree_.attributes == OWN.attributes
    assert model.predict(frame).tolist() == CHEAT.tolist()
    assert model.score(frame, CHEAT) == 1


def test_the_tree_speaks_of_the_frames_names():
    labels = pd.Series(CHEAT, name="Cheat")
    model = TreeClassifier(algorithm="id3").fit(pd.DataFrame(COLUMNS), labels)
    assert model.tree_ == OWN
    said = str(model.tree_.explain(TAX.row(1)))
    assert said == "Marital Status is Married\nso Cheat = No (4 of 4 training rows here)"


def test_a_label_may_have_the_name_of_a_column():
    model = TreeClassifier().fit(pd.DataFrame({"y": [1.0, 2.0]}), pd.Series([0, 1], name="y"))
    assert model.tree_.target.name == "y_"


def test_columns_without_names_are_numbered():
    X = pd.DataFrame({0: [1.0, 2.0, 3.0], 1: ["a", "a", "b"]})
    model = TreeClassifier().fit(X, [0, 0, 1])
    assert not hasattr(model, "feature_names_in_")
    assert [a.name for a in model.tree_.attributes] == ["x0", "x1"]
    assert model.predict(X).tolist() == [0, 0, 1]


MIXED = {
    "size": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    "kind": ["a", "b", "a", "b", "c", "c"],
    "new": [True, False, True, True, False, False],
}
WANTED = [0, 1, 0, 0, 1, 1]


def test_truth_values_and_categories_are_discrete():
    frame = pd.DataFrame(MIXED).assign(
        grade=pd.Categorical([3, 1, 3, 2, 1, 2], categories=[3, 2, 1]), number=range(6)
    )
    model = TreeClassifier().fit(frame, WANTED)
    by_name = {a.name: a.values for a in model.tree_.attributes}
    assert by_name == {
        "size": None,
        "kind": ("a", "b", "c"),
        "new": (False, True),
        "grade": (3, 2, 1),
        "number": None,
    }
    assert model.predict(frame).tolist() == WANTED
    plain = frame.assign(grade=[3, 1, 3, 2, 1, 2])  # numbers again, for names that were fitted
    np.testing.assert_array_equal(model.apply(plain), model.apply(frame))
    with pytest.raises(ValueError, match=r"'size' holds numbers \(discrete\), but held"):
        model.predict(frame.assign(size=pd.Categorical([1, 2, 1, 2, 1, 2])))


def test_a_category_stops_where_no_training_row_had_it():
    frame = pd.DataFrame({"kind": ["a", "a", "b", "b", "b"]})
    model = TreeClassifier(algorithm="id3").fit(frame, ["no", "no", "yes", "yes", "yes"])
    asked = pd.DataFrame({"kind": ["a", "b", "never seen", None]})
    assert model.predict(asked).tolist() == ["no", "yes", "yes", "yes"]
    assert model.apply(asked).tolist() == [1, 2, 0, 0]
    np.testing.assert_allclose(model.predict_proba(asked)[2], [0.4, 0.6])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_gaps_are_allowed_in_trees(make):
    """A third of the values gone: the same tree as the table with gaps gives."""
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=90).tolist()
    words = rng.choice(list("uvw"), 90).tolist()
    gone = rng.random((2, 90)) < 1 / 3
    columns = {
        "n": [None if g else v for g, v in zip(gone[0], numbers, strict=True)],
        "w": [None if g else v for g, v in zip(gone[1], words, strict=True)],
    }
    y = rng.integers(0, 2, 90)
    labels = {"y": [str(v) for v in y]}
    model = TreeClassifier().fit(make(columns), y)
    table = dt.Table.from_columns({**columns, **labels}, target="y", missing="keep")
    assert model.tree_.flat == dt.cart(table).flat
    assert (
        model.predict(make(columns)).astype(str).tolist() == dt.cart(table).predict(table).tolist()
    )


def test_nan_in_an_array_is_a_gap():
    X = np.array([[1.0, np.nan], [2.0, 1.0], [np.nan, 2.0], [4.0, 3.0]])
    model = TreeClassifier().fit(X, [0, 0, 1, 1])
    assert model.tree_.flat.counts[0].tolist() == [2, 2]
    assert model.apply([[np.nan, np.nan]]).tolist() == [0]
    assert TreeRegressor().fit(X, [0, 0, 1, 1]).predict([[np.nan, np.nan]]).tolist() == [0.5]


@pytest.mark.parametrize("empty", [[None] * 4, [float("nan")] * 4])
def test_a_column_without_any_value_is_never_asked(empty):
    fitted = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "empty": empty})
    model = TreeClassifier().fit(fitted, [0, 0, 1, 1])
    for later in ([1.0] * 4, ["a"] * 4, empty):
        assert model.predict(fitted.assign(empty=later)).tolist() == [0, 0, 1, 1]
    assert model.predict(fitted.assign(x=empty)).tolist() == [0, 0, 0, 0]


def test_what_a_table_would_ask_about_an_estimator_knows():
    """It says itself what it predicts, and would repeat a doubt at each call."""
    frame = pd.DataFrame({"x": ["?", "u", "u ", "NA"], "z": ["2020-01-01"] * 4})
    assert TreeClassifier().fit(frame, [0, 1, 1, 0]).predict(frame).tolist() == [0, 1, 1, 0]
    assert TreeRegressor().fit(frame, [0, 1, 1, 0]).predict(frame).tolist() == [0, 1, 1, 0]


ESTIMATORS = [
    TreeClassifier(),
    ForestClassifier(n_estimators=7, random_state=0),
    AdaBoostStumpClassifier(n_estimators=7),
    TreeRegressor(),
    ForestRegressor(n_estimators=7, random_state=0),
    GradientBoostedClassifier(n_estimators=7),
    GradientBoostedRegressor(n_estimators=7),
]
each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)


@each
def test_pandas_and_polars_give_the_same(estimator):
    one = estimator.fit(pd.DataFrame(MIXED), WANTED).predict(pd.DataFrame(MIXED))
    other = estimator.fit(pl.DataFrame(MIXED), pl.Series(WANTED)).predict(pl.DataFrame(MIXED))
    np.testing.assert_array_equal(one, other)
    arrow = estimator.predict(pa.table(MIXED))
    np.testing.assert_array_equal(one, arrow)


OBJECTS = np.array(list(zip(*MIXED.values(), strict=True)), dtype=object)


@each
def test_an_array_of_objects_with_words_is_a_frame_without_names(estimator):
    numbered = pd.DataFrame(OBJECTS).infer_objects()
    one = estimator.fit(OBJECTS, WANTED).predict(OBJECTS)
    assert not hasattr(estimator, "feature_names_in_")
    kinds = [(a.name, a.values) for a in estimator._grown().attributes]
    assert kinds == [("x0", None), ("x1", ("a", "b", "c")), ("x2", (False, True))]
    # A row may lack the word, and then nothing in the array is a word.
    bare = np.array([[None, None, None], [2.5, None, np.nan]], dtype=object)
    alone = estimator.predict(bare)
    other = estimator.fit(numbered, WANTED)
    np.testing.assert_array_equal(one, other.predict(numbered))
    np.testing.assert_array_equal(alone, other.predict(pd.DataFrame(bare)))


@each
def test_an_array_of_objects_that_no_table_can_be_made_of(estimator):
    mixed = OBJECTS.copy()
    mixed[2, 0] = "three"
    with pytest.raises(ValueError, match="row 3, column 'x0' holds text, 'three', but row 1 holds"):
        estimator.fit(mixed, WANTED)
    estimator.fit(OBJECTS, WANTED)
    with pytest.raises(ValueError, match="column 'x1' was discrete when fitting, so give a data"):
        estimator.predict(np.zeros((2, 3)))
    other = OBJECTS[:, [1, 0, 2]]
    with pytest.raises(ValueError, match=r"column 'x0' holds text \(discrete\), but held numbers"):
        estimator.predict(other)
    with pytest.raises(ValueError, match=r"2 features, but .* expecting 3"):
        estimator.predict(OBJECTS[:, :2])


@each
def test_columns_of_another_kind_are_refused(estimator):
    frame = pd.DataFrame(MIXED)
    estimator.fit(frame, WANTED)
    odd = {
        "size": (list("abcdef"), r"'size' holds text \(discrete\), but held numbers"),
        "kind": ([1.0] * 6, r"'kind' holds numbers \(continuous\), but held text"),
        "new": (list("abcdef"), r"'new' holds text \(discrete\), but held truth values"),
    }
    for name, (values, message) in odd.items():
        with pytest.raises(ValueError, match=message):
            estimator.predict(frame.assign(**{name: values}))


@each
@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_an_array_cannot_stand_for_discrete_columns(estimator):
    estimator.fit(pd.DataFrame(MIXED), WANTED)
    with pytest.raises(ValueError, match="column 'kind' was discrete when fitting, so give a data"):
        estimator.predict(np.zeros((2, 3)))


@each
def test_an_array_may_stand_for_numbers_with_a_warning(estimator):
    X = np.arange(12.0).reshape(6, 2)
    frame = pd.DataFrame(X, columns=["a", "b"])
    expected = estimator.fit(frame, WANTED).predict(frame)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        np.testing.assert_array_equal(estimator.predict(X), expected)
    estimator.fit(X, WANTED)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        np.testing.assert_array_equal(
            estimator.predict(pd.DataFrame(X, columns=["a", "b"])), expected
        )


@each
@pytest.mark.parametrize(
    ("frame", "error", "message"),
    [
        (pd.DataFrame({"a": [1.0, np.inf]}), ValueError, "row 2, column 'a' is infinite"),
        (pd.DataFrame({"a": [1.0, "x"]}, dtype=object), ValueError, "row 2, column 'a' holds text"),
        (pd.DataFrame({"a": pd.to_datetime(["2024-01-01"] * 2)}), TypeError, "row 1, column 'a'"),
        (pd.DataFrame(index=[0, 1]), ValueError, "the data frame has no columns"),
        (pd.DataFrame({"a": []}), ValueError, "inconsistent numbers of samples"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), ValueError, "two columns|unique"),
        (pd.DataFrame({"a": [1.0, 2.0, 3.0]}), ValueError, "inconsistent numbers of samples"),
    ],
)
def test_a_frame_that_no_table_can_be_made_of(estimator, frame, error, message):
    with pytest.raises(error, match=message):
        estimator.fit(frame, [0, 1])


def test_names_are_compared_where_scikit_learn_cannot_read_them():
    """Older versions do not know the names of newer data frames."""
    fitted = (Attribute("a"), Attribute("b"))
    frame = pl.DataFrame({"b": [1.0], "a": [2.0]})
    with pytest.raises(ValueError, match="in their order: 'a', 'b'; got 'b', 'a'"):
        frames.known_frame(frame, fitted)
    found = frames.known_frame(frame.select("a", "b"), fitted)
    assert [column.tolist() for column in found] == [[2.0], [1.0]]


# -- with what scikit-learn has around it --------------------------------------------------------


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("estimator", ESTIMATORS[:3], ids=lambda e: type(e).__name__)
def test_cross_validation_scores_are_those_of_a_loop(make, estimator):
    rng = np.random.default_rng(1)
    columns = {
        "n": rng.normal(size=60),
        "w": rng.choice(list("uvw"), 60),
        "b": rng.random(60) < 0.5,
    }
    y = np.where((columns["n"] > 0) & (columns["w"] != "u"), "yes", "no")
    folds = KFold(3)
    scores = cross_val_score(estimator, make(columns), y, cv=folds)
    for (train, test), score in zip(folds.split(y), scores, strict=True):
        parts = [make({k: v[rows] for k, v in columns.items()}) for rows in (train, test)]
        said = estimator.fit(parts[0], y[train]).predict(parts[1])
        assert score == np.mean(said == y[test])


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)
def test_a_pipeline_that_hands_on_data_frames(kind, estimator):
    frame = {"pandas": pd.DataFrame, "polars": pl.DataFrame}[kind](
        {"n": [1.0, float("nan"), 3.0, 4.0], "w": ["a", "a", "b", "b"]}
    )
    numbers = make_column_selector(dtype_include=np.number) if kind == "pandas" else ["n"]
    filled = make_column_transformer(
        (SimpleImputer(), numbers), remainder="passthrough", verbose_feature_names_out=False
    ).set_output(transform=kind)
    model = make_pipeline(filled, estimator).fit(frame, [0, 0, 1, 1])
    assert model[-1].feature_names_in_.tolist() == ["n", "w"]
    assert [a.kind for a in model[-1]._grown().attributes] == ["continuous", "discrete"]
    assert model.predict(frame).shape == (4,)


# -- numbers, the usual case ---------------------------------------------------------------------


NUMBERS = np.random.default_rng(0).normal(size=(60, 3)).round(1)
SIGNS = (NUMBERS[:, 0] * NUMBERS[:, 1] > 0).astype(int)


def as_frame(x):
    return pd.DataFrame(x, columns=["a", "b", "c"])


SAME = {
    "by columns": np.asfortranarray,
    "lists": np.ndarray.tolist,
    "a part": lambda x: np.repeat(x, 2, axis=0)[::2],
    "objects": lambda x: x.astype(object),
    "pandas": as_frame,
    "objects in pandas": lambda x: as_frame(x).astype({"b": object}),
    "polars": lambda x: pl.DataFrame(x, schema=["a", "b", "c"]),
}


@pytest.mark.parametrize("make", SAME.values(), ids=SAME)
@pytest.mark.parametrize(
    "labels", [SIGNS, SIGNS.tolist(), pd.Series(SIGNS), np.array(["no", "yes"])[SIGNS]]
)
def test_numbers_are_the_same_whatever_holds_them(make, labels):
    x = make(NUMBERS)
    usual, other = (TreeClassifier().fit(given, labels) for given in (NUMBERS, x))
    assert other.tree_.flat == usual.tree_.flat
    assert other.n_features_in_ == 3
    assert other.predict(x).tolist() == usual.predict(NUMBERS).tolist() == list(labels)


def test_a_fit_on_an_array_forgets_the_names_of_a_frame():
    model = TreeClassifier().fit(as_frame(NUMBERS), SIGNS)
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert [a.name for a in model.tree_.attributes] == ["a", "b", "c"]
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(NUMBERS)
    model.fit(NUMBERS, SIGNS)
    assert not hasattr(model, "feature_names_in_")
    with pytest.warns(UserWarning, match="fitted without feature names"):
        model.predict(as_frame(NUMBERS))


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_numbers_that_are_none_are_refused_as_ever(bad):
    x = NUMBERS.copy()
    x[7, 1] = bad
    with pytest.raises(ValueError, match=r"(?i)infinity"):
        ForestClassifier(n_estimators=2).fit(x, SIGNS)
    with pytest.raises(ValueError, match=r"row 8, column 'b'"):
        ForestClassifier(n_estimators=2).fit(as_frame(x), SIGNS)
    model = ForestClassifier(n_estimators=2, random_state=0).fit(NUMBERS, SIGNS)
    with pytest.raises(ValueError, match=r"(?i)infinity"):
        model.predict(x)


def test_another_number_of_columns_is_refused_as_ever():
    model = TreeClassifier().fit(NUMBERS, SIGNS)
    with pytest.raises(ValueError, match="3 features"):
        model.predict(NUMBERS[:, :2])
    with pytest.raises(ValueError, match="inconsistent"):
        TreeClassifier().fit(NUMBERS, SIGNS[:-1])
    with pytest.raises(ValueError, match="feature names should match"):
        TreeClassifier().fit(as_frame(NUMBERS), SIGNS).predict(as_frame(NUMBERS)[["b", "a", "c"]])


def test_a_column_alone_is_refused_as_ever():
    for x in (NUMBERS[:, 0], pd.Series(NUMBERS[:, 0])):
        with pytest.raises(ValueError, match=r"2D|2-dim"):
            TreeClassifier().fit(x, SIGNS)


def test_numbers_that_are_no_classes_are_refused_as_ever():
    with pytest.raises(ValueError, match="Unknown label type"):
        TreeClassifier().fit(NUMBERS, NUMBERS[:, 0])
