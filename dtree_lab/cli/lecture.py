"""The command ``dtree-lab lecture``: a whole lecture before a class, and its votes."""

from __future__ import annotations

import argparse
import asyncio
import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from textwrap import indent
from typing import Any

from dtree_lab.base.files import write_whole
from dtree_lab.base.terminal import for_terminal
from dtree_lab.base.text import did_you_mean
from dtree_lab.cli import owntable, serving
from dtree_lab.cli.serving import KEYS, CannotShowError

PORT = 8880


def main(arguments: Sequence[str]) -> int:
    """Run the command with the words after ``dtree-lab lecture``; the exit status."""
    options = _parser().parse_args(arguments)
    try:
        stage = serving.stage("reading")
        if options.file is None:
            print(for_terminal(_listing(stage)))
            return 0
        return _shown(stage, options)
    except (CannotShowError, ValueError) as problem:
        print(f"dtree-lab lecture: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


def _shown(stage: Any, options: argparse.Namespace) -> int:
    file = lecture_file(options.file)
    lecture = _on_table(_with_consent(stage.read_lecture(file), options), options)
    if options.check:
        return _check(lecture)
    if options.export:
        return _export(lecture, options.theme)
    if options.handout:
        return _handout(lecture, options.handout, notes=options.notes)

    opened = partial(_open_class, options=options) if options.phones else None
    server, votes = serving.stage("server"), _votes_file(options)
    given = server.Stage(lecture, theme=options.theme, saved=server.saved_at(lecture), votes=votes)
    if options.watch:
        given.reread = partial(_reread, lecture, options)
    else:
        given.rehearses = True
    asyncio.run(serving.give(given, options, resume=options.resume, opened=opened))
    return 0


def _reread(before: Any, options: argparse.Namespace) -> Any:
    """The lecture as its file is now; Python that was agreed to before may still run."""
    lecture = _as_agreed(serving.stage("reading").read_lecture(before.file))
    agreed = {scene.lab.code for scene in before.scenes if hasattr(scene.lab, "code")}
    if options.trust or {scene.lab.code for scene in lecture.needs_consent} <= agreed:
        lecture = lecture.agreed()
    try:
        return _on_table(lecture, options)
    except CannotShowError as problem:
        raise ValueError(f"{problem}") from problem


def _with_consent(lecture: Any, options: argparse.Namespace) -> Any:
    """The lecture, free to run Python of its own if that is agreed to, now or once before.

    It is asked about once for each text of a lecture; a check goes without.
    """
    lecture = _as_agreed(lecture)
    scenes, name = lecture.needs_consent, lecture.file.name
    if not scenes or (options.check and not options.run and not options.trust):
        return lecture
    if not options.trust:
        what = f"{name} runs Python of its own, with all that you may do on this computer"
        if not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
            lines = ", ".join(str(scene.line) for scene in scenes)
            cure = "If you have read it and trust it, say --trust (in a notebook, trust=True)"
            raise CannotShowError(f"{what}: the code of the scenes at line {lines}. {cure}")
        print(for_terminal(f"{what}:"), file=sys.stderr)
        for scene in scenes:
            print(f"\nscene {scene.number + 1}, line {scene.line}:", file=sys.stderr)
            print(for_terminal(indent(_plain(scene.lab.code), "    ")), file=sys.stderr)
        print("\nRun it only if you trust who wrote it. Run it? [y/N] ", end="", file=sys.stderr)
        sys.stderr.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            raise CannotShowError("nothing was run")
    # Where nothing can be kept, it is asked about the next time.
    with suppress(OSError):
        write_whole(_agreement(lecture), f"{lecture.file.resolve()}\n")
    return lecture.agreed()


def _as_agreed(lecture: Any) -> Any:
    """The lecture; free to run its own Python if that was agreed to before, of the same text."""
    return lecture.agreed() if _agreement(lecture).is_file() else lecture


def _agreement(lecture: Any) -> Path:
    """Where it is kept that somebody has agreed to run what a lecture's text has of Python."""
    place: Path = serving.stage("server").saved_at(lecture)
    return place.parent / "agreed" / f"{lecture.digest}.txt"


def _plain(code: str) -> str:
    r"""Code in which nothing can hide from who reads it: signs without a picture by their number.

    >>> print(_plain("a = 1\n\x1b[2K\u202eb"))
    a = 1
    \x1b[2K\u202eb
    """
    shown = (one if one == "\n" or one.isprintable() else ascii(one)[1:-1] for one in code)
    return "".join(shown)


def _on_table(lecture: Any, options: argparse.Namespace) -> Any:
    """The lecture, with the table that is brought along."""
    table = owntable.brought(options)
    scenes = lecture.on_own_table
    if table is None:
        if scenes and not options.check:
            names = f"dtree-lab lecture {options.file} --table FILE --target COLUMN"
            raise CannotShowError(f"this lecture shows a table of your own: {names}")
        return lecture
    if not scenes:
        msg = "no scene of this lecture says table: own, so --table has nothing to show"
        raise CannotShowError(f"{msg}. One that has: dtree-lab lecture your-table --table FILE")
    lecture = lecture.on(table)
    owntable.try_labs(lecture.shown_on(table))
    return lecture


def _export(lecture: Any, theme: str) -> int:
    """Write a lecture's page and its sheets into the folder one is in."""
    export = serving.stage("export")
    name = lecture.file.stem
    page = export.export(lecture, Path(f"{name}.html"), theme=theme)
    print(for_terminal(f"{page}: {page.stat().st_size / 1000:,.0f} KB; plays in any browser"))
    try:
        sheets = export.sheets(page, Path(f"{name}.pdf"))
    except export.NoBrowserError as problem:
        print(for_terminal(f"No PDF: {problem}. Open the page as {page}#sheets and print it."))
        return 1
    print(for_terminal(f"{sheets}: a sheet for each key"))
    return 0


def _handout(lecture: Any, up: int, *, notes: bool) -> int:
    """Print a lecture's scenes, several to a page, into the folder one is in."""
    export, told = serving.stage("export"), " and your notes" if notes else ""
    try:
        sheets = export.on_paper(
            lecture, Path(f"{lecture.file.stem}-handout.pdf"), up=up, notes=notes
        )
    except export.NoBrowserError as problem:
        raise CannotShowError(f"{problem}") from problem
    print(for_terminal(f"{sheets}: a sheet for each scene{told}, {up} to a page"))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dtree-lab lecture",
        description=f"Give a lecture: scenes of labs, questions and words, from a file. {KEYS}",
        epilog="Without a file, the lectures that come with dtree_lab are listed. "
        "How to write one's own: docs/stage.md.",
    )
    add = parser.add_argument
    add("file", metavar="FILE", nargs="?", help="the lecture's file, or the name of a shipped one")
    add("--list", action="store_const", const=None, dest="file", help="list the shipped ones")
    add("--check", action="store_true", help="say what is wrong with the file, and show nothing")
    add("--run", action="store_true", help="with --check: try the Python in it, too; you are asked")
    add("--trust", action="store_true", help="Python in the file may run; you are not asked")
    add("--resume", action="store_true", help="go on where this lecture was left last time")
    add("--watch", action="store_true", help="show the file anew at each save: for who writes it")
    add(
        "--export",
        action="store_true",
        help="write, here, one HTML file that plays it on any machine, and a PDF of all its sheets",
    )
    add(
        "--handout",
        metavar="N",
        nargs="?",
        const=2,
        type=int,
        choices=(1, 2, 4),
        help="print, here, a PDF of all scenes, N of them to a page: 1, 2 or 4 (default: 2)",
    )
    add("--notes", action="store_true", help="with --handout: and with your notes")
    serving.add_options(parser)
    _add_votes(parser)
    owntable.add_options(parser)
    return parser


