"""Where a learner's process runs: in bubblewrap's namespaces, or, where there is none, beside us.

In the sandbox there is Python, what is installed for it and this library without its lessons, all
of it read-only; a small folder of its own in memory; and nothing else: no network, no other
process, no course folder, no home. What bubblewrap cannot give, limits do (:func:`runner.limited`)
and who watches (:mod:`watching`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dtree_lab.grading.syscalls import syscall_filter

_PACKAGE = Path(__file__).parents[1]
_SECRET = Path("course", "lessons")
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
_SETTINGS = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/alternatives", "/etc/fonts")
# Users that own nothing; one for each judge, so that only its own processes are counted.
_FIRST_USER, _USERS = 61_000, 3_000
_HOME = "/tmp"  # noqa: S108 - the sandbox's own, in memory
INSIDE = f"{_HOME}/answers"
Kind = Literal["bubblewrap", "none"]


@dataclass(frozen=True)
class Allowance:
    """What one submission may use.

    Attributes
    ----------
    memory
        Bytes for each of its processes; all of them may have half as much again.
    disk, files
        Bytes in its folder, and how many files there may be.
    processes
        How many processes and threads.
    cell
        Seconds for a cell.
    whole
        Seconds for all of it.
    """

    memory: int = 2 << 30
    disk: int = 64 << 20
    files: int = 5_000
    processes: int = 64
    cell: float = 20.0
    whole: float = 300.0

    @property
    def together(self) -> int:
        """Bytes for all of its processes."""
        return self.memory + self.memory // 2


def sandbox() -> Kind:
    """What there is to isolate a learner's process with: it is tried, not only looked for."""
    if shutil.which("bwrap") is None:
        return "none"
    python = [sys.executable, "-P", "-c", "import numpy"]
    with _bubblewrapped(python, Allowance(), ()) as (words, descriptors):
        tried = subprocess.run(  # noqa: S603 - a fixed command
            words, capture_output=True, check=False, timeout=60, pass_fds=descriptors
        )
    return "bubblewrap" if tried.returncode == 0 else "none"


@contextmanager
def started(
    kind: Kind, limits: Allowance, hidden: Sequence[Path] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    """A learner's process, which is ended, with all that it has started, when the block is left.

    It must be started by a thread that lives as long: bubblewrap ends with the thread.

    Parameters
    ----------
    kind
        What isolates it.
    limits
        What it may use.
    hidden
        Folders that it must not see, wherever they are.
    """
    with ExitStack() as stack:
        descriptors: tuple[int, ...] = ()
        if kind == "bubblewrap":
            own = _is_root() and _for_everybody()
            user, place = _FIRST_USER + os.getpid() % _USERS if own else 0, INSIDE
            words = _runner(limits, limits.processes, user, place)
            boxed = _bubblewrapped(words, limits, hidden)
            words, descriptors = stack.enter_context(boxed)
        else:
            folder = tempfile.TemporaryDirectory(prefix="dtree-lab-grading-")
            place = str(Path(stack.enter_context(folder), "answers"))
            # The user's other processes would be counted, too.
            words = _runner(limits, 0, 0, place)
        process = _begun(words, place, descriptors)
        try:
            yield process
        finally:
            end(process)


def end(process: subprocess.Popen[bytes], *, wait: bool = True) -> None:
    """End a learner's process and what it has started; from another thread without a wait."""
    if process.returncode is not None:
        return  # its number may be another's by now
    if os.name == "posix":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
    else:
        process.kill()
    if not wait:
        return
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(BrokenPipeError):
                stream.close()
    process.wait()


def _begun(words: Sequence[str], place: str, open_: Sequence[int]) -> subprocess.Popen[bytes]:
    home = str(Path(place).parent)
    settings = {
        "PATH": "/usr/bin:/bin",
        "HOME": home,
        "TMPDIR": home,
        "LANG": "C.UTF-8",
        "MPLBACKEND": "agg",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(_PACKAGE.parent),
        "TQDM_DISABLE": "1",
    }
    more: dict[str, Any] = {"start_new_session": True} if os.name == "posix" else {}
    return subprocess.Popen(  # noqa: S603 - our own words
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Who has the judge's own rights finds a file that is open here by way of /proc.
        stderr=subprocess.DEVNULL,
        env=settings,
        bufsize=0,
        pass_fds=open_,
        cwd=home if Path(home).is_dir() else None,
        **more,
    )


def _runner(limits: Allowance, processes: int, user: int, place: str) -> list[str]:
    most = int(limits.whole) + 30
    given = (limits.memory, most, processes, limits.disk, user, place)
    return [sys.executable, "-P", "-m", "dtree_lab.grading.runner", *map(str, given)]


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _for_everybody() -> bool:
    """Whether somebody without rights may read Python and this library."""
    places = (Path(sys.executable).resolve(), Path(np.__file__), Path(__file__))
    return all(place.stat().st_mode & 0o004 for place in places)


@contextmanager
def _bubblewrapped(
    words: Sequence[str], limits: Allowance, hidden: Sequence[Path]
) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """A command in bubblewrap, and what has to be open for it."""
    read, write = os.pipe()
    with os.fdopen(read, "rb"):
        with os.fdopen(write, "wb") as file:  # it fits into a pipe
            file.write(syscall_filter())
        filtered = ["--seccomp", str(read)] if syscall_filter() else []
        yield [*_bubblewrap(limits, hidden), *filtered, *words], (read,)


def _bubblewrap(limits: Allowance, hidden: Sequence[Path]) -> list[str]:  # noqa: C901 - a list
    words = ["bwrap", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    words += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--hostname", "grading"]
    if _is_root():  # to become nobody, which the runner does before anything else
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user"]
    words += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    words += ["--perms", "1777", "--size", str(limits.disk), "--tmpfs", _HOME]
    for path in _SYSTEM:
        target = Path(path)
        if target.is_symlink():
            words += ["--symlink", str(target.readlink()), path]
        elif target.is_dir():
            words += ["--ro-bind", path, path]
    for path in _SETTINGS:
        words += ["--ro-bind-try", path, path]
    shown = _shown()
    # What bubblewrap makes on the way to a folder is closed to all but its owner.
    above = {one for folder in shown for one in folder.parents if one != Path("/")}
    for folder in sorted(above - {Path(_HOME)}):
        words += ["--perms", "0755", "--dir", str(folder)]
    for folder in shown:
        words += ["--ro-bind", str(folder), str(folder)]
    for secret in (*_secrets(), *hidden):
        if any(secret.is_relative_to(one) for one in (*shown, Path("/usr"))):
            words += ["--perms", "0755", "--size", "4096", "--tmpfs", str(secret)]
    # Last: until here, places for all this are made in them, which have no limit of their own.
    return [*words, "--remount-ro", "/", "--chdir", _HOME]


def _secrets() -> set[Path]:
    """The lessons of this library, and of every other copy of it that may be seen."""
    found = {_PACKAGE / _SECRET}
    for folder in (*_shown(), Path("/usr"), Path("/usr/local")):
        found.update(folder.glob(f"lib/python3*/*-packages/{_PACKAGE.name}/{_SECRET}"))
    return found


def _shown() -> list[Path]:
    """The folders with Python and what is installed, none within another."""
    found = {Path(sys.prefix), Path(sys.base_prefix), _PACKAGE, Path(np.__file__).parents[1]}
    real = {folder.resolve() for folder in found} | {folder.absolute() for folder in found}
    real = {folder for folder in real if not folder.is_relative_to("/usr")}
    return sorted(one for one in real if not real.intersection(one.parents))
