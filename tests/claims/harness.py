"""A claim: words of a lesson, what they say of one seed, and how often that was true."""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING

from course.sources import SOURCES
from dtree_lab.course.lessons import guesses

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).parent
# The words are written from what these say.
WRITTEN_FROM = range(10_000, 10_200)
# Tried on: those that never failed there, and the others, since a share takes more seeds.
TRIED, TRIED_OF_A_SHARE = range(20), range(100)
# A count as far off as this, to one side, is chance once in a thousand times.
RARE = 1 / 1000


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
    true
        In how many of the seeds that the words were written from it was true.
    of
        How many these were.
    test
        Whether it is true for a seed.
    """

    id: str
    says: str
    true: int
    of: int
    test: Callable[[int], bool]

    @property
    def stands(self) -> bool:
        """Whether the lesson still says so."""
        lesson = self.id.partition("/")[0]
        (number,) = (one.stem[:3] for one in SOURCES if one.stem[3:] == lesson)
        texts = [one.text for one in SOURCES if one.stem.startswith(number)]
        asked = [one.asks for one in guesses(lesson).values()]
        return any(folded(self.says) in folded(text) for text in (*texts, *asked))

    @property
    def seeds(self) -> range:
        """The seeds that it is tried on, none of which the words were written from."""
        return TRIED if self.true == self.of else TRIED_OF_A_SHARE

    @property
    def margin(self) -> range:
        """In how many of these it may be true: 19 of 20 if it always was, else near its share."""
        tries = len(self.seeds)
        if self.true == self.of:
            return range(tries - 1, tries + 1)
        near = [k for k in range(tries + 1) if by_chance(self.true, self.of, k, tries) >= RARE]
        return range(near[0], near[-1] + 1)


def by_chance(true: int, of: int, again: int, tries: int) -> float:
    """Fisher's exact test: how probably one share gives counts at least as far apart, on this side.

    Of all ways to deal what was true among both sets of seeds, those that give the second so few
    (or so many): exact, whatever the share is.
    """
    both = true + again
    ways = [comb(tries, k) * comb(of, both - k) if k <= both else 0 for k in range(tries + 1)]
    return min(sum(ways[: again + 1]), sum(ways[again:])) / comb(of + tries, both)


_found: list[Claim] = []


def claim(
    name: str, says: str, *, true: int, of: int = len(WRITTEN_FROM)
) -> Callable[[Callable[[int], bool]], Callable[[int], bool]]:
    """Make a function of a seed the test of a claim that was true in so many of the seeds."""

    def decorate(test: Callable[[int], bool]) -> Callable[[int], bool]:
        _found.append(Claim(name, says, true, of, test))
        return test

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
