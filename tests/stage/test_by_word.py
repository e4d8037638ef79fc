"""Questions that are answered by a word: what counts as one, who sees it, and what is right."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
import unicodedata
from collections import Counter

import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

from dtree_lab.stage.answers import MOST_SIGNS, MOST_WORDS, ByWord
from dtree_lab.stage.ballots import Ballots
from dtree_lab.stage.checking import tried
from dtree_lab.stage.classroom import TAP
from dtree_lab.stage.export import played
from dtree_lab.stage.lecture import LectureError
from dtree_lab.stage.reading import parse
from dtree_lab.stage.server import Stage
from dtree_lab.stage.telling import told_audience, told_phone, told_presenter
from dtree_lab.stage.votes import as_csv
from stage.talks import HEAD, a_scene
from stage.test_classroom import a_class, heard

ASKS = (
    'ask: "What is it called?"\nword: yes\nanswer: [overfitting, over-fitting]\n'
    "because: by heart\n---\n# A name for it\n"
)
OPEN = 'ask: "Which word comes to mind?"\nword: 12\n---\n# Any word\n'


def send(show, *words):
    """Each from a phone of its own; what they are told."""
    return [show.tapped(f"phone {i}", word) for i, word in enumerate(words)]


def wall(show):
    """What the room sees: each word with how often it came in each vote, and what else is said."""
    told = told_audience(show)["ask"]
    plain = [re.fullmatch(r"<bdi>(.*)</bdi>", one)[1] for one in told["options"]]
    return [(word, *n) for word, *n in zip(plain, *told["votes"], strict=True)], told["said"]


def word_of(text, **scene):
    return ByWord(**scene).word(text, {})


GOOD = {
    "overfitting": "overfitting",
    "  over   fitting ": "over fitting",
    "over-fitting": "over-fitting",
    "don\u2019t": "don't",
    "over\u2011fitting": "over-fitting",
    "u\u0308bung": "\u00fcbung",
    "42": "42",
    "C45": "C45",
    "\u0928\u093f\u0930\u094d\u0923\u092f": "\u0928\u093f\u0930\u094d\u0923\u092f",
    "\u05e2\u05e5": "\u05e2\u05e5",
    "\u6c7a\u5b9a\u6728": "\u6c7a\u5b9a\u6728",
    "n" * MOST_SIGNS: "n" * MOST_SIGNS,
    "e\u0301" * MOST_SIGNS: "\u00e9" * MOST_SIGNS,
}


@each(("typed", "kept"), list(GOOD.items()))
def test_a_word_is_letters_of_any_alphabet(typed, kept):
    assert word_of(typed) == kept


@each(
    "typed",
    [
        "",
        "   ",
        "<b>bold</b>",
        "<script>alert(1)</script>"[:20],
        "a&b",
        "a\u202eb",  # turns round what follows
        "\u2066ab\u2069",
        "a\u200bb",
        "a\u200db",
        "=1+1",
        "@here",
        "a_b",
        "*a*",
        "`a`",
        "$x$",
        "a/b",
        "a.b",
        "-a",
        "a-",
        "'a",
        "a--b",
        "a\x00b",
        "\U0001f600",
        "\u00b2",
        "\u2167",
        "\u3164",  # letters of which nothing is seen
        "a\ufe0f",
        "\u0301",
        "Z" + "\u0335\u0334\u0337\u0338",  # marks that would pile up
    ],
)
def test_what_is_no_word_is_refused_and_says_what_one_is(typed):
    with pytest.raises(ValueError, match="A word has letters and digits; a blank, - or '"):
        word_of(typed)


@given(st.text(max_size=60))
def test_whatever_is_kept_is_plain_text_in_one_direction(typed):
    try:
        word = word_of(typed)
    except ValueError:
        return
    assert len(word) <= MOST_SIGNS
    assert word == unicodedata.normalize("NFC", word) == " ".join(word.split())
    kinds = {unicodedata.category(sign) for sign in word if sign not in "- '"}
    assert kinds <= {"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd"}
    assert word_of(word) == word


def test_a_word_that_is_too_long_is_told_how_long_it_may_be():
    with pytest.raises(ValueError, match="12 characters at most, and this has 13"):
        word_of("n" * 13, length=12)
    assert word_of("n" * 12, length=12) == "n" * 12


@each("word", list(GOOD))
def test_a_phone_can_send_each_of_them_in_one_message(word):
    assert TAP.fullmatch(f"999999:={word}")[3] == word
    assert len(f"999999:={word}".encode()) <= 200


@each(
    ("front", "told"),
    [
        ("word: no", "word: is yes, or how long one may be, up to 20"),
        ("word: 0", "word: is yes, or how long"),
        ("word: 21", "word: is yes, or how long"),
        ("word: overfitting", "word: is yes, or how long"),
        ("word: yes\nanswer: a/b", "answer: is a word that can be typed. A word has letters"),
        ("word: 4\nanswer: [tree, forest]", "A word has 4 characters at most, and this has 6."),
        ("word: yes\nnumber: [0, 9]", "is answered in one way: number or word"),
    ],
)
def test_what_cannot_be_asked_is_told_with_its_line(front, told):
    with pytest.raises(LectureError) as error:
        parse(f"{HEAD}ask: What?\n{front}\n---\n")
    (line,) = str(error.value).splitlines()
    assert re.match(r"lecture\.md:[67]: ", line)
    assert told in line


def test_a_check_finds_nothing_wrong_but_a_lab_that_is_to_take_words():
    assert tried(parse(HEAD + ASKS)) == tried(parse(HEAD + OPEN)) == []
    (problem,) = tried(parse(f"{HEAD}lab: plane\nsteps: [class]\n{OPEN}"))
    assert "class takes what phones have answered: ask for options: or point:" in problem.what


def test_the_room_sees_the_words_with_their_key_and_how_often_each_came():
    async def run():
        show = await a_scene(ASKS)
        send(show, "noise", "Overfitting", "OVERFITTING", "noise", "  overfitting ", "bias")
        before = json.dumps(told_audience(show))
        assert not re.search("noise|overfitting|bias", before, re.IGNORECASE)
        assert told_audience(show)["ask"]["voted"] == 6
        await show.on()
        assert wall(show) == ([("Overfitting", 3), ("noise", 2), ("bias", 1)], "")
        assert "right" not in told_audience(show)["ask"]
        await show.on()
        ask = told_audience(show)["ask"]
        assert ask["right"] == [0]
        assert ask["said"] == (
            "Right: <bdi>overfitting</bdi> or <bdi>over-fitting</bdi>, as 3 of 6 said."
        )

    asyncio.run(run())


def test_composed_and_decomposed_capitals_and_small_are_one_word():
    async def run():
        show = await a_scene(OPEN)
        send(show, "\u00dcbung", "u\u0308bung", "U\u0308BUNG", "stra\u00dfe", "STRASSE")
        await show.on()
        assert wall(show)[0] == [("\u00dcbung", 3), ("stra\u00dfe", 2)]

    asyncio.run(run())


def test_only_the_ten_most_frequent_are_shown_and_the_others_are_counted():
    async def run():
        show = await a_scene(OPEN)
        words = [f"w{k}" for k in range(13) for _ in range(14 - k)]
        send(show, *words)
        await show.on()
        rows, said = wall(show)
        best = Counter(words).most_common(10)
        assert rows == best
        assert said == f"and {len(words) - sum(n for _, n in best)} others. "

    asyncio.run(run())


def test_words_that_came_as_often_stand_by_the_alphabet_and_not_as_they_came():
    async def run():
        show = await a_scene(OPEN)
        send(show, "pear", "Fig", "apple")
        await show.on()
        assert [word for word, _ in wall(show)[0]] == ["apple", "Fig", "pear"]

    asyncio.run(run())


def test_who_changes_a_word_has_one_vote():
    async def run():
        show = await a_scene(OPEN)
        for word in ("a", "b", "c"):
            assert show.tapped("phone", word) == ""
        assert told_phone(show, "phone")["chosen"] == "c"
        await show.on()
        assert wall(show)[0] == [("c", 1)]
        assert show.tapped("phone", "d") == ""  # too late
        assert wall(show)[0] == [("c", 1)]

    asyncio.run(run())


def test_a_word_is_hidden_before_it_is_on_the_wall_and_counts_among_the_others():
    async def run():
        show = await a_scene(OPEN)
        stage = Stage(show.lecture)
        stage.show = show
        send(show, "nice", "rude", "RUDE", "nice")
        assert told_presenter(show)["words"] == [["nice", 2, False], ["rude", 2, False]]
        await stage.command({"do": "hide", "word": "rude"})
        assert told_presenter(show)["words"][1] == ["rude", 2, True]
        # Who sends it now, in whatever letters, does not bring it back.
        show.tapped("phone 1", "nice")
        show.tapped("phone 2", "nice")
        show.tapped("phone 4", "Rude")
        await show.on()
        assert wall(show) == ([("nice", 4)], "and 1 other. ")
        assert "rude" not in json.dumps(told_audience(show)).lower()
        other = await a_scene(OPEN)
        assert await other.restore(json.loads(json.dumps(show.saved())))
        assert wall(other) == ([("nice", 4)], "and 1 other. ")
        await stage.command({"do": "hide", "word": "rude"})
        assert wall(show) == ([("nice", 4), ("rude", 1)], "")

    asyncio.run(run())


def test_where_all_is_hidden_nothing_but_their_number_is_seen():
    async def run():
        show = await a_scene(OPEN)
        send(show, "rude")
        stage = Stage(show.lecture)
        stage.show = show
        await stage.command({"do": "hide", "word": "rude"})
        await show.on()
        ask = told_audience(show)["ask"]
        assert (ask["options"], ask["said"]) == ([], "and 1 other. ")
        assert ask["votes"] == [()]

    asyncio.run(run())


def test_of_two_votes_the_words_of_the_second_stand_with_their_counts_in_both():
    async def run():
        show = await a_scene(ASKS)
        send(show, "noise", "noise", "overfitting", "bias")
        await show.on()
        await show.second_vote()
        assert told_phone(show, "phone 0")["chosen"] is None
        assert "votes" not in told_audience(show)["ask"]
        send(show, "Overfitting", "overfitting", "noise")
        await show.on()
        assert wall(show)[0] == [("overfitting", 1, 2), ("noise", 2, 1)]
        await show.on()
        assert told_audience(show)["ask"]["right"] == [0]

    asyncio.run(run())


def test_what_is_hidden_stays_hidden_in_a_second_vote():
    async def run():
        show = await a_scene(OPEN)
        stage = Stage(show.lecture)
        stage.show = show
        send(show, "rude", "nice")
        await stage.command({"do": "hide", "word": "rude"})
        await show.on()
        await show.second_vote()
        send(show, "RUDE", "nice")
        assert told_presenter(show)["words"] == [["rude", 1, True], ["nice", 1, False]]
        await show.on()
        assert wall(show) == ([("nice", 1, 1)], "and 1 other. ")

    asyncio.run(run())


def test_a_phone_hears_what_it_said_and_what_is_right_with_the_answers_key():
    async def run():
        show = await a_scene(ASKS)
        told = told_phone(show, "")
        assert (told["word"], told["chosen"]) == (MOST_SIGNS, None)
        send(show, "Over-Fitting", "noise")
        assert "heart" not in json.dumps([told_phone(show, f"phone {i}") for i in range(2)])
        await show.on()
        assert told_phone(show, "phone 0")["ballot"] is None
        await show.on()
        hit, miss = (told_phone(show, f"phone {i}")["answer"] for i in range(2))
        assert (hit["yours"], hit["hit"]) == ("<bdi>Over-Fitting</bdi>", True)
        assert (miss["yours"], miss["hit"]) == ("<bdi>noise</bdi>", False)
        assert miss["right"] == "<bdi>overfitting</bdi> or <bdi>over-fitting</bdi>"
        assert "heart" in miss["because"]
        nobody = told_phone(show, "another")["answer"]
        assert (nobody["yours"], nobody["hit"]) == ("", None)

    asyncio.run(run())


def test_after_so_many_different_words_only_known_ones_count():
    async def run():
        show = await a_scene(OPEN)
        letters = "abcdefghijklmnopqrstuvwxyz"
        words = [f"{a}{b}" for a in letters for b in letters][: MOST_WORDS + 1]
        assert send(show, *words[:MOST_WORDS]) == [""] * MOST_WORDS
        told = show.tapped("late", words[-1])
        assert told == "Too many different words have come: no new one is taken any more."
        assert show.tapped("later", words[3].upper()) == ""
        assert show.vote.total == MOST_WORDS + 1

    asyncio.run(run())


def test_one_phone_cannot_fill_the_list():
    async def run():
        show = await a_scene(OPEN)
        letters = "abcdefghijklmnopqrstuvwxyz"
        words = [f"{a}{b}" for a in letters for b in letters]
        assert [show.tapped("one", word) for word in words] == [""] * len(words)
        assert show.tapped("another", "zzz") == ""

    asyncio.run(run())


def test_numbers_and_junk_are_no_words_and_words_no_letters():
    async def run():
        show = await a_scene(OPEN)
        for junk in (0, 1, -1, True, None, 1.0, ["a"]):
            show.tapped("phone", junk)
        assert show.vote.total == 0
        letters = await a_scene("ask: Which?\noptions: [a, b]\nanswer: A\n---\n# One\n")
        assert "not answered by a word" in letters.tapped("phone", "a")
        assert letters.vote.total == 0

    asyncio.run(run())


def test_without_phones_the_answer_is_shown_straight_away():
    told = played(parse(HEAD + ASKS))
    first, last = (one["ask"] for one in told)
    assert (first["options"], first["said"], "because" in first) == ([], "", False)
    assert last["said"] == "Right: <bdi>overfitting</bdi> or <bdi>over-fitting</bdi>."
    assert "by heart" in last["because"]


def test_as_a_file_each_word_has_a_line():
    async def run():
        show = await a_scene(ASKS)
        send(show, "noise", "Overfitting", "noise")
        rows = list(csv.DictReader(io.StringIO(as_csv({0: show.question_at(0)}, show.votes))))
        found = [(row["option"], row["right"], row["hands"], row["phones"]) for row in rows]
        assert found == [("Overfitting", "yes", "0", "1"), ("noise", "no", "0", "2")]

    asyncio.run(run())


def test_a_lecture_comes_back_with_its_words_and_what_is_damaged_is_left():
    async def run():
        show = await a_scene(ASKS)
        send(show, "noise", "overfitting")
        await show.on()
        saved = json.loads(json.dumps(show.saved()))
        other = await a_scene(ASKS)
        assert await other.restore(saved)
        assert wall(other) == wall(show)
        # Where the question was answered by a number before, there are no words.
        saved["votes"]["0"][0][1] = {"a": 3, "b": 1}
        again = await a_scene(ASKS)
        assert await again.restore(saved)
        assert again.vote.total == 0
        # A file from before words could be hidden has none that are.
        del saved["hidden"]
        assert await (await a_scene(ASKS)).restore(saved)

    asyncio.run(run())


def test_a_page_never_gets_a_word_as_a_page():
    takes = ByWord(right=("o'clock",))
    assert takes.words("<i>&", html_line) == "<bdi>&lt;i&gt;&amp;</bdi>"
    assert takes.right_words(html_line) == "<bdi>o&#x27;clock</bdi>"


def html_line(text):
    return text


def test_the_server_takes_words_tells_what_is_wrong_and_lets_the_rest_go():
    async def run():
        async with a_class() as here:
            here.show = await a_scene(OPEN)
            here.room.lecture = Ballots(here.show, here._changed)
            phone = await here.phone()
            ballot = (await heard(phone))["ballot"]
            await phone.write_message(f"{ballot}:=<b>")
            told = await heard(phone)
            assert told["problem"].startswith("A word has letters and digits")
            assert (told["chosen"], here.changes) == (None, 0)
            await phone.write_message(f"{ballot}:=  Noise ")
            told = await heard(phone)
            assert (told["problem"], told["chosen"], here.changes) == ("", "Noise", 1)
            for junk in (f"{ballot}:=", f"{ballot}:=a\nb", f"{ballot}:={'n' * 61}", f"{ballot}=a"):
                await phone.write_message(junk)
            # A number is no word here, and one for another vote is none.
            await phone.write_message(f"{ballot + 1}:=late")
            assert "problem" not in await heard(phone)
            await phone.write_message(f"{ballot}:0")
            assert (await heard(phone))["chosen"] == "Noise"
            assert here.show.vote.sent == ["Noise"]
            (server_side,) = here.room.phones
            assert server_side.strikes == 4

    asyncio.run(run())
