"""What is repeated gives the same wherever it runs: one core, several, or a cluster."""

from __future__ import annotations

import io
import math
import os
import subprocess
import sys
import time
import warnings

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_iris

import dtree_lab as dt
from dtree_lab.base import parallel
from dtree_lab.base.parallel import parallel_map
from dtree_lab.ensemble import predict


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


@pytest.fixture
def at_once(monkeypatch):
    """Other processes are asked however short the work is."""
    monkeypatch.setattr(parallel, "_TO_START", -1.0)
    monkeypatch.setattr(parallel, "_TO_SEND", -1.0)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_results_come_in_order(n_jobs):
    squares = [(i * i,) for i in range(9)]
    assert parallel_map(math.sqrt, squares, what="rooting", n_jobs=n_jobs) == list(range(9))


# -- in several processes ------------------------------------------------------------------------


def looking():
    """A task that goes by value, or the other process would load this file and all it needs."""

    def where(mark, i):
        """What was common to all runs, which run, and in which process."""
        time.sleep(0.05)
        return mark, i, os.getpid()

    return where


@pytest.mark.usefixtures("at_once")
def test_work_is_done_here_and_in_another_process():
    """Until the other is there, all is done here; then both have a part."""
    begun = time.monotonic()
    while time.monotonic() - begun < 60:  # a machine that has much to do starts it late
        got = parallel_map(
            looking(), [(i,) for i in range(30)], what="looking", n_jobs=2, common=("x",)
        )
        assert [(mark, i) for mark, i, _ in got] == [("x", i) for i in range(30)]
        pids = {pid for _, _, pid in got}
        if len(pids) == 2:
            break
    assert os.getpid() in pids
    assert len(pids) == 2


def test_short_work_stays_here(monkeypatch):
    monkeypatch.setattr(parallel, "_TO_SEND", 60.0)
    monkeypatch.setattr(parallel, "_TO_START", 60.0)
    got = parallel_map(looking(), [(i,) for i in range(3)], what="looking", n_jobs=2, common=("x",))
    assert {pid for _, _, pid in got} == {os.getpid()}


def jobs_within(i):
    inner = parallel_map(
        looking(), [(j,) for j in range(4)], what="looking", n_jobs=2, common=("x",)
    )
    return {pid for _, _, pid in inner} == {os.getpid()}


@pytest.mark.usefixtures("at_once")
def test_what_is_repeated_within_stays_where_it_is():
    assert all(parallel_map(jobs_within, [(i,) for i in range(8)], what="looking", n_jobs=2))


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("bad", [3, 29])
def test_an_error_in_either_process_ends_the_work(bad):
    roots = [(-1,) if i == bad else (i,) for i in range(30)]
    with pytest.raises(ValueError, match=r"math domain error|nonnegative"):
        parallel_map(math.sqrt, roots, what="rooting", n_jobs=2)
    assert parallel_map(math.sqrt, [(4,)] * 4, what="rooting", n_jobs=2) == [2.0] * 4


@pytest.mark.usefixtures("at_once")
def test_what_a_notebook_defines_can_be_repeated():
    def add(a, b):
        return a + b

    got = parallel_map(add, [(i,) for i in range(9)], what="adding", n_jobs=2, common=(1,))
    assert got == list(range(1, 10))


@pytest.mark.usefixtures("at_once")
def test_a_forest_is_the_same_in_two_processes_bit_for_bit(iris, monkeypatch):
    monkeypatch.setattr(predict, "_LEAST", 1)
    one, two = (dt.random_forest(iris, n_trees=30, seed=5, n_jobs=n) for n in (1, 2))
    assert [tree.flat for tree in one.trees] == [tree.flat for tree in two.trees]
    assert one.oob_votes.tolist() == two.oob_votes.tolist()
    assert one.oob_errors.tolist() == two.oob_errors.tolist()
    for tree in two.trees:
        assert tree.attributes is iris.attributes
        assert not tree.flat.counts.flags.writeable
    first, second = (f.permutation_importance(iris, n_jobs=n) for f, n in ((one, 1), (two, 2)))
    assert first.values.tolist() == second.values.tolist()


SCRIPT = """
import os, signal, sys, threading, time
import dtree_lab as dt
from dtree_lab.base import parallel
from dtree_lab.ensemble import predict

def slow(i):
    time.sleep(0.1)
    return i * base

base, parallel._TO_START = 2, -1.0
ends = parallel.parallel_map(slow, [(i,) for i in range(20)], what="waiting", n_jobs=2)
print(ends[-1], flush=True)
if sys.argv[1:] == ["stop"]:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests may run where it is ignored
    threading.Timer(0.5, lambda: os.killpg(0, signal.SIGINT)).start()
    try:
        parallel.parallel_map(slow, [(i,) for i in range(500)], what="waiting", n_jobs=2)
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals of process groups")
@pytest.mark.parametrize("stop", [False, True])
def test_no_process_is_left_behind(tmp_path, stop):
    """A script without a file, as a notebook is one; Ctrl+C reaches all its processes at once."""
    told = tmp_path / "told"
    with told.open("w") as out:
        script = subprocess.Popen(
            [sys.executable, "-W", "error", "-", *(["stop"] if stop else [])],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
            start_new_session=True,
            text=True,
        )
        script.communicate(SCRIPT, timeout=120)
    assert script.returncode == 0, told.read_text()
    assert told.read_text().split() == ["38", "stopped"][: 1 + stop]
    assert any(gone(script.pid) for _ in range(100))


def gone(group):
    """Whether nobody is left in a group of processes; if somebody is, after a while."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    time.sleep(0.1)
    return False


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("after", "shows"), [(0.0, True), (60.0, False)])
def test_a_bar_shows_only_what_takes_long(monkeypatch, after, shows):
    screen = Terminal()
    monkeypatch.delenv("TQDM_DISABLE")
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(parallel, "_SECONDS", after)
    parallel_map(slowly, [(i,) for i in range(10)], what="growing trees")
    assert ("growing trees" in screen.getvalue()) is shows


def test_no_bar_is_written_to_a_file(monkeypatch):
    log = io.StringIO()
    monkeypatch.setattr("sys.stderr", log)
    monkeypatch.setattr(parallel, "_SECONDS", 0.0)
    parallel_map(slowly, [(i,) for i in range(10)], what="growing trees")
    assert log.getvalue() == ""


def test_an_error_comes_through():
    with pytest.raises(ValueError, match=r"math domain error|nonnegative"):
        parallel_map(math.sqrt, [(1,), (-1,)], what="rooting")


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
