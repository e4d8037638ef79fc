"""A scene is a tuple of acts, and a new kind of act is one class and one line: here a countdown."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

import pytest

from dtree_lab.stage.acts import ACTS, Act, ClassQuestion, LabSteps, NamedLab, SceneWords
from dtree_lab.stage.checking import tried
from dtree_lab.stage.lecture import LectureError
from dtree_lab.stage.reading import parse
from dtree_lab.stage.telling import told_audience, told_next, told_presenter
from stage.talks import LAB_STEPS, TALK, a_show


@dataclass(frozen=True, kw_only=True)
class Countdown(Act):
    """Seconds, each by a key of its own."""

    NAMES = ("timer",)
    comes = "the countdown"
    kind = "a countdown"

    seconds: int

    @classmethod
    def read(cls, scene):
        """``timer: 3``."""
        seconds = scene["timer"].text()
        if seconds.isdecimal() and int(seconds):
            return cls(seconds=int(seconds))
        scene.wrong("timer", "timer: is a number of seconds, such as 30")
        return None

    @property
    def keys(self):
        """One second each."""
        return ("a second less",) * self.seconds

    def page(self, keys):
        """What is left."""
        return (f"## {self.seconds - keys}",)

    @property
    def title(self):
        """How long it takes."""
        return f"{self.seconds} seconds"


@pytest.fixture
def _countdown():
    ACTS.insert(-1, Countdown)
    yield
    ACTS.remove(Countdown)


def walked(text, scene):
    """What the next key is said to bring and the words on the screen, at each key of a scene."""

    async def run():
        show, places = a_show(text), []
        await show.jump(scene)
        while show.scene == scene and "end" not in show.problem:
            screen = told_audience(show)
            places.append((told_presenter(show)["key"], screen["words"], screen["told"]))
            await show.on()
        # Back is the same way.
        if show.scene != scene:
            await show.back()
        for _, words, lab in reversed(places):
            screen = told_audience(show)
            assert (screen["words"], screen["told"]) == (words, lab)
            await show.back()
        return places

    return asyncio.run(run())


@pytest.mark.usefixtures("_countdown")
def test_a_countdown_has_its_own_keys_between_the_question_and_the_lab():
    scene = 2
    places = walked(TALK.replace("lab: entropy\n", "lab: entropy\ntimer: 3\n"), scene)
    heading, question = "<h1>A lab</h1>\n", "<p>Now a question.</p>\n"
    first = f"lab {scene}:0"
    assert places == [
        ("more words, and the question", [heading], first),
        ("the answer, and the countdown", [heading, question], first),
        *(
            (said, [heading, question, f"<h2>{left}</h2>\n"], first)
            for left, said in ((3, "a second less"), (2, "a second less"), (1, "a second less"))
        ),
        ("the lab goes on", [heading, question, "<h2>0</h2>\n"], first),
        # The question leaves the lab the room.
        *(("the lab goes on", ["<h1>A lab</h1>\n"], f"lab 2:{n}") for n in (1, LAB_STEPS[scene])),
    ]


async def to_the_end_of(show, scene):
    """Press the keys of a scene, and look what comes then."""
    await show.jump(scene)
    for _ in range(LAB_STEPS[scene]):
        await show.on()
    await show.look_ahead()


@pytest.mark.usefixtures("_countdown")
def test_a_countdown_alone_is_a_scene():
    text = f"{TALK}---\ntimer: 2\n---\n"
    show = a_show(text)
    assert show.lecture.scenes[-1].acts == (SceneWords(blocks=("",)), Countdown(seconds=2))
    assert show.lecture.scenes[-1].title == "2 seconds"
    assert [words for _, words, _ in walked(text, 4)] == [
        ["<h2>2</h2>\n"],
        ["<h2>1</h2>\n"],
        ["<h2>0</h2>\n"],
    ]
    asyncio.run(to_the_end_of(show, 3))
    assert told_next(show)["words"] == ["<h2>2</h2>\n"]
    assert told_presenter(show)["next"] == "<strong>2 seconds</strong> (a countdown)"


@pytest.mark.usefixtures("_countdown")
def test_a_check_knows_a_countdown():
    head = "---\ntitle: A\n---\n---\n"
    with pytest.raises(LectureError, match=r"^lecture.md:5: timer: is a number of seconds"):
        parse(f"{head}timer: soon\n---\nwords")
    with pytest.raises(LectureError, match=r"^lecture.md:5: 'timr' .* mean 'timer'\?"):
        parse(f"{head}timr: 3\n---\nwords")
    assert tried(parse(f"{head}timer: 3\n---\n", Path("none.md"))) == []


def test_without_it_nobody_knows_it():
    with pytest.raises(LectureError, match="'timer' is not known here"):
        parse("---\ntitle: A\n---\n---\ntimer: 3\n---\nwords")


def test_the_acts_of_a_scene_stand_in_the_order_in_which_they_come():
    scenes = a_show().lecture.scenes
    assert [[type(act) for act in scene.acts] for scene in scenes] == [
        [SceneWords],
        [SceneWords, ClassQuestion],
        [SceneWords, ClassQuestion, NamedLab],
        [SceneWords, NamedLab],
    ]
    assert issubclass(NamedLab, LabSteps)
    assert [scene.keys for scene in scenes] == [1, 2, 3, 0]
