"""What is measured: ours and scikit-learn's, each made ready outside the clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.datasets import load_digits, load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import ccp_pruning_path

import dtree_lab as dt

if TYPE_CHECKING:
    from collections.abc import Callable

    Runs = tuple[Callable[[], Any], Callable[[], Any] | None]  # ours and, if there is one, theirs
    Data = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Case:
    """One row: what `prepare` gives is run, and its ratio compared with the goal."""

    name: str
    goal: float | None
    prepare: Callable[[], Runs]


# -- tables --------------------------------------------------------------------------------------


def table_of(x: np.ndarray, y: np.ndarray) -> dt.Table:
    """A table of continuous columns with a discrete target."""
    columns = {f"x{i}": x[:, i] for i in range(x.shape[1])}
    return dt.Table.from_columns({**columns, "y": y}, target="y", kinds={"y": "discrete"})


def noisy(m: int, d: int = 20) -> Data:
    """Continuous columns of which three matter, and a noisy label."""
    x, y = noisy_numbers(m, d)
    return x, (y > 0).astype(int)


def noisy_numbers(m: int, d: int = 20) -> Data:
    """Continuous columns of which three matter, and a noisy number."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(m, d))
    return x, x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=m)


def five_values(m: int = 200_000, d: int = 15) -> Data:
    """Whole numbers from 0 to 4, and a label that is wrong in a fifth of the rows."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5, (m, d)).astype(float)
    return x, ((x[:, 0] + x[:, 1] > 1.5 * x[:, 2]) ^ (rng.random(m) < 0.2)).astype(int)


# -- what is done with them ----------------------------------------------------------------------


def growing(data: Callable[[], Data]) -> Runs:
    """Grow fully, by entropy; tables and arrays are ready for both."""
    x, y = data()
    table = table_of(x, y)
    peer = DecisionTreeClassifier(criterion="entropy", random_state=0)
    return lambda: dt.id3(table), lambda: peer.fit(x, y)


def regression(m: int) -> Runs:
    """Grow a regression tree fully."""
    x, y = noisy_numbers(m)
    columns = {f"x{i}": x[:, i] for i in range(x.shape[1])}
    table = dt.Table.from_columns({**columns, "y": y}, target="y")
    return lambda: dt.cart(table), lambda: DecisionTreeRegressor(random_state=0).fit(x, y)


def strings() -> Runs:
    """ID3 on words, which the peer has to encode first."""
    rng = np.random.default_rng(0)
    words = np.array(["red", "green", "blue", "black", "white", "grey"])
    x = words[rng.integers(0, 6, (100_000, 10))]
    y = np.where((x[:, 0] == x[:, 1]) ^ (rng.random(100_000) < 0.1), "yes", "no")
    table = dt.Table.from_columns({**{f"x{i}": x[:, i] for i in range(10)}, "y": y}, target="y")
    frame = x.astype(object)
    peer = make_pipeline(OrdinalEncoder(), DecisionTreeClassifier(criterion="entropy"))
    return lambda: dt.id3(table), lambda: peer.fit(frame, y)


def forest(m: int) -> Runs:
    """A hundred trees by Gini, with the out-of-bag error; two at a time."""
    x, y = noisy(m)
    table = table_of(x, y)
    peer = RandomForestClassifier(n_estimators=100, n_jobs=2, oob_score=True, random_state=0)
    return (
        lambda: dt.random_forest(table, n_trees=100, n_jobs=2, seed=0).oob_error,
        lambda: peer.fit(x, y).oob_score_,
    )


def predicting() -> Runs:
    """Predict a million rows with trees grown on ten thousand."""
    x, y = noisy(10_000)
    ours, peer = dt.id3(table_of(x, y)), DecisionTreeClassifier(criterion="entropy").fit(x, y)
    many, labels = noisy(1_000_000)
    table = table_of(many, labels)
    return lambda: ours.predict(table), lambda: peer.predict(many)


def reducing() -> Runs:
    """Reduced-error pruning, with the validation errors counted; scikit-learn has none."""
    x, y = noisy(88_000)
    table = table_of(x, y)
    tree, validation = dt.cart(table.take(range(38_000))), table.take(range(38_000, 88_000))
    return lambda: dt.prune.reduced_error(tree, validation), None


def path(m: int) -> Runs:
    """All prices and costs of cost-complexity pruning, from a tree that has been grown."""
    x, y = noisy(m)
    tree, peer = dt.cart(table_of(x, y)), DecisionTreeClassifier(random_state=0).fit(x, y)

    def ours() -> Any:
        # A copy, because a tree keeps what it has once worked out about its shape.
        copy = dt.Tree(tree.attributes, tree.target, replace(tree.flat))
        return dt.prune.cost_complexity_path(copy, measure="gini")

    return ours, lambda: ccp_pruning_path(peer.tree_)


def growing_and_path(m: int) -> Runs:
    """The same with the growing, as the peer's public method does it."""
    x, y = noisy(m)
    table, peer = table_of(x, y), DecisionTreeClassifier(random_state=0)
    return (
        lambda: dt.prune.cost_complexity_path(dt.cart(table), measure="gini"),
        lambda: peer.cost_complexity_pruning_path(x, y),
    )


def iris() -> Data:
    """150 x 4, three classes."""
    loaded = load_iris()
    return loaded.data, loaded.target


def digits() -> Data:
    """1,797 x 64, ten classes."""
    loaded = load_digits()
    return loaded.data, loaded.target


CASES = (
    Case("iris 150 x 4, entropy", 1.0, lambda: growing(iris)),
    Case("digits 1,797 x 64, entropy", 1.0, lambda: growing(digits)),
    Case("10,000 x 20 continuous, two classes", 0.5, lambda: growing(lambda: noisy(10_000))),
    Case("100,000 x 20 continuous, two classes", 0.35, lambda: growing(lambda: noisy(100_000))),
    Case("200,000 x 15 integers of five values", 0.5, lambda: growing(five_values)),
    Case("strings 100,000 x 10, ID3 against encoding and growing", 0.3, strings),
    Case("regression 10,000 x 20", 0.7, lambda: regression(10_000)),
    Case("regression 100,000 x 20", 0.7, lambda: regression(100_000)),
    Case("forest 100 trees, 1,000 x 20", 0.6, lambda: forest(1_000)),
    Case("forest 100 trees, 10,000 x 20", 0.8, lambda: forest(10_000)),
    Case("predict 1,000,000 x 20", 1.0, predicting),
    Case("reduced-error pruning of a 10,000-node tree on 50,000 rows", None, reducing),
    Case("cost-complexity path, tree of 10,000 nodes", 1.0, lambda: path(38_000)),
    Case("cost-complexity, growing and path, 20,000 x 20", 1.0, lambda: growing_and_path(20_000)),
)
