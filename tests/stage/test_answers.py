"""Questions that are answered by a number: read, taken, and drawn in a lab or on a strip."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.base.text import html
from dtree_lab.draw.measure import width
from dtree_lab.draw.style import LABEL
from dtree_lab.stage.answers import KINDS, MOST_NUMBERS, AnswerKind, ByLetter, ByNumber
from dtree_lab.stage.checking import tried
from dtree_lab.stage.export import played
from dtree_lab.stage.lecture import LectureError
from dtree_lab.stage.reading import parse
from dtree_lab.stage.telling import told_audience, told_phone, told_presenter
from dtree_lab.stage.votes import as_csv
from dtree_lab.stage.words import inline
from stage.talks import HEAD, a_scene

STRIP = 'ask: "How many are wrong?"\nnumber: [0, 10]\nanswer: 5\nbecause: half of them\n---\n'
LAB = (
    "lab: threshold\ntable: tax_fraud\nreveal: [rule]\nsteps: 0\n"
    'ask: "Where?"\nnumber: Taxable Income\nanswer: [95, 100]\nbecause: the gain\n---\n'
)


def kind(scene):
    return parse(HEAD + scene).scenes[0].question.takes


def send(show, *numbers):
    """A phone for each number, which is one of those that its slider has."""
    for i, one in enumerate(numbers):
        texts = told_phone(show, "")["number"]
        show.tapped(f"phone {i}", texts.index(one))


def bars(told):
    """Of each picture of a lab the bars that stand in it, as heights from left to right."""
    pictures = [part for part in json.loads(told)["parts"] if part["kind"] == "picture"]
    boxes = [
        [one[1] for one in part["element"][2:] if one[1].get("class") == "dtl-answers"]
        for part in pictures
    ]
    return {
        part["id"]: [box["height"] for box in sorted(found, key=lambda box: box["x"])]
        for part, found in zip(pictures, boxes, strict=True)
    }


@each(
    ("front", "values", "right"),
    [
        ("number: [0, 4]", [0, 1, 2, 3, 4], None),
        ("number: [0, 1, 0.25]\nanswer: 0.5", [0, 0.25, 0.5, 0.75, 1], (0.5, 0.5)),
        ("number: [-2, 1, 1.5]\nanswer: [-2, 0]", [-2, -0.5, 1], (-2, 0)),
    ],
)
def test_a_number_is_asked_for_from_where_to_where(front, values, right):
    found = kind(f"ask: How many?\n{front}\n---\n")
    assert (list(found.values), found.right) == (values, right)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_a_slider_has_round_steps_and_not_too_many(low, wide):
    low, wide = round(low, 3), round(wide, 3)
    found = kind(f"ask: How many?\nnumber: [{low!r}, {low + wide!r}]\n---\n")
    assert 2 <= found.most <= MOST_NUMBERS + 1
    assert all(low - 1e-6 <= v <= low + wide + 1e-6 for v in found.values)


@each(
    ("front", "told"),
    [
        ("number: [4, 0]", "number: is from where to where, as [0, 10]"),
        ("number: [0]", "number: is from where to where"),
        ("number: [0, .inf]", "number: is from where to where"),
        ("number: [0, 10, -1]", "number: is from where to where"),
        ("number: [0, true]", "number: is from where to where"),
        ("number: 10", "number: is from where to where"),
        ("number: [0, 1, 0.001]", "number: has more than 180 steps: take larger ones"),
        ("number: [0, 10]\nanswer: many", "answer: is a number, or from where to where"),
        ("number: [0, 10]\nanswer: [5, 4]", "answer: is a number, or from where to where"),
        ("number: [0, 10]\nanswer: 11", "answer: lies outside of what can be said, 0 to 10"),
        ("number: Income", "number: names the axis of a lab's pictures: say lab: NAME as well"),
        ("number: [0, 9]\noptions: [a, b]", "a question is answered in one way: options or number"),
    ],
)
def test_what_cannot_be_asked_is_told_with_its_line(front, told):
    with pytest.raises(LectureError) as error:
        parse(f"{HEAD}ask: How many?\n{front}\n---\n")
    (line,) = str(error.value).splitlines()
    assert re.match(r"lecture\.md:[67]: ", line)
    assert told in line


def test_a_number_without_a_question_and_one_whose_options_the_course_has_are_told():
    with pytest.raises(LectureError, match="5: 'number' belongs to a question: say ask: too"):
        parse(f"{HEAD}number: [0, 10]\n---\nwords")
    with pytest.raises(LectureError, match=r"the course says the number of .* leave number: out"):
        parse(f"{HEAD}ask: tax-fraud/postcode\nnumber: [0, 10]\n---\n")
    asked = kind("ask: tax-fraud/leave-one-out\nnumber: [0, 10]\nanswer: 5\n---\n")
    assert (asked.most, asked.right) == (11, (5, 5))


def test_a_check_knows_the_axes_of_a_lab():
    assert tried(parse(HEAD + LAB)) == []
    (wrong,) = tried(parse(HEAD + LAB.replace("number: Taxable", "number: Taxed")))
    assert "no axis 'Taxed Income'. Did you mean 'Taxable Income'?" in wrong.what
    (wrong,) = tried(parse(HEAD + LAB.replace("[95, 100]", "500")))
    assert wrong.what == "answer: lies outside of the lab's picture, 54 to 226"
    (wrong,) = tried(parse(HEAD + LAB.replace("threshold", "entropy").replace("[rule]", "[bars]")))
    assert "has no axis 'Taxable Income'" in wrong.what


SENT = st.lists(st.integers(0, 10), min_size=1, max_size=60)


@given(SENT)
def test_bars_are_as_high_as_a_tally_by_hand(sent):
    found = kind(STRIP)
    drawn = found.seen(str, sent, answered=False)["strip"]
    heights = [float(h) for h in re.findall(r'class="dtl-answers".*?height="([\d.]+)"', drawn)]
    counts = [n for _, n in sorted(Counter(sent).items())]
    assert heights == pytest.approx([max(heights) * n / max(counts) for n in counts], abs=0.2)
    said = re.search(r"(\d+) answers?, half of them from (\d+) to (\d+)", found.in_words(sent))
    n, low, high = map(int, said.groups())
    assert n == len(sent)
    assert sum(low <= one <= high for one in sent) >= n / 2
    assert sum(one < low for one in sent) <= n / 4
    assert sum(one > high for one in sent) <= n / 4
    # And it is no wider than that.
    assert min(sum(one <= low for one in sent), sum(one >= high for one in sent)) >= n / 4


@given(st.integers(0, 10), st.integers(0, 10))
def test_two_names_on_a_strip_lie_on_no_other_and_in_the_picture(said, right):
    found = kind(STRIP.replace("answer: 5", f"answer: {right}"))
    drawn = found.seen(str, [said], answered=True)["strip"]
    texts = (
        r'class="dtl-key dtl-halo [\w-]+" x="([\d.]+)" y="([\d.]+)" text-anchor="(\w+)">([^<]+)<'
    )
    places = []
    for x, y, anchor, words in re.findall(texts, drawn):
        left = float(x) - (width(words, LABEL) if anchor == "end" else 0)
        assert left >= 0
        assert left + width(words, LABEL) <= 320
        places.append((float(y), left, left + width(words, LABEL)))
    (one, left, end), (other, begin, last) = places
    assert one != other or end <= begin or last <= left


def test_the_room_is_shown_its_numbers_then_what_is_right_and_not_before():
    async def run():
        show = await a_scene(STRIP)
        send(show, "3", "5", "9")
        told = told_audience(show)["ask"]
        assert told["voted"] == 3
        assert "dtl-answers" not in told["strip"]
        assert told["said"] == ""
        assert told_presenter(show)["sums"] == "3 answers, half of them from 3 to 9."
        await show.on()
        told = told_audience(show)["ask"]
        assert told["strip"].count("dtl-answers") == 3
        assert "the room: 5" in told["strip"]
        assert "right" not in told["strip"]
        await show.on()
        told = told_audience(show)["ask"]
        assert "right: 5" in told["strip"]
        assert told["said"] == "Right: 5, as 1 of 3 said."
        await show.second_vote()
        assert "dtl-answers" not in told_audience(show)["ask"]["strip"]

    asyncio.run(run())


def test_a_phone_hears_what_it_said_and_what_is_right_with_the_key_that_shows_it():
    async def run():
        show = await a_scene(STRIP)
        send(show, "5", "9")
        assert told_phone(show, "phone 1")["chosen"] == 9
        await show.on()
        assert told_phone(show, "phone 1") == {"title": "A talk", "ballot": None}
        await show.on()
        why = "<p>half of them</p>\n"
        answer = {"asks": "How many are wrong?", "right": "5", "because": why}
        for phone, yours, hit in (("phone 0", "5", True), ("phone 1", "9", False), ("c", "", None)):
            own = told_phone(show, phone)["answer"]
            assert own == {**answer, "yours": yours, "hit": hit}

    asyncio.run(run())


def test_cuts_of_the_class_stand_in_each_picture_of_the_lab_that_has_their_axis():
    async def run():
        show = await a_scene(LAB)
        assert set(bars(told_audience(show)["told"])["points"]) == set()
        send(show, "60", "97", "97", "150")
        before = told_audience(show)["told"]
        assert before == show.shown.view
        await show.on()
        found = bars(told_audience(show)["told"])
        assert found["points"] == pytest.approx(
            [max(found["points"]) / 2, *[max(found["points"])], max(found["points"]) / 2], abs=0.2
        )
        assert len(found["gains"]) == len(found["points"])
        assert "the room: 97" in told_audience(show)["told"]
        assert "right: 95 to 100" not in told_audience(show)["told"]
        await show.on()
        assert "right: 95 to 100" in told_audience(show)["told"]
        assert told_audience(show)["ask"]["said"] == "Right: 95 to 100, as 2 of 4 said."
        # The lab goes on with them in it, and shows itself what is right.
        await show.on()
        told = told_audience(show)
        assert told["ask"] is None
        assert bars(told["told"]) == found
        assert "right: 95 to 100" not in told["told"]
        for _ in range(3):
            await show.back()
        assert told_audience(show)["told"] == before

    asyncio.run(run())


def test_the_slider_of_a_lab_goes_along_its_axis():
    async def run():
        show = await a_scene(LAB)
        values = [float(v) for v in told_phone(show, "")["number"]]
        axis = show.shown.axes["points"][0]
        assert axis[1] <= values[0] < values[-1] <= axis[2]
        best = dt.ThresholdLab(dt.datasets.tax_fraud(), "Taxable Income")
        best.act({"do": "best"})
        low, high = show.question_at(0).takes.right
        assert low < best.cut < high

    asyncio.run(run())


@pytest.mark.parametrize("scene", [STRIP, LAB])
def test_what_is_no_answer_is_none(scene):
    async def run():
        show = await a_scene(scene)
        last = len(told_phone(show, "")["number"]) - 1
        for junk in (-1, last + 1, 10**30, 1.0, True, None, "1", [1]):
            show.tapped("a", junk)
        assert show.vote.total == 0
        show.tapped("a", 0)
        show.tapped("a", last)
        assert show.vote.rounds[-1].phones == {"a": last}
        await show.on()
        show.tapped("a", 0)  # too late
        assert show.vote.rounds[-1].phones == {"a": last}

    asyncio.run(run())


def test_numbers_are_saved_and_come_back_and_what_was_damaged_does_not():
    async def run():
        show = await a_scene(LAB)
        send(show, "60", "97")
        await show.on()
        saved = json.loads(json.dumps(show.saved()))
        other = await a_scene(LAB)
        assert await other.restore(saved)
        assert told_audience(other) == told_audience(show)
        for phones in ({"a": "9"}, {"a": -1}, {"a": 10**6}, {"a": True}):
            other = await a_scene(LAB)
            assert await other.restore({**saved, "votes": {"0": [[[], phones]]}})
            assert other.vote.total == 0
        # Where another axis has fewer places, those beyond them are none.
        other = await a_scene(LAB)
        assert await other.restore({**saved, "votes": {"0": [[[], {"a": MOST_NUMBERS, "b": 9}]]}})
        await other.on()
        assert told_phone(other, "a")["answer"]["yours"] == ""
        assert told_phone(other, "b")["answer"]["yours"] == "63"
        assert "1 answer, half" in told_presenter(other)["sums"]

    asyncio.run(run())


def test_as_a_file_numbers_have_a_line_each():
    async def run():
        show = await a_scene(STRIP)
        send(show, "3", "5", "3")
        rows = list(csv.DictReader(io.StringIO(as_csv({0: show.question_at(0)}, show.votes))))
        told = [(row["option"], row["right"], row["phones"], row["votes"]) for row in rows]
        assert told == [("3", "no", "2", "2"), ("5", "yes", "1", "1")]

    asyncio.run(run())


def test_an_export_has_the_picture_without_votes_and_with_what_is_right():
    asked, answered, lab = played(parse(HEAD + LAB))
    assert bars(asked["told"])["points"] == bars(answered["told"])["points"] == []
    assert "right: 95 to 100" not in asked["told"]
    assert "right: 95 to 100" in answered["told"]
    assert (lab["ask"], answered["ask"]["said"]) == (None, "Right: 95 to 100.")


NODE = (
    "lab: tree\ntable: tax_fraud\nreveal: [questions]\nsteps: 0\n"
    'ask: "Which first?"\noptions: questions\n---\n'
)


def test_options_are_what_could_be_asked_at_the_node_and_the_best_is_right():
    async def run():
        show = await a_scene(NODE)
        table = dt.datasets.tax_fraud()
        phone = told_phone(show, "")
        assert phone["options"] == list(table.names)
        told = told_audience(show)
        assert told["lab"]
        assert "right" not in told["ask"]
        for device, option in (("a", 0), ("b", 1), ("c", 1), ("d", 3)):
            show.tapped(device, option)
        await show.on()
        assert told_audience(show)["ask"]["votes"] == [(1, 2, 0)]
        await show.on()
        ask = told_audience(show)["ask"]
        gains = {one.attribute.name: one.gain for one in dt.compare(table).ranked}
        best = [i for i, name in enumerate(table.names) if gains[name] == max(gains.values())]
        assert ask["right"] == best == [1, 2]
        assert f"Refund {gains['Refund']:.3f}." in ask["because"]
        assert told_phone(show, "a")["answer"]["yours"] == "A: Refund"
        rows = list(csv.DictReader(io.StringIO(as_csv({0: show.question_at(0)}, show.votes))))
        assert [(row["option"], row["votes"]) for row in rows] == [
            (name, n) for name, n in zip(table.names, "120", strict=True)
        ]
        saved = json.loads(json.dumps(show.saved()))
        other = await a_scene(NODE)
        assert await other.restore(saved)
        assert told_audience(other) == told_audience(show)

    asyncio.run(run())


def test_another_node_gives_other_options_until_somebody_has_answered():
    async def run():
        show = await a_scene(NODE)
        await show.act({"do": "best"})
        await show.act({"do": "select", "at": "0"})
        first = told_phone(show, "")["options"]
        assert first != list(dt.datasets.tax_fraud().names)
        show.tapped("a", 1)
        await show.act({"do": "select", "at": ""})
        assert told_phone(show, "a")["options"] == first
        assert show.vote.total == 1

    asyncio.run(run())


@each("name", ["a*b*c", "_x_", "US$ and A$", "<b>bold</b>", "`code`", "[z](u)", "$x$", "&amp;"])
def test_a_name_of_a_table_is_an_option_as_it_stands(name):
    columns = {name: ["a", "a", "b", "b"], "other": ["c", "d", "c", "d"], "y": ["n", "n", "p", "p"]}
    told = dt.TreeBuilder(dt.Table.from_columns(columns, target="y")).told
    found = ByLetter(about="questions").within(told, {})
    pages = found.texts(lambda text: inline(text, Path()))
    shown = re.sub(r"</?code>", "", pages[0])
    assert (shown, found.right) == (html(name), {0})
    assert "<em>" not in found.reason


def test_a_check_knows_where_a_lab_asks():
    assert tried(parse(HEAD + NODE)) == []
    (wrong,) = tried(parse(HEAD + NODE.replace("options: questions", "options: question")))
    assert "options: the lab has no questions 'question'. Did you mean 'questions'?" in wrong.what
    with pytest.raises(LectureError, match="answer: is what gains most, as the lab says"):
        parse(HEAD + NODE.replace("options:", "answer: A\noptions:"))


class ByColour(AnswerKind):
    """A kind from outside: by one of two colours."""

    SIGN = "colours"

    @classmethod
    def read(cls, scene):
        """``colours: true``."""
        return cls()

    def texts(self, line):
        """Two of them."""
        return ["red", "blue"]

    def seen(self, line, sent, *, answered):
        """How many were blue."""
        return {"strip": "", "said": "" if sent is None else f"{sum(sent)} of {len(sent)} blue"}


def test_a_new_kind_is_one_class_and_one_line():
    KINDS.append(ByColour)
    try:

        async def run():
            show = await a_scene("ask: Which?\ncolours: true\n---\n")
            show.tapped("a", 1)
            show.tapped("b", 0)
            show.tapped("c", 2)
            await show.on()
            assert told_audience(show)["ask"]["said"] == "1 of 2 blue"

        asyncio.run(run())
    finally:
        KINDS.remove(ByColour)
    assert ByNumber in KINDS
