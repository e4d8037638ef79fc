"""Figures: where things stand is told by arithmetic, what they say is text."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtree_lab.draw.as_svg import Element
from dtree_lab.draw.chart import (
    Area,
    Axis,
    Bar,
    Dots,
    Line,
    Note,
    Plot,
    Rule,
    figure,
    figure_svg,
)
from dtree_lab.draw.chart.layers import lines_as_one, stretches
from dtree_lab.draw.measure import width
from dtree_lab.draw.style import LABEL, mark

X, Y = Axis("x (cm)", 0, 10), Axis("y", -1, 1)
HOSTILE = '<img src=x onerror="alert(1)">&\u202e'


def made(*layers, **keywords):
    return figure(Plot("A figure.", X, Y, layers, **keywords))


def found(drawing, looks):
    """The elements of a class, wherever they are."""
    here = [drawing] if looks in str(drawing.attributes.get("class", "")).split() else []
    return here + [
        one for c in drawing.children if isinstance(c, Element) for one in found(c, looks)
    ]


def in_svg(drawn, looks):
    """The elements of a class in a still picture."""
    tree = ElementTree.fromstring(figure_svg(drawn))  # noqa: S314 - our own
    return [one for one in tree.iter() if looks in one.get("class", "").split()]


def test_a_browser_gets_each_point_as_a_mark_with_a_key():
    """Four numbers: where it is, in tenths of a pixel, how it looks, and what it is known by."""
    drawn = made(Dots([(0, 0), (5, 0), (10, 1)], [1, 0, 1], keys=[7, 8, 3]))
    ((_, told),) = (one for one in drawn.element.json()[-1][2:] if one[0] == "marks")
    frame = drawn.frame
    wide, y = frame.right - frame.left, (frame.top + frame.bottom) / 2
    expected = [(0, y, 0, 7), (wide / 2, y, 1, 8), (wide, frame.top, 0, 3)]
    for i, (x, up, look, key) in enumerate(expected):
        at = told["at"][4 * i : 4 * i + 4]
        assert at[:2] == pytest.approx([frame.left + x, up], abs=0.051)
        assert at[2:] == [look, key]
    assert [looks for looks, *_ in told["looks"]] == ["dtl-mark dtl-c1", "dtl-mark dtl-c0"]
    assert [cls for *_, cls in told["looks"]] == [1, 0]
    assert told["looks"][0][1] == mark(1).path(0, 0, 5)


def texts(drawing):
    return [
        c if isinstance(c, str) else t
        for c in drawing.children
        for t in ([c] if isinstance(c, str) else texts(c))
    ]


def points(d):
    return [tuple(map(float, pair.split(","))) for pair in re.findall(r"-?[\d.]+,-?[\d.]+", d)]


def test_a_line_runs_between_the_corners_of_the_frame():
    drawn = made(Line([(0, -1), (10, 1)], hue=2, dash="long"))
    frame, (line,) = drawn.frame, found(drawn.element, "dtl-line")
    assert line.attributes["class"] == "dtl-line dtl-s2 dtl-long"
    corners = [(frame.left, frame.bottom), (frame.right, frame.top)]
    for (x, y), (u, v) in zip(points(line.attributes["d"]), corners, strict=True):
        assert abs(x - u) <= 0.05
        assert abs(y - v) <= 0.05


def test_a_line_of_steps_turns_at_right_angles_and_a_gap_breaks_it():
    (steps,) = found(made(Line([(0, 0), (5, 1), (10, -1)], steps=True)).element, "dtl-line")
    for (x, y), (u, v) in pairwise(points(steps.attributes["d"])):
        assert x == u or y == v
    broken = made(Line([(0, 0), (4, 0), None, (6, 0), (10, 0)]))
    (line,) = found(broken.element, "dtl-line")
    assert line.attributes["d"].count("M") == 2  # one path in two pieces


def test_each_point_has_the_mark_and_the_colour_of_its_class():
    drawn = made(Dots([(0, 0), (5, 0), (10, 0)], [0, 1, 9], ringed=frozenset({1})))
    marks = in_svg(drawn, "dtl-mark")
    assert [one.get("class").split()[1] for one in marks] == ["dtl-c0", "dtl-c1", "dtl-c1"]
    half = (drawn.frame.right - drawn.frame.left) / 2
    y = (drawn.frame.top + drawn.frame.bottom) / 2
    for i, (one, cls) in enumerate(zip(marks, (0, 1, 9), strict=True)):
        x = drawn.frame.left + i * half
        whole = mark(cls).path(x, y, 5)  # a circle is shorter as two arcs
        assert one.get("d") == whole if cls else " 0 1,0 " in one.get("d")
    (ring,) = found(drawn.element, "dtl-ring")
    assert abs(ring.attributes["cx"] - (drawn.frame.left + drawn.frame.right) / 2) < 0.01


def test_areas_that_share_a_border_fill_the_frame():
    drawn = made(Area((-99, 4), (-1, 1), 0), Area((4, 99), (-1, 1), 1))
    boxes = found(drawn.element, "dtl-area")
    frame = drawn.frame
    wide = sum(box.attributes["width"] for box in boxes)
    assert abs(wide - (frame.right - frame.left)) < 1e-6
    assert {box.attributes["height"] for box in boxes} == {frame.bottom - frame.top}
    assert len(in_svg(drawn, "dtl-pattern")) == 2  # told apart without colour
    assert made(Area((20, 30), (-1, 1), 0)).element == made().element  # out of the frame


def test_bars_rules_and_notes_stand_where_they_are():
    drawn = made(Bar((0, 5), 1, -1, hue=3), Rule(5, name="cut"), Rule(0, "y"), Note(10, 1, "here"))
    frame = drawn.frame
    (bar,) = found(drawn.element, "dtl-c3")
    assert bar.attributes["width"] == pytest.approx((frame.right - frame.left) / 2)
    assert bar.attributes["height"] == pytest.approx(frame.bottom - frame.top)
    across = [points(rule.attributes["d"]) for rule in found(drawn.element, "dtl-rule")]
    assert across[0][0][0] == across[0][1][0]
    assert across[1][0][1] == across[1][1][1]
    assert {"cut", "here", "x (cm)", "y"} <= set(texts(drawn.element))


@given(st.floats(0.5, 9.5), st.floats(-1, 1))
def test_the_name_of_a_rule_stands_clear_of_a_line(at, y):
    """A flat line can lie in one of the places for a name, or between two; the others are free."""
    drawn = made(Line([(0, y), (10, y)]), Rule(at, name="cut"), width=640, height=320)
    (word,) = found(drawn.element, "dtl-halo")
    baseline = word.attributes["y"]
    assert not baseline - 9 < drawn.frame.y_of(y) < baseline + 3


@pytest.mark.parametrize(("hue", "looks"), [(4, "dtl-t4"), (None, "dtl-halo")])
def test_the_name_of_a_line_has_its_colour(hue, looks):
    lines = [Line([(0, -1), (10, 1)], "rising", hue=hue), Line([(0, 0), (10, 0)])]
    drawn = made(*lines, width=640, height=320, direct=True)
    (word,) = found(drawn.element, looks)
    assert word.children == ("rising",)
    assert ("dtl-t" in word.attributes["class"]) == (hue is not None)


RULES = st.tuples(
    st.floats(0, 10),
    st.sampled_from(("80", "best so far, 97.5", "0.035 bits", "τ = 1")),
    st.sampled_from("xxxy"),
    st.booleans(),
)


@given(st.lists(RULES, min_size=1, max_size=3))
def test_the_names_of_rules_lie_on_no_other_and_under_no_rule(given_):
    """Boxes by the font's measures; where a rule cannot be avoided, it is interrupted."""
    rules = [
        Rule(at if axis == "x" else at / 5 - 1, axis, name, accent)
        for at, name, axis, accent in given_
    ]
    drawn = made(*rules, width=640, height=320)
    lines = [points(one.attributes["d"]) for one in found(drawn.element, "dtl-rule")]
    boxes, behind = [], None
    (layers,) = (
        one for one in drawn.element.children if one.attributes.get("class") == "dtl-layers"
    )
    for one in layers.children:
        if "dtl-halo" in one.attributes["class"]:
            wide = width(one.children[0], LABEL)
            left = one.attributes["x"] - wide * (one.attributes["text-anchor"] == "end")
            boxes.append((left, left + wide, one.attributes["y"], behind))
        behind = one if one.name == "rect" else None
    assert len(boxes) == len(rules)
    for i, (left, right, y, hiding) in enumerate(boxes):
        assert drawn.frame.left <= left
        assert right <= drawn.frame.right
        for low, high, other, _ in boxes[:i]:
            assert right <= low or high <= left or abs(y - other) >= 13
        struck = any(
            left < x1 < right if x1 == x2 else y - 9 < y1 < y + 3 for (x1, y1), (x2, _) in lines
        )
        assert hiding is not None or not struck


