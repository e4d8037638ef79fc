"""A learner's function, called so that nothing it does can break the notebook.

What it prints and warns is caught; what it returns becomes plain values, copies that no method of
the learner's can change, within the same limit of time: a thread, the one limit that works in a
kernel's main thread and on every system. It cannot be killed: one that is out of time is asked to
stop, which ends any Python loop. An endless call into C (``sum(range(10**13))``) is beyond this;
only a process of its own can stop that, which is what graders use.

nbgrader takes any text on a check cell's standard error for a failure. :func:`as_output` lets what
is written there by other ways (``logging``, a program, a late thread) cost nothing.
"""

from __future__ import annotations

import copy
import ctypes
import math
import numbers
import sys
import sysconfig
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dtree_lab.base.answers import FirstLines, last_line
from dtree_lab.base.text import number, plural
from dtree_lab.tree.tree import Tree

_ASKED = 5
_GRACE = 0.1
# A module that is loaded for the first time may take seconds; that is no time of the answer's.
_LONGEST_IMPORT = 60.0
_TICK = 0.05
_IDLE = 0.2  # of the time in which an answer does not work, so much counts


class OutOfTimeError(BaseException):
    """What ends a loop in an answer that is out of time."""


class ElsewhereError(BaseException):
    """An error of an answer that runs in a process of its own, as that process tells of it."""

    def __init__(self, kind: Literal["raised", "hung"], name: str, says: str, where: str) -> None:
        super().__init__(says)
        self.kind, self.name, self.says, self.where = kind, name, says, where


def within(seconds: float, work: Callable[[], None]) -> None:
    """Do some work; ask it to stop when the time is up, and leave it behind if it does not.

    The time that it spends in imports does not count; that in which it does not work, because it
    waits or the machine is busy with others, counts a fifth.
    """
    clock: list[int] = []  # of the thread's own processor time

    def timed() -> None:
        # Asked for in the thread: of one that has ended, the question is a crash.
        if find := getattr(time, "pthread_getcpuclockid", None):  # Windows and macOS have none
            clock.append(find(threading.get_ident()))
        work()

    thread = threading.Thread(target=timed, daemon=True, name="dtree-lab answer")
    try:
        thread.start()
    except RuntimeError:  # a browser's Python has no threads, and so no limit
        work()
        return
    _wait(thread, seconds, clock)
    with _hushed():
        # More than once: what lands in a destructor, or in an `except BaseException`, is lost.
        for _ in range(_ASKED):
            if not thread.is_alive() or thread.ident is None:
                break
            ask = ctypes.pythonapi.PyThreadState_SetAsyncExc
            ask(ctypes.c_ulong(thread.ident), ctypes.py_object(OutOfTimeError))
            thread.join(_GRACE)


def _wait(thread: threading.Thread, seconds: float, clock: list[int]) -> None:
    """Wait until the work is done, or its time is up."""
    spent = {False: 0.0, True: 0.0}  # without imports, and in them
    worked = 0.0
    while thread.is_alive() and spent[False] < seconds and spent[True] < _LONGEST_IMPORT:
        before = time.monotonic()
        thread.join(min(_TICK, seconds - spent[False]))
        passed = time.monotonic() - before
        if clock:
            with suppress(OSError):  # it has just ended
                now = time.clock_gettime(clock[0])
                working, worked = now - worked, now
                passed = working + _IDLE * max(passed - working, 0.0)
        spent[_imports(thread)] += passed


def _imports(thread: threading.Thread) -> bool:
    """Whether a thread is loading a module just now."""
    frame = sys._current_frames().get(thread.ident or 0)  # noqa: SLF001 - there is no public way
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


@contextmanager
def _hushed() -> Iterator[None]:
    """Say nothing of the asking itself; every other lost error is told as ever."""
    unraisable, in_thread = sys.unraisablehook, threading.excepthook

    def ignored(news: sys.UnraisableHookArgs) -> None:
        if not isinstance(news.exc_value, OutOfTimeError):
            unraisable(news)

    def ended(news: threading.ExceptHookArgs) -> None:
        if not isinstance(news.exc_value, OutOfTimeError):
            in_thread(news)

    sys.unraisablehook, threading.excepthook = ignored, ended
    try:
        yield
    finally:
        sys.unraisablehook, threading.excepthook = unraisable, in_thread


