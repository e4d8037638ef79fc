"""Cards on which skills are drawn, without a browser: what they do, keep, and tell of progress."""

from __future__ import annotations

import ast
import json
from datetime import datetime, timedelta
from xml.etree import ElementTree

import nbformat
import pytest
from effort import scaled, some
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from course.sources import LESSONS, SOURCES, lessons
from dtree_lab.course import checking
from dtree_lab.course.asking import series
from dtree_lab.course.assignment import lesson_file, source_version
from dtree_lab.course.lessons import names
from dtree_lab.course.skills import EXAM, instance, instances, number_of, skills
from dtree_lab.grading.batch import sheet_of
from dtree_lab.grading.judge import judged_submission
from dtree_lab.grading.releasing import released
from dtree_lab.grading.sandbox import Allowance, sandbox
from dtree_lab.grading.sheets import cells_in

LABELS = "entropy/three-labels"


@pytest.fixture(autouse=True)
def _nothing_done(monkeypatch):
    monkeypatch.setattr(checking, "_best", {})


def choices(card):
    (part,) = (one for one in card.view["parts"] if one["kind"] == "choices")
    return part


def buttons(card):
    return [key for key, _ in choices(card)["more"]]


def press(card, button):
    card.act({"do": button})


def commit(card, *values):
    for group, value in zip(choices(card)["groups"], values, strict=True):
        card.act({"do": "set", "control": group["id"], "value": str(value)})
    press(card, "commit")


def want(key, skill=LABELS, name="Ada"):
    return round(number_of(instance(skill, name, key)).want, 4)


def kept(card, source):
    return card.keep(source)["source"]


# -- another one, and another ----------------------------------------------------------------------


def test_after_a_second_wrong_answer_the_card_leads_to_the_steps():
    card = dt.course.another(LABELS, "Ada")
    press(card, "another")
    commit(card, 3)
    assert "Step by step" not in choices(card)["note"]
    commit(card, 2)
    assert "Step by step asks for the way" in choices(card)["note"]


def test_wrong_and_then_right_and_then_another_one():
    card = dt.course.another(LABELS, "Ada")
    assert buttons(card) == ["another"]
    assert choices(card)["groups"] == []
    press(card, "another")
    assert buttons(card) == ["steps", "show"]
    commit(card, 3)
    assert choices(card)["verdict"]["head"] == "NOT YET"
    commit(card, 3.0)  # the same once more is no other try
    commit(card, want("1"))
    assert (choices(card)["verdict"]["head"], buttons(card)) == ("RIGHT", ["another"])
    assert "in a row: 0." in choices(card)["note"]  # the first try counts
    for key in ("2", "3", "4"):
        press(card, "another")
        assert choices(card)["verdict"] is None
        commit(card, want(key))
    assert "in a row: 3. Mastered." in choices(card)["note"]
    tries = [[3, want("1")], [want("2")], [want("3")], [want("4")]]
    code = f'dt.course.another("{LABELS}", me)'
    assert kept(card, code) == code.replace("me)", f"me, answers={tries})")
    again = dt.course.another(LABELS, "Ada", answers=tries)
    assert str(again) == str(card)
    assert buttons(again) == ["another"]


def stepping(answers=None):
    """A card on its way, and what each of its steps comes to."""
    card = dt.course.another(LABELS, "Ada", answers=answers)
    if answers is None:
        press(card, "another")
        press(card, "steps")
    return card, [value for _, value in instance(LABELS, "Ada", "1").anew().steps]


def commit_step(card, value):
    card.act({"do": "set", "control": choices(card)["groups"][-1]["id"], "value": str(value)})
    press(card, "commit")


def signs(card):
    return [group.get("sign") for group in choices(card)["groups"]]


def test_step_by_step_each_is_answered_and_the_model_stands_beside_what_is_ones_own():
    card, steps = stepping()
    for i, value in enumerate(steps[:-1]):
        assert signs(card) == [*["✓"] * i, ""]
        commit_step(card, round(value, 4))
    assert buttons(card) == ["show"]  # at the last, its answer is the whole
    commit_step(card, 3)
    assert [line[2][0][1] for line in choices(card)["verdict"]["lines"]] == ["3 is not it"]
    commit_step(card, steps[-1])
    assert [mark for mark, *_ in choices(card)["verdict"]["lines"]] == ["✓"] * len(steps)
    assert f"; yours: {round(steps[0], 4)}" in str(card)
    way = tuple(round(value, 4) for value in steps[:-1])
    assert card._state.tries == (((*way, 3), (*way, steps[-1])),)
    assert card._state.marks == (False,)


