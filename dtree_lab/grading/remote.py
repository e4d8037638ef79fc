"""The judge's end of the pipe to a learner's process: cells to run, values to get, calls to make.

Whatever comes back is read as plain data, within limits of time and size. A process that ends, that
does not answer in time or that talks nonsense is ended, and said to be lost.
"""

from __future__ import annotations

import base64
import io
import json
import math
import os
import pickle
import select
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dtree_lab.course.asking.model import Answerer
from dtree_lab.course.calls import ElsewhereError, short
from dtree_lab.grading.plaindata import NotReadableError, Reader
from dtree_lab.grading.sandbox import INSIDE, SHARED, Allowance, Kind, end, started
from dtree_lab.grading.watching import Watch, descendants
from dtree_lab.tree.tree import Tree

# A call has two seconds, as in a learner's notebook; what cannot be stopped within is ended.
CALL, _GRACE, _BEGIN = 2.0, 1.5, 60.0
_LOOK = 20.0  # a lab whose state is asked for may have to load what draws it
_MOST_BYTES = 8 << 20
_PLAIN_ROOTS = {"builtins", "numpy", "collections", "datetime", "decimal", "fractions", "copyreg"}


class LostError(Exception):
    """A learner's process is gone; the message says why, in words for staff."""


ENDED = "it ended Python itself (os._exit, a crash, or out of memory)"
STUCK = "it did not end within its time and could not be stopped; the process was ended"
NONSENSE = "its process sent what is no answer"
LEFT = "it was not done within its time and left processes behind; all were ended"
OVER = "the submission's time was up"
TOO_MUCH = {
    "memory": "its processes held too much memory together, and were ended",
    "files": "it wrote too many files; its processes were ended",
}
_ALONE = 4  # bubblewrap outside, bubblewrap inside, the runner and its copy
# A name is hashed and told apart; no longer one is anybody's.
MOST_NAME = 200


@dataclass(frozen=True)
class Told:
    """How a cell ended."""

    error: str = ""  # what it stopped with; nothing for a cell that came to its end
    raised: tuple[str, str] = ("", "")  # without its place: the type of the error, and its words


class CommittedCard(Answerer):
    """A question's card, of which the answer counts that was committed."""

    def __init__(self, about: str, answer: Any) -> None:
        self.about, self.answer = about, answer


