"""The server's end of a kernel: starts it, asks it, and notices at once when it is gone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from itertools import count
from typing import Any

from dtree_lab.stage.lecture import Lecture

_LINE = 2**26
_COMMAND = (sys.executable, "-m", "dtree_lab.stage.kernel")
_BEGUN = 0  # the number of what nobody has asked for: that it has begun
BEGINNING = 60.0  # seconds for a process to begin


class KernelGoneError(RuntimeError):
    """There is no kernel, or it ended before it answered."""


class KernelLink:
    """A kernel in a process of its own."""

    heard: Callable[[dict[str, Any]], None]  # called with what it tells without having been asked
    gone: Callable[[], None]  # called when it has ended without having been told to

    def __init__(self, lecture: Lecture) -> None:
        self.lecture = lecture
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._numbers = count(1)

    @property
    def pid(self) -> int | None:
        """The process's number, while it runs."""
        return self._process.pid if self._process else None

    async def start(self, *words: str) -> None:
        """Start a kernel, and end one that is there; KernelGoneError where none begins.

        With the word ``aside`` it leaves the processor to others. It is given the lecture as it was
        read: the file may have changed since then.
        """
        await self.stop()
        lecture, pipe = self.lecture, asyncio.subprocess.PIPE
        begun = self._waiting[_BEGUN] = asyncio.get_running_loop().create_future()
        self._process = process = await asyncio.create_subprocess_exec(
            *_COMMAND, *words, stdin=pipe, stdout=pipe, limit=_LINE
        )
        self._reader = asyncio.create_task(self._read(process))
        given = {
            "text": lecture.text,
            "file": str(lecture.file),
            "own": lecture.own and asdict(lecture.own),
            "agreed": not lecture.needs_consent,
        }
        try:
            _write(process, given)
            async with asyncio.timeout(BEGINNING):
                await begun
        except (OSError, TimeoutError) as error:
            await self.stop()
            raise KernelGoneError from error
        finally:
            self._waiting.pop(_BEGUN, None)

    async def ask(self, what: dict[str, Any]) -> dict[str, Any]:
        """The kernel's answer; KernelGoneError when there is none, or it ends meanwhile."""
        process = self._process
        if process is None:
            raise KernelGoneError
        n = next(self._numbers)
        self._waiting[n] = asyncio.get_running_loop().create_future()
        try:
            _write(process, {**what, "n": n})
            return await self._waiting[n]
        except OSError as error:
            raise KernelGoneError from error
        finally:
            self._waiting.pop(n, None)

    async def stop(self) -> None:
        """End the kernel, however busy it is."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        if self._reader:
            await self._reader

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        while process.stdout and (line := await process.stdout.readline()):
            told = json.loads(line)
            waiting = self._waiting.get(told.get("answers") or _BEGUN)
            if waiting is not None and not waiting.done():
                waiting.set_result(told)
            elif "view" in told:
                self.heard(told)
        await process.wait()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(KernelGoneError())
        if self._process is process:
            self._process = None
            if _BEGUN not in self._waiting:
                self.gone()


def _write(process: asyncio.subprocess.Process, what: dict[str, Any]) -> None:
    """Send it a line."""
    if process.stdin:
        process.stdin.write((json.dumps(what) + "\n").encode())
