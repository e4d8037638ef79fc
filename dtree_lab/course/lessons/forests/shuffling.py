"""What shuffling an attribute costs, and what mistakes make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dtree_lab.course.tasks.stopping import stops

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dtree_lab.course.calls import Outcome

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


# Where None is used as if it were something.
of_nothing = stops((), "NoneType")


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
