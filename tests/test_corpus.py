"""The corpus: what its sentences are, and how they become rows of a table."""

from __future__ import annotations

import re
import string
from collections import Counter
from importlib.resources import files

import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.corpus.reading import file, parsed, unmarked

HEAD = "word: run\nforms: run ran running\nsense run1: on foot\nsense run3: to flow\n"
ALL = dt.corpus.sentences()


class TestSentences:
    def test_there_are_enough_of_them(self):
        assert len(ALL) >= 300
        assert len(dt.corpus.words()) >= 4
        for word in dt.corpus.words():
            found = Counter(one.sense for one in dt.corpus.sentences(word))
            assert set(found) == set(dt.corpus.senses(word))
            assert len(found) >= 3
            assert min(found.values()) >= 10
            assert max(found.values()) < 4 * min(found.values())

    def test_the_lectures_senses_of_run_are_there(self):
        rows = dt.datasets.word_sense()
        assert set(rows.classes) <= set(dt.corpus.senses("run"))
        pos = {one.sense: Counter() for one in dt.corpus.sentences("run")}
        for one in dt.corpus.sentences("run"):
            pos[one.sense][one.pos] += 1
        usual = {sense: found.most_common(1)[0][0] for sense, found in pos.items()}
        for row in rows.rows():
            assert usual[row["sense"]] == row["pos"]

    def test_a_word_may_be_of_several_parts_of_speech_in_one_sense(self):
        both = {(one.sense, one.pos) for one in ALL}
        assert {("run4", "noun"), ("run4", "verb"), ("bank1", "verb")} <= both
        for word in dt.corpus.words():
            assert {"noun", "verb"} <= {one.pos for one in dt.corpus.sentences(word)}

    @each("one", ALL, ids=[one.text for one in ALL])
    def test_each_is_a_sentence_with_its_word_marked_once(self, one):
        forms = file(one.word).forms
        assert sum(word in forms for word in one.words) == 1
        assert one.words[one.at] in forms
        assert 6 <= len(one.words) <= 20
        assert one.text[0].isupper()
        assert one.text[-1] in ".?!"
        assert not set(one.text) - set(string.ascii_letters + " .,;?!'é-")
        assert "  " not in one.text
        assert one.sense.startswith(one.word)
        assert unmarked(one.marked) == (one.text, one.at)

    def test_none_is_there_twice(self):
        assert len({" ".join(one.words) for one in ALL}) == len(ALL)

    def test_all_forms_occur(self):
        found = {one.words[one.at] for one in ALL}
        assert {"run", "runs", "ran", "running", "banks", "sprang", "sprung", "lit"} <= found

    def test_the_spelling_is_british(self):
        words = {word for one in ALL for word in one.words}
        american = {"color", "gray", "center", "harbor", "favorite", "meter", "theater", "neighbor"}
        assert not words & american

    def test_the_files_tell_their_licence(self):
        for word in dt.corpus.words():
            text = (files("dtree_lab.corpus") / f"{word}.txt").read_text(encoding="utf-8")
            assert "BSD-3-Clause" in text.splitlines()[0]

    def test_a_word_that_is_not_there(self):
        with pytest.raises(ValueError, match=r"no sentences with 'Bank'.*Did you mean 'bank'"):
            dt.corpus.sentences("Bank")
        with pytest.raises(ValueError, match="no sentences with ''"):
            dt.corpus.senses("")

    def test_glosses_are_a_copy(self):
        dt.corpus.senses("run").clear()
        assert dt.corpus.senses("run")


