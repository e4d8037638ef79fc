"""What is measured: ours and scikit-learn's, each made ready outside the clock."""

from __future__ import annotations

import csv
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
from joblib import parallel_config
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_digits, load_iris, make_classification
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.tree._tree import ccp_pruning_path

import dtree_lab as dt
from dtree_lab.sklearn import AdaBoostStumpClassifier, ForestClassifier, TreeClassifier

if TYPE_CHECKING:
    from collections.abc import Callable

    Runs = tuple[Callable[[], Any], Callable[[], Any] | None]  # ours and, if there is one, theirs
    Data = tuple[np.ndarray, np.ndarray]
    Frame = tuple[pd.DataFrame, np.ndarray]


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
    return dt.Table.from_columns(
        {**columns, "y": y}, target="y", kinds={"y": "discrete"}, missing="keep"
    )


def noisy(m: int, d: int = 20) -> Data:
    """Continuous columns of which three matter, and a noisy label."""
    x, y = noisy_numbers(m, d)
    return x, (y > 0).astype(int)


def noisy_numbers(m: int, d: int = 20) -> Data:
    """Continuous columns of which three matter, and a noisy number."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(m, d))
    return x, x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(size=m)


def gappy(data: Data) -> Data:
    """The same rows, of whose values a tenth is missing."""
    x, y = data
    return np.where(np.random.default_rng(1).random(x.shape) < 0.1, np.nan, x), y


def five_values(m: int = 200_000, d: int = 15) -> Data:
    """Whole numbers from 0 to 4, and a label that is wrong in a fifth of the rows."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5, (m, d)).astype(float)
    return x, ((x[:, 0] + x[:, 1] > 1.5 * x[:, 2]) ^ (rng.random(m) < 0.2)).astype(int)


def signal(m: int, d: int = 20) -> Data:
    """Continuous columns of which half matter, and few wrong labels: trees stay small."""
    return make_classification(
        m, d, n_informative=d // 2, n_redundant=0, flip_y=0.01, random_state=0
    )


def iris() -> Data:
    """150 x 4, three classes."""
    loaded = load_iris()
    return loaded.data, loaded.target


def digits() -> Data:
    """1,797 x 64, ten classes."""
    loaded = load_digits()
    return loaded.data, loaded.target


def parted(data: Callable[[int], Data], *sizes: int) -> list[Data]:
    """Rows of one kind for growing, and others for predicting."""
    x, y = data(sum(sizes))
    ends = np.cumsum(sizes)
    return [(x[a:b].copy(), y[a:b]) for a, b in zip((0, *ends), ends, strict=False)]


def framed(data: Data) -> Frame:
    """The same as a data frame."""
    x, y = data
    return pd.DataFrame(x, columns=[f"x{i}" for i in range(x.shape[1])]), y


def words(m: int = 10_000) -> Frame:
    """A data frame of five columns of words and five of numbers, and a label of words."""
    rng = np.random.default_rng(0)
    colours = np.array(["red", "green", "blue", "black", "white", "grey"])
    named = colours[rng.integers(0, 6, (m, 5))]
    x = rng.normal(size=(m, 5))
    frame = pd.DataFrame({f"w{i}": named[:, i] for i in range(5)})
    for i in range(5):
        frame[f"x{i}"] = x[:, i]
    yes = (named[:, 0] == named[:, 1]) | (x[:, 0] + rng.normal(size=m) > 1)
    return frame, np.where(yes, "yes", "no")


def mixed(m: int) -> pd.DataFrame:
    """Fourteen columns of numbers as people write them, seven of words, and a label of words."""
    rng = np.random.default_rng(0)
    colours = np.array(["red", "green", "blue", "black", "white", "grey"])
    columns = {f"x{i}": rng.normal(size=m).round(6) for i in range(6)}
    columns |= {f"price{i}": (rng.random(m) * 1000).round(2) for i in range(3)}
    columns |= {f"n{i}": rng.integers(0, 100 * 10**i, m) for i in range(5)}
    columns |= {f"w{i}": colours[rng.integers(0, 6, m)] for i in range(6)}
    columns["city"] = np.char.add("city ", rng.integers(0, 500, m).astype(str))
    return pd.DataFrame({**columns, "y": np.where(rng.random(m) < 0.5, "yes", "no")})


def written(m: int, *, quotes: bool = False) -> Path:
    """A CSV file of such rows, which is there until the benchmark ends."""
    path = Path(_FOLDER.name) / f"{m}{quotes}.csv"
    if not path.exists():
        how = csv.QUOTE_NONNUMERIC if quotes else csv.QUOTE_MINIMAL
        mixed(m).to_csv(path, index=False, quoting=how)
    return path


_FOLDER = tempfile.TemporaryDirectory(prefix="dtree-lab-bench-")


# -- what is done with them ----------------------------------------------------------------------


