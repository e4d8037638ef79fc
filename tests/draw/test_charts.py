"""Charts for a page: what is drawn is what was given, and it can be read without being seen."""

from __future__ import annotations

import base64
import re
from xml.etree import ElementTree

import pytest

import dtree_lab as dt
from dtree_lab.draw.chart import Area, Bar, Dots, Line, Note, Rule, figure

SVG = "{http://www.w3.org/2000/svg}"


def drawn(chart):
    page = chart._repr_mimebundle_()["text/html"]
    data = re.search(r"base64,([^\"]+)", page)[1]
    return ElementTree.fromstring(base64.b64decode(data))  # noqa: S314 - our own


def words(chart):
    return [t.text for t in drawn(chart).iter(f"{SVG}text")]


def test_every_chart_is_described_where_it_is_not_seen():
    says = "What <it> shows & why."
    charts = (
        dt.draw.lines({"a": [(0, 1), (1, 2)]}, x="x", y="y", says=says),
        dt.draw.bars({"a": 1.0}, y="y", says=says),
        dt.draw.dots([(0, 0), (1, 1)], [0, 1], x="x", y="y", names=("No", "Yes"), says=says),
        dt.draw.layered(says, "x", "y", Line([(0, 0), (1, 1)])),
    )
    for chart in charts:
        bundle = chart._repr_mimebundle_()
        assert bundle["text/plain"] == repr(chart)
        assert repr(chart).startswith(says)
        assert 'alt="What &lt;it&gt; shows &amp; why."' in bundle["text/html"]
        assert drawn(chart).findtext(f"{SVG}title") == says


def test_lines_are_told_apart_by_name_and_dashes():
    points = {name: [(0, i), (1, i + 1)] for i, name in enumerate("abcd")}
    chart = dt.draw.lines(points, x="nodes", y="error", says="Four.", rules={"chosen": 0.5})
    dashes = [layer.dash for layer in chart.plot.layers if isinstance(layer, Line)]
    assert len(set(dashes)) == 4
    assert {*"abcd", "chosen", "nodes", "error"} <= set(words(chart))
    assert "b: 0 → 1, 1 → 2" in repr(chart)
    assert "chosen: nodes 0.5" in repr(chart)
    with pytest.raises(ValueError, match="5 curves cannot be told apart; draw at most 4"):
        dt.draw.lines(points | {"e": [(0, 0)]}, x="x", y="y", says="Five.")


def test_a_measure_begins_at_zero_and_a_signed_one_does_not():
    up = dt.draw.lines({"a": [(0, 3), (1, 5)]}, x="x", y="y", says=".")
    assert up.plot.y.low == 0
    down = dt.draw.lines({"a": [(0, -3), (1, 5)]}, x="x", y="y", says=".")
    assert down.plot.y.low < -3


def test_bars_are_as_high_as_their_values():
    chart = dt.draw.bars({"pos": 0.8, "near": 0.4, "none": 0.0}, y="gain", says="Gains.")
    heights = [layer.high for layer in chart.plot.layers if isinstance(layer, Bar)]
    assert heights == [0.8, 0.4, 0.0]
    assert repr(chart).splitlines()[1:] == ["pos: 0.8", "near: 0.4", "none: 0"]
    assert {"pos", "near", "none", "0.8", "0.4"} <= set(words(chart))


def test_no_line_of_the_grid_goes_through_the_number_of_a_bar():
    for value in range(1, 1000, 7):
        chart = dt.draw.bars({"a": value / 1000, "b": 1.0}, y="gain", says="Gains.")
        made = figure(chart.plot)
        grid = [made.frame.y_of(at) for at, _ in chart.plot.y.marked(5)]
        for note in [layer for layer in chart.plot.layers if isinstance(layer, Note)]:
            foot = made.frame.y_of(note.y)
            assert not any(foot - 10 < line < foot + 1 for line in grid), value
            top = made.frame.y_of(float(note.text))
            assert 3 <= top - foot < 24, value  # over its bar, and near it


def test_dots_of_a_class_have_its_mark_and_its_name():
    points, classes = [(0, 0), (1, 1), (2, 0)], [0, 1, 1]
    names = ("No", "Yes", "absent")
    chart = dt.draw.dots(points, classes, x="x", y="y", names=names, says="D.")
    kinds = {layer.name: list(layer.points) for layer in chart.plot.layers}
    assert kinds == {"No": [(0, 0)], "Yes": [(1, 1), (2, 0)]}
    assert {"No", "Yes"} <= set(words(chart))
    assert "absent" not in words(chart)
    assert "Yes: 2 points, (1, 1) (2, 0)" in repr(chart)


def test_the_frame_holds_every_kind_of_layer():
    layers = (
        Line([(0, 0), None, (1, 1)]),
        Dots([(9, -5)], [0]),
        Area((-4, 0), (2, 8), 1),
        Rule(12.0, name="here"),
        Bar((3, 4), 7.0),
        Note(2, 3, "hello"),
    )
    plot = dt.draw.layered("All.", "x", "y", *layers).plot
    assert plot.x.low < -4 < 12 < plot.x.high
    assert plot.y.low < -5 < 8 < plot.y.high
