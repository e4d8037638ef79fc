"""After a dead kernel one key brings each scene of each shipped lecture back, and the next goes on.

``make test`` throws away a kernel in this process, at all keys of scenes from Python and at the
last of the other labs', and kills some real ones; ``make thorough`` kills a real one at every key.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from functools import cache

import pytest
from lectured import given

from dtree_lab.cli.lecture import shipped
from dtree_lab.stage.acts import CodeLab
from dtree_lab.stage.checking import tried
from dtree_lab.stage.export import _Within
from dtree_lab.stage.kernel import Kernel
from dtree_lab.stage.lecture import TableSource
from dtree_lab.stage.link import KernelGoneError, KernelLink
from dtree_lab.stage.opening import Moment
from dtree_lab.stage.reading import parse
from dtree_lab.stage.show import Show
from dtree_lab.stage.telling import told_audience

ROWS = "Sky,Wind,Play\n" + "sun,weak,yes\nrain,weak,no\nsun,strong,yes\nrain,strong,no\n" * 3
ROWS += "sun,weak,no\nrain,weak,yes\n"
# What is said of the last act alone, which a new kernel has not seen; and what leads back to it.
OF_LAST_ACT = ("status", "verdict", "undo", "redo")
# Its labs take longer than those of all others together.
LONG = "bias-variance"


class DroppedKernel(_Within):
    """A kernel in this process, which can end."""

    def end(self):
        """Know nothing any more."""
        self._kernel = None
        self.gone()

    async def start(self):
        self._kernel = Kernel(self.lecture, self._told.append)

    async def ask(self, what):
        if self._kernel is None:
            raise KernelGoneError
        return await super().ask(what)


class KilledKernel(KernelLink):
    """A kernel in a process, which can be killed."""

    def end(self):
        """Kill it, as the system does where memory is short."""
        os.kill(self.pid, signal.SIGKILL)


async def begun(lecture, kind=DroppedKernel):
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
    return show.shown is None or json.loads(show.shown.told)["progress"] is None


def picture(moment, but=("undo", "redo")):
    """What a lab shows, and what makes it again."""
    view = {name: one for name, one in json.loads(moment.told).items() if name not in but}
    return {**view, "answers": 0, "state": moment.state, "stage": moment.stage}


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
        if json.loads(found["told"])["progress"] is None:
            return Moment(found["told"], found["state"], found["stage"])


async def killed_at(show, news, place, seen):
    """End the kernel at a place and press k: the same picture, and the next key goes on."""
    await until(news, lambda: rests(show))
    before, moment = told_audience(show), show.shown
    assert picture(moment) == picture(seen[place])
    show.kernel.end()
    await until(news, lambda: not show.alive)
    assert told_audience(show) == before
    await show.revive()
    assert (show.alive, show.problem) == (True, "")
    assert told_audience(show) == before
    again = await held(show.kernel)
    assert picture(again, OF_LAST_ACT) == picture(moment, OF_LAST_ACT), place
    await show.on()
    await until(news, lambda: rests(show))
    here = show.scene, show.step
    assert here > place or here == max(seen)
    if here in seen:
        assert picture(show.shown) == picture(seen[here]), here


async def swept(lecture, seen, kind, places=None):
    """End the kernel at each of some places."""
    show, news = await begun(lecture, kind)
    try:
        for place in sorted(places or seen):
            if (show.scene, show.step) > place or show.scene < place[0]:
                await show.jump(place[0])
            while (show.scene, show.step) < place:
                await show.on()
                await until(news, lambda: rests(show))
            await killed_at(show, news, place, seen)
    finally:
        await show.kernel.stop()


def drawn(lecture, seen):
    """All keys of scenes from Python, into whose code a state has to be put; of others the last."""
    by_scene = {}
    for place in seen:
        by_scene.setdefault(place[0], []).append(place)
    for scene, places in by_scene.items():
        yield from places if isinstance(lecture.scenes[scene].lab, CodeLab) else places[-1:]


@pytest.mark.parametrize("name", sorted({*shipped()} - {LONG}))
def test_every_scene_comes_back_and_goes_on(name, told):
    lecture, seen = told(name)
    assert {place[0] for place in seen} == {one.number for one in lecture.scenes if one.lab}
    asyncio.run(swept(lecture, seen, DroppedKernel, drawn(lecture, seen)))


@pytest.mark.parametrize(
    ("name", "title"),
    [("tax-fraud", "Now be ID3"), ("your-table", "Cut back, and counted on rows put aside")],
)
def test_after_a_real_kill_too(name, title, told):
    lecture, seen = told(name)
    (scene,) = [one.number for one in lecture.scenes if one.title == title]
    places = [place for place in seen if place[0] == scene]
    asyncio.run(swept(lecture, seen, KilledKernel, places[-1:]))


@pytest.mark.thorough
@pytest.mark.parametrize("name", shipped())
def test_at_each_key_of_each_lecture_after_a_real_kill(name, told):
    lecture, seen = told(name)
    asyncio.run(swept(lecture, seen, KilledKernel))


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
        with pytest.raises(ValueError, match=r"cannot be opened again: .*File exists"):
            await show.revive()
        assert show.shown == before
        await show.on()
        assert (show.scene, show.alive) == (1, True)

    asyncio.run(run())


def test_the_next_thing_starts_a_kernel_where_there_is_none():
    """So that its key is never dead; what is done by hand waits for k."""

    async def run():
        show, _ = await begun(a_talk(PLACES[0], PLACES[1]))
        for n in range(1, 4):
            show.kernel.end()
            await show.on()
            assert (show.scene, show.step, show.alive) == (0, n, True)
        show.kernel.end()
        await show.on()
        assert (show.scene, show.step, show.alive) == (1, 0, True)
        assert show.shown
        show.kernel.end()
        with pytest.raises(KernelGoneError):
            await show.act(BY_HAND)

    asyncio.run(run())


class Fatal(DroppedKernel):
    """A kernel that a lab's first key ends."""

    async def ask(self, what):
        if what["do"] == "on":
            self.end()
        return await super().ask(what)


def test_a_key_that_ends_each_kernel_is_passed():
    async def run():
        show, _ = await begun(a_talk(PLACES[0]), Fatal)
        for _ in range(2):
            with pytest.raises(KernelGoneError):
                await show.on()
            assert (show.scene, show.step) == (0, 0)
            assert not show.alive
        await show.on()
        assert show.scene == 1

    asyncio.run(run())


def test_what_a_new_kernel_works_out_again_is_not_shown_from_its_beginning():
    async def run():
        show, _ = await begun(a_talk("dt.BiasVarianceLab()"))
        before = show.shown
        assert rests(show)
        half = json.dumps({**json.loads(before.told), "progress": 0.5})
        show.heard({"told": half, "state": before.state, "stage": before.stage})
        assert show.shown == before
        other = {"told": half, "state": "another", "stage": before.stage}
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
