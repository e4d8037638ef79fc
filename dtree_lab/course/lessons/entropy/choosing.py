"""A gain on paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Mistake
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Do, Done, Goal
from dtree_lab.datasets import tax_fraud
from dtree_lab.labs.kit.actions import Set
from dtree_lab.labs.practice.exercise import named
from dtree_lab.labs.practice.model import State, dump, load, start, update

Outcomes: TypeAlias = tuple[Outcome, ...]

ATTRIBUTE, NODE = "Marital Status", {"Refund": "No"}


def _begun() -> State:
    return start(tax_fraud(), ATTRIBUTE, at=NODE)


def _same(state: State) -> bool:
    mine, asked = state.exercise, _begun().exercise
    return mine.attribute == ATTRIBUTE and named(mine.node) == named(asked.node)


def _right(state: State, *kinds: str) -> tuple[int, int]:
    """How many fields of some kinds were typed in rightly, and how many there are."""
    keys = [key for key in _begun().exercise.fields if key.split()[0] in kinds]
    verdicts = state.verdicts if _same(state) else {}
    return sum(key in verdicts and verdicts[key].right for key in keys), len(keys)


def _fields(said: str, *kinds: str) -> Goal[State]:
    def met(state: State) -> bool:
        right, of = _right(state, *kinds)
        return right == of

    def says(state: State) -> str:
        right, of = _right(state, *kinds)
        shown = [key for key in state.shown if key.split()[0] in kinds] if _same(state) else []
        return f"{said}: {right} of {of} right" + (f", {len(shown)} shown" if shown else "")

    return Goal(met, says, "all of them, filled in by you,")


def _filled(changes: Mapping[str, str], attribute: str = ATTRIBUTE) -> str:
    """The lab's state with every field filled in, some of them in another way."""
    state = start(tax_fraud(), attribute, at=NODE)
    for key, field in state.exercise.fields.items():
        text = changes.get(key, field.shown)
        state = update(state, Set(key, text)) if text else state
    return dump(state)


def _when(holds: Callable[[State], bool]) -> Callable[[Outcomes], tuple[int, ...]]:
    """Recognises a sheet with some property, in the goals that it does not meet."""

    def recognise(outcomes: Outcomes) -> tuple[int, ...]:
        done = outcomes[0].value
        if not isinstance(done, Done) or not holds(done.value):
            return ()
        return tuple(i for i, goal in enumerate(_GOALS) if not goal.met(done.value))

    return recognise


def _empty(state: State) -> bool:
    return not state.shown and len(state.typed) < len(state.exercise.fields)


def _has(*names: str) -> Callable[[State], bool]:
    """Whether a field was marked with one of some kinds of mistakes."""
    return lambda state: any(one.name in names for one in state.verdicts.values())


_GOALS = (
    _fields("counts and fractions", "n", "p"),
    _fields("entropies of the branches", "h"),
    _fields("H(Y), H(Y|X) and the gain", "before", "left", "gain"),
)

PRACTICE = page(__file__, "practice").exercise(
    Do(
        lambda text: load(text, tax_fraud()),
        _GOALS,
        blank=lambda state: not state.typed and not state.shown,
    ),
    seen={
        "another sheet": Mistake(
            _filled({}, "Taxable Income"),
            when=_when(lambda state: not _same(state)),
        ),
        "shown": Mistake(
            _filled({"gain": "?"}),
            when=_when(lambda state: _same(state) and bool(state.shown)),
        ),
        "empty": Mistake(
            _filled({"left": "", "gain": ""}),
            when=_when(lambda state: _same(state) and _empty(state)),
        ),
        "nats": Mistake(
            _filled({"h 0": "0.637", "before": "0.683"}),
            when=_when(_has("natural logarithm")),
        ),
        "unweighted": Mistake(
            _filled({"left": "0.306"}),
            when=_when(_has("unweighted mean")),
        ),
        "the whole table": Mistake(
            _filled({"p 0": "3/10", "p 1": "3/10", "p 2": "1/10"}),
            when=_when(_has("share of the whole table")),
        ),
    },
)
