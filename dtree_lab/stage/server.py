"""The server of a lecture: its windows, always in step, and the file that brings it back."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import replace
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path
from typing import Any

import segno
from platformdirs import user_state_path
from tornado.httpserver import HTTPServer
from tornado.httputil import HTTPServerRequest
from tornado.web import Application, HTTPError, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from dtree_lab.base.files import write_whole
from dtree_lab.labs import assets
from dtree_lab.stage.ballots import Ballots
from dtree_lab.stage.classroom import Classroom
from dtree_lab.stage.lecture import Lecture
from dtree_lab.stage.link import KernelGoneError, KernelLink
from dtree_lab.stage.show import Show
from dtree_lab.stage.telling import told_audience, told_next, told_presenter
from dtree_lab.stage.votes import as_csv

PAGE = files("dtree_lab.stage") / "page"
HOST = "127.0.0.1"
COUNTING = 0.25  # seconds from a vote to its being shown
LOOKING = 0.7  # seconds of rest before the next scene's lab is opened, or a new kernel comes
RESTING = 5.0  # seconds of rest until a kernel is asked whether it still answers
FOLLOWING = 0.3  # seconds from one look at a file that is being written to the next
REHEARSING = 120.0  # seconds for the keys of one scene
ANEW = "There is no saved place that fits this lecture: it begins anew."
_KINDS = {".html": "text/html", ".mjs": "text/javascript", ".css": "text/css"}
# What shows nothing of a lecture and runs nothing is let in from nowhere else.
_POLICY = (
    "default-src 'none'; script-src 'self' blob:; style-src 'self' 'unsafe-inline'; img-src data:"
    "; connect-src 'self' ws:; frame-src 'self'; font-src 'self'"
)


class Stage:
    """A lecture that is being given.

    The address of its windows ends with the `key`, so that no other page gets at it. From the file
    `saved` the lecture can go on; `votes` has all counts as CSV, at each change.
    """

    # Whether what its labs show is found out beforehand, for when a kernel does not answer.
    rehearses = False
    # Reads the lecture's file again, which is then followed: for who writes one.
    reread: Callable[[], Lecture] | None = None
    wrong = ""  # what is wrong with the file that was written

    def __init__(
        self,
        lecture: Lecture,
        *,
        key: str = "",
        theme: str = "light",
        saved: Path | None = None,
        votes: Path | None = None,
    ) -> None:
        self.lecture, self.theme = lecture, theme
        self.saved, self.votes = saved, votes
        self.classroom: Classroom | None = None  # the server of the class's phones, if there is one
        self.invites = False  # its QR code fills the screen
        self._qr = ""
        self._counting: asyncio.TimerHandle | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._jobs: set[asyncio.Task[None]] = set()
        self.key = key or secrets.token_urlsafe(9)
        self.windows: set[Window] = set()
        kernel = KernelLink(lecture)
        self.show = Show(lecture, kernel, self._worked)
        kernel.heard, kernel.gone = self.show.heard, self.show.gone
        self.began = 0.0  # when the first key was pressed, by the clock of this computer
        self._turn = asyncio.Lock()
        self.listeners: list[Callable[[], None]] = [self.tell]

    async def begin(self, *, resume: bool = False) -> None:
        """Start the kernel, and show the first scene, or where it was left."""
        saved = _read(self.saved) if resume else None
        with suppress(KernelGoneError):
            await self.show.kernel.start()
            self.show.alive = True
            if not (saved and await self.show.restore(saved)):
                await self.show.enter(0)
                if resume:
                    self.show.problem = ANEW
            elif isinstance(began := saved.get("began"), int | float):
                self.began = began
        self.changed()
        self._look_later()
        if self.rehearses:
            self._job(self._rehearse())
        if self.reread:
            self._job(self._follow(self.reread))

    async def end(self) -> None:
        """End the kernel, and let the phones go."""
        if self._looking:
            self._looking.cancel()
        if self._counting:
            self._counting.cancel()
            self._counted()
        for job in self._jobs:
            job.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)
        if self.classroom:
            await self.classroom.stop()
        await self.show.kernel.stop()

    async def _follow(self, reread: Callable[[], Lecture]) -> None:
        """Show the file as it is written, at the scene that was edited."""
        file = self.lecture.file
        before = file.read_bytes()
        while True:
            await asyncio.sleep(FOLLOWING)
            # While it is saved there may be none, or nothing in it yet.
            with suppress(OSError):
                if (now := file.read_bytes() or before) != before:
                    before = now
                    await self._shown_anew(reread)

    async def _shown_anew(self, reread: Callable[[], Lecture]) -> None:
        async with self._turn:
            try:
                lecture = reread()
            except ValueError as error:
                self.wrong = f"{error}"
                self.tell()
                return
            scene = _edited(self.lecture, lecture, self.show.scene)
            self.lecture = lecture
            await self.show.renew(lecture, scene)
            self.wrong = self.show.problem
        self.changed()
        # Their theme and all sizes are another's now.
        for window in list(self.windows):
            window.send({"anew": True})
        self._look_later()

    def open_class(self, host: str, port: int, *, resume: bool = False) -> Classroom:
        """Let phones vote, by a server of their own at one address of the local network."""
        saved = (_read(self.saved) or {}).get("room") if resume else None
        # After a break phones find their room again.
        code = saved if isinstance(saved, str) else ""
        self.classroom = Classroom(Ballots(self.show, self.voted), host, port, code)
        self.classroom.came = self.voted
        self._qr = qr_code(self.classroom.address)
        self.listeners.append(self.classroom.tell)
        return self.classroom

    async def command(self, message: dict[str, Any]) -> None:
        """Do what a window asks for."""
        if message.get("do") == "revive":
            # It may be asked for because the kernel does not answer: so nothing is waited for.
            await self.show.kernel.stop()
            self.show.alive = False
        async with self._turn:
            self.show.problem = ""
            try:
                await self._do(message)
            except KernelGoneError:
                self.show.problem = "No kernel begins; the next key tries it again, and so does k."
            except (KeyError, TypeError, ValueError) as error:
                self.show.problem = f"{error}"
        self.changed()
        self._look_later()

    def _look_later(self, seconds: float = 0) -> None:
        """See to the kernel once nothing has been asked for a moment."""
        if self._looking:
            self._looking.cancel()
        look = lambda: self._job(self._look())  # noqa: E731
        self._looking = asyncio.get_running_loop().call_later(seconds or LOOKING, look)

    def _worked(self) -> None:
        self.tell()
        self._look_later()

    def _job(self, work: Coroutine[Any, Any, None]) -> None:
        job = asyncio.create_task(work)
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)

    async def _look(self) -> None:
        """Have a kernel that answers, and in it what comes next."""
        show = self.show
        async with self._turn:
            try:
                if not show.alive:
                    await show.revive()
                    self.tell()
            except KernelGoneError:
                return  # none begins, which the next key tries again
            news = False
            with suppress(KernelGoneError):
                news = await show.look_ahead()
                await show.still_answers()
            if news or not show.alive:
                self.tell()
        self._look_later(RESTING if show.alive else 0)

    async def _rehearse(self) -> None:
        """Press all keys in a kernel aside, so that what they show is known if it must be."""
        link = KernelLink(self.lecture)
        link.heard, link.gone = self.show.rehearsed, lambda: None
        unasked = self.lecture.needs_consent
        try:
            for scene in self.lecture.scenes:
                if scene.lab and scene not in unasked:
                    with suppress(KernelGoneError, TimeoutError):
                        if link.pid is None:
                            await link.start("aside")
                        async with asyncio.timeout(REHEARSING):
                            await link.ask({"do": "rehearse", "scene": scene.number})
                            continue
                    await link.stop()
        finally:
            await link.stop()

    async def _do(self, message: dict[str, Any]) -> None:  # noqa: C901 - one case after the other
        show = self.show
        plain: dict[str, Callable[[], Awaitable[None]]] = {
            "on": show.on,
            "back": show.back,
            "over": show.over,
            "again": show.second_vote,
            "revive": show.revive,
        }
        match message:
            case {"do": "invite"}:
                self.invites = self.classroom is not None and not self.invites
            case {"do": str(key)} if key in plain:
                self.invites = False
                self.began = self.began or time.time()
                await plain[key]()
            case {"do": "jump", "scene": int(scene)}:
                await show.jump(scene)
            case {"do": "hands", "option": int(option), "count": int(count)} if show.vote:
                show.votes[show.scene] = show.vote.counted(option, count)
            case {"do": "hide", "word": str(word)} if show.vote:
                hidden = show.vote.hidden ^ {word}
                show.votes[show.scene] = replace(show.vote, hidden=hidden)
            case {"do": "theme", "theme": "light" | "dark" | "contrast" as theme}:
                self.theme = theme
            case {"do": "clock"}:
                self.began = time.time()
            case {"do": "lab", "message": dict(action)}:
                await show.act(action)

    def changed(self) -> None:
        """Show what is new in all windows, and save it."""
        for listener in self.listeners:
            listener()
        self._save()

    def voted(self) -> None:
        """Show and save, a moment later, that votes have come: a class sends many at once."""
        if self._counting is None:
            loop = asyncio.get_running_loop()
            self._counting = loop.call_later(COUNTING, self._counted)

    def _counted(self) -> None:
        self._counting = None
        self._save()
        self.tell()

    def _save(self) -> None:
        room = self.classroom.code if self.classroom else None
        saved = {**self.show.saved(), "began": self.began, "room": room}
        # Where there is no room, the lecture goes on without.
        with suppress(OSError):
            if self.saved:
                write_whole(self.saved, json.dumps(saved))
            if self.votes:
                write_whole(self.votes, self.counts())

    def invitation(self) -> dict[str, Any] | None:
        """How to vote by phone, while that can be done or is being explained."""
        room = self.classroom
        if room is None or not (self.show.takes_votes or self.invites):
            return None
        told = {"place": room.place, "code": room.code, "qr": self._qr, "large": self.invites}
        return {**told, "phones": room.connected}

    def tell(self) -> None:
        """Show what is new in all windows, first in the audience's."""
        for window in sorted(self.windows, key=lambda window: window.kind != "audience"):
            window.tell()

    def counts(self) -> str:
        """All votes as CSV."""
        asked = {i: self.show.question_at(i) for i in self.show.votes}
        return as_csv({i: one for i, one in asked.items() if one}, self.show.votes)


