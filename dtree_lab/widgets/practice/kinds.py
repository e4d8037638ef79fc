"""The kinds of mistakes: a name of a few words, and a hint that does not give the answer away."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """A mistake that was foreseen, in working out one number.

    Attributes
    ----------
    name, hint
        Those of its kind.
    wrong
        The number that it leads to.
    """

    name: str
    hint: str
    wrong: float


@dataclass(frozen=True)
class Kind:
    """A kind of mistake; called with a number that it leads to, it gives the mistake."""

    name: str
    hint: str

    def __call__(self, wrong: float) -> Mistake:
        """The mistake that leads to a number."""
        return Mistake(self.name, self.hint, wrong)


WHOLE_TABLE = Kind(
    "the whole table",
    "That is right for the whole table. Here only the rows at this node count: those for which all"
    " of its conditions hold.",
)

# -- counts ----------------------------------------------------------------------------------------

OTHER_CLASS = Kind("another class", "So many rows with this value are of another class.")
OTHER_VALUE = Kind(
    "another value",
    "So many rows of this class have another value. Have two lines changed places?",
)
ALL_CLASSES = Kind(
    "all classes",
    "So many rows have this value in all, whatever their class. How many are of this one?",
)
ALL_VALUES = Kind(
    "all values", "So many rows are of this class in all. How many of them have this value?"
)
A_FRACTION = Kind("a fraction", "That is a fraction. Here the rows themselves are counted.")
ONE_OFF = Kind("one off", "One off: go through the rows once more.")

# -- fractions -------------------------------------------------------------------------------------

A_COUNT = Kind("a count", "That is how many rows. Of how many rows here is it a fraction?")
PER_CENT = Kind("per cent", "That is in per cent. Wanted is a fraction of 1, such as 3/10 or 0.3.")
UPSIDE_DOWN = Kind(
    "upside down",
    "That is upside down: a part of the rows is at most 1. The rows with this value stand above the"
    " line, all rows here below it.",
)
ODDS = Kind(
    "the others only",
    "That compares the rows with this value to those without it. Below the line stand all rows"
    " here, both together.",
)
SHARE_OF_TABLE = Kind(
    "share of the whole table",
    "That is a share of the whole table. Wanted is the share of the rows at this node, so these"
    " stand below the line.",
)
OTHER_FRACTION = Kind(
    "another value", "That is the fraction of another value. Have two lines changed places?"
)
CLASS_OF_ALL = Kind(
    "one class only",
    "That counts one class only. The fraction is that of all rows with this value, whatever their"
    " class.",
)
CLASS_WITHIN = Kind(
    "a class's share",
    "That is the share of one class among the rows with this value. Wanted is the share of these"
    " rows among all rows here.",
)
THE_REST = Kind("the rest", "That is the fraction of the rows that do not have this value.")
EQUAL_PARTS = Kind(
    "equal parts",
    "That would be so if all values were equally frequent. How many of the rows here have this"
    " one?",
)

# -- entropies -------------------------------------------------------------------------------------

NATURAL = Kind(
    "natural logarithm",
    "That is the right sum with the natural logarithm, which counts in nats. Bits take the"
    " logarithm to base 2.",
)
BASE_TEN = Kind(
    "base-10 logarithm",
    "That is the right sum with the logarithm to base 10. Bits take the logarithm to base 2.",
)
SIGN = Kind(
    "minus sign",
    "The size is right, the sign is not. The logarithm of a fraction is negative, and the minus"
    " sign before the sum makes it positive.",
)
HUNDREDFOLD = Kind(
    "per cent", "That is a hundred times too much: put the shares in as fractions of 1."
)
ONE_TERM = Kind(
    "one class only",
    "That is the term of one class alone. Each class adds one: p · log2(1/p).",
)
SURPRISES = Kind(
    "no weights",
    "You added the logarithms as they are. Each counts as often as its class occurs: times p.",
)
PER_NODE = Kind(
    "counts for shares",
    "That is for all these rows together. The p before each logarithm is a share, not a count.",
)
GINI = Kind(
    "Gini impurity",
    "That comes from the Gini impurity, which CART uses. Entropy has logarithms in it.",
)
MAJORITY_ERROR = Kind(
    "majority error",
    "That is how often the majority class is wrong. Entropy averages logarithms.",
)
SCALED = Kind(
    "scaled to 1",
    "You divided by the logarithm of the number of classes. Bits are not scaled: more than two"
    " classes can take more than one bit.",
)
ONE_BIT = Kind(
    "one bit", "One bit is two classes that are equally frequent. How many classes are there here?"
)
WEIGHTED = Kind(
    "weighted already",
    "You have multiplied by the branch's fraction. That comes in H(Y|X); here only the rows of this"
    " branch count.",
)
OTHER_ENTROPY = Kind("another value", "That is the entropy for another value.")
BEFORE = Kind("H(Y)", "That is H(Y), the entropy before anything was asked.")
LEFT = Kind("H(Y|X)", "That is H(Y|X), what asking leaves.")
THE_GAIN = Kind("the gain", "That is the gain, what asking takes away.")
OF_BRANCHES = Kind(
    "entropy of the branches",
    "That is the entropy of the attribute: how its values share the rows. H(Y) is that of the"
    " classes.",
)

# -- what is left, and the gain --------------------------------------------------------------------

UNWEIGHTED = Kind(
    "unweighted mean",
    "You averaged the branches as if they were equally large. Each counts by its fraction of the"
    " rows.",
)
SUM = Kind(
    "no weights",
    "You took the branches' entropies as they are. Each counts by its fraction of the rows.",
)
ONE_BRANCH = Kind(
    "one branch only", "That is the part of one branch. The rows in the others count too."
)
BY_COUNTS = Kind(
    "counts for shares",
    "You weighted with the counts. Divide by the number of rows here: an average has fractions as"
    " weights.",
)
SWAPPED = Kind("swapped weights", "The two fractions have changed places.")
BACKWARDS = Kind(
    "minus sign",
    "The size is right, the sign is not: the gain is H(Y) less H(Y|X), and never negative.",
)
ADDED = Kind("a sum", "You added H(Y) and H(Y|X). The gain is what the one is less than the other.")
RATIO = Kind("gain ratio", "That is the gain ratio, which C4.5 uses. Wanted is the gain itself.")
OF_BEFORE = Kind(
    "a share of H(Y)", "That is the share of H(Y) that goes. Wanted is the amount, in bits."
)
FOLLOWS = Kind(
    "follows from above",
    "That follows from what you typed in the other fields, and one of those is not right yet. Mend"
    " that one first.",
)

# -- writing a number ------------------------------------------------------------------------------

FEW_DIGITS = Kind(
    "too few digits", "As far as it goes that is right, but it has too few digits: give three."
)
CUT_OFF = Kind(
    "cut off, not rounded",
    "That is the right number cut off after a digit. Round it, and give three digits.",
)
ONE_DIGIT = Kind("one digit", "One digit of it is not right: a slip in reading or typing?")
TWO_DIGITS = Kind(
    "two digits swapped", "Two digits of it have changed places: a slip in reading or typing?"
)
ON_THE_WAY = Kind(
    "rounding on the way",
    "That is very near: a rounding slip. Keep four digits until the end, and round only then.",
)
