"""The class's own server: one page for phones, on the local network, and nothing else.

It knows nothing of a lecture but two functions (:class:`~dtree_lab.stage.ballots.Ballots`). What a
phone sends is a vote's number and an answer's, or a word; whatever else comes, too often or too
slowly, is dropped.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import secrets
import socket
import sys
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream, StreamClosedError
from tornado.web import Application, HTTPError, RequestHandler
from tornado.websocket import WebSocketClosedError, WebSocketHandler

from dtree_lab.draw.style import FIGURE_RULES, css_variables
from dtree_lab.stage.ballots import Ballots
from dtree_lab.stage.limits import Bucket, Limit

PAGE = files("dtree_lab.stage") / "page"
# Nothing in it looks like something else, on a screen or on paper.
LETTERS = "ACDEFHJKMNPRTWXY3479"
CODE = 4
COOKIE, DEVICE = "vote", re.compile(r"[\w-]{22}", re.ASCII)
TAP = re.compile(r"([0-9]{1,6}):(?:([0-9]{1,4})|=(.{1,60}))", re.ASCII)
# A class of 300 has room in each of these, also where all come from one address; see docs/stage.md.
MOST_DEVICES, MOST_CONNECTIONS, MOST_TABS = 2_000, 3_000, 3
MESSAGE = 200  # bytes
PER_PHONE = (12, 3)  # messages: so many at once, and so many a second
PER_ADDRESS = (3_000, 300)  # requests and messages
NEW_PHONES = (600, 1)
NEW_CONNECTIONS = (2_500, 50)
WRONG_CODES = (100, 1)
AFTER_WALL, AT_ONCE = 0.05, 25  # seconds; phones that are told before others are listened to
STRIKES = 60  # so much that is not wanted, and a phone is let go
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'self'"
    "; base-uri 'none'; frame-ancestors 'none'; connect-src 'self' ws://{}"
)
_FILES = {"vote.mjs": "text/javascript", "vote.css": "text/css"}


def new_code() -> str:
    """A room's code, by chance."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))


def own_address() -> str:
    """The address of this computer in the network; empty where there is none.

    Nothing is sent: the system is only asked from where it would be.
    """
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # an address that is nobody's
            found: str = probe.getsockname()[0]
    except OSError:
        return ""
    return "" if found.startswith(("127.", "0.")) else found


