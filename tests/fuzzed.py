"""Every reader of texts from elsewhere, fed with damaged ones: ``python -m fuzzed READER SEED N``.

In a process of its own, whose memory is limited and whose every case has a limit of time: what is
refused is refused with the documented error, and nothing hangs or grows. A case that fails is
printed, so that it can be tried again.
"""

from __future__ import annotations

import faulthandler
import io
import json
import random
import resource
import signal
import sys
import tempfile
import traceback
import zipfile
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

from test_hostile import ODD, TREES, changed, places, states

import dtree_lab as dt
from dtree_lab.course.assignment import AssignmentError
from dtree_lab.course.calls import describe
from dtree_lab.grading.collecting import found_in
from dtree_lab.grading.judge import _look
from dtree_lab.grading.needed import needed
from dtree_lab.grading.plaindata import NotReadableError, Reader, Writer
from dtree_lab.grading.rebuild import rebuilt
from dtree_lab.grading.sheets import Check, Handout, SubmissionError, cells_in
from dtree_lab.tree.tree import Tree

# Seconds for a case, generous on a busy machine; and the memory of the whole process.
SECONDS, MEMORY = 20, 3 << 30
BYTES = b"\0\n\r\t\"',;.0 9eE+-\xff\xfe\xef\xbb\xbf\xc3\x28=NaN[]{}"
LONG = ("9" * 5_000, "-" * 20_000, "[" * 20_000, "a.b" * 20_000, "1e999", "\ud800", '"' * 999)
# Numbers that somebody could ask a lab or a table to make so many things of.
MANY = (10**6, 10**9, 10**12, -(10**9), 1e300)


def bytes_of(rng, data, most=6):
    """Some bytes of a file changed, put in, doubled or cut off."""
    raw = bytearray(data)
    for _ in range(rng.randint(1, most)):
        at = rng.randrange(len(raw) + 1)
        match rng.randrange(5):
            case 0:
                raw[at : at + 1] = bytes([rng.choice(BYTES)])
            case 1:
                raw[at:at] = bytes(rng.choice(BYTES) for _ in range(rng.randint(1, 9)))
            case 2:
                raw[at:at] = rng.choice(LONG).encode("utf-8", "replace")
            case 3:
                raw[at:at] = raw[at : at + rng.randint(1, 400)] * rng.randint(1, 30)
            case _:
                del raw[at : at + rng.randint(1, 60)]
    return bytes(raw)


def json_of(rng, data):
    """Something else at some places of a JSON value."""
    data = changed(rng, data)
    if rng.random() < 0.4 and (paths := [path for path in places(data) if path]):
        *above, last = rng.choice(paths)
        within = data
        for key in above:
            within = within[key]
        within[last] = rng.choice((*MANY, *LONG, [rng.choice(ODD)] * 5_000))
    return data


def table(rng):
    """A table's CSV."""
    columns = ["a,b,y", "1,x,yes", "2.5,,no", '"3,5","z ""q""",yes', "NaN, w ,no", "4,x,yes"]
    text = rng.choice(("\n", "\r\n")).join(columns * rng.choice((1, 1, 40))).encode()
    data = bytes_of(rng, text.replace(b",", rng.choice((b",", b";", b"\t"))))
    named = rng.choice(({}, {"missing": "drop"}, {"delimiter": ";"}, {"decimal": ","}))

    def read():
        with suppress(ValueError):
            made = dt.Table.read_csv(io.BytesIO(data), "y", **named)
            assert made.n_rows >= 0
            assert str(made)

    return data, read


def tree(rng):
    """A tree's JSON."""
    text = json.dumps(json_of(rng, json.loads(rng.choice(TREES).to_json())))
    if rng.random() < 0.3:
        text = bytes_of(rng, text.encode("utf-8", "replace")).decode("utf-8", "replace")

    def read():
        with suppress(ValueError):
            made = Tree.from_json(text)
            assert str(made)
            assert Tree.from_json(made.to_json()) == made
            assert made.to_json().encode()

    return text, read


@cache
def labs():
    """All labs, but the one that measures for long."""
    return [one for one in states() if one[0] != "bias-variance"]


def state(rng):
    """The text of a lab's state, of every lab."""
    name, make, texts = rng.choice(labs())
    original = json.loads(rng.choice(texts))
    data = json_of(rng, original)
    if isinstance(data, dict) and rng.random() < 0.9:  # else nearly all are refused for this
        data |= {key: original[key] for key in ("format", "table") if key in original}
    text = json.dumps(data)

    def read():
        with suppress(ValueError):
            lab = make(text)
            assert lab.state.encode()
            assert str(lab)
            assert lab.told.encode()

    return f"{name}: {text}", read


REAL = "01-tax-fraud"


@cache
def kinds():
    """Submissions to that lesson, only where they are needed: all lessons are read for them."""
    return import_module("grading.kinds")


