"""The pieces of a lecture's file: between two lines ``---`` what one shows, then its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import yaml

from dtree_lab.base.text import is_encodable

FENCE = "---"
# What begins words, and nothing that a scene shows.
_WORDS = re.compile(r"#+ |\. \. \.\s*$|!\[|notes:\s*$", re.IGNORECASE)
# Is told of what is wrong: the line, and the cure.
Wrong = Callable[[int, str], None]


@dataclass(frozen=True)
class Value:
    """A value of the front matter and its line."""

    line: int
    node: yaml.Node

    def text(self) -> str:
        """As it is written; empty for what is no text."""
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


Front = dict[str, Value]
UNREAD: Front = {}  # stands for what could not be read, and is told already


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
