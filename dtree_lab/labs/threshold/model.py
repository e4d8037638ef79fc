"""The threshold lab: what every cut gains, its state, what an action does, and its text.

The rows are sorted once, then looked up while one drags.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import pairwise
from math import floor, isfinite, log10
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.text import bits, listing, number, plural
from dtree_lab.continuous import gaussian
from dtree_lab.continuous.gaussian import GaussianFit
from dtree_lab.criteria.classes import ENTROPY, entropy
from dtree_lab.datasets import tax_fraud
from dtree_lab.draw.chart import Axis
from dtree_lab.draw.measure import fit
from dtree_lab.draw.style import LABEL
from dtree_lab.grow.prepare import check_table
from dtree_lab.grow.recipe import Candidate
from dtree_lab.grow.textbook import weigh
from dtree_lab.labs.kit.actions import Action, NotPossibleError, Pick, Press, Set, typed
from dtree_lab.labs.kit.controls import near, short_text
from dtree_lab.labs.kit.settings import Settings, UnfitError, choice, slider, toggle
from dtree_lab.labs.kit.taking import check_target, classified, empty, given, plain_table
from dtree_lab.table.table import Attribute, Table
from dtree_lab.tree.splits import Intervals, midpoint, threshold

Step: TypeAlias = tuple[float, float]

# So many places along the axis have a step of the drawn curve at their least and at their best cut.
MOST_STEPS = 120
_MOST_CELLS, _FARTHEST = 20_000_000, 1e150


@dataclass(frozen=True)
class CutSides:
    """A threshold's two sides: the rows of each class there, H(Y|X) and I(Y, X) in bits."""

    below: tuple[int, ...]
    above: tuple[int, ...]
    remaining: float
    gain: float

    @property
    def wrong(self) -> int:
        """The rows that are wrong where each side answers its most frequent class."""
        return sum(sum(side) - max(side) for side in (self.below, self.above))


@dataclass(frozen=True, eq=False)
class GainCurve:
    """The rows of a table along one continuous attribute, at the position `index`."""

    table: Table
    index: int

    @property
    def attribute(self) -> Attribute:
        """The continuous attribute."""
        return self.table.attributes[self.index]

    @property
    def column(self) -> NDArray[np.float64]:
        """Its values, one for each row."""
        return self.table.columns[self.index]

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Rows of each class."""
        return tuple(self.table.counts().tolist())

    @cached_property
    def entropy(self) -> float:
        """H(Y) in bits."""
        return entropy(self.counts)

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The m different values, increasing."""
        return np.unique(self.column)

    @cached_property
    def midpoints(self) -> NDArray[np.float64]:
        """The cuts that a tree considers, shape ``(m - 1,)``."""
        return midpoint(self.values[:-1], self.values[1:])

    @cached_property
    def _below(self) -> NDArray[np.int64]:
        """Rows of each class below the j-th value; shape ``(m + 1, n_classes)``."""
        m, k = len(self.values), len(self.counts)
        cell = np.searchsorted(self.values, self.column) * k + self.table.labels
        each = np.bincount(cell, minlength=m * k).reshape(m, k)
        return np.concatenate([np.zeros((1, k), dtype=np.int64), each.cumsum(axis=0)])

    @cached_property
    def _ticks(self) -> NDArray[np.int64]:
        """The cost of each midpoint's two sides in ticks of entropy, shape ``(m - 1,)``."""
        below = self._below[1:-1]
        return ENTROPY.cost(below) + ENTROPY.cost(self._below[-1] - below)

    @cached_property
    def gains(self) -> NDArray[np.float64]:
        """The gain of each midpoint in bits, shape ``(m - 1,)``."""
        before = ENTROPY.cost(self._below[-1])
        gained = np.maximum(before - self._ticks, 0)
        found: NDArray[np.float64] = ENTROPY.per_row(gained, self.table.n_rows)
        return found

    @cached_property
    def best(self) -> float | None:
        """The midpoint that gains most, the lowest in a tie; None if all rows have one value."""
        return float(self.midpoints[self._ticks.argmin()]) if len(self._ticks) else None

    def at(self, cut: float) -> CutSides:
        """The two sides of a cut, which need not be a midpoint."""
        below = self._below[np.searchsorted(self.values, cut)]
        above = self._below[-1] - below
        ticks = ENTROPY.cost(below) + ENTROPY.cost(above)
        gained = max(ENTROPY.cost(self._below[-1]) - ticks, 0)
        n = self.table.n_rows
        remaining, gain = (float(ENTROPY.per_row(t, n)) for t in (ticks, gained))
        return CutSides(tuple(below.tolist()), tuple(above.tolist()), remaining, gain)

    def candidate(self, cut: float) -> Candidate:
        """The question of a cut that leaves rows on both sides, as the library weighs it."""
        return weigh(self.table, threshold(self.index, cut))

    def neighbours(self, cut: float) -> tuple[float | None, float | None]:
        """The values of the rows next to a cut: the last below it, the first at or above it."""
        j = int(np.searchsorted(self.values, cut))
        low = float(self.values[j - 1]) if j else None
        return low, (float(self.values[j]) if j < len(self.values) else None)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The gains from each value to the next; of over 240, each stretch's best and least."""
        v, gains = self.values, self.gains
        if not len(gains):
            return ()
        kept = np.arange(len(gains))
        if len(gains) > 2 * MOST_STEPS:
            kept = self._thinned()
        inner = zip(v[kept].tolist(), gains[kept].tolist(), strict=True)
        return (*inner, (float(v[-1]), 0.0))

    def _thinned(self) -> NDArray[np.intp]:
        v, gains = self.values[:-1], self.gains
        edges = np.linspace(v[0], v[-1], MOST_STEPS + 1)[1:-1]
        ends = [0, *np.searchsorted(v, edges).tolist(), len(v)]
        kept = [0]
        for start, end in pairwise(ends):
            if start < end:
                part = gains[start:end]
                kept += [start + int(part.argmax()), start + int(part.argmin())]
        return np.unique(kept)


