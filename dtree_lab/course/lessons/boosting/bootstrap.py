"""Bootstrap samples, the rows out of the bag, and the chance of being left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, drawn_until, personal
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

Samples = list[list[str]]

# Samples that are drawn of each table, and by how many standard deviations chance may be off.
_SEEDS, _MOST_OFF = 400, 6
_FEW = 6
NO_LIST = "a single thing and no list"
FAIR = "every row as often as any other, some more than once"


def _verdict(function: Callable[..., Any], rows: list[str]) -> str | None:
    """What can be said of the function's samples: the first fault that is seen, or that it is fair.

    It is called with many seeds, and with the first one once more.
    """
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


def _seen(fault: str) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises a mistake by the fault that was seen."""
    return lambda outcomes: [i for i, outcome in enumerate(outcomes) if outcome.value == fault]


def _case(rows: list[str]) -> Case:
    shown = f"{rows}, rng" if len(rows) <= _FEW else f"{len(rows)} rows, rng"
    shows = "a table of a few rows" if len(rows) <= _FEW else "a table of more rows"
    return Case((rows,), (FAIR,), shown, via=_verdict, behaviour=shows)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(_case([f"r{int(i)}" for i in rng.permutation(90)[:n]]) for n in (6, 20))


BOOTSTRAP = page(__file__, "bootstrap").exercise(
    Code(
        "bootstrap",
        tuple(map(_case, (list("abcde"), [f"row {i}" for i in range(12)], ["only"]))),
        fresh=_fresh,
    ),
    seen={fault: _seen(fault) for fault in (*_FAULTS, NO_LIST)}
    | {"beyond the last": stops("IndexError")},
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


def _truths(outcomes: tuple[Outcome, ...]) -> list[int]:
    many = [i for i, o in enumerate(outcomes) if o.kind == "values" and o.value]
    return [i for i in many if all(isinstance(one, bool) for one in outcomes[i].value)]


def _repeated(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which some position comes twice, if those wanted are always among them."""
    many = [
        i
        for i, o in enumerate(outcomes)
        if o.kind == "values" and i < len(_CASES) and _CASES[i].args[1]
    ]
    if any(not {*_CASES[i].wants[0]} <= {*outcomes[i].value} for i in many):
        return []
    return [i for i in many if len(set(outcomes[i].value)) < len(outcomes[i].value)]


_CASES = (
    _rest_case(5, [0, 2, 2, 1, 0]),
    _rest_case(5, [4, 4, 4, 4, 4]),
    _rest_case(6, [5, 1, 1, 2, 2, 5]),
    _rest_case(3, [2, 0, 1]),
    _rest_case(8, [1, 4, 4, 3, 1, 3, 4, 5]),
    _rest_case(6, [3, 1, 3]),
    _rest_case(3, [1, 2, 2, 1, 1]),
    _rest_case(4, []),
)
OUT_OF_BAG = _OUT_OF_BAG.exercise(
    Code("out_of_bag", _CASES, fresh=_fresh_rest),
    seen={
        "truth values": _truths,
        "repeated": _repeated,
        "taken twice": stops("ValueError", "remove"),
    },
)


_APART = 0.004
_LEFT_OUT = page(__file__, "left-out")


def _left_out(rng: np.random.Generator) -> Exercise:
    bag = drawn_until(
        "boosting/left-out",
        lambda: {"rows": int(rng.integers(5, 13)), "draws": int(rng.integers(4, 13))},
        lambda bag: _LEFT_OUT.apart(bag=bag) > _APART,
    )
    nearly = _is_nearly(1 / bag["rows"] ** bag["draws"])
    return _LEFT_OUT.exercise(shown=bag, seen={"nearly nothing": nearly}, bag=bag)


def _is_nearly(wrong: float) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises a number that is so small that it lies within the tolerance of 0."""
    return lambda outcomes: [
        i
        for i, o in enumerate(outcomes)
        if o.kind == "number" and math.isclose(o.value, wrong, rel_tol=0.01)
    ]


LEFT_OUT = personal(_left_out)