# Python's own code, what is installed, and ours: an error there has come from the line that called.
_FOLDERS = ("stdlib", "platstdlib", "purelib", "platlib")
_NOT_THEIRS = (
    "<frozen",
    str(Path(__file__).parents[1]),
    *(sysconfig.get_paths()[name] for name in _FOLDERS),
)


def own_line(error: BaseException) -> str:
    """The last line of the learner's own that an error came through; nothing where there is none.

    >>> import os
    >>> try:
    ...     os.fspath(3)
    ... except TypeError as error:
    ...     own_line(error)
    'line 2, ``os.fspath(3)``'
    """
    return last_line(error, lambda file: not file.startswith(_NOT_THEIRS))


_MOST_VALUES, _DEEPEST = 20_000, 60


class NotPlainError(ValueError):
    """What holds more than numbers, texts and truths, or too much of them."""


def plain_data(value: Any) -> Any:
    """Lists, tuples and arrays as tuples, sets as sorted tuples, dicts as dicts, all the way down.

    Whole numbers stay whole; other real numbers become floats. Objects of another kind, nesting
    without end, and more than 20,000 values are refused.
    """
    return _Copier().copy(value, 0)


class _Copier:
    """Copies, and counts what it has copied."""

    def __init__(self) -> None:
        self.left = _MOST_VALUES

    def copy(self, value: Any, depth: int) -> Any:
        self.left -= 1
        if self.left < 0 or depth > _DEEPEST:
            raise NotPlainError
        if isinstance(value, np.ndarray):
            # Without any value it may still become very many empty lists.
            if math.prod(max(side, 1) for side in value.shape) > self.left:
                raise NotPlainError
            value = value.tolist()
        elif isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str(value)
        if isinstance(value, numbers.Real | Decimal):
            return _plain_number(value)
        return self._many(value, depth + 1)

    def _many(self, value: Any, depth: int) -> Any:
        if isinstance(value, list | tuple):
            return tuple(self.copy(one, depth) for one in value)
        if isinstance(value, set | frozenset):
            return tuple(sorted((self.copy(one, depth) for one in value), key=_order))
        if isinstance(value, dict):
            return {self._key(key, depth): self.copy(one, depth) for key, one in value.items()}
        raise NotPlainError

    def _key(self, key: Any, depth: int) -> Any:
        copied = self.copy(key, depth)
        if isinstance(copied, dict):
            raise NotPlainError
        return copied


def _plain_number(value: numbers.Real | Decimal) -> int | float:
    try:
        x = float(value) + 0.0  # what is beyond all floats can be compared with none
        return int(value) if isinstance(value, numbers.Integral) else x
    except (OverflowError, ValueError):  # or a Decimal that forbids to be looked at
        raise NotPlainError from None


def _order(value: Any) -> tuple[str, Any]:
    """Values of several kinds in one order: by kind, then by value."""
    kind = "number" if isinstance(value, int | float) else type(value).__name__
    return kind, value if kind in ("number", "str") else repr(value)


Kind = Literal[
    "number", "text", "truth", "nothing", "values", "tree", "other", "raised", "hung", "refused"
]

SECONDS = 2.0
_MOST_TEXT = 200
_MOST_WRITTEN = 60


@dataclass(frozen=True)
class Outcome:
    """What came of a call, as plain values."""

    # What sort of thing came back; "raised" and "hung" when nothing did; "refused" when the answer
    # could not be tried at all, with the whole line in `says`.
    kind: Kind
    # The number, text or truth value; a list, tuple, array, set or dict as `plain` makes it; the
    # tree; what was done in a lab; else None.
    value: Any = None
    says: str = ""  # the same in words, short, for a line of feedback
    printed: str = ""  # what was printed
    warned: str = ""  # the first warning
    where: str = ""  # the learner's own line where an error came up, or where time was up


