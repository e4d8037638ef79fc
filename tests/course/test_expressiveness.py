"""The exercises of lesson 4, against trees and numbers found another way."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from typing import ClassVar

import numpy as np
import pytest
from cases import each
from effort import scaled, some

import dtree_lab as dt
from course.laws import Laws, exercises_of, hint_of, told
from course.laws import defined as function
from course.sources import needed
from dtree_lab.course.checking import checked
from dtree_lab.course.lessons import guesses
from dtree_lab.course.lessons.expressiveness import exercises
from dtree_lab.course.lessons.expressiveness.exercises import (
    NAMES,
    rows_of,
    switch,
    table_of,
    vote_of,
)
from dtree_lab.course.pages import page
from dtree_lab.labs.treebuilder.model import dump, update
from dtree_lab.labs.treebuilder.state import Ask, Finish, start

GUESSES = guesses("expressiveness")


def turned_over(row):
    says = "F"
    for value in row.values():
        says = says if value == "F" else "FT"[says == "F"]
    return says


def product_of_choices(values, labels):
    return math.prod([labels] * math.prod(values))


def fits_below(tree, rows):
    """Whether a tree fits, by sending the rows down together."""
    if isinstance(tree, str):
        return all(row["y"] == tree for row in rows)
    name, *below = tree
    heaps = [[row for row in rows if row[name] == value] for value in "FT"]
    return all(map(fits_below, below, heaps))


def smallest_of_any(rows, names):
    kinds = dict.fromkeys((*names, "y"), ("F", "T"))
    tree = dt.theory.smallest(dt.Table.from_rows(rows, target="y", kinds=kinds))
    return tree.n_nodes - tree.n_leaves


class TestExercises(Laws):
    lesson = "expressiveness"
    others: ClassVar = {
        "xor": turned_over,
        "count-concepts": product_of_choices,
        "consistent": fits_below,
        "fewest": smallest_of_any,
    }


fewest = page(exercises.__file__, "fewest").right()


course = exercises_of("expressiveness")


# -- against what is found another way -------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "Ada", "Bob", "Cem", "Dee"])
def test_what_parity_costs_is_counted(name):
    """By cutting a full tree and a line out of all nodes, level by level."""
    exercise = course("more").of(name)
    n = exercise.data["n"]
    levels = sum(len(list(product("FT", repeat=depth))) for depth in range(n))
    assert exercise.task.want == levels - n
    wrong = [m.wrong for m in exercise.mistakes]
    assert len(set(wrong)) == len(wrong)
    assert exercise.task.want not in wrong


def test_what_parity_costs_is_what_grown_trees_say():
    def questions(name, n):
        tree = dt.id3(dt.datasets.truth_table(name, n))
        return tree.n_nodes - tree.n_leaves

    by_n = {course("more").of(str(i)).data["n"]: course("more").of(str(i)) for i in range(40)}
    assert set(by_n) == set(range(7, 14))
    for n in (7, 8, 9):
        assert by_n[n].task.want == questions("xor", n) - questions("or", n)


def test_the_parities_wanted_are_those_of_the_truth_tables():
    for case in course("xor").task.cases:
        values = list(case.args[0].values())
        table = dt.datasets.truth_table("xor", len(values))
        row = next(r for r in table.rows() if [r[n] for n in table.names] == values)
        assert case.wants == (row["xor"],)


def test_concepts_are_counted_by_listing_them():
    for case in course("count-concepts").task.cases:
        values, labels = case.args
        instances = len(list(product(*(range(v) for v in values))))
        if labels**instances <= 5_000:
            assert case.wants == (sum(1 for _ in product(range(labels), repeat=instances)),)


def test_whether_trees_fit_is_as_read_by_eye():
    wanted = [True, False, False, False, True, False, True, False, False, False]
    assert [case.wants[0] for case in course("consistent").task.cases] == wanted


def test_the_trees_for_and_are_these_four():
    said = [t for t in dt.theory.written_trees(2) if dt.theory.concept_of(t, 2) == "FFFT"]
    assert said == [
        ("a1", "F", ("a2", "F", "T")),
        ("a1", ("a2", "F", "F"), ("a2", "F", "T")),
        ("a2", "F", ("a1", "F", "T")),
        ("a2", ("a1", "F", "F"), ("a1", "F", "T")),
    ]
    assert course("and-trees").task.want == len(said)


def smallest_of(rows):
    table = dt.Table.from_rows(rows, target="y", kinds=dict.fromkeys((*NAMES, "y"), ("F", "T")))
    tree = dt.theory.smallest(table)
    return tree.n_nodes - tree.n_leaves, table


def test_the_smallest_trees_are_the_librarys():
    tables = (table_of("".join(one), 3) for one in product("FT.", repeat=8) if one[0] != "T")
    for rows in some((rows for rows in tables if len(rows) in (5, 7)), every=9):
        want, table = smallest_of(rows)
        assert fewest(rows, NAMES) == want
        grown = dt.id3(table)
        id3 = grown.n_nodes - grown.n_leaves
        assert exercises.greedy(rows, NAMES) <= id3 <= exercises.greedy(rows, NAMES, max)
        assert exercises.most(rows, NAMES) >= id3 >= want


def test_the_switch_is_the_rule_in_words():
    for row in switch().rows():
        assert row["y"] == (row["a2"] if row["a1"] == "T" else row["a3"])
    assert dt.theory.smallest(switch()).n_nodes == 7 < dt.id3(switch()).n_nodes


# -- what learners write ---------------------------------------------------------------------------

XORS = [
    ('return "T" if "T" in row.values() else "F"', "that is OR"),
    ('return "T" if row["a1"] != row["a2"] else "F"', "compares a1 with a2"),
    ('return sum(v == "T" for v in row.values()) % 2 == 1', "truth value"),
    ('return sum(v == "T" for v in row.values()) % 2', "a number"),
    ('return "T" if sum(v == "T" for v in row.values()) % 2 == 0 else "F"', "wrong way round"),
    ('return "T" if sum(v == "T" for v in row.values()) == 1 else "F"', "exactly one"),
    ('return "T" if len(set(row.values())) == 2 else "F"', "all alike"),
    ('return "T" if list(row).count("T") % 2 else "F"', "*names*"),
    ('return "T" if sum(v is True for v in row.values()) % 2 else "F"', "``True``"),
    ('for v in row.values():\n        return "T" if v == "T" else "F"', "first value alone"),
    (
        'odd = False\n    for v in row.values(): odd = odd != v\n    return "T" if odd else "F"',
        "T of every row",
    ),
    ('return "T" if all(v == "T" for v in row.values()) else "F"', "that is AND"),
    ('return "T" if list(row.values()).count("F") % 2 else "F"', "counts the F values"),
    ('return "T" if len(row) % 2 else "F"', "not empty"),
    ('return "T" if [row["a1"], row["a2"], row["a3"]].count("T") % 2 else "F"', "by name"),
    ('return "T" if sum(row.values()) % 2 else "F"', "texts"),
    ('return "T" if row.values().count("T") % 2 else "F"', "cannot count"),
    ("return row.values()[0]", "have no places"),
    ('return "T" if len(row.values()[0]) + 1 else "F"', "have no places"),
    ('return "t" if list(row.values()).count("T") % 2 else "f"', "capitals"),
    ('return str(list(row.values()).count("T") % 2 == 1)', "capitals"),
    ('print("T" if list(row.values()).count("T") % 2 else "F")', "``return``"),
    ('return "T" if list(row.values()).count(T) % 2 else "F"', "``T``"),
    ('if list(row.values()).count("T") % 2:\n        return "T"', "Sometimes it returns nothing"),
]


@each(("body", "words"), XORS)
def test_parities_that_learners_write_get_their_hint(body, words):
    assert words in hint_of(course("xor"), function(f"def xor(row):\n    {body}\n", "xor"))


FITS = [
    ("for row in rows:\n        return says(tree, row) == row['y']", "first row only"),
    (
        "for row in rows:\n        return True if says(tree, row) == row['y'] else False",
        "first row only",
    ),
    (
        "for row in rows:\n        if says(tree, row) == row['y']: return True\n    return False",
        "enough",
    ),
    ("for row in rows:\n        fits = says(tree, row) == row['y']\n    return fits", "last row"),
    ("return sum(says(tree, row) != row['y'] for row in rows)", "a number"),
    (
        "for row in rows:\n        if says(tree, row) != row['y']:\n            return False",
        "Sometimes it returns nothing",
    ),
    ("return all(says(tree, row) == row['Y'] for row in rows)", "under ``y``"),
    ("return [says(tree, row) == row['y'] for row in rows]", "one answer for each row"),
    ("return all(says(tree, row) == True for row in rows)", "says False of everything"),
    ("return says(tree, rows) == [row['y'] for row in rows]", "*one* row"),
    (
        (
            "for row in rows:\n        while not isinstance(tree, str):\n"
            "            tree = tree[2] if row[tree[0]] == 'T' else tree[1]\n"
            "        if tree != row['y']:\n            return False\n    return True"
        ),
        "no tree left",
    ),
]


@each(("body", "words"), FITS)
def test_fits_that_learners_write_get_their_hint(body, words):
    source = f"def is_consistent(tree, rows):\n    {body}\n"
    given = needed("expressiveness/consistent", "says")
    result = checked(course("consistent"), function(source, "is_consistent", says=given["says"]))
    assert not result.passed
    assert any(words in hint for hint in told(result)) or not words, str(result)


FEWEST = """
def fewest(rows, names):
    if {stop}:
        return {end}
    found = []
    for name in {tried}:
        others = {others}
        low = [row for row in rows if row[name] == "F"]
        high = [row for row in rows if row[name] == "T"]
        found.append({cost})
    return {best}
