"""The exercise on the rows that a sample leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dtree_lab.course.calls import Outcome


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
