"""The exercise on drawing attributes for a node."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code

Draws = list[list[str]]
Faults = dict[str, Callable[[Sequence[str], int, Draws], bool]]

# With how many seeds attributes are drawn, with how many of them once more, and by how many
# standard deviations chance may be off.
_SEEDS, _AGAIN, _MOST_OFF = 300, 12, 6
# Fair draws of sets are refused with a probability of at most exp(-this).
_RARE = 14
_FAIR = "different attributes, each set of them as often as any other"
_TEXT = "one text, and no list"
_CHANGED = "the list that it was given has changed"
_FEW, _ENDS = "a few of many attributes", "a single attribute, and all of them"


def _verdict(function: Callable[..., Any], names: list[str], m: int) -> str | None:
    """What can be said of the draws: the first fault that is seen, or that they are fair.

    The function is called with some seeds, and then with these again and many more.
    """
    drawn, changed = [], False
    for seed in (*range(_AGAIN), *range(_SEEDS)):
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
    off = _MOST_OFF * math.sqrt(_SEEDS * p * (1 - p))
    times = [sum(name in one for one in drawn) for name in names]
    return any(abs(t - _SEEDS * p) > off for t in times)


def _in_company(names: Sequence[str], m: int, drawn: Draws) -> bool:
    """Whether some sets come more often than others: chi-square, bounded by Laurent and Massart."""
    sets = [frozenset(some) for some in combinations(names, m)]
    times = Counter(frozenset(one) for one in drawn)
    fair, free = _SEEDS / len(sets), len(sets) - 1
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


def _seen(fault: str) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises a mistake by the fault that was seen."""
    return lambda outcomes: [i for i, outcome in enumerate(outcomes) if outcome.value == fault]


def _nothing_back(outcomes: tuple[Outcome, ...]) -> list[int]:
    """Where None is returned, or used as if it were a list, in every case."""
    used = all(o.value == "TypeError" and "NoneType" in o.says for o in outcomes)
    given = all(o.kind == "nothing" and not o.printed for o in outcomes)
    return list(range(len(outcomes))) if used or given else []


def _case(names: list[str], m: int) -> Case:
    shows = _FEW if 1 < m < len(names) else _ENDS
    return Case((names, m), (_FAIR,), f"{names}, {m}, rng", via=_verdict, behaviour=shows)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    four, six = ([f"x{int(i)}" for i in rng.permutation(50)[:n]] for n in (4, 6))
    return _case(four, 1), _case(six, int(rng.integers(2, len(six))))


DRAW = page(__file__, "draw").exercise(
    Code(
        "draw_attributes",
        (
            _case(["a", "b", "c", "d", "e"], 2),
            _case(["a", "b", "c", "d"], 1),
            _case(["a", "b", "c"], 3),
            _case(["a", "b", "c", "d", "e", "f"], 3),
        ),
        fresh=_fresh,
    ),
    seen={
        "too few": _seen("not so many as asked for"),
        "a text": _seen(_TEXT),
        "nothing back": _nothing_back,
        "positions": _seen("not only names of attributes"),
        "twice": _seen("an attribute twice"),
        "no chance": _seen("the same with every seed"),
        "another chance": _seen("two draws from one seed"),
        "unequal": _seen(_LOPSIDED),
        "in company": _seen(_PARTED),
        "changed": _seen(_CHANGED),
    },
)