def shipped() -> dict[str, Path]:
    """The lectures that come with dtree_lab, by name."""
    folder: Path = serving.stage("reading").SHIPPED
    return {path.stem: path for path in sorted(folder.glob("*.md"))}


def lecture_file(name: str) -> Path:
    """The file of a lecture, by its path or its shipped name."""
    path = Path(name).expanduser()
    if path.is_file():
        return path.resolve()
    known = shipped()
    if name in known:
        return known[name]
    names = ", ".join(known)
    msg = f"there is no file {name}, and no shipped lecture of that name ({names})."
    raise CannotShowError(msg + did_you_mean(name, known))


def _listing(stage: Any) -> str:
    lines = []
    for name, path in shipped().items():
        lecture = stage.read_lecture(path)
        told = f"{lecture.planned:g} min" if lecture.planned else "no plan"
        lines.append(f"{name:16}{lecture.title} ({told}, {len(lecture.scenes)} scenes)")
    return "\n".join([*lines, "", "Give one with: dtree-lab lecture NAME"])


def _check(lecture: Any) -> int:
    """Try every scene, and say what is wrong with it."""
    problems = serving.stage("checking").tried(lecture)
    for problem in problems:
        print(for_terminal(str(problem)), file=sys.stderr)
    for scene in lecture.needs_consent:
        runs = f"{lecture.file.name}:{scene.line}: scene {scene.number + 1} runs Python"
        print(for_terminal(f"{runs}, which was not tried: --check --run tries it"))
    if not problems:
        minutes = f", {lecture.planned:g} minutes" if lecture.planned else ""
        rest = "all else" if lecture.needs_consent else "all"
        print(for_terminal(f"{lecture.title}: {len(lecture.scenes)} scenes{minutes}, {rest} good."))
    return 1 if problems else 0