class TestOwnSentences:
    def test_the_dictionarys_form_is_found(self):
        for marked, word in {
            "She *ran* home.": "run",
            "*Running* is fun.": "run",
            "It *SPRANG* open.": "spring",
            "A *lit* candle.": "light",
            "The *cat* sat.": "cat",
        }.items():
            assert dt.corpus.sentence(marked, "verb").word == word

    def test_its_text_form(self):
        one = dt.corpus.sentence("She *ran* home.", "verb")
        assert repr(one) == "?, verb: She *ran* home."
        assert str(one) == "She *ran* home."
        assert repr(dt.corpus.sentence("A *run*!", "noun", "run6")) == "run6, noun: A *run*!"

    def test_they_are_values(self):
        one, same = (dt.corpus.sentence("She *ran* home.", "verb") for _ in range(2))
        assert one == same
        assert len({one, same}) == 1
        with pytest.raises(AttributeError):
            one.sense = "run1"

    @pytest.mark.parametrize(
        ("marked", "at", "words"),
        [
            ("*run*", 0, ("run",)),
            ("«Don’t *run*!», said Zoë.", 1, ("don't", "run", "said", "zoë")),
            ("Run, run, *run*, run.", 2, ("run", "run", "run", "run")),
            ("A well-known *run* -- well, known.", 2, ("a", "well-known", "run", "well", "known")),
            ("\t*run*\n ran \u00a0 away…", 0, ("run", "ran", "away")),
            ("10 km *run* in 45_min", 2, ("10", "km", "run", "in", "45", "min")),
            ("日本 *ran* far", 1, ("日本", "ran", "far")),
        ],
    )
    def test_strange_texts(self, marked, at, words):
        one = dt.corpus.sentence(marked, "verb")
        assert (one.at, one.words) == (at, words)

    @each(
        "marked",
        ["", "She ran home.", "She *ran home.", "*She* *ran* home.", "She **ran** home.", "*", "**",
         "She *ran home*.", "She * ran * home.", "She re-*ran* it.", "She *ra*n home.", "* *"],
    )  # fmt: skip
    def test_a_mark_that_is_none(self, marked):
        with pytest.raises(ValueError, match=r"mark one word|not one whole word"):
            dt.corpus.sentence(marked, "verb")

    def test_no_such_part_of_speech(self):
        with pytest.raises(ValueError, match="'verbs' is no part of speech; there are noun, verb"):
            dt.corpus.sentence("She *ran* home.", "verbs")

    def test_no_such_place(self):
        for at in (-1, 3):
            with pytest.raises(ValueError, match="3 words"):
                dt.corpus.Sentence("She ran home.", "run", at, "verb")


def near_by_counting(one, word, window):
    """Count the steps from the marked word outwards: slow, and hard to get wrong."""
    text = one.marked.lower()
    before, _, rest = text.partition("*")
    _, _, after = rest.partition("*")
    split = [re.findall(r"[a-zé]+(?:['-][a-zé]+)*", part) for part in (before, after)]
    for steps in range(1, window + 1):
        if len(split[0]) >= steps and split[0][-steps] == word:
            return True
        if len(split[1]) >= steps and split[1][steps - 1] == word:
            return True
    return False


class TestNear:
    @pytest.mark.parametrize("window", [1, 2, 5, 30])
    def test_it_is_what_counting_gives(self, window):
        for one in ALL[::5]:
            for word in {*one.words, "river", "the"}:
                assert one.near(word, window) == near_by_counting(one, word, window)

    def test_the_edge_of_the_window(self):
        one = dt.corpus.sentence("a b c *run* d e f", "noun")
        assert one.window(2) == ("b", "c", "d", "e")
        assert [one.near("f", n) for n in (1, 2, 3, 4)] == [False, False, True, True]
        assert [one.near("a", n) for n in (1, 2, 3, 4)] == [False, False, True, True]
        assert not one.near("run", 9)

    def test_the_same_word_again_is_near(self):
        assert dt.corpus.sentence("*Run*, run!", "verb").near("run", 1)

    @pytest.mark.parametrize("window", [0, -1, True, 2.0, "3", None])
    def test_no_such_window(self, window):
        one = dt.corpus.sentence("She *ran* home.", "verb")
        with pytest.raises(ValueError, match=r"window=.* must be a whole number"):
            one.near("home", window)
        with pytest.raises(ValueError, match=r"window="):
            dt.corpus.context(one, ["home"], window)