def growing(data: Data, criterion: str = "entropy") -> Runs:
    """Grow fully; tables and arrays are ready for both."""
    x, y = data
    table = table_of(x, y)
    peer = DecisionTreeClassifier(criterion=criterion, random_state=0)
    grower = dt.cart if criterion == "gini" else dt.id3
    return lambda: grower(table), lambda: peer.fit(x, y)


def weighted(data: Data) -> Runs:
    """CART on weighted rows, beside the same rows without weights."""
    table = table_of(*data)
    times = np.random.default_rng(0).integers(1, 5, len(table))
    heavy = replace(table, weights=times)
    return lambda: dt.cart(heavy), lambda: dt.cart(table)


def weighted_fit(data: Data) -> Runs:
    """CART on weighted rows, beside scikit-learn's."""
    x, y = data
    times = np.random.default_rng(0).integers(1, 5, len(y))
    heavy = replace(table_of(x, y), weights=times)
    peer = DecisionTreeClassifier(random_state=0)
    return lambda: dt.cart(heavy), lambda: peer.fit(x, y, sample_weight=times)


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


def building(m: int = 100_000) -> Runs:
    """A question asked and taken back in a tree builder, of rows that have an id, beside none."""
    rng = np.random.default_rng(0)
    x = {f"x{i}": rng.normal(size=m) for i in range(2)}
    words = {f"w{i}": rng.choice(list("abcdef"), m) for i in range(3)}
    names = {"id": [f"P{i:06d}" for i in range(m)]}
    y = {"y": np.where(x["x0"] + rng.normal(size=m) > 0, "yes", "no")}

    def acting(columns: dict[str, Any]) -> Callable[[], Any]:
        kinds = {"id": "discrete"} if "id" in columns else None
        lab = dt.TreeBuilder(dt.Table.from_columns({**columns, **y}, "y", kinds=kinds))

        def act() -> None:
            lab.act({"do": "best", "at": "root"})
            lab.act({"do": "undo"})

        return act

    return acting({**x, **words, **names}), acting({**x, **words})


def forest(data: Data, jobs: int) -> Runs:
    """A hundred trees by Gini, with the out-of-bag error."""
    x, y = data
    table = table_of(x, y)

    def peer() -> Any:
        grown = RandomForestClassifier(n_jobs=jobs, oob_score=True, random_state=0).fit(x, y)
        return grown.oob_score_

    return lambda: dt.random_forest(table, n_trees=100, n_jobs=jobs, seed=0).oob_error, peer


def forest_with_gaps(data: Data) -> Runs:
    """A hundred trees on rows with gaps, beside the same rows without."""
    with_gaps, whole = table_of(*gappy(data)), table_of(*data)
    return (
        lambda: dt.random_forest(with_gaps, n_trees=100, n_jobs=1).oob_error,
        lambda: dt.random_forest(whole, n_trees=100, n_jobs=1).oob_error,
    )


def forest_predicting(data: Callable[[int], Data], jobs: int) -> Runs:
    """Predict a hundred thousand rows with a hundred trees grown on ten thousand."""
    (x, y), (many, _) = parted(data, 10_000, 100_000)
    ours = ForestClassifier(n_jobs=jobs, random_state=0).fit(x, y)
    peer = RandomForestClassifier(n_jobs=jobs, random_state=0).fit(x, y)
    return lambda: ours.predict(many), lambda: peer.predict(many)


def validating() -> Runs:
    """Cross-validate a tree in ten folds, with two jobs."""
    x, y = noisy(10_000)
    table = table_of(x, y)

    def ours() -> Any:
        with parallel_config(n_jobs=2):
            return dt.evaluate.cross_validate(dt.cart, table, seed=0)

    peer = DecisionTreeClassifier(random_state=0)
    return ours, lambda: cross_val_score(peer, x, y, cv=10, n_jobs=2)


def boosting(data: Data) -> Runs:
    """Fifty rounds of AdaBoost over stumps by Gini."""
    x, y = data
    table = table_of(x, y)
    stump = DecisionTreeClassifier(max_depth=1)
    return (
        lambda: dt.adaboost(table, n_stumps=50, criterion="gini"),
        lambda: AdaBoostClassifier(stump, n_estimators=50, random_state=0).fit(x, y),
    )


def predicting(data: Callable[[int], Data]) -> Runs:
    """Predict a million rows, which are a table, with a tree grown on ten thousand."""
    (x, y), (many, labels) = parted(data, 10_000, 1_000_000)
    ours, peer = dt.id3(table_of(x, y)), DecisionTreeClassifier(criterion="entropy").fit(x, y)
    table = table_of(many, labels)
    return lambda: ours.predict(table), lambda: peer.predict(many)


