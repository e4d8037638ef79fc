"""The trees that pruning is tried on, as dicts, and what may come of them.

A node is ``{"says": label}``, where the label is the majority of its training rows; one that asks
has ``"asks"``, an attribute, and ``"then"``, a node for each of its values, too. A row is a dict
with its label under ``"Ferry"``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.pages import page
from dtree_lab.course.tasks.code import comes_to
from dtree_lab.populations import wave
from dtree_lab.table.table import Table

Node: TypeAlias = dict[str, Any]
Row: TypeAlias = dict[str, str]
Path: TypeAlias = tuple[str, ...]

LATE, PUNCTUAL = "late", "punctual"
LABELS = (PUNCTUAL, LATE)
VALUES = {
    "Wind": ("calm", "storm"),
    "Fog": ("no", "yes"),
    "Day": ("work", "rest"),
    "Tide": ("low", "high"),
    "Boat": ("old", "new"),
}
# As the learners are shown them.
_ROWS = page(__file__, "small-tree").text.split('"""')[1]
N_TRAINING = 20


def ferry_rows() -> list[Row]:
    """The lesson's thirty crossings; the first twenty are for growing, the rest is withheld."""
    names = (*VALUES, "Ferry")
    return [dict(zip(names, row.split(), strict=True)) for row in _ROWS.split(",")]


def ferry() -> Table:
    """The twenty crossings to grow on."""
    rows = [list(row.values()) for row in ferry_rows()[:N_TRAINING]]
    kinds = {**VALUES, "Ferry": LABELS}
    return Table.from_rows(rows, target="Ferry", names=list(kinds), kinds=kinds)


def noisy() -> Table:
    """The lesson's 240 points on either side of a wave; 15 in 100 labels are flipped."""
    drawn = wave(noise=0.15).sample(240, seed=1)
    columns = {name: [round(float(x), 2) for x in drawn.column(name)] for name in drawn.names}  # type: ignore[arg-type]
    return Table.from_columns({**columns, "side": drawn.column("side")}, target="side")


def leaf(says: str) -> Node:
    """A node that answers."""
    return {"says": says}


def asks(says: str, attribute: str, *children: Node) -> Node:
    """A node that asks; its children are in the order of the attribute's values."""
    then = dict(zip(VALUES[attribute], children, strict=True))
    return {"says": says, "asks": attribute, "then": then}


def lowest(says: str, attribute: str) -> Node:
    """A node with two leaves, of which the second says what it says itself."""
    other = LATE if says == PUNCTUAL else PUNCTUAL
    return asks(says, attribute, leaf(other), leaf(says))


FERRY_TREE = asks(
    LATE,
    "Wind",
    asks(PUNCTUAL, "Fog", leaf(PUNCTUAL), asks(LATE, "Tide", leaf(LATE), lowest(PUNCTUAL, "Boat"))),
    asks(LATE, "Day", lowest(PUNCTUAL, "Fog"), leaf(LATE)),
)


def errors(node: Node, rows: Sequence[Row]) -> int:
    """How many rows a tree gets wrong; sorted into its branches, unlike the lesson's own way."""
    if "asks" not in node:
        return sum(row["Ferry"] != node["says"] for row in rows)
    return sum(errors(child, _along(node, value, rows)) for value, child in node["then"].items())


def nodes(
    node: Node, rows: Sequence[Row], path: Path = ()
) -> Iterator[tuple[Path, Node, Sequence[Row]]]:
    """Each node that asks, from the top: where it is, itself, and the rows that come to it."""
    if "asks" in node:
        yield path, node, rows
        for value, child in node["then"].items():
            yield from nodes(child, _along(node, value, rows), (*path, value))


def cut(node: Node, path: Path) -> Node:
    """A copy in which the node at a path is a leaf."""
    if not path:
        return leaf(node["says"])
    first, *rest = path
    return {**node, "then": {**node["then"], first: cut(node["then"][first], tuple(rest))}}


def _along(node: Node, value: str, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row[node["asks"]] == value]


