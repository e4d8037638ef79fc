"""A lab's settings, text and tree are traits: observed, linked and set as any widget's."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass

import ipywidgets
import numpy as np
import pytest
import traitlets
from cases import each
from effort import scaled
from hypothesis import given
from hypothesis import strategies as st

import dtree_lab as dt
from dtree_lab.labs.catalogue import LABS
from dtree_lab.labs.kit.settings import Settings, slider
from dtree_lab.labs.lab_widget import Lab
from labs.test_labs import acts, messages
from labs.test_labs import made as usual
from labs.test_new_lab import code, depth_lab  # noqa: F401 - fixtures


def made(name):
    """A lab that answers soon."""
    soon = {"BiasVarianceLab": {"resamples": 2}, "ForestLab": {"trees": 5}}
    return usual(name, **soon.get(name, {}))


def _settings(name):
    return getattr(dt, name)._settings


DECLARED = sorted(lab.cls for lab in LABS if _settings(lab.cls))


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


@dataclass(frozen=True)
class Hides:
    reveal: int = slider(0, 3, "Reveal", default=0)


def test_a_setting_called_as_what_every_lab_has_is_refused():
    """It would hide that: `reveal` is what a lecture calls."""
    settings = Settings("Hides", Hides)
    with pytest.raises(TypeError, match="Hides: every lab has 'reveal'"):
        type("Hides", (Lab,), {}, settings=settings)


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
    assert [new for name, _, new in found if name == "value"][-1] == lab.value
    assert [new for name, _, new in found if name == "state"][-1] == lab.state


def test_an_observer_s_fault_leaves_the_answer_told(lab):
    def fault(_):
        raise ZeroDivisionError

    lab.observe(fault, "depth")
    with pytest.raises(ZeroDivisionError):
        lab.act({"do": "set", "control": "depth", "value": 3, "n": 8})
    assert (lab.depth, lab.view["answers"]) == (3, 8)
    assert lab.kept == lab.state


@each("name", DECLARED)
def test_whatever_is_done_observers_know_all_settings(name):
    """A law: the values first seen, and all changes after them, are the values at the end."""
    lab = made(name)
    known = dict(lab.value)

    def hear(change):
        if change.name in known:
            assert known[change.name] == change.old
            known[change.name] = change.new

    lab.observe(hear, traitlets.All)
    rng = np.random.default_rng(7)
    for _ in range(acts(name, 15)):
        message = messages(lab.view, rng) if rng.integers(4) else {"do": "undo"}
        lab.act(message)
        assert known == lab.value
        assert known == {key: getattr(lab, key) for key in known}
    lab.state = made(name).state
    assert known == lab.value == made(name).value


@each("name", [name for name in DECLARED if any(map(_settings(name).on_hand, _settings(name).all))])
def test_a_wrong_value_is_refused_in_python_with_the_words_that_the_page_shows(name):
    page, here = made(name), made(name)
    settings, before, refusals = _settings(name), here.state, 0
    for key, setting in settings.all.items():
        for wrong in (-99, 1e9, "none such", True) if settings.on_hand(key) else ():
            to(page, setting.control, wrong)
            if page.view["problem"] is None:
                page.act({"do": "undo"})
                continue
            with pytest.raises(traitlets.TraitError) as refused:
                setattr(here, setting.trait, wrong)
            assert str(refused.value) == page.view["problem"]
            assert here.state == before
            refusals += 1
    assert refusals >= 3


@each("name", DECLARED)
def test_each_setting_can_be_given_back_to_another_lab(name):
    """A law: what a lab's traits are after some actions makes another lab the same, set by set."""
    lab, rng = made(name), np.random.default_rng(3)
    for _ in range(acts(name, 10)):
        lab.act(messages(lab.view, rng))
    again = made(name)
    again.state = lab.state
    assert again.value == lab.value
    before = again.state
    for key, value in lab.value.items():
        setattr(again, key, value)  # says the same: no action, also for what cannot be set
    assert again.state == before


@each("name", [lab.cls for lab in LABS if hasattr(getattr(dt, lab.cls), "tree")])
def test_the_tree_is_a_trait(name):
    lab, trees, rng = made(name), [], np.random.default_rng(5)
    lab.observe(lambda change: trees.append((change.old, change.new)), "tree")
    first = lab.tree
    lab.act({"do": "next"})
    for _ in range(scaled(20, fewest=8)):
        lab.act(messages(lab.view, rng))
    assert trees
    assert [old for old, _ in trees] == [first, *(new for _, new in trees[:-1])]
    assert trees[-1][1] == lab.tree
    with pytest.raises(traitlets.TraitError, match="read-only"):
        lab.tree = first


def test_work_is_heard_of_as_it_goes_on():
    async def steps():
        lab, sizes = dt.ForestLab(trees=3), []
        lab.observe(lambda change: sizes.append(change.new), "trees")
        lab.trees = 5
        while len(lab.forest.trees) < 5:  # noqa: ASYNC110 - nothing tells when
            await asyncio.sleep(0)
        return sizes

    assert asyncio.run(steps()) == [5]


@given(st.lists(st.integers(-2, 9), max_size=8))
def test_links_of_labs_keep_them_the_same_whatever_is_set(depths):
    one, other = dt.ExpressivenessLab(), dt.ExpressivenessLab()
    with_link = traitlets.link((one, "n"), (other, "n"))
    for i, n in enumerate(depths):
        lab = (one, other)[i % 2]
        before = lab.n
        if 1 <= n <= 8:
            lab.n = n
            assert one.n == other.n == n
        else:
            with pytest.raises(traitlets.TraitError):
                lab.n = n
            assert one.n == other.n == before
    with_link.unlink()