class TestContextWords:
    def test_it_is_what_counting_gives(self):
        found = dt.corpus.sentences("spring")
        counts = {}
        for one in found:
            for word in {*one.words} - dt.corpus.STOP_WORDS - set(file("spring").forms):
                if near_by_counting(one, word, 4):
                    counts[word] = counts.get(word, 0) + 1
        ranked = sorted((w for w in counts if counts[w] > 1), key=lambda w: (-counts[w], w))
        assert dt.corpus.context_words(found, most=1000, window=4) == tuple(ranked)
        assert dt.corpus.context_words(found, most=7, window=4) == tuple(ranked[:7])

    def test_a_word_counts_once_a_sentence(self):
        twice = [
            dt.corpus.sentence("rain rain *run* rain tea", "noun"),
            dt.corpus.sentence("tea *run*", "noun"),
        ]
        assert dt.corpus.context_words(twice) == ("tea",)

    def test_the_word_itself_is_left_out_in_all_its_forms(self):
        again = [dt.corpus.sentence("They run, she runs, tea *ran*.", "verb")] * 2
        assert dt.corpus.context_words(again) == ("tea",)
        other = [dt.corpus.sentence("The cat, the *cat*, sat.", "noun")] * 2
        assert dt.corpus.context_words(other) == ("sat",)

    def test_no_stop_words_and_no_forms_of_the_word(self):
        for word in dt.corpus.words():
            found = set(dt.corpus.context_words(dt.corpus.sentences(word), most=1000))
            assert not found & (dt.corpus.STOP_WORDS | set(file(word).forms))

    @pytest.mark.parametrize("most", [0, -3, True, 2.5])
    def test_no_such_number(self, most):
        with pytest.raises(ValueError, match="most="):
            dt.corpus.context_words(ALL, most=most)


class TestFeatures:
    def test_the_lectures_rows_can_be_told_from_sentences(self):
        """Sentences of the corpus that are each a row of the lecture's table."""
        words = ["race", "river", "stockings"]
        table = dt.corpus.features(dt.corpus.sentences("run"), words, window=8)
        assert table.names == dt.datasets.word_sense().names
        rows = [tuple(row.values()) for row in table.rows()]
        for row in dt.datasets.word_sense().rows():
            assert tuple(row.values()) in rows

    def test_a_test_set_has_the_same_columns(self):
        found = dt.corpus.sentences("bank")
        training, test = found[::2], found[1::2]
        words = dt.corpus.context_words(training)
        one, other = (dt.corpus.features(part, words) for part in (training, test))
        assert one.attributes == other.attributes
        assert one.target == other.target
        assert 0 <= dt.id3(one).error(other) <= 1
        assert dt.corpus.features(training).names == one.names

    def test_each_cell_is_what_near_says(self):
        found = dt.corpus.sentences("light")[::3]
        table = dt.corpus.features(found, ["dark", "Blue", "the"], window=3)
        assert table.names == ("pos", "near(dark)", "near(blue)", "near(the)")
        for one, row in zip(found, table.rows(), strict=True):
            assert row["pos"] == one.pos
            assert row["sense"] == one.sense
            for word in ("dark", "blue", "the"):
                assert row[f"near({word})"] == ("yes" if near_by_counting(one, word, 3) else "no")

    def test_one_sentence_as_a_row(self):
        found = dt.corpus.sentences("run")
        words = ("river", "race")
        table = dt.corpus.features(found, words)
        row = dt.corpus.context(found[3], words)
        assert {**row, "sense": found[3].sense} == table.row(3)
        own = dt.corpus.sentence("The river *ran* dry.", "verb")
        assert dt.id3(table).predict(dt.corpus.context(own, words)) in dt.corpus.senses("run")

    def test_several_words_and_words_of_ones_own(self):
        table = dt.corpus.features(ALL)
        assert table.n_rows == len(ALL)
        assert len(table.classes) == sum(len(dt.corpus.senses(w)) for w in dt.corpus.words())
        own = [dt.corpus.sentence("A *match* of football.", "noun", "match1")]
        assert dt.corpus.features(own, ["football"]).row(0)["near(football)"] == "yes"

    def test_what_it_refuses(self):
        one = dt.corpus.sentences("run")[0]
        own = dt.corpus.sentence("She *ran* home.", "verb")
        with pytest.raises(ValueError, match=r"sentence 2 has no sense .*dt\.corpus\.context"):
            dt.corpus.features([one, own])
        for words, error in {
            ("race", "Race"): "given twice",
            ("",): "not one word",
            ("two words",): "not one word",
            (3,): "not one word",
        }.items():
            with pytest.raises(ValueError, match=error):
                dt.corpus.features([one], words)
        with pytest.raises(TypeError, match=r"words='race' is one text"):
            dt.corpus.features([one], "race")
        with pytest.raises(ValueError, match="no sentences"):
            dt.corpus.features([])
        with pytest.raises(TypeError, match="this is a str"):
            dt.corpus.features(["She ran home."])
        for single in (one, "She ran home."):
            with pytest.raises(TypeError, match="several"):
                dt.corpus.features(single)
        with pytest.raises(TypeError, match="dict"):
            dt.corpus.context({}, ["race"])

    @given(st.lists(st.text(max_size=8), min_size=1, max_size=8), st.integers(1, 5))
    def test_hostile_sentences(self, around, window):
        text = " ".join(around).replace("*", "")
        one = dt.corpus.sentence(f"{text} *ran* {text}", "verb", "run1")
        assert one.words[one.at] == "ran"
        assert one.words[: one.at] == one.words[one.at + 1 :]
        assert unmarked(one.marked) == (one.text, one.at)
        assert len(one.window(window)) <= 2 * window
        table = dt.corpus.features([one, one], window=window)
        assert set(table.names[1:]) <= {f"near({word})" for word in one.window(window)}