def _edited(before: Lecture, now: Lecture, scene: int) -> int:
    """The first scene that is not as it was; if there is none, the one that is shown."""
    texts = ([replace(one, line=0) for one in lecture.scenes] for lecture in (before, now))
    pairs = enumerate(zip_longest(*texts))
    first = next((i for i, (old, new) in pairs if old != new), scene)
    return min(first, len(now.scenes) - 1)


def saved_at(lecture: Lecture) -> Path:
    """Where a lecture's place is saved; with another table it is another one."""
    path = lecture.file.resolve()
    table = f"\n{lecture.own.name}" if lecture.own else ""
    name = hashlib.sha256(f"{path}{table}".encode()).hexdigest()[:12]
    return user_state_path("dtree-lab") / "lectures" / f"{path.stem}-{name}.json"


def _read(path: Path | None) -> dict[str, Any] | None:
    if path is None:
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


# -- the windows -----------------------------------------------------------------------------------


def _check_host(request: HTTPServerRequest) -> None:
    # A name that leads here from elsewhere is not ours.
    if request.host_name not in (HOST, "localhost"):
        raise HTTPError(421)


def _knows_key(request: HTTPServerRequest, stage: Stage) -> bool:
    given = request.query_arguments.get("key", [b""])[-1]
    return secrets.compare_digest(given, stage.key.encode())