class LearnersProcess:
    """A learner's process, started as by :func:`~dtree_lab.grading.sandbox.started`.

    `data` gives the data of an exercise for a name. It is over, whatever it does, at the time
    `until` of ``time.monotonic()``.
    """

    def __init__(
        self,
        kind: Kind,
        limits: Allowance,
        hidden: tuple[Path, ...],
        data: Callable[[str, str], Any],
        until: float = math.inf,
    ) -> None:
        self.lost = ""
        self._over = until
        self._data, self._lent = data, list[Any]()
        self._stack = ExitStack()
        begun = self._stack.enter_context(started(kind, limits, hidden))
        self._process, pipes = begun.process, begun.pipes
        for pipe in pipes:
            for stream in pipe:
                os.set_blocking(stream, False)
        (self._to, self._from), self._copy = pipes
        self._unread = b""
        self._reader = Reader(self._function, self._lent_one, Tree.from_json, CommittedCard)
        try:
            self._awaited()
            if kind == "bubblewrap":
                self._watched(limits)
        except LostError:
            self.close()
            raise

    def _watched(self, limits: Allowance) -> None:
        def too_much(what: str) -> None:
            self.lost = self.lost or TOO_MUCH[what]
            end(self._process, wait=False)

        watch = Watch(self._process.pid, limits.together, limits.files, (INSIDE, SHARED), too_much)
        watch.start()
        self._stack.callback(watch.stop)

    def _awaited(self) -> None:
        if self._line(time.monotonic() + _BEGIN) != {"ready": True}:
            self._lose(NONSENSE)

    def afresh(self, until: float) -> None:
        """Speak with the copy from here on, which has run no cell; a LostError if it is gone."""
        self._over = until
        (self._to, self._from), self._unread, self._lent = self._copy, b"", []
        self._send({}, time.monotonic() + _BEGIN)
        self._awaited()

    def family(self) -> int:
        """How many processes there are, with those of the sandbox itself; 0 where none is seen."""
        return 0 if self.lost else sum(1 for _ in descendants(self._process.pid))

    def left_behind(self) -> bool:
        """Whether a cell or a function has left processes behind."""
        return self.family() > _ALONE

    def close(self) -> None:
        """End it."""
        self._stack.close()

    def cell(self, text: str, seconds: float) -> Told:
        """Run a cell; a LostError if the process does not outlive it."""
        found = self._exchange({"do": "cell", "text": text, "seconds": seconds}, seconds)
        if "hung" in found:
            if self.left_behind():
                self._lose(LEFT)
            return Told(f"not done within {seconds:g} seconds{_at(found)}")
        if "raised" in found:
            name, says = (short(str(found.get(key) or "")) for key in ("raised", "says"))
            said = f": {says}" if says else ""
            return Told(f"{name}{said}{_at(found)}", (name, says))
        return Told()

    def value(self, text: str) -> Any:
        """The value of an expression of the check's; three dots where it has none."""
        found = self._exchange({"do": "value", "text": text, "seconds": _LOOK}, _LOOK)
        return self._read(found["value"]) if "value" in found else ...

    def call(self, number: int, given: tuple[Any, ...]) -> Any:
        """Call a function of the learner's, which may change what it is given."""
        if self.lost:
            raise _gone(self.lost)
        message = {"do": "call", "n": number, "given": self._pickled(given), "seconds": CALL}
        try:
            found = self._exchange(message, CALL)
            changed = self._several(found.get("given", []))
            value = self._read(found["value"]) if "value" in found else None
        except LostError as why:
            raise _gone(str(why)) from None
        except BaseException:  # the judge's own time is up, in the midst of a message
            self.lost = self.lost or STUCK
            end(self._process)
            raise
        print(found.get("printed", ""), end="")  # noqa: T201 - whoever judges catches it
        if found.get("warned"):
            warnings.warn(short(str(found["warned"])), stacklevel=2)
        if "hung" in found or "raised" in found:
            name, said, where = (short(str(found.get(key, ""))) for key in _ERROR)
            if "hung" in found:
                raise ElsewhereError("hung", "", _TOO_LONG, where)
            raise ElsewhereError("raised", name, said, where)
        for mine, theirs in zip(given, changed, strict=False):
            _put(theirs, mine)
        return value

    def _function(self, number: int, stub: bool) -> Callable[..., Any]:  # noqa: FBT001 - as read
        return _stub if stub else lambda *given: self.call(number, given)

    def _lent_one(self, number: int) -> Any:
        if not 0 <= number < len(self._lent):
            raise NotReadableError("nothing of that number was lent")
        return self._lent[number]

    def _pickled(self, value: Any) -> str:
        file = io.BytesIO()
        _Pickler(file, self._lent).dump(value)
        return base64.b64encode(file.getvalue()).decode()

    def _several(self, written: Any) -> list[Any]:
        if not isinstance(written, list):
            self._lose(NONSENSE)
        return [self._read(one) for one in written]

    def _read(self, written: Any) -> Any:
        try:
            return self._reader.read(written)
        except NotReadableError:
            self._lose(NONSENSE)

    # -- messages ----------------------------------------------------------------------------------

    def _exchange(self, message: Any, seconds: float) -> dict[str, Any]:
        """What the process says to a message, once what it asks meanwhile is answered."""
        if self.lost:
            raise LostError(self.lost)
        until = min(time.monotonic() + seconds + _GRACE, self._over)
        self._send(message, until)
        while "ask" in (found := self._line(until)):
            self._send(self._answer(found), until)
            self._in_time(until)  # who asks without end never lets anybody wait
        return found

    def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            if request["ask"] == "data":
                who = str(request["name"])[:MOST_NAME]
                return {"value": self._pickled(self._data(request["exercise"], who))}
            found, name = self._lent_one(int(request["n"])), str(request["name"])
            if name:
                found = _public(found, name)
            if request["given"] is not None:
                found = found(*(self._reader.read(one) for one in request["given"]))
            return {"value": self._pickled(found)}
        except Exception as error:  # noqa: BLE001 - the learner's function has asked for it
            return {"raised": type(error).__name__, "says": short(str(error))}

    def _send(self, message: Any, until: float) -> None:
        left = memoryview(json.dumps(message).encode() + b"\n")
        while left:
            self._wait(self._to, select.POLLOUT, until)
            try:
                left = left[os.write(self._to, left) :]
            except BlockingIOError:
                continue
            except OSError:
                self._lose(ENDED)

    def _line(self, until: float) -> dict[str, Any]:
        while b"\n" not in self._unread:
            self._wait(self._from, select.POLLIN, until)
            try:
                some = os.read(self._from, 1 << 18)
            except BlockingIOError:
                continue
            if not some:
                self._lose(ENDED)
            self._unread += some
            if len(self._unread) > _MOST_BYTES:
                self._lose(NONSENSE)
        line, _, self._unread = self._unread.partition(b"\n")
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            self._lose(NONSENSE)
        return dict(found)

    def _wait(self, descriptor: int, what: int, until: float) -> None:
        poll = select.poll()
        poll.register(descriptor, what)
        # In short steps: a thread that is asked to stop hears of it between them.
        while not poll.poll(50):
            self._in_time(until)

    def _in_time(self, until: float) -> None:
        if time.monotonic() > until:
            self._lose(OVER if until == self._over else STUCK)

    def _lose(self, why: str) -> Any:
        self.lost = self.lost or why
        end(self._process)
        raise LostError(self.lost)


