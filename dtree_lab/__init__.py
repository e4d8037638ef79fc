"""Decision trees to learn and to teach with: grow them by hand, step by step, or at once.

>>> import dtree_lab as dt
>>> table = dt.datasets.tax_fraud()
>>> tree = dt.id3(table)
>>> tree.predict({"Refund": "No", "Marital Status": "Single", "Taxable Income": 85})
'Yes'

Everything is loaded when it is first used, so that ``import dtree_lab`` costs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dtree_lab import corpus as corpus
    from dtree_lab import datasets as datasets
    from dtree_lab import draw as draw
    from dtree_lab import evaluate as evaluate
    from dtree_lab import images as images
    from dtree_lab import populations as populations
    from dtree_lab import prune as prune
    from dtree_lab import theory as theory
    from dtree_lab.criteria import entropy as entropy
    from dtree_lab.criteria import gini as gini
    from dtree_lab.doubts import TableWarning as TableWarning
    from dtree_lab.learn.api import by_hand as by_hand
    from dtree_lab.learn.api import c45 as c45
    from dtree_lab.learn.api import cart as cart
    from dtree_lab.learn.api import id3 as id3
    from dtree_lab.learn.api import stump as stump
    from dtree_lab.learn.bagging import bagged as bagged
    from dtree_lab.learn.boost.api import adaboost as adaboost
    from dtree_lab.learn.boost.training import train_detector as train_detector
    from dtree_lab.learn.compare import compare as compare
    from dtree_lab.learn.compare import conditional_entropy as conditional_entropy
    from dtree_lab.learn.compare import gain_ratio as gain_ratio
    from dtree_lab.learn.compare import information_gain as information_gain
    from dtree_lab.learn.continuous.gaussian import gaussian_thresholds as gaussian_thresholds
    from dtree_lab.learn.continuous.gaussian_tree import gaussian_tree as gaussian_tree
    from dtree_lab.learn.continuous.grouping import grouped as grouped
    from dtree_lab.learn.continuous.intervals import discretised as discretised
    from dtree_lab.learn.continuous.intervals import intervals as intervals
    from dtree_lab.learn.continuous.reduction import binary_features as binary_features
    from dtree_lab.learn.continuous.reduction import reduction as reduction
    from dtree_lab.learn.continuous.repeated import repeated as repeated
    from dtree_lab.learn.continuous.thresholds import naive_search as naive_search
    from dtree_lab.learn.continuous.thresholds import sorted_search as sorted_search
    from dtree_lab.learn.differences import differences as differences
    from dtree_lab.learn.forest.api import random_forest as random_forest
    from dtree_lab.learn.forest.bag import bootstrap as bootstrap
    from dtree_lab.learn.forest.fill import fill_by_proximity as fill_by_proximity
    from dtree_lab.learn.forest.forest import Forest as Forest
    from dtree_lab.learn.narrate import steps as steps
    from dtree_lab.table import Attribute as Attribute
    from dtree_lab.table import Table as Table
    from dtree_lab.tree import Branch as Branch
    from dtree_lab.tree import Leaf as Leaf
    from dtree_lab.tree import Tree as Tree
    from dtree_lab.widgets.biasvariance.widget import BiasVarianceLab as BiasVarianceLab
    from dtree_lab.widgets.demo import demo as demo
    from dtree_lab.widgets.entropy.widget import EntropyLab as EntropyLab
    from dtree_lab.widgets.expressiveness.widget import ExpressivenessLab as ExpressivenessLab
    from dtree_lab.widgets.forest.widget import ForestLab as ForestLab
    from dtree_lab.widgets.plane.widget import PlaneLab as PlaneLab
    from dtree_lab.widgets.practice.widget import Practice as Practice
    from dtree_lab.widgets.pruning.widget import PruningLab as PruningLab
    from dtree_lab.widgets.stepthrough.widget import StepThrough as StepThrough
    from dtree_lab.widgets.threshold.widget import ThresholdLab as ThresholdLab
    from dtree_lab.widgets.treebuilder.widget import TreeBuilder as TreeBuilder

__version__ = "0.1.0"

_HOMES = {
    "doubts": ("TableWarning",),
    "table": ("Attribute", "Table"),
    "criteria": ("entropy", "gini"),
    "tree": ("Branch", "Leaf", "Tree"),
    "learn.api": ("by_hand", "c45", "cart", "id3", "stump"),
    "learn.bagging": ("bagged",),
    "learn.compare": ("compare", "conditional_entropy", "gain_ratio", "information_gain"),
    "learn.continuous.gaussian": ("gaussian_thresholds",),
    "learn.continuous.gaussian_tree": ("gaussian_tree",),
    "learn.continuous.grouping": ("grouped",),
    "learn.continuous.intervals": ("discretised", "intervals"),
    "learn.continuous.reduction": ("binary_features", "reduction"),
    "learn.continuous.repeated": ("repeated",),
    "learn.continuous.thresholds": ("naive_search", "sorted_search"),
    "learn.boost.api": ("adaboost",),
    "learn.boost.training": ("train_detector",),
    "learn.differences": ("differences",),
    "learn.forest.api": ("random_forest",),
    "learn.forest.bag": ("bootstrap",),
    "learn.forest.fill": ("fill_by_proximity",),
    "learn.forest.forest": ("Forest",),
    "learn.narrate": ("steps",),
    "widgets.biasvariance.widget": ("BiasVarianceLab",),
    "widgets.demo": ("demo",),
    "widgets.entropy.widget": ("EntropyLab",),
    "widgets.expressiveness.widget": ("ExpressivenessLab",),
    "widgets.forest.widget": ("ForestLab",),
    "widgets.plane.widget": ("PlaneLab",),
    "widgets.practice.widget": ("Practice",),
    "widgets.pruning.widget": ("PruningLab",),
    "widgets.stepthrough.widget": ("StepThrough",),
    "widgets.threshold.widget": ("ThresholdLab",),
    "widgets.treebuilder.widget": ("TreeBuilder",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}
_MODULES = (
    "corpus",
    "course",
    "datasets",
    "draw",
    "evaluate",
    "images",
    "populations",
    "prune",
    "theory",
)

__all__ = sorted([*_HOME, *_MODULES])  # noqa: PLE0605 - computed, so that it cannot lag behind


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name in _HOME:
        found = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
        globals()[name] = found  # the next look-up is an ordinary one
        return found
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


def __dir__() -> list[str]:
    return [*globals(), *__all__]


def _in_notebooks() -> None:
    """A notebook shows a sentence for a guess without quotes, from its first guess on."""
    running = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if running is not None:
        import_module(f"{__name__}.unquoted").watch(running)


_in_notebooks()
