"""The stump with the fewest errors, and the best stump on weighted rows.

The search for a stump stands there in every way in which it goes wrong, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code, Goal, Grow, when
from dtree_lab.course.tasks.do import Handed
from dtree_lab.grow.api import by_hand, id3
from dtree_lab.table.table import Table

Numbers: TypeAlias = Sequence[float]
Stump: TypeAlias = tuple[float, int, float]

_LETTERS = (
    ("No", 8, 12, "No"),
    ("No", 7, 29, "Yes"),
    ("No", 5, 57, "Yes"),
    ("Yes", 4, 52, "No"),
    ("No", 2, 15, "Yes"),
    ("Yes", 4, 4, "No"),
    ("No", 0, 56, "No"),
    ("No", 2, 17, "No"),
    ("No", 5, 9, "Yes"),
    ("Yes", 4, 27, "No"),
    ("No", 5, 26, "No"),
    ("No", 8, 8, "Yes"),
)
_STUMP, _FEWEST = 3, 3


def letters() -> Table:
    """Twelve letters, as the lesson types them in."""
    names = ["Known sender", "Links", "Capitals", "Spam"]
    return Table.from_rows(_LETTERS, target="Spam", names=names)


def _errors(handed: Handed) -> int:
    return round(handed.tree.error(letters()) * len(_LETTERS))


def _asks(handed: Handed, name: str) -> bool:
    split = handed.tree.flat.split(0, handed.tree.attributes)
    return split is not None and handed.tree.attributes[split.attribute].name == name


def _one(handed: Handed) -> bool:
    return handed.tree.n_nodes == _STUMP


FEWEST_ERRORS = Exercise(
    id="boosting/fewest-errors",
    title="The stump with the fewest errors",
    points=2,
    heading="the fewest errors",
    text='''A tree that goes on asking chooses by information gain. A stump has no second question,
so what counts is how many rows it gets **wrong**: in each leaf, those of the smaller class. The two
do not always agree.

Twelve letters, some of them spam. In the builder, grow the **stump with the fewest errors**: one
question, two leaves. (It is not the one with the longest bar.)

```python
rows = """
    No 8 12 No,  No 7 29 Yes, No 5 57 Yes, Yes 4 52 No, No 2 15 Yes, Yes 4 4 No,
    No 0 56 No,  No 2 17 No,  No 5 9 Yes,  Yes 4 27 No, No 5 26 No,  No 8 8 Yes
"""
names = ["Known sender", "Links", "Capitals", "Spam"]
letters = dt.Table.from_rows(
    [(k, int(n), int(c), y) for k, n, c, y in (row.split() for row in rows.split(","))],
    target="Spam",
    names=names,
)
letters
```''',
    stub="""builder = dt.TreeBuilder(letters)
