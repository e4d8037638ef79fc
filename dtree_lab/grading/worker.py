"""Work that may end its process, done by a process of its own: a judge for each submission.

A host, which has loaded everything and judges nothing, forks a worker for each piece of work: that
takes milliseconds. The worker's memory and processor are limited; the host ends it when its time is
up, and when whoever asked is gone. What ends a worker is told, and ends nobody else.
"""

from __future__ import annotations

import atexit
import json
import os
import pickle
import select
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from dtree_lab.grading.watching import descendants

# A judge has some 50 MB, and works for a second or two.
_MEMORY, _MOST_TEXT = 2 << 30, 64 << 20
_CLOSE = 10.0


class EndedError(Exception):
    """A worker was ended, or has ended itself; the message says by what."""


def _nothing(*_: Any) -> None: ...


def apart(
    work: Callable[..., str],
    given: tuple[Any, ...],
    seconds: float,
    processor: int,
    before: Callable[..., object] = _nothing,
) -> str:
    """The text that some work comes to, in a process of its own.

    `work` is a function of a module. It may take some seconds, and some of the processor's time.
    `before` is one that takes the same: what it has loaded in the host, workers have.
    """
    with _lock:
        host = _idle.pop() if _idle else None
    host = host or _Host()
    try:
        told = host.reply_to((before, work, given, seconds, processor))
    except BaseException:  # Ctrl-C, or the host itself is gone
        host.close()
        raise
    with _lock:
        _idle.append(host)
    if "ended" in told:
        raise EndedError(told["ended"])
    return str(told["text"])


def end_hosts() -> None:
    """End the hosts that wait for work."""
    with _lock:
        hosts = _idle[:]
        _idle.clear()
    for host in hosts:
        host.close()


class _Host:
    """The end of a host's pipe where it is asked."""

    def __init__(self) -> None:
        paths = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
        one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # threads would not be forked
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "dtree_lab.grading.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | one | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
            start_new_session=True,  # Ctrl-C is for who asks
        )

    def reply_to(self, what: Any) -> dict[str, Any]:
        to, heard = self._process.stdin, self._process.stdout
        if to is None or heard is None:
            raise EndedError("there is no host")
        try:
            pickle.dump(what, to)
            to.flush()
            line = heard.readline()
        except BrokenPipeError:
            line = b""
        if not line:
            raise EndedError("the process that starts judges is gone: out of memory?")
        return dict(json.loads(line))

    def close(self) -> None:
        """End it, and what it is at."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        try:
            self._process.wait(_CLOSE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_lock = threading.Lock()
_idle: list[_Host] = []
atexit.register(end_hosts)


# -- in the host -----------------------------------------------------------------------------------


def _worked(
    asker: int, work: Callable[..., str], given: tuple[Any, ...], seconds: float, processor: int
) -> dict[str, str]:
    """Fork a worker, and wait for it."""
    read, write = os.pipe()
    worker = os.fork()
    if not worker:
        os.close(read)
        _work(write, work, given, processor)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        data, why = _read_until(pipe.fileno(), asker, time.monotonic() + seconds)
    if why:
        for process in [*descendants(worker)][::-1]:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    if not why and status == 0 and data:
        return {"text": data.decode()}
    if status == -signal.SIGXCPU:
        why = f"it took {processor} seconds of the processor's time"
    said = f"signal {-status}" if status < 0 else f"a way that is none (exit {status})"
    return {"ended": why or said}


def _read_until(pipe: int, asker: int, until: float) -> tuple[bytes, str]:
    """What comes through a pipe, and why no more of it is waited for."""
    poll = select.poll()
    poll.register(pipe, select.POLLIN)
    poll.register(asker, 0)  # its end is always told
    data = bytearray()
    while (left := until - time.monotonic()) > 0:
        ready = dict(poll.poll(1_000 * left))
        if asker in ready:
            return b"", "nobody waits for it any more"
        if pipe in ready:
            some = os.read(pipe, 1 << 18)
            data += some
            if not some:
                return bytes(data), ""
            if len(data) > _MOST_TEXT:
                return b"", "it has too much to say"
    return b"", "it was not done within its time"


def _work(to: int, work: Callable[..., str], given: tuple[Any, ...], processor: int) -> None:
    """Do the work, as a worker, and end."""
    status = 1
    try:
        _limited(processor)
        with os.fdopen(to, "wb") as pipe:
            pipe.write(work(*given).encode())
        status = 0
    except BaseException:  # noqa: BLE001 - the host's own loop must not go on here
        traceback.print_exc()
    os._exit(status)


def _limited(processor: int) -> None:
    import resource  # noqa: PLC0415 - there is none on Windows

    for what, most in ((resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CPU, processor)):
        hard = resource.getrlimit(what)[1]  # a learner's process has limits of its own
        with suppress(ValueError, OSError):  # macOS knows some only by name
            resource.setrlimit(what, (most if hard < 0 else min(most, hard), hard))


def main() -> None:
    """Serve until nobody asks any more."""
    asker, answers = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    with os.fdopen(asker, "rb") as heard, os.fdopen(answers, "w", encoding="ascii") as said:
        while True:
            try:
                asked = pickle.load(heard)  # noqa: S301 - of who has started it
            except EOFError:
                return
            before, work, given, seconds, processor = asked
            before(*given)
            told = _worked(asker, work, given, seconds, processor)
            try:
                print(json.dumps(told), file=said, flush=True)
            except BrokenPipeError:
                os._exit(0)


if __name__ == "__main__":
    main()
