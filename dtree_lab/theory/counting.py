"""How much trees can say: how many concepts and trees there are, and what a tree says.

:func:`derived` is what one more attribute can do: OR, XOR, and the sum mod 2. Everything is counted
in whole numbers of any length. (Python refuses to *print* a number of more than 4,300 digits, such
as 2^(2^14); ``n.bit_length()`` says how long it is.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, TypeAlias

from dtree_lab.base.checks import checked_whole
from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import plural, value
from dtree_lab.grow.api import id3
from dtree_lab.table.table import Kind, Table, Value
from dtree_lab.tree.tree import Tree

# "F" or "T", or an attribute's name with the trees for F and for T.
Written: TypeAlias = "str | tuple[str, Written, Written]"

_MOST_INSTANCES = 1 << 24  # 2^(2^24) has five million digits
_MOST_ATTRIBUTES = 20
_MOST_LISTED = 4
_MOST_BITS = 10_000_000


def count_concepts(instances: int, labels: int = 2) -> int:
    """How many concepts there are, functions from instances to labels: labels^instances.

    Examples
    --------
    >>> count_concepts(2**3)
    256
    """
    instances = checked_whole("instances", instances, 0, _MOST_INSTANCES)
    labels = checked_whole("labels", labels, 1, 1_000_000)
    return int(labels**instances)


def count_boolean_concepts(n: int) -> int:
    """How many concepts there are over n binary attributes: 2^(2^n).

    Parameters
    ----------
    n
        From 0 to 24.

    Examples
    --------
    >>> [count_boolean_concepts(n) for n in range(5)]
    [2, 4, 16, 256, 65536]
    """
    return 1 << (1 << checked_whole("n", n, 0, 24))


def count_trees(n: int, *, labels: int = 2, values: int = 2) -> int:
    r"""How many different trees n attributes allow, no attribute asked twice on a path.

    .. math:: T(0) = L, \qquad T(n) = L + n\, T(n-1)^v

    A tree is a leaf with one of L labels, or asks one of n attributes and has for each of its v
    values a tree over the n - 1 others. Trees that say the same in different ways all count.

    Parameters
    ----------
    n
        From 0 to 20. T(n) has about v times the digits of T(n - 1).
    labels, values
        How many labels, and values of each attribute (1 to 100, 2 to 10).

    Raises
    ------
    ValueError
        For a number out of range, or when the result would have more than ten million bits.

    Examples
    --------
    >>> [count_trees(n) for n in range(5)]
    [2, 6, 74, 16430, 1079779602]
    """
    n = checked_whole("n", n, 0, _MOST_ATTRIBUTES)
    labels, values = checked_whole("labels", labels, 1, 100), checked_whole("values", values, 2, 10)
    trees = labels
    for i in range(1, n + 1):
        if trees.bit_length() * values > _MOST_BITS:
            msg = f"the number of trees over n={n} attributes has more than ten million bits"
            raise ValueError(msg)
        trees = labels + i * trees**values
    return trees


def written_trees(n: int) -> Iterator[Written]:
    """Every tree over n binary attributes a1 … an, as nested tuples, one after the other.

    Parameters
    ----------
    n
        From 0 to 4; :func:`count_trees` says how many come (a thousand million for 4).

    Examples
    --------
    >>> list(written_trees(1))[:4]
    ['F', 'T', ('a1', 'F', 'F'), ('a1', 'F', 'T')]
    """
    names = [f"a{i}" for i in range(1, checked_whole("n", n, 0, _MOST_LISTED) + 1)]
    return _written(tuple(names))


def _written(names: tuple[str, ...]) -> Iterator[Written]:
    yield "F"
    yield "T"
    for name in names:
        others = tuple(other for other in names if other != name)
        for low in _written(others):
            for high in _written(others):
                yield name, low, high


def concept_of(tree: Written, n: int) -> str:
    """The concept of a written tree: its answers to all 2^n rows of a truth table, in order.

    Examples
    --------
    >>> concept_of(("a1", "F", ("a2", "F", "T")), 2)  # and
    'FFFT'
    """
    names = [f"a{i}" for i in range(1, checked_whole("n", n, 0, _MOST_LISTED) + 1)]
    answers = []
    for row in product("FT", repeat=n):
        here, node = dict(zip(names, row, strict=True)), tree
        while not isinstance(node, str):
            name, low, high = node
            node = high if here[name] == "T" else low
        answers.append(node)
    return "".join(answers)


def derived(
    table: Table,
    name: str,
    function: Callable[[Mapping[str, Value | None]], Any],
    *,
    kind: Kind | None = None,
) -> Table:
    """The table with one more attribute, computed from the others; it comes last.

    Parameters
    ----------
    table
        Any table.
    name
        What the new attribute is called.
    function
        From a row, a mapping of attribute to value without the label, to the new value.
    kind
        As in ``kinds=`` of :meth:`dtree_lab.Table.from_columns`: without it, text and truth values
        make a discrete attribute and numbers a continuous one.

    Raises
    ------
    ValueError
        For a name that a column already has, or values that are no column, naming the row. What
        `function` raises is passed on with a note that names the row.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> xor = dt.datasets.truth_table("xor", 3)
    >>> odd = derived(xor, "sum is odd", lambda row: list(row.values()).count("T") % 2 == 1)
    >>> odd.row(3)
    {'a1': 'F', 'a2': 'T', 'a3': 'T', 'sum is odd': False, 'xor': 'F'}
    """
    if name in (*table.names, table.target.name):
        msg = f"the table has a column {name!r} already; give the new attribute another name"
        raise ValueError(msg)
    found = []
    for i, row in enumerate(table.rows()):
        label = row.pop(table.target.name)
        try:
            found.append(function(row))
        except Exception as error:
            error.add_note(f"while computing {name!r} for row {i + 1} (labelled {value(label)})")
            raise
    other = f"not {name}"  # a column needs a target beside it to be read
    read = Table.from_columns(
        {name: found, other: [""] * len(found)},
        target=other,
        kinds=None if kind is None else {name: kind},
        missing="keep",
    )
    attributes, columns = (*table.attributes, *read.attributes), (*table.columns, *read.columns)
    return replace(table, attributes=attributes, columns=columns)


@dataclass(frozen=True, repr=False)
class Derivation:
    """A tree before and after its table got one more attribute."""

    name: str  # of the new attribute
    table: Table  # with it
    before: Tree  # the tree without it
    after: Tree  # the tree with it

    @terminal
    def __repr__(self) -> str:
        return f"without {self.name}: {_size(self.before)}; with it: {_size(self.after)}"


def _size(tree: Tree) -> str:
    return f"{plural(tree.n_nodes, 'node')}, depth {tree.depth}"


def effect_of(
    table: Table,
    name: str,
    function: Callable[[Mapping[str, Value | None]], Any],
    *,
    kind: Kind | None = None,
    grower: Callable[[Table], Tree] = id3,
) -> Derivation:
    """What a derived attribute does to the tree; parameters and errors as in :func:`derived`.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> xor = dt.datasets.truth_table("xor", 4)
    >>> effect_of(xor, "sum mod 2", lambda row: list(row.values()).count("T") % 2)
    without sum mod 2: 31 nodes, depth 4; with it: 3 nodes, depth 1
    """
    richer = derived(table, name, function, kind=kind)
    return Derivation(name, richer, grower(table), grower(richer))
