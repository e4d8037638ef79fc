"""The exercises of lesson 2, against numbers worked by hand and what learners write."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest
from cases import each

import dtree_lab as dt
from course.laws import LEARNERS, SOME_LEARNERS, Laws, defined, exercises_of, told
from course.sources import solved
from dtree_lab.course import calls
from dtree_lab.course.checking import checked
from dtree_lab.course.lessons import guesses

GUESSES = guesses("entropy")

LOG3, LOG5, LOG7 = math.log2(3), math.log2(5), math.log2(7)


course = exercises_of("entropy")


def log2(ratio):
    """A logarithm of a fraction, in another way than by dividing first."""
    return math.log2(ratio.numerator) - math.log2(ratio.denominator)


def slow_entropy(labels):
    """Surprise by surprise, from the labels themselves."""
    shares = [Fraction(n, len(labels)) for n in Counter(labels).values()]
    return sum(float(p) * -log2(p) for p in shares)


def slow_left(heaps):
    labels = [[i for i, n in enumerate(heap) for _ in range(n)] for heap in heaps]
    rows = sum(map(len, labels))
    return sum(len(heap) * slow_entropy(heap) for heap in labels) / rows


def slow_before(heaps):
    return slow_entropy([i for heap in heaps for i, n in enumerate(heap) for _ in range(n)])


def slow_ratio(heaps):
    split = slow_before([[sum(heap) for heap in heaps]])
    return (slow_before(heaps) - slow_left(heaps)) / split if split else 0


def slow_gain(rows, attribute, target):
    values = {row[attribute] for row in rows}
    heaps = [[row[target] for row in rows if row[attribute] == v] for v in values]
    left = sum(len(heap) * slow_entropy(heap) for heap in heaps) / len(rows)
    return slow_entropy([row[target] for row in rows]) - left


class TestEntropyExercises(Laws):
    lesson = "entropy"
    others: ClassVar = {"conditional": slow_left, "gain": slow_gain, "ratio": slow_ratio}


# -- against numbers worked by hand ---------------------------------------------------------------


def test_the_lectures_table_worked_on_paper():
    """H(1/4) is 2 - 3/4 log 3, H(Y) is 3 - 5/8 log 5 - 3/8 log 3."""
    h_quarter, h_y = 2 - 3 / 4 * LOG3, 3 - 5 / 8 * LOG5 - 3 / 8 * LOG3
    wants = [case.wants[0] for case in course("conditional").task.cases]
    assert wants[:3] == pytest.approx([h_quarter / 2, h_quarter / 2 + 1 / 2, 4 / 10 + 2 / 10])
    # Four rows as 3 to 1, and six in thirds: 4/10 of 2 - 3/4 log 3, and 6/10 of log 3.
    assert wants[8] == pytest.approx(0.4 * h_quarter + 0.6 * LOG3) == pytest.approx(1.275, abs=5e-4)
    assert wants[4:7] == pytest.approx([h_y, 4 / 7 * 3 / 2, 0])
    gains = [case.wants[0] for case in course("gain").task.cases]
    assert gains[:2] == pytest.approx([h_y - h_quarter / 2, h_y - h_quarter / 2 - 1 / 2])
    # Seven rows of four senses, 2 2 2 1; the five verbs are 2 2 1 and the two nouns agree.
    senses = LOG7 - 3 * 2 / 7 - 5 / 7 * (LOG5 - 2 * 2 / 5)
    assert gains[4:] == pytest.approx([senses, 0, 0])
    ratios = [case.wants[0] for case in course("ratio").task.cases]
    assert ratios[:3] == pytest.approx([gains[0], gains[1], h_y / 3])
    assert ratios[-1] == 0


@each("name", SOME_LEARNERS)
def test_everybodys_numbers_are_right(name):
    labels = course("three-labels").of(name)
    counts = labels.data
    assert labels.task.want == pytest.approx(slow_before([counts]))
    assert 12 <= sum(counts) <= 20
    assert len(set(counts)) == 3
    answers = course("three-answers").of(name)
    heaps = list(answers.data.values())
    assert answers.task.want == pytest.approx(slow_before(heaps) - slow_left(heaps))
    assert sum(0 in heap for heap in heaps) == 1
    for one in (labels, answers):
        right = solved(one, name)
        assert checked(one, right).passed
        assert checked(one, round(right, 3)).passed
        assert not checked(one, right + 0.0021).passed
        assert "rounded" in told(checked(one, right + 0.0049))[-1]
        for mistake in one.mistakes:
            assert told(checked(one, mistake.wrong)) == [mistake.hint]


@pytest.mark.parametrize("seed", range(5))
def test_fresh_cases_agree_with_a_slow_oracle(seed):
    for name, oracle in TestEntropyExercises.others.items():
        task = course(name).task.with_fresh(seed)
        for case in task.cases:
            assert case.wants[0] == pytest.approx(oracle(*case.args), abs=1e-9)


def test_slips_that_are_near_each_other_by_chance_get_their_own_hints():
    """Two labels of three, and the plain mean of the surprises, for whoever has no name as well."""
    for name in ("", *LEARNERS[:20]):
        one = course("three-labels").of(name)
        rows = sum(one.data)
        for left_out in range(3):
            two = [n for i, n in enumerate(one.data) if i != left_out]
            (hint,) = told(checked(one, slow_before([two])))
            assert "two of the three labels" in hint, (name, two)
        mean = sum(math.log2(rows / n) for n in one.data) / 3
        assert ["averaged the surprises" in hint for hint in told(checked(one, mean))] == [True]


def test_what_the_lesson_says_in_words_is_so():
    eight = dt.datasets.two_attributes()
    after = eight.take([i for i, row in enumerate(eight.rows()) if row["X1"] == "F"])
    root, below = dt.information_gain(eight, "X2"), dt.information_gain(after, "X2")
    assert (round(root, 3), round(below, 3)) == (0.049, 0.311)
    assert 6 < below / root < 7
    assert math.isclose(slow_entropy("TTFF"), 1)
    assert slow_entropy("TTFF") > slow_entropy("TTTTTFFF") > 0.954
    assert slow_entropy("AAAABBCD") == 1.75
    assert round(slow_entropy("TFFF"), 3) == 0.811


# -- what learners write --------------------------------------------------------------------------


def function(name, source):
    space = {"dt": dt, "math": math, "np": np, "Counter": Counter}
    return defined(source, name, **space)


CONDITIONAL = """
def conditional_entropy(heaps):
    total = {total}
    result = 0
    for heap in heaps:
        n = sum(heap)
        {line}
    {back}
