"""What a lab is made of: a frozen state and a few functions of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from dtree_lab.widgets.kit.still import still_html, still_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dtree_lab.widgets.kit.parts import View

S = TypeVar("S")


def _no_work(_: Any) -> None:
    """A lab whose answers are there at once has none."""


@dataclass(frozen=True)
class Model(Generic[S]):
    """A lab without Jupyter.

    Attributes
    ----------
    update
        The state after an action. One that cannot be done raises a `NotPossibleError`, or another
        ValueError, which says why; the state stays as it was.
    view
        What is to be seen: a :class:`~dtree_lab.widgets.kit.parts.View`.
    dump
        The state as a short text.
    work
        What remains to be done for a state: an iterator of pairs, each a state further on and the
        seconds to wait before the next; or None. The next action ends it wherever it is. Each
        step should take no more than some 50 ms.
    still
        The text and the page that remain without a kernel, where they are not those of the view.
    """

    update: Callable[[S, Any], S]
    view: Callable[[S], View]
    dump: Callable[[S], str]
    work: Callable[[S], Iterator[tuple[S, float]] | None] = _no_work
    still: Callable[[S], tuple[str, str]] | None = None

    def remains(self, state: S) -> tuple[str, str]:
        """The text and the page that remain where no kernel runs."""
        if self.still is not None:
            return self.still(state)
        seen = self.view(state)
        return still_text(seen), still_html(seen)
