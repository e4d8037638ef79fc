"""At no key of a shipped lecture is a dead kernel a dead key: the picture stays, the next goes on.

``make test`` does it at some keys to a kernel in this process, and to a real one;
``make thorough`` does it at each, and to real ones in each scene of each lecture.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import cycle

import pytest
from effort import profile, some
from lectured import given

from dtree_lab.cli.lecture import shipped
from dtree_lab.stage import show as showing
from dtree_lab.stage.checking import tried
from dtree_lab.stage.kernel import Kernel
from dtree_lab.stage.lecture import TableSource
from dtree_lab.stage.link import KernelGoneError, KernelLink
from dtree_lab.stage.opening import Moment, rehearsed
from dtree_lab.stage.reading import parse
from dtree_lab.stage.show import Show
from dtree_lab.stage.telling import told_audience

ROWS = "Sky,Wind,Play\n" + "sun,weak,yes\nrain,weak,no\nsun,strong,yes\nrain,strong,no\n" * 3
ROWS += "sun,weak,no\nrain,weak,yes\n"
# What is said of the last act alone, which a new kernel has not seen; and what leads back to it.
OF_LAST_ACT = ("status", "verdict", "undo", "redo")
# Its labs take longer than those of all others together.
LONG = "bias-variance"
# What may happen to a kernel.
FATES = ("killed", "hung", "restarted")


class KernelHere(KernelLink):
    """A kernel in this process, to which all of it can happen."""

    hangs, kernel = False, None

    async def start(self, *_):
        self.told, self.hangs = [], False
        self.kernel = Kernel(self.lecture, self.told.append)

    async def ask(self, what):
        if self.hangs:
            await asyncio.Event().wait()
        if self.kernel is None:
            raise KernelGoneError
        self.told.clear()
        with ThreadPoolExecutor(1) as pool:  # where labs do their long work at once
            pool.submit(self.kernel.answer, {**what, "n": 0}).result()
        return self.told[-1]

    def end(self):
        """Know nothing any more."""
        self.kernel = None
        self.gone()

    def hang(self):
        """Answer nothing any more."""
        self.hangs = True


class KernelElsewhere(KernelLink):
    """A kernel in a process: short of time only once it hangs, however busy the machine."""

    async def start(self, *given):
        showing.QUICK = showing.PATIENT = 300.0
        await super().start(*given)

    def end(self):
        """Kill it, as the system does where memory is short."""
        os.kill(self.pid, signal.SIGKILL)

    def hang(self):
        """Stop it, as if its lab were busy for ever."""
        os.kill(self.pid, signal.SIGSTOP)
        showing.QUICK = showing.PATIENT = 0.5


async def begun(lecture, kind=KernelHere):
    """A lecture before its first key, and what is told when its lab has worked on."""
    news = asyncio.Event()
    link = kind(lecture)
    show = Show(lecture, link, news.set)
    link.heard, link.gone = show.heard, show.gone
    await show.revive()
    await show.enter(0)
    return show, news


async def until(news, holds):
    """Wait until something holds of a lecture."""
    while not holds():
        news.clear()
        await news.wait()


def rests(show):
    """Whether its lab has no work left."""
    return show.shown is None or not show.shown.works


def picture(moment, but=("undo", "redo")):
    """What a lab shows, and what makes it again."""
    view = {name: one for name, one in json.loads(moment.view).items() if name not in but}
    return {**view, "answers": 0, "state": moment.state, "stage": moment.stage}


@pytest.fixture
def impatient(monkeypatch):
    """A kernel that hangs is noticed at once."""
    monkeypatch.setattr(showing, "QUICK", 0.01)
    monkeypatch.setattr(showing, "PATIENT", 0.01)


@pytest.fixture
def unhurried(monkeypatch):
    """What a kernel elsewhere changes is put back."""
    for name in ("QUICK", "PATIENT"):
        monkeypatch.setattr(showing, name, getattr(showing, name))


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A shipped lecture, with a table if it needs one, and what its labs show undisturbed."""
    path = tmp_path_factory.mktemp("tables") / "own.csv"
    path.write_text(ROWS, encoding="utf-8")

    @cache
    def lecture_and_places(name):
        lecture = given(name)
        if lecture.on_own_table:
            lecture = lecture.on(TableSource(str(path), is_file=True))
        return lecture, asyncio.run(walked(lecture))

    return lecture_and_places


