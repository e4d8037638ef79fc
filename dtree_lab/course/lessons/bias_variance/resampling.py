"""The resampling loop: trees from many samples, and what each says of a few rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import GENERATOR, generators, stops

Draw = Callable[[int], list[float]]
Row = dict[str, float]


@dataclass(frozen=True)
class FlatLevel:
    """What a tree is to this exercise: something that predicts."""

    height: float

    def predict(self, row: Row) -> float:
        """Its height, and what the row brings along."""
        return self.height + row["x"]


def grow(rows: list[float]) -> FlatLevel:
    """A level as high as the mean of some rows."""
    return FlatLevel(sum(rows) / len(rows))


@dataclass(frozen=True)
class Draws:
    """A population of numbers, of which each seed draws others."""

    step: float
    n_rows: int

    def __call__(self, seed: int) -> list[float]:
        """The rows of a seed."""
        # Neither in order nor all different: a set, or a sorted list, of what is said shows.
        return [self.step * (seed - 2) ** 2 + i * seed // 2 for i in range(self.n_rows)]


def loop(seeds: Callable[[int], Any]) -> Callable[..., Any]:
    """The loop with other seeds than those asked for."""

    def predictions_of(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> list[float]:
        return [grow(draw(seed)).predict(row) for seed in seeds(times)]

    return predictions_of


def then(last: Callable[[list[float]], Any]) -> Callable[..., Any]:
    """The right loop, and then something else is returned."""
    return lambda draw, grow, row, times: last(loop(range)(draw, grow, row, times))


def pooled(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> list[float]:
    """One large training set."""
    rows = [one for seed in range(times) for one in draw(seed)]
    return [grow(rows).predict(row)] * times


def trees(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> Any:  # noqa: ARG001 - the mistake
    """The trees instead of what they say."""
    return [grow(draw(seed)) for seed in range(times)]


def growing(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> list[float]:
    """Each training set keeps the rows of those before it."""
    rows: list[float] = []
    said = []
    for seed in range(times):
        rows += draw(seed)
        said.append(grow(rows).predict(row))
    return said


def over_a_number(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> list[float]:
    """A loop over a number."""
    return [grow(draw(seed)).predict(row) for seed in times]  # type: ignore[attr-defined]


def no_seed(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> list[float]:
    """Draws without a seed."""
    return [grow(draw()).predict(row) for _ in range(times)]  # type: ignore[call-arg]


def grow_predicts(draw: Draw, grow: Any, row: Row, times: int) -> list[float]:  # noqa: ARG001
    """Takes what grows a tree for a tree."""
    return [grow.predict(row) for _ in range(times)]


def draw_given(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> list[float]:
    """Grows on what draws."""
    return [grow(draw).predict(row) for _ in range(times)]


def lost_list(draw: Draw, grow: Callable[..., Any], row: Row, times: int) -> Any:
    """Keeps what ``append`` returns."""
    said: Any = []
    for seed in range(times):
        said = said.append(grow(draw(seed)).predict(row))
    return said


_SEVERAL, _FEW = "several trees", "one tree alone, or two"
_MANY = 3


def _case(draw: Draws, x: float, times: int) -> Case:
    heights = [sum(draw(seed)) / draw.n_rows for seed in range(times)]
    want = [height + x for height in heights]
    return Case(
        (draw, grow, {"x": x}, times),
        (want,),
        f"draw, grow, {{'x': {x}}}, {times}",
        behaviour=_FEW if times < _MANY else _SEVERAL,
    )


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(
        _case(
            Draws(int(rng.integers(2, 9)), int(rng.integers(2, 6))),
            int(rng.integers(1, 9)),
            n,
        )
        for n in (1, 2, 5, 8)
    )


RESAMPLE = Exercise(
    id="bias-variance/resample",
    title="The resampling loop",
    points=3,
    heading="the resampling loop",
    text="""Write `predictions_of(draw, grow, row, times)`. `draw(seed)` gives a training set,
