"""How much a submission's processes hold together: limits of Linux hold for each by itself.

They are found as what descends from the sandbox, four times a second, in ``/proc``. What is not
there (another system, or a process that has just ended) counts for nothing.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

_EVERY = 0.25
_PROC = Path("/proc")
# Of memory that several processes share, each is said to have all (Rss) or its share (Pss).
_EACH = ("RssAnon:", "RssShmem:")
_SHARE = ("Pss_Anon:", "Pss_Shmem:")


class Watch(threading.Thread):
    """Tells when a process and all that it has started hold too much.

    `memory` is bytes of all of them together, `files` how many there may be in their folders, the
    `places`, as they see them. `tell` is called once, from another thread, with what it is too much
    of.
    """

    def __init__(
        self,
        process: int,
        memory: int,
        files: int,
        places: tuple[str, ...],
        tell: Callable[[str], None],
    ) -> None:
        super().__init__(daemon=True, name="dtree-lab watch")
        self._process, self._places, self._tell = process, places, tell
        self._memory, self._files = memory, files
        self._over = threading.Event()

    def run(self) -> None:
        """Look again and again."""
        while not self._over.wait(_EVERY):
            family = list(descendants(self._process))
            if memory_held(family, _EACH, "status") > self._memory:
                # What a fork shares with its parent is there once.
                share = memory_held(family, _SHARE, "smaps_rollup")
                if not share or share > self._memory:
                    self._tell("memory")
                    return
            if sum(files_in(family[-1], place) for place in self._places) > self._files:
                self._tell("files")
                return

    def stop(self) -> None:
        """Look no more."""
        self._over.set()


def descendants(process: int) -> Iterator[int]:
    """A process, what it has started, what that has, and so on."""
    left = [process]
    while left:
        one = left.pop(0)
        yield one
        for path in _texts(_PROC / str(one) / "task", "*/children"):
            left += map(int, path.split())


def memory_held(processes: list[int], words: tuple[str, ...], file: str) -> int:
    """The bytes that some processes hold, by the lines that begin so in a file of each."""
    kilobytes = 0
    for one in processes:
        for text in _texts(_PROC / str(one), file):
            lines = (line.split() for line in text.splitlines() if line.startswith(words))
            kilobytes += sum(int(line[1]) for line in lines)
    return kilobytes << 10


def files_in(process: int, place: str) -> int:
    """How many files there are in a folder's own file system, as a process sees it."""
    with suppress(OSError):
        found = os.statvfs(f"{_PROC}/{process}/root{place}")
        return found.f_files - found.f_ffree
    return 0


def _texts(folder: Path, pattern: str) -> Iterator[str]:
    with suppress(OSError):
        for path in folder.glob(pattern):
            with suppress(OSError):
                yield path.read_text(encoding="ascii", errors="replace")
