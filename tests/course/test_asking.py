"""Questions as cards, without a browser: what they ask, judge, remember and keep."""

from __future__ import annotations

import ast
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.course import checking
from dtree_lab.course.asking.model import committed
from dtree_lab.course.asking.wording import worded
from dtree_lab.course.lessons import guesses, names
from dtree_lab.labs.kit.choices import as_html, code_runs, runs, without_marks
from dtree_lab.labs.kit.keeping import literal

PAIRS = [one for one in dt.course.exercises() if one.task.kind == "choice"]
GUESSES = {name: one for lesson in names() for name, one in guesses(lesson).items() if one.asks}


@pytest.fixture(autouse=True)
def _nothing_done(monkeypatch):
    monkeypatch.setattr(checking, "_best", {})


def part(card):
    (one,) = card.view["parts"]
    return one


def choose(card, *keys):
    for group, key in zip(part(card)["groups"], keys, strict=True):
        card.act({"do": "set", "control": group["id"], "value": key})


def commit(card, *keys):
    choose(card, *keys)
    card.act({"do": "commit"})


def of_guess(name, **given):
    kept = GUESSES[name]
    truth = {} if kept.answer is not None else {"truth": kept.options[0] if kept.options else 1}
    return dt.course.ask(name, **(truth | given))


# -- the words -------------------------------------------------------------------------------------


def test_every_choice_of_the_course_is_a_card_with_the_words_of_its_text():
    assert len(PAIRS) >= 17
    for one in PAIRS:
        page, lists = worded(one.text).page, worded(one.text).lists
        keys = [tuple(key for key, _ in each.options) for each in lists]
        assert keys == [question.options for question in one.task.questions], one.id
        assert all(each.asks and not each.asks.startswith("-") for each in lists), one.id
        told = " ".join([page, *(words for each in lists for _, words in each.options)])
        assert set(one.text.split()) - set(told.split()) <= {
            word for each in lists for word in f"- {each.asks} **{each.asks}**".split()
        } | {f"**{key}**" for key in "ABCD1234"}, one.id


def test_no_sign_of_markdown_or_tex_is_left_in_a_card():
    cards = [dt.course.ask(one.id) for one in PAIRS] + [of_guess(name) for name in GUESSES]
    for card in cards:
        assert not set("$\\`*") & set(str(card)), str(card)


def test_inline_words():
    assert runs("a **b c** `d*e*` *f* ``g`` $H(Y \\mid X)$ 2 * 3 * 4") == [
        ("", "a "),
        ("b", "b c"),
        ("", " "),
        ("code", "d*e*"),
        ("", " "),
        ("i", "f"),
        ("", " "),
        ("code", "g"),
        ("", " "),
        ("", "H(Y | X)"),
        ("", " 2 * 3 * 4"),
    ]
    assert as_html("**<b>&** x") == "<b>&lt;b&gt;&amp;</b> x"


@given(st.text())
def test_any_words_come_out_escaped_and_whole(text):
    class Read(HTMLParser):
        tags: list[str]

        def handle_starttag(self, tag, attrs):
            self.tags.append(tag)

    reader = Read()
    reader.tags = []
    reader.feed(as_html(text))
    assert set(reader.tags) <= {"b", "i", "code"}
    assert "".join(words for _, words in code_runs(text)) == text.replace("``", "")
    assert len(without_marks(text)) <= len(text)


@given(st.recursive(st.text() | st.integers() | st.floats(allow_nan=False), st.tuples))
def test_a_literal_is_read_back_as_it_was(value):
    try:
        back = ast.literal_eval(literal(value))
    except (ValueError, NameError):
        assert "inf" in literal(value)
        return
    assert back == value
    assert type(back) is type(value)


