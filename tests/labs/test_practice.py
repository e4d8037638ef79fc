"""The typed practice: what is right, what is said of each mistake, and how the state is kept."""

from __future__ import annotations

import json
import math
from collections import Counter
from contextlib import suppress
from functools import reduce
from itertools import pairwise

import pytest
from cases import each
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import tables

import dtree_lab as dt
from dtree_lab.draw.chart.drawing import Marks
from dtree_lab.labs.kit.actions import NotPossibleError, Press, Select, Set
from dtree_lab.labs.kit.model import still_html, still_text
from dtree_lab.labs.practice import mistakes, model
from dtree_lab.labs.practice.exercise import named, practice_node
from dtree_lab.labs.practice.mistakes import RIGHT, judge
from dtree_lab.labs.practice.model import Score, start, update
from dtree_lab.labs.practice.view import view

TAX = dt.datasets.tax_fraud()
TOLERANCE = 0.002
# By hand, Refund at the root of the tax table.
REFUND = {
    "n 0 0": "3",
    "n 0 1": "0",
    "p 0": "3/10",
    "h 0": "0",
    "n 1 0": "4",
    "n 1 1": "3",
    "p 1": "7/10",
    "h 1": "0.985",
    "before": "0.881",
    "left": "0.690",
    "gain": "0.192",
}


def fold(actions, state):
    return reduce(update, actions, state)


def typed(state, texts):
    return fold([Set(key, given) for key, given in texts.items()], state)


def lines(state):
    """What is said of the field typed last, and the score."""
    return next(part for part in view(state).parts if part.id == "said").lines


# -- an oracle: everything from the rows, by the book ----------------------------------------------


class Book:
    """The exercise worked out from lists of rows with nothing but dictionaries and math.log."""

    def __init__(self, rows, whole, answer, target):
        self.rows, self.whole = rows, whole
        here = [answer(row) for row in rows]
        self.values = list(dict.fromkeys(here))
        self.target = target
        self.heaps = {x: [r for r, a in zip(rows, here, strict=True) if a == x] for x in here}
        self.whole_heaps = {x: [r for r in whole if answer(r) == x] for x in map(answer, whole)}

    def p(self, rows):
        counted = Counter(row[self.target] for row in rows)
        return [n / len(rows) for n in counted.values()]

    def h(self, rows, log=math.log2):
        return -sum(p * log(p) for p in self.p(rows))

    def g(self, rows):
        return sum(p * (1 - p) for p in self.p(rows))

    def mean(self, of, weight=None):
        weight = weight or (lambda x: len(self.heaps[x]) / len(self.rows))
        return sum(weight(x) * of(self.heaps[x]) for x in self.values)


def entropy_mistakes(book, rows):
    """Of the entropy of some rows."""
    p = book.p(rows)
    if len(p) == 1:
        return [(mistakes.ONE_BIT, 1.0)]
    return [
        (mistakes.NATURAL, book.h(rows, math.log)),
        (mistakes.BASE_TEN, book.h(rows, math.log10)),
        (mistakes.SIGN, sum(q * math.log2(q) for q in p)),
        (mistakes.HUNDREDFOLD, 100 * book.h(rows)),
        *((mistakes.ONE_TERM, -q * math.log2(q)) for q in p),
        (mistakes.SURPRISES, -sum(math.log2(q) for q in p)),
        (mistakes.PER_NODE, len(rows) * book.h(rows)),
        (mistakes.GINI, book.g(rows)),
        (mistakes.MAJORITY_ERROR, 1 - max(p)),
        (mistakes.SCALED, book.h(rows, lambda q: math.log(q, len(p)))),
    ]


