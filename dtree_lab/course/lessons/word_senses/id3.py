"""ID3, written as a function."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dtree_lab.course.calls import Outcome
from dtree_lab.course.lessons.word_senses.almost import AS_ID3, GIVES_UP, SPOILT, read_tree
from dtree_lab.course.lessons.word_senses.best import (
    ALIKE_ROWS,
    BY_GAIN_ALONE,
    FORM_NAMES,
    FORM_TELLS,
    NOTHING_GAINS,
    NOTHING_GAINS_BELOW,
    OTHER_ORDER,
    THREE_VALUES,
)
from dtree_lab.course.lessons.word_senses.gains import (
    NAMES,
    SEVEN,
    VERBS,
    Row,
    drawn_rows,
)
from dtree_lab.course.pages import page
from dtree_lab.course.tasks import Case, Code

# The cases of the exercise in which pos is not asked; then those in which attributes run out, and
# those at whose root the gain ratio takes another than the gain.
_VERBS, _NO_NAMES = 1, 2
_RUN_OUT = [2, 6, 9, 10]
_BY_RATIO = {9: "asks near(lamp)", 10: "asks near(mayor)"}


def endless(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which it called itself until Python, or our patience, was at an end."""
    too_deep = ("raised", "RecursionError")
    return [i for i, o in enumerate(outcomes) if o.kind == "hung" or (o.kind, o.value) == too_deep]


def at_a_loss(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which the best of no attributes was looked for."""
    failed = [i for i, o in enumerate(outcomes) if o.kind == "raised"]
    return failed if failed == _RUN_OUT else []


def told(words: str) -> Callable[[tuple[Outcome, ...]], list[int]]:
    """Recognises a tree by its fault."""
    return lambda outcomes: [
        i for i, o in enumerate(outcomes) if o.kind == "text" and words in o.value
    ]


def lone_branch(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which a question has one branch, and rows with other values."""
    end = ": no branch, though rows go there"
    return [i for i, o in enumerate(outcomes) if o.kind == "text" and o.value.endswith(end)]


def nameless(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which it looked up what ``best`` gave back, and that was never anything."""
    found = _of_nothing(outcomes)
    return found if 0 in found else []


def nameless_where_nothing_gains(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The same of a ``best`` that does give back a name where one gains."""
    found = _of_nothing(outcomes)
    return [] if 0 in found else found


def by_ratio(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases that give away who divides; how their ties are broken elsewhere is rounding."""
    at_root = {i: f"at the root: {asks}, and" for i, asks in _BY_RATIO.items()}
    return [*at_root] if all(asks in str(outcomes[i].value) for i, asks in at_root.items()) else []


def _of_nothing(outcomes: tuple[Outcome, ...]) -> list[int]:
    said = ("KeyError: None", "KeyError: ''")
    return [i for i, o in enumerate(outcomes) if o.kind == "raised" and o.says in said]


def empty(outcomes: tuple[Outcome, ...]) -> list[int]:
    """The cases in which it tripped over no rows; where all have yes and no, it does not."""
    kinds = ("IndexError", "ZeroDivisionError", "ValueError", "StopIteration")
    failed = [i for i, o in enumerate(outcomes) if o.kind == "raised" and o.value in kinds]
    return failed if 0 in failed and not {_VERBS, _NO_NAMES} & set(failed) else []


_ALONE = ["near(sea)", "near(lamp)", "near(fog)"]
_SEA = ["pos", "near(fog)", "near(sea)", "near(lamp)"]


_ASKS, _STOPS, _NO_GAIN = "what it asks", "where it stops", "a node at which nothing gains"


def _tree_case(behaviour: str, rows: list[Row], names: list[str], says: str) -> Case:
    return Case((rows, names), (AS_ID3,), says, via=read_tree, behaviour=behaviour)


def _fresh_trees(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(
        _tree_case(_ASKS, drawn_rows(rng, 12), _SEA, "twelve drawn rows, 4 names") for _ in "123"
    )


ID3 = page(__file__, "id3").exercise(
    Code(
        "id3",
        (
            _tree_case(_ASKS, SEVEN, NAMES, "the seven rows, all 4 names"),
            _tree_case(_ASKS, VERBS, NAMES[1:], "the five verbs, the 3 near(…)"),
            _tree_case(_STOPS, VERBS, [], "the five verbs, no names"),
            _tree_case(_STOPS, SEVEN[:1], NAMES, "a single row, all 4 names"),
            _tree_case(_ASKS, THREE_VALUES, _SEA, "11 rows, 4 names, one of 3 values"),
            _tree_case(_ASKS, OTHER_ORDER, _SEA, "9 rows, 4 names"),
            _tree_case(
                _STOPS, ALIKE_ROWS, ["near(sea)", "pos"], "8 rows, of which some look alike"
            ),
            _tree_case(
                _NO_GAIN,
                NOTHING_GAINS,
                ["near(sea)", "near(fog)"],
                "4 rows, both names gain 0 bits",
            ),
            _tree_case(
                _NO_GAIN,
                NOTHING_GAINS_BELOW,
                ["near(sea)", "near(fog)", "pos"],
                "7 rows, both names gain 0 bits below a question",
            ),
            _tree_case(_ASKS, BY_GAIN_ALONE, _ALONE, "8 rows about light, 3 names"),
            _tree_case(_ASKS, FORM_TELLS, FORM_NAMES, "8 rows about run, one of 3 values"),
        ),
        fresh=_fresh_trees,
    ),
    seen={
        "spoilt": told(SPOILT),
        "not the majority": told("which is not the majority"),
        "several values": told(": several values, which is neither"),
        "without its name": told(" names, where one attribute is asked"),
        "one branch": lone_branch,
        "some branches": told("and others do have one"),
        "empty branches": empty,
        "no name where nothing gains": nameless_where_nothing_gains,
        "gives up": told(GIVES_UP),
        "by ratio": by_ratio,
        "no name": nameless,
        "a tree of the library": told(": a Tree, which is neither"),
        "a pair": told("where a dictionary with a question is wanted"),
        "a list": told("stands no dictionary of its values"),
        "at a loss": at_a_loss,
        "endless": endless,
        "asks on": told("though all rows agree"),
    },
)
