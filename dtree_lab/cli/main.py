"""The command ``dtree-lab``: open the course, show a lab, make an assignment."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dtree_lab.base.installing import install_command
from dtree_lab.base.terminal import for_terminal
from dtree_lab.base.text import did_you_mean
from dtree_lab.cli import workcopy
from dtree_lab.course import lessons

COMMANDS = ("demo", "lecture", "assignment")
DEFAULT_FOLDER = Path("~/dtree-lab-course")
NEWS_PLUGIN = "@jupyterlab/apputils-extension:announcements"
NO_JUPYTERLAB = "JupyterLab is not installed here. Install it with the course's other needs: "


class CannotOpenError(Exception):
    """The course cannot be opened; the message says why in one line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with the words after ``dtree-lab``, or this process's; the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in COMMANDS:
        # Which brings the library, and is not needed to open the course.
        return int(importlib.import_module(f"dtree_lab.cli.{words[0]}").main(words[1:]))
    if words and not Path(words[0]).exists() and (close := did_you_mean(words[0], COMMANDS)):
        print(f"dtree-lab: no command {words[0]!r}.{close}", file=sys.stderr)
        return 2
    options, others = _parser().parse_known_args(words)
    try:
        lab = _jupyterlab()  # before anything is made
        folder, first = _folder(options)
        _open(lab, folder, first, others)
    except CannotOpenError as problem:
        print(f"dtree-lab: {problem}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dtree-lab",
        description="Open the decision-tree course in JupyterLab.",
        epilog="Anything else is passed on to JupyterLab, such as --no-browser or --port 8899. "
        "dtree-lab demo NAME shows one lab on a page of its own; dtree-lab demo lists the labs. "
        "dtree-lab lecture LESSON gives a lecture. "
        "dtree-lab assignment hands lessons out, collects and grades them; --help says how.",
        allow_abbrev=False,  # an abbreviation of ours may be an option of JupyterLab's
    )
    parser.add_argument("--version", action="version", version=version("dtree-lab"))
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--dir",
        metavar="FOLDER",
        type=Path,
        default=DEFAULT_FOLDER,
        help="your working copy of the course, made if there is none; an upgrade adds new lessons "
        f"and never overwrites a file you have changed (default: {DEFAULT_FOLDER})",
    )
    where.add_argument(
        "--here",
        metavar="FOLDER",
        type=Path,
        help="open this folder as it is, without a working copy",
    )
    return parser


def _folder(options: argparse.Namespace) -> tuple[Path, str]:
    """Return the folder to open, and the notebook to begin with where the course is new."""
    if options.here is not None:
        here: Path = options.here.expanduser().resolve()
        if not here.is_dir():
            raise CannotOpenError(f"there is no folder {here}")
        return here, ""
    folder: Path = options.dir.expanduser().resolve()
    new = not folder.exists()
    try:
        news = workcopy.refresh(lessons.notebooks_folder(), folder)
    except OSError as problem:
        raise CannotOpenError(f"the working copy {folder} cannot be made: {problem}") from problem
    _say(f"{'Your new' if new else 'Your'} working copy of the course: {folder}")
    for line in news:
        _say(f"  {line}")
    return folder, min((path.name for path in folder.glob("*.ipynb")), default="") if new else ""


def _jupyterlab() -> Any:
    try:
        return importlib.import_module("jupyterlab.labapp")
    except ModuleNotFoundError as problem:
        if not str(problem.name).startswith("jupyterlab"):
            raise
        raise CannotOpenError(NO_JUPYTERLAB + install_command("course")) from problem


def _open(lab: Any, folder: Path, first: str, others: Sequence[str]) -> None:
    server = lab.LabApp.initialize_server(argv=_settings(folder, first, others))
    # Said by the running loop: only then does the address answer.
    opened = f"The course is open at {server.local_url}\nPress Ctrl-C here to stop it."
    server.io_loop.add_callback(_say, opened)
    # That says it: Jupyter would say the same in six lines.
    server.identity_provider.token_generated = False
    server.web_app.settings["page_config_hook"] = _without_news
    server.start()


def _say(text: str) -> None:
    print(for_terminal(text), flush=True)


def _without_news(_handler: object, page: dict[str, Any]) -> dict[str, Any]:
    # JupyterLab's question about news would stand in front of a class. It has no setting outside
    # the user's home, so its plugin is left out of our page.
    page["disabledExtensions"] = [*page.get("disabledExtensions", []), NEWS_PLUGIN]
    return page


def _settings(folder: Path, first: str, others: Sequence[str]) -> list[str]:
    """Return JupyterLab's command line; what the user gave comes last, so that it wins."""
    settings = [
        f"--ServerApp.root_dir={folder}",
        # The address is not to drown in notices. (These two are what --debug sets.)
        "--ServerApp.log_level=WARN",
        "--ExtensionApp.log_level=WARN",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    if first:
        settings.append(f"--LabApp.default_url=/lab/tree/{first}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        settings.append("--allow-root")
    return [*settings, *others]