def test_who_takes_each_step_rightly_at_once_has_it_right_at_the_first_try():
    card, steps = stepping()
    for value in steps:
        commit_step(card, value)
    assert card._state.marks == (True,)
    assert card._state.tries == ((tuple(steps),),)


def test_a_step_that_is_not_right_says_so_at_once_and_is_a_try():
    card, steps = stepping()
    commit_step(card, 0.1)
    assert len(choices(card)["groups"]) == 1
    (line,) = choices(card)["verdict"]["lines"]
    assert (choices(card)["verdict"]["head"], line[2]) == ("NOT YET", [["", "0.1 is not it"]])
    commit_step(card, 0.10)  # the same once more is no other try
    for value in steps:
        assert choices(card)["verdict"] is None or value == steps[0]
        commit_step(card, value)
    assert choices(card)["verdict"]["head"] == "RIGHT"
    assert card._state.tries == (((0.1,), tuple(steps)),)
    assert card._state.marks == (False,)


def test_the_answer_in_the_place_of_a_step_is_not_right():
    card, steps = stepping()
    commit_step(card, steps[-1])
    assert choices(card)["verdict"]["head"] == "NOT YET"
    assert (card._state.done, card._state.marks) == (False, (False,))


def test_a_step_that_is_shown_leads_on_and_is_no_right_one():
    card, steps = stepping()
    commit_step(card, steps[0])
    assert "does not count as right" in choices(card)["note"]
    press(card, "step")
    assert signs(card) == ["✓", "shown", ""]
    assert choices(card)["groups"][1]["value"] == f"{steps[1]:.4g}"
    assert card._state.tries == (((steps[0], None),),)  # kept at once: it has been seen
    for value in steps[2:]:
        commit_step(card, value)
    said = [mark for mark, *_ in choices(card)["verdict"]["lines"]]
    assert said == ["✓", "", *["✓"] * (len(steps) - 2)]
    assert f": {steps[1]:.4g}; shown" in str(card)
    assert card._state.marks == (False,)
    assert "in a row: 0." in choices(card)["note"]
    again = dt.course.another(LABELS, "Ada", answers=[list(card._state.tries[0])])
    assert (again._state.marks, buttons(again)) == ((False,), ["another"])


def test_run_again_the_way_goes_on_where_it_was():
    _, steps = stepping()
    for kept_tries, stand, field in (
        ([(0.1,)], [""], "0.1"),
        ([(steps[0], None)], ["✓", "shown", ""], ""),
        ([3, (None, 0.5)], ["shown", ""], "0.5"),
        ([(*steps[:-1], 3)], ["✓", "✓", "✓", ""], "3"),
        # As an earlier version kept it: all steps are committed at once, and one is not right.
        ([(steps[0], 9, *steps[2:-1], 3)], ["✓", ""], "9"),
    ):
        card, _ = stepping([kept_tries])
        assert signs(card) == stand
        assert choices(card)["groups"][-1]["value"] == field
        verdict = choices(card)["verdict"]
        assert (verdict["head"] if verdict else "") == ("NOT YET" if field else "")
        for value in steps[len(stand) - 1 :]:
            commit_step(card, value)
        assert choices(card)["verdict"]["head"] == "RIGHT"
    earlier, _ = stepping([[(9, 9, 9, steps[-1])]])
    assert earlier._state.marks == (True,)
    shown, _ = stepping([[(0.1,), None]])
    assert (choices(shown)["groups"][-1]["value"], buttons(shown)) == ("", ["another"])


@pytest.mark.parametrize("skill", skills())
def test_no_card_draws_what_it_has_drawn_just_before(skill):
    """Three in a row must be three: the sums of parity alone have but seven."""
    for name in some(("Ada", "Bo"), every=2):
        drawn = [one.anew() for one in instances(skill, name, "", scaled(20))]
        for i, one in enumerate(drawn):
            assert one not in drawn[max(0, i - 4) : i], (name, i)
        assert [one.anew() for one in instances(skill, name, "", 7)] == drawn[:7]


