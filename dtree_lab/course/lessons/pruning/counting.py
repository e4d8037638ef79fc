"""Errors counted: of a node as a leaf, with a pencil, and for each leaf that a cut saves."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.pruning.examples import (
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
from dtree_lab.course.tasks.code import stops

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


_N_WITHHELD = 14


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
    # For half of the learners the cut is none to make: who drops the sign is found out.
    fewer = bool(rng.integers(2))
    node = drawn_until(
        "pruning/reduction",
        lambda: _drawn(rng),
        lambda drawn: _usable(drawn) and (_answers(drawn)[0] > 0) == fewer,
    )
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
    fits = total == _N_WITHHELD and answers[0] != 0 and as_leaf > flipped
    return fits and len(set(answers)) == len(answers)


def _other(label: str) -> str:
    return LATE if label == PUNCTUAL else PUNCTUAL


def _asked(node: dict[str, Any], want: int, others: tuple[int, ...]) -> Exercise:
    minus, below, as_leaf, flipped, rights, first = others
    return Exercise(
        id="pruning/reduction",
        title="What a cut would bring",
        points=2,
        heading="with your pencil",
        text="""This node is yours. Below it stand three leaves, and each shows how many validation
rows of each label come to it.

```python
branch = dt.course.data("pruning/reduction", me)
print("The node's training majority:", branch["says"])
for one in branch["leaves"]:
    print("  a leaf that says", one["says"], "· validation rows:", one["rows"])
```

How many errors fewer are there when the node is cut? (A whole number; below 0 if there are
more.)""",
        stub="fewer_errors = ...",
        answer="fewer_errors",
        data=node,
        task=Number(want, tolerance=1e-6),
        mistakes=(
            Mistake(
                minus,
                "The right size with the wrong sign: a reduction says how many errors fewer there"
                " are after the cut. Where there are more, it lies below 0.",
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
        why=f"With the leaves {below} of the rows are wrong, and {as_leaf} without them: "
        + ("a cut that would be made." if want > 0 else "a cut that is not made."),
    )


REDUCTION = personal(_reduction)


_TOLERANCE = 0.0005
_APART = 3 * _TOLERANCE
_LINK_ROWS = (40, 50, 60, 80)
_HINTS = (
    (
        "You divided by the number of leaves. As a leaf the node is still one leaf: how many"
        " leaves does a cut remove?"
    ),
    ("That is what the cut costs altogether. Asked for is the price of each leaf that it removes."),
    "You counted rows. R is a share: of the training rows of the whole tree.",
    (
        "You took the shares of the rows at the node. R is a share of all training rows, so"
        " that the prices of different nodes can be compared."
    ),
    "The leaves below make mistakes, too. How many more does the cut bring?",
    (
        "The right size with the wrong sign. On training rows a cut never lowers the error, so g"
        " is never below 0."
    ),
)


def _link(rng: np.random.Generator) -> Exercise:
    data = drawn_until("pruning/link", lambda: _drawn_link(rng), _usable_link)
    want, *others = _link_numbers(data)
    return _asked_link(data, want, others)


def _drawn_link(rng: np.random.Generator) -> dict[str, Any]:
    rows = int(rng.choice(_LINK_ROWS))
    below = [int(n) for n in rng.integers(0, 3, rng.integers(3, 6))]
    passing = int(rng.integers(20, 31))
    return {
        "training rows": rows,
        "rows at the node": passing,
        "wrong as a leaf": int(rng.integers(7, 13)),
        "wrong in the leaves below": below,
    }


def _usable_link(data: dict[str, Any]) -> bool:
    want, *others = _link_numbers(data)
    apart = all(abs(want - other) > _APART for other in others)
    # As a majority leaf it is wrong about fewer than half of its rows.
    majority = 2 * data["wrong as a leaf"] < data["rows at the node"]
    mistaken = sum(data["wrong in the leaves below"]) > 0
    return mistaken and majority and apart and len(set(others)) == len(others)


def _link_numbers(data: dict[str, Any]) -> list[float]:
    """The right number, and those of the mistakes."""
    n, passing = data["training rows"], data["rows at the node"]
    before, below = data["wrong as a leaf"], data["wrong in the leaves below"]
    k, fewer = len(below), before - sum(below)
    return [
        fewer / n / (k - 1),
        fewer / n / k,
        fewer / n,
        fewer / (k - 1),
        fewer / passing / (k - 1),
        before / n / (k - 1),
        -fewer / n / (k - 1),
    ]


def _asked_link(data: dict[str, Any], want: float, others: list[float]) -> Exercise:
    return Exercise(
        id="pruning/link",
        title="What each leaf of a node is worth",
        points=2,
        heading="your weakest link",
        text="""Here is a node of another tree. Compute its $g$, to within 0.0005.

```python
link = dt.course.data("pruning/link", me)
link
```""",
        stub="g = ...",
        answer="g",
        data=data,
        task=Number(want, tolerance=_TOLERANCE),
        mistakes=tuple(map(Mistake, others, _HINTS)),
        more="R(t) is the node's wrong rows as a leaf, over all training rows; R(T_t) those of its"
        " leaves together, over the same. The difference buys as many leaves as there are below,"
        " less the one that stays.",
        solution="""wrong_below = link["wrong in the leaves below"]
more_errors = link["wrong as a leaf"] - sum(wrong_below)
g = more_errors / link["training rows"] / (len(wrong_below) - 1)
""",
        why=f"Once a leaf costs more than {want:.3f} of the training rows, the node is better as a"
        " leaf.",
    )


LINK = personal(_link)
