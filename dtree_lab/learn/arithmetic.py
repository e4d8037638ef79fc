"""The arithmetic of an information gain, from counts to bits, as text and as LaTeX."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from dtree_lab import escape
from dtree_lab.criteria import entropy
from dtree_lab.shown import bits, number, plural, value
from dtree_lab.splits import Intervals, reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dtree_lab.learn.compare import Compared, Comparison


@dataclass(frozen=True)
class Term:
    """One summand of an entropy: a class with `count` of `total` rows."""

    count: int
    total: int

    @property
    def log(self) -> float:
        """log2(1/p), the bits that this class costs."""
        return float(np.log2(self.total / self.count))


def terms(counts: Sequence[int]) -> list[Term]:
    """The summands of an entropy; classes without rows add nothing and are left out."""
    total = sum(counts)
    return [Term(count, total) for count in counts if count]


def as_text(comparison: Comparison, one: Compared) -> str:
    """Lines of plain text."""
    target, x = value(comparison.target.name), one.question
    lines = [_counted(target, comparison, comparison.counts)]
    lines.append(entropy_text(f"H({target})", comparison.counts))
    if one.candidate is None:
        return "\n".join([*lines, f"every row has the same {x}, so asking it changes nothing"])
    split, total = one.candidate.split, sum(comparison.counts)
    weights = []
    for branch, row in enumerate(one.candidate.counts.tolist()):
        why = reason(split, one.attribute, branch)
        lines.append(_counted(why, comparison, row))
        lines.append(entropy_text(f"H({target} | {why})", row))
        weights.append(f"{sum(row)}/{total}·{bits(entropy(row))}")
    left = f"H({target} | {asked(one)})"
    lines.append(f"{left} = {' + '.join(weights)} = {bits(one.conditional_entropy)} bits")
    difference = f"{bits(one.entropy)} - {bits(one.conditional_entropy)}"
    gain = f"{difference} {equal_sign(one)} {bits(one.gain)} bits"
    lines.append(f"gain = H({target}) - {left} = {gain}")
    return "\n".join(lines)


def asked(one: Compared) -> str:
    """The question as a whole, told apart from its answer "below the cut"."""
    split = one.candidate.split if one.candidate else None
    if isinstance(split, Intervals):
        return f"{one.attribute.name} cut at {', '.join(map(number, split.cuts))}"
    return one.question


def equal_sign(one: Compared) -> str:
    """Whether the rounded numbers on the line add up too, or only nearly."""
    rounded = float(bits(one.entropy)) - float(bits(one.conditional_entropy))
    return "=" if bits(rounded) == bits(one.gain) else "≈"


def _counted(what: str, comparison: Comparison, counts: Sequence[int]) -> str:
    classes = comparison.target.values or ()
    each = ", ".join(f"{n} {value(c)}" for n, c in zip(counts, classes, strict=True))
    return f"{what}: {each} of {plural(sum(counts), 'row')}"


def entropy_text(name: str, counts: Sequence[int]) -> str:
    """An entropy worked out on one line, from its counts; `name` stands on its left."""
    logs = " + ".join(f"{t.count}/{t.total}·log2({t.total}/{t.count})" for t in terms(counts))
    numbers = " + ".join(f"{t.count}/{t.total}·{bits(t.log)}" for t in terms(counts))
    return f"{name} = {logs} = {numbers} = {bits(entropy(counts))} bits"


def as_latex(comparison: Comparison, one: Compared) -> str:
    """An ``aligned`` environment."""
    y = escape.latex(value(comparison.target.name))
    lines = [_entropy_latex(f"H({y})", comparison.counts)]
    if one.candidate is not None:
        split, total = one.candidate.split, sum(comparison.counts)
        weights = []
        for branch, row in enumerate(one.candidate.counts.tolist()):
            why = escape.latex(reason(split, one.attribute, branch))
            lines.append(_entropy_latex(rf"H({y} \mid {why})", row))
            weights.append(rf"\tfrac{{{sum(row)}}}{{{total}}} \cdot {bits(entropy(row))}")
        left = rf"H({y} \mid {escape.latex(asked(one))})"
        lines.append(f"{left} &= {' + '.join(weights)} = {bits(one.conditional_entropy)}")
        difference = f"{bits(one.entropy)} - {bits(one.conditional_entropy)}"
        sign = "=" if equal_sign(one) == "=" else r"\approx"
        lines.append(rf"\text{{gain}} &= H({y}) - {left} = {difference} {sign} {bits(one.gain)}")
    return "\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}"


def _entropy_latex(name: str, counts: Sequence[int]) -> str:
    logs = " + ".join(
        rf"\tfrac{{{t.count}}}{{{t.total}}} \log_2 \tfrac{{{t.total}}}{{{t.count}}}"
        for t in terms(counts)
    )
    return f"{name} &= {logs} = {bits(entropy(counts))}"