"""
ALL, ADDED, BACK = "sum(map(sum, heaps))", "result += n / total * dt.entropy(heap)", "return result"
OWN = "result {} n / total * sum(c / n * math.log2(c / n) for c in heap{})"
IN_ALL = "result += n / total * -sum(c / total * math.log2(c / total) for c in heap if c)"
GAIN = """
def information_gain(rows, attribute, target):
    def h(labels):
        return dt.entropy([labels.count(one) for one in set(labels)])
    gain = h([row[target] for row in rows])
    for value in {values}:
        heap = [row[{target}] for row in rows if row[attribute] == value]
        {line}
    return gain
"""
VALUES = "set(row[attribute] for row in rows)"
LESS_OF = LESS = "gain -= len(heap) / len(rows) * h(heap)"
RATIO = """
def gain_ratio(heaps):
    n = sum(map(sum, heaps))
    before = dt.entropy([sum(column) for column in zip(*heaps)])
    gain = before - sum(sum(heap) / n * dt.entropy(heap) for heap in heaps)
    split = {split}
    return {back}
"""
# What everybody writes after eight rows of T and F, and who keeps to the names of those rows.
TRUES_AND_FALSES = (
    "gain",
    "information_gain",
    """
def information_gain(rows, attribute, target):
    def h(part):
        labels = [row[target] for row in part]
        return dt.entropy([labels.count("T"), labels.count("F")])
    heaps = [[row for row in rows if row[attribute] == value] for value in ("T", "F")]
    return h(rows) - sum(len(heap) / len(rows) * h(heap) for heap in heaps)
