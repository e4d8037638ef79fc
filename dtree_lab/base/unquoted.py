"""A guess that lacks its quotes gets a sentence instead of a traceback.

``guess = classification`` is the first thing that goes wrong for who has never programmed, and
Python's answer, a traceback, is the first that they see of it. In a notebook such a cell still
fails, with the same error for every program that runs it; only what is shown is one sentence. Every
other error, in the learner's code too, is shown as ever: the line must stand in the cell itself,
give a name a bare word, and be one where the lesson asks for words in quotes.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Callable
from typing import Any

_LINE = re.compile(r"\s*(?P<name>\w+)\s*=\s*(?P<given>\w[\w .-]*?)\s*(?:#(?P<asked>.*))?$")
_QUOTED = re.compile(r'"([^"]*)"')
# The mark of what has been put around IPython's own, so that it is put there once.
_MARK = "_tells_unquoted"


def advice(error: BaseException, line: str, cell: str = "") -> str:
    """What to say of a `cell` whose `line` has words without quotes; nothing for all else."""
    found = _LINE.match(line.rstrip())
    if not found or not isinstance(error, NameError | SyntaxError):
        return ""
    name, given, asked = found["name"], found["given"].rstrip("."), found["asked"]
    options = [option.casefold() for option in _QUOTED.findall(asked or "")]
    if isinstance(error, NameError):
        guessed = asked is None and f"reveal({name}" in "".join(cell.split())
        wanted = bool(options) or "in quotes" in (asked or "") or guessed
        if error.name != given or not wanted:
            return ""
    elif given.casefold() not in options:  # of several words Python cannot even read the line
        return ""
    write = f'{name} = "{given}"'
    return f"A word needs quotes, or Python takes it for the name of a variable: write {write}."


def watch(shell: Any) -> None:
    """Have the shell that ``get_ipython()`` gives, if any, show that sentence where it is due."""
    show: Callable[..., Any] | None = getattr(shell, "_showtraceback", None)
    if show is None or hasattr(show, _MARK):
        return

    def shown(kind: Any, error: Any, lines: list[str]) -> Any:
        try:
            said = advice(error, *_where(error))
        except Exception:  # noqa: BLE001 - an error that is shown must not become another one
            said = ""
        return show(kind, error, [said] if said else lines)

    setattr(shown, _MARK, True)
    shell._showtraceback = shown  # noqa: SLF001 - the one place that all errors come by


def _where(error: BaseException) -> tuple[str, str]:
    """The line where an error came up, and its cell; nothing if it is no cell's own line."""
    if isinstance(error, SyntaxError):
        place, number = error.filename or "", error.lineno or 0
    else:
        step = error.__traceback__
        while step is not None and step.tb_next is not None:
            step = step.tb_next
        if step is None or step.tb_frame.f_code.co_name != "<module>":
            return "", ""
        place, number = step.tb_frame.f_code.co_filename, step.tb_lineno
    return linecache.getline(place, number), "".join(linecache.getlines(place))