# -- pairs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("one", PAIRS, ids=lambda one: one.id)
def test_a_pair_is_judged_as_check_does_whatever_is_chosen(one):
    first, second = (question.options for question in one.task.questions)
    for a in first:
        for b in second:
            answer = (a, int(b))
            card = dt.course.ask(one.id, answer=answer)
            assert str(card.result) == str(dt.course.check(one.id, answer))
            assert str(dt.course.check(one.id, card)) == str(card.result)
            assert str(card.result) in str(card)
            by_hand = dt.course.ask(one.id)
            commit(by_hand, a, b)
            assert (by_hand.answer, by_hand.first) == (answer, answer)
            assert str(by_hand) == str(card)
            assert by_hand._bundle() == card._bundle()


def told_of(one, answer):
    """What is told of a pair, without the pair itself."""
    result = dt.course.check(one.id, answer)
    judged = [line.says for line in result.lines if line.passed is not None]
    a, b = (question.name for question in one.task.questions)
    assert judged == [f"{a}: {answer[0]}, {b}: {answer[1]} is not it; a part of it may be right"]
    marks = [group["options"] for group in part(dt.course.ask(one.id, answer=answer))["groups"]]
    assert {is_right for options in marks for _, _, is_right in options} == {None}
    return [(line.label, line.says) for line in result.lines if line.label]


@pytest.mark.parametrize("one", PAIRS, ids=lambda one: one.id)
def test_a_wrong_pair_tells_of_the_reason_and_nothing_of_the_choice(one):
    choices, reasons = one.task.questions
    of_both = [mistake.wrong for mistake in one.mistakes]  # a thought that has a hint of its own
    for b in reasons.options:
        pairs = [(a, b) for a in choices.options if (a, b) != (choices.right, reasons.right)]
        told = {pair: told_of(one, (pair[0], int(b))) for pair in pairs}
        assert all([label for label, _ in each].count("Hint") <= 1 for each in told.values())
        alike = [told[a, b] for a, b in pairs if a == choices.right or (a, b) not in of_both]
        if b != reasons.right:
            assert all(each == alike[0] for each in alike)


def test_half_a_pair_is_not_tried_with_a_half_that_is_none():
    """Who gives no reason at all, or one that there is not, learns nothing of the choice."""
    for other in (None, 9, "the card Refund"):
        said = {a: str(dt.course.check("tax-fraud/parts", (a, other))) for a in "ABCD"}
        assert len(set(said.values())) == 1
        assert "node" not in said["C"]


def test_what_a_card_says_is_the_check_s_card_line_for_line():
    card = dt.course.ask("tax-fraud/parts", answer=("B", 2))
    said = part(card)["verdict"]
    want = dt.course.check("tax-fraud/parts", ("B", 2))
    assert (said["tone"], said["head"], said["title"]) == (want.tone, want.verdict, want.title)
    words = ["".join(text for _, text in line[2]) for line in said["lines"]]
    assert words == [line.says.replace("``", "") for line in want.lines]
    assert [line[0] for line in said["lines"]] == ["✗", "", ""]


def test_the_first_try_is_kept_and_the_cell_says_both():
    source = 'parts = dt.course.ask("tax-fraud/parts")  # mine\nparts'
    card = dt.course.ask("tax-fraud/parts")
    commit(card, "B", "2")
    once = card.keep(source)["source"]
    assert once == 'parts = dt.course.ask("tax-fraud/parts", answer=("B", 2))  # mine\nparts'
    commit(card, "A", "1")
    commit(card, "C", "1")
    twice = card.keep(once)["source"]
    wanted = 'parts = dt.course.ask("tax-fraud/parts", answer=("C", 1), first=("B", 2))  # mine'
    assert twice.splitlines()[0] == wanted
    space = {"dt": dt}
    exec(twice, space)  # noqa: S102 - our own
    again = space["parts"]
    assert (again.answer, again.first) == (card.answer, card.first) == (("C", 1), ("B", 2))
    assert str(again) == str(card)
    assert 'Your first try: ("B", 2)' in str(again)
    assert again.keep(twice)["source"] == twice


