"""The table that the forest lab brings: one on which a forest is better than a single tree."""

from __future__ import annotations

import numpy as np

from dtree_lab.datasets import penguins
from dtree_lab.table.table import Table

# Of the birds each third, so that the trees are small enough to be seen whole.
_EACH = 3
# A large female's position: trees that saw her know her by heart, nearly all others say male.
MISTAKEN = 36


def ringed(seed: int = 0) -> Table:
    """Is it a male? Of 111 penguins, each with a ring, whose number was drawn by lot.

    The sexes are hard to tell apart by one measure alone, so a single tree is often wrong; and the
    ring, which means nothing, shows what importances are worth.
    """
    birds = penguins("drop")
    names = [name for name in ("species", *birds.names) if name != "sex"]
    columns = {name: birds.column(name) for name in dict.fromkeys(names)}
    rings = 1 + np.random.default_rng(seed).permutation(birds.n_rows)
    whole = Table.from_columns(
        {**columns, "ring": rings.tolist(), "sex": birds.column("sex")}, target="sex"
    )
    return whole.take(np.arange(0, birds.n_rows, _EACH))