async def walked(lecture):
    """Each place of a lecture at which a lab is shown, with what it shows."""
    show, _ = await begun(lecture)
    found, before = {}, None
    while before != (show.scene, show.step):
        before = show.scene, show.step
        if show.here.lab:
            found[before] = show.shown
        await show.on()
    return found


async def held(kernel):
    """What the kernel's own lab shows when it has no work left."""
    while True:
        found = await kernel.ask({"do": "nothing"})
        if not found["works"]:
            return Moment(found["view"], found["state"], found["stage"])


async def befallen(show, news, fate):
    """Let something happen to its kernel; what a lecturer does about it is nothing, or k."""
    if fate == "restarted":
        await show.revive()
    elif fate == "hung":
        show.kernel.hang()
    else:
        show.kernel.end()
        await until(news, lambda: not show.alive)


async def came_back(show, seen, place):
    """By itself a new kernel holds what is shown: so the picture is the one that it was."""
    before, moment = told_audience(show), show.shown
    with suppress(KernelGoneError):
        await show.still_answers()
    if not show.alive:
        await show.revive()
    assert (show.alive, show.problem) == (True, "")
    assert told_audience(show) == before
    again = await held(show.kernel)
    assert picture(again, OF_LAST_ACT) == picture(moment, OF_LAST_ACT), place


async def swept(lecture, seen, kind, *fates, places=(), often=2):
    """Press all keys; at each let something happen, and wait for a new kernel or press the next.

    What happens takes turns, and so do waiting and not, `often` times a key.
    """
    show, news = await begun(lecture, kind)
    turn, waits = cycle(fates), cycle((True, False))
    try:
        for place in sorted(seen):
            while (show.scene, show.step) < place:
                await show.on()
                await until(news, lambda: rests(show))
            # A process shows its work under way, over axes that this may widen.
            shown, alone = show.shown, seen[place]
            assert (shown.state, shown.stage) == (alone.state, alone.stage)
            assert kind is KernelElsewhere or picture(shown) == picture(alone)
            if places and place not in places:
                continue
            for _ in range(often):
                before = told_audience(show)
                await befallen(show, news, next(turn))
                assert told_audience(show) == before
                if next(waits):
                    await came_back(show, seen, place)
            await show.on()
            await until(news, lambda: rests(show))
            assert (show.scene, show.step) > place or place == max(seen), place
            assert show.problem in ("", "This is the end of the lecture."), place
    finally:
        await show.kernel.stop()


@pytest.mark.parametrize("name", shipped())
def test_no_key_is_dead_whatever_happens_to_the_kernel(name, told, impatient):
    lecture, seen = told(name)
    assert {place[0] for place in seen} == {one.number for one in lecture.scenes if one.lab}
    places = some(sorted(seen), every=6 if name == LONG else 3)
    often = 2 if profile() == "thorough" and name != LONG else 1
    asyncio.run(swept(lecture, seen, KernelHere, *FATES, places=places, often=often))


@pytest.mark.parametrize(
    ("name", "title", "fate"),
    [
        pytest.param("tax-fraud", "Now be ID3", "killed", marks=pytest.mark.thorough),
        ("your-table", "Cut back, and counted on rows put aside", "hung"),
    ],
)
def test_nor_with_a_kernel_of_its_own(name, title, fate, told, unhurried):
    lecture, seen = told(name)
    (scene,) = [one.number for one in lecture.scenes if one.title == title]
    places = {place: one for place, one in seen.items() if place[0] == scene}
    asyncio.run(swept(lecture, places, KernelElsewhere, fate, places=[*places][-1:]))


