"""Where the lessons' notebooks lie."""

from __future__ import annotations

from pathlib import Path


def folder() -> Path:
    """The folder of lessons: inside an installed package, beside it in a checkout."""
    package = Path(__file__).parents[1]
    for found in (package / "notebooks", package.parent / "notebooks"):
        if found.is_dir():
            return found
    msg = f"dtree_lab is installed in {package} without its notebooks; install it again."
    raise FileNotFoundError(msg)
