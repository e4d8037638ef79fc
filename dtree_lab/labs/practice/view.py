"""What a typed practice shows: fields, the hint, the rows, and a worked example."""

from __future__ import annotations

from collections.abc import Sequence

from dtree_lab.base.text import bits, plural, value
from dtree_lab.draw.chart import Axis, Dots, Plot, Rule, figure
from dtree_lab.draw.measure import shortened
from dtree_lab.grow.compare import compare, entropy_text
from dtree_lab.labs.kit.controls import Button, Field
from dtree_lab.labs.kit.parts import Controls, Grid, Picture, View, Words, legend_target
from dtree_lab.labs.kit.taking import notes, row_number
from dtree_lab.labs.practice.exercise import (
    MOST_CLASSES,
    MOST_ROWS,
    MOST_VALUES,
    NAME,
    PART,
    GainExercise,
)
from dtree_lab.labs.practice.mistakes import TOLERANCE, together
from dtree_lab.labs.practice.model import SETTINGS, State
from dtree_lab.tree.splits import branch_rows

# Lines kept free for a hint and the score.
_ROOM = 6
_WAY = "How it is done"
_AVERAGE = (
    "H(Y|X) is the average of the branches' entropies, each times the fraction of its rows."
    " The gain is H(Y) - H(Y|X)."
)
_EXAMPLES = ((3, 1), (5, 2), (5, 3), (7, 1))


def said_of(state: State) -> Words:
    """The hint for the field typed last; when all is done, what it means."""
    right, total, shown = state.score
    score = f"{right} of {total} right" + (f", {shown} shown." if shown else ".")
    verdict = state.verdicts.get(state.last or "")
    heading, strong = "Hint", True
    if not state.open:
        heading, said = "Done", _closing(state.exercise)
    elif state.last is None or verdict is None or verdict.right:
        strong = False
        said = [state.status or "What is not right gets a hint here, which names the mistake."]
    else:
        name = state.exercise.fields[state.last].name
        said = [f"{name[0].upper()}{name[1:]}: {verdict.hint or _general(state.last)}"]
    return Words("said", [*said, score], heading, strong=strong, live=True, room=_ROOM, area="side")


def _general(key: str) -> str:
    """What to do next, for a number that comes from no known mistake."""
    return {
        "n": "Not so many. Go through the rows, and count those that have both this value and this"
        " class.",
        "p": "Not this. Count the rows with this value, and divide by the number of rows here.",
        "h": "Not this. For each class in this branch take its share p, and add up p · log2(1/p).",
        "before": "Not this. For each class take its share p of all rows here, and add up"
        " p · log2(1/p).",
        "left": "Not this. Multiply each branch's entropy by its fraction of the rows, and add up.",
        "gain": "Not this. It is what H(Y|X) is less than H(Y): take the one from the other.",
    }[key.split(maxsplit=1)[0]]


def _closing(exercise: GainExercise) -> list[str]:
    one = exercise.candidate
    before, target = exercise.fields["before"].right, exercise.target
    meant = (
        f"The gain: of {bits(before)} bits of uncertainty about {target}, asking"
        f" {exercise.question} takes {bits(one.gain)} away on average and leaves"
        f" {bits(one.remaining)}."
    )
    best = compare(exercise.node.part).best
    assert best.candidate is not None  # noqa: S101 - this exercise's attribute parts the rows
    if best.candidate.gain_ticks == one.gain_ticks:
        return [meant, "No attribute gains more at these rows: it is one that ID3 could ask here."]
    name = shortened(value(best.question), NAME)
    return [meant, f"Best at these rows is {name}, with a gain of {bits(best.gain)} bits."]


def _rows_of(exercise: GainExercise) -> Grid:
    part = exercise.node.part.take(range(min(MOST_ROWS, len(exercise.node.rows))))
    names = [exercise.attribute, part.target.name]
    wide = zip(names, (PART, NAME), strict=True)  # a class is marked where its name is whole
    columns = [[shortened(value(v), most) for v in part.column(name)] for name, most in wide]
    here = exercise.node.rows[:MOST_ROWS].tolist()
    numbers = [str(row_number(exercise.node.table, row)) for row in here]
    more = len(exercise.node.rows) - MOST_ROWS
    return Grid(
        "rows",
        "The rows at this node",
        ["row", *(shortened(value(name), NAME) for name in names)],
        list(zip(numbers, *columns, strict=True)),
        heading=f"The rows where {exercise.node.brief}" if exercise.node.brief else "All rows",
        classes=2,
        more=f"… and {plural(more, 'more row')}" if more > 0 else "",
        keys=here,
        area="side",
    )


