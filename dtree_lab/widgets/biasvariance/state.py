"""The state of the bias-variance lab: what is asked, and what has been measured so far."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dtree_lab.learn.chance import checked_seed
from dtree_lab.learn.decompose.result import BiasVariance
from dtree_lab.populations import Population
from dtree_lab.populations.checks import between, whole
from dtree_lab.widgets.biasvariance import sources
from dtree_lab.widgets.biasvariance.trial import BAG, DEPTHS, Trial, points

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dtree_lab.learn.decompose.result import Decomposition
    from dtree_lab.learn.decompose.terms import Method
    from dtree_lab.widgets.biasvariance.sources import Given

METHODS: dict[Method, str] = {
    "kohavi-wolpert": "bias² and variance (Kohavi and Wolpert)",
    "domingos": "main prediction (Domingos)",
}
MOST_RESAMPLES = 100
# One training set has no variance; two are drawn at once, so that there is always something to see.
FIRST = 2


@dataclass(frozen=True)
class Settings:
    """What a person chooses.

    Attributes
    ----------
    source
        The population, by its key in ``sources.choices``.
    depth
        The depth that is looked at.
    n_rows, noise, resamples
        Rows of a training set; the noise, None where it cannot be chosen; how many training sets.
    bagging
        Whether each training set is bagged too.
    method
        The decomposition, where the target is discrete.
    seed
        Where all chance comes from.
    """

    source: str
    depth: int
    n_rows: int
    noise: float | None
    resamples: int
    bagging: bool
    method: Method
    seed: int


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the lab is; `start` makes the first one.

    Attributes
    ----------
    given
        A table, a population, or None for those of the course.
    own_rows
        How many rows the table had that was given; those of `given.table` are used.
    asked, first
        What is chosen now, and what was in the beginning.
    single, bag
        What has been measured of single trees, and of bagged ones.
    status
        What the last action changed.
    """

    given: Given
    own_rows: int
    asked: Settings
    first: Settings
    single: Trial
    bag: Trial
    status: str = ""

    @property
    def population(self) -> Population:
        """Where training sets come from."""
        return sources.population_of(self.given, self.asked.source, self.asked.noise)

    @property
    def shown(self) -> Trial:
        """What the curves are about: bagged trees once there are enough of them."""
        return self.bag if self.asked.bagging and len(self.bag.runs) >= FIRST else self.single

    @property
    def method(self) -> Method:
        """The decomposition."""
        return "squared" if self.single.truth.table.target.values is None else self.asked.method

    @property
    def unfinished(self) -> Trial | None:
        """What still lacks training sets."""
        for trial in (self.single, self.bag) if self.asked.bagging else (self.single,):
            if len(trial.runs) < self.asked.resamples:
                return trial
        return None

    def points(self, trial: Trial) -> tuple[Decomposition, ...]:
        """The terms at each depth, of the training sets so far."""
        return points(trial, min(len(trial.runs), self.asked.resamples), self.method)

    @property
    def result(self) -> BiasVariance:
        """As ``dt.evaluate.bias_variance`` gives it."""
        return BiasVariance("max_depth", self.points(self.shown))

    @property
    def code(self) -> str:
        """The call of the library that gives the same numbers."""
        asked = self.asked
        source = sources.code_of(self.given, asked.source, asked.noise)
        test, bag = sources.test_rows(self.given), f"bagged={BAG}" if asked.bagging else ""
        about = f'decomposition="{self.method}"'
        more = [
            f"n_rows={asked.n_rows}",
            f"repeats={asked.resamples}",
            *([bag] if bag else []),
            *([] if test is None else [f"test={test}"]),
            *([] if self.method == "squared" else [about]),
            f"seed={asked.seed}",
        ]
        varied = f'parameter="max_depth", values=range(1, {DEPTHS[-1] + 1})'
        return f"dt.evaluate.bias_variance({source}, dt.id3, {varied}, {', '.join(more)})"