def test_what_is_shown_is_not_right_and_is_kept():
    card = dt.course.another(LABELS, "Ada")
    press(card, "another")
    press(card, "show")
    assert choices(card)["verdict"]["head"] == "SHOWN"
    assert f"{want('1'):.4g}" in str(card)
    press(card, "show")  # it is done
    assert "ask for another one" in card.view["problem"]
    assert kept(card, f'dt.course.another("{LABELS}")').endswith("answers=[[None]])")
    again = dt.course.another(LABELS, "Ada", answers=[[None]])
    assert (str(again), again._state.marks) == (str(card), (False,))


@pytest.mark.parametrize("skill", skills())
def test_each_skill_is_a_card_that_takes_the_right_answer_and_no_wrong_one(skill):
    card = dt.course.another(skill, "Bo")
    press(card, "another")
    (group,) = choices(card)["groups"]
    exercise = instance(skill, "Bo", "1")
    for wrong in exercise.mistakes:
        if wrong.when is None:
            commit(card, wrong.wrong)
            shown = choices(card)["verdict"]
            assert shown["head"] == "NOT YET", (skill, wrong.wrong)
            assert wrong.hint in str(card).replace("\n", " ") or "options" in group
    commit(card, number_of(exercise).want)
    assert choices(card)["verdict"]["head"] == "RIGHT"
    assert not set("$\\`*{}") & set(str(card)), str(card)


@pytest.mark.parametrize("answers", [3, "x", [3], [["3"]], [[True]], [[()]], {"a": 1}, [[[1]]]])
def test_answers_that_no_card_has_written_are_named(answers):
    with pytest.raises(ValueError, match=r"is nothing that a card has written, such as \[\[0.5"):
        dt.course.another(LABELS, "Ada", answers=answers)


@given(
    st.lists(
        st.sampled_from(["another", "steps", "step", "show", "commit", "reset", "x"]), max_size=8
    )
)
def test_whatever_is_pressed_what_is_kept_makes_the_same_card(pressed):
    card = dt.course.another("expressiveness/more", "Ada")
    for button in pressed:
        for group in choices(card)["groups"]:
            card.act({"do": "set", "control": group["id"], "value": "7"})
        press(card, button)
    (call,) = ast.walk(ast.parse(kept(card, 'another("expressiveness/more")'))).__next__().body
    told = {one.arg: ast.literal_eval(one.value) for one in call.value.keywords}
    again = dt.course.another("expressiveness/more", "Ada", **told)
    assert again._state.marks == card._state.marks
    assert [one for one in card._state.tries if one] == [*again._state.tries]


# -- progress, warm-up and wrap-up -----------------------------------------------------------------


def write(folder, name, *cells, me='me = "Ada"'):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(me), *cells])
    notebook.cells[0].metadata["dtree_lab"] = {"role": "name"}
    nbformat.write(notebook, folder / name)


def of_lesson(exercise, *sources):
    cells = [nbformat.v4.new_code_cell(one) for one in sources]
    check = nbformat.v4.new_code_cell("check")
    check.metadata["dtree_lab"] = {"role": "check", "exercise": exercise}
    return [check, *cells]


def test_the_map_of_skills_comes_from_the_notebooks_alone(tmp_path):
    right = [[want(str(i))] for i in (1, 2, 3)]
    write(
        tmp_path,
        "02.ipynb",
        *of_lesson(
            "entropy/gain",
            f'dt.course.another("{LABELS}", me, answers={[[5], *right[1:]]})',
            "no python (",
            "dt.course.another(f(), answers=g())",
        ),
    )
    key = "warm_up word-senses 1"
    write(
        tmp_path,
        "03.ipynb",
        *of_lesson(
            "word-senses/id3",
            f'dt.course.warm_up("word-senses", me, skill="{LABELS}", answers=[[{want(key)}]])',
        ),
    )
    done = dt.course.progress(tmp_path)
    assert done.skills[LABELS].marks == (False, True, True, True)
    assert (done.skills[LABELS].lesson, [*done.skills]) == (3, [LABELS])
    assert ("The entropy of three labels", "entropy", "✗✓✓✓ mastered") in done.map
    assert len(done.map) == len(skills())
    assert "✗✓✓✓ mastered  The entropy of three labels (entropy)" in repr(done)
    for shown in (repr(done), done._repr_html_()):
        assert shown.count("✓ right at the first try, ✗ not; ✓✓✓ is mastered") == 1
    page = ElementTree.fromstring(f"<div>{done._repr_html_()}</div>")  # noqa: S314 - our own
    assert len(page.findall("table")) == 2


