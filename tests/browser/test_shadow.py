"""Labs that a host keeps apart in a shadow root, or draws before they are in its page.

On a page without Jupyter (`bare`). What a lab should look like there is what it looks like in the
page itself.
"""

from __future__ import annotations

import pytest
from effort import some
from playwright.sync_api import expect

import dtree_lab as dt
from browser.bare import ADDRESS, Bare, outside
from dtree_lab.labs.catalogue import LABS

# Of each element of a lab its name, how it is painted and where, once three frames are alike: the
# first that is not as in the lab that was looked at first, for it tells most.
LOOK = """async () => {
  const style = ["display", "visibility", "position", "color", "background-color", "font", "fill",
    "stroke", "opacity", "border-width", "padding", "list-style", "cursor"];
  const look = () => {
    const place = document.querySelector("main > div");
    const root = (place.shadowRoot ?? document).querySelector(".dtl-live");
    const from = root.getBoundingClientRect();
    const seen = (one) => one.checkVisibility({ visibilityProperty: true });
    return [root, ...root.querySelectorAll(":not(style, title, g)")].filter(seen).map((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      const looks = getComputedStyle(one);
      const painted = style.map((name) => `${name}: ${looks.getPropertyValue(name)}`).join("; ");
      const name = `${one.localName} ${one.getAttribute("class")}`;
      return [name, painted, left - from.left, top - from.top, width, height];
    });
  };
  let [seen, alike] = ["", 0];
  while (alike < 3) {
    await new Promise(requestAnimationFrame);
    const now = JSON.stringify(look());
    alike = now === seen ? alike + 1 : 0;
    seen = now;
  }
  const there = JSON.parse(seen);
  const here = (window.wanted ??= there);
  const isSame = (one, other) => one?.every((v, i) =>
    typeof v === "number" ? Math.abs(v - other[i]) < 0.5 : v === other[i]);
  const at = here.findIndex((one, i) => !isSame(there[i], one));
  return at < 0 && there.length === here.length ? null : [there[at], here[at]];
}"""
# What hosts take back of a browser's own style, within a shadow root too.
RESET = """svg, img, canvas { display: block; vertical-align: middle; }
:is(p, ul, ol, table) { margin: 0; padding: 0; list-style: none; border-collapse: collapse; }
:is(button, select) { font: inherit; background: none; }"""
FOCUS = """() => {
  const one = document.querySelector("main > div").shadowRoot.activeElement;
  return one && [one.localName, one.dataset.id ?? one.id];
}"""


def opened():
    return {lab.cls: lab.opened() for lab in LABS}


@pytest.fixture(scope="module")
def labs():
    return outside(opened)


@pytest.fixture
def bare(new_page):
    made = Bare(new_page(ADDRESS))
    made.page.set_viewport_size({"width": 1130, "height": 720})
    made.page.emulate_media(reduced_motion="reduce")
    yield made
    made.page.emulate_media(color_scheme="light", reduced_motion="no-preference")


def test_every_lab_looks_as_in_the_page(bare, labs):
    """In a shadow root with a style of its own for kinds of elements, and where it comes late."""
    other = {}
    for name, lab in some(labs.items(), every=2):
        bare.page.goto(ADDRESS)  # nothing is known of the width of words
        bare.page.evaluate("css => (document.querySelector('main').dataset.reset = css)", RESET)
        for place in ("nowhere", "page", "shadow"):
            bare.begin(lab.told, place=place)
            other[name, place] = bare.page.evaluate(LOOK)
    assert other == dict.fromkeys(other)


@pytest.mark.parametrize(("scheme", "ground"), [("dark", "17, 17, 17"), ("light", "255, 255, 255")])
def test_the_theme_is_that_of_the_page(bare, labs, scheme, ground):
    """And not the reader's own, which the page does not follow."""
    bare.page.emulate_media(color_scheme={"dark": "light", "light": "dark"}[scheme])
    bare.page.add_style_tag(content=f"body {{ color-scheme: {scheme}; }}")
    bare.begin(labs["EntropyLab"].told, place="shadow")
    expect(bare.page.locator(".dtl-live")).to_have_css("background-color", f"rgb({ground})")


def test_what_is_done_by_hand_and_by_key_is_answered_and_keeps_the_focus(bare):
    lab = outside(lambda: dt.TreeBuilder(dt.datasets.tax_fraud()))
    bare.begin(lab.told, place="shadow")
    bare.answer(lab)
    page = bare.page
    page.get_by_role("button", name="Best split here").click()
    cards = page.locator("[role=treeitem]")
    expect(cards).to_have_count(4)
    assert page.evaluate(FOCUS) == ["button", "best"]
    page.get_by_role("button", name="Undo").press("Enter")
    expect(cards).to_have_count(1)
    assert page.evaluate(FOCUS) == ["button", "undo"]
    page.keyboard.press("Control+y")
    expect(cards).to_have_count(4)
    cards.first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[role=treeitem][aria-selected=true]")).to_have_attribute("data-id", "0")
    assert page.evaluate(FOCUS) == ["g", "0"]
    assert lab.view["answers"] == 4


def test_every_lab_answers_to_a_key_and_keeps_the_focus(bare):
    """A slider that is moved, a button that is pressed; what is chosen is of the lab itself."""
    first = ".dtl-parts :is(input[type=range], button:not([aria-disabled=true]))"
    kept = {}
    for name, lab in outside(opened).items():
        bare.begin(lab.told, place="shadow")
        heard = bare.answer(lab)
        for control in bare.page.locator(first).locator("visible=true").all():
            control.press("Home")
            control.press("Enter")
            if heard:
                break
        expect(bare.page.locator(f".dtl-live[data-answers='{len(heard)}']")).to_have_count(1)
        kept[name] = bare.page.evaluate(FOCUS)
    assert all(kept.values()), kept
