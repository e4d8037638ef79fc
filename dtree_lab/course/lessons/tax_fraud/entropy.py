"""The entropy of counts, as a number and as a function."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import takewhile

import numpy as np

from dtree_lab.course.bits import BASE_TEN, NATS, entropy_of, summed
from dtree_lab.course.calls import Outcome
from dtree_lab.course.exercise import Exercise, Mistake
from dtree_lab.course.tasks import Case, Code, Number
from dtree_lab.course.tasks.code import stops

H_CHEAT = entropy_of((7, 3))
H_SIX_FOUR = entropy_of((6, 4))


def by_labels(counts: Sequence[float]) -> float:
    """Divides by how many labels there are."""
    n = len(counts)
    return -sum(c / n * math.log2(c / n) for c in counts if c)


def total_bits(counts: Sequence[float]) -> float:
    """Weights with counts, and not with shares."""
    return sum(counts) * entropy_of(counts)


def without_fractions(counts: Sequence[float]) -> float:
    """The share of the only label there is, or 0."""
    n = sum(counts)
    return -sum(c // n * math.log2(c / n) for c in counts if c)


def one_over_twice(counts: Sequence[float]) -> float:
    """Divides by the count, and then by the number of rows."""
    n = sum(counts)
    return sum(c / n * math.log2(1 / c / n) for c in counts if c)


def last_term(counts: Sequence[float]) -> float:
    """Sets the sum to 0 in each round."""
    last, n = counts[-1], sum(counts)
    return last / n * math.log2(n / last) if last else 0.0


def stops_at_nothing(counts: Sequence[float]) -> float:
    """Leaves the loop at the first count of 0."""
    n = sum(counts)
    return sum(c / n * math.log2(n / c) for c in takewhile(bool, counts))


def two_labels_only(counts: Sequence[float]) -> float:
    """Takes the second share for one minus the first."""
    p = counts[0] / sum(counts)
    return entropy_of([p, 1 - p])


def scaled(counts: Sequence[float]) -> float:
    """Makes 1 the most that there can be."""
    return entropy_of(counts) / math.log2(max(len(counts), 2))


def of_ten(counts: Sequence[float]) -> float:
    """Divides by 10, whatever the counts are."""
    return sum(c / 10 * math.log2(10 / c) for c in counts if c)


_SIGN = (
    "Entropy is never below 0. The logarithm of a fraction is negative: where does the minus sign"
    " of the formula come in?"
)
_ONE_TERM = "That is one of the two terms. Which label is missing?"
_ONE_SIGN = (
    "One of the two terms has the wrong sign. The minus sign of the formula stands before the whole"
    " sum, so it holds for both."
)
_FIRST_ONLY = (
    "It gives the first label's term and stops. Where does ``return`` stand? Indented like the"
    " lines of the loop, it ends the loop in its first round."
)
_SIX, _FOUR = 6 / 10 * math.log2(10 / 6), 4 / 10 * math.log2(10 / 4)
_GINI = "That is the Gini impurity, which CART uses instead. Entropy has logarithms in it."


def _percent(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    (one,) = outcomes  # rounded, too
    return (0,) if one.kind == "number" and abs(one.value - 100 * H_SIX_FOUR) < 1 else ()


SIX_TO_FOUR = Exercise(
    id="tax-fraud/six-to-four",
    title="The entropy of six to four",
    points=2,
    heading="six to four",
    text="""The office finds that the return in row 1 was a fraud as well. Now 6 of 10 rows say No
