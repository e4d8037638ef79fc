"""Colours that the reader's system forces on all pages, as Windows' contrast themes do."""

from __future__ import annotations

import pytest
from effort import some

import dtree_lab as dt
from browser.bare import ADDRESS, Bare, outside
from browser.contrast import unseen
from dtree_lab.labs.catalogue import LABS

WIDE = 1280
LONG = pytest.mark.thorough
# JupyterLab's theme does not follow the system: light, its own choice, meets a dark system.
LOOKS = [
    pytest.param(scheme, theme, marks=[] if (scheme, theme) == ("dark", "light") else LONG)
    for scheme in ("dark", "light")
    for theme in ("light", "dark")
]


def made():
    """The labs as they open, the tree builder after a question; and what needs no kernel."""
    labs, pages = {}, {}
    table = dt.datasets.tax_fraud()
    for entry in some(LABS, every=3):
        lab = entry.load()(*([table] if entry.cls == "TreeBuilder" else []))
        if entry.cls == "TreeBuilder":
            lab.act({"do": "best"})
        labs[entry.cls] = lab.told
        if entry.cls in ("ThresholdLab", "PlaneLab"):
            pages[entry.cls] = lab._bundle()[1]
    shown = {
        "table": table,
        "comparison": dt.compare(table),
        "tree": dt.id3(table),
        "bars": dt.draw.bars({"a": 0.5, "b": 0.2}, y="gain", says="Gains."),
        "card": dt.course.check("tax-fraud/parts", "B"),
    }
    # As part of a page, a picture's own rules are put to the same test.
    for theme in ("auto", "light", "dark"):
        pages[theme] = dt.draw.svg(shown["tree"], theme=theme)
    for name, one in shown.items():
        html = getattr(one, "_repr_html_", None)
        pages[name] = html() if html else one._repr_mimebundle_()["text/html"]
    return labs, pages


@pytest.mark.parametrize(("scheme", "theme"), LOOKS)
def test_everything_can_be_seen_in_a_contrast_theme(new_page, scheme, theme):
    """In both of JupyterLab's themes, be the system dark or light.

    Words have 4.5 to 1, lines, marks, bars and areas 3 to 1, by what is painted.
    """
    labs, pages = outside(made)
    bare = Bare(new_page(ADDRESS))
    page = bare.page
    bare.high(720)
    faint = {}

    def look(name):
        tall = page.evaluate("() => document.documentElement.scrollHeight")
        page.set_viewport_size({"width": WIDE, "height": tall})
        page.emulate_media(forced_colors="active", color_scheme=scheme)
        bare.theme(theme)
        if found := unseen(page.locator("main")):
            faint[name] = found

    try:
        for name, told in labs.items():
            bare.begin(told)
            look(name)
        bare.place("".join(pages.values()))
        look("pages")
    finally:
        page.emulate_media(forced_colors="none", color_scheme="light")
        page.set_viewport_size({"width": WIDE, "height": 720})
    assert faint == {}
