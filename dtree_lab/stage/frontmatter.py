"""The pieces of a lecture's file: between two lines ``---`` what one shows, then its words.

A line ``. . .`` holds back what follows it until the next key; what stands after a line that says
just ``Notes`` and a colon only the lecturer sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from dtree_lab.base.text import did_you_mean, is_encodable

FENCE = "---"
PAUSE, NOTES = ". . .", "notes:"
# What people write who mean a name that is spelt quite otherwise.
_OTHER_WORDS = {
    **dict.fromkeys(("reason", "why", "explanation"), "because"),
    **dict.fromkeys(("choices", "choose"), "options"),
    **dict.fromkeys(("right", "correct", "solution"), "answer"),
    "question": "ask",
    "time": "minutes",
    "python": "code",
}
# What begins words, and nothing that a scene shows.
_WORDS = re.compile(r"#+ |\. \. \.\s*$|!\[|notes:\s*$", re.IGNORECASE)
# Is told of what is wrong: the line, and the cure.
Wrong = Callable[[int, str], None]


@dataclass(frozen=True)
class Value:
    """A value of the front matter and its line; without a node, that of a name which is missing."""

    line: int = 0
    node: yaml.Node | None = None

    def text(self) -> str:
        """As it is written; empty for what is no text."""
        return str(self.node.value).strip() if isinstance(self.node, yaml.ScalarNode) else ""

    def data(self) -> Any:
        """As YAML reads it, with numbers and truth values."""
        return self.node and yaml.SafeLoader("").construct_object(self.node, deep=True)

    def words(self) -> list[str] | None:
        """A list of texts as they are written: ``Yes`` is a word here."""
        if not isinstance(self.node, yaml.SequenceNode):
            return None
        words = [str(each.value) for each in self.node.value if isinstance(each, yaml.ScalarNode)]
        return words if len(words) == len(self.node.value) else None

    def texts(self) -> list[str]:
        """A list of texts, also of a single one."""
        return (self.words() or [self.text()]) if self.node else []


Front = dict[str, Value]
UNREAD: Front = {}  # stands for what could not be read, and is told already


class SceneText:
    """A piece of a lecture's file, by its names; files are looked for in `folder`."""

    def __init__(self, front: Front, body: list[str], folder: Path, wrong: Wrong) -> None:
        self.front, self.body, self.folder, self._wrong = front, body, folder, wrong

    def __contains__(self, name: str) -> bool:
        return name in self.front

    def __getitem__(self, name: str) -> Value:
        return self.front.get(name, Value())

    def wrong(self, name: str, what: str) -> None:
        """Tell what is wrong with what a name says, and nothing where the name is missing."""
        if name in self:
            self._wrong(self[name].line, what)

    def only(self, names: Sequence[str]) -> None:
        """Tell of every other name."""
        for name in self.front:
            if name not in names:
                near = did_you_mean(_OTHER_WORDS.get(name.lower(), name), names)
                known = f"Known are {', '.join(names)}"
                self.wrong(name, f"{name!r} is not known here.{near} {known}")

    def minutes(self) -> float | None:
        """How long it takes, where that is said."""
        written = self["minutes"].text()
        if re.fullmatch(r"\d{1,3}(\.\d+)?", written) and float(written):
            return float(written)
        self.wrong("minutes", "minutes: is a number, such as 4 or 2.5")
        return None

    @cached_property
    def cell(self) -> tuple[str, str]:
        """A lesson's cell: Python up to it, or its words."""
        for name, other in (("cell", "lesson"), ("lesson", "cell")):
            if name not in self:
                self.wrong(other, f"{other}: needs {name}: beside it")
                return "", ""
        from dtree_lab.stage.cells import lesson_cell  # noqa: PLC0415 - lessons are read where wanted

        try:
            return lesson_cell(self["lesson"].text(), self["cell"].text())
        except ValueError as error:
            self.wrong("cell", str(error))
            return "", ""

    @property
    def blocks(self) -> tuple[str, ...]:
        """The words, in the blocks that keys reveal; a cell's stand first, under their heading."""
        blocks, (_, words) = _parted(self.body)[0], self.cell
        if not words:
            return blocks
        head, _, rest = (
            blocks[0].partition("\n") if blocks[0].startswith("#") else ("", "", blocks[0])
        )
        above = _parted([*filter(None, [head]), *words.splitlines()])[0]
        return (*above, *filter(None, (rest.strip("\n"), *blocks[1:])))

    @property
    def notes(self) -> str:
        """What only the lecturer sees."""
        return _parted(self.body)[1]


