"""The exercise on what a leaf is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Number

if TYPE_CHECKING:
    import numpy as np

_TOLERANCE = 0.0005
_APART = 3 * _TOLERANCE
_ROWS = (40, 50, 60, 80)
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
    data = drawn_until("pruning/link", lambda: _drawn(rng), _usable)
    want, *others = _numbers(data)
    return _asked(data, want, others)


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    rows = int(rng.choice(_ROWS))
    below = [int(n) for n in rng.integers(0, 3, rng.integers(3, 6))]
    passing = int(rng.integers(20, 31))
    return {
        "training rows": rows,
        "rows at the node": passing,
        "wrong as a leaf": int(rng.integers(7, 13)),
        "wrong in the leaves below": below,
    }


def _usable(data: dict[str, Any]) -> bool:
    want, *others = _numbers(data)
    apart = all(abs(want - other) > _APART for other in others)
    # As a majority leaf it is wrong about fewer than half of its rows.
    majority = 2 * data["wrong as a leaf"] < data["rows at the node"]
    mistaken = sum(data["wrong in the leaves below"]) > 0
    return mistaken and majority and apart and len(set(others)) == len(others)


def _numbers(data: dict[str, Any]) -> list[float]:
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


def _asked(data: dict[str, Any], want: float, others: list[float]) -> Exercise:
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
