"""The state of a typed practice: the exercise, and what was typed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from dtree_lab.shown import listing
from dtree_lab.widgets.kit.taking import classified
from dtree_lab.widgets.practice import kinds
from dtree_lab.widgets.practice.checking import TOLERANCE, Typed, close, judge, read
from dtree_lab.widgets.practice.choosing import At, named, node_at, nodes_of
from dtree_lab.widgets.practice.exercise import Exercise
from dtree_lab.widgets.practice.node import Node

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.table import Table
    from dtree_lab.widgets.practice.checking import Verdict
    from dtree_lab.widgets.practice.kinds import Mistake


class Score(NamedTuple):
    """How far an exercise is: fields that were filled in rightly, all fields, and those shown."""

    right: int
    total: int
    shown: int


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one.

    Attributes
    ----------
    nodes
        Those to choose from.
    seed, number
        From which the next exercise is drawn, and how many were drawn.
    typed
        What was typed, by the key of its field; fields that were left empty are not in it.
    shown
        The fields that were shown instead.
    last
        The field that was typed last; None at the beginning.
    """

    table: Table
    nodes: tuple[Node, ...]
    exercise: Exercise
    seed: int = 0
    number: int = 0
    typed: Mapping[str, str] = field(default_factory=dict)
    shown: frozenset[str] = frozenset()
    last: str | None = None
    status: str = ""

    @property
    def offered(self) -> list[str]:
        """The attributes to choose from at the node, and the one that was asked for."""
        names, asked = self.exercise.node.offered, self.exercise.attribute
        return names if asked in names else [*names, asked]

    @cached_property
    def verdicts(self) -> dict[str, Verdict]:
        """What is said of each field that something was typed in."""
        numbers = {key: read(text) for key, text in self.typed.items()}
        known = {key: one.value for key, one in numbers.items() if isinstance(one, Typed)}
        known |= {key: self.exercise.fields[key].right for key in self.shown}
        found = {}
        for key, text in self.typed.items():
            asked = self.exercise.fields[key]
            foreseen = [*asked.mistakes, *followed(self.exercise, key, known)]
            found[key] = judge(text, asked.right, foreseen, count=asked.count)
        return found

    @property
    def score(self) -> Score:
        """How far the exercise is."""
        right = sum(one.right for one in self.verdicts.values())
        return Score(right, len(self.exercise.fields), len(self.shown))

    @property
    def open(self) -> list[str]:
        """The fields that are not right yet, in their order."""
        done = {key for key, one in self.verdicts.items() if one.right} | self.shown
        return [key for key in self.exercise.fields if key not in done]

    @property
    def current(self) -> str | None:
        """The field to show on demand: the last one typed, or the next that is not right."""
        keys, open_ = list(self.exercise.fields), self.open
        if self.last is None or not open_:
            return open_[0] if open_ else None
        after = keys.index(self.last)
        return next((key for key in open_ if keys.index(key) >= after), open_[0])


def followed(exercise: Exercise, key: str, known: Mapping[str, float]) -> list[Mistake]:
    """What H(Y|X) or the gain comes to with the numbers of the other fields, if these are wrong."""
    parts = range(len(exercise.branches))
    if key == "left":
        used = [f"{letter} {i}" for letter in "ph" for i in parts]
    else:
        used = ["before", "left"] if key == "gain" else []
    if not used or any(one not in known for one in used):
        return []
    if all(close(known[one], exercise.fields[one].right, TOLERANCE) for one in used):
        return []
    if key == "gain":
        return [kinds.FOLLOWS(known["before"] - known["left"])]
    return [kinds.FOLLOWS(sum(known[f"p {i}"] * known[f"h {i}"] for i in parts))]


def start(table: Table, attribute: str | None = None, *, at: At = (), seed: int = 0) -> State:
    """The state before anything was typed.

    Raises
    ------
    ValueError
        For a table without discrete classes or at which nothing can be practised, a node or an
        attribute that cannot be, or a seed that is no whole number from 0 on.
    """
    table = classified(table)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        msg = f"seed={seed!r} must be a whole number, 0 or more"
        raise ValueError(msg)
    nodes = nodes_of(table)
    if not nodes:
        msg = f"nothing can be practised on this table: {Node(table).refusal}"
        raise ValueError(msg)
    root = not len(at)
    node = nodes[0] if root else node_at(table, at)
    exercise = Exercise(node, node.offered[0] if attribute is None else _offered(node, attribute))
    return State(table, with_node(nodes, node), exercise, seed)


def with_node(nodes: tuple[Node, ...], node: Node) -> tuple[Node, ...]:
    """The nodes to choose from, with one more if it is not among them."""
    return nodes if any(named(one) == named(node) for one in nodes) else (*nodes, node)


def _offered(node: Node, attribute: str) -> str:
    why = node.why_not(attribute)  # raises for what is no attribute, naming what there is
    if why is not None:
        msg = f"the gain cannot be practised: {why}; at these rows take {listing(node.offered)}"
        raise ValueError(msg)
    return attribute
