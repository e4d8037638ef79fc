"""The exercises of lesson 1, against tables and trees worked by hand."""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from itertools import pairwise
from typing import ClassVar

import pytest
from cases import each

import dtree_lab as dt
from course.laws import Laws, exercises_of, loops, prints, told
from course.sources import solved
from dtree_lab.course.checking import checked
from dtree_lab.labs.treebuilder.model import dump, update
from dtree_lab.labs.treebuilder.state import Ask, start

EXERCISES = dt.course.exercises("tax-fraud")
LOG3, LOG5, LOG7 = math.log2(3), math.log2(5), math.log2(7)


LECTURES_TREE = dt.by_hand(
    dt.datasets.tax_fraud(),
    {
        (): "Refund",
        (1,): ("Marital Status", [["Married"], ["Single", "Divorced"]]),
        (1, 1): ("Taxable Income", 80),
    },
)


def most_common(labels):
    return Counter(labels).most_common(1)[0][0]


class TestExercises(Laws):
    lesson = "tax-fraud"
    others: ClassVar = {
        "follow": LECTURES_TREE.predict,
        "majority": most_common,
        "entropy": dt.entropy,
    }


def test_no_hint_gives_the_cuts_away():
    assert not any(re.search(r"97|80", mistake.hint) for mistake in SMALL.mistakes)


def test_an_untouched_builder_is_no_answer():
    assert checked(SMALL, dt.TreeBuilder(dt.datasets.tax_fraud())).verdict == "NOT ANSWERED YET"


# -- against numbers worked by hand ---------------------------------------------------------------


def test_the_numbers_are_those_worked_by_hand():
    numbers = [e for e in EXERCISES if e.task.kind == "number" and not e.own]
    wanted = {e.id: e.task.want for e in numbers}
    h_six_four = 1 + LOG5 - 6 / 10 * (1 + LOG3) - 4 / 10 * 2  # log2(10) less what is known
    after_refund = 7 / 10 * (LOG7 - 4 / 7 * 2 - 3 / 7 * LOG3)  # three rows are pure
    after_status = 4 / 10 + 2 / 10  # Single is 2 to 2, Divorced 1 to 1, Married is pure
    assert wanted == pytest.approx(
        {
            "tax-fraud/six-to-four": h_six_four,
            "tax-fraud/cost": after_refund - after_status,
        }
    )


@each("name", ["", *(f"person {i}" for i in range(40))])
def test_what_an_office_has_left_is_the_logarithms_of_its_fractions(name):
    one = next(e for e in EXERCISES if e.id == "tax-fraud/after-refund").of(name)
    left = 0.0
    for counts in one.data.values():
        for n in counts:
            left -= n / 20 * (math.log2(n) - math.log2(sum(counts)))
    assert sum(map(sum, one.data.values())) == 20
    assert one.task.want == pytest.approx(left)
    assert checked(one, round(left, 3)).passed
    # Every slip is far enough from the answer and from the others to be told apart.
    numbers = sorted([left, *(mistake.wrong for mistake in one.mistakes)])
    assert min(b - a for a, b in pairwise(numbers)) > 0.005
    # The other way round: the returns sorted by Cheat, and the refunds counted. Then the sizes.
    turned = 0.0
    for counts in zip(*one.data.values(), strict=True):
        for n in counts:
            turned -= n / 20 * (math.log2(n) - math.log2(sum(counts)))
    assert "other way round" in told(checked(one, turned))[0]
    shares = [sum(counts) / 20 for counts in one.data.values()]
    assert "heaps' sizes" in told(checked(one, -sum(p * math.log2(p) for p in shares)))[0]
    for share, counts in zip(shares, one.data.values(), strict=True):
        n = sum(counts)
        term = -share * sum(c / n * math.log2(c / n) for c in counts)
        assert "the other one add" in told(checked(one, term))[0]
    assert "tenths" in told(checked(one, 2 * left))[0]
    assert "number of rows" in told(checked(one, 20 * left))[0]


