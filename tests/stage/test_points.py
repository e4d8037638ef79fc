"""Questions that are answered by a point in a lab's picture, which its learner then learns from."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re

import numpy as np
import pytest
from cases import each
from hypothesis import assume, given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.stage.answers import CELLS, LETTERS, MOST_ANSWERS, ByPoint
from dtree_lab.stage.checking import tried
from dtree_lab.stage.classroom import TAP
from dtree_lab.stage.export import played
from dtree_lab.stage.lecture import LectureError
from dtree_lab.stage.reading import parse
from dtree_lab.stage.telling import told_audience, told_phone, told_presenter
from dtree_lab.stage.votes import as_csv
from stage.talks import HEAD, a_scene

ASKS = (
    "lab: plane\nreveal: [costs]\nsteps: [[clear, class], deeper]\n"
    'ask: "Where is your point?"\npoint: [plane, A, B]\nbecause: all of them\n---\n# Points\n'
)
PLACE = "lab: plane\nsteps: 0\nask: Where is it hard?\npoint: plane\n---\n# A place\n"
ALL = CELLS * CELLS


def cell(column, row, which=0):
    """The answer that a phone sends."""
    return which * ALL + row * CELLS + column


def send(show, *answers):
    for i, one in enumerate(answers):
        show.tapped(f"phone {i}", one)


def marks(told, part="plane"):
    """The hollow marks in a lab's picture, as pairs of a place and a look."""
    (picture,) = [one for one in json.loads(told)["parts"] if one["id"] == part]
    found = []
    for name, about, *_ in picture["element"][2:]:
        if name == "marks":
            at = about["at"]
            found += [(at[i], at[i + 1], about["looks"][at[i + 2]]) for i in range(0, len(at), 4)]
        if "dtl-spot" in about.get("class", ""):
            found.append((about["cx"], about["cy"], about["r"]))
    return found


