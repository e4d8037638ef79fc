"""Exercises on the two counts that reduced-error pruning compares."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.pruning.common import (
    FERRY_TREE,
    LATE,
    N_TRAINING,
    PUNCTUAL,
    VALUES,
    Node,
    Row,
    ferry_rows,
    leaf,
    wrong,
    wrong_as_leaf,
)
from dtree_lab.course.tasks import Case, Code, Number

if TYPE_CHECKING:
    import numpy as np

_WITHHELD = ferry_rows()[N_TRAINING:]
_CALM = [row for row in _WITHHELD if row["Wind"] == "calm"]
_LABELS = (PUNCTUAL, LATE)
_N_WITHHELD = 14


def _cases() -> tuple[Case, ...]:
    calm, storm = FERRY_TREE["then"].values()
    stormy = [row for row in _WITHHELD if row["Wind"] == "storm"]
    late = [row for row in _WITHHELD if row["Ferry"] == LATE]
    asked: tuple[tuple[Node, list[Row], str], ...] = (
        (FERRY_TREE, _WITHHELD, "the root, all ten rows"),
        (calm, _CALM, "the node “calm”, its six rows"),
        (storm, stormy, "the node “storm”, its four rows"),
        (storm["then"]["work"], late, "a node that says punctual, four rows that were late"),
        (leaf(PUNCTUAL), _CALM[:1], "a leaf, one row"),
        (calm, [], "the node “calm”, no row at all"),
    )
    return tuple(Case((n, rows), (wrong_as_leaf(n, rows),), says) for n, rows, says in asked)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for label in _LABELS:
        rows = [
            {name: str(rng.choice(v)) for name, v in VALUES.items()}
            | {"Ferry": str(rng.choice(_LABELS))}
            for _ in range(9)
        ]
        says = f"a node that says {label}, nine rows"
        cases.append(Case((FERRY_TREE | {"says": label}, rows), (_others(label, rows),), says))
    return tuple(cases)


def _others(label: str, rows: list[Row]) -> int:
    return len(rows) - [row["Ferry"] for row in rows].count(label)


def _own_majority(node: Node, rows: list[Row]) -> int:  # noqa: ARG001 - that is its mistake
    return len(rows) - max(Counter(row["Ferry"] for row in rows).values(), default=0)


def _share(node: Node, rows: list[Row]) -> float:
    return wrong_as_leaf(node, rows) / len(rows) if rows else 0.0


LEAF_ERRORS = Exercise(
    id="pruning/errors-as-leaf",
    title="The errors of a node as a leaf",
    points=2,
    answer="errors_as_leaf",
    task=Code("errors_as_leaf", _cases(), fresh=_fresh),
    mistakes=(
        Mistake(
            _own_majority,
            "It lets the withheld rows choose the label. They only measure; a leaf says what most"
            " of its training rows said, and that is written in the node.",
        ),
        Mistake(
            lambda node, rows: len(rows) - wrong_as_leaf(node, rows),
            "It counts the rows that the leaf gets right.",
        ),
        Mistake(
            _share,
            "It gives a share of the rows. Reduced-error pruning compares numbers of rows: a large"
            " share of a few rows may be less than a small share of many. (And a node that no row"
            " comes to has no share at all.)",
        ),
        Mistake(
            wrong,
            "It follows the rows down to the leaves below. Here the node itself is to be the leaf:"
            " whatever stands below it is gone.",
        ),
        Mistake(
            lambda node, rows: sum(row["Ferry"] == LATE for row in rows),  # noqa: ARG005
            "It counts the rows that were late, whatever the node says. A node that says late is"
            " wrong about the others.",
        ),
        Mistake(
            lambda node, rows: int(bool(rows) and rows[0]["Ferry"] != node["says"]),
            "It looks at the first row and stops. Where does ``return`` stand?",
        ),
    ),
    more='One label for all rows: ``node["says"]``. How many rows have another one under'
    ' ``row["Ferry"]``?',
    solution="""def errors_as_leaf(node, rows):
    return sum(row["Ferry"] != node["says"] for row in rows)
""",
    why="A leaf gives every row the same label, so it is wrong about the rows that have another.",
)


# -- the reduction of one node --------------------------------------------------------------------


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    """A node with three leaves and the withheld rows that come to each, by their labels."""
    says, third = (_LABELS[i] for i in rng.integers(2, size=2).tolist())
    leaves = [
        {"says": label, "rows": {one: int(rng.integers(5)) for one in _LABELS}}
        for label in rng.permutation([*_LABELS, third]).tolist()
    ]
    return {"says": says, "leaves": leaves}


def _numbers(node: dict[str, Any]) -> tuple[int, int, int, int, int]:
    """Errors below, as a leaf, as a leaf of the other label; rights below; rows."""
    leaves = node["leaves"]
    rows = {label: sum(one["rows"][label] for one in leaves) for label in _LABELS}
    total = sum(rows.values())
    right = sum(one["rows"][one["says"]] for one in leaves)
    as_leaf = total - rows[node["says"]]
    return total - right, as_leaf, total - as_leaf, right, total


def _reduction(rng: np.random.Generator) -> Exercise:
    node = drawn_until("pruning/reduction", lambda: _drawn(rng), _usable)
    want, *others = _answers(node)
    return _asked(node, want, tuple(others))


def _answers(node: dict[str, Any]) -> tuple[int, ...]:
    """The right answer, then those of the mistakes."""
    below, as_leaf, flipped, right, _ = _numbers(node)
    alone = node["leaves"][0]
    first = alone["rows"][_other(alone["says"])] - as_leaf
    want = below - as_leaf
    return want, -want, below, as_leaf, below - flipped, right - as_leaf, first


def _usable(node: dict[str, Any]) -> bool:
    _, as_leaf, flipped, _, total = _numbers(node)
    answers = _answers(node)
    # The leaf must not be the one that the withheld rows would choose, or that slip is none.
    fits = total == _N_WITHHELD and answers[0] > 0 and as_leaf > flipped
    return fits and len(set(answers)) == len(answers)


def _other(label: str) -> str:
    return LATE if label == PUNCTUAL else PUNCTUAL


def _asked(node: dict[str, Any], want: int, others: tuple[int, ...]) -> Exercise:
    minus, below, as_leaf, flipped, rights, first = others
    return Exercise(
        id="pruning/reduction",
        title="What a cut would bring",
        points=2,
        answer="fewer_errors",
        data=node,
        task=Number(want, tolerance=1e-6),
        mistakes=(
            Mistake(
                minus,
                "The right size with the wrong sign: a reduction says how many errors fewer there"
                " are after the cut.",
            ),
            Mistake(below, "Those are the errors with the leaves below. And without them?"),
            Mistake(
                as_leaf,
                "Those are the errors that remain after the cut. How many were there before?",
            ),
            Mistake(
                flipped,
                "You let the withheld rows choose what the new leaf says. It says what most of the"
                " training rows said; that is given.",
            ),
            Mistake(rights, "For the leaves below you counted the rows that they get right."),
            Mistake(first, "You counted the errors of the first leaf only; three stand below."),
        ),
        more="Before: for each of the three leaves, the rows with another label than it says."
        " After: of all rows together, those with another label than the node says. The reduction"
        " is before less after.",
        solution="""before = after = 0
for one in branch["leaves"]:
    for label, count in one["rows"].items():
        before += count * (label != one["says"])
        after += count * (label != branch["says"])
fewer_errors = before - after
""",
        why=f"With the leaves {below} of the rows are wrong, and {as_leaf} without them.",
    )


REDUCTION = personal(_reduction)
