"""A lecture: its scenes, and what each of them shows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from dtree_lab.stage.acts import Act, ClassQuestion, CodeLab, NamedLab, SceneWords
from dtree_lab.stage.tables import OWN, TableSource
from dtree_lab.stage.theme import Theme


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


@dataclass(frozen=True, kw_only=True)
class LectureScene:
    """A scene of a lecture."""

    number: int  # counted from 0
    line: int  # where it begins in the file, from 1
    acts: tuple[Act, ...]  # in the order in which they come
    notes: str = ""  # what only the lecturer sees, in Markdown
    minutes: float | None = None  # None if it is not said

    @cached_property
    def title(self) -> str:
        """Its first heading, else the first words of its question or its text, or its lab."""
        # Words above a question are its introduction.
        named = (act for act in self.acts if not (self.question and isinstance(act, SceneWords)))
        return self.words.heading or next(filter(None, (act.title for act in named)), "")

    @property
    def words(self) -> SceneWords:
        """Its words; a scene without any has empty ones."""
        return next(act for act in self.acts if isinstance(act, SceneWords))

    @property
    def blocks(self) -> tuple[str, ...]:
        """The words, in Markdown."""
        return self.words.blocks

    @property
    def layout(self) -> str:
        """How they stand on the sheet; empty for one under the other."""
        return self.words.layout

    @property
    def question(self) -> ClassQuestion | None:
        """What is put to the class, if anything."""
        return next((act for act in self.acts if isinstance(act, ClassQuestion)), None)

    @property
    def lab(self) -> NamedLab | CodeLab | None:
        """The lab on it, if any."""
        return next((act for act in self.acts if isinstance(act, NamedLab | CodeLab)), None)

    @property
    def keys(self) -> int:
        """How many keys come before those of its lab."""
        return sum(len(act.keys) for act in self.acts)

    def before(self, act: Act) -> int:
        """How many keys come before an act, or one of its kind as a lab has it."""
        at = next(i for i, each in enumerate(self.acts) if type(each) is type(act))
        return sum(len(each.keys) for each in self.acts[:at])

    def with_lab(self, **changes: Any) -> LectureScene:
        """The scene with its lab changed."""
        acts = (replace(act, **changes) if act is self.lab else act for act in self.acts)
        return replace(self, acts=tuple(acts))


class Byline(NamedTuple):
    """Whose lecture it is, as its file's head says."""

    author: str = ""
    institute: str = ""
    date: str = ""


@dataclass(frozen=True)
class Lecture:
    """A lecture: its file, what it is called, how long it takes, how it looks, and its scenes."""

    file: Path
    title: str
    scenes: tuple[LectureScene, ...]
    minutes: float | None = None
    by: Byline = field(default_factory=Byline)
    theme: Theme = field(default_factory=Theme)
    own: TableSource | None = None  # the table that was brought along, if any
    text: str = field(default="", repr=False)  # the file's, as it was read

    @property
    def digest(self) -> str:
        """A check sum (SHA-256) of the file's text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def needs_consent(self) -> tuple[LectureScene, ...]:
        """The scenes with code of the file's own that nobody has agreed to run."""
        labs = ((scene, scene.lab) for scene in self.scenes)
        return tuple(s for s, lab in labs if isinstance(lab, CodeLab) and lab.needs_consent)

    def agreed(self) -> Lecture:
        """The lecture, free to run the code in its file."""
        return self._with_labs(self.needs_consent, needs_consent=False)

    @property
    def planned(self) -> float | None:
        """How many minutes it takes: what is said of the whole, else what the scenes add up to."""
        minutes = [scene.minutes for scene in self.scenes if scene.minutes is not None]
        return self.minutes if self.minutes is not None else sum(minutes) if minutes else None

    def shown_on(self, source: TableSource) -> tuple[LectureScene, ...]:
        """The scenes whose labs show a table."""
        labs = ((scene, scene.lab) for scene in self.scenes)
        return tuple(s for s, lab in labs if isinstance(lab, NamedLab) and lab.source == source)

    @property
    def on_own_table(self) -> tuple[LectureScene, ...]:
        """The scenes that show the table which is brought along."""
        return self.shown_on(TableSource(OWN))

    def on(self, source: TableSource) -> Lecture:
        """The lecture with a table that was brought along."""
        return replace(self._with_labs(self.on_own_table, source=source), own=source)

    def _with_labs(self, scenes: Iterable[LectureScene], **changes: Any) -> Lecture:
        """The lecture with the labs of some scenes changed."""
        new = {scene.number: scene.with_lab(**changes) for scene in scenes}
        return replace(self, scenes=tuple(new.get(each.number, each) for each in self.scenes))