def mistakes_of(book, x, other):
    """For each field that belongs to the value x: the mistakes and their numbers, by the book."""
    heap, n = book.heaps[x], len(book.rows)
    share = len(heap) / n
    before, left = book.h(book.rows), book.mean(book.h)
    flat = sum(book.h(one) for one in book.heaps.values()) / len(book.heaps)
    whole, of_whole = book.whole, book.whole_heaps[x]
    at_root = len(whole) == n
    h_whole = sum(len(one) / len(whole) * book.h(one) for one in book.whole_heaps.values())
    spread = -sum(
        len(one) / n * math.log2(len(one) / n) for one in book.heaps.values() if len(one) < n
    )
    fraction = [
        (mistakes.A_COUNT, len(heap)),
        (mistakes.PER_CENT, 100 * share),
        (mistakes.UPSIDE_DOWN, 1 / share),
        (mistakes.ODDS, len(heap) / (n - len(heap))),
        (mistakes.OTHER_FRACTION, len(book.heaps[other]) / n),
        (mistakes.THE_REST, 1 - share),
        (mistakes.EQUAL_PARTS, 1 / len(book.heaps)),
        *((mistakes.CLASS_WITHIN, q) for q in book.p(heap)),
        *((mistakes.CLASS_OF_ALL, q * share) for q in book.p(heap)),
    ]
    entropy = [
        *entropy_mistakes(book, heap),
        (mistakes.WEIGHTED, share * book.h(heap)),
        (mistakes.OTHER_ENTROPY, book.h(book.heaps[other])),
        (mistakes.BEFORE, before),
    ]
    of_before = [
        *entropy_mistakes(book, book.rows),
        (mistakes.LEFT, left),
        (mistakes.THE_GAIN, before - left),
        (mistakes.OF_BRANCHES, spread),
    ]
    of_left = [
        (mistakes.THE_GAIN, before - left),
        (mistakes.BEFORE, before),
        (mistakes.UNWEIGHTED, flat),
        (mistakes.SUM, flat * len(book.heaps)),
        (mistakes.NATURAL, book.mean(lambda rows: book.h(rows, math.log))),
        (mistakes.BASE_TEN, book.mean(lambda rows: book.h(rows, math.log10))),
        (mistakes.SIGN, -left),
        (mistakes.HUNDREDFOLD, 100 * left),
        (mistakes.ONE_BRANCH, book.h(heap)),
        (mistakes.ONE_BRANCH, share * book.h(heap)),
        (mistakes.GINI, book.mean(book.g)),
        (mistakes.BY_COUNTS, n * left),
    ]
    if len(book.heaps) == 2:
        away = book.mean(book.h, lambda x: 1 - len(book.heaps[x]) / n)
        of_left.append((mistakes.SWAPPED, away))
    of_gain = [
        (mistakes.LEFT, left),
        (mistakes.BEFORE, before),
        (mistakes.BACKWARDS, left - before),
        (mistakes.UNWEIGHTED, before - flat),
        (mistakes.SUM, before - flat * len(book.heaps)),
        (mistakes.NATURAL, (before - left) * math.log(2)),
        (mistakes.BASE_TEN, (before - left) * math.log10(2)),
        (mistakes.HUNDREDFOLD, 100 * (before - left)),
        (mistakes.ADDED, before + left),
        (mistakes.GINI, book.g(book.rows) - book.mean(book.g)),
        (mistakes.RATIO, (before - left) / spread),
        (mistakes.OF_BEFORE, (before - left) / before),
    ]
    if not at_root:
        fraction += [
            (mistakes.SHARE_OF_TABLE, len(heap) / len(whole)),
            (mistakes.SHARE_OF_TABLE, len(of_whole) / len(whole)),
        ]
        entropy.append((mistakes.WHOLE_TABLE, book.h(of_whole)))
        of_before.append((mistakes.WHOLE_TABLE, book.h(whole)))
        of_left.append((mistakes.WHOLE_TABLE, h_whole))
        of_gain.append((mistakes.WHOLE_TABLE, book.h(whole) - h_whole))
    return {"p": fraction, "h": entropy, "before": of_before, "left": of_left, "gain": of_gain}


def the_book(exercise):
    """The oracle of an exercise, and its branches' values in the lab's order."""
    table, part = exercise.node.table, exercise.node.part
    name, split = exercise.attribute, exercise.candidate.split
    if hasattr(split, "cuts"):
        (cut,) = split.cuts
        book = Book(
            list(part.rows()), list(table.rows()), lambda r: r[name] >= cut, table.target.name
        )
        return book, [False, True]
    book = Book(list(part.rows()), list(table.rows()), lambda r: r[name], table.target.name)
    here = {row[name] for row in book.rows}
    return book, [v for v in table.attributes[table.index(name)].values if v in here]