def test_the_entropies_wanted_are_those_worked_by_hand():
    exercise = next(e for e in EXERCISES if e.id == "tax-fraud/entropy")
    by_hand = {
        (5, 5): 1,
        (7, 3): 1 + LOG5 - 7 / 10 * LOG7 - 3 / 10 * LOG3,
        (10, 0): 0,
        (1, 1, 2): 3 / 2,
        (1, 1, 1, 1): 2,
        (0, 6, 2): 2 - 3 / 4 * LOG3,
        (4,): 0,
        (6, 2, 0): 2 - 3 / 4 * LOG3,
    }
    assert {tuple(c.args[0]): c.wants[0] for c in exercise.task.cases} == pytest.approx(by_hand)


def test_the_function_wanted_is_the_lectures_tree():
    for case in course("follow").task.cases:
        assert case.wants == (LECTURES_TREE.predict(case.args[0]),)


def test_no_row_is_like_the_disputed_person():
    rows = dt.datasets.tax_fraud().rows()
    alike = [r for r in rows if (r["Refund"], r["Marital Status"]) == ("No", "Divorced")]
    assert [row["Taxable Income"] for row in alike] == [95]


# -- numbers and trees are judged by what they are worth ------------------------------------------


@pytest.mark.parametrize("off", [-0.001, 0.0005, 0.001])
def test_a_number_may_be_off_by_the_tolerance_that_is_stated(off):
    exercise = next(e for e in EXERCISES if e.id == "tax-fraud/six-to-four")
    assert checked(exercise, exercise.task.want + off).passed
    wrong = checked(exercise, exercise.task.want + 2.1 * math.copysign(0.001, off))
    assert "0.001 either way" in wrong.lines[0].says


SMALL = next(e for e in EXERCISES if e.id == "tax-fraud/small-tree")


def grown(table, *questions):
    """A builder in which a person has asked some questions: (path, attribute[, cut])."""
    state = start(table)
    for path, *question in questions:
        state = update(state, Ask(path, *question))
    return dt.TreeBuilder(table, state=dump(state))


def test_any_small_tree_counts_and_in_any_form():
    asked = ((), "Taxable Income", 80), ((1,), "Taxable Income", 97.5)
    builder = grown(dt.datasets.tax_fraud(), *asked)
    assert builder.tree.n_nodes == 5
    for form in (builder, builder.state, builder.tree, builder.tree.to_json()):
        assert checked(SMALL, form).passed, form


def test_a_tree_gets_points_for_each_goal():
    table = dt.datasets.tax_fraud()
    assert checked(SMALL, dt.id3(table)).score == pytest.approx(2)
    assert checked(SMALL, dt.stump(table)).score == pytest.approx(2)


def test_a_tree_of_another_table_or_a_damaged_text_is_a_clear_line():
    other = grown(dt.datasets.word_sense(), ((), "pos"))
    for form in (other, other.state, other.tree, "{", '{"format":"dtree_lab.TreeBuilder/1"}'):
        result = checked(SMALL, form)
        assert not result.passed
        assert result.lines[0].says.startswith("the answer cannot be read: "), str(result)


def test_a_tree_alone_is_not_said_to_be_grown_by_hand():
    table = dt.datasets.tax_fraud()
    small = dt.c45(table)
    for form in (small, small.to_json()):
        result = checked(SMALL, form)
        assert result.passed
        assert "grown by hand" not in str(result)
        assert "does not show how it was grown" in str(result)
    builder = grown(table, ((), "Taxable Income", 97.5), ((0,), "Taxable Income", 80))
    assert "grown by hand" in str(checked(SMALL, builder))


def test_the_lectures_own_tree_can_be_grown_in_the_builder():
    """As the lesson invites to: with two values taken together in one branch."""
    together = [["Married"], ["Single", "Divorced"]]
    asked = ((), "Refund"), ((1,), "Marital Status", together), ((1, 1), "Taxable Income", 80)
    assert grown(dt.datasets.tax_fraud(), *asked).tree == LECTURES_TREE


