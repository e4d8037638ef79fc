"""The class's own server: what it lets in, what it shuts out, and 300 phones at once."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from contextlib import asynccontextmanager, suppress

import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError, HTTPRequest
from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError, websocket_connect

from dtree_lab.stage import classroom
from dtree_lab.stage.ballots import Ballots
from dtree_lab.stage.classroom import CODE, LETTERS, Classroom, new_code
from stage.talks import RIGHT, a_show

UPGRADE = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


class Class:
    """A lecture at its question, its classroom, and how often votes have come."""

    def __init__(self, code=""):
        self.show = a_show_at_question()
        self.changes = 0
        self.wires = []
        self.room = Classroom(Ballots(self.show, self._changed), "127.0.0.1", 0, code)
        # A port that is free is known only now.
        port = next(iter(self.room._server._sockets.values())).getsockname()[1]
        self.room.place = f"127.0.0.1:{port}"
        self.at = f"http://{self.room.place}"

    def _changed(self):
        self.changes += 1

    async def do(self, act):
        """A key of the lecturer."""
        await getattr(self.show, act)()
        self.room.tell()

    @property
    def counts(self):
        return self.show.votes[1].rounds[-1].counts

    async def joined(self, cookie="", **more):
        """A device's number."""
        headers = {"Origin": self.at, **({"Cookie": f"vote={cookie}"} if cookie else {}), **more}
        url = f"{self.at}/{self.room.code}/device"
        # Each is a device of its own: none waits for another's connection.
        client = AsyncHTTPClient(force_instance=True)
        try:
            answer = await client.fetch(url, method="POST", body=b"", headers=headers)
        finally:
            client.close()
        given = answer.headers.get("Set-Cookie", "")
        return given.partition("vote=")[2].partition(";")[0] or cookie, given

    async def phone(self, cookie=""):
        """An open page of a device."""
        device = cookie or (await self.joined())[0]
        url = f"ws://{self.room.place}/{self.room.code}/votes"
        headers = {"Origin": self.at, "Cookie": f"vote={device}"}
        wire = await websocket_connect(HTTPRequest(url, headers=headers))
        wire.device = device
        self.wires.append(wire)
        return wire

    async def status(self, path, method="GET", **how):
        client = AsyncHTTPClient(force_instance=True)
        body = b"" if method == "POST" else None
        asked = HTTPRequest(self.at + path, method=method, body=body, follow_redirects=False, **how)
        try:
            return (await client.fetch(asked)).code
        except HTTPClientError as error:
            return error.code
        finally:
            client.close()


def a_show_at_question():
    show = a_show()
    show.scene, show.step = 1, 0
    return show


@asynccontextmanager
async def a_class(code=""):
    AsyncHTTPClient.configure(None, max_clients=400)
    one = Class(code)
    try:
        yield one
    finally:
        await one.room.stop()
        for wire in one.wires:  # at once, as nobody is left to say good-bye to
            stream = wire.protocol.stream
            wire.close()
            stream.close()
        await asyncio.sleep(0.05)


async def heard(wire, until=lambda _: True):
    """The next message of a phone for which something holds."""
    while True:
        said = await asyncio.wait_for(wire.read_message(), 60)
        assert said is not None, "the phone was let go"
        told = json.loads(said)
        if until(told):
            return told


async def settled(check):
    """Wait until something holds."""
    for _ in range(600):
        if check():
            return
        await asyncio.sleep(0.05)
    assert check()


def test_a_vote_is_counted_changed_and_no_more_taken_when_it_is_late():
    async def run():
        async with a_class() as here:
            phone = await here.phone()
            told = await heard(phone)
            assert told["asks"] == "How many bits?"
            assert told["options"] == ["none", "half a bit", "one bit"]
            assert told["chosen"] is None
            assert RIGHT not in json.dumps(told)
            for option in (0, 2):
                await phone.write_message(f"{told['ballot']}:{option}")
                assert (await heard(phone, lambda t: t["chosen"] is not None))["chosen"] == option
            assert here.counts == (0, 0, 1)
            # The same device in another window is the same device.
            again = await here.phone(phone.device)
            assert (await heard(again))["chosen"] == 2
            await again.write_message(f"{told['ballot']}:1")
            await heard(again, lambda t: t["chosen"] == 1)
            assert here.counts == (0, 1, 0)
            await here.do("on")
            over = await heard(phone, lambda t: t["ballot"] is None)
            assert set(over) == {"title", "ballot"}
            await phone.write_message(f"{told['ballot']}:0")
            await heard(phone)
            assert here.counts == (0, 1, 0)
            # A late tap of the first vote is none in the second.
            await here.do("second_vote")
            second = await heard(phone, lambda t: t["ballot"] is not None)
            await phone.write_message(f"{told['ballot']}:0")
            assert (await heard(phone))["chosen"] is None
            await phone.write_message(f"{second['ballot']}:2")
            await heard(phone, lambda t: t["chosen"] == 2)
            assert [one.counts for one in here.show.votes[1].rounds] == [(0, 1, 0), (0, 0, 1)]

    asyncio.run(run())