def check_size(table: Table, index: int) -> None:
    """Raise a ValueError for an attribute that cannot be drawn, saying what would be right."""
    column, name = table.columns[index], table.attributes[index].name
    if np.abs(column).max() > _FARTHEST:
        raise ValueError(f"the numbers of {name!r} are too large for their squares; divide them")
    if len(column) * len(table.classes) > _MOST_CELLS:
        rows, classes = plural(table.n_rows, "row"), len(table.classes)
        raise ValueError(
            f"{rows} with {classes:,} classes are too many for a threshold to follow a finger; take"
            " fewer rows, for instance table.take(range(10_000))"
        )


def continuous(table: Table) -> list[int]:
    """The positions of the continuous attributes."""
    found = [i for i, a in enumerate(table.attributes) if a.values is None]
    if not found:
        raise ValueError(
            "a threshold needs a continuous attribute, a column of numbers; the attributes here"
            f" are discrete: {listing(table.names) or 'there are none'}. Numbers that were read as"
            " names become continuous with kinds={'column': 'continuous'}"
        )
    return found


# So fine is the axis of all figures.
STEPS = 160


@lru_cache(maxsize=8)
def attribute_name(curve: GainCurve) -> str:
    """The attribute's name, shortened."""
    return short_text(curve.attribute.name)


@lru_cache(maxsize=8)
def span(curve: GainCurve) -> Axis:
    """The x axis of all figures: the values with some air, its ends at multiples of a fine step."""
    label = fit(attribute_name(curve), 500, LABEL)
    axis = Axis.around(label, (float(curve.values[0]), float(curve.values[-1])))
    length = axis.high - axis.low
    step = 10.0 ** floor(log10(length / STEPS)) if length > 0 and isfinite(length) else 0.0
    if not step or max(abs(axis.low), abs(axis.high)) / step > 1e9:  # noqa: PLR2004 - no such ends
        return axis
    low, high = (float(f"{round(end / step) * step:.12g}") for end in (axis.low, axis.high))
    return Axis(label, low, high)


Priors: TypeAlias = Literal["rows", "equal"]
# The logarithm of the largest tau that the slider reaches, to base 2.
MOST_TAU = 6.0
# So many attributes are offered.
MOST_OFFERED = 40


def _offered(state: State) -> dict[str, str]:
    attributes, index = state.curve.table.attributes, state.curve.index
    found = continuous(state.curve.table)[:MOST_OFFERED]
    return {str(i): short_text(attributes[i].name) for i in (*found, *({index} - {*found}))}


def _chosen(state: State, key: object) -> GainCurve:
    table = state.curve.table
    if not isinstance(key, str):
        raise UnfitError
    if not (key.isascii() and key.isdecimal() and int(key) < len(table.attributes)):
        raise NotPossibleError(f"There is no attribute number {key[:20]}.")
    if table.attributes[int(key)].values is not None:
        raise NotPossibleError(f"{table.names[int(key)]!r} is discrete, so it has no threshold.")
    return along(given(table), int(key))


def cut_of(state: State, given: object) -> float:
    """A cut that lies in the picture."""
    cut, axis = typed(given, "A cut"), span(state.curve)
    if not axis.low <= cut <= axis.high:
        low, high = number(axis.low), number(axis.high)
        msg = f"The picture goes from {low} to {high}; type a cut between them, not {number(cut)}."
        raise NotPossibleError(msg)
    return cut


