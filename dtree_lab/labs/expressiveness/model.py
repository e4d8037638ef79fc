"""Functions of attributes, their trees, and what a person does with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import comb
from typing import Any

import numpy as np

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.text import plural, power, value
from dtree_lab.datasets import truth_table
from dtree_lab.grow.api import id3
from dtree_lab.labs.kit import actions as kit
from dtree_lab.labs.kit.cards import node_at
from dtree_lab.labs.kit.controls import label
from dtree_lab.labs.kit.inspecting import stopping_path
from dtree_lab.labs.kit.settings import Settings, choice, remembered, slider
from dtree_lab.labs.kit.taking import classified, row_number
from dtree_lab.table.table import Table, Value
from dtree_lab.theory.consistent import count_consistent
from dtree_lab.theory.counting import derived
from dtree_lab.tree.tree import Path, Tree

NONE, PARITY, SUM = "none", "parity", "sum"
_NAMES = {PARITY: "sum mod 2", SUM: "sum"}
# What stands for "true" among two values; otherwise the second one does.
_TRUE = ("t", "true", "yes", "y", "1", "on")
# A tree of more rows would take longer to grow than a person waits.
MOST_ROWS = 5_000


@dataclass(frozen=True)
class ConceptTree:
    """A table and the tree that ID3 grows on it."""

    table: Table
    tree: Tree

    @property
    def internal(self) -> int:
        """How many internal nodes: questions."""
        return self.tree.n_nodes - self.tree.n_leaves


@dataclass(frozen=True, eq=False)
class Concept:
    """A function of some attributes, given by a table."""

    table: Table
    left_out: int = 0

    @classmethod
    def of(cls, table: Table) -> Concept:
        """The function that a table shows."""
        rows = min(table.n_rows, MOST_ROWS)
        part = table if rows == table.n_rows else table.take(np.arange(rows))
        return cls(part, table.n_rows - rows)

    @cached_property
    def trues(self) -> dict[str, Value] | None:
        """Which value of each attribute counts as true; None when one has not two values."""
        found = {a.name: _true(self.table, i) for i, a in enumerate(self.table.attributes)}
        kept = {name: v for name, v in found.items() if v is not None}
        return kept if len(kept) == len(found) and kept else None

    @cached_property
    def _grown(self) -> dict[str, ConceptTree]:
        return {}

    def grown(self, feature: str = NONE) -> ConceptTree:
        """With a derived attribute, or without: ``"none"``, ``"parity"`` or ``"sum"``."""
        if feature not in self._grown:
            table = self.table if feature == NONE else self._with(feature)
            self._grown[feature] = ConceptTree(table, id3(table))
        return self._grown[feature]

    def name_of(self, feature: str) -> str:
        """What a derived attribute is called: a name that no column has."""
        name = _NAMES[feature]
        while name in (*self.table.names, self.table.target.name):
            name += "*"
        return name

    def _with(self, feature: str) -> Table:
        trues = self.trues or {}

        def value(row: Mapping[str, Any]) -> Any:
            n = sum(row[name] == true for name, true in trues.items())
            return float(n) if feature == SUM else str(n % 2)

        kind: Any = ("0", "1") if feature == PARITY else "continuous"
        return derived(self.table, self.name_of(feature), value, kind=kind)

    @cached_property
    def consistent(self) -> int:
        """How many trees say this function and stop as soon as the label is certain."""
        return count_consistent(self.table)

    @cached_property
    def longest(self) -> int:
        """The bytes of the longest name or value."""
        of = (*self.table.attributes, self.table.target)
        return max(len(value(text).encode()) for a in of for text in (a.name, *(a.values or ())))

    @cached_property
    def instances(self) -> int | None:
        """How many instances the attributes can describe; None where one has a free number."""
        total = 1
        for attribute, column in zip(self.table.attributes, self.table.columns, strict=True):
            values = attribute.n_values if attribute.values else len(np.unique(column))
            if attribute.values is None and values > 2:  # noqa: PLR2004 - not 0 and 1
                return None
            total *= values
        return total

    @cached_property
    def seen(self) -> tuple[int, int]:
        """How many different instances the rows show, and how many of these with two labels."""
        columns = [c.astype(np.float64) for c in self.table.columns]
        labels = self.table.labels.astype(np.float64)
        both = np.unique(np.stack([*columns, labels]), axis=1)
        if not columns:
            return 1, int(both.shape[1] > 1)
        _, labels_of_each = np.unique(both[:-1], axis=1, return_counts=True)
        return len(labels_of_each), int((labels_of_each > 1).sum())


def _true(table: Table, i: int) -> Value | None:
    """The value of a two-valued attribute that counts as true, or None."""
    attribute = table.attributes[i]
    values: tuple[Value, ...] = attribute.values or tuple(np.unique(table.columns[i]).tolist())
    if len(values) != 2:  # noqa: PLR2004 - not binary
        return None
    return values[0] if str(values[0]).lower() in _TRUE else values[1]


@lru_cache(maxsize=64)
def known_function(function: Any, n: int) -> Concept:
    """A function of n binary attributes, by its name."""
    return Concept(truth_table(function, n))


FUNCTIONS = {
    "or": "OR: any is T",
    "and": "AND: all are T",
    "xor": "XOR: an odd number is T (odd parity)",
    "majority": "majority: more than half are T",
}
LAWS = {
    "or": "n",
    "and": "n",
    "xor": f"{power(2, 'n')}\u00a0-\u00a01",
    "majority": "C(n + 1, ⌊n/2⌋ + 1) - 1",
}
MOST_N = 8


def fewest(function: str, n: int) -> int:
    """The fewest internal nodes.

    OR is known as soon as one T is met, AND with the first F. XOR is never known before the last
    attribute. A majority is known at the k-th T, k being ⌊n/2⌋ + 1, or at the F that makes k
    impossible: there are C(n + 1, k) such ways to the end, and a binary tree with so many leaves
    has one internal node fewer.
    """
    if function == "xor":
        return int(2**n - 1)
    return n if function != "majority" else comb(n + 1, n // 2 + 1) - 1


def worked(function: str, n: int) -> str:
    """The law with n filled in: ``2³ - 1 = 7``."""
    found = fewest(function, n)
    match function:
        case "xor":
            return f"{power(2, n)}\u00a0-\u00a01 = {found}"
        case "majority":
            return f"C({n + 1}, {n // 2 + 1}) - 1 = {found}"
    return f"n = {found}"


OWN, MOST_LISTED = "own", 64


def functions(state: State) -> dict[str, str]:
    """What can be looked at, in words."""
    if state.given is None:
        return FUNCTIONS
    return {OWN: f"the given table: {label(state.given[0].target.name)}", **FUNCTIONS}


def _features(state: State) -> dict[str, str]:
    concept = state.concept
    return {
        NONE: "none",
        PARITY: f"{label(concept.name_of(PARITY))}: 1 if an odd number is true",
        SUM: f"{label(concept.name_of(SUM))}: how many are true",
    }


def _listed(state: State, row: int | None) -> int | None:
    """A row of the list, counted from 0."""
    if row is not None and not 0 <= row < min(state.concept.table.n_rows, MOST_LISTED):
        raise kit.NotPossibleError(f"There is no row {row + 1} in the list.")
    return row


def _node(state: State, at: Path) -> Path:
    if node_at(state.grown.tree.root, at) is None:
        raise kit.NotPossibleError(f"There is no node at {list(at)[:20]}.")
    return at


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one.

    `given` is the table that was handed in and the function it shows; `begun` what starting over
    returns to.
    """

    given: tuple[Table, Concept] | None
    function: str = choice(functions, "Function")
    n: int = slider(1, MOST_N, "n, how many attributes", what="n")
    begun: tuple[str, int] = remembered(list)
    feature: str = choice(_features, "Derived attribute", default=NONE)
    scale: str = choice({"log": "logarithmic", "plain": "plain"}, "Scale", default="log")
    selected: Path = remembered(
        str, default=(), check=lambda state, id_: _node(state, kit.path_of(id_))
    )
    row: int | None = remembered(int, type(None), default=None, check=_listed)
    status: str = ""

    @property
    def concept(self) -> Concept:
        """The function that is looked at."""
        if self.function == OWN and self.given is not None:
            return self.given[1]
        return known_function(self.function, self.n)

    @property
    def grown(self) -> ConceptTree:
        """The table with the derived attribute, and its tree."""
        return self.concept.grown(self.feature)

    @property
    def table(self) -> Table | None:
        """The table that was handed in."""
        return None if self.given is None else self.given[0]


