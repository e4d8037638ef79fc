"""A learner's function is called so that nothing it does can break the notebook.

The call runs in a thread of its own, because that is the one time limit that works in a kernel's
main thread and on every system. What it prints and warns is caught; what it returns is turned
into a plain :class:`Outcome` in that same thread, so that even an object whose methods hang can
do no harm. A thread cannot be killed: one that is out of time is asked to stop, which ends any
Python loop. A single endless call into C (``sum(range(10**13))``) holds the interpreter and is
beyond this; only a process of its own can stop that, which is what graders use.
"""

from __future__ import annotations

import copy
import ctypes
import io
import numbers
import sys
import threading
import warnings
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from dtree_lab.course.plain import NotPlainError, plain
from dtree_lab.shown import number, plural
from dtree_lab.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Kind = Literal[
    "number", "text", "truth", "nothing", "values", "tree", "other", "raised", "hung", "refused"
]

SECONDS = 2.0
_MOST_TEXT = 200
_MOST_PRINTED = 2_000
_MOST_WRITTEN = 60
_ASKED = 5
_GRACE = 0.1


@dataclass(frozen=True)
class Outcome:
    """What came of a call, as plain values.

    Attributes
    ----------
    kind
        What sort of thing came back; ``"raised"`` and ``"hung"`` when nothing did; ``"refused"``
        when the answer could not be tried at all, with the whole line in `says`.
    value
        The number, text or truth value; a list, tuple, array, set or dict as
        :func:`~dtree_lab.course.plain.plain` makes it; the tree; what was done in a lab; else
        None.
    says
        The same in words, short, for a line of feedback.
    printed, warned
        What was printed, and the first warning.
    """

    kind: Kind
    value: Any = None
    says: str = ""
    printed: str = ""
    warned: str = ""


def call(
    function: Callable[..., Any], args: tuple[Any, ...] = (), seconds: float = SECONDS
) -> Outcome:
    """Call a function with copies of some arguments, for at most some seconds.

    Examples
    --------
    >>> call(max, ([3, 7],))
    Outcome(kind='number', value=7.0, says='7', printed='', warned='')
    >>> call(lambda: 1 / 0).says
    'ZeroDivisionError: division by zero'
    """
    found: list[Outcome] = []

    def work() -> None:
        try:
            found.append(describe(function(*copy.deepcopy(args))))
        except BaseException as error:  # noqa: BLE001 - sys.exit in an answer must not end the kernel
            found.append(_raised(error))

    printed = _Limited()
    with ExitStack() as stack:
        stack.enter_context(redirect_stdout(printed))
        stack.enter_context(redirect_stderr(printed))
        caught = stack.enter_context(warnings.catch_warnings(record=True))
        warnings.simplefilter("default")
        _within(seconds, work)
    hung = Outcome("hung", says=f"did not finish within {number(seconds)} seconds")
    warned = short(str(caught[0].message)) if caught else ""
    return replace(found[0] if found else hung, printed=printed.getvalue(), warned=warned)


def _within(seconds: float, work: Callable[[], None]) -> None:
    thread = threading.Thread(target=work, daemon=True, name="dtree-lab answer")
    try:
        thread.start()
    except RuntimeError:  # a browser's Python has no threads, and so no limit
        work()
        return
    thread.join(seconds)
    with _hushed():
        # More than once: what lands in a destructor, or in an `except BaseException`, is lost.
        for _ in range(_ASKED):
            if not thread.is_alive() or thread.ident is None:
                break
            ask = ctypes.pythonapi.PyThreadState_SetAsyncExc
            ask(ctypes.c_ulong(thread.ident), ctypes.py_object(_OutOfTimeError))
            thread.join(_GRACE)


@contextmanager
def _hushed() -> Iterator[None]:
    """Say nothing of the asking itself; every other lost error is told as ever."""
    unraisable, in_thread = sys.unraisablehook, threading.excepthook

    def ignored(told: sys.UnraisableHookArgs) -> None:
        if not isinstance(told.exc_value, _OutOfTimeError):
            unraisable(told)

    def ended(told: threading.ExceptHookArgs) -> None:
        if not isinstance(told.exc_value, _OutOfTimeError):
            in_thread(told)

    sys.unraisablehook, threading.excepthook = ignored, ended
    try:
        yield
    finally:
        sys.unraisablehook, threading.excepthook = unraisable, in_thread


class _OutOfTimeError(BaseException):
    """What ends a loop in an answer that is out of time."""


class _Limited(io.StringIO):
    """What keeps the first lines and forgets the rest: endless printing must not fill memory."""

    def write(self, text: str) -> int:
        room = _MOST_PRINTED - self.tell()
        if room > 0:
            super().write(text[:room])
        return len(text)


def _raised(error: BaseException) -> Outcome:
    name = type(error).__name__
    if isinstance(error, _OutOfTimeError):
        return Outcome("hung", says=f"did not finish within {number(SECONDS)} seconds")
    try:
        said = short(str(error))
    except BaseException:  # noqa: BLE001 - an error that cannot even say what it is
        said = ""
    return Outcome("raised", value=name, says=f"{name}: {said}" if said else name)


def describe(value: Any) -> Outcome:
    """A value as an outcome; what an exercise has no use for is only described.

    Examples
    --------
    >>> describe(float("nan")).says
    'NaN (not a number)'
    >>> describe([0.5, 0.25]).says
    '[0.5, 0.25]'
    """
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    if value is None or value is ...:
        return Outcome("nothing", says="nothing")
    if isinstance(value, bool):
        return Outcome("truth", value, str(value))
    if isinstance(value, numbers.Real):
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
        found = plain(value)
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


def _number(value: numbers.Real) -> Outcome:
    try:
        x = float(value) + 0.0  # no negative zero
    except OverflowError:
        return Outcome("other", says="a number too large to compare")
    if np.isnan(x):
        return Outcome("number", x, "NaN (not a number)")
    whole = isinstance(value, int) or np.isinf(x) or x == round(x)
    return Outcome("number", x, number(x) if whole else f"{x:.4g}")


def short(text: str) -> str:
    """Text on one line, cut where it gets long."""
    line = " ".join(text[: 2 * _MOST_TEXT].split())
    return line if len(line) <= _MOST_TEXT else line[: _MOST_TEXT - 1] + "…"
