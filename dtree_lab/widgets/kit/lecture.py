"""What a lecturer's keys do: reveal what comes next, go back, start over. No Jupyter here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from dtree_lab.widgets.kit.actions import NotPossibleError

if TYPE_CHECKING:
    from collections.abc import Callable

S = TypeVar("S")
KEYS = ("next", "back", "reset")


def is_key(message: Any) -> bool:
    """Whether a browser's message is that of one of the keys."""
    return isinstance(message, dict) and set(message) == {"do"} and message["do"] in KEYS


@dataclass(frozen=True, eq=False)
class Lecture(Generic[S]):
    """Where a lecture stands.

    Attributes
    ----------
    first
        The state of the lab at the beginning.
    stage
        How many parts are revealed: those whose own stage is not above it.
    past
        What the key for going back returns to: the lab's state and the lecture before each press
        of the key for the next thing.
    moved
        Whether something else than the keys has changed the lab since the beginning.
    """

    first: S
    stage: int = 0
    past: tuple[tuple[S, Lecture[S]], ...] = ()
    moved: bool = False

    def on(self, state: S, last_stage: int, go_on: Callable[[], S]) -> tuple[S, Lecture[S]]:
        """Reveal the next part; when all are seen, the lab itself goes on."""
        past = (*self.past, (state, self))
        if self.stage < last_stage:
            return state, replace(self, stage=self.stage + 1, past=past)
        return go_on(), replace(self, past=past)

    def back(self) -> tuple[S, Lecture[S]]:
        """As it was before the last press; before the first, as it began."""
        return self.past[-1] if self.past else self.over()

    def over(self) -> tuple[S, Lecture[S]]:
        """As it began."""
        if not self.past and not self.moved:
            msg = "This is the beginning."
            raise NotPossibleError(msg)
        return self.first, Lecture(self.first)

    def by_hand(self) -> Lecture[S]:
        """After a person has done something else than pressing the keys."""
        return self if self.moved else replace(self, moved=True)

    def worked(self, state: S) -> Lecture[S]:
        """After the lab has worked on by itself: at the beginning, that belongs to it."""
        return self if self.past or self.moved else replace(self, first=state)
