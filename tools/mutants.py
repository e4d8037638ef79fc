"""Change one thing in the library at a time; the tests have to notice: ``make mutants``.

The changes are listed in ``tests/mutants.toml``: a file, a text that stands there once, what is put
in its place, and the tests that must fail then. Each change is made in a copy of the checkout. A
mutant that no test notices has survived: a test is missing, or has lost its power.

``python tools/mutants.py advice plain`` tries those only whose file or change has one of the words.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
LIST = ROOT / "tests" / "mutants.toml"
_SECONDS = 120  # or three times what a mutant's tests take: one that loops for ever is noticed
_CLOCK = count(1_000_000_000)
_PASSED, _FAILED, _NOT_COLLECTED = 0, 1, 2  # what pytest ends with


@dataclass(frozen=True)
class Mutant:
    """One change.

    Attributes
    ----------
    file
        Where it is made, from the checkout's root.
    old, new
        A text that stands in the file once, and what is put in its place.
    tests
        What pytest is given: files, or tests of them.
    """

    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    @property
    def found(self) -> int:
        """How often the text stands in the file."""
        path = ROOT / self.file
        return path.read_text(encoding="utf-8").count(self.old) if path.exists() else 0

    def __str__(self) -> str:
        """The file and the change, on one line."""
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{self.file}: {old:.60} → {new:.60}"


def listed() -> list[Mutant]:
    """The mutants, in the order of the list."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
    return [Mutant(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]


def copied(folder: Path) -> Path:
    """A copy of what git keeps, and of what is new and not ignored."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, done.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, folder / name)
    return folder


def ended(folder: Path, tests: tuple[str, ...], seconds: float | None = None) -> int | None:
    """What pytest ends with in a copy of the checkout; nothing when its time is up.

    Random examples are drawn from one seed: a mutant that dies today does not survive tomorrow.
    """
    command = [sys.executable, "-m", "pytest", "-x", "-q"]
    command += ["--hypothesis-profile=mutants", "--hypothesis-seed=0"]
    # Notebooks play no part; without their plugin pytest starts in half the time.
    command += ["-p", "no:nbval", "-o", "addopts=--import-mode=importlib"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if seconds is None and done.returncode != _PASSED:
        print(done.stdout, done.stderr)
    return done.returncode


def _write(path: Path, text: str) -> None:
    """Write a module, at another second than ever before: by that Python knows what it compiled."""
    path.write_text(text, encoding="utf-8")
    second = next(_CLOCK)
    os.utime(path, (second, second))


def _changed(mutant: Mutant, folder: Path, seconds: float) -> int | None:
    """What a mutant's tests end with while the change stands; nothing when the time is up."""
    path = folder / mutant.file
    original = path.read_text(encoding="utf-8")
    _write(path, original.replace(mutant.old, mutant.new))
    try:
        return ended(folder, mutant.tests, seconds)
    finally:
        _write(path, original)


def noticed(mutant: Mutant, folder: Path, seconds: float = _SECONDS) -> str:
    """What becomes of a mutant: ``killed``, ``survived``, or why it could not be tried."""
    if mutant.found != 1:
        return f"its old text stands there {mutant.found} times"
    end = _changed(mutant, folder, seconds)
    if end is None:  # for ever, or on a busy machine? What its tests take without the change tells
        start = time.monotonic()
        ended(folder, mutant.tests)
        longer = 3 * (time.monotonic() - start)
        end = _changed(mutant, folder, longer) if longer > seconds else None
    if end == _PASSED:
        return "survived"
    return "killed" if end in (_FAILED, _NOT_COLLECTED, None) else f"pytest ended with {end}"


def main(words: list[str]) -> int:
    """Try the mutants whose line has one of the words (all without any)."""
    chosen = [one for one in listed() if not words or any(word in str(one) for word in words)]
    jobs = max(os.cpu_count() or 1, 1)
    with tempfile.TemporaryDirectory(prefix="dtree-lab-mutants-") as top:
        folders: SimpleQueue[Path] = SimpleQueue()
        for job in range(jobs):
            folders.put(copied(Path(top) / str(job)))

        def tried(mutant: Mutant) -> str:
            folder = folders.get()
            try:
                return noticed(mutant, folder)
            finally:
                folders.put(folder)

        tests = tuple(dict.fromkeys(test for one in chosen for test in one.tests))
        if ended(Path(top) / "0", tests) != _PASSED:
            print("The tests fail without any change; mend them first.")
            return 1
        alive = 0
        with ThreadPoolExecutor(jobs) as pool:
            for mutant, end in zip(chosen, pool.map(tried, chosen), strict=True):
                alive += end != "killed"
                print(f"{end:8}  {mutant}", flush=True)
    print(f"{len(chosen)} mutants, {len(chosen) - alive} of them killed")
    return 1 if alive or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
