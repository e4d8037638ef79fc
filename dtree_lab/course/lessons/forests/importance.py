"""What shuffling an attribute costs.

First what goes wrong on the way, as functions that go wrong so; then the exercise.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dtree_lab.base.text import number
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

Row = dict[str, Any]
Predict = Callable[[Row], str]


def right(predict: Predict, rows: Sequence[Row], labels: Sequence[str]) -> float:
    """The share of rows that a tree is right about."""
    pairs = zip(rows, labels, strict=True)
    return sum(predict(row) == label for row, label in pairs) / len(rows)


def moved(rows: Sequence[Row], name: str, order: Sequence[int]) -> list[Row]:
    """Copies of rows in which an attribute's values have changed places."""
    return [row | {name: rows[i][name]} for row, i in zip(rows, order, strict=True)]


def lost(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """What shuffling costs: the share that is right before, less that after."""
    return right(predict, rows, labels) - right(predict, moved(rows, name, order), labels)


def whole_rows(
    predict: Predict, rows: list[Row], labels: list[str], _: str, order: list[int]
) -> float:
    """Shuffles whole rows."""
    return right(predict, rows, labels) - right(predict, [rows[i] for i in order], labels)


def in_place(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """Writes into rows that it still reads from."""
    before = right(predict, rows, labels)
    for row, i in zip(rows, order, strict=True):
        row[name] = rows[i][name]
    return before - right(predict, rows, labels)


def into_rows(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """Shuffles as it should, but in the rows themselves."""
    before, values = right(predict, rows, labels), [rows[i][name] for i in order]
    for row, value in zip(rows, values, strict=True):
        row[name] = value
    return before - right(predict, rows, labels)


def other_way(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """Gives row number ``order[i]`` the value of row number i."""
    back = [order.index(i) for i in range(len(order))]
    return lost(predict, rows, labels, name, back)


def after(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """The share that is right afterwards."""
    return right(predict, moved(rows, name, order), labels)


def only_losses(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """The share of rows that were right and are so no more."""
    pairs = zip(rows, moved(rows, name, order), labels, strict=True)
    return sum(predict(old) == y != predict(new) for old, new, y in pairs) / len(rows)


def against_answers(
    predict: Predict, rows: list[Row], _: list[str], name: str, order: list[int]
) -> float:
    """How many answers change, whatever the labels."""
    said = [predict(row) for row in rows]
    return 1 - right(predict, moved(rows, name, order), said)


def relative(*given: Any) -> float:
    """The loss as a share of what was right."""
    return lost(*given) / (after(*given) + lost(*given))


def quoted(predict: Predict, rows: list[Row], labels: list[str], _: str, order: list[int]) -> float:
    """Takes ``name`` for the attribute's name."""
    return lost(predict, rows, labels, "name", order)


def alone(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """Rows with one attribute only."""
    return right(predict, [{name: rows[i][name]} for i in order], labels)


def updated(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """Takes what ``update`` gives back, which is None, for the row."""
    nothing: Any = [row.update({name: i}) for row, i in zip(rows, order, strict=True)]
    return right(predict, nothing, labels)


def lacks(outcomes: tuple[Outcome, ...], *names: str) -> list[int]:
    """Where a row has no entry of one of some names."""
    says = [f"KeyError: {name!r}" for name in names]
    return [i for i, o in enumerate(outcomes) if o.kind == "raised" and o.says in says]


def emptied(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """Takes the attribute's values away."""
    without = [rows[i] | {name: None} for i in order]
    return right(predict, rows, labels) - right(predict, without, labels)


# Where None is used as if it were something, and where a tree compares it with a cut.
of_nothing = stops((), "'NoneType' object")
of_no_value = stops("TypeError", "'NoneType' and 'int'")


def numbered(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """Writes a row's place where its value belongs."""
    numbered = [row | {name: i} for row, i in zip(rows, order, strict=True)]
    return right(predict, rows, labels) - right(predict, numbered, labels)


def with_labels(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> float:
    """Moves the labels, too."""
    after_all = right(predict, moved(rows, name, order), [labels[i] for i in order])
    return right(predict, rows, labels) - after_all


def ratio(*given: Any) -> float:
    """The share after by the share before."""
    return after(*given) / (after(*given) + lost(*given))


CHANGED = "right, but the rows that it was given have changed"
_TOLERANCE = 1e-6


def by_size(row: Row) -> str:
    """A tree with one question."""
    return "Yes" if row["size"] > 5 else "No"  # noqa: PLR2004 - a cut


def by_both(row: Row) -> str:
    """A tree with two."""
    return "Yes" if row["size"] > 5 and row["colour"] == "red" else "No"  # noqa: PLR2004 - a cut


def _case(
    predict: Predict, rows: list[Row], labels: list[str], name: str, order: list[int]
) -> Case:
    want = lost(predict, rows, labels, name, order)
    shown = f"{predict.__name__}, {len(rows)} rows, labels, {name!r}, {order}"
    questions = "one question" if predict is by_size else "two questions"
    given = predict, rows, labels, name, order
    return Case(given, (want,), shown, behaviour=f"a tree with {questions}")


def _watched(function: Callable[..., Any], *given: Any) -> Any:
    """What a function gives; or, if that is right, that it has changed what it was given."""
    before = copy.deepcopy(given[1:])
    result = function(*given)
    if given[1:] == before or not isinstance(result, int | float):
        return result
    want = lost(given[0], *before)
    return CHANGED if math.isclose(result, want, abs_tol=_TOLERANCE) else result


def _kept(case: Case) -> Case:
    """A case in which the rows must be afterwards what they were."""
    wanted = f"{number(case.wants[0])}, and the rows as they were,"
    return replace(case, via=_watched, wanted=wanted, behaviour="rows that are left as they were")


def _rows(pairs: Sequence[tuple[int, str]]) -> list[Row]:
    return [{"size": size, "colour": colour} for size, colour in pairs]


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for predict, n in ((by_both, 5), (by_size, 9)):
        rows = _rows([(int(s), str(c)) for s, c in zip(
            rng.integers(1, 11, n), rng.choice(["red", "blue"], n), strict=True
        )])  # fmt: skip
        labels = [str(y) for y in rng.choice(["Yes", "No"], n)]
        order = [int(i) for i in rng.permutation(n)]
        cases += [_case(predict, rows, labels, name, order) for name in ("size", "colour")]
    return (*cases, *(_kept(case) for case in cases if case.wants[0]))


_FIVE = _rows([(2, "red"), (8, "red"), (9, "blue"), (4, "blue"), (7, "red")])
_FIVE_LABELS = ["No", "Yes", "Yes", "No", "Yes"]
_SIGN = "Where shuffling helps, by luck, the loss is below zero. Keep the sign."
_TURNED = ["Yes", "No", "Yes", "No", "Yes"]
_SIX = _rows([(1, "red"), (9, "red"), (8, "red"), (3, "blue"), (7, "blue"), (6, "red")])
_SIX_LABELS = ["No", "Yes", "No", "No", "No", "Yes"]

_CASES = (
    _case(by_size, _FIVE, _FIVE_LABELS, "size", [1, 0, 3, 2, 4]),
    _case(by_size, _FIVE, _FIVE_LABELS, "colour", [1, 2, 3, 4, 0]),
    _case(by_both, _SIX, _SIX_LABELS, "size", [1, 2, 3, 4, 5, 0]),
    _case(by_both, _SIX, _SIX_LABELS, "colour", [3, 4, 5, 0, 1, 2]),
    _case(by_both, _FIVE, _FIVE_LABELS, "colour", [4, 2, 1, 3, 0]),
    _case(by_size, _FIVE, _TURNED, "size", [1, 0, 2, 3, 4]),  # it helps, by luck
)

PERMUTED = Exercise(
    id="forests/permuted",
    title="What shuffling an attribute costs",
    points=4,
    heading="permutation importance",
    text="""Write `lost_by_shuffling(predict, rows, labels, name, order)`. `predict(row)` is a tree,
each row is a dict. Give row number i the value of `name` that row number `order[i]` had; all other
values stay. Return the share of right predictions **before**, less the share **after**, and leave
`rows` as they are. (Within 0.000001.)""",
    stub="""def lost_by_shuffling(predict, rows, labels, name, order):
    # your lines, in place of the dots
    ...""",
    answer="lost_by_shuffling",
    task=Code(
        "lost_by_shuffling",
        (*_CASES, *map(_kept, (_CASES[0], _CASES[2], _CASES[5]))),
        _TOLERANCE,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            lambda *given: -lost(*given),
            "The sign is the wrong way round: an attribute that matters is to *lose* something, and"
            " what is lost counts as positive.",
        ),
        Mistake(
            whole_rows,
            "It shuffles whole rows, so every attribute changes. Only the values of ``name`` move;"
            " all the others stay where they are.",
        ),
        Mistake(
            in_place,
            "It writes into the rows while it still reads from them, so some values are copied on"
            " and others are lost. Work on copies.",
        ),
        Mistake(
            into_rows,
            "The number is right, but the rows that it was given have changed: the next attribute"
            " would be tried on birds whose values are mixed up already. Change copies of them.",
        ),
        Mistake(
            other_way,
            "It gives the values to the wrong rows: row number i gets the value *of* row number"
            " ``order[i]``, and not the other way round.",
        ),
        Mistake(
            after,
            "It gives the share that is right afterwards. Asked for is how much less that is than"
            " before.",
        ),
        Mistake(
            lambda *given: 1 - after(*given),
            "It gives the share that is wrong afterwards. Asked for is how much smaller the share"
            " of right ones has become.",
        ),
        Mistake(
            only_losses,
            "It counts the rows that become wrong. Others may become right: take the share before"
            " and the share after, of all rows.",
        ),
        Mistake(
            lambda predict, rows, labels, name, order: (
                len(rows) * right(predict, rows, labels) - after(predict, rows, labels, name, order)
            ),
            "Before, it counts rows; after, it takes a share. Divide both by the number of rows.",
        ),
        Mistake(
            against_answers,
            "It counts how many answers change. An answer may change for the better: compare with"
            " the labels, before and after.",
        ),
        Mistake(
            lambda *_: 0.0,
            "Before and after are the same, every time. Has the attribute changed at all? Or has it"
            " changed for both? A copy of the *list*, such as ``rows.copy()``, still holds the same"
            " dicts: copy each row.",
        ),
        Mistake(lambda *given: abs(lost(*given)), _SIGN),
        Mistake(lambda *given: max(0.0, lost(*given)), _SIGN),
        Mistake(
            relative,
            "It divides the loss by the share that was right before. Asked for is the difference of"
            " the two shares, as it is.",
        ),
        Mistake(
            ratio,
            "It divides the two shares by each other. Asked for is their difference.",
        ),
        Mistake(
            numbered,
            "It writes the number ``order[i]`` into the row. That number is a row's place: which"
            " value of ``name`` has the row that stands there?",
        ),
        Mistake(
            with_labels,
            "It moves the labels, too. Only the values of ``name`` change places.",
        ),
        Mistake(
            quoted,
            "A KeyError means that a row has no entry of that name. ``name`` is a variable here:"
            " look up ``row[name]``, without quotes.",
            when=lambda outcomes: lacks(outcomes, "name"),
        ),
        Mistake(
            lambda *given: 100 * lost(*given),
            "That is in per cent. A share lies between 0 and 1.",
        ),
        Mistake(
            alone,
            "A KeyError means that a row lacks an attribute that the tree asks for. The new row"
            " needs all the others, too.",
            when=lambda outcomes: lacks(outcomes, "size", "colour"),
        ),
        Mistake(
            updated,
            "Something gives None, and you go on with it. ``row.update(…)``, for one, changes the"
            " row itself and gives nothing back.",
            when=of_nothing,
        ),
        Mistake(
            emptied,
            "The tree compares a value that is None. The rows only exchange their values of"
            " ``name``: none of them is taken away.",
            when=of_no_value,
        ),
        Mistake(
            lambda predict, rows, labels, name, order: (
                len(rows) * lost(predict, rows, labels, name, order)
            ),
            "It gives the number of rows. Shares are asked for: right rows, divided by all rows.",
        ),
    ),
    more="A row with another value: ``row | {name: rows[i][name]}`` is a copy of ``row`` in which"
    " ``name`` has changed. Count the right predictions with the rows as they are, then with the"
    " changed ones.",
    solution="""def lost_by_shuffling(predict, rows, labels, name, order):
    def right(some):
        return sum(predict(row) == label for row, label in zip(some, labels)) / len(rows)

    shuffled = [row | {name: rows[i][name]} for row, i in zip(rows, order)]
    return right(rows) - right(shuffled)
""",
    why="The values of one attribute change places, everything else stays: what the tree knew from"
    " this attribute is lost, and nothing else. A forest does so for each tree, with the rows out"
    " of its bag, and takes the mean.",
)
