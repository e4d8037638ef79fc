"""Reading what a person typed, and saying whether it is right and what went wrong."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dtree_lab.widgets.practice import kinds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dtree_lab.widgets.practice.kinds import Kind, Mistake

# How far a number may be from the right one; counts have to be exact.
TOLERANCE = 0.002
DIGITS = 3
# From here on a number has so many digits before the point that those behind it may be left out.
_LARGE = 2
_NEAR = 0.01

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_TYPED = re.compile(rf"({_NUMBER})(?:/({_NUMBER}))?(%?)")


@dataclass(frozen=True)
class Typed:
    """A number as it was typed.

    Attributes
    ----------
    value
        The number; of a fraction, its quotient.
    digits
        How many stand after the point; None for a fraction, which is exact.
    per_cent
        Whether a per cent sign follows it.
    """

    value: float
    digits: int | None
    per_cent: bool = False


@dataclass(frozen=True)
class Verdict:
    """What is said of a typed text: whether it is right; if not, a few words and a hint."""

    right: bool
    name: str = ""
    hint: str = ""


RIGHT = Verdict(right=True)


def read(text: str) -> Typed | Verdict:
    """The number of a text, such as ``0.3``, ``0,3``, ``3/10`` or ``30 %``, or why it is none."""
    plain = re.sub(r"\s", "", text).translate({0x2212: "-", 0x2044: "/", 0x2215: "/", 0x2C: "."})
    found = _TYPED.fullmatch(plain)
    if found is None:
        hint = f"“{_short(text)}” is no number. Type one such as 0.25, or a fraction such as 1/4."
        return Verdict(right=False, name="not a number", hint=hint)
    value, below = float(found[1]), float(found[2] or 1)
    if below == 0:
        return Verdict(right=False, name="divided by 0", hint="Nothing can be divided by 0.")
    if not math.isfinite(value) or not math.isfinite(below):
        hint = "That is larger than any number this could be."
        return Verdict(right=False, name="too large", hint=hint)
    digits = None if found[2] else len(found[1].partition(".")[2])
    return Typed(value / below, digits, bool(found[3]))


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:19] + "…"  # noqa: PLR2004


def judge(text: str, right: float, mistakes: Iterable[Mistake], *, count: bool = False) -> Verdict:
    """What to say of a typed text.

    Parameters
    ----------
    text
        What was typed.
    right
        The right number.
    mistakes
        Those foreseen, the likeliest first. Where several lead to the number, all are told.
    count
        Whether the number is one of rows, which has to be exact.
    """
    typed = read(text)
    if isinstance(typed, Verdict):
        return typed
    tolerance = 0.0 if count else TOLERANCE
    if not typed.per_cent and close(typed.value, right, tolerance):
        return RIGHT
    told = [one for one in mistakes if not close(one.wrong, right, tolerance)]
    found = _foreseen(typed, told, tolerance)
    slips = [] if count or typed.per_cent else _shortened(typed, right)
    if not found and not slips and not count:
        slips = _slipped(typed, right)
    return _told([(one.name, one.hint) for one in found] + [(s.name, s.hint) for s in slips])


def close(x: float, y: float, tolerance: float) -> bool:
    """Whether two numbers are equal within a tolerance, whose end belongs to it."""
    return abs(x - y) <= tolerance + 1e-9


def _foreseen(typed: Typed, mistakes: Sequence[Mistake], tolerance: float) -> list[Mistake]:
    """The mistakes that lead to a number; if none does, those that do when they are rounded."""
    found = [one for one in mistakes if close(typed.value, one.wrong, tolerance)]
    if found or typed.digits is None:
        return found
    half = 0.5 * 10.0**-typed.digits
    return [
        one
        for one in mistakes
        if (typed.digits == DIGITS - 1 or abs(one.wrong) >= _LARGE)
        and close(typed.value, one.wrong, half)
    ]


def _shortened(typed: Typed, right: float) -> list[Kind]:
    """Whether a number is the right one with fewer digits than are asked for."""
    if typed.digits is None or not 0 < typed.digits < DIGITS:
        return []
    scale = 10**typed.digits
    if round(typed.value * scale) == math.floor(right * scale + 0.5):
        return [kinds.FEW_DIGITS]
    return [kinds.CUT_OFF] if round(typed.value * scale) == math.floor(right * scale) else []


def _slipped(typed: Typed, right: float) -> list[Kind]:
    """A slip in rounding, reading or typing."""
    if typed.digits is not None and typed.digits >= DIGITS:
        one, other = f"{typed.value:.{typed.digits}f}", f"{right:.{typed.digits}f}"
        if len(one) == len(other):
            places = [i for i in range(len(one)) if one[i] != other[i]]
            if len(places) == 1:
                return [kinds.ONE_DIGIT]
            pair = [(one[i], other[i]) for i in places]
            if len(places) == 2 and pair[0] == pair[1][::-1]:  # noqa: PLR2004
                return [kinds.TWO_DIGITS]
    return [kinds.ON_THE_WAY] if abs(typed.value - right) <= _NEAR else []


def _told(found: Sequence[tuple[str, str]]) -> Verdict:
    """Everything that may have gone wrong; where there is more than one thing, all of it."""
    each = dict.fromkeys(found)
    if not each:
        return Verdict(right=False, name="not yet")
    (name, hint), *others = each
    if not others:
        return Verdict(right=False, name=name, hint=hint)
    hint = f"More than one mistake leads to this. {hint} Or: {others[0][1]}"
    if len(others) > 1:
        hint += f" Or else: {', '.join(dict.fromkeys(n for n, _ in others[1:]))}."
    same = all(other == name for other, _ in others)
    return Verdict(right=False, name=name if same else "see the hint", hint=hint)
