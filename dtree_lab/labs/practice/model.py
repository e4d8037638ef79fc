"""A typed practice: the exercise, what was typed, what an action does, and all of it as a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from dtree_lab.base.text import listing, value
from dtree_lab.draw.measure import shortened
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Press, Set, whole_number
from dtree_lab.labs.kit.settings import Settings, UnfitError, choice, remembered
from dtree_lab.labs.kit.taking import classified
from dtree_lab.labs.practice import mistakes
from dtree_lab.labs.practice.exercise import (
    NAME,
    At,
    GainExercise,
    PracticeNode,
    named,
    next_exercise,
    nodes_of,
    practice_node,
)
from dtree_lab.labs.practice.mistakes import (
    TOLERANCE,
    NumberMistake,
    NumberVerdict,
    TypedNumber,
    judge,
    near_enough,
    read_number,
)
from dtree_lab.table.table import Table


class Score(NamedTuple):
    """How far an exercise is: fields that were filled in rightly, all fields, and those shown."""

    right: int
    total: int
    shown: int


def _by_place(names: Iterable[str]) -> dict[str, str]:
    return {str(i): name for i, name in enumerate(names)}


def _chosen(value: object, of: int) -> int:
    """The place of an option; its key is its place as text."""
    place = int(value) if isinstance(value, str) and value.isdecimal() else value
    return whole_number(place, 0, of - 1, "The choice")


def _can_be_shown(state: State, keys: list[Any]) -> frozenset[str]:
    fields, typed = state.exercise.fields, state.typed
    if not all(isinstance(key, str) and key in fields and key not in typed for key in keys):
        raise UnfitError
    return frozenset(keys)


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one."""

    table: Table
    nodes: tuple[PracticeNode, ...]  # those to choose from
    exercise: GainExercise
    node = choice(
        lambda state: _by_place(f"{n.brief or 'All rows'} ({len(n.rows):,})" for n in state.nodes),
        "Rows",
        kinds=(list,),
        key="at",
        control="node",
        trait="at",
        as_text=True,
        check=lambda state, value: state.nodes[_chosen(value, len(state.nodes))],
    )
    attribute = choice(
        lambda state: _by_place(shortened(value(name), NAME) for name in state.offered),
        "Attribute",
        as_text=True,
        check=lambda state, value: state.offered[_chosen(value, len(state.offered))],
    )
    seed: int = remembered(int, default=0)
    number: int = remembered(int, fits=lambda _, number: number >= 0, default=0)
    # By the key of its field; fields that were left empty are not in it.
    typed: Mapping[str, str] = field(default_factory=dict)
    entered = remembered(dict, key="typed", trait="typed")
    # The fields that were shown instead.
    shown: frozenset[str] = remembered(list, default=frozenset(), check=_can_be_shown)
    last: str | None = None  # the field that was typed last
    status: str = ""

    @property
    def offered(self) -> list[str]:
        """The attributes to choose from at the node, and the one that was asked for."""
        names, asked = self.exercise.node.offered, self.exercise.attribute
        return names if asked in names else [*names, asked]

    @cached_property
    def verdicts(self) -> dict[str, NumberVerdict]:
        """What is said of each field that something was typed in."""
        numbers = {key: read_number(text) for key, text in self.typed.items()}
        known = {key: one.value for key, one in numbers.items() if isinstance(one, TypedNumber)}
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


def followed(exercise: GainExercise, key: str, known: Mapping[str, float]) -> list[NumberMistake]:
    """What H(Y|X) or the gain comes to with the numbers of the other fields, if these are wrong."""
    parts = range(len(exercise.branches))
    if key == "left":
        used = [f"{letter} {i}" for letter in "ph" for i in parts]
    else:
        used = ["before", "left"] if key == "gain" else []
    if not used or any(one not in known for one in used):
        return []
    if all(near_enough(known[one], exercise.fields[one].right, TOLERANCE) for one in used):
        return []
    if key == "gain":
        return [mistakes.FOLLOWS(known["before"] - known["left"])]
    return [mistakes.FOLLOWS(sum(known[f"p {i}"] * known[f"h {i}"] for i in parts))]


def start(table: Table, attribute: str | None = None, *, at: At = (), seed: int = 0) -> State:
    """The state before anything was typed."""
    table = classified(table)
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed={seed!r} must be a whole number, 0 or more")
    nodes = nodes_of(table)
    if not nodes:
        raise ValueError(f"nothing can be practised on this table: {PracticeNode(table).refusal}")
    node = practice_node(table, at) if len(at) else nodes[0]
    name = node.offered[0] if attribute is None else _offered(node, attribute)
    return State(table, with_node(nodes, node), GainExercise(node, name), seed)