def told(verdict, kind):
    said = f"{verdict.name} {verdict.hint}"
    return not verdict.right and (kind.hint in said or kind.name in said)


def check_mistakes(state):
    """Type every mistake of the book into every field; return how many were told."""
    exercise, n_told = state.exercise, 0
    book, order = the_book(exercise)
    for i, x in enumerate(order):
        other = order[(i + 1) % len(order)]
        for sort, found in mistakes_of(book, x, other).items():
            key = f"{sort} {i}" if sort in "ph" else sort
            right = exercise.fields[key].right
            for kind, wrong in found:
                if abs(wrong - right) <= TOLERANCE + 0.0006:
                    continue  # the same number as the right one: nothing can be told from it
                verdict = typed(state, {key: f"{wrong:.3f}"}).verdicts[key]
                assert told(verdict, kind), (key, kind.name, wrong, right, verdict)
                n_told += 1
    return n_told


# -- every mistake gets its hint -------------------------------------------------------------------


SENSES = dt.datasets.word_sense()
EXERCISES = [
    start(TAX),
    start(TAX, "Marital Status"),
    start(TAX, "Taxable Income"),
    start(TAX, "Marital Status", at={"Refund": "No"}),
    start(TAX, "Taxable Income", at={"Marital Status": "Single"}),
    start(dt.datasets.two_attributes(), "X2"),
    start(SENSES, "pos"),
    start(SENSES, "near(river)", at={"pos": "verb"}),
]


@pytest.mark.parametrize("state", EXERCISES, ids=lambda state: view(state).title)
def test_every_mistake_by_the_book_is_named(state):
    assert check_mistakes(state) > 20


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(tables(max_rows=14, max_attributes=3, max_classes=4), st.integers(0, 99))
def test_every_mistake_is_named_on_any_table(table, seed):
    state = some(table, seed)
    check_mistakes(update(state, Press("new")) if len(choices(state)) > 1 else state)


def some(table, seed=0):
    """A practice on a table, if one can be had there."""
    refused, state = False, None
    try:
        state = start(table, seed=seed)
    except ValueError as error:
        refused = "nothing can be practised" in str(error)
    assert state or refused
    assume(state)
    return state


def choices(state):
    return [(node, name) for node in state.nodes for name in node.offered]


@each(
    ("key", "given", "kind"),
    [
        ("n 1 0", "3", mistakes.OTHER_CLASS),
        ("n 1 1", "0", mistakes.OTHER_VALUE),
        ("n 1 1", "7", mistakes.ALL_CLASSES),
        ("n 1 0", "7", mistakes.ALL_VALUES),
        ("n 1 1", "3/7", mistakes.A_FRACTION),
        ("n 1 1", "0.3", mistakes.A_FRACTION),
        ("n 1 1", "2", mistakes.ONE_OFF),
        ("n 1 0", "5", mistakes.ONE_OFF),
        ("p 0", "30%", mistakes.PER_CENT),
        ("p 0", "30", mistakes.PER_CENT),
        ("p 1", "70 %", mistakes.PER_CENT),
        ("p 0", "3/7", mistakes.ODDS),
        ("p 0", "10/3", mistakes.UPSIDE_DOWN),
        ("p 0", "3.33", mistakes.UPSIDE_DOWN),
        ("p 1", "3/10", mistakes.OTHER_FRACTION),
        ("h 1", "0.98", mistakes.CUT_OFF),
        ("h 1", "0.99", mistakes.FEW_DIGITS),
        ("h 1", "0.885", mistakes.ONE_DIGIT),
        ("h 1", "0.958", mistakes.TWO_DIGITS),
        ("h 1", "0.992", mistakes.ON_THE_WAY),
        ("h 1", "0.68", mistakes.NATURAL),
        ("h 0", "1", mistakes.ONE_BIT),
        ("before", "88", mistakes.HUNDREDFOLD),
        ("left", "0.493", mistakes.UNWEIGHTED),
        ("left", "0.296", mistakes.SWAPPED),
        ("gain", "0.69", mistakes.LEFT),
        ("gain", "-0,192", mistakes.BACKWARDS),
        ("gain", "0.389", mistakes.UNWEIGHTED),
    ],
)
def test_mistakes_worked_out_by_hand(key, given, kind):
    """Refund at the root: H(Y) = 0.881, the branches' entropies are 0 and 0.985."""
    assert told(typed(start(TAX), {key: given}).verdicts[key], kind)


