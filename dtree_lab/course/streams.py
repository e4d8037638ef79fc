"""What an answer writes to the standard error costs it nothing where nbgrader marks it.

nbgrader takes any text on a check cell's standard error for a failure. A call's own prints and
warnings are caught (:mod:`~dtree_lab.course.calls`), but much reaches the standard error by other
ways: a handler of ``logging`` that was made in the answer cell and holds the stream itself, a
program that was started, ``os.write(2, …)``, a thread that writes when the check is over. A kernel
brings all of them together in one stream, and marks what it sends to the notebook with a name. So
while nbgrader runs, that name becomes the one of the plain output: the text stays in the notebook,
where graders see it, and nothing is redirected, so nothing has to be put back when a call hangs.
"""

from __future__ import annotations

import sys
from typing import Any

# An answer may put another stream in its place; the kernel's goes on being fed by all others.
_AT_FIRST: Any = sys.stderr


def as_output() -> None:
    """Show what the kernel's standard error gets as plain output, until the kernel ends.

    It changes nothing outside of a kernel, whose stream says that its name is ``"stderr"``.
    """
    now: Any = sys.stderr
    for stream in (_AT_FIRST, now):
        if hasattr(stream, "pub_thread") and stream.name == "stderr":
            stream.name = "stdout"