def start(table: Table | None = None, *, n: int = 3, function: str = "xor") -> State:
    """The state before anything was done."""
    n = checked_whole("n", n, 1, MOST_N)
    if function not in FUNCTIONS:
        raise ValueError(f"function={function!r} must be one of {', '.join(map(repr, FUNCTIONS))}")
    if table is None:
        return State(None, function, n, (function, n))
    table = classified(table)
    return State((table, Concept.of(table)), OWN, n, (OWN, n))


def update(state: State, action: kit.Action) -> State:
    """The state after an action; a `NotPossibleError` says why it cannot be done."""
    match action:
        case kit.Set():
            return SETTINGS.set(state, action)
        case kit.Select("tree", at):
            return replace(state, selected=_node(state, at), status="")
        case kit.Pick("rows", row):
            return _followed(state, row)
        case kit.Press("next"):
            return _next(state)
        case kit.Press("reset"):
            function, n = state.begun
            return replace(State(state.given, function, n, state.begun), status="Started over.")
    raise SETTINGS.refusal(action)


def _anew(state: State) -> State:
    """Without what belongs to another table."""
    return replace(state, selected=(), row=None)


def _told(state: State) -> State:
    """With the size of the new tree as what changed."""
    grown = state.grown
    size = f"{plural(grown.internal, 'internal node')}, {plural(grown.tree.n_nodes, 'node')} in all"
    return replace(state, status=f"ID3's tree has {size}.")


