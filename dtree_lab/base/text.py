"""How things are told: words for values and numbers, made harmless for where they land.

Names and values are other people's data: they are escaped here, for a page, for LaTeX, for DOT and
for Python. This is the lowest module of the house. :class:`Presentable` is the bridge to the
pictures: tables and trees know *that* they can be shown; how is known in :mod:`dtree_lab.draw`,
which is looked up by name when something is first shown. That is the only place where a lower room
reaches a higher one, and it keeps matplotlib and the drawing code out of ``import dtree_lab``.
"""

from __future__ import annotations

import html as _html
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from importlib import import_module
from typing import Any

from dtree_lab.base.terminal import terminal

_TINY, _HUGE = 1e-6, 1e15


def number(x: float) -> str:
    """A number as a person would write it: ``80``, ``97.5``, never ``0.30000000000000004``.

    It has as many digits as it takes to be right to a billionth: a cut at 100000.5 must not be
    told as one at 100000, which is the value of a row.
    """
    if x == x // 1 and abs(x) < _HUGE:
        return f"{int(x)}"  # whole numbers are told exactly
    text = ""
    for digits in range(6, 16):
        text = f"{x:.{digits}g}"
        if abs(float(text) - x) <= 1e-9 * abs(x):
            break
    if "e" in text and _TINY <= abs(x) < _HUGE:
        return f"{Decimal(text):f}"
    return text


def value(v: object) -> str:
    """A value of a table as text; the empty text is shown as two quotes."""
    if v is None:
        return "missing"
    if isinstance(v, float):
        return number(v)
    return str(v) if v != "" else '""'


def bits(x: float) -> str:
    """An entropy or a gain, with three decimals (and no negative zero)."""
    return f"{x:z.3f}"


def plural(n: float | Fraction, word: str, several: str = "") -> str:
    """``1 row``, ``10 rows``; `several` where one more letter does not make several of it."""
    shown = f"{n:,}" if isinstance(n, int) else amount(n)
    return f"{shown} {word}" if n == 1 else f"{shown} {several or f'{word}s'}"


def amount(n: float | Fraction) -> str:
    """So many rows: ``2,000``; of rows that weigh fractions to six digits, ``2.5``."""
    if not isinstance(n, float | Fraction):
        return f"{n:,}"
    near = float(f"{float(n):.6g}")
    return f"{int(near):,}" if near.is_integer() else f"{near:,}"


def power(base: int, exponent: object) -> str:
    """``2\u2074``, ``2\u207f``; an exponent of other signs in brackets, ``2^(n - 1)``."""
    shown = str(exponent)
    raised = shown.translate(_RAISED)
    return f"{base}{raised}" if set(shown) <= set(_HIGH) else f"{base}^({shown})"


_HIGH = "0123456789n"
_RAISED = str.maketrans(_HIGH, "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207f")


def listing(names: Iterable[object], most: int = 8) -> str:
    """Names in quotes, the first few of them, for an error message."""
    shown = [repr(n) for n in names]
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return ", ".join(shown[:most]) + more


def did_you_mean(name: object, names: Iterable[str]) -> str:
    """`` Did you mean 'Refund'?``, or nothing when no name is near."""
    spelled = {n.lower(): n for n in names}
    near = get_close_matches(str(name).lower(), list(spelled), n=1)
    return f" Did you mean {spelled[near[0]]!r}?" if near else ""


class Presentable:
    """What is text in a terminal and a picture in a notebook.

    Both are drawn by :mod:`dtree_lab.draw` from the same layout.
    """

    __slots__ = ()

    @terminal
    def __repr__(self) -> str:
        """The text picture."""
        text: str = _draw().text(self)
        return text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        bundle: dict[str, str] = _draw().mimebundle(self)
        return bundle


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A small table of texts, as it is shown."""

    caption: str
    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: tuple[bool, ...]  # whether a column is aligned to the right
    # For the first rows, how dark the cells behind the first are, from 0 to 1.
    shade: tuple[tuple[float, ...], ...] = ()
    # What is said below it: what of, in words, and code to copy; the first and last may be empty.
    notes: tuple[tuple[str, str, str], ...] = ()


class Tabled(Presentable):
    """What is shown as a small table."""

    __slots__ = ()

    def shown_table(self) -> ShownTable:
        """What is shown."""
        raise NotImplementedError


def _draw() -> Any:
    return import_module("dtree_lab.draw")


# What XML 1.0 cannot hold, not even escaped, and halves of surrogate pairs.
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_HALVES = re.compile("[\ud800-\udfff]")
_LATEX = {
    "\\": r"}{\backslash}\text{",
    "^": r"}{\wedge}\text{",
    "~": r"}{\sim}\text{",
    **{c: "\\" + c for c in "{}$&#_%"},
}


def is_encodable(data: object) -> bool:
    r"""Whether all texts in plain data can be written down, as half a surrogate pair cannot.

    >>> is_encodable("a😀"), is_encodable({"names": ["a", "b\udcff"]})
    (True, False)
    """
    waiting = [data]
    while waiting:
        match waiting.pop():
            case str(text) if _HALVES.search(text):
                return False
            case dict() as found:
                waiting += [*found, *found.values()]
            case list() | tuple() as found:
                waiting += found
    return True


def printable(text: str) -> str:
    """Text without control characters; each becomes a replacement mark, a line break a space."""
    return _UNPRINTABLE.sub("\ufffd", re.sub(r"[\r\n\t\u2028\u2029]", " ", text))


def html(text: object) -> str:
    """Text for HTML and SVG, in content and in attributes."""
    return _html.escape(printable(str(text)), quote=True)


def latex(text: object) -> str:
    r"""Text for a formula, as ``\text{…}``; works in LaTeX and in MathJax."""
    return "\\text{" + "".join(_LATEX.get(c, c) for c in printable(str(text))) + "}"


def dot_quoted(text: object) -> str:
    """Text for a quoted string of Graphviz's DOT, which reads entities too."""
    plain = printable(str(text)).replace("&", "&amp;")
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def python_literal(value: Any) -> str:
    """A value as a Python literal in ASCII, on one line."""
    return ascii(value)
