"""Trees to prune, made for what they show or drawn by chance, and what may come of pruning them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dtree_lab.course.lessons.pruning.common import (
    LATE,
    N_TRAINING,
    PUNCTUAL,
    VALUES,
    Node,
    Row,
    askers,
    asks,
    cut,
    ferry_rows,
    leaf,
)

if TYPE_CHECKING:
    import numpy as np

WITHHELD = ferry_rows()[N_TRAINING:]


def rows_of(text: str) -> list[Row]:
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


# A child that is better cut than its parent, once it is cut.
CHILD = asks(
    PUNCTUAL,
    "Wind",
    leaf(PUNCTUAL),
    asks(LATE, "Day", asks(LATE, "Fog", leaf(PUNCTUAL), leaf(LATE)), leaf(PUNCTUAL)),
)
CHILD_ROWS = rows_of("cnw+ cyr+ snw- snw- syw- snr+")
# A node that gains most, above two that would gain more together.
ABOVE = asks(
    LATE,
    "Wind",
    asks(PUNCTUAL, "Fog", leaf(LATE), leaf(PUNCTUAL)),
    asks(LATE, "Day", leaf(PUNCTUAL), leaf(LATE)),
)
ABOVE_ROWS = rows_of("cnw+ cnw+ cyw- snw- snw- snr+ snr-")
# One cut brings 3 among ten rows, another 1 among two: a larger share.
LARGE_ROWS = rows_of("cnw+ cyw+" + 4 * " snw-" + " snw+" + 5 * " snr-")
# Two cuts that bring the same, and one that brings nothing.
TIED = asks(
    LATE,
    "Wind",
    asks(PUNCTUAL, "Fog", leaf(LATE), leaf(PUNCTUAL)),
    asks(LATE, "Day", leaf(PUNCTUAL), leaf(LATE)),
)
TIED_ROWS = rows_of("cnw+ cyw+ cyr+ snw- snr-")
# Three cuts, one after the other: 3, 2 and 1 errors fewer.
THREE = asks(
    LATE,
    "Wind",
    asks(PUNCTUAL, "Fog", leaf(LATE), leaf(PUNCTUAL)),
    asks(
        LATE,
        "Day",
        asks(LATE, "Fog", leaf(PUNCTUAL), leaf(LATE)),
        asks(PUNCTUAL, "Fog", leaf(LATE), leaf(PUNCTUAL)),
    ),
)
THREE_ROWS = rows_of("cnw+ cnw+ cnw+ snw- snw- snr+ syr+ syr+")
# Four cuts, at the lowest questions: 4, 3, 2 and 1 errors fewer. Any cut above them costs some.
FOUR = asks(
    LATE,
    "Wind",
    asks(
        PUNCTUAL,
        "Fog",
        asks(PUNCTUAL, "Day", leaf(LATE), leaf(PUNCTUAL)),
        asks(LATE, "Day", leaf(PUNCTUAL), leaf(LATE)),
    ),
    asks(
        LATE,
        "Fog",
        asks(LATE, "Day", leaf(PUNCTUAL), leaf(LATE)),
        asks(PUNCTUAL, "Day", leaf(LATE), leaf(PUNCTUAL)),
    ),
)
FOUR_ROWS = rows_of(
    "cnw+ cnw+ cnw+ cnw+ cnr+ cnr+ cnr+ cnr+ cyw- cyw- cyw- cyr- cyr- cyr- cyr- cyr- cyr-"
    " snw- snw- snr- syw+ syr+ syr+ syr+ syr+"
)
NOTHING = asks(LATE, "Wind", leaf(PUNCTUAL), asks(LATE, "Fog", leaf(PUNCTUAL), leaf(LATE)))
NOTHING_ROWS = rows_of("cnw+ cyw+ snw+ syw- snw-")


def random_tree(rng: np.random.Generator, left: tuple[str, ...] = tuple(VALUES)) -> Node:
    """A tree that asks no attribute twice on a path."""
    says = (PUNCTUAL, LATE)[rng.integers(2)]
    if not left or (len(left) < len(VALUES) and rng.random() < 0.4):  # noqa: PLR2004
        return leaf(says)
    attribute = left[rng.integers(len(left))]
    rest = tuple(name for name in left if name != attribute)
    return asks(says, attribute, random_tree(rng, rest), random_tree(rng, rest))


def random_rows(rng: np.random.Generator, n: int) -> list[Row]:
    """Rows with any values and labels."""
    labels = (PUNCTUAL, LATE)
    return [
        {name: values[rng.integers(2)] for name, values in VALUES.items()}
        | {"Ferry": labels[rng.integers(2)]}
        for _ in range(n)
    ]


def after_a_round(tree: Node, rows: list[Row]) -> list[Node]:
    """All trees that a round may leave: several where cuts bring the same."""
    found = list(askers(tree, rows))
    most = max((brings for _, brings in found), default=0)
    if most <= 0:
        return [tree]
    return [cut(tree, path) for path, brings in found if brings == most]


def after_all(tree: Node, rows: list[Row]) -> list[Node]:
    """All trees that the rounds may end with."""
    step = after_a_round(tree, rows)
    if step == [tree]:
        return step
    return [end for one in step for end in after_all(one, rows)]