@cache
def right():
    """A notebook that was handed in with all answers."""
    return json.dumps(kinds().right())


PIECES = (
    *(
        "\n",
        "def entropy(counts):",
        "me = ",
        "me = 'x'\n",
        "%%bash\n",
        "dt.course.check(",
        "((",
        "'''",
    ),
    *("### BEGIN SOLUTION", "course  .  check  =", "dt.dt", "lambda: ", "\\", "f'{", "```python"),
)


def notebook(rng):
    """A notebook that was handed in."""
    if rng.random() < 0.5:
        text = bytes_of(rng, right().encode(), 12).decode("utf-8", "replace")
    else:
        made = json.loads(right())
        for _ in range(rng.randint(1, 6)):
            cell = rng.choice(made["cells"])
            words = "".join(cell["source"]) if isinstance(cell["source"], list | str) else ""
            at = rng.randrange(len(words) + 1)
            piece = rng.choice((*PIECES, *LONG)) * rng.choice((1, 1, 1, 300))
            cell["source"] = words[:at] + piece + words[at:]
        text = json.dumps(json_of(rng, made) if rng.random() < 0.5 else made)
    sheet = handout()

    def read():
        with suppress(SubmissionError):
            made = rebuilt(sheet, cells_in(text))
            assert len(needed(made.steps)) == len(made.steps)
            _look(made)

    return text, read


@cache
def handout():
    """What notebooks are held against: that lesson."""
    cells = tuple(cells_in(json.dumps(kinds().release())))
    exercises = {one.id: one for one in dt.course.exercises("tax-fraud")}
    checks = {
        i: Check(cell.exercise, "x", "", 1.0, None, cell.grade_id)
        for i, cell in enumerate(cells)
        if cell.role == "check"
    }
    return Handout(REAL, cells, checks, exercises, "")


FOLDER = Path(tempfile.mkdtemp(prefix="fuzzed-"))
HOW = (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2)


def packed(rng):
    """A zip of submissions, with a zip in it."""

    def zipped(files):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", rng.choice(HOW)) as made:
            for name, data in files.items():
                made.writestr(name, data)
        return file.getvalue()

    inner = zipped({"q/01-tax-fraud.ipynb": b"{}"})
    raw = bytearray(zipped({"ada/01-tax-fraud.ipynb": b"{}" * 200, "bé/h.zip": inner}))
    marks = [at for at in range(len(raw) - 1) if raw[at : at + 2] == b"PK"]
    for _ in range(rng.randint(1, 5)):
        at = rng.choice((rng.choice(marks) + rng.randint(2, 50), rng.randrange(len(raw))))
        raw[min(at, len(raw) - 1)] = rng.choice(
            (0, 1, 2, 8, 9, 12, 14, 99, 255, rng.randrange(256))
        )
    data = bytes(raw if rng.random() < 0.8 else raw[: rng.randrange(len(raw))])
    place = FOLDER / "all.zip"
    place.write_bytes(data)

    def read():
        with suppress(AssignmentError):
            for one in found_in(place, REAL):
                assert "/" not in one.owner.learner

    return data, read


def plain(rng):
    """What a learner's process says."""
    values = [1, 0.5, "x", (1, [2, {3}]), {"a": (1,)}, ..., None, max, range(9), TREES[0], 7**300]
    data = json_of(rng, [Writer().write(one) for one in rng.sample(values, 5)])
    text = json.dumps(data)
    reader = Reader(lambda *_: max, lambda n: [0][n], Tree.from_json, lambda *_: None)

    def read():
        with suppress(NotReadableError):
            for one in reader.read(json.loads(text)):
                assert describe(one).kind

    return text, read


READERS = {one.__name__: one for one in (table, tree, state, notebook, packed, plain)}


class HungError(BaseException):
    """A case that took too long."""


def _hung(*_):
    raise HungError


def main(name, seed, many):
    """Try so many cases; the number of those that failed, each printed."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.set_int_max_str_digits(4_300)
    signal.signal(signal.SIGALRM, _hung)
    failed = 0
    for i in range(many):
        rng = random.Random(f"{name} {seed} {i}")  # noqa: S311 - no secret
        case, read = READERS[name](rng)
        faulthandler.dump_traceback_later(3 * SECONDS, exit=True)  # for what hears no signal
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            read()
        except (Exception, HungError) as error:  # noqa: BLE001 - that is what is looked for
            signal.setitimer(signal.ITIMER_REAL, 0)
            failed += 1
            where = traceback.extract_tb(error.__traceback__)[-1]
            said = f"{type(error).__name__}: {str(error)[:200]!r} in {where}"
            sys.stdout.write(f"{name} {seed} {i}: {said}\n  {case!r:.400}\n")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            faulthandler.cancel_dump_traceback_later()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    sys.stdout.write(f"{name}: {many} cases, {failed} failed, {peak} MB at most\n")
    return failed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])), 99))
