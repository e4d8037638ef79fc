"""Rounds of AdaBoost as learners write them when something goes wrong on the way."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def scaled(
    right: Callable[[float], float],
    bad: Callable[[float], float],
    alpha: Callable[[float], float],
    *,
    shares: bool = True,
) -> Callable[..., Any]:
    """A round in which right and wrong rows are multiplied by something that follows from alpha."""

    def one_round(weights: list[float], wrong: list[bool]) -> Any:
        e = sum(w for w, b in zip(weights, wrong, strict=True) if b)
        a = alpha(e)
        new = [w * (bad(a) if b else right(a)) for w, b in zip(weights, wrong, strict=True)]
        return a, [w / sum(new) for w in new] if shares else new

    return one_round


def half_log(e: float) -> float:
    """Alpha, with its ½."""
    return math.log((1 - e) / e) / 2


def down(a: float) -> float:
    """The factor of the right rows."""
    return math.exp(-a)


def counted(weights: list[float], wrong: list[bool]) -> Any:
    """The number of wrong rows taken for their weight."""
    e = sum(wrong) / len(wrong)
    a = half_log(e) if 0 < e < 1 else 0.0
    new = [w * math.exp(a if b else -a) for w, b in zip(weights, wrong, strict=True)]
    return a, [w / sum(new) for w in new]


def divided(
    bad: Callable[[float], float], right: Callable[[float], float], *, shares: bool = True
) -> Callable[..., Any]:
    """A round by the short cut, with divisors that follow from the error; `shares` weighs it."""

    def one_round(weights: list[float], wrong: list[bool]) -> Any:
        parts = [w if shares else 1 / len(wrong) for w in weights]
        e = sum(w for w, b in zip(parts, wrong, strict=True) if b)
        pairs = zip(weights, wrong, strict=True)
        return half_log(e), [w / (bad(e) if b else right(e)) for w, b in pairs]

    return one_round


def sum_on_the_move(weights: list[float], wrong: list[bool]) -> Any:
    """The sum worked out anew for each weight, while they are divided one after the other."""
    e = sum(w for w, b in zip(weights, wrong, strict=True) if b)
    a = half_log(e)
    new = [w * math.exp(a if b else -a) for w, b in zip(weights, wrong, strict=True)]
    for i in range(len(new)):
        new[i] /= sum(new)
    return a, new


def by_position(weights: list[float], wrong: list[bool]) -> Any:
    """The truth values taken for positions: True for 1 and False for 0."""
    return half_log(sum(weights[i] for i in wrong)), weights


def in_equal_parts(weights: list[float], wrong: list[bool]) -> Any:
    """Each side has one half, and its rows share it alike."""
    e = sum(w for w, b in zip(weights, wrong, strict=True) if b)
    bad = sum(wrong)
    return half_log(e), [1 / (2 * bad) if b else 1 / (2 * (len(wrong) - bad)) for b in wrong]


def by_the_largest(weights: list[float], wrong: list[bool]) -> Any:
    """Divided by the largest weight instead of by the sum."""
    alpha, new = scaled(down, math.exp, half_log)(weights, wrong)
    return alpha, [w / max(new) for w in new]