def _stub(*_: Any) -> None: ...


def _public(thing: Any, name: str) -> Any:
    if not name.isidentifier() or name.startswith("_"):
        raise AttributeError(name)
    return getattr(thing, name)


_ERROR = ("raised", "says", "where")
_TOO_LONG = f"did not finish within {CALL:g} seconds"


def _gone(why: str) -> ElsewhereError:
    """What comes of a call to a process that is lost."""
    if why in (STUCK, OVER):
        return ElsewhereError("hung", "", _TOO_LONG, "")
    return ElsewhereError("raised", "an end of Python itself", "", "")


def _at(answer: dict[str, Any]) -> str:
    where = short(str(answer.get("where", ""))).replace("``", "`")
    return f", in {where}" if where else ""


def _put(theirs: Any, mine: Any) -> None:
    """Change an argument as the learner's function has changed its copy."""
    if type(theirs) is not type(mine):
        return
    match mine:
        case list():
            mine[:] = theirs
        case dict() | set():
            mine.clear()
            mine.update(theirs)
        case np.ndarray() if mine.shape == theirs.shape:
            mine[...] = theirs


class _Pickler(pickle.Pickler):
    """Writes what a function is called with; functions and the exercises' objects are only lent."""

    def __init__(self, file: io.BytesIO, lent: list[Any]) -> None:
        super().__init__(file)
        self._lent = lent

    def persistent_id(self, value: Any) -> int | None:
        """The number of what stays here; None for what is sent."""
        if isinstance(value, type):
            return None
        # By what it has, for numpy's own functions are of a type of Cython's.
        function = callable(value) and hasattr(value, "__qualname__")
        home = (value if function else type(value)).__module__ or ""
        root = home.partition(".")[0]
        known = root in _PLAIN_ROOTS or (root == "dtree_lab" and ".course" not in home)
        if known and not (function and "<" in value.__qualname__):
            return None
        self._lent.append(value)
        return len(self._lent) - 1
