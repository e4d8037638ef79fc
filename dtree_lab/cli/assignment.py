"""The command ``dtree-lab assignment``: a lesson as an nbgrader assignment, for course staff."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

from dtree_lab.base.terminal import for_terminal
from dtree_lab.course import notebooks
from dtree_lab.course.assignment import AssignmentError, lesson_file, make, report


def main(arguments: Sequence[str]) -> int:
    """Run the command.

    Parameters
    ----------
    arguments
        The words after ``dtree-lab assignment``.

    Returns
    -------
    int
        The exit status.
    """
    options = _parser().parse_args(arguments)
    try:
        folder: Path = options.folder.expanduser().resolve()
        lesson = lesson_file(options.lesson, notebooks.folder())
        seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
        print(for_terminal(report(make(lesson, folder, options.course or folder.name, seed))))
    except (AssignmentError, OSError) as problem:
        print(f"dtree-lab assignment: {problem}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dtree-lab assignment",
        description="Make nbgrader's source version of a lesson: worked solutions, and tests with"
        " cases that learners do not see. Nothing is overwritten.",
        epilog="Keep the folder from learners: the solutions are in it.",
    )
    add = parser.add_argument
    add("lesson", metavar="LESSON", help="its number or name, such as 1 or tax-fraud")
    add("folder", metavar="FOLDER", type=Path, help="the nbgrader course, made if there is none")
    add("--course", metavar="NAME", help="nbgrader's name of a new course (default: the folder's)")
    add("--seed", type=_seed, help="where the unseen cases come from (default: a secret one)")
    return parser


def _seed(text: str) -> int:
    seed = int(text)
    if seed < 0:
        raise ValueError(text)
    return seed
