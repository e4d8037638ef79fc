"""The kernel of a lecture: a process of its own that holds the lab which is shown.

It is told what to do by lines of JSON and answers in the same way. Whatever happens to it, the
server and its pages live on: what was shown last stays, and a new kernel goes on from there.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dtree_lab.stage.lecture import Lecture, LectureScene
from dtree_lab.stage.opening import OpenLab, rehearsed
from dtree_lab.stage.reading import parse
from dtree_lab.stage.tables import TableSource

Tell = Callable[[dict[str, Any]], None]


class Kernel:
    """One scene's lab at a time, and the next scene's, for the lecturer and to be quick.

    `tell` is called with each message to the server.
    """

    def __init__(self, lecture: Lecture, tell: Tell) -> None:
        self.lecture, self.tell = lecture, tell
        self.opened: OpenLab | None = None
        self.ahead: tuple[int, OpenLab] | None = None
        self.busy = False

    def answer(self, line: dict[str, Any]) -> None:
        """Do what a line asks for, and tell what is shown then."""
        self.busy = True
        try:
            more = self._in_lab(self.opened, line) if self.opened else None
            more = self._in_scene(line) if more is None else more
        except Exception as error:  # noqa: BLE001 - nothing may end a lecture
            more = {"problem": f"{error}" or type(error).__name__}
        finally:
            self.busy = False
        self.tell({"answers": line.get("n"), **self._shown(), **more})

    def _in_lab(self, opened: OpenLab, line: dict[str, Any]) -> dict[str, Any] | None:
        """Do something in the lab that is open; None where it is for a scene."""
        opened.answers = line.get("answers", ())
        match line:
            case {"do": "glimpse", "step": int(step)}:
                coming = opened.next(step)
                return {"problem": "There is no more."} if coming is None else asdict(coming)
            case {"do": "on", "step": int(step)}:
                return {"ended": not opened.go_on(step)}
            case {"do": "act", "message": message}:
                opened.lab.act(message)
                return {}
        return None

    def _in_scene(self, line: dict[str, Any]) -> dict[str, Any]:
        """Open a scene's lab, now or for later, or press all of its keys."""
        match line:
            case {"do": "open", "scene": int(i), "state": str(state), "stage": int(stage)}:
                self._open(self.lecture.scenes[i], state, stage, line.get("axes"))
            case {"do": "ahead", "scene": int(i)}:
                self.ahead = (i, OpenLab(self.lecture.scenes[i], axes=line.get("axes")))
                return asdict(self.ahead[1].shown())
            case {"do": "rehearse", "scene": int(i)}:
                for k, moment in rehearsed(self.lecture.scenes[i]):
                    self.tell({"answers": None, "of": [i, k], **asdict(moment)})
            case _ if line.get("do") != "nothing":
                return {"problem": "There is no lab to do this in."}
        return {}

    def _open(self, scene: LectureScene, state: str, stage: int, axes: Any) -> None:
        self.opened, ahead, self.ahead = None, self.ahead, None
        waits = ahead is not None and ahead[0] == scene.number and not state and not stage
        opened = ahead[1] if ahead and waits else OpenLab(scene, state, stage, axes)
        opened.lab.observe(lambda _: self._worked(opened), "told")
        self.opened = opened

    def _worked(self, opened: OpenLab) -> None:
        """Long work goes on by itself: each of its steps is shown."""
        if opened is self.opened and not self.busy:
            self.tell({"answers": None, **self._shown()})

    def _shown(self) -> dict[str, Any]:
        return {} if self.opened is None else asdict(self.opened.shown())


async def _main() -> None:
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    # What a lab's code prints must not get among the lines.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    def tell(message: dict[str, Any]) -> None:
        try:
            out.write(json.dumps(message, ensure_ascii=False) + "\n")
            out.flush()
        except BrokenPipeError:  # the server is gone, and nobody listens any more
            over.set()

    given = json.loads(sys.stdin.readline())
    lecture = parse(given["text"], Path(given["file"]))
    lecture = lecture.agreed() if given["agreed"] else lecture
    own = given["own"]
    kernel = Kernel(lecture.on(TableSource(**own)) if own else lecture, tell)

    def listen() -> None:
        # A thread, because not every system lets a loop read what it was given as input.
        for line in sys.stdin:
            loop.call_soon_threadsafe(kernel.answer, json.loads(line))
        loop.call_soon_threadsafe(over.set)

    tell({"ready": True})
    threading.Thread(target=listen, daemon=True).start()
    await over.wait()


if __name__ == "__main__":
    if "aside" in sys.argv and hasattr(os, "nice"):
        os.nice(10)
    asyncio.run(_main())
