"""The lessons that there are, in the order in which they are read."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import nbformat

from coursesite.words import Words
from dtree_lab.course.lessons import FURTHER

if TYPE_CHECKING:
    from pathlib import Path

_MINUTES = re.compile(r"(\d+ to \d+|\d+) minutes")


@dataclass(frozen=True)
class Neighbour:
    """The lesson before or after, as a link needs it."""

    page: str
    title: str


@dataclass(frozen=True)
class Lesson:
    """A lesson's notebook, and what the site says about it."""

    name: str
    notebook: Any
    title: str
    intro: str
    minutes: str = ""
    exercises: int = 0
    lite: str = ""
    before: Neighbour | None = None
    after: Neighbour | None = None
    later: dict[str, list[Any]] = field(default_factory=dict)
    # Of a further page: its folder, from that of the lessons.
    folder: str = ""

    @property
    def page(self) -> str:
        """Where its page is, from the top of the site."""
        return f"{self.name}.html"

    @property
    def download(self) -> str:
        """Where its notebook is."""
        return f"notebooks/{self.folder}{self.name}.ipynb"


def lessons(folder: Path, *, lite: bool) -> list[Lesson]:
    """All notebooks of a folder: by number, those without one (the labs), and the further ones.

    The lessons and the labs lead to each other in this order, a further page back to its lesson.
    """
    places = sorted(folder.glob("*.ipynb"), key=lambda p: (not p.stem[0].isdigit(), p.stem))
    found = [_read(place, lite=lite) for place in places]
    ways = [None, *(Neighbour(one.page, one.title) for one in found), None]
    row = [replace(one, before=ways[i], after=ways[i + 2]) for i, one in enumerate(found)]
    home = {one.name[:2]: Neighbour(one.page, one.title) for one in found}
    more = [_read(place, lite=lite) for place in sorted(folder.glob(f"{FURTHER}/*.ipynb"))]
    return row + [replace(one, before=home[one.name[:2]]) for one in more]


def _read(place: Path, *, lite: bool) -> Lesson:
    folder = f"{FURTHER}/" if place.parent.name == FURTHER else ""
    notebook = nbformat.read(place, as_version=4)
    words = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    title, _, rest = words[0].partition("\n")
    minutes = next((m[1] for w in words[:3] if (m := _MINUTES.search(w))), "")
    roles = [cell.metadata.get("dtree_lab", {}).get("role") for cell in notebook.cells]
    return Lesson(
        place.stem,
        notebook,
        title.lstrip("# ").strip(),
        Words().html(rest.strip().partition("\n\n")[0]),
        minutes,
        roles.count("check"),
        f"lite/lab/index.html?path={folder}{place.name}" if lite else "",
        later=_later(place),
        folder=folder,
    )


def _later(place: Path) -> dict[str, list[Any]]:
    """The outputs that a lesson's notebook does not hold, because they would tell too early."""
    top = place.parent.parent if place.parent.name == FURTHER else place.parent
    kept = top / ".source" / "later" / f"{place.stem}.json"
    found: dict[str, list[Any]] = (
        json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    )
    return found