def test_another_name_has_other_numbers(tmp_path):
    cells = of_lesson("entropy/gain", f'dt.course.another("{LABELS}", me, answers=[[{want("1")}]])')
    for me, is_hers in (('me = "ada"  # é', True), ('me = "Bo"', False), ("me = ...", False)):
        write(tmp_path, "02.ipynb", *cells, me=me)
        assert dt.course.progress(tmp_path).skills[LABELS].marks == (is_hers,)


def test_where_nothing_was_drawn_there_is_no_map(tmp_path):
    write(tmp_path, "02.ipynb", *of_lesson("entropy/gain", f'dt.course.another("{LABELS}", me)'))
    done = dt.course.progress(tmp_path)
    assert done.map == []
    assert "✗" not in repr(done) + done._repr_html_()


def test_a_warm_up_is_of_the_lessons_before_and_a_wrap_up_of_the_lessons_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for i, lesson in enumerate(names()):
        own = dt.course.wrap_up(lesson, "Ada")._state
        assert own.exercise.taught == lesson
        if i:
            warm_up = dt.course.warm_up(lesson, "Ada")._state  # where nothing was asked yet
            assert warm_up.exercise.taught == names()[i - 1]
    with pytest.raises(ValueError, match="no lesson comes before 'tax-fraud'"):
        dt.course.warm_up("tax-fraud", "Ada")
    with pytest.raises(ValueError, match=r"no lesson 'entropi'; .* Did you mean 'entropy'"):
        dt.course.wrap_up("entropi", "Ada")


def test_a_warm_up_goes_to_what_was_not_right_and_stays_with_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    marks = dict.fromkeys(skills(), "[[None]]")
    marks |= {LABELS: f"[[{want('1')}]]", "tax-fraud/after-refund": "[[None]]"}
    told = [f'dt.course.another("{one}", me, answers={given})' for one, given in marks.items()]
    write(tmp_path, "02.ipynb", *of_lesson("entropy/gain", *told))
    card = dt.course.warm_up("word-senses", "Ada")
    assert card._state.skill != LABELS
    code = 'dt.course.warm_up("word-senses", me)'
    assert kept(card, code) == code  # as long as nothing is answered, another one may be weaker
    commit(card, 99)
    skill = card._state.skill
    assert kept(card, code) == code.replace("me)", f'me, skill="{skill}", answers=[[99]])')
    assert dt.course.warm_up("word-senses", "Ada", skill=skill, answers=[[99]])._state.exercise == (
        card._state.exercise
    )


def test_each_lesson_has_its_warm_up_and_its_wrap_up_in_their_places():
    """A warm-up needs the name, and must not stand before the first act; the first has none."""
    for source in LESSONS:
        name = source.stem[3:]
        blocks = list(lessons.blocks(source.text))
        code = [block.text for block in blocks if block.kind == "code"]
        at = {
            call: [i for i, text in enumerate(code) if f'dt.course.{call}("{name}", me)' in text]
            for call in ("warm_up", "wrap_up")
        }
        assert len(at["warm_up"]) == (name != "tax-fraud")
        assert len(at["wrap_up"]) == 1
        named = next(i for i, text in enumerate(code) if text.startswith("me = ..."))
        assert all(i == named + 1 > 1 for i in at["warm_up"])
        after = source.text.partition(f'dt.course.wrap_up("{name}", me)\n```\n\n')[2]
        assert after.startswith("## Summary")


