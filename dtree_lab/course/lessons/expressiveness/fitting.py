"""The exercise on trees that fit some rows."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.expressiveness import trees
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from dtree_lab.course.calls import Outcome
    from dtree_lab.course.lessons.expressiveness.trees import Rows, Written

    Outcomes: TypeAlias = tuple[Outcome, ...]

_AND: Written = ("a1", "F", ("a2", "F", "T"))
_XOR: Written = ("a2", ("a1", "F", "T"), ("a1", "T", "F"))


def table_of(labels: str, names: int = 2) -> Rows:
    """The rows of a truth table with these labels, in order; a dot leaves a row out."""
    keys = [f"a{i}" for i in range(1, names + 1)]
    given = zip(product("FT", repeat=names), labels, strict=True)
    return [dict(zip(keys, row, strict=True)) | {"y": y} for row, y in given if y != "."]


def _fits(tree: Written, rows: Rows, says: str) -> Case:
    behaviour = {_AND: "a tree for AND", _XOR: "a tree for XOR"}.get(tree, "a tree that is a leaf")
    return Case((tree, rows), (trees.consistent(tree, rows),), says, behaviour=behaviour)


def _fresh_fits(rng: np.random.Generator) -> tuple[Case, ...]:
    found = []
    for _ in range(6):
        labels = list("FFFT" if rng.random() < 0.5 else "FTTF")  # noqa: PLR2004 - half of them
        if rng.random() < 0.5:  # noqa: PLR2004
            at = int(rng.integers(4))
            labels[at] = "F" if labels[at] == "T" else "T"
        shown = "".join(labels)
        tree = _AND if rng.random() < 0.5 else _XOR  # noqa: PLR2004
        found.append(_fits(tree, table_of(shown), f"{_name(tree)}, the rows {shown}"))
    return tuple(found)


def _name(tree: Written) -> str:
    return "and_tree" if tree == _AND else "a tree for XOR"


def _of(kind: str) -> Callable[[Outcomes], list[int]]:
    return lambda outcomes: [i for i, o in enumerate(outcomes) if o.kind == kind]


def _all_at_once(tree: Written, rows: Any) -> str:
    return trees.says(tree, rows)


def _ended(tree: Written, rows: Rows) -> Written:
    """The leaf at which the first row ends."""
    return trees.says(tree, rows[0])


CONSISTENT = Exercise(
    id="expressiveness/consistent",
    title="Does a tree fit some rows?",
    points=2,
    heading="does it fit?",
    text="""A tree is **consistent** with some rows if it answers every one of them with its label.
Write `is_consistent(tree, rows)`, which returns `True` or `False`. The tree is written as above; a
row also holds its label, as `"y"`: `{"a1": "T", "a2": "F", "y": "T"}`. You may use `says`.""",
    stub="""def is_consistent(tree, rows):
    # your lines, in place of the dots
    ...""",
    answer="is_consistent",
    task=Code(
        "is_consistent",
        (
            _fits(_AND, table_of("FFFT"), "and_tree, the four rows of AND"),
            _fits(_AND, table_of("FFFF"), "and_tree, four rows labelled F: the last is wrong"),
            _fits(_AND, table_of("TFFT"), "and_tree, the rows of AND, but the first labelled T"),
            _fits(_AND, table_of("TTTF"), "and_tree, the rows of AND with all labels turned over"),
            _fits(_XOR, table_of("FTTF"), "a tree for XOR, the four rows of XOR"),
            _fits(_XOR, table_of("FFFT"), "a tree for XOR, the four rows of AND"),
            _fits("F", table_of("FFF."), '"F", three rows labelled F'),
            _fits("F", table_of("F.FT"), '"F", two rows labelled F and one T'),
            _fits(_XOR, table_of("TTTF"), "a tree for XOR, its rows, but the first labelled T"),
            _fits("F", table_of("TFF."), '"F", a row labelled T and two F'),
        ),
        fresh=_fresh_fits,
    ),
    mistakes=(
        Mistake(
            lambda tree, rows: trees.says(tree, rows[0]) == rows[0]["y"],
            "It looks at the first row only. A ``return`` in the loop ends the function at once:"
            " when may it say True, and when False?",
        ),
        Mistake(
            lambda tree, rows: trees.says(tree, rows[-1]) == rows[-1]["y"],
            "Only the last row counts: each turn of the loop overwrites what the rows before have"
            " shown.",
        ),
        Mistake(
            lambda tree, rows: any(trees.says(tree, row) == row["y"] for row in rows),
            "One row that is right is enough for it. Every one of them must be.",
        ),
        Mistake(
            lambda tree, rows: not trees.consistent(tree, rows),
            "It is the wrong way round: it says True where the tree does not fit.",
        ),
        Mistake(
            lambda tree, rows: sum(trees.says(tree, row) != row["y"] for row in rows),
            "It gives a number. Asked for is whether the tree fits: a truth value.",
            when=_of("number"),
        ),
        Mistake(
            lambda tree, rows: [trees.says(tree, row) == row["y"] for row in rows],
            "It gives one answer for each row. Asked for is a single one, about all of them"
            " together.",
            when=_of("values"),
        ),
        Mistake(
            lambda tree, rows: trees.consistent(_ended(tree, rows), rows),
            "From the second row on it has no tree left: on the way down the first row the name"
            " ``tree`` was given to the leaf. Walk with a name of its own for each row.",
        ),
        Mistake(
            lambda tree, rows: bool(tree and not rows),
            "It says False of everything. What a tree says is a text, ``T`` or ``F``, and never"
            " equal to ``True``; nor is a tree to be found among the rows.",
        ),
        Mistake(
            lambda _, rows: rows[0]["label"],
            "A row has no such name. Its label is kept under ``y``.",
            when=stops("KeyError"),
        ),
        Mistake(
            _all_at_once,
            "``says`` answers for *one* row at a time. Is it given all of them, or the two things"
            " in another order?",
            when=stops(("TypeError", "ValueError")),
        ),
        Mistake(
            lambda tree, rows: str(trees.consistent(tree, rows)),
            "It gives a text. ``True`` and ``False`` are written without quotes.",
            when=_of("text"),
        ),
        Mistake(
            lambda tree, rows: any(trees.says(tree, row) != row["y"] for row in rows[:1]),
            "It says True if the first row is wrong. Which way round is it, and what about the"
            " other rows?",
        ),
        Mistake(
            lambda tree, rows: all(trees.says(tree, row) == "T" for row in rows if row["y"] == "T"),
            "It checks the rows labelled T and no others. A tree can be wrong about the F rows,"
            " too.",
        ),
    ),
    more="Go through the rows. The first one whose label is not what ``says(tree, row)`` gives"
    " settles it. What if there was none such when the loop has ended?",
    solution="""def is_consistent(tree, rows):
    for row in rows:
        if says(tree, row) != row["y"]:
            return False
    return True
""",
    why="One wrong row settles it; only after the last row is it sure that there was none. The same"
    ' in one line: all(says(tree, row) == row["y"] for row in rows).',
)
