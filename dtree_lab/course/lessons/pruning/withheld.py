"""The exercise on withholding rows."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    Split = Callable[[list[int], int], Any]

_N_ROWS, _SEEDS = 30, 200
# A fair third of 200 is withheld 67 times, give or take 7; four times that is never reached.
_LEAST, _MOST = 0.2, 0.47


def _sizes(split: Split, rows: list[int], seed: int) -> list[int] | None:
    given = split(rows, seed)
    return None if given is None else [len(given[0]), len(given[1])]


def _together(split: Split, rows: list[int], seed: int) -> list[int] | None:
    """All rows of both sides: for many seeds, because two draws may differ by luck."""
    for i in range(_SEEDS):
        given = split(list(rows), seed + i)
        if given is None:
            return None
        training, validation = given
        together = sorted([*training, *validation])
        if together != rows:
            break
    return together


def _repeats(split: Split, rows: list[int], seed: int) -> bool | None:
    one, other = (split(list(rows), seed) for _ in range(2))
    if one is None:
        return None
    return [list(part) for part in one] == [list(part) for part in other]


def _shares(split: Split, rows: list[int], seed: int) -> list[float] | None:
    """How often the row withheld least often, and most often, is, over many seeds."""
    times = dict.fromkeys(rows, 0)
    for i in range(_SEEDS):
        given = split(list(rows), seed + i)
        if given is None:
            return None
        for row in given[1]:
            times[row] += 1
    return [min(times.values()) / _SEEDS, max(times.values()) / _SEEDS]


def _untouched(split: Split, rows: list[int], seed: int) -> bool | None:
    given = list(rows)
    return None if split(given, seed) is None else given == rows


def _fair(shares: tuple[float, float]) -> bool:
    return _LEAST <= shares[0] <= shares[1] <= _MOST


def _cases(n: int, seed: int) -> tuple[Case, ...]:
    args = (list(range(n)), seed)
    said = f"{n} rows, seed={seed}"
    third = round(n / 3)
    return (
        Case(args, ([n - third, third],), f"{said}: how many", via=_sizes),
        Case(
            args, (list(range(n)),), f"{said}: both together", wanted="each row once", via=_together
        ),
        Case(args, (True,), f"{said}: the same again", via=_repeats),
        Case(
            args,
            says=f"{n} rows, {_SEEDS} seeds: how often a row is withheld, least and most",
            holds=_fair,
            wanted="about a third of the times for every row",
            via=_shares,
        ),
        Case(args, (True,), f"{said}: the list that was given is as it was", via=_untouched),
        Case(
            ([i // 2 for i in range(n)], seed),
            ([n - third, third],),
            f"{n} rows, two by two alike, seed={seed}: how many",
            via=_sizes,
        ),
    )


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    return _cases(3 * int(rng.integers(5, 30)) + int(rng.integers(2)), int(rng.integers(1000)))


def _mixed(rows: list[int], seed: int) -> list[int]:
    return random.Random(seed).sample(rows, len(rows))  # noqa: S311 - no secret


def _unshuffled(rows: list[int], seed: int) -> Any:  # noqa: ARG001 - that is its mistake
    n = round(len(rows) / 3)
    return rows[n:], rows[:n]


def _swapped(rows: list[int], seed: int) -> Any:
    order, n = _mixed(rows, seed), round(len(rows) / 3)
    return order[:n], order[n:]


def _left_in(rows: list[int], seed: int) -> Any:
    return rows, _mixed(rows, seed)[: round(len(rows) / 3)]


def _put_back(rows: list[int], seed: int) -> Any:
    order, n = random.Random(seed).choices(rows, k=len(rows)), round(len(rows) / 3)  # noqa: S311
    return order[n:], order[:n]


def _drawn_twice(outcomes: tuple[Any, ...]) -> tuple[int, ...]:
    """Rows that are there twice, though not because the withheld ones were left in."""
    sizes, together = outcomes[0].value, outcomes[1].value
    if not isinstance(together, tuple) or not isinstance(sizes, tuple):
        return ()
    twice = len(set(together)) < len(together)
    return (1,) if twice and sizes[0] < _N_ROWS else ()


def _by_equality(rows: list[int], seed: int) -> Any:
    withheld = _mixed(rows, seed)[: round(len(rows) / 3)]
    return [row for row in rows if row not in withheld], withheld


def _lost(outcomes: tuple[Any, ...]) -> tuple[int, ...]:
    """Rows that got lost because they are like withheld ones, where all is well otherwise."""
    apart, alike = outcomes[0].value, outcomes[-1].value
    third = round(_N_ROWS / 3)
    fair = (_N_ROWS - third, third)
    lost = isinstance(alike, tuple) and alike[0] < fair[0]
    return (len(outcomes) - 1,) if lost and apart == fair else ()


def _turned(outcomes: tuple[Any, ...]) -> tuple[int, ...]:
    """Sizes that have changed places."""
    third = round(_N_ROWS / 3)
    return (0, 3, 5) if outcomes[0].value == (third, _N_ROWS - third) else ()


def _no_seed(rows: list[int], seed: int) -> Any:  # noqa: ARG001 - that is its mistake
    return _swapped(rows, random.SystemRandom().randrange(10**9))[::-1]


def _in_place(rows: list[int], seed: int) -> Any:
    random.Random(seed).shuffle(rows)  # noqa: S311
    n = round(len(rows) / 3)
    return rows[n:], rows[:n]


WITHHOLD = Exercise(
    id="pruning/withhold",
    title="Withhold a third, in random order",
    points=2,
    answer="withhold",
    task=Code("withhold", _cases(_N_ROWS, 1), fresh=_fresh),
    mistakes=(
        Mistake(
            _unshuffled,
            "It withholds the same rows whatever the seed. Rows often lie in some order, by date"
            " or by label, and then a piece of the list is not like the rest. Mix them first, and"
            " let the seed decide how.",
        ),
        Mistake(
            _swapped,
            "The parts have changed places: most rows are to grow on, and the smaller part is"
            " withheld. Which of the two is returned first?",
            when=_turned,
        ),
        Mistake(
            _left_in,
            "The withheld rows are still among those to grow on. Then they are no test of anything:"
            " the tree has seen them.",
        ),
        Mistake(
            _put_back,
            "Some rows are drawn twice and others never. Each row goes to one side, once: that is"
            " drawing without putting back.",
            when=_drawn_twice,
        ),
        Mistake(
            _by_equality,
            "It leaves out every row that equals a withheld one. Rows may be alike, and then too"
            " many are gone: go by their places in the list, not by what they hold.",
            when=_lost,
        ),
        Mistake(
            _no_seed,
            "Two calls with the same seed withhold different rows. Nobody can repeat such an"
            " experiment. Make a generator from the seed, inside the function.",
        ),
        Mistake(
            _in_place,
            "It mixes the very list that it was given, so the caller's rows change their order,"
            " too. Mix a copy.",
        ),
    ),
    more="``random.Random(seed).sample(rows, len(rows))`` is a new list with all rows in random"
    " order. How many are a third of them? The first so many of the new list are one part, the"
    " rest the other: two slices.",
    solution="""def withhold(rows, seed):
    order = random.Random(seed).sample(rows, len(rows))
    n_withheld = round(len(rows) / 3)
    return order[n_withheld:], order[:n_withheld]
""",
    why="In random order any slice is a fair sample, so the first third will do."
    " ``dt.evaluate.holdout(table, seed=…)`` does the same with a table.",
)