def test_at_a_node_the_whole_table_is_named():
    """Where Refund is No: 7 rows. Single: 3 of these, 4 of the table; Divorced: 1 and 2."""
    state = start(TAX, "Marital Status", at={"Refund": "No"})
    assert state.exercise.answers == [
        f"Marital Status is {x}" for x in ("Single", "Married", "Divorced")
    ]
    for key, number in {"n 0 0": "2", "h 2": "1", "before": "0.881", "gain": "0.281"}.items():
        assert told(typed(state, {key: number}).verdicts[key], mistakes.WHOLE_TABLE), key
    for number in ("3/10", "4/10"):
        assert told(typed(state, {"p 0": number}).verdicts["p 0"], mistakes.SHARE_OF_TABLE)


def test_a_number_that_two_mistakes_lead_to_gets_both_hints():
    """In the tax table 3 rows have a refund, and 3 of those without one cheat."""
    verdict = typed(start(TAX), {"n 0 1": "3"}).verdicts["n 0 1"]
    for kind in (
        mistakes.OTHER_CLASS,
        mistakes.OTHER_VALUE,
        mistakes.ALL_CLASSES,
        mistakes.ALL_VALUES,
    ):
        assert told(verdict, kind)
    assert verdict.name == "see the hint"


def test_a_mistake_that_leads_to_the_right_number_is_not_told():
    """With two branches of equal size, the unweighted mean is the right one."""
    state = start(dt.datasets.two_attributes(), "X1")
    assert state.exercise.fields["left"].right == pytest.approx(0.40564, abs=1e-5)
    assert typed(state, {"left": "0.406"}).verdicts["left"] == RIGHT
    verdict = typed(state, {"left": "0.41"}).verdicts["left"]
    assert told(verdict, mistakes.FEW_DIGITS)
    assert not told(verdict, mistakes.UNWEIGHTED)
    assert not told(verdict, mistakes.SWAPPED)


def test_what_follows_from_a_wrong_number_is_told_apart():
    """0.4 instead of 7/10 times 0.985 is 0.394; 0.881 less that is 0.487."""
    state = typed(start(TAX), REFUND | {"p 1": "0.4", "left": "0.394", "gain": "0.192"})
    assert told(state.verdicts["left"], mistakes.FOLLOWS)
    assert told(typed(state, {"gain": "0.487"}).verdicts["gain"], mistakes.FOLLOWS)
    shown = fold([Set("h 0", "?"), Set("h 1", "?")], state)
    assert told(shown.verdicts["left"], mistakes.FOLLOWS)
    mended = typed(state, {"p 1": "7/10"})
    assert not told(mended.verdicts["left"], mistakes.FOLLOWS)
    assert mended.score == Score(10, 11, 0)


# -- what is right ---------------------------------------------------------------------------------


def test_refund_at_the_root_by_hand():
    state = typed(start(TAX), REFUND)
    assert state.score == Score(11, 11, 0)
    assert list(state.exercise.fields) == list(REFUND)
    said = " ".join(lines(state))
    assert "of 0.881 bits of uncertainty about Cheat, asking Refund takes 0.192 away" in said
    assert "Best at these rows is Marital Status, with a gain of 0.281 bits." in said
    best = start(TAX, "Marital Status")
    done = fold([Press("next")] * len(best.exercise.fields), best)
    assert "No attribute gains more" in " ".join(lines(done))


@pytest.mark.parametrize("given", ["3/10", "0.3", ".3", "0,3", " 0.30 ", "6/20", "3 / 10", "+0.3"])
def test_a_fraction_may_be_written_as_people_do(given):
    assert typed(start(TAX), {"p 0": given}).verdicts["p 0"] == RIGHT


