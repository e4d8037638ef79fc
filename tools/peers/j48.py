"""Weka's J48: a table as it reads one, its output read, and our tree written as it writes one."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import numpy as np

import dtree_lab as dt
from dtree_lab.tree.splits import Intervals
from dtree_lab.tree.tree import Leaf, Node

JARS = "/usr/share/java/weka.jar:/usr/share/java/*"
SETTINGS = {"unpruned": "-U -M 2", "pruned": "-C 0.25 -M 2", "not-raised": "-C 0.25 -S -M 2"}


def version() -> str | None:
    """What is installed, or None."""
    asked = ["dpkg-query", "-W", "-f", "weka ${Version}", "weka"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def command(setting: str, path: str) -> list[str]:
    """How it is run."""
    jars = ["java", "-cp", JARS, "weka.classifiers.trees.J48", "-t", path, "-no-cv"]
    return [*jars, *SETTINGS[setting].split()]


def run(table: dt.Table, setting: str, folder: Path) -> str:
    """Its output for a table, without the times that it took."""
    path = folder / "table.arff"
    path.write_text(arff(table), encoding="utf-8")
    done = subprocess.run(command(setting, str(path)), capture_output=True, text=True, check=True)
    text = done.stdout[done.stdout.index("J48") : done.stdout.index("=== Confusion")]
    kept = (line.rstrip() for line in text.splitlines() if not line.startswith("Time"))
    return re.sub(r"\n\n+", "\n", "\n".join(kept)).strip()


def arff(table: dt.Table) -> str:
    """A table as Weka reads it."""
    lines = ["@relation t"]
    every = (*table.attributes, table.target)
    for a in every:
        kind = "numeric" if a.values is None else "{" + ",".join(map(_word, a.values)) + "}"
        lines.append(f"@attribute {_word(a.name)} {kind}")
    lines.append("@data")
    for i in range(table.n_rows):
        cells = [*(column[i] for column in table.columns), table.labels[i]]
        told = (
            ("?" if np.isnan(v) else repr(float(v)))
            if a.values is None
            else ("?" if v < 0 else _word(a.values[v]))
            for a, v in zip(every, cells, strict=True)
        )
        lines.append(",".join(told))
    return "\n".join(lines) + "\n"


def _word(value: object) -> str:
    return re.sub(r"\W", "_", str(value))


class Found(NamedTuple):
    """A tree as J48 tells it, without the leaves that no row reaches."""

    leaves: int
    size: int
    right: int
    lines: tuple[str, ...]
    empty: int = 0


def read(text: str) -> Found:
    """What the output says."""
    body = text[: text.index("Number of Leaves")].splitlines()[2:]
    lines = [line for line in body if line.strip()]
    kept = tuple(line for line in lines if not line.endswith("(0.0)"))
    empty = len(lines) - len(kept)
    leaves, size, right = (
        int(re.search(pattern, text)[1])  # type: ignore[index]
        for pattern in (
            r"Number of Leaves\s*:\s*(\d+)",
            r"Size of the tree\s*:\s*(\d+)",
            r"Correctly Classified Instances\s+(\d+)",
        )
    )
    return Found(leaves - empty, size - empty, right, kept, empty)


def ours(tree: dt.Tree, table: dt.Table) -> Found:
    """Our tree in the same words."""
    wrong = round(tree.error(table) * table.n_rows)
    lines = [f": {_leaf(tree.root, tree)}"] if tree.n_nodes == 1 else list(_told(tree.root, tree))
    return Found(tree.n_leaves, tree.n_nodes, table.n_rows - wrong, tuple(lines))


def _told(node: Node, tree: dt.Tree, depth: int = 0) -> list[str]:
    if isinstance(node, Leaf):
        return []
    lines = []
    attribute = tree.attributes[node.split.attribute]
    for i, child in enumerate(node.children):
        if isinstance(node.split, Intervals):
            value = np.nextafter(node.split.cuts[0], -np.inf)
            test = f"{'<=' if i == 0 else '>'} {_number(float(value))}"
        else:
            (code,) = node.split.groups[i]
            test = f"= {_word(attribute.values[code])}"  # type: ignore[index]
        line = f"{'|   ' * depth}{_word(attribute.name)} {test}"
        lines.append(f"{line}: {_leaf(child, tree)}" if isinstance(child, Leaf) else line)
        lines += _told(child, tree, depth + 1)
    return lines


def _leaf(node: Node, tree: dt.Tree) -> str:
    rows, most = sum(node.counts), max(node.counts)
    wrong = f"/{rows - most:.1f}" if rows > most else ""
    return f"{_word(tree.classes[node.counts.index(most)])} ({rows:.1f}{wrong})"


def _number(value: float) -> str:
    """To six places, as Weka prints a number."""
    return f"{value:.6f}".rstrip("0").rstrip(".").replace("-0", "-0") or "0"
