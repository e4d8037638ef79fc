"""A class of 300 graded, a tenth of it trouble, beside nbgrader: ``make bench-grading``.

All 300 are graded unattended, on two cores. The 30 in trouble are of ``tests/grading/kinds.py``:
loops, crashes, storms, cheats, lost marks, torn files. Each must get what it should, and nobody
else less for it. Then nbgrader grades some of the healthy ones, one after the other as it does.
Time, peak memory and submissions a minute are printed.

``python benchmarks/bench_grading.py 60 12`` takes a class of 60, and 12 for nbgrader.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
sys.path.insert(0, str(CHECKOUT / "tests"))

from grading.kinds import KINDS, REAL, SEED, Kind, filled, right  # noqa: E402

from dtree_lab.course.assignment import make  # noqa: E402
from dtree_lab.grading.batch import graded  # noqa: E402
from dtree_lab.grading.releasing import release  # noqa: E402
from dtree_lab.grading.sandbox import Allowance, sandbox  # noqa: E402

HEALTHY = {
    "right": Kind(right, 19),
    "untouched": Kind(lambda: filled({}), 0),
    "half": KINDS["partly right"],
    "wrong": KINDS["wrong"],
}
TROUBLE = {name: kind for name, kind in KINDS.items() if name not in HEALTHY}
TORN = {"torn": b"{", "empty": b"", "large": b" " * (30 << 20)}
JOBS = 2


def hand_in(course: Path, learner: str, data: bytes) -> None:
    """Put a submission where nbgrader looks for it."""
    place = course / "submitted" / learner / REAL / f"{REAL}.ipynb"
    place.parent.mkdir(parents=True)
    place.write_bytes(data)


def bytes_of(kind: Kind) -> bytes:
    """The notebook of a kind."""
    return json.dumps(kind.make()).encode()


class Memory(threading.Thread):
    """Watches how much memory this process and all that it has started hold together."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak, self.over = 0, threading.Event()

    def run(self) -> None:
        """Look every quarter of a second."""
        while not self.over.wait(0.25):
            self.peak = max(self.peak, held())


def held() -> int:
    """The resident bytes of this process and its children, theirs included."""
    parents, sizes = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            told = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        parents[int(path.parent.name)] = int(told[1])
        sizes[int(path.parent.name)] = int(told[21]) * os.sysconf("SC_PAGE_SIZE")
    family = {os.getpid()}
    while more := {one for one, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(sizes.get(one, 0) for one in family)


def ours(course: Path, many: int) -> float:
    """Grade a class; the submissions a minute."""
    wanted: dict[str, Kind | None] = {}
    trouble = [*TROUBLE.items()]
    torn = [*TORN.items()]
    for i in range(many):
        name = f"learner{i:03}"
        if i % 10 == 3:
            at = i // 10
            if at < len(torn):
                wanted[name] = None
                hand_in(course, name, torn[at][1])
                continue
            # Not the first so many, but kinds from the whole list.
            kind = trouble[(at * 7) % len(trouble)][1]
        else:
            kind = [*HEALTHY.values()][i % len(HEALTHY)]
        wanted[name] = kind
        hand_in(course, name, bytes_of(kind))
    memory = Memory()
    memory.start()
    begun = time.perf_counter()
    batch = graded(course, REAL, sandbox(), Allowance(), n_jobs=JOBS)
    took = time.perf_counter() - begun
    memory.over.set()
    wrong = 0
    for record in batch.records:
        kind = wanted.pop(record.learner)
        points = (0, 0) if kind is None else kind.points
        least, most = points if isinstance(points, tuple) else (points, points)
        status = "ungraded" if kind is None else kind.status
        if not (least <= record.points <= most and record.status == status):
            wrong += 1
            print(f"  {record.learner}: {record.points}, {record.status}: {record.note}")
    print(f"dtree-lab assignment grade, {JOBS} at once, in a sandbox: {sandbox()}")
    print(f"  {many} submissions in {took:.0f} s: {60 * many / took:.1f} a minute")
    print(f"  not as they should be: {wrong}; lost: {len(wanted)}")
    print(f"  peak memory, everything together: {memory.peak / (1 << 20):.0f} MB")
    return 60 * many / took


def theirs(course: Path, some: int) -> float:
    """Let nbgrader grade some healthy ones; the submissions a minute."""
    bin_ = str(Path(sys.executable).parent)
    home = course / "home"
    home.mkdir()
    env = os.environ | {"PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "HOME": str(home)}
    env |= {"JUPYTER_CONFIG_DIR": str(home / "config"), "IPYTHONDIR": str(home / "ipython")}
    for i in range(some):
        hand_in(course, f"learner{i:03}", bytes_of([*HEALTHY.values()][i % len(HEALTHY)]))
    command = [sys.executable, "-m", "nbgrader"]

    def run(word: str) -> None:
        words = [*command, word, REAL]
        subprocess.run(words, cwd=course, env=env, capture_output=True, check=True)  # noqa: S603

    run("generate_assignment")
    begun = time.perf_counter()
    run("autograde")
    took = time.perf_counter() - begun
    print("nbgrader autograde, healthy ones only, without a sandbox")
    print(f"  {some} submissions in {took:.0f} s: {60 * some / took:.1f} a minute")
    return 60 * some / took


def main(words: list[str]) -> int:
    """Run both; the exit status says whether ours is no slower."""
    many, some = (int(one) for one in [*words, "300", "40"][:2]) if words else (300, 40)
    folder = Path(tempfile.mkdtemp(prefix="dtree-lab-bench-"))
    try:
        lesson = CHECKOUT / "notebooks" / f"{REAL}.ipynb"
        for name in ("ours", "theirs"):
            make(lesson, folder / name, name, SEED)
        release(folder / "ours", REAL)
        one, other = ours(folder / "ours", many), theirs(folder / "theirs", some)
    finally:
        shutil.rmtree(folder)
    print(f"{one / other:.1f} times as many a minute as nbgrader")
    return int(one < other)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
