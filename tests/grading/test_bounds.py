"""What holds a submission's processes together, and what the judge says when they go beyond."""

from __future__ import annotations

import ctypes
import errno
import os
import subprocess
import time
from pathlib import Path

import pytest
from grading.attacks import ASKS
from grading.kinds import ENTROPY, right
from grading.test_judging import isolated, judged, notes_of  # noqa: F401 - a fixture

from dtree_lab.grading import judge
from dtree_lab.grading.remote import OVER, TOO_MUCH, LearnersProcess, LostError
from dtree_lab.grading.sandbox import SHARED as SHM
from dtree_lab.grading.sandbox import Allowance, syscall_filter
from dtree_lab.grading.watching import descendants

SMALL = Allowance(memory=400 << 20)


@pytest.fixture
def process(isolated):  # noqa: F811
    """Makes processes in the sandbox, which are ended; none where there is no sandbox."""
    made = []

    def begin(limits=SMALL):
        made.append(LearnersProcess(isolated, limits, (), lambda *_: None))
        return made[-1]

    yield begin if isolated == "bubblewrap" else None
    for one in made:
        one.close()


FORKS = """
import mmap, os, time
{before}
for _ in range(6):
    if os.fork() == 0:
        {each}
        time.sleep(30)
        os._exit(0)
time.sleep({wait})
done = True
"""
PRIVATE = "held = bytearray(160 << 20); held[::4096] = bytes(160 << 8)"
SHARED = "held = mmap.mmap(-1, 160 << 20); [held.write(bytes(1 << 20)) for _ in range(160)]"


@pytest.mark.parametrize(
    "each",
    [
        pytest.param(PRIVATE, id="private"),
        pytest.param(SHARED, id="shared", marks=pytest.mark.thorough),
    ],
)
def test_processes_that_hold_too_much_together_are_ended(process, each):
    if process is None:
        return
    one = process()
    with pytest.raises(LostError, match=TOO_MUCH["memory"]):
        one.cell(FORKS.format(before="", each=each, wait=20), 20)
    assert list(descendants(one._process.pid)) == [one._process.pid]


def test_what_forks_share_is_there_once(process):
    if process is None:
        return
    one = process()
    text = FORKS.format(before="held = bytearray(b'x') * (160 << 20)", each="pass", wait=1.5)
    assert one.cell(text, 10).error == ""
    assert one.value("done") is True
    assert one.family() == 4 + 6


def test_too_many_files_end_it(process):
    if process is None:
        return
    one = process()
    with pytest.raises(LostError, match=TOO_MUCH["files"]):
        one.cell("import time\nfor i in range(6000): open(str(i), 'x').close()\ntime.sleep(5)", 8)
    other = process()
    assert other.cell("for i in range(3000): open(str(i), 'x').close()", 8).error == ""


def test_who_asks_without_end_is_ended(process):
    """Nobody ever has to wait for the next question, and the answers are read, too."""
    if process is None:
        return
    one = process()
    begun = time.monotonic()
    with pytest.raises(LostError, match="did not end within its time"):
        one.cell(ASKS, 1.0)
    assert time.monotonic() - begun < 15


# What Linux may not be asked for, by the names that its library has for it.
REFUSED = {
    "memfd_create": '(b"x", 0)',
    "shmget": "(0, 4096, 0o1600)",
    "msgget": "(0, 0o1600)",
    "semget": "(0, 1, 0o1600)",
    "unshare": "(0x10000000)",
    "setns": "(0, 0)",
    "mount": '(b"x", b"/tmp", b"tmpfs", 0, 0)',
    "umount2": '(b"/tmp", 0)',
    "chroot": '(b"/tmp")',
    "ptrace": "(0, 0, 0, 0)",
    "process_vm_readv": "(1, 0, 0, 0, 0, 0)",
    "process_vm_writev": "(1, 0, 0, 0, 0, 0)",
    "mq_open": '(b"/x", 0o100, 0o600, 0)',
    "open_by_handle_at": "(0, 0, 0)",
}


def test_the_kernel_is_not_asked_for_what_no_answer_needs(process):
    if process is None or not syscall_filter():
        return
    one = process()
    calls = ", ".join(f"{name!r}: lambda: libc.{name}{given}" for name, given in REFUSED.items())
    text = f"""
import ctypes, errno, os, subprocess, threading
libc = ctypes.CDLL(None, use_errno=True)
said = {{}}
for name, ask in {{{calls}}}.items():
    said[name] = errno.errorcode[ctypes.get_errno()] if ask() < 0 else "allowed"
# What answers may need goes on: threads, processes, pipes.
threads = [threading.Thread(target=lambda: None) for _ in range(3)]
[one.start() for one in threads]
program = subprocess.run(["echo", "here"], capture_output=True).stdout
"""
    assert one.cell(text, 10).error == ""
    assert one.value("said") == dict.fromkeys(REFUSED, "EPERM")
    assert one.value("program.decode()") == "here\n"
    # The same calls fail here for what they are given, or do not: they are not refused as such.
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.msgget(0, 0o1600) >= 0


FAMILIES = """
import errno, socket
def opened(family, kind):
    try:
        socket.socket(family, kind).close()
        return "opened"
    except OSError as error:
        return errno.errorcode[error.errno]
said = {family: opened(family, kind) for family, kind in ASKED}
libc = __import__("ctypes").CDLL(None, use_errno=True)
import ctypes
newest = {number: (libc.syscall(number, 0, 0, 0, 0), ctypes.get_errno()) for number in (451, 999)}
"""