def start(given: Given, asked: Mapping[str, Any], own_rows: int = 0) -> State:
    """The state before anything was done.

    Parameters
    ----------
    given
        A table, a population, or None.
    asked
        Settings by name; those that are left out, or None, are the usual ones.
    own_rows
        How many rows the table had before some were drawn from it.

    Raises
    ------
    ValueError
        For a setting out of range, naming it, and for a table of too few rows.
    """
    said = {name: value for name, value in asked.items() if value is not None}
    source = said.get("source", _usual_source(given, said))
    if source not in sources.choices(given):
        msg = f"{source!r} is none of the populations: {', '.join(sources.choices(given))}"
        raise ValueError(msg)
    settings = _checked(usual(given, source), given, said)
    return fresh(State(given, own_rows, settings, settings, *_trials(given, settings)))


def _usual_source(given: Given, said: Mapping[str, Any]) -> str:
    """Whoever gives a table and a noise takes the table for all there is."""
    names = list(sources.choices(given))
    return names[1] if not isinstance(given, Population | None) and "noise" in said else names[0]


def usual(given: Given, source: str, seed: int = 0) -> Settings:
    """What a source begins with."""
    noise = sources.noise_of(given, source)
    population = sources.population_of(given, source, noise)
    pool = population.parted(sources.test_rows(given), seed=0)[0]
    n_rows = sources.usual_rows(given, pool)
    return Settings(source, 3, n_rows, noise, 50, bagging=False, method="kohavi-wolpert", seed=seed)


def most_rows(state: State) -> int:
    """The most rows that a training set can have."""
    return sources.most_rows(state.single.work.source)


def _checked(settings: Settings, given: Given, said: Mapping[str, Any]) -> Settings:
    pool = sources.population_of(given, settings.source, settings.noise)
    most = sources.most_rows(pool.parted(sources.test_rows(given), seed=0)[0])
    own = {
        "depth": _within("depth", said.get("depth", settings.depth), DEPTHS[0], DEPTHS[-1]),
        "n_rows": _within("n", said.get("n_rows", settings.n_rows), 1, most),
        "resamples": _within(
            "resamples", said.get("resamples", settings.resamples), FIRST, MOST_RESAMPLES
        ),
        "seed": int(checked_seed(said.get("seed", settings.seed))),
        "bagging": bool(said.get("bagging", settings.bagging)),
        "method": said.get("method", settings.method),
    }
    if own["method"] not in METHODS:
        msg = f"the decomposition {own['method']!r} must be one of {', '.join(METHODS)}"
        raise ValueError(msg)
    if "noise" in said:
        if settings.noise is None:
            msg = "noise cannot be chosen for this source: nobody knows how much there is"
            raise ValueError(msg)
        highest = sources.most_noise(given, settings.source)
        own["noise"] = between("noise", said["noise"], 0, highest)
    return replace(settings, **own)


def _within(name: str, given: Any, low: int, high: int) -> int:
    n = whole(name, given, low)
    if n > high:
        msg = f"{name}={given!r} must be at most {high}"
        raise ValueError(msg)
    return n


def _trials(given: Given, asked: Settings) -> tuple[Trial, Trial]:
    population = sources.population_of(given, asked.source, asked.noise)
    single = Trial.of(population, asked.n_rows, sources.test_rows(given), asked.seed)
    return single, single.bagging()


def fresh(state: State) -> State:
    """With the first training sets of single trees, so that there is something to see."""
    single = state.single
    while len(single.runs) < FIRST:
        single = single.more()
    return replace(state, single=single)


def asking(state: State, asked: Settings) -> State:
    """The state with other settings; what was measured is kept where it still holds."""
    now = state.asked
    same = ("source", "n_rows", "noise", "seed")
    if all(getattr(now, name) == getattr(asked, name) for name in same):
        return replace(state, asked=asked)
    single, bag = _trials(state.given, asked)
    return fresh(replace(state, asked=asked, single=single, bag=bag))
