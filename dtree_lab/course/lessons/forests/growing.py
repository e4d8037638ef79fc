"""What a node draws from, how many trees are enough, and noise learnt by heart."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Do, Goal
from dtree_lab.course.tasks.code import comes_to
from dtree_lab.course.tasks.do import at_least, misses
from dtree_lab.datasets import penguins
from dtree_lab.ensemble.random_forest import random_forest
from dtree_lab.labs.forest.growth import turned_labels
from dtree_lab.labs.forest.model import ForestLabSettings, State, dump, load, start
from dtree_lab.table.table import Table

Draws = list[list[str]]
Faults = dict[str, Callable[[Sequence[str], int, Draws], bool]]

# With how many seeds attributes are drawn, with how many of them once more, and by how many
# standard deviations chance may be off.
_DRAWS, _AGAIN, _MOST_OFF = 300, 12, 6
# Fair draws of sets are refused with a probability of at most exp(-this).
_RARE = 14
_FAIR = "different attributes, each set of them as often as any other"
_TEXT = "one text, and no list"
_CHANGED = "the list that it was given has changed"
_FEW, _ENDS = "a few of many attributes", "a single attribute, and all of them"


def _verdict(function: Callable[..., Any], names: list[str], m: int) -> str | None:
    """What can be said of the draws: the first fault that is seen, or that they are fair."""
    drawn, changed = [], False
    for seed in (*range(_AGAIN), *range(_DRAWS)):
        given = list(names)
        some = function(given, m, np.random.default_rng(seed))
        if some is None or isinstance(some, str):
            return some and _TEXT
        drawn.append([str(one) for one in some])
        changed = changed or given != names
        # Most faults are seen soon; the others take many draws.
        if len(drawn) == 2 * _AGAIN and (fault := _first(_FAULTS, names, m, drawn)):
            return fault
    fault = _first(_FAULTS, names, m, drawn)
    return fault or (_CHANGED if changed else _first(_UNEVEN, names, m, drawn[_AGAIN:]) or _FAIR)


def _first(faults: Faults, names: Sequence[str], m: int, drawn: Draws) -> str | None:
    return next((said for said, seen in faults.items() if seen(names, m, drawn)), None)


def _lopsided(names: Sequence[str], m: int, drawn: Draws) -> bool:
    p = m / len(names)
    off = _MOST_OFF * math.sqrt(_DRAWS * p * (1 - p))
    times = [sum(name in one for one in drawn) for name in names]
    return any(abs(t - _DRAWS * p) > off for t in times)


def _in_company(names: Sequence[str], m: int, drawn: Draws) -> bool:
    """Whether some sets come more often than others: chi-square, bounded by Laurent and Massart."""
    sets = [frozenset(some) for some in combinations(names, m)]
    times = Counter(frozenset(one) for one in drawn)
    fair, free = _DRAWS / len(sets), len(sets) - 1
    off = sum((times[some] - fair) ** 2 for some in sets) / fair
    return off > free + 2 * math.sqrt(free * _RARE) + 2 * _RARE


_FAULTS: Faults = {
    "not so many as asked for": lambda _, m, drawn: any(len(one) != m for one in drawn),
    "not only names of attributes": lambda names, _, drawn: any(
        not set(one) <= set(names) for one in drawn
    ),
    "an attribute twice": lambda _names, _, drawn: any(len(set(one)) < len(one) for one in drawn),
    "the same with every seed": lambda names, m, drawn: (
        m < len(names) and len({tuple(sorted(one)) for one in drawn}) == 1
    ),
    "two draws from one seed": lambda names, m, drawn: (
        m < len(names) and drawn[:_AGAIN] != drawn[_AGAIN : 2 * _AGAIN]
    ),
}
_LOPSIDED, _PARTED = "some attributes more often than others", "some sets more often than others"
_UNEVEN: Faults = {_LOPSIDED: _lopsided, _PARTED: _in_company}


def _nothing_back(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where None is returned, or used as if it were a list, in every case."""
    used = all(o.value == "TypeError" and "NoneType" in o.says for o in outcomes)
    given = all(o.kind == "nothing" and not o.printed for o in outcomes)
    return list(range(len(outcomes))) if used or given else []


def _draw_case(names: list[str], m: int) -> Case:
    shows = _FEW if 1 < m < len(names) else _ENDS
    return Case((names, m), (_FAIR,), f"{names}, {m}, rng", via=_verdict, behaviour=shows)


def _fresh_names(rng: np.random.Generator) -> tuple[Case, ...]:
    four, six = ([f"x{int(i)}" for i in rng.permutation(50)[:n]] for n in (4, 6))
    return _draw_case(four, 1), _draw_case(six, int(rng.integers(2, len(six))))


DRAW = page(__file__, "draw").function(
    _draw_case,
    _fresh_names,
    {
        "a text": comes_to(_TEXT),
        "nothing back": _nothing_back,
        "unequal": comes_to(_LOPSIDED),
        "in company": comes_to(_PARTED),
        "changed": comes_to(_CHANGED),
    },
)


# The first forest and the one that *Other chance* gives; from how many trees on the error counts as
# its level; by how many wrong rows it may be off; and how many trees more than needed are right.
_SEEDS, _LEVEL_AT, _OFF, _TOO_MANY, _M = (0, 1), 200, 1, 5, 2
_LEAST_OOB, _MOST_TRAINING = 0.25, 0.05


@lru_cache(maxsize=1)
def birds() -> Table:
    """The penguins without a gap, on which the lesson's labs are."""
    return penguins("drop")


