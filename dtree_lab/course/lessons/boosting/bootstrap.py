"""Bootstrap samples, the rows out of the bag, and the chance of being left out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Case, Code, Number
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


def _rest(n: int, drawn: Sequence[int]) -> list[int]:
    return sorted(set(range(n)) - set(drawn))


def _in_order(function: Callable[..., Any], n: int, drawn: list[int]) -> Any:
    found = function(n, drawn)
    return sorted(found) if isinstance(found, list | tuple | set | np.ndarray) else found


def _rest_case(n: int, drawn: Sequence[int]) -> Case:
    left = _rest(n, drawn)
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


_taken_twice = stops("ValueError", "remove")


def _removed(n: int, drawn: Sequence[int]) -> list[int]:
    found = list(range(n))
    for i in drawn:
        found.remove(i)
    return found


def _begins_at_one(n: int, drawn: Sequence[int]) -> list[int]:
    return [i for i in range(1, n) if i not in drawn]


def _to_n(n: int, drawn: Sequence[int]) -> list[int]:
    return [i for i in range(n + 1) if i not in drawn]


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
_ENDS = (
    "It counts the positions wrongly: they begin at 0, and the last is one less than the number of"
    " rows."
)


OUT_OF_BAG = Exercise(
    id="boosting/out-of-bag",
    title="Out of the bag",
    points=2,
    heading="out of the bag",
    text="""Write `out_of_bag(n, drawn)`: of `n` rows, at the positions 0 to n − 1, those in the
list `drawn` were drawn (more draws than rows, or fewer, are possible). Return the positions that
were not, as a list.""",
    stub="""def out_of_bag(n, drawn):
    # your lines, in place of the dots
    ...""",
    answer="out_of_bag",
    task=Code(
        "out_of_bag",
        _CASES,
        fresh=_fresh_rest,
    ),
    mistakes=(
        Mistake(
            lambda _, drawn: sorted(set(drawn)),
            "Those are the rows *in* the bag. Asked for are the others.",
        ),
        Mistake(
            lambda n, drawn: len(_rest(n, drawn)),
            "It gives how many there are. Asked for is which they are, as a list.",
        ),
        Mistake(
            lambda n, drawn: [i for i in range(1, n + 1) if i not in drawn],
            "It counts the rows from 1. Positions begin at 0, and the last is one less than the"
            " number of rows.",
        ),
        Mistake(
            lambda n, drawn: [i + 1 for i in _rest(n, drawn)],
            "Each position is one too high. The first row is at position 0.",
        ),
        Mistake(
            lambda _, drawn: sorted(i for i in drawn if drawn.count(i) == 1),
            "Those are the rows that were drawn exactly once. Asked for are those that never were.",
        ),
        Mistake(_begins_at_one, _ENDS),
        Mistake(_to_n, _ENDS),
        Mistake(
            lambda _, drawn: [i for i in range(len(drawn)) if i not in drawn],
            "It takes the number of draws for the number of rows. There may be more draws, or"
            " fewer; how many rows there are is said by ``n``.",
        ),
        Mistake(
            lambda n, drawn: [i not in drawn for i in range(n)],
            "It says of each position whether it was left out. Asked for are those positions"
            " themselves.",
            when=_truths,
        ),
        Mistake(
            lambda n, drawn: [i for i in range(n) for d in drawn if i != d],
            "Some positions come more than once. A row is out of the bag if it differs from *all*"
            " of the draws, and then it is named once.",
            when=_repeated,
        ),
        Mistake(
            _removed,
            "``remove`` fails where there is nothing left to take away: a row that was drawn twice"
            " has gone at its first draw.",
            when=_taken_twice,
        ),
        Mistake(
            lambda n, drawn: sorted(set(drawn) - set(range(n))),
            "Nothing is ever left. Which of the two is taken away from which: the drawn positions"
            " from all of them, or the other way round?",
        ),
        Mistake(
            lambda n, drawn: [i for i in range(min(n, 1)) if i not in drawn],
            "It never gets beyond the first position. Does a ``return`` stand inside the loop?",
        ),
        Mistake(
            lambda n, drawn: _rest(n, drawn)[:1] or None,
            "It ends at the first position that it finds. There may be more: collect them.",
        ),
        Mistake(
            lambda n, drawn: [i for i in range(n - 1) if i not in drawn],
            "It never looks at the last row. ``range(n)`` ends at n - 1 of itself.",
        ),
        Mistake(
            lambda n, drawn: [i for i in range(n) if drawn.count(i) != 1],
            "Rows that were drawn twice are not out of the bag: they are in it twice.",
        ),
        Mistake(
            lambda _, drawn: [i for i in range(max(drawn, default=0)) if i not in drawn],
            "It stops at the largest position that was drawn. Rows after it were not drawn either.",
        ),
    ),
    more="Go through all positions, ``range(n)``, and keep those that are not in ``drawn``.",
    solution="""def out_of_bag(n, drawn):
    return [i for i in range(n) if i not in drawn]
