"""Cards of skills in real JupyterLab: another one, step by step, and an exam, by keyboard."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.driver import axe
from dtree_lab.course.asking.series import begin_exam
from dtree_lab.course.skills import instance, number_of

SETUP = 'import dtree_lab as dt\n\nme = "Ada"'
PARITY = 'dt.course.another("expressiveness/more", me)'
NEXT = 'card = dt.course.another("skills/next-question", me)\ncard'
EXAM = "mine = dt.course.exam(me)\nmine"


def right(skill, key):
    return number_of(instance(skill, "Ada", key)).want


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
