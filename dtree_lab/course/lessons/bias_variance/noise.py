"""The exercise on the noise in a 0-1 loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.lessons.bias_variance.numbers import apart
from dtree_lab.course.tasks import Number

if TYPE_CHECKING:
    import numpy as np

_NOISY_HINTS = {
    "trees only": "That is how often a tree is wrong about the right class. But the label that it"
    " is held against is itself sometimes turned over.",
    "added": "You added the two shares. Where the tree is wrong *and* the label is turned over,"
    " they agree: two wrongs make a hit.",
    "either": "That is how often something is amiss: the tree wrong, or the label turned over, or"
    " both. And when it is both?",
    "both right": "That is how often prediction and label agree. Asked for is how often they do"
    " not.",
    "right trees": "That is one of the two ways to be counted wrong: the tree right, the label"
    " turned over. What is the other?",
    "wrong trees": "That is one of the two ways to be counted wrong: the tree wrong, the label as"
    " it should be. What is the other?",
    "both wrong": "Tree wrong and label turned over: then the two agree, and it counts as right.",
    "right": "That is how often a tree is right. Asked for is an error.",
    "both as they should": "That is the tree right and the label as it should be: then they agree.",
    "taken away": "You took the noise away from the tree's error. A label that is turned over makes"
    " some wrong trees right, and more right trees wrong.",
    "per cent": "That is per cent. Asked for is a share, from 0 to 1.",
    "noise only": "That is the noise alone: the error of a tree that always says the right class.",
}


def _disagree(q: float, n: float) -> float:
    """How often a tree that says the right class so often differs from a label with noise."""
    return q * n + (1 - q) * (1 - n)


def _noisy_wrong(q: float, n: float) -> dict[str, float]:
    """What comes of each mistake."""
    return {
        "trees only": 1 - q,
        "added": 1 - q + n,
        "either": 1 - q * (1 - n),
        "both right": 1 - _disagree(q, n),
        "right trees": q * n,
        "wrong trees": (1 - q) * (1 - n),
        "both wrong": (1 - q) * n,
        "right": q,
        "both as they should": q * (1 - n),
        "taken away": 1 - q - n,
        "per cent": 100 * _disagree(q, n),
        "noise only": n,
    }


def _noisy_drawn(rng: np.random.Generator) -> tuple[float, float]:
    """How often the right class is said, and how many labels are turned over."""
    right, turned = 5 * int(rng.integers(11, 19)), 2 * int(rng.integers(2, 16))
    return right / 100, turned / 100


def _noisy_fit(drawn: tuple[float, float]) -> bool:
    return apart((_disagree(*drawn), *_noisy_wrong(*drawn).values()), 0.005)


def _noisy_row(rng: np.random.Generator) -> Exercise:
    q, n = drawn_until("bias-variance/noisy-row", lambda: _noisy_drawn(rng), _noisy_fit)
    data = {"say the right class": q, "labels turned over": n}
    return _noisy_exercise(data, _disagree(q, n), _noisy_wrong(q, n))


def _noisy_exercise(data: dict[str, float], want: float, wrong: dict[str, float]) -> Exercise:
    return Exercise(
        id="bias-variance/noisy-row",
        title="Noise at a row",
        points=2,
        heading="noise in it",
        text="""Your own numbers once more: of the trees that could be grown, how large a share says
the *right* class at some row, and how large a share of the labels there is turned over. There are
two classes. What is the expected error at this row, against the labels *as they come*? (0.001
either way.)

```python
noisy_row = dt.course.data("bias-variance/noisy-row", me)
noisy_row
```""",
        stub="error_with_noise = ...",
        answer="error_with_noise",
        data=data,
        task=Number(want, tolerance=0.001),
        mistakes=tuple(Mistake(wrong[name], hint) for name, hint in _NOISY_HINTS.items()),
        more="A prediction counts as wrong when it differs from the label as it came. Tree right or"
        " wrong, label as it should be or turned over: in which two of the four do they differ, and"
        " how probable is each?",
        solution="""right, turned = noisy_row.values()
error_with_noise = right * turned + (1 - right) * (1 - turned)
""",
        why="The tree right and the label turned over, or the tree wrong and the label as it should"
        " be. Noise adds to the error of a tree that is mostly right, but less than its own share,"
        " because it also makes some wrong predictions right.",
    )


NOISY_ROW = personal(_noisy_row)
