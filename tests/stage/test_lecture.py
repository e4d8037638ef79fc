"""A lecture's file: each kind of scene, and each mistake with its file, its line and its cure."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import each
from hypothesis import given
from hypothesis import strategies as st

from dtree_lab.cli.lecture import shipped
from dtree_lab.course.lessons import guesses
from dtree_lab.stage.acts import ALL_STEPS
from dtree_lab.stage.lecture import Lecture, LectureError
from dtree_lab.stage.reading import parse, read_lecture

HEAD = "---\ntitle: A talk\n---\n"  # three lines
ROWS = "Weather,Wind,Play\nsun,weak,yes\nsun,strong,no\nrain,weak,no\nrain,strong,no\n"


def scene(front, words=""):
    """The one scene of a lecture."""
    (found,) = parse(f"{HEAD}---\n{front}\n---\n{words}").scenes
    return found


def test_words_and_what_is_held_back():
    found = scene(
        "minutes: 2.5", "# Trees\n\nfirst\n\n. . .\n\nsecond\n\nNotes:\nsay *this*\n\nand"
    )
    assert found.blocks == ("# Trees\n\nfirst", "second")
    assert (found.title, found.notes, found.minutes) == ("Trees", "say *this*\n\nand", 2.5)
    assert (found.number, found.line, found.lab, found.question) == (0, 4, None, None)


def test_a_line_of_code_is_no_fence():
    found = scene("minutes: 1", "```\n---\n```\nmore")
    assert "---" in found.blocks[0]
    assert "more" in found.blocks[0]


@each(
    "front, wanted",
    [
        ("lab: tree", {"name": "tree", "title": "tree"}),
        ("lab: TreeBuilder", {"name": "tree"}),
        ("lab: tree\nsteps: 3", {"steps": 3}),
        ("lab: tree\nsteps: all", {"steps": ALL_STEPS}),
        ("lab: tree\nsteps: 0", {"steps": 0}),
        (
            "lab: tree\nsteps: [best, {do: select, at: '0'}]",
            {"steps": ({"do": "best"}, {"do": "select", "at": "0"})},
        ),
        ("lab: tree\nsettings: {algorithm: c45}", {"settings": {"algorithm": "c45"}}),
        ("lab: tree\nstate: abc", {"state": "abc"}),
        ("code: dt.EntropyLab()", {"code": "dt.EntropyLab()", "title": ""}),
    ],
)
def test_labs(front, wanted):
    found = scene(front)
    assert {name: getattr(found.lab, name) for name in wanted} == wanted
    assert found.title == found.lab.title


@each(
    "front, options, right",
    [
        ("options: [a, b]", ("a", "b"), set()),
        ("options: [a, b]\nanswer: B", ("a", "b"), {1}),
        ("options: [a, b]\nanswer: b", ("a", "b"), {1}),
        ("options: [x, y, z]\nanswer: [A, z]", ("x", "y", "z"), {0, 2}),
        # What YAML takes for truth values and numbers are words here.
        ("options: [Yes, No]\nanswer: No", ("Yes", "No"), {1}),
        ("options: [0, 0.50]\nanswer: 0.50", ("0", "0.50"), {1}),
    ],
)
def test_questions(front, options, right):
    asked = scene(f"ask: Which?\n{front}\nbecause: so").question
    assert (asked.asks, asked.takes.options, asked.takes.right, asked.because) == (
        "Which?",
        options,
        frozenset(right),
        "so",
    )


def test_a_question_of_the_course():
    own = guesses("tax-fraud")["tax-fraud/postcode"]
    asked = scene("ask: tax-fraud/postcode").question
    assert (asked.asks, asked.takes.options) == (own.asks, tuple(own.options))
    assert [asked.takes.options[i] for i in asked.takes.right] == [own.answer]


def test_cells_of_a_lesson():
    code = scene("lesson: tax-fraud\ncell: ten-tax-returns-2").lab.code
    assert "import" in code  # with what the cells before it have made
    words = scene("lesson: tax-fraud\ncell: ten-tax-returns", "more words")
    assert words.title == "Ten tax returns"
    assert words.blocks[-1] == "more words"


def test_a_heading_of_ones_own_stands_over_the_words_of_a_lesson():
    lessons = scene("lesson: tax-fraud\ncell: two-trees-one-table-10").blocks
    own = scene("lesson: tax-fraud\ncell: two-trees-one-table-10", "# Mine\n\nmore words")
    assert own.title == "Mine"
    assert own.blocks == (f"# Mine\n{lessons[0]}", *lessons[1:], "more words")


def test_ones_own_table_lies_beside_the_lecture(tmp_path):
    (tmp_path / "play.csv").write_text(ROWS, encoding="utf-8")
    (tmp_path / "state.txt").write_text("kept\n", encoding="utf-8")
    path = tmp_path / "talk.md"
    more = "target: Play\ndrop: [Wind]\ndelimiter: ','\nstate: '@state.txt'"
    path.write_text(f"{HEAD}---\nlab: tree\ntable: play.csv\n{more}\n---\n", encoding="utf-8")
    found = read_lecture(path).scenes[0].lab
    assert found.source.is_file
    assert Path(found.source.name) == tmp_path / "play.csv"
    assert found.source.how == {"target": "Play", "drop": ("Wind",), "delimiter": ","}
    assert found.state == "kept"


def test_the_plan():
    text = HEAD + "---\nminutes: 2\n---\na\n---\n---\nb\n---\nminutes: 3\n---\nc\n"
    assert parse(text).planned == 5
    assert parse(text.replace("title: A talk", "title: A talk\nminutes: 45")).planned == 45
    assert parse(f"{HEAD}words right away").planned is None


@each(
    "text, line, cure",
    [
        ("", 1, "begin the file with ---"),
        ("words", 1, "a lecture begins with a line ---"),
        ("---\ntitle: A\n", 1, "second --- is missing"),
        ("---\ntitle: A\n---\n", 1, "there is no scene"),
        ("---\nauthor: me\n---\n---\n---\nwords", 1, "no title"),
        ("---\ntitel: A\n---\nwords", 2, "'titel' is not known here. Did you mean 'title'?"),
        ("---\ntitle: Trees: a talk\n---\nwords", 2, "put the text in quotes"),
        (HEAD + "---\nlab: tree", 4, "second --- is missing"),
        (HEAD + "---\nlab: tree\nlab: entropy\n---\n", 6, "'lab' is said twice"),
        (HEAD + "---\nonly words\n---\nwords", 5, "such as lab: tree"),
        (
            HEAD + "---\nreason: so\n---\nwords",
            5,
            "'reason' is not known here. Did you mean 'because'?",
        ),
        (HEAD + "---\nChoices: [a, b]\n---\nwords", 5, "Did you mean 'options'?"),
        (HEAD + "---\nlab: tre\n---\n", 5, "Did you mean 'tree'?"),
        (HEAD + "---\nlab: tree\ntabel: tax_fraud\n---\n", 6, "Did you mean 'table'?"),
        (HEAD + "---\nlab: tree\ntable: tax_frod\n---\n", 6, "Did you mean 'tax_fraud'?"),
        (HEAD + "---\nlab: tree\ntable: no.csv\n---\n", 6, "looked for beside the lecture"),
        (HEAD + "---\ntable: tax_fraud\n---\nwords", 5, "say lab: NAME as well"),
        (HEAD + "---\nlab: tree\ntarget: Play\n---\n", 6, "say table: as well"),
        (HEAD + "---\nlab: tree\ntable: tax_fraud\nna: '?'\n---\n", 7, "is said of a CSV file"),
        (HEAD + "---\nlab: tree\nstate: '@no.txt'\n---\n", 6, "no text file no.txt"),
        (HEAD + "---\nlab: tree\nsettings: deep\n---\n", 6, "such as {max_depth: 2}"),
        (HEAD + "---\nlab: tree\nsteps: often\n---\n", 6, "how often the key works"),
        (HEAD + "---\nlab: tree\nsteps: -1\n---\n", 6, "how often the key works"),
        (HEAD + "---\nlab: tree\nsteps: [1]\n---\n", 6, "how often the key works"),
        (HEAD + "---\nlab: tree\nsteps: true\n---\n", 6, "how often the key works"),
        (HEAD + "---\nlab: tree\nreveal: [1]\n---\n", 6, "a list of the ids of parts"),
        (HEAD + "---\nlab: tree\nreveal: [[]]\n---\n", 6, "a list of the ids of parts"),
        (HEAD + "---\nsteps: 3\n---\nwords", 5, "belongs to a lab"),
        (HEAD + "---\nlab: tree\ncode: dt.EntropyLab()\n---\n", 6, "a scene shows one thing"),
        (HEAD + "---\nminutes: 2\n---\n", 4, "this scene shows nothing"),
        (HEAD + "---\nminutes: two\n---\nwords", 5, "such as 4 or 2.5"),
        (HEAD + "---\nminutes: 0\n---\nwords", 5, "such as 4 or 2.5"),
        (HEAD + "---\nask: Which?\n---\n", 5, "a question needs options"),
        (HEAD + "---\nask: Which?\noptions: [one]\n---\n", 6, "a list of 2 to 8 texts"),
        (HEAD + "---\nask: Which?\noptions: [{a: b}, c]\n---\n", 6, "a list of 2 to 8 texts"),
        (HEAD + "---\nask: Which?\noptions: [a, b]\nanswer: C\n---\n", 7, "a letter from A to B"),
        (HEAD + "---\nanswer: C\n---\nwords", 5, "belongs to a question"),
        (HEAD + "---\nask: tax-fraud/nothing\n---\n", 5, "no question of the course"),
        (HEAD + "---\nlesson: tax-fraud\n---\n", 5, "lesson: needs cell: beside it"),
        (HEAD + "---\nlesson: tax-fraud\ncell: nothing\n---\n", 6, "has no cell 'nothing'"),
    ],
    ids=lambda text: repr(text)[-70:],
)
def test_mistakes_are_named_with_file_line_and_cure(text, line, cure):
    with pytest.raises(LectureError) as caught:
        parse(text, Path("somewhere/talk.md"))
    first = caught.value.problems[0]
    assert str(first).startswith(f"talk.md:{line}: ")
    assert cure in first.what


def test_all_mistakes_are_told_at_once_and_in_order():
    text = HEAD + "---\nlab: tre\n---\n---\nminutes: no\n---\nwords\n---\nask: Which?\n---\n"
    with pytest.raises(LectureError) as caught:
        parse(text)
    lines = [problem.line for problem in caught.value.problems]
    assert lines == sorted(lines)
    assert {5, 8, 12} <= set(lines)
    assert str(caught.value).count("\n") == len(lines) - 1


def test_files_that_cannot_be_read(tmp_path):
    path = tmp_path / "latin.md"
    path.write_bytes(b"---\ntitle: A\n---\ncaf\xe9")
    with pytest.raises(LectureError, match=r"latin.md:4: this is not UTF-8"):
        read_lecture(path)
    with pytest.raises(LectureError, match="the file cannot be read"):
        read_lecture(tmp_path / "nothing.md")
    path.write_bytes(b"\xef\xbb\xbf" + (HEAD + "words").encode().replace(b"\n", b"\r\n"))
    assert read_lecture(path).title == "A talk"  # as Windows writes it


WORDS = st.lists(
    st.sampled_from(
        ["---", ". . .", "Notes:", "# Title", "lab: tree", "ask: x", "options: [a, b]", "```", ""]
    )
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    max_size=25,
)


@given(WORDS)
def test_whatever_is_written_is_a_lecture_or_is_told_what_is_wrong(lines):
    text = "\n".join(lines)
    for given_text in (text, HEAD + text):
        found = lecture_or_lines(given_text)
        if isinstance(found, Lecture):
            assert found.scenes
        else:
            assert found
            assert 1 <= min(found) <= max(found) <= len(given_text.splitlines()) + 1


def lecture_or_lines(text):
    """A lecture; or the lines in which something is wrong."""
    try:
        return parse(text)
    except LectureError as error:
        return [problem.line for problem in error.problems]


@pytest.mark.parametrize("name", list(shipped()))
def test_shipped_lectures_can_be_read(name):
    lecture = read_lecture(shipped()[name])
    assert lecture.title
    assert all(scene.lab or scene.question or any(scene.blocks) for scene in lecture.scenes)