def log_tau_of(state: State, given: object) -> float:
    """The logarithm of a tau that two classes' ratio can be compared with."""
    log_tau = typed(given, "The logarithm of tau")
    if not state.binary:
        n = len(state.curve.counts)
        msg = f"Tau is what the ratio of two classes is compared with; here there are {n}."
        raise NotPossibleError(msg)
    if abs(log_tau) > MOST_TAU:
        msg = f"The logarithm of tau must lie between {-MOST_TAU:g} and {MOST_TAU:g}."
        raise NotPossibleError(msg)
    return log_tau


@dataclass(frozen=True, eq=False)
class State:
    """Everything that the widget is; `start` makes the first one.

    `cut` parts the rows of `curve`: below it, and at or above it. `equal` gives all classes one
    variance, and `log_tau` is the base-2 logarithm of what the likelihood ratio is compared with.
    """

    curve: GainCurve
    attribute = choice(_offered, "Attribute", as_text=True, check=_chosen)
    cut: float = slider(
        lambda state: span(state.curve).low,
        lambda state: span(state.curve).high,
        step=0,
        kinds=(int, float),
        check=cut_of,
    )
    equal: bool = toggle("One variance for all classes", default=False)
    priors: Priors = choice(
        {"rows": "shares of the rows", "equal": "the same for each class"}, "Priors", default="rows"
    )
    log_tau: float = slider(
        -MOST_TAU,
        MOST_TAU,
        "log2 of τ",
        step=0.25,
        default=0.0,
        key="tau",
        control="tau",
        check=log_tau_of,
    )
    status: str = ""

    @property
    def fit(self) -> GaussianFit:
        """The bell curve of each class, and where the answer changes."""
        return _bells(self.curve, equal=self.equal, priors=self.priors, log_tau=self.log_tau)

    @property
    def binary(self) -> bool:
        """Whether the target has two classes, so that there is a ratio to compare with tau."""
        return len(self.curve.counts) == 2  # noqa: PLR2004 - a ratio has two sides


@lru_cache(maxsize=16)
def _bells(curve: GainCurve, *, equal: bool, priors: Priors, log_tau: float) -> GaussianFit:
    same = dict.fromkeys(curve.table.classes, 1.0) if priors == "equal" else None
    model = gaussian.GaussianModel(equal, 2.0**log_tau, same)
    return gaussian.gaussian_fit(curve.table, curve.index, model)


def start(table: Table | None = None, attribute: str | None = None) -> State:
    """The state before anything was done: a cut in the middle."""
    table = plain_table(tax_fraud() if table is None else table)
    check_target(table)
    found = continuous(table)
    usual = next((i for i in found if i not in empty(table)), found[0])
    index = usual if attribute is None else table.index(attribute)
    if index not in found:
        names = listing(table.names[i] for i in found)
        msg = f"{attribute!r} is discrete, so it has no threshold; continuous here: {names}"
        raise ValueError(msg)
    return State(along(table, index), middle(along(table, index)))


@lru_cache(maxsize=8)
def along(table: Table, index: int) -> GainCurve:
    """The rows along an attribute, sorted once: those that have a value of it."""
    part = classified(table, [index])
    check_size(part, index)
    return GainCurve(part, index)


