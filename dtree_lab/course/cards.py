"""What the course says to a learner: a card, as text in a terminal and as HTML in a notebook.

A card's verdict is a mark and a word, never a colour alone. Everything in it is escaped: it
quotes what learners typed.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from dtree_lab.base import text as escape
from dtree_lab.base.terminal import terminal

Tone = Literal["good", "open", "blank"]

_WIDTH = 100
# JupyterLab breaks the lines of a <pre> anywhere; here they break at spaces, as in a text.
_WRAP = "white-space:pre-wrap;word-break:normal;overflow-wrap:normal"
_MARKS: dict[Tone, str] = {"good": "✓", "open": "✗", "blank": "○"}
# Okabe and Ito's bluish green, orange and grey, as a bar beside text in the theme's own colour.
_COLOURS: dict[Tone, str] = {"good": "#009E73", "open": "#E69F00", "blank": "#999999"}


@dataclass(frozen=True)
class CardLine:
    """A line of a card: words, with a mark for what is right or wrong, or with a label."""

    says: str  # the words
    passed: bool | None = None  # None for a line that judges nothing
    label: str = ""  # what stands before the words instead of a mark
    code: bool = False  # whether the words are Python
    # What the case belongs to that the line judges: the cases of one behaviour earn their points
    # together; nothing for a case that stands for itself.
    behaviour: str = ""

    @property
    def mark(self) -> str:
        """``✓``, ``✗`` or nothing."""
        return "" if self.passed is None else "✓" if self.passed else "✗"


@dataclass(frozen=True)
class Card:
    """A verdict and its lines."""

    tone: Tone  # good, open (not yet) or blank (nothing to judge)
    verdict: str  # the same in a word or two
    title: str  # what it is about
    lines: tuple[CardLine, ...] = ()  # the rest

    @terminal
    def __str__(self) -> str:
        return "\n".join([f"{self.verdict}  {self.title}", *map(_text, self.lines)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = (
            f'<div style="font-weight:600">{_MARKS[self.tone]} {escape.html(self.verdict)}'
            f' <span style="font-weight:400">{escape.html(self.title)}</span></div>'
        )
        body = "".join(map(_html, self.lines))
        return (
            f'<div style="border-left:5px solid {_COLOURS[self.tone]};padding:2px 0 2px 12px;'
            f'margin:4px 0;max-width:46em;line-height:1.5">{head}{body}</div>'
        )


def _text(line: CardLine) -> str:
    if line.code:
        return textwrap.indent(line.says, "    ")
    start = f"{line.label}: " if line.label else f"{line.mark} " if line.mark else ""
    return textwrap.fill(
        start + line.says.replace("``", "`"), _WIDTH, break_long_words=False, break_on_hyphens=False
    )


def _html(line: CardLine) -> str:
    if line.code:
        style = f"margin:4px 0;padding:6px 10px;border:1px solid #99999966;overflow-x:auto;{_WRAP}"
        # A region that scrolls must be reachable by keyboard.
        code = "\n".join(map(escape.html, line.says.splitlines()))
        return f'<pre style="{style}" tabindex="0">{code}</pre>'
    words = with_code(line.says)
    if line.label:
        words = f"<b>{escape.html(line.label)}:</b> {words}"
    mark = ""
    if line.mark:
        said = "right" if line.passed else "not right"
        mark = f'<span role="img" aria-label="{said}">{line.mark}</span> '
    return f"<div>{mark}{words}</div>"


def with_code(text: str) -> str:
    """Escaped text in which what stands between double backticks is code."""
    pieces: Iterable[tuple[int, str]] = enumerate(text.split("``"))
    return "".join(
        f"<code>{escape.html(piece)}</code>" if i % 2 else escape.html(piece) for i, piece in pieces
    )