@each("given", ["three", "1/2/3", "0.3.1", "nan", "inf", "1e3", "1_0", "-", "/", "3/", "²"])
def test_what_is_no_number_is_said_to_be_none(given):
    verdict = typed(start(TAX), {"p 0": given}).verdicts["p 0"]
    assert (verdict.right, verdict.name) == (False, "not a number")


def test_per_cent_is_not_forgiven_where_the_number_would_be_right():
    assert not typed(start(TAX), {"p 0": "0.3%"}).verdicts["p 0"].right


def test_numbers_that_are_none():
    assert typed(start(TAX), {"p 0": "3/0"}).verdicts["p 0"].name == "divided by 0"
    assert judge("9" * 400, 1.0, []).name == "too large"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(tables(max_rows=20), st.floats(0, 1), st.sampled_from([-1, 1]))
def test_right_is_what_lies_within_the_tolerance(table, share, sign):
    state = some(table)
    for key, asked in state.exercise.fields.items():
        assert typed(state, {key: asked.shown}).verdicts[key] == RIGHT
        if asked.count:
            off = {key: str(int(asked.right) + sign)}
            assert not typed(state, off).verdicts[key].right
            continue
        near = asked.right + sign * share * (TOLERANCE - 1e-6)
        assert typed(state, {key: f"{near:.9f}"}).verdicts[key] == RIGHT
        far = asked.right + sign * (TOLERANCE + 1e-6 + share)
        assert not typed(state, {key: f"{far:.9f}"}).verdicts[key].right


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(tables(max_rows=20))
def test_the_right_numbers_are_those_of_the_library_and_of_the_book(table):
    for node, name in choices(some(table))[:6]:
        state = start(table, name, at=named(node))
        fields, (book, order) = state.exercise.fields, the_book(state.exercise)
        assert fields["gain"].right == pytest.approx(dt.information_gain(node.part, name))
        assert fields["left"].right == pytest.approx(dt.conditional_entropy(node.part, name))
        assert fields["before"].right == pytest.approx(book.h(book.rows), abs=1e-9)
        for i, x in enumerate(order):
            heap = book.heaps[x]
            assert fields[f"p {i}"].right == len(heap) / len(book.rows)
            assert fields[f"h {i}"].right == pytest.approx(book.h(heap), abs=1e-9)
            counted = Counter(row["y"] for row in heap)
            for j, y in enumerate(sorted({row["y"] for row in book.rows})):
                assert fields[f"n {i} {j}"].right == counted[y]


# -- showing, emptying, going on -------------------------------------------------------------------


def test_a_field_is_shown_on_demand_and_counted():
    state = update(start(TAX), Set("h 1", "?"))
    assert state.score == Score(0, 11, 1)
    assert lines(state)[0] == "Shown: H(Cheat | Refund is No) is 0.985."
    assert state.current == "before"  # the next one after it
    wrong = update(state, Set("left", "0.9"))
    assert wrong.current == "left"
    assert update(wrong, Press("show")).shown == {"h 1", "left"}
    with pytest.raises(NotPossibleError, match="has been shown"):
        update(state, Set("h 1", "0.985"))


def test_next_shows_field_by_field_and_then_poses_another():
    state = start(TAX)
    for n, key in enumerate(REFUND, start=1):
        state = update(state, Press("next"))
        assert (len(state.shown), key in state.shown) == (n, True)
    with pytest.raises(NotPossibleError, match="nothing left to show"):
        update(state, Press("show"))
    after = update(state, Press("next"))
    assert (after.score.shown, after.number) == (0, 1)
    assert after.exercise.label() != state.exercise.label()


def test_start_over_empties_the_fields_and_an_emptied_field_is_open():
    state = typed(start(TAX), REFUND)
    assert update(state, Press("reset")).score == Score(0, 11, 0)
    emptied = update(state, Set("gain", " "))
    assert emptied.score == Score(10, 11, 0)
    assert "gain" not in emptied.typed


