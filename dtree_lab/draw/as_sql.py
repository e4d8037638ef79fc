"""A tree as SQL: one query that answers each row of a table, by CASE within CASE.

Names and values in it are data: names stand in double quotes and words in single ones, each quote
within doubled, as standard SQL has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from typing import Any

from dtree_lab.base.terminal import Source
from dtree_lab.base.text import is_encodable
from dtree_lab.draw import words
from dtree_lab.table.table import Attribute
from dtree_lab.tree.explanation import slopes
from dtree_lab.tree.parts import check_no_parts
from dtree_lab.tree.splits import ByValue, Intervals, Split
from dtree_lab.tree.tree import Tree

# Databases limit how deep an expression is nested: DuckDB takes so many, SQLite 3.40 only 23.
_DEEPEST = 100
_INTEGERS = range(-(2**63) + 1, 2**63)


def sql(tree: Tree, table_name: str | tuple[str, ...], *, column: str = "prediction") -> str:
    """A tree as a query: all columns of a table, and a last one with what the tree answers.

    It answers as ``tree.predict`` does, also for NULL, which is a missing value, and for a value
    that no training row had: what the rows of the node answer at which the row stops, unless a
    tree of others sends rows without a value on. Where a column holds NaN, which databases order
    differently, make it NULL first. A database may nest less than a tree does: SQLite 3.40 takes 23
    questions in a row.

    Parameters
    ----------
    tree
        What to write.
    table_name
        The table that holds the rows, with a column for each attribute that the tree asks. A table
        of a schema has several names, such as ``("main", "rows")``; a dot in a name is a dot.
    column
        The name of the last column.

    Raises
    ------
    ValueError
        For what SQL cannot say: a tree of more than 100 questions in a row, words and numbers among
        the values of one column, two columns whose names differ only in upper and lower case, and
        a name or value that cannot be written down. The error names the node or the column.
    TypeError
        For a name that is no text.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> print(sql(dt.stump(dt.datasets.two_attributes()), "rows"))
    SELECT *,
      CASE
        WHEN "X1" = 'T' THEN 'T'
        WHEN "X1" = 'F' THEN 'F'
        ELSE 'T'
      END AS "prediction"
    FROM "rows"
    """
    words.need_tree(tree)
    parts = table_name if isinstance(table_name, tuple) and table_name else (table_name,)
    table = ".".join(_name("table_name", part) for part in parts)
    answer = _name("column", column)
    _check_columns(tree, column)
    if tree.target.values is not None:
        _check_sorts(f"the target {tree.target.name!r}", tree.target.values)
    check_no_parts(tree.flat, tree.attributes, "SQL")
    deep = (tree.flat.depth >= _DEEPEST) & (tree.flat.attr >= 0)
    if deep.any():
        raise ValueError(
            f"node {int(deep.argmax())} is question {_DEEPEST + 1} in a row, and SQL nests no more"
            f" than {_DEEPEST}; grow a tree with a smaller max_depth"
        )
    *lines, last = _node(tree, 0, "  ", "")
    return Source("\n".join(["SELECT *,", *lines, f"{last} AS {answer}", f"FROM {table}"]))


def _check_columns(tree: Tree, column: str) -> None:
    """Databases take names that differ only in case for one."""
    seen = {column.casefold(): f"the column {column!r} of the answers"}
    names = [a.name for a in tree.attributes] + [tree.target.name]
    for name in names:
        other = seen.setdefault(name.casefold(), f"the column {name!r}")
        if other != f"the column {name!r}":
            msg = f"SQL cannot tell the column {name!r} from {other}; one needs another name"
            raise ValueError(msg)


def _node(tree: Tree, i: int, space: str, before: str) -> Iterator[str]:
    """The lines of a node's expression, the first one after the words `before`."""
    split = tree.flat.split(i, tree.attributes)
    if split is None:
        yield f"{space}{before}{_answer(tree, i)}"
        return
    inner, first = space + "  ", int(tree.flat.first[i])
    yield f"{space}{before}CASE"
    stop = _answer(tree, i)
    attribute = tree.attributes[split.attribute]
    tests = list(_tests(i, split, attribute))
    if isinstance(split, Intervals) and split.gaps < 0:
        yield f"{inner}WHEN {_name('a column', attribute.name)} IS NULL THEN {stop}"
    rest = len(tests) if isinstance(split, Intervals) else split.gaps
    for b, test in enumerate(tests):
        if b != rest:
            yield from _node(tree, first + b, inner, f"WHEN {test} THEN ")
    if isinstance(split, ByValue) and rest >= 0 and (others := split.left_out(attribute)):
        yield f"{inner}WHEN {_among(attribute.name, others)} THEN {stop}"
    if rest >= 0:
        yield from _node(tree, first + rest, inner, "ELSE ")
    else:
        yield f"{inner}ELSE {stop}"
    yield f"{space}END"


