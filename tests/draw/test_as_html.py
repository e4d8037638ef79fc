"""Tables, comparisons and trees in a page, read back by a parser."""

from __future__ import annotations

import re
from base64 import b64decode
from html.parser import HTMLParser
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from strategies import tables

import dtree_lab as dt
from draw.shapes import HOSTILE, nasty_tree
from dtree_lab.base.text import number
from dtree_lab.draw.as_html import comparison_html, static_figure, table_html, tree_html
from dtree_lab.draw.as_text import tree_text
from dtree_lab.draw.words import plain

VOID = {"img", "br"}


class Page(HTMLParser):
    """A page as a list of elements: tag, attributes, text; and the tags in order."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        element = (tag, dict(attrs), [])
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)
        elif tag == "br":
            self.handle_data("\n")

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, data):
        for _, _, text in self.open:
            text.append(data)

    def all(self, tag):
        return [(attrs, "".join(text)) for name, attrs, text in self.elements if name == tag]


@settings(max_examples=40)
@given(tables())
def test_a_table_has_its_cells_headings_and_row_numbers(table):
    page = Page(table_html(table))
    heads = page.all("th")
    columns = [text for attrs, text in heads if attrs["scope"] == "col"]
    kinds = [*(a.kind for a in table.attributes), "target"]
    wanted = [f"{name}\n{kind}" for name, kind in zip([*table.names, "y"], kinds, strict=True)]
    assert columns == ["row", *wanted]
    shown = min(20, table.n_rows)
    rows = [text for attrs, text in heads if attrs["scope"] == "row"]
    assert rows == [str(i + 1) for i in range(shown)]
    cells = [text for _, text in page.all("td")]
    width = len(columns) - 1
    for i in range(shown):
        *values, label = table.row(i).values()
        said = [number(v) if isinstance(v, float) else str(v) for v in values]
        assert cells[i * width : (i + 1) * width - 1] == said
        # The mark stands before the label.
        assert cells[(i + 1) * width - 1][1:] == f" {label}"
    chips = [attrs for attrs, _ in page.all("span") if attrs["class"] == "dtl-chip"]
    assert len(chips) == shown
    assert all(chip["aria-hidden"] == "true" for chip in chips)
    assert page.all("caption")


def test_one_class_has_one_mark():
    page = Page(table_html(dt.datasets.tax_fraud()))
    labels = {text for _, text in page.all("td") if text[2:] in {"No", "Yes"} and text[0] in "●▲"}
    assert labels == {"● No", "▲ Yes"}


@settings(max_examples=40)
@given(tables().filter(lambda table: table.attributes))
def test_a_comparison_has_all_numbers_as_numbers_and_hides_its_bars(table):
    comparison = dt.compare(table)
    page = Page(comparison_html(comparison))
    numbers = [float(t) for attrs, t in page.all("td") if attrs["class"] == "dtl-number"]
    wanted = [
        n for one in comparison.ranked for n in (one.gain, one.conditional_entropy, one.gain_ratio)
    ]
    assert numbers == pytest.approx(wanted, abs=0.00051)
    rows = [text for attrs, text in page.all("th") if attrs.get("scope") == "row"]
    assert rows == [one.question for one in comparison.ranked]
    bars = [attrs for attrs, _ in page.all("td") if attrs["class"] == "dtl-bars"]
    assert len(bars) == len(comparison.ranked)
    assert all(bar["aria-hidden"] == "true" for bar in bars)
    widths = [float(a["style"].split()[1][:-1]) for a, _ in page.all("span") if "style" in a]
    top = comparison.best.gain
    shares = [100 * one.gain / top if top else 0 for one in comparison.ranked]
    assert widths == pytest.approx(shares, abs=0.051)


def test_a_tree_is_an_image_with_alt_text_and_its_text_below():
    tree = dt.id3(dt.datasets.tax_fraud())
    page = Page(tree_html(tree))
    ((image, _),) = page.all("img")
    assert image["alt"].startswith("Decision tree for Cheat: 10 nodes")
    kind, data = image["src"].split(",")
    assert kind == "data:image/svg+xml;base64"
    # The same drawing, beside its description, with less of a style sheet.
    around = re.compile("<style>.*?</style>|<desc.*?</desc>", re.DOTALL)
    assert around.sub("", b64decode(data).decode()) == around.sub("", dt.draw.svg(tree))
    assert [text for _, text in page.all("pre")] == [tree_text(tree)]
    assert [text for _, text in page.all("summary")] == ["As text"]


def test_a_tree_of_numbers_says_in_words_what_its_marks_mean_and_how_many_rows_stop():
    table = dt.Table.from_columns(
        {"x": [1, 2, 3, 4, None], "y": [10, 10, 20, 20, 15]},
        "y",
        target_kind="continuous",
        missing="keep",
    )
    page = Page(tree_html(dt.stump(table)))
    ((image, _),) = page.all("img")
    assert image["alt"] == (
        "Regression tree for y: 3 nodes, 2 of them leaves, depth 1. The root asks: x < 2.5? On"
        " each card an axis, from 10 to 20, has a dot at the node's answer and a bar of one"
        " standard deviation to either side. 1 row without a value stops above the leaves"
    )
    alone = Page(tree_html(dt.stump(dt.Table.from_columns({"y": [0.5, 2]}, "y"))))
    ((image, _),) = alone.all("img")
    assert "1 of them leaves, depth 0. The root answers: y = 1.25. On each card" in image["alt"]
    bundle = dt.stump(table)._repr_mimebundle_()
    assert bundle["text/plain"] in "".join(text for _, text in page.all("pre"))


@pytest.mark.parametrize("how", [{}, {"numbers": True}, {"numbers": True, "leaf": "line"}])
def test_hostile_text_stays_text(how):
    tree = nasty_tree(**how)
    page = Page(tree_html(tree))
    assert {name for name, _, _ in page.elements} == {
        "style",
        "figure",
        "div",
        "img",
        "details",
        "summary",
        "pre",
    }
    ((_, text),) = page.all("pre")
    assert text == tree_text(tree)
    columns = {HOSTILE[0]: list(HOSTILE), HOSTILE[1]: [0.5] * 13, "y": list(HOSTILE)}
    table = dt.Table.from_columns(columns, "y")
    allowed = {"style", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "span", "br"}
    page = Page(table_html(table))
    assert {name for name, _, _ in page.elements} == allowed
    firsts = [text for _, text in page.all("td")][::3]
    assert firsts == [plain(v) for v in HOSTILE]
    comparison = Page(comparison_html(dt.compare(table)))
    assert {name for name, _, _ in comparison.elements} <= allowed
    assert {plain(HOSTILE[0])} <= {text for _, text in comparison.all("th")}


def test_a_figure_of_anything():
    page = Page(
        static_figure('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a "b" <c>', "1 < 2\n& more")
    )
    ((image, _),) = page.all("img")
    assert image["alt"] == 'a "b" <c>'
    assert fromstring(b64decode(image["src"].split(",")[1])).tag.endswith("svg")  # noqa: S314 - our own
    assert [text for _, text in page.all("pre")] == ["1 < 2\n& more"]


def test_the_text_of_a_chart_wraps_and_that_of_a_tree_does_not():
    chart = dt.draw.lines({"a": [(1, 2), (3, 4)]}, x="n", y="e", says="It rises.")
    tree = dt.stump(dt.datasets.tax_fraud())
    for shown, wraps in ((chart._repr_mimebundle_()["text/html"], True), (tree_html(tree), False)):
        ((pre, _),) = Page(shown).all("pre")
        assert (f"pre.{pre['class']} {{ white-space: pre-wrap; }}" in shown) is wraps


def test_a_long_table_says_how_much_is_hidden():
    table = dt.Table.from_columns({"x": range(25), "y": ["a"] * 25}, "y")
    page = Page(table_html(table))
    assert [text for _, text in page.all("p")] == ["… 5 more rows"]


def test_a_continuous_target_has_no_marks():
    page = Page(table_html(dt.Table.from_columns({"x": [1, 2], "y": [0.5, 1.5]}, "y")))
    assert [text for _, text in page.all("td")] == ["1", "0.5", "2", "1.5"]
