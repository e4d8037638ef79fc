"""A lecture as a lecturer writes it: a text file of scenes.

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
:class:`Problem` that names the line and the cure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import yaml

from dtree_lab.base.text import did_you_mean
from dtree_lab.stage.tables import TABLES, is_table

FENCE, PAUSE, NOTES = "---", ". . .", "notes:"
LETTERS = "ABCDEFGH"
FEWEST = 2
WORDS = 6  # of a scene without a heading, in the list of scenes
# How the course calls its questions: tax-fraud/parts.
_ID = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")


@dataclass(frozen=True)
class Problem:
    """What is wrong with a lecture's file, where, and what would be right."""

    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.what}"


class LectureError(ValueError):
    """A lecture cannot be shown; the message has a line for each problem.

    Attributes
    ----------
    problems
        All that are found, in the order of the file.
    """

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


@dataclass(frozen=True)
class TableSource:
    """Where a lab's rows come from: a table of the library, or a CSV file and how it is written."""

    name: str
    how: Mapping[str, Any] = field(default_factory=dict)
    is_file: bool = False


@dataclass(frozen=True)
class ClassQuestion:
    """What is put to the class.

    Attributes
    ----------
    asks
        The question, in Markdown.
    options
        What can be chosen, in Markdown.
    right
        The options that are right, from 0; none where there is no right or wrong.
    because
        Why, in Markdown: it is shown with the answer.
    """

    asks: str
    options: tuple[str, ...]
    right: frozenset[int] = frozenset()
    because: str = ""


@dataclass(frozen=True)
class TalkScene:
    """A scene of a lecture.

    Attributes
    ----------
    number, line
        Counted from 0; and where it begins in the file, from 1.
    title
        Its first heading, else the first words of its question or its text, or its lab.
    blocks
        What stands on it in Markdown: first what is seen at once, then what each key adds.
    notes
        What only the lecturer sees, in Markdown.
    minutes
        How long it is to take; None if it is not said.
    lab, source, state
        The lab that it shows, its table, and where that begins; empty for a scene of words.
    settings
        What the lab is made with besides, by its arguments' names: ``{algorithm: c45}``.
    code
        Python whose last line gives a lab, in place of these.
    steps
        What the key does in the lab, one after the other: so many presses of its own *next*; or
        actions, each a press; None is all that the lab has.
    show, reveal
        Parts of the lab, by their ids: those that stand beside its picture from the beginning, and
        those that each key puts in their place. Without them the lab has its own order.
    question
        What is put to the class, if anything.
    """

    number: int
    line: int
    title: str
    blocks: tuple[str, ...] = ()
    notes: str = ""
    minutes: float | None = None
    lab: str = ""
    source: TableSource | None = None
    state: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    code: str = ""
    steps: int | tuple[Any, ...] | None = None
    show: tuple[str, ...] = ()
    reveal: tuple[tuple[str, ...], ...] = ()
    question: ClassQuestion | None = None

    @property
    def has_lab(self) -> bool:
        """Whether there is a lab on it."""
        return bool(self.lab or self.code)


@dataclass(frozen=True)
class Talk:
    """A lecture: its file, what it is called, how long it takes, and its scenes."""

    file: Path
    title: str
    scenes: tuple[TalkScene, ...]
    minutes: float | None = None
    author: str = ""

    @property
    def planned(self) -> float | None:
        """How many minutes it takes: what is said of the whole, else what the scenes add up to."""
        told = [scene.minutes for scene in self.scenes if scene.minutes is not None]
        return self.minutes if self.minutes is not None else sum(told) if told else None


def read(path: str | Path) -> Talk:
    """A lecture from a file.

    Parameters
    ----------
    path
        The file, UTF-8.

    Raises
    ------
    LectureError
        With all that is wrong in it.
    """
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
    return parse(text, file)


def parse(text: str, file: Path = Path("lecture.md")) -> Talk:
    """A lecture from its text; `file` is what problems name, and where other files are looked for.

    Examples
    --------
    >>> lines = ["---", "title: Trees", "---", "---", "lab: tree", "---", "# A tree"]
    >>> talk = parse(chr(10).join(lines))
    >>> talk.title, [scene.title for scene in talk.scenes], talk.scenes[0].lab
    ('Trees', ['A tree'], 'tree')
    """
    return _Reader(file).lecture(text.splitlines())


