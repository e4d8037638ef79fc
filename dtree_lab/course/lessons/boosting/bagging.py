"""Bootstrap samples, what one question can do, and where bagging pays."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.lessons.bias_variance.exercises import (
    BAGGING_ON,
    as_given,
    at,
    load,
    sets_at_least,
    when_measured,
)
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Do, Goal, Grow, Handed
from dtree_lab.course.tasks.code import comes_to, where
from dtree_lab.course.tasks.do import misses, wrong_at_most
from dtree_lab.grow.api import by_hand, id3
from dtree_lab.labs.biasvariance.model import State as Measured
from dtree_lab.table.table import Table

Samples = list[list[str]]

# Samples that are drawn of each table, and by how many standard deviations chance may be off.
_SEEDS, _MOST_OFF = 400, 6
_SMALL = 6
NO_LIST = "a single thing and no list"
FAIR = "every row as often as any other, some more than once"


def _verdict(function: Callable[..., Any], rows: list[str]) -> str | None:
    """What can be said of the function's samples: the first fault that is seen, or none."""
    drawn = []
    for seed in (*range(_SEEDS), 0):
        sample = function(list(rows), np.random.default_rng(seed))
        if sample is None:
            return None
        if isinstance(sample, str) or not isinstance(sample, Iterable):
            return NO_LIST
        drawn.append([str(one) for one in sample])
        if len(drawn[-1]) != len(rows):
            break  # so many draws of a wrong number may take too long
    return next((said for said, seen in _FAULTS.items() if seen(rows, drawn)), FAIR)


def _lopsided(rows: Sequence[str], drawn: Samples) -> bool:
    """Whether some row comes too often or too seldom."""
    everything = [one for sample in drawn[:-1] for one in sample]
    n, p = len(everything), 1 / len(rows)
    off = _MOST_OFF * math.sqrt(n * p * (1 - p))
    return any(abs(everything.count(row) - n * p) > off for row in rows)


def _tied(rows: Sequence[str], drawn: Samples) -> bool:
    """Whether the draws of a sample hang together: too few or too many different rows in it."""
    n = len(rows)
    out, both_out = (1 - 1 / n) ** n, (1 - 2 / n) ** n
    variance = n * (n - 1) * both_out + n * out - (n * out) ** 2
    mean = sum(len(set(one)) for one in drawn[:-1]) / _SEEDS
    return abs(mean - n * (1 - out)) > _MOST_OFF * math.sqrt(max(variance, 0.0) / _SEEDS) + 1e-9


_FAULTS: dict[str, Callable[[Sequence[str], Samples], bool]] = {
    "not as many as there are rows": lambda rows, drawn: any(len(s) != len(rows) for s in drawn),
    "not only rows of the table": lambda rows, drawn: any(not set(s) <= set(rows) for s in drawn),
    "one row, repeated": lambda rows, drawn: len(rows) > 1 and all(len(set(s)) == 1 for s in drawn),
    "never a row twice": lambda rows, drawn: (
        len(rows) > 1 and all(len(set(s)) == len(s) for s in drawn)
    ),
    "the same with every seed": lambda rows, drawn: (
        len(rows) > 1 and len({tuple(s) for s in drawn}) == 1
    ),
    "two samples from one seed": lambda _, drawn: drawn[0] != drawn[-1],
    "some rows more often than others": _lopsided,
    "draws that depend on one another": lambda rows, drawn: len(rows) > 1 and _tied(rows, drawn),
}


def _sample_case(rows: list[str]) -> Case:
    shown = f"{rows}, rng" if len(rows) <= _SMALL else f"{len(rows)} rows, rng"
    shows = "a table of a few rows" if len(rows) <= _SMALL else "a table of more rows"
    return Case((rows,), (FAIR,), shown, via=_verdict, behaviour=shows)