def test_commit_records_and_a_later_slip_takes_nothing_away(tmp_path):
    done = dt.course.progress(tmp_path).lessons[0]
    assert done.passed == []
    card = dt.course.ask("tax-fraud/parts")
    commit(card, "C", "1")
    assert [one.id for one in dt.course.progress(tmp_path).lessons[0].passed] == ["tax-fraud/parts"]
    dt.course.ask("tax-fraud/parts", answer=("A", 1))
    assert len(dt.course.progress(tmp_path).lessons[0].passed) == 1
    assert dt.course.solution("tax-fraud/parts").verdict == "SOLUTION"
    assert "answer=" in str(dt.course.solution("tax-fraud/parts"))


def test_the_same_once_more_is_no_try():
    card = dt.course.ask("tax-fraud/parts")
    commit(card, "B", "2")
    once = str(card), part(card)
    assert part(card)["judged"] == ["B", "2"]
    commit(card, "B", "2")
    assert (str(card), part(card)) == once
    assert not card.view["problem"]
    commit(card, "B", "1")
    assert (part(card)["commits"], part(card)["judged"]) == (2, ["B", "1"])
    # Nor is it one in a notebook that was opened again, whatever a hand has typed into the cell.
    again = dt.course.ask("tax-fraud/parts", answer=("b", "2"))
    commit(again, "B", "2")
    assert (part(again)["commits"], again.answer) == (0, ("b", "2"))


def test_nothing_is_committed_before_every_question_is_answered():
    card = dt.course.ask("tax-fraud/parts")
    card.act({"do": "commit"})
    assert "Choose an option" in card.view["problem"]
    card.act({"do": "set", "control": "question-1", "value": "C"})
    card.act({"do": "commit"})
    assert "because" in card.view["problem"]
    assert (card.answer, card.result, part(card)["commits"]) == (None, None, 0)
    assert dt.course.check("tax-fraud/parts", card).verdict == "ANSWERED IN PART"
    assert card.keep("dt.course.ask('tax-fraud/parts')")["source"] == (
        "dt.course.ask('tax-fraud/parts')"
    )


def test_a_passed_pair_is_locked_and_an_open_one_is_not():
    card = dt.course.ask("tax-fraud/parts", answer=("C", 1))
    choose(card, "A", "1")
    assert card.view["problem"] == "This answer is committed."
    assert card.answer == ("C", 1)
    open_ = dt.course.ask("tax-fraud/parts", answer=("C", 2))
    assert not part(open_)["locked"]
    marks = [
        {key: right for key, _, right in group["options"] if right is not None}
        for group in part(open_)["groups"]
    ]
    assert marks == [{}, {}]  # which half is right would be half the answer
    right = part(card)["groups"]
    assert [[key for key, _, is_right in one["options"] if is_right] for one in right] == [
        ["C"],
        ["1"],
    ]


def test_the_card_of_another_exercise_is_no_answer():
    card = dt.course.ask("tax-fraud/which-tree", answer=("A", 3))
    assert dt.course.check("tax-fraud/which-tree", card).passed
    assert not dt.course.check("tax-fraud/parts", card).passed
    assert committed(card, "tax-fraud/parts") is card


@pytest.mark.parametrize(
    "answer", ["C", ("C",), ("C", 1, 2), ("Z", 9), 7, (None, None), float("nan"), ("c", "1")]
)
def test_what_somebody_typed_is_judged_as_check_judges_it(answer):
    card = dt.course.ask("tax-fraud/parts", answer=answer)
    assert str(card.result) == str(dt.course.check("tax-fraud/parts", answer))
    json.loads(card.told)
    assert card._bundle()


@pytest.mark.parametrize(
    "message",
    [
        {"do": "set", "control": "question-1", "value": "E"},
        {"do": "set", "control": "question-3", "value": "A"},
        {"do": "set", "control": "question-1", "value": 1},
        {"do": "pick", "part": "card", "row": 1},
        {"do": "undo"},
        {"do": "redo"},
        {},
        None,
    ],
)
def test_a_strange_message_is_refused_and_changes_nothing(message):
    card = dt.course.ask("tax-fraud/parts")
    before = str(card)
    card.act(message)
    assert card.view["problem"]
    assert str(card) == before