and 4 say Yes. Has the entropy gone up or down? Decide first; then compute it from the fractions.
(The answer may be off by 0.001.)""",
    stub="h_now = ...",
    answer="h_now",
    task=Number(H_SIX_FOUR),
    mistakes=(
        Mistake(H_SIX_FOUR * math.log(2), NATS),
        Mistake(
            H_SIX_FOUR * math.log10(2),
            BASE_TEN,
        ),
        Mistake(-H_SIX_FOUR, _SIGN),
        Mistake(
            summed((6, 4), lambda p: math.log2(1 / p)),
            "You added the two surprises as if both labels were equally frequent. An average counts"
            " each as often as it happens.",
        ),
        Mistake(
            summed((6, 4), lambda p: math.log2(1 / p)) / 2,
            "You averaged the two surprises as if both labels were equally frequent. Each counts as"
            " often as it happens.",
        ),
        Mistake(
            summed((6, 4), math.log2),
            "You added two logarithms as they are. Two things are missing: each label counts as"
            " often as it happens, and the minus sign of the formula.",
        ),
        Mistake(
            10 * H_SIX_FOUR,
            "That is for all ten rows together. The number before each logarithm is a share, not a"
            " count.",
        ),
        Mistake(
            H_SIX_FOUR - H_CHEAT,
            "That is by how much it has changed. Asked for is how large it is now.",
        ),
        Mistake(
            H_CHEAT - H_SIX_FOUR,
            "That is by how much it has changed, with the wrong sign. Asked for is how large it is"
            " now.",
        ),
        Mistake(_SIX, _ONE_TERM),
        Mistake(_FOUR, _ONE_TERM),
        Mistake(_SIX - _FOUR, _ONE_SIGN),
        Mistake(_FOUR - _SIX, _ONE_SIGN),
        Mistake(
            100 * H_SIX_FOUR,
            "That is a hundred times too much. Bits are not per cent: put the shares in as"
            " fractions of 1, and leave the sum as it is.",
            when=_percent,
        ),
        Mistake(H_CHEAT, "That is the table as it was, 7 to 3. Count the labels once more."),
        Mistake(
            1.0,
            "One bit is the entropy of two labels that are equally frequent. Are they, here?",
        ),
        Mistake(
            4 / 10,
            "That is how often the majority label is wrong: a good number, but another one. Entropy"
            " averages surprises.",
        ),
        Mistake(1 - 0.6**2 - 0.4**2, _GINI),
    ),
    more="Two terms, one for each label: its share, times the logarithm of one over its share."
    " ``math.log2(10/4)`` is the surprise of a label that 4 of 10 rows have.",
    solution="h_now = 6 / 10 * math.log2(10 / 6) + 4 / 10 * math.log2(10 / 4)",
    why="Six rows of ten surprise you by 0.737 bits each, four by 1.322; on average that is 0.971"
    " bits a row. It has gone up: the closer to half and half, the less you know.",
)


def _with_guard(term: Callable[[float], float]) -> Callable[[Sequence[float]], float]:
    return lambda counts: summed(counts, term)


def _trips_over_zero(counts: Sequence[float]) -> float:
    total = sum(counts)
    return -sum(c / total * math.log2(c / total) for c in counts)


def _first_term(counts: Sequence[float]) -> float:
    return counts[0] / sum(counts) * math.log2(sum(counts) / counts[0]) if counts[0] else 0.0


def _first_that_occurs(counts: Sequence[float]) -> float:
    return next(c / sum(counts) * math.log2(sum(counts) / c) for c in counts if c)


def _unpacks(counts: Sequence[float]) -> float:
    one, other = counts
    return entropy_of((one, other))


_ZERO_CASES = (2, 5, 7)


def _zero_trouble(outcomes: tuple[Outcome, ...]) -> tuple[int, ...]:
    fails = [o.kind == "raised" or (o.kind == "number" and math.isnan(o.value)) for o in outcomes]
    # An answer that always fails has other troubles.
    return _ZERO_CASES if all(fails[i] for i in _ZERO_CASES) and not fails[0] else ()


def _fresh(rng: np.random.Generator) -> tuple[Case, ...]:
    drawn = [rng.integers(0, 20, size).tolist() for size in (2, 3, 4, 5)]
    return tuple(_case(counts) for counts in drawn if sum(counts))


def _case(counts: list[int]) -> Case:
    behaviour = "one label or two" if len(counts) < 3 else "more labels than two"  # noqa: PLR2004
    if 0 in counts:
        behaviour = "a label that never occurs"
    return Case((counts,), (entropy_of(counts),), behaviour=behaviour)


ENTROPY = Exercise(
    id="tax-fraud/entropy",
    title="Entropy as a function",
    points=3,
    heading="entropy as a function",
    text="""Now for any counts: `entropy([7, 3])`, but also `entropy([1, 1, 2])` for three labels,
