"""A table that was made to show something."""

from __future__ import annotations

from dtree_lab.table import Table


def greedy_trap() -> Table:
    """Five rows on which ID3's tree is not a smallest one.

    Four rows with a1 = F are XOR of a2 and a3, and the fifth, with a1 = T, agrees with it. So two
    questions, a2 and a3, are enough: 7 nodes. But XOR's attributes tell nothing one at a time,
    while a1 parts off a pure row: it gains 0.971 - 0.8 = 0.171 bits, a2 and a3 only 0.020. ID3 asks
    a1, and has all of XOR still before it: 9 nodes.

    It was found by trying all tables of different rows over three binary attributes. No table of
    fewer rows makes ID3 miss without a tie.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> from dtree_lab.theory import smallest
    >>> dt.id3(greedy_trap()).n_nodes, smallest(greedy_trap()).n_nodes
    (9, 7)
    """
    rows = ["FFFF", "FFTT", "FTFT", "FTTF", "TFFF"]
    names = ["a1", "a2", "a3", "y"]
    return Table.from_rows(
        [list(row) for row in rows], "y", names=names, kinds=dict.fromkeys(names, ("F", "T"))
    )