class _Own(RequestHandler):
    """What is only for those who know the key, on this computer."""

    stage: Stage

    def initialize(self, stage: Stage) -> None:
        self.stage = stage

    def set_default_headers(self) -> None:
        self.set_header("Content-Security-Policy", _POLICY)
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Cache-Control", "no-store")
        self.clear_header("Server")

    def prepare(self) -> None:
        _check_host(self.request)

    def checked(self) -> None:
        if not _knows_key(self.request, self.stage):
            raise HTTPError(403, reason="Open the address that the terminal shows.")


class _Windows(_Own):
    """The page of the audience, or of the presenter."""

    def get(self, name: str) -> None:
        self.checked()
        page = "presenter.html" if name == "presenter" else "audience.html"
        self.set_header("Content-Type", "text/html; charset=utf-8")
        text = (PAGE / page).read_text(encoding="utf-8")
        self.finish(text.replace("<!--THEME-->", self.stage.lecture.theme.css()))


class _Files(_Own):
    """The windows' code, which is nobody's secret."""

    def get(self, name: str) -> None:
        file = PAGE / name
        kind = _KINDS.get(Path(name).suffix)
        if kind in (None, "text/html") or not (file.is_file() or name == assets.LINKING):
            raise HTTPError(404)
        text = (
            assets.asset_text(name) if name == assets.LINKING else file.read_text(encoding="utf-8")
        )
        self.set_header("Content-Type", f"{kind}; charset=utf-8")
        self.finish(text)


