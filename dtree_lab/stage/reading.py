"""A lecture read as a lecturer writes it: a text file of scenes.

A file begins with what the lecture is called, between two lines ``---``. Each scene begins in the
same way, with what it shows, and goes on with words in Markdown::

    ---
    title: Which question first?
    ---

    ---
    lab: tree
    table: tax_fraud
    minutes: 4
    ---
    # Ten tax returns

What it may show is told by its acts. Nothing is guessed: what cannot be meant is a
:class:`~dtree_lab.stage.lecture.Problem` that names the line and the cure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from dtree_lab.stage.acts import ACTS, signs
from dtree_lab.stage.frontmatter import FENCE, UNREAD, Front, SceneText, pieces
from dtree_lab.stage.lecture import Byline, Lecture, LectureError, LectureScene, Problem
from dtree_lab.stage.theme import Theme

SHIPPED = Path(str(files("dtree_lab.stage") / "lectures"))
_HEAD = ("title", "minutes", "author", "institute", "date", "theme")  # what is said of the whole


def read_lecture(path: str | Path) -> Lecture:
    """A lecture from a file, UTF-8; of one that is shipped, code may run."""
    file = Path(path).expanduser()
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise LectureError(
            [Problem(file.name, line, "this is not UTF-8: save the file as UTF-8 text")]
        ) from error
    except OSError as error:
        raise LectureError(
            [Problem(str(file), 1, f"the file cannot be read: {error.strerror}")]
        ) from error
    lecture = parse(text, file)
    return lecture.agreed() if file.resolve().parent == SHIPPED.resolve() else lecture


def parse(text: str, file: Path = Path("lecture.md")) -> Lecture:
    """A lecture from its text; `file` is named by problems, and others are looked for beside it."""
    return replace(_Reader(file).lecture(text.splitlines()), text=text)


def written(title: str, scenes: Sequence[Mapping[str, Any]]) -> str:
    """The text of a lecture whose scenes have no words, from what each shows.

    >>> parse(written("One lab", [{"lab": "tree", "steps": 2}])).scenes[0].lab.steps
    2
    """
    # JSON is YAML as well, with everything quoted that needs it.
    fronts = [{"title": title}, *scenes]
    pieces = (
        [FENCE, *(f"{name}: {json.dumps(one)}" for name, one in front.items()), FENCE, ""]
        for front in fronts
    )
    return "\n".join(line for piece in pieces for line in piece)


class _Reader:
    """Reads a lecture, and gathers all that is wrong with it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def lecture(self, lines: list[str]) -> Lecture:
        found = list(pieces(lines, self._wrong))
        head = self._text({}, [])
        if found:
            line, front, body = found.pop(0)
            head = self._text(front, body)
            head.only(_HEAD)
            if any(line.strip() for line in body):  # words right after it are the first scene's
                found.insert(0, (line, {}, body))
        texts = [(line, self._text(front, body)) for line, front, body in found]
        scenes = [self._scene(i, line, text) for i, (line, text) in enumerate(texts)]
        minutes, theme = head.minutes(), Theme.read(head)
        if "title" not in head and not self.problems:
            self._wrong(1, "the lecture has no title: begin the file with ---, title: …, ---")
        if not scenes and not self.problems:
            self._wrong(1, "there is no scene: each begins with ---, what it shows, and --- again")
        if self.problems:
            raise LectureError(sorted(self.problems, key=lambda problem: problem.line))
        title, by = head["title"].text(), Byline(*(head[name].text() for name in Byline._fields))
        return Lecture(self.file, title, tuple(scenes), minutes, by, theme)

    def _scene(self, number: int, line: int, text: SceneText) -> LectureScene:
        so_far = len(self.problems)
        *others, last = ACTS
        text.only((*last.NAMES, "minutes", *(n for act in others for n in act.NAMES), *signs()))
        acts = tuple(act for kind in ACTS if (act := kind.read(text)) is not None)
        shows = len(acts) > 1 or any(map(str.strip, text.blocks)) or "layout" in text
        # What could not be read, and what is wrong with a lab, is told already.
        if not shows and len(self.problems) == so_far and text.front is not UNREAD:
            self._wrong(line, "this scene shows nothing: give it words, a lab: or an ask:")
        return LectureScene(
            number=number, line=line, acts=acts, notes=text.notes, minutes=text.minutes()
        )

    def _text(self, front: Front, body: list[str]) -> SceneText:
        return SceneText(front, body, self.file.parent, self._wrong)

    def _wrong(self, line: int, what: str) -> None:
        self.problems.append(Problem(self.file.name, line, what))
