"""A lecture tried before it is given: every table read, every lab opened, every key pressed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from dtree_lab.stage.lecture import Lecture, LectureScene, Problem
from dtree_lab.stage.opening import OpenLab
from dtree_lab.stage.words import missing_pictures, wrong_formulas


def tried(lecture: Lecture) -> list[Problem]:
    """All that goes wrong in a lecture, scene by scene."""
    # Where no event loop runs, labs do their long work at once.
    with ThreadPoolExecutor(1) as pool:
        return [
            Problem(lecture.file.name, scene.line, what)
            for scene, found in pool.map(
                lambda scene: (scene, list(_wrong(lecture, scene))), lecture.scenes
            )
            for what in found
        ]


def _wrong(lecture: Lecture, scene: LectureScene) -> Iterator[str]:
    asked = scene.question
    words = (asked.asks, *asked.options, asked.because) if asked else ()
    for text in (*scene.blocks, *words, scene.notes):
        yield from wrong_formulas(text)
        for picture in missing_pictures(text, lecture.file.parent):
            yield f"there is no picture {picture} beside the lecture"
    if not scene.has_lab:
        return
    try:
        opened = OpenLab(scene)
        step, ids = 0, _ids(opened)
        while opened.go_on(step):
            step, ids = step + 1, ids | _ids(opened)
    except Exception as error:  # noqa: BLE001 - a lecturer's own code may raise anything
        yield f"the lab cannot be shown: {error}"
        return
    yield from _unknown(scene, ids)
    if scene.source is not None and scene.source is lecture.own:
        return  # how far its tree grows, only the table knows
    steps = scene.steps
    wanted = steps if isinstance(steps, int) else len(steps) if steps else 0
    if step < wanted + opened.reveals:
        done = max(step - opened.reveals, 0)
        yield f"steps: after {done} of {wanted} steps the lab has nothing more to show"


def _ids(opened: OpenLab) -> dict[str, None]:
    """The parts that a lab has now, in their order: some it has only while they are needed."""
    return {part["id"]: None for part in opened.lab.view["parts"]}


def _unknown(scene: LectureScene, ids: dict[str, None]) -> Iterator[str]:
    """Parts that a scene names and its lab never has."""
    for name in (*scene.show, *(one for key in scene.reveal for one in key)):
        if name not in ids:
            yield f"the lab has no part {name!r}; it has {', '.join(ids)}"
