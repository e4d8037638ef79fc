"""The exercise on the errors of a node as a leaf."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake
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
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    import numpy as np

_WITHHELD = ferry_rows()[N_TRAINING:]
_CALM = [row for row in _WITHHELD if row["Wind"] == "calm"]
_LABELS = (PUNCTUAL, LATE)


_ROWS, _SAYS, _FEW = (
    "which rows are counted",
    "the label that the node says",
    "a leaf, and no rows at all",
)


def _cases() -> tuple[Case, ...]:
    calm, storm = FERRY_TREE["then"].values()
    stormy = [row for row in _WITHHELD if row["Wind"] == "storm"]
    late = [row for row in _WITHHELD if row["Ferry"] == LATE]
    asked: tuple[tuple[Node, list[Row], str, str], ...] = (
        (FERRY_TREE, _WITHHELD, "the root, all ten rows", _ROWS),
        (calm, _CALM, "the node “calm”, its six rows", _ROWS),
        (storm, stormy, "the node “storm”, its four rows", _ROWS),
        (storm["then"]["work"], late, "a node that says punctual, four rows that were late", _SAYS),
        (FERRY_TREE, late, "a node that says late, four rows that were late", _SAYS),
        (leaf(PUNCTUAL), _CALM[:1], "a leaf, one row", _FEW),
        (leaf(LATE), _CALM[:1], "another leaf, the same row", _FEW),
        (calm, [], "the node “calm”, no row at all", _FEW),
    )
    return tuple(
        Case((node, rows), (wrong_as_leaf(node, rows),), says, behaviour=behaviour)
        for node, rows, says, behaviour in asked
    )


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for label in _LABELS:
        rows = [
            {name: str(rng.choice(v)) for name, v in VALUES.items()}
            | {"Ferry": str(rng.choice(_LABELS))}
            for _ in range(9)
        ]
        says = f"a node that says {label}, nine rows"
        node = FERRY_TREE | {"says": label}
        cases.append(Case((node, rows), (_others(label, rows),), says, behaviour=_SAYS))
        cases.append(Case((node, rows[:4]), (_others(label, rows[:4]),), says, behaviour=_ROWS))
        one = leaf(label), rows[:1]
        cases.append(Case(one, (_others(label, rows[:1]),), "a leaf, one row", behaviour=_FEW))
    return tuple(cases)


def _others(label: str, rows: list[Row]) -> int:
    return len(rows) - [row["Ferry"] for row in rows].count(label)


def _own_majority(node: Node, rows: list[Row]) -> int:  # noqa: ARG001 - that is its mistake
    return len(rows) - max(Counter(row["Ferry"] for row in rows).values(), default=0)


def _at_first(node: Node, rows: list[Row]) -> int | None:
    return int(rows[0]["Ferry"] != node["says"]) if rows else None


def _any_wrong(node: Node, rows: list[Row]) -> int:
    return int(wrong_as_leaf(node, rows) > 0)


def _listed(node: Node, rows: list[Row]) -> list[Row]:
    return [row for row in rows if row["Ferry"] != node["says"]]


def _said_by_rows(node: Node, rows: list[Row]) -> int:
    return sum(row["says"] != node["says"] for row in rows)


def _with_a_dot(node: Node, rows: list[Row]) -> int:
    says = node.says  # type: ignore[attr-defined] # that is its mistake
    return sum(row["Ferry"] != says for row in rows)


def _share(node: Node, rows: list[Row]) -> float:
    return wrong_as_leaf(node, rows) / len(rows) if rows else 0.0


LEAF_ERRORS = Exercise(
    id="pruning/errors-as-leaf",
    title="The errors of a node as a leaf",
    points=2,
    heading="as a leaf",
    text="""One count is missing. Write `errors_as_leaf(node, rows)`: how many of the rows would the
node get wrong if it asked nothing?""",
    stub="""def errors_as_leaf(node, rows):
    # your lines, in place of the dots
    ...""",
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
            _at_first,
            "It looks at the first row and stops. Where does ``return`` stand?",
        ),
        Mistake(
            lambda node, rows: _at_first(node, rows) or 0,
            "It looks at the first row and stops. Where does ``return`` stand?",
        ),
        Mistake(
            lambda node, rows: -wrong_as_leaf(node, rows),
            "A number of errors is never below 0.",
        ),
        Mistake(
            _any_wrong,
            "It says whether any row is wrong. Asked for is how many: count on.",
        ),
        Mistake(
            lambda node, rows: len(rows),  # noqa: ARG005
            "It counts every row. What is held against the label? A row is a dict, and its own"
            " label is one entry of it. (Texts are compared by ``!=``, not by ``is not``.)",
        ),
        Mistake(
            _listed,
            "It returns the rows themselves. Asked for is how many there are.",
        ),
        Mistake(
            lambda node, rows: wrong(node, rows) - wrong_as_leaf(node, rows),
            "That is the reduction: the errors of the subtree, less those asked for.",
        ),
        Mistake(
            lambda node, rows: wrong_as_leaf(node, _WITHHELD),  # noqa: ARG005
            "It counts in all ten withheld rows, whichever rows it is given.",
        ),
        Mistake(
            _said_by_rows,
            'Only a node has ``"says"``. What is the entry called that holds a row\'s own label?',
            when=stops("KeyError", "says"),
        ),
        Mistake(
            _with_a_dot,
            "A node is a dict: what it holds is read with a name in square brackets, not with a"
            " dot.",
            when=stops("AttributeError", "'dict' object"),
        ),
    ),
    more='One label for all rows: ``node["says"]``. How many rows have another one under'
    ' ``row["Ferry"]``?',
    solution="""def errors_as_leaf(node, rows):
    return sum(row["Ferry"] != node["says"] for row in rows)
""",
    why="A leaf gives every row the same label, so it is wrong about the rows that have another.",
)
