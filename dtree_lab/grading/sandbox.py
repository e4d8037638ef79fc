"""Where a learner's process runs: in bubblewrap's namespaces, or, where there is none, beside us.

In the sandbox there are programs and Python, what is installed for it and this library without its
lessons and graders, all of it read-only; two small folders in memory; and nothing else: no network,
no other process, no course folder, no home. What bubblewrap cannot give, limits do
(:func:`runner.limited`) and who watches (:mod:`watching`).
"""

from __future__ import annotations

import errno
import os
import platform
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

_PACKAGE = Path(__file__).parents[1]
# Of a folder that programs are installed in. What else is there may be anybody's: in
# /usr/local/share nbgrader's exchange is, with all submissions.
_NEEDED = (
    *("bin", "lib", "lib32", "lib64", "pyvenv.cfg"),
    *("share/fonts", "share/matplotlib", "share/zoneinfo"),
)
_PREFIXES = ("/usr", "/usr/local", sys.prefix, sys.base_prefix)
_SYSTEM = ("/lib", "/lib32", "/lib64", "/bin")
# Of this library, what no answer needs: exercises, lectures and what judges. What runs there does.
_NEEDLESS = ("course", "grading", "stage", "cli")
_RUNS = ("__init__.py", "plaindata.py", "runner.py")
_SETTINGS = ("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/alternatives", "/etc/fonts")
# Users that own nothing; one for each judge, so that only its own processes are counted.
_FIRST_USER, _USERS = 61_000, 3_000
_HOME = "/tmp"  # noqa: S108 - the sandbox's own, in memory
INSIDE = f"{_HOME}/answers"
# Where multiprocessing keeps its locks.
SHARED = "/dev/shm"  # noqa: S108 - the same
_MOST_SHARED = 1 << 20
Kind = Literal["bubblewrap", "none"]


@dataclass(frozen=True)
class Allowance:
    """What one submission may use."""

    memory: int = 2 << 30  # bytes for each of its processes
    disk: int = 64 << 20  # bytes in its folder
    files: int = 5_000
    processes: int = 64  # and threads
    cell: float = 20.0  # seconds for a cell
    whole: float = 300.0  # seconds for all of it

    @property
    def together(self) -> int:
        """Bytes for all of its processes: half as much again as for one."""
        return self.memory + self.memory // 2


@dataclass(frozen=True)
class Begun:
    """A learner's process, and the copy of it that waits."""

    process: subprocess.Popen[bytes]  # the first of what was started
    # For each of the two, where it hears and where it speaks, open in this process.
    pipes: tuple[tuple[int, int], tuple[int, int]]


@cache
def sandbox() -> Kind:
    """What there is to isolate a learner's process with: it is tried once, not only looked for."""
    if shutil.which("bwrap") is None:
        return "none"
    python = [sys.executable, "-P", "-c", "import numpy"]
    with _bubblewrapped(python, Allowance(), ()) as (words, descriptors):
        tried = subprocess.run(  # noqa: S603 - a fixed command
            words, capture_output=True, check=False, timeout=60, pass_fds=descriptors
        )
    return "bubblewrap" if tried.returncode == 0 else "none"


@contextmanager
def started(kind: Kind, limits: Allowance, hidden: Sequence[Path] = ()) -> Iterator[Begun]:
    """A learner's process, which is ended, with all that it has started, when the block is left.

    It must be started by a thread that lives as long: bubblewrap ends with the thread. `hidden` are
    folders that it must not see, wherever they are.
    """
    with ExitStack() as stack:
        descriptors: tuple[int, ...] = ()
        heard, tell = os.pipe()
        listen, said = os.pipe()
        for one in (tell, listen):
            stack.callback(os.close, one)
        with ExitStack() as until_begun:
            for one in (heard, said):
                until_begun.callback(os.close, one)
            if kind == "bubblewrap":
                own = os.geteuid() == 0 and _for_everybody()
                user, place = _FIRST_USER + os.getpid() % _USERS if own else 0, INSIDE
                words = _runner(limits, limits.processes, user, place, heard, said)
                boxed = _bubblewrapped(words, limits, hidden)
                words, descriptors = until_begun.enter_context(boxed)
            else:
                folder = tempfile.TemporaryDirectory(prefix="dtree-lab-grading-")
                place = str(Path(stack.enter_context(folder), "answers"))
                # The user's other processes would be counted, too.
                words = _runner(limits, 0, 0, place, heard, said)
            process = _begun(words, place, (heard, said, *descriptors))
        try:
            yield Begun(process, (_streams(process), (tell, listen)))
        finally:
            end(process)