def _fresh_samples(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(_sample_case([f"r{int(i)}" for i in rng.permutation(90)[:n]]) for n in (6, 20))


BOOTSTRAP = page(__file__, "bootstrap").function(
    _sample_case, _fresh_samples, {fault: comes_to(fault) for fault in (*_FAULTS, NO_LIST)}
)
_OUT_OF_BAG = page(__file__, "out-of-bag")


def _in_order(function: Callable[..., Any], n: int, drawn: list[int]) -> Any:
    found = function(n, drawn)
    return sorted(found) if isinstance(found, list | tuple | set | np.ndarray) else found


def _rest_case(n: int, drawn: Sequence[int]) -> Case:
    left = _OUT_OF_BAG.right()(n, drawn)
    if len(left) in (0, n):
        shows = "a sample that leaves out nothing, or everything"
    else:
        same = len(drawn) == n
        shows = "as many draws as rows" if same else "more draws than rows, or fewer"
    return Case((n, list(drawn)), (left,), via=_in_order, behaviour=shows)


def _fresh_rest(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = ((4, 4), (9, 9), (30, 30), (12, 5), (5, 9))
    drawn = [(n, [int(i) for i in rng.integers(0, n, d)]) for n, d in sizes]
    all_of_them = [int(i) for i in rng.permutation(7)]
    return tuple(_rest_case(*one) for one in (*drawn, (7, all_of_them), (5, [])))


def _only_truths(outcome: Outcome) -> bool:
    """Whether a list of truth values came back."""
    members = outcome.value if outcome.kind == "values" else ()
    return bool(members) and all(isinstance(one, bool) for one in members)


def _repeated(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which some position comes twice, if those wanted are always among them."""
    pairs = enumerate(zip(_OUT_OF_BAG.cases, outcomes, strict=False))
    many = {i: given for i, (given, o) in pairs if o.kind == "values" and given[1]}
    if any(not {*_OUT_OF_BAG.right()(*many[i])} <= {*outcomes[i].value} for i in many):
        return []
    return [i for i in many if len(set(outcomes[i].value)) < len(outcomes[i].value)]


OUT_OF_BAG = _OUT_OF_BAG.function(
    _rest_case, _fresh_rest, {"truth values": where(_only_truths), "repeated": _repeated}
)


_TAKES_AWAY, _SETS = 0.3, 20
# From this depth on bagging takes away enough, with the settings that the lesson hands out.
_DEEP = 5


def measure_at(
    *, depth: int = 8, bagging: bool = True, resamples: int = _SETS, noise: float = 0.1
) -> str:
    """The state of the lab with some settings."""
    return at(source="wave", depth=depth, resamples=resamples, noise=noise, bagging=bagging)


@lru_cache(maxsize=4)
def _variances(state: Measured) -> tuple[float, float]:
    """The variance of single trees and of bagged ones, at the depth that is looked at."""
    state = when_measured(replace(state, settings=replace(state.settings, bagging=True)))
    at = state.settings.depth - 1
    return state.points(state.single)[at].variance, state.points(state.bag)[at].variance


def _saved(state: Measured) -> float:
    """The share of the variance that bagging takes away; 0 while it is switched off."""
    single, bagged = _variances(state) if state.settings.bagging else (1.0, 1.0)
    return 1 - bagged / single if single else 0.0


def _short(state: Measured) -> bool:
    return _saved(state) < _TAKES_AWAY


BAGGING_PAYS = page(__file__, "bagging-pays").exercise(
    Do(
        load,
        (
            BAGGING_ON,
            sets_at_least(_SETS),
            Goal(
                lambda s: _saved(s) >= _TAKES_AWAY,
                lambda s: f"depth {s.settings.depth}: {_saved(s):.0%} less variance",
                f"at least {_TAKES_AWAY:.0%} less",
            ),
        ),
        blank=as_given(source="wave", depth=1, resamples=_SETS),
    ),
    seen={
        "off": misses(measure_at(bagging=False), lambda s: not s.settings.bagging, 0, 2),
        "stumps": misses(
            measure_at(depth=1),
            lambda s: s.settings.bagging and s.settings.depth == 1 and _short(s),
            2,
        ),
        "shallow": misses(
            measure_at(depth=2),
            lambda s: s.settings.bagging and 1 < s.settings.depth < _DEEP and _short(s),
            2,
        ),
        "changed": misses(
            measure_at(depth=8, noise=0.3),
            lambda s: s.settings.bagging and s.settings.depth >= _DEEP and _short(s),
            2,
        ),
        "few sets": misses(measure_at(resamples=4), lambda s: s.settings.resamples < _SETS, 1),
    },
)


_FEWEST_ERRORS = page(__file__, "fewest-errors")
_STUMP, _FEWEST = 3, 3


def letters() -> Table:
    """Twelve letters, as the lesson types them in."""
    rows = (row.split() for row in _FEWEST_ERRORS.text.split('"""')[1].split(","))
    typed = [(known, int(links), int(capitals), spam) for known, links, capitals, spam in rows]
    names = ["Known sender", "Links", "Capitals", "Spam"]
    return Table.from_rows(typed, target="Spam", names=names)


def _asks(handed: Handed, name: str) -> bool:
    split = handed.tree.flat.split(0, handed.tree.attributes)
    return split is not None and handed.tree.attributes[split.attribute].name == name


def _one(handed: Handed) -> bool:
    return handed.tree.n_nodes == _STUMP


FEWEST_ERRORS = _FEWEST_ERRORS.exercise(
    Grow(
        letters,
        (
            Goal(_one, lambda h: f"nodes: {h.tree.n_nodes}", "one question and two leaves"),
            wrong_at_most(_FEWEST, letters, "letters", "the fewest that one question can have"),
        ),
    ),
    seen={
        "bits": misses(
            by_hand(letters(), {(): "Known sender"}),
            lambda h: _one(h) and _asks(h, "Known sender"),
            1,
        ),
        "links": misses(
            by_hand(letters(), {(): ("Links", 1)}), lambda h: _one(h) and _asks(h, "Links"), 1
        ),
        "capitals": misses(
            by_hand(letters(), {(): ("Capitals", 20)}),
            lambda h: _one(h) and _asks(h, "Capitals"),
            1,
        ),
        "not a stump": misses(id3(letters()), lambda h: not _one(h), 0),
    },
)