def test_new_exercises_follow_from_the_seed_and_go_through_all_nodes():
    def posed(seed):
        states = [start(TAX, seed=seed)]
        for _ in range(8):
            states.append(update(states[-1], Press("new")))
        return states

    labels = [state.exercise.label() for state in posed(3)]
    assert labels == [state.exercise.label() for state in posed(3)]
    assert labels != [state.exercise.label() for state in posed(4)]
    assert all(one != other for one, other in pairwise(labels))
    seen = {state.exercise.node.brief for state in posed(3)}
    assert seen == {node.brief for node in start(TAX).nodes}
    only = start(dt.Table.from_columns({"x": ["a", "b"], "y": ["0", "1"]}, "y"))
    with pytest.raises(NotPossibleError, match="no other exercise"):
        update(only, Press("new"))


def test_rows_and_attribute_are_chosen_by_their_place():
    state = start(TAX)
    place = [node.brief for node in state.nodes].index("Refund is No")
    chosen = update(state, Set("node", str(place)))
    assert chosen.exercise.label() == "Marital Status for Refund is No, 7 rows"
    chosen = update(chosen, Set("attribute", "1"))
    assert chosen.exercise.attribute == "Taxable Income"
    for bad in (Set("node", "99"), Set("attribute", "-1"), Set("node", "x"), Set("gain", 0.2)):
        with pytest.raises(NotPossibleError):
            update(chosen, bad)
    for bad in (Press("dance"), Select("tree", ()), Set("n 9 9", "1")):
        with pytest.raises(NotPossibleError, match="Type into a field"):
            update(state, bad)


def test_where_a_node_is_named_its_rows_fulfil_the_conditions():
    node = practice_node(TAX, [("Refund", "No"), ("Taxable Income", ">= 80")])
    assert [row + 1 for row in node.rows] == [2, 5, 8, 10]
    with pytest.raises(ValueError, match="all rows here have one class"):
        start(TAX, at=[("Refund", "No"), ("Taxable Income", "< 80")])


def test_there_are_nodes_of_one_condition_and_deeper_ones_but_no_tiny_ones():
    assert {node.brief for node in start(TAX).nodes} == {
        "",
        "Refund is No",
        "Marital Status is Single",
        "Taxable Income < 97.5",
    }
    nodes = start(dt.datasets.truth_table("xor", 4)).nodes
    assert sorted({(len(node.conditions), len(node.rows)) for node in nodes}) == [
        (0, 16),
        (1, 8),
        (2, 4),
    ]
    rows = len(start(TAX, at={"Marital Status": "Divorced"}).exercise.node.rows)
    assert rows == 2  # whoever asks for it gets it


def test_a_continuous_condition_is_exact():
    state = start(TAX, "Refund", at={"Taxable Income": ">= 77.5"})
    assert named(state.exercise.node) == [["Taxable Income", ">= 77.5"]]
    assert state.exercise.node.brief == "Taxable Income ≥ 77.5"
    assert len(state.exercise.node.rows) == 7


# -- what cannot be practised ----------------------------------------------------------------------


