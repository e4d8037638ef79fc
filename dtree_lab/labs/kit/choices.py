"""A question to a person: its options or a number to give, and the verdict on the answer.

Its words have a little Markdown in them, as a lesson's page has: bold, italic, code, formulas.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dtree_lab.base import text as escape
from dtree_lab.base.text import number
from dtree_lab.labs.kit.place import Placed


@dataclass(frozen=True)
class ChoiceGroup:
    """A question with its options, of which one is chosen; sends ``Set(id, key)``."""

    id: str
    asks: str  # the question, with Markdown's signs for bold, italic and code
    # Pairs of a key, which is a letter or a digit to press, and words, with such signs too.
    options: Sequence[tuple[str, str]]
    chosen: str = ""  # the key of the chosen option; nothing as long as none is
    # Of some options, whether they are right.
    marks: Mapping[str, bool] = field(default_factory=dict)

    def json(self) -> dict[str, Any]:
        """For the browser."""
        options = [[key, runs(words), self.marks.get(key)] for key, words in self.options]
        return {"id": self.id, "asks": runs(self.asks), "options": options, "chosen": self.chosen}

    def still(self) -> list[str]:
        """In words, line by line."""
        signs = {True: " ✓", False: " ✗", None: ""}
        return [
            without_marks(self.asks),
            *(
                f"  {'(•)' if key == self.chosen else '( )'} {key}  {without_marks(words)}"
                f"{signs[self.marks.get(key)]}"
                for key, words in self.options
            ),
        ]


@dataclass(frozen=True)
class NumberAsked:
    """A question that a number answers, sent with ``Set(id, text)`` when it is committed."""

    id: str
    asks: str
    value: str = ""
    # Between what, and how finely, the slider moves; no slider where `low` is None.
    low: float | None = None
    high: float | None = None
    step: float = 1
    # What it is, marked on the slider; None as long as it is not to be known.
    truth: float | None = None
    # Of a step that lies behind: whether it is right (✓), or was shown. It is typed no more.
    sign: str = ""

    def json(self) -> dict[str, Any]:
        """For the browser."""
        said = None if self.truth is None else number(self.truth)
        ends = ["" if end is None else number(end) for end in (self.low, self.high)]
        return {**vars(self), "asks": runs(self.asks), "ends": ends, "said": said}

    def still(self) -> list[str]:
        """In words, line by line."""
        return [without_marks(self.asks), f"  {self.value or '…'} {self.sign}".rstrip()]


@dataclass(frozen=True)
class Verdict:
    """What is said of an answer that was committed; `lines` are ``(mark, label, words, code)``."""

    tone: Literal["good", "open", "blank"]
    head: str
    title: str
    lines: Sequence[tuple[str, str, str, bool]] = ()

    def json(self) -> dict[str, Any]:
        """For the browser."""
        lines = [
            [mark, label, [("", words)] if code else code_runs(words), code]
            for mark, label, words, code in self.lines
        ]
        return {**vars(self), "lines": lines}


@dataclass(frozen=True)
class Choices(Placed):
    """Questions to answer and a button: it sends ``Press("commit")`` when all are answered."""

    id: str
    # Each is seen once those before it are answered.
    groups: Sequence[ChoiceGroup | NumberAsked]
    # Of a part on which one is drawn after the other, which it is: each has fields of its own.
    which: str = ""
    # How many answers were committed since it was made: one more is written into the cell.
    commits: int = 0
    # The keys, or the number, that were committed last: the same once more is no other try.
    judged: Sequence[str] = ()
    locked: bool = False  # whether nothing can be changed any more
    verdict: Verdict | None = None  # what is said of the answer; None as long as there is none
    note: str = ""  # a line beneath, such as what was answered at first
    # Other buttons beside the one that commits: what each sends as ``Press``, and its words.
    more: Sequence[tuple[str, str]] = ()
    heading: str = ""

    def still(self) -> list[str]:
        """In words, line by line."""
        lines = [line for group in self.groups for line in group.still()]
        if self.verdict is not None:
            lines += [f"{self.verdict.head}  {self.verdict.title}"]
            lines += [" ".join(filter(None, line[:3])) for line in self.verdict.lines]
        return [*lines, *([self.note] if self.note else [])]


# The signs around a piece, and the element that it is; the longer signs first.
_SIGNS = (("``", "code"), ("`", "code"), ("**", "b"), ("*", "i"), ("$", ""))
_PIECE = re.compile("|".join(rf"{re.escape(s)}(?=\S)(.+?)(?<=\S){re.escape(s)}" for s, _ in _SIGNS))


def runs(text: str) -> list[tuple[str, str]]:
    """The pieces of a text, each with the element that it is; the empty one for plain words."""
    found: list[tuple[str, str]] = []
    at = 0
    for match in _PIECE.finditer(text):
        found.append(("", text[at : match.start()]))
        kind = (match.lastindex or 1) - 1
        words = match[kind + 1]
        found.append((_SIGNS[kind][1], _formula(words) if _SIGNS[kind][0] == "$" else words))
        at = match.end()
    found.append(("", text[at:]))
    return [(kind, words) for kind, words in found if words]


def code_runs(text: str) -> list[tuple[str, str]]:
    """As :func:`runs`, for words that quote people: only double backticks are signs.

    >>> code_runs("2*3*4 is ``24``")
    [('', '2*3*4 is '), ('code', '24')]
    """
    pieces = enumerate(text.split("``"))
    return [("code" if i % 2 else "", words) for i, words in pieces if words]


def without_marks(text: str) -> str:
    r"""The words alone.

    >>> without_marks("each is measured against $H(Y \\mid X)$, by `compare`")
    'each is measured against H(Y | X), by compare'
    """
    return "".join(words for _, words in runs(text))


def as_html(text: str) -> str:
    """The text as part of a page; all that is in it is escaped."""
    pieces = ((kind, escape.html(words)) for kind, words in runs(text))
    return "".join(f"<{kind}>{words}</{kind}>" if kind else words for kind, words in pieces)


def _formula(tex: str) -> str:
    """A short formula in signs: the few commands that questions have."""
    for command, sign in ((r"\mid", "|"), (r"\log_2", "log₂"), (r"\cdot", "·")):
        tex = tex.replace(command, sign)
    return tex
