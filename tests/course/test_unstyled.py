"""What lessons show without style: JupyterLab takes it out until a notebook is trusted."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

PLACE = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted([*PLACE.glob("*.ipynb"), *PLACE.glob("further/*.ipynb")])
# Elements that, without a style, stand in the line of the words around them.
IN_LINE = {"span", "b", "i", "em", "strong", "code", "label", "bdi", "button", "small", "mark"}
UNSEEN = {"style", "script", "svg"}


class Lines(HTMLParser):
    """The pairs of words that touch, one in an element of its own."""

    def __init__(self, page):
        super().__init__()
        self.hidden, self.before, self.touching = 0, "", []
        self.feed(page)
        self.close()

    def passed(self, tag):
        if tag not in IN_LINE:
            self.before = ""

    def handle_starttag(self, tag, attrs):
        self.hidden += tag in UNSEEN
        self.passed(tag)

    def handle_endtag(self, tag):
        self.hidden -= tag in UNSEEN
        self.passed(tag)

    def handle_data(self, data):
        if self.hidden:
            return
        ends, begins = self.before[-1:], data[0]
        # A bracket or a comma may stand right beside a word; a sign such as ● may not.
        if (ends.isalnum() or ends > "\u2190") and begins.isalnum():
            self.touching.append((self.before[-20:], data[:20]))
        self.before = data


def test_touching_words_are_found():
    assert Lines("<th>Refund<span>discrete</span></th>").touching == [("Refund", "discrete")]
    assert Lines("<td><span>●</span>No</td>").touching == [("●", "No")]
    assert Lines("<th>a<br>b</th><td>c</td><p>(<b>d</b>), e <i>f</i></p>").touching == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda one: one.stem)
def test_words_that_a_lesson_shows_are_apart(notebook):
    touching = []
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            page = "".join(output.get("data", {}).get("text/html", ""))
            touching += Lines(page).touching
    assert touching == []