# -- answers of learners --------------------------------------------------------------------------

EMPTY = [
    "...",
    "pass",
    "# your lines",
    '"""What it does."""',
    '"""What it does."""\n...\npass',
    "return None",
]
FORGOTTEN = {
    "majority": "best = max(set(given), key=given.count)",
    "follow": 'if given["Refund"] == "Yes":\n    "No"\nelse:\n    "Yes"\nanswer = "No"',
    "entropy": "n = sum(given)\nbits = -sum(c / n * math.log2(c / n) for c in given if c)",
}


def function(body):
    lines = body.splitlines()
    if all(line.startswith("#") for line in lines):
        lines.append("pass")  # a comment alone is no function in Python
    source = "import math\ndef answer(given):\n" + "".join(f"    {line}\n" for line in lines)
    space = {}
    exec(source, space)  # noqa: S102 - our own
    return space["answer"]


course = exercises_of("tax-fraud")


@each("name", FORGOTTEN)
@each("body", EMPTY)
def test_a_function_without_a_body_is_not_answered(name, body):
    assert checked(course(name), function(body)).verdict == "NOT ANSWERED YET"


@pytest.mark.parametrize("name", FORGOTTEN)
def test_a_forgotten_return_is_an_answer_and_is_named(name):
    result = checked(course(name), function(FORGOTTEN[name]))
    assert result.verdict == "NOT YET"
    assert result.answered
    assert result.score == 0
    assert ["``return``" in hint for hint in told(result)] == [True]


AT_THE_END = """
if given["Refund"] == "Yes"{}:
    return "No"
if given["Marital Status"] == {}:
    return "No"
return {}
"""
BY_INCOME = '"No" if given["Taxable Income"] < 80 else "Yes"'
BY_79 = '"Yes" if given["Taxable Income"] > 79 else "No"'
OPEN, HIGH = 'given["Refund"] == "No"', 'given["Taxable Income"] >= 80'
ONE, OTHER = (f'given["Marital Status"] == "{status}"' for status in ("Single", "Divorced"))
COUNTED = "yes, no = given.count('Yes'), given.count('No')\nreturn 'Yes' if yes {} no else 'No'"
SUMMED = (
    "bits = 0\nfor c in given:\n    p = c / {}\n    if p:\n        bits {} p * {}(p)\n{}return bits"
)

ONLY_IF = (
    "if {}:\n    return 0\nn = sum(given)\nreturn -sum(c / n * math.log2(c / n) for c in given)"
)
OF_ALL_ROWS, OVER_LABELS = "return bits * sum(given)", "return bits / len(given)"
STOPS = "    if not c:\n        break\n"