def test_a_class_is_told_after_the_wall_and_others_are_heard_meanwhile():
    async def run():
        async with a_class() as here:
            for _ in range(3 * classroom.AT_ONCE):
                await here.phone()
            await settled(lambda: len(here.room.phones) == 3 * classroom.AT_ONCE)
            phones = {phone: phone.shown for phone in here.room.phones}
            told = lambda: sum(phone.shown != before for phone, before in phones.items())  # noqa: E731
            await here.do("on")
            counts = [told()]
            async with asyncio.timeout(60):
                while counts[-1] < len(phones):
                    await asyncio.sleep(0)  # where votes and keys are heard
                    counts.append(told())
            assert sorted(set(counts)) == [i * classroom.AT_ONCE for i in range(4)]

    asyncio.run(run())


def test_only_fixed_pages_and_only_for_those_who_are_asked_in():
    async def run():
        async with a_class() as here:
            code = here.room.code
            for path, method, wanted in (
                ("/", "GET", 200),
                (f"/{code}", "GET", 200),
                (f"/{code.lower()}", "GET", 303),
                (f"/?room={code.lower()}", "GET", 303),
                ("/?room=ZZZZ", "GET", 404),
                ("/vote.mjs", "GET", 200),
                ("/vote.css", "GET", 200),
                ("/vote.html", "GET", 404),
                ("/stage.css", "GET", 404),
                ("/page/vote.mjs", "GET", 404),
                ("/../server.py", "GET", 404),
                ("/%2e%2e/server.py", "GET", 404),
                ("/votes.csv", "GET", 404),
                ("/windows", "GET", 404),
                ("/code.json", "GET", 404),
                (f"/{code}/device", "GET", 405),
                (f"/{code}", "POST", 405),
                (f"/{code}", "DELETE", 405),
                (f"/{code}/device", "POST", 403),  # from no page of ours
            ):
                assert await here.status(path, method) == wanted, (path, method)
            own = {"Origin": here.at}
            foreign = {"Origin": "http://evil.test"}
            assert await here.status(f"/{code}", headers={"Host": "evil.test"}) == 421
            assert await here.status(f"/{code}/device", "POST", headers=foreign) == 403
            assert await here.status("/ZZZZ/device", "POST", headers=own) == 404
            assert await here.status(f"/{code}/device", "POST", headers=own) == 204
            device, _ = await here.joined()
            cookie = {"Cookie": f"vote={device}"}
            wire = f"/{code}/votes"
            for headers in (
                {**own},
                {**cookie},
                {**cookie, **foreign},
                {**own, "Cookie": "vote=" + "x" * 22},
                {**own, "Cookie": "vote=../../etc"},
            ):
                assert await here.status(wire, headers={**UPGRADE, **headers}) == 403, headers
            assert await here.status("/ZZZZ/votes", headers={**UPGRADE, **cookie, **own}) == 403
            evil = {**UPGRADE, **cookie, **own, "Host": "evil.test"}
            assert await here.status(wire, headers=evil) == 421

    asyncio.run(run())


def test_what_every_answer_says_of_itself():
    async def run():
        async with a_class() as here:
            client = AsyncHTTPClient()
            for path in (f"/{here.room.code}", "/", "/vote.mjs", "/nothing/here"):
                answer = await client.fetch(here.at + path, raise_error=False)
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert answer.headers["X-Frame-Options"] == "DENY"
                assert answer.headers["Referrer-Policy"] == "no-referrer"
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
                assert "Server" not in answer.headers
                assert "Set-Cookie" not in answer.headers
            wrong = await client.fetch(f"{here.at}/?room=%3Cscript%3E", raise_error=False)
            assert b"That is not the code" in wrong.body
            assert b"<script>" not in wrong.body
            device, given = await here.joined()
            assert len(device) == 22
            assert all(word in given for word in ("HttpOnly", "SameSite=Strict", "Path=/"))

    asyncio.run(run())


def test_a_device_stays_one_when_the_server_begins_again():
    async def run():
        code = new_code()
        async with a_class(code) as here:
            device, _ = await here.joined()
        async with a_class(code) as here:
            assert here.room.code == code
            assert (await here.joined(device)) == (device, "")
            phone = await here.phone(device)
            told = await heard(phone)
            await phone.write_message(f"{told['ballot']}:1")
            await heard(phone, lambda t: t["chosen"] == 1)
            assert here.show.votes[1].rounds[0].phones == {device: 1}

    asyncio.run(run())


