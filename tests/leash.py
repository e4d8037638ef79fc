"""Run a program that ends when the tests do: ``python leash.py PROGRAM WORD …``.

A suite that is killed cannot end what it started. But its end of a pipe is closed all the same, and
that is noticed here: what stands on standard input is nothing, until then.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any


def leashed(command: Sequence[str | os.PathLike[str]], **given: Any) -> subprocess.Popen[Any]:
    """Start a program, in a group of its own, that does not outlive this process."""
    words = [sys.executable, "-S", "-E", __file__, *map(str, command)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, start_new_session=True, **given)


def main() -> int:
    """Run the program, and end with it, or with whoever holds the other end of standard input."""
    program = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)
    signal.signal(signal.SIGTERM, lambda *_: program.terminate())
    signal.signal(signal.SIGINT, lambda *_: program.send_signal(signal.SIGINT))
    threading.Thread(target=_end_with_input, args=(program,), daemon=True).start()
    return program.wait()


def _end_with_input(program: subprocess.Popen[bytes]) -> None:
    while os.read(0, 1024):
        pass
    if hasattr(os, "killpg"):
        os.killpg(0, signal.SIGKILL)
    program.kill()


if __name__ == "__main__":
    sys.exit(main())
