"""Weka's J48: a table as it reads one, its output read, and our tree written as it writes one."""

from __future__ import annotations

import re
import subprocess
from math import floor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from peerfiles import cells, digest, installed, word

import dtree_lab as dt
from dtree_lab.tree.splits import Intervals
from dtree_lab.tree.tree import Leaf, Node

JARS = "/usr/share/java/weka.jar:/usr/share/java/*"
COMMAND = ["java", "-cp", JARS, "weka.classifiers.trees.J48", "-no-cv"]
SETTINGS = ("-U -M 2", "-C 0.25 -M 2", "-C 0.25 -S -M 2")


def told() -> str:
    """What is recorded of the version and the command."""
    return f"weka {installed('weka')}\n{' '.join(COMMAND)} -t table.arff SETTING"


def run(tables: dict[str, dt.Table], folder: Path) -> dict[str, str]:
    """Its outputs, without the times that it took."""
    found = {}
    for name, table in tables.items():
        path = folder / f"{name}.arff"
        path.write_text(_arff(table), encoding="utf-8")
        for setting in SETTINGS:
            command = [*COMMAND, "-t", str(path), *setting.split()]
            done = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            text = done[done.index("J48") : done.index("Incorrectly Classified")]
            lines = [line.rstrip() for line in text.splitlines() if not line.startswith("Time")]
            found[key(name, setting, table)] = "\n".join(filter(None, lines))
    return found


def key(name: str, setting: str, table: dt.Table) -> str:
    """What an output is kept by."""
    return f"{name} {setting} {digest(table)}"


def _arff(table: dt.Table) -> str:
    lines = ["@relation t"]
    for a in (*table.attributes, table.target):
        kind = "numeric" if a.values is None else "{" + ",".join(map(word, a.values)) + "}"
        lines.append(f"@attribute {word(a.name)} {kind}")
    return "\n".join([*lines, "@data", *(",".join(row) for row in cells(table, "?")), ""])


def grow(table: dt.Table, setting: str) -> dt.Tree:
    """Our tree for one of the settings."""
    tree = dt.c45(table, release=8)
    if setting == SETTINGS[0]:
        return tree
    if setting == SETTINGS[1]:
        return dt.prune.pessimistic(tree, 0.25, raising=True, table=table)
    return dt.prune.pessimistic(tree, 0.25, raising=False)


# Two numbers with two decimals that were one, but for a trace.
_ROUNDED = 0.0101


class Found(NamedTuple):
    """A tree as J48 tells it, without the leaves that no row reaches."""

    leaves: int
    size: int
    right: int
    lines: tuple[str, ...]


def read(text: str) -> tuple[Found, int]:
    """What an output says, and how many leaves no row reaches."""
    lines = text[: text.index("Number of Leaves")].splitlines()[2:]
    reached = tuple(line for line in lines if not line.endswith("(0.0)"))
    empty = len(lines) - len(reached)
    numbers = re.findall(r"^(?:Number|Size|Correctly)\D*(\d+)", text, re.MULTILINE)
    leaves, size, right = map(int, numbers)
    return Found(leaves - empty, size - empty, right, reached), empty


def write(tree: dt.Tree, table: dt.Table) -> Found:
    """Our tree in the same words."""
    wrong = round(tree.error(table) * table.n_rows)
    lines = [f": {_leaf(tree.root, tree)}"] if tree.n_nodes == 1 else _lines(tree.root, tree, "")
    return Found(tree.n_leaves, tree.n_nodes, table.n_rows - wrong, tuple(lines))


def _lines(node: Node, tree: dt.Tree, indent: str) -> list[str]:
    if isinstance(node, Leaf):
        return []
    lines = []
    attribute = tree.attributes[node.split.attribute]
    for i, child in enumerate(node.children):
        if isinstance(node.split, Intervals):
            below = float(np.nextafter(node.split.cuts[0], -np.inf))
            test = f"{'>' if i else '<='} {_number(below)}"
        else:
            (code,) = node.split.groups[i]
            test = f"= {word((attribute.values or ())[code])}"
        answer = f": {_leaf(child, tree)}" if isinstance(child, Leaf) else ""
        lines += [f"{indent}{word(attribute.name)} {test}{answer}"]
        lines += _lines(child, tree, f"{indent}|   ")
    return lines


def _leaf(node: Node, tree: dt.Tree) -> str:
    rows, most = sum(node.counts), max(node.counts)
    told, wrong = (floor(100 * n / tree.weight_unit + 0.5) / 100 for n in (rows, rows - most))
    answer = word(tree.classes[node.counts.index(most)])
    return f"{answer} ({told}/{wrong})" if rows > most else f"{answer} ({told})"


def _number(value: float) -> str:
    """To six places, as Weka prints a number."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def why(table: dt.Table, ours: Found, theirs: Found) -> str:
    """Why two trees differ, where it is known."""
    both = [
        [re.split(r"(?<=[(/])(\d+\.\d+)(?=[)/])", line) for line in one.lines]
        for one in (ours, theirs)
    ]
    if not table.has_missing or ours[:3] != theirs[:3]:
        return ""
    for mine, line in zip(*both, strict=True):
        counts = zip(mine[1::2], line[1::2], strict=True)
        if mine[::2] != line[::2] or any(abs(float(a) - float(b)) > _ROUNDED for a, b in counts):
            return ""
    return "parts of rows are whole ticks here: the last digit of some counts; else the same"
