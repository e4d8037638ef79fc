"""A third of the rows withheld, in random order: what a function deals out, and what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import Any

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code

Split = Callable[[list[int], int], Any]
Outcomes = tuple[Outcome, ...]

N_ROWS, _SEEDS = 30, 200
# One row more and two more: a third of them is rounded down, and up.
_UNEVEN = (N_ROWS + 1, N_ROWS + 2)
# A fair third of 200 is withheld 67 times, give or take 7; four times that is never reached.
_LEAST, _MOST = 0.2, 0.47
# Of 200 fair thirds of 15 rows or more hardly any two are alike.
_DIFFERENT = 150
_SIZES, _TOGETHER, _SHARES, _THIRDS, _ALIKE, _DOWN, _UP = 0, 1, 3, 4, 6, 7, 8
_DEALT, _CHANCE = "what goes to each side", "the seed's chance, and the list that was given"


def _rows_of(n: int) -> list[int]:
    """So many rows, none of which is its own place in the list."""
    return list(range(101, 101 + n))


def _two(given: Any) -> bool:
    """Whether it is two collections of rows."""
    pair = isinstance(given, tuple | list) and len(given) == 2  # noqa: PLR2004
    return pair and all(
        isinstance(part, Collection) and not isinstance(part, str) for part in given
    )


def _sizes(split: Split, rows: list[int], seed: int) -> Any:
    given = split(rows, seed)
    return [len(part) for part in given] if _two(given) else given


def _together(split: Split, rows: list[int], seed: int) -> Any:
    """The rows of each side: for many seeds, because two draws may differ by luck."""
    for i in range(_SEEDS):
        given = split(list(rows), seed + i)
        if not _two(given):
            return given
        sides = [sorted(part) for part in given]
        if not _once(rows)(sides):
            break
    return sides


def _once(rows: list[int]) -> Callable[[Sequence[Sequence[int]]], bool]:
    return lambda sides: len(sides) == 2 and sorted([*sides[0], *sides[1]]) == rows  # noqa: PLR2004


def _no_sides(given: Any) -> Any:
    """What came back instead of two lists; a truth or numbers would pass for what is measured."""
    return given if given is None or isinstance(given, str) else "no two lists"


def _repeats(split: Split, rows: list[int], seed: int) -> Any:
    one, other = (split(list(rows), seed) for _ in range(2))
    if not _two(one) or not _two(other):
        return _no_sides(one)
    return [list(part) for part in one] == [list(part) for part in other]


def _withheld(split: Split, rows: list[int], seed: int) -> Any:
    """The rows that are withheld with each of many seeds, or what came back instead."""
    thirds = []
    for i in range(_SEEDS):
        given = split(list(rows), seed + i)
        if not _two(given):
            return _no_sides(given)
        thirds.append([*given[1]])
    return thirds


def _shares(split: Split, rows: list[int], seed: int) -> Any:
    """How often the row withheld least often, and most often, is, over many seeds."""
    thirds = _withheld(split, rows, seed)
    if not isinstance(thirds, list):
        return thirds
    times = Counter(row for third in thirds for row in third)
    often = [times[row] / _SEEDS for row in {*rows, *times}]
    return [min(often), max(often)]


def _thirds(split: Split, rows: list[int], seed: int) -> Any:
    """How many different thirds are withheld, over many seeds."""
    thirds = _withheld(split, rows, seed)
    return len({tuple(sorted(third)) for third in thirds}) if isinstance(thirds, list) else thirds


def _untouched(split: Split, rows: list[int], seed: int) -> Any:
    given = list(rows)
    sides = split(given, seed)
    return given == rows if _two(sides) else _no_sides(sides)


def _fair(shares: tuple[float, float]) -> bool:
    return _LEAST <= shares[0] <= shares[1] <= _MOST


def _count(rows: list[int], seed: int, shows: str) -> Case:
    wants = ([len(rows) - round(len(rows) / 3), round(len(rows) / 3)],)
    return Case((rows, seed), wants, f"{shows}: how many", via=_sizes, behaviour=_DEALT)


def cases(n: int, seed: int) -> tuple[Case, ...]:
    """What is looked at for some rows and a seed."""
    rows, said = _rows_of(n), f"{n} rows, seed={seed}"
    args = (rows, seed)
    return (
        _count(rows, seed, said),
        Case(
            args,
            says=f"{said}: both lists",
            holds=_once(rows),
            wanted="each row once",
            via=_together,
            behaviour=_DEALT,
        ),
        Case(args, (True,), f"{said}: the same again", via=_repeats, behaviour=_CHANCE),
        Case(
            args,
            says=f"{n} rows, {_SEEDS} seeds: how often a row is withheld, least and most",
            holds=_fair,
            wanted="about a third of the times for every row",
            via=_shares,
            behaviour=_CHANCE,
        ),
        Case(
            args,
            says=f"{n} rows, {_SEEDS} seeds: how many different thirds",
            holds=lambda different: different >= _DIFFERENT,
            wanted="hardly any third twice",
            via=_thirds,
            behaviour=_CHANCE,
        ),
        Case(
            args,
            (True,),
            f"{said}: the list that was given is as it was",
            via=_untouched,
            behaviour=_CHANCE,
        ),
        _count([row // 2 for row in rows], seed, f"{n} rows, two by two alike, seed={seed}"),
    )


CASES = (*cases(N_ROWS, 1), *(_count(_rows_of(n), 1, f"{n} rows, seed=1") for n in _UNEVEN))


# -- what may be wrong -----------------------------------------------------------------------------


def _pair(outcome: Outcome) -> bool:
    value = outcome.value
    return isinstance(value, tuple) and [type(one) for one in value] == [int, int]


def _sides(outcomes: Outcomes) -> tuple[tuple[int, ...], ...]:
    """The rows on both sides, if there are two."""
    sides = outcomes[_TOGETHER].value
    fits = isinstance(sides, tuple) and len(sides) == 2  # noqa: PLR2004
    return sides if fits and all(isinstance(side, tuple) for side in sides) else ()


def not_two(outcomes: Outcomes) -> tuple[int, ...]:
    """Something else than two lists came back."""
    first = outcomes[_SIZES]
    none = first.kind in ("nothing", "raised", "hung", "refused")
    return () if none or _pair(first) else tuple(range(len(outcomes)))


def _turned(outcomes: Outcomes) -> tuple[int, ...]:
    """Sizes that have changed places."""
    third = round(N_ROWS / 3)
    found = outcomes[_SIZES].value == (third, N_ROWS - third)
    return (_SIZES, _SHARES, _ALIKE, _DOWN, _UP) if found else ()


def no_chance(outcomes: Outcomes) -> tuple[int, ...]:
    """Every row gets its turn, and only a few different thirds are ever withheld."""
    shares, thirds = outcomes[_SHARES].value, outcomes[_THIRDS].value
    fair = isinstance(shares, tuple) and _fair(shares)
    few = isinstance(thirds, int | float) and 1 < thirds < _DIFFERENT
    return (_THIRDS,) if fair and few else ()


def other_number(outcomes: Outcomes) -> list[int]:
    """All rows are dealt out, and another number than a third is withheld."""
    found = []
    for i, n in zip((_SIZES, _DOWN, _UP), (N_ROWS, *_UNEVEN), strict=True):
        third = round(n / 3)
        if _pair(outcomes[i]) and sum(outcomes[i].value) == n:
            found += [i] if outcomes[i].value[1] not in (third, n - third) else []
    return found


def on_both(outcomes: Outcomes) -> tuple[int, ...]:
    """Rows that are on both sides, where none is missing or twice on one side."""
    sides = _sides(outcomes)
    found = (
        bool(sides)
        and {*sides[0], *sides[1]} == set(_rows_of(N_ROWS))
        and bool({*sides[0]} & {*sides[1]})
        and not _doubled(sides)
    )
    return (_TOGETHER,) if found else ()


def drawn_twice(outcomes: Outcomes) -> tuple[int, ...]:
    """Rows that are drawn twice, on one side or on both, while others are not drawn at all."""
    sides = _sides(outcomes)
    known = set(_rows_of(N_ROWS))
    found = bool(sides) and {*sides[0], *sides[1]} <= known
    missing = found and {*sides[0], *sides[1]} < known and sum(map(len, sides)) >= N_ROWS
    return (_TOGETHER,) if found and (missing or _doubled(sides)) else ()


def _doubled(sides: tuple[tuple[int, ...], ...]) -> bool:
    return any(len(set(side)) < len(side) for side in sides)


def _places(outcomes: Outcomes) -> tuple[int, ...]:
    """Places in the list instead of rows."""
    sides = _sides(outcomes)
    found = bool(sides) and {*sides[0], *sides[1]} <= set(range(N_ROWS))
    return (_TOGETHER, _SHARES) if found else ()


def lost(outcomes: Outcomes) -> tuple[int, ...]:
    """Rows that got lost because they are like withheld ones, where all is well otherwise."""
    apart, alike = outcomes[_SIZES].value, outcomes[_ALIKE].value
    third = round(N_ROWS / 3)
    fair = (N_ROWS - third, third)
    return (_ALIKE,) if _pair(outcomes[_ALIKE]) and alike[0] < fair[0] and apart == fair else ()


WITHHOLD = page(__file__, "withhold").exercise(
    Code(
        "withhold",
        CASES,
        fresh=lambda rng: cases(int(rng.integers(15, 90)), int(rng.integers(1000))),
    ),
    seen={
        "few thirds": no_chance,
        "changed places": _turned,
        "on both sides": on_both,
        "drawn twice": drawn_twice,
        "lost": lost,
        "another number": other_number,
        "not two lists": not_two,
        "places": _places,
    },
)
