"""A recorded lab: what is played is what Python shows, whichever way leads there."""

from __future__ import annotations

import base64
import json
from collections import deque

import numpy as np
import pytest
import records

import dtree_lab as dt
from dtree_lab.labs.catalogue import LABS
from dtree_lab.labs.kit.recording import Record, key, offered, positions
from dtree_lab.labs.playing import code

VIEWS, TRIED = 12, 40


def made(entry):
    return entry.load()(*([dt.datasets.tax_fraud()] if entry.cls == "TreeBuilder" else []))


def unpacked(recording):
    """As the browser puts it together: the views, and where actions lead."""
    told = records.unpacked(base64.b64decode(recording.record.base64()))
    assert told.views == recording.record.views
    return told.views, told.moves


def shown(lab):
    """What a lab shows, as a record has it: what was done before is the player's own."""
    own = ("stage", "answers", "undo", "redo")
    return {name: one for name, one in lab.view.items() if name not in own}


QUICK = ("EntropyLab", "ThresholdLab", "TreeBuilder")


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(one, marks=[] if one.cls in QUICK else pytest.mark.thorough, id=one.cls)
        for one in LABS
    ],
)
def test_what_is_played_is_what_python_shows(entry):
    recording = made(entry).record(most=VIEWS)
    views, moves = unpacked(recording)
    begins = views[0] | {"status": recording.record.begins or views[0]["status"]}
    assert begins == shown(made(entry))
    ways, waiting = {0: ([], recording.record.begins)}, deque([0])
    while waiting:
        at = waiting.popleft()
        for action, to in moves[at].items():
            if isinstance(to, tuple) and to[0] not in ways:
                ways[to[0]] = [*ways[at][0], action], to[1]
                waiting.append(to[0])
    assert len(ways) == len(moves) <= VIEWS  # every view can be reached
    rng = np.random.default_rng(0)
    every = [(at, *move) for at, each in enumerate(moves) for move in each.items()]
    for i in rng.permutation(len(every))[:TRIED]:
        at, action, to = every[i]
        way, before = ways[at]
        lab = made(entry)
        for step in (*way, action):
            lab.act(dict(json.loads(step)))
        n, said = (at, before) if isinstance(to, str) else to  # what cannot be done changes nothing
        seen = views[n] | {"status": said or views[n]["status"]}
        if isinstance(to, str):
            seen["problem"] = to
        assert shown(lab) == seen, (way, action)


def test_what_is_left_out_is_said():
    table = dt.datasets.truth_table("or", 2)
    recording = dt.TreeBuilder(table).record(most=3)
    assert not recording.record.whole
    assert "3 views; what its controls lead to beyond is left out" in repr(recording)


def test_the_nearest_come_first():
    """Going on is near: the steps of a story are there before other stories."""
    lab = dt.StepThrough(dt.datasets.tax_fraud())
    views, moves = unpacked(lab.record(most=6))
    at, seen = 0, []
    for _ in range(5):
        at, said = moves[at][key({"do": "next"})]
        lab.act({"do": "next"})
        seen.append(at)
        assert views[at] | ({"status": said} if said else {}) == shown(lab)
    assert sorted(seen) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("most", [0, -1, 1.5, "many"])
def test_a_number_of_views_that_is_none_is_refused(most):
    with pytest.raises(ValueError, match=r"most=.* must be a whole number of views"):
        dt.EntropyLab().record(most=most)


def test_a_slider_of_many_steps_keeps_its_ends():
    assert positions(0, 3, 1) == [0, 1, 2, 3]
    assert positions(0, 100, 1, 5) == [0, 25, 50, 75, 100]
    many = positions(0.0, 1.0, 0.001)
    assert (many[0], many[-1], len(many)) == (0.0, 1.0, 65)
    assert np.allclose(np.diff(many), 1 / 64, atol=0.001)


def test_what_cannot_be_pressed_and_what_is_typed_is_not_offered():
    told = made(LABS[0]).view
    names = [action.get("control", action["do"]) for action, _ in offered(told, {})]
    controls = [c for part in told["parts"] for c in part.get("controls", ())]
    off = {c["id"] for c in controls if c.get("enabled") is False or c["kind"] == "field"}
    assert off
    assert not off & set(names)


def test_a_page_holds_all_that_it_needs(tmp_path):
    file = dt.EntropyLab().record(most=2).save(tmp_path / "lab.html")
    page = file.read_text(encoding="utf-8")
    assert code() in page
    assert "import " not in page.split('<script type="module">')[1].split("async")[0]
    assert "http" not in page.replace("http://www.w3.org", "")
    assert "<title>" in page


def test_a_text_that_looks_like_a_piece_s_mark_comes_back_as_it_was():
    one = {"parts": [{"kind": "words", "lines": ["~ about", "a longer line"]}], "status": ""}
    record = Record([one, {**one, "status": "Done."}], ["a", "b"], [{"x": (1, "Well.")}, {}])
    again = records.unpacked(record.packed())
    assert (again.views, again.moves) == (record.views, record.moves)
