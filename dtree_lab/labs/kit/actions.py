"""What a person can do in a lab, and how it is read from the browser's messages.

A message is data from outside: it is read with care.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from sys import float_info
from typing import Any, TypeAlias

from dtree_lab.base.text import is_encodable, printable
from dtree_lab.tree.tree import Path


class NotPossibleError(ValueError):
    """An action that cannot be done; its text says why and what would be right."""


@dataclass(frozen=True)
class Set:
    """Give a control a value: a slider a number, a toggle a bool, a choice or a field a text."""

    control: str
    value: float | str | bool


@dataclass(frozen=True)
class Press:
    """Press a button; ``next``, ``back`` and ``reset`` are also what a lecturer's keys say."""

    control: str


@dataclass(frozen=True)
class Use:
    """Use a tool of a toolbar at a node that is named, or in one of several ways."""

    tool: str
    at: Path | None = None
    option: str | None = None


@dataclass(frozen=True)
class Select:
    """Choose a node of a tree."""

    part: str
    at: Path


@dataclass(frozen=True)
class Pick:
    """Choose a row of a table or one of several bars, counted from 0."""

    part: str
    row: int


@dataclass(frozen=True)
class Point:
    """Point into a figure, in the units of its axes."""

    part: str
    x: float
    y: float


@dataclass(frozen=True)
class Draft:
    """Try a cut, or a branch for each value, of one of several questions, without asking it.

    The browser knows an attribute by its position. What it sends of the question is looked at by
    who knows the attribute.
    """

    part: str
    attribute: Any
    cut: Any = None
    branches: Any = None


@dataclass(frozen=True)
class Split:
    """Ask one of several questions, with a cut where it needs one; at the selected node if None."""

    part: str
    attribute: Any
    cut: Any = None
    at: Path | None = None


@dataclass(frozen=True)
class Take:
    """Take what a class has answered; each answer is looked at by the lab."""

    answers: tuple[Any, ...]


Action: TypeAlias = Set | Press | Use | Select | Pick | Point | Draft | Split | Take
# What the part is called that a message does not name: the lab's tree, or its list of questions.
TREE, QUESTIONS = "tree", "questions"


def read_action(message: Any) -> Action:
    """The action that a message asks for; a `NotPossibleError` for what no view sends."""
    if not is_encodable(message):
        msg = "Half of a character came, which cannot be written down: type it anew."
        raise NotPossibleError(msg)
    for reader in (_control, _place, _question, _tool):
        action = reader(message)
        if action is not None:
            return action
    raise unreadable(message)


def _control(message: Any) -> Action | None:
    match message:
        case {"do": "set", "control": str(control), "value": bool() | str() as value}:
            return Set(control, value)
        case {"do": "set", "control": str(control), "value": int() | float() as value}:
            return Set(control, finite_number(value))
        case {"do": str(control)} if len(message) == 1:
            return Press(control)
    return None


def _place(message: Any) -> Action | None:
    """What is chosen in a part, or pointed at."""
    match message:
        case {"do": "class", "answers": [*answers]}:
            return Take(tuple(answers))
        case {"do": "select", "part": str(part), "at": at}:
            return Select(part, path_of(at))
        case {"do": "select", "at": at} if "part" not in message:
            return Select(TREE, path_of(at))
        case {"do": "pick", "part": str(part), "row": int(row)} if not isinstance(row, bool):
            return Pick(part, row)
        case {
            "do": "point",
            "part": str(part),
            "x": int() | float() as x,
            "y": int() | float() as y,
        }:
            return Point(part, finite_number(x), finite_number(y))
    return None


def _question(message: Any) -> Action | None:
    match message:
        case {"do": "draft", "attribute": attribute}:
            part = str(message.get("part", QUESTIONS))
            return Draft(part, attribute, message.get("cut"), message.get("branches"))
        case {"do": "split", "attribute": attribute}:
            part = str(message.get("part", QUESTIONS))
            return Split(part, attribute, message.get("cut"), _at(message))
    return None


def _tool(message: Any) -> Action | None:
    match message:
        case {"do": str(tool), "at": str(at)} if len(message) == 2:  # noqa: PLR2004
            return Use(tool, path_of(at))
        # "recipe" is what the tree builder's messages have called it.
        case {"do": str(tool), "option": str(option)} | {"do": str(tool), "recipe": str(option)}:
            return Use(tool, _at(message), option)
    return None


def unreadable(message: object) -> NotPossibleError:
    """What is said of a message that is none of those that a view sends."""
    return NotPossibleError(
        f"The view sent something that cannot be read: {printable(str(message)[:80])}"
    )


def _at(message: dict[str, Any]) -> Path | None:
    return path_of(message["at"]) if "at" in message else None


def finite_number(x: float) -> float:
    """A number that can be computed with."""
    # Compared rather than asked: a whole number may be too large to become a float.
    if isinstance(x, bool) or not abs(x) <= float_info.max:
        raise NotPossibleError(f"{x!r:.40} is not a number one can compute with.")
    return float(x)


def typed(x: object, what: str) -> float:
    """A number, `what` in errors, as a slider sends or a person types it: ``97.5``, ``"97,5"``."""
    if isinstance(x, str):
        plain = re.sub(r"[\s\ufeff_']", "", x).replace("\N{MINUS SIGN}", "-")
        if plain.count(",") == 1 and "." not in plain:
            plain = plain.replace(",", ".")
        if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", plain, re.ASCII | re.IGNORECASE):
            raise NotPossibleError(f"{what} must be a number, such as 97.5; got {x[:40]!r}.")
        x = float(plain)
    if isinstance(x, bool) or not isinstance(x, int | float):
        raise NotPossibleError(f"{what} must be a number; got {x!r}.")
    return finite_number(x)


def whole_number(x: object, low: int, high: int, what: str) -> int:
    """A whole number within bounds; `what` names it in the error."""
    if isinstance(x, bool) or not isinstance(x, int | float) or x % 1:  # of NaN or infinity, NaN
        raise NotPossibleError(f"{what} must be a whole number; got {x!r}.")
    if not low <= x <= high:
        raise NotPossibleError(
            f"{what} must lie between {low} and {high}; got {finite_number(x):g}."
        )
    return int(x)


@lru_cache(maxsize=4096)
def node_id(path: Path) -> str:
    """A path as the browser names it: ``root``, ``0``, ``0.1``."""
    return ".".join(map(str, path)) or "root"


def path_of(id_: Any) -> Path:
    """The path of a name."""
    if id_ == "root":
        return ()
    parts = id_.split(".") if isinstance(id_, str) else [""]
    if not all(part.isdecimal() and part.isascii() for part in parts):
        raise NotPossibleError(f"There is no node {id_!r}.")
    return tuple(int(part) for part in parts)
