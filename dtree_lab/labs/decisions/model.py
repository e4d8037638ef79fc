"""The decision lab: what each threshold misses and costs on withheld rows, and its state."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.checks import is_real
from dtree_lab.base.text import number, plural
from dtree_lab.base.types import Floats
from dtree_lab.datasets import tax_returns
from dtree_lab.grow.api import cart
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Pick, Press, Select, Set
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.controls import label
from dtree_lab.labs.kit.measured import BEGUN, MeasuredTree, with_tree_loaded
from dtree_lab.labs.kit.settings import Settings, choice, remembered, slider
from dtree_lab.table.table import Table
from dtree_lab.tree.tree import Path, Tree

_MOST_PRICE, _MOST_THRESHOLDS, _MOST_GROUPS = 50, 3, 12


class DecisionData(MeasuredTree):
    """The tree, and what it says of the validation rows."""

    @cached_property
    def shares(self) -> Floats:
        """The share of each class where a row stops; shape ``(n_rows, n_classes)``."""
        return self.full.shares(self.validation)


def _classes(state: State) -> dict[str, str]:
    return {str(v): label(v) for v in state.data.full.classes}


def _groups(state: State) -> dict[str, str]:
    """The attributes of few values by their names, and none of them."""
    attributes = state.data.validation.attributes
    few = {a.name: label(a.name) for a in attributes if 1 < a.n_values <= _MOST_GROUPS}
    return {"": "nothing", **few}


def _thresholds(_: State, given: Any) -> tuple[float, ...]:
    few = isinstance(given, list | tuple) and 0 < len(given) <= _MOST_THRESHOLDS
    if not few or not all(is_real(x) and 0 <= x <= 1 for x in given):
        msg = f"must be one to three shares from 0 to 1, such as [0.5, 0.1]; got {given!r:.60}"
        raise ValueError(f"thresholds {msg}")
    return tuple(map(float, given))


def _node(state: State, at: Any) -> Path:
    is_path = all(type(branch) is int for branch in at)
    if not is_path or node_at(state.data.full.root, tuple(at)) is None:
        raise NotPossibleError(f"There is no node at {list(at)}.")
    return tuple(at)


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the lab is; `start` makes the first one."""

    data: DecisionData
    validation = remembered(str, trait="validation_sum")
    seed = remembered(int)
    questions = remembered(list, default=[], optional=True)
    positive: str = choice(
        _classes, "Look for", words="positive={value!r:.60} must be one of {known:.200}"
    )
    alarm: int = slider(1, _MOST_PRICE, "Price of a false alarm", default=1)
    miss: int = slider(1, _MOST_PRICE, "Price of a miss", default=9)
    thresholds: tuple[float, ...] = remembered(list, default=(0.5, 0.3, 0.05), check=_thresholds)
    # Which threshold is in hand, from 0.
    at: int = remembered(int, default=0, fits=lambda state, at: 0 <= at < len(state.thresholds))
    threshold = slider(0, 1, "Threshold", step=0.01, kinds=())
    # The threshold that was answered, for these prices.
    answer: float | None = remembered(
        *(int, float, type(None)),
        default=None,
        fits=lambda _, answer: answer is None or 0 <= answer <= 1,
    )
    group: str = choice(
        _groups, "Group by", default="", words="group={value!r:.60} must be one of {known:.200}"
    )
    # The group that was answered, by its place; -1 if it was only shown.
    hit: int | None = remembered(
        *(int, type(None)),
        default=None,
        fits=lambda state, hit: hit is None or -1 <= hit < len(by_group(state)),
    )
    selected: Path = remembered(list, default=(), check=_node)
    status: str = ""

    @property
    def code(self) -> int:
        """The class that is looked for, by its position."""
        return [*map(str, self.data.full.classes)].index(self.positive)

    @property
    def shares(self) -> Floats:
        """The share of that class for each validation row."""
        return self.data.shares[:, self.code]

    @property
    def hits(self) -> NDArray[np.bool_]:
        """Which validation rows are of it."""
        return np.equal(self.data.labels, self.code)

    @property
    def hand(self) -> float:
        """The threshold in hand."""
        return self.thresholds[self.at]

    @property
    def fair(self) -> float:
        """The threshold that follows from the prices: there both answers cost the same."""
        return self.alarm / (self.alarm + self.miss)

    @property
    def steps(self) -> list[float]:
        """From which thresholds on a decision is another, the first 0."""
        return [0.0, *np.unique(self.shares[self.shares > 0]).tolist()]

    @property
    def words(self) -> tuple[str, str]:
        """What is said above the threshold, and what else."""
        names = _classes(self)
        yes = names.pop(self.positive)
        return yes, next(iter(names.values())) if len(names) == 1 else f"not {yes}"

    def mistakes(self, threshold: float) -> tuple[int, int]:
        """Rows of the class that are missed, and false alarms."""
        above = self.shares > threshold
        return int((self.hits & ~above).sum()), int((above & ~self.hits).sum())

    def cost(self, threshold: float) -> int:
        """What these cost together."""
        missed, alarms = self.mistakes(threshold)
        return self.miss * missed + self.alarm * alarms


