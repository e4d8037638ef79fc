"""Numbers as they are written: right within their digits, apart where they differ, never longer."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

from draw.shapes import ANSWERS
from dtree_lab.draw.words import AnswerAxis, Figures
from dtree_lab.tree.splits import ByValue
from dtree_lab.tree.tree import Branch, Leaf


def tree(*told):
    """A question above leaves that answer some numbers with some standard deviations."""
    leaves = tuple(Leaf((1,), (float(x), float(sd) ** 2)) for x, sd in told)
    split = ByValue(0, tuple((i,) for i in range(len(leaves))))
    return Branch((len(leaves),), split, leaves, leaves[0].values)


def written(*answers):
    figures = Figures.of(tree(*((x, 0) for x in answers)))
    return [figures.answer(float(x)) for x in answers]


def unit(text):
    """What one more in the last digit is worth."""
    return Decimal(1).scaleb(Decimal(text).as_tuple().exponent)


def roundness(text):
    """What one more in the last digit that is not 0 is worth."""
    return unit(str(Decimal(text).normalize()))


# The range of the answers may come from numbers of one size or of very different ones.
MANY = st.lists(ANSWERS, min_size=1, max_size=12) | st.lists(
    st.integers(0, 9).map(lambda i: 100 + i / 1e6), min_size=1, max_size=12
)


@given(MANY)
def test_an_answer_is_right_to_half_a_unit_of_its_last_digit(answers):
    largest = max(map(abs, answers))
    for x, text in zip(answers, written(*answers), strict=True):
        rounding = Decimal(largest) * Decimal("1e-13")
        assert abs(Decimal(text) - Decimal(x)) <= unit(text) / 2 + rounding
        assert not text.startswith("-") or float(text) < 0


@given(MANY)
def test_leaves_that_differ_look_different(answers):
    """By more than rounding, which is a billionth of the range or the 14th digit."""
    told = sorted(zip(answers, written(*answers), strict=True))
    apart = max((told[-1][0] - told[0][0]) * 2e-9, max(map(abs, answers)) * 2e-14)
    for (x, one), (y, other) in pairwise(told):
        if y - x > apart:
            assert one != other
            assert float(one) < float(other)


@given(MANY)
def test_no_answer_has_more_digits_than_it_needs(answers):
    """Decimals for four digits of the range, or for all of the different answers to differ."""
    span, largest = max(answers) - min(answers), max(map(abs, answers))
    clear = []
    for x in sorted(answers):
        if not clear or x - clear[-1] > max(span * 1e-9, largest * 1e-14):
            clear.append(x)
    needed = next(
        (d for d in range(25) if len({float(f"{x:.{d}f}") for x in clear}) == len(clear)), 25
    )
    texts = [text for text in written(*answers) if "e" not in text]
    if span > largest * 1e-13:
        assert all(unit(t) >= min(Decimal(10) ** -needed, Decimal(span) / 10000) for t in texts)
    assert all(len(t.lstrip("-").replace(".", "").lstrip("0")) <= 17 for t in texts)


@each(
    ("answers", "texts"),
    [
        ([25, 346, 152.13348], ["25", "346", "152.1"]),
        ([0.1 + 0.2, 0.3, 0.7], ["0.3", "0.3", "0.7"]),
        ([1 / 3, 2 / 3, 1.25], ["0.3333", "0.6667", "1.25"]),
        ([0, 100, 50.0001, 50.0002], ["0", "100", "50.0001", "50.0002"]),
        ([0, 100, 100 / 3, 100 / 3 + 1e-4], ["0", "100", "33.3333", "33.3334"]),
        ([-0.00001, 1, 2], ["0.000", "1", "2"]),
        ([1e12 + 0.25, 1e12 + 0.5], ["1000000000000.25", "1000000000000.5"]),
        ([1234567.891, 7654321.5], ["1234568", "7654322"]),
        ([1.2345678e20, 9e20, -2e19], ["1.235e+20", "9e+20", "-2e+19"]),
        ([1.2345678e-9, 9e-9], ["1.235e-09", "9e-09"]),
        ([0, 100, 0.03125], ["0", "100", "0.03"]),
        ([77], ["77"]),
        ([0], ["0"]),
    ],
)
def test_written_by_hand(answers, texts):
    assert written(*answers) == texts


@given(MANY, st.floats(1e-6, 1e6))
def test_a_deviation_has_two_digits_and_nothing_is_said_of_none(answers, sd):
    figures = Figures.of(tree(*((x, 0) for x in answers), (answers[0], sd)))
    assert figures.deviation(0.0) == ""
    text = figures.deviation(sd)
    if sd > max(sd, *map(abs, answers)) * 2e-14:
        assert float(text) == pytest.approx(sd, rel=0.051)
        assert abs(Decimal(text) - Decimal(sd)) <= unit(text) * Decimal("0.500001")


@pytest.mark.parametrize(
    ("sd", "text"), [(58.63, "58.6"), (2, "2"), (0.0123, "0.012"), (0.0196, "0.020"), (1e-15, "")]
)
def test_deviations_by_hand(sd, text):
    assert Figures.of(tree((0, 0), (321, 0))).deviation(sd) == text


@given(MANY)
def test_rules_tell_a_billionth(answers):
    figures = Figures.of(tree(*((x, 0) for x in answers)))
    span = max(answers) - min(answers)
    for x in answers:
        error = abs(float(figures.exact(x)) - x)
        assert error <= max(1e-9 * span, 1e-14 * max(map(abs, answers)))


# -- the axis ------------------------------------------------------------------------------------


@given(st.lists(st.tuples(ANSWERS, st.just(0.0) | st.floats(1e-12, 1e3)), min_size=1, max_size=12))
def test_the_axis_holds_every_answer_and_its_deviation_and_ends_at_round_numbers(told):
    root = tree(*told)
    axis = AnswerAxis.of(root, Figures.of(root))
    low, high = min(x - sd for x, sd in told), max(x + sd for x, sd in told)
    size = max(abs(low), abs(high))
    hair = 1e-12 * max(high - low, 1e-300) + 1e-13 * size
    assert [float(text) for text in axis.ends] == pytest.approx([axis.low, axis.high], rel=1e-9)
    assert axis.low <= low + hair
    assert axis.high >= high - hair
    assert axis.high - axis.low <= 1.25 * (high - low) + hair
    if axis.low < axis.high:
        assert (axis.share(axis.low), axis.share(axis.high)) == (0, 1)
        places = [axis.share(x) for x, _ in sorted(told)]
        assert places == sorted(places)
        # Multiples of 1, 2 or 5 times a power of ten; one step is a twentieth of all, or more.
        for text in axis.ends:
            assert text == "0" or roundness(text) >= Decimal(axis.high - axis.low) / 500


@pytest.mark.parametrize(
    ("told", "ends"),
    [
        ([(110, 0), (190, 0)], ("110", "190")),
        ([(96, 50), (226, 64)], ("40", "300")),
        ([(-0.81, 0.12), (0.873, 0.137)], ("-1", "1.1")),
        ([(0.1 + 0.2, 0), (0.1, 0)], ("0.1", "0.3")),
        ([(5, 0), (5, 0)], ("5", "5")),
    ],
)
def test_ends_by_hand(told, ends):
    root = tree(*told)
    assert AnswerAxis.of(root, Figures.of(root)).ends == ends


def test_where_all_are_one_number_it_is_in_the_middle():
    root = tree((5, 0), (5, 0))
    assert AnswerAxis.of(root, Figures.of(root)).share(5) == 0.5


def test_nodes_without_answers_have_no_axis():
    assert AnswerAxis.of(Leaf((3,)), Figures.of(Leaf((3,)))) is None
