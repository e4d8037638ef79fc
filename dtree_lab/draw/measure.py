"""How wide a text will be, without a font: a generous estimate, and fitting to a width.

The widths are those of DejaVu Sans, about the widest of the fonts that stand for "sans-serif",
so that a text that fits here fits wherever the picture is opened.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import lru_cache

_EM = {
    0.30: "'",
    0.35: " ijlI,.|",
    0.38: "/J\\:;-·",
    0.42: "f()[]!tľ",
    0.44: "ť",
    0.48: 'r"',
    0.52: "*_`¨¯´¸",  # noqa: RUF001 - these very marks
    0.56: "sz?cL",
    0.64: "aeFkvxyPTEo",
    0.68: "bdghnpquS$0123456789{}",
    0.70: "AK",
    0.72: "VBRXZC",
    0.78: "ď",
    0.80: "UDGHNOQ&",
    0.86: "w#+<=>^~≥≤",
    0.93: "ƠƯ",
    1.00: "Mm%W@",
    1.03: "æœƕȸȹ",
}
_WIDTHS = {c: em for em, chars in _EM.items() for c in chars}
_BOLD = 1.15
# Small letters of Greek and Cyrillic, East Asian characters, all others, emoji.
_SMALL, _FULL, _WIDE, _EMOJI = 0.95, 1.02, 1.16, 1.30
_CYRILLIC_TO, _EMOJI_FROM = 0x0530, 0x1F000
ELLIPSIS = "…"
_INVISIBLE = {"Mn", "Me", "Cf"}


@lru_cache(maxsize=4096)
def _em(char: str) -> float:
    known = _WIDTHS.get(char)
    if known is not None:
        return known
    if unicodedata.category(char) in _INVISIBLE:
        return 0.0
    if ord(char) >= _EMOJI_FROM:
        return _EMOJI
    if unicodedata.east_asian_width(char) in "WF":
        return _FULL
    parts = unicodedata.normalize("NFKD", char)
    if parts != char:  # a letter with its accent, or several letters in one
        return sum(map(_em, parts))
    small = unicodedata.category(char) == "Ll" and ord(char) < _CYRILLIC_TO
    return _SMALL if small else _WIDE


@lru_cache(maxsize=8192)
def width(text: str, size: float, *, bold: bool = False) -> float:
    """The most pixels that a text takes at a font size."""
    return sum(map(_em, text)) * size * (_BOLD if bold else 1.0)


def fit(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """A text, cut with an ellipsis if it is wider than `room` pixels."""
    if width(text, size, bold=bold) <= room:
        return text
    left = room - width(ELLIPSIS, size, bold=bold)
    end = _end(text, left, lambda char: width(char, size, bold=bold))
    return text[:end].rstrip() + ELLIPSIS


def _end(text: str, room: float, taken: Callable[[str], float]) -> int:
    """How many characters of a text fit; what joins on to the letter before it stays with it."""
    end = 0
    for char in text:
        room -= taken(char)
        if room < 0:
            break
        end += 1
    while 0 < end < len(text) and _em(text[end]) == 0:
        end -= 1
    return end


def wrap(text: str, room: float, size: float, *, bold: bool = False) -> tuple[str, ...]:
    """A text on one line, or on two of which the second is cut with an ellipsis if need be."""
    if width(text, size, bold=bold) <= room:
        return (text,)
    first, _, rest = text.partition(" ")
    words = [first, *rest.split(" ")] if rest else [first]
    line, taken = words[0], 1
    for word in words[1:]:
        if width(f"{line} {word}", size, bold=bold) > room:
            break
        line, taken = f"{line} {word}", taken + 1
    if taken == len(words) or width(line, size, bold=bold) > room:
        return _broken(text, room, size, bold=bold)
    return (line, fit(" ".join(words[taken:]), room, size, bold=bold))


def _broken(text: str, room: float, size: float, *, bold: bool) -> tuple[str, ...]:
    """A text whose first word is too long for a line, broken where the line ends."""
    end = _end(text, room, lambda char: width(char, size, bold=bold))
    if not end:
        return (fit(text, room, size, bold=bold),)
    return (text[:end], fit(text[end:].lstrip(), room, size, bold=bold))


@lru_cache(maxsize=8192)
def terminal_columns(text: str) -> int:
    """How many columns of a terminal a text takes: East Asian characters and emoji take two."""
    return sum(_columns(c) for c in text)


def _columns(char: str) -> int:
    if unicodedata.category(char) in _INVISIBLE:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def shortened(text: str, most: int) -> str:
    """A text of at most so many columns, cut with an ellipsis."""
    if terminal_columns(text) <= most:
        return text
    return text[: _end(text, most - 1, _columns)].rstrip() + ELLIPSIS
