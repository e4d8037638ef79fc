"""What a notebook calls, and how it looks."""

from __future__ import annotations

import io
import math
import sys
from xml.etree import ElementTree

import IPython
import pytest
from cases import each
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

import dtree_lab as dt
from dtree_lab.course import checking
from dtree_lab.course.cards import Card, CardLine
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.lessons import guesses
from dtree_lab.course.librarys import is_taken
from dtree_lab.course.revealing import reveal
from dtree_lab.course.tasks import Case, Choose, Code, Question

GUESSES = guesses("tax-fraud")


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    monkeypatch.setattr(checking, "_best", {})


def parsed(card):
    return ElementTree.fromstring(card._repr_html_())  # noqa: S314 - our own


def test_an_unknown_exercise_is_named():
    with pytest.raises(ValueError, match="Did you mean 'tax-fraud/entropy'"):
        dt.course.check("tax-fraud/entropie", 1)
    with pytest.raises(ValueError, match="no exercise None"):
        dt.course.hint(None)


def test_the_solution_waits_for_a_pass_or_for_giving_up():
    closed = dt.course.solution("tax-fraud/cost")
    assert "information_gain" not in str(closed)
    assert "information_gain" in str(dt.course.solution("tax-fraud/cost", give_up=True))
    dt.course.check("tax-fraud/cost", 0.0897)
    assert "information_gain" in str(dt.course.solution("tax-fraud/cost"))