or `entropy([10, 0])`, where one label never occurs and adds nothing.""",
    stub="""def entropy(counts):
    # your lines, in place of the dots
    ...""",
    answer="entropy",
    task=Code(
        "entropy",
        (
            _case([5, 5]),
            _case([7, 3]),
            _case([10, 0]),
            _case([1, 1, 2]),
            _case([1, 1, 1, 1]),
            _case([0, 6, 2]),
            _case([4]),
            _case([6, 2, 0]),
        ),
        tolerance=0.001,
        fresh=_fresh,
    ),
    mistakes=(
        Mistake(
            _trips_over_zero,
            "A class without any rows makes it stumble: the logarithm of 0 does not exist. What"
            " should a label that never occurs add to the average?",
            when=_zero_trouble,
        ),
        Mistake(
            _unpacks,
            "It takes the counts for just two, and there may be any number of them: the counts have"
            " to be gone through in a loop.",
            when=stops("ValueError", "unpack"),
        ),
        Mistake(_with_guard(lambda p: p * math.log(1 / p)), NATS),
        Mistake(_with_guard(lambda p: p * math.log2(p)), _SIGN),
        Mistake(
            lambda counts: -sum(c * math.log2(c) for c in counts if c),
            "It puts the counts into the formula as they are. The formula speaks of shares: of how"
            " many rows is each count?",
        ),
        Mistake(
            _with_guard(lambda p: math.log2(1 / p)),
            "It adds up the surprises without weights. An average counts each as often as it"
            " happens.",
        ),
        Mistake(
            of_ten,
            "It divides by 10, as if there were always ten rows. How many rows do the counts that"
            " it gets make together?",
        ),
        Mistake(
            by_labels,
            "It divides by how many labels there are. A share is a count divided by all the rows:"
            " how many are they together?",
        ),
        Mistake(
            _with_guard(lambda p: p * math.log10(1 / p)),
            BASE_TEN,
        ),
        Mistake(
            total_bits,
            "It gives the bits of all rows together. Entropy is an average: so many for each row.",
        ),
        Mistake(
            lambda counts: entropy_of(counts) / len(counts),
            "It divides the sum by the number of labels. The shares make it an average already.",
        ),
        Mistake(
            without_fractions,
            "``//`` throws the fraction away, and a share is nothing but a fraction.",
        ),
        Mistake(
            one_over_twice,
            "``1 / c / n`` divides twice. One over the share is ``1 / (c / n)``.",
        ),
        Mistake(
            last_term,
            "It gives the last label's term alone. Where is the sum set to 0: before the loop, or"
            " in each of its rounds?",
        ),
        Mistake(
            stops_at_nothing,
            "It stops at a label that never occurs, and those after it are left out. That one adds"
            " nothing, and the loop goes on.",
        ),
        Mistake(
            lambda counts: 0.0 if 0 in counts else entropy_of(counts),
            "It gives 0 as soon as some label never occurs. The others may still be mixed: leave"
            " out that one label, and no more.",
        ),
        Mistake(
            lambda counts: sum(
                c / sum(counts) * math.log2(sum(counts) / c) for c in counts if c > 1
            ),
            "A label that occurs once is left out. Which counts are to be skipped?",
        ),
        Mistake(_first_term, _FIRST_ONLY),
        Mistake(_first_that_occurs, _FIRST_ONLY),
        Mistake(
            two_labels_only,
            "It is right for two labels. With three, the second share is not one minus the first.",
        ),
        Mistake(
            scaled,
            "It divides by the logarithm of the number of labels, so that 1 is always the most."
            " Bits are not scaled: four equally frequent labels take more than one bit.",
        ),
        Mistake(
            lambda counts: 1 - sum((c / sum(counts)) ** 2 for c in counts),
            _GINI,
        ),
    ),
    more="Start with ``total = sum(counts)``. Then go through the counts, skip those that are 0,"
    " and add one term for each of the others.",
    solution="""def entropy(counts):
    total = sum(counts)
    bits = 0.0
    for count in counts:
        if count > 0:
            bits += count / total * math.log2(total / count)
    return bits
""",
    why="One term for each label that occurs: how often it does, times how much it surprises."
    " ``total / count`` is one over the share, so no minus sign is needed.",
)
