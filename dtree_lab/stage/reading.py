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

A line ``. . .`` holds back what follows it until the next key; what stands after a line that says
just ``Notes`` and a colon only the lecturer sees. Nothing is guessed: what cannot be meant is a
:class:`~dtree_lab.stage.lecture.Problem` that names the line and the cure.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

from dtree_lab.base.text import did_you_mean
from dtree_lab.stage.frontmatter import FENCE, UNREAD, Front, Value, pieces
from dtree_lab.stage.lecture import (
    ALL_STEPS,
    LETTERS,
    ClassQuestion,
    Lecture,
    LectureError,
    LectureScene,
    Problem,
    TableSource,
)
from dtree_lab.stage.tables import OWN, TABLES, is_table

SHIPPED = Path(str(files("dtree_lab.stage") / "lectures"))
PAUSE, NOTES = ". . .", "notes:"
FEWEST = 2
WORDS = 6  # of a scene without a heading, in the list of scenes
# What people write who mean a name that is spelt quite otherwise.
_OTHER_WORDS = {
    **dict.fromkeys(("reason", "why", "explanation"), "because"),
    **dict.fromkeys(("choices", "choose"), "options"),
    **dict.fromkeys(("right", "correct", "solution"), "answer"),
    "question": "ask",
    "time": "minutes",
    "python": "code",
}
# How the course calls its questions: tax-fraud/parts.
_ID = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")


def read(path: str | Path) -> Lecture:
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
    digest = hashlib.sha256(text.encode()).hexdigest()
    return replace(_Reader(file).lecture(text.splitlines()), digest=digest)


