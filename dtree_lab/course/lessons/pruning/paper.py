"""The exercise on what a cut would bring, to be done with a pencil."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.pruning.common import LATE, PUNCTUAL
from dtree_lab.course.tasks import Number

if TYPE_CHECKING:
    import numpy as np

_LABELS = (PUNCTUAL, LATE)
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