def _parted(lines: list[str]) -> tuple[tuple[str, ...], str]:
    """Words in the blocks that keys reveal, and the notes under them."""
    at = next((i for i, line in enumerate(lines) if line.strip().lower() == NOTES), len(lines))
    blocks: list[list[str]] = [[]]
    for line in lines[:at]:
        if line.strip() == PAUSE:
            blocks.append([])
        else:
            blocks[-1].append(line)
    notes = "\n".join(lines[at + 1 :]).strip()
    return tuple("\n".join(block).strip("\n") for block in blocks), notes


class _OutOfStepError(Exception):
    """A line --- is missing, so that each that follows would be taken for another."""


def pieces(lines: list[str], wrong: Wrong) -> Iterator[tuple[int, Front, list[str]]]:
    """Each piece between fences: its line, its front matter and its words."""
    at = 0
    while at < len(lines) and not lines[at].strip():
        at += 1
    if at < len(lines) and lines[at].rstrip() != FENCE:
        wrong(at + 1, "a lecture begins with a line ---, then title: …, then ---")
        return
    while at < len(lines):
        begins = at + 1
        end = next((i for i in range(begins, len(lines)) if lines[i].rstrip() == FENCE), None)
        if end is None:
            wrong(at + 1, "this --- opens a scene whose second --- is missing")
            return
        try:
            front = _front(lines[begins:end], begins, wrong)
        except _OutOfStepError:
            return
        body = end + 1
        at, code = body, False
        while at < len(lines) and (code or lines[at].rstrip() != FENCE):
            code ^= lines[at].lstrip().startswith(("```", "~~~"))
            at += 1
        yield begins, front, lines[body:at]


def _check_halves(text: str) -> None:
    """Raise for half of a character, which an escape can write and no page can show."""
    for token in yaml.scan(text, Loader=yaml.SafeLoader):
        if isinstance(token, yaml.ScalarToken) and not is_encodable(token.value):
            told = "half of a sign is written by \\u: write the sign itself"
            raise yaml.MarkedYAMLError(problem=told, problem_mark=token.start_mark)


def _front(lines: list[str], above: int, wrong: Wrong) -> Front:
    """What stands between two fences, by its names; `above` lines stand before it."""
    text = "\n".join(lines)
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        _check_halves(text)
    except yaml.reader.ReaderError as error:
        line = above + 1 + text[: error.position].count("\n")
        told = f"there is a sign in it that no text has (U+{ord(text[error.position]):04X})"
        wrong(line, f"{told}: delete it")
        return UNREAD
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.line if error.problem_mark else 0
        words = next((i for i, one in enumerate(lines[: at + 1]) if _WORDS.match(one)), None)
        if words is not None:
            told = f"words begin here: a line --- is missing above, for the scene of line {above}"
            wrong(above + 1 + words, told)
            raise _OutOfStepError from error
        cures = {
            "mapping values": "put the text in quotes: it has a colon in it",
            "unknown escape": "in \"…\" a backslash is written twice; or put the text in '…'",
            "'\\t'": "there is a tab: begin the line without, or with spaces",
        }
        told = str(error.problem)
        cure = next((cure for sign, cure in cures.items() if sign in told), told)
        wrong(above + 1 + at, f"this cannot be read as name: value ({cure})")
        return UNREAD
    if node is None:
        return {}
    if not isinstance(node, yaml.MappingNode):
        wrong(above + 1, "between two --- stand lines such as lab: tree")
        return {}
    found: Front = {}
    for key, value in node.value:
        name, line = str(key.value), above + 1 + key.start_mark.line
        if name in found:
            wrong(line, f"{name!r} is said twice in this scene")
        found[name] = Value(line, value)
    return found