def written(title: str, scenes: Sequence[Mapping[str, Any]]) -> str:
    """The text of a lecture whose scenes have no words, from what each shows.

    >>> parse(written("One lab", [{"lab": "tree", "steps": 2}])).scenes[0].steps
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

    OWN: ClassVar = ("title", "minutes", "author")
    TABLE: ClassVar = (
        "table",
        *("target", "drop", "decimal", "thousands", "delimiter", "na", "missing", "kinds"),
        "encoding",
    )
    SCENE: ClassVar = (
        *("lab", *TABLE, "state", "settings"),
        *("code", "lesson", "cell", "steps", "show", "reveal", "minutes"),
    )
    SCENE_ASKS: ClassVar = ("ask", "options", "answer", "because")

    def __init__(self, file: Path) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def lecture(self, lines: list[str]) -> Lecture:
        found = list(pieces(lines, self._wrong))
        own: Front = {}
        if found:
            line, own, body = found.pop(0)
            self._known(own, self.OWN)
            if any(line.strip() for line in body):  # words right after it are the first scene's
                found.insert(0, (line, {}, body))
        scenes = [self._scene(i, *piece) for i, piece in enumerate(found)]
        minutes = self._minutes(own)
        if "title" not in own and not self.problems:
            self._wrong(1, "the lecture has no title: begin the file with ---, title: …, ---")
        if not scenes and not self.problems:
            self._wrong(1, "there is no scene: each begins with ---, what it shows, and --- again")
        if self.problems:
            raise LectureError(sorted(self.problems, key=lambda one: one.line))
        author = own["author"].text() if "author" in own else ""
        return Lecture(self.file, own["title"].text(), tuple(scenes), minutes, author)

    # -- scenes ------------------------------------------------------------------------------------

    def _scene(self, number: int, line: int, front: Front, body: list[str]) -> LectureScene:
        so_far = len(self.problems)
        self._known(front, (*self.SCENE, *self.SCENE_ASKS))
        blocks, notes = _parted(body)
        lab = self._lab(front)
        cell_code, cell_words = self._cell(front)
        code = front["code"].text() if "code" in front else cell_code
        if lab and code:
            which = "code" if "code" in front else "cell"
            self._wrong(front[which].line, f"a scene shows one thing: lab or {which}")
        source = self._source(front, needs="lab" in front)
        if cell_words:
            blocks = (*_parted(cell_words.splitlines())[0], *(b for b in blocks if b))
        heading = next((h for b in blocks if (h := _heading(b))), "")
        asked = self._question(front)
        state = self._state(front)
        # Where one is named that there is not, this is told, and no more.
        may_have_lab = bool(code) or "lab" in front or ("cell" in front and not cell_words)
        for name in ("state", "steps", "settings", "show", "reveal"):
            if name in front and not may_have_lab:
                self._wrong(front[name].line, f"{name!r} belongs to a lab: say lab: NAME as well")
        shows = lab or code or asked or any(b.strip() for b in blocks)
        # What could not be read, and what is wrong with a lab, is told already.
        if not shows and len(self.problems) == so_far and front is not UNREAD:
            self._wrong(line, "this scene shows nothing: give it words, a lab: or an ask:")
        return LectureScene(
            number,
            line,
            heading or _first_words((asked.asks,) if asked else blocks) or lab,
            blocks,
            notes,
            self._minutes(front),
            lab,
            source,
            state,
            self._settings(front),
            code,
            self._steps(front),
            self._shows(front),
            self._reveals(front),
            asked,
            needs_consent=bool(code) and "code" in front,
        )

    def _lab(self, front: Front) -> str:
        # Here, because the catalogue is the labs' and a slide needs none of them.
        from dtree_lab.labs.catalogue import find  # noqa: PLC0415

        if "lab" not in front:
            return ""
        try:
            return find(front["lab"].text()).name
        except ValueError as error:
            self._wrong(front["lab"].line, str(error))
            return ""

    def _source(self, front: Front, *, needs: bool) -> TableSource | None:
        given = [name for name in self.TABLE if name in front]
        if "table" not in front:
            for name in given:
                self._wrong(front[name].line, f"{name!r} is said of a table: say table: as well")
            return None
        value = front["table"]
        if not needs:
            self._wrong(value.line, "a table is shown by a lab: say lab: NAME as well")
        name = value.text()
        if is_table(name):
            for other in given[1:]:
                where = f"beside --table, as --{other}" if name == OWN else "of a CSV file"
                self._wrong(front[other].line, f"{other!r} is said {where}; {name} is none")
            return TableSource(name)
        if not name.lower().endswith((".csv", ".csv.gz", ".tsv", ".txt")):
            near = did_you_mean(name, TABLES)
            told = f"there is no table {name!r}.{near} There are {', '.join(TABLES)}, and CSV files"
            self._wrong(value.line, told)
            return None
        path = (self.file.parent / Path(name).expanduser()).resolve()
        if not path.is_file():
            self._wrong(value.line, f"there is no file {name}: it is looked for beside the lecture")
            return None
        how = {other: self._said(front[other], other) for other in given[1:]}
        return TableSource(str(path), how, is_file=True)

    def _said(self, value: Value, name: str) -> Any:
        if name in ("drop", "na"):
            return tuple(value.words() or [value.text()])
        return value.data() if name == "kinds" else value.text()

    def _cell(self, front: Front) -> tuple[str, str]:
        """A lesson's cell: Python up to it, or its words."""
        if "cell" not in front and "lesson" not in front:
            return "", ""
        for name, other in (("cell", "lesson"), ("lesson", "cell")):
            if name not in front:
                self._wrong(front[other].line, f"{other}: needs {name}: beside it")
                return "", ""
        from dtree_lab.stage.cells import cell  # noqa: PLC0415 - lessons are read where wanted

        try:
            return cell(front["lesson"].text(), front["cell"].text())
        except ValueError as error:
            self._wrong(front["cell"].line, str(error))
            return "", ""

    def _state(self, front: Front) -> str:
        if "state" not in front:
            return ""
        said = front["state"].text()
        if not said.startswith("@"):
            return said
        path = self.file.parent / said[1:]
        try:
            return path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            self._wrong(front["state"].line, f"there is no text file {said[1:]} beside the lecture")
            return ""

    def _settings(self, front: Front) -> dict[str, Any]:
        if "settings" not in front:
            return {}
        found = front["settings"].data()
        if isinstance(found, dict) and all(isinstance(name, str) for name in found):
            return found
        self._wrong(front["settings"].line, "settings: are the lab's own, such as {max_depth: 2}")
        return {}

    def _steps(self, front: Front) -> int | tuple[Any, ...] | None:
        if "steps" not in front:
            return None
        value = front["steps"]
        data = value.data()
        if data == "all":
            return ALL_STEPS
        if isinstance(data, int) and not isinstance(data, bool) and data >= 0:
            return data
        if isinstance(data, list) and data:
            steps = tuple(_action(one) for one in data)
            if None not in steps:
                return steps
        told = (
            "steps: is how often the key works in the lab (steps: 3), all, or a list of what it"
            " does, such as [best, {do: select, at: '0'}]; one that does several is a list of these"
        )
        self._wrong(value.line, told)
        return None

    def _shows(self, front: Front) -> tuple[str, ...]:
        if "show" not in front:
            return ()
        value = front["show"]
        return tuple(value.words() or [value.text()])

    def _reveals(self, front: Front) -> tuple[tuple[str, ...], ...]:
        if "reveal" not in front:
            return ()
        data = front["reveal"].data()
        if isinstance(data, list):
            keys = [(one,) if isinstance(one, str) else tuple(one or ()) for one in data]
            if all(keys) and all(isinstance(name, str) for key in keys for name in key):
                return tuple(keys)
        told = "reveal: is a list of the ids of parts, such as [sum, [curve, rows]]"
        self._wrong(front["reveal"].line, told)
        return ()

    def _question(self, front: Front) -> ClassQuestion | None:
        if "ask" not in front:
            for name in self.SCENE_ASKS[1:]:
                if name in front:
                    self._wrong(front[name].line, f"{name!r} belongs to a question: say ask: too")
            return None
        value = front["ask"]
        if _ID.fullmatch(value.text()):
            return self._of_course(value, front)
        if "options" not in front:
            told = (
                "a question needs options: [one, another]; or ask: is the id of one of the course"
            )
            self._wrong(value.line, told)
            return None
        options = self._options(front)
        if options is None:
            return None
        because = front["because"].text() if "because" in front else ""
        return ClassQuestion(value.text(), tuple(options), self._right(front, options), because)

    def _options(self, front: Front) -> list[str] | None:
        options = front["options"].words()
        if options is None or not FEWEST <= len(options) <= len(LETTERS):
            many = f"options: is a list of {FEWEST} to {len(LETTERS)} texts"
            self._wrong(front["options"].line, f"{many}; one with a comma or a colon is quoted")
            return None
        return options

    def _of_course(self, value: Value, front: Front) -> ClassQuestion | None:
        """A question of the course, with what a lesson leaves to its reader or works out."""
        from dtree_lab.stage.cells import asked  # noqa: PLC0415 - lessons are read where wanted

        try:
            asks, options, right, because = asked(value.text())
        except ValueError as error:
            self._wrong(value.line, str(error))
            return None
        for name, known in (("options", options), ("answer", right)):
            if name in front and known:
                told = f"the course says the {name} of {value.text()} itself: leave {name}: out"
                self._wrong(front[name].line, told)
                return None
        if not options:
            if "options" not in front:
                told = f"{value.text()} asks for a number: give it options: [one, another]"
                self._wrong(value.line, told)
                return None
            options = tuple(self._options(front) or ())
        if "because" in front:
            because = front["because"].text()
        return ClassQuestion(asks, options, right or self._right(front, list(options)), because)

    def _right(self, front: Front, options: list[str]) -> frozenset[int]:
        if "answer" not in front:
            return frozenset()
        value = front["answer"]
        found = set()
        for said in value.words() or [value.text()]:
            letter = said.strip().upper()
            if said in options:
                found.add(options.index(said))
            elif letter in LETTERS[: len(options)] and letter:
                found.add(LETTERS.index(letter))
            else:
                last = LETTERS[len(options) - 1]
                told = f"answer: is a letter from A to {last}, or an option's text"
                self._wrong(value.line, told)
        return frozenset(found)

    def _minutes(self, front: Front) -> float | None:
        if "minutes" not in front:
            return None
        said = front["minutes"].text()
        if re.fullmatch(r"\d{1,3}(\.\d+)?", said) and float(said):
            return float(said)
        self._wrong(front["minutes"].line, "minutes: is a number, such as 4 or 2.5")
        return None

    def _known(self, front: Front, names: tuple[str, ...]) -> None:
        for name, value in front.items():
            if name not in names:
                meant = _OTHER_WORDS.get(name.lower(), name)
                told = f"{name!r} is not known here.{did_you_mean(meant, names)}"
                self._wrong(value.line, f"{told} Known are {', '.join(names)}")

    def _wrong(self, line: int, what: str) -> None:
        self.problems.append(Problem(self.file.name, line, what))


