"""What an extra brings: what to type so that this copy has it, and the error where it is missing.

The command is never the project's bare name: on an index it may be nobody's, or somebody else's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


def install_command(extra: str) -> str:
    """The command, on one line, that installs an extra such as ``"labs"`` for this very copy.

    In a checkout, and for what was installed from a folder that is still there, that folder's
    extra; else the libraries that the extra needs, by name.
    """
    # Here, because they take longer to load than all that a tree needs.
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415
    from urllib.parse import urlsplit  # noqa: PLC0415
    from urllib.request import url2pathname  # noqa: PLC0415

    package = Path(__file__).parents[2]
    if (package / "pyproject.toml").is_file():
        return f'pip install -e ".[{extra}]" in the folder {package}'
    try:
        installed = distribution("dtree-lab")
    except PackageNotFoundError:
        return f'pip install ".[{extra}]" in the folder of its source'
    origin = json.loads(installed.read_text("direct_url.json") or "{}")
    folder = Path(url2pathname(urlsplit(origin.get("url", "")).path))
    if "dir_info" in origin and (folder / "pyproject.toml").is_file():
        return f'pip install ".[{extra}]" in the folder {folder}'
    libraries = (f'"{library}"' for library in _libraries(installed.requires, extra))
    return " ".join(["pip install", *libraries])


def _libraries(requires: Iterable[str] | None, extra: str) -> Iterator[str]:
    """The libraries of an extra, and of the extras that it is made of."""
    of_extra = re.compile(rf"(.+?)\s*;.*\bextra == ['\"]{re.escape(extra)}['\"]")
    for need in filter(None, map(of_extra.match, requires or ())):
        if made_of := re.fullmatch(r"dtree[-_]lab\[(.+)\]", need[1]):
            for part in made_of[1].split(","):
                yield from _libraries(requires, part.strip())
        else:
            yield need[1]


def missing(library: str | None, extra: str, needs: str) -> ModuleNotFoundError:
    """The error of a library that an extra would bring; `needs` says for what: ``"labs need"``."""
    here = f"which is not installed here; the extra {extra!r} brings it"
    text = f"{needs} {library}, {here}: {install_command(extra)}"
    return ModuleNotFoundError(text, name=library)


@contextmanager
def brought_by(extra: str, needs: str) -> Iterator[None]:
    """Around imports of what an extra brings: where it is missing, the error says what to type.

    `needs` is as in :func:`missing`.
    """
    try:
        yield
    except ModuleNotFoundError as problem:
        if str(problem.name).startswith("dtree_lab"):
            raise
        raise missing(problem.name, extra, needs) from problem
