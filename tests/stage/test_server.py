"""The windows of a lecture, its real kernel, and the way back after a break."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from dtree_lab.stage import link, server
from dtree_lab.stage import show as showing
from dtree_lab.stage.reading import read_lecture
from dtree_lab.stage.telling import told_audience
from stage.talks import TALK

# What a browser says to open a web socket.
UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}
LAB = """---
title: A tree
---
---
lab: tree
steps: 2
---
# Grown by the key
"""

# Ever more trees: an axis has to widen.
FOREST = """---
title: A forest
---
---
lab: forest
settings: {trees: 5}
show: [errors]
steps: 2
---
"""


@pytest.fixture
def talk(tmp_path):
    path = tmp_path / "talk.md"
    path.write_text(TALK, encoding="utf-8")
    return path


class PlainLink:
    """A link to no kernel: for what is tried without a lab."""

    pid = None

    def __init__(self, path):
        self.path = path

    async def start(self):
        """There is nothing to start."""

    async def stop(self):
        """There is nothing to end."""

    async def ask(self, _):
        """All labs look the same."""
        return {"view": "a lab", "state": "", "stage": 0}


@pytest.fixture
def without_kernel(monkeypatch):
    monkeypatch.setattr(server, "KernelLink", PlainLink)


@asynccontextmanager
async def given(path, **how):
    """A lecture that is being given: the stage, and the port of its windows."""
    resume = how.pop("resume", False)
    how = {"saved": server.saved_at(read_lecture(path)), **how}
    stage = server.Stage(read_lecture(path), **how)
    listening = server.listen(stage, 0)
    port = next(iter(listening._sockets.values())).getsockname()[1]
    await stage.begin(resume=resume)
    try:
        yield stage, port
    finally:
        for window in list(stage.windows):
            window.close()
        listening.stop()
        await stage.end()
        await listening.close_all_connections()
        await asyncio.sleep(0)


def address(port, key, as_="audience"):
    return f"ws://127.0.0.1:{port}/windows?key={key}&as={as_}"


async def heard(window, until=lambda _: True):
    """The next message of a window for which something holds."""
    while True:
        said = await asyncio.wait_for(window.read_message(), 30)
        assert said is not None, "the window was closed"
        told = json.loads(said)
        if until(told):
            return told


async def status(url, **how):
    try:
        return (await AsyncHTTPClient().fetch(HTTPRequest(url, **how))).code
    except HTTPClientError as error:
        return error.code


def test_two_windows_are_in_step(talk, without_kernel):
    async def run():
        async with given(talk) as (stage, port):
            audience = await websocket_connect(address(port, stage.key))
            presenter = await websocket_connect(address(port, stage.key, "presenter"))
            await audience.write_message('{"do": "jump", "scene": 1}')
            one = await heard(audience, lambda told: told["scene"] == 1)
            two = await heard(presenter, lambda told: told["scene"] == 1)
            own = two.pop("presenter")
            two.pop("began")
            assert one == two
            assert own["right"] == [2]
            assert "right" not in json.dumps(one)
            await presenter.write_message('{"do": "hands", "option": 1, "count": 12}')
            assert (await heard(audience))["ask"]["voted"] == 12
            # What comes later is told the same.
            late = await websocket_connect(address(port, stage.key))
            assert (await heard(late))["ask"]["voted"] == 12
            for window in (audience, presenter, late):
                window.close()

    asyncio.run(run())


def test_what_the_next_key_shows_is_shown_to_the_lecturer(talk, without_kernel, monkeypatch):
    monkeypatch.setattr(server, "LOOKING", 0.01)

    async def run():
        async with given(talk) as (stage, port):
            coming = await websocket_connect(address(port, stage.key, "next"))
            await stage.command({"do": "jump", "scene": 2})
            told = await heard(coming, lambda told: (told["scene"], told["step"]) == (2, 1))
            assert told["told"] == "a lab"
            assert told["room"] is None
            audience = await websocket_connect(address(port, stage.key))
            await audience.write_message('{"do": "spot", "at": {"x": 0, "y": 0, "tool": "laser"}}')
            await audience.write_message('{"do": "on"}')
            assert "spot" not in await heard(coming)
            for window in (coming, audience):
                window.close()
                while await window.read_message() is not None:
                    pass

    asyncio.run(run())


def test_who_does_not_know_the_key_gets_nothing(talk, without_kernel):
    async def run():
        async with given(talk) as (stage, port):
            at = f"http://127.0.0.1:{port}"
            for page in ("/", "/presenter", "/votes.csv"):
                assert await status(f"{at}{page}?key=wrong") == 403
                assert await status(f"{at}{page}") == 403
                for strange in ("%C3%A9", "%FF", "%00"):
                    assert await status(f"{at}{page}?key={strange}") == 403
                assert await status(f"{at}{page}?key={stage.key}") == 200
            for path in ("/page/", "/page/..%2Fserver.py", "/page/vote.html", "/page/nothing.mjs"):
                assert await status(at + path) == 404
            for key in ("wrong", "%C3%A9", "%FF"):
                wrong = await websocket_connect(address(port, key))
                await wrong.write_message('{"do": "on"}')
                assert await asyncio.wait_for(wrong.read_message(), 30) is None
                assert wrong.close_code == 4003
                wrong.close()
            assert stage.show.step == 0
            url = address(port, stage.key).replace("ws:", "http:")
            assert await status(url, headers={**UPGRADE, "Origin": "http://evil.test"}) == 403

    asyncio.run(run())


def test_a_name_that_leads_here_from_elsewhere_is_not_answered(talk, without_kernel):
    async def run():
        async with given(talk) as (stage, port):
            at = f"http://127.0.0.1:{port}"
            for path in ("/", "/presenter", "/votes.csv", "/code.json", "/page/stage.css"):
                url = f"{at}{path}?key={stage.key}"
                for host, wanted in (
                    ("evil.test", 421),
                    (f"evil.test:{port}", 421),
                    ("127.0.0.1.evil.test", 421),
                    (f"127.0.0.1:{port}", 200),
                    ("LOCALHOST:9000", 200),  # a tunnel's end
                ):
                    assert await status(url, headers={"Host": host}) == wanted, (path, host)
            url = address(port, stage.key).replace("ws:", "http:")
            evil = {"Host": "evil.test", "Origin": "http://evil.test"}
            assert await status(url, headers={**UPGRADE, **evil}) == 421

    asyncio.run(run())


def test_junk_from_a_window_changes_nothing(talk, without_kernel):
    async def run():
        async with given(talk) as (stage, port):
            window = await websocket_connect(address(port, stage.key))
            await heard(window)
            deep = [one * n for one in ("[", '{"do":') for n in (900, 100_000)]
            nested = [f"{'[' * n}{']' * n}" for n in (700, *range(900, 1000, 3))]
            deep += [f'{{"do": "spot", "at": {one}}}' for one in nested]
            deep += [f'{{"do": "lab", "message": {{"do": {one}}}}}' for one in nested]
            plain = ("no JSON", "[1]", "7", '{"do": 5}', '{"do": "jump", "scene": "2"}', "{}")
            for junk in (*plain, *deep):
                await window.write_message(junk)
            await window.write_message('{"do": "hands", "option": 9, "count": 1}')
            await window.write_message('{"do": "jump", "scene": 99}')
            await window.write_message('{"do": "theme", "theme": "dark"}')
            told = await heard(window, lambda told: told["theme"] == "dark")
            assert (told["scene"], told["step"]) == (0, 0)
            window.close()

    asyncio.run(run())


def test_nothing_but_loopback_is_bound(talk, without_kernel):
    async def run():
        async with given(talk) as (stage, _):
            bound = listening_of_this_process()
            assert bound
            assert {host for host, _ in bound} == {"127.0.0.1"}
            room = stage.open_class("127.0.0.2", 0)
            assert {host for host, _ in listening_of_this_process()} == {"127.0.0.1", "127.0.0.2"}
            assert room is stage.classroom

    if not Path("/proc/self/net/tcp").exists():  # another system tells it in another way
        return
    asyncio.run(run())


class Plain:
    """A window that only remembers when it was told."""

    def __init__(self, kind, told):
        self.kind, self.tell = kind, lambda: told.append(kind)


def test_the_audience_is_told_first_and_all_is_saved_after_that(talk, without_kernel, tmp_path):
    told = []

    async def run():
        async with given(talk, saved=tmp_path / "saved") as (stage, _):
            stage.windows = {Plain(kind, told) for kind in ["audience", *["presenter", "next"] * 8]}
            (tmp_path / "saved").unlink()
            stage.listeners.append(lambda: told.append((tmp_path / "saved").exists()))
            await stage.command({"do": "on"})
            stage.windows.clear()

    asyncio.run(run())
    assert told[0] == "audience"
    assert told[17] is False
    assert (tmp_path / "saved").exists()


def listening_of_this_process():
    """The addresses at which this process listens, as the kernel of Linux tells."""
    ours = set()
    for opened in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            ours.add(str(opened.readlink()))
    found = []
    for name, size in (("tcp", 4), ("tcp6", 16)):
        for line in Path(f"/proc/self/net/{name}").read_text(encoding="ascii").splitlines()[1:]:
            parts = line.split()
            if parts[3] == "0A" and f"socket:[{parts[9]}]" in ours:
                host, port = parts[1].split(":")
                raw = bytes.fromhex(host)[::-1] if size == 4 else bytes.fromhex(host)
                family = socket.AF_INET if size == 4 else socket.AF_INET6
                found.append((socket.inet_ntop(family, raw), int(port, 16)))
    return found


# -- a file that is being written ------------------------------------------------------------------


def test_a_file_that_is_written_is_shown_at_the_scene_that_was_edited(talk, without_kernel):
    text = talk.read_text(encoding="utf-8")

    async def run():
        async with given(talk) as (stage, port):
            window = await websocket_connect(address(port, stage.key))

            async def written(new):
                talk.write_text(new, encoding="utf-8")
                await stage._shown_anew(lambda: read_lecture(talk))
                return stage.show.scene, stage.show.step

            await stage.command({"do": "jump", "scene": 1})
            await stage.command({"do": "hands", "option": 0, "count": 7})
            assert await written(text.replace("half a bit", "a half")) == (1, 0)
            assert (await heard(window, lambda told: "anew" in told)) == {"anew": True}
            assert stage.show.vote.total == 0
            assert await written(text.replace("first", "the first")) == (0, 0)
            await stage.command({"do": "on"})
            assert await written(text.replace("second", "a second")) == (0, 1)  # as far as it was
            assert "a second" in json.dumps(told_audience(stage.show))
            assert await written(text.replace("# Only a lab", "# A lab alone")) == (0, 1)
            assert await written(text.replace("# Only a lab", "# A lab only")) == (3, 0)
            assert await written(text + "---\n---\nOne more.\n") == (3, 0)
            assert await written(text) == (3, 0)
            assert (await written(text.replace("A talk", "Another")))[0] == 3
            assert stage.lecture.title == stage.show.lecture.title == "Another"
            # What is wrong stands on the sheet, and what was shown stays.
            assert await written(text.replace("lab: tree", "lab: three")) == (3, 0)
            told = await heard(window, lambda told: told.get("wrong"))
            assert "talk.md:" in told["wrong"]
            assert told["title"] == "Another"
            await written(text)
            assert stage.wrong == ""
            window.close()
            while await window.read_message() is not None:
                pass

    asyncio.run(run())


# -- a real kernel ---------------------------------------------------------------------------------


def test_a_kernel_that_is_killed_comes_back_with_the_same_picture(tmp_path):
    path = tmp_path / "tree.md"
    path.write_text(LAB, encoding="utf-8")

    async def run():
        async with given(path) as (stage, port):
            window = await websocket_connect(address(port, stage.key, "presenter"))
            first = (await heard(window))["told"]
            await window.write_message('{"do": "on"}')
            grown = (await heard(window, lambda told: told["step"] == 1))["told"]
            assert grown != first
            # By hand, what no key of the lecture has done.
            await window.write_message('{"do": "lab", "message": {"do": "next"}}')
            byhand = (await heard(window, lambda told: told["told"] is not True))["told"]
            assert byhand not in (first, grown)

            os.kill(stage.show.kernel.pid, signal.SIGKILL)
            gone = await heard(window, lambda told: not told["alive"])
            assert gone["told"] is True  # the picture stays
            assert not gone["presenter"]["alive"]
            # What was seen before needs no kernel.
            await window.write_message('{"do": "back"}')
            assert (await heard(window, lambda told: told["step"] == 0))["told"] == first
            await window.write_message('{"do": "on"}')
            assert (await heard(window, lambda told: told["step"] == 1))["told"] == byhand

            await window.write_message('{"do": "revive"}')
            back = await heard(window, lambda told: told["alive"])
            assert back["told"] is True
            assert stage.show.shown.view == byhand
            # And the new kernel holds it: what is undone is what the hand did.
            await window.write_message('{"do": "lab", "message": {"do": "next"}}')
            more = (await heard(window, lambda told: told["told"] is not True))["told"]
            assert more not in (first, grown, byhand)
            window.close()
            saved = stage.saved
            after = stage.show.shown
        return json.loads(saved.read_text(encoding="utf-8")), after

    saved, after = asyncio.run(run())
    assert saved["lab"][:2] == [after.state, after.stage]

    async def resumed():
        async with given(path, resume=True) as (stage, _):
            return stage.show.shown, stage.show.step

    shown, step = asyncio.run(resumed())
    assert step == 1
    assert shown.state == after.state


@pytest.mark.parametrize("fate", [signal.SIGKILL, signal.SIGSTOP])
def test_a_new_kernel_comes_by_itself(tmp_path, monkeypatch, fate):
    path = tmp_path / "tree.md"
    path.write_text(LAB, encoding="utf-8")
    monkeypatch.setattr(server, "LOOKING", 0.05)
    monkeypatch.setattr(server, "RESTING", 0.05)
    monkeypatch.setattr(showing, "QUICK", 5.0)
    monkeypatch.setattr(showing, "PATIENT", 5.0)

    async def run():
        async with given(path) as (stage, port):
            window = await websocket_connect(address(port, stage.key, "presenter"))
            await window.write_message('{"do": "on"}')
            grown = (await heard(window, lambda told: told["step"] == 1))["told"]
            for _ in range(2):
                ended = stage.show.kernel.pid
                os.kill(ended, fate)
                await heard(window, lambda told: not told["alive"])
                back = await heard(window, lambda told: told["alive"])
                assert (back["told"], back["presenter"]["problem"]) == (True, "")
                assert stage.show.kernel.pid not in (None, ended)
            assert stage.show.shown.view == grown
            await window.write_message('{"do": "on"}')
            assert (await heard(window, lambda told: told["step"] == 2))["told"] not in (
                True,
                grown,
            )
            window.close()
            while await window.read_message() is not None:
                pass

    asyncio.run(run())


def test_where_no_kernel_begins_none_is_started_over_and_over(talk, monkeypatch):
    monkeypatch.setattr(server, "LOOKING", 1e9)
    begun = []

    class Never(server.KernelLink):
        async def start(self, *_):
            begun.append(self)
            raise link.KernelGoneError

    monkeypatch.setattr(server, "KernelLink", Never)

    async def run():
        async with given(talk) as (stage, _):
            for _ in range(3):
                await stage._look()
            await stage.command({"do": "on"})
            assert stage.show.step == 1  # words need none

    asyncio.run(run())
    assert len(begun) == 4  # at first, and whenever it is looked after


def test_all_keys_are_rehearsed_aside_and_no_axis_moves_then(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "REHEARSING", 1e6)  # however busy the machine
    path = tmp_path / "forest.md"
    path.write_text(FOREST, encoding="utf-8")

    async def run():
        async with given(path) as (stage, _):
            await stage._rehearse()
            show = stage.show
            assert sorted(show.record) == [(0, 0), (0, 1), (0, 2)]
            axes = [moment.axes for moment in show.record.values()]
            assert axes[0] == axes[1] == axes[2]
            narrow = show.shown
            await show.over()
            assert show.shown.axes == axes[0] != narrow.axes
            for k in (1, 2):
                await show.on()
                assert show.shown.state == show.record[0, k].state
                assert show.shown.axes == axes[0]

    asyncio.run(run())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"saved": 1}', '{"saved": 1, "scene": 50}'])
def test_a_saved_place_that_cannot_be_read_is_said(talk, without_kernel, text):
    async def run():
        saved = server.saved_at(read_lecture(talk))
        saved.parent.mkdir(parents=True, exist_ok=True)
        saved.write_text(text, encoding="utf-8")
        async with given(talk, resume=True) as (stage, _):
            assert (stage.show.scene, stage.show.step) == (0, 0)
            assert "begins anew" in stage.show.problem

    asyncio.run(run())


def test_votes_are_kept_in_a_file_at_each_change(talk, tmp_path, without_kernel):
    votes = tmp_path / "votes.csv"

    async def run():
        async with given(talk, votes=votes) as (stage, _):
            await stage.command({"do": "jump", "scene": 1})
            await stage.command({"do": "hands", "option": 2, "count": 31})
            assert votes.read_text(encoding="utf-8") == stage.counts()
            assert ",C,one bit,yes,31,0,31\n" in stage.counts()
        async with given(talk, resume=True) as (stage, _):
            assert (stage.show.scene, stage.show.step) == (1, 0)
            assert stage.counts() == votes.read_text(encoding="utf-8")
        assert [path.name for path in tmp_path.glob("*.part")] == []

    asyncio.run(run())