def test_there_is_an_end_to_devices_codes_and_windows(monkeypatch):
    monkeypatch.setattr(classroom, "MOST_DEVICES", 3)
    monkeypatch.setattr(classroom, "WRONG_CODES", (4, 0))

    async def run():
        async with a_class() as here:
            own = {"Origin": here.at}
            phone = await here.phone()
            for _ in range(classroom.MOST_TABS - 1):
                await here.phone(phone.device)
            cookie = {"Cookie": f"vote={phone.device}"}
            wire = f"/{here.room.code}/votes"
            assert await here.status(wire, headers={**UPGRADE, **own, **cookie}) == 429
            device = f"/{here.room.code}/device"
            found = [await here.status(device, "POST", headers=own) for _ in range(4)]
            assert found == [204, 204, 503, 503]
            guesses = [await here.status("/?room=ZZZZ") for _ in range(6)]
            assert guesses == [404] * 4 + [429] * 2
            # Who is in stays in.
            told = await heard(phone)
            await phone.write_message(f"{told['ballot']}:1")
            await heard(phone, lambda t: t["chosen"] == 1)

    asyncio.run(run())


@pytest.mark.parametrize("code", ["", "abcd", "ABC", "AB1O", "ACDEF"])
def test_a_code_has_no_letter_that_looks_like_another(code):
    async def run():
        async with a_class(code) as here:
            assert len(here.room.code) == CODE
            assert set(here.room.code) <= set(LETTERS) - set("IL1O0B8S5Z2UVG6Q")

    asyncio.run(run())


JUNK = (
    "",
    "3",
    "3:",
    ":1",
    "3:10",
    "3:1000",
    "3:-1",
    "٣:١",
    "3:1\n",
    " 3:1",
    "3:1;4:1",
    '{"do": "on"}',
    '{"do": "revive"}',
    "null",
    "9999999:1",
    "3" * 150,
    b"3:1",
    b"\x00\xff",
)


async def quiet(work):
    """Do what the server may end at any time."""
    with suppress(WebSocketClosedError, StreamClosedError, AssertionError, HTTPClientError):
        await work


def test_300_phones_with_junk_floods_replays_and_late_votes():  # noqa: C901 - a class
    chance = random.Random(7)  # noqa: S311 - for whims

    async def honest(phone, ballot, wishes):
        for option in wishes:
            await phone.write_message(f"{ballot}:{option}")
            counted = (ballot, option)
            await heard(phone, lambda t, c=counted: (t["ballot"], t.get("chosen")) == c)

    async def junk(phone):
        for one in chance.sample(JUNK, len(JUNK)):
            await phone.write_message(one, binary=isinstance(one, bytes))

    async def flood(phone, ballot):
        for _ in range(400):
            await phone.write_message(f"{ballot}:1")

    async def large(phone, ballot):
        await phone.write_message(f"{ballot}:0" + " " * 300)
        assert await asyncio.wait_for(phone.read_message(), 60) is not None
        assert await asyncio.wait_for(phone.read_message(), 60) is None  # let go

    async def run():
        async with a_class() as here:
            phones = []
            for _ in range(10):  # a class comes in by tens
                phones += await asyncio.gather(*(here.phone() for _ in range(30)))
            assert here.room.connected == 300
            ballot = here.show.ballot
            wishes = {p: chance.choices(range(3), k=chance.randint(1, 3)) for p in phones[:270]}
            work = [honest(phone, ballot, wish) for phone, wish in wishes.items()]
            work += [quiet(junk(phone)) for phone in phones[270:282]]
            work += [quiet(flood(phone, ballot)) for phone in phones[282:292]]
            work += [quiet(large(phone, ballot)) for phone in phones[292:300]]
            await asyncio.gather(*work)
            wanted = Counter(wish[-1] for wish in wishes.values())
            wanted[1] += 10  # a flood is one vote
            await settled(lambda: sum(here.counts) == 280)
            assert here.counts == tuple(wanted[k] for k in range(3))
            # Replays of what was sent before, by those who are still there.
            for phone, wish in list(wishes.items())[:50]:
                await phone.write_message(f"{ballot}:{wish[-1]}")
            # One phone has had enough strikes to be let go: a flood's.
            assert here.room.connected < 300
            await here.do("on")
            for phone in phones[:270]:  # late
                await quiet(phone.write_message(f"{ballot}:0"))
            await here.do("second_vote")
            for phone in phones[:100]:  # a vote that is over
                await quiet(phone.write_message(f"{ballot}:0"))
            second = here.show.ballot
            await asyncio.gather(*(honest(phone, second, [2]) for phone in phones[100:130]))
            first, last = here.show.votes[1].rounds
            assert first.counts == tuple(wanted[k] for k in range(3))
            assert last.counts == (0, 0, 30)

    asyncio.run(run())
