"""What an answer shows from outside: whether it is empty, what it prints, and where it stopped."""

from __future__ import annotations

import dis
import io
import linecache
import traceback
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

_MOST_PRINTED, _MOST_LINE = 2_000, 60


def is_stub(function: object) -> bool:
    """Whether a function's body is still empty: ``...``, ``pass``, a docstring, comments.

    >>> is_stub(lambda labels: None), is_stub(lambda labels: print(labels))
    (True, False)
    """
    # Not isinstance: a strange object may answer for its class, or raise when asked.
    return type(function) is FunctionType and _steps(function.__code__) == _EMPTY


def _steps(code: CodeType) -> list[tuple[str, Any]]:
    """What a function does, from its bytecode (there may be no source), without what is idle."""
    idle = ("RESUME", "NOP", "CACHE")
    return [(s.opname, s.argval) for s in dis.get_instructions(code) if s.opname not in idle]


def _empty() -> None: ...


_EMPTY = _steps(_empty.__code__)


class FirstLines(io.StringIO):
    """What keeps the first lines and forgets the rest: endless printing must not fill memory."""

    def write(self, text: str) -> int:
        """Keep what there is room for."""
        room = _MOST_PRINTED - self.tell()
        if room > 0:
            super().write(text[:room])
        return len(text)


def last_line(error: BaseException, is_own: Callable[[str], bool]) -> str:
    """The last line of somebody's own files that an error came through; nothing without one."""
    found = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        code = linecache.getline(file, line).strip().replace("`", "'") if is_own(file) else ""
        if code:
            shown = code if len(code) <= _MOST_LINE else f"{code[: _MOST_LINE - 1]}…"
            found = f"line {line}, ``{shown}``"
    return found