class Classroom:
    """The server of a class's phones, at one address of this computer.

    The `lecture` is what they are shown, and what counts their votes. The room's code is the one
    that it had before, if any; else it is drawn by chance.
    """

    def __init__(self, lecture: Ballots, host: str, port: int, code: str = "") -> None:
        self.lecture = lecture
        is_code = len(code) == CODE and set(code) <= set(LETTERS)
        self.code = code if is_code else new_code()
        self.came: Callable[[], None] = lambda: None  # called when a phone has come or gone
        self.place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self.phones: set[Phone] = set()
        self._told: dict[str, Any] = {}
        self._untold: list[Phone] = []
        self.devices: set[str] = set()
        self.requests = Limit(*PER_ADDRESS)
        self.new_phones = Limit(*NEW_PHONES)
        self.wrong_codes = Limit(*WRONG_CODES)
        # Opened before anything else, so that a port that is taken is said at once.
        listener = _bound(host, port)
        self._server = _Door(
            _application(self),
            idle_connection_timeout=15,
            body_timeout=5,
            max_header_size=8_192,
            max_body_size=1_024,
            max_buffer_size=2**16,
        )
        # What strangers send is not written into the lecturer's terminal.
        for name in ("tornado.general", "tornado.access"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._server.add_sockets([listener])

    @property
    def address(self) -> str:
        """The page's address, with the room's code."""
        return f"http://{self.place}/{self.code}"

    @property
    def connected(self) -> int:
        """How many devices are there now."""
        return len({phone.device for phone in self.phones})

    def tell(self) -> None:
        """Show what is new on all phones, a moment after the wall: no key waits for a class."""
        # What a device itself has chosen it was told when it did so.
        common = self.lecture.shown_to("")
        if common == self._told:
            return
        self._told = common
        if not self._untold:
            asyncio.get_running_loop().call_later(AFTER_WALL, self._tell_some)
        self._untold = list(self.phones)

    def _tell_some(self) -> None:
        some, self._untold = self._untold[:AT_ONCE], self._untold[AT_ONCE:]
        for phone in some:
            phone.tell()
        if self._untold:
            asyncio.get_running_loop().call_soon(self._tell_some)

    async def stop(self) -> None:
        """Let all phones go."""
        self._server.stop()
        self._server.let_go()
        await self._server.close_all_connections()

    def admitted(self, device: str, address: str) -> str:
        """A device's number: its own where it has one; empty where there is no room."""
        fits = DEVICE.fullmatch(device) is not None
        if fits and device in self.devices:
            return device
        if len(self.devices) >= MOST_DEVICES or not self.new_phones.allows(address):
            return ""
        # A number from before this server was started again stays the device's.
        known = device if fits else secrets.token_urlsafe(16)
        self.devices.add(known)
        return known


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens at one address, which may be given by a name."""
    family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    found = socket.create_server(place[:2], family=family, backlog=512)
    found.setblocking(False)  # noqa: FBT003 - the standard library's
    return found


class _Door(HTTPServer):
    """Lets in so many connections, and so many new ones from an address."""

    def initialize(self, *given: Any, **how: Any) -> None:
        """Take what tornado hands on."""
        super().initialize(*given, **how)
        self.most = _most_connections()
        self.streams: set[IOStream] = set()
        self.new = Limit(*NEW_CONNECTIONS)

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        """Let a connection in, or close it."""
        if len(self.streams) >= self.most:
            self.streams = {one for one in self.streams if not one.closed()}
        if len(self.streams) >= self.most or not self.new.allows(address[0]):
            stream.close()
            return
        # Who does not read what it is sent is not waited for.
        stream.max_write_buffer_size = 2**16
        self.streams.add(stream)
        super().handle_stream(stream, address)

    def let_go(self) -> None:
        """Close all connections at once."""
        for stream in self.streams:
            stream.close()


def _most_connections() -> int:
    """As many as the system has files for; more are asked of it."""
    if sys.platform == "win32":
        return 400  # its select takes 512
    import resource  # noqa: PLC0415 - not on every system

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + 500
    if soft < wanted:
        more = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
        except (OSError, ValueError):
            more = soft
        soft = more
    return max(50, min(MOST_CONNECTIONS, soft - 200))


# -- pages -----------------------------------------------------------------------------------------


def _check(request: Any, classroom: Classroom) -> None:
    """Refuse who asks too often, and a name that leads here from elsewhere: it is not ours."""
    if not classroom.requests.allows(request.remote_ip):
        raise HTTPError(429)
    if request.host != classroom.place:
        raise HTTPError(421)


class _Fixed(RequestHandler):
    """What all answers have in common: their headers, and whom they are given to."""

    SUPPORTED_METHODS = ("GET", "POST")

    @property
    def classroom(self) -> Classroom:
        found: Classroom = self.settings["classroom"]
        return found

    def set_default_headers(self) -> None:
        self.set_header("Content-Security-Policy", _POLICY.format(self.classroom.place))
        for name, value in _HEADERS.items():
            self.set_header(name, value)
        self.clear_header("Server")

    def prepare(self) -> None:
        _check(self.request, self.classroom)

    def write_error(self, status_code: int, **_: Any) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.set_header("Connection", "close")
        self.finish(f"{status_code}")

    def guessed(self) -> None:
        """Count a code that is not the room's."""
        if not self.classroom.wrong_codes.allows(self.request.remote_ip):
            raise HTTPError(429)

    def page(self, room: str, problem: str = "") -> None:
        """The one page; nothing that was sent is in it."""
        text = (PAGE / "vote.html").read_text(encoding="utf-8")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        self.finish(text.replace("ROOM", room).replace("SAID", problem))


class _Nothing(_Fixed):
    """Whatever else is asked for."""

    def prepare(self) -> None:
        super().prepare()
        raise HTTPError(404)


class _Page(_Fixed):
    """The page of the room, or the one that asks for its code."""

    def get(self, code: str) -> None:
        typed = self.get_query_argument("room", "").strip().upper()
        if not code and not typed:
            self.page("")
        elif (code or typed).upper() != self.classroom.code:
            self.guessed()
            self.set_status(404)
            self.page("", "That is not the code on the screen.")
        elif code == self.classroom.code:
            self.page(code)
        else:
            self.redirect(f"/{self.classroom.code}", status=303)


class _Parts(_Fixed):
    """The page's code and looks."""

    def get(self, name: str) -> None:
        self.set_header("Content-Type", f"{_FILES[name]}; charset=utf-8")
        # Pictures of labs look on a phone as they do everywhere.
        rules = css_variables() + FIGURE_RULES if name.endswith(".css") else ""
        self.finish(rules + (PAGE / name).read_text(encoding="utf-8"))


class _Joining(_Fixed):
    """A device gets its number.

    Not with the page: where that is opened from a link, a browser keeps a strict cookie back, and
    a device that has one would be given another.
    """

    def post(self, code: str) -> None:
        _same_origin(self.request, self.classroom)
        if code != self.classroom.code:
            self.guessed()
            raise HTTPError(404)
        own = self.get_cookie(COOKIE) or ""
        device = self.classroom.admitted(own, self.request.remote_ip or "")
        if not device:
            raise HTTPError(503)
        if device != own:
            self.set_cookie(
                COOKIE, device, expires_days=1, httponly=True, samesite="Strict", path="/"
            )
        self.set_status(204)


def _same_origin(request: Any, classroom: Classroom) -> None:
    if request.headers.get("Origin") != f"http://{classroom.place}":
        raise HTTPError(403)


class Phone(WebSocketHandler):
    """An open page of a device."""

    def initialize(self) -> None:
        """Begin as a stranger."""
        self.classroom: Classroom = self.settings["classroom"]
        self.device = ""
        self.shown = ""
        self.strikes = 0

    def prepare(self) -> None:
        """Let it in if it has the room's code and a number, and its page is ours."""
        room = self.classroom
        _check(self.request, room)
        _same_origin(self.request, room)
        self.device = self.get_cookie(COOKIE) or ""
        if self.path_args[0] != room.code or self.device not in room.devices:
            raise HTTPError(403)
        if sum(phone.device == self.device for phone in room.phones) >= MOST_TABS:
            raise HTTPError(429)
        self.bucket = Bucket(*PER_PHONE, PER_PHONE[0], room.requests.clock())

    def check_origin(self, origin: str) -> bool:
        """Whether a page is ours."""
        return origin == f"http://{self.classroom.place}"

    def write_error(self, status_code: int, **_: Any) -> None:
        """Say no more than a number."""
        self.finish(f"{status_code}")

    def open(self, *_: str, **__: str) -> None:
        """Show it what is asked."""
        self.set_nodelay(True)
        self.classroom.phones.add(self)
        self.classroom.came()
        self.tell()

    def on_close(self) -> None:
        """Show it nothing more."""
        self.classroom.phones.discard(self)
        self.classroom.came()

    def on_ping(self, _: bytes) -> None:
        """Pings count like anything else that is sent."""
        self._counts()

    def on_message(self, message: str | bytes) -> None:
        """Hand on what answers a vote: its number, a colon, and a number, or = and a word."""
        if not self._counts():
            return
        tap = TAP.fullmatch(message) if isinstance(message, str) else None
        if tap is None:
            self._strike()
            return
        lecture, more = self.classroom.lecture, {}
        # A vote that is over, or not yet there, is not this one.
        if lecture.shown_to(self.device)["ballot"] == int(tap[1]):
            problem = lecture.tapped(self.device, tap[3] or int(tap[2]))
            more = {"problem": problem} if tap[3] else {}
        self.tell(anyway=True, **more)

    def tell(self, *, anyway: bool = False, **more: str) -> None:
        """Show it what is new; or what there is, for who has asked."""
        told = {**self.classroom.lecture.shown_to(self.device), **more}
        shown = json.dumps(told, ensure_ascii=False)
        if shown == self.shown and not anyway:
            return
        self.shown = shown
        try:
            self.write_message(shown)
        except (WebSocketClosedError, StreamClosedError):
            self.classroom.phones.discard(self)
        except Exception:  # noqa: BLE001 - it has not read what it was sent before
            self._drop()

    def _counts(self) -> bool:
        room = self.classroom
        allowed = self.bucket.take(room.requests.clock())
        if allowed and room.requests.allows(self.request.remote_ip):
            return True
        self._strike()
        return False

    def _strike(self) -> None:
        self.strikes += 1
        if self.strikes >= STRIKES:
            self._drop()

    def _drop(self) -> None:
        """Close it at once: an orderly end would have to be read first."""
        self.classroom.phones.discard(self)
        wire: Any = self.ws_connection
        if wire is not None and wire.stream is not None:
            wire.stream.close()


def _application(classroom: Classroom) -> Application:
    routes: list[Any] = [
        (r"/(vote\.mjs|vote\.css)", _Parts),
        (r"/([A-Za-z0-9]{0,8})", _Page),
        (r"/([A-Z0-9]{4})/device", _Joining),
        (r"/([A-Z0-9]{4})/votes", Phone),
    ]
    return Application(
        routes,
        default_handler_class=_Nothing,
        classroom=classroom,
        log_function=lambda _: None,
        websocket_max_message_size=MESSAGE,
        websocket_ping_interval=25,
        websocket_ping_timeout=20,
    )
