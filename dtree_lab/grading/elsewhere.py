"""What stops an answer here and would not have stopped it where it was written.

A package that is not installed, a newer Python, cells that were run in another order: the points
are lost all the same, and somebody should look.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

from dtree_lab.grading.needed import names_in
from dtree_lab.grading.rebuild import RunStep
from dtree_lab.grading.remote import Told
from dtree_lab.grading.sheets import binds

_HERE = sys.version_info[:2]
_QUOTED = re.compile(r"'([\w.]{1,60})'")


def not_their_fault(
    steps: Sequence[RunStep],
    exercise: str,
    errors: Iterable[tuple[str, str]],
    failed: Mapping[int, Told],
    python: str,
) -> Iterator[str]:
    """Why an exercise may have gone wrong only here, in words for staff.

    `errors` are the types and words of what its calls stopped with, `failed` the cells that
    stopped, by their places; `python` is the version that it was written in, where it tells.
    """
    at = max((i for i, step in enumerate(steps) if step.exercise == exercise), default=0)
    own = [failed[i].raised for i in failed if steps[i].exercise == exercise]
    for name, says in dict.fromkeys((*own, *errors)):
        quoted = _QUOTED.search(says)
        word = quoted[1] if quoted else ""
        if name in ("ModuleNotFoundError", "ImportError"):
            yield f"{word or 'a module'} cannot be imported here: install it, and grade anew"
        elif name == "SyntaxError" and _version(python) > _HERE:
            here, there = (".".join(map(str, one)) for one in (_HERE, _version(python)))
            yield f"a SyntaxError in Python {here}, and it was written in {there}: grade it there"
        elif name == "NameError" and word:
            for i, step in enumerate(steps):
                if (i > at or i in failed) and step.learners and _gives(step.text, word):
                    how = "stopped" if i in failed else "comes later"
                    yield f"{word} gets its value in a cell that {how}"
                    break


def _gives(text: str, name: str) -> bool:
    return name in names_in(text)[1] or binds(text, name)


def _version(text: str) -> tuple[int, ...]:
    found = re.match(r"(\d{1,3})\.(\d{1,3})", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)