def _tests(i: int, split: Split, attribute: Attribute) -> Iterator[str]:
    """What holds for the rows of each branch, but for the last one of a continuous attribute."""
    if isinstance(split, Intervals):
        name = _name("a column", attribute.name)
        for b, cut in enumerate(split.cuts):
            yield f"{name} < {_literal(cut)}" + f" OR {name} IS NULL" * (b == split.gaps)
        return
    values = attribute.values or ()
    _check_sorts(f"node {i} asks {attribute.name!r}: it", values)
    for group in split.groups:
        yield _among(attribute.name, [values[code] for code in group])


def _among(attribute: str, values: Sequence[Any]) -> str:
    """That a column has one of some values."""
    name, said = _name("a column", attribute), list(map(_literal, values))
    return f"{name} = {said[0]}" if len(said) == 1 else f"{name} IN ({', '.join(said)})"


def _answer(tree: Tree, i: int) -> str:
    """A class, a number, or a line to which a missing value adds nothing."""
    if tree.target.values is not None:
        return _literal(tree.classes[int(tree.flat.majority[i])])
    values: Sequence[float] = tree.flat.values[i].tolist()
    terms = (
        f"COALESCE({_literal(slope)} * ({_name('a column', a.name)} - {_literal(mean)}), 0e0)"
        for a, slope, mean in slopes(values, tree.attributes)
    )
    return " + ".join([_literal(values[0]), *terms])


# -- what stands in it ---------------------------------------------------------------------------


def _check_sorts(owner: str, values: Iterable[Any]) -> None:
    """A column is of words, of numbers, or of true and false."""
    sorts = {_sort(value) for value in values}
    if len(sorts) > 1:
        msg = f"{owner} has {' and '.join(sorted(sorts))} among its values; a column has one sort"
        raise ValueError(msg)


def _sort(value: Any) -> str:
    if isinstance(value, str):
        return "words"
    return "booleans" if isinstance(value, bool) else "numbers"


def _literal(value: Any) -> str:
    """A value as SQL reads it; an exponent makes a number a float, and not a decimal."""
    if isinstance(value, str):
        return "'" + _written_down("the value", value).replace("'", "''") + "'"
    if isinstance(value, bool):
        return str(value).upper()
    if not isfinite(value) or (isinstance(value, int) and value not in _INTEGERS):
        raise ValueError(f"the value {value!r:.40} is no number that SQL can hold")
    number = repr(value)
    return number if isinstance(value, int) or "e" in number else f"{number}e0"


def _name(what: str, name: object) -> str:
    """A name in quotes."""
    if not isinstance(name, str):
        raise TypeError(f"{what} must be a name, such as 'rows'; got a {type(name).__name__}")
    if not name:
        raise ValueError(f"{what} has an empty name, which SQL does not allow")
    return '"' + _written_down(what, name).replace('"', '""') + '"'


def _written_down(what: str, text: str) -> str:
    """The text, if SQL has a way to write it."""
    if "\0" in text or not is_encodable(text):
        raise ValueError(f"{what} {text!r:.40} has a character that SQL cannot write")
    return text