def _untouched(state: State) -> bool:
    return state.settings == start(birds(), {}).settings


@lru_cache(maxsize=8)
def _errors(settings: ForestLabSettings) -> tuple[float, float]:
    """The error out of the bag, and on the training rows, as the lab says."""
    table = turned_labels(birds(), settings.noise, settings.seed)
    forest = random_forest(table, n_trees=settings.trees, m=settings.m, seed=settings.seed)
    return float(forest.oob_error), forest.error(table)


def lab_at(*, trees: int = 50, m: int = _M, noise: float = 0.0, seed: int = 0) -> str:
    """The state of the lab with some settings."""
    state = start(birds(), {})
    asked = replace(state.settings, trees=trees, m=m, noise=noise, seed=seed)
    return dump(replace(state, settings=asked))


def _oob(state: State) -> float:
    return _errors(state.settings)[0]


@lru_cache(maxsize=2)
def _wrong_rows(seed: int) -> tuple[int, ...]:
    """How many rows the first tree, the first two … of a forest get wrong, out of the bag."""
    forest = random_forest(birds(), n_trees=_LEVEL_AT, m=_M, seed=seed)
    return tuple(np.rint(forest.oob_errors * len(birds())).astype(int).tolist())


def _near(seed: int) -> list[bool]:
    """Whether the error is within a row of its level, with one tree, with two, and so on."""
    wrong = _wrong_rows(seed)
    return [abs(one - wrong[-1]) <= _OFF for one in wrong]


def _settled(seed: int) -> int:
    """From how many trees on the error stays within one row of its level."""
    near = _near(seed)
    return max((i for i, is_ in enumerate(near, start=1) if not is_), default=0) + 1


def _enough() -> int:
    return max(map(_settled, _SEEDS))


def _as_handed_out(state: State) -> bool:
    asked = state.settings
    return (asked.m, asked.noise) == (_M, 0.0) and asked.seed in _SEEDS


def _reached(state: State) -> bool:
    """Whether the trees are enough for both forests."""
    return state.settings.trees >= _enough()


def _few(state: State) -> bool:
    return state.settings.trees <= _enough() + _TOO_MANY


def _stays(state: State) -> str:
    trees = state.settings.trees
    if not _as_handed_out(state):
        return "this is another forest"
    both = [f"{'yes' if trees >= _settled(seed) else 'no'} with seed {seed}" for seed in _SEEDS]
    return f"{trees} trees, and from there on near the level: {', '.join(both)}"


def _length(state: State) -> str:
    if not _reached(state):
        return "too few trees"
    return "no more trees than that takes" if _few(state) else "more trees than that takes"


def _dips(state: State) -> bool:
    """Whether the error is near its level with so many trees, and leaves it with more."""
    at = state.settings.trees
    return any(_near(seed)[at - 1] and at < _settled(seed) for seed in _SEEDS)


def _short(state: State) -> bool:
    return _as_handed_out(state) and not _reached(state)


def _one_of_two(state: State) -> bool:
    return _short(state) and state.settings.trees >= min(map(_settled, _SEEDS))


FEWEST_TREES = page(__file__, "fewest-trees").exercise(
    Do(
        lambda text: load(text, birds()),
        (
            Goal(
                _as_handed_out,
                lambda s: (
                    f"m is {s.settings.m}, noise {s.settings.noise:g}, seed {s.settings.seed}"
                ),
                f"m = {_M} without noise, and the first forest or the one after *Other chance*",
            ),
            Goal(lambda s: _as_handed_out(s) and _reached(s), _stays, "yes with both"),
            Goal(
                lambda s: _as_handed_out(s) and _reached(s) and _few(s),
                _length,
                "the smallest number that is enough",
            ),
        ),
        blank=_untouched,
    ),
    seen={
        "too few": misses(
            lab_at(trees=8), lambda s: _short(s) and not _dips(s) and not _one_of_two(s), 1, 2
        ),
        "by luck": misses(
            lab_at(trees=22), lambda s: _short(s) and _dips(s) and not _one_of_two(s), 1, 2
        ),
        "one of two": misses(lab_at(trees=33), _one_of_two, 1, 2),
        "too many": misses(lab_at(trees=150), lambda s: _as_handed_out(s) and not _few(s), 2),
        "another forest": misses(lab_at(trees=60, m=6), lambda s: not _as_handed_out(s), 0, 1, 2),
    },
)


def _training(state: State) -> float:
    return _errors(state.settings)[1]


BY_HEART = page(__file__, "by-heart").exercise(
    Do(
        lambda text: load(text, birds()),
        (
            at_least(_LEAST_OOB, _oob, "out-of-bag error {:.3f}"),
            Goal(
                lambda s: _training(s) <= _MOST_TRAINING and s.settings.noise > 0,
                lambda s: f"noise {s.settings.noise:g}, training error {_training(s):.3f}",
                f"some noise, and a training error of at most {_MOST_TRAINING}",
            ),
        ),
        blank=_untouched,
    ),
    seen={
        "little noise": misses(
            lab_at(noise=0.1), lambda s: s.settings.noise > 0 and _oob(s) < _LEAST_OOB, 0
        ),
        "few trees": misses(
            lab_at(trees=3, noise=0.3),
            lambda s: s.settings.noise > 0 and _training(s) > _MOST_TRAINING,
            1,
        ),
        "no noise": misses(lab_at(trees=20), lambda s: s.settings.noise == 0, 0, 1),
    },
)
