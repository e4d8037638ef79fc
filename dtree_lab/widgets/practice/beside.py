"""What stands beside the fields: the hint, the rows, and a worked example."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.draw.measure import shortened
from dtree_lab.learn.arithmetic import entropy_text
from dtree_lab.learn.compare import compare
from dtree_lab.shown import bits, plural, value
from dtree_lab.widgets.kit.parts import Grid, Words
from dtree_lab.widgets.kit.taking import row_number
from dtree_lab.widgets.practice.mistakes import together
from dtree_lab.widgets.practice.node import MOST_ROWS, NAME, PART

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.widgets.practice.exercise import Exercise
    from dtree_lab.widgets.practice.state import State

# Lines kept free for a hint and the score.
_ROOM = 6
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


def _closing(exercise: Exercise) -> list[str]:
    """What the gain means, and which attribute is best here."""
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


def rows_of(exercise: Exercise) -> Grid:
    """The rows at the node: what is asked, and the class."""
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
        area="side",
    )


def example_for(exercise: Exercise) -> Words:
    """How an entropy is worked out, with numbers that this exercise does not have."""
    branches: Sequence[tuple[int, ...]] = exercise.branches
    here = {tuple(sorted(filter(None, one))) for one in (*branches, together(exercise.branches))}
    shape = next((one for one in _EXAMPLES if tuple(sorted(one)) not in here), _EXAMPLES[-1])
    line = (
        f"The entropy of {shape[0]} rows of one class and {shape[1]} of another:"
        f" {entropy_text('H', shape)}."
    )
    return Words(
        "example", [line, _AVERAGE], heading="How it is done, with other numbers", area="side"
    )