SAID = [  # the exercise, what a learner wrote, and words of the only hint
    ("follow", AT_THE_END.format(' or "Married"', '"Married"', BY_INCOME), "comparison of its own"),
    ("follow", AT_THE_END.format("", '"Single" or "Divorced"', BY_INCOME), "comparison of its own"),
    ("follow", AT_THE_END.format("", '"married"', BY_INCOME), "spelt as in the table"),
    ("follow", AT_THE_END.format("", '"Married"', BY_INCOME).replace("Yes", "yes", 1), "capital"),
    ("follow", AT_THE_END.format("", '"Married"', BY_INCOME.replace("Yes", "yes")), "letters"),
    ("follow", f"return 'Yes' if {OPEN} and {ONE} or {OTHER} and {HIGH} else 'No'", "brackets"),
    ("follow", f"return 'Yes' if {OPEN} and {OTHER} or {ONE} and {HIGH} else 'No'", "brackets"),
    ("follow", f"return 'Yes' if {OPEN} and {HIGH} and {OTHER} or {ONE} else 'No'", "brackets"),
    ("follow", f"return 'Yes' if {OPEN} and {HIGH} and {ONE} or {OTHER} else 'No'", "brackets"),
    ("follow", f"return 'Yes' if {ONE} or {OTHER} and {HIGH} and {OPEN} else 'No'", "brackets"),
    ("follow", AT_THE_END.format("", '"Married"', BY_79), "whole number"),
    ("follow", "return given[Refund]", "``Refund``"),
    ("follow", AT_THE_END.format("", '"Married"', BY_INCOME.replace('"Tax', '"tax')), "KeyError"),
    (
        "follow",
        AT_THE_END.format("", '"Married"', BY_INCOME).replace('"Yes"', '"No"', 1),
        "changed places",
    ),
    (
        "follow",
        AT_THE_END.format("", '"Married"', BY_INCOME).replace('s"] ==', 's"] !='),
        "other way round",
    ),
    ("follow", AT_THE_END.format("", '"Married"', '"Yes"'), "never asked about"),
    ("follow", AT_THE_END.format("", '"Married"', BY_INCOME.replace("80", '"80"')), "a number"),
    ("follow", AT_THE_END.format("", '"Married"', BY_INCOME.replace("80", "80000")), "thousands"),
    (
        "follow",
        "given = {'Refund': 'No'}\nreturn 'No' if given['Refund'] == 'Yes' else 'Yes'",
        "to everybody",
    ),
    ("majority", "return min(set(given), key=given.count)", "rarest"),
    ("majority", COUNTED.format(">"), "only the labels Yes and No"),
    ("majority", COUNTED.format(">="), "only the labels Yes and No"),
    ("majority", "return [max(set(given), key=given.count)]", "a list"),
    ("majority", "return Counter(given).most_common(1)[0][0]", "``Counter``"),
    ("majority", "from collections import Counter\nreturn Counter(given).most_common(1)", "a list"),
    (
        "majority",
        "from collections import Counter\nreturn Counter(given).most_common(1)[0]",
        "pair",
    ),
    ("entropy", SUMMED.format(10, "-=", "math.log2", ""), "divides by 10"),
    ("entropy", SUMMED.format("sum(given)", "-=", "math.log2", "    "), "``return``"),
    ("entropy", SUMMED.format("sum(given)", "-=", "math.log2", "        "), "``return``"),
    ("entropy", SUMMED.format("sum(given)", "-=", "log2", ""), "``log2``"),
    ("entropy", SUMMED.format("len(given)", "-=", "math.log2", ""), "how many labels there are"),
    ("entropy", SUMMED.format("sum(given)", "-=", "math.log10", ""), "base 10"),
    (
        "entropy",
        SUMMED.format("sum(given)", "-=", "math.log2", "").replace("c /", "c //"),
        "throws",
    ),
    (
        "entropy",
        SUMMED.format("sum(given)", "-=", "math.log2", "").replace("return bits", OF_ALL_ROWS),
        "of all rows together",
    ),
    (
        "entropy",
        SUMMED.format("sum(given)", "-=", "math.log2", "").replace("return bits", OVER_LABELS),
        "by the number of labels",
    ),
    (
        "entropy",
        SUMMED.format("sum(given)", "-=", "math.log2", "").replace(
            "    p =", "    bits = 0\n    p ="
        ),
        "last label",
    ),
    (
        "entropy",
        SUMMED.format("sum(given)", "-=", "math.log2", "").replace("    if p", STOPS + "    if p"),
        "the loop goes on",
    ),
    ("follow", "return 'No' if given.Refund == 'Yes' else 'Yes'", "square brackets"),
    ("entropy", ONLY_IF.format("0 in given"), "as soon as some label"),
    (
        "entropy",
        SUMMED.format("sum(given)", "-=", "math.log2", "").replace("if p:", "if c > 1:"),
        "occurs once",
    ),
    (
        "entropy",
        "a, b = given\nn = a + b\nreturn -sum(c / n * math.log2(c / n) for c in (a, b) if c)",
        "for just two",
    ),
    (
        "entropy",
        "n = sum(given)\nreturn sum(c / n * math.log2(1 / c / n) for c in given if c)",
        "divides twice",
    ),
    (
        "entropy",
        "n = sum(given)\nm = max(given) / n\nreturn -sum(p * math.log2(p) for p in (m, 1 - m))",
        "right for two labels",
    ),
    (
        "follow",
        """
if given["Refund"] == "Yes":
    return "No"
single, high = given["Marital Status"] == "Single", given["Taxable Income"] >= 80
return "Yes" if single or given["Marital Status"] == "Divorced" and high else "No"
""",
        "binds ``and`` closer",
    ),
    (
        "entropy",
        SUMMED.format("sum(given)", "-=", "math.log2", "").replace("bits = 0\n", ""),
        "start",
    ),
]