def test_the_legend_names_each_line_once_and_makes_room():
    lines = [Line([(0, 0), (10, 0)], name) for name in ("training", "validation", "", "x" * 90)]
    drawn, bare = made(*lines), made(lines[2])
    assert [texts(drawn.element).count(line.name) for line in lines if line.name] == [1, 1, 1]
    assert drawn.frame.top > bare.frame.top


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e9))
def test_ticks_are_few_even_and_inside(low, span):
    axis = Axis("x", low, low + span)
    ticks = [at for at, _ in axis.marked()]
    assert len(ticks) <= 8
    assert all(low - span * 1e-6 <= at <= low + span * (1 + 1e-6) for at in ticks)
    gaps = [b - a for a, b in pairwise(ticks)]
    assert all(abs(gap - gaps[0]) <= 1e-6 * span for gap in gaps)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_an_axis_around_values_holds_them_all(values):
    axis = Axis.around("x", values)
    assert axis.low < axis.high
    assert all(0 <= axis.share(v) <= 1 for v in values)


@given(st.tuples(*[st.floats(-20, 20)] * 4))
def test_over_the_axes_of_another_a_figure_holds_both(ends):
    low, high, down, up = (*sorted(ends[:2]), *sorted(ends[2:]))
    drawn = made(Dots([(5, 0)], [0]))
    wide = drawn.over([("x (cm)", low, high), ("y", down, up)])
    assert wide.frame.x == (min(low, 0), max(high, 10))
    assert wide.frame.y == (min(down, -1), max(up, 1))
    assert wide.over(drawn.ends) is wide
    assert drawn.over([]) is drawn
    # What measures something else has its own ends.
    assert drawn.over([("x (inch)", -99, 99), ("y", -1, 1)]) is drawn