def _streams(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    streams: Any = process.stdin, process.stdout
    return streams[0].fileno(), streams[1].fileno()


def end(process: subprocess.Popen[bytes], *, wait: bool = True) -> None:
    """End a learner's process and what it has started; from another thread without a wait."""
    if process.returncode is not None:
        return  # its number may be another's by now
    with suppress(ProcessLookupError):
        os.killpg(process.pid, 9)
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
        "PIP_NO_INDEX": "1",  # what cannot be reached is not to be waited for
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": str(_PACKAGE.parent),
        "TQDM_DISABLE": "1",
    }
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
        start_new_session=True,
    )


def _runner(  # noqa: PLR0913, PLR0917 - the words of a command
    limits: Allowance, processes: int, user: int, place: str, requests: int, replies: int
) -> list[str]:
    most = int(limits.whole) + 30
    given = (limits.memory, most, processes, limits.disk, user, place, requests, replies)
    return [sys.executable, "-P", "-m", "dtree_lab.grading.runner", *map(str, given)]


def _for_everybody() -> bool:
    """Whether somebody without rights may read Python and this library."""
    places = (Path(sys.executable).resolve(), Path(np.__file__), Path(__file__))
    return all(place.stat().st_mode & 0o004 for place in places)


@contextmanager
def _bubblewrapped(
    words: Sequence[str], limits: Allowance, hidden: Sequence[Path]
) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """A command in bubblewrap, and what has to be open for it."""
    with ExitStack() as stack:
        filtered = ["--seccomp", str(_pipe(stack, syscall_filter()))] if syscall_filter() else []
        said = "\0".join([*_bubblewrap(limits, hidden), *filtered]).encode(errors="surrogateescape")
        # Not in its own words, which whoever is inside can read.
        args = _pipe(stack, said)
        open_ = (args, *map(int, filtered[1:]))
        yield ["bwrap", "--args", str(args), *words], open_


def _pipe(stack: ExitStack, data: bytes) -> int:
    """Where some data can be read, as long as a stack is open; they fit into a pipe."""
    read, write = os.pipe()
    stack.callback(os.close, read)
    with os.fdopen(write, "wb") as file:
        file.write(data)
    return read


def _bubblewrap(limits: Allowance, hidden: Sequence[Path]) -> list[str]:
    words = ["--die-with-parent", "--new-session", "--cap-drop", "ALL"]
    words += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]
    words += ["--unshare-cgroup-try", "--hostname", "grading"]
    if os.geteuid() == 0:  # to become nobody, which the runner does before anything else
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user"]
    words += ["--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev"]
    for place, most in ((SHARED, _MOST_SHARED), (_HOME, limits.disk)):
        words += ["--perms", "1777", "--size", str(most), "--tmpfs", place]
    shown = _shown()
    # What bubblewrap makes on the way to a folder is closed to all but its owner.
    above = {one for path in shown for one in path.parents if one != Path("/")}
    for folder in sorted(above - {Path(_HOME)}):
        words += ["--perms", "0755", "--dir", str(folder)]
    for path in shown:
        link = path.is_symlink()
        words += ["--symlink" if link else "--ro-bind", str(path.readlink() if link else path)]
        words += [str(path)]
    for name in _SETTINGS:
        words += ["--ro-bind-try", name, name]
    for secret in (*secrets(), *hidden):
        if any(secret.is_relative_to(one) for one in shown):
            words += _emptied(secret)
    # Last: until here, places for all this are made in them, which have no limit of their own.
    return [*words, "--remount-ro", "/", "--chdir", _HOME]


def _emptied(folder: Path) -> list[str]:
    words = ["--perms", "0755", "--size", "4096", "--tmpfs", str(folder)]
    for file in (folder / name for name in _RUNS if folder == _PACKAGE / "grading"):
        words += ["--ro-bind", str(file), str(file)]
    return [*words, "--remount-ro", str(folder)]


@lru_cache(maxsize=1)  # it has to look at every folder that is shown
def secrets() -> tuple[Path, ...]:
    """What nobody is to see of this library, and of every other copy of it that is shown."""
    copies = {_PACKAGE}
    for shown in _shown():
        for top, folders, _ in os.walk(shown):
            if _PACKAGE.name in folders and Path(top, _PACKAGE.name, "course", "lessons").is_dir():
                copies.add(Path(top, _PACKAGE.name))
            if top.endswith("-packages"):  # what is below has other names
                folders.clear()
    found = (copy / name for copy in sorted(copies) for name in _NEEDLESS)
    return tuple(one for one in found if one.is_dir())


