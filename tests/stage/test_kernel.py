"""The kernel of a lecture: the lab on the screen, and the next one, opened already."""

from __future__ import annotations

import json

from dtree_lab.stage.kernel import Kernel
from dtree_lab.stage.reading import parse

TALK = """---
title: Two labs
---
---
lab: tree
table: tax_fraud
---
---
lab: tree
table: word_sense
---
---
code: 1 / 0
---
"""


def begun():
    """A kernel, and what it has told so far."""
    told = []
    return Kernel(parse(TALK).agreed(), told.append), told


def opening(scene):
    return {"do": "open", "scene": scene, "state": "", "stage": 0}


def labels(message):
    """The classes that a picture shows."""
    return [one for one in ("Cheat", "sense") if f"{one} = " in json.dumps(message["told"])]


def test_looking_ahead_leaves_the_lab_on_the_screen_alone():
    kernel, told = begun()
    kernel.answer(opening(0))
    kernel.answer({"do": "ahead", "scene": 1})
    assert [labels(one) for one in told] == [["Cheat"], ["sense"]]
    kernel.answer({"do": "on", "step": 0})
    assert labels(told[-1]) == ["Cheat"]
    ahead = kernel.ahead[1]
    kernel.answer(opening(1))
    assert kernel.opened is ahead
    assert told[-1]["state"] == told[1]["state"]
    kernel.answer(opening(1))
    assert kernel.opened is not ahead  # a scene that is begun anew is new


def test_a_lab_that_cannot_be_opened_breaks_nothing():
    kernel, told = begun()
    kernel.answer(opening(0))
    kernel.answer({"do": "ahead", "scene": 2})
    assert "division" in told[-1]["problem"]
    kernel.answer({"do": "on", "step": 0})
    assert "problem" not in told[-1]
    assert labels(told[-1]) == ["Cheat"]