def _action(said: Any) -> Any:
    """A step as a lab's message, or as several that one key sends; None for what is none."""
    if isinstance(said, list):
        several = [_action(one) for one in said]
        return several if several and None not in several else None
    if isinstance(said, str):
        return {"do": said}
    if isinstance(said, dict) and isinstance(said.get("do"), str):
        return said
    return None


def _parted(lines: list[str]) -> tuple[tuple[str, ...], str]:
    """Words in the blocks that keys reveal, and the notes under them."""
    blocks: list[list[str]] = [[]]
    for i, line in enumerate(lines):
        if line.strip().lower() == NOTES:
            return _joined(blocks), "\n".join(lines[i + 1 :]).strip()
        if line.strip() == PAUSE:
            blocks.append([])
        else:
            blocks[-1].append(line)
    return _joined(blocks), ""


def _joined(blocks: list[list[str]]) -> tuple[str, ...]:
    return tuple("\n".join(block).strip("\n") for block in blocks)


def _first_words(blocks: tuple[str, ...]) -> str:
    """What stands for a heading where there is none: of a question, or of a lesson's words."""
    words = re.sub(r"[*`]|\|[\s\S]*", "", "\n".join(blocks)).split()
    return " ".join(words[:WORDS]) + (" …" if len(words) > WORDS else "")


def _heading(block: str) -> str:
    found = re.search(r"^#{1,6}\s+(.+?)\s*#*$", block, re.MULTILINE)
    return found[1] if found else ""
