"""Where a learner's process runs: in bubblewrap's namespaces, or, where there is none, beside us.

In the sandbox there is Python, what is installed for it and this library without its lessons, all
of it read-only; a small folder of its own in memory; and nothing else: no network, no other
process, no course folder, no home. What bubblewrap cannot give, limits do (:func:`runner.limited`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np

_PACKAGE = Path(__file__).parents[1]
_SECRETS = (_PACKAGE / "course" / "lessons",)
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin")
_SETTINGS = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/alternatives", "/etc/fonts")
# Users that own nothing; one for each judge, so that only its own processes are counted.
_FIRST_USER, _USERS = 61_000, 3_000
_INSIDE = "/tmp/work"  # noqa: S108 - a folder in the sandbox's own memory
Kind = Literal["bubblewrap", "none"]


@dataclass(frozen=True)
class Allowance:
    """What one submission may use.

    Attributes
    ----------
    memory
        Bytes for each of its processes.
    disk
        Bytes in its folder.
    processes
        How many processes and threads.
    cell
        Seconds for a cell.
    whole
        Seconds for all of it.
    """

    memory: int = 2 << 30
    disk: int = 64 << 20
    processes: int = 64
    cell: float = 20.0
    whole: float = 300.0


def sandbox() -> Kind:
    """What there is to isolate a learner's process with: it is tried, not only looked for."""
    if shutil.which("bwrap") is None:
        return "none"
    tried = subprocess.run(  # noqa: S603 - a fixed command
        [*_bubblewrap(Allowance(), ()), "/bin/true"], capture_output=True, check=False, timeout=30
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
    with tempfile.TemporaryDirectory(prefix="dtree-lab-grading-") as folder:
        own = kind == "bubblewrap" and _is_root() and _for_everybody()
        user = _FIRST_USER + os.getpid() % _USERS if own else 0
        place = _INSIDE if kind == "bubblewrap" else str(Path(folder, "work"))
        words = [sys.executable, "-P", "-m", "dtree_lab.grading.runner"]
        words += _limits_as_words(limits, user, place, counted=kind == "bubblewrap")
        before = _bubblewrap(limits, hidden) if kind == "bubblewrap" else []
        with Path(folder, "stderr").open("wb") as errors:
            process = _begun([*before, *words], place, errors)
            try:
                yield process
            finally:
                end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """End a learner's process and what it has started."""
    if os.name == "posix":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
    else:
        process.kill()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(BrokenPipeError):
                stream.close()
    process.wait()


def _begun(words: Sequence[str], place: str, errors: IO[bytes]) -> subprocess.Popen[bytes]:
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
        stderr=errors,
        env=settings,
        bufsize=0,
        cwd=home if Path(home).is_dir() else None,
        **more,
    )


def _limits_as_words(limits: Allowance, user: int, place: str, *, counted: bool) -> list[str]:
    # Outside of a sandbox the user's other processes would be counted, too.
    processes = limits.processes if counted else 0
    most = int(limits.whole) + 30
    return [*map(str, (limits.memory, most, processes, limits.disk, user)), place]


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _for_everybody() -> bool:
    """Whether somebody without rights may read Python and this library."""
    places = (Path(sys.executable).resolve(), Path(np.__file__), Path(__file__))
    return all(place.stat().st_mode & 0o004 for place in places)


def _bubblewrap(limits: Allowance, hidden: Sequence[Path]) -> list[str]:  # noqa: C901 - a list
    words = ["bwrap", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    words += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--hostname", "grading"]
    if _is_root():  # to become nobody, which the runner does before anything else
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user"]
    words += ["--proc", "/proc", "--dev", "/dev"]
    words += ["--perms", "1777", "--size", str(limits.disk), "--tmpfs", "/tmp"]  # noqa: S108
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
    for folder in sorted(above - {Path("/tmp")}):  # noqa: S108
        words += ["--perms", "0755", "--dir", str(folder)]
    for folder in shown:
        words += ["--ro-bind", str(folder), str(folder)]
    for secret in (*_SECRETS, *hidden):
        if any(secret.is_relative_to(one) for one in (*shown, Path("/usr"))):
            words += ["--perms", "0755", "--size", "4096", "--tmpfs", str(secret)]
    return [*words, "--chdir", "/tmp"]  # noqa: S108


def _shown() -> list[Path]:
    """The folders with Python and what is installed, none within another."""
    found = {Path(sys.prefix), Path(sys.base_prefix), _PACKAGE, Path(np.__file__).parents[1]}
    real = {folder.resolve() for folder in found} | {folder.absolute() for folder in found}
    real = {folder for folder in real if not folder.is_relative_to("/usr")}
    return sorted(one for one in real if not real.intersection(one.parents))
