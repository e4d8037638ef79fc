"""A table as a lab takes it: what has gaps is left out, and the lab says so.

A lab begins with ``table = taken(given)``; its view begins with ``*notes(table)``. Whoever shows
the number of a row asks :func:`row_number`, so that row 7 is the given table's row 7 wherever it is
met; whoever reads one asks :func:`position`.

Rows are left out, and do not rest at a node as a grower has them do, because a lab is read as sums
worked out by hand: the branches of a question have all the rows of its node, and a gain is what
``dt.compare`` says. Rows to measure with (``validation=``) are only predicted, so they stay, and
rest: see :func:`measured_with`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from dtree_lab.base.random import key_of
from dtree_lab.base.text import bits, listing, plural
from dtree_lab.criteria.classes import entropy
from dtree_lab.grow.prepare import check_table
from dtree_lab.grow.recipe import recipe
from dtree_lab.grow.textbook import best_split
from dtree_lab.labs.kit.controls import label
from dtree_lab.labs.kit.parts import Folded, Part, Words
from dtree_lab.table.table import Attribute, Table, missing_of

# So many rows are listed, with so many of the columns that they have no value in.
MOST_LISTED, MOST_COLUMNS = 30, 8


@dataclass(frozen=True, eq=False)
class TableGaps:
    """Where a table has no value."""

    columns: tuple[str, ...]  # the names of the columns that lack values, the target among them
    mask: NDArray[np.bool_]  # which row lacks which; shape ``(n_rows, n_columns)``

    @classmethod
    def of(cls, table: Table, looked: Collection[int]) -> TableGaps:
        """The gaps in some attributes of a table, and in its labels."""
        pairs = [(table.names[i], missing_of(table.columns[i])) for i in looked]
        pairs.append((table.target.name, missing_of(table.labels)))
        lacking = [(name, mask) for name, mask in pairs if mask.any()]
        none = np.zeros((table.n_rows, 0), dtype=bool)
        masks = np.stack([mask for _, mask in lacking], axis=1) if lacking else none
        return cls(tuple(name for name, _ in lacking), masks)

    @cached_property
    def rows(self) -> NDArray[np.intp]:
        """The rows that lack anything, from 0."""
        return np.flatnonzero(self.mask.any(axis=1))

    def listed(self) -> tuple[list[list[str]], str]:
        """Each row's number and what it lacks, and how many rows are not listed."""
        lines = []
        for row in self.rows[:MOST_LISTED].tolist():
            lacks = [label(self.columns[j]) for j in np.flatnonzero(self.mask[row]).tolist()]
            more = len(lacks) - MOST_COLUMNS
            rest = [f"and {more} more"] if more > 0 else []
            lines.append([f"{row + 1:,}", ", ".join([*lacks[:MOST_COLUMNS], *rest])])
        hidden = len(self.rows) - MOST_LISTED
        return lines, f"… and {plural(hidden, 'more row')}." if hidden > 0 else ""


# With more classes than these no lab answers at once; one that grows many trees, with fewer.
MOST_CLASSES, MOST_GROWN = 1_000, 200
# A question with more branches than these takes long, and is left out if they have so few rows
# (what is called an id where a table comes in names nearly each row: `table/findings.py`).
MOST_BRANCHES, FEWEST_ROWS = 2_000, 10


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Taken(Table):
    """Rows of a table that know which rows they were."""

    given: Table  # the table that a person gave
    # The number of each row in the given table, from 1; increasing unless rows were drawn.
    numbers: NDArray[np.intp]
    # The attributes that were looked at for gaps, as positions in the given table.
    looked: tuple[int, ...]
    without: tuple[str, ...] = ()  # the names of attributes that were left out
    ids: tuple[int, ...] = ()  # those of them that nearly tell each row apart, as positions

    def take(self, rows: NDArray[Any] | Sequence[int]) -> Table:
        """The table of some rows, which still know which rows they were."""
        part, numbers = super().take(rows), self.numbers[np.asarray(rows)]
        columns, labels, weights = part.columns, part.labels, part.weights
        return replace(self, columns=columns, labels=labels, weights=weights, numbers=numbers)

    def index(self, name: str) -> int:
        """The position of an attribute; a ValueError says so of one that was left out."""
        if name in self.without:
            raise ValueError(f"the column {name!r} is left out of this lab, as its first lines say")
        return super().index(name)

    @cached_property
    def gaps(self) -> TableGaps:
        """What the given table lacks, among the attributes that stay."""
        stay = [i for i in self.looked if self.given.names[i] not in self.without]
        return TableGaps.of(self.given, stay)

    @cached_property
    def id_words(self) -> list[str]:
        """What there is to know of attributes that nearly tell each row apart."""
        return [_id_words(self.given, i) for i in self.ids]


