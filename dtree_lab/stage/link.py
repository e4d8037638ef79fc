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

    async def start(self) -> None:
        """Start a kernel; one that is there is ended first."""
        await self.stop()
        lecture = self.lecture
        own = json.dumps(asdict(lecture.own)) if lecture.own else ""
        agreed = "" if lecture.needs_consent else lecture.digest
        words = [sys.executable, "-m", "dtree_lab.stage.kernel", str(lecture.file), own, agreed]
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *words, stdin=pipe, stdout=pipe, limit=_LINE
        )
        self._reader = asyncio.create_task(self._read(self._process))

    async def ask(self, what: dict[str, Any]) -> dict[str, Any]:
        """The kernel's answer; KernelGoneError when there is none, or it ends meanwhile."""
        process = self._process
        if process is None or process.stdin is None:
            raise KernelGoneError
        n = next(self._numbers)
        self._waiting[n] = asyncio.get_running_loop().create_future()
        try:
            process.stdin.write((json.dumps({**what, "n": n}) + "\n").encode())
            await process.stdin.drain()
            return await self._waiting[n]
        except (BrokenPipeError, ConnectionResetError) as error:
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
            waiting = self._waiting.get(told.get("answers") or 0)
            if waiting is not None and not waiting.done():
                waiting.set_result(told)
            elif "told" in told:
                self.heard(told)
        await process.wait()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(KernelGoneError())
        if self._process is process:
            self._process = None
            self.gone()
