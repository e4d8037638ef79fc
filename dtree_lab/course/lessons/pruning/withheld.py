"""The exercise on withholding rows."""

from __future__ import annotations

import random
from typing import Any

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.lessons.pruning import dealing
from dtree_lab.course.tasks import Code
from dtree_lab.course.tasks.stopping import stops


def _mixed(rows: list[int], seed: int) -> list[int]:
    return random.Random(seed).sample(rows, len(rows))  # noqa: S311 - no secret


def _unshuffled(rows: list[int], seed: int) -> Any:  # noqa: ARG001 - that is its mistake
    n = round(len(rows) / 3)
    return rows[n:], rows[:n]


def _every_third(rows: list[int], seed: int) -> Any:
    held = list(range(seed % 3, len(rows), 3))[: round(len(rows) / 3)]
    return [row for i, row in enumerate(rows) if i not in held], [rows[i] for i in held]


def _swapped(rows: list[int], seed: int) -> Any:
    order, n = _mixed(rows, seed), round(len(rows) / 3)
    return order[:n], order[n:]


def _left_in(rows: list[int], seed: int) -> Any:
    return rows, _mixed(rows, seed)[: round(len(rows) / 3)]


def _put_back(rows: list[int], seed: int) -> Any:
    order, n = random.Random(seed).choices(rows, k=len(rows)), round(len(rows) / 3)  # noqa: S311
    return order[n:], order[:n]


def _by_equality(rows: list[int], seed: int) -> Any:
    withheld = _mixed(rows, seed)[: round(len(rows) / 3)]
    return [row for row in rows if row not in withheld], withheld


def _no_seed(rows: list[int], seed: int) -> Any:  # noqa: ARG001 - that is its mistake
    return _swapped(rows, random.SystemRandom().randrange(10**9))[::-1]


def _in_place(rows: list[int], seed: int) -> Any:
    random.Random(seed).shuffle(rows)  # noqa: S311
    n = round(len(rows) / 3)
    return rows[n:], rows[:n]


def _rounded_down(rows: list[int], seed: int) -> Any:
    order, n = _mixed(rows, seed), len(rows) // 3
    return order[n:], order[:n]


def _one_list(rows: list[int], seed: int) -> Any:
    return _mixed(rows, seed)[: round(len(rows) / 3)]


def _places(rows: list[int], seed: int) -> Any:
    order, n = _mixed(list(range(len(rows))), seed), round(len(rows) / 3)
    return order[n:], order[:n]


def _of_nothing(rows: list[int], seed: int) -> Any:
    order: Any = random.Random(seed).shuffle(list(rows))  # type: ignore[func-returns-value]  # noqa: S311
    return order[1:], order[:1]


def _no_whole_number(rows: list[int], seed: int) -> Any:
    n: Any = len(rows) / 3
    return rows, _mixed(rows, seed)[:n]


WITHHOLD = Exercise(
    id="pruning/withhold",
    title="Withhold a third, in random order",
    points=2,
    heading="withhold",
    text="""Write `withhold(rows, seed)` for a list of rows. It returns two lists: the rows to grow
on, and the withheld third (`round(len(rows) / 3)` of them), drawn at random. Some rows may be
alike. The same seed gives the same two lists, and the list that was given stays as it is. You need
`random.Random(seed)`: its method `.sample(a_list, n)` draws n things from a list without putting
them back.""",
    stub="""def withhold(rows, seed):
    # your lines, in place of the dots
    ...""",
    answer="withhold",
    task=Code("withhold", dealing.CASES, fresh=dealing.fresh),
    mistakes=(
        Mistake(
            _unshuffled,
            "It withholds the same rows whatever the seed. Rows often lie in some order, by date"
            " or by label, and then a piece of the list is not like the rest. Mix them first, and"
            " let the seed decide how.",
        ),
        Mistake(
            _every_third,
            "The seed chooses among a few patterns, such as every third row: only a few different"
            " thirds ever come up. If something in the table goes by the same beat, a pattern falls"
            " in with it. Let chance choose the rows.",
            when=dealing.no_chance,
        ),
        Mistake(
            _swapped,
            "The parts have changed places: most rows are to grow on, and the smaller part is"
            " withheld. Which of the two is returned first?",
            when=dealing.turned,
        ),
        Mistake(
            _left_in,
            "Withheld rows are still among those to grow on. Then they are no test of anything:"
            " the tree has seen them.",
            when=dealing.on_both,
        ),
        Mistake(
            _put_back,
            "Some rows are drawn twice. Each row goes to one side, once: what has been drawn is"
            " not put back, and what one side has got is not drawn for the other.",
            when=dealing.drawn_twice,
        ),
        Mistake(
            _by_equality,
            "It leaves out every row that equals a withheld one. Rows may be alike, and then too"
            " many are gone: go by their places in the list, not by what they hold.",
            when=dealing.lost,
        ),
        Mistake(
            _no_seed,
            "Two calls with the same seed withhold different rows. Nobody can repeat such an"
            " experiment. Make a generator from the seed, inside the function.",
        ),
        Mistake(
            _in_place,
            "It changes the very list that it was given: afterwards the caller's rows are in"
            " another order, or gone. Work on a copy.",
        ),
        Mistake(
            _rounded_down,
            "It does not withhold as many rows as asked for: a third of all, rounded to the nearest"
            " whole number. (``//`` rounds down, and a coin for each row gives another number every"
            " time.)",
            when=dealing.other_number,
        ),
        Mistake(
            _one_list,
            "It does not return two lists. Both stand behind one ``return``, with a comma between"
            " them.",
            when=dealing.not_two,
        ),
        Mistake(
            _places,
            "It returns places in the list. Asked for are the rows that lie there.",
            when=dealing.places,
        ),
        Mistake(
            _of_nothing,
            "Something in it is ``None``. Is it from ``shuffle``? That mixes the list that it gets"
            " and returns nothing.",
            when=stops("TypeError", "NoneType"),
        ),
        Mistake(
            _no_whole_number,
            "A number of rows has to be whole, and ``len(rows) / 3`` is a number with a decimal"
            " point, even where it comes out even.",
            when=stops("TypeError", "float", "integers"),
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