# -- taking a table --------------------------------------------------------------------------------


Looked: TypeAlias = Collection[int] | None  # attributes, by their positions; all if None


def taken(table: Any, looked: Looked = None, must: Looked = None) -> Table:
    """The rows of a table that a lab can work with: those with a label and all their values.

    A table without gaps is taken as it is. An attribute without a single value is left out; so are,
    where no row would be left, those with the most gaps, one after the other. In a large table one
    that nearly tells each row apart, such as an id, is left out of a lab that shows all attributes:
    a tree builder would make a node for each row.
    """
    whole = plain_table(table)
    asked = tuple(range(len(whole.attributes)) if looked is None else looked)
    labelled = ~missing_of(whole.labels)
    if not labelled.any():
        raise ValueError(
            f"no row has a label: the column {whole.target.name!r} is empty. Choose another one as"
            " target=, or fill it in"
        )
    must = (() if looked is None else asked) if must is None else must
    ids = _ids(whole) if looked is None else ()
    asked = tuple(i for i in asked if i not in ids)
    left = _left_out(whole, asked, set(must), labelled)
    stay = [i for i in asked if i not in left]
    rows = labelled & ~_any(whole, stay)
    if not rows.any() or (asked and not stay):
        raise _nothing_left(whole, stay or asked)
    if rows.all() and not left and not ids and whole.weights is None:
        return whole
    left = tuple(sorted((*left, *ids)))
    without = tuple(whole.names[i] for i in left)
    keep = [i for i in range(len(whole.attributes)) if looked is not None or i not in left]
    stand = np.repeat(np.flatnonzero(rows), _times(whole, rows))
    return Taken(
        tuple(whole.attributes[i] for i in keep),
        whole.target,
        tuple(whole.columns[i][stand] for i in keep),
        whole.labels[stand],
        given=whole,
        numbers=stand + 1,
        looked=asked,
        without=without,
        ids=ids,
    )


