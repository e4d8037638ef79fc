"""What one more attribute can do: OR, XOR, and the sum mod 2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from dtree_lab.datasets import truth_table
from dtree_lab.learn.api import id3
from dtree_lab.shown import plural, value
from dtree_lab.table import Kind, Table, Value
from dtree_lab.terminal import terminal
from dtree_lab.theory.preference import smallest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from dtree_lab.tree import Tree


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
    return Table(attributes, table.target, columns, table.labels)


@dataclass(frozen=True, repr=False)
class Derivation:
    """A tree before and after its table got one more attribute.

    Attributes
    ----------
    name
        The new attribute.
    table
        The rows with it.
    before, after
        The trees.
    """

    name: str
    table: Table
    before: Tree
    after: Tree

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


@dataclass(frozen=True)
class FunctionSize:
    """The smallest tree for a function of n binary attributes.

    Attributes
    ----------
    function, n
        As in :func:`dtree_lab.datasets.truth_table`.
    internal
        How many questions the smallest tree holds: internal nodes.
    depth
        The most on a path in that tree.
    """

    function: str
    n: int
    internal: int
    depth: int


def smallest_sizes(
    function: Literal["or", "and", "xor", "majority"], sizes: Iterable[int] = range(1, 7)
) -> tuple[FunctionSize, ...]:
    """How the smallest trees for a function grow with n: of all trees, not only ID3's.

    OR needs n internal nodes, in a line; XOR needs 2^n - 1, a full tree.

    Parameters
    ----------
    function
        ``"or"``, ``"and"``, ``"xor"`` or ``"majority"``.
    sizes
        The numbers n of attributes; each may take 3^n steps.

    Raises
    ------
    ValueError
        For another function, and an n below 1 or above 10.

    Examples
    --------
    >>> [s.internal for s in smallest_sizes("or", range(1, 5))]
    [1, 2, 3, 4]
    >>> [s.internal for s in smallest_sizes("xor", range(1, 5))]
    [1, 3, 7, 15]
    """
    found = []
    for n in sizes:
        tree = smallest(truth_table(function, n))
        found.append(FunctionSize(function, n, tree.n_nodes - tree.n_leaves, tree.depth))
    return tuple(found)
