"""All that a phone has to do with a lecture: what it shows, and what was answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dtree_lab.stage.show import Show
from dtree_lab.stage.telling import told_phone


class Ballots:
    """What a classroom gets of a lecture: no more than two functions.

    `changed` is called when a vote has been counted.
    """

    def __init__(self, show: Show, changed: Callable[[], None]) -> None:
        self._show, self._changed = show, changed

    def shown_to(self, device: str) -> dict[str, Any]:
        """What a device shows."""
        return told_phone(self._show, device)

    def tapped(self, device: str, answer: int | str) -> str:
        """Count the vote of a device, if votes are taken now; what is wrong with it is told."""
        before = self._show.vote
        problem = self._show.tapped(device, answer)
        if self._show.vote != before:
            self._changed()
        return problem
