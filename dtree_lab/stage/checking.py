"""A lecture tried before it is given: every table read, every lab opened, every key pressed."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import takewhile

from dtree_lab.base.text import did_you_mean
from dtree_lab.stage.acts import CLASS, CodeLab, LabSteps, NamedLab
from dtree_lab.stage.frontmatter import FENCE
from dtree_lab.stage.lecture import Lecture, LectureScene, Problem
from dtree_lab.stage.opening import OpenLab
from dtree_lab.stage.words import missing_pictures, wrong_formulas

# What is wrong, and the word or text of the scene in whose line it stands.
Found = tuple[str, str]
_TABLE = "|".join(LabSteps.TABLE[1:])
_SAID = re.compile(rf"\b({_TABLE})=('[^']*'|\([^)]*\)|\{{[^}}]*\}})")
_NEARLY = {
    re.compile(r"\W*notes?\W*$", re.IGNORECASE): "is shown to the class: notes begin with Notes:",
    re.compile(r"(\.{2,}|…)\s*$"): "is shown as it stands: a pause is . . . with spaces between",
}


def tried(lecture: Lecture) -> list[Problem]:
    """All that goes wrong in a lecture, scene by scene; code that needs consent is not tried."""
    # Where no event loop runs, labs do their long work at once.
    with ThreadPoolExecutor(1) as pool:
        found = pool.map(lambda scene: (scene, list(_wrong(lecture, scene))), lecture.scenes)
        lines = _lines(lecture)
        return [
            Problem(lecture.file.name, _line(lines, scene, at), what)
            for scene, problems in found
            for at, what in problems
        ]


def _wrong(lecture: Lecture, scene: LectureScene) -> Iterator[Found]:
    for text in (*(text for act in scene.acts for text in act.texts), scene.notes):
        at = next((line for line in text.splitlines() if "$" in line), "$")
        yield from ((at, told) for told in wrong_formulas(text))
        for picture in missing_pictures(text, lecture.file.parent):
            yield picture, f"there is no picture {picture} beside the lecture"
    for line in "\n".join(scene.blocks).splitlines():
        yield from (
            (line, f"{line!r} {told}") for sign, told in _NEARLY.items() if sign.match(line)
        )
    options = scene.question.takes.options if scene.question else ()
    if len(set(options)) < len(options):
        yield "options:", "options: two of them are the same, and only one of these can be right"
    if scene.lab and scene not in lecture.needs_consent:
        yield from _wrong_with_lab(lecture, scene, scene.lab)


def _wrong_with_lab(lecture: Lecture, scene: LectureScene, lab: LabSteps) -> Iterator[Found]:
    source = lab.source if isinstance(lab, NamedLab) else None
    try:
        opened = OpenLab(scene)
        step, ids, lost, first = 0, _ids(opened), None, opened.shown()
        takes = scene.question and scene.question.within(first.view, first.axes).takes
        opened.answers = takes.some_for_lab() if lab.takes_class and takes else ()
        while True:
            again = _brought_back(opened, step)
            went, goes_on = again and again.go_on(step), opened.go_on(step)
            if lost is None and not (again and went == goes_on and _same(again, opened)):
                lost = step
            if not goes_on:
                break
            step, ids = step + 1, ids | _ids(opened)
    except Exception as error:  # noqa: BLE001 - a lecturer's own code may raise anything
        about = re.search(rf"\b({_TABLE}|settings): ", str(error))
        at = about[0].strip() if about else "table:" if source else "lab:"
        at = "code:" if isinstance(lab, CodeLab) else at
        yield at, f"the lab cannot be shown: {in_file(str(error))}"
        return
    if lost is not None:
        told = f"a new kernel could not bring this scene back after key {lost} of its lab"
        chance = "its code does not give the same lab twice. If it draws by chance, give it a seed"
        yield ("code:", f"{told}: {chance}") if isinstance(lab, CodeLab) else ("lab:", told)
    yield from _unknown(lab, ids)
    unlike = list(takes.wrong(first.view, first.axes) if takes else ())
    yield from unlike
    if lab.takes_class and not (opened.answers or unlike):
        told = "class takes what phones have answered: ask for options: or point: in this scene"
        yield "steps:", f"steps: {told}"
    # How far the tree of one's own table grows, only the table knows.
    if source is None or source is not lecture.own:
        yield from _wrong_steps(opened, step)


def _wrong_steps(opened: OpenLab, step: int) -> Iterator[Found]:
    """Steps that its lab does not have, of which it has done so many."""
    if opened.refuses:
        opened.lab.act({**CLASS, "answers": opened.answers})
        yield "steps:", f"steps: the lab does not take the class. {opened.lab.view['problem']}"
        return
    steps = opened.act.steps_with(opened.answers)
    wanted = max(steps, 0) if isinstance(steps, int) else len(steps) if steps else 0
    if step < wanted + opened.reveals:
        done = max(step - opened.reveals, 0)
        yield "steps:", f"steps: after {done} of {wanted} steps the lab has nothing more to show"


def _brought_back(opened: OpenLab, keys: int) -> OpenLab | None:
    """A lab as a new kernel gets to it: by its state, else by its keys; None where neither does."""
    shown = opened.shown()
    try:
        try:
            again = OpenLab(opened.scene, shown.state, shown.stage, shown.axes)
        except ValueError:
            again = OpenLab(opened.scene)
            again.answers = opened.answers
            for step in range(keys):
                again.go_on(step)
    except Exception:  # noqa: BLE001 - a lecturer's own code may raise anything, the second time too
        return None
    again.answers = opened.answers
    return again if _same(again, opened) else None


def _same(a: OpenLab, b: OpenLab) -> bool:
    """Whether two labs are in one state and show the same, but for words on the last act."""
    first, second = ((lab.shown().state, lab.lab.view["parts"]) for lab in (a, b))
    return first == second


def in_file(message: str) -> str:
    """A message of the library in the words of a lecture's file.

    >>> in_file("say decimal=',' or kinds={'Size': 'discrete'}, na=('', 'NA')")
    'say decimal: "," or kinds: {"Size": "discrete"}, na: ["", "NA"]'
    """
    return _SAID.sub(lambda match: f"{match[1]}: {json.dumps(ast.literal_eval(match[2]))}", message)


def _lines(lecture: Lecture) -> list[str]:
    """The lines of its file; none where it came from elsewhere."""
    try:
        return lecture.file.read_text(encoding="utf-8-sig").splitlines()
    except OSError:
        return []


def _line(lines: list[str], scene: LectureScene, at: str) -> int:
    """The line of a scene that begins with a word, or has a text in it; else the scene's own."""
    below = list(enumerate(lines[scene.line :], scene.line + 1))
    front = list(takewhile(lambda line: line[1].rstrip() != FENCE, below))
    if at.endswith(":"):
        return next((n for n, line in front if line.startswith(at)), scene.line)
    return next((n for n, line in below if at in line), scene.line)


def _ids(opened: OpenLab) -> dict[str, None]:
    """The parts that a lab has now, in their order: some it has only while they are needed."""
    return {part["id"]: None for part in opened.lab.view["parts"]}


def _unknown(lab: LabSteps, ids: dict[str, None]) -> Iterator[Found]:
    """Parts that a scene names and its lab never has."""
    named = {"show:": lab.show, "reveal:": [name for key in lab.reveal for name in key]}
    for at, names in named.items():
        for name in names:
            if name not in ids:
                near = did_you_mean(name, list(ids))
                yield at, f"the lab has no part {name!r}.{near} It has {', '.join(ids)}"
