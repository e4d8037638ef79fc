"""Estimators for scikit-learn: the trees of dtree_lab in pipelines, grid searches and scores.

They follow scikit-learn's conventions and use its names wherever the meaning is the same. What
they grow are ordinary trees and forests of this library: ``tree_``, ``forest_`` and ``boosted_``
are drawn where they are shown and explain themselves. A data frame is used as it is: columns of
text, categories or truth values are discrete, nothing has to be encoded. So is an array of
``dtype=object`` with words in it; of other arrays all columns are numbers.

``sample_weight`` is what each row weighs: a row that weighs n counts as n rows, exactly where
weights are whole numbers or few decimals, else on the grid of :meth:`dtree_lab.Table.from_columns`.

>>> import pandas as pd
>>> from dtree_lab.sklearn import TreeClassifier
>>> X = pd.DataFrame({"Refund": ["Yes", "No", "No", "No"], "Income": [125, 70, 95, 85]})
>>> model = TreeClassifier(algorithm="id3").fit(X, ["No", "No", "Yes", "Yes"])
>>> model.predict(pd.DataFrame({"Refund": ["No"], "Income": [90]}))
array(['Yes'], dtype='<U3')
"""

from __future__ import annotations

from dtree_lab.base.installing import install_command

try:
    # What is new in 1.6.
    from sklearn.utils.validation import (  # type: ignore[import-untyped]
        validate_data as _,  # noqa: F401
    )
except ImportError as error:
    command = install_command("sklearn")
    msg = f"dtree_lab.sklearn needs scikit-learn 1.6 or newer; install it with {command}"
    raise ImportError(msg) from error

from dtree_lab.sklearn.boosting import (
    AdaBoostStumpClassifier,
    GradientBoostedClassifier,
    GradientBoostedRegressor,
)
from dtree_lab.sklearn.exporting import number_columns
from dtree_lab.sklearn.forests import ForestClassifier, ForestRegressor
from dtree_lab.sklearn.trees import TreeClassifier, TreeRegressor

__all__ = [
    "AdaBoostStumpClassifier",
    "ForestClassifier",
    "ForestRegressor",
    "GradientBoostedClassifier",
    "GradientBoostedRegressor",
    "TreeClassifier",
    "TreeRegressor",
    "number_columns",
]