@lru_cache(maxsize=1)
def _shown() -> tuple[Path, ...]:
    """The folders with programs, Python and what is installed, none within another."""
    prefixes = {Path(name) for name in _PREFIXES}
    prefixes |= {folder.resolve() for folder in prefixes}
    found = {prefix / name for prefix in prefixes for name in _NEEDED} | set(map(Path, _SYSTEM))
    for folder in (_PACKAGE, Path(np.__file__).parents[1]):
        found |= {folder, folder.resolve()}
    there = {one for one in found if one.exists() or one.is_symlink()}
    whole = {one for one in there if not one.is_symlink()}
    return tuple(sorted(one for one in there if not whole.intersection(one.parents)))


# -- what a learner's process may not ask of Linux -------------------------------------------------

# By machine: how the kernel calls it, and the numbers of what is refused. Nobody needs these for an
# answer. Some hold memory that no limit counts (``memfd_create``, System V's shared memory); some
# make namespaces of their own, in which one is root again, or mount in them; the others have had
# most of the kernel's holes. All others are allowed that were there when this was written.
_ALIKE = (425, 428, 429, 430, 431, 432, 433, 442, 447)
_REFUSED = {
    # memfd_create, shmget, msgget, semget, mq_open, add_key, request_key, keyctl, unshare, setns,
    # mount, umount2, pivot_root, chroot, ptrace, process_vm_readv, process_vm_writev, bpf,
    # perf_event_open, userfaultfd, open_by_handle_at, kexec_load; and, with the same number
    # everywhere, io_uring_setup, open_tree, move_mount, fsopen, fsconfig, fsmount, fspick,
    # mount_setattr, memfd_secret.
    "x86_64": (
        *(0xC000003E, 319, 29, 68, 64, 240, 248, 249, 250, 272, 308, 165, 166, 155, 161, 101),
        *(310, 311, 321, 298, 323, 304, 246, *_ALIKE),
    ),
    "aarch64": (
        *(0xC00000B7, 279, 194, 186, 190, 180, 217, 218, 219, 97, 268, 40, 39, 41, 51, 117),
        *(270, 271, 280, 241, 282, 265, 104, *_ALIKE),
    ),
}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435  # tells by a pointer what it wants, which a filter cannot read; libraries do without
_NAMESPACES = 0x7E02_0080  # CLONE_NEW…
# From here on nothing is known: newer calls, without which every library does, and those of x86's
# programs with short pointers.
_UNKNOWN = 451
# Sockets between processes and, into a network that is empty, of the Internet. No others: AF_VSOCK
# leads out of a virtual machine whatever its network, AF_NETLINK to much of the kernel.
_SOCKET = {"x86_64": 41, "aarch64": 198}
_FAMILIES = (1, 2, 10)

# The words of the filter's language (linux/bpf_common.h, linux/seccomp.h).
_LOAD, _EQUAL, _ATLEAST, _ANY, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _FIRST = 0, 4, 16  # where each stands in what the filter looks at
_ALLOW, _REFUSE = 0x7FFF_0000, 0x0005_0000


def syscall_filter(machine: str = "") -> bytes:
    """A filter in the kernel's own form, by ``platform.machine()``; nothing for one not known."""
    machine = machine or platform.machine()
    if machine not in _REFUSED:
        return b""
    called, *numbers = _REFUSED[machine]
    no, not_there = _REFUSE | errno.EPERM, _REFUSE | errno.ENOSYS
    families = [_word(_EQUAL, one, len(_FAMILIES) - i, 0) for i, one in enumerate(_FAMILIES)]
    words = [
        _word(_LOAD, _MACHINE),
        _word(_EQUAL, called, 1, 0),
        _word(_RETURN, no),
        _word(_LOAD, _NUMBER),
        _word(_ATLEAST, _UNKNOWN, 0, 1),
        _word(_RETURN, not_there),
        _word(_EQUAL, _CLONE3, 0, 1),
        _word(_RETURN, not_there),
    ]
    for number in numbers:
        words += [_word(_EQUAL, number, 0, 1), _word(_RETURN, no)]
    words += [
        _word(_EQUAL, _SOCKET[machine], 0, len(families) + 3),
        _word(_LOAD, _FIRST),
        *families,
        _word(_RETURN, _REFUSE | errno.EAFNOSUPPORT),
        _word(_RETURN, _ALLOW),
        _word(_EQUAL, _CLONE[machine], 0, 3),
        _word(_LOAD, _FIRST),
        _word(_ANY, _NAMESPACES, 0, 1),
        _word(_RETURN, no),
        _word(_RETURN, _ALLOW),
    ]
    return b"".join(words)


def _word(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)