def test_an_axis_around_nothing_is_an_axis_all_the_same():
    assert Axis.around("x", []).low < Axis.around("x", [float("nan")]).high


def test_names_are_text_in_the_picture_and_in_what_the_browser_gets():
    drawn = made(Line([(0, 0), (9, 0)], HOSTILE), Note(1, 0, HOSTILE), Rule(3, name=HOSTILE))
    page = ElementTree.fromstring(figure_svg(drawn))  # noqa: S314 - our own
    assert "".join(page.itertext()).count("onerror") == 3
    assert all("onerror" not in value for one in page.iter() for value in one.attrib.values())
    assert not [one for one in page.iter() if one.tag.endswith("img")]


def test_what_the_browser_gets_is_plain_and_short():
    told = Element("g", {"x": 1.23456, "y": 2.0}, ("a", Element("path", {"d": "M0,0"}))).json()
    assert told == ["g", {"x": 1.2, "y": 2}, "a", ["path", {"d": "M0,0"}]]


@given(st.floats(0, 10), st.floats(-1, 1))
def test_a_place_in_the_picture_is_told_in_the_units_of_the_axes(x, y):
    frame = made().frame
    assert frame.x_at(frame.x_of(x)) == pytest.approx(x, abs=1e-9)
    assert frame.y_at(frame.y_of(y)) == pytest.approx(y, abs=1e-9)


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=1, max_size=5))
def test_the_stretches_of_a_line_are_its_runs_of_true(lines):
    runs = [
        (i, places[0], places[-1] + 1)
        for i, line in enumerate(lines)
        for is_true, group in groupby(range(4), line.__getitem__)
        if is_true and (places := list(group))
    ]
    assert stretches(np.array(lines)) == runs


def test_lines_in_one_are_broken_after_each():
    assert lines_as_one([[(0, 1), (2, 3)], [(4, 5)]]) == [(0, 1), (2, 3), None, (4, 5), None]