another for each seed; `grow(rows)` gives a tree; `tree.predict(row)` says something. Return the
list of what `times` trees say of `row`, each grown on a training set of its own, with the seeds 0,
1, 2 and so on.""",
    stub="""def predictions_of(draw, grow, row, times):
    # your lines, in place of the dots
    ...""",
    answer="predictions_of",
    task=Code(
        "predictions_of",
        (
            _case(Draws(1, 3), 0.5, 4),
            _case(Draws(2, 2), 10, 3),
            _case(Draws(1, 5), 0, 6),
            _case(Draws(3, 2), 1, 1),
            _case(Draws(4, 3), 2, 2),
        ),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            loop(lambda times: [0] * times),
            "All its trees come from one training set. The next tree needs rows of its own: where"
            " does ``draw`` stand, inside the loop or before it, and with which seed?",
        ),
        Mistake(
            loop(lambda times: [times] * times),
            "It draws with the seed ``times`` again and again, which gives the same rows each time."
            " The seed has to change from tree to tree.",
        ),
        Mistake(
            loop(lambda times: range(1, times + 1)),
            "It begins with the seed 1. The seeds asked for begin with 0.",
        ),
        Mistake(
            loop(lambda times: range(times - 1)),
            "It grows one tree too few.",
        ),
        Mistake(
            loop(lambda times: range(times + 1)),
            "It grows one tree too many.",
        ),
        Mistake(
            then(lambda said: sum(said) / len(said)),
            "It returns the mean. Then nobody can see any more how they scatter: return the list.",
        ),
        Mistake(
            then(lambda said: said[-1]),
            "It returns a single prediction, the last one. Collect them in a list.",
        ),
        Mistake(
            then(lambda said: said[:1]),
            "It stops after the first tree. Where does ``return`` stand? Indented like the lines of"
            " the loop, it ends the loop in its first round.",
        ),
        Mistake(
            then(lambda said: said[-1:]),
            "Its list holds the last prediction only. Is the list made anew in each round?",
        ),
        Mistake(
            pooled,
            "It puts the rows of all seeds into one large training set. Each tree is to be grown on"
            " its own.",
        ),
        Mistake(
            trees,
            "It returns the trees. Asked for is what each of them says of the row.",
        ),
        Mistake(
            loop(lambda times: range(1, times)),
            "It begins with the seed 1, and so it grows one tree too few. With which number does"
            " ``range`` begin if it is not told?",
        ),
        Mistake(
            growing,
            "Its training sets grow from tree to tree: the rows of earlier seeds stay in them.",
        ),
        Mistake(
            then(lambda said: dict(enumerate(said))),
            "It returns a dict. Asked for is a list; the order tells which seed is meant.",
        ),
        Mistake(
            then(sorted),
            "What the trees say is not in the order of the seeds. Is it sorted, or is it a set,"
            " which knows no order?",
        ),
        Mistake(
            then(lambda said: said[::-1]),
            "What the trees say comes in the order of the seeds from the last to the first. Begin"
            " with the seed 0.",
        ),
        Mistake(
            then(lambda said: list(enumerate(said))),
            "Each entry holds the seed as well. Asked for is what the trees say, and nothing else.",
        ),
        Mistake(
            loop(lambda times: [times]),
            "It grows a single tree, with the seed ``times``. Where is the loop over the seeds?",
        ),
        Mistake(
            then(lambda said: (one for one in said)),
            GENERATOR,
            when=generators,
        ),
        Mistake(
            over_a_number,
            "``times`` is a number, and a loop needs something to go through. What makes 0, 1, 2"
            " and so on of it?",
            when=stops("TypeError", "'int' object is not iterable"),
        ),
        Mistake(
            no_seed,
            "``draw`` is a function that wants a seed. Which one is this tree's?",
            when=stops("TypeError", "argument: 'seed'"),
        ),
        Mistake(
            grow_predicts,
            "``grow`` is no tree: it makes one, from rows. What it returns can predict.",
            when=stops("AttributeError", "attribute 'predict'"),
        ),
        Mistake(
            draw_given,
            "``grow`` was given ``draw`` itself. It wants the rows that ``draw`` gives for a seed.",
            when=stops("TypeError", "'Draws'"),
        ),
        Mistake(
            lost_list,
            "``append`` changes the list and returns ``None``. Who writes ``said = said.append(…)``"
            " has lost the list.",
            when=stops("AttributeError", "attribute 'append'"),
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
