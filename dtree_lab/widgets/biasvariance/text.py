"""The bias-variance lab's state as a short text that recreates it."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from dtree_lab.populations import Population
from dtree_lab.table import Table
from dtree_lab.widgets.biasvariance.state import start
from dtree_lab.widgets.kit.keeping import kept, settings

if TYPE_CHECKING:
    from dtree_lab.widgets.biasvariance.sources import Given
    from dtree_lab.widgets.biasvariance.state import State

LAB = "BiasVarianceLab"
_KINDS: dict[str, type | tuple[type, ...]] = {
    "source": str,
    "depth": int,
    "n_rows": int,
    "noise": (int, float, type(None)),
    "resamples": int,
    "bagging": bool,
    "method": str,
    "seed": int,
}


def dump(state: State) -> str:
    """The state as text."""
    table = state.given if isinstance(state.given, Table) else None
    return kept(LAB, table, asdict(state.asked))


def load(text: str, given: Given, own_rows: int = 0) -> State:
    """The state of a text; what it measured is measured again.

    Raises
    ------
    ValueError
        For a text that is no state, or one of another table or population.
    """
    table = given if isinstance(given, Table) else None
    data = settings(text, LAB, table, _KINDS)
    if (data["source"] == "own") != isinstance(given, Population):
        msg = (
            "this state is of a population of your own; give it once more, as population=…"
            if data["source"] == "own"
            else "this state is not of the population given; leave population= out"
        )
        raise ValueError(msg)
    return start(given, data, own_rows)
