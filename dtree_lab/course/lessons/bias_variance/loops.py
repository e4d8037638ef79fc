"""What the resampling loop is tried on, and loops with one mistake each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from dtree_lab.course.calls import Outcome

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


def no_list(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which a generator came back."""
    return [i for i, outcome in enumerate(outcomes) if outcome.says == "a generator"]