def middle(curve: GainCurve) -> float:
    """The midpoint with as many midpoints below it as above it; the one value if there is none."""
    midpoints = curve.midpoints
    return float(midpoints[(len(midpoints) - 1) // 2] if len(midpoints) else curve.values[0])


MOST_CROSSINGS = 8


@dataclass(frozen=True)
class RatedCuts:
    """A cut, or several at once: what they gain, and how many rows the parts then get wrong."""

    name: str
    cuts: tuple[float, ...]
    gain: float
    wrong: int


def rated_cuts(state: State) -> list[RatedCuts]:
    """The cut at hand, the best one, each crossing of the bell curves, and these together."""
    curve, fit = state.curve, state.fit
    named = [("your cut", state.cut)]
    if curve.best is not None:
        named.append(("best cut", curve.best))
    crossings = fit.crossings[:MOST_CROSSINGS]
    several = len(fit.crossings) > 1
    named += [(f"crossing {i}" if several else "crossing", c) for i, c in enumerate(crossings, 1)]
    each = ((name, cut, curve.at(cut)) for name, cut in named)
    rows = [RatedCuts(name, (cut,), parted.gain, parted.wrong) for name, cut, parted in each]
    if fit.split is not None and len(fit.split.cuts) > 1:
        gain, wrong = _together(curve, fit.split.cuts)
        name = "both crossings" if len(fit.crossings) == 2 else "all crossings"  # noqa: PLR2004
        rows.append(RatedCuts(name, fit.split.cuts, gain, wrong))
    return rows


@lru_cache(maxsize=16)
def _together(curve: GainCurve, cuts: tuple[float, ...]) -> tuple[float, int]:
    """The gain of a question with several cuts, and the rows that its branches get wrong."""
    candidate = weigh(curve.table, Intervals(curve.index, cuts))
    counts = candidate.counts
    return candidate.gain, int(counts.sum() - counts.max(axis=1).sum())


def update(state: State, action: Action) -> State:
    """The state after an action; a `NotPossibleError` says why it cannot be done."""
    match action:
        case Set():
            return SETTINGS.set(state, action)
        case Press(control) if control in _PRESSED:
            return _PRESSED[control](state)
        case Pick("cuts", row):
            return _pick(state, row)
    raise SETTINGS.refusal(action)


def _cut(state: State, cut: float) -> State:
    gain = bits(state.curve.at(cut).gain)
    status = f"{attribute_name(state.curve)} < {number(cut)} gains {gain} bits."
    return replace(state, cut=cut, status=status)


def _to(state: State, curve: GainCurve) -> State:
    status = f"Now along {attribute_name(curve)}."
    return replace(state, curve=curve, cut=middle(curve), status=status)


def _named(state: State, name: str) -> State:
    if name == state.curve.attribute.name:
        return state
    return _to(state, start(given(state.curve.table), name).curve)


def _refit(state: State) -> State:
    crossings = [near(c, 6) for c in state.fit.crossings]
    if not crossings:
        return replace(state, status="The curves do not cross: one class wins everywhere.")
    where = f"at {', '.join(crossings[:8])}" + (" and beyond" if len(crossings) > 8 else "")  # noqa: PLR2004 - enough to read
    return replace(state, status=f"The winner changes {where}.")


def _best(state: State) -> State:
    best = state.curve.best
    if best is None:
        msg = f"Every row has the same {attribute_name(state.curve)}: there is no cut between them."
        raise NotPossibleError(msg)
    return _cut(state, cut_of(state, best))


def _neighbour(state: State, *, up: bool) -> State:
    """The next midpoint on one side."""
    midpoints = state.curve.midpoints
    last = int(np.searchsorted(midpoints, state.cut)) - 1
    j = int(np.searchsorted(midpoints, state.cut, side="right")) if up else last
    if not 0 <= j < len(midpoints):
        msg = f"There is no midpoint {'above' if up else 'below'} {number(state.cut)}."
        raise NotPossibleError(msg)
    return _cut(state, cut_of(state, float(midpoints[j])))


def _pick(state: State, row: int) -> State:
    rows = rated_cuts(state)
    if not 0 <= row < len(rows):
        raise NotPossibleError(f"There is no row {row + 1} in the list of cuts.")
    cuts = rows[row].cuts
    if len(cuts) != 1:
        msg = "These are several cuts at once: choose one of them in the rows above it."
        raise NotPossibleError(msg)
    return _cut(state, cut_of(state, cuts[0]))


_PRESSED: dict[str, Callable[[State], State]] = {
    "best": _best,
    "higher": partial(_neighbour, up=True),
    "next": partial(_neighbour, up=True),
    "lower": partial(_neighbour, up=False),
    "reset": lambda state: State(state.curve, middle(state.curve), status="Back at the beginning."),
}


SETTINGS = Settings(
    "ThresholdLab",
    State,
    sets={
        "attribute": _to,
        "cut": _cut,
        "equal": lambda state, equal: _refit(replace(state, equal=equal)),
        "priors": lambda state, priors: _refit(replace(state, priors=priors)),
        "log_tau": lambda state, log_tau: _refit(replace(state, log_tau=log_tau)),
    },
    shows={"attribute": lambda state: str(state.curve.index)},
    tells={"attribute": lambda state: state.curve.attribute.name},
    loads={
        "attribute": _named,
        # Where it is 0 there need not be two classes.
        "log_tau": lambda state, x: replace(state, log_tau=log_tau_of(state, x)) if x else state,
    },
    table=lambda state: state.curve.table,
    unknown="The lab has nothing to do for {action}.",
)

dump = SETTINGS.dump


def load(text: str, table: Table | None = None) -> State:
    """The state of a text; a ValueError says why it is none."""
    table = tax_fraud() if table is None else table
    check_table(table)
    return SETTINGS.load(text, table, lambda data: start(table, data["attribute"]))
