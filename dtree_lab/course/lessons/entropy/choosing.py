"""A gain on paper, the least left in two tables, and what is useless alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
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

PRACTICE = Exercise(
    id="entropy/practice",
    title="A gain on paper",
    points=3,
    heading="on paper, at a node",
    text="""Here is a node of another tree: the seven tax returns without a refund. Work out what
*Marital Status* gains there. Fill in every field; a wrong one tells you what went wrong. To see a
number, type `?`, but a shown number does not count here.""",
    stub="""paper = dt.Practice(dt.datasets.tax_fraud(), "Marital Status", at={"Refund": "No"})
paper""",
    answer="paper",
    task=Do(
        lambda text: load(text, tax_fraud()),
        _GOALS,
        blank=lambda state: not state.typed and not state.shown,
    ),
    mistakes=(
        Mistake(
            _filled({}, "Taxable Income"),
            "That is another exercise of the same lab. Under *Rows* and *Attribute*, choose the"
            " rows where Refund is No, and Marital Status.",
            when=_when(lambda state: not _same(state)),
        ),
        Mistake(
            _filled({"gain": "?"}),
            "A number that was shown does not count here. Empty all fields and fill them in"
            " yourself; what you have seen you may of course remember.",
            when=_when(lambda state: _same(state) and bool(state.shown)),
        ),
        Mistake(
            _filled({"left": "", "gain": ""}),
            "Some fields are still empty. Go through them from top to bottom: each needs only what"
            " stands above it.",
            when=_when(lambda state: _same(state) and _empty(state)),
        ),
        Mistake(
            _filled({"h 0": "0.637", "before": "0.683"}),
            "An entropy is in nats: you took the natural logarithm, and bits take base 2.",
            when=_when(_has("natural logarithm")),
        ),
        Mistake(
            _filled({"left": "0.306"}),
            "The branches were averaged as if they were equally large. How many of the seven rows"
            " has each?",
            when=_when(_has("unweighted mean")),
        ),
        Mistake(
            _filled({"p 0": "3/10", "p 1": "3/10", "p 2": "1/10"}),
            "These are shares of the whole table. At this node there are seven rows, those without"
            " a refund.",
            when=_when(_has("share of the whole table")),
        ),
    ),
    more="Start with the seven rows beside the fields: sort them by Marital Status and count the"
    " labels of each heap. Every field that is not right names what went wrong when you leave it.",
    solution="paper = dt.Practice(dt.datasets.tax_fraud(), "
    '"Marital Status", at={"Refund": "No"})\n'
    "numbers = {\n"
    '    "n 0 0": "1", "n 0 1": "2", "p 0": "3/7", "h 0": "0.918",  # single\n'
    '    "n 1 0": "3", "n 1 1": "0", "p 1": "3/7", "h 1": "0",  # married\n'
    '    "n 2 0": "0", "n 2 1": "1", "p 2": "1/7", "h 2": "0",  # divorced\n'
    '    "before": "0.985", "left": "0.394", "gain": "0.592",\n'
    "}\n"
    "for field, text in numbers.items():\n"
    '    paper.act({"do": "set", "control": field, "value": text})  # as if typed\n'
    "paper",
    why="Two of the three heaps are pure, so only the single people leave something:"
    " 3/7 · 0.918 = 0.394. Before it was 4 to 3, or 0.985 bits. The gain is 0.592: more than half.",
)


_REASONS = ("1", "2", "3", "4")