@each(
    ("arguments", "why"),
    [
        ({"attribute": "Refunds"}, "Did you mean 'Refund'"),
        ({"attribute": "Refund", "at": {"Refund": "No"}}, "every row here has the same 'Refund'"),
        ({"at": {"Refund": "Yes"}}, "all rows here have one class"),
        ({"at": {"Refund": "Perhaps"}}, "has no value 'Perhaps'"),
        ({"at": {"Taxable Income": 80}}, 'say "< 80" or ">= 80"'),
        ({"at": {"Taxable Income": "< much"}}, 'say "< 80" or ">= 80"'),
        ({"at": {"Taxable Income": "< 1"}}, "no row of the table"),
        ({"at": "Refund"}, "at must be conditions"),
        ({"at": ["Refund"]}, "at must be conditions"),
        ({"seed": -1}, "seed=-1"),
        ({"seed": True}, "seed=True"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_the_reason(arguments, why):
    with pytest.raises(ValueError, match=why):
        start(TAX, **arguments)


def test_tables_on_which_nothing_can_be_practised():
    for columns, why in [
        ({"y": ["0", "1"]}, "no attribute"),
        ({"x": ["a", "b"], "y": ["1", "1"]}, "one class"),
        ({"x": ["a", "a"], "y": ["0", "1"]}, "same 'x'"),
        ({"x": list("abcdefghi"), "y": list("010101010")}, "'x' has 9 values"),
    ]:
        with pytest.raises(ValueError, match=why):
            start(dt.Table.from_columns(columns, "y"))
    with pytest.raises(ValueError, match="continuous"):
        start(dt.Table.from_columns({"x": ["a", "b"], "y": [1.0, 2.0]}, "y"))


def test_beyond_the_limits_the_counts_are_given_and_it_is_said():
    rows = dt.Table.from_columns({"x": ["a", "b"] * 16, "y": ["0", "0", "1", "0"] * 8}, "y")
    state = start(rows)
    assert [key for key in state.exercise.fields if key[0] == "n"] == []
    said = still_text(view(state))
    assert "The counts are given: 32 rows are too many" in said
    assert "x is a | 8 0, 8 1 | …" in said
    assert "… and 2 more rows" in said
    many = dt.Table.from_columns({"x": list("aabbbbb"), "y": list("1234567")}, "y")
    assert "7 classes are too many" in still_text(view(start(many)))
    assert view(start(many)).json()["classes"] == []
    assert "x is b | 1, 1, 1, 1, 1 | …" in still_text(view(start(many)))
    wide = dt.Table.from_columns(
        {"x": list("abcdefghi"), "z": list("aabbbaaba"), "y": list("010101011")}, "y"
    )
    assert start(wide).exercise.attribute == "z"
    assert "more than 8 values here: 1 attribute." in still_text(view(start(wide)))


def test_of_very_many_attributes_some_are_offered_and_any_can_be_asked_for():
    columns = {f"x{i}": ["a", "b", "a", "b"] for i in range(300)}
    table = dt.Table.from_columns({**columns, "y": ["0", "1", "1", "1"]}, "y")
    state = start(table, "x299")
    assert state.offered == [f"x{i}" for i in range(20)] + ["x299"]
    assert "Not offered beside so many: 280 more attributes." in still_text(view(state))
    assert model.load(model.dump(state), table).exercise.attribute == "x299"
    assert update(state, Set("attribute", "0")).exercise.attribute == "x0"


# -- kept and shown --------------------------------------------------------------------------------

KEYS = ["n 0 0", "n 0 1", "n 1 0", "p 0", "p 1", "h 0", "h 1", "before", "left", "gain", "gone"]
ACTIONS = st.one_of(
    st.builds(
        Set,
        st.sampled_from(KEYS),
        st.sampled_from(["0", "1", "0,5", "?", "", "x", "-1", "9" * 60]) | st.text(max_size=5),
    ),
    st.builds(Set, st.sampled_from(["node", "attribute"]), st.sampled_from(["0", "1", "2", "7"])),
    st.builds(Press, st.sampled_from(["show", "next", "new", "reset", "back"])),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(tables(max_rows=40, max_classes=5), st.lists(ACTIONS, max_size=12))
def test_any_actions_leave_a_state_whose_text_recreates_it(table, actions):
    state = some(table)
    for action in actions:
        with suppress(NotPossibleError):
            state = update(state, action)
    right, total, shown = state.score
    assert right + shown + len(state.open) == total
    kept = model.dump(state)
    again = model.load(kept, table)
    assert model.dump(again) == kept
    assert again.score == state.score
    assert again.exercise.label() == state.exercise.label()
    assert again.verdicts == state.verdicts
    assert len(json.dumps(view(state).json())) < 65536
    assert still_html(view(state))


def test_staff_can_grade_what_was_handed_in():
    state = typed(start(TAX, seed=5), REFUND | {"gain": "0.69"})
    lab = dt.Practice(state=model.dump(update(state, Set("p 0", "?"))))
    assert lab.score == Score(9, 11, 1)
    assert model.load(lab.state, TAX).verdicts["gain"].name == "H(Y|X)"
    assert lab.state == dt.Practice(state=lab.state).state


@each(
    ("damage", "why"),
    [
        ({"typed": {"gone": "1"}}, "'typed' does not fit"),
        ({"typed": {"gain": 1}}, "'typed' does not fit"),
        ({"shown": ["gone"]}, "'shown' does not fit"),
        ({"shown": [["gain"]]}, "'shown' does not fit"),
        ({"shown": ["gain"], "typed": {"gain": "1"}}, "'shown' does not fit"),
        ({"number": -1}, "'number' does not fit"),
        ({"number": True}, "'number' is missing or of the wrong sort"),
        ({"at": [["Refund", ["No"]]]}, "has no value"),
        ({"at": [1]}, "at must be conditions"),
        ({"attribute": "Wealth"}, "Wealth"),
        ({"table": "0"}, "another table"),
    ],
)
def test_a_damaged_state_is_refused(damage, why):
    data = json.loads(model.dump(start(TAX))) | damage
    with pytest.raises(ValueError, match=why):
        model.load(json.dumps(data), TAX)


def test_the_hint_the_score_and_the_tolerance_are_seen():
    state = typed(start(TAX), {"n 0 0": "3", "left": "0.493"})
    said = still_text(view(state))
    assert mistakes.UNWEIGHTED.hint in said
    assert "1 of 11 right." in said
    assert "right within 0.002" in said
    assert "3 (right)" in said
    assert "0.493 (unweighted mean)" in said
    unknown = typed(state, {"left": "0.123"})
    assert "Multiply each branch's entropy" in lines(unknown)[0]


def test_the_example_does_not_use_the_numbers_asked_for():
    """The worked example would be 3 to 1; here a branch is."""
    table = dt.Table.from_columns({"x": list("aaaabb"), "y": list("000101")}, "y")
    assert "3 rows of one class and 1 of another" not in still_text(view(start(table)))
    assert "3 rows of one class and 1 of another" in still_text(view(start(TAX)))


def test_the_value_is_seen_however_long_the_name_is():
    name = "what the weather was like on the day before"
    state = start(dt.Table.from_columns({name: ["wet", "dry"] * 4, "y": list("01000110")}, "y"))
    assert state.exercise.answers == ["what the weather wa… is dry", "what the weather wa… is wet"]


def test_hostile_names_of_any_length_stay_small():
    name = "🌳" * 150 + "<img src=x onerror=alert(1)>"
    values = [f"{name}{i}" for i in range(8)]
    columns = {f"{name}{i}": values * 3 for i in range(30)}
    labels = [f"{name}{i % 6}" for i in range(24)]
    state = start(dt.Table.from_columns({**columns, "": labels}, ""))
    shown = fold([Press("next")] * 30, state)
    sent = json.dumps(view(shown).json(), ensure_ascii=False, separators=(",", ":"))
    assert len(sent.encode()) < 40_000
    assert "<img src=x" not in still_html(view(shown))


def test_the_picture_shows_each_row_before_asking_and_in_its_branch():
    """By the table's own values: the marks stand over their rows, in the lane of their value."""
    state = update(start(TAX), Set("attribute", "1"))  # Marital Status
    shown = next(one for one in view(state).parts if one.id == "parting")
    lanes = [line.split(":")[0].removeprefix("Marital Status is ") for line in shown.text]
    assert sorted(lanes) == sorted(set(TAX.column("Marital Status")))
    for line, lane in zip(shown.text, lanes, strict=True):
        told = [str(i) for i, row in enumerate(TAX.rows(), 1) if row["Marital Status"] == lane]
        assert line == f"Marital Status is {lane}: rows {', '.join(told)}"
    marks = [one for one in elements(shown.figure.element) if isinstance(one, Marks)]
    before, after = (one for one in marks if one.keys)
    assert before.keys == after.keys == tuple(range(10))
    assert [x for x, _, _ in before.places] == [x for x, _, _ in after.places]
    heights = sorted({y for _, y, _ in after.places})
    assert all(y < heights[0] for _, y, _ in before.places)
    found = [lanes[heights.index(y)] for _, y, _ in after.places]
    assert found == TAX.column("Marital Status")


def elements(element):
    yield element
    for child in element.children:
        if not isinstance(child, str):
            yield from elements(child)
