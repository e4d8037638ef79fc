"""The bias-variance lab: what is asked, what an action does, the measuring in between, its text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from time import perf_counter
from typing import Any

from dtree_lab.base.random import checked_seed
from dtree_lab.evaluate.decomposition import BiasVariance, Decomposition, Method
from dtree_lab.labs.biasvariance import trial as sources
from dtree_lab.labs.biasvariance.trial import BAG, DEPTHS, Given, Trial, depth_points
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Point, Press, Set, finite_number
from dtree_lab.labs.kit.settings import (
    Settings,
    UnfitError,
    choice,
    nested,
    remembered,
    slider,
    toggle,
)
from dtree_lab.populations import Population
from dtree_lab.populations.base import between, whole
from dtree_lab.table.table import Table

METHODS: dict[Method, str] = {
    "kohavi-wolpert": "bias² and variance (Kohavi and Wolpert)",
    "domingos": "main prediction (Domingos)",
}
MOST_RESAMPLES = 100
# One training set has no variance; two are drawn at once, so that there is always something to see.
FIRST = 2


def _noise(state: State, noise: float) -> float:
    if state.settings.noise is None:
        msg = "The noise in these rows cannot be chosen: nobody knows how much there is."
        raise NotPossibleError(msg)
    return noise


def _method(state: State, method: Any) -> Any:
    if method not in METHODS or state.method == "squared":
        raise UnfitError
    return method


@dataclass(frozen=True)
class BiasVarianceSettings:
    """What a person chooses; `noise` is None where it cannot be chosen."""

    source: str = choice(
        lambda state: sources.choices(state.given),
        "The table is",
        words="{value!r} is none of the populations that can be chosen.",
    )
    depth: int = slider(DEPTHS[0], DEPTHS[-1], "Depth")
    n_rows: int = slider(
        1,
        lambda state: sources.most_rows(state.single.work.source),
        "Rows of a training set",
        what="The number of rows",
        control="n",
        trait="n",
    )
    noise: float | None = slider(
        0,
        lambda state: sources.most_noise(state.given, state.settings.source),
        "Noise",
        step=0.01,
        kinds=(int, float, type(None)),
        also=_noise,
    )
    resamples: int = slider(
        FIRST, MOST_RESAMPLES, "Training sets", what="The number of training sets"
    )
    bagging: bool = toggle(f"Bagging: {BAG} trees each")
    method: Method = choice(METHODS, "Parts of the error", check=_method)
    seed: int = remembered(int)


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the lab is; `start` makes the first one.

    Of the `own_rows` of the table that was given those of `given.table` are used; without a table
    or a population, those of the course are measured. `settings` and `first` are what is set now,
    and was in the beginning; `single` and `bag` what has been measured of single and bagged trees.
    """

    given: Given
    own_rows: int
    first: BiasVarianceSettings
    single: Trial
    bag: Trial
    settings: BiasVarianceSettings = nested(BiasVarianceSettings)
    status: str = ""

    @property
    def population(self) -> Population:
        """Where training sets come from."""
        return sources.population_of(self.given, self.settings.source, self.settings.noise)

    @property
    def shown(self) -> Trial:
        """What the curves are about: bagged trees once there are enough of them."""
        return self.bag if self.settings.bagging and len(self.bag.runs) >= FIRST else self.single

    @property
    def is_bagged(self) -> bool:
        """Whether the curves are about bagged trees."""
        return self.shown is self.bag

    @property
    def method(self) -> Method:
        """The decomposition."""
        return "squared" if self.single.truth.table.target.values is None else self.settings.method

    @property
    def unfinished(self) -> Trial | None:
        """What still lacks training sets."""
        for trial in (self.single, self.bag) if self.settings.bagging else (self.single,):
            if len(trial.runs) < self.settings.resamples:
                return trial
        return None

    def points(self, trial: Trial) -> tuple[Decomposition, ...]:
        """The terms at each depth, of the training sets so far."""
        return depth_points(trial, min(len(trial.runs), self.settings.resamples), self.method)

    def at_depth(self, trial: Trial) -> Decomposition:
        """The terms at the chosen depth."""
        return self.points(trial)[DEPTHS.index(self.settings.depth)]

    @property
    def result(self) -> BiasVariance:
        """As ``dt.evaluate.bias_variance`` gives it."""
        return BiasVariance("max_depth", self.points(self.shown))

    @property
    def code(self) -> str:
        """The call of the library that gives the same numbers."""
        settings = self.settings
        source = sources.code_of(self.given, settings.source, settings.noise)
        keywords = {
            "parameter": '"max_depth"',
            "values": f"range(1, {DEPTHS[-1] + 1})",
            "n_rows": settings.n_rows,
            "repeats": settings.resamples,
            "bagged": BAG if settings.bagging else None,
            "test": sources.test_rows(self.given),
            "decomposition": None if self.method == "squared" else f'"{self.method}"',
            "seed": settings.seed,
        }
        more = ", ".join(f"{name}={v}" for name, v in keywords.items() if v is not None)
        return f"dt.evaluate.bias_variance({source}, dt.id3, {more})"


def start(given: Given, keywords: Mapping[str, Any], own_rows: int = 0) -> State:
    """The state before anything was done."""
    said = {name: value for name, value in keywords.items() if value is not None}
    source = said.get("source", _usual_source(given, said))
    if source not in sources.choices(given):
        msg = f"{source!r} is none of the populations: {', '.join(sources.choices(given))}"
        raise ValueError(msg)
    settings = _checked(usual(given, source), given, said)
    return fresh(State(given, own_rows, settings, *_trials(given, settings), settings))