@pytest.mark.thorough
@pytest.mark.parametrize("name", shipped())
def test_at_the_ends_of_each_scene_with_a_kernel_of_its_own(name, told, unhurried):
    """What a process adds to the sweep above is its end, and that is the same at every key."""
    lecture, seen = told(name)
    scenes = [[at for at in seen if at[0] == scene] for scene in {at[0] for at in seen}]
    ends = {end for places in scenes for end in (min(places), max(places))}
    asyncio.run(swept(lecture, seen, KernelElsewhere, *FATES, places=ends, often=1))


def a_talk(*codes):
    """A lecture of scenes from Python, and one of words at its end."""
    scenes = "".join(f"---\ncode: |\n  {code}\nsteps: 3\n---\n" for code in codes)
    return parse(f"---\ntitle: A\n---\n{scenes}---\n---\nThe end.\n").agreed()


TABLE = "t = dt.datasets.tax_fraud()"
PLACES = (
    f"{TABLE}; a = dt.TreeBuilder(t); b = dt.TreeBuilder(t); b",
    f"{TABLE}\n  dt.TreeBuilder(t)\n  dt.TreeBuilder(t, reveal='after')",
    f"{TABLE}\n  dt.TreeBuilder(\n      t,\n  )",
    "def lab(t): return dt.TreeBuilder(t)\n  lab(dt.datasets.tax_fraud())",
)
NOWHERE = f"{TABLE}\n  [dt.TreeBuilder(t), dt.TreeBuilder(t)][1]"
BY_HAND = {"do": "split", "attribute": 1}


@pytest.mark.parametrize("code", PLACES)
def test_what_was_done_by_hand_comes_back_wherever_the_code_makes_its_lab(code):
    async def run():
        show, _ = await begun(a_talk(code))
        await show.act(BY_HAND)
        before = show.shown
        show.kernel.end()
        await show.revive()
        assert show.problem == ""
        assert (await held(show.kernel)).state == show.shown.state == before.state
        assert tried(show.lecture) == []

    asyncio.run(run())


def test_a_lab_that_takes_no_state_has_its_keys_pressed_again():
    async def run():
        show, _ = await begun(a_talk(NOWHERE))
        for _ in range(2):
            await show.on()
        before = show.shown
        show.kernel.end()
        await show.revive()
        assert show.problem == ""
        assert show.shown == before
        assert (await held(show.kernel)).state == before.state
        await show.over()
        first = show.shown
        await show.act(BY_HAND)
        show.kernel.end()
        await show.revive()
        assert "by hand in this lab is lost" in show.problem
        assert show.shown == first
        for _ in range(2):
            await show.on()
        assert (show.step, show.shown) == (2, before)
        assert tried(show.lecture) == []

    asyncio.run(run())


def test_a_scene_that_cannot_be_opened_again_leads_on(tmp_path):
    code = f"import os; os.mkdir({str(tmp_path / 'once')!r})\n  dt.EntropyLab()"

    async def run():
        show, _ = await begun(a_talk(code))
        before = show.shown
        show.kernel.end()
        await show.revive()
        assert "cannot be opened again: " in show.problem
        assert "File exists" in show.problem
        assert show.shown == before
        await show.on()
        assert (show.scene, show.alive) == (1, True)

    asyncio.run(run())


def test_any_key_and_any_hand_gets_a_kernel_where_there_is_none(impatient):
    async def run():
        show, _ = await begun(a_talk(PLACES[0], PLACES[1]))
        for n in range(1, 4):
            (show.kernel.end, show.kernel.hang)[n % 2]()
            await show.on()
            assert (show.scene, show.step, show.alive) == (0, n, True)
        show.kernel.end()
        await show.on()
        assert (show.scene, show.step, show.alive) == (1, 0, True)
        for end in (show.kernel.end, show.kernel.hang):
            before = show.shown
            end()
            await show.act(BY_HAND)
            assert show.problem == ""
            assert show.shown != before
            await show.over()
        show.kernel.end()
        await show.jump(0)
        await show.over()
        assert show.shown

    asyncio.run(run())