"""
RIGHT = {
    "stop": 'len({row["y"] for row in rows}) <= 1',
    "end": "0",
    "tried": "names",
    "others": "[other for other in names if other != name]",
    "cost": "1 + fewest(low, others) + fewest(high, others)",
    "best": "min(found)",
}
SEARCHES = [
    ({"cost": "fewest(low, others) + fewest(high, others)"}, "is a question, too"),
    ({"cost": "1 + max(fewest(low, others), fewest(high, others))"}, "the depth"),
    ({"end": "1"}, "leaves"),
    ({"tried": "names[:1]"}, "in their order"),
    ({"stop": "not names or not rows"}, "on every path"),
    ({"stop": "not names"}, "on every path"),
    ({"cost": "1 + fewest(low, names) + fewest(high, names)"}, "RecursionError"),
    ({"stop": 'len({row["y"] for row in rows}) == 1'}, "A heap can be empty"),
    ({"stop": "len(rows) <= 1"}, "stops at a single row"),
    ({"best": "sum(found)"}, "adds up what all the names"),
    ({"cost": "1 + fewest(low, others)"}, "one heap only"),
    ({"best": "min(0, *found)"}, "always gives 0"),
    ({"others": "names.remove(name)"}, "returns None"),
    ({"best": "min(None, *found)"}, "compares a number with None"),
    ({"others": "names[names.index(name) + 1 :]"}, "without a name to try"),
    ({"stop": "not rows"}, "without a name to try"),
]


@each(("changed", "words"), SEARCHES)
def test_searches_that_learners_write_get_their_hint(changed, words):
    answer = function(FEWEST.format(**RIGHT | changed), "fewest")
    result = checked(course("fewest"), answer)
    assert not result.passed
    assert words in str(result).replace("\n", " "), str(result)


def test_no_hint_is_given_that_would_be_wrong():
    """All nodes counted at every node: many questions, and no name was lost."""
    answer = function(FEWEST.format(**RIGHT | {"best": "2 * min(found) + 1"}), "fewest")
    result = checked(course("fewest"), answer)
    assert not result.passed
    assert not any("no name was left" in hint for hint in told(result))


COUNTS = [
    ("labels ** (values[0] ** len(values))", "as many values as one of them"),
    ("labels ** (max(values) ** len(values))", "as many values as one of them"),
    ("labels ** values[0]", "looks at the first attribute"),
    ("labels ** (0 * sum(values))", "begins with 0"),
    ("labels ^ math.prod(values)", "two stars"),
    ("math.prod(labels**v for v in values)", "multiply powers"),
    ("int(np.power(labels, np.prod(values)))", "numpy's whole numbers"),
]


@each(("value", "words"), COUNTS)
def test_counts_that_learners_write_get_their_hint(value, words):
    source = f"def count_concepts(values, labels):\n    return {value}\n"
    answer = function(source, "count_concepts", math=math, np=np)
    result = checked(course("count-concepts"), answer)
    assert words in told(result)[0], str(result)


def test_numpy_counts_concepts_as_far_as_its_numbers_go():
    source = "def count_concepts(values, labels):\n    return labels ** {}(np.prod(values))\n"
    assert dict_of_cases()[(3, 3, 3, 3), 2] == 2417851639229258349412352  # 2^81
    for seed in some(range(20), every=5):
        exercise = course("count-concepts")
        hidden = replace(exercise, task=exercise.task.with_fresh(seed))
        whole = function(source.format("int"), "count_concepts", np=np)
        assert checked(hidden, whole).passed
        cut = checked(hidden, function(source.format(""), "count_concepts", np=np))
        assert (cut.passed, cut.score) == (False, 1.5)
        assert "numpy's whole numbers" in told(cut)[0]


def dict_of_cases():
    return {(tuple(c.args[0]), c.args[1]): c.wants[0] for c in course("count-concepts").task.cases}


@pytest.mark.parametrize("name", ["Ada", "Bob", "Cem"])
def test_wrong_numbers_get_their_hint_first(name):
    exercise = course("more").of(name)
    n = exercise.data["n"]
    wrong = {
        (2 ^ n) - 1 - n: "two stars",
        2 ^ (n - 1 - n): "two stars",
        2 ** (n + 1) - 1 - n: "leaves included",
        n - (2**n - 1): "other way round",
        (2**n - 1) / n: "*times*",
        2**n - 2 - n: "one off",
        2 ** (n - 1) - n: "one level short",
    }
    for given, words in wrong.items():
        assert words in told(checked(exercise, given))[0]
    assert "in vain" in told(checked(course("and-trees"), 3))[0]


def test_the_hints_bear_hidden_cases():
    for name in ("xor", "count-concepts", "consistent", "fewest"):
        exercise = course(name)
        hidden = replace(exercise, task=exercise.task.with_fresh(1))
        for mistake in exercise.mistakes:
            assert not checked(hidden, mistake.wrong).passed


def test_the_search_as_it_should_be_passes_in_other_words_too():
    assert checked(course("fewest"), function(FEWEST.format(**RIGHT), "fewest")).passed


# -- what is done in a lab, and handed in ----------------------------------------------------------


@pytest.mark.parametrize("n", [5, 6, 7, 8])
def test_any_number_of_voters_from_five_on_will_do(n):
    text = vote_of(n, "sum")
    for form in (text, dt.ExpressivenessLab(state=text)):
        assert checked(course("vote"), form).passed


def test_an_untouched_lab_is_no_answer():
    for lab in (dt.ExpressivenessLab(n=3, function="majority"), dt.TreeBuilder(switch())):
        assert checked(course("vote"), lab).score == 0
    blank = checked(course("vote"), dt.ExpressivenessLab(n=3, function="majority"))
    assert blank.verdict == "NOT ANSWERED YET"
    assert checked(course("switch"), dt.TreeBuilder(switch())).verdict == "NOT ANSWERED YET"


def grown(*questions, finish=None):
    state = start(switch())
    for path, name in questions:
        state = update(state, Ask(path, name))
    return dump(update(state, Finish(finish)) if finish else state)


def test_the_switch_can_be_grown_by_hand_or_finished_after_the_right_root():
    by_hand = grown(((), "a1"), ((0,), "a3"), ((1,), "a2"))
    finished = grown(((), "a1"), finish="ID3")
    for text in (by_hand, finished):
        for form in (
            text,
            dt.TreeBuilder(switch(), state=text),
            dt.TreeBuilder(switch(), state=text).tree,
        ):
            assert checked(course("switch"), form).passed


def test_who_lets_id3_grow_the_switch_is_told_so():
    result = checked(course("switch"), grown(finish="ID3"))
    assert result.score == pytest.approx(1.5)
    assert "longest bar" in told(result)[0]


def test_any_trap_is_one_and_in_any_spelling():
    five = ["F F F  F", "F F T  T", "F T F  T", "F T T  F", "T F F  F"]
    for sep in ("\n", "\n\n", "\r\n"):
        assert checked(course("trap"), sep.join(five)).passed
    assert checked(course("trap"), "\n".join(five).lower().replace("  ", ", ")).passed
    assert checked(course("trap"), "# mine\n" + "\n".join(reversed(five))).passed
    assert checked(course("trap"), "\n".join([*five, "T T T  F"])).passed


def test_every_table_of_few_rows_is_judged_as_the_library_would():
    """What passes is what id3 and smallest say, with the attributes in any order."""
    rng = np.random.default_rng(4)
    seen = set()
    for _ in range(scaled(400)):
        labels = "".join(rng.choice(list("FT."), size=8, p=[0.3, 0.3, 0.4]))
        rows = table_of(labels, 3)
        if not 1 <= len(rows) <= 6 or labels in seen:
            continue
        seen.add(labels)
        text = "\n".join("".join(row.values()) for row in rows)
        assert rows_of(text) == rows
        passed = checked(course("trap"), text).passed
        least, table = smallest_of(rows)
        if passed:
            assert dt.id3(table).n_leaves - 1 > least
        elif dt.id3(table).n_leaves - 1 > least:
            assert exercises.greedy(rows, NAMES) == least  # a tie was broken badly


def test_no_table_of_four_rows_is_a_trap():
    for labels in product("FT.", repeat=8):
        rows = table_of("".join(labels), 3)
        if 1 <= len(rows) <= 4:
            assert exercises.greedy(rows, NAMES) == fewest(rows, NAMES)


def test_what_learners_write_gets_its_hint_first():
    def chained(row):
        return "T" if row["a1"] != row["a2"] != row["a3"] else "F"

    def one_list(rows, names):
        if len({row["y"] for row in rows}) <= 1:
            return 0
        best = float("inf")
        for name in names:
            names.remove(name)
            parts = [[row for row in rows if row[name] == value] for value in "FT"]
            best = min(best, 1 + sum(one_list(part, names) for part in parts))
            names.append(name)
        return best

    lab = dt.ExpressivenessLab(n=3, function="majority")
    for control, value in (("function", "xor"), ("n", 5)):
        lab.act({"do": "set", "control": control, "value": value})
    for name, answer, words in (
        ("xor", chained, "Python reads it as"),
        ("fewest", one_list, "very list"),
        ("vote", lab, "another function"),
    ):
        hints = told(checked(course(name), answer))
        assert [words in hint for hint in hints] == [True], (name, hints)
        assert "One question it is" not in hints[0]
    rows = [["F", "F", "T", "T"]]
    assert "as one text" in checked(course("trap"), rows).lines[0].says


@each(
    ("text", "says"),
    [
        ("F F F", "'F F F' is no row"),
        ("F F F F F", "is no row"),
        ("F F X T", "is no row"),
        ("F F F F\nF F F T", "different labels"),
        ("F F F F\n" * 7, "7 rows; at most 6"),
        ("# nothing", "no row in it"),
    ],
)
def test_what_is_no_table_is_a_clear_line(text, says):
    result = checked(course("trap"), text)
    assert result.verdict == "NOT YET"
    assert says in result.lines[0].says


def test_a_table_that_offers_a_choice_gets_half_the_points():
    assert checked(course("trap"), "FFF F\nFFT F\nFTF F\nTTF T").score == pytest.approx(2)
    assert checked(course("trap"), "FFF F\nTTT F").score == 0


def test_the_guesses_about_xor_are_right():
    six = dt.datasets.truth_table("xor", 6)
    effect = dt.theory.effect_of(six, "odd", lambda row: list(row.values()).count("T") % 2)
    asking = effect.after.n_nodes - effect.after.n_leaves
    assert GUESSES["expressiveness/sum-mod-2"].answer == asking
    gain = dt.information_gain(dt.datasets.truth_table("xor", 4), "a1")
    assert GUESSES["expressiveness/at-the-root"].answer == gain == 0
