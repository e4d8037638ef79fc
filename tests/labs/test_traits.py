"""A lab's settings, text and tree are traits: observed, linked and set as any widget's."""

from __future__ import annotations

import json

import ipywidgets
import numpy as np
import pytest
import traitlets
from cases import each

import dtree_lab as dt
from labs.test_new_lab import code, depth_lab  # noqa: F401 - fixtures


def to(lab, control, value):
    """As the browser does it."""
    lab._handle_custom_msg({"do": "set", "control": control, "value": value, "n": 1}, [])


@pytest.fixture
def lab(depth_lab):  # noqa: F811 - the fixture
    return depth_lab(dt.datasets.tax_fraud())


@pytest.fixture
def heard(lab):
    """What an observer of the depth hears."""
    found = []
    lab.observe(lambda change: found.append((change.old, change.new)), "depth")
    return found


def test_a_setting_is_heard_of_whoever_changes_it(lab, heard):
    to(lab, "depth", 3)
    assert heard == [(0, 3)]
    lab.depth = 2
    assert heard.pop() == (3, 2)
    lab.act({"do": "answer"})  # something else
    lab.act({"do": "undo"})
    lab.act({"do": "undo"})  # the drag, as a whole
    assert heard.pop() == (2, 0)
    lab.act({"do": "redo"})
    assert heard.pop() == (0, 2)
    text = lab.state
    lab.depth = 5
    lab.act({"do": "resume", "state": text})
    assert heard[1:] == [(2, 5), (5, 2)]
    lab.depth = 4
    lab.state = text
    assert heard[-1] == (4, 2)
    assert lab.depth == lab.value["depth"] == 2


def test_what_is_set_in_python_is_seen_and_undone_as_by_hand(lab):
    lab.depth = 3
    assert lab.view["parts"][0]["slider"]["value"] == 3
    assert lab.kept == lab.state
    assert json.loads(lab.state)["depth"] == 3
    lab.act({"do": "undo"})
    assert lab.depth == 0
    lab.act({"do": "redo"})
    lab.depth = 3.0  # says the same, and so is no action
    assert lab.view["redo"] is False
    assert lab.view["undo"] is True


@each("wrong", [7, -1, 2.5, "x", None, True, float("nan"), np.int64(7), [3]])
def test_a_wrong_value_is_refused_and_nothing_changes(lab, heard, wrong):
    lab.depth = 3
    before = lab.state, lab.told
    with pytest.raises(traitlets.TraitError, match=r"The depth must|is not a number"):
        lab.depth = wrong
    assert (lab.state, lab.told, lab.depth) == (*before, 3)
    assert heard[-1][1] == 3


def test_a_refused_value_has_the_words_of_the_lab(lab):
    to(lab, "depth", 7)
    with pytest.raises(traitlets.TraitError) as refused:
        lab.depth = 7
    assert str(refused.value) == lab.view["problem"] == "The depth must lie between 0 and 6; got 7."


def test_a_slider_and_a_lab_are_linked_both_ways(lab):
    slider = ipywidgets.IntSlider(2, min=0, max=9)
    ipywidgets.link((slider, "value"), (lab, "depth"))
    assert lab.depth == 2
    to(lab, "depth", 4)
    assert slider.value == 4
    slider.value = 1
    assert lab.depth == 1
    with pytest.raises(traitlets.TraitError, match="between 0 and 6; got 9"):
        slider.value = 9
    assert lab.depth == 1


def test_two_labs_are_linked(depth_lab):  # noqa: F811 - the fixture
    one, other = (depth_lab(dt.datasets.tax_fraud()) for _ in range(2))
    traitlets.link((one, "depth"), (other, "depth"))
    to(one, "depth", 3)
    to(other, "depth", 3)
    assert other.depth == 3
    to(other, "depth", 5)
    assert one.depth == 5
    one.act({"do": "undo"})
    assert other.depth == one.depth
    traitlets.dlink((one, "state"), (other, "state"))
    one.act({"do": "answer"})
    assert other.state == one.state


def test_a_lab_is_a_control_of_interactive_output(lab):
    found = []
    ipywidgets.interactive_output(lambda settings: found.append(dict(settings)), {"settings": lab})
    assert found == [{"depth": 0, "answer": None}]
    to(lab, "depth", 2)
    lab.act({"do": "answer"})
    assert found[1:] == [{"depth": 2, "answer": None}, {"depth": 2, "answer": 2}]


def test_what_has_no_control_is_of_its_type(lab):
    lab.answer = 2
    assert json.loads(lab.state)["answer"] == 2
    lab.answer = None
    with pytest.raises(traitlets.TraitError, match="'answer' must be of the type int or None"):
        lab.answer = "2"
    with pytest.raises(traitlets.TraitError, match="read-only"):
        lab.value = {}


def test_the_text_is_a_trait(lab):
    texts = []
    lab.observe(lambda change: texts.append(change.new), "state")
    to(lab, "depth", 1)
    assert texts == [lab.state]
    with pytest.raises(traitlets.TraitError, match=r"must be a text from \.state of a DepthLab"):
        lab.state = "{}"
    with pytest.raises(traitlets.TraitError, match="its 'depth' is missing"):
        lab.state = lab.state.replace("depth", "width")
    assert lab.state == texts[-1]


def test_an_observer_that_sets_something_is_heard_once_and_in_order(lab):
    found = []
    lab.observe(lambda change: setattr(lab, "answer", min(change.new, 2)), "depth")
    lab.observe(lambda change: found.append((change.name, change.old, change.new)), traitlets.All)
    to(lab, "depth", 3)
    own = [one for one in found if one[0] in ("depth", "answer")]
    assert sorted(own) == [("answer", None, 2), ("depth", 0, 3)]
    assert lab.value == {"depth": 3, "answer": 2}


def test_an_observer_s_fault_leaves_the_answer_told(lab):
    def fault(_):
        raise ZeroDivisionError

    lab.observe(fault, "depth")
    with pytest.raises(ZeroDivisionError):
        lab.act({"do": "set", "control": "depth", "value": 3, "n": 8})
    assert (lab.depth, lab.view["answers"]) == (3, 8)
    assert lab.kept == lab.state