def reading(m: int, *, quotes: bool = False) -> Runs:
    """A CSV file as a table; the peer makes a frame of it, and we a table of the frame."""
    path = written(m, quotes=quotes)
    return (
        lambda: dt.Table.read_csv(path, "y"),
        lambda: dt.Table.from_frame(pd.read_csv(path), "y"),
    )


def framing(m: int) -> Runs:
    """A frame with words as a table, beside pandas' own codes of the same words."""
    frame = mixed(m)
    named = [name for name in frame if frame[name].dtype.kind not in "if"]
    return (
        lambda: dt.Table.from_frame(frame, "y"),
        lambda: [frame[name].astype("category").cat.codes for name in named],
    )


def of_objects(frame: pd.DataFrame) -> dict[str, type]:
    """What makes Python's objects of a frame's words."""
    return {name: object for name in frame if frame[name].dtype.kind not in "if"}


def answering_frames(frame: pd.DataFrame | pl.DataFrame) -> Runs:
    """A tree's answers for a frame, beside those for the table of the same rows."""
    table = dt.Table.from_frame(frame, "y")
    tree = dt.cart(table.take(range(5_000)), max_depth=8)
    return lambda: tree.predict(frame), lambda: tree.predict(table)


def numbers_frame(m: int) -> pd.DataFrame:
    """A frame of numbers with a label of words."""
    frame, y = framed(noisy(m))
    return frame.assign(y=np.where(y, "yes", "no"))


def _tables() -> list[Case]:
    sizes = {"10": 10, "1,000": 1_000, "100,000": 100_000, "1,000,000": 1_000_000}
    return [
        *(
            Case(f"read_csv {name} x 22, beside pandas and from_frame", 2, lambda m=m: reading(m))
            for name, m in sizes.items()
        ),
        Case("read_csv 100,000 x 22, quoted words", 2, lambda: reading(100_000, quotes=True)),
        Case("from_frame 100,000 x 22, beside codes alone", 3, lambda: framing(100_000)),
        Case(
            "predict, frame of numbers 100,000 x 20, beside a table",
            3,
            lambda: answering_frames(numbers_frame(100_000)),
        ),
        Case(
            "predict, frame with words 100,000 x 21, beside a table",
            3,
            lambda: answering_frames(mixed(100_000)),
        ),
        Case(
            "predict, the same with words as objects",
            3,
            lambda: answering_frames(mixed(100_000).pipe(lambda f: f.astype(of_objects(f)))),
        ),
        Case(
            "predict, the same in polars",
            3,
            lambda: answering_frames(pl.from_pandas(mixed(100_000))),
        ),
    ]


# -- as users call the estimators -----------------------------------------------------------------


def fitting(data: Data | Frame) -> Runs:
    """`fit` of a fresh estimator, on an array or a data frame of numbers."""
    x, y = data
    return (
        lambda: TreeClassifier().fit(x, y),
        lambda: DecisionTreeClassifier(random_state=0).fit(x, y),
    )


def answering(data: Data | Frame, many: Data | Frame) -> Runs:
    """`predict` of estimators that were fitted on other rows."""
    ours, peer = TreeClassifier().fit(*data), DecisionTreeClassifier(random_state=0).fit(*data)
    return lambda: ours.predict(many[0]), lambda: peer.predict(many[0])


def fitting_many(data: Data, ours: Any, peer: Any) -> Runs:
    """`fit` of fresh ensembles."""
    return lambda: clone(ours).fit(*data), lambda: clone(peer).fit(*data)


def encoded(frame: pd.DataFrame) -> Any:
    """The peer for words: ordinal codes, which are quicker than one column for each word."""
    named = list(frame.columns[:5])
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    coded = make_column_transformer((encoder, named), remainder="passthrough")
    return make_pipeline(coded, DecisionTreeClassifier(random_state=0))


def fitting_words() -> Runs:
    """`fit` on a frame with words, as they are; the peer codes them first."""
    frame, y = words()
    return lambda: TreeClassifier().fit(frame, y), lambda: encoded(frame).fit(frame, y)


def answering_words() -> Runs:
    """`predict` for a frame with words."""
    frame, y = words()
    ours, peer = TreeClassifier().fit(frame, y), encoded(frame).fit(frame, y)
    return lambda: ours.predict(frame), lambda: peer.predict(frame)


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


def _forests() -> list[Case]:
    data = {
        "150 x 4 (iris)": iris,
        "1,000 x 20": lambda: noisy(1_000),
        "10,000 x 20": lambda: noisy(10_000),
        "10,000 x 20, signal": lambda: signal(10_000),
    }
    cases = [
        Case(f"forest 100 trees, {name}, {told}", goal, lambda d=d, j=j: forest(d(), j))
        for (name, d), goal in zip(data.items(), (0.6, 0.6, 0.8, 0.8), strict=True)
        for j, told in ((1, "one job"), (2, "two jobs"))
    ]
    name = "forest 100 trees, 10,000 x 20 with gaps"
    return [
        *cases,
        Case(f"{name}, one job", 0.8, lambda: forest(gappy(noisy(10_000)), 1)),
        Case(f"{name}, beside none", 1.5, lambda: forest_with_gaps(noisy(10_000))),
    ]