def _sized(state: State, n: int) -> State:
    if state.function == OWN:
        msg = "The given table has the attributes that it has: choose a function to change n."
        raise kit.NotPossibleError(msg)
    return _told(_anew(replace(state, n=n)))


def _another(state: State) -> State:
    """With another function, and the derived attribute that was chosen, where it can be had."""
    if state.feature == NONE or state.concept.trues is not None:
        return _compared(state)
    without = _told(replace(state, feature=NONE))
    missing = "No derived attribute here: a sum needs attributes of two values each."
    return replace(without, status=f"{without.status} {missing}")


def _derived(state: State, feature: str) -> State:
    if feature != NONE and state.concept.trues is None:
        msg = "A sum needs attributes of two values each; this table has others too."
        raise kit.NotPossibleError(msg)
    return _compared(replace(state, feature=feature, selected=()))


def _compared(state: State) -> State:
    """With what the derived attribute does to the tree, if there is one, as what changed."""
    if state.feature == NONE:
        return _told(state)
    before, now = state.concept.grown().internal, state.grown.internal
    name = state.concept.name_of(state.feature)
    beside = ", as without it" if now == before else f" instead of {before}"
    return replace(state, status=f"With {name}: {plural(now, 'internal node')}{beside}.")


def _followed(state: State, row: int) -> State:
    """A row's way through the tree; the same row once more: no way."""
    if _listed(state, row) == state.row:
        return replace(state, row=None, status="")
    at = way(state, row)
    status = f"Row {row_number(state.concept.table, row)} meets {plural(len(at), 'question')}."
    return replace(state, row=row, selected=at, status=status)


def way(state: State, row: int) -> Path:
    """The path of a row's leaf."""
    return stopping_path(state.grown.tree, state.grown.table, row)


def _next(state: State) -> State:
    """The derived attribute; then one attribute more, without it."""
    if state.feature == NONE and state.concept.trues is not None:
        return _derived(state, PARITY)
    if state.function == OWN:
        msg = "That is all there is to this table: choose a function, or start over."
        raise kit.NotPossibleError(msg)
    if state.n == MOST_N:
        raise kit.NotPossibleError(
            f"n goes up to {MOST_N}. Choose another function, or start over."
        )
    return _told(_anew(replace(state, n=state.n + 1, feature=NONE)))


SETTINGS = Settings(
    "ExpressivenessLab",
    State,
    sets={
        "function": lambda state, name: _another(_anew(replace(state, function=name))),
        "n": _sized,
        "feature": _derived,
    },
    tells={
        "begun": lambda state: list(state.begun),
        "selected": lambda state: kit.node_id(state.selected),
    },
    loads={"n": lambda state, n: replace(state, n=checked_whole("n", n, 1, MOST_N))},
    begun=["begun"],
    by_hand=["feature"],
    unknown="Nothing here does this: {short}",
)

dump = SETTINGS.dump


def load(text: str, table: Table | None = None) -> State:
    """The state of a text; a ValueError says why it is none."""

    def begin(data: dict[str, Any]) -> State:
        match data["begun"]:
            case [str(function), int(n)] if function in FUNCTIONS or (function == OWN and table):
                return start(table, n=n, function=function if function in FUNCTIONS else "xor")
        raise ValueError("the state is damaged: it does not say how it began")

    return SETTINGS.load(text, table, begin)
