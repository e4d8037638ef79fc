"""A claim: words of a lesson, what they say of one seed, and how often that has to hold."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from course.sources import SOURCES
from dtree_lab.course.lessons import guesses

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
SEEDS = range(20)


@dataclass(frozen=True)
class Claim:
    """A comparative statement of a lesson.

    Attributes
    ----------
    id
        The lesson and a name of its own: ``"forests/fewer-attributes"``.
    says
        The words of the lesson, or of a question on one of its cards, letter by letter but for line
        breaks.
    holds
        In at least how many of the twenty seeds it has to be true: as many as the words say.
    of
        Whether it is true for a seed.
    """

    id: str
    says: str
    holds: int
    of: Callable[[int], bool]

    @property
    def stands(self) -> bool:
        """Whether the lesson still says so."""
        lesson = self.id.partition("/")[0]
        (number,) = (one.stem[:3] for one in SOURCES if one.stem[3:] == lesson)
        texts = [one.text for one in SOURCES if one.stem.startswith(number)]
        asked = [one.asks for one in guesses(lesson).values()]
        return any(folded(self.says) in folded(text) for text in (*texts, *asked))


_found: list[Claim] = []


def claim(
    name: str, says: str, *, holds: int
) -> Callable[[Callable[[int], bool]], Callable[[int], bool]]:
    """Make a function of a seed the test of a claim."""

    def decorate(of: Callable[[int], bool]) -> Callable[[int], bool]:
        _found.append(Claim(name, says, holds, of))
        return of

    return decorate


def claims() -> tuple[Claim, ...]:
    """All claims, in the order of the lessons."""
    if not _found:
        for path in sorted(HERE.glob("lesson_*.py")):
            importlib.import_module(f"claims.{path.stem}")
    return tuple(_found)


def folded(text: str) -> str:
    """Text with every run of white space as one space."""
    return re.sub(r"\s+", " ", text).strip()