@given(st.integers(0, ALL - 1), st.integers(0, 1))
def test_an_answer_is_a_cell_of_the_picture(at, which):
    lab = dt.PlaneLab()
    shown = parse(HEAD + ASKS).scenes[0].question.takes
    found = shown.within(lab.told, {"plane": (("x1", 0.0, 1.0), ("x2", 0.0, 1.0))})
    x, y, k = found.place(which * ALL + at)
    assert (int(x * CELLS), int(y * CELLS), k) == (at % CELLS, at // CELLS, which)
    told = found.words(which * ALL + at, str)
    numbers = [float(v) for v in re.findall(r"= (-?[\d.]+)", told)]
    assert numbers == [x, y]
    assert (abs(x * CELLS - at % CELLS - 0.5), abs(y * CELLS - at // CELLS - 0.5)) < (0.3, 0.3)
    assert told.endswith("AB"[which])


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9))
def test_cells_of_any_axis_are_told_apart_and_lie_in_it(low, wide):
    axes = {"plane": (("x1", low, low + wide), ("x2", 0.0, 1.0))}
    # Where there are so many numbers at all.
    assume(8 * np.spacing(max(abs(low), abs(low + wide))) < wide / CELLS)
    across = parse(HEAD + PLACE).scenes[0].question.takes.within(dt.PlaneLab().told, axes).across
    assert len(set(across)) == CELLS
    ends = np.linspace(low, low + wide, CELLS + 1)
    slack = wide / CELLS / 4
    assert all(a - slack <= v <= b + slack for v, a, b in zip(across, ends, ends[1:], strict=False))


def test_the_largest_answer_is_one_that_a_phone_can_send():
    assert TAP.fullmatch(f"999999:{MOST_ANSWERS - 1}")
    assert ALL * len(LETTERS) == MOST_ANSWERS


@each(
    ("front", "told"),
    [
        ("lab: plane\npoint: []", "point: is a picture of the lab, such as plane"),
        ("lab: plane\npoint: [plane, A]", "with two classes or more that a point may have"),
        ("lab: plane\npoint: [plane, A, A]", "with two classes or more"),
        ("lab: plane\npoint: [plane, a, b, c, d, e, f, g, h, i]", "from 8 classes at most"),
        ("point: plane", "point: is placed in a lab's picture: say lab: NAME as well"),
        ("lab: plane\npoint: plane\nanswer: 5", "a point is neither right nor wrong"),
        ("lab: plane\npoint: plane\nnumber: [0, 9]", "is answered in one way: number or point"),
    ],
)
def test_what_cannot_be_asked_is_told_with_its_line(front, told):
    with pytest.raises(LectureError) as error:
        parse(f"{HEAD}ask: Where?\n{front}\n---\n")
    (line,) = str(error.value).splitlines()
    assert re.match(r"lecture\.md:[678]: ", line)
    assert told in line


@each(
    ("change", "told"),
    [
        (("[plane, A, B]", "[plain, A, B]"), "no picture 'plain'. Did you mean 'plane'?"),
        (("[plane, A, B]", "[plane, A, D]"), "no class 'D'. It has 'A', 'B', 'C'"),
        (("point: [plane, A, B]", "options: [a, b]"), "does not take the class. An answer"),
        (("point: [plane, A, B]", "point: plane"), "does not take the class. An answer"),
        (("point: [plane, A, B]", "number: [0, 9]"), "class takes what phones have answered"),
    ],
)
def test_a_check_knows_what_the_lab_has_and_takes(change, told):
    assert tried(parse(HEAD + ASKS)) == []
    assert tried(parse(HEAD + PLACE)) == []
    found = tried(parse(HEAD + ASKS.replace(*change)))
    assert any(told in one.what for one in found), found


def test_the_room_has_the_points_with_their_key_and_not_before():
    async def run():
        show = await a_scene(ASKS)
        before = told_audience(show)["told"]
        send(show, cell(3, 5), cell(3, 5), cell(9, 20, 1))
        assert told_audience(show)["told"] == before
        assert told_presenter(show)["sums"] == "3 points: 2 A, 1 B."
        await show.on()
        told = told_audience(show)
        found = marks(told["told"])
        assert len(found) == len(marks(before)) + 2
        (one, two) = found[-2:]
        frame = next(one for one in json.loads(before)["parts"] if one["id"] == "plane")["frame"]
        wide = frame["right"] - frame["left"]
        near = wide / CELLS / 4
        assert one[0] == pytest.approx(frame["left"] + wide * 3.5 / CELLS, abs=near)
        assert two[0] == pytest.approx(frame["left"] + wide * 9.5 / CELLS, abs=near)
        assert ("dtl-o0" in one[2][0], "dtl-o1" in two[2][0]) == (True, True)
        assert told["ask"]["said"] == "3 points: 2 A, 1 B."

    asyncio.run(run())


def test_a_place_without_a_class_is_a_spot_as_large_as_it_has_points():
    async def run():
        show = await a_scene(PLACE)
        send(show, *[cell(3, 5)] * 4, cell(9, 20))
        await show.on()
        radii = sorted(
            size for *_, size in marks(told_audience(show)["told"]) if type(size) is not list
        )
        assert radii[1] == pytest.approx(2 * radii[0], abs=0.2)
        assert told_audience(show)["ask"]["said"] == "5 points."

    asyncio.run(run())


def test_the_learner_learns_from_the_points_of_the_class():
    async def run():
        show = await a_scene(ASKS)
        answers = [cell(3, 5), cell(20, 5), cell(3, 28, 1), cell(20, 28, 1), cell(25, 28)]
        send(show, *answers)
        for _ in range(4):
            await show.on()
        points = [show.question_at(0).takes.place(one) for one in answers]
        rows = {
            "x1": [x for x, _, _ in points],
            "x2": [y for _, y, _ in points],
            "class": ["ABC"[k] for *_, k in points],
        }
        own = dt.cart(dt.Table.from_columns(rows, target="class"), max_depth=1)
        lab = show.kernel.kernel.opened.lab
        assert lab.table.n_rows == 5
        assert lab.tree.root.split == own.root.split
        assert told_audience(show)["ask"] is None
        # They are rows now, and not drawn a second time over these.
        assert told_audience(show)["told"] == show.shown.view
        # It comes back by its state, and by the keys.
        state = show.shown.state
        assert json.loads(state)["edits"][1][0] == "class"
        assert dt.PlaneLab(state=state).tree.root.split == own.root.split
        await show.on()
        await show.back()
        assert show.shown.state == state

    asyncio.run(run())


def test_a_second_vote_gives_the_lab_other_points():
    async def run():
        show = await a_scene(ASKS)
        send(show, cell(3, 5))
        for _ in range(4):
            await show.on()
        first = show.shown.state
        await show.second_vote()
        send(show, cell(30, 30, 1), cell(1, 1, 0))
        for _ in range(4):
            await show.on()
        assert show.shown.state != first
        assert len(json.loads(show.shown.state)["edits"][1]) == 3

    asyncio.run(run())


def test_where_nobody_has_placed_a_point_the_key_of_the_class_is_passed_over():
    async def run():
        show = await a_scene(ASKS)
        keys = []
        while show.scene == 0 and len(keys) < 9:
            keys.append(told_presenter(show)["key"])
            await show.on()
            if show.problem:
                break
        assert "the class's answers, in the lab" not in keys
        assert json.loads(show.shown.state)["edits"] == []

    asyncio.run(run())
    told = played(parse(HEAD + ASKS))
    assert [one["ask"] is None for one in told] == [False, False, True, True]


def test_the_lecturer_is_told_which_key_brings_the_points():
    async def run():
        show = await a_scene(ASKS)
        send(show, cell(3, 5))
        for _ in range(3):
            await show.on()
        assert told_presenter(show)["key"] == "the class's answers, in the lab"

    asyncio.run(run())


def test_a_phone_gets_the_picture_and_hears_what_it_said():
    async def run():
        show = await a_scene(ASKS)
        told = told_phone(show, "")["point"]
        assert (len(told["across"]), told["classes"]) == (CELLS, [["A", 0], ["B", 1]])
        assert told["element"][0] == "svg"
        send(show, cell(3, 5, 1))
        assert told_phone(show, "phone 0")["chosen"] == cell(3, 5, 1)
        await show.on()
        await show.on()
        own = told_phone(show, "phone 0")["answer"]
        assert re.fullmatch(r"x1 = 0\.1\d*, x2 = 0\.1\d*: B", own["yours"])
        assert (own["hit"], own["right"]) == (None, "")

    asyncio.run(run())


def test_what_is_no_point_is_none():
    async def run():
        show = await a_scene(ASKS)
        junk = (-1, 2 * ALL, 10**30, 1.0, True, None, "1", [1])
        send(show, *junk)
        assert show.vote.total == 0
        send(show, 2 * ALL - 1)
        assert show.vote.total == 1
        saved = {**show.saved(), "votes": {"0": [[[], {"a": MOST_ANSWERS - 1, "b": 3}]]}}
        other = await a_scene(ASKS)
        assert await other.restore(json.loads(json.dumps(saved)))
        await other.on()
        assert told_presenter(other)["sums"] == "1 point: 1 A."

    asyncio.run(run())


def test_as_a_file_points_have_a_line_each():
    async def run():
        show = await a_scene(ASKS)
        send(show, cell(3, 5), cell(3, 5), cell(9, 20, 1))
        rows = list(csv.DictReader(io.StringIO(as_csv({0: show.question_at(0)}, show.votes))))
        assert [(row["option"][-1], row["right"], row["phones"]) for row in rows] == [
            ("A", "", "2"),
            ("B", "", "1"),
        ]

    asyncio.run(run())


@each(
    "answers",
    [[[0.5, 0.5]], [[0.5, 0.5, 3]], [[0.5, 0.5, True]], [["a", 0.5, 0]], [5], [[2.0, None, 0]], []],
)
def test_a_lab_refuses_what_is_no_point_of_its_plane(answers):
    lab = dt.PlaneLab()
    before = lab.state
    lab.act({"do": "class", "answers": answers})
    assert lab.state == before
    assert lab.view["problem"]


def test_points_of_a_class_are_rows_with_numbers_of_their_own():
    lab = dt.PlaneLab(dt.datasets.penguins("drop").take(np.arange(0, 90, 3)))
    low = next(one for one in lab.view["parts"] if one["id"] == "plane")["frame"]
    at = [sum(low["x"]) / 2, sum(low["y"]) / 2]
    lab.act({"do": "class", "answers": [[*at, 0], [*at, 1]]})
    assert lab.table.n_rows == 32
    assert lab.view["rows"]["numbers"][-2:] == [31, 32]
    lab.act({"do": "undo"})
    assert lab.table.n_rows == 30


def test_a_point_is_a_kind_of_answer_as_the_others_are():
    assert isinstance(parse(HEAD + PLACE).scenes[0].question.takes, ByPoint)