def _ids(table: Table) -> tuple[int, ...]:
    """The attributes with very many values of few rows each, if there are others."""
    most = max(MOST_BRANCHES, table.n_rows // FEWEST_ROWS)
    pairs = enumerate(zip(table.attributes, table.columns, strict=True))
    found = [i for i, (a, column) in pairs if a.n_values > most and len(np.unique(column)) > most]
    return tuple(found) if len(found) < len(table.attributes) else ()


def _id_words(table: Table, i: int) -> str:
    """How an attribute that is left out would be ranked, and why it is left out."""
    present = table.take(~(missing_of(table.columns[i]) | missing_of(table.labels)))
    n = len(np.unique(present.columns[i]))
    values = "as many values as" if n == table.n_rows else f"{n:,} values in"
    offer = None if table.target.values is None else best_split(present, i, recipe("id3"))
    gains = ""
    if offer is not None:
        whole, gain, ratio = entropy(present.counts().tolist()), offer.gain, offer.gain_ratio
        gains = f" it would gain {bits(gain)} of {bits(whole)} bits (gain ratio {bits(ratio)}), but"
    rows = f"{plural(table.n_rows, 'row')} and is left out"
    return f"The column {label(table.names[i])} has {values} {rows}:{gains} a new row has another."


def classified(
    table: Any, looked: Looked = None, must: Looked = None, *, numbers: bool = False
) -> Table:
    """As :func:`taken`, of few enough classes to tell apart, or of `numbers`."""
    (check_table if numbers else check_target)(table)
    check_few_classes(table.target)
    return taken(table, looked, must)


def check_target(table: Any) -> None:
    """Raise for what is no table, or has no classes, saying what can be done."""
    check_table(table)
    if table.target.values is None:
        name = table.target.name
        raise ValueError(
            f"the target {name!r} is continuous: numbers to predict, and this lab is about classes."
            " If they are names, make the table with target_kind='discrete'; if they are amounts,"
            " put near ones together: dt.grouped(table, n_groups=3).table"
        )


def check_few_classes(target: Attribute, most: int = MOST_CLASSES) -> None:
    """Raise a ValueError for more classes than a lab tells apart, saying what can be done."""
    if target.n_values > most:
        name = target.name
        cure = "put the rarest of them together in the column before you make the table"
        if all(isinstance(v, int | float) and not isinstance(v, bool) for v in target.values or ()):
            cure = (
                f"read the numbers as numbers, with kinds={{{name!r}: 'continuous'}}, and put near"
                f" ones together: dt.grouped(table, n_groups={min(most, 5)}).table"
            )
        raise ValueError(
            f"{name!r} has {target.n_values:,} classes; this lab tells at most {most} apart. If"
            f" {name!r} only names the rows, choose another column as target=; else {cure}"
        )


def _any(table: Table, looked: Collection[int]) -> NDArray[np.bool_]:
    """Which rows lack a value in any of some attributes."""
    found = np.zeros(table.n_rows, dtype=bool)
    for i in looked:
        found |= missing_of(table.columns[i])
    return found


def empty(table: Table) -> tuple[int, ...]:
    """The attributes that have no value in any row with a label, as positions."""
    labelled = ~missing_of(table.labels)
    each = enumerate(table.columns)
    return tuple(i for i, column in each if missing_of(column)[labelled].all())


def _left_out(
    table: Table, needed: tuple[int, ...], must: set[int], labelled: NDArray[np.bool_]
) -> tuple[int, ...]:
    """The attributes without which there are rows with all their values."""
    left = [i for i in empty(table) if i in needed and i not in must]
    while not (labelled & ~_any(table, stay := [i for i in needed if i not in left])).any():
        free = [i for i in stay if i not in must]
        if not free:
            break
        lacking = {i: int(missing_of(table.columns[i])[labelled].sum()) for i in free}
        left.append(max(free, key=lambda i: lacking[i]))
    return tuple(sorted(left))


def _nothing_left(table: Table, needed: Sequence[int]) -> ValueError:
    names = listing(table.names[i] for i in needed)
    return ValueError(
        f"no row has a label and a value in each column that is asked about: {names}. Fill the gaps"
        " in, or ask about other columns"
        if set(needed) - set(empty(table))
        else f"there is nothing to ask about: no row has a value in {names}. Fill in what is known,"
        " or make the table of other columns"
    )


def _times(table: Table, rows: NDArray[np.bool_]) -> NDArray[np.int64] | int:
    """How often each of some rows stands in a lab: as often as it weighs, under its one number."""
    if table.weights is None:
        return 1
    if table.weight_unit != 1:
        raise ValueError(
            f"the rows weigh fractions ({table.weight_name!r}), and a lab shows whole rows; make"
            " the table with whole weights"
        )
    return table.weights[rows]


def measured_with(table: Any) -> Any:
    """Rows to measure a tree with, those with a label; what is no table is left to who measures."""
    return taken(table, ()) if isinstance(table, Table) else table


# -- which rows they are ---------------------------------------------------------------------------


def plain_table(table: Any) -> Table:
    """A table that a person gives; one that a lab has shown is a table like any other."""
    check_table(table)
    if not isinstance(table, Taken):
        found: Table = table
        return found
    return Table(*_fields(table))


def _fields(table: Table) -> tuple[Any, ...]:
    return tuple(getattr(table, field.name) for field in fields(Table))


def numbered(table: Table) -> Table:
    """A table whose rows keep their numbers when some of them are drawn or withheld."""
    if isinstance(table, Taken):
        return table
    numbers = np.arange(1, table.n_rows + 1)
    return Taken(*_fields(table), given=table, numbers=numbers, looked=())


def some_of(table: Table, most: int) -> Table:
    """So many rows of a larger table, drawn at random, which keep their numbers."""
    if table.n_rows <= most:
        return table
    rng = np.random.default_rng(int(key_of(0, table.n_rows)[0]))
    return numbered(table).take(np.sort(rng.choice(table.n_rows, size=most, replace=False)))


def drawn_note(n_rows: int, used: int) -> list[str]:
    """That some rows of a larger table were drawn, if so."""
    if n_rows <= used:
        return []
    of = f"Of the table's {plural(n_rows, 'row')} {used:,} were drawn at random"
    return [f"{of}; only these are used here."]


def given(table: Table) -> Table:
    """The table that a person gave."""
    return table.given if isinstance(table, Taken) else table


def origin(table: Table) -> Table:
    """The table whose check sum a state has: the given one, if rows were left out for gaps."""
    return table.given if lacks(table) else table


def lacks(table: Table) -> TypeGuard[Taken]:
    """Whether rows or columns were left out of a table."""
    return isinstance(table, Taken) and bool(table.without or len(table.gaps.rows))


def row_number(table: Table, row: int) -> int:
    """The number that a row, counted from 0, has in the given table, where rows count from 1."""
    return int(table.numbers[row]) if isinstance(table, Taken) else row + 1


def ends(table: Table) -> tuple[int, int]:
    """The first number of a row, and the last."""
    return row_number(table, 0), row_number(table, table.n_rows - 1)


def position(table: Table, number: int, before: int = 0) -> int:
    """The row, counted from 0, that has a number in the given table.

    Of a number that was left out it is the next row, seen from the row `before`: so a slider passes
    over it whichever way it is moved.
    """
    if not isinstance(table, Taken):
        return number - 1
    after = int(np.searchsorted(table.numbers, number))
    if after < table.n_rows and table.numbers[after] == number:
        return after
    up = number > table.numbers[before]
    return min(after, table.n_rows - 1) if up else max(after - 1, 0)


def row_kept(table: Table, row: int) -> int:
    """How a state tells of a row: by its place in the table whose check sum it has, from 0."""
    return row_number(table, row) - 1 if lacks(table) else row


def row_found(table: Table, kept: int) -> int:
    """The row that a state tells of."""
    return position(table, kept + 1) if lacks(table) else kept


def notes(table: Table, validation: Table | None = None) -> list[Part]:
    """What rows weigh, what was left out of them, and the gaps of those that are measured with.

    Nothing where there is nothing to say.
    """
    found: list[Part] = []
    if isinstance(table, Taken) and table.given.weights is not None:
        stand = f"{plural(table.given.n_rows, 'row')} stand here as {table.n_rows:,}"
        name = label(table.given.weight_name)
        words = f"{stand}: each as often as it weighs ({name}). All counts are of weights."
        found.append(Words("weights", [words], area="above"))
    found += [_told("left-out", _sentences(table), table.gaps)] if lacks(table) else []
    if validation is not None:
        found += _validation(table, validation)
    return found


def _told(id_: str, sentences: Sequence[str], gaps: TableGaps) -> Folded:
    rows, more = gaps.listed()
    return Folded(id_, " ".join(sentences), ["row", "has no value in"], rows, more, area="above")


def _sentences(table: Taken) -> list[str]:
    n, gaps = table.given.n_rows, len(table.gaps.rows)
    said = [_count(n, gaps, _where(table))] if gaps else []
    ids = [table.given.names[i] for i in table.ids]
    without = [name for name in table.without if name not in ids]
    if without:
        names = ", ".join(label(name) for name in without)
        blank = set(without) <= {table.given.names[i] for i in empty(table.given)}
        columns, have, are = _agreeing(len(without), "column")
        why = f"{have} no values" if blank else "would leave no row without gaps"
        said.append(f"The {columns} {names} {why} and {are} left out.")
    return [*said, *table.id_words]


def _agreeing(n: int, word: str) -> tuple[str, str, str]:
    """What one thing is called, or several, and does: ``column``, ``has``, ``is``."""
    return (word, "has", "is") if n == 1 else (f"{word}s", "have", "are")


def _count(n: int, gaps: int, where: str) -> str:
    """How many rows there are, and how many are left out for gaps in some place."""
    _, have, are = _agreeing(gaps, "row")
    return f"{n - gaps:,} of {plural(n, 'row')}; {gaps:,} {have} gaps{where} and {are} left out."


def _where(table: Taken) -> str:
    """In which columns a lab has looked, where it has not looked at all."""
    if len(table.looked) + len(table.ids) == len(table.given.attributes):
        return ""
    names = [label(name) for name in table.gaps.columns]
    return f" in {' or '.join(names)}" if len(names) <= 2 else " in what is asked here"  # noqa: PLR2004


def _validation(table: Table, validation: Table) -> list[Folded]:
    known = set(table.names)
    rows = given(validation)
    gaps = TableGaps.of(rows, [i for i, name in enumerate(rows.names) if name in known])
    if not len(gaps.rows):
        return []
    unlabelled = rows.n_rows - validation.n_rows
    rest = len(gaps.rows) - unlabelled
    said = "Validation: "
    if unlabelled:
        said += _count(rows.n_rows, unlabelled, f" in {label(rows.target.name)}")
    if rest:
        said += " " if unlabelled else ""
        said += (
            f"{rest:,} of {plural(rows.n_rows, 'row')} {_agreeing(rest, 'row')[1]} gaps;"
            " where such a row is asked what it lacks, that node answers."
        )
    return [_told("validation-gaps", [said], gaps)]


# -- what is said of a row that is pointed at, in any part of a lab --------------------------------

# Of larger tables a message has no room for the rows; what other parts show of them is said then.
MOST_ROWS, _MOST_LETTERS = 600, 6_500


@lru_cache(maxsize=16)
def row_words(table: Table) -> dict[str, Any] | None:
    """The rows of a lab's table, column by column; None where there are too many.

    Of a discrete attribute the values that there are, and each row's place among them.
    """
    if not 0 < table.n_rows <= MOST_ROWS:
        return None
    names, columns = [], []
    letters = 0
    every = [(table.target, table.labels), *zip(table.attributes, table.columns, strict=True)]
    for attribute, column in every:
        one: list[Any]
        if attribute.values is None:
            one = [None, [None if np.isnan(x) else x for x in column.tolist()]]
        else:
            # Only values that a row has: those that are not there would only take room.
            there = sorted({int(code) for code in column if code >= 0})
            place = {code: i for i, code in enumerate(there)}
            texts = [label(attribute.values[code]) for code in there]
            one = [texts, [place.get(code, -1) for code in column.tolist()]]
        letters += len(json.dumps(one))
        if letters > _MOST_LETTERS:
            break
        names.append(label(attribute.name))
        columns.append(one)
    if not names:
        return None
    numbers = [row_number(table, i) for i in range(table.n_rows)]
    plain = numbers == list(range(1, table.n_rows + 1))
    return {
        "names": [*names[1:], names[0]],
        "columns": [*columns[1:], columns[0]],
        "numbers": None if plain else numbers,
    }