def written(title: str, scenes: Sequence[Mapping[str, Any]]) -> str:
    """The text of a lecture whose scenes have no words, from what each shows.

    Examples
    --------
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


@dataclass(frozen=True)
class _Value:
    """A value of the front matter and its line."""

    line: int
    node: yaml.Node

    def text(self) -> str:
        return str(self.node.value).strip() if isinstance(self.node, yaml.ScalarNode) else ""

    def data(self) -> Any:
        """As YAML reads it, with numbers and truth values."""
        return yaml.SafeLoader("").construct_object(self.node, deep=True)

    def words(self) -> list[str] | None:
        """A list of texts as they are written: ``Yes`` is a word here."""
        if not isinstance(self.node, yaml.SequenceNode):
            return None
        found = [str(one.value) for one in self.node.value if isinstance(one, yaml.ScalarNode)]
        return found if len(found) == len(self.node.value) else None


_Front = dict[str, _Value]


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

    def lecture(self, lines: list[str]) -> Talk:
        pieces = list(self._pieces(lines))
        own: _Front = {}
        if pieces:
            line, own, body = pieces[0]
            self._known(own, self.OWN)
            rest = pieces[1:]
            if any(line.strip() for line in body):  # words right after it are the first scene's
                rest = [(line, {}, body), *rest]
            pieces = rest
        scenes = [self._scene(i, *piece) for i, piece in enumerate(pieces)]
        if "title" not in own and not self.problems:
            self._wrong(1, "the lecture has no title: begin the file with ---, title: …, ---")
        if not scenes and not self.problems:
            self._wrong(1, "there is no scene: each begins with ---, what it shows, and --- again")
        if self.problems:
            raise LectureError(sorted(self.problems, key=lambda one: one.line))
        author = own["author"].text() if "author" in own else ""
        return Talk(self.file, own["title"].text(), tuple(scenes), self._minutes(own), author)

    # -- lines -------------------------------------------------------------------------------------

    def _pieces(self, lines: list[str]) -> Iterator[tuple[int, _Front, list[str]]]:
        """Each piece between fences: its line, its front matter and its words."""
        at = 0
        while at < len(lines) and not lines[at].strip():
            at += 1
        if at < len(lines) and lines[at].rstrip() != FENCE:
            self._wrong(at + 1, "a lecture begins with a line ---, then title: …, then ---")
            return
        while at < len(lines):
            begins = at + 1
            end = next((i for i in range(begins, len(lines)) if lines[i].rstrip() == FENCE), None)
            if end is None:
                self._wrong(at + 1, "this --- opens a scene whose second --- is missing")
                return
            front = self._front(lines[begins:end], begins)
            body = end + 1
            at, code = body, False
            while at < len(lines) and (code or lines[at].rstrip() != FENCE):
                code ^= lines[at].lstrip().startswith(("```", "~~~"))
                at += 1
            yield begins, front, lines[body:at]

    def _front(self, lines: list[str], above: int) -> _Front:
        """What stands between two fences, by its names; `above` lines stand before it."""
        text = "\n".join(lines)
        try:
            node = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.reader.ReaderError as error:
            line = above + 1 + text[: error.position].count("\n")
            told = f"there is a sign in it that no text has (U+{ord(text[error.position]):04X})"
            self._wrong(line, f"{told}: delete it")
            return {}
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            line = above + 1 + (mark.line if mark else 0)
            colon = "mapping values" in str(error.problem)
            cure = "put the text in quotes: it has a colon in it" if colon else str(error.problem)
            self._wrong(line, f"this cannot be read as name: value ({cure})")
            return {}
        if node is None:
            return {}
        if not isinstance(node, yaml.MappingNode):
            self._wrong(above + 1, "between two --- stand lines such as lab: tree")
            return {}
        found: _Front = {}
        for key, value in node.value:
            name, line = str(key.value), above + 1 + key.start_mark.line
            if name in found:
                self._wrong(line, f"{name!r} is said twice in this scene")
            found[name] = _Value(line, value)
        return found

    # -- scenes ------------------------------------------------------------------------------------

    def _scene(self, number: int, line: int, front: _Front, body: list[str]) -> TalkScene:
        so_far = len(self.problems)
        self._known(front, (*self.SCENE, *self.SCENE_ASKS))
        blocks, notes = _parted(body)
        lab = self._lab(front)
        cell_code, cell_words = self._cell(front)
        code = front["code"].text() if "code" in front else cell_code
        if lab and code:
            which = "code" if "code" in front else "cell"
            self._wrong(front[which].line, f"a scene shows one thing: lab or {which}")
        source = self._source(front, needs=bool(lab))
        if cell_words:
            blocks = (*_parted(cell_words.splitlines())[0], *(b for b in blocks if b))
        heading = next((h for b in blocks if (h := _heading(b))), "")
        asked = self._question(front)
        state = self._state(front)
        for name in ("state", "steps", "settings", "show", "reveal"):
            if name in front and not (lab or code):
                self._wrong(front[name].line, f"{name!r} belongs to a lab: say lab: NAME as well")
        shows = lab or code or asked or any(b.strip() for b in blocks)
        if not shows and len(self.problems) == so_far:  # what is wrong with a lab is told already
            self._wrong(line, "this scene shows nothing: give it words, a lab: or an ask:")
        return TalkScene(
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
        )

    def _lab(self, front: _Front) -> str:
        # Here, because the catalogue is the labs' and a slide needs none of them.
        from dtree_lab.labs.catalogue import find  # noqa: PLC0415

        if "lab" not in front:
            return ""
        try:
            return find(front["lab"].text()).name
        except ValueError as error:
            self._wrong(front["lab"].line, str(error))
            return ""

    def _source(self, front: _Front, *, needs: bool) -> TableSource | None:
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
                self._wrong(front[other].line, f"{other!r} is said of a CSV file; {name} is none")
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

    def _said(self, value: _Value, name: str) -> Any:
        if name in ("drop", "na"):
            return tuple(value.words() or [value.text()])
        return value.data() if name == "kinds" else value.text()

    def _cell(self, front: _Front) -> tuple[str, str]:
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

    def _state(self, front: _Front) -> str:
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

    def _settings(self, front: _Front) -> dict[str, Any]:
        if "settings" not in front:
            return {}
        found = front["settings"].data()
        if isinstance(found, dict) and all(isinstance(name, str) for name in found):
            return found
        self._wrong(front["settings"].line, "settings: are the lab's own, such as {max_depth: 2}")
        return {}

    def _steps(self, front: _Front) -> int | tuple[Any, ...] | None:
        if "steps" not in front:
            return None
        value = front["steps"]
        data = value.data()
        if data == "all":
            return None
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

    def _shows(self, front: _Front) -> tuple[str, ...]:
        if "show" not in front:
            return ()
        value = front["show"]
        return tuple(value.words() or [value.text()])

    def _reveals(self, front: _Front) -> tuple[tuple[str, ...], ...]:
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

    def _question(self, front: _Front) -> ClassQuestion | None:
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

    def _options(self, front: _Front) -> list[str] | None:
        options = front["options"].words()
        if options is None or not FEWEST <= len(options) <= len(LETTERS):
            many = f"options: is a list of {FEWEST} to {len(LETTERS)} texts"
            self._wrong(front["options"].line, f"{many}; one with a comma or a colon is quoted")
            return None
        return options

    def _of_course(self, value: _Value, front: _Front) -> ClassQuestion | None:
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

    def _right(self, front: _Front, options: list[str]) -> frozenset[int]:
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

    def _minutes(self, front: _Front) -> float | None:
        if "minutes" not in front:
            return None
        said = front["minutes"].text()
        if re.fullmatch(r"\d{1,3}(\.\d+)?", said) and float(said):
            return float(said)
        self._wrong(front["minutes"].line, "minutes: is a number, such as 4 or 2.5")
        return None

    def _known(self, front: _Front, names: tuple[str, ...]) -> None:
        for name, value in front.items():
            if name not in names:
                told = f"{name!r} is not known here.{did_you_mean(name, names)}"
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
