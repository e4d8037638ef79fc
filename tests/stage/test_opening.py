"""How many keys a scene's lab takes."""

import json

import pytest
from lectured import given

import dtree_lab as dt
from dtree_lab.stage.opening import OpenLab, rehearsed
from dtree_lab.stage.reading import parse

ID3 = dt.id3(dt.datasets.tax_fraud())
QUESTIONS = ID3.n_nodes - ID3.n_leaves


@pytest.mark.parametrize(
    ("said", "keys"),
    [
        ("", QUESTIONS),
        ("steps: all", QUESTIONS),
        ("show: [questions]", QUESTIONS),
        ("show: [questions]\nsteps: 2", 2),
        ("reveal: [questions]", 1),
        ("reveal: [questions]\nsteps: 0", 1),
        ("reveal: [questions]\nsteps: 2", 1 + 2),
        ("reveal: [questions]\nsteps: all", 1 + QUESTIONS),
        ("reveal: [questions, tree]\nsteps: [best]", 2 + 1),
    ],
)
def test_parts_are_revealed_before_the_lab_goes_on(said, keys):
    scene = f"---\ntitle: A\n---\n---\nlab: tree\ntable: tax_fraud\n{said}\n---\n"
    opened = OpenLab(parse(scene).scenes[0])
    done = 0
    while opened.go_on(done):
        done += 1
    assert done == keys
    grown = opened.lab.tree
    assert grown.n_nodes - grown.n_leaves == keys - opened.reveals


CLOUDS = """---
title: A
---
---
lab: bias-variance
settings: {population: sine, resamples: 3, depth: 1}
show: [overlay]
steps:
  - {do: set, control: depth, value: 8}
  - {do: set, control: depth, value: 1}
---
"""


def heights(told):
    """From where to where the axes of the trees' picture go up."""
    (part,) = [part for part in json.loads(told)["parts"] if part["id"] == "overlay"]
    return part["frame"]["y"]


def test_axes_only_widen_from_key_to_key_and_a_new_kernel_knows_how_wide_they_were():
    (scene,) = parse(CLOUDS).scenes
    opened = OpenLab(scene)
    shown = [opened.shown()]
    for step in range(2):
        assert opened.go_on(step)
        shown.append(opened.shown())
    stump, deep, again = (heights(one.view) for one in shown)
    assert deep[0] < stump[0] < stump[1] < deep[1]
    assert again == deep  # though the trees are stumps as at first
    plain = dt.BiasVarianceLab(population="sine", resamples=3, depth=1)
    assert heights(plain.told) == stump  # a lab in a notebook has its own
    last = shown[-1]
    axes = json.loads(json.dumps(last.axes))  # as it is saved
    brought_back = OpenLab(scene, last.state, last.stage, axes).shown()
    assert heights(brought_back.view) == deep


@pytest.mark.parametrize(
    "said",
    [
        "lab: tree\ntable: tax_fraud",
        "lab: entropy\nreveal: [worked, bars]",
        "lab: pruning\nshow: [curve]\nsteps: [next, next, all]",
        CLOUDS.partition("---\n---\n")[2].removesuffix("---\n"),
    ],
)
def test_what_the_next_key_shows_is_known_before_and_nothing_has_changed(said):
    opened = OpenLab(parse(f"---\ntitle: A\n---\n---\n{said}\n---\n").scenes[0])
    step = 0
    while True:
        before = opened.shown()
        coming = opened.next(step)
        assert opened.shown() == before
        if not opened.go_on(step):
            assert coming is None
            break
        now = opened.shown()
        assert (coming.view, coming.stage) == (now.view, now.stage)
        step += 1
    assert step >= 2


def test_a_rehearsal_ends_also_where_a_picture_gets_other_axes():
    """Where they only widen, all comes again over those of the end; it does once."""
    (scene,) = [one for one in given("or-xor").scenes if one.title == "A railway switch"]
    found = [(k, moment.axes["plane"]) for k, moment in rehearsed(scene)]
    last = max(k for k, _ in found)
    assert [k for k, _ in found] == [*range(last + 1)] * 2
    assert found[0][1] != found[last][1]