class Fatal(KernelHere):
    """A kernel that a lab's first key ends, or makes busy for ever; and so does a hand."""

    ends = True

    async def ask(self, what):
        if what["do"] in ("on", "act", "glimpse"):
            (self.end if self.ends else self.hang)()
        return await super().ask(what)


class Busy(Fatal):
    ends = False


@pytest.mark.parametrize("kind", [Fatal, Busy])
def test_a_key_that_ends_each_kernel_is_passed(kind, impatient):
    async def run():
        show, _ = await begun(a_talk(PLACES[0]), kind)
        before = show.shown
        await show.act(BY_HAND)
        assert "has ended two kernels" in show.problem
        assert show.shown == before
        await show.revive()
        with pytest.raises(KernelGoneError):
            await show.look_ahead()
        assert not show.alive
        await show.revive()
        assert not await show.look_ahead()  # what ended one is not looked at again
        await show.on()
        assert show.scene == 1
        assert "passed over" in show.problem

    asyncio.run(run())


@pytest.mark.parametrize("kind", [Fatal, Busy])
def test_what_ends_each_kernel_is_shown_as_it_was_in_the_rehearsal(kind, impatient):
    async def run():
        lecture = a_talk(PLACES[0])
        show, _ = await begun(lecture, kind)
        for k, moment in rehearsed(lecture.scenes[0]):
            show.record[0, k] = moment
        await show.on()
        assert (show.step, show.shown) == (1, show.record[0, 1])
        assert "picture of the rehearsal" in show.problem
        await show.revive()  # and a new kernel can be made to hold that
        assert (await held(show.kernel)).state == show.record[0, 1].state
        await show.over()
        show.moments[0, 0] = replace(show.shown, state="by hand", view="by hand")
        assert show._rehearsed(1) is None

    asyncio.run(run())


def test_a_kernel_that_ends_whatever_it_is_asked_leaves_all_as_it_was(impatient):
    class Hopeless(KernelHere):
        async def ask(self, what):
            self.end()
            return await super().ask(what)

    async def run():
        show, _ = await begun(a_talk(PLACES[0]), KernelHere)
        before = told_audience(show)
        show.kernel.__class__ = Hopeless
        show.kernel.end()
        await show.revive()
        assert show.alive
        assert told_audience(show) == before
        await show.on()
        assert show.scene == 1

    asyncio.run(run())


def test_what_a_new_kernel_works_out_again_is_not_shown_from_its_beginning():
    async def run():
        show, _ = await begun(a_talk("dt.BiasVarianceLab()"))
        before = show.shown
        assert rests(show)
        half = json.dumps({**json.loads(before.view), "progress": 0.5})
        show.heard({"view": half, "state": before.state, "stage": before.stage})
        assert show.shown == before
        other = {"view": half, "state": "another", "stage": before.stage}
        show.heard(other)
        assert show.shown == Moment(**other)

    asyncio.run(run())


def test_a_check_tells_of_a_scene_that_could_not_be_brought_back(tmp_path):
    chance = "import random; xs = [random.random() for _ in range(8)]"
    rows = "dt.Table.from_columns({'x': xs, 'y': list('aabbabab')}, target='y')"
    once = f"import os; os.mkdir({str(tmp_path / 'once')!r})"
    for code in (f"{chance}\n  dt.TreeBuilder({rows})", f"{once}\n  dt.EntropyLab()"):
        problems = [one.what for one in tried(a_talk(code))]
        assert any("does not give the same lab twice" in one for one in problems), problems
    seeded = f"{chance.replace('random; ', 'random; random.seed(3); ')}\n  dt.TreeBuilder({rows})"
    assert tried(a_talk(seeded)) == []
