"""Where in a learner's own code something went wrong."""

from __future__ import annotations

import linecache
import sysconfig
import traceback
from pathlib import Path

_MOST = 60

# Python's own code, what is installed, and ours: an error there has come from the line that called.
_FOLDERS = ("stdlib", "platstdlib", "purelib", "platlib")
_NOT_THEIRS = (
    "<frozen",
    str(Path(__file__).parents[1]),
    *(sysconfig.get_paths()[name] for name in _FOLDERS),
)


def own_line(error: BaseException) -> str:
    """The last line of the learner's own that an error came through; nothing where there is none.

    Examples
    --------
    >>> import os
    >>> try:
    ...     os.fspath(3)
    ... except TypeError as error:
    ...     own_line(error)
    'line 2, ``os.fspath(3)``'
    """
    found = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        code = "" if file.startswith(_NOT_THEIRS) else linecache.getline(file, line).strip()
        if code:
            code = code.replace("`", "'")
            shown = code if len(code) <= _MOST else f"{code[: _MOST - 1]}…"
            found = f"line {line}, ``{shown}``"
    return found
