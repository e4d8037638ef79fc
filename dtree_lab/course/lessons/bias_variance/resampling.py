"""The exercise on the resampling loop."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    Draw = Callable[[int], list[float]]
    Row = dict[str, float]


@dataclass(frozen=True)
class Level:
    """What a tree is to this exercise: something that predicts."""

    height: float

    def predict(self, row: Row) -> float:
        """Its height, and what the row brings along."""
        return self.height + row["x"]


def grow(rows: list[float]) -> Level:
    """A level as high as the mean of some rows."""
    return Level(sum(rows) / len(rows))


@dataclass(frozen=True)
class Draws:
    """A population of numbers, of which each seed draws others."""

    step: float
    n_rows: int

    def __call__(self, seed: int) -> list[float]:
        """The rows of a seed."""
        return [self.step * (seed + 1) ** 2 + i * seed for i in range(self.n_rows)]


def _case(draw: Draws, x: float, times: int) -> Case:
    heights = [sum(draw(seed)) / draw.n_rows for seed in range(times)]
    want = [height + x for height in heights]
    return Case((draw, grow, {"x": x}, times), (want,), f"draw, grow, {{'x': {x}}}, {times}")


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(
        _case(Draws(int(rng.integers(2, 9)), int(rng.integers(2, 6))), int(rng.integers(1, 9)), n)
        for n in (2, 5, 8)
    )


def _loop(seeds: Callable[[int], Any]) -> Callable[..., Any]:
    """The loop with other seeds than those asked for."""

    def predictions_of(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> list[float]:
        return [grow(draw(seed)).predict(row) for seed in seeds(times)]

    return predictions_of


def _then(last: Callable[[list[float]], Any]) -> Callable[..., Any]:
    """The right loop, and then something else is returned."""
    return lambda draw, grow, row, times: last(_loop(range)(draw, grow, row, times))


def _pooled(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> list[float]:
    rows = [one for seed in range(times) for one in draw(seed)]
    return [grow(rows).predict(row)] * times


def _trees(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> Any:  # noqa: ARG001 - the mistake
    return [grow(draw(seed)) for seed in range(times)]


RESAMPLE = Exercise(
    id="bias-variance/resample",
    title="The resampling loop",
    points=3,
    answer="predictions_of",
    task=Code(
        "predictions_of",
        (
            _case(Draws(1, 3), 0.5, 4),
            _case(Draws(2, 2), 10, 3),
            _case(Draws(1, 5), 0, 6),
            _case(Draws(3, 2), 1, 1),
        ),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            _loop(lambda times: [0] * times),
            "All its trees come from one training set. The next tree needs rows of its own: where"
            " does ``draw`` stand, inside the loop or before it, and with which seed?",
        ),
        Mistake(
            _loop(lambda times: [times] * times),
            "It draws with the seed ``times`` again and again, which gives the same rows each time."
            " The seed has to change from tree to tree.",
        ),
        Mistake(
            _loop(lambda times: range(1, times + 1)),
            "It begins with the seed 1. The seeds asked for begin with 0.",
        ),
        Mistake(
            _loop(lambda times: range(times - 1)),
            "It grows one tree too few.",
        ),
        Mistake(
            _loop(lambda times: range(times + 1)),
            "It grows one tree too many.",
        ),
        Mistake(
            _then(lambda said: sum(said) / len(said)),
            "It returns the mean. Then nobody can see any more how they scatter: return the list.",
        ),
        Mistake(
            _then(lambda said: said[-1]),
            "It returns a single prediction, the last one. Collect them in a list.",
        ),
        Mistake(
            _then(lambda said: said[:1]),
            "It stops after the first tree. Where does ``return`` stand? Indented like the lines of"
            " the loop, it ends the loop in its first round.",
        ),
        Mistake(
            _then(lambda said: said[-1:]),
            "Its list holds the last prediction only. Is the list made anew in each round?",
        ),
        Mistake(
            _pooled,
            "It puts the rows of all seeds into one large training set. Each tree is to be grown on"
            " its own.",
        ),
        Mistake(
            _trees,
            "It returns the trees. Asked for is what each of them says of the row.",
        ),
    ),
    more="An empty list before the loop, ``return`` after it. In each round three things happen: a"
    " training set is drawn, a tree is grown on it, and what the tree says is added to the list.",
    solution="""def predictions_of(draw, grow, row, times):
    said = []
    for seed in range(times):
        tree = grow(draw(seed))
        said.append(tree.predict(row))
    return said
""",
    why="One fresh training set for each tree: that is what makes the list show how much is luck."
    " With your ``bias_variance`` from above it gives the parts of the error at this row.",
)
