"""How things present themselves: words for values and numbers, and the bridge to the pictures.

This is the lowest module of the house. Tables and trees know *that* they can be shown; how is
known upstairs in :mod:`dtree_lab.draw`, which is looked up by name when something is first shown.
That is the only place where a lower floor reaches a higher one, and it keeps matplotlib and the
drawing code out of ``import dtree_lab``.
"""

from __future__ import annotations

from decimal import Decimal
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dtree_lab.terminal import terminal

if TYPE_CHECKING:
    from collections.abc import Iterable

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


def plural(n: int, word: str, several: str = "") -> str:
    """``1 row``, ``10 rows``; `several` where one more letter does not make several of it."""
    return f"{n:,} {word}" if n == 1 else f"{n:,} {several or f'{word}s'}"


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


class Shown:
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


def _draw() -> Any:
    return import_module("dtree_lab.draw")
