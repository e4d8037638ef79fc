"""A process that reads what learners' processes say, within limits: ``python -m`` of this file.

Each line of JSON is read, described and judged as the judge does it; it answers with a line of its
own. What takes more memory or processor than it may ends it, so who asks sees no answer.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

from dtree_lab.course.asking.model import Answerer
from dtree_lab.course.calls import describe
from dtree_lab.course.checking import outcomes_of, resulting
from dtree_lab.course.exercise import Exercise
from dtree_lab.course.tasks import Case, Code, Number
from dtree_lab.grading.plaindata import NotReadableError, Reader
from dtree_lab.tree.tree import Tree

# More than it holds and has taken at first; a line has some kilobytes.
MEMORY, SECONDS = 200 << 20, 5
NUMBER = Exercise("a/number", "", 1, Number(0.5), "x", (), "", "", "")
CASES = tuple(Case((i,), ([1, "a", (2.5,)],), behaviour="it") for i in range(2))
CODE = Exercise("a/code", "", 1, Code("x", CASES), "x", (), "", "", "")


class Card(Answerer):
    def __init__(self, about, answer):
        self.about, self.answer = about, answer


def judged(line):
    reader = Reader(lambda *_: len, lambda n: n, Tree.from_json, Card)
    try:
        value = reader.read(json.loads(line))
    except NotReadableError:
        return
    describe(value)
    for exercise, answer in ((NUMBER, value), (CODE, lambda *_: value)):
        str(resulting(exercise, outcomes_of(exercise, answer)))


def main():
    judged("3")
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    held = int(pages) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (held + MEMORY,) * 2)
    for line in sys.stdin:
        spent = resource.getrusage(resource.RUSAGE_SELF)
        now = int(spent.ru_utime + spent.ru_stime)
        resource.setrlimit(resource.RLIMIT_CPU, (now + SECONDS, resource.RLIM_INFINITY))
        judged(line)
        sys.stdout.write("judged\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