def with_node(nodes: tuple[PracticeNode, ...], node: PracticeNode) -> tuple[PracticeNode, ...]:
    """The nodes to choose from, with one more if it is not among them."""
    return nodes if any(named(one) == named(node) for one in nodes) else (*nodes, node)


def _offered(node: PracticeNode, attribute: str) -> str:
    why = node.why_not(attribute)  # raises for what is no attribute, naming what there is
    if why is not None:
        msg = f"the gain cannot be practised: {why}; at these rows take {listing(node.offered)}"
        raise ValueError(msg)
    return attribute


# Longer texts are no number; the state should stay short.
_LONGEST = 40
# What is typed to have a field shown.
ASK = "?"


def update(state: State, action: Action) -> State:
    """The state after an action; one that cannot be done raises a ValueError that says why."""
    match action:
        case Set(key, str(text)) if key in state.exercise.fields:
            return _typed(state, key, text)
        case Set():
            return SETTINGS.set(state, action)
        case Press("show"):
            return _shown(state, state.current)
        case Press("next"):
            return _shown(state, state.current) if state.open else _new(state)
        case Press("new"):
            return _new(state)
        case Press("reset"):
            return _posed(state, state.exercise.node, state.exercise.attribute)
    raise SETTINGS.refusal(action)


def _at_node(state: State, node: PracticeNode) -> State:
    same = state.exercise.attribute in node.offered
    return _posed(state, node, state.exercise.attribute if same else node.offered[0])


def _posed(state: State, node: PracticeNode, attribute: str) -> State:
    exercise = GainExercise(node, attribute)
    return replace(
        state,
        exercise=exercise,
        typed={},
        shown=frozenset(),
        last=None,
        status=f"To work out: the gain of {exercise.label()}.",
    )


def _new(state: State) -> State:
    now = state.exercise.node, state.exercise.attribute
    node, attribute = next_exercise(state.nodes, state.seed, state.number, now)
    if (node, attribute) == now:
        raise NotPossibleError("There is no other exercise on this table.")
    return replace(_posed(state, node, attribute), number=state.number + 1)


def _typed(state: State, key: str, text: str) -> State:
    text, name = text.strip()[:_LONGEST], state.exercise.fields[key].name
    if key in state.shown:
        raise NotPossibleError(f"The {name} has been shown already; start over to fill it in.")
    if text == ASK:
        return _shown(state, key)
    others = {k: v for k, v in state.typed.items() if k != key}
    if not text:
        return replace(state, typed=others, last=key, status=f"Emptied: {name}.")
    after = replace(state, typed={**others, key: text}, last=key)
    return replace(after, status=f"{name}: {'right' if after.verdicts[key].right else 'not yet'}.")


def _shown(state: State, key: str | None) -> State:
    if key is None:
        raise NotPossibleError("Every field is right; there is nothing left to show.")
    asked = state.exercise.fields[key]
    typed = {k: v for k, v in state.typed.items() if k != key}
    status = f"Shown: {asked.name} is {asked.shown}."
    return replace(state, typed=typed, shown=state.shown | {key}, last=key, status=status)


def _moved(state: State, at: Any) -> State:
    if at == named(state.exercise.node):
        return state
    node = practice_node(state.table, at) if len(at) else state.nodes[0]
    return _at_node(replace(state, nodes=with_node(state.nodes, node)), node)


def _asking(state: State, attribute: str) -> State:
    now = state.exercise
    if attribute == now.attribute:
        return state
    return _posed(state, now.node, _offered(now.node, attribute))


def _typed_in(state: State, typed: dict[str, Any]) -> State:
    fields = state.exercise.fields.keys() - state.shown
    if not all(key in fields and isinstance(text, str) and text for key, text in typed.items()):
        raise UnfitError
    return replace(state, typed=typed)


SETTINGS = Settings(
    "Practice",
    State,
    sets={
        "node": _at_node,
        "attribute": lambda state, name: _posed(state, state.exercise.node, name),
    },
    shows={
        "node": lambda state: str([*map(named, state.nodes)].index(named(state.exercise.node))),
        "attribute": lambda state: str(state.offered.index(state.exercise.attribute)),
    },
    tells={
        "node": lambda state: named(state.exercise.node),
        "attribute": lambda state: state.exercise.attribute,
        "entered": lambda state: dict(state.typed),
        "shown": lambda state: [key for key in state.exercise.fields if key in state.shown],
    },
    loads={"node": _moved, "attribute": _asking, "entered": _typed_in},
    begun=["seed"],
    unknown="Type into a field, choose rows and an attribute, or ask for a new exercise.",
    damaged="does not fit the exercise",
)
dump = SETTINGS.dump


def load(text: str, table: Table) -> State:
    """The state of a text."""
    return SETTINGS.load(
        text,
        table,
        lambda data: start(table, data["attribute"], at=data["node"], seed=data["seed"]),
    )
