"""Consent to run a lecture's own Python: given once for each text of a lecture, and kept."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from dtree_lab.base.files import write_whole
from dtree_lab.stage.lecture import Lecture
from dtree_lab.stage.server import saved_at


def as_agreed(lecture: Lecture) -> Lecture:
    """The lecture; free to run its own Python if that was agreed to before, of the same text."""
    return lecture.agreed() if _place(lecture).is_file() else lecture


def remember(lecture: Lecture) -> Lecture:
    """The lecture, free to run its own Python; it is not asked about again until it changes."""
    # Where nothing can be kept, it is asked about the next time.
    with suppress(OSError):
        write_whole(_place(lecture), f"{lecture.file.resolve()}\n")
    return lecture.agreed()


def _place(lecture: Lecture) -> Path:
    return saved_at(lecture).parent / "agreed" / f"{lecture.digest}.txt"
