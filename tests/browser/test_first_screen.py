"""What is seen of each lab without scrolling, and that pictures are the most of it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import dtree_lab as dt
from browser.bare import ADDRESS, Bare, outside
from browser.driver import at_rest, later
from dtree_lab.labs.catalogue import LABS

NAMES = sorted({lab.cls for lab in LABS})
# What JupyterLab leaves of a window for a lab that is scrolled to its top: of 1280 x 720, of
# 1920 x 1080, and of the first at a zoom of 200 %.
LAPTOP, PROJECTOR, ZOOMED = (1130, 599), (1770, 959), (490, 239)
# Beside the list of files, and beside another notebook.
NARROW = [(800, 599), (620, 599)]
MEASURE = """() => {
  const root = document.querySelector(".dtl-lab");
  const from = root.getBoundingClientRect();
  const box = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return { left: left - from.left, top: top - from.top, width, height };
  };
  const shown = (one) => one.getClientRects().length;
  const seen = (name) => [...root.querySelectorAll(name)].filter(shown).map(box);
  return {
    height: from.height,
    result: seen(".dtl-result"),
    words: root.querySelector(".dtl-result").innerText.trim(),
    stage: seen(".dtl-stage"),
    pictures: seen(".dtl-stage :is(.dtl-plot, .dtl-treebox, .dtl-part-wall, .dtl-part-grid)"),
    control: seen(".dtl-in-act"),
    sizes: [...new Set([...root.querySelectorAll("p, button, select, summary, td, th, label, li")]
      .filter((one) => shown(one) && !one.closest("svg"))
      .map((one) => getComputedStyle(one).fontSize))],
  };
}"""


@pytest.fixture(scope="module")
def told():
    """What Python says of each lab as it opens; in the tree builder a question has been asked."""

    def opened():
        found = {}
        for name in NAMES:
            make = getattr(dt, name)
            lab = make(dt.datasets.tax_fraud()) if name == "TreeBuilder" else make()
            if name == "TreeBuilder":
                lab.act({"do": "best"})
            found[name] = lab.told
        return found

    return outside(opened)


@pytest.fixture(scope="module")
def sizes():
    return {}


@pytest.fixture
def measured(new_page, told, sizes):
    """What is seen of each lab where there is so much room."""

    def measure(size):
        if size in sizes:
            return sizes[size]
        page = new_page(ADDRESS)
        page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
        bare = Bare(page)
        found = {}
        for name, state in told.items():
            bare.begin(state)
            at_rest(page)
            found[name] = page.evaluate(MEASURE)
        return sizes.setdefault(size, found)

    return measure


def bottom(boxes):
    return max(one["top"] + one["height"] for one in boxes)


def share(boxes, size):
    return sum(one["width"] * one["height"] for one in boxes) / (size[0] * size[1])


def test_result_hero_and_control_are_on_one_screen_of_a_laptop(measured):
    found = measured(LAPTOP)
    for name, one in found.items():
        print(f"{name}: {one['height']:.0f} high, ends at {bottom(one['control']):.0f}")
    for name, one in found.items():
        assert bottom(one["result"] + one["stage"] + one["control"]) <= LAPTOP[1], name
        assert one["words"], name
        assert one["result"][0]["top"] < one["stage"][0]["top"] < one["control"][0]["top"], name


@pytest.mark.parametrize("size", [*later(NARROW[0]), NARROW[1]])
def test_in_a_narrow_notebook_the_control_is_still_beside_the_hero(measured, size):
    for name, one in measured(size).items():
        assert bottom(one["pictures"][:1] + one["control"]) <= size[1], name


def test_the_hero_is_most_of_what_a_projector_shows(measured):
    found = measured(PROJECTOR)
    shares = {name: share(one["stage"], PROJECTOR) for name, one in found.items()}
    print({name: round(one, 2) for name, one in shares.items()})
    assert not {name for name, one in shares.items() if one < 0.6}
    for name, one in found.items():
        assert bottom(one["stage"] + one["control"]) <= PROJECTOR[1], name
        # Within the stage it is pictures that have the room, not words.
        pictures = share(one["pictures"], PROJECTOR)
        assert pictures > 0.8 * shares[name], name


@pytest.mark.thorough
def test_zoomed_to_200_percent_the_hero_is_the_first_screen(measured):
    found = measured(ZOOMED)
    for name, one in found.items():
        first = one["pictures"][0]
        seen = min(ZOOMED[1], first["top"] + first["height"]) - first["top"]
        assert first["top"] < ZOOMED[1] / 2, name
        assert seen > 0.4 * ZOOMED[1], name


def test_type_has_three_sizes(measured):
    for name, one in measured(LAPTOP).items():
        assert len(one["sizes"]) <= 3, (name, one["sizes"])


PANEL = "() => document.querySelector('.jp-WindowedPanel-outer').getBoundingClientRect().toJSON()"


def in_view(notebook, shown):
    """Whether a lab's result, pictures and control are seen together, scrolled to its top."""
    shown.evaluate("lab => lab.scrollIntoView({ block: 'start' })")
    at_rest(notebook.page)
    panel = notebook.page.evaluate(PANEL)
    parts = [shown.locator(f".dtl-{name}").bounding_box() for name in ("result", "stage", "in-act")]
    tops = [one["y"] >= panel["y"] - 1 for one in parts]
    return all(tops) and max(one["y"] + one["height"] for one in parts) <= panel["bottom"] + 1


def test_the_depth_is_moved_by_keys_while_the_plane_is_seen(lab, open_notebook):
    """In JupyterLab, whose bars leave less than the window has."""
    notebook = open_notebook(lab.add("plane.ipynb", "import dtree_lab as dt\ndt.PlaneLab()"))
    notebook.run_all()
    notebook.hide_sidebar()
    shown = notebook.output(0).locator(".dtl-lab")
    expect(shown).to_be_visible()
    assert in_view(notebook, shown)
    plane = shown.locator("[data-id=plane] .dtl-plane")
    before = plane.bounding_box()
    depth = shown.get_by_role("slider", name="Most questions deep")
    depth.focus()
    for value in (2, 3, 4):
        depth.press("ArrowRight")
        expect(depth).to_have_attribute("aria-valuetext", str(value))
    expect(shown.get_by_role("status")).to_contain_text("4 questions deep")
    assert plane.bounding_box() == before
    depth.press("Control+z")  # several steps of one control are undone at once
    expect(depth).to_have_attribute("aria-valuetext", "1")
    expect(shown.get_by_role("status")).to_contain_text("Undone.")


@pytest.mark.thorough
def test_all_labs_are_seen_at_once_in_jupyterlab(lab, open_notebook):
    made = [f"dt.{name}({'dt.datasets.tax_fraud()' * (name == 'TreeBuilder')})" for name in NAMES]
    notebook = open_notebook(lab.add("ten.ipynb", "import dtree_lab as dt", *made))
    notebook.run_all()
    notebook.hide_sidebar()
    for cell, name in enumerate(NAMES, 1):
        shown = notebook.output(cell).locator(".dtl-lab")
        shown.locator(".dtl-busy").wait_for(state="detached")
        assert in_view(notebook, shown), name