""",
    why="Each position that was never drawn. For many rows make a set of the draws first: to look"
    " something up in a set takes no longer, however large it is.",
)


_APART = 0.004


def _left_out(rng: np.random.Generator) -> Exercise:
    return drawn_until(
        "boosting/left-out",
        lambda: _left_out_of(int(rng.integers(5, 13)), int(rng.integers(4, 13))),
        _apart,
    )


def _apart(one: Exercise) -> bool:
    compared = [mistake for mistake in one.mistakes if mistake.when is None]
    numbers = [one.task.run(mistake.wrong)[0].value for mistake in compared]
    numbers.append((1 - 1 / one.data["rows"]) ** one.data["draws"])
    return bool(min(abs(x - y) for i, x in enumerate(numbers) for y in numbers[:i]) > _APART)


def _mistaken(n: int, d: int) -> tuple[Mistake, ...]:
    stays = 1 - 1 / n
    return (
        Mistake(
            1 - stays**d,
            "That is how likely the row is to be *in* the sample. Asked for is the opposite.",
        ),
        Mistake(
            math.exp(-1),
            "1/e is what it comes to for very many rows and as many draws. Here there are few,"
            " and not as many draws as rows.",
        ),
        Mistake(
            (1 - 1 / d) ** n,
            "Rows and draws have changed places: at each *draw* one of the *rows* is taken.",
        ),
        Mistake(
            stays**n,
            "You let as many draws happen as there are rows. Look at the number of draws once"
            " more.",
        ),
        Mistake(
            stays,
            "That is for a single draw. The row must escape all of them, and each is free of"
            " the others.",
        ),
        Mistake(
            math.exp(-d / n),
            "That is what it comes to for very many rows. Here there are few: do not put e in the"
            " place of the power.",
        ),
        Mistake(
            1 - d / n,
            "That is a single chance taken once for each draw, and off it goes from 1. It would be"
            " right if the rows were *not* put back. Chances of draws that are free of one another"
            " are multiplied.",
        ),
        Mistake(
            1 / n**d,
            "That is how likely the row is to be taken at *every* draw. It is to be taken at none.",
            when=_is_nearly(1 / n**d),
        ),
        Mistake(
            0,
            "0 would say that the row is drawn for certain. However many draws there are, each of"
            " them may take another row.",
        ),
    )


def _is_nearly(wrong: float) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises a number that is so small that it lies within the tolerance of 0."""
    return lambda outcomes: [
        i
        for i, o in enumerate(outcomes)
        if o.kind == "number" and math.isclose(o.value, wrong, rel_tol=0.01)
    ]


def _left_out_of(n: int, d: int) -> Exercise:
    stays = 1 - 1 / n
    return Exercise(
        id="boosting/left-out",
        title="The chance of being left out",
        points=2,
        heading="left out",
        text="""Here the number of draws, with replacement, is not the number of rows. How likely is
it that the first row is **never** drawn? (Within 0.001.)

```python
bag = dt.course.data("boosting/left-out", me)
bag
```""",
        stub="p_left_out = ...",
        answer="p_left_out",
        data={"rows": n, "draws": d},
        task=Number(stays**d),
        mistakes=_mistaken(n, d),
        more="At one draw, how likely is it that another row is taken? The draws do not know of one"
        " another, so the chances are multiplied: once for each draw.",
        solution='p_left_out = (1 - 1 / bag["rows"]) ** bag["draws"]',
        why="At each draw the row escapes with probability 1 - 1/n, and it must escape every time.",
    )


LEFT_OUT = personal(_left_out)
