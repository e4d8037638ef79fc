"""A lecture: its scenes, and what each of them shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dtree_lab.stage.tables import OWN

LETTERS = "ABCDEFGH"  # of a question's options
ALL_STEPS = -1  # of a scene's lab: as many as there are


@dataclass(frozen=True)
class Problem:
    """What is wrong with a lecture's file, where, and what would be right."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


class LectureError(ValueError):
    """A lecture cannot be shown; the message has a line for each problem, in the file's order."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True)
class TableSource:
    """Where a lab's rows come from: a table of the library, or a CSV file and how it is written."""

    name: str
    how: Mapping[str, Any] = field(default_factory=dict)
    is_file: bool = False

    @property
    def is_own(self) -> bool:
        """Whether it is the one that is brought along."""
        return not self.is_file and self.name == OWN


@dataclass(frozen=True)
class ClassQuestion:
    """What is put to the class."""

    asks: str  # in Markdown, as all of its texts
    options: tuple[str, ...]  # what can be chosen
    right: frozenset[int] = frozenset()  # from 0; none where there is no right or wrong
    because: str = ""  # why: it is shown with the answer


@dataclass(frozen=True)
class LectureScene:
    """A scene of a lecture."""

    number: int  # counted from 0
    line: int  # where it begins in the file, from 1
    title: str  # its first heading, else the first words of its question or its text, or its lab
    blocks: tuple[str, ...] = ()  # in Markdown: first what is seen at once, then what each key adds
    notes: str = ""  # what only the lecturer sees, in Markdown
    minutes: float | None = None  # None if it is not said
    lab: str = ""  # empty for a scene of words
    source: TableSource | None = None  # its table
    state: str = ""  # where the lab begins
    # What the lab is made with besides: `{algorithm: c45}`.
    settings: Mapping[str, Any] = field(default_factory=dict)
    code: str = ""  # Python whose last line gives a lab, in place of these
    # What the key does in the lab, one after the other: so many presses of its own *next*, or
    # `ALL_STEPS`; or actions, each a press. None, where nothing is said, is all that the lab has if
    # it has no parts to reveal, and else none.
    steps: int | tuple[Any, ...] | None = None
    # Parts of the lab, by their ids, that stand beside its picture from the beginning.
    show: tuple[str, ...] = ()
    # Those that each key puts in their place; without them the lab has its own order.
    reveal: tuple[tuple[str, ...], ...] = ()
    question: ClassQuestion | None = None  # what is put to the class, if anything
    needs_consent: bool = False  # the code is the file's own, and nobody has agreed to run it

    @property
    def has_lab(self) -> bool:
        """Whether there is a lab on it."""
        return bool(self.lab or self.code)


@dataclass(frozen=True)
class Lecture:
    """A lecture: its file, what it is called, how long it takes, and its scenes."""

    file: Path
    title: str
    scenes: tuple[LectureScene, ...]
    minutes: float | None = None
    author: str = ""
    own: TableSource | None = None  # the table that was brought along, if any
    digest: str = ""  # a check sum (SHA-256) of the file's text

    @property
    def needs_consent(self) -> tuple[LectureScene, ...]:
        """The scenes with code of the file's own that nobody has agreed to run."""
        return tuple(scene for scene in self.scenes if scene.needs_consent)

    def agreed(self) -> Lecture:
        """The lecture, free to run the code in its file."""
        scenes = (replace(one, needs_consent=False) for one in self.scenes)
        return replace(self, scenes=tuple(scenes))

    @property
    def planned(self) -> float | None:
        """How many minutes it takes: what is said of the whole, else what the scenes add up to."""
        told = [scene.minutes for scene in self.scenes if scene.minutes is not None]
        return self.minutes if self.minutes is not None else sum(told) if told else None

    @property
    def on_own_table(self) -> tuple[LectureScene, ...]:
        """The scenes that show the table which is brought along."""
        return tuple(scene for scene in self.scenes if scene.source and scene.source.is_own)

    def on(self, source: TableSource) -> Lecture:
        """The lecture with a table that was brought along."""
        of_it = self.on_own_table
        scenes = (replace(one, source=source) if one in of_it else one for one in self.scenes)
        return replace(self, scenes=tuple(scenes), own=source)