def test_another_one_stands_under_every_exercise_that_has_a_skill():
    text = "\n".join(source.text for source in SOURCES)
    for one in dt.course.exercises():
        check = f'dt.course.check("{one.id}", {one.answer}{", name=me" if one.own else ""})\n```'
        then = f'{check}\n\n```python widget\ndt.course.another("{one.skill}", me)\n```'
        assert (then in text) == bool(one.skill), one.id
    for skill in skills():
        assert f'dt.course.another("{skill}", me)' in text, skill


# -- the exam --------------------------------------------------------------------------------------


def questions(name="Ada"):
    return series.begin_exam(name, None, None, "", handed_in=False).questions


def rights(name="Ada"):
    return [number_of(one).want for one in questions(name)]


def test_an_exam_is_judged_when_it_is_handed_in():
    card = dt.course.exam("Ada")
    answers = rights()
    for i in (0, 1, 2):
        assert f"question {i + 1} of 12" in card.view["title"]
        commit(card, answers[i])
        assert card.answer is None
    press(card, "back")
    assert choices(card)["verdict"]["head"] == "KEPT"
    commit(card, answers[2] % 4 + 1)  # an answer may be changed
    card = dt.course.exam("Ada", answers=[*card._state.answers])  # and gone on with tomorrow
    assert "question 4 of 12" in card.view["title"]
    for i in range(3, 12):
        commit(card, answers[i])
    assert buttons(card) == ["back", "on", "hand"]
    press(card, "hand")
    assert choices(card)["note"] == (
        "11 of 12 questions right. Not right: 3. Run the next cell for your points."
    )
    assert kept(card, "dt.course.exam(me)").endswith("], handed_in=True)")
    result = dt.course.check(EXAM, card, name="Ada")
    assert (result.score, result.passed) == (11, False)
    press(card, "commit")
    assert card.view["problem"]


def test_an_exam_with_open_questions_is_handed_in_by_saying_so_twice():
    answers = rights()
    card = dt.course.exam("Ada", answers=[*answers[:10], None, None])
    for between in (
        lambda: commit(card, answers[10]),
        lambda: press(card, "back"),
        lambda: card.act({"do": "set", "control": "question-1", "value": str(answers[10])}),
    ):
        press(card, "hand")
        assert "Hand in once more" in choices(card)["note"]
        assert not card._state.handed
        between()  # whoever does anything else has thought better of it
        assert choices(card)["note"].startswith("Still open: 12. A guess")
    press(card, "hand")
    press(card, "hand")
    assert choices(card)["note"].startswith("11 of 12 questions right. Not right: 12.")
    assert kept(card, "dt.course.exam(me)").endswith(", None], handed_in=True)")


def test_an_exam_against_the_clock_begins_and_is_over(monkeypatch):
    card = dt.course.exam("Ada", minutes=30)
    assert (card.view["title"], buttons(card)) == ("Exam: 12 questions, 30 minutes", ["begin"])
    press(card, "on")
    press(card, "begin")
    commit(card, rights()[0])
    code = kept(card, "dt.course.exam(me, minutes=30)")
    begun = next(
        ast.literal_eval(one.value)
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        for one in node.keywords
        if one.arg == "begun"
    )
    late = datetime.fromisoformat(begun) - timedelta(minutes=31)
    over = dt.course.exam("Ada", minutes=30, begun=str(late), answers=[*card._state.answers])
    commit(over, 1)
    assert "The time is over" in over.view["problem"]
    press(over, "hand")
    assert choices(over)["note"].startswith("1 of 12")


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"minutes": 0}, "minutes=0 is a number of minutes"),
        ({"minutes": "x"}, "minutes='x' is a number"),
        ({"answers": [1, 2]}, "a list of twelve numbers"),
        ({"answers": ["a"] * 12}, "a list of twelve numbers"),
        ({"begun": "now"}, "begun='now' is no time such as"),
    ],
)
def test_an_exam_that_no_card_has_written_is_named(given, match):
    with pytest.raises(ValueError, match=match):
        dt.course.exam("Ada", **given)


def test_each_name_has_an_exam_of_its_own():
    texts = {tuple(one.anew().text for one in questions(name)) for name in ("Ada", "Bo", "Cy")}
    assert len(texts) == 3
    assert [one.anew().text for one in questions(" ada")] == [
        one.anew().text for one in questions("Ada")
    ]


