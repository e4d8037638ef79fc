"""The mistakes that people make in working out a gain, each with the number that it leads to.

Every function gives the mistakes for one number that is asked for, the likeliest first; what was
typed is read at the end, and told the hint of the mistake that it is. Nothing here knows of a lab:
whoever asks for such a number can use it.

Throughout, *branches* are the rows of each class in each branch of a split, one tuple of counts for
each branch, none of them empty; *whole* are those of the same question in the whole table, for a
node that has only some of its rows, and else None. It has the same branches and classes first, then
those that only rows elsewhere have.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from dtree_lab.criteria.classes import entropy, gini


@dataclass(frozen=True)
class MistakeKind:
    """A kind of mistake; called with a number that it leads to, it gives the mistake."""

    name: str
    hint: str

    def __call__(self, wrong: float) -> NumberMistake:
        """The mistake that leads to a number."""
        return NumberMistake(self, wrong)


@dataclass(frozen=True)
class NumberMistake:
    """A mistake that was foreseen, in working out one number."""

    kind: MistakeKind
    wrong: float  # the number that it leads to


WHOLE_TABLE = MistakeKind(
    "the whole table",
    "That is right for the whole table. Here only the rows at this node count: those for which all"
    " of its conditions hold.",
)

# -- counts ----------------------------------------------------------------------------------------

OTHER_CLASS = MistakeKind("another class", "So many rows with this value are of another class.")
OTHER_VALUE = MistakeKind(
    "another value", "So many rows of this class have another value. Have two lines changed places?"
)
ALL_CLASSES = MistakeKind(
    "all classes",
    "So many rows have this value in all, whatever their class. How many are of this one?",
)
ALL_VALUES = MistakeKind(
    "all values", "So many rows are of this class in all. How many of them have this value?"
)
A_FRACTION = MistakeKind("a fraction", "That is a fraction. Here the rows themselves are counted.")
ONE_OFF = MistakeKind("one off", "One off: go through the rows once more.")

# -- fractions -------------------------------------------------------------------------------------

A_COUNT = MistakeKind("a count", "That is how many rows. Of how many rows here is it a fraction?")
PER_CENT = MistakeKind(
    "per cent", "That is in per cent. Wanted is a fraction of 1, such as 3/10 or 0.3."
)
UPSIDE_DOWN = MistakeKind(
    "upside down",
    "That is upside down: a part of the rows is at most 1. The rows with this value stand above the"
    " line, all rows here below it.",
)
ODDS = MistakeKind(
    "the others only",
    "That compares the rows with this value to those without it. Below the line stand all rows"
    " here, both together.",
)
SHARE_OF_TABLE = MistakeKind(
    "share of the whole table",
    "That is a share of the whole table. Wanted is the share of the rows at this node, so these"
    " stand below the line.",
)
OTHER_FRACTION = MistakeKind(
    "another value", "That is the fraction of another value. Have two lines changed places?"
)
CLASS_OF_ALL = MistakeKind(
    "one class only",
    "That counts one class only. The fraction is that of all rows with this value, whatever their"
    " class.",
)
CLASS_WITHIN = MistakeKind(
    "a class's share",
    "That is the share of one class among the rows with this value. Wanted is the share of these"
    " rows among all rows here.",
)
THE_REST = MistakeKind("the rest", "That is the fraction of the rows that do not have this value.")
EQUAL_PARTS = MistakeKind(
    "equal parts",
    "That would be so if all values were equally frequent. How many of the rows here have this"
    " one?",
)

# -- entropies -------------------------------------------------------------------------------------

NATURAL = MistakeKind(
    "natural logarithm",
    "That is the right sum with the natural logarithm, which counts in nats. Bits take the"
    " logarithm to base 2.",
)
BASE_TEN = MistakeKind(
    "base-10 logarithm",
    "That is the right sum with the logarithm to base 10. Bits take the logarithm to base 2.",
)
SIGN = MistakeKind(
    "minus sign",
    "The size is right, the sign is not. The logarithm of a fraction is negative, and the minus"
    " sign before the sum makes it positive.",
)
HUNDREDFOLD = MistakeKind(
    "per cent", "That is a hundred times too much: put the shares in as fractions of 1."
)
ONE_TERM = MistakeKind(
    "one class only", "That is the term of one class alone. Each class adds one: p · log2(1/p)."
)
SURPRISES = MistakeKind(
    "no weights",
    "You added the logarithms as they are. Each counts as often as its class occurs: times p.",
)
PER_NODE = MistakeKind(
    "counts for shares",
    "That is for all these rows together. The p before each logarithm is a share, not a count.",
)
GINI = MistakeKind(
    "Gini impurity",
    "That comes from the Gini impurity, which CART uses. Entropy has logarithms in it.",
)
MAJORITY_ERROR = MistakeKind(
    "majority error", "That is how often the majority class is wrong. Entropy averages logarithms."
)
SCALED = MistakeKind(
    "scaled to 1",
    "You divided by the logarithm of the number of classes. Bits are not scaled: more than two"
    " classes can take more than one bit.",
)
ONE_BIT = MistakeKind(
    "one bit", "One bit is two classes that are equally frequent. How many classes are there here?"
)
WEIGHTED = MistakeKind(
    "weighted already",
    "You have multiplied by the branch's fraction. That comes in H(Y|X); here only the rows of this"
    " branch count.",
)
OTHER_ENTROPY = MistakeKind("another value", "That is the entropy for another value.")
BEFORE = MistakeKind("H(Y)", "That is H(Y), the entropy before anything was asked.")
LEFT = MistakeKind("H(Y|X)", "That is H(Y|X), what asking leaves.")
THE_GAIN = MistakeKind("the gain", "That is the gain, what asking takes away.")
OF_BRANCHES = MistakeKind(
    "entropy of the branches",
    "That is the entropy of the attribute: how its values share the rows. H(Y) is that of the"
    " classes.",
)

# -- what is left, and the gain --------------------------------------------------------------------

UNWEIGHTED = MistakeKind(
    "unweighted mean",
    "You averaged the branches as if they were equally large. Each counts by its fraction of the"
    " rows.",
)
SUM = MistakeKind(
    "no weights",
    "You took the branches' entropies as they are. Each counts by its fraction of the rows.",
)
ONE_BRANCH = MistakeKind(
    "one branch only", "That is the part of one branch. The rows in the others count too."
)
BY_COUNTS = MistakeKind(
    "counts for shares",
    "You weighted with the counts. Divide by the number of rows here: an average has fractions as"
    " weights.",
)
SWAPPED = MistakeKind("swapped weights", "The two fractions have changed places.")
BACKWARDS = MistakeKind(
    "minus sign",
    "The size is right, the sign is not: the gain is H(Y) less H(Y|X), and never negative.",
)
ADDED = MistakeKind(
    "a sum", "You added H(Y) and H(Y|X). The gain is what the one is less than the other."
)
RATIO = MistakeKind(
    "gain ratio", "That is the gain ratio, which C4.5 uses. Wanted is the gain itself."
)
OF_BEFORE = MistakeKind(
    "a share of H(Y)", "That is the share of H(Y) that goes. Wanted is the amount, in bits."
)
FOLLOWS = MistakeKind(
    "follows from above",
    "That follows from what you typed in the other fields, and one of those is not right yet. Mend"
    " that one first.",
)

# -- writing a number ------------------------------------------------------------------------------

FEW_DIGITS = MistakeKind(
    "too few digits", "As far as it goes that is right, but it has too few digits: give three."
)
CUT_OFF = MistakeKind(
    "cut off, not rounded",
    "That is the right number cut off after a digit. Round it, and give three digits.",
)
ONE_DIGIT = MistakeKind("one digit", "One digit of it is not right: a slip in reading or typing?")
TWO_DIGITS = MistakeKind(
    "two digits swapped", "Two digits of it have changed places: a slip in reading or typing?"
)
ON_THE_WAY = MistakeKind(
    "rounding on the way",
    "That is very near: a rounding slip. Keep four digits until the end, and round only then.",
)


Counts: TypeAlias = tuple[int, ...]
Branches: TypeAlias = tuple[Counts, ...]
_T = TypeVar("_T")


def of_count(
    branches: Branches, branch: int, k: int, whole: Branches | None
) -> list[NumberMistake]:
    """For the rows of class `k` in a branch."""
    here, right = branches[branch], branches[branch][k]
    found = [OTHER_CLASS(n) for n in _others(here, k)]
    found += [OTHER_VALUE(one[k]) for one in _others(branches, branch)]
    found.append(ALL_CLASSES(sum(here)))
    found.append(ALL_VALUES(together(branches)[k]))
    if whole:
        found.append(WHOLE_TABLE(whole[branch][k]))
    found += [A_FRACTION(right / n) for n in (sum(here), _rows(branches))]
    return [*found, ONE_OFF(right - 1), ONE_OFF(right + 1)]


def of_fraction(branches: Branches, branch: int, whole: Branches | None) -> list[NumberMistake]:
    """For the fraction of the rows that a branch has."""
    part, rows = sum(branches[branch]), _rows(branches)
    found = [A_COUNT(part), PER_CENT(100 * part / rows), UPSIDE_DOWN(rows / part)]
    if part < rows:
        found.append(ODDS(part / (rows - part)))
    if whole:
        share = 1 / _rows(whole)
        found += [SHARE_OF_TABLE(n * share) for n in (part, sum(whole[branch]))]
    found += [OTHER_FRACTION(sum(one) / rows) for one in _others(branches, branch)]
    found += [CLASS_OF_ALL(n / rows) for n in branches[branch]]
    found += [CLASS_WITHIN(n / part) for n in branches[branch]]
    return [*found, THE_REST(1 - part / rows), EQUAL_PARTS(1 / len(branches))]


def of_bits(bits: float) -> list[NumberMistake]:
    """For any number of bits: another logarithm, another sign, another unit."""
    return [
        NATURAL(bits * math.log(2)),
        BASE_TEN(bits * math.log10(2)),
        SIGN(-bits),
        HUNDREDFOLD(100 * bits),
    ]


def of_entropy(counts: Counts) -> list[NumberMistake]:
    """For the entropy of some rows, given how many are of each class."""
    rows, right = sum(counts), entropy(counts)
    p = [n / rows for n in counts if n]
    if len(p) == 1:
        return [ONE_BIT(1.0)]
    found = of_bits(right)
    found += [ONE_TERM(sign * x * math.log2(x)) for x in p for sign in (-1, 1)]
    found += [
        SURPRISES(sum(math.log2(1 / x) for x in p)),
        PER_NODE(rows * right),
        GINI(gini(counts)),
        MAJORITY_ERROR(1 - max(p)),
        SCALED(right / math.log2(len(p))),
    ]
    return found


def of_branch(branches: Branches, branch: int, whole: Branches | None) -> list[NumberMistake]:
    """For H(Y|X=x), the entropy of a branch."""
    each = entropies(branches)
    found = of_entropy(branches[branch])
    found.append(WEIGHTED(_shares(branches)[branch] * each[branch]))
    found += [OTHER_ENTROPY(h) for h in _others(each, branch)]
    found.append(BEFORE(entropy(together(branches))))
    if whole:
        found.append(WHOLE_TABLE(entropies(whole)[branch]))
    return found


def of_before(branches: Branches, whole: Branches | None) -> list[NumberMistake]:
    """For H(Y), the entropy before anything is asked."""
    right, left = entropy(together(branches)), conditional(branches)
    found = of_entropy(together(branches))
    if whole:
        found.append(WHOLE_TABLE(entropy(together(whole))))
    found += [LEFT(left), THE_GAIN(right - left)]
    return [*found, OF_BRANCHES(_spread(branches))]


def of_left(branches: Branches, whole: Branches | None) -> list[NumberMistake]:
    """For H(Y|X), what is left after asking."""
    right, each, weights = conditional(branches), entropies(branches), _shares(branches)
    before = entropy(together(branches))
    found = [
        THE_GAIN(before - right),
        BEFORE(before),
        UNWEIGHTED(_unweighted(branches)),
        SUM(sum(each)),
        *of_bits(right),
        *(ONE_BRANCH(h) for h in each),
        *(ONE_BRANCH(w * h) for w, h in zip(weights, each, strict=True)),
        GINI(_average(weights, [gini(one) for one in branches])),
        BY_COUNTS(_rows(branches) * right),
    ]
    if len(branches) == 2:  # noqa: PLR2004 - of two, it is clear which took the other's place
        found.append(SWAPPED(_average(weights[::-1], each)))
    if whole:
        of_table = [sum(one) / _rows(whole) for one in branches]
        found += [SHARE_OF_TABLE(_average(of_table, each)), WHOLE_TABLE(conditional(whole))]
    return found


def of_gain(branches: Branches, whole: Branches | None) -> list[NumberMistake]:
    """For the information gain, H(Y) - H(Y|X)."""
    counts = together(branches)
    before, left, each = entropy(counts), conditional(branches), entropies(branches)
    right, spread = before - left, _spread(branches)
    after = _average(_shares(branches), [gini(one) for one in branches])
    found = [
        LEFT(left),
        BEFORE(before),
        BACKWARDS(-right),
        UNWEIGHTED(before - _unweighted(branches)),
        SUM(before - sum(each)),
        *(one for one in of_bits(right) if one.kind is not SIGN),
        ADDED(before + left),
        GINI(gini(counts) - after),
    ]
    found += [RATIO(right / spread)] if spread else []
    found += [OF_BEFORE(right / before)] if before else []
    if whole:
        found.append(WHOLE_TABLE(entropy(together(whole)) - conditional(whole)))
    return found


def together(branches: Branches) -> Counts:
    """Rows of each class in all branches."""
    return tuple(map(sum, zip(*branches, strict=True)))


def _shares(branches: Branches) -> list[float]:
    return [sum(one) / _rows(branches) for one in branches]


def entropies(branches: Branches) -> list[float]:
    """H(Y|X=x) of each branch, in bits."""
    return [entropy(one) for one in branches]


def conditional(branches: Branches) -> float:
    """H(Y|X), in bits."""
    return _average(_shares(branches), entropies(branches))


def _rows(branches: Branches) -> int:
    return sum(map(sum, branches))


def _average(weights: Sequence[float], of: Sequence[float]) -> float:
    return sum(w * x for w, x in zip(weights, of, strict=True))


def _unweighted(branches: Branches) -> float:
    return sum(entropies(branches)) / len(branches)


def _spread(branches: Branches) -> float:
    """The entropy of the attribute itself, in bits."""
    return entropy([sum(one) for one in branches])


def _others(of: Sequence[_T], i: int) -> list[_T]:
    return [one for j, one in enumerate(of) if j != i]


# How far a number may be from the right one; counts have to be exact.
TOLERANCE = 0.002
DIGITS = 3
# From here on a number has so many digits before the point that those behind it may be left out.
_LARGE = 2
_NEAR = 0.01

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_TYPED = re.compile(rf"({_NUMBER})(?:/({_NUMBER}))?(%?)")


@dataclass(frozen=True)
class TypedNumber:
    """A number as it was typed."""

    value: float  # the number; of a fraction, its quotient
    digits: int | None  # how many stand after the point; None for a fraction, which is exact
    per_cent: bool = False  # whether a per cent sign follows it


@dataclass(frozen=True)
class NumberVerdict:
    """What is said of a typed text: whether it is right; if not, a few words and a hint."""

    right: bool
    name: str = ""
    hint: str = ""


RIGHT = NumberVerdict(right=True)


def read_number(text: str) -> TypedNumber | NumberVerdict:
    """The number of a text, such as ``0.3``, ``0,3``, ``3/10`` or ``30 %``, or why it is none."""
    plain = re.sub(r"\s", "", text).translate({0x2212: "-", 0x2044: "/", 0x2215: "/", 0x2C: "."})
    found = _TYPED.fullmatch(plain)
    if found is None:
        hint = f"“{_short(text)}” is no number. Type one such as 0.25, or a fraction such as 1/4."
        return NumberVerdict(right=False, name="not a number", hint=hint)
    value, below = float(found[1]), float(found[2] or 1)
    if below == 0:
        return NumberVerdict(right=False, name="divided by 0", hint="Nothing can be divided by 0.")
    if not math.isfinite(value) or not math.isfinite(below):
        hint = "That is larger than any number this could be."
        return NumberVerdict(right=False, name="too large", hint=hint)
    digits = None if found[2] else len(found[1].partition(".")[2])
    return TypedNumber(value / below, digits, bool(found[3]))


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:19] + "…"  # noqa: PLR2004


def judge(
    text: str, right: float, mistakes: Iterable[NumberMistake], *, count: bool = False
) -> NumberVerdict:
    """What to say of a typed text."""
    typed = read_number(text)
    if isinstance(typed, NumberVerdict):
        return typed
    tolerance = 0.0 if count else TOLERANCE
    if not typed.per_cent and near_enough(typed.value, right, tolerance):
        return RIGHT
    told = [one for one in mistakes if not near_enough(one.wrong, right, tolerance)]
    found = _foreseen(typed, told, tolerance)
    slips = [] if count or typed.per_cent else _shortened(typed, right)
    if not found and not slips and not count:
        slips = _slipped(typed, right)
    return _told([*found, *slips])


def near_enough(x: float, y: float, tolerance: float) -> bool:
    """Whether two numbers are equal within a tolerance, whose end belongs to it."""
    return abs(x - y) <= tolerance + 1e-9


def _foreseen(
    typed: TypedNumber, mistakes: Sequence[NumberMistake], tolerance: float
) -> list[MistakeKind]:
    """The mistakes that lead to a number; if none does, those that do when they are rounded."""
    found = [one.kind for one in mistakes if near_enough(typed.value, one.wrong, tolerance)]
    if found or typed.digits is None:
        return found
    half = 0.5 * 10.0**-typed.digits
    return [
        one.kind
        for one in mistakes
        if (typed.digits == DIGITS - 1 or abs(one.wrong) >= _LARGE)
        and near_enough(typed.value, one.wrong, half)
    ]


def _shortened(typed: TypedNumber, right: float) -> list[MistakeKind]:
    """Whether a number is the right one with fewer digits than are asked for."""
    if typed.digits is None or not 0 < typed.digits < DIGITS:
        return []
    scale = 10**typed.digits
    if round(typed.value * scale) == math.floor(right * scale + 0.5):
        return [FEW_DIGITS]
    return [CUT_OFF] if round(typed.value * scale) == math.floor(right * scale) else []


def _slipped(typed: TypedNumber, right: float) -> list[MistakeKind]:
    if typed.digits is not None and typed.digits >= DIGITS:
        one, other = f"{typed.value:.{typed.digits}f}", f"{right:.{typed.digits}f}"
        if len(one) == len(other):
            places = [i for i in range(len(one)) if one[i] != other[i]]
            if len(places) == 1:
                return [ONE_DIGIT]
            pair = [(one[i], other[i]) for i in places]
            if len(places) == 2 and pair[0] == pair[1][::-1]:  # noqa: PLR2004
                return [TWO_DIGITS]
    return [ON_THE_WAY] if abs(typed.value - right) <= _NEAR else []


def _told(mistakes: Sequence[MistakeKind]) -> NumberVerdict:
    """Everything that may have gone wrong; where there is more than one thing, all of it."""
    if not mistakes:
        return NumberVerdict(right=False, name="not yet")
    first, *others = dict.fromkeys(mistakes)
    if not others:
        return NumberVerdict(right=False, name=first.name, hint=first.hint)
    hint = f"More than one mistake leads to this. {first.hint} Or: {others[0].hint}"
    if len(others) > 1:
        hint += f" Or else: {', '.join(dict.fromkeys(one.name for one in others[1:]))}."
    same = all(other.name == first.name for other in others)
    return NumberVerdict(right=False, name=first.name if same else "see the hint", hint=hint)