def test_of_a_card_that_is_seen_the_check_shows_no_second_verdict(capsys):
    """Committed later, the card would contradict it; what progress and scripts read stays whole."""
    card = dt.course.ask("tax-fraud/parts")
    blank = dt.course.check("tax-fraud/parts", card)
    assert "NOT ANSWERED YET" in blank._repr_html_()
    card._ipython_display_()
    blank = dt.course.check("tax-fraud/parts", card)
    commit(card, "C", "1")
    passed = dt.course.check("tax-fraud/parts", card)
    for result, verdict in ((blank, "NOT ANSWERED YET"), (passed, "PASS")):
        assert result.verdict == verdict not in result._repr_html_()
        assert str(result).startswith(verdict)
        assert "verdict stands in the card" in result._repr_html_()
    assert (passed.passed, passed.score, passed.points) == (True, 1, 1)
    assert "NOT YET" in dt.course.check("tax-fraud/which-tree", card)._repr_html_()
    assert "PASS" in dt.course.check("tax-fraud/parts", ("C", 1))._repr_html_()


def test_what_is_chosen_in_part_is_told_and_what_is_open(monkeypatch):
    card = dt.course.ask("tax-fraud/parts")
    assert dt.course.check("tax-fraud/parts", card).verdict == "NOT ANSWERED YET"
    for key in ("C", "A"):  # right and wrong alike
        card.act({"do": "set", "control": part(card)["groups"][0]["id"], "value": key})
        result = dt.course.check("tax-fraud/parts", card)
        assert (result.verdict, result.answered) == ("ANSWERED IN PART", False)
        told = "1 of 2 questions answered; open: 2. It counts once it is committed."
        assert str(result).splitlines()[1:] == [told]
        monkeypatch.setattr(card, "is_seen", True)
        assert told in dt.course.check("tax-fraud/parts", card)._repr_html_()
        assert dt.course.check("tax-fraud/which-tree", card).verdict == "NOT YET"  # another's card
    choose(card, "B", "2")
    assert "2 of 2 questions answered. It" in str(dt.course.check("tax-fraud/parts", card))
    card.act({"do": "commit"})
    result = dt.course.check("tax-fraud/parts", card)
    assert (result.verdict, result.answered) == ("NOT YET", True)