@pytest.fixture(scope="module")
def sheet(tmp_path_factory):
    """The exam as course staff have it, made from its notebook."""
    folder = tmp_path_factory.mktemp("course")
    assert lesson_file("exam", lessons.NOTEBOOKS).name == "exam.ipynb"
    (text,) = [one.text for one in SOURCES if one.stem == "exam"]
    source = source_version(json.loads(json.dumps(lessons.build(text))), 123_456)
    place = folder / "source" / "exam" / "exam.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps(source), encoding="utf-8")
    return folder, source


def judged(sheet, name, answer):
    folder, source = sheet
    handed = released(source)
    for cell in handed["cells"]:
        told = cell["metadata"].get("dtree_lab", {})
        if told.get("role") == "answer":
            cell["source"] = answer
        if told.get("role") == "name":
            cell["source"] = f"me = {name!r}"
    cells = cells_in(json.dumps(handed))
    return judged_submission(
        sheet_of(folder, "exam"), "somebody", cells, sandbox(), Allowance(), (folder,)
    )


def test_a_learner_who_is_right_a_wrong_one_and_one_with_anothers_answers_are_graded(sheet):
    """Headless, as `dtree-lab assignment grade` does it: everybody by the numbers of their name."""
    for name in ("Ada", "Bo"):
        given = f"my_exam = dt.course.exam(me, answers={rights(name)}, handed_in=True)\nmy_exam"
        record = judged(sheet, name, given)
        assert (record.points, record.max_points, record.status) == (12, 12, "graded")
    others = judged(sheet, "Bo", f"my_exam = dt.course.exam(me, answers={rights('Ada')})")
    same = sum(a == b for a, b in zip(rights("Ada"), rights("Bo"), strict=True))
    assert others.points <= same + 1 < 6
    some = [*rights("Bo")[:5], 99, *[None] * 6]
    assert judged(sheet, "Bo", f"my_exam = dt.course.exam(me, answers={some})").points == 5
    assert judged(sheet, "Bo", "my_exam = dt.course.exam(me)").points == 0
    assert judged(sheet, "Bo", f"my_exam = {rights('Bo')}").points == 12


def test_what_is_answered_in_part_is_told_and_none_of_it_judged():
    answers = rights()
    for wrong in (answers[0], 99):
        card = dt.course.exam("Ada", answers=[wrong, answers[1], *[None] * 9, 3])
        result = dt.course.check(EXAM, card, name="Ada")
        assert (result.verdict, result.answered, result.score) == ("ANSWERED IN PART", False, 0)
        (line,) = result.lines
        assert line.says == (
            "3 of 12 questions answered; open: 3, 4, 5, 6, 7, 8, 9, 10, 11."
            " It counts once it is handed in on its card."
        )
    card = dt.course.exam("Ada", answers=answers)
    result = dt.course.check(EXAM, card, name="Ada")
    assert result.lines[0].says.startswith("12 of 12 questions answered. It counts once it is")
    press(card, "hand")
    assert dt.course.check(EXAM, card, name="Ada").verdict == "PASS"
    assert dt.course.check("tax-fraud/parts", card).verdict == "NOT YET"  # another's card


def test_what_is_no_list_of_twelve_is_told_so_and_nothing_is_no_answer():
    for blank in (None, ..., dt.course.exam("Ada"), [None] * 12):
        assert dt.course.check(EXAM, blank, name="Ada").verdict == "NOT ANSWERED YET"
    for odd in (rights()[1], rights()[:5], "x"):
        result = dt.course.check(EXAM, odd, name="Ada")
        assert result.score == 0
        assert "in place of a list of 12 numbers" in result.lines[0].says


def test_the_solution_of_the_exam_is_that_of_nobody_and_passes(monkeypatch):
    space = {}
    exec(dt.course.exercises.__globals__["find"](EXAM).solution, space)  # noqa: S102 - our own
    assert dt.course.check(EXAM, space["my_exam"]).passed
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    card = dt.course.exam("Ada", answers=[rights()[0], *[None] * 11])
    assert dt.course.check(EXAM, card, name="Ada") == 1