def _usual_source(given: Given, keywords: Mapping[str, Any]) -> str:
    """Whoever gives a table and a noise takes the table for all there is."""
    is_whole = isinstance(given, Table) and "noise" in keywords
    return list(sources.choices(given))[is_whole]


def usual(given: Given, source: str, seed: int = 0) -> BiasVarianceSettings:
    """What a source begins with."""
    noise = sources.noise_of(given, source)
    population = sources.population_of(given, source, noise)
    pool = population.parted(sources.test_rows(given), seed=0)[0]
    n_rows = sources.usual_rows(given, pool)
    return BiasVarianceSettings(
        source, 3, n_rows, noise, 50, bagging=False, method="kohavi-wolpert", seed=seed
    )


def _checked(
    settings: BiasVarianceSettings, given: Given, keywords: Mapping[str, Any]
) -> BiasVarianceSettings:
    pool = sources.population_of(given, settings.source, settings.noise)
    most = sources.most_rows(pool.parted(sources.test_rows(given), seed=0)[0])
    each = {**vars(settings), **keywords}
    own = {
        "depth": whole("depth", each["depth"], DEPTHS[0], DEPTHS[-1]),
        "n_rows": whole("n", each["n_rows"], 1, most),
        "resamples": whole("resamples", each["resamples"], FIRST, MOST_RESAMPLES),
        "seed": int(checked_seed(each["seed"])),
        "bagging": bool(each["bagging"]),
        "method": each["method"],
    }
    if own["method"] not in METHODS:
        raise ValueError(f"the decomposition {own['method']!r} must be one of {', '.join(METHODS)}")
    if "noise" in keywords:
        if settings.noise is None:
            msg = "noise cannot be chosen for this source: nobody knows how much there is"
            raise ValueError(msg)
        highest = sources.most_noise(given, settings.source)
        own["noise"] = between("noise", keywords["noise"], 0, highest)
    return replace(settings, **own)


def _trials(given: Given, settings: BiasVarianceSettings) -> tuple[Trial, Trial]:
    population = sources.population_of(given, settings.source, settings.noise)
    single = Trial.of(population, settings.n_rows, sources.test_rows(given), settings.seed)
    return single, single.bagging()


def fresh(state: State) -> State:
    """With the first training sets of single trees, so that there is something to see."""
    single = state.single
    while len(single.runs) < FIRST:
        single = single.more()
    return replace(state, single=single)


def _asking(state: State, settings: BiasVarianceSettings) -> State:
    """The state with other settings; what was measured is kept where it still holds."""
    now = state.settings
    same = ("source", "n_rows", "noise", "seed")
    if all(getattr(now, name) == getattr(settings, name) for name in same):
        return replace(state, settings=settings)
    single, bag = _trials(state.given, settings)
    return fresh(replace(state, settings=settings, single=single, bag=bag))


# A step of the work adds training sets for so long, in seconds, before it shows them.
_STEP = 0.03


def update(state: State, action: Action) -> State:
    """The state after an action."""
    state = replace(state, status="")
    match action:
        case Set():
            return SETTINGS.set(state, action)
        case Point("curves", x, _):
            depth = min(max(round(finite_number(x)), DEPTHS[0]), DEPTHS[-1])
            return _asking(state, replace(state.settings, depth=depth))
        case Press("again"):
            return _asking(
                state, replace(state.settings, seed=(state.settings.seed + 1) % (1 << 32))
            )
        case Press("reset"):
            return _asking(state, state.first)
        case Press("next"):
            return _next(state)
    raise SETTINGS.refusal(action)


def _from(state: State, source: str) -> State:
    """With another population, its own noise and number of rows."""
    own = usual(state.given, source, state.settings.seed)
    same = ("depth", "resamples", "bagging", "method")
    return _asking(state, replace(own, **{name: getattr(state.settings, name) for name in same}))


def _next(state: State) -> State:
    """One level deeper; at the end bagging."""
    settings = state.settings
    if settings.depth < DEPTHS[-1]:
        return _asking(state, replace(settings, depth=settings.depth + 1))
    if not settings.bagging:
        return _asking(state, replace(settings, bagging=True))
    raise NotPossibleError(f"This is the end: the deepest trees, {DEPTHS[-1]} levels, and bagging.")


def work(state: State) -> Iterator[tuple[State, float]] | None:
    """Draw the training sets that are still to be drawn; None if there are none."""
    return _work(state) if state.unfinished is not None else None


def _work(state: State) -> Iterator[tuple[State, float]]:
    begun = perf_counter()
    while (trial := state.unfinished) is not None:
        more = trial.more()
        alone = trial is state.single
        state = replace(state, single=more) if alone else replace(state, bag=more)
        if state.unfinished is None or perf_counter() - begun >= _STEP:
            yield state, 0.0
            begun = perf_counter()


SETTINGS = Settings(
    "BiasVarianceLab",
    State,
    sets={"settings": _asking, "source": _from},
    begun=[one.name for one in fields(BiasVarianceSettings)],
    table=lambda state: state.given if isinstance(state.given, Table) else None,
    unknown="There is nothing here that {action!r} could act on.",
    unset="{control!r} cannot be set to {value!r}.",
)
dump = SETTINGS.dump


def load(text: str, given: Given, own_rows: int = 0) -> State:
    """The state of a text; what it measured is measured again."""

    def begin(data: dict[str, Any]) -> State:
        if (data["source"] == "own") != isinstance(given, Population):
            raise ValueError(
                "this state is of a population of your own; give it once more, as population=…"
                if data["source"] == "own"
                else "this state is not of the population given; leave population= out"
            )
        return start(given, data, own_rows)

    return SETTINGS.load(text, given if isinstance(given, Table) else None, begin)
