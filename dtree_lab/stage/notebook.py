"""A lecture given from a notebook: :func:`lecture`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from os import PathLike, fspath
from tempfile import TemporaryFile
from typing import Any, Literal

from dtree_lab.base.terminal import terminal
from dtree_lab.base.text import html

_COMMAND = (sys.executable, "-m", "dtree_lab.cli", "lecture")
_ADDRESS = re.compile(r"https?://\S+")
_PATIENCE = 10.0  # seconds for a process that was asked to end


class ShippedLectures:
    """The names of the lectures that come with dtree_lab, shown as text."""

    @terminal
    def __repr__(self) -> str:
        return _run("--list").strip()


class GivenLecture:
    """A lecture that is being given, in a process of its own.

    `audience` and `presenter` are the addresses of its two windows, on this computer.
    """

    def __init__(self, process: subprocess.Popen[str], title: str, addresses: list[str]) -> None:
        self._process, self.title = process, title
        self.audience, self.presenter, *rest = addresses
        self.phones = rest[0] if rest else ""  # where phones vote; empty where they do not

    @property
    def is_given(self) -> bool:
        """Whether its windows are served."""
        return self._process.poll() is None

    def stop(self) -> None:
        """End it; its place is kept for ``resume=True``."""
        # It ends when there is nobody any more who could tell it something.
        try:
            self._process.communicate(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()

    @terminal
    def __repr__(self) -> str:
        if not self.is_given:
            return f"{self.title}: it is over."
        phones = f"\nfor phones: {self.phones}" if self.phones else ""
        return f"{self.title}\nfor the audience: {self.audience}\nfor you: {self.presenter}{phones}"

    def _repr_html_(self) -> str:
        if not self.is_given:
            return f"<p>{html(repr(self))}</p>"
        link = '<a href="{}" target="_blank" rel="noopener">{}</a>'
        windows = (
            link.format(html(self.audience), "the audience's window"),
            link.format(html(self.presenter), "your own, with notes and a clock"),
        )
        phones = f"; phones vote at {html(self.phones)}" if self.phones else ""
        return f"<p>{html(self.title)}: {' and '.join(windows)}{phones}</p>"


def lecture(  # noqa: PLR0913 - what the command can be told
    file: str | PathLike[str] | None = None,
    *,
    table: str | PathLike[str] | None = None,
    theme: Literal["light", "dark", "contrast"] = "light",
    resume: bool = False,
    phones: bool = False,
    votes: str | PathLike[str] | None = None,
    trust: bool = False,
    **how: Any,
) -> GivenLecture | ShippedLectures:
    """Give a lecture, as ``dtree-lab lecture`` does, and show links to its two windows.

    It runs in a process of its own on the computer on which the notebook's kernel runs: the windows
    can be opened there and nowhere else, and a kernel that is restarted ends it.

    Parameters
    ----------
    file
        The lecture's file, or the name of one that is shipped, such as ``"tax-fraud"``. Without
        one, those are listed.
    table
        A CSV file for scenes that say ``table: own``.
    theme
        How the windows look at first.
    resume
        Whether to go on where it was left last time.
    phones
        Whether phones in the local network may vote.
    votes
        A CSV file that is to have all counts.
    trust
        Whether Python in the lecture's own file may run, with all that you may do on this computer.
        Once it may, this need not be said again until the file changes.
    **how
        How the CSV file is written, as :meth:`dtree_lab.Table.read_csv` takes it: `target`, `drop`,
        `decimal`, `thousands`, `delimiter`, `na`, `missing`, `kinds`, `encoding`.

    Returns
    -------
    GivenLecture
        Shown as the last line of a cell, it links to both windows. Its ``stop()`` ends it.

    Raises
    ------
    ValueError
        For a lecture or a table that cannot be shown; the message says where and why.

    Examples
    --------
    >>> import dtree_lab as dt
    >>> given = dt.lecture("tax-fraud")
    >>> given.audience.startswith("http://127.0.0.1:")
    True
    >>> given.stop()
    """
    if file is None:
        return ShippedLectures()
    words = [fspath(file), "--no-browser", "--with-caller", f"--theme={theme}"]
    words += ["--resume"] * resume + ["--class"] * phones
    words += ["--trust"] * trust
    words += [f"--votes={fspath(votes)}"] if votes is not None else []
    words += [f"--table={fspath(table)}"] if table is not None else []
    words += [word for name, value in how.items() for word in _option(name, value)]
    with TemporaryFile("w+", encoding="utf-8") as errors:
        # What interrupts the notebook's kernel is not meant for the lecture.
        process = subprocess.Popen(  # noqa: S603 - our own command
            [*_COMMAND, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            start_new_session=True,
        )
        said = list(_said(process, "For phones" if phones else "Ctrl-C"))
        if process.poll() is not None:
            process.communicate()
            errors.seek(0)
            raise ValueError(_why(errors.read()))
    title = said[0].rpartition(": http")[0]
    return GivenLecture(process, title, _ADDRESS.findall("".join(said)))


def _option(name: str, value: Any) -> Iterator[str]:
    """What says on the command line how a table is written."""
    if isinstance(value, Mapping):
        value = [f"{column}={kind}" for column, kind in value.items()]
    several = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
    yield from (f"--{name.replace('_', '-')}={one}" for one in several)


def _said(process: subprocess.Popen[str], last: str) -> Iterator[str]:
    """What it says until it is ready, or over."""
    for line in process.stdout or ():
        yield line
        if last in line:
            return
    process.wait()


def _why(text: str) -> str:
    """What it complained of, without the command's own name."""
    *_, last = re.split(r"dtree-lab lecture:(?: error:)? ", text.strip())
    return last


def _run(*words: str) -> str:
    done = subprocess.run(  # noqa: S603 - our own command
        [*_COMMAND, *words], capture_output=True, check=False, encoding="utf-8"
    )
    if done.returncode:
        raise ValueError(_why(done.stderr))
    return done.stdout