class _Code(_Own):
    """The labs' browser code."""

    def get(self) -> None:
        self.finish({name: assets.asset_text(name) for name in assets.asset_names()})


class _Counts(_Own):
    """The votes as a file."""

    def get(self) -> None:
        self.checked()
        self.set_header("Content-Type", "text/csv; charset=utf-8")
        self.set_header("Content-Disposition", 'attachment; filename="votes.csv"')
        self.finish(self.stage.counts())


class Window(WebSocketHandler):
    """An open window."""

    def initialize(self, stage: Stage) -> None:
        """Take what tornado hands on."""
        self.stage = stage
        self.last: dict[str, Any] = {}

    def prepare(self) -> None:
        """Answer only to our own name."""
        _check_host(self.request)
        self.kind = self.get_query_argument("as", "audience")

    def open(self, *_: str, **__: str) -> None:
        """Let it in, and tell it what is shown."""
        if not _knows_key(self.request, self.stage):
            self.close(4003, "wrong key")
            return
        self.stage.windows.add(self)
        self.tell()

    def on_close(self) -> None:
        """Tell it nothing more."""
        self.stage.windows.discard(self)

    async def on_message(self, message: str | bytes) -> None:
        """Do what it asks for."""
        if self not in self.stage.windows:
            return
        try:
            asked = json.loads(message)
        except (ValueError, RecursionError):
            return
        # What is nested too deep to be passed on is dropped.
        with suppress(RecursionError):
            if isinstance(asked, dict):
                await self._asked(asked)

    async def _asked(self, line: dict[str, Any]) -> None:
        if line.get("do") == "spot":  # a pointer's move is only passed on
            for other in self.stage.windows - {self}:
                if other.kind != "next":
                    other.send({"spot": line.get("at")})
            return
        await self.stage.command(line)

    def tell(self) -> None:
        """Tell the window what is new."""
        show = self.stage.show
        seen = told_next(show) if self.kind == "next" else told_audience(show)
        told = {**seen, "theme": self.stage.theme, "alive": show.alive}
        told["room"] = None if self.kind == "next" else self.stage.invitation()
        told["joins"] = self.stage.classroom is not None
        told["wrong"] = self.stage.wrong
        if self.kind == "all":
            all_scenes = (show.at(i, 0, rehearsed=True) for i in range(told["scenes"]))
            told["all"] = [told_audience(one) for one in all_scenes]
            told["plan"] = told_presenter(show)["plan"]
        if self.kind == "presenter":
            room = self.stage.classroom
            own = {**told_presenter(show), "phones": room and room.connected}
            told |= {"presenter": own, "began": self.stage.began}
        # A large picture is not sent again.
        if told["told"] is not None and told["told"] == self.last.get("told"):
            self.send({**told, "told": True})
        else:
            self.send(told)
        self.last = told

    def send(self, message: dict[str, Any]) -> None:
        """Send it a message."""
        try:
            self.write_message(json.dumps(message, ensure_ascii=False))
        except WebSocketClosedError:
            self.stage.windows.discard(self)


def application(stage: Stage) -> Application:
    """The windows of a lecture."""
    own = {"stage": stage}
    return Application(
        [
            (r"/(presenter)?", _Windows, own),
            (r"/page/([\w.-]+)", _Files, own),
            (r"/code.json", _Code, own),
            (r"/votes.csv", _Counts, own),
            (r"/windows", Window, own),
        ],
        websocket_max_message_size=2**20,
        websocket_ping_interval=20,
    )


def listen(stage: Stage, port: int) -> HTTPServer:
    """Serve a lecture's windows to this computer alone."""
    server = HTTPServer(application(stage))
    server.listen(port, HOST)
    return server


def qr_code(address: str) -> str:
    """The QR code of an address as SVG, dark on light whatever the page looks like."""
    drawn: str = segno.make(address, error="m", micro=False).svg_inline(
        omitsize=True, border=3, dark="#000", light="#fff", svgclass="qr"
    )
    return drawn.replace("<svg ", '<svg role="img" aria-label="QR code of the address" ', 1)
