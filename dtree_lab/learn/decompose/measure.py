"""Drawing training sets, growing on each, and asking for predictions of the same test rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dtree_lab.learn.answers import answers, loss
from dtree_lab.learn.bagging import chance_of
from dtree_lab.learn.chance import key_of
from dtree_lab.learn.decompose.result import Decomposition
from dtree_lab.learn.repeats import repeated
from dtree_lab.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from numpy.typing import NDArray

    from dtree_lab.learn.decompose.terms import Method
    from dtree_lab.populations import Population, Truth
    from dtree_lab.table import Table

# What is drawn under a seed: the test rows, each training set, and the chance within growing.
TEST, _TRAINING, _GROWING = range(3)


@dataclass(frozen=True)
class Setting:
    """One thing to measure: a grower and its keywords, and the rows of a training set."""

    value: Any
    grower: Callable[..., Any]
    keywords: dict[str, Any]
    n_rows: int | None


@dataclass(frozen=True, eq=False, repr=False)
class Resampled:
    """A training set was drawn, and something grown on it.

    Attributes
    ----------
    repeat
        Which training set, from 0.
    value
        The keyword's value, or None.
    training
        Its rows.
    tree
        What was grown.
    predictions
        For each test row a number, or the code of a class; shape ``(n_test_rows,)``.
    training_loss
        The loss on its own rows.
    """

    repeat: int
    value: Any
    training: Table
    tree: Any
    predictions: NDArray[Any]
    training_loss: float

    @terminal
    def __repr__(self) -> str:
        return f"Resampled(repeat={self.repeat}, value={self.value!r})"


@dataclass(frozen=True, eq=False)
class Decomposed:
    """All training sets for a value have been drawn: the terms."""

    value: Any
    decomposition: Decomposition


Event: TypeAlias = Resampled | Decomposed


@dataclass(frozen=True, eq=False)
class Outcome:
    """What is kept of a training set for one setting."""

    predictions: NDArray[Any]
    training_loss: float
    n_leaves: float
    n_rows: int
    tree: Any

    @classmethod
    def of(cls, event: Resampled, *, keep: bool) -> Outcome:
        """The short form of an event."""
        leaves = float(getattr(event.tree, "n_leaves", float("nan")))
        tree = event.tree if keep else None
        n_rows = event.training.n_rows
        return cls(event.predictions, event.training_loss, leaves, n_rows, tree)


@dataclass(frozen=True)
class Repeat:
    """The work for one training set: it is drawn once, and every setting grows on it."""

    source: Population
    truth: Truth
    settings: tuple[Setting, ...]
    seed: int
    keep: bool

    def __call__(self, repeat: int) -> list[Outcome]:
        """What is kept of a training set, for each setting."""
        return [Outcome.of(event, keep=self.keep) for event in self.each(repeat)]

    def each(self, repeat: int) -> Iterator[Resampled]:
        """What every setting makes of a training set, one after the other."""
        drawn: dict[int | None, Table] = {}
        for setting in self.settings:
            if setting.n_rows not in drawn:
                rng = np.random.default_rng(int(key_of(self.seed, _TRAINING, repeat)[0]))
                drawn[setting.n_rows] = self.source.sample(setting.n_rows, seed=rng)
            yield self._grown(repeat, setting, drawn[setting.n_rows])

    def _grown(self, repeat: int, setting: Setting, training: Table) -> Resampled:
        # A grower with chance in it must not throw the same dice for each training set.
        chance = chance_of(setting.grower, self.seed, _GROWING, repeat)
        tree = setting.grower(training, **(chance | setting.keywords))
        target = self.truth.table.target
        predictions = answers(tree, self.truth.table, target)
        own = loss(answers(tree, training, target), target, training.labels)
        return Resampled(repeat, setting.value, training, tree, predictions, own)


@dataclass(frozen=True)
class Plan:
    """All that is to be measured."""

    work: Repeat
    repeats: int
    method: Method

    def run(self) -> tuple[Decomposition, ...]:
        """Measure, on as many cores as joblib is told to use."""
        turns = [(repeat,) for repeat in range(self.repeats)]
        return self._result(repeated(self.work, turns, what="growing on training sets"))

    def narrated(self) -> Generator[Event, None, tuple[Decomposition, ...]]:
        """Measure, telling each training set and in the end the terms."""
        outcomes: list[list[Outcome]] = []
        for repeat in range(self.repeats):
            outcomes.append([])
            for event in self.work.each(repeat):
                yield event
                outcomes[-1].append(Outcome.of(event, keep=self.work.keep))
        result = self._result(outcomes)
        for one in result:
            yield Decomposed(one.value, one)
        return result

    def _result(self, outcomes: list[list[Outcome]]) -> tuple[Decomposition, ...]:
        by_setting = zip(self.work.settings, zip(*outcomes, strict=True), strict=True)
        return tuple(self._point(setting, each) for setting, each in by_setting)

    def _point(self, setting: Setting, each: tuple[Outcome, ...]) -> Decomposition:
        return Decomposition(
            setting.value,
            self.method,
            self.work.truth,
            each[0].n_rows,
            np.stack([one.predictions for one in each]),
            np.array([one.training_loss for one in each]),
            np.array([one.n_leaves for one in each]),
            tuple(one.tree for one in each) if self.work.keep else (),
        )
