"""How the lab tells of names, sides and numbers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab.criteria import entropy
from dtree_lab.draw.style import mark
from dtree_lab.learn.compare import Compared, Comparison
from dtree_lab.shown import bits, number, plural
from dtree_lab.table import Attribute
from dtree_lab.widgets.kit.names import short

if TYPE_CHECKING:
    from dtree_lab.widgets.threshold.curve import Curve, Parted
    from dtree_lab.widgets.threshold.state import State

# So many classes are drawn and counted one by one: those with the most rows.
MOST_CLASSES = 8
# And so many have a place in the legend.
MOST_NAMED = 30


@lru_cache(maxsize=8)
def name_of(curve: Curve) -> str:
    """The attribute's name, shortened."""
    return short(curve.attribute.name)


@lru_cache(maxsize=8)
def target_of(curve: Curve) -> str:
    """The target's name, shortened."""
    return short(curve.table.target.name, 24)


@lru_cache(maxsize=256)
def class_name(curve: Curve, k: int) -> str:
    """A class's name, shortened."""
    return short(curve.table.classes[k], 24)


@lru_cache(maxsize=8)
def legend(curve: Curve) -> Attribute | None:
    """The target for the legend, long names shortened; None where it has too many classes."""
    target = curve.table.target
    if target.n_values > MOST_NAMED:
        return None
    return Attribute(target.name, tuple(map(short, target.values or ())))


def marked(curve: Curve, k: int) -> str:
    """A class's mark and name."""
    return f"{mark(k).char} {class_name(curve, k)}"


def near(x: float) -> str:
    """A number that was computed, with four digits."""
    return number(float(f"{x:.4g}"))


@lru_cache(maxsize=8)
def shown(curve: Curve) -> tuple[int, ...]:
    """The classes that are drawn, in the order of the target."""
    counts = np.array(curve.counts)
    most = np.argsort(-counts, kind="stable")[:MOST_CLASSES]
    return tuple(sorted(k for k in most.tolist() if counts[k]))


def not_shown(curve: Curve) -> str:
    """What the pictures leave out, or nothing."""
    there = sum(1 for n in curve.counts if n)
    left = there - len(shown(curve))
    if not left:
        return ""
    rows = curve.table.n_rows - sum(curve.counts[k] for k in shown(curve))
    which = plural(left, "class").replace("classs", "classes")
    return (
        f"Drawn are the {MOST_CLASSES} classes with the most rows; {which} more, with"
        f" {plural(rows, 'row')}, count in every number."
    )


def rule(state: State) -> list[str]:
    """The question at the cut, what it gains, and how that compares with the best one."""
    curve, cut = state.curve, state.cut
    parted = curve.at(cut)
    lines = [f"{name_of(curve)} < {number(cut)}? It gains {bits(parted.gain)} bits."]
    if not sum(parted.below) or not sum(parted.above):
        lines.append("All rows lie on one side: the question tells nothing, as with θ = ±∞.")
    best = curve.best
    if best is None:
        lines.append(f"Every row has the same {name_of(curve)}: no cut can part them.")
    elif parted.gain >= curve.at(best).gain:
        lines.append("No other cut gains more.")
    else:
        cost = bits(curve.at(best).gain - parted.gain)
        lines.append(f"The best cut, {number(best)}, gains {cost} bits more.")
    return lines


def same_question(state: State) -> str:
    """Between which rows the cut lies: all cuts there ask the same."""
    low, high = state.curve.neighbours(state.cut)
    if low is None or high is None:
        return ""
    middle = number(low / 2 + high / 2)
    return (
        f"Every cut above {number(low)} and up to {number(high)} parts the rows alike; a tree takes"
        f" the midpoint, {middle}."
    )


def worked(state: State) -> list[str]:
    """H(Y|X) as the weighted sum of the two sides, and the gain."""
    curve = state.curve
    parted = curve.at(state.cut)
    n, y = curve.table.n_rows, target_of(curve)
    sides = [side for side in (parted.below, parted.above) if sum(side)]
    terms = " + ".join(f"{sum(side)}/{n}·{bits(entropy(side))}" for side in sides)
    before, left, gain = bits(curve.entropy), bits(parted.remaining), bits(parted.gain)
    sign = "=" if bits(float(before) - float(left)) == gain else "≈"
    return [
        f"H({y} | X) = {terms} = {left} bits",
        f"gain = H({y}) - H({y} | X) = {before} - {left} {sign} {gain} bits",
    ]


def side_rows(state: State) -> tuple[list[str], list[list[str]]]:
    """A head, and rows: how many of each class, of all, their share and entropy, on each side."""
    curve = state.curve
    parted: Parted = curve.at(state.cut)
    sides = (parted.below, parted.above, curve.counts)
    n = curve.table.n_rows
    rows = [[marked(curve, k), *(f"{side[k]:,}" for side in sides)] for k in shown(curve)]
    rows.append(["all classes", *(f"{sum(side):,}" for side in sides)])
    rows.append(["share", *(f"{sum(side)}/{n}" for side in sides)])
    rows.append(["entropy", *(bits(entropy(side)) if sum(side) else "none" for side in sides)])
    return ["rows", "below the cut", "at or above", "together"], rows


def arithmetic(state: State) -> list[str]:
    """The same to the last logarithm, as the library works it out."""
    curve = state.curve
    parted = curve.at(state.cut)
    if not sum(parted.below) or not sum(parted.above) or len(curve.counts) > MOST_CLASSES:
        return worked(state)
    one = Compared(curve.attribute, curve.candidate(state.cut), curve.entropy)
    return (
        Comparison(curve.table.target, curve.counts, (one,))
        .arithmetic(one.attribute.name)
        .split("\n")
    )