def _estimators() -> list[Case]:
    fits = {
        "iris": iris,
        "digits": digits,
        "10,000 x 20": lambda: noisy(10_000),
        "10,000 x 20, signal": lambda: signal(10_000),
    }
    cases = []
    for name, data in fits.items():
        kinds = {"array": data, "frame": lambda data=data: framed(data())}
        for kind, get in kinds.items():
            cases += [
                Case(f"fit, {kind}, {name}", 1.2, lambda g=get: fitting(g())),
                Case(f"predict, {kind}, {name}", 1.2, lambda g=get: answering(g(), g())),
            ]
    small = {
        "forest": (ForestClassifier(random_state=0), RandomForestClassifier(random_state=0)),
        "boosting": (
            AdaBoostStumpClassifier(),
            AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), random_state=0),
        ),
    }
    return [
        *cases,
        *(
            Case(f"fit, array, iris, {name}", 1.2, lambda p=pair: fitting_many(iris(), *p))
            for name, pair in small.items()
        ),
        Case("fit, frame with words, 10,000 x 10, peer with codes", 1.2, fitting_words),
        Case("predict, frame with words, 10,000 x 10", 1.2, answering_words),
        Case(
            "predict, array, 1,000,000 x 20",
            1.0,
            lambda: answering(*parted(noisy, 10_000, 1_000_000)),
        ),
        Case(
            "predict, array, 1,000,000 x 20, signal",
            1.0,
            lambda: answering(*parted(signal, 10_000, 1_000_000)),
        ),
    ]


CASES = (
    Case("iris 150 x 4, entropy", 1.0, lambda: growing(iris())),
    Case("digits 1,797 x 64, entropy", 1.0, lambda: growing(digits())),
    Case("10,000 x 20 continuous, two classes", 0.5, lambda: growing(noisy(10_000))),
    Case("10,000 x 20, signal", 0.5, lambda: growing(signal(10_000))),
    Case("100,000 x 20 continuous, two classes", 0.35, lambda: growing(noisy(100_000))),
    Case("100,000 x 20, signal", 0.35, lambda: growing(signal(100_000))),
    Case("CART by Gini, 10,000 x 20", 0.5, lambda: growing(noisy(10_000), "gini")),
    Case("CART by Gini, 10,000 x 20, signal", 0.5, lambda: growing(signal(10_000), "gini")),
    Case("CART by Gini, 100,000 x 20", 0.5, lambda: growing(noisy(100_000), "gini")),
    Case("CART by Gini, 100,000 x 20, signal", 0.5, lambda: growing(signal(100_000), "gini")),
    Case("200,000 x 15 integers of five values", 0.5, lambda: growing(five_values())),
    Case("weights 1 to 4, 10,000 x 20, beside none", 1.2, lambda: weighted(noisy(10_000))),
    Case("weights 1 to 4, integers, beside none", 1.2, lambda: weighted(five_values(50_000))),
    Case("weights 1 to 4, 10,000 x 20, CART", 0.5, lambda: weighted_fit(noisy(10_000))),
    Case("strings 100,000 x 10, ID3 against encoding and growing", 0.3, strings),
    Case("tree builder, 100,000 x 6 with an id, beside none", 1.5, building),
    Case("regression 10,000 x 20", 0.7, lambda: regression(10_000)),
    Case("regression 100,000 x 20", 0.7, lambda: regression(100_000)),
    *_forests(),
    Case("forest, predict 100,000 x 20, one job", 1.2, lambda: forest_predicting(noisy, 1)),
    Case("forest, predict 100,000 x 20, two jobs", 1.2, lambda: forest_predicting(noisy, 2)),
    Case("boosting 50 stumps, 10,000 x 20", 1.0, lambda: boosting(noisy(10_000))),
    Case("boosting 50 stumps, 10,000 x 20, signal", 1.0, lambda: boosting(signal(10_000))),
    Case("cross-validation, CART 10,000 x 20, ten folds, two jobs", 1.0, validating),
    Case("predict 1,000,000 x 20", 1.0, lambda: predicting(noisy)),
    Case("predict 1,000,000 x 20, signal", 1.0, lambda: predicting(signal)),
    *_tables(),
    *_estimators(),
    Case("reduced-error pruning of a 10,000-node tree on 50,000 rows", None, reducing),
    Case("cost-complexity path, tree of 10,000 nodes", 1.0, lambda: path(38_000)),
    Case("cost-complexity, growing and path, 20,000 x 20", 1.0, lambda: growing_and_path(20_000)),
)