def example_for(exercise: GainExercise) -> Words:
    """How an entropy is worked out, with numbers that this exercise does not have."""
    branches: Sequence[tuple[int, ...]] = exercise.branches
    here = {tuple(sorted(filter(None, one))) for one in (*branches, together(exercise.branches))}
    shape = next((one for one in _EXAMPLES if tuple(sorted(one)) not in here), _EXAMPLES[-1])
    line = (
        f"The entropy of {shape[0]} rows of one class and {shape[1]} of another:"
        f" {entropy_text('H', shape)}."
    )
    return Words("example", [line, _AVERAGE], heading="With other numbers", drawer=_WAY)


# How wide the name on a button may be, and how many counts may stand in one line.
_SHOW = 34
_MOST_COUNTS = 40
# How wide the name of a branch is beside its rows, and how many of these are numbered.
_LANE, _TICKS = 28, 20
_HOW = (
    "Fractions as 3/10 or 0.3, entropies in bits with three decimals. Counts must be exact, all"
    f" else is right within {TOLERANCE:g}. To see a number, type ? in its field."
)
_WHEN = ("before asking", "after asking", "the difference")


def view(state: State) -> View:
    """Everything that is shown."""
    task, *rest = _task(state.exercise)
    choices = [SETTINGS.control(state, name) for name in ("node", "attribute")]
    return View(
        title=f"Work out the gain of {state.exercise.question}",
        parts=[
            *notes(state.table),
            *_parting(state.exercise),
            _branches(state),
            _together(state),
            _buttons(state),
            Controls("exercise", "Exercise", choices, area="act"),
            # Beside the fields, where there is room, else beneath them: before all that is long.
            said_of(state),
            _rows_of(state.exercise),
            Words("task", rest, drawer=_WAY),
            example_for(state.exercise),
        ],
        target=legend_target(state.table.target, MOST_CLASSES),
        result=task,
    )


def _task(exercise: GainExercise) -> list[str]:
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


def _why_given(exercise: GainExercise) -> str:
    n = len(exercise.node.rows)
    what = plural(n, "row") if n > MOST_ROWS else f"{len(exercise.classes)} classes"
    most = f"{MOST_ROWS} rows" if n > MOST_ROWS else f"{MOST_CLASSES} classes"
    return f"The counts are given: {what} are too many to count by hand (more than {most})."


def _parting(exercise: GainExercise) -> list[Picture]:
    """Each row twice, with its class's mark: before asking, and in its branch; not of very many."""
    rows, part = exercise.node.rows, exercise.node.part
    if len(rows) > MOST_ROWS:
        return []
    split = exercise.candidate.split
    branch = split.branch(part.columns[split.attribute])
    numbers = [row_number(exercise.node.table, int(row)) for row in rows]
    labels, keys = part.labels.tolist(), rows.tolist()
    size = max(4.0, min(8.0, 160.0 / len(rows)))
    before = Dots([(i, 0.0) for i in range(len(rows))], labels, size, keys=keys)
    after = Dots([(i, -1.0 - b) for i, b in enumerate(branch.tolist())], labels, size, keys=keys)
    lanes = ["before asking", *(shortened(answer, _LANE) for answer in exercise.answers)]
    every = -(-len(rows) // _TICKS)
    ticks = [(float(i), str(n)) for i, n in enumerate(numbers) if i % every == 0]
    plot = Plot(
        f"The {plural(len(rows), 'row')} before asking {exercise.question}, and in its branches",
        Axis("row", -0.7, len(rows) - 0.3, tuple(ticks)),
        Axis("", -len(lanes) + 0.4, 0.6, tuple((-float(i), name) for i, name in enumerate(lanes))),
        [Rule(-0.5, "y", dash="short"), before, after],
        width=720,
        height=70 + 34 * len(lanes),
    )
    text = [
        f"{name}: rows {', '.join(str(numbers[i]) for i in some) or 'none'}"
        for name, some in zip(lanes[1:], branch_rows(split, part), strict=True)
    ]
    return [Picture("parting", figure(plot), text=text, area="hero")]


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
    return Grid("branches", "The branches", head, rows, heading="Each branch", area="hero")


def _given(exercise: GainExercise, i: int) -> str:
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
    return Grid(
        "together", "All branches together", head, rows, heading="All together", area="hero"
    )


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
        area="act",
    )