""",
)
NAMES_OF_THE_LESSON = (
    "gain",
    "information_gain",
    GAIN.replace("row[attribute]", "row['X1']")
    .format_map({"values": "set(row['X1'] for row in rows)", "target": "'Y'", "line": LESS_OF})
    .replace("row[target]", "row['Y']"),
)
SIZES, GUARDED = "dt.entropy([sum(heap) for heap in heaps])", "gain / split if split else 0"


def conditional(total=ALL, line=ADDED, back=BACK):
    return "conditional", "conditional_entropy", CONDITIONAL.format_map(locals())


def gain(values=VALUES, target="target", line=LESS):
    return "gain", "information_gain", GAIN.format_map(locals())


def ratio(split=SIZES, back=GUARDED):
    return "ratio", "gain_ratio", RATIO.format_map(locals())


SAID = [  # what a learner wrote, and words of the only hint
    (conditional(total="8"), "divides by 8"),
    (conditional(total="len(heaps)", line="result += dt.entropy(heap) / total"), "equally large"),
    (conditional(line="result += dt.entropy(heap)"), "as they are"),
    (conditional(line="result += n * dt.entropy(heap)"), "divide by the number of all"),
    (conditional(line="result = n / total * dt.entropy(heap)"), "Only the last heap"),
    (conditional(back="    return result"), "``return``"),
    (
        conditional(line="result += n / total * dt.entropy([max(heap), n - max(heap)])"),
        "right for two labels",
    ),
    (conditional(line="result += n / total * dt.entropy(list(set(heap)))"), "A set holds each"),
    (conditional(line="if 0 not in heap: result += n / total * dt.entropy(heap)"), "whole heap"),
    (conditional(line="result += n / total * dt.entropy(heap) * all(heap)"), "whole heap"),
    (conditional(line=OWN.format("-=", "")), "logarithm of 0"),
    (conditional(line=OWN.format("-=", " if c").replace("log2", "log")), "nats"),
    (conditional(back="return dt.entropy([sum(c) for c in zip(*heaps)]) - result"), "the gain"),
    (conditional(total="sum(h[0] for h in heaps)"), ""),
    (conditional(line="print(result)", back="pass"), "``print``"),
    (conditional(line="result += n / rows * dt.entropy(heap)"), "``rows``"),
    (gain(values="[row[attribute] for row in rows]"), "``set(...)``"),
    (gain(values="('T', 'F')", line="gain -= len(heap) / len(rows) * h(heap) if heap else 0"), ""),
    (gain(target="'target'"), "KeyError"),
    (gain(target="'Y'"), "KeyError"),
    (gain(line="gain -= h(heap)"), "as they are"),
    (gain(line=f"gain -= h(heap) / len({VALUES})"), "equally large"),
    (gain(line="gain += len(heap) / len(rows) * h(heap)"), "adds what is left"),
    (ratio(back="gain / split"), "divide by it"),
    (ratio(back="gain"), "still to be divided"),
    (ratio(back="split / gain if gain else 0"), "upside down"),
    (ratio(back="gain * split"), "multiplies"),
    (ratio(split="len(heaps)"), "number of heaps"),
    (ratio(split="math.log2(len(heaps))"), "logarithm of the number"),
    (ratio(split="before"), "H(Y)"),
    (ratio(split=f"{SIZES} * math.log(2)"), "different logarithms"),
    (ratio(back="gain / split if split else 1"), "0 is asked for"),
    (ratio(back="gain / split if split else before"), "0 is asked for"),
    (ratio(back="(1 - before + gain) / split if split else 0"), "one bit"),
    (ratio(back="gain - split"), "takes the split information off"),
    (ratio(split="dt.entropy([len(heap) for heap in heaps])"), "``len(heap)``"),
    (conditional(line="result += len(heap) / total * dt.entropy(heap)"), "number of labels"),
    (conditional(line="result += n / len(heaps) * dt.entropy(heap)"), "number of heaps"),
    (conditional(line="result += dt.entropy(heap) / 2"), "one half"),
    (conditional(back="return result / len(heaps)"), "once more"),
    (conditional(back="return -result"), "sign"),
    (conditional(back="return round(result, 2)"), "rounds"),
    (conditional(back="return [dt.entropy(heap) for heap in heaps]"), "each heap"),
    (conditional(back="return max(dt.entropy(heap) for heap in heaps)"), "largest"),
    (conditional(back="return dt.entropy([c for heap in heaps for c in heap])"), "*together*"),
    (conditional(total="sum(heaps)"), "add lists"),
    (conditional(back="one, other = heaps\n    return result"), "just two heaps"),
    (conditional(line=IN_ALL), "*all* rows"),
    (gain(line="gain -= len(heap) / len(rows) * h(heap)\n        return gain"), "one heap"),
    (gain(line="left = h(heap)\n    gain -= len(heap) / len(rows) * left"), "one heap"),
    (gain(target="attribute"), "labels"),
    (gain(line="gain -= len(heap) / len(rows) * dt.entropy(heap)"), "counts"),
    (gain(line="return dt.information_gain(rows, attribute)"), "``dt.Table``"),
    (gain(values="set(row.attribute for row in rows)"), "square brackets"),
    (TRUES_AND_FALSES, "take them from the rows"),
    (gain(values="('T', 'F')"), "take them from the rows"),
    (gain(line="gain -= 0.5 * h(heap)"), "one half"),
    (gain(line="return dt.information_gain(dt.datasets.two_attributes(), attribute)"), "eight"),
    (NAMES_OF_THE_LESSON, "KeyError"),
]


@each(("wrote", "words"), SAID)
def test_what_learners_write_gets_its_hint_and_no_other(wrote, words):
    exercise, name, source = wrote
    result = checked(course(exercise), function(name, source))
    assert not result.passed
    if words:
        assert len(told(result)) == 1, str(result)
        assert words in told(result)[0], str(result)
    else:  # not foreseen, and so nothing false is said
        assert told(result) == [], str(result)


def test_trouble_elsewhere_is_not_taken_for_trouble_with_a_label_that_is_missing():
    exercise, _, right = conditional()
    right = function("conditional_entropy", right)

    def two_labels_only(heaps):
        for heap in heaps:
            _a, _b = heap
        return right(heaps)

    def two_of_each(heaps):
        (_a, _b), (_c, _d) = heaps
        return right(heaps)

    def the_first_two(heaps):
        return right([heaps[0], heaps[1]])

    (hint,) = told(checked(course(exercise), two_labels_only))
    assert "just two labels" in hint
    hints = told(checked(course(exercise), two_of_each))
    assert [("two heaps" in hint, "two labels" in hint) for hint in hints] == [
        (True, False),
        (False, True),
    ]
    (hint,) = told(checked(course(exercise), the_first_two))
    assert "looks at two heaps" in hint


@pytest.mark.parametrize(
    "wrote",
    [
        conditional(line=OWN.format("-=", " if c")),
        gain(line="gain = gain - h(heap) * len(heap) / len(rows)"),
        ratio(split="dt.entropy(np.array(heaps).sum(axis=1))"),
    ],
)
def test_other_ways_are_as_good(wrote):
    exercise, name, source = wrote
    assert checked(course(exercise), function(name, source)).passed


# -- what is done in a lab -------------------------------------------------------------------------


def act(lab, **fields):
    for control, text in fields.items():
        lab.act({"do": "set", "control": control.replace("_", " "), "value": text})
    return lab


@pytest.mark.parametrize("p", ["0.11", "0,89", "11 %", "1/9", "0.108"])
def test_either_half_of_the_curve_and_any_way_of_typing_will_do(p):
    lab = act(dt.EntropyLab(), typed=p)
    assert checked(course("half-a-bit"), lab).passed
    assert checked(course("half-a-bit"), lab.state).passed


@each(
    ("p", "words"),
    [
        ("0.25", "axis of p"),
        ("0.75", "axis of p"),
        ("0.5", "top of the curve"),
        ("0", "certain of the label"),
        ("1", "certain of the label"),
        ("0.12", "too uncertain"),
        ("0.85", "too uncertain"),
        ("0.1", "too certain"),
        ("0.95", "too certain"),
    ],
)
def test_a_point_elsewhere_gets_its_hint(p, words):
    (hint,) = told(checked(course("half-a-bit"), act(dt.EntropyLab(), typed=p)))
    assert words in hint


def test_an_untouched_lab_is_no_answer():
    paper = dt.Practice(dt.datasets.tax_fraud(), "Marital Status", at={"Refund": "No"})
    assert checked(course("half-a-bit"), dt.EntropyLab()).verdict == "NOT ANSWERED YET"
    assert checked(course("practice"), paper).verdict == "NOT ANSWERED YET"


def test_a_lab_of_another_table_is_a_clear_line():
    eight = dt.datasets.two_attributes()
    for name, lab in (("half-a-bit", dt.EntropyLab(eight)), ("practice", dt.Practice(eight))):
        result = checked(course(name), lab)
        assert "another table" in result.lines[0].says


SHEET = (
    {"n_0_0": "1", "n_0_1": "2", "p_0": "3/7", "h_0": "0.918"}
    | {"n_1_0": "3", "n_1_1": "0", "p_1": "0.429", "h_1": "0"}
    | {"n_2_0": "0", "n_2_1": "1", "p_2": "1/7", "h_2": "0.000"}
    | {"before": "0.985", "left": "0.3936", "gain": "0.591"}
)


def sheet(**changes):
    lab = dt.Practice(dt.datasets.tax_fraud(), "Marital Status", at={"Refund": "No"})
    return act(lab, **{key: text for key, text in (SHEET | changes).items() if text})


def test_a_sheet_filled_in_by_hand_passes_within_its_tolerance():
    assert checked(course("practice"), sheet()).passed
    assert checked(course("practice"), sheet().state).passed


@each(
    ("changes", "words", "points"),
    [
        ({"gain": "?"}, "was shown", 2),
        ({"gain": "", "left": ""}, "still empty", 2),
        ({"left": "0.306", "gain": "0.679"}, "equally large", 2),
        ({"h_0": "0.637"}, "natural logarithm", 2),
        ({"p_0": "3/10"}, "whole table", 2),
        ({"p_2": "14.3 %"}, "", 2),
    ],
)
def test_a_sheet_with_a_mistake_gets_points_for_the_rest(changes, words, points):
    result = checked(course("practice"), sheet(**changes))
    hints = told(result)
    assert any(words in hint for hint in hints) if words else not hints, str(result)
    assert result.score == pytest.approx(points)


def test_a_lab_is_read_however_busy_the_machine_is(monkeypatch):
    monkeypatch.setattr(calls, "SECONDS", 0.0)  # what an answer's own program may take
    assert checked(course("practice"), sheet()).passed


def test_another_exercise_of_the_lab_is_named():
    lab = dt.Practice(dt.datasets.tax_fraud(), "Refund")
    lab.act({"do": "set", "control": "before", "value": "0.881"})
    result = checked(course("practice"), lab)
    assert "another exercise" in told(result)[0]
    assert result.score == 0


def test_the_guesses_are_right():
    kept = {name.partition("/")[2]: guess.answer for name, guess in GUESSES.items()}
    assert [kept.pop(name) for name in ("negative", "coin")] == [None, None]  # worked out there
    five_three, quarter = slow_entropy("TTTTTFFF"), slow_entropy("TFFF")
    left = {"X1": quarter / 2, "X2": quarter / 2 + 1 / 2}
    below = quarter - 1 / 2  # X1 = F: one heap half and half, the other pure
    assert kept == {
        "questions": 1 / 2 * 1 + 1 / 4 * 2 + 1 / 4 * 3,
        "a-quarter": "more" if quarter > 1 / 2 else "less",
        "x1-or-x2": min(left, key=left.get),
        "worse": "more" if slow_entropy("TTFF") > five_three else "less",
        "row-number": pytest.approx(five_three),
        "after-x1": "more" if below > five_three - left["X2"] else "less",
    }
