"""The exercise on drawing with replacement."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dtree_lab.course.calls import Outcome

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


_beyond = stops("IndexError")


def _case(rows: list[str]) -> Case:
    shown = f"{rows}, rng" if len(rows) <= _FEW else f"{len(rows)} rows, rng"
    shows = "a table of a few rows" if len(rows) <= _FEW else "a table of more rows"
    return Case((rows,), (FAIR,), shown, via=_verdict, behaviour=shows)


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(_case([f"r{int(i)}" for i in rng.permutation(90)[:n]]) for n in (6, 20))


def _twice(rows: list[str], rng: Any) -> list[str]:
    """Half as many draws, each of them twice."""
    half = rng.choice(rows, (len(rows) + 1) // 2)
    return [str(half[i // 2]) for i in range(len(rows))]


BOOTSTRAP = Exercise(
    id="boosting/bootstrap",
    title="A bootstrap sample",
    points=3,
    heading="draw a sample",
    text="""Write `bootstrap(rows, rng)`. It gets a list of rows and one of numpy's generators;
`rng.integers(k)` draws a whole number from 0 to k − 1. Return the sample as a list.""",
    stub="""def bootstrap(rows, rng):
    # your lines, in place of the dots
    ...""",
    answer="bootstrap",
    task=Code(
        "bootstrap",
        tuple(map(_case, (list("abcde"), [f"row {i}" for i in range(12)], ["only"]))),
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda rows, rng: [str(one) for one in rng.choice(rows, max(len(rows) - 1, 1))],
            "The sample has not as many rows as the table. (A set would keep each row only once.)",
            when=_seen("not as many as there are rows"),
        ),
        Mistake(
            lambda rows, rng: [int(i) for i in rng.integers(0, len(rows), len(rows))],
            "What comes back are not rows of the table. Are they positions? Then look the rows up.",
            when=_seen("not only rows of the table"),
        ),
        Mistake(
            lambda rows, rng: rows[int(rng.integers(len(rows)))],
            "It draws once and gives what was drawn. Asked for is a list, of as many draws as there"
            " are rows.",
            when=_seen(NO_LIST),
        ),
        Mistake(
            lambda rows, rng: [rows[int(i)] for i in rng.integers(1, len(rows) + 1, len(rows))],
            "Now and then it looks up a row that is not there. Positions begin at 0, and the last"
            " is one less than the number of rows.",
            when=_beyond,
        ),
        Mistake(
            lambda rows, rng: [rows[int(rng.integers(len(rows)))]] * len(rows),
            "One row is drawn and then repeated. Each draw is a new one.",
            when=_seen("one row, repeated"),
        ),
        Mistake(
            lambda rows, rng: list(rng.permutation(rows)),
            "No row ever comes twice: that is drawing *without* replacement, and it only shuffles"
            " the table. A row that was drawn goes back before the next draw.",
            when=_seen("never a row twice"),
        ),
        Mistake(
            lambda rows, _: list(np.random.default_rng(1).choice(rows, len(rows))),
            "It draws the same rows each time. Is there a seed of your own in it? All chance is to"
            " come from ``rng``.",
            when=_seen("the same with every seed"),
        ),
        Mistake(
            lambda rows, _: list(np.random.default_rng().choice(rows, len(rows))),
            "Asked twice with the same seed, it gives two samples. All chance is to come from the"
            " ``rng`` that it is given, so that a result can be had again.",
            when=_seen("two samples from one seed"),
        ),
        Mistake(
            lambda rows, rng: [rows[i] for i in rng.integers(0, max(len(rows) - 1, 1), len(rows))],
            "Some rows come more often than others, or never. ``rng.integers(0, n)`` leaves out n"
            " itself, so its upper end is the number of rows.",
            when=_seen("some rows more often than others"),
        ),
        Mistake(
            _twice,
            "Every row comes as often as it should, and yet the draws of one sample depend on one"
            " another. Each draw is to be free of the others.",
            when=_seen("draws that depend on one another"),
        ),
    ),
    more="``rng.integers(len(rows))`` is a position, from 0 to the last, each as likely. Draw one"
    " as often as there are rows, and look each row up.",
    solution="""def bootstrap(rows, rng):
    return [rows[rng.integers(len(rows))] for _ in rows]
""",
    why="As many draws as there are rows, each from all of them. ``rng.choice(rows, len(rows))``"
    " does the same: it draws with replacement unless it is told not to.",
)
