"""What lesson 4 says that rests on chance."""

from __future__ import annotations

from itertools import product

import numpy as np

import dtree_lab as dt
from claims.harness import claim

_TABLES, _ROWS = 20, 8


@claim(
    "expressiveness/less-learns-more",
    "The class that can say less has learnt more.",
    true=200,
)
def less_learns_more(seed: int) -> bool:
    """With one label in five turned over a stump is better on new rows than the whole of ID3."""
    chance = np.random.default_rng(seed)
    training, test = _noisy(200, chance), _noisy(1000, chance)
    return bool(dt.stump(training).error(test) < dt.id3(training).error(test))


def _noisy(many: int, chance: np.random.Generator) -> dt.Table:
    """The lesson's table: the label is a1, but for the noise; eleven attributes say nothing."""
    found = []
    for _ in range(many):
        row = {f"a{i}": "T" if chance.random() < 0.5 else "F" for i in range(1, 13)}
        turned = chance.random() < 0.2
        found.append(row | {"y": row["a1"] if not turned else "FT"[row["a1"] == "F"]})
    return dt.Table.from_rows(found, target="y")


@claim(
    "expressiveness/often-the-smallest",
    "It often does, as for *run*, and nothing makes sure of it.",
    true=200,
)
def often_the_smallest(seed: int) -> bool:
    """On most tables of all eight rows over three attributes ID3's tree is a smallest one."""
    chance, smallest = np.random.default_rng(seed), 0
    for _ in range(_TABLES):
        rows = [
            {"a1": x, "a2": y, "a3": z, "y": "FT"[chance.integers(2)]}
            for x, y, z in product("FT", repeat=3)
        ]
        table = dt.Table.from_rows(rows, target="y")
        smallest += dt.id3(table).n_nodes == dt.theory.smallest(table).n_nodes
    return smallest > _TABLES / 2


@claim(
    "expressiveness/short-trees",
    "ID3 prefers good splits near the root, trees that fit, and (mostly) short trees.",
    true=200,
)
def short_trees(seed: int) -> bool:
    """Among all trees that fit a table by chance, ID3's has fewer nodes than the mean of them."""
    chance, shorter, seen = np.random.default_rng(seed), 0, 0
    while seen < _TABLES:
        every = list(product("FT", repeat=3))
        points = [every[i] for i in chance.permutation(_ROWS)[: _ROWS - 2]]
        rows = [
            dict(zip(("a1", "a2", "a3"), point, strict=True)) | {"y": "FT"[chance.integers(2)]}
            for point in points
        ]
        table = dt.Table.from_rows(rows, target="y") if len({r["y"] for r in rows}) > 1 else None
        if table is None:
            continue
        sizes = [tree.n_nodes for tree in dt.theory.all_trees(table)]
        if min(sizes) < max(sizes):
            seen += 1
            shorter += dt.id3(table).n_nodes < sum(sizes) / len(sizes)
    return shorter > _TABLES / 2
