"""Run scikit-learn's own tests of its trees, with our estimators in place of its own.

Nothing of them is copied: the installed module is imported with our classes under its names. Its
tests read the arrays of ``tree_``, so ours are read by those names (:class:`Renamed`); nodes are
numbered breadth first. Told are the tests that use one of our estimators: which pass, which fail
for a reason of ``OUT``, something that we leave out by choice, and which fail for no reason that is
known. Those make the run fail. (Extra trees, and what needs no tree, are scikit-learn's own.)

    python tools/peers/sklearn_tests.py [words for pytest's -k]
"""

from __future__ import annotations

import os
import re
import sys
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn
import sklearn.tree
from numpy.typing import NDArray

from dtree_lab.criteria.classes import CRITERIA
from dtree_lab.sklearn import TreeClassifier, TreeRegressor
from dtree_lab.tree.tree import Tree

MODULE = "sklearn/tree/tests/test_tree.py"

# What a failed test asks for that we leave out: why, and the test's name or what it says.
OUT = [
    ("sparse matrices", r"Sparse data was passed|public_apply_sparse|cs[cr]_(array|matrix)"),
    ("splits by chance", r"argument 'splitter'"),
    ("several outputs at once", r"y should be a 1d array|test_class_weight_errors"),
    ("other criteria of numbers", r"'(absolute_error|friedman_mse|poisson)'|friedman_mse_dep"),
    (
        "a gap goes to a side there; here the row rests (rpart's usesurrogate = 0)",
        r"test_(missing_value|regression_tree_missing_values)",
    ),
    ("numbers less than 1e-7 apart are one there", r"test_almost_constant_feature"),
    ("numbers beyond 32 bits are refused there", r"test_big_input"),
    ("how tree_ is made inside", r"n_outputs_|test_pickle|test_arrays_persist"),
    ("another error, or in other words", r"test_(min_sample_split_1_error|importances_raises)"),
]


class Renamed(Tree):
    """A tree of ours with scikit-learn's names for its arrays."""

    @classmethod
    def like(cls, tree: Tree) -> Renamed:
        """The same tree."""
        kept = {"criterion": tree.criterion, "weight_unit": tree.weight_unit}
        return cls(tree.attributes, tree.target, tree.flat, **kept)

    node_count = property(lambda self: self.n_nodes)
    max_depth = property(lambda self: self.depth)
    children_left = property(lambda self: np.where(self.flat.attr < 0, -1, self.flat.first))
    children_right = property(lambda self: np.where(self.flat.attr < 0, -1, self.flat.first + 1))
    feature = property(lambda self: np.where(self.flat.attr < 0, -2, self.flat.attr))
    # A test with weights reads the second; the first counts rows, which weigh 1 elsewhere.
    n_node_samples = property(lambda self: self.flat.counts.sum(axis=1) // self.weight_unit)
    weighted_n_node_samples = property(lambda self: self.flat.counts.sum(axis=1) / self.weight_unit)

    @property
    def threshold(self) -> NDArray[np.float64]:
        """What a node compares with; -2 at a leaf."""
        cuts = np.append(self.flat.cuts, -2.0)
        return cuts[np.where(self.flat.attr < 0, -1, self.flat.start)]

    @property
    def value(self) -> NDArray[np.float64]:
        """The shares of the classes, or the mean; shape ``(n_nodes, 1, n_classes)``."""
        answers = self.flat.values[:, :1]
        if self.target.values is not None:
            answers = self.flat.counts / self.flat.counts.sum(axis=1, keepdims=True)
        return answers[:, None]

    @property
    def impurity(self) -> NDArray[np.float64]:
        """How mixed each node is."""
        if self.target.values is None:
            return self.flat.values[:, 1]
        return CRITERIA[self.criterion].impurity(self.value[:, 0])

    def apply(self, data: Any) -> NDArray[Any]:
        """As ours, and of an array."""
        if isinstance(data, np.ndarray):
            return self.flat.apply(data.T.astype(float), self.attributes)
        return super().apply(data)


class Plugin:
    """Keeps what happens; knows which tests use ours."""

    def __init__(self) -> None:
        self.used = False
        self.ours: set[str] = set()
        self.reports: dict[str, pytest.TestReport] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Note whether the test makes one of ours."""
        self.used = False
        try:
            return (yield)
        finally:
            if self.used:
                self.ours.add(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep how it ended."""
        if report.when == "call" or report.outcome == "failed":
            self.reports[report.nodeid] = report


def stand_in(ours: type, name: str, plugin: Plugin) -> type:
    """Our estimator under scikit-learn's name, with its tree by scikit-learn's names."""

    def new(cls: type, *_: Any, **__: Any) -> Any:
        plugin.used = True
        return object.__new__(cls)

    grown = property(
        lambda self: vars(self)["tree_"],
        lambda self, tree: vars(self).update(tree_=Renamed.like(tree)),
    )
    # scikit-learn reads the parameters of a class from its own __init__.
    own = {"__new__": new, "tree_": grown, "__init__": ours.__init__, "__module__": __name__}
    return type(name, (ours,), own)


def reason(name: str, said: str) -> str:
    """Why a test may fail; nothing if that is not known."""
    return next((why for why, words in OUT if re.search(words, f"{name} {said}")), "")


def tell(plugin: Plugin) -> int:
    """Print what happened; 1 if a test fails and nobody knows why."""
    mine = {node: one for node, one in plugin.reports.items() if node in plugin.ours}
    failed = defaultdict(list)
    for node, one in mine.items():
        if one.outcome == "failed":
            name, said = node.split("::")[1], one.longrepr.reprcrash.message
            failed[reason(name, said)].append((name, said.partition("\n")[0]))
    passed = sum(one.outcome == "passed" for one in mine.values())
    print(f"scikit-learn {sklearn.__version__}, {MODULE}: {len(plugin.reports)} tests,")
    print(f"{len(mine)} of them use ours: {passed} pass.")
    unknown = failed.pop("", [])
    for why, tests in failed.items():
        names = sorted({name.partition("[")[0].removeprefix("test_") for name, _ in tests})
        print(f"{len(tests):4} left out by choice, {why}:\n       {', '.join(names)}")
    print(f"{len(unknown):4} fail, and it is not known why")
    for name, said in unknown:
        print(f"       {name}: {said}")
    return int(bool(unknown) or not passed)


def main(words: list[str]) -> int:
    """Run the tests; `words` choose among them, as after pytest's ``-k``."""
    plugin = Plugin()
    for ours in (TreeClassifier, TreeRegressor):
        name = f"Decision{ours.__name__}"
        globals()[name] = stand_in(ours, name, plugin)  # so that it can be pickled
        setattr(sklearn.tree, name, globals()[name])
    folder = Path(sklearn.__file__).parent
    place = [f"--rootdir={folder}", f"--confcutdir={folder}", "-c", os.devnull]
    quiet = ["-p", "no:terminal", "-p", "no:cacheprovider", "-W", "ignore"]
    chosen = ["-k", " ".join(words)] if words else []
    pytest.main([*place, *quiet, *chosen, str(folder.parent / MODULE)], [plugin])
    return tell(plugin)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
