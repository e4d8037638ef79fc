"""Whether a function is still as empty as it was handed out."""

from __future__ import annotations

import dis
from types import CodeType, FunctionType
from typing import Any


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