def test_for_nbgrader_the_check_of_a_card_that_is_seen_gives_its_points(capsys, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    monkeypatch.setattr(checking, "as_output", lambda: None)
    card = dt.course.ask("tax-fraud/parts", answer=("C", 1))
    card._ipython_display_()
    assert dt.course.check("tax-fraud/parts", card) == 1
    assert "PASS" in capsys.readouterr().out
    with pytest.raises(AssertionError, match="is not it"):
        dt.course.check("tax-fraud/parts", dt.course.ask("tax-fraud/parts", answer=("A", 1)))


# -- guesses ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GUESSES)
def test_a_guess_is_judged_as_reveal_does_and_tells_nothing_before(name):
    kept = GUESSES[name]
    blank = of_guess(name)
    assert str(blank).startswith("YOUR GUESS?")
    told = json.dumps(blank.told) + "".join(blank._bundle())
    assert not kept.because or kept.because not in told
    assert "✓" not in told
    for key, option in zip("ABCDEFGH", kept.options, strict=False):
        card = of_guess(name)
        commit(card, key)
        assert card.answer == option
        assert str(card.result) == str(of_guess(name, answer=option).result)
        if kept.answer is not None:
            assert str(card.result) == str(dt.course.reveal(option, about=name))
        assert part(card)["locked"]
        (group,) = part(card)["groups"]
        assert any(right for _, _, right in group["options"])
    if not kept.options:
        card = of_guess(name)
        commit(card, " 0,5 ")
        assert card.answer == 0.5
        if kept.answer is not None:
            assert str(card.result) == str(dt.course.reveal(0.5, about=name))
        if kept.between:
            assert kept.between[0] < kept.between[1]
            assert kept.answer is None or kept.between[0] <= kept.answer <= kept.between[1]


def test_a_number_is_what_was_typed_and_what_is_none_is_refused():
    card = dt.course.ask("tax-fraud/disagree", truth=40)
    assert part(card)["groups"][0]["truth"] is None
    commit(card, "about ten")
    assert "must be a number" in card.view["problem"]
    assert card.answer is None
    commit(card, "52")
    assert (card.answer, type(card.answer)) == (52, int)
    assert str(card.result) == "AS YOU SAID  You said 52. It is 40."
    assert part(card)["groups"][0]["truth"] == 40
    assert card.keep("dt.course.ask('tax-fraud/disagree', truth=n)")["source"] == (
        "dt.course.ask('tax-fraud/disagree', truth=n, answer=52)"
    )


def test_a_commit_is_not_undone():
    card = dt.course.ask("tax-fraud/widow", truth="No")
    commit(card, "A")
    card.act({"do": "undo"})
    assert (card.answer, part(card)["locked"]) == ("error", True)
    assert card.view.get("undo") is None


def test_a_guess_that_cannot_be_one_is_not_final():
    card = dt.course.ask("tax-fraud/widow", truth="No", answer="nein")
    assert card.result.verdict == "ONCE MORE"
    assert not part(card)["locked"]
    commit(card, "C")
    assert (card.answer, card.first) == ("No", "nein")


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ("tax-fraud/part", "Did you mean 'tax-fraud/parts'"),
        ("tax-fraud/entropy", "nothing to ask"),
        ("x", "nothing to ask"),
        (7, "nothing to ask"),
        ("tax-fraud/widow", "give it as truth="),
    ],
)
def test_what_cannot_be_asked_is_said(about, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        dt.course.ask(about)


# -- where there is no kernel ----------------------------------------------------------------------


def test_the_page_that_stays_has_options_mark_and_verdict():
    text, page = dt.course.ask("tax-fraud/parts", answer=("C", 2))._bundle()
    words = re.sub(r"<[^>]+>", "", page)
    for said in ("the card Refund", "every row comes by here", "NOT YET", "describes a leaf"):
        assert said in words
        assert said in text
    assert page.count('aria-label="chosen"') == 2
    assert 'aria-label="right"' not in page
    assert page.count('aria-label="not right"') == 1  # of the pair, in its verdict
    assert "<script" not in page
    _, passed = dt.course.ask("tax-fraud/parts", answer=("C", 1))._bundle()
    assert passed.count('aria-label="right"') == 4  # both options, and their lines in the verdict


def test_a_saved_card_counts_for_progress(tmp_path):
    text, _ = dt.course.ask("tax-fraud/parts", answer=("C", 1))._bundle()
    told = {"dtree_lab": {"exercise": "tax-fraud/parts", "role": "answer"}}
    outputs = [
        {"output_type": "display_data", "data": {"text/plain": text.splitlines(keepends=True)}}
    ]
    cell = {"cell_type": "code", "metadata": told, "outputs": outputs}
    check = {"cell_type": "code", "metadata": {"dtree_lab": told["dtree_lab"] | {"role": "check"}}}
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": [cell, check]}), encoding="utf-8")
    checking._best.clear()
    assert [one.id for one in dt.course.progress(tmp_path).lessons[0].passed] == ["tax-fraud/parts"]


# -- the code of the cell --------------------------------------------------------------------------


def test_of_several_cards_in_a_cell_each_keeps_its_own():
    source = (
        'dt.course.ask("tax-fraud/widow", truth="No")\n'
        'display(dt.course.ask("tax-fraud/parts"), dt.course.ask("tax-fraud/postcode"))'
    )
    card = dt.course.ask("tax-fraud/postcode", answer="regression")
    assert card.keep(source)["source"] == source.replace(
        'postcode")', 'postcode", answer="regression")'
    )
    twice = card.keep(f"{source}\n{source}")
    assert twice["source"] is None
    assert "more than once" in twice["problem"]
    assert twice["paste"] == 'answer="regression"'
