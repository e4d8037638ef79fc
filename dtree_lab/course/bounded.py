"""A limit of time for what a learner's code does.

The work runs in a thread of its own, because that is the one time limit that works in a kernel's
main thread and on every system. A thread cannot be killed: one that is out of time is asked to
stop, which ends any Python loop. A single endless call into C (``sum(range(10**13))``) holds the
interpreter and is beyond this; only a process of its own can stop that, which is what graders use.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ASKED = 5
_GRACE = 0.1
# A module that is loaded for the first time may take seconds; that is no time of the answer's.
_LONGEST_IMPORT = 60.0
_TICK = 0.05


class OutOfTimeError(BaseException):
    """What ends a loop in an answer that is out of time."""


def within(seconds: float, work: Callable[[], None]) -> None:
    """Do some work; ask it to stop when the time is up, and leave it behind if it does not.

    The time that it spends in imports does not count.
    """
    thread = threading.Thread(target=work, daemon=True, name="dtree-lab answer")
    try:
        thread.start()
    except RuntimeError:  # a browser's Python has no threads, and so no limit
        work()
        return
    _wait(thread, seconds)
    with _hushed():
        # More than once: what lands in a destructor, or in an `except BaseException`, is lost.
        for _ in range(_ASKED):
            if not thread.is_alive() or thread.ident is None:
                break
            ask = ctypes.pythonapi.PyThreadState_SetAsyncExc
            ask(ctypes.c_ulong(thread.ident), ctypes.py_object(OutOfTimeError))
            thread.join(_GRACE)


def _wait(thread: threading.Thread, seconds: float) -> None:
    """Wait until the work is done, or its time is up."""
    spent = {False: 0.0, True: 0.0}  # without imports, and in them
    while thread.is_alive() and spent[False] < seconds and spent[True] < _LONGEST_IMPORT:
        before = time.monotonic()
        thread.join(min(_TICK, seconds - spent[False]))
        spent[_imports(thread)] += time.monotonic() - before


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

    def ignored(told: sys.UnraisableHookArgs) -> None:
        if not isinstance(told.exc_value, OutOfTimeError):
            unraisable(told)

    def ended(told: threading.ExceptHookArgs) -> None:
        if not isinstance(told.exc_value, OutOfTimeError):
            in_thread(told)

    sys.unraisablehook, threading.excepthook = ignored, ended
    try:
        yield
    finally:
        sys.unraisablehook, threading.excepthook = unraisable, in_thread
