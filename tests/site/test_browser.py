"""The pages in a real browser: accessible, readable at any width and on paper, and alone."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PLACES = [*NOTEBOOKS.glob("*.ipynb"), *NOTEBOOKS.glob("further/*.ipynb")]
NAMES = ["index", *sorted(place.stem for place in PLACES)]
# Each time a page of each kind; the others are made in the same way, of other words.
EACH_TIME = ("index", "01-tax-fraud")
EXAMINED = [
    name if name in EACH_TIME else pytest.param(name, marks=pytest.mark.thorough) for name in NAMES
]
# Which elements make the page wider than the window, to be told when one does.
WIDE = """() => [...document.querySelectorAll("body *")]
  .filter(e => e.getBoundingClientRect().right > innerWidth + 1 &&
    !e.parentElement.closest(".output, .code, .formula, .wide, pre"))
  .map(e => e.outerHTML.slice(0, 100))"""


@pytest.fixture
def shown(new_page, address):
    """A page of the site; the test fails if it asks anyone but the site or reports an error."""

    def show(name):
        page = new_page(address)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.goto(f"{address}/{name}.html")
        return page

    return show


@pytest.mark.parametrize("name", EXAMINED)
def test_a_page_is_accessible(name, shown, examined):
    """By axe, in both themes and at 320 pixels, which is 1280 at a zoom of 400 %."""
    page = shown(name)
    assert examined(page) == []
    light = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") != light
    assert examined(page, "color-contrast") == []
    page.set_viewport_size({"width": 320, "height": 640})
    assert examined(page, "scrollable-region-focusable", "target-size") == []


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_no_wider_than_its_window_and_can_be_printed(name, shown):
    page = shown(name)
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate(WIDE) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
    page.emulate_media(media="print")
    for gone in page.locator(".top, .go, .contents, .ways").all():
        assert not gone.is_visible()


def test_the_contents_are_folded_on_a_phone_only(shown):
    page = shown(NAMES[1])
    listed = page.locator(".contents a").first
    page.set_viewport_size({"width": 1280, "height": 720})
    assert listed.is_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    assert not listed.is_visible()
    page.locator(".contents summary").click()
    assert listed.is_visible()


def test_the_keyboard_skips_to_the_text_and_goes_on(shown):
    page = shown(NAMES[1])
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    assert page.locator(".skip").is_visible()
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "main"
    page.locator('a[rel="next"]').first.click()
    page.wait_for_url(f"**/{NAMES[2]}.html")
    heading = page.locator(".contents a").first
    heading.click()
    assert "#" in page.url