def test_under_nbgrader_a_check_that_does_not_pass_raises(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(AssertionError, match=r"NOT YET.*\n.*is not it"):
        dt.course.check("tax-fraud/cost", 1)
    with pytest.raises(AssertionError, match="NOT ANSWERED YET"):
        dt.course.check("tax-fraud/cost", ...)


def test_under_nbgrader_a_check_gives_the_points_it_found(monkeypatch, capsys):
    """nbgrader reads a number as the last value of a cell as the points earned."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert dt.course.check("tax-fraud/cost", 0.0897) == 1
    assert capsys.readouterr().out.startswith("PASS")
    assert dt.course.check("tax-fraud/follow", at_most) == pytest.approx(
        3 * 3 / 4
    )  # all but the cut at 80, one of four behaviours
    assert "NOT YET" in capsys.readouterr().out


def test_a_card_says_the_same_as_text_and_as_html():
    card = dt.course.check("tax-fraud/six-to-four", 0.673)
    text = "".join(parsed(card).itertext())
    assert str(card).startswith("NOT YET  The entropy of six to four (0 of 2 points)")
    for words in ("✗ NOT YET", "0.673 is not it", "math.log", "Hint:"):
        assert words in text
    assert "``" not in text + str(card)


def test_a_card_escapes_what_it_quotes():
    evil = "<script>alert(1)</script> & \"'"
    card = Card("open", evil, evil, (CardLine(evil, passed=False), CardLine(evil, code=True)))
    assert "<script" not in card._repr_html_()
    assert "".join(parsed(card).itertext()).count(evil) == 4


def test_verdicts_do_not_rest_on_colour():
    marks = [Card(tone, "", "")._repr_html_()[-60:] for tone in ("good", "open", "blank")]
    assert all(mark in html for mark, html in zip("✓✗○", marks, strict=True))


def test_a_guess_of_a_lesson_is_kept_out_of_the_notebook():
    assert "name" in str(reveal("classification", about="tax-fraud/postcode"))
    assert reveal(0.999, about="tax-fraud/five-to-five").tone == "good"
    assert reveal(..., about="tax-fraud/postcode").tone == "blank"
    with pytest.raises(ValueError, match="worked out in the notebook"):
        reveal("no", about="tax-fraud/widow")
    assert reveal("no", "No", about="tax-fraud/widow").tone == "good"
    with pytest.raises(ValueError, match="no guess 'x'; there are 'tax-fraud/"):
        reveal(1, about="x")


@pytest.mark.parametrize("guess", [None, ...])
def test_nothing_is_revealed_before_a_guess(guess):
    card = reveal(guess, "the answer", "because of it")
    assert "answer" not in str(card) + card._repr_html_()
    assert "because" not in str(card)


@each(
    ("guess", "answer", "within", "right"),
    [
        ("yes ", "Yes", 0, True),
        ("No", "Yes", 0, False),
        (50, 42, 20, True),
        (63, 42, 20, False),
        (1, 1.0, 0, True),
        (float("inf"), 1.0, 5, False),
        ("anything", "Yes", 0, False),
    ],
)
def test_a_guess_is_weighed(guess, answer, within, right):
    card = reveal(guess, answer, "why", within=within)
    assert card.tone == ("good" if right else "open")
    assert "why" in str(card)


@each(
    ("guess", "answer", "asks"),
    [
        ("1", 1.0, "a number, without quotes"),
        (float("nan"), 1.0, "a number"),
        ([1], 1.0, "a number"),
        (True, 1.0, "a number"),
        (True, "Yes", "a text, in quotes"),
        (1, "Yes", "a text, in quotes"),
    ],
)
def test_a_guess_of_the_wrong_sort_is_asked_for_again(guess, answer, asks):
    card = reveal(guess, answer, "because of it")
    assert card.tone == "blank"
    assert asks in str(card)
    assert "because" not in str(card) + card._repr_html_()


@pytest.mark.parametrize("guess", ["regresion", "", 1, True, ["regression"]])
def test_a_guess_that_is_no_option_is_asked_for_again(guess):
    for card in (
        reveal(guess, about="tax-fraud/postcode"),
        reveal(guess, "regression", "order", options=("classification", "regression")),
    ):
        assert card.tone == "blank"
        assert 'choose "classification" or "regression"' in str(card)
        assert "order" not in str(card)
    assert reveal(" Regression ", about="tax-fraud/postcode").tone == "open"


def test_an_option_of_each_kept_guess_is_right():
    texts = {name: g for name, g in GUESSES.items() if isinstance(g.answer, str)}
    assert len(texts) >= 2
    for name, kept in texts.items():
        tones = [reveal(option, about=name).tone for option in kept.options]
        assert sorted(tones) == ["good", *["open"] * (len(tones) - 1)]


def test_lines_that_explain_break_at_spaces_only():
    card = reveal("Yes", "Yes", "one line\nso the 7 training rows that came by decide")
    style = parsed(card).find("pre").get("style")
    told = dict(part.split(":") for part in style.split(";"))
    assert told["word-break"] == told["overflow-wrap"] == "normal"
    assert told["white-space"] == "pre-wrap"


def test_points_are_told_in_tenths_and_never_rounded_up_to_all():
    result = dt.course.check("tax-fraud/follow", at_most)
    assert result.score == pytest.approx(3 * 3 / 4)  # one of four behaviours is wrong
    assert "(2.2 of 3 points)" in str(result)


def at_most(row):
    free = row["Refund"] == "Yes" or row["Marital Status"] == "Married"
    return "No" if free or row["Taxable Income"] <= 80 else "Yes"


def test_staff_draw_more_cases_from_a_seed():
    def memorised(counts):
        return {(5, 5): 1, (7, 3): 0.8813, (10, 0): 0, (1, 1, 2): 1.5, (1, 1, 1, 1): 2}.get(
            tuple(counts), 0.8113 if 6 in counts else 0
        )

    assert dt.course.check("tax-fraud/entropy", memorised).passed
    result = dt.course.check("tax-fraud/entropy", memorised, fresh=7)
    assert not result.passed
    assert result.score == 0  # every behaviour has cases that nobody has seen
    assert dt.course.check("tax-fraud/entropy", dt.entropy, fresh=7).passed


def _parity(*behaviours):
    """Exercise: whether a number is even, asked about 2, 4, 3, 5 under these behaviours."""
    cases = [
        Case((n,), (n % 2 == 0,), behaviour=name)
        for n, name in zip((2, 4, 3, 5), behaviours, strict=True)
    ]
    return Exercise("a/even", "Even", 2, Code("even", tuple(cases)), "even", (), "", "", "")


def test_the_cases_of_a_behaviour_earn_their_points_together():
    small_is_even = _parity("small", "large", "small", "large")
    for answer, score in (
        (lambda n: n % 2 == 0, 2),
        (lambda n: n == 2, 1),  # wrong about 4 alone: right about the small ones
        (lambda n: True, 0),  # right in two cases of four, and about nothing
        (lambda n: n % 2, 0),
    ):
        assert checking.checked(small_is_even, answer).score == score
    by_case = _parity("", "", "", "")
    assert checking.checked(by_case, lambda n: True).score == 1


def test_a_card_says_which_behaviours_are_right():
    one = checking.checked(_parity("small", "large", "small", "large"), lambda n: n == 2)
    assert "Right about: small\nNot yet about: large" in str(one)
    for silent in (lambda n: n % 2 == 0, lambda n: True):  # all, and none
        assert "about" not in str(
            checking.checked(_parity("small", "large", "small", "large"), silent)
        )


def test_only_who_passes_is_shown_all_the_points():
    task = Code("f", tuple(Case((n,), (n,)) for n in range(100)))
    exercise = Exercise("a/same", "The same", 4, task, "f", (), "", "", "")
    assert "3.9 of 4 points" in str(checking.checked(exercise, lambda n: n or 1))
    assert "4 of 4 points" in str(checking.checked(exercise, lambda n: n))


def test_a_choice_and_its_reason_earn_their_points_together():
    pair = Choose((Question("which", ("A", "B"), "B"), Question("because", ("1", "2"), "2")))
    exercise = Exercise("a/pair", "A pair", 1, pair, "(which, because)", (), "", "", "")
    for answer, score in ((("B", 2), 1), (("b.", "2)"), 1), (("B", 1), 0), (("A", 2), 0)):
        assert checking.checked(exercise, answer).score == score


def test_only_where_nbgrader_marks_is_the_standard_error_plain_output(monkeypatch):
    """And only that of a kernel, whatever an answer has put in its place."""

    class Stream(io.StringIO):
        pub_thread = None

        def __init__(self, name):
            super().__init__()
            self.name = name

    first, now = Stream("stderr"), Stream("stderr")
    monkeypatch.setattr("dtree_lab.course.calls._AT_FIRST", first)
    monkeypatch.setattr(sys, "stderr", now)
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    dt.course.check("tax-fraud/six-to-four", 0.971)
    assert (first.name, now.name) == ("stderr", "stderr")
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    dt.course.check("tax-fraud/six-to-four", 0.971)
    assert (first.name, now.name) == ("stdout", "stdout")
    monkeypatch.setattr(sys, "stderr", io.StringIO())  # somebody's own has no name
    dt.course.check("tax-fraud/six-to-four", 0.971)
    monkeypatch.setattr(sys, "stderr", None)
    dt.course.check("tax-fraud/six-to-four", 0.971)


def doubled():
    """Write a function that doubles: two behaviours, each with an unseen case."""

    def fresh(rng):
        yield Case((7,), (14,), "the secret seven", behaviour="whole")
        yield Case((0.5,), (1.0,), "the secret half", behaviour="broken")

    cases = (Case((3,), (6,), behaviour="whole"), Case((1.5,), (3.0,), behaviour="broken"))
    task = Code("double", cases, fresh=fresh)
    return Exercise("a/double", "", 2, task, "double", (), "", "", "")


def test_of_unseen_cases_only_whether_they_are_right_is_kept():
    exercise = doubled()
    right = checking.unseen_lines(exercise, lambda x: 2 * x, 1)
    assert right == (
        CardLine("", passed=True, behaviour="whole"),
        CardLine("", passed=True, behaviour="broken"),
    )
    half = checking.unseen_lines(exercise, lambda x: 2 * x if x != 7 else 1 / 0, 1)
    assert half == (CardLine("", passed=False, behaviour="whole"), right[1])
    assert [line.passed for line in checking.unseen_lines(exercise, ..., 1)] == [False, False]
    outcomes = checking.outcomes_of(exercise, lambda x: 2 * x)
    result = checking.resulting(exercise, outcomes, half)
    assert (result.score, result.passed) == (1, False)
    assert "not right in 1 of 2 unseen cases" in str(result)


@each(
    ("answer", "matters"),
    [
        (lambda x: 2 * x, True),
        (lambda x: 6, True),  # one behaviour may still be right
        (lambda x: 9, False),
        (lambda x: 1 / 0, False),
    ],
)
def test_unseen_cases_matter_while_a_behaviour_may_be_right(answer, matters):
    exercise = doubled()
    outcomes = checking.outcomes_of(exercise, answer)
    assert checking.may_earn(exercise, outcomes, 1) == matters
    assert bool(checking.resulting(exercise, outcomes).score) == matters


def test_who_hands_in_the_librarys_own_function_hears_so():
    """Right as it is; one's own function of the same name says nothing of the kind."""
    words = "This one is the library's. The exercise is to write your own."

    def entropy(counts):
        return sum(n / sum(counts) * math.log2(sum(counts) / n) for n in counts if n)

    def wrapped(counts):
        return dt.entropy(counts)

    for taken, is_ours in ((dt.entropy, True), (wrapped, True), (entropy, False)):
        result = checking.check("tax-fraud/entropy", taken)
        assert result.passed
        assert (words in str(result)) == is_ours


def test_where_points_count_the_librarys_function_earns_none(monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setattr(checking, "as_output", lambda: None)
    with pytest.raises(
        AssertionError, match=r"NOT YOUR OWN  Entropy as a function \(0 of 3 points"
    ):
        checking.check("tax-fraud/entropy", dt.entropy)


@pytest.mark.parametrize(
    ("cells", "is_ours"),
    [
        (["grown = dt.id3(table)"], True),
        (["tree = dt.id3(table)\ngrown = tree"], True),
        (["lecture = dt.id3(table)", "grown = dt.by_hand(table, HAND)"], False),
        (["grown = dt.id3(table)", "grown = dt.by_hand(table, HAND)"], False),
        (["grown = dt.by_hand(table, HAND)", "grown = dt.id3(table)", "%matplotlib"], True),
    ],
)
def test_a_tree_that_the_library_grew_is_known_by_its_cell(monkeypatch, cells, is_ours):
    """As a kernel runs it: the tree itself does not show who grew it."""
    shell = InteractiveShell(config=Config(HistoryManager={"enabled": False}))
    monkeypatch.setattr(IPython, "get_ipython", lambda: shell)
    hand = {(): "pos", (1,): "near(river)", (1, 1): "near(race)"}
    shell.push({"dt": dt, "table": dt.datasets.word_sense(), "HAND": hand})
    for cell in cells:
        shell.run_cell(cell, store_history=True, silent=False)
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setattr(checking, "as_output", lambda: None)
    grown = shell.user_ns["grown"]
    if is_ours:
        with pytest.raises(AssertionError, match="NOT YOUR OWN"):
            checking.check("word-senses/seven-tree", grown)
    else:
        assert checking.check("word-senses/seven-tree", grown) == 4


@pytest.mark.parametrize(
    ("code", "taken"),
    [
        ("import dtree_lab as dt\nentropy = dt.entropy", True),
        ("entropy = lambda counts: dt.entropy(counts)", True),
        ("from dtree_lab import entropy", True),
        (
            "from dtree_lab.criteria.classes import entropy as e\ndef entropy(c):\n    return e(c)",
            True,
        ),
        ("def helper(c):\n    return dt.entropy(c)\ndef entropy(c):\n    return helper(c)", True),
        (
            "def entropy(c):\n    def e():\n        return dtree_lab.entropy(c)\n    return e()",
            True,
        ),
        # One's own, beside what it is compared with, or with a name alone that is the library's.
        ("def entropy(c):\n    return len(c)\nprint(entropy([1]), dt.entropy([1]))", False),
        ("def entropy(c):\n    return entropy(c[1:]) if c else 0", False),
        ("def entropy(c):\n    return scipy.stats.entropy(c) + dt.gini(c) + c.entropy", False),
        ("other = dt.entropy\ndef entropy(c):\n    return len(c)", False),
        ("from dtree_lab import entropy\ndef entropy(c):\n    return len(c)", False),
        ("def entropy(c):\n    x = 0\n    return x\nx = dt.entropy([3])", False),
        ("def entropy(c):\n    return len(c)\nc = dt.entropy([3])", False),
        ("from scipy.stats import entropy", False),
        ("def entropy(c:", False),
        ("", False),
    ],
)
def test_what_the_answer_leads_to_tells_whose_it_is(code, taken):
    assert is_taken(("entropy",), code, "entropy") == taken


def test_no_worked_solution_is_the_librarys_and_each_name_is_a_function_of_it():
    every = [one for one in dt.course.exercises() if one.done_by]
    assert len(every) >= 10
    for one in every:
        assert not is_taken(one.done_by, one.solution, one.answer), one.id
        for name in one.done_by:
            assert callable(getattr(dt, name, None) or getattr(dt.theory, name)), (one.id, name)
            assert is_taken(one.done_by, f"{one.answer} = dt.{name}", one.answer)
