"""What a learner's ID3 did, seen from outside: by what some of its mistakes are recognised."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from dtree_lab.course.calls import Outcome

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
