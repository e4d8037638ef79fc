"""A table's columns made ready to be looked at, level by level."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dtree_lab.learn.cuts import Cuts
from dtree_lab.learn.gaps import Gappy
from dtree_lab.learn.groups import Codes
from dtree_lab.learn.ranks import FEW, ranked
from dtree_lab.table import missing_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dtree_lab.table import Table

    Ints = NDArray[Any]

Block: TypeAlias = Cuts | Codes | Gappy


@dataclass(frozen=True)
class Look:
    """Columns in blocks that are looked at together.

    The continuous ones without gaps make two blocks, few values apart from many; each of the others
    stands alone. A column with one value or none is left out: no question parts it.

    Attributes
    ----------
    blocks
        The columns.
    slot
        Where the columns of each block begin when all stand one after the other.
    attribute, block
        The attribute and the block of each column; one more -1 at the end for the column -1, which
        a leaf asks.
    begin
        Where the values of each column begin in `values`, if it is continuous.
    values
        The distinct values of the continuous columns, one after the other.
    n_values
        Each attribute's number of values, 0 for a continuous one; one more 0 at the end.
    discrete
        Whether any attribute is discrete.
    """

    blocks: list[Block]
    slot: list[int]
    attribute: Ints
    block: Ints
    begin: Ints
    values: NDArray[np.float64]
    n_values: Ints
    discrete: bool

    @classmethod
    def of(cls, table: Table) -> Look:
        """Make a table ready."""
        numbers, others = _sorted_out(table)
        columns = ranked([table.columns[i] for i in numbers])
        few = [i for i, one in enumerate(columns) if 1 < len(one.values) <= FEW]
        many = [i for i, one in enumerate(columns) if len(one.values) > FEW]
        both = [some for some in (few, many) if some]
        blocks: list[Block] = [Cuts.of([columns[i] for i in some]) for some in both]
        blocks += others.values()
        held = [*map(len, both), *(1 for _ in others)]
        values = [columns[i].values for some in both for i in some]
        values += [one.values for one in others.values()]
        n_values = [a.n_values for a in table.attributes]
        return cls(
            blocks,
            list(accumulate(held, initial=0)),
            np.array([*(numbers[i] for some in both for i in some), *others, -1]),
            np.array([*(b for b, width in enumerate(held) for _ in range(width)), -1]),
            np.array(list(accumulate(map(len, values), initial=0))),
            np.concatenate([np.zeros(0), *values]),
            np.array([*n_values, 0]),
            any(n_values),
        )


def _sorted_out(table: Table) -> tuple[list[int], dict[int, Codes | Gappy]]:
    """The continuous attributes without gaps; the others, made ready."""
    numbers: list[int] = []
    others: dict[int, Codes | Gappy] = {}
    for i, (attribute, column) in enumerate(zip(table.attributes, table.columns, strict=True)):
        least = column.min()  # NaN if any number is, and the code of a missing value if any is
        if np.isnan(least) if attribute.values is None else least < 0:
            known = ~missing_of(column)
            if known.any():
                others[i] = Gappy.of(attribute, column, known)
        elif attribute.values is not None:
            others[i] = Codes(column, attribute.n_values)
        else:
            numbers.append(i)
    return numbers, others
