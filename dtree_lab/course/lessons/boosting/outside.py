"""Exercises on the rows that a sample leaves out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake, drawn_until, personal
from dtree_lab.course.tasks import Case, Code, Number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_APART = 0.004


def _rest(n: int, drawn: Sequence[int]) -> list[int]:
    return sorted(set(range(n)) - set(drawn))


def _in_order(function: Callable[..., Any], n: int, drawn: list[int]) -> Any:
    found = function(n, drawn)
    return sorted(found) if isinstance(found, list | tuple | set | np.ndarray) else found


def _rest_case(n: int, drawn: Sequence[int]) -> Case:
    return Case((n, list(drawn)), (_rest(n, drawn),), via=_in_order)


def _fresh_rest(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(_rest_case(n, [int(i) for i in rng.integers(0, n, n)]) for n in (4, 9, 30))


OUT_OF_BAG = Exercise(
    id="boosting/out-of-bag",
    title="Out of the bag",
    points=2,
    answer="out_of_bag",
    task=Code(
        "out_of_bag",
        (
            _rest_case(5, [0, 2, 2, 1, 0]),
            _rest_case(5, [4, 4, 4, 4, 4]),
            _rest_case(6, [5, 1, 1, 2, 2, 5]),
            _rest_case(3, [2, 0, 1]),
            _rest_case(8, [1, 4, 4, 3, 1, 3, 4, 5]),
        ),
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
            lambda n, drawn: [i for i in range(n - 1) if i not in drawn],
            "It never looks at the last row. ``range(n)`` ends at n - 1 of itself.",
        ),
        Mistake(
            lambda n, drawn: [i for i in range(n) if drawn.count(i) != 1],
            "Rows that were drawn twice are not out of the bag: they are in it twice.",
        ),
        Mistake(
            lambda _, drawn: [i for i in range(max(drawn)) if i not in drawn],
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


# -- how likely that is ---------------------------------------------------------------------------


def _left_out(rng: np.random.Generator) -> Exercise:
    return drawn_until(
        "boosting/left-out",
        lambda: _left_out_of(int(rng.integers(5, 13)), int(rng.integers(4, 13))),
        _apart,
    )


def _apart(one: Exercise) -> bool:
    numbers = [one.task.run(mistake.wrong)[0].value for mistake in one.mistakes]
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
            1 / n**d,
            "That is how likely the row is to be taken at *every* draw. It is to be taken at none.",
        ),
    )


def _left_out_of(n: int, d: int) -> Exercise:
    stays = 1 - 1 / n
    return Exercise(
        id="boosting/left-out",
        title="The chance of being left out",
        points=2,
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