def test_sockets_lead_nowhere_else_and_unknown_calls_are_not_there(process):
    if process is None or not syscall_filter():
        return
    one = process()
    asked = ((1, 1), (2, 1), (10, 2), (16, 3), (17, 3), (40, 1), (38, 5))
    assert one.cell(FAMILIES.replace("ASKED", str(asked)), 10).error == ""
    said = one.value("said")
    # Unix, and two of the Internet; netlink, packets, vsock and the kernel's ciphers are refused.
    assert [said[family] for family in (16, 17, 40, 38)] == ["EAFNOSUPPORT"] * 4
    assert said[1] == said[2] == "opened"
    assert one.value("newest") == dict.fromkeys((451, 999), (-1, errno.ENOSYS))


def test_a_machine_that_is_not_known_has_no_filter():
    assert syscall_filter("vax") == b""
    for machine in ("x86_64", "aarch64"):
        assert len(syscall_filter(machine)) % 8 == 0
        assert 0 < len(syscall_filter(machine)) < 4_096  # fits into a pipe whatever the system


def test_only_one_folder_can_be_written_to(process):
    if process is None:
        return
    one = process()
    text = """
import os
wrote = []
for top, folders, _ in os.walk("/"):
    folders[:] = [one for one in folders if os.path.join(top, one) not in ("/proc", "/usr")]
    try:
        open(os.path.join(top, "x"), "x").close()
        wrote.append(top)
    except OSError:
        pass
"""
    assert one.cell(text, 20).error == ""
    wrote = {place for place in one.value("wrote") if place.split("/")[1] != "tmp"}
    assert wrote == {SHM}
    # Root, who becomes nobody there, could not write anyway: this holds for whoever grades.
    text = """
mounts = [line.split() for line in open("/proc/self/mounts")]
options = {line[1]: line[3].split(",")[0] for line in mounts}
"""
    assert one.cell(text, 10).error == ""
    options = one.value("options")
    assert {options[place] for place in ("/", "/dev", "/usr/lib")} == {"ro"}
    # Nor is a file of the grader's own open there: who has the same rights could write to it.
    fds = Path(f"/proc/{one._process.pid}/fd").iterdir()
    streams = {str(path.readlink()) for path in fds}
    assert not [path for path in streams if path.startswith("/") and path != "/dev/null"]


SLOW = "import time\ndef {0}(*_):\n    time.sleep(1.5)\n    return 1"


def test_when_the_time_of_all_is_up_what_is_left_is_flagged(course, sheet, isolated, monkeypatch):  # noqa: F811
    monkeypatch.setattr("grading.test_judging.LIMITS", Allowance(cell=4.0, whole=6.0))
    slow = {name: SLOW.format(name) for name in ("majority", "entropy")}
    begun = time.monotonic()
    record = judged(sheet, course, isolated, right(follow=SLOW.format("who_cheats"), **slow))
    assert time.monotonic() - begun < 30
    assert record.status == "flagged"
    lost = [mark for mark in record.marks if OVER in mark.note]
    assert {mark.status for mark in lost} == {"flagged"}
    assert ENTROPY in {mark.exercise for mark in lost}
    assert sum(mark.points for mark in record.marks) < 19


def test_an_answer_that_stops_the_check_itself_costs_its_own_exercise(
    course,
    sheet,
    isolated,  # noqa: F811
    monkeypatch,
):
    plain = judge.outcomes_of

    def stops(exercise, answer):
        if exercise.id == ENTROPY:
            raise RecursionError("too \x1b deep")
        return plain(exercise, answer)

    monkeypatch.setattr(judge, "outcomes_of", stops)
    record = judged(sheet, course, isolated, right())
    assert (record.points, record.status) == (16, "flagged")
    assert "its check stopped with RecursionError: too � deep; judge it by hand" in notes_of(record)


@pytest.mark.parametrize("failures", [2, 3])
def test_a_process_that_cannot_begin_at_once_begins_a_little_later(
    sheet,
    course,
    isolated,  # noqa: F811
    monkeypatch,
    failures,
):
    """What a storm of processes left behind may still be ending."""
    tried = []

    def begun(*given):
        tried.append(given)
        if len(tried) <= failures:
            raise LostError("there is no room for one more")
        return LearnersProcess(*given)

    monkeypatch.setattr(judge, "LearnersProcess", begun)
    monkeypatch.setattr(judge, "PAUSES", (0.0, 0.0))
    if failures == 3:  # three times is enough
        with pytest.raises(judge.JudgeError, match="no process can be started: there is no room"):
            judged(sheet, course, isolated, right())
    else:
        assert judged(sheet, course, isolated, right()).points == 19


def test_descendants_are_found():
    if not Path("/proc/self/task").is_dir():
        assert list(descendants(1)) == [1]
        return
    words = ["sh", "-c", "sleep 20 & wait"]
    with subprocess.Popen(words, start_new_session=True) as first:
        try:
            until = time.monotonic() + 10
            while len(found := list(descendants(first.pid))) < 2 and time.monotonic() < until:
                time.sleep(0.01)
            told = Path(f"/proc/{found[1]}/status").read_text(encoding="ascii")
            assert f"PPid:\t{first.pid}\n" in told
            assert len(found) == 2
        finally:
            os.killpg(first.pid, 9)
