"""Exercises that are none of the course's: those in a file of staff's, and those handed out.

Course staff write ``exercises.py`` beside their notebook; a check that is run beside it finds it
there. What learners get of it is in their notebook (:mod:`dtree_lab.course.handout`).
"""

from __future__ import annotations

import hashlib
import re
import sys
import traceback
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path

from dtree_lab.course.exercise import Exercise

OWN = "exercises.py"
_ID = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")
# What the notebook has brought, by id; it goes before what lies in a file.
_brought: dict[str, Exercise] = {}


def exercises_in(path: Path, taken: Iterable[str] = ()) -> dict[str, Exercise]:
    """The exercises that a file of staff's makes, by their ids; none where there is no file.

    The file is run, as a module of a lesson is. No id may begin with a name that is `taken`, as
    those of the course's lessons are. What is wrong with it is told with the file's name and line.
    """
    if not path.is_file():
        return {}
    made = _made_by(path.resolve(), hashlib.sha256(path.read_bytes()).hexdigest())
    for one in made:
        if _ID.fullmatch(one) is None:
            raise ValueError(
                f"{path.name}: the id {one!r} will not do; it is two words of small letters,"
                ' digits and hyphens with a slash between them, such as "mine/impurity"'
            )
        if made[one].lesson in taken:
            raise ValueError(
                f"{path.name}: {one!r} begins as the exercises of a lesson do; begin it with"
                f' another word, such as "mine/{one.partition("/")[2]}"'
            )
    if not made:
        raise ValueError(f"{path.name} makes no exercise: none of its names is an Exercise(…)")
    return dict(made)


@lru_cache(maxsize=32)
def _made_by(path: Path, digest: str) -> Mapping[str, Exercise]:
    """What a file makes; run once for each text that stands in it."""
    name = f"own_exercises_{digest[:16]}"
    module = module_from_spec(ModuleSpec(name, None, origin=str(path)))
    sys.modules[name] = module  # where dataclasses look for their module
    try:
        code = compile(path.read_bytes(), str(path), "exec")
        exec(code, vars(module))  # noqa: S102 - staff's own file
    except Exception as error:
        del sys.modules[name]
        said = " ".join((error.msg if isinstance(error, SyntaxError) else str(error)).split())
        kind = type(error).__name__
        raise ValueError(f"{path.name}{_at(error, path)}: {kind}: {said}") from error
    made: dict[str, Exercise] = {}
    for one in vars(module).values():
        if isinstance(one, Exercise) and made.setdefault(one.id, one) is not one:
            raise ValueError(f"{path.name}: two exercises have the id {one.id!r}")
    return made


def _at(error: Exception, path: Path) -> str:
    """The file's own line that an error came through last."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f", line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    return f", line {lines[-1]}" if lines else ""


def bring(exercises: Iterable[Exercise]) -> None:
    """Let checks find these from now on, until the kernel ends."""
    _brought.update({one.id: one for one in exercises})


def at_hand(taken: Iterable[str]) -> dict[str, Exercise]:
    """What is there beside the course's: brought by the notebook, else made by the file here."""
    return dict(_brought) or exercises_in(Path(OWN), taken)
