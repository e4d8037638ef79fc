"""The state of a threshold lab: everything that the widget is, frozen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from dtree_lab.datasets import tax_fraud
from dtree_lab.learn.continuous import gaussian
from dtree_lab.shown import listing
from dtree_lab.widgets.kit.taking import check_target, classified, empty, plain
from dtree_lab.widgets.threshold.curve import Curve, check_size, continuous

if TYPE_CHECKING:
    from dtree_lab.learn.continuous.bells import GaussianFit
    from dtree_lab.table import Table

Priors: TypeAlias = Literal["rows", "equal"]
# The logarithm of the largest tau that the slider reaches, to base 2.
MOST_TAU = 6.0


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one.

    Attributes
    ----------
    curve
        The rows along the chosen attribute.
    cut
        The threshold: below it, and at or above it.
    equal
        Whether all classes share one variance.
    priors
        The shares of the rows, or the same for each class.
    log_tau
        The base-2 logarithm of what the likelihood ratio is compared with; 0 unless there are two
        classes.
    status
        What to say of the last action.
    """

    curve: Curve
    cut: float
    equal: bool = False
    priors: Priors = "rows"
    log_tau: float = 0.0
    status: str = ""

    @property
    def fit(self) -> GaussianFit:
        """The bell curve of each class, and where the answer changes."""
        return _fitted(self.curve, equal=self.equal, priors=self.priors, log_tau=self.log_tau)

    @property
    def binary(self) -> bool:
        """Whether the target has two classes, so that there is a ratio to compare with tau."""
        return len(self.curve.counts) == 2  # noqa: PLR2004 - a ratio has two sides


@lru_cache(maxsize=16)
def _fitted(curve: Curve, *, equal: bool, priors: Priors, log_tau: float) -> GaussianFit:
    same = dict.fromkeys(curve.table.classes, 1.0) if priors == "equal" else None
    model = gaussian.Model(equal, 2.0**log_tau, same)
    return gaussian.fit(curve.table, curve.index, model)


def start(table: Table | None = None, attribute: str | None = None) -> State:
    """The state before anything was done: a cut in the middle.

    Raises
    ------
    ValueError
        For a table without classes or without a continuous attribute, and an attribute that is
        discrete, without values or not there.
    """
    table = plain(tax_fraud() if table is None else table)
    check_target(table)
    found = continuous(table)
    usual = next((i for i in found if i not in empty(table)), found[0])
    index = usual if attribute is None else table.index(attribute)
    if index not in found:
        names = listing(table.names[i] for i in found)
        msg = f"{attribute!r} is discrete, so it has no threshold; continuous here: {names}"
        raise ValueError(msg)
    return State(along(table, index), middle(along(table, index)))


@lru_cache(maxsize=8)
def along(table: Table, index: int) -> Curve:
    """The rows along an attribute, sorted once: those that have a value of it."""
    part = classified(table, [index])
    check_size(part, index)
    return Curve(part, index)


def middle(curve: Curve) -> float:
    """The midpoint with as many midpoints below it as above it; the one value if there is none."""
    midpoints = curve.midpoints
    return float(midpoints[(len(midpoints) - 1) // 2] if len(midpoints) else curve.values[0])