def call(
    function: Callable[..., Any], args: tuple[Any, ...] = (), seconds: float | None = None
) -> Outcome:
    """Call a function with copies of some arguments, for at most some seconds (2 unless told)."""
    found: list[Outcome] = []
    limit = SECONDS if seconds is None else seconds

    def work() -> None:
        try:
            found.append(describe(function(*copy.deepcopy(args))))
        except BaseException as error:  # noqa: BLE001 - sys.exit in an answer must not end the kernel
            found.append(_raised(error))

    printed = FirstLines()
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(printed))
        stack.enter_context(redirect_stderr(printed))
        caught = stack.enter_context(warnings.catch_warnings(record=True))
        warnings.simplefilter("default")
        within(limit, work)
    outcome = found[0] if found else Outcome("hung")
    if outcome.kind == "hung" and not outcome.says:
        outcome = replace(outcome, says=f"did not finish within {number(limit)} seconds")
    warned = short(str(caught[0].message)) if caught else ""
    return replace(outcome, printed=printed.getvalue(), warned=warned)


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Let calls take another time than two seconds: for who stops them by other means, too."""
    global SECONDS  # noqa: PLW0603 - what every call looks at
    before, SECONDS = SECONDS, seconds
    try:
        yield
    finally:
        SECONDS = before


def _raised(error: BaseException) -> Outcome:
    if type(error) is ElsewhereError:
        told = f"{error.name}: {error.says}" if error.says else error.name
        if error.kind == "hung":
            return Outcome("hung", says=error.says, where=error.where)
        return Outcome("raised", value=error.name, says=told, where=error.where)
    where = own_line(error)
    if isinstance(error, OutOfTimeError):
        return Outcome("hung", where=where)
    name = type(error).__name__
    try:
        said = short(str(error))
    except BaseException:  # noqa: BLE001 - an error that cannot even say what it is
        said = ""
    return Outcome("raised", value=name, says=f"{name}: {said}" if said else name, where=where)


def describe(value: Any) -> Outcome:
    """A value as an outcome; what an exercise has no use for is only described."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if value is None or value is ...:
        return Outcome("nothing", says="nothing")
    if isinstance(value, bool):
        return Outcome("truth", value, str(value))
    if isinstance(value, numbers.Real | Decimal):
        return _number(value)
    if isinstance(value, str):
        return Outcome("text", str(value), repr(short(str(value))))
    if isinstance(value, Tree):
        return Outcome("tree", value, f"a tree of {plural(value.n_nodes, 'node')}")
    many = _many(value)
    return _values(value, many) if many else Outcome("other", says=f"a {_type(value)}")


def _type(value: Any) -> str:
    return short(type(value).__name__)


def _values(value: Any, many: str) -> Outcome:
    try:
        found = plain_data(value)
    except NotPlainError:
        return Outcome("other", says=many)
    shown = _shortened(found)
    written = repr(list(shown) if isinstance(value, list) else shown)
    return Outcome("values", found, many if len(written) > _MOST_WRITTEN else written)


def _shortened(value: Any) -> Any:
    """Plain values with six digits of every number: the rest of them is only rounding."""
    if isinstance(value, dict):
        return {key: _shortened(one) for key, one in value.items()}
    if isinstance(value, tuple):
        return tuple(map(_shortened, value))
    return float(f"{value:.6g}") if isinstance(value, float) else value


def _many(value: Any) -> str:
    """What holds several values, in words; nothing for what does not."""
    if isinstance(value, np.ndarray):
        return f"an array of {plural(value.size, 'value')}"
    if isinstance(value, list | tuple | set | frozenset | dict):
        return f"a {type(value).__name__} of {plural(len(value), 'value')}"
    return ""


def _number(value: numbers.Real | Decimal) -> Outcome:
    try:
        x = float(value) + 0.0  # no negative zero
    except OverflowError:
        return Outcome("other", says="a number too large to compare")
    except ValueError:  # a Decimal that forbids to be looked at
        return Outcome("other", says=f"a {_type(value)}")
    if np.isnan(x):
        return Outcome("number", x, "NaN (not a number)")
    whole = isinstance(value, int) or np.isinf(x) or x == round(x)
    return Outcome("number", x, number(x) if whole else f"{x:.4g}")


def short(text: str) -> str:
    r"""Text on one line, cut where it gets long; what would steer a terminal is shown as a mark."""
    line = " ".join(text[: 2 * _MOST_TEXT].split())
    line = "".join(sign if sign.isprintable() else "�" for sign in line)
    return line if len(line) <= _MOST_TEXT else line[: _MOST_TEXT - 1] + "…"


# An answer may put another stream in its place; the kernel's goes on being fed by all others.
_AT_FIRST: Any = sys.stderr


def as_output() -> None:
    """Show what the kernel's standard error gets as plain output, until the kernel ends.

    It changes nothing outside of a kernel, whose stream says that its name is ``"stderr"``.
    """
    now: Any = sys.stderr
    for stream in (_AT_FIRST, now):
        if hasattr(stream, "pub_thread") and stream.name == "stderr":
            stream.name = "stdout"