def paths(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which a path, or nothing beside paths, came back instead of a tree."""
    found = [i for i, o in enumerate(outcomes) if _is_path(o.value)]
    return [i for i, o in enumerate(outcomes) if i in found or o.kind == "nothing"] if found else []


def _is_path(value: Any) -> bool:
    values = {one for several in VALUES.values() for one in several}
    return isinstance(value, tuple) and bool(value) and set(map(str, value)) <= values


def no_tree(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which a number, a list or the like came back instead of a tree or a path."""
    if paths(outcomes):
        return []
    return [i for i, o in enumerate(outcomes) if o.kind in ("number", "truth", "values", "other")]


def tree_line(node: Node) -> str:
    """A tree in a line, without what does not matter: the order of branches, other entries."""
    if not node.get("asks") or not node.get("then"):
        return str(node["says"])
    then = ", ".join(
        sorted(f"{value}: {tree_line(child)}" for value, child in node["then"].items())
    )
    return f"{node['asks']}? ({then})"


def shaped(prune: Callable[..., Any], *args: Any) -> Any:
    """What a pruning function returns, in a line if it is a tree; a text is no tree."""
    given = prune(*args)
    if isinstance(given, str):
        return (given,)
    return tree_line(given) if isinstance(given, dict) else given


SPOILT = "a tree, and changed the one that it was given"


def spared(prune: Callable[..., Any], tree: Node, rows: Sequence[Row]) -> Any:
    """The same, if the tree that was handed in is afterwards what it was."""
    before = tree_line(tree)
    given = shaped(prune, tree, rows)
    return given if given is None or tree_line(tree) == before else SPOILT


# The cases in which the tree that was handed in is another one afterwards.
spoilt = comes_to(SPOILT)


WITHHELD = ferry_rows()[N_TRAINING:]


def _rows_of(text: str) -> list[Row]:
    """Rows from their first letters: ``"cnw+"`` is calm, no fog, a working day, punctual."""
    letters = {value[0]: value for values in VALUES.values() for value in values}
    # low and high, old and new play no part below; n and o would be taken twice
    letters |= {"n": "no", "l": "low", "o": "old"}
    found = []
    for word in text.split():
        wind, fog, day = (letters[letter] for letter in word[:3])
        label = PUNCTUAL if word[3] == "+" else LATE
        found.append(
            {"Wind": wind, "Fog": fog, "Day": day, "Tide": "low", "Boat": "old", "Ferry": label}
        )
    return found


Example: TypeAlias = tuple[Node, list[Row], str]

FERRY: Example = FERRY_TREE, WITHHELD, "the ferry tree, its ten rows"
# A child that is better cut than its parent, once it is cut.
CHILD: Example = (
    asks(PUNCTUAL, "Wind", leaf(PUNCTUAL), asks(LATE, "Day", lowest(LATE, "Fog"), leaf(PUNCTUAL))),
    _rows_of("cnw+ cyr+ snw- snw- syw- snr+"),
    "a tree whose best cut is at its lowest question",
)
# A node that gains most, above two that would gain more together.
_ABOVE = asks(LATE, "Wind", lowest(PUNCTUAL, "Fog"), lowest(LATE, "Day"))
_ABOVE_ROWS = _rows_of("cnw+ cnw+ cyw- snw- snw- snr+ snr-")
ABOVE: Example = _ABOVE, _ABOVE_ROWS, "a tree whose best cut is at its root"
ABOVE_OF_THREE: Example = _ABOVE, _ABOVE_ROWS[:3], "the same tree, three of the rows"
# One cut brings 3 among ten rows, another 1 among two: a larger share.
LARGE: Example = (
    _ABOVE,
    _rows_of("cnw+ cyw+" + 4 * " snw-" + " snw+" + 5 * " snr-"),
    "a tree with a large cut, and a small one of few rows",
)
# Two cuts that bring the same, and one that brings nothing.
TIED: Example = (
    _ABOVE,
    _rows_of("cnw+ cyw+ cyr+ snw- snr-"),
    "a tree with two cuts that bring the same",
)
# Three cuts, one after the other: 3, 2 and 1 errors fewer.
THREE: Example = (
    asks(
        LATE,
        "Wind",
        lowest(PUNCTUAL, "Fog"),
        asks(LATE, "Day", lowest(LATE, "Fog"), lowest(PUNCTUAL, "Fog")),
    ),
    _rows_of("cnw+ cnw+ cnw+ snw- snw- snr+ syr+ syr+"),
    "a tree with three cuts to make",
)
# Four cuts, at the lowest questions: 4, 3, 2 and 1 errors fewer. Any cut above them costs some.
FOUR: Example = (
    asks(
        LATE,
        "Wind",
        asks(PUNCTUAL, "Fog", lowest(PUNCTUAL, "Day"), lowest(LATE, "Day")),
        asks(LATE, "Fog", lowest(LATE, "Day"), lowest(PUNCTUAL, "Day")),
    ),
    _rows_of(
        "cnw+ cnw+ cnw+ cnw+ cnr+ cnr+ cnr+ cnr+ cyw- cyw- cyw- cyr- cyr- cyr- cyr- cyr- cyr-"
        " snw- snw- snr- syw+ syr+ syr+ syr+ syr+"
    ),
    "a tree with four cuts to make",
)
NOTHING: Example = (
    asks(LATE, "Wind", leaf(PUNCTUAL), lowest(LATE, "Fog")),
    _rows_of("cnw+ cyw+ snw+ syw- snw-"),
    "a tree in which no cut brings anything",
)


def random_tree(rng: np.random.Generator, left: tuple[str, ...] = tuple(VALUES)) -> Node:
    """A tree that asks no attribute twice on a path."""
    says = LABELS[rng.integers(2)]
    if not left or (len(left) < len(VALUES) and rng.random() < 0.4):  # noqa: PLR2004
        return leaf(says)
    attribute = left[rng.integers(len(left))]
    rest = tuple(name for name in left if name != attribute)
    return asks(says, attribute, random_tree(rng, rest), random_tree(rng, rest))


def random_rows(rng: np.random.Generator, n: int) -> list[Row]:
    """Rows with any values and labels."""
    return [
        {name: values[rng.integers(2)] for name, values in VALUES.items()}
        | {"Ferry": LABELS[rng.integers(2)]}
        for _ in range(n)
    ]


def after_a_round(tree: Node, rows: list[Row]) -> list[Node]:
    """All trees that a round may leave: several where cuts bring the same."""
    brings = {
        path: errors(node, here) - errors(leaf(node["says"]), here)
        for path, node, here in nodes(tree, rows)
    }
    most = max(brings.values(), default=0)
    return [cut(tree, path) for path, one in brings.items() if one == most > 0] or [tree]


def after_all(tree: Node, rows: list[Row]) -> list[Node]:
    """All trees that the rounds may end with."""
    step = after_a_round(tree, rows)
    if step == [tree]:
        return step
    return [end for one in step for end in after_all(one, rows)]
