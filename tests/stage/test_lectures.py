"""The lectures that are shipped are fit to be given."""

import re
from collections import Counter
from dataclasses import replace

import pytest
from effort import profile
from lectured import given

from dtree_lab.cli.lecture import shipped
from dtree_lab.course.lessons import notebooks_folder
from dtree_lab.stage.acts import NamedLab
from dtree_lab.stage.answers import ByPoint
from dtree_lab.stage.checking import tried

NAMES = ("bias-variance", "or-xor", "tax-fraud", "word-senses")
MINUTES = 45
# Minutes that may pass with nothing asked.
MOST_WITHOUT_QUESTION = 7
# Words of a screen, beside tables and questions; what is a lesson's own may be longer.
MOST_WORDS, MOST_WORDS_OF_LESSON = 55, 110
# Of a heading that stands in one line.
MOST_LETTERS = 40


@pytest.fixture(scope="module", params=NAMES)
def lecture(request):
    return given(request.param)


def measures(scene):
    """Whether its lab measures for seconds whenever it opens; a trial opens it at each key."""
    return isinstance(scene.lab, NamedLab) and scene.lab.name == "bias-variance"


def test_which_are_shipped():
    assert set(shipped()) == {*NAMES, "your-table"}


def test_where_the_shortest_asks_it_has_a_heading():
    asking = [scene for scene in given("your-table").scenes if scene.question]
    assert [scene.blocks[0].partition("\n")[0] for scene in asking] == [
        "# A good first question",
        "# Every question, with its gain",
        "# Until it makes no mistake",
    ]


class TestFitToBeGiven:
    """What the four have in common."""

    def test_every_scene_can_be_shown(self, lecture):
        """Of those that measure ``make test`` tries one; test_brought_back.py shows all of them."""
        slow = [scene for scene in lecture.scenes if measures(scene)]
        left = slow[1:] if profile() != "thorough" else []
        scenes = tuple(scene for scene in lecture.scenes if scene not in left)
        assert tried(replace(lecture, scenes=scenes)) == []

    def test_it_takes_three_quarters_of_an_hour(self, lecture):
        _, *minutes = [scene.minutes for scene in lecture.scenes]
        assert None not in minutes
        assert sum(m for m in minutes if m) == lecture.minutes == MINUTES
        assert 12 <= len(minutes) <= 19

    def test_the_class_is_asked_again_and_again(self, lecture):
        assert sum(scene.question is not None for scene in lecture.scenes) >= 8
        silent = 0.0
        for scene in lecture.scenes:
            silent = 0 if scene.question else silent + (scene.minutes or 0)
            assert silent <= MOST_WITHOUT_QUESTION, scene.title

    def test_each_of_its_sheets_has_a_heading_in_one_line(self, lecture):
        # A title's is the lecture's own.
        for scene in lecture.scenes[1:]:
            sign, _, head = scene.blocks[0].partition("\n")[0].partition(" ")
            assert (set(sign), head) == ({"#"}, scene.title)
            assert len(scene.title) <= MOST_LETTERS

    def test_questions_have_an_answer_and_a_reason(self, lecture):
        for question in (scene.question for scene in lecture.scenes if scene.question):
            # A point is neither right nor wrong.
            assert isinstance(question.takes, ByPoint) or question.takes.right, question.asks
            assert question.because, question.asks
            assert len(set(question.takes.options)) == len(question.takes.options)

    def test_right_answers_are_not_all_in_one_place(self, lecture):
        asked = [scene.question for scene in lecture.scenes if scene.question is not None]
        kinds = [one.takes for one in asked if not isinstance(one.takes, ByPoint)]
        places = Counter(min(one.right) for one in kinds)
        assert max(places.values()) <= sum(places.values()) * 0.6, places

    def test_a_colleague_could_give_it_from_the_notes(self, lecture):
        for scene in lecture.scenes:
            assert 60 <= len(scene.notes.split()) <= 150, (scene.title, len(scene.notes.split()))

    def test_screens_are_short(self, lecture):
        file = lecture.file.read_text(encoding="utf-8")
        for scene in lecture.scenes:
            lines = "\n".join(scene.blocks).splitlines()
            prose = re.sub(r"\$.*?\$", "", " ".join(one for one in lines if one[:1] != "|"))
            is_lessons = not all(block in file for block in scene.blocks)
            most = MOST_WORDS_OF_LESSON if is_lessons else MOST_WORDS
            assert len(re.findall(r"\w+", prose)) <= most, scene.title

    def test_it_begins_with_a_question_and_ends_with_the_next_lecture(self, lecture):
        title, first, *_, last = lecture.scenes
        assert title.layout == "title"
        assert first.lab  # after what it is called, a picture
        assert "?" in "\n".join(first.blocks)
        assert re.search(r"^Next: ", last.blocks[-1], re.MULTILINE)

    def test_lesson_and_lecture_share_cells(self, lecture):
        text = lecture.file.read_text(encoding="utf-8")
        cells = re.findall(r"^cell: .+$", text, re.MULTILINE)
        asked = re.findall(r"^ask: [a-z-]+/[a-z0-9-]+$", text, re.MULTILINE)
        assert len(cells) >= 2
        assert len(cells) + len(asked) >= 8

    def test_it_names_a_lesson_whose_length_is_right(self, lecture):
        notes = lecture.scenes[-1].notes
        number = {"tax-fraud": "1", "word-senses": "3", "or-xor": "4", "bias-variance": "7"}
        lesson = number[lecture.file.stem]
        assert f"notebook of Lesson {lesson}" in notes
        text = next(notebooks_folder().glob(f"0{lesson}-*.ipynb")).read_text(encoding="utf-8")
        reading, exercises = re.findall(r"Take (\d+) minutes, and (\d+) more", text)[0]
        assert f"about {reading} minutes, and {exercises} more for the exercises" in notes
