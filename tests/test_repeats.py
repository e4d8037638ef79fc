"""What is repeated gives the same wherever it runs: one core, several, or a cluster."""

from __future__ import annotations

import io
import math
import time
import warnings

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris

import dtree_lab as dt
from dtree_lab.learn import repeats
from dtree_lab.learn.repeats import repeated


@pytest.fixture(scope="module")
def cluster():
    """A Dask cluster of two worker processes on this machine."""
    from distributed import Client, LocalCluster

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how its parts go about closing is not ours
        with (
            LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
            ) as made,
            Client(made),
        ):
            yield made


@pytest.fixture(scope="module")
def iris():
    data = load_iris()
    columns = {f"x{i}": data.data[:, i] for i in range(4)}
    return dt.Table.from_columns({**columns, "y": data.target}, "y", kinds={"y": "discrete"})


def slowly(x):
    time.sleep(0.02)
    return x


@pytest.mark.parametrize("threads", [False, True])
@pytest.mark.parametrize("n_jobs", [None, 1, 2])
def test_results_come_in_order(n_jobs, threads):
    squares = [(i * i,) for i in range(9)]
    got = repeated(math.sqrt, squares, what="rooting", n_jobs=n_jobs, threads=threads)
    assert got == list(range(9))


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("after", "shows"), [(0.0, True), (60.0, False)])
def test_a_bar_shows_only_what_takes_long(monkeypatch, after, shows):
    screen = Terminal()
    monkeypatch.delenv("TQDM_DISABLE")
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(repeats, "_SECONDS", after)
    repeated(slowly, [(i,) for i in range(10)], what="growing trees")
    assert ("growing trees" in screen.getvalue()) is shows


def test_no_bar_is_written_to_a_file(monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr("sys.stderr", log)
    monkeypatch.setattr(repeats, "_SECONDS", 0.0)
    repeated(slowly, [(i,) for i in range(10)], what="growing trees")
    assert log.getvalue() == ""


def test_an_error_comes_through():
    with pytest.raises(ValueError, match=r"math domain error|nonnegative"):
        repeated(math.sqrt, [(1,), (-1,)], what="rooting")


def there(task):
    """What a task gives on the cluster."""
    with joblib.parallel_config(backend="dask"):
        return task()


@pytest.mark.usefixtures("cluster")
def test_cross_validation_is_the_same_on_a_cluster(iris):
    def task():
        return dt.evaluate.cross_validate(dt.id3, iris, folds=5, seed=3)

    assert there(task) == task()
    assert np.isfinite(task().mean)


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_forest_is_the_same_on_a_cluster_bit_for_bit(iris, n_jobs):
    far = there(lambda: dt.random_forest(iris, n_trees=20, seed=5, n_jobs=n_jobs))
    with joblib.parallel_config(n_jobs=1):
        near = dt.random_forest(iris, n_trees=20, seed=5)
    assert [tree.flat for tree in far.trees] == [tree.flat for tree in near.trees]
    assert far.oob_votes.tolist() == near.oob_votes.tolist()
    assert far.oob_errors.tolist() == near.oob_errors.tolist()


@pytest.mark.usefixtures("cluster")
def test_importances_are_the_same_on_a_cluster(iris):
    forest = dt.random_forest(iris, n_trees=20, seed=5)
    far = there(lambda: forest.permutation_importance(iris, seed=1))
    near = forest.permutation_importance(iris, seed=1)
    assert far.values.tolist() == near.values.tolist()


@pytest.mark.usefixtures("cluster")
def test_bias_and_variance_are_the_same_on_a_cluster():
    def task():
        return dt.evaluate.bias_variance(
            dt.populations.wave(), dt.id3, n_rows=40, repeats=6, test=50, max_depth=2
        )

    far, near = there(task), task()
    assert (far.loss, far.bias, far.variance) == (near.loss, near.bias, near.variance)


@pytest.mark.usefixtures("cluster")
def test_choosing_a_price_is_the_same_on_a_cluster(iris):
    def task():
        return dt.prune.choose_alpha(dt.cart, iris, folds=4)

    assert there(task) == task()
