"""scikit-learn's own checks, and what its users do with any estimator."""

# ruff: noqa: N806, S301 - scikit-learn calls the rows X

from __future__ import annotations

import pickle
import subprocess
import sys

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    check_estimator,
)

from dtree_lab.sklearn import (
    AdaBoostStumpClassifier,
    ForestClassifier,
    ForestRegressor,
    GradientBoostedClassifier,
    GradientBoostedRegressor,
    TreeClassifier,
    TreeRegressor,
)

ESTIMATORS = [
    TreeClassifier(),
    TreeRegressor(),
    ForestClassifier(n_estimators=5),
    ForestRegressor(n_estimators=5),
    AdaBoostStumpClassifier(n_estimators=5),
    GradientBoostedClassifier(n_estimators=5),
    GradientBoostedRegressor(n_estimators=5),
]
OTHERS = [
    TreeClassifier(algorithm="c45", criterion="gini", max_leaf_nodes=9),
    TreeClassifier(max_features=0.5, random_state=1, ccp_alpha=1e-3, min_impurity_decrease=1e-3),
    TreeRegressor(algorithm="id3", leaf="line", min_samples_split=0.1),
    ForestClassifier(n_estimators=5, oob_score=True, max_features=None, random_state=1),
    AdaBoostStumpClassifier(n_estimators=3, criterion="error", max_depth=2),
    GradientBoostedRegressor(n_estimators=5, learning_rate=1.0, min_samples_leaf=0.1),
]
each = pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda e: type(e).__name__)


def iris(estimator):
    """Rows of three kinds; of two for those that tell no more apart."""
    X, y = load_iris(return_X_y=True)
    return X, y > 0 if isinstance(estimator, GradientBoostedClassifier) else y


@pytest.mark.filterwarnings("ignore::UserWarning")  # few trees leave rows without out-of-bag votes
@pytest.mark.parametrize(
    "estimator",
    [*ESTIMATORS, *(pytest.param(one, marks=pytest.mark.thorough) for one in OTHERS)],
    ids=str,
)
def test_the_checks_of_scikit_learn(estimator, monkeypatch):
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # without it one of them is skipped
    told = check_estimator(estimator, on_skip=None, on_fail=None)
    failed = {one["check_name"]: one["exception"] for one in told if one["status"] != "passed"}
    assert len(told) > 40
    # It shuffles the weighted rows, and a sample is drawn by the places where rows lie: a forest
    # with weights is that of repeated rows in the same order, see tests/ensemble/test_weights.py.
    shuffled = "check_sample_weight_equivalence_on_dense_data"
    assert set(failed) == ({shuffled} if hasattr(estimator, "bootstrap") else set())
    assert shuffled in {one["check_name"] for one in told}


@each
def test_names_of_columns_are_checked_as_scikit_learn_does(estimator):
    check_dataframe_column_names_consistency(type(estimator).__name__, estimator)


@each
def test_a_copy_is_not_fitted_and_a_pickled_one_is(estimator, tmp_path):
    X, y = iris(estimator)
    fitted = clone(estimator).fit(X, y)
    assert clone(fitted).get_params() == estimator.get_params()
    assert not hasattr(clone(fitted), "n_features_in_")
    joblib.dump(fitted, tmp_path / "fitted")
    for back in (pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "fitted")):
        np.testing.assert_array_equal(back.predict(X), fitted.predict(X))
        np.testing.assert_array_equal(back.feature_importances_, fitted.feature_importances_)


@each
def test_data_that_was_given_stays_as_it_was(estimator):
    X, y = iris(estimator)
    frame = pd.DataFrame(X, columns=list("abcd"))
    for given in (X, np.asfortranarray(X), frame):
        before = given.copy()
        clone(estimator).fit(given, y).predict(given)
        np.testing.assert_array_equal(given, before)
        assert np.asarray(given).flags.writeable == np.asarray(before).flags.writeable
    assert y.flags.writeable


@each
def test_shown_in_a_notebook_and_told_to_set_itself(estimator):
    assert type(estimator).__name__ in clone(estimator)._repr_html_()
    deep = clone(estimator).set_params(max_depth=3)
    assert deep.get_params()["max_depth"] == 3


@each
def test_text_in_an_array_is_an_error_that_says_what_to_do(estimator):
    with pytest.raises(ValueError, match="'red'; to use text as it is, give X as a data frame"):
        clone(estimator).fit([[1.0, "red"], [2.0, "blue"]], [0, 1])


def told(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_dtree_lab_itself_does_not_load_scikit_learn():
    grown = "dt.id3(dt.datasets.tax_fraud())"
    code = f"import sys, dtree_lab as dt; {grown}; print('sklearn' in sys.modules)"
    assert told(code) == "False"


@pytest.mark.parametrize("gone", ["sklearn", "sklearn.utils.validation"])
def test_without_scikit_learn_one_is_told_how_to_get_it(gone):
    code = f"""
import sys
sys.modules[{gone!r}] = None
try:
    import dtree_lab.sklearn
except ImportError as error:
    print(error)
"""
    assert 'install it with pip install -e ".[sklearn]" in the folder ' in told(code)
