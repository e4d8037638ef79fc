"""Lines that are named where they are: no name lies on another word, or on a line if it can be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtree_lab.draw.as_svg import Element
from dtree_lab.draw.chart import Axis, Dots, Line, Note, Plot, figure
from dtree_lab.draw.measure import width
from dtree_lab.draw.style import LABEL

X, Y = Axis("x", 0, 10), Axis("y", 0, 1)


def made(*layers, **keywords):
    return figure(Plot("A figure.", X, Y, layers, direct=True, **keywords))


def walked(element):
    yield element
    for child in element.children:
        if isinstance(child, Element):
            yield from walked(child)


def words(drawn):
    """The words within the frame, each with what it covers: left, right, top, bottom."""
    (inner,) = (e for e in walked(drawn.element) if e.attributes.get("class") == "dtl-layers")
    found = []
    for one in walked(inner):
        if one.name == "text":
            x, y = one.attributes["x"], one.attributes["y"]
            wide = width(one.children[0], LABEL)
            left = x - {"start": 0, "middle": wide / 2, "end": wide}[one.attributes["text-anchor"]]
            found.append((one.children[0], left, left + wide, y - 11, y + 3))
    return found


def legend_of(drawn):
    """What stands over the frame."""
    texts = [e for e in walked(drawn.element) if e.name == "text"]
    return [e.children[0] for e in texts if e.attributes["y"] < drawn.frame.top - 5]


def height(points, x):
    """Where a line through points is, counted anew."""
    for (a, b), (c, d) in pairwise(points):
        if a <= x <= c:
            return b + (d - b) * (x - a) / (c - a)
    return None


def test_two_lines_far_from_each_other_are_named_at_their_ends():
    low = [(x, 0.1 + 0.02 * x) for x in range(11)]
    high = [(x, 0.9 - 0.02 * x) for x in range(11)]
    drawn = made(Line(low, "rising"), Line(high, "falling"))
    assert sorted(word[0] for word in words(drawn)) == ["falling", "rising"]
    assert "rising" not in legend_of(drawn)
    for name, left, right, top, bottom in words(drawn):
        own = {"rising": low, "falling": high}[name]
        frame = drawn.frame
        ends = []
        for points in (low, high):
            for i in range(21):
                at = left + (right - left) * i / 20
                x = 10 * (at - frame.left) / (frame.right - frame.left)
                y = frame.y_of(height(points, x))
                assert not top < y < bottom
                if points is own:
                    ends.append(min(abs(y - top), abs(y - bottom)))
        assert min(ends) < 12  # it stands at its own line


@pytest.mark.parametrize("last", [0, 1])
def test_lines_that_end_early_are_named_behind_their_ends(last):
    ends = {"low, all along": 0.0, "high, all along": 0.9}
    drawn = made(*(Line([(x, y) for x in range(last + 1)], name) for name, y in ends.items()))
    assert not {*ends} & {*legend_of(drawn)}
    assert {word[0] for word in words(drawn)} == set(ends)
    frame = drawn.frame
    for name, left, right, top, bottom in words(drawn):
        assert frame.x_of(last) < left < frame.x_of(last) + 10
        assert right < frame.right
        assert frame.top < top < bottom < frame.bottom
        assert min(abs(frame.y_of(ends[name]) - y) for y in (top, (top + bottom) / 2, bottom)) < 6


lines = st.lists(st.floats(0, 1), min_size=11, max_size=11)


@given(st.lists(lines, min_size=1, max_size=5), st.booleans())
def test_all_names_are_told_once_and_none_lies_on_another_word(heights, noted):
    curves = [Line([*enumerate(one)], f"line number {i}") for i, one in enumerate(heights)]
    notes = [Note(9, 0.5, "a note of ours")] if noted else []
    drawn = made(*curves, *notes)
    names = [one.name for one in curves]
    inside = [word for word in words(drawn) if word[0] in names]
    over = [text for text in legend_of(drawn) if text in names]
    assert sorted([word[0] for word in inside] + over) == names
    assert not inside or not over  # all in one way
    all_ = words(drawn)
    for i, (_, left, right, top, bottom) in enumerate(all_):
        assert drawn.frame.left <= left <= right <= drawn.frame.right or not inside
        for _, a, b, c, d in all_[i + 1 :]:
            assert right <= a or b <= left or bottom <= c or d <= top


@pytest.mark.parametrize("size", [(90, 90), (200, 60)])
def test_where_there_is_no_room_the_legend_has_the_names(size):
    curves = [Line([(0, i / 5), (10, i / 5)], f"a long name, number {i}") for i in range(5)]
    drawn = made(*curves, width=size[0], height=size[1])
    assert not words(drawn)


def test_points_with_a_name_keep_the_legend():
    drawn = made(Line([(0, 0), (10, 1)], "line"), Dots([(1, 1)], [0], name="points"))
    assert [text for text in legend_of(drawn) if text != "y"] == ["line", "points"]


def test_where_lines_are_everywhere_a_name_hides_no_mark():
    fence = [(0.25 * i, i % 2) for i in range(41)]
    for at in (2.0, 5.0, 8.5):
        dots = [(at + 0.1 * i, y) for i in range(-15, 16) for y in (0.44, 0.56)]
        for marks in (Dots(dots, [0] * len(dots)), Line(dots, "dots", dots=True)):
            drawn = made(Line(fence), Line([(0, 0.5), (10, 0.5)], "level"), marks)
            (left, right, top, bottom), *_ = (at for name, *at in words(drawn) if name == "level")
            for x, y in dots:
                is_across = left < drawn.frame.x_of(x) < right
                assert not (is_across and top < drawn.frame.y_of(y) < bottom)
