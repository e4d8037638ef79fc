"""The kernel of a lecture: the lab on the screen, and the next one, opened already."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from lectured import given

import dtree_lab as dt
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
    return [one for one in ("Cheat", "sense") if f"{one} = " in json.dumps(message["view"])]


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


PACKAGE = str(Path(dt.__file__).parent)


def calls(do):
    """How many functions of ours are called (a generator at each of its values)."""
    n = 0

    def count(frame, event, _):
        nonlocal n
        n += event == "call" and frame.f_code.co_filename.startswith(PACKAGE)

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        do()
    finally:
        sys.setprofile(before)
    return n


async def keys_of(title):
    """The calls of each key in the lab of a scene of the shipped lecture."""
    lecture, found, told = given("tax-fraud"), [], []
    (scene,) = [one.number for one in lecture.scenes if one.title == title]
    kernel = Kernel(lecture, told.append)
    kernel.answer(opening(scene))
    while not told[-1].get("ended"):
        key = {"do": "on", "step": len(found)}
        found.append(calls(lambda key=key: kernel.answer(key)))
    return found


def test_a_key_draws_and_writes_once():
    """Counted, not timed: 4,200 to 6,400 where each state is drawn and written as often as asked.

    A step of ID3 draws tree, plane and questions; the last key finds nothing to do.
    """
    first, *more, last = asyncio.run(keys_of("Now be ID3"))
    assert first < 2_200  # alone it finds nothing that other tests have had made
    assert len(more) == 3
    assert max(more) < 3_000
    assert last < 250
    # What reveals a part draws nothing.
    *revealed, last = asyncio.run(keys_of("What a question gains"))
    assert len(revealed) == 2
    assert max(revealed) < 100
