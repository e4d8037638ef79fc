"""Every control and every kind of part, in one lab: each tells Python what a person did with it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from browser.driver import THEMES, axe

LAB = (Path(__file__).parents[1] / "labs/all_parts.py").read_text(encoding="utf-8")


@pytest.fixture
def shown(run):
    return run(LAB, "lab")


def test_each_control_and_part_tells_what_was_done(shown):
    box = shown.live(1)
    last = "str(lab._state.done[-1:])[1:-2]"  # of nothing yet, too: the message may be on its way
    box.get_by_role("slider", name="Depth").focus()
    shown.page.keyboard.press("ArrowRight")
    shown.wait_python(last, "Set(control='size', value=4.0)")
    assert "4 levels" in box.inner_text()
    box.get_by_label("Method").select_option("a")
    shown.wait_python(last, "Set(control='which', value='a')")
    box.get_by_label("Show all").click()
    shown.wait_python(last, "Set(control='on', value=False)")
    box.get_by_label("Answer").fill("7")
    box.get_by_label("Answer").press("Enter")
    shown.wait_python(last, "Set(control='word', value='7')")
    box.get_by_text("✓ right").wait_for()
    box.get_by_role("button", name="Go on").click()
    shown.wait_python(last, "Press(control='go')")
    box.get_by_role("button", name="Refused").click()
    box.get_by_text("This cannot be done").wait_for()
    box.get_by_role("button", name="Off").click(force=True)
    box.get_by_role("button", name="Marital Status").click()
    shown.wait_python(last, "Pick(part='b', row=1)")
    assert "This cannot be done" not in box.inner_text()
    box.get_by_role("button", name="1", exact=True).click()
    shown.wait_python(last, "Pick(part='g', row=0)")
    box.get_by_role("treeitem").nth(1).click()
    shown.wait_python(last, "Select(part='t', at=(0,))")


def test_a_figure_is_dragged_and_clicked_in_the_units_of_its_axes(shown):
    box = shown.live(1)
    frames = "[p['frame'] for p in lab.view['parts'] if p['kind'] == 'picture']"
    curve, plane = (dict(frame) for frame in shown.python(frames))
    for part, frame, event in (("curve", curve, "drag"), ("plane", plane, "click")):
        picture = box.locator(f'[data-id="{part}"] .dtl-plot svg')
        picture.scroll_into_view_if_needed()
        at = picture.bounding_box()
        scale = at["width"] / 640
        x = at["x"] + scale * (frame["left"] + 0.75 * (frame["right"] - frame["left"]))
        y = at["y"] + scale * (frame["top"] + 0.25 * (frame["bottom"] - frame["top"]))
        if event == "click":
            shown.page.mouse.click(x, y)
            break
        shown.page.mouse.move(x - 100, y)
        shown.page.mouse.down()
        shown.page.mouse.move(x, y, steps=4)
        shown.page.mouse.up()
        shown.wait_python("round(dict(lab._state.values)['cut'], 1)", 7.5)
    shown.wait_python("''.join(type(one).__name__ for one in lab._state.done[-1:])", "Point")
    place = shown.python("(lab._state.done[-1].x, lab._state.done[-1].y)")
    assert abs(place[0] - 7.5) < 0.1
    assert abs(place[1] - 3) < 0.1


@pytest.mark.parametrize("theme", THEMES)
def test_all_parts_are_accessible(shown, theme, screenshot):
    shown.set_theme(theme)
    shown.output(1).locator(".dtl-lab").wait_for()
    assert axe(shown.page, ".dtl-lab") == []
    screenshot(f"kit-{theme}", shown.output(1), (1280, 2100))


def test_a_second_lab_brings_no_second_copy_of_the_code(lab, open_notebook):
    """Where JupyterLab is asked to save the widgets' state with the notebook."""
    notebook = open_notebook(lab.add("two.ipynb", LAB, "lab", "Lab(lab._model, State())"))
    notebook.run_all()
    notebook.output(2).locator(".dtl-lab").wait_for()
    notebook.page.evaluate("() => drive.keepWidgets()")
    notebook.save()
    notebook.page.evaluate("() => drive.keepWidgets()")  # the menu's item is a switch
    saved = str(lab.read("two.ipynb"))
    assert len(re.findall('"title":"All parts"', saved)) == 2
    assert len(re.findall("export function drawParts", saved)) == 1


COUNTING = """
from dataclasses import dataclass, replace
from dtree_lab.labs.kit.controls import Button
from dtree_lab.labs.kit.model import Model
from dtree_lab.labs.kit.parts import Controls, View, Words
from dtree_lab.labs.lab_widget import Lab

@dataclass(frozen=True)
class State:
    goal: int = 0
    n: int = 0
    pressed: int = 0

def update(state, action):
    goal = 200 if action.control == "go" else state.n
    return State(goal, state.n if action.control == "stop" else 0, state.pressed + 1)

def work(state):
    return counted(state) if state.n < state.goal else None

def counted(state):
    for n in range(state.n + 1, state.goal + 1):
        yield replace(state, n=n), 0.02

def view(state):
    busy = state.n / state.goal if state.n < state.goal else None
    keys = Controls("c", "Keys", [Button("go", "Count"), Button("stop", "Stop")])
    words = Words("w", [f"{state.n} counted, {state.pressed} pressed"])
    return View("Counting", [keys, words], progress=busy, status=f"{state.n} of {state.goal}")

lab = Lab(Model(update=update, view=view, dump=lambda s: "text", work=work), State())
"""


@pytest.mark.thorough
def test_long_work_shows_progress_and_the_next_action_ends_it(lab, open_notebook):
    notebook = open_notebook(lab.add("long.ipynb", COUNTING, "lab"))
    notebook.run_all()
    box = notebook.output(1).locator(".dtl-lab")
    counting = "lab._state.goal == 200 and 5 < lab._state.n < 200"
    box.get_by_role("button", name="Count").click()
    notebook.wait_python(counting, expected=True)
    assert box.locator(".dtl-busy").is_visible()
    box.get_by_role("button", name="Stop").click()
    notebook.wait_python("lab._state.pressed", 2)
    reached = notebook.python("lab._state.n")
    assert 5 < reached < 200
    box.get_by_text(f"{reached} counted, 2 pressed").wait_for()
    notebook.settle()
    assert notebook.python("lab._state.n") == reached  # the work has ended
    assert box.locator(".dtl-busy").count() == 0
    for _ in range(3):  # none of them is lost, and only the last one's work goes on
        box.get_by_role("button", name="Count").click()
    notebook.wait_python("lab._state.pressed", 5)
    box.get_by_text("200 counted, 5 pressed").wait_for()


def test_work_goes_on_while_another_cell_runs(lab, open_notebook):
    notebook = open_notebook(lab.add("busy.ipynb", COUNTING, "lab"))
    notebook.run_all()
    box = notebook.output(1).locator(".dtl-lab")
    cell = "import time\nfor _ in range(40):\n    time.sleep(0.05)\nseen = lab._state.n"
    notebook.page.evaluate("source => { drive.runCell(source); }", cell)
    box.get_by_role("button", name="Count").click()
    box.get_by_text("200 counted, 1 pressed").wait_for()
