"""What the browser shows of a typed practice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.draw.measure import shortened
from dtree_lab.shown import plural, value
from dtree_lab.widgets.kit.controls import Button, Choice, Field
from dtree_lab.widgets.kit.leftout import notes
from dtree_lab.widgets.kit.parts import Controls, Grid, View, Words
from dtree_lab.widgets.practice.beside import example_for, rows_of, said_of
from dtree_lab.widgets.practice.checking import TOLERANCE
from dtree_lab.widgets.practice.node import MOST_CLASSES, MOST_ROWS, MOST_VALUES, NAME

if TYPE_CHECKING:
    from dtree_lab.widgets.practice.exercise import Exercise
    from dtree_lab.widgets.practice.node import Node
    from dtree_lab.widgets.practice.state import State

# How wide the name on a button may be, and how many counts may stand in one line.
_SHOW = 34
_MOST_COUNTS = 40
_HOW = (
    "Fractions as 3/10 or 0.3, entropies in bits with three decimals. Counts must be exact, all"
    f" else is right within {TOLERANCE:g}. To see a number, type ? in its field."
)
_WHEN = ("before asking", "after asking", "the difference")


def view(state: State) -> View:
    """Everything that is shown."""
    few = state.table.target.n_values <= MOST_CLASSES
    return View(
        title=f"Work out the gain of {state.exercise.question}",
        parts=[
            *notes(state.table),
            _choices(state),
            Words("task", _task(state.exercise)),
            _branches(state),
            _together(state),
            _buttons(state),
            # Beside the fields, where there is room, else beneath them: before all that is long.
            said_of(state),
            rows_of(state.exercise),
            example_for(state.exercise),
        ],
        target=state.table.target if few else None,
    )


# -- what is to be done ----------------------------------------------------------------------------


def _choices(state: State) -> Controls:
    node, nodes = state.exercise.node, state.nodes
    here = next(i for i, one in enumerate(nodes) if one.said == node.said)
    places = [(str(i), _node_name(one)) for i, one in enumerate(nodes)]
    names = state.offered
    offered = [(str(i), shortened(value(name), NAME)) for i, name in enumerate(names)]
    asked = str(names.index(state.exercise.attribute))
    return Controls(
        "exercise",
        "Exercise",
        [
            Choice("node", "Rows", str(here), places),
            Choice("attribute", "Attribute", asked, offered),
        ],
    )


def _node_name(node: Node) -> str:
    return f"{node.brief or 'All rows'} ({len(node.rows):,})"


def _task(exercise: Exercise) -> list[str]:
    rows, target = plural(len(exercise.node.rows), "row"), exercise.target
    given = "" if exercise.counting else f" {_why_given(exercise)}"
    left_out = [name for name, why in exercise.node.refusals.items() if why and "values" in why]
    lines = [
        f"How much does asking {exercise.question} tell about {target}, among these {rows}?{given}",
        _HOW,
    ]
    more = len(exercise.node.table.attributes) - len(exercise.node.refusals)
    if more:
        lines.append(f"Not offered beside so many: {plural(more, 'more attribute')}.")
    if left_out:
        lines.append(
            f"Not offered for having more than {MOST_VALUES} values here:"
            f" {plural(len(left_out), 'attribute')}."
        )
    return lines


def _why_given(exercise: Exercise) -> str:
    n = len(exercise.node.rows)
    what = plural(n, "row") if n > MOST_ROWS else f"{len(exercise.classes)} classes"
    most = f"{MOST_ROWS} rows" if n > MOST_ROWS else f"{MOST_CLASSES} classes"
    return f"The counts are given: {what} are too many to count by hand (more than {most})."


# -- the fields ------------------------------------------------------------------------------------


def _field(state: State, key: str) -> Field:
    asked, verdict = state.exercise.fields[key], state.verdicts.get(key)
    wrong = verdict.name if verdict and not verdict.right else None
    if key in state.shown:
        return Field(key, asked.name, asked.shown, note="shown", enabled=False)
    right = verdict is not None and verdict.right
    return Field(key, asked.name, state.typed.get(key, ""), wrong=wrong, right=right)


def _branches(state: State) -> Grid:
    exercise = state.exercise
    classes = [f"{exercise.target} is {exercise.class_name(k)}" for k in exercise.classes]
    counts = classes if exercise.counting else ["rows of each class"]
    rows: list[list[str | Field]] = []
    for i, said in enumerate(exercise.answers):
        keys = [f"n {i} {j}" for j in range(len(classes))] if exercise.counting else []
        cells: list[str | Field] = [_field(state, key) for key in (*keys, f"p {i}", f"h {i}")]
        given: list[str | Field] = [] if exercise.counting else [_given(exercise, i)]
        rows.append([said, *given, *cells])
    entropy = f"H({exercise.target} | value)"
    head = ["", *counts, "fraction of the rows", entropy]
    return Grid("branches", "The branches", head, rows, heading="Each branch")


def _given(exercise: Exercise, i: int) -> str:
    """The counts of a branch as text: with the classes' names where these are few."""
    counts = exercise.branches[i]
    if len(counts) <= MOST_CLASSES:
        named = zip(counts, exercise.classes, strict=True)
        return ", ".join(f"{n:,} {exercise.class_name(k)}" for n, k in named)
    some = sorted((n for n in counts if n), reverse=True)
    more = f" and {len(some) - _MOST_COUNTS} more" if len(some) > _MOST_COUNTS else ""
    return ", ".join(f"{n:,}" for n in some[:_MOST_COUNTS]) + more


def _together(state: State) -> Grid:
    exercise = state.exercise
    keys = ("before", "left", "gain")
    names = [exercise.fields[key].name for key in keys]
    head = ["", *(f"{said}: {name}" for said, name in zip(_WHEN, names, strict=True))]
    rows: list[list[str | Field]] = [["bits", *(_field(state, key) for key in keys)]]
    return Grid("together", "All branches together", head, rows, heading="All together")


def _buttons(state: State) -> Controls:
    key = state.current
    name = "" if key is None else f": {shortened(state.exercise.fields[key].name, _SHOW)}"
    started = bool(state.typed or state.shown)
    return Controls(
        "help",
        "Help",
        [
            Button("show", f"Show me{name}", enabled=key is not None),
            Button("new", "New exercise", main=not state.open),
            Button("reset", "Empty all fields", enabled=started),
        ],
    )