@each(("name", "body", "words"), SAID)
def test_what_learners_write_gets_its_hint_and_no_other(name, body, words):
    result = checked(course(name), function(body.strip()))
    assert not result.passed
    assert len(told(result)) == 1, str(result)
    assert words in told(result)[0], str(result)


@pytest.mark.parametrize("label", ["yes", "YES", "Yes "])
def test_a_label_in_other_letters_is_named(label):
    right = solved(course("follow"))
    result = checked(course("follow"), lambda row: label if right(row) == "Yes" else "No")
    assert [hint for hint in told(result) if "other letters" in hint] == told(result) != []


def test_likeness_in_some_cases_is_no_diagnosis():
    """Another tree, and one number the wrong way round: foreseen mistakes explain a part of it."""
    id3 = dt.id3(dt.datasets.tax_fraud())
    for wrong in (id3.predict, lambda row: "No" if row["Taxable Income"] == 85 else "Yes"):
        result = checked(course("follow"), wrong)
        assert told(result) == [], str(result)


@each(
    ("given", "words"),
    [
        (0.6 * math.log2(10 / 6) - 0.4 * math.log2(10 / 4), "wrong sign"),
        (-0.6 * math.log2(10 / 6) + 0.4 * math.log2(10 / 4), "wrong sign"),
        (97.1, "per cent"),
        (97, "per cent"),
        (9.71, "all ten rows together"),
        ((math.log2(10 / 6) + math.log2(10 / 4)) / 2, "as if both labels"),
        (math.log2(6 / 10) + math.log2(4 / 10), "as they are"),
        (0.09, "how much it has changed"),
        (-0.09, "how much it has changed"),
    ],
)
def test_an_entropy_with_one_sign_or_in_per_cent(given, words):
    assert words in told(checked(course("six-to-four"), given))[0]


@pytest.mark.parametrize("name", ["parts", "which-tree"])
def test_words_in_place_of_a_letter(name):
    result = checked(course(name), ("Marital Status", "it asks a question"))
    assert "letter" in told(result)[0]
    assert not any("not with its words" in hint for hint in told(checked(course(name), ("A", 1))))


# -- functions that misbehave ---------------------------------------------------------------------


def test_a_function_that_prints_is_told_so():
    exercise = next(e for e in EXERCISES if e.id == "tax-fraud/entropy")
    assert "``return``" in told(checked(exercise, prints))[0]
    assert "never ends" in told(checked(exercise, loops))[0]


def test_two_mistakes_in_one_answer_get_two_hints():
    exercise = next(e for e in EXERCISES if e.id == "tax-fraud/entropy")

    def both(counts):
        return -sum(c / sum(counts) * math.log(c / sum(counts)) for c in counts)

    assert len(told(checked(exercise, both))) == 2


def test_a_right_answer_that_prints_and_warns_passes():
    exercise = next(e for e in EXERCISES if e.id == "tax-fraud/majority")

    def chatty(labels):
        print(labels)  # noqa: T201
        warnings.warn("careful", stacklevel=1)
        return max(set(labels), key=labels.count)

    result = checked(exercise, chatty)
    assert result.passed
    assert [line.label for line in result.lines].count("Note") == 2


def test_an_answer_cannot_spoil_the_next_case():
    exercise = next(e for e in EXERCISES if e.id == "tax-fraud/majority")
    checked(exercise, lambda labels: labels.clear())
    assert checked(exercise, lambda labels: max(set(labels), key=labels.count)).passed