def by_group(state: State) -> list[tuple[str, int, int]]:
    """Each group with its false alarms, and its rows that can be any."""
    if not state.group:
        return []
    rows = state.data.validation
    column = rows.columns[rows.index(state.group)]
    groups = enumerate(rows.attribute(state.group).values or ())
    others = [(label(v), (column == code) & ~state.hits) for code, v in groups]
    above = state.shares > state.hand
    return [(v, int((above & who).sum()), int(who.sum())) for v, who in others if who.any()]


def start(
    table: Table | None = None,
    validation: Table | None = None,
    seed: int = 0,
    tree: Any = None,
    **settings: Any,
) -> State:
    """The state before anything was done; `settings` that are None are as usual."""
    if table is None:
        table = tax_returns(seed=1)
        validation = tax_returns(seed=2) if validation is None else validation
    data = DecisionData.of(table, validation, seed, tree, _grown)
    counts = data.training.counts()
    rarest = int(np.where(counts > 0, counts, counts.max()).argmin())
    state = State(data, str(data.full.classes[rarest]))
    for name, value in settings.items():
        if value is not None:
            state = SETTINGS.loaded(state, name, value)
    return state


def _grown(table: Table) -> Tree:
    """A small tree, with rows enough for a share at each leaf."""
    return cart(table, min_leaf=max(1, table.n_rows // 30), max_leaves=8)


def update(state: State, action: Action) -> State:
    """The state after an action; a `NotPossibleError` says why it cannot be done."""
    match action:
        case Set():
            return SETTINGS.set(state, action)
        case Press("answer") if state.answer is None:
            return replace(state, answer=state.hand, status="")
        case Press("next"):
            return _next(state)
        case Pick("thresholds", row) if 0 <= row < len(state.thresholds):
            return _moved(replace(state, at=row), state.thresholds[row])
        case Pick("groups", row) if 0 <= row < len(by_group(state)):
            return replace(state, hit=row, status="")
        case Select("tree", at):
            return replace(state, selected=_node(state, at), status="")
    raise SETTINGS.refusal(action)


def _next(state: State) -> State:
    """The next threshold; after the last the answer, and then whom it hits."""
    if state.at + 1 < len(state.thresholds):
        return _moved(replace(state, at=state.at + 1), state.thresholds[state.at + 1])
    if state.answer is None:
        return replace(state, answer=state.hand, status="")
    if state.group and state.hit is None:
        return replace(state, hit=-1, status="")
    raise NotPossibleError("All thresholds were seen: drag one, or change a price.")


def _moved(state: State, threshold: float) -> State:
    """With another threshold in hand."""
    thresholds = (*state.thresholds[: state.at], threshold, *state.thresholds[state.at + 1 :])
    after = replace(state, thresholds=thresholds)
    return replace(after, status=counts_in_words(after))


def counts_in_words(state: State) -> str:
    """What the threshold in hand gets wrong, and what that costs if it is known."""
    missed, alarms = state.mistakes(state.hand)
    cost = "" if state.answer is None else f", which cost {state.cost(state.hand):,}"
    return f"Above {number(state.hand)}: {missed:,} missed, {plural(alarms, 'false alarm')}{cost}."


SETTINGS = Settings(
    "DecisionLab",
    State,
    sets={
        "positive": lambda state, v: replace(state, positive=v, answer=None, hit=None, status=""),
        "alarm": lambda state, price: replace(state, alarm=price, answer=None, status=""),
        "miss": lambda state, price: replace(state, miss=price, answer=None, status=""),
        "threshold": _moved,
        "group": lambda state, group: replace(state, group=group, hit=None, status=""),
    },
    shows={"threshold": lambda state: state.hand},
    tells={
        **BEGUN,
        "thresholds": lambda state: list(state.thresholds),
        "selected": lambda state: list(state.selected),
    },
    loads={
        "thresholds": lambda state, given: replace(
            state, thresholds=_thresholds(state, given), at=min(state.at, len(given) - 1)
        )
    },
    begun=BEGUN,
    table=lambda state: state.data.given,
)


def load(text: str, table: Table | None = None, validation: Table | None = None) -> State:
    """The state of a text."""
    return with_tree_loaded(SETTINGS, text, lambda seed, tree: start(table, validation, seed, tree))