builder""",
    answer="builder",
    task=Grow(
        letters,
        (
            Goal(_one, lambda h: f"nodes: {h.tree.n_nodes}", "one question and two leaves"),
            Goal(
                lambda h: _errors(h) <= _FEWEST,
                lambda h: f"letters wrong: {_errors(h)} of {len(_LETTERS)}",
                "the fewest that one question can have",
            ),
        ),
    ),
    mistakes=(
        Mistake(
            by_hand(letters(), {(): "Known sender"}),
            "That question has the longest bar: it gains the most bits, because one of its sides is"
            " pure. Here the wrong letters are counted. In each leaf those are the smaller number;"
            " try the other questions.",
            when=when(lambda h: _one(h) and _asks(h, "Known sender"), 1),
        ),
        Mistake(
            by_hand(letters(), {(): ("Links", 1)}),
            "The attribute can do better with its cut in another place. Move it, and watch the"
            " counts on both sides.",
            when=when(lambda h: _one(h) and _asks(h, "Links"), 1),
        ),
        Mistake(
            by_hand(letters(), {(): ("Capitals", 20)}),
            "How many letters are written in capitals says next to nothing here, wherever it is"
            " cut.",
            when=when(lambda h: _one(h) and _asks(h, "Capitals"), 1),
        ),
        Mistake(
            id3(letters()),
            "A stump asks a single question. Undo until two leaves are left, or take the lower"
            " questions away.",
            when=when(lambda h: not _one(h), 0),
        ),
    ),
    more="The bar that is longest is not the answer this time. Try a cut, then add the smaller of"
    " the two counts in the one leaf to the smaller in the other.",
    solution='builder = dt.by_hand(letters, {(): ("Links", 4.5)})\n',
    why="With fewer than 4.5 links 1 of 6 is spam, with more 4 of 6: three wrong. The known sender"
    " gains more bits and gets four wrong. Growers of trees look at the bits, because they go on"
    " asking; a stump does not, so AdaBoost's textbooks count errors.",
)


def offers(
    xs: Sequence[float], labels: Sequence[int], weights: Sequence[float]
) -> list[tuple[float, float, int]]:
    """Every stump: the weight of the rows that it gets wrong, the cut, and what it says below."""
    cuts = [(low + high) / 2 for low, high in pairwise(sorted(set(xs)))]
    return _weighed(cuts, xs, labels, weights)


def _weighed(cuts: Sequence[float], *rows: Sequence[Any]) -> list[tuple[float, float, int]]:
    found = []
    for cut in cuts:
        for below in (1, -1):
            said = [below if x < cut else -below for x in rows[0]]
            wrong = sum(w for s, y, w in zip(said, *rows[1:], strict=True) if s != y)
            found.append((wrong, cut, below))
    return found


def _as_asked(offer: tuple[float, float, int]) -> Stump:
    wrong, cut, below = offer
    return cut, below, wrong


def best(xs: Numbers, labels: Sequence[int], weights: Numbers) -> Stump:
    """The stump that is wanted."""
    return _as_asked(min(offers(xs, labels, weights)))


def counted(xs: Numbers, labels: Sequence[int], weights: Numbers) -> Stump:
    """The best, if all rows weighed the same."""
    return best(xs, labels, [1 / len(weights)] * len(weights))


def one_way(below: int, *rows: Sequence[Any]) -> Stump:
    """The best of those that say one thing below the cut."""
    return _as_asked(min(one for one in offers(*rows) if one[2] == below))


def by_the_heavier_side(xs: Numbers, labels: Sequence[int], weights: Numbers) -> Stump:
    """The best of those that say below the cut what is heavier there, and above it the other."""

    def balance(cut: float) -> float:
        return sum(w * y for x, y, w in zip(xs, labels, weights, strict=True) if x < cut)

    every = offers(xs, labels, weights)
    return _as_asked(min(one for one in every if one[2] == (1 if balance(one[1]) > 0 else -1)))


def beyond_all(xs: Numbers, labels: Sequence[int], weights: Numbers) -> Stump:
    """The best of those that also cut above the largest value, where nothing is parted."""
    cuts = [x + 0.5 for x in sorted(set(xs))]
    return _as_asked(min(_weighed(cuts, xs, labels, weights)))


def as_given(xs: Numbers, labels: Sequence[int], weights: Numbers) -> Stump:
    """The best of those that cut between neighbours in the list."""
    cuts = [(low + high) / 2 for low, high in pairwise(xs)]
    return _as_asked(min(_weighed(cuts, xs, labels, weights)))


def right_weight(*rows: Sequence[Any]) -> Stump:
    """The best, with the weight of the rows that it gets right."""
    cut, below, wrong = best(*rows)
    return cut, below, sum(rows[2]) - wrong


def divided(*rows: Sequence[Any]) -> Stump:
    """The best, with its error divided by the number of rows."""
    cut, below, wrong = best(*rows)
    return cut, below, wrong / len(rows[0])


def worst(*rows: Sequence[Any]) -> Stump:
    """The one with the largest error."""
    return _as_asked(max(offers(*rows)))


def first(*rows: Sequence[Any]) -> Stump:
    """The first that is tried."""
    return _as_asked(offers(*rows)[0])


def at_the_last_cut(*rows: Sequence[Any]) -> Stump:
    """The better one of the two at the last cut."""
    return _as_asked(min(offers(*rows)[-2:]))


def without_the_last_cut(*rows: Sequence[Any]) -> Stump:
    """The best of those at all cuts but the last; of one cut it is that one."""
    return _as_asked(min(offers(*rows)[:-2] or offers(*rows)))


def label_above(*rows: Sequence[Any]) -> Stump:
    """The best, with what it says above the cut."""
    cut, below, wrong = best(*rows)
    return cut, -below, wrong


_THREE, _CLOSE = 3, 1e-6


def _read(function: Callable[..., Any], xs: list[float], *rest: list[Any]) -> Any:
    """What the stump says of each row, and its error: cuts that part the rows alike are alike."""
    found = function(xs, *rest)
    if found is None:
        return None
    if not isinstance(found, tuple | list) or len(found) != _THREE:
        raise ValueError("three things are to come back: the cut, the label below it, the error")
    cut, below, error = found
    if isinstance(cut, str) or isinstance(below, str) or below not in (1, -1):
        raise ValueError("the second thing is to be the label below the cut: the number 1 or -1")
    # Of the middles of neighbours, as the task asks; another place within the gap is as good.
    return tuple(below if x < cut else -below for x in xs), error


def _case(xs: Sequence[float], labels: Sequence[int], weights: Sequence[float]) -> Case:
    all_of_them = offers(xs, labels, weights)
    least = min(all_of_them)[0]
    wants = tuple(
        (tuple(below if x < cut else -below for x in xs), least)
        for error, cut, below in all_of_them
        if error <= least + 1e-9
    )
    shown = ", ".join(str(list(part)) for part in (xs, labels, weights))
    said = " or ".join(f"{error:.3g}, with the labels {list(s)}" for s, error in wants[:2])
    return Case(
        (list(xs), list(labels), list(weights)),
        wants,
        shown,
        wanted=f"error {said},",
        via=_read,
        behaviour=_shows(xs, weights),
    )


def _shows(xs: Sequence[float], weights: Sequence[float]) -> str:
    if list(xs) != sorted(set(xs)):
        return "rows in any order, some with equal values"
    alike = len(set(weights)) == 1
    return "rows that weigh the same" if alike else "rows that do not weigh the same"


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for n, sort, alike in (
        (5, True, True),
        (8, True, True),
        (8, True, False),
        (12, True, False),
        (5, False, False),
        (12, False, False),
    ):
        xs = [int(x) for x in rng.permutation(30)[:n]]
        labels = [1, -1, *(int(y) for y in rng.choice([1, -1], n - 2))]
        parts = np.ones(n) if alike else np.array([1, 9, *rng.integers(1, 9, n - 2)])
        # Out of order for certain, and the last two rows of one value.
        xs = sorted(xs) if sort else [30, *xs[: n - 3], 0, 0]
        cases.append(_case(xs, labels, [float(p) for p in parts / parts.sum()]))
    return tuple(cases)


def _told(outcomes: tuple[Outcome, ...], says: Callable[..., tuple[float, ...]]) -> list[int]:
    """The cases whose error is one of those that a mistake would give.

    Not the stump is compared: of several that are equally wrong a learner may take any.
    """
    found = []
    for i, (case, outcome) in enumerate(zip(CASES, outcomes, strict=False)):
        if outcome.kind == "values":
            given = outcome.value[1]
            found += [i] if any(abs(given - e) < _CLOSE for e in says(*case.args)) else []
    return found


def _counts(xs: list[float], labels: list[int], weights: list[float]) -> tuple[float, ...]:
    if len(set(weights)) == 1:
        return ()  # to count and to weigh come to the same
    wrong = min(offers(xs, labels, [1.0] * len(xs)))[0]
    return wrong, wrong / len(xs)


def _largest(*rows: Any) -> tuple[float, ...]:
    return (max(offers(*rows))[0],)


def _when(says: Callable[..., tuple[float, ...]], least: int) -> Callable[..., list[int]]:
    """Recognises a mistake by its errors, seen in so many cases at least."""

    def recognise(outcomes: tuple[Outcome, ...]) -> list[int]:
        found = _told(outcomes, says)
        return found if len(found) >= least else []

    return recognise


def _wrong(outcomes: tuple[Outcome, ...]) -> list[int]:
    lines = BEST_STUMP.task.judge(outcomes[: len(CASES)])  # hidden ones tell the same
    return [i for i, line in enumerate(lines) if not line.passed]


def _only_out_of_order(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases that are wrong, if all of those have rows that do not come in order.

    Where it says the same of all rows, it goes wrong by another mistake.
    """
    alike = [o.kind == "values" and len({*o.value[0]}) == 1 for o in outcomes]
    found = [i for i in _wrong(outcomes) if not alike[i]]
    ordered = [list(case.args[0]) == sorted(case.args[0]) for case in CASES]
    return [] if any(i >= len(CASES) or ordered[i] for i in found) else found


