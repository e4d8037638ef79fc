"""Lectures for tests, a kernel that is none and whose pictures are easily said, and one that is."""

from __future__ import annotations

import json

from dtree_lab.stage.kernel import Kernel
from dtree_lab.stage.reading import parse
from dtree_lab.stage.show import Show

RIGHT = "This one, because of the secret reason."
TALK = f"""---
title: A talk
---
---
---
# Words

first

. . .

second

---
ask: "How many bits?"
options: ["none", "half a bit", "one bit"]
answer: C
because: "{RIGHT}"
---
---
lab: entropy
ask: "Where is it highest?"
options: ["at 0", "at one half"]
answer: B
because: "{RIGHT}"
---
# A lab

. . .

Now a question.

---
lab: tree
---
# Only a lab
"""
LAB_STEPS = {2: 2, 3: 3}


class PlainKernel:
    """Stands in for a kernel: a lab shows its scene and how often the key was pressed in it."""

    def __init__(self):
        self.asked = []

    async def start(self):
        """Nothing has to be started."""

    async def stop(self):
        """Nothing has to be ended."""

    async def ask(self, what):
        """Answer as a kernel does."""
        self.asked.append(what)
        match what:
            case {"do": "open", "scene": scene, "state": state}:
                self.at = state or f"{scene}:0"
            case {"do": "ahead", "scene": scene}:
                return {"view": f"lab {scene}:0", "state": f"{scene}:0", "stage": 0}
            case {"do": "on", "step": step}:
                scene = int(self.at.partition(":")[0])
                if step >= LAB_STEPS[scene]:
                    return {**self._told(), "ended": True}
                self.at = f"{scene}:{step + 1}{self.at.partition('!')[1]}"
            case {"do": "glimpse", "step": step}:
                scene, _, by_hand = self.at.partition(":")
                if step >= LAB_STEPS[int(scene)]:
                    return {**self._told(), "problem": "There is nothing more."}
                hand = "!" if "!" in by_hand else ""
                return {**self._told(), "view": f"lab {scene}:{step + 1}{hand}"}
            case {"do": "act"}:
                self.at += "!"
        return self._told()

    def _told(self):
        return {"view": f"lab {self.at}", "state": self.at, "stage": 0}


def a_show(text=TALK):
    """A lecture before its first key."""
    return Show(parse(text), PlainKernel(), lambda: None, alive=True)


HEAD = "---\ntitle: A talk\n---\n---\n"


class LabKernel:
    """A kernel in this process."""

    def __init__(self, lecture):
        self.kernel = Kernel(lecture, self._hear)

    def _hear(self, told):
        self.told = told

    async def start(self):
        """Nothing has to be started."""

    async def stop(self):
        """Nothing has to be ended."""

    async def ask(self, what):
        """What the kernel tells, as it comes through a pipe."""
        self.kernel.answer(what)
        return json.loads(json.dumps(self.told))


async def a_scene(scene):
    """A lecture of one scene, which is shown."""
    lecture = parse(HEAD + scene)
    show = Show(lecture, LabKernel(lecture), lambda: None, alive=True)
    await show.enter(0)
    return show
