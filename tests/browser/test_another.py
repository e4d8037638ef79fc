"""Cards of skills in real JupyterLab: another one, step by step, and an exam, by keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.driver import axe
from dtree_lab.course.asking.series import begin_exam
from dtree_lab.course.skills import instance, number_of

SETUP = 'import dtree_lab as dt\n\nme = "Ada"'
PARITY = 'dt.course.another("expressiveness/more", me)'
NEXT = 'card = dt.course.another("skills/next-question", me)\ncard'
LABELS = 'dt.course.another("entropy/three-labels", me)'
EXAM = "mine = dt.course.exam(me)\nmine"


# What is to be written into the cell is sent only once a file lies there.
LATE = """
import pathlib, time
from dtree_lab.labs.lab_widget import Lab

def late(self, content, send=Lab.send):
    while not pathlib.Path("now").exists():
        time.sleep(0.01)
    send(self, content)

Lab.send = late"""


def right(skill, key):
    return number_of(instance(skill, "Ada", key)).want


def steps_of(key):
    return [value for _, value in instance("entropy/three-labels", "Ada", key).anew().steps]


def source(notebook, lab, index):
    notebook.save()
    return lab.read(notebook.name).cells[index].source


def opened(lab, open_notebook, *cells):
    notebook = open_notebook(lab.add("more.ipynb", SETUP, *cells))
    notebook.run_all()
    notebook.hide_sidebar()
    return notebook


def test_one_after_the_other_by_keyboard_alone(lab, open_notebook, screenshot):
    """Wrong, step by step, right, another one: the focus is always where the next key goes."""
    notebook = opened(lab, open_notebook, PARITY)
    box, keys = notebook.live(1), notebook.page.keyboard
    box.get_by_role("button", name="Another one").focus()
    keys.press("Enter")
    field = box.get_by_role("textbox", name="Your number")
    expect(field).to_be_focused()
    keys.type("1")
    keys.press("Enter")
    expect(box.get_by_text("1 is not it")).to_be_visible()
    expect(field).to_be_focused()  # and selected: the next digits are another answer
    keys.type("2")
    expect(field).to_have_value("2")
    expect(box.get_by_text("Your answer stands in this cell")).to_be_visible()
    box.get_by_role("button", name="Step by step").focus()
    keys.press("Enter")
    expect(box.get_by_text("The internal nodes of XOR")).to_be_visible()
    expect(field.first).to_be_focused()
    answer = right("expressiveness/more", "1")
    n = answer.bit_length()
    for i, value in enumerate((2**n - 1, n, answer)):
        expect(field.nth(i)).to_be_focused()
        keys.type(str(value))
        if i == 1:
            screenshot("another-steps", box)
        keys.press("Enter")
    expect(box.get_by_text("✓ RIGHT", exact=True)).to_be_visible()
    another = box.get_by_role("button", name="Another one")
    expect(another).to_be_focused()
    tries = [[1, (2**n - 1, n, answer)]]
    code = notebook.page.locator('[data-windowed-list-index="1"] .cm-content')
    expect(code).to_contain_text(f"answers={tries}")
    assert source(notebook, lab, 1) == PARITY.replace("me)", f"me, answers={tries})")
    for theme in ("dark", "light"):
        notebook.set_theme(theme)
        assert axe(notebook.page, '[data-windowed-list-index="1"] .jp-OutputArea') == []
        screenshot(f"another-right-{theme}", box)
    another.focus()
    keys.press("Enter")
    expect(field).to_have_count(1)
    expect(field).to_be_focused()
    expect(field).to_have_value("")
    box.get_by_role("button", name="Show me").focus()
    keys.press("Enter")
    expect(box.get_by_text("SHOWN", exact=False)).to_be_visible()
    expect(code).to_contain_text("[None]")
    assert source(notebook, lab, 1) == PARITY.replace("me)", f"me, answers={[*tries, [None]]})")
    again = notebook.rerun(1)
    assert "SHOWN" in again.text


@pytest.mark.thorough
def test_a_choice_is_drawn_anew_and_its_table_is_read(lab, open_notebook, screenshot):
    notebook = opened(lab, open_notebook, NEXT)
    box, keys = notebook.live(1), notebook.page.keyboard
    box.get_by_role("button", name="Another one").click()
    for i in (1, 2, 3):
        expect(box.get_by_role("radio").first).to_be_focused()
        keys.press(str(right("skills/next-question", str(i))))
        keys.press("Enter")
        expect(box.get_by_text(f"in a row: {i}.")).to_be_visible()
        if i == 1:
            screenshot("another-choice", box)
            assert box.bounding_box()["height"] < 900
            assert axe(notebook.page, '[data-windowed-list-index="1"] .jp-OutputArea') == []
        if i < 3:
            expect(box.get_by_role("button", name="Another one")).to_be_focused()
            keys.press("Enter")
    expect(box.get_by_text("Mastered.")).to_be_visible()
    notebook.wait_python("card._state.marks", (True, True, True))


def test_an_exam_is_left_gone_on_with_and_handed_in(lab, open_notebook, screenshot):
    check = 'dt.course.check("exam/twelve", mine, name=me)'
    notebook = opened(lab, open_notebook, EXAM, check, "#\n" * 60)  # room to scroll
    box, keys = notebook.live(1), notebook.page.keyboard
    begun = begin_exam("Ada", None, None, "", handed_in=False)
    answers = [number_of(one).want for one in begun.questions]

    def answer(i):
        title = box.get_by_text(f"Exam: question {i + 1} of 12")
        expect(title).to_be_in_viewport()
        field = box.locator("input").first
        field.focus()
        field.evaluate("one => one.scrollIntoView({ block: 'start' })")  # the title is above
        keys.type(str(answers[i]))
        keys.press("Enter")

    answer(0)
    answer(1)
    expect(box.get_by_text("question 3 of 12")).to_be_visible()
    screenshot("exam", box)
    code = notebook.page.locator('[data-windowed-list-index="1"] .cm-content')
    expect(code).to_contain_text(f"answers=[{answers[0]}, {answers[1]}, None")
    notebook.save()
    notebook.rerun(1)
    box = notebook.live(1)
    for i in range(2, 12):
        answer(i)
    expect(code).to_contain_text(f"{answers[-1]}])")  # by then the focus has come back
    box.get_by_role("button", name="Hand in").focus()
    keys.press("Enter")
    expect(box.get_by_text("12 of 12 questions right.")).to_be_visible()
    expect(code).to_contain_text("handed_in=True")
    for theme in ("dark", "light"):
        notebook.set_theme(theme)
        assert axe(notebook.page, '[data-windowed-list-index="1"] .jp-OutputArea') == []
        screenshot(f"exam-right-{theme}", box)
    assert notebook.rerun(2).text.startswith("PASS")


# Where the card begins, what stands below it, and whether it is the one of the last time.
PLACES = """() => {
  const names = [".dtl-chooses .dtl-title", '[data-windowed-list-index="2"]', ".dtl-part-choices"];
  const [title, below, part] = names.map((name) => document.querySelector(name));
  const isThere = part.isThere ?? false;
  part.isThere = true;
  const parts = [title, ...document.querySelectorAll(".dtl-chooses .dtl-part")];
  const boxes = parts.map((one) => (one.box ?? one).getBoundingClientRect());
  const holes = boxes.slice(1).map((box, i) => box.top - boxes[i].bottom);
  return [boxes[0].top, below.getBoundingClientRect().top, isThere, Math.max(...holes)];
}"""


# How high the line under a card is, each time that it changes.
FOOT = """() => {
  window.feet = [];
  const seen = () => window.feet.push(foot.offsetHeight);
  const foot = document.querySelector(".dtl-chooses .dtl-keep");
  new MutationObserver(seen).observe(foot, { childList: true, characterData: true, subtree: true });
}"""


def stays(notebook, before):
    """Where it begins has not moved, nor what is below it up; it is the same, without a hole."""
    top, below, is_there, hole = notebook.page.evaluate(PLACES)
    assert hole < 30
    assert (top, is_there) == (before[0], True)
    assert below > before[1] - 0.5  # pixels are halved
    return top, below


def test_a_step_that_is_shown_leads_on_and_the_card_stays_in_its_place(
    lab, open_notebook, screenshot
):
    notebook = opened(lab, open_notebook, LABELS, "#\n" * 60)
    box, keys = notebook.live(1), notebook.page.keyboard
    expect(box.get_by_role("button", name="Another one")).to_be_visible()
    place = notebook.page.evaluate(PLACES)[:2]
    notebook.page.evaluate(FOOT)
    box.get_by_role("button", name="Another one").click()
    field = box.get_by_role("textbox", name="Your number")
    expect(field).to_be_focused()
    place = stays(notebook, place)
    keys.type("3")  # it is not what the first step asks for
    box.get_by_role("button", name="Step by step").click()
    expect(box.get_by_text("What A adds")).to_be_visible()
    expect(field).to_have_value("")
    place = stays(notebook, place)
    keys.type("77")
    keys.press("Enter")
    expect(box.get_by_text("77 is not it")).to_be_visible()
    expect(field).to_be_focused()
    place = stays(notebook, place)
    box.get_by_role("button", name="Show this step").focus()
    keys.press("Enter")
    expect(field).to_have_count(2)
    expect(field.nth(1)).to_be_focused()
    assert float(field.first.input_value()) == float(f"{steps_of('1')[0]:.4g}")
    expect(field.first).to_have_attribute("readonly", "")
    place = stays(notebook, place)
    code = notebook.page.locator('[data-windowed-list-index="1"] .cm-content')
    expect(code).to_contain_text("answers=[[(77,), (None,)]]")
    for theme in ("dark", "light"):
        notebook.set_theme(theme)
        assert axe(notebook.page, '[data-windowed-list-index="1"] .jp-OutputArea') == []
        screenshot(f"another-step-shown-{theme}", box)
    keys.type(f"{steps_of('1')[1]:.4f}")
    keys.press("Enter")
    expect(box.get_by_role("img", name="right", exact=True)).to_have_count(1)
    expect(field.nth(2)).to_be_focused()
    place = stays(notebook, place)
    box.get_by_role("button", name="Show me").click()
    expect(box.get_by_text("○ SHOWN")).to_be_visible()
    place = stays(notebook, place)
    box.get_by_role("button", name="Another one").click()
    expect(field).to_have_count(1)
    expect(field).to_be_focused()
    expect(box.get_by_text("SHOWN")).to_have_count(0)
    stays(notebook, place)
    feet = notebook.page.evaluate("() => feet")
    assert len(feet) > 3
    assert feet == sorted(feet)  # also while the cell is written


def test_who_has_gone_on_stays_there_when_the_cell_is_written_late(lab, open_notebook):
    notebook = open_notebook(lab.add("more.ipynb", SETUP + LATE, LABELS))
    notebook.run_all()
    box, keys = notebook.live(1), notebook.page.keyboard
    box.get_by_role("button", name="Another one").click()
    field = box.get_by_role("textbox", name="Your number")
    expect(field).to_be_focused()
    keys.type("77")
    keys.press("Enter")
    expect(box.get_by_text("77 is not it")).to_be_visible()
    box.get_by_role("button", name="Step by step").focus()
    (lab.path / "now").touch()
    code = notebook.page.locator('[data-windowed-list-index="1"] .cm-content')
    expect(code).to_contain_text("answers=[[77]]")
    expect(box.get_by_role("button", name="Step by step")).to_be_focused()
    keys.press("Enter")
    expect(box.get_by_text("What A adds")).to_be_visible()


@pytest.mark.thorough
def test_run_again_a_card_has_the_steps_that_it_had(lab, open_notebook):
    notebook = opened(lab, open_notebook, LABELS.replace("me)", "me, answers=[[(77,), (None,)]])"))
    box, field = notebook.live(1), notebook.live(1).get_by_role("textbox", name="Your number")
    expect(field).to_have_count(2)
    for value in steps_of("1")[1:]:
        expect(field.last).to_have_value("")
        field.last.fill(f"{value:.4f}")
        field.last.press("Enter")
    expect(box.get_by_text("✓ RIGHT")).to_be_visible()
    expect(box.get_by_text("in a row: 0.")).to_be_visible()


@pytest.mark.thorough
def test_from_question_to_question_of_an_exam_the_page_stays(lab, open_notebook):
    notebook = opened(lab, open_notebook, EXAM, "#\n" * 60)
    box = notebook.live(1)
    # Its first question and its buttons are in view, as they are for who presses one.
    box.get_by_role("button", name="Next").scroll_into_view_if_needed()
    box.get_by_role("button", name="Next").click()
    expect(box.get_by_text("question 2 of 12")).to_be_in_viewport()
    place = notebook.page.evaluate(PLACES)[:2]
    for way, i in [("Next", 3), ("Next", 4), ("Back", 3), ("Next", 4), ("Next", 5)]:
        box.get_by_role("button", name=way).click()
        expect(box.get_by_text(f"question {i} of 12")).to_be_in_viewport()
        expect(box.locator("input").first).to_be_focused()
        place = stays(notebook, place)
