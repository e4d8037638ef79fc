"""rpart's kyphosis, node for node, and a forest beside ranger's, by its out-of-bag error.

    python tools/peers/shipped.py

Run by make peers, where R has these packages; what rpart prints of kyphosis stands in
docs/published-trees.md, which a test runs.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from math import sqrt
from pathlib import Path
from statistics import fmean

from peerfiles import cells, installed
from peertables import tables

import dtree_lab as dt

SCRIPT = Path(__file__).with_suffix(".R")
N_TREES, N_SEEDS, M = 200, 10, 2


def said(*arguments: object) -> str:
    """What the script prints."""
    command = ["Rscript", str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def by_rpart(table: dt.Table) -> dt.Tree:
    """Our tree with rpart's defaults: a leaf costs a hundredth of the root's errors."""
    grown = dt.cart(table, min_rows=20, min_leaf=7)
    rows = table.counts()
    return dt.prune.cost_complexity(grown, 0.01 * (1 - rows.max() / rows.sum()))


def kyphosis(folder: Path) -> bool:
    """Whether rpart prints our tree of its vignette's table."""
    path = folder / "kyphosis.csv"
    text = said("kyphosis", path)
    table = dt.Table.read_csv(path, "Kyphosis")
    same = dt.Tree.from_model(text, table) == by_rpart(table)
    print(f"  kyphosis   {'same tree as' if same else 'DIFFERS from'} rpart's, node for node")
    return same


def ranger(folder: Path, name: str) -> bool:
    """Whether the mean errors of ten forests each differ by less than one error's interval."""
    table = tables()[name]
    names = [f"x{i}" for i in range(len(table.attributes))]
    lines = [",".join([*names, "y"]), *map(",".join, cells(table, "NA"))]
    path = folder / f"{name}.csv"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    theirs = [float(line) for line in said("ranger", path, N_TREES, N_SEEDS, M).split()]
    ours = [
        dt.random_forest(table, n_trees=N_TREES, m=M, seed=seed).oob_error
        for seed in range(N_SEEDS)
    ]
    mine, other = fmean(ours), fmean(theirs)
    most = 1.96 * sqrt(other * (1 - other) / table.n_rows)
    near = abs(mine - other) <= most
    print(
        f"  {name:10} ours {mine:.4f} out of bag, ranger's {other:.4f}:"
        f" {'within' if near else 'BEYOND'} {most:.4f}, the 95 % of {table.n_rows} rows"
    )
    return near


def main() -> int:
    """Print each row; 1 where one differs."""
    lacking = [name for name in ("r-cran-rpart", "r-cran-ranger") if installed(name) is None]
    if lacking:
        print(f"shipped: {' and '.join(lacking)} not installed, so left out")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        same = [kyphosis(Path(folder))]
        same += [ranger(Path(folder), name) for name in ("iris", "wine", "breast-cancer")]
    return int(not all(same))


if __name__ == "__main__":
    sys.exit(main())