def _other_stump(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases whose error is right and does not belong to the stump that came with it."""
    right = _told(outcomes, lambda *rows: (min(offers(*rows))[0],))
    found = [i for i in _wrong(outcomes) if i in right]
    return found if len(found) >= 2 else []  # noqa: PLR2004 - once may be chance


def _shape(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which not three things came back, or the second is no label."""
    told = ("three things are to come back", "the second thing is to be the label")
    return [i for i, o in enumerate(outcomes) if o.says and any(one in o.says for one in told)]


CASES = (
    _case([1, 2, 3, 4], [1, 1, -1, -1], [0.25, 0.25, 0.25, 0.25]),
    _case([1, 2, 3, 4], [-1, -1, -1, 1], [0.25, 0.25, 0.25, 0.25]),
    _case([1, 2, 3, 4, 5], [1, -1, 1, 1, -1], [0.1, 0.1, 0.1, 0.1, 0.6]),
    _case([1, 2, 3, 4, 5], [1, -1, 1, 1, -1], [0.1, 0.6, 0.1, 0.1, 0.1]),
    _case([5, 20, 1, 6, 3], [1, -1, 1, -1, 1], [0.2, 0.2, 0.2, 0.2, 0.2]),
    _case([3, 3, 8, 8, 5], [1, -1, 1, 1, -1], [0.15, 0.15, 0.2, 0.2, 0.3]),
    # The label that is heavier below each cut is better said above it.
    _case([1, 2, 3, 4], [1, 1, -1, 1], [0.1, 0.35, 0.1, 0.45]),
    _case([1, 2, 3, 4], [-1, -1, 1, -1], [0.15, 0.2, 0.15, 0.5]),
)
_ONE_WAY = (
    "It tries only one way round. Below the cut a stump may say 1, and it may say -1;"
    " both are to be tried at each place."
)

BEST_STUMP = Exercise(
    id="boosting/best-stump",
    title="The best stump on weighted rows",
    points=4,
    heading="the best stump",
    text="""Write `best_stump(xs, labels, weights)`. The labels are 1 and −1; the xs are in any
order, and some may be equal. Return three things: the **cut** (half-way between neighbours), the
label **below** it (above it the stump says the other), and its **weighted error**. In a tie any of
the best will do. (The check looks at the labels that your stump gives to the rows, and at its
error.)""",
    stub="""def best_stump(xs, labels, weights):
    # your lines, in place of the dots
    ...""",
    answer="best_stump",
    task=Code(
        "best_stump",
        CASES,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda *rows: best(*rows)[:2],
            "Three things are asked for, in this order: the cut, the label below it (the number 1"
            " or the number -1), and the weighted error.",
            when=_shape,
        ),
        Mistake(
            counted,
            "It counts the wrong rows, as if all weighed the same. The error of a stump is how much"
            " its wrong rows *weigh*.",
            when=_when(_counts, 3),
        ),
        Mistake(
            by_the_heavier_side,
            "It says below the cut what is heavier there, and never tries the other way round. That"
            " may be wrong about little below, and right about much above: both ways are to be"
            " tried at each place.",
        ),
        Mistake(
            beyond_all,
            "It also cuts beyond all rows, where it says the same of each of them. A cut lies"
            " between two neighbours, so that there are rows on both sides.",
        ),
        Mistake(lambda *rows: one_way(1, *rows), _ONE_WAY),
        Mistake(lambda *rows: one_way(-1, *rows), _ONE_WAY),
        Mistake(
            as_given,
            "It goes wrong only where the rows do not come in order. Neighbours in the list need"
            " not be neighbours on the line: sort the values before you look for cuts. And a label"
            " and a weight stay with their row, wherever its value goes.",
            when=_only_out_of_order,
        ),
        Mistake(
            right_weight,
            "The stump is right, and the number with it is the weight of the rows that it gets"
            " right. Asked for is the rest.",
        ),
        Mistake(
            divided,
            "The error is divided by the number of rows. The weights are shares already: the wrong"
            " ones are added up, and that is all.",
        ),
        Mistake(
            label_above,
            "The error is that of the best stump, and the stump that comes with it is another. Is"
            " the label the one *below* the cut? And does the cut lie between two values? A row on"
            " the cut itself counts as above it.",
            when=_other_stump,
        ),
        Mistake(
            worst,
            "It finds the largest error. The best stump has the smallest.",
            when=_when(_largest, 4),
        ),
        Mistake(
            first,
            "It always gives the first stump that it tries. Does a ``return`` stand inside the"
            " loop, and end it in its first round? Or does the sum of wrong weights go on growing"
            " from one stump to the next, instead of starting from 0?",
        ),
        Mistake(
            at_the_last_cut,
            "What it gives comes from the last cut, however good an earlier one was. Is the best so"
            " far forgotten in each round of the loop?",
        ),
        Mistake(
            without_the_last_cut,
            "It never tries the last cut. Between n different values there are n - 1 places to"
            " cut.",
        ),
    ),
    more="Sort the rows by x, each with its label and weight. Begin with the cut below all of them"
    " and 1 below it: then every row is told -1, and the error is the weight of those labelled 1."
    " Now let the cut pass one row after the other. Only that row changes sides: a -1 adds its"
    " weight to the error, a 1 takes it off. The other way round is wrong about all the rest. Look"
    " at the error only where the next x is a larger one, and keep the best so far.",
    solution="""def best_stump(xs, labels, weights):
    rows = sorted(zip(xs, labels, weights))
    error = sum(weight for _, label, weight in rows if label == 1)  # all are told -1
    total, best = sum(weights), None
    for (x, label, weight), (above, _, _) in zip(rows, rows[1:]):
        error += weight if label == -1 else -weight  # this row is told 1 from now on
        if x == above:
            continue  # no cut parts equal values
        for below, wrong in ((1, error), (-1, total - error)):
            if best is None or wrong < best[2]:
                best = (x + above) / 2, below, wrong
    return best
""",
    why="Once sorted, one pass finds it, because the error changes by one weight at a time: that is"
    " why stumps are fast. To add up the wrong rows anew for each cut, both ways round, is as right"
    " and takes a loop more.",
)
