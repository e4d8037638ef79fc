"""Errors counted: of a node as a leaf, with a pencil, and for each leaf that a cut saves."""

from __future__ import annotations

from typing import Any

import numpy as np

from dtree_lab.course.exercise import Exercise, drawn_until, personal
from dtree_lab.course.lessons.pruning.examples import (
    FERRY_TREE,
    LABELS,
    LATE,
    PUNCTUAL,
    VALUES,
    WITHHELD,
    Node,
    Row,
    leaf,
)
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code
from dtree_lab.course.tasks.code import stops

_AS_LEAF, _REDUCTION, _LINK = (page(__file__, n) for n in ("errors-as-leaf", "reduction", "link"))
_ROWS, _SAYS, _FEW = (
    "which rows are counted",
    "the label that the node says",
    "a leaf, and no rows at all",
)


def _case(node: Node, rows: list[Row], says: str, behaviour: str) -> Case:
    return Case((node, rows), (_AS_LEAF.right()(node, rows),), says, behaviour=behaviour)


def _cases() -> tuple[Case, ...]:
    calm, storm = FERRY_TREE["then"].values()
    calm_rows, stormy = ([r for r in WITHHELD if r["Wind"] == wind] for wind in VALUES["Wind"])
    late = [row for row in WITHHELD if row["Ferry"] == LATE]
    return (
        _case(FERRY_TREE, WITHHELD, "the root, all ten rows", _ROWS),
        _case(calm, calm_rows, "the node “calm”, its six rows", _ROWS),
        _case(storm, stormy, "the node “storm”, its four rows", _ROWS),
        _case(
            storm["then"]["work"],
            late,
            "a node that says punctual, four rows that were late",
            _SAYS,
        ),
        _case(FERRY_TREE, late, "a node that says late, four rows that were late", _SAYS),
        _case(leaf(PUNCTUAL), calm_rows[:1], "a leaf, one row", _FEW),
        _case(leaf(LATE), calm_rows[:1], "another leaf, the same row", _FEW),
        _case(calm, [], "the node “calm”, no row at all", _FEW),
    )


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = []
    for label in LABELS:
        rows = [
            {name: str(rng.choice(v)) for name, v in VALUES.items()}
            | {"Ferry": str(rng.choice(LABELS))}
            for _ in range(9)
        ]
        says, node = f"a node that says {label}, nine rows", FERRY_TREE | {"says": label}
        cases.append(_case(node, rows, says, _SAYS))
        cases.append(_case(node, rows[:4], says, _ROWS))
        cases.append(_case(leaf(label), rows[:1], "a leaf, one row", _FEW))
    return tuple(cases)


LEAF_ERRORS = _AS_LEAF.exercise(
    Code("errors_as_leaf", _cases(), fresh=_fresh),
    seen={
        "no such entry": stops("KeyError", "says"),
        "with a dot": stops("AttributeError", "'dict' object"),
    },
)


_N_WITHHELD = 14


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    """A node with three leaves and the withheld rows that come to each, by their labels."""
    says, third = (LABELS[i] for i in rng.integers(2, size=2).tolist())
    leaves = [
        {"says": label, "rows": {one: int(rng.integers(5)) for one in LABELS}}
        for label in rng.permutation([*LABELS, third]).tolist()
    ]
    return {"says": says, "leaves": leaves}


def _as_leaf(node: dict[str, Any]) -> int:
    rows = [one["rows"] for one in node["leaves"]]
    return sum(n for each in rows for label, n in each.items() if label != node["says"])


def _usable(node: dict[str, Any]) -> bool:
    if sum(sum(one["rows"].values()) for one in node["leaves"]) != _N_WITHHELD:
        return False
    # The leaf must not be the one that the withheld rows would choose, or that slip is none.
    return 2 * _as_leaf(node) > _N_WITHHELD and _REDUCTION.apart(branch=node) > 0


def _reduction(rng: np.random.Generator) -> Exercise:
    # For half of the learners the cut is none to make: who drops the sign is found out.
    fewer = bool(rng.integers(2))
    node = drawn_until(
        "pruning/reduction",
        lambda: _drawn(rng),
        lambda drawn: _usable(drawn) and (_REDUCTION.right(branch=drawn) > 0) == fewer,
    )
    as_leaf = _as_leaf(node)
    words = {"below": _REDUCTION.right(branch=node) + as_leaf, "as_leaf": as_leaf}
    words["made"] = "would be made" if fewer else "is not made"
    return _REDUCTION.exercise(shown=node, words=words, branch=node)


REDUCTION = personal(_reduction)


_APART = 0.0015
_LINK_ROWS = (40, 50, 60, 80)


def _drawn_link(rng: np.random.Generator) -> dict[str, Any]:
    rows = int(rng.choice(_LINK_ROWS))
    below = [int(n) for n in rng.integers(0, 3, rng.integers(3, 6))]
    passing = int(rng.integers(20, 31))
    return {
        "training rows": rows,
        "rows at the node": passing,
        "wrong as a leaf": int(rng.integers(7, 13)),
        "wrong in the leaves below": below,
    }


def _usable_link(data: dict[str, Any]) -> bool:
    # As a majority leaf it is wrong about fewer than half of its rows.
    majority = 2 * data["wrong as a leaf"] < data["rows at the node"]
    if not majority or sum(data["wrong in the leaves below"]) == 0:
        return False
    right = _LINK.right(link=data)
    near = min(abs(right - wrong) for wrong in _LINK.wrongs(link=data))
    return near > _APART and _LINK.apart(link=data) > 0


def _link(rng: np.random.Generator) -> Exercise:
    data = drawn_until("pruning/link", lambda: _drawn_link(rng), _usable_link)
    words = {"g": f"{_LINK.right(link=data):.3f}"}
    return _LINK.exercise(shown=data, words=words, link=data)


LINK = personal(_link)