class TestReader:
    def test_a_file_of_ones_own(self, tmp_path):
        path = tmp_path / "own.txt"
        text = f"\ufeff# mine\n\n{HEAD}\nrun1 | verb | She *ran* home.\n run3|verb|It *ran* dry. \n"
        path.write_text(text, encoding="utf-8")
        found = dt.corpus.read(path)
        assert [repr(one) for one in found] == [
            "run1, verb: She *ran* home.",
            "run3, verb: It *ran* dry.",
        ]

    @pytest.mark.parametrize(
        ("text", "error"),
        [
            (f"{HEAD}run1 | verb", "own.txt, line 5: three parts are wanted.*got 2"),
            (f"{HEAD}run1 | verb | a *run* | b", "line 5: three parts.*got 4"),
            (f"{HEAD}\n\nrun2 | verb | She *ran*.", "line 7: no sense 'run2'.*'run1', 'run3'"),
            (f"{HEAD}run1 | verb | She ran.", "line 5: mark one word"),
            (f"{HEAD}run1 | verb | She *walked*.", "line 5: 'walked' is marked; forms are 'run'"),
            (f"{HEAD}run1 | vreb | She *ran*.", "line 5: pos='vreb' is no part of speech"),
            (f"{HEAD}run1|verb|She *ran*.\nrun3|noun|She *ran*!", "line 6: .*in the file already"),
            (f"{HEAD}She *ran* home.", "line 5: 'She .*' is no sentence"),
            (f"{HEAD}glosses: many", "line 5: 'glosses' is no heading"),
            (f"{HEAD}sense run1: again", "line 5: 'sense run1' has been said before"),
            (f"{HEAD}word: walk", "line 5: 'word' has been said before"),
            (f"{HEAD}sense run9:", "line 5: .* is no sentence"),
            ("run1 | verb | She *ran*.", "line 1: before the first sentence say"),
            (HEAD, "own.txt holds no sentence"),
            ("", "own.txt holds no sentence"),
        ],
    )
    def test_a_mistake_in_a_file_is_named_with_its_line(self, text, error, tmp_path):
        path = tmp_path / "own.txt"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=error):
            dt.corpus.read(path)

    def test_what_is_no_text(self, tmp_path):
        path = tmp_path / "own.txt"
        path.write_bytes(b"\xff\xfe\x00")
        with pytest.raises(ValueError, match=r"own\.txt is not a text in UTF-8"):
            dt.corpus.read(path)
        with pytest.raises(FileNotFoundError):
            dt.corpus.read(tmp_path / "none.txt")

    @given(st.text(max_size=80))
    def test_any_text_is_read_or_refused(self, text):
        try:
            parsed(HEAD + text, "own.txt")
        except ValueError as error:
            assert str(error).startswith("own.txt")  # noqa: PT017 - any text may be right