def _add_votes(parser: argparse.ArgumentParser) -> None:
    """The options of votes."""
    votes = parser.add_argument_group(
        "votes",
        "Show of hands needs none of these. What --class opens, and to whom: docs/stage.md.",
    )
    add = votes.add_argument
    add("--class", action="store_true", dest="phones", help="let phones in the local network vote")
    add("--class-host", metavar="ADDRESS", help="(default: this computer's in the network)")
    add("--class-port", metavar="PORT", type=int, help=f"(default: {PORT}, or the next free)")
    add("--votes", metavar="FILE", type=Path, help="keep all counts in a CSV file")


def _votes_file(options: argparse.Namespace) -> Path | None:
    """The file for the votes, by its whole path; None if none is wanted."""
    path: Path | None = options.votes
    if path is None:
        return None
    whole = path.expanduser().resolve()
    if whole.is_dir() or not os.access(whole.parent, os.W_OK):
        msg = f"the votes cannot be written to {path}: name a file in a folder of yours (--votes)"
        raise CannotShowError(msg)
    return whole


def _open_class(given: Any, options: argparse.Namespace) -> str:
    """Let phones in at one address of this computer, and say where."""
    host = options.class_host or serving.stage("classroom").own_address()
    if not host:
        msg = "this computer is in no network; name its address there by --class-host"
        raise CannotShowError(msg)
    if host in ("0.0.0.0", "::"):  # noqa: S104 - it is refused
        msg = f"{host} means all networks; name one address of this computer by --class-host"
        raise CannotShowError(msg)
    first = options.class_port or PORT
    for port in [first] if options.class_port else range(first, first + serving.PORTS):
        try:
            room = given.open_class(host, port, resume=options.resume)
        except OSError as problem:
            reason = problem.strerror or str(problem)
            if problem.errno != errno.EADDRINUSE:
                break
        else:
            return f"For phones in this network, while this runs: {room.address}"
    msg = f"no phones can be let in at {host}:{first} ({reason})"
    raise CannotShowError(f"{msg}; name another address by --class-host or --class-port")
