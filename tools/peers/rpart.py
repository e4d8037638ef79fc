"""R's rpart, without surrogates and without a price for leaves, beside CART."""

from __future__ import annotations

import subprocess
from pathlib import Path

from peerfiles import cells, digest, installed, word

import dtree_lab as dt

SCRIPT = Path(__file__).with_suffix(".R")
# Impurities that differ by less are equal.
_NOTHING = 1e-9
# Of each node, by the rows that come to it, what it asks; nothing at a leaf.
Asked = dict[frozenset[int], str]


def told() -> str:
    """What is recorded of the version and the command."""
    return (
        f"R {installed('r-base-core')}, rpart {installed('r-cran-rpart')}\n"
        f"Rscript tools/peers/{SCRIPT.name} table.csv"
    )


def run(tables: dict[str, dt.Table], folder: Path) -> dict[str, str]:
    """Its outputs."""
    paths = []
    for name, table in tables.items():
        header = ",".join([*(word(a.name) for a in table.attributes), "y"])
        rows = [",".join(row) for row in cells(table, "NA")]
        paths.append(folder / f"{name}.csv")
        paths[-1].write_text("\n".join([header, *rows, ""]), encoding="utf-8")
    command = ["Rscript", str(SCRIPT), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    outputs = done.stdout.split("table ")[1:]
    parted = (output.split("\n", 1) for output in outputs)
    return {key(name.strip(), tables[name.strip()]): text.rstrip() for name, text in parted}


def key(name: str, table: dt.Table) -> str:
    """What an output is kept by."""
    return f"{name} {digest(table)}"


def grow(table: dt.Table) -> dt.Tree:
    """Our tree with rpart's limits."""
    return dt.cart(table, min_rows=20, min_leaf=7)


def read(text: str) -> Asked:
    """What each node asks."""
    asks, rows = (line.split()[1:] for line in text.splitlines())
    names = {int(node): name for node, name in (one.split(":") for one in asks)}
    come: dict[int, list[int]] = {node: [] for node in names}
    for row, stop in enumerate(map(int, rows)):
        node = stop
        while node:  # a node's parent has half its number
            come[node].append(row)
            node //= 2
    return {frozenset(come[node]): name.replace("<leaf>", "") for node, name in names.items()}


def write(tree: dt.Tree, table: dt.Table) -> Asked:
    """The same of our tree."""
    stop = tree.apply(table)
    asked: Asked = {}
    come: list[list[int]] = [[] for _ in range(tree.n_nodes)]
    for row, node in enumerate(stop.tolist()):
        at = node
        while at >= 0:
            come[at].append(row)
            at = int(tree.flat.parent[at])
    for node, rows in enumerate(come):
        a = int(tree.flat.attr[node])
        asked[frozenset(rows)] = "" if a < 0 else word(tree.attributes[a].name)
    return asked


def why(table: dt.Table, ours: Asked, theirs: Asked) -> str:
    """Why two trees differ, where it is known: what the first nodes that differ leave unexplained.

    A node is told by its rows, so that a difference is first where both trees have the node.
    """
    reasons = set()
    for rows in ours.keys() & theirs.keys():
        here, there = _parts(ours, rows), _parts(theirs, rows)
        if here == there and ours[rows] == theirs[rows]:
            continue
        left = [sum(_impure(table, part) for part in parts) for parts in (here, there)]
        if abs(left[0] - left[1]) < _NOTHING:
            reasons.add("ties of the Gini impurity go to another column or cut")
        elif left[1] < left[0] and table.attribute(theirs[rows]).values is not None:
            reasons.add("among more than two classes rpart tries every grouping of words")
        else:
            return ""
    return " and ".join(sorted(reasons))


def _parts(asked: Asked, rows: frozenset[int]) -> set[frozenset[int]]:
    below = [one for one in asked if one < rows]
    return {one for one in below if not any(one < other for other in below)}


def _impure(table: dt.Table, rows: frozenset[int]) -> float:
    counts = table.take(sorted(rows)).counts()
    return float(counts.sum() - (counts**2).sum() / counts.sum())
